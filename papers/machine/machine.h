/*
 * machine.h - the memory machines of Nakano: DMM, UMM and HMM.
 *
 *     block 0     block 1     block 2      threads, in warps of w; a warp sends at most one request
 *        |           |           |         a thread, and waits until all of them are completed
 *      MMU         MMU          MMU        one stage a time unit; latency l or L to complete one
 *     shared      shared      shared       DMM: w banks, a stage takes one address of each
 *        `-----------+-----------'
 *                   MMU
 *                  global                  UMM: address groups of w words, a stage takes one group
 *
 * An algorithm calls machine_read, machine_write and machine_wait for one block after the other.
 * Values move at once, and requests are recorded. machine_run then dispatches what was recorded and
 * adds up time units. A DMM is one block with its shared memory, a UMM is one block with the global
 * one. Blocks see what others wrote after machine_run alone.
 */
#ifndef PAPERS_MACHINE_MACHINE_H
#define PAPERS_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MACHINE_IDLE SIZE_MAX /* the address of a thread without a request */

typedef enum { MACHINE_SHARED, MACHINE_GLOBAL } machine_memory;

typedef struct {
    size_t width;           /* w: banks of a memory, words of a group, threads of a warp */
    size_t dmms;            /* d; block b runs on DMM b mod d */
    size_t latency[2];      /* time units, of shared and of global memory: l and L */
    size_t words[2];        /* shared memory of each block, global memory */
    size_t blocks, threads; /* threads: of each block */
    size_t resident;        /* most blocks that a DMM works on at the same time */
    bool watched;           /* count hazards: accesses of two warps that race */
} machine_shape;

/* What was counted, of each memory. */
typedef struct {
    size_t warps;  /* dispatched */
    size_t stages; /* of the pipeline; more than warps: by bank conflicts or several groups */
} machine_traffic;

typedef struct {
    size_t units;  /* time units if warps run on to the next machine_wait */
    size_t rounds; /* time units if all threads wait after each access, as the papers count */
    machine_traffic traffic[2];
    size_t hazards; /* 0 if the machine is not watched */
} machine_count;

typedef struct machine machine;

/* All latencies and sizes are at least 1, words may be 0. NULL: out of memory. All cells are NAN.
 */
machine *machine_create(const machine_shape *shape);
void machine_destroy(machine *self);

const machine_shape *machine_shape_of(const machine *self);
/* The cells of a memory, to place inputs there without requests. */
double *machine_cells(machine *self, machine_memory where, size_t block);

/* n accesses: thread t of the block makes those with the numbers t, t + threads, ... So they are
 * ceil(n / threads) rounds. Addresses are below words[where], or MACHINE_IDLE, for which `to` stays
 * as it was. */
void machine_read(machine *self, size_t block, machine_memory where, size_t n, const size_t *at,
                  double *to);
/* If two threads write to one address, the higher number wins. */
void machine_write(machine *self, size_t block, machine_memory where, size_t n, const size_t *at,
                   const double *from);
/* One access of a thread by itself. */
double machine_read_one(machine *self, size_t block, machine_memory where, size_t at);
void machine_write_one(machine *self, size_t block, machine_memory where, size_t at, double value);
/* A barrier: the block's threads go on when all of its requests are completed. */
void machine_wait(machine *self, size_t block);

/* Dispatch all that was recorded; the next request comes after all of them. All blocks have made
 * the same calls, or none. false: out of memory, now or before. */
bool machine_run(machine *self);
machine_count machine_counts(const machine *self);

/* Pipeline stages of one warp's n requests: by banks or by address groups. */
size_t machine_stages(machine_memory where, size_t width, size_t n, const size_t *at);

#endif
