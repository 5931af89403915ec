#include "tools/sigrep-calibrate/recordings.h"

#include <math.h>
#include <stdlib.h>

#include "tools/common/input/feed.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"

/* The search of an input. */
typedef struct {
    recordings *r;
    feed *feed;
    float *first; /* the first finite value of each channel; NAN: none yet */
    bool varies, has_finite;
    sigrep_status status; /* the first that is not good */
} searching;

/* Do finite values of a channel differ? */
static void compare(searching *s, const float *frames, uint64_t n)
{
    const size_t channels = s->feed->channels;
    for (size_t i = 0; i < n * channels && !s->varies; i++) {
        float *first = &s->first[i % channels];
        if (!isfinite(frames[i])) continue;
        if (!isfinite(*first)) *first = frames[i];
        s->varies = frames[i] != *first;
        s->has_finite = true;
    }
}

/* For feed_calls. */
static bool take_searched(void *user, const float *frames, uint64_t n, sigrep_status status)
{
    searching *s = user;
    if (!s->status) s->status = status;
    if (!frames) return !status;
    compare(s, frames, n);
    s->r->searched += n;
    return !status;
}

static void report_no_change(const searching *s)
{
    const unsigned long long n = s->r->searched;
    if (!s->has_finite)
        report_of(s->r->name, "all %llu samples are gaps", n);
    else
        report_of(s->r->name, "%s: all %llu samples are the same",
                  s->r->info.audio ? "silent" : "constant", n);
}

/* Judge what came of it. */
static bool is_good(searching *s)
{
    const bool is_constant = s->r->searched > 1 && !s->varies;
    if (s->status == SIGREP_STOPPED)
        s->status = SIGREP_NO_MEMORY; /* of whoever keeps the matches */
    if (s->status)
        report_of(s->r->name, "%s", sigrep_status_text(s->status));
    else if (s->feed->failure)
        report_of(s->r->name, "%s", s->feed->failure);
    else if (is_constant)
        report_no_change(s);
    return !s->status && !s->feed->failure && !is_constant;
}

static bool search_with(recordings *r, source *src, sigrep *search)
{
    static const feed_calls calls = {.searched = take_searched};
    feed f = {.calls = &calls,
              .name = r->name,
              .src = src,
              .search = search,
              .threads = (size_t)r->o->threads,
              .cells = r->cells,
              .sees_all = true,
              .limit = input_limit(r->o->duration_s, r->info.rate_hz)};
    searching s = {.r = r, .feed = &f};
    f.user = &s;
    s.first = malloc(r->info.channels * sizeof *s.first);
    for (size_t k = 0; s.first && k < r->info.channels; k++) s.first[k] = NAN;
    const bool has_room = feed_begin(&f) && s.first;
    const sigrep_status status = has_room ? feed_run(&f) : SIGREP_NO_MEMORY;
    if (!f.was_ended) s.status = status;
    const bool good = is_good(&s);
    feed_free(&f);
    free(s.first);
    return good;
}

static bool search_input(recordings *r, const char *path, int wake_fd)
{
    source_options how = r->o->source;
    how.wake_fd = wake_fd;
    r->name = input_name(path);
    r->searched = 0;
    source *src = open_input(path, how, &r->needs);
    if (!src) return signals_caught();
    r->info = source_get_info(src);
    sigrep *search = r->make_search(r->user, r);
    const bool good = search && search_with(r, src, search);
    r->hours += (double)r->searched / r->info.rate_hz / 3600;
    sigrep_destroy(search);
    source_close(src);
    return good;
}

bool recordings_search(recordings *r, bool (*each)(void *user, const recordings *r))
{
    const shared_options *o = r->o;
    const int wake_fd = signals_catch();
    bool good = wake_fd >= 0;
    for (size_t i = 0; i < o->n_inputs && good && !signals_caught(); i++) {
        good = search_input(r, o->inputs[i], wake_fd);
        if (good && each && !signals_caught()) good = each(r->user, r);
    }
    return good;
}
