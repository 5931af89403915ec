/*
 * turn.h - inputs are searched side by side, and printed one after the other.
 *
 *     input 1   search, print ---------------------|
 *     input 2   search, hold ----------------------| print, search on, print ----|
 *     input 3       search, hold, leave ...                                      | printed
 *     input 4                          search, hold ---------- wait -------------| print ...
 *
 * What an input has to print is done at once if it is its turn. Else it is held in memory, in
 * order, up to TURN_HELD bytes; then the input waits for its turn. If the input ends before its
 * turn, it leaves what is held with the turnstile, and its thread is free. The thread that ends the
 * input before it does what was left. Inputs are numbered from 0, and have their turns in that
 * order.
 *
 * The groups of a table (--group-by) share the turn of their input. What they have to print is held
 * with the row that it belongs to, and now and then merged in the order of rows:
 *
 *     group a    row 1, row 7 --+
 *     group b    row 5, row 7 --+-- turns_merge --> 1 a, 5 b, 7 a, 7 b
 */
#ifndef TOOLS_SIGREP_OUTPUT_TURN_H
#define TOOLS_SIGREP_OUTPUT_TURN_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "io/text_buffer.h"

enum {
    TURN_HELD = 1 << 20, /* bytes of an input */
    TURN_LEFT = 1 << 24, /* bytes of all inputs that have ended */
    TURN_AHEAD = 1024    /* inputs from the one whose turn it is to the last that may have ended */
};

/* What an input has left. */
typedef struct {
    bool is_there;
    text_buffer held;
} left_turn;

typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t has_moved;
    const atomic_bool *over;
    size_t number;              /* of the input whose turn it is */
    left_turn left[TURN_AHEAD]; /* of input k: k % TURN_AHEAD */
    size_t left_bytes;
} turnstile;

typedef struct {
    turnstile *stile;
    size_t number;        /* of the input */
    atomic_bool has_come; /* nothing is held any more */
    text_buffer held;
    bool is_by_rows; /* of a group of the input whose turn it is: all is held until turns_merge */
    uint64_t row;    /* that what comes next belongs to; it never falls */
} turn;

/* `data` may be NULL. */
typedef void turn_fn(void *user, const void *data, size_t n);

/* Once *over is set, nothing that is held is done any more. */
void turnstile_init(turnstile *s, const atomic_bool *over);
void turnstile_destroy(turnstile *s);

/* Begin an input. Each input that began must end; one thread calls all functions of a turn. What is
 * held may be done by another thread after turn_end. */
void turn_begin(turn *t, turnstile *stile, size_t number);

/* Begin a group, from now on at row 0. Only turn_hold, turn_do and turns_merge do anything then. */
void turn_begin_by_rows(turn *t, turnstile *stile);

/* Do what these groups have held, in the order of rows, then in that of the groups. No other thread
 * uses them meanwhile. false: out of memory; nothing is lost. */
bool turns_merge(turn *const *turns, size_t n);

/* Hold the call fn(user, data, n), with a copy of the data. false: not held, since the turn has
 * come, or since too much is held. */
bool turn_hold(turn *t, turn_fn *fn, void *user, const void *data, size_t n);

/* Call fn(user, data, n) in its turn: now, or later with a copy of the data. */
void turn_do(turn *t, turn_fn *fn, void *user, const void *data, size_t n);

/* If the turn has come, do what was held. */
void turn_look(turn *t);

/* Wait for the turn, and do what was held. */
void turn_wait(turn *t);

/* The input has ended. If its turn has not come, it waits only while too much is left. Otherwise
 * the next one's turn comes, and what inputs after it have left is done. */
void turn_end(turn *t);

#endif
