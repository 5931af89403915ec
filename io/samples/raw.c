/*
 * raw.c - samples without a header. Options give width, byte order and channels.
 */
#include <stdlib.h>

#include "io/samples/pcm.h"
#include "io/source_ops.h"

typedef struct {
    pcm pcm;
    value_check check; /* of floats; source_read.c reports it */
} raw;

/* The first values of a file are judged now, since several threads may read it. */
static void check_values(source *src, raw *r)
{
    unsigned char bytes[8 * VALUE_CHECK_MOST];
    const size_t width = r->pcm.type.width;
    if (r->pcm.type.kind != PCM_FLOAT) return;
    r->check = (value_check){.width = width, .big_endian = r->pcm.big_endian};
    r->pcm.check = &r->check;
    if (!src->in.regular) return;
    const size_t n = input_peek(&src->in, 0, bytes, width * VALUE_CHECK_MOST) / width;
    value_check_add(&r->check, bytes, n);
    r->check.is_complete = true;
}

/* The input gave no frame. Returns 0 at its end, -1 after source_fail. */
static ssize_t end(source *src, raw *r)
{
    const pcm *p = &r->pcm;
    r->check.is_complete = true;
    if (!source_truly_ended(src)) return src->failed ? -1 : 0;
    size_t left_over = input_have(&src->in);
    if (left_over == 0) return 0;
    const char *what = left_over % p->type.width || p->channels == 1 ? "sample" : "frame";
    const bool names_format = src->guessed || src->options.is_template;
    source_fail(src, "input ends inside a %s (%zu byte%s left over)%s%s%s", what, left_over,
                left_over == 1 ? "" : "s", names_format ? "; it was read as " : "",
                names_format ? source_format_name(src) : "",
                src->guessed ? "; use -f for another format" : "");
    return -1;
}

static ssize_t raw_read(source *src, float *frames, exact_time *times, size_t max, bool wait)
{
    (void)times;
    raw *r = src->state;
    const size_t n = pcm_read(&r->pcm, &src->in, frames, max, wait);
    return n > 0 || !wait ? (ssize_t)n : end(src, r);
}

static ssize_t raw_read_doubles(source *src, double *frames, exact_time *times, size_t max,
                                bool wait)
{
    (void)times;
    raw *r = src->state;
    const size_t n = pcm_read_doubles(&r->pcm, &src->in, frames, max, wait);
    return n > 0 || !wait ? (ssize_t)n : end(src, r);
}

static void raw_close(source *src)
{
    free(src->state);
}

static const source_ops raw_ops = {raw_read, source_more_bytes, raw_close};

bool raw_open(source *src)
{
    const source_options *o = &src->options;
    size_t channels = o->channels ? o->channels : 1;
    if (channels > SOURCE_MAX_CHANNELS)
        return source_fail(src, "%zu channels of raw input, but there can be %d at most", channels,
                           (int)SOURCE_MAX_CHANNELS);
    raw *r = calloc(1, sizeof *r);
    if (!r) return source_fail(src, "out of memory");
    r->pcm = (pcm){.type = pcm_type_of(o->format),
                   .big_endian = o->big_endian,
                   .channels = channels,
                   .left = UINT64_MAX};
    src->state = r;
    src->plain = &r->pcm;
    src->ops = &raw_ops;
    if (pcm_is_wide(&r->pcm)) src->read_doubles = raw_read_doubles;
    src->info.channels = channels;
    if (src->in.regular) src->info.frames = input_left(&src->in) / (channels * r->pcm.type.width);
    check_values(src, r);
    return true;
}
