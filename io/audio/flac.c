/*
 * flac.c - FLAC, plain or in Ogg, through libFLAC.
 *
 *     input --read_bytes--> libFLAC --take_block--> block --> frames
 *               |               +-----take_error--> is_wrong: the checksum
 *               +--> another FLAC begins: libFLAC starts anew
 *
 * libsndfile is not used for FLAC. It stops at the declared number of samples, which may be wrong
 * or that of the first of two joined files, and at damage.
 *
 * Each block has the number of its first sample. A jump is a gap. libFLAC makes up zeros: 1.3 for a
 * block with a wrong checksum, whose number may be wrong, too; 1.4 for the blocks that are missing
 * before one, in the same call, and 1.4.2 for that one as well.
 */
#include <FLAC/stream_decoder.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/audio/decoded.h"
#include "io/source_ops.h"

enum {
    MOST_GAP_S = 3600,     /* longer gaps are believed up to the declared total */
    ID3V1_TAG = 128,       /* bytes */
    MOST_WANTED = 1 << 16, /* bytes given to libFLAC at once */
    MOST_STRAY = 1 << 17   /* bytes after the last block that are not reported */
};

typedef struct {
    FLAC__StreamDecoder *decoder;
    unsigned channels, rate_hz;
    uint64_t declared;             /* frames of this stream; 0: unknown */
    uint64_t lacking;              /* frames that the streams before declared, and did not have */
    uint64_t first;                /* the number of this stream's first sample */
    uint64_t next;                 /* the number of the next sample */
    uint64_t made_up;              /* the number after the zeros that libFLAC made up; 0: none */
    uint64_t read;                 /* bytes of this stream */
    uint64_t used;                 /* those up to the end of the last block */
    uint64_t window, granule, end; /* of Ogg: the last bytes, what was read of a page's granule,
                                      that of the last page */
    unsigned granule_left;         /* bytes */
    bool is_last;                  /* the page has the flag of the last one */
    bool is_total_known;
    bool is_wrong;    /* the error was the checksum of the next block */
    bool is_begin;    /* no byte of this stream was read */
    bool is_started;  /* it has given a block, or an error */
    bool is_joint;    /* another stream follows at the buffer's begin */
    unsigned in_call; /* blocks of this call of libFLAC */
    decoded out;
} flac;

/* How a stream begins. */
static const char flac_begin[8] = "fLaC\0\0\0\"", ogg_begin[14] = "OggS\0\2";

/* Do n bytes begin like that? Of FLAC, the first block of metadata may be the last. */
static bool fits(const unsigned char *bytes, const char *begin, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((i == 4 ? bytes[i] & 0x7f : bytes[i]) != begin[i]) return false;
    return true;
}

/* The buffered bytes before another stream, or before the buffer's end if one may begin there. */
static size_t before_another(const input *in, const char *begin, size_t length)
{
    const unsigned char *bytes = input_bytes(in), *end = bytes + input_have(in);
    for (const unsigned char *p = bytes; (p = memchr(p, *begin, (size_t)(end - p))); p++)
        if (fits(p, begin, (size_t)(end - p) < length ? (size_t)(end - p) : length))
            return (size_t)(p - bytes);
    return input_have(in);
}

/* Take the flags and the granule, which is the number after a page's last sample, of the pages of
 * Ogg in these bytes. */
static void watch_pages(flac *f, const FLAC__byte *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        f->window = f->window << 8 | bytes[i];
        if (f->granule_left > 0) {
            f->granule = f->granule >> 8 | (uint64_t)bytes[i] << 56;
            if (--f->granule_left == 0 && f->granule <= INT64_MAX) f->end = f->granule;
        } else if ((f->window >> 8 & 0xffffffffff) == 0x4f67675300) { /* OggS, version 0 */
            f->is_last = bytes[i] & 4;
            f->granule_left = 8;
        }
    }
}

static FLAC__StreamDecoderReadStatus read_bytes(const FLAC__StreamDecoder *decoder,
                                                FLAC__byte *bytes, size_t *n, void *user)
{
    source *src = user;
    flac *f = src->state;
    input *in = &src->in;
    (void)decoder;
    const bool is_ogg = src->kind == DETECT_OGG;
    const char *begin = is_ogg ? ogg_begin : flac_begin;
    const size_t length = is_ogg ? sizeof ogg_begin : sizeof flac_begin, wanted = *n;
    *n = 0;
    /* All that is wanted, for what libFLAC makes of damage depends on the bytes that it has. */
    input_need(in, (wanted < MOST_WANTED ? wanted : MOST_WANTED) + length - 1);
    if (!input_need(in, 1)) return FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM;
    size_t most = before_another(in, begin, length);
    if (most == 0) {
        f->is_joint =
            !f->is_begin && input_need(in, length) && fits(input_bytes(in), begin, length);
        if (f->is_joint) return FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM;
        most = 1;
    }
    f->is_begin = false;
    if (most > MOST_WANTED) most = MOST_WANTED;
    *n = most < wanted ? most : wanted;
    memcpy(bytes, input_bytes(in), *n);
    input_consume(in, *n);
    f->read += *n;
    if (is_ogg) watch_pages(f, bytes, *n);
    return FLAC__STREAM_DECODER_READ_STATUS_CONTINUE;
}

static FLAC__StreamDecoderTellStatus tell(const FLAC__StreamDecoder *decoder, FLAC__uint64 *at,
                                          void *user)
{
    const source *src = user;
    const flac *f = src->state;
    (void)decoder;
    *at = f->read;
    return FLAC__STREAM_DECODER_TELL_STATUS_OK;
}

static bool is_like_before(source *src, flac *f, unsigned channels, unsigned rate_hz)
{
    const unsigned long long after = f->out.given + f->out.n + f->out.missing;
    if (channels == f->channels && rate_hz == f->rate_hz) return true;
    return source_fail(src, "changes to %u channels at %u Hz after %llu frames: split it there",
                       channels, rate_hz, after);
}

/* In whole bytes; more than 24 are read as floats, which do not hold them. */
static unsigned bits_of_bytes(unsigned bits)
{
    return bits <= 24 ? (bits + 7) / 8 * 8 : 0;
}

static void take_header(const FLAC__StreamDecoder *decoder, const FLAC__StreamMetadata *header,
                        void *user)
{
    source *src = user;
    flac *f = src->state;
    (void)decoder;
    if (header->type != FLAC__METADATA_TYPE_STREAMINFO) return;
    const FLAC__StreamMetadata_StreamInfo *h = &header->data.stream_info;
    if (f->channels == 0) {
        f->out.channels = f->channels = h->channels;
        f->rate_hz = h->sample_rate;
        src->info.integer_bits = bits_of_bytes(h->bits_per_sample);
    }
    if (is_like_before(src, f, h->channels, h->sample_rate)) f->declared = h->total_samples;
    f->is_total_known = f->declared > 0;
}

static void take_error(const FLAC__StreamDecoder *decoder, FLAC__StreamDecoderErrorStatus error,
                       void *user)
{
    const source *src = user;
    flac *f = src->state;
    (void)decoder;
    f->is_started = true;
    f->is_wrong = error == FLAC__STREAM_DECODER_ERROR_STATUS_FRAME_CRC_MISMATCH;
}

static bool is_zero(const FLAC__int32 *const channels[], const FLAC__FrameHeader *h)
{
    for (unsigned k = 0; k < h->channels; k++)
        for (unsigned t = 0; t < h->blocksize; t++)
            if (channels[k][t]) return false;
    return true;
}

static bool append(decoded *out, const FLAC__FrameHeader *h, const FLAC__int32 *const channels[])
{
    const float scale = ldexpf(1, 1 - (int)h->bits_per_sample);
    float *to = decoded_room(out, h->blocksize);
    if (!to) return false;
    for (size_t t = 0; t < h->blocksize; t++)
        for (size_t k = 0; k < out->channels; k++) *to++ = (float)channels[k][t] * scale;
    out->n += h->blocksize;
    return true;
}

/* The samples up to `number` are missing. */
static bool add_gap(source *src, flac *f, uint64_t number)
{
    f->out.missing += number - f->next;
    f->next = number;
    if (f->out.missing <= (uint64_t)MOST_GAP_S * f->rate_hz || number <= f->declared) return true;
    f->out.missing = 0;
    return source_fail(src,
                       "damaged at %.2f s: what follows has the sample number %llu, and was "
                       "not read",
                       (double)f->out.given / f->rate_hz, (unsigned long long)number);
}

/* Note what this stream lacks at its end. */
static bool end_stream(source *src, flac *f)
{
    if (f->made_up > f->next && !add_gap(src, f, f->made_up)) return false;
    if (f->end > f->next && f->declared == 0) f->declared = f->end - f->first;
    const uint64_t had = f->next - f->first;
    if (f->declared > had) f->lacking += f->declared - had;
    f->declared = f->first = f->next = f->made_up = f->end = 0;
    return true;
}

/* A block begins at `number`. A smaller one than the last is that of another FLAC whose header was
 * damaged. The first may be any, in a radio's stream; but if the bytes may have held the
 * samples before it, they are missing. */
static bool move_to(source *src, flac *f, uint64_t number)
{
    if (!f->is_started && number / 8 > f->read) f->first = f->next = number;
    if (number < f->next && !end_stream(src, f)) return false;
    return add_gap(src, f, number);
}

static FLAC__StreamDecoderWriteStatus take_block(const FLAC__StreamDecoder *decoder,
                                                 const FLAC__Frame *frame,
                                                 const FLAC__int32 *const channels[], void *user)
{
    source *src = user;
    flac *f = src->state;
    const FLAC__FrameHeader *h = &frame->header;
    const uint64_t number = h->number.sample_number;
    if (!is_like_before(src, f, h->channels, h->sample_rate))
        return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT;
    f->next -= f->out.n; /* what came before in this call is made up */
    f->out.n = 0;
    const bool is_later = f->in_call++ > 0, is_wrong = f->is_wrong;
    f->is_wrong = false;
    if ((is_later || is_wrong) && is_zero(channels, h)) {
        if (is_later) f->made_up = number + h->blocksize;
        return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE;
    }
    if (!move_to(src, f, number)) return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT;
    f->is_started = true;
    f->next += h->blocksize;
    f->made_up = 0;
    FLAC__uint64 used = f->read; /* not known of Ogg */
    FLAC__stream_decoder_get_decode_position(decoder, &used);
    f->used = used;
    if (append(&f->out, h, channels)) return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE;
    source_fail(src, "out of memory");
    return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT;
}

static FLAC__StreamDecoderInitStatus init(source *src, flac *f)
{
    f->is_begin = true;
    f->read = f->used = 0;
    f->is_started = f->is_wrong = f->is_joint = false;
    return src->kind == DETECT_OGG
               ? FLAC__stream_decoder_init_ogg_stream(f->decoder, read_bytes, NULL, tell, NULL,
                                                      NULL, take_block, take_header, take_error,
                                                      src)
               : FLAC__stream_decoder_init_stream(f->decoder, read_bytes, NULL, tell, NULL, NULL,
                                                  take_block, take_header, take_error, src);
}

/* This stream has ended. Go on to its gap at the end, or to the next. Returns false if there is
 * none. */
static bool begin_another(source *src, flac *f)
{
    if (!end_stream(src, f)) return false;
    if (!f->is_joint) return f->out.missing > 0;
    FLAC__stream_decoder_finish(f->decoder);
    if (init(src, f) == FLAC__STREAM_DECODER_INIT_STATUS_OK) return true;
    return source_fail(src, "out of memory");
}

static ssize_t end_of_flac(source *src, flac *f)
{
    if (src->failed || !source_truly_ended(src)) return src->failed ? -1 : 0;
    const uint64_t stray = f->read - f->used;
    const unsigned long long declared = f->out.given + f->lacking;
    decoded_report_end(&f->out, src);
    if (f->lacking > 0)
        source_fail(src, "cut short: %llu of %llu frames", (unsigned long long)f->out.given,
                    declared);
    else if (src->kind == DETECT_OGG && !f->is_last)
        source_fail(src, "cut short: the last Ogg page is missing");
    else if (stray > MOST_STRAY || (stray > 0 && stray != ID3V1_TAG && !f->is_total_known))
        source_fail(src, "cut short or damaged: its last %llu bytes were not read",
                    (unsigned long long)stray);
    return src->failed ? -1 : 0;
}

/* Decode until frames are there, or a gap. Returns false at the end. */
static bool decode(source *src, flac *f)
{
    f->out.n = f->out.at = 0;
    while (f->out.n == 0 && f->out.missing == 0) {
        const FLAC__StreamDecoderState state = FLAC__stream_decoder_get_state(f->decoder);
        f->in_call = 0;
        if (src->failed) return false;
        if (state == FLAC__STREAM_DECODER_END_OF_STREAM) {
            if (!begin_another(src, f)) return false;
        } else if (!FLAC__stream_decoder_process_single(f->decoder)) {
            return source_fail(src, "damaged: %s",
                               FLAC__stream_decoder_get_resolved_state_string(f->decoder));
        }
    }
    if (f->out.missing > 0) decoded_report_gap(&f->out, src, false);
    return true;
}

static ssize_t flac_read(source *src, float *frames, exact_time *times, size_t max, bool wait)
{
    (void)times;
    flac *f = src->state;
    if (f->out.at == f->out.n) {
        if (!wait && src->info.live) return 0;
        if (!decode(src, f)) return end_of_flac(src, f);
    }
    return (ssize_t)decoded_read(&f->out, frames, max);
}

static void flac_close(source *src)
{
    flac *f = src->state;
    if (f->decoder) FLAC__stream_decoder_delete(f->decoder);
    free(f->out.block);
    free(f);
}

static const source_ops flac_ops = {flac_read, NULL, flac_close};

static bool start(source *src, flac *f)
{
    f->decoder = FLAC__stream_decoder_new();
    if (!f->decoder) return source_fail(src, "out of memory");
    const FLAC__StreamDecoderInitStatus status = init(src, f);
    if (status == FLAC__STREAM_DECODER_INIT_STATUS_UNSUPPORTED_CONTAINER)
        return source_fail(src, "is FLAC in Ogg: convert it by ffmpeg -i FILE -f wav -");
    if (status != FLAC__STREAM_DECODER_INIT_STATUS_OK) return source_fail(src, "out of memory");
    FLAC__stream_decoder_process_until_end_of_metadata(f->decoder);
    if (f->channels > 0 && f->rate_hz > 0) return true;
    return source_fail_open(src, "cut short or damaged: no header of FLAC was found");
}

bool flac_open(source *src)
{
    flac *f = calloc(1, sizeof *f);
    if (!f) return source_fail(src, "out of memory");
    src->state = f;
    src->ops = &flac_ops;
    if (!start(src, f)) return false;
    src->info.audio = src->info.rate_known = true;
    src->info.rate_hz = f->rate_hz;
    src->info.channels = f->channels;
    src->info.frames = f->declared;
    return true;
}
