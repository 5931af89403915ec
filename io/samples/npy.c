/*
 * npy.c - arrays of numbers as numpy.save writes them, from files and pipes.
 *
 *     | \x93NUMPY | version | size | header: npy_header.h | samples ... |
 *
 *     shape (n)       n frames of one value
 *     shape (n, k)    n frames of k channels, in one of two orders:
 *
 *     C         f0c0 f0c1 f0c2 | f1c0 f1c1 f1c2 | ...    read as raw samples are
 *     Fortran   f0c0 f1c0 ...  | f0c1 f1c1 ...  | ...    one column after the other
 *
 * In Fortran order the first frame ends in the last column. So a pipe is stored first, and of a
 * file each column is read at its place. If the last column was cut short, the frames before are
 * given.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "io/bytes.h"
#include "io/samples/npy_header.h"
#include "io/samples/pcm.h"
#include "io/source_ops.h"
#include "io/spool.h"

enum {
    MAGIC = 6,
    MOST_HEADER = 1 << 16, /* bytes; those of arrays of numbers have 128 */
    BLOCK = 2048           /* frames of a column that are read at once */
};

typedef struct {
    pcm pcm;           /* its `left` counts the frames that are there */
    uint64_t declared; /* frames */
    uint64_t given;    /* by columns: frames read so far */
    bool by_columns;
    spool *stored; /* of a pipe, by columns: the bytes of the samples */
    bool is_over;  /* the end was looked at */
} npy;

static uint64_t column_bytes(const npy *a)
{
    return a->declared * a->pcm.type.width;
}

static uint64_t array_bytes(const npy *a)
{
    return column_bytes(a) * a->pcm.channels;
}

/* Read n samples of a column from the next frame on. */
static bool read_column(source *src, npy *a, size_t column, double *samples, size_t n)
{
    unsigned char bytes[BLOCK * 8];
    const size_t width = a->pcm.type.width, size = n * width;
    const uint64_t at = column * column_bytes(a) + a->given * width;
    if (a->stored) {
        if (spool_read(a->stored, at, bytes, size) != 0)
            return source_fail(src, "%s", spool_error(a->stored));
    } else {
        errno = 0;
        if (input_peek(&src->in, at, bytes, size) != size) {
            src->in.failure = errno;
            if (source_truly_ended(src)) source_fail(src, "cut short");
            return false;
        }
    }
    pcm_decode_doubles(&a->pcm, bytes, samples, n);
    return true;
}

/* Returns the number of frames; 0: none are left, or src has failed. */
static size_t read_columns(source *src, npy *a, double *frames, size_t max)
{
    double samples[BLOCK];
    const size_t channels = a->pcm.channels;
    size_t n = max < BLOCK ? max : BLOCK;
    if (n > a->pcm.left) n = (size_t)a->pcm.left;
    for (size_t k = 0; k < channels && n > 0; k++) {
        if (!read_column(src, a, k, samples, n)) return 0;
        for (size_t i = 0; i < n; i++) frames[i * channels + k] = samples[i];
    }
    a->pcm.left -= n;
    a->given += n;
    return n;
}

/* No frame is left. Is the array whole, and does nothing follow? */
static void end_array(source *src, npy *a)
{
    input *in = &src->in;
    const uint64_t given = a->by_columns ? a->given : a->declared - a->pcm.left;
    a->is_over = true;
    if (given < a->declared) {
        if (source_truly_ended(src))
            source_fail(src, "cut short: %llu of %llu frames", (unsigned long long)given,
                        (unsigned long long)a->declared);
        return;
    }
    if (a->by_columns && !a->stored && !input_skip(in, array_bytes(a))) return;
    if (input_need(in, 1))
        source_fail(src, "holds more bytes after the array, which were not read");
    else
        source_truly_ended(src);
}

/* n frames were read. Returns what source_ops.read does. */
static ssize_t after(source *src, npy *a, size_t n, bool wait)
{
    if (n > 0 || !wait || a->is_over) return src->failed ? -1 : (ssize_t)n;
    if (!src->failed) end_array(src, a);
    return src->failed ? -1 : 0;
}

static ssize_t npy_read(source *src, float *frames, exact_time *times, size_t max, bool wait)
{
    (void)times;
    npy *a = src->state;
    return after(src, a, pcm_read(&a->pcm, &src->in, frames, max, wait), wait);
}

static ssize_t npy_read_doubles(source *src, double *frames, exact_time *times, size_t max,
                                bool wait)
{
    (void)times;
    npy *a = src->state;
    const size_t n = a->by_columns ? read_columns(src, a, frames, max)
                                   : pcm_read_doubles(&a->pcm, &src->in, frames, max, wait);
    return after(src, a, n, wait);
}

/* What follows the array is not waited for. */
static bool npy_more(source *src, int ms)
{
    const npy *a = src->state;
    return a->pcm.left > 0 && (a->by_columns || source_more_bytes(src, ms));
}

static void npy_close(source *src)
{
    npy *a = src->state;
    spool_destroy(a->stored);
    free(a);
}

static const source_ops npy_ops = {npy_read, npy_more, npy_close};

/* Read and consume all up to the samples. */
static bool read_header(source *src, npy_header *h)
{
    input *in = &src->in;
    char reason[SOURCE_REASON];
    if (!input_need(in, MAGIC + 4)) return source_fail_open(src, "cut short inside the header");
    const unsigned char *b = input_bytes(in);
    const unsigned version = b[MAGIC];
    if (memcmp(b, "\x93NUMPY", MAGIC) != 0) return source_fail(src, "is not NPY");
    if (version < 1 || version > 3)
        return source_fail(src, "NPY of version %u, but only 1 to 3 are known", version);
    const size_t size_bytes = version == 1 ? 2 : 4, begin = MAGIC + 2 + size_bytes;
    if (!input_need(in, begin)) return source_fail_open(src, "cut short inside the header");
    const uint64_t size = bytes_load(input_bytes(in) + MAGIC + 2, size_bytes, false);
    if (size > MOST_HEADER)
        return source_fail(src, "bad NPY header: %llu bytes", (unsigned long long)size);
    if (!input_need(in, begin + (size_t)size))
        return source_fail_open(src, "cut short inside the header");
    const char *text = (const char *)input_bytes(in) + begin;
    if (!npy_header_parse(h, text, (size_t)size, reason, sizeof reason))
        return source_fail(src, "%s", reason);
    input_consume(in, begin + (size_t)size);
    return true;
}

static bool check_header(source *src, const npy_header *h)
{
    const size_t asked = src->options.channels;
    if (h->frames == 0 || h->channels == 0) return source_fail(src, "is empty: no samples");
    if (h->channels > SOURCE_MAX_CHANNELS)
        return source_fail(src,
                           "%llu channels, but there can be %d at most; an array is frames x "
                           "channels",
                           (unsigned long long)h->channels, (int)SOURCE_MAX_CHANNELS);
    if (!channels_may_be(&src->options, (size_t)h->channels))
        return source_fail(src, "%llu channel%s, expected %zu", (unsigned long long)h->channels,
                           h->channels == 1 ? "" : "s", asked);
    return true;
}

/* Store the samples of a pipe. Its end, too early or not, is no failure here. */
static bool store(source *src, npy *a)
{
    input *in = &src->in;
    uint64_t left = array_bytes(a);
    a->stored = spool_create(SPOOL_MEMORY);
    if (!a->stored) return source_fail(src, "out of memory");
    while (left > 0 && input_need(in, 1)) {
        const size_t n = left < input_have(in) ? (size_t)left : input_have(in);
        if (spool_append(a->stored, input_bytes(in), n) != 0)
            return source_fail(src, "%s", spool_error(a->stored));
        input_consume(in, n);
        left -= n;
    }
    return in->woken ? source_fail_open(src, "") : true;
}

/* Count the frames whose last column is there. */
static bool begin_columns(source *src, npy *a)
{
    a->by_columns = true;
    if (!src->in.regular && !store(src, a)) return false;
    const uint64_t present = a->stored ? spool_size(a->stored) : input_left(&src->in);
    const uint64_t before = array_bytes(a) - column_bytes(a);
    const uint64_t in_last = present > before ? (present - before) / a->pcm.type.width : 0;
    a->pcm.left = in_last < a->declared ? in_last : a->declared;
    return true;
}

bool npy_open(source *src)
{
    npy_header h = {0};
    if (!read_header(src, &h) || !check_header(src, &h)) return false;
    npy *a = calloc(1, sizeof *a);
    if (!a) return source_fail(src, "out of memory");
    const size_t channels = (size_t)h.channels;
    a->pcm = (pcm){h.type, h.big_endian, channels, h.frames, &src->beyond, NULL};
    a->declared = h.frames;
    src->state = a;
    src->ops = &npy_ops;
    if (h.is_fortran && channels > 1 && !begin_columns(src, a)) return false;
    if (!a->by_columns) src->plain = &a->pcm;
    /* Columns are always read as doubles. */
    if (a->by_columns || pcm_is_wide(&a->pcm)) src->read_doubles = npy_read_doubles;
    src->info.channels = channels;
    src->info.frames = a->pcm.left;
    if (src->plain && src->in.regular) src->info.frames = pcm_frames_left(&a->pcm, &src->in);
    return true;
}
