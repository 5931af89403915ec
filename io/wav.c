/*
 * wav.c - WAV files (RIFF and RIFX) of plain samples, read in one pass from pipes and files.
 *
 *     | RIFF size WAVE | "fmt " size ... | other size ... | "data" size | samples ...
 *
 * libsndfile is not used for these. From a pipe it reads a data size of 0 as no frames, and it does
 * not report a file that was cut short.
 */
#include <stdlib.h>
#include <string.h>

#include "io/bytes.h"
#include "io/pcm.h"
#include "io/source_ops.h"

enum {
    TAG_PCM = 1,
    TAG_FLOAT = 3,
    TAG_EXTENSIBLE = 0xfffe,
    FORMAT_BYTES = 40, /* of the format chunk, as far as it is read */
    MOST_CHANNELS = 256
};

typedef struct {
    pcm pcm;
    uint64_t declared; /* frames; UINT64_MAX: until the end */
} wav;

typedef struct {
    bool big_endian;
    bool has_format; /* a format chunk was read */
    uint32_t riff_size;
    unsigned tag, channels, bits, block;
    uint32_t rate;
} header;

static uint32_t load_u32(const unsigned char *b, bool big_endian)
{
    return (uint32_t)bytes_load(b, 4, big_endian);
}

static unsigned load_u16(const unsigned char *b, bool big_endian)
{
    return (unsigned)bytes_load(b, 2, big_endian);
}

static bool header_cut(source *src)
{
    return source_fail_open(src, "cut short inside the WAV header");
}

/* The sub-format of WAVE_FORMAT_EXTENSIBLE is a GUID: a plain tag, then fixed bytes. */
static unsigned extensible_tag(const unsigned char *guid, bool big_endian)
{
    static const unsigned char fixed[] = {0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71};
    if (memcmp(guid + 8, fixed, sizeof fixed) != 0) return TAG_EXTENSIBLE;
    uint32_t tag = load_u32(guid, big_endian);
    return tag < TAG_EXTENSIBLE ? (unsigned)tag : TAG_EXTENSIBLE;
}

static bool read_format(source *src, header *h, uint32_t size)
{
    size_t n = size < FORMAT_BYTES ? size : FORMAT_BYTES;
    if (size < 16) return source_fail(src, "bad WAV header: a format chunk of %u bytes", size);
    if (!input_need(&src->in, n)) return header_cut(src);
    const unsigned char *b = input_bytes(&src->in);
    h->tag = load_u16(b, h->big_endian);
    h->channels = load_u16(b + 2, h->big_endian);
    h->rate = load_u32(b + 4, h->big_endian);
    h->block = load_u16(b + 12, h->big_endian);
    h->bits = load_u16(b + 14, h->big_endian);
    if (h->tag == TAG_EXTENSIBLE && n == FORMAT_BYTES)
        h->tag = extensible_tag(b + 24, h->big_endian);
    h->has_format = true;
    return true;
}

/* Read the chunks before the samples. Each is padded to an even size. */
static bool read_header(source *src, header *h, uint32_t *data_size)
{
    input *in = &src->in;
    if (!input_need(in, 12)) return header_cut(src);
    h->big_endian = input_bytes(in)[3] == 'X';
    h->riff_size = load_u32(input_bytes(in) + 4, h->big_endian);
    input_consume(in, 12);
    for (;;) {
        if (!input_need(in, 8))
            return source_fail_open(src, "cut short: a WAV header without a data chunk");
        bool is_format = memcmp(input_bytes(in), "fmt ", 4) == 0;
        bool is_data = memcmp(input_bytes(in), "data", 4) == 0;
        uint32_t size = load_u32(input_bytes(in) + 4, h->big_endian);
        input_consume(in, 8);
        if (is_data) {
            *data_size = size;
            return h->has_format ||
                   source_fail(src, "bad WAV header: the data chunk comes before the format chunk");
        }
        if (is_format && !read_format(src, h, size)) return false;
        if (!input_skip(in, (uint64_t)size + (size & 1))) return header_cut(src);
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

/* Sizes of programs that cannot go back to fill in the true one: 0 and FFFFFFFF (ffmpeg), a little
 * less than 2 GiB or 4 GiB (sox, arecord, mplayer). */
static bool is_placeholder(uint32_t size)
{
    return size == 0 || size >= 0xffff0000u || (size >= 0x7fff0000u && size <= 0x80000000u);
}

/* The bytes of samples, by the header and by the length of a regular file. UINT64_MAX: until the
 * end. */
static uint64_t data_bytes(const source *src, const header *h, uint32_t size)
{
    const input *in = &src->in;
    if (!in->regular) return is_placeholder(size) ? UINT64_MAX : size;
    uint64_t present = input_left(in);
    bool truly_empty = (uint64_t)h->riff_size + 8 == in->size - in->start;
    if (size == 0) return truly_empty ? 0 : UINT64_MAX;
    if (is_placeholder(size) && size > present) return UINT64_MAX;
    /* More than 4 GiB after the data cannot be chunks: the 32-bit size has wrapped. */
    return present > size ? size + ((present - size) & ~(uint64_t)0xffffffff) : size;
}

static bool cut_short(source *src, const wav *w)
{
    size_t left_over = input_have(&src->in);
    if (w->declared != UINT64_MAX)
        return source_fail(src, "cut short: %llu of %llu frames",
                           (unsigned long long)(w->declared - w->pcm.left),
                           (unsigned long long)w->declared);
    if (left_over == 0) return true;
    return source_fail(src, "cut short: ends inside a frame (%zu byte%s left over)", left_over,
                       left_over == 1 ? "" : "s");
}

static ssize_t wav_read(source *src, float *frames, double *times, size_t max, bool wait)
{
    (void)times;
    wav *w = src->state;
    size_t n = pcm_read(&w->pcm, &src->in, frames, max, wait);
    if (n > 0 || !wait || w->pcm.left == 0) return (ssize_t)n;
    if (source_truly_ended(src)) cut_short(src, w);
    return src->failed ? -1 : 0;
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

static bool start_data(source *src, const header *h, uint32_t size)
{
    wav *w = malloc(sizeof *w);
    if (!w) return source_fail(src, "out of memory");
    src->state = w;
    src->ops = &wav_ops;
    source_format format = sample_format(h);
    const size_t frame_bytes = pcm_width(format) * h->channels;
    uint64_t bytes = data_bytes(src, h, size);
    w->declared = bytes == UINT64_MAX ? UINT64_MAX : bytes / frame_bytes;
    w->pcm = (pcm){format, h->big_endian, h->channels, w->declared};
    src->plain = &w->pcm;
    src->info.audio = src->info.rate_known = true;
    src->info.rate_hz = h->rate;
    src->info.channels = h->channels;
    if (src->in.regular) {
        uint64_t present = input_left(&src->in) / frame_bytes;
        src->info.frames = present < w->declared ? present : w->declared;
    } else if (w->declared != UINT64_MAX) {
        src->info.frames = w->declared;
    }
    return true;
}

bool wav_open(source *src)
{
    header h = {0};
    uint32_t size = 0;
    if (!read_header(src, &h, &size) || !check_header(src, &h)) return false;
    if (is_plain(&h)) return start_data(src, &h, size);
    if (src->in.regular) return sndfile_open(src);
    return source_fail(src,
                       "WAV of format 0x%04x cannot be read from a pipe: "
                       "convert it by ffmpeg -i FILE -f wav -",
                       h.tag);
}
