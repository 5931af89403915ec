/*
 * flac.c - FLAC, plain or in Ogg, through libFLAC.
 *
 *     input --read_bytes--> libFLAC --take_block--> block --> frames
 *                               +-----take_error--> is_damaged
 *
 * libsndfile is not used for FLAC. It stops at the declared number of samples, which may be wrong
 * or that of the first of two joined files, and at damage.
 *
 * Each block has the number of its first sample. libFLAC gives zeros for a block with a wrong
 * checksum and, since 1.4, for blocks that are missing. So zeros right after an error are no
 * sound: they and the numbers left out are a gap. If the numbers begin again, another FLAC follows.
 */
#include <FLAC/stream_decoder.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/audio/damage.h"
#include "io/source_ops.h"

typedef struct {
    FLAC__StreamDecoder *decoder;
    unsigned channels, rate_hz;
    uint64_t declared; /* frames; 0: unknown */
    uint64_t given;    /* frames so far, gaps included */
    uint64_t next;     /* the number of the next sample */
    uint64_t missing;  /* frames of a gap before the block */
    bool is_damaged;   /* an error came after the last block of sound */
    float *block;      /* interleaved */
    size_t n, at;      /* frames of the block, those given */
    size_t room;       /* values */
    damage damage;
} flac;

static FLAC__StreamDecoderReadStatus read_bytes(const FLAC__StreamDecoder *decoder,
                                                FLAC__byte *bytes, size_t *n, void *user)
{
    source *src = user;
    input *in = &src->in;
    (void)decoder;
    const size_t wanted = *n;
    *n = 0;
    if (!input_need(in, 1)) return FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM;
    *n = input_have(in) < wanted ? input_have(in) : wanted;
    memcpy(bytes, input_bytes(in), *n);
    input_consume(in, *n);
    return FLAC__STREAM_DECODER_READ_STATUS_CONTINUE;
}

/* Only the first of joined files declares something here. */
static void take_header(const FLAC__StreamDecoder *decoder, const FLAC__StreamMetadata *header,
                        void *user)
{
    const source *src = user;
    flac *f = src->state;
    (void)decoder;
    if (header->type != FLAC__METADATA_TYPE_STREAMINFO || f->channels > 0) return;
    f->channels = header->data.stream_info.channels;
    f->rate_hz = header->data.stream_info.sample_rate;
    f->declared = header->data.stream_info.total_samples;
}

static void take_error(const FLAC__StreamDecoder *decoder, FLAC__StreamDecoderErrorStatus error,
                       void *user)
{
    const source *src = user;
    flac *f = src->state;
    (void)decoder, (void)error;
    f->is_damaged = true;
}

static bool is_zero(const FLAC__int32 *const channels[], const FLAC__FrameHeader *h)
{
    for (unsigned k = 0; k < h->channels; k++)
        for (unsigned t = 0; t < h->blocksize; t++)
            if (channels[k][t]) return false;
    return true;
}

static bool append(flac *f, const FLAC__FrameHeader *h, const FLAC__int32 *const channels[])
{
    const float scale = ldexpf(1, 1 - (int)h->bits_per_sample);
    const size_t values = (f->n + h->blocksize) * f->channels;
    if (values > f->room) {
        float *block = realloc(f->block, values * sizeof *block);
        if (!block) return false;
        f->block = block;
        f->room = values;
    }
    float *to = f->block + f->n * f->channels;
    for (size_t t = 0; t < h->blocksize; t++)
        for (size_t k = 0; k < f->channels; k++) *to++ = (float)channels[k][t] * scale;
    f->n += h->blocksize;
    return true;
}

static FLAC__StreamDecoderWriteStatus take_block(const FLAC__StreamDecoder *decoder,
                                                 const FLAC__Frame *frame,
                                                 const FLAC__int32 *const channels[], void *user)
{
    source *src = user;
    flac *f = src->state;
    const FLAC__FrameHeader *h = &frame->header;
    const uint64_t number = h->number.sample_number;
    (void)decoder;
    if (h->channels != f->channels || h->sample_rate != f->rate_hz) {
        source_fail(src, "changes to %u channels at %u Hz after %llu frames: split it there",
                    h->channels, h->sample_rate, (unsigned long long)(f->given + f->missing));
        return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT;
    }
    if (number < f->next) f->is_damaged = false; /* another FLAC: its header was the error */
    if (f->is_damaged) f->missing += number - f->next;
    f->next = number + h->blocksize;
    if (f->is_damaged && is_zero(channels, h)) {
        f->missing += h->blocksize;
        return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE;
    }
    f->is_damaged = false;
    if (append(f, h, channels)) return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE;
    source_fail(src, "out of memory");
    return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT;
}

static ssize_t end_of_flac(source *src, flac *f)
{
    if (src->failed || !source_truly_ended(src)) return src->failed ? -1 : 0;
    damage_end(&f->damage, src);
    if (f->given < f->declared)
        source_fail(src, "cut short: %llu of %llu frames", (unsigned long long)f->given,
                    (unsigned long long)f->declared);
    return src->failed ? -1 : 0;
}

/* Decode until frames are there. Returns false at the end. */
static bool decode(source *src, flac *f)
{
    f->n = f->at = 0;
    while (f->n == 0) {
        const FLAC__StreamDecoderState state = FLAC__stream_decoder_get_state(f->decoder);
        if (src->failed || state == FLAC__STREAM_DECODER_END_OF_STREAM) return false;
        if (FLAC__stream_decoder_process_single(f->decoder)) continue;
        return source_fail(src, "damaged: %s",
                           FLAC__stream_decoder_get_resolved_state_string(f->decoder));
    }
    if (f->missing > 0) damage_note(&f->damage, src, f->given, f->missing);
    return true;
}

static ssize_t flac_read(source *src, float *frames, exact_time *times, size_t max, bool wait)
{
    (void)times;
    flac *f = src->state;
    if (f->at == f->n) {
        if (!wait && src->info.live) return 0;
        if (!decode(src, f)) return end_of_flac(src, f);
    }
    const bool is_gap = f->missing > 0;
    const uint64_t left = is_gap ? f->missing : f->n - f->at;
    const size_t n = left < max ? (size_t)left : max;
    if (is_gap) {
        for (size_t i = 0; i < n * f->channels; i++) frames[i] = NAN;
        f->missing -= n;
    } else {
        memcpy(frames, f->block + f->at * f->channels, n * f->channels * sizeof *frames);
        f->at += n;
    }
    f->given += n;
    return (ssize_t)n;
}

static void flac_close(source *src)
{
    flac *f = src->state;
    if (f->decoder) FLAC__stream_decoder_delete(f->decoder);
    free(f->block);
    free(f);
}

static const source_ops flac_ops = {flac_read, NULL, flac_close};

static bool start(source *src, flac *f)
{
    f->decoder = FLAC__stream_decoder_new();
    if (!f->decoder) return source_fail(src, "out of memory");
    const FLAC__StreamDecoderInitStatus status =
        src->kind == DETECT_OGG
            ? FLAC__stream_decoder_init_ogg_stream(f->decoder, read_bytes, NULL, NULL, NULL, NULL,
                                                   take_block, take_header, take_error, src)
            : FLAC__stream_decoder_init_stream(f->decoder, read_bytes, NULL, NULL, NULL, NULL,
                                               take_block, take_header, take_error, src);
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
