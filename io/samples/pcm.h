/*
 * pcm.h - samples of a fixed width, decoded to float32 or to doubles as source.h describes. raw.c,
 * wav.c and npy.c share it. Reads may cut the input anywhere; out come whole frames.
 */
#ifndef IO_SAMPLES_PCM_H
#define IO_SAMPLES_PCM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "io/input.h"
#include "io/source.h"

typedef enum { PCM_FLOAT, PCM_SIGNED, PCM_UNSIGNED, PCM_ULAW, PCM_ALAW } pcm_kind;

/* What a sample is. Integers have 1 to 8 bytes, floats 2, 4 or 8, companded
 * samples 1. */
typedef struct {
    size_t width; /* bytes; 0: no samples */
    pcm_kind kind;
    bool is_scaled; /* integers lie in [-1, 1); else they keep their values */
} pcm_type;

/* Are raw floats plausible? Bytes of another format give numbers that no signal has. The first
 * samples are judged, however the reads cut them. */
enum { VALUE_CHECK_MOST = 4096 }; /* values that are judged */

typedef struct {
    size_t width; /* bytes of a value: 4 or 8 */
    bool big_endian;
    bool is_complete; /* no more values count */
    size_t seen;
    size_t absurd; /* not finite, beyond 1e30 in magnitude, or denormal as float32 but not 0 */
} value_check;

typedef struct pcm {
    pcm_type type;
    bool big_endian;
    size_t channels;
    uint64_t left;       /* frames still to come; UINT64_MAX: until the input ends */
    atomic_bool *beyond; /* set by a finite f64 that is too large for float32; may be NULL */
    value_check *check;  /* judges the samples that pcm_read gives; may be NULL */
} pcm;

/* The samples of a raw format, SOURCE_F32 to SOURCE_ALAW. Others have width 0. */
pcm_type pcm_type_of(source_format format);

/* Bytes of one sample; 0 for other than raw formats. */
static inline size_t pcm_width(source_format format)
{
    return pcm_type_of(format).width;
}

/* Can float32 not hold all values of these samples? */
bool pcm_is_wide(const pcm *p);

/* The bits of source_info.integer_bits for these samples. */
unsigned pcm_integer_bits(const pcm *p);

/* Decode n samples at `bytes`, which may have any alignment. Floats are the doubles, rounded. */
void pcm_decode(const pcm *p, const unsigned char *bytes, float *samples, size_t n);
void pcm_decode_doubles(const pcm *p, const unsigned char *bytes, double *samples, size_t n);

/* Wait for a frame, then read up to max of them. Returns their number. 0: none is left, or the
 * input ended; then less than a frame is buffered. Without `wait`, 0 may also mean that no whole
 * frame is there yet. */
size_t pcm_read(pcm *p, input *in, float *frames, size_t max, bool wait);
size_t pcm_read_doubles(pcm *p, input *in, double *frames, size_t max, bool wait);

/* The number of frames left in a regular file. */
uint64_t pcm_frames_left(const pcm *p, const input *in);

/* Read n frames of a regular file, beginning `at` frames ahead, and consume none. Returns their
 * number, fewer at the end. Several threads may read at the same time. */
size_t pcm_read_at(const pcm *p, const input *in, uint64_t at, float *frames, size_t n);

/* Skip n frames of a regular file. The next pcm_read reports a failure. */
void pcm_skip(pcm *p, input *in, uint64_t n);

/* Judge n more values, up to VALUE_CHECK_MOST in all: then the check is complete. `bytes` may have
 * any alignment. */
void value_check_add(value_check *c, const unsigned char *bytes, size_t n);

/* Are more than half of the values absurd? */
bool value_check_fails(const value_check *c);

#endif
