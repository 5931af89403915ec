#include "tools/sigrep-calibrate/background.h"

#include <math.h>

#include "tools/common/messages/messages.h"
#include "tools/common/templates/search_setup.h"
#include "tools/sigrep-calibrate/recordings.h"

typedef struct {
    sigrep_calibration *calibration;
    sigrep_bundle_info bundle;
    const char *path; /* of the bundle */
} background;

static void warn_of_low_rate(const background *b, const recordings *r)
{
    const template_set set = {.rate_known = b->bundle.rate_hz > 0,
                              .rate_hz = b->bundle.rate_hz,
                              .front_end = b->bundle.front_end,
                              .bundle = b->path};
    search_warn_of_low_rate(
        &(search_subject){.set = &set, .o = r->o, .name = r->name, .rate_hz = r->info.rate_hz});
}

static sigrep *make_search(void *user, const recordings *r)
{
    const background *b = user;
    sigrep *search = NULL;
    sigrep_error error;
    sigrep_config config;
    warn_of_low_rate(b, r);
    sigrep_config_init(&config, sizeof config);
    config.rate_hz = r->info.rate_hz;
    config.threads = (size_t)r->o->threads;
    sigrep_calibration_configure(b->calibration, &config);
    if (sigrep_create(&search, &config, &error)) report_of(r->name, "%s", error.text);
    return search;
}

bool background_search(sigrep_calibration *calibration, const sigrep_bundle *bundle,
                       const char *path, const shared_options *o, double *hours)
{
    background b = {.calibration = calibration, .bundle = {.size = sizeof b.bundle}, .path = path};
    sigrep_bundle_get_info(bundle, &b.bundle);
    recordings r = {.o = o,
                    .needs = {.whose = "the bundle",
                              .channels = b.bundle.channels,
                              .rate_hz = b.bundle.rate_hz},
                    .cells = INFINITY,
                    .make_search = make_search,
                    .user = &b};
    const bool good = recordings_search(&r, NULL);
    if (good && recordings_are_cut(&r))
        report_of(r.name,
                  "warning: interrupted: only the %.4g hours of background until then count",
                  r.hours);
    *hours = r.hours;
    return good;
}
