/*
 * mpeg.c - MPEG audio (MP3, MP2, MP1), bare or in WAV, through libmpg123.
 *
 *     input --next_frame--> whole frames --> libmpg123 --> block --> frames
 *                 +--> tags: passed over
 *                 +--> bytes that are no frames: a gap
 *
 * We find the frames ourselves, so that libmpg123 meets neither damage nor tags, guesses no length,
 * and has nothing to print. A frame counts if the next one follows it, or the end or a tag does.
 * The frame before damage is probably damaged too: it belongs to the gap. So do the frames after it
 * that need bytes of the ones before them (MP3's reservoir), and the first after those.
 *
 * A frame with counts (Xing) in mid-stream begins another MP3, with an encoder's delay of its own.
 */
#include <math.h>
#include <mpg123.h>
#include <stdlib.h>
#include <string.h>

#include "io/audio/decoded.h"
#include "io/audio/mpeg_header.h"
#include "io/bytes.h"
#include "io/source_ops.h"

enum {
    SMALLEST = 24, /* bytes of a frame */
    ID3V2_HEADER = 10,
    ID3V1_TAG = 128,
    APE_TAG = 32,
    XING_END = MPEG_HEADER + 32 + 4, /* bytes from the frame's begin to the end of that name */
    SLACK = 2 * 1152,  /* frames: some encoders count the first frame, which has no sound */
    MOST_STRAY = 4096, /* bytes after the last frame that are not reported */
    BLOCK = 4 * 1152,  /* frames that libmpg123 is asked for at once */
    SETTLING = 2
};

typedef struct {
    mpg123_handle *decoder;
    bool is_open;    /* a format is set */
    bool has_counts; /* a frame with counts came, not yet a sample after it */
    bool varies;     /* the bit rate does */
    size_t kbits;    /* of the last frame, a second */
    bool is_mixed;   /* a frame of other channels came, which was reported */
    mpeg_header first;
    uint64_t end;      /* position in the input at which the frames end; UINT64_MAX: with it */
    uint64_t declared; /* frames; 0: unknown */
    uint64_t n_frames, n_bytes; /* MPEG frames decoded so far */
    uint64_t n_lost;            /* those of gaps */
    uint64_t counted; /* all, by the last frame with counts and those before it; 0: unknown */
    bool is_estimate; /* the last gap's length is */
    uint64_t stray;   /* bytes since the last one that are neither frame nor tag */
    unsigned char held[MPEG_LONGEST]; /* the frame before them */
    size_t n_held;
    size_t since_damage; /* bytes of main data since it */
    unsigned settling;   /* granules until the filters have forgotten it */
    decoded out;
} mpeg;

/* The buffered bytes of the frames, after waiting for n. */
static size_t have(source *src, const mpeg *m, size_t n)
{
    input *in = &src->in;
    const uint64_t left = m->end - in->consumed;
    input_need(in, n < left ? n : (size_t)left);
    return input_have(in) < left ? input_have(in) : (size_t)left;
}

/* ID3v2.2 to 2.4, section 3.1: version and revision, flags, a size of four times seven bits. */
static bool is_id3v2(const unsigned char *b)
{
    return memcmp(b, "ID3", 3) == 0 && b[3] >= 2 && b[3] <= 4 && b[4] < 0xff && (b[5] & 15) == 0 &&
           ((b[6] | b[7] | b[8] | b[9]) & 0x80) == 0;
}

/* The size of a tag that begins with these n bytes; 0: none does. */
static uint64_t tag_bytes(const unsigned char *b, size_t n)
{
    if (n >= ID3V2_HEADER && is_id3v2(b)) {
        const uint64_t size =
            (uint64_t)b[6] << 21 | (uint64_t)b[7] << 14 | (uint64_t)b[8] << 7 | b[9];
        return size + (b[5] & 0x10 ? 2 * ID3V2_HEADER : ID3V2_HEADER);
    }
    if (n >= 3 && memcmp(b, "TAG", 3) == 0) return ID3V1_TAG;
    if (n < APE_TAG || memcmp(b, "APETAGEX", 8) != 0) return 0;
    const uint64_t size = bytes_load(b + 12, 4, false);
    return b[23] & 0x20 ? size + APE_TAG : APE_TAG; /* a header, or a footer of a tag passed over */
}

bool mpeg_skip_tags(input *in)
{
    for (;;) {
        input_need(in, APE_TAG);
        const uint64_t tag = tag_bytes(input_bytes(in), input_have(in));
        if (tag == 0) break;
        if (!input_skip(in, tag)) return false;
    }
    while (input_need(in, 1) && input_bytes(in)[0] == 0) input_consume(in, 1);
    return input_have(in) > 0;
}

static bool fits(const mpeg *m, const unsigned char *b, mpeg_header *h)
{
    return mpeg_header_parse(b, h) && (m->first.bytes == 0 || mpeg_header_fits(&m->first, h));
}

/* Does what follows a frame at the buffer's begin confirm it: the next one, a tag, the end?
 * A frame that begins there must be whole. */
static bool is_confirmed(source *src, const mpeg *m, const mpeg_header *h)
{
    mpeg_header next;
    const size_t n = have(src, m, h->bytes + MPEG_HEADER);
    const unsigned char *after = input_bytes(&src->in) + h->bytes;
    if (n < h->bytes) return false;
    if (n < h->bytes + MPEG_HEADER) return true;
    if (mpeg_header_parse(after, &next)) return mpeg_header_fits(h, &next);
    return m->n_frames > 0 && (memcmp(after, "TAG", 3) == 0 || memcmp(after, "ID3", 3) == 0 ||
                               memcmp(after, "APET", 4) == 0);
}

/* Hold a frame that nothing confirmed. It is decoded if only stray bytes follow. */
static void hold(source *src, mpeg *m, const mpeg_header *h)
{
    input *in = &src->in;
    m->n_held = h->bytes;
    memcpy(m->held, input_bytes(in), h->bytes);
    input_consume(in, h->bytes);
    m->stray += h->bytes;
}

/* Move to the next frame, which is then buffered as a whole. Returns false at the end. */
static bool next_frame(source *src, mpeg *m, mpeg_header *h)
{
    input *in = &src->in;
    for (;;) {
        const size_t n = have(src, m, MPEG_HEADER);
        if (n < MPEG_HEADER) return false;
        const unsigned char *b = input_bytes(in);
        const bool is_frame = fits(m, b, h);
        if (is_frame && is_confirmed(src, m, h)) return true;
        const bool may_be = is_frame && m->n_frames > 0 && m->stray == 0;
        const bool is_tag = *b == 'I' || *b == 'T' || *b == 'A';
        const uint64_t tag = is_tag ? tag_bytes(b, have(src, m, APE_TAG)) : 0;
        if (may_be && have(src, m, h->bytes) >= h->bytes) {
            hold(src, m, h);
        } else if (tag > 0) {
            if (!input_skip(in, tag)) return false;
        } else {
            m->stray++;
            input_consume(in, 1);
        }
    }
}

/* Give frames to the decoder, and take what it makes of them. */
static bool decode(source *src, mpeg *m, const unsigned char *bytes, size_t n)
{
    int state = mpg123_feed(m->decoder, bytes, n);
    while (state == MPG123_OK || state == MPG123_NEW_FORMAT) {
        const size_t frame = m->out.channels * sizeof(float);
        float *to = decoded_room(&m->out, BLOCK);
        if (!to) return source_fail(src, "out of memory");
        size_t got = 0;
        state = mpg123_read(m->decoder, (void *)to, BLOCK * frame, &got);
        m->out.n += got / frame;
        if (state == MPG123_NEW_FORMAT && !m->is_open) {
            mpg123_format_none(m->decoder);
            m->is_open = mpg123_format(m->decoder, (long)m->first.rate_hz,
                                       m->first.channels == 1 ? MPG123_MONO : MPG123_STEREO,
                                       MPG123_ENC_FLOAT_32) == MPG123_OK;
        }
    }
    return true;
}

/* Bytes of a layer III frame's side information. */
static size_t side_bytes(const mpeg_header *h)
{
    return h->version == 3 ? h->channels == 1 ? 17 : 32 : h->channels == 1 ? 9 : 17;
}

static bool has_counts(const unsigned char *b, const mpeg_header *h)
{
    const unsigned char *name = b + MPEG_HEADER + side_bytes(h);
    if (h->layer != 3 || h->bytes < XING_END) return false;
    return memcmp(name, "Xing", 4) == 0 || memcmp(name, "Info", 4) == 0;
}

/* The frames that the buffered frame with counts declares, if a file has all of the bytes that it
 * declares, too; else 0. */
static uint64_t counted_frames(const input *in, const mpeg_header *h)
{
    enum { BOTH = 3 };
    const unsigned char *name = input_bytes(in) + MPEG_HEADER + side_bytes(h);
    if (!in->regular || h->bytes < XING_END + 12 || (name[7] & BOTH) != BOTH) return 0;
    return bytes_load(name + 12, 4, true) <= input_left(in) ? bytes_load(name + 8, 4, true) : 0;
}

/* Bytes of a frame's main data, and how many of those before it needs. */
static void find_main_data(const unsigned char *b, const mpeg_header *h, size_t *bytes,
                           size_t *needs)
{
    const size_t side = side_bytes(h);
    const size_t head = MPEG_HEADER + (b[1] & 1 ? 0 : 2);
    *bytes = h->bytes > head + side ? h->bytes - head - side : 0;
    *needs = h->layer != 3     ? 0
             : h->version == 3 ? (size_t)b[head] << 1 | b[head + 1] >> 7
                               : b[head];
}

/* How many frames are at the buffer's begin and after it, of a file of which nothing more is
 * damaged, up to its end, a tag or another MP3? UINT64_MAX: that is not known. */
static uint64_t count_rest(const source *src, const mpeg *m)
{
    unsigned char b[XING_END];
    mpeg_header h;
    uint64_t n = 0, at = 0;
    const uint64_t left = m->end == UINT64_MAX ? input_left(&src->in) : m->end - src->in.consumed;
    for (; at + MPEG_HEADER <= left; at += h.bytes, n++) {
        memset(b, 0, sizeof b);
        const size_t got = input_peek(&src->in, at, b, sizeof b);
        if (!fits(m, b, &h)) return got < MPEG_HEADER || tag_bytes(b, got) > 0 ? n : UINT64_MAX;
        if (n > 0 && has_counts(b, &h)) return n;
    }
    return n;
}

/* How many frames are missing before this one, instead of the stray bytes? The bytes of a frame
 * vary, unless its bit rate is constant. But the frame with counts has the number of all. */
static uint64_t count_lost(const source *src, mpeg *m)
{
    const double mean = (double)m->n_bytes / (double)m->n_frames;
    const uint64_t estimate = (uint64_t)round((double)m->stray / mean);
    const uint64_t so_far = m->n_frames + m->n_lost;
    const uint64_t rest = m->varies && m->counted > so_far ? count_rest(src, m) : UINT64_MAX;
    const bool is_known = rest <= m->counted && so_far + rest <= m->counted &&
                          m->counted - so_far - rest <= m->stray / SMALLEST;
    const uint64_t lost = is_known ? m->counted - so_far - rest : estimate;
    m->is_estimate = m->varies && !is_known;
    m->n_lost += lost;
    return lost;
}

/* Turn the stray bytes before this frame into a gap, and the frame if it depends on them. */
static bool is_lost(source *src, mpeg *m, const mpeg_header *h)
{
    size_t bytes, needs;
    if (m->stray > 0 && m->n_frames > 0) {
        m->out.missing += count_lost(src, m) * h->samples;
        m->settling = SETTLING;
        m->since_damage = 0;
    }
    m->stray = m->n_held = 0;
    if (m->settling == 0) return false;
    find_main_data(input_bytes(&src->in), h, &bytes, &needs);
    const unsigned granules = h->samples < 1152 ? 1 : 2;
    if (needs <= m->since_damage) m->settling = m->settling > granules ? m->settling - granules : 0;
    m->since_damage += bytes;
    return true;
}

/* Another MP3 begins: it has a delay of its own. */
static bool begin_another(source *src, mpeg *m)
{
    mpg123_close(m->decoder);
    return mpg123_open_feed(m->decoder) == MPG123_OK || source_fail(src, "out of memory");
}

/* Once the frame with counts and the next were decoded. */
static void add_length(mpeg *m)
{
    if (!m->has_counts || m->out.n == 0) return;
    const off_t length = mpg123_length(m->decoder);
    m->declared += length > 0 ? (uint64_t)length : 0;
    m->has_counts = false;
}

/* Fill the block from the next frame. Returns false at the end. */
static bool decode_next(source *src, mpeg *m)
{
    mpeg_header h;
    input *in = &src->in;
    if (!next_frame(src, m, &h)) return false;
    if (m->n_frames == 0) {
        m->first = h;
        m->out.channels = h.channels;
    }
    const bool lost = is_lost(src, m, &h), counts = has_counts(input_bytes(in), &h);
    if (counts && m->n_frames > 0 && !begin_another(src, m)) return false;
    m->has_counts |= counts;
    if (counts) m->counted = m->n_frames + m->n_lost + counted_frames(in, &h);
    if (h.channels != m->first.channels && !m->is_mixed)
        source_warn(src, "changes to %zu channels at %.2f s: from there on they become %zu",
                    h.channels, (double)m->out.given / (double)h.rate_hz, m->first.channels);
    m->is_mixed |= h.channels != m->first.channels;
    if (!decode(src, m, input_bytes(in), h.bytes)) return false;
    add_length(m);
    if (lost) {
        m->out.missing += m->out.n;
        m->out.n = 0;
    }
    if (!counts) {
        m->varies |= m->n_frames > 0 && (h.kbits != m->kbits);
        m->kbits = h.kbits;
        m->n_frames++;
        m->n_bytes += h.bytes;
    }
    input_consume(in, h.bytes);
    return true;
}

/* Is what follows the last frame no tag, and too long for a frame that was cut off? */
static void check_rest(source *src, mpeg *m)
{
    const uint64_t missing = m->end == UINT64_MAX ? 0 : m->end - src->in.consumed;
    decoded_report_end(&m->out, src);
    if (missing > input_have(&src->in))
        source_fail(src, "cut short: %llu bytes of samples are missing",
                    (unsigned long long)(missing - input_have(&src->in)));
    else if (m->declared > m->out.given + SLACK)
        source_fail(src, "cut short: %llu of %llu frames", (unsigned long long)m->out.given,
                    (unsigned long long)m->declared);
    else if (m->stray > MOST_STRAY)
        source_fail(src, "its last %llu bytes are no frames like those before, and were not read",
                    (unsigned long long)m->stray);
}

/* Fill the block. Returns false at the end. */
static bool fill(source *src, mpeg *m)
{
    m->out.n = m->out.at = 0;
    while (m->out.n == 0 && decode_next(src, m)) continue;
    const bool is_cut = src->failed || m->out.n > 0 || !source_truly_ended(src);
    if (!is_cut && m->n_held > 0) {
        m->stray -= m->n_held;
        decode(src, m, m->held, m->n_held);
        m->n_held = 0;
    }
    if (m->out.n > 0 && m->out.missing > 0) decoded_report_gap(&m->out, src, m->is_estimate);
    return m->out.n > 0;
}

static ssize_t mpeg_read(source *src, float *frames, exact_time *times, size_t max, bool wait)
{
    (void)times;
    mpeg *m = src->state;
    if (m->out.at == m->out.n) {
        if (!wait && src->info.live) return 0;
        if (!fill(src, m)) {
            if (!src->failed && source_truly_ended(src)) check_rest(src, m);
            return src->failed ? -1 : 0;
        }
    }
    return (ssize_t)decoded_read(&m->out, frames, max);
}

static void mpeg_close(source *src)
{
    mpeg *m = src->state;
    if (m->decoder) mpg123_delete(m->decoder);
    free(m->out.block);
    free(m);
}

static const source_ops mpeg_ops = {mpeg_read, NULL, mpeg_close};

static bool start(mpeg *m)
{
    if (mpg123_init() != MPG123_OK) return false;
    m->decoder = mpg123_new(NULL, NULL);
    return m->decoder &&
           mpg123_param(m->decoder, MPG123_ADD_FLAGS, MPG123_QUIET | MPG123_FORCE_FLOAT, 0) ==
               MPG123_OK &&
           mpg123_open_feed(m->decoder) == MPG123_OK;
}

bool mpeg_open(source *src, uint64_t bytes)
{
    mpeg *m = calloc(1, sizeof *m);
    if (!m) return source_fail(src, "out of memory");
    src->state = m;
    src->ops = &mpeg_ops;
    m->end = bytes == UINT64_MAX ? bytes : src->in.consumed + bytes;
    if (!start(m)) return source_fail(src, "out of memory");
    src->info.rate_hz = 1;
    if (!fill(src, m)) return source_fail_open(src, "holds no MP3 frames");
    src->info.audio = src->info.rate_known = true;
    src->info.rate_hz = (double)m->first.rate_hz;
    src->info.channels = m->first.channels;
    src->info.frames = m->declared;
    return true;
}
