#include "tools/sigrep-calibrate/background.h"

#include <stdlib.h>

#include "filter/cli/common/messages.h"
#include "filter/cli/common/open_input.h"
#include "filter/cli/common/signals.h"
#include "io/fdio.h"

enum { MOST_FRAMES = 1 << 16, LEAST_FRAMES = 1 << 8 };
static const int64_t MOST_PUSH_NS = 80000000; /* between two looks at signals */

typedef struct {
    sigrep_calibration *calibration;
    sigrep_bundle_info bundle;
    const shared_options *o;
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

/* How many frames to read next, if the search took so long over the last ones. */
static size_t adapt(size_t n, int64_t took_ns)
{
    if (took_ns > MOST_PUSH_NS && n > LEAST_FRAMES) return n / 2;
    return took_ns < MOST_PUSH_NS / 4 && n < MOST_FRAMES ? 2 * n : n;
}

/* Search the input to its end, or for --duration. */
static bool search_samples(background *b, source *src, sigrep *search)
{
    const uint64_t most = input_limit(b->o->duration_s, b->rate_hz);
    float *frames = malloc(MOST_FRAMES * b->bundle.channels * sizeof *frames);
    uint64_t searched = 0, missing = 0;
    size_t part = LEAST_FRAMES;
    ssize_t n = frames ? 1 : -1;
    sigrep_status status = frames ? SIGREP_OK : SIGREP_NO_MEMORY;
    while (!status && n > 0 && !signals_caught() && searched < most) {
        const uint64_t left = most - searched;
        n = source_gather(src, frames, NULL, left < part ? (size_t)left : part);
        const uint64_t lost = source_gap(src);
        input_warn(b->name, src);
        input_warn_of_gap(b->name, lost, searched + missing, b->rate_hz);
        missing += lost;
        if (lost) status = sigrep_gap(search, lost);
        const int64_t began_ns = fd_now_ns();
        if (n > 0 && !status) status = sigrep_push(search, frames, (size_t)n);
        if (n == (ssize_t)part) part = adapt(part, fd_now_ns() - began_ns);
        if (n > 0) searched += (uint64_t)n;
    }
    if (!status) status = sigrep_finish(search);
    free(frames);
    b->hours += (double)searched / b->rate_hz / 3600;
    if (status == SIGREP_STOPPED) status = SIGREP_NO_MEMORY; /* of the calibration */
    if (status)
        report_of(b->name, "%s", sigrep_status_text(status));
    else if (n < 0)
        report_of(b->name, "%s", source_error(src));
    return !status && n >= 0;
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
    sigrep *search = make_search(b);
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
    for (size_t i = 0; i < o->n_inputs && good && !signals_caught(); i++)
        good = search_input(&b, o->inputs[i], wake_fd);
    if (good && signals_caught() && !b.is_microphone)
        report_of(b.name,
                  "warning: interrupted: only the %.4g hours of background until then count",
                  b.hours);
    *hours = b.hours;
    return good;
}
