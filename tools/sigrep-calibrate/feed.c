#include "tools/sigrep-calibrate/feed.h"

#include <math.h>
#include <stdlib.h>

#include "io/fdio.h"
#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"

enum { MOST_FRAMES = 1 << 16, LEAST_FRAMES = 1 << 8 };
static const int64_t MOST_PUSH_NS = 80000000; /* between two looks at signals */

typedef struct {
    float *frames, *first; /* MOST_FRAMES frames; the first finite value of each channel */
    size_t channels, part; /* how many frames to read next */
    uint64_t missing;
    bool varies, has_finite;
} reading;

/* How many frames to read next, if the search took so long over the last ones. */
static size_t adapt(size_t n, int64_t took_ns)
{
    if (took_ns > MOST_PUSH_NS && n > LEAST_FRAMES) return n / 2;
    return took_ns < MOST_PUSH_NS / 4 && n < MOST_FRAMES ? 2 * n : n;
}

/* Do finite values of a channel differ? */
static void compare(reading *r, size_t n)
{
    for (size_t i = 0; i < n * r->channels && !r->varies; i++) {
        float *first = &r->first[i % r->channels];
        if (!isfinite(r->frames[i])) continue;
        if (!isfinite(*first)) *first = r->frames[i];
        r->varies = r->frames[i] != *first;
        r->has_finite = true;
    }
}

/* Search the next frames. *n: their number, 0 at the end, -1 after a failure of the input. */
static sigrep_status search_next(feed *f, source *src, sigrep *search, reading *r, ssize_t *n)
{
    const source_info info = source_get_info(src);
    const uint64_t left = input_limit(f->duration_s, info.rate_hz) - f->searched;
    sigrep_status status = SIGREP_OK;
    *n = source_gather(src, r->frames, NULL, left < r->part ? (size_t)left : r->part);
    const uint64_t lost = source_gap(src);
    input_warn(f->name, src);
    input_warn_of_gap(f->name, lost, f->searched + r->missing, info.rate_hz);
    r->missing += lost;
    if (lost) status = sigrep_gap(search, lost);
    if (*n <= 0) return status;
    const int64_t began_ns = fd_now_ns();
    if (!status) status = sigrep_push(search, r->frames, (size_t)*n);
    if (*n == (ssize_t)r->part) r->part = adapt(r->part, fd_now_ns() - began_ns);
    compare(r, (size_t)*n);
    f->searched += (uint64_t)*n;
    return status;
}

static sigrep_status search_all(feed *f, source *src, sigrep *search, reading *r, ssize_t *n)
{
    const uint64_t most = input_limit(f->duration_s, source_get_info(src).rate_hz);
    sigrep_status status = SIGREP_OK;
    while (!status && *n > 0 && !signals_caught() && f->searched < most)
        status = search_next(f, src, search, r, n);
    return status ? status : sigrep_finish(search);
}

static void report_no_change(const feed *f, const source *src, const reading *r)
{
    const unsigned long long n = f->searched;
    if (!r->has_finite)
        report_of(f->name, "all %llu samples are gaps", n);
    else
        report_of(f->name, "%s: all %llu samples are the same",
                  source_get_info(src).audio ? "silent" : "constant", n);
}

bool feed_search(feed *f, source *src, sigrep *search)
{
    ssize_t n = 1;
    reading r = {.channels = source_get_info(src).channels, .part = LEAST_FRAMES};
    r.frames = malloc(MOST_FRAMES * r.channels * sizeof *r.frames);
    r.first = malloc(r.channels * sizeof *r.first);
    sigrep_status status = r.frames && r.first ? SIGREP_OK : SIGREP_NO_MEMORY;
    for (size_t k = 0; !status && k < r.channels; k++) r.first[k] = NAN;
    if (!status) status = search_all(f, src, search, &r, &n);
    free(r.frames);
    free(r.first);
    if (status == SIGREP_STOPPED) status = SIGREP_NO_MEMORY; /* of whoever keeps the matches */
    if (status)
        report_of(f->name, "%s", sigrep_status_text(status));
    else if (n < 0)
        report_of(f->name, "%s", source_error(src));
    else if (f->searched > 1 && !r.varies)
        report_no_change(f, src, &r);
    return !status && n >= 0 && (f->searched <= 1 || r.varies);
}
