/*
 * wav.c - WAV, RF64 and W64 files of plain samples, read in one pass from pipes and files.
 *
 *     | RIFF size WAVE | "fmt " size ... | other size ... | "data" size | samples ... | other ...
 *
 * libsndfile is not used for these. From a pipe it reads a data size of 0 as no frames, it does not
 * report a file that was cut short, and it drops what follows a size that is too small.
 *
 * Where the samples end is decided alike for files and pipes. A limit is a place at which they may
 * end. Its first place is the declared size; a 32-bit size has another every 4 GiB after it, since
 * such a size wraps:
 *
 *     |===== samples ======|======== more samples? ========|===== ...
 *                          limit                           limit + 4 GiB
 *
 * They end at the first limit at which the input ends or another chunk begins. Else they go on. So
 * no sample is dropped. If the input ends between limits, the declared size is wrong: an error,
 * unless it is a placeholder.
 */
#include <stdlib.h>
#include <string.h>

#include "io/audio/riff.h"
#include "io/bytes.h"
#include "io/samples/pcm.h"
#include "io/source_ops.h"

enum {
    TAG_PCM = 1,
    TAG_FLOAT = 3,
    TAG_MPEG = 0x50, /* MP1, MP2 */
    TAG_MP3 = 0x55,
    TAG_EXTENSIBLE = 0xfffe,
    FORMAT_BYTES = 40, /* of the format chunk, as far as it is read */
    MOST_CHANNELS = 256
};

static const uint64_t WRAP = (uint64_t)1 << 32; /* bytes: a 32-bit size counts modulo this */

typedef struct {
    pcm pcm; /* its `left` goes up to the limit */
    riff_layout layout;
    uint64_t begin;      /* position of the first sample in the input, bytes */
    uint64_t declared;   /* bytes of samples */
    size_t size_bytes;   /* that declare them */
    bool is_placeholder; /* `declared` means "unknown" */
    uint64_t limit;      /* bytes of samples; UINT64_MAX: they end with the input */
    bool is_tail;        /* the samples have ended */
} wav;

typedef struct {
    riff_layout layout;
    bool has_format;    /* a format chunk was read */
    uint64_t long_size; /* RF64: bytes of samples, if the 32-bit size says FFFFFFFF */
    uint64_t data_size; /* bytes of samples */
    size_t size_bytes;  /* that declare them */
    unsigned tag, channels, rate, bits, block;
} header;

static bool header_cut(source *src)
{
    return source_fail_open(src, "cut short inside the header");
}

/* The sub-format of WAVE_FORMAT_EXTENSIBLE is a GUID: a plain tag, then fixed bytes. */
static unsigned extensible_tag(const unsigned char *guid, bool big_endian)
{
    static const unsigned char fixed[] = {0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71};
    if (memcmp(guid + 8, fixed, sizeof fixed) != 0) return TAG_EXTENSIBLE;
    const uint64_t tag = bytes_load(guid, 4, big_endian);
    return tag < TAG_EXTENSIBLE ? (unsigned)tag : TAG_EXTENSIBLE;
}

static bool read_format(source *src, header *h, uint64_t size)
{
    size_t n = size < FORMAT_BYTES ? (size_t)size : FORMAT_BYTES;
    if (size < 16)
        return source_fail(src, "bad WAV header: a format chunk of %llu bytes",
                           (unsigned long long)size);
    if (!input_need(&src->in, n)) return header_cut(src);
    const unsigned char *b = input_bytes(&src->in);
    const bool big_endian = h->layout.big_endian;
    h->tag = (unsigned)bytes_load(b, 2, big_endian);
    h->channels = (unsigned)bytes_load(b + 2, 2, big_endian);
    h->rate = (unsigned)bytes_load(b + 4, 4, big_endian);
    h->block = (unsigned)bytes_load(b + 12, 2, big_endian);
    h->bits = (unsigned)bytes_load(b + 14, 2, big_endian);
    if (h->tag == TAG_EXTENSIBLE && n == FORMAT_BYTES) h->tag = extensible_tag(b + 24, big_endian);
    h->has_format = true;
    return true;
}

/* The content of ds64 begins with the sizes of file and samples. */
static bool read_long_size(source *src, header *h, uint64_t size)
{
    if (size < 16) return source_fail(src, "bad RF64 header: its sizes are missing");
    if (!input_need(&src->in, 16)) return header_cut(src);
    h->long_size = bytes_load(input_bytes(&src->in) + 8, 8, false);
    return true;
}

/* Read what sigrep uses of a chunk before the samples, and consume none of it. */
static bool read_chunk(source *src, header *h, const unsigned char *name, uint64_t size)
{
    if (riff_is(name, "fmt ")) return read_format(src, h, size);
    if (riff_is(name, "ds64") && src->kind == DETECT_RF64) return read_long_size(src, h, size);
    return true;
}

/* Read the chunks before the samples, and the header of theirs. */
static bool read_header(source *src, header *h)
{
    input *in = &src->in;
    const size_t first = src->kind == DETECT_W64 ? 40 : 12;
    if (!input_need(in, first)) return header_cut(src);
    h->layout = riff_layout_of(src->kind, input_bytes(in));
    const size_t head = riff_header_bytes(&h->layout);
    input_consume(in, first);
    for (;;) {
        if (!input_need(in, head))
            return source_fail_open(src, "cut short: a header without a data chunk");
        unsigned char name[4];
        memcpy(name, input_bytes(in), 4);
        const uint64_t size = riff_size(&h->layout, input_bytes(in));
        input_consume(in, head);
        if (riff_is(name, "data")) {
            const bool is_long = src->kind == DETECT_RF64 && size == UINT32_MAX;
            h->data_size = is_long ? h->long_size : size;
            h->size_bytes = is_long ? 8 : h->layout.size_bytes;
            return h->has_format ||
                   source_fail(src, "bad WAV header: the data chunk comes before the format chunk");
        }
        if (!read_chunk(src, h, name, size)) return false;
        const uint64_t padding = riff_padding(&h->layout, size);
        if (!input_skip(in, size) || !input_skip(in, padding)) return header_cut(src);
    }
}

static bool is_plain(const header *h)
{
    return h->tag == TAG_PCM || h->tag == TAG_FLOAT;
}

/* Samples fill whole bytes from the top: 20 bits are read as 24. */
static source_format sample_format(const header *h)
{
    static const source_format integers[] = {SOURCE_AUTO, SOURCE_U8, SOURCE_S16, SOURCE_S24,
                                             SOURCE_S32};
    unsigned bytes = (h->bits + 7) / 8;
    if (h->tag == TAG_PCM) return bytes <= 4 ? integers[bytes] : SOURCE_AUTO;
    if (h->bits == 32) return SOURCE_F32;
    return h->bits == 64 ? SOURCE_F64 : SOURCE_AUTO;
}

static bool check_header(source *src, const header *h)
{
    if (h->channels == 0 || h->channels > MOST_CHANNELS)
        return source_fail(src, "bad WAV header: %u channels", h->channels);
    if (h->rate == 0) return source_fail(src, "bad WAV header: a rate of 0 Hz");
    if (!is_plain(h)) return true;
    if (sample_format(h) == SOURCE_AUTO)
        return source_fail(src, "bad WAV header: %s samples of %u bits",
                           h->tag == TAG_PCM ? "integer" : "float", h->bits);
    if (h->block != h->channels * pcm_width(sample_format(h)))
        return source_fail(src, "bad WAV header: %u bytes a frame, but %u channel%s of %u bits",
                           h->block, h->channels, h->channels == 1 ? "" : "s", h->bits);
    return true;
}

static size_t frame_bytes(const wav *w)
{
    return w->pcm.type.width * w->pcm.channels;
}

/* Read up to the limit, after `given` bytes of samples. */
static void read_to_limit(wav *w, uint64_t given)
{
    const uint64_t frames = w->limit / frame_bytes(w);
    w->pcm.left = w->limit == UINT64_MAX ? UINT64_MAX : frames - given / frame_bytes(w);
}

static bool is_zero(const unsigned char *bytes, size_t n)
{
    while (n > 0 && bytes[n - 1] == 0) n--;
    return n == 0;
}

/* Do the samples end at the limit, if these n bytes follow it? They are all that follow, or at
 * least a padding and a header. Some writers leave the padding out. */
static bool ends_before(const wav *w, const unsigned char *bytes, size_t n)
{
    const riff_layout *l = &w->layout;
    const size_t padding = (size_t)riff_padding(l, w->limit), head = riff_header_bytes(l);
    if (n <= padding) return is_zero(bytes, n);
    if (n >= head && riff_may_follow(l, bytes)) return true;
    return n >= padding + head && riff_may_follow(l, bytes + padding);
}

static void move_limit(wav *w)
{
    const bool may_wrap = w->size_bytes == 4 && !w->is_placeholder;
    w->limit = may_wrap ? w->limit + WRAP : UINT64_MAX;
}

/* Find the end of a file's samples, with a look at each limit. */
static void find_end(input *in, wav *w)
{
    const uint64_t present = input_left(in);
    unsigned char bytes[2 * RIFF_HEADER];
    while (w->limit <= present) {
        const size_t n = input_read_at(in, in->consumed + w->limit, bytes, sizeof bytes);
        if (!input_resume(in) || ends_before(w, bytes, n)) return;
        move_limit(w);
    }
}

/* Pass over the chunks after the samples. They must fill the rest of the input. */
static void pass_tail(source *src, const wav *w)
{
    input *in = &src->in;
    const riff_layout *l = &w->layout;
    const size_t head = riff_header_bytes(l);
    while (input_need(in, head) && riff_may_follow(l, input_bytes(in))) {
        const uint64_t size = riff_size(l, input_bytes(in));
        input_consume(in, head);
        if (!input_skip(in, size)) {
            if (source_truly_ended(src))
                source_fail(src, "cut short inside a chunk after the samples");
            return;
        }
        if (!input_skip(in, riff_padding(l, size))) return;
    }
    if (source_truly_ended(src) && input_have(in) > 0)
        source_fail(src, "damaged: the bytes after the last chunk are no chunk");
}

/* The samples have ended, `left_over` bytes into a frame. */
static void end_samples(source *src, wav *w, size_t left_over)
{
    w->is_tail = true;
    if (left_over > 0)
        source_fail(src, "cut short: ends inside a frame (%zu byte%s left over)", left_over,
                    left_over == 1 ? "" : "s");
}

/* All frames up to the limit were read. Returns true if more samples follow. */
static bool pass_limit(source *src, wav *w)
{
    input *in = &src->in;
    const riff_layout *l = &w->layout;
    const size_t padding = (size_t)riff_padding(l, w->limit);
    const size_t left_over = w->limit % frame_bytes(w);
    input_need(in, left_over + padding + riff_header_bytes(l));
    if (in->woken || in->failure || in->fault) return false;
    const size_t have = input_have(in);
    const unsigned char *after = input_bytes(in) + left_over;
    if (have < left_over || !ends_before(w, after, have - left_over)) {
        move_limit(w);
        read_to_limit(w, in->consumed - w->begin);
        return true;
    }
    /* Some writers count the padding of an odd size. */
    const bool may_count = left_over == 1 && l->align == 2 && w->limit % 2 == 0;
    const bool is_counted = may_count && is_zero(after - 1, 1);
    end_samples(src, w, is_counted ? 0 : left_over);
    const bool is_padded = have - left_over <= padding || !riff_may_follow(l, after);
    input_skip(in, left_over + (is_padded ? padding : 0));
    if (!src->failed) pass_tail(src, w);
    return false;
}

/* The input has ended before the limit. */
static void ended_early(source *src, wav *w)
{
    const size_t left_over = input_have(&src->in);
    const uint64_t given = src->in.consumed - w->begin, frame = frame_bytes(w);
    const uint64_t follow = given + left_over;
    if (w->is_placeholder)
        end_samples(src, w, left_over);
    else if (w->limit == w->declared)
        source_fail(src, "cut short: %llu of %llu frames", (unsigned long long)(given / frame),
                    (unsigned long long)(w->declared / frame));
    else
        source_fail(src,
                    "wrong header: it declares %llu bytes of samples, but %llu follow, "
                    "which were all read as samples",
                    (unsigned long long)w->declared, (unsigned long long)follow);
}

static ssize_t read_frames(source *src, channels_output to, size_t max, bool wait)
{
    wav *w = src->state;
    size_t n;
    do
        n = to.wide ? pcm_read_doubles(&w->pcm, &src->in, to.wide, max, wait)
                    : pcm_read(&w->pcm, &src->in, to.narrow, max, wait);
    while (n == 0 && wait && !w->is_tail && w->pcm.left == 0 && pass_limit(src, w));
    if (n > 0 || !wait || w->is_tail) return src->failed ? -1 : (ssize_t)n;
    if (source_truly_ended(src)) ended_early(src, w);
    return src->failed ? -1 : 0;
}

static ssize_t wav_read(source *src, float *frames, exact_time *times, size_t max, bool wait)
{
    (void)times;
    return read_frames(src, (channels_output){.narrow = frames}, max, wait);
}

static ssize_t wav_read_doubles(source *src, double *frames, exact_time *times, size_t max,
                                bool wait)
{
    (void)times;
    return read_frames(src, (channels_output){.wide = frames}, max, wait);
}

/* Chunks after the data are not waited for. */
static bool wav_more(source *src, int ms)
{
    const wav *w = src->state;
    return w->pcm.left > 0 && source_more_bytes(src, ms);
}

static void wav_close(source *src)
{
    free(src->state);
}

static const source_ops wav_ops = {wav_read, wav_more, wav_close};

static bool start_data(source *src, const header *h)
{
    wav *w = malloc(sizeof *w);
    if (!w) return source_fail(src, "out of memory");
    src->state = w;
    src->ops = &wav_ops;
    *w = (wav){
        .pcm = {pcm_type_of(sample_format(h)), h->layout.big_endian, h->channels, 0, NULL, NULL},
        .layout = h->layout,
        .begin = src->in.consumed,
        .declared = h->data_size,
        .size_bytes = h->size_bytes,
        .is_placeholder = riff_is_placeholder(h->size_bytes, h->data_size),
        .limit = h->data_size};
    if (src->in.regular) find_end(&src->in, w);
    read_to_limit(w, 0);
    src->plain = &w->pcm;
    if (pcm_is_wide(&w->pcm)) src->read_doubles = wav_read_doubles;
    src->info.audio = src->info.rate_known = true;
    src->info.rate_hz = h->rate;
    src->info.channels = h->channels;
    if (src->in.regular)
        src->info.frames = pcm_frames_left(&w->pcm, &src->in);
    else if (!w->is_placeholder)
        src->info.frames = w->pcm.left;
    return true;
}

bool wav_open(source *src)
{
    header h = {0};
    if (!read_header(src, &h) || !check_header(src, &h)) return false;
    if (is_plain(&h)) return start_data(src, &h);
    if (h.tag == TAG_MPEG || h.tag == TAG_MP3)
        return mpeg_open(src,
                         riff_is_placeholder(h.size_bytes, h.data_size) ? UINT64_MAX : h.data_size);
    if (src->in.regular) return sndfile_open(src);
    return source_fail_seekable(src, "%s of format 0x%04x", detect_name(src->kind), h.tag);
}
