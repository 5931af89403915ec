/*
 * hazard.h - do warps race? Between two barriers no warp may write what another one reads, nor
 * another value to where one wrote. Blocks are apart until machine_run.
 *
 *     W(0)  write 7 --------- barrier ---          W(1) reads 7 before the barrier: a hazard, since
 *     W(1)            read 7 -                     either may be dispatched first
 */
#ifndef PAPERS_MACHINE_HAZARD_H
#define PAPERS_MACHINE_HAZARD_H

#include <stdbool.h>
#include <stdint.h>

/* Who used a cell, and when: runs and barriers count from 1. */
typedef struct {
    uint32_t run, block, barrier, warp;
} hazard_use;

/* The last uses of a cell; zeroed at first. */
typedef struct {
    hazard_use write, read;
} hazard_cell;

/* Add a use. true: it is a hazard. `changes`: the value is another than before. */
bool hazard_read(hazard_cell *cell, const hazard_use *use);
bool hazard_write(hazard_cell *cell, const hazard_use *use, bool changes);

#endif
