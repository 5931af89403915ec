#include "tools/sigrep-calibrate/background.h"

#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"
#include "tools/common/templates/search_setup.h"
#include "tools/sigrep-calibrate/feed.h"

typedef struct {
    sigrep_calibration *calibration;
    sigrep_bundle_info bundle;
    const shared_options *o;
    const char *path; /* of the bundle */
    const char *name; /* of the input */
    double rate_hz;   /* of the input */
    double hours;     /* of all inputs, gaps left out */
    bool is_microphone;
} background;

static sigrep *make_search(const background *b)
{
    sigrep *search;
    sigrep_error error;
    sigrep_config config;
    sigrep_config_init(&config, sizeof config);
    config.rate_hz = b->rate_hz;
    config.threads = (size_t)b->o->threads;
    sigrep_calibration_configure(b->calibration, &config);
    if (sigrep_create(&search, &config, &error)) report_of(b->name, "%s", error.text);
    return search;
}

static void warn_of_low_rate(const background *b)
{
    const template_set set = {.rate_known = b->bundle.rate_hz > 0,
                              .rate_hz = b->bundle.rate_hz,
                              .front_end = b->bundle.front_end,
                              .bundle = b->path};
    search_warn_of_low_rate(b->name, &set, b->o, b->rate_hz);
}

static bool search_input(background *b, const char *path, int wake_fd)
{
    source_options how = b->o->source;
    const input_needs needs = {
        .whose = "the bundle", .channels = b->bundle.channels, .rate_hz = b->bundle.rate_hz};
    how.wake_fd = wake_fd;
    b->name = input_name(path);
    source *src = open_input(path, how, &needs);
    if (!src) return signals_caught();
    b->rate_hz = source_get_info(src).rate_hz;
    b->is_microphone = source_get_info(src).microphone;
    warn_of_low_rate(b);
    sigrep *search = make_search(b);
    feed f = {.name = b->name, .duration_s = b->o->duration_s};
    const bool good = search && feed_search(&f, src, search);
    b->hours += (double)f.searched / b->rate_hz / 3600;
    sigrep_destroy(search);
    source_close(src);
    return good;
}

bool background_search(sigrep_calibration *calibration, const sigrep_bundle *bundle,
                       const char *path, const shared_options *o, double *hours)
{
    background b = {
        .calibration = calibration, .bundle = {.size = sizeof b.bundle}, .o = o, .path = path};
    sigrep_bundle_get_info(bundle, &b.bundle);
    const int wake_fd = signals_catch();
    bool good = wake_fd >= 0;
    for (size_t i = 0; i < o->n_inputs && good && !signals_caught(); i++)
        good = search_input(&b, o->inputs[i], wake_fd);
    if (good && signals_caught() && !b.is_microphone)
        report_of(b.name,
                  "warning: interrupted: only the %.4g hours of background until then count",
                  b.hours);
    *hours = b.hours;
    return good;
}
