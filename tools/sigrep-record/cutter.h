/*
 * cutter.h - cuts a stream of sound into takes by its pauses.
 *
 *     blocks of 10 ms    . . . . # # . # # # . . . . . . . . . . # #
 *     take                   |<--------------->|<---- pause ---->|
 *                          margin            margin
 *
 * A block is sound if its level is well above the noise floor, which follows the quietest blocks:
 * at once down, slowly up. A take begins where enough of a few blocks are sound, ends with a pause,
 * and keeps a margin on both sides.
 */
#ifndef TOOLS_SIGREP_RECORD_CUTTER_H
#define TOOLS_SIGREP_RECORD_CUTTER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    double rate_hz;
    double pause_s;    /* of silence that end a take */
    double shortest_s; /* sounds that are shorter are no takes */
    double longest_s;  /* longer ones are cut off there, and nothing is a take up to a pause */
    double above_db;   /* of the noise floor */
} cutter_rules;

/* A take, margins included. Valid during the callback. */
typedef struct {
    const float *samples;
    size_t n;
    double start_s; /* in the stream */
    bool was_cut;   /* it was longer than longest_s */
} cutter_take;

/* Non-zero: no more takes are wanted. */
typedef int cutter_fn(void *user, const cutter_take *take);

typedef struct cutter cutter;

/* NULL without memory. The caller destroys it. */
cutter *cutter_create(const cutter_rules *rules, cutter_fn *each, void *user);
void cutter_destroy(cutter *c);

/* The next n samples of one channel. Calls back for each take that is complete; non-zero once a
 * callback was. */
int cutter_push(cutter *c, const float *samples, size_t n);

/* The stream has ended, and so has a take. */
int cutter_finish(cutter *c);

/* The level of the last block, in dB of full scale. */
double cutter_level_db(const cutter *c);

/* Is a take being recorded? */
bool cutter_is_in_take(const cutter *c);

#endif
