/*
 * cutter.h - cuts a stream of sound into takes by its pauses.
 *
 *     blocks of 10 ms    . . . . # # # . # # . . . . . . . . . . # #      # sound
 *     take                 |<----------------->|<---- pause ---->|
 *                         margin            margin
 *
 * The level leaves out DC and hum, below 80 Hz; the takes have them.
 *
 * A block is sound if its level is well above the noise floor. The floor is the level of the
 * quietest blocks: it falls at once and rises slowly. A take begins with three blocks of sound in a
 * row, ends with a pause, and has a margin on both sides.
 */
#ifndef TOOLS_SIGREP_RECORD_CUTTER_H
#define TOOLS_SIGREP_RECORD_CUTTER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    double rate_hz;
    double pause_s;    /* silence that ends a take */
    double shortest_s; /* shorter sounds are no takes */
    double longest_s;  /* longer sounds are cut off there, and the rest up to a pause is dropped */
    double above_db;   /* level of sound above the noise floor */
} cutter_rules;

/* A take, margins included. Valid during the callback. */
typedef struct {
    const float *samples;
    size_t n;
    double start_s; /* in the stream */
    bool was_cut;   /* it was longer than longest_s */
} cutter_take;

/* Returns true if no more takes are wanted. */
typedef bool cutter_fn(void *user, const cutter_take *take);

typedef struct cutter cutter;

/* NULL without memory. The caller destroys it. */
cutter *cutter_create(const cutter_rules *rules, cutter_fn *each, void *user);
void cutter_destroy(cutter *c);

/* The next n samples of one channel. Calls back for each complete take. Returns true once a
 * callback did: then push no more. */
bool cutter_push(cutter *c, const float *samples, size_t n);

/* A gap: the next n samples are missing. The noise floor stays, all else begins anew. A take whose
 * sound had ended is called back; one that still sounded is dropped. Sound of less than 30 ms
 * before the gap is forgotten. Returns as cutter_push. */
bool cutter_skip(cutter *c, size_t n);

/* The stream has ended, and with it a take. */
bool cutter_finish(cutter *c);

/* The level of the last block, in dB of full scale. */
double cutter_level_db(const cutter *c);

/* Has a take begun? */
bool cutter_is_in_take(const cutter *c);

#endif
