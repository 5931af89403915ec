#include "tools/sigrep/state/stream_mark.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { LEAST_HEAD = 32 }; /* frames */

bool stream_begin(stream *s, size_t channels)
{
    const size_t head = STREAM_HEAD / channels, tail = STREAM_TAIL / channels;
    *s = (stream){
        .channels = channels, .most_head = head > 0 ? head : 1, .most_tail = tail > 0 ? tail : 1};
    s->first = malloc(channels * sizeof *s->first);
    s->last = malloc(2 * s->most_tail * channels * sizeof *s->last);
    stream_restart(s);
    return s->first && s->last;
}

void stream_end(stream *s)
{
    free(s->first);
    free(s->last);
    *s = (stream){0};
}

void stream_restart(stream *s)
{
    s->mark = (stream_mark){0};
    s->n_last = 0;
    s->next = 0;
}

static uint64_t add_to(uint64_t checksum, const stream *s, const float *frames, size_t n)
{
    return crc32_z(checksum, (const unsigned char *)frames, n * s->channels * sizeof *frames);
}

/* Frame by frame, since each may end a prefix. */
static void add_to_head(stream *s, const float *frames, size_t n)
{
    stream_mark *m = &s->mark;
    const size_t bytes = s->channels * sizeof *frames;
    for (size_t i = 0, power = 0; i < n && m->head_n < s->most_head; i++, frames += s->channels) {
        if (m->head_n == 0) memcpy(s->first, frames, bytes);
        if (m->constant_n == m->head_n && memcmp(s->first, frames, bytes) == 0) m->constant_n++;
        m->head = add_to(m->head, s, frames, 1);
        m->head_n++;
        while (power < STREAM_PREFIXES && UINT64_C(1) << power < m->head_n) power++;
        if (power < STREAM_PREFIXES && m->head_n == UINT64_C(1) << power)
            m->prefixes[power] = m->head;
    }
}

void stream_add(stream *s, uint64_t at, const float *frames, size_t n)
{
    const size_t bytes = s->channels * sizeof *frames;
    if (at == s->mark.head_n) add_to_head(s, frames, n);
    if (at != s->next) s->n_last = 0;
    s->next = at + n;
    if (n > s->most_tail) {
        frames += (n - s->most_tail) * s->channels;
        n = s->most_tail;
    }
    if (s->n_last + n > 2 * s->most_tail) { /* the second half becomes the first */
        const size_t kept = s->n_last < s->most_tail ? s->n_last : s->most_tail;
        memmove(s->last, s->last + (s->n_last - kept) * s->channels, kept * bytes);
        s->n_last = kept;
    }
    memcpy(s->last + s->n_last * s->channels, frames, n * bytes);
    s->n_last += n;
}

/* The checksum of the last n frames. */
static uint64_t tail_of(const stream *s, size_t n)
{
    return add_to(0, s, s->last + (s->n_last - n) * s->channels, n);
}

stream_mark stream_get_mark(const stream *s)
{
    stream_mark m = s->mark;
    const size_t n = s->n_last < s->most_tail ? s->n_last : s->most_tail;
    m.tail_n = n;
    m.tail = tail_of(s, n);
    return m;
}

bool stream_ends_as(const stream *s, const stream_mark *before)
{
    return before->tail_n <= s->n_last && tail_of(s, (size_t)before->tail_n) == before->tail;
}

uint64_t stream_agrees(const stream *s, const stream_mark *before)
{
    const stream_mark *now = &s->mark;
    uint64_t agree = 0;
    for (size_t i = 0; i < STREAM_PREFIXES; i++) {
        const uint64_t n = UINT64_C(1) << i;
        if (n > now->head_n || n > before->head_n) break;
        if (now->prefixes[i] != before->prefixes[i]) return agree;
        agree = n;
    }
    return now->head_n == before->head_n && now->head == before->head ? now->head_n : agree;
}

stream_verdict stream_compare(const stream *s, const stream_mark *before)
{
    const uint64_t now = s->mark.head_n, agree = stream_agrees(s, before);
    if (agree == before->head_n) return STREAM_SAME;
    const bool is_other = now == before->head_n || 2 * agree <= now;
    return is_other && now > 0 ? STREAM_OTHER : STREAM_OPEN;
}

bool stream_is_clear(const stream_mark *m, uint64_t n)
{
    return n >= LEAST_HEAD && n > m->constant_n;
}
