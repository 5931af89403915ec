#include "io/samples/pcm.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "io/bytes.h"
#include "io/samples/companded.h"

pcm_type pcm_type_of(source_format format)
{
    static const pcm_type types[] = {
        [SOURCE_F64] = {8, PCM_FLOAT, false}, [SOURCE_F32] = {4, PCM_FLOAT, false},
        [SOURCE_S32] = {4, PCM_SIGNED, true}, [SOURCE_S24] = {3, PCM_SIGNED, true},
        [SOURCE_S16] = {2, PCM_SIGNED, true}, [SOURCE_U8] = {1, PCM_UNSIGNED, true},
        [SOURCE_S8] = {1, PCM_SIGNED, true},  [SOURCE_ULAW] = {1, PCM_ULAW, true},
        [SOURCE_ALAW] = {1, PCM_ALAW, true},  [SOURCE_AUDIO] = {0}};
    return types[format];
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

static double as_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* IEEE 754 binary16: 1 bit of sign, 5 of exponent, 10 of fraction. */
static float as_f16(uint64_t bits)
{
    const uint64_t sign = bits >> 15 << 31, exponent = bits >> 10 & 31, fraction = bits & 1023;
    if (exponent == 0) return (sign ? -0x1p-24F : 0x1p-24F) * (float)fraction;
    return as_f32(sign | (exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13);
}

static double as_float(pcm_type type, uint64_t bits)
{
    if (type.width == 8) return as_double(bits);
    return (double)(type.width == 4 ? as_f32(bits) : as_f16(bits));
}

static double as_integer(pcm_type type, uint64_t bits)
{
    const uint64_t half = (uint64_t)1 << (8 * type.width - 1);
    int64_t value;
    if (type.kind == PCM_UNSIGNED) {
        const double number = (double)bits;
        return type.is_scaled ? (number - (double)half) / (double)half : number;
    }
    if (bits & half) bits |= ~(2 * half - 1); /* two's complement of 64 bits */
    memcpy(&value, &bits, sizeof value);
    return type.is_scaled ? (double)value / (double)half : (double)value;
}

static double decode(pcm_type type, uint64_t bits)
{
    switch (type.kind) {
    case PCM_FLOAT: return as_float(type, bits);
    case PCM_ULAW: return (double)companded_ulaw((unsigned char)bits);
    case PCM_ALAW: return (double)companded_alaw((unsigned char)bits);
    default: return as_integer(type, bits);
    }
}

/* The i-th sample. Takes note of a value that is too large for float32. */
static double decode_one(const pcm *p, const unsigned char *bytes, size_t i)
{
    const pcm_type type = p->type;
    const uint64_t bits = bytes_load(bytes + i * type.width, type.width, p->big_endian);
    const double value = decode(type, bits);
    if (type.width == 8 && p->beyond && isinf((float)value) && isfinite(value))
        atomic_store(p->beyond, true);
    return value;
}

bool pcm_is_wide(const pcm *p)
{
    return p->type.width == 8 || (p->type.width == 4 && p->type.kind != PCM_FLOAT);
}

unsigned pcm_integer_bits(const pcm *p)
{
    const pcm_type t = p->type;
    if (t.kind == PCM_ULAW || t.kind == PCM_ALAW) return 16;
    return t.kind != PCM_FLOAT && t.is_scaled && t.width <= 4 ? 8 * (unsigned)t.width : 0;
}

void pcm_decode_doubles(const pcm *p, const unsigned char *bytes, double *samples, size_t n)
{
    for (size_t i = 0; i < n; i++) samples[i] = decode_one(p, bytes, i);
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
    return p->type.kind == PCM_FLOAT && p->type.width == 4 && p->big_endian == host_is_big_endian();
}

void pcm_decode(const pcm *p, const unsigned char *bytes, float *samples, size_t n)
{
    const pcm_type type = p->type;
    if (is_native(p)) {
        memcpy(samples, bytes, n * sizeof *samples);
        return;
    }
    if (type.kind == PCM_SIGNED && type.width == 2 && type.is_scaled) {
        decode_s16(p->big_endian != host_is_big_endian(), bytes, samples, n);
        return;
    }
    for (size_t i = 0; i < n; i++) samples[i] = (float)decode_one(p, bytes, i);
}

static size_t frame_bytes(const pcm *p)
{
    return p->type.width * p->channels;
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

void value_check_add(value_check *c, const unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n && !c->is_complete; i++) {
        const uint64_t bits = bytes_load(bytes + i * c->width, c->width, c->big_endian);
        const double size = fabs(c->width == 4 ? (double)as_f32(bits) : as_double(bits));
        if (!(size <= (double)1e30F) || (size > 0 && size < (double)FLT_MIN)) c->absurd++;
        c->is_complete = ++c->seen == VALUE_CHECK_MOST;
    }
}

bool value_check_fails(const value_check *c)
{
    return c->absurd > c->seen - c->absurd;
}

static void judge(const pcm *p, const unsigned char *bytes, size_t frames)
{
    if (p->check) value_check_add(p->check, bytes, frames * p->channels);
}

/* Read whole frames past the buffer; the bytes of an incomplete one go back. */
static size_t read_direct(const pcm *p, input *in, float *frames, size_t max, bool wait)
{
    const size_t frame = frame_bytes(p);
    const size_t got = input_read_direct(in, frames, max * frame, wait), rest = got % frame;
    judge(p, (const unsigned char *)frames, got / frame);
    if (rest) input_unread(in, (const unsigned char *)frames + got - rest, rest);
    return got / frame;
}

/* How many whole frames are buffered, of at most max. */
static size_t frames_there(const pcm *p, input *in, size_t max, bool wait)
{
    const size_t frame = frame_bytes(p);
    if (max > p->left) max = (size_t)p->left;
    if (max == 0 || (wait && !input_need(in, frame))) return 0;
    const size_t n = input_have(in) / frame;
    return n < max ? n : max;
}

/* n frames of the buffer were decoded. */
static void consume(pcm *p, input *in, size_t n)
{
    judge(p, input_bytes(in), n);
    input_consume(in, n * frame_bytes(p));
    count_down(p, n);
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
    const size_t n = frames_there(p, in, max, wait);
    pcm_decode(p, input_bytes(in), frames, n * p->channels);
    consume(p, in, n);
    return n;
}

size_t pcm_read_doubles(pcm *p, input *in, double *frames, size_t max, bool wait)
{
    const size_t n = frames_there(p, in, max, wait);
    pcm_decode_doubles(p, input_bytes(in), frames, n * p->channels);
    consume(p, in, n);
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
        pcm_decode(p, bytes, frames + done * p->channels, got * p->channels);
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
