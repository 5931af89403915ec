#include "tools/sigrep-calibrate/background.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/cli/common/messages.h"
#include "filter/cli/common/signals.h"
#include "io/mic.h"
#include "io/source.h"

enum { READ_FRAMES = 1 << 16 };

typedef struct {
    sigrep_calibration *calibration;
    sigrep_bundle_info bundle;
    const shared_options *o;
    const char *name; /* of the input */
    double rate_hz;   /* of the input */
    double hours;     /* of all inputs, gaps left out */
} background;

const char *background_name(const char *input)
{
    return strcmp(input, "-") == 0 ? "(standard input)" : input;
}

static sigrep *make_searcher(const background *b)
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

static void report_warnings(source *src, const char *name)
{
    for (const char *w; (w = source_warning(src));) report_of(name, "warning: %s", w);
}

/* The whole input through the searcher, or as much as --duration allows. */
static bool search_samples(background *b, source *src, sigrep *search)
{
    const double most = b->o->duration_s > 0 ? round(b->o->duration_s * b->rate_hz) : INFINITY;
    float *frames = malloc(READ_FRAMES * b->bundle.channels * sizeof *frames);
    double searched = 0;
    ssize_t n = frames ? 1 : -1;
    sigrep_status status = frames ? SIGREP_OK : SIGREP_NO_MEMORY;
    while (!status && n > 0 && !signals_caught() && searched < most) {
        const double left = most - searched;
        n = source_gather(src, frames, NULL, left < READ_FRAMES ? (size_t)left : READ_FRAMES);
        report_warnings(src, b->name);
        if (source_gap(src)) status = sigrep_gap(search, source_gap(src));
        if (n > 0 && !status) status = sigrep_push(search, frames, (size_t)n);
        if (n > 0) searched += (double)n;
    }
    if (!status) status = sigrep_finish(search);
    free(frames);
    b->hours += searched / b->rate_hz / 3600;
    if (status == SIGREP_STOPPED) status = SIGREP_NO_MEMORY; /* of the calibration */
    if (status)
        report_of(b->name, "%s", sigrep_status_text(status));
    else if (n < 0)
        report_of(b->name, "%s", source_error(src));
    return !status && n >= 0;
}

static bool accepts(const background *b, const source_info *info)
{
    if (info->channels != b->bundle.channels) {
        report_of(b->name, "%zu channel%s, but the bundle has %zu", info->channels,
                  info->channels == 1 ? "" : "s", b->bundle.channels);
        return false;
    }
    if (info->rate_known || b->bundle.rate_hz == 0) return true;
    report_of(b->name, "no rate is known, but the bundle has %.9g Hz; give it with --rate",
              b->bundle.rate_hz);
    return false;
}

static bool search_input(background *b, const char *path, int wake_fd)
{
    char reason[512];
    source_options how = b->o->source;
    how.wake_fd = wake_fd;
    b->name = background_name(path);
    if (mic_is_named(path) && how.rate_hz == 0) how.rate_hz = b->bundle.rate_hz;
    source *src = source_open(path, &how, reason, sizeof reason);
    if (!src) {
        if (!signals_caught()) report_of(b->name, "%s", reason);
        return signals_caught();
    }
    const source_info info = source_get_info(src);
    report_warnings(src, b->name);
    b->rate_hz = info.rate_hz;
    sigrep *search = accepts(b, &info) ? make_searcher(b) : NULL;
    const bool good = search && search_samples(b, src, search);
    sigrep_destroy(search);
    source_close(src);
    return good;
}

bool background_search(sigrep_calibration *calibration, const sigrep_bundle *bundle,
                       const shared_options *o, double *hours)
{
    background b = {.calibration = calibration, .bundle = {.size = sizeof b.bundle}, .o = o};
    sigrep_bundle_get_info(bundle, &b.bundle);
    const int wake_fd = signals_catch();
    bool good = wake_fd >= 0;
    if (!good) report("pipe: %s", strerror(errno));
    for (size_t i = 0; i < o->n_inputs && good && !signals_caught(); i++)
        good = search_input(&b, o->inputs[i], wake_fd);
    *hours = b.hours;
    return good;
}
