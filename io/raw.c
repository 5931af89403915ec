/*
 * raw.c - samples without a header. Options give width, byte order and channels.
 */
#include <stdlib.h>

#include "io/pcm.h"
#include "io/source_ops.h"

static ssize_t raw_read(source *src, float *frames, exact_time *times, size_t max, bool wait)
{
    (void)times;
    pcm *p = src->state;
    size_t n = pcm_read(p, &src->in, frames, max, wait);
    if (n > 0 || !wait) return (ssize_t)n;
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
    pcm *p = malloc(sizeof *p);
    if (!p) return source_fail(src, "out of memory");
    *p = (pcm){pcm_type_of(o->format), o->big_endian, channels, UINT64_MAX, NULL};
    src->state = src->plain = p;
    src->ops = &raw_ops;
    src->info.channels = channels;
    if (src->in.regular)
        src->info.frames = input_left(&src->in) / (channels * pcm_width(o->format));
    return true;
}
