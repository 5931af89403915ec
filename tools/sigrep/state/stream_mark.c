#include "tools/sigrep/state/stream_mark.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

bool stream_begin(stream *s, size_t channels)
{
    const size_t most = STREAM_VALUES / channels > 0 ? STREAM_VALUES / channels : 1;
    *s = (stream){.channels = channels, .most = most};
    s->first = malloc(channels * sizeof *s->first);
    s->last = malloc(2 * most * channels * sizeof *s->last);
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
    s->mark = (stream_mark){.is_constant = true};
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
    for (size_t i = 0, power = 0; i < n && m->head_n < s->most; i++, frames += s->channels) {
        if (m->head_n == 0) memcpy(s->first, frames, bytes);
        m->is_constant &= memcmp(s->first, frames, bytes) == 0;
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
    if (n > s->most) {
        frames += (n - s->most) * s->channels;
        n = s->most;
    }
    if (s->n_last + n > 2 * s->most) { /* the second half becomes the first */
        const size_t kept = s->n_last < s->most ? s->n_last : s->most;
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
    const size_t n = s->n_last < s->most ? s->n_last : s->most;
    m.tail_n = n;
    m.tail = tail_of(s, n);
    return m;
}

bool stream_ends_as(const stream *s, const stream_mark *before)
{
    return before->tail_n <= s->n_last && tail_of(s, (size_t)before->tail_n) == before->tail;
}

stream_verdict stream_compare(const stream *s, const stream_mark *before)
{
    const stream_mark *now = &s->mark;
    for (size_t i = 0; i < STREAM_PREFIXES; i++) {
        const uint64_t n = UINT64_C(1) << i;
        if (n > now->head_n || n > before->head_n) break;
        if (now->prefixes[i] != before->prefixes[i]) return STREAM_OTHER;
    }
    if (now->head_n < before->head_n) return STREAM_OPEN;
    return now->head == before->head ? STREAM_SAME : STREAM_OTHER;
}
