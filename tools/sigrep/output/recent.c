#include "tools/sigrep/output/recent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/input/history.h"

typedef struct {
    uint64_t sample, record; /* the first one of a span */
} span_start;

struct recent {
    recent_settings set;
    history frames, times;
    history lines, bytes; /* where each record's line begins in `bytes` */
    span_start *starts;   /* of the spans that are kept; the last one may be empty */
    size_t n_starts, room;
    uint64_t samples;
    uint64_t oldest; /* record */
    bool has_ended;
};

static const double MOST_SAMPLES = 0x1p62;

recent *recent_create(const recent_settings *settings)
{
    recent *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    const bool all = settings->keeps_all;
    r->set = *settings;
    r->starts = calloc(1, sizeof *r->starts);
    r->n_starts = r->room = 1;
    if (r->starts && history_begin(&r->frames, settings->frame_bytes, all) &&
        history_begin(&r->times, sizeof(exact_time), all) &&
        history_begin(&r->lines, sizeof(uint64_t), all) && history_begin(&r->bytes, 1, all))
        return r;
    recent_destroy(r);
    return NULL;
}

void recent_destroy(recent *r)
{
    if (!r) return;
    history_end(&r->frames);
    history_end(&r->times);
    history_end(&r->lines);
    history_end(&r->bytes);
    free(r->starts);
    free(r);
}

/* An empty line is none. */
static const char *add_lines(recent *r, const text_buffer *lines, size_t n)
{
    const char *wrong = NULL;
    for (size_t at = 0; n > 0 && !wrong; n--) {
        const uint64_t byte = r->bytes.count;
        const char *line = lines->data + at, *end = memchr(line, '\n', lines->length - at);
        const size_t length = (size_t)(end - line) + 1;
        wrong = history_add(&r->lines, &byte, 1);
        if (!wrong && length > 1) wrong = history_add(&r->bytes, line, length);
        at += length;
    }
    return wrong;
}

const char *recent_add(recent *r, const void *frames, const exact_time *times,
                       const text_buffer *lines, size_t n)
{
    const char *wrong = NULL;
    if (r->set.has_times) wrong = history_add(&r->times, times, n);
    if (!wrong && r->set.has_lines) wrong = add_lines(r, lines, n);
    if (!wrong) wrong = history_add(&r->frames, frames, n);
    if (!wrong) r->samples += n;
    return wrong;
}

const char *recent_gap(recent *r, uint64_t n)
{
    const uint64_t count = r->frames.count;
    if (n == 0) return NULL;
    r->samples += n;
    if (r->starts[r->n_starts - 1].record != count) {
        if (r->n_starts == r->room) {
            span_start *starts = realloc(r->starts, 2 * r->room * sizeof *starts);
            if (!starts) return "out of memory";
            r->starts = starts;
            r->room *= 2;
        }
        r->n_starts++;
    }
    r->starts[r->n_starts - 1] = (span_start){r->samples, count};
    return NULL;
}

void recent_end(recent *r)
{
    r->has_ended = true;
}

uint64_t recent_samples(const recent *r)
{
    return r->samples;
}

static exact_time time_of(recent *r, uint64_t record)
{
    exact_time time = exact_time_unknown();
    if (history_read(&r->times, record, &time, 1)) return exact_time_unknown();
    return time;
}

/* Does a time lie up to `seconds` before another? */
static bool is_shortly_before(exact_time early, exact_time late, double seconds)
{
    return exact_time_is_known(early) && exact_time_is_known(late) &&
           !exact_time_is_before(late, early) &&
           exact_time_ns_between(early, late) <= seconds * 1e9;
}

/* As samples, by the rate. */
static uint64_t samples_of(const recent *r, double seconds)
{
    const double samples = round(seconds * r->set.rate_hz);
    return (uint64_t)(samples < MOST_SAMPLES ? samples : MOST_SAMPLES);
}

/* The spans that were forgotten, too. */
static void forget_starts(recent *r)
{
    size_t gone = 0;
    while (gone + 1 < r->n_starts && r->starts[gone + 1].record <= r->oldest) gone++;
    if (gone < r->n_starts / 2) return;
    memmove(r->starts, r->starts + gone, (r->n_starts - gone) * sizeof *r->starts);
    r->n_starts -= gone;
}

void recent_forget(recent *r, uint64_t horizon, double seconds, uint64_t needed)
{
    const uint64_t count = r->frames.count;
    if (r->set.keeps_all || count <= horizon || horizon == 0) return;
    const uint64_t bound = count - horizon, before = samples_of(r, seconds);
    const uint64_t by_rate = bound > before ? bound - before : 0;
    const uint64_t most = needed < bound ? needed : bound, to = by_rate < most ? by_rate : most;
    if (!r->set.has_times && to > r->oldest) r->oldest = to;
    while (r->set.has_times && r->oldest < most &&
           !is_shortly_before(time_of(r, r->oldest), time_of(r, bound), seconds))
        r->oldest++;
    if (r->set.has_lines && r->oldest < count) {
        uint64_t byte;
        if (!history_read(&r->lines, r->oldest, &byte, 1)) history_forget(&r->bytes, byte);
        history_forget(&r->lines, r->oldest);
    }
    if (r->set.has_times) history_forget(&r->times, r->oldest);
    history_forget(&r->frames, r->oldest);
    forget_starts(r);
}

recent_span recent_find(const recent *r, uint64_t sample)
{
    size_t i = r->n_starts - 1;
    while (i > 0 && r->starts[i].sample > sample) i--;
    const span_start *start = &r->starts[i];
    if (sample < start->sample) return (recent_span){.is_closed = true};
    const bool is_last = i + 1 == r->n_starts;
    const uint64_t first = r->frames.first;
    return (recent_span){.record = start->record + (sample - start->sample),
                         .from = start->record > first ? start->record : first,
                         .to = is_last ? r->frames.count : start[1].record,
                         .is_closed = !is_last || r->has_ended};
}

uint64_t recent_before(recent *r, const recent_span *span, double seconds, exact_time time)
{
    uint64_t at = span->record;
    const uint64_t most = samples_of(r, seconds);
    if (seconds == 0) return at;
    if (!r->set.has_times) return at - span->from > most ? at - most : span->from;
    while (at > span->from && is_shortly_before(time_of(r, at - 1), time, seconds)) at--;
    return at;
}

/* With times, the first record beyond shows that the file is whole. */
uint64_t recent_after(recent *r, const recent_span *span, uint64_t over, uint64_t end,
                      double seconds, exact_time time, bool *is_whole)
{
    *is_whole = true;
    if (seconds == 0) return over < span->to ? over : span->to;
    if (!r->set.has_times) {
        const uint64_t wanted = over + samples_of(r, seconds);
        *is_whole = wanted <= span->to || span->is_closed;
        return wanted < span->to ? wanted : span->to;
    }
    for (; end < span->to; end++) {
        const exact_time now = time_of(r, end);
        const bool is_near = exact_time_is_known(now) && exact_time_is_known(time) &&
                             exact_time_ns_between(time, now) < seconds * 1e9;
        if (!is_near || exact_time_is_before(now, time_of(r, end - 1))) return end;
    }
    *is_whole = span->is_closed;
    return end;
}

const char *recent_frames(recent *r, uint64_t from, uint64_t to, void *frames)
{
    return history_read(&r->frames, from, frames, (size_t)(to - from));
}

/* Where the line of a record begins. */
static const char *line_begin(recent *r, uint64_t record, uint64_t *byte)
{
    *byte = r->bytes.count;
    return record < r->lines.count ? history_read(&r->lines, record, byte, 1) : NULL;
}

const char *recent_lines(recent *r, uint64_t from, uint64_t to, text_buffer *lines)
{
    uint64_t begin, end;
    const char *wrong = line_begin(r, from, &begin);
    if (!wrong) wrong = line_begin(r, to, &end);
    if (wrong) return wrong;
    if (!text_reserve(lines, (size_t)(end - begin))) return "out of memory";
    wrong = history_read(&r->bytes, begin, lines->data + lines->length, (size_t)(end - begin));
    if (!wrong) lines->length += (size_t)(end - begin);
    return wrong;
}
