#include "io/pcm.h"

#include <string.h>

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

/* The bits of one sample; shifts, so that neither alignment nor the host's order matter. */
static uint64_t load(const unsigned char *b, size_t width, bool big_endian)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < width; i++) bits = bits << 8 | b[big_endian ? i : width - 1 - i];
    return bits;
}

static float as_f32(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}

static float as_f64(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return (float)value;
}

/* Two's complement of `width` bytes, without relying on conversions out of range. */
static float as_signed(uint64_t bits, size_t width)
{
    int64_t half = (int64_t)1 << (8 * width - 1);
    int64_t value = (int64_t)bits;
    if (value >= half) value -= 2 * half;
    return (float)value / (float)half;
}

/* The commonest format, in a loop that compilers make vectors of. */
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

/* n samples of any alignment to float32, scaled as source.h says. */
static void decode(source_format format, bool big_endian, const unsigned char *bytes,
                   float *samples, size_t n)
{
    size_t width = pcm_width(format);
    if (format == SOURCE_F32 && big_endian == host_is_big_endian()) {
        memcpy(samples, bytes, n * sizeof *samples);
        return;
    }
    if (format == SOURCE_S16) {
        decode_s16(big_endian != host_is_big_endian(), bytes, samples, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = load(bytes + i * width, width, big_endian);
        if (format == SOURCE_F32)
            samples[i] = as_f32(bits);
        else if (format == SOURCE_F64)
            samples[i] = as_f64(bits);
        else if (format == SOURCE_U8)
            samples[i] = ((float)bits - 128.0f) / 128.0f;
        else
            samples[i] = as_signed(bits, width);
    }
}

static size_t frame_bytes(const pcm *p)
{
    return pcm_width(p->format) * p->channels;
}

/* n frames have been given out. */
static void count(pcm *p, uint64_t n)
{
    if (p->left != UINT64_MAX) p->left -= n;
}

/* Are they floats as this machine has them? */
static bool is_native(const pcm *p)
{
    return p->format == SOURCE_F32 && p->big_endian == host_is_big_endian();
}

/* Can much be read to where it is wanted, without a look at it on the way? */
static bool is_ready_made(const pcm *p, const input *in, size_t bytes)
{
    return is_native(p) && !input_have(in) && bytes >= INPUT_CAPACITY;
}

/* Whole frames; what is read of another one is given back. */
static size_t fetch_frames(const pcm *p, input *in, float *frames, size_t max, bool wait)
{
    const size_t frame = frame_bytes(p);
    const size_t got = input_fetch(in, frames, max * frame, wait), rest = got % frame;
    if (rest) input_give_back(in, (const unsigned char *)frames + got - rest, rest);
    return got / frame;
}

size_t pcm_read(pcm *p, input *in, float *frames, size_t max, bool wait)
{
    const size_t frame = frame_bytes(p);
    if (max > p->left) max = (size_t)p->left;
    if (is_ready_made(p, in, max * frame)) {
        size_t n = fetch_frames(p, in, frames, max, wait);
        count(p, n);
        if (n || !input_have(in)) return n;
    }
    if (max == 0 || (wait && !input_need(in, frame))) return 0;
    size_t n = input_have(in) / frame;
    if (n > max) n = max;
    decode(p->format, p->big_endian, input_bytes(in), frames, n * p->channels);
    input_take(in, n * frame);
    count(p, n);
    return n;
}

uint64_t pcm_to_come(const pcm *p, const input *in)
{
    const uint64_t n = input_left(in) / frame_bytes(p);
    return n < p->left ? n : p->left;
}

size_t pcm_read_at(const pcm *p, const input *in, uint64_t at, float *frames, size_t n)
{
    enum { PIECE = 1 << 16 };
    const size_t frame = frame_bytes(p);
    if (is_native(p)) return input_peek(in, at * frame, frames, n * frame) / frame;
    unsigned char bytes[PIECE];
    size_t done = 0;
    while (done < n) {
        const size_t want = n - done < PIECE / frame ? n - done : PIECE / frame;
        const size_t got = input_peek(in, (at + done) * frame, bytes, want * frame) / frame;
        decode(p->format, p->big_endian, bytes, frames + done * p->channels, got * p->channels);
        done += got;
        if (got < want) break;
    }
    return done;
}

void pcm_pass(pcm *p, input *in, uint64_t n)
{
    count(p, n);
    input_pass(in, n * frame_bytes(p));
}
