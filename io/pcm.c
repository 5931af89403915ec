#include "io/pcm.h"

#include <math.h>
#include <string.h>

#include "io/bytes.h"

size_t pcm_width(source_format format)
{
    switch (format) {
    case SOURCE_F64: return 8;
    case SOURCE_F32:
    case SOURCE_S32: return 4;
    case SOURCE_S24: return 3;
    case SOURCE_S16: return 2;
    case SOURCE_U8: return 1;
    case SOURCE_AUTO:
    case SOURCE_TEXT: break;
    }
    return 0;
}

static bool host_is_big_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 0;
}

static float as_f32(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}

static float as_f64(const pcm *p, uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    const float rounded = (float)value;
    if (isinf(rounded) && isfinite(value) && p->beyond) atomic_store(p->beyond, true);
    return rounded;
}

/* Two's complement of `width` bytes. C leaves a plain cast of large values to the compiler. */
static float as_signed(uint64_t bits, size_t width)
{
    int64_t half = (int64_t)1 << (8 * width - 1);
    int64_t value = (int64_t)bits;
    if (value >= half) value -= 2 * half;
    return (float)value / (float)half;
}

/* s16 is the commonest format; this loop vectorizes, the general one does not. */
static void decode_s16(bool swapped, const unsigned char *bytes, float *samples, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint16_t bits;
        int16_t value;
        memcpy(&bits, bytes + 2 * i, sizeof bits);
        if (swapped) bits = (uint16_t)(bits << 8 | bits >> 8);
        memcpy(&value, &bits, sizeof value);
        samples[i] = (float)value / 32768.0f;
    }
}

/* Are the bytes float32 of this machine, so that no decoding is needed? */
static bool is_native(const pcm *p)
{
    return p->format == SOURCE_F32 && p->big_endian == host_is_big_endian();
}

/* Decode n samples of any alignment. */
static void decode(const pcm *p, const unsigned char *bytes, float *samples, size_t n)
{
    size_t width = pcm_width(p->format);
    if (is_native(p)) {
        memcpy(samples, bytes, n * sizeof *samples);
        return;
    }
    if (p->format == SOURCE_S16) {
        decode_s16(p->big_endian != host_is_big_endian(), bytes, samples, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = bytes_load(bytes + i * width, width, p->big_endian);
        if (p->format == SOURCE_F32)
            samples[i] = as_f32(bits);
        else if (p->format == SOURCE_F64)
            samples[i] = as_f64(p, bits);
        else if (p->format == SOURCE_U8)
            samples[i] = ((float)bits - 128.0f) / 128.0f;
        else
            samples[i] = as_signed(bits, width);
    }
}

static size_t frame_bytes(const pcm *p)
{
    return pcm_width(p->format) * p->channels;
}

static void count_down(pcm *p, uint64_t n)
{
    if (p->left != UINT64_MAX) p->left -= n;
}

/* Can a large read bypass the buffer? */
static bool can_read_direct(const pcm *p, const input *in, size_t bytes)
{
    return is_native(p) && !input_have(in) && bytes >= INPUT_CAPACITY;
}

/* Read whole frames past the buffer; the bytes of an incomplete one go back. */
static size_t read_direct(const pcm *p, input *in, float *frames, size_t max, bool wait)
{
    const size_t frame = frame_bytes(p);
    const size_t got = input_read_direct(in, frames, max * frame, wait), rest = got % frame;
    if (rest) input_unread(in, (const unsigned char *)frames + got - rest, rest);
    return got / frame;
}

size_t pcm_read(pcm *p, input *in, float *frames, size_t max, bool wait)
{
    const size_t frame = frame_bytes(p);
    if (max > p->left) max = (size_t)p->left;
    if (can_read_direct(p, in, max * frame)) {
        size_t n = read_direct(p, in, frames, max, wait);
        count_down(p, n);
        if (n || !input_have(in)) return n;
    }
    if (max == 0 || (wait && !input_need(in, frame))) return 0;
    size_t n = input_have(in) / frame;
    if (n > max) n = max;
    decode(p, input_bytes(in), frames, n * p->channels);
    input_consume(in, n * frame);
    count_down(p, n);
    return n;
}

uint64_t pcm_frames_left(const pcm *p, const input *in)
{
    const uint64_t n = input_left(in) / frame_bytes(p);
    return n < p->left ? n : p->left;
}

size_t pcm_read_at(const pcm *p, const input *in, uint64_t at, float *frames, size_t n)
{
    enum { BUFFER = 1 << 16 }; /* bytes, on the stack */
    const size_t frame = frame_bytes(p);
    if (is_native(p)) return input_peek(in, at * frame, frames, n * frame) / frame;
    unsigned char bytes[BUFFER];
    size_t done = 0;
    while (done < n) {
        const size_t want = n - done < BUFFER / frame ? n - done : BUFFER / frame;
        const size_t got = input_peek(in, (at + done) * frame, bytes, want * frame) / frame;
        decode(p, bytes, frames + done * p->channels, got * p->channels);
        done += got;
        if (got < want) break;
    }
    return done;
}

void pcm_skip(pcm *p, input *in, uint64_t n)
{
    count_down(p, n);
    input_skip(in, n * frame_bytes(p));
}
