/*
 * step.h - 64 cells of a column go on to the next column (Myers, JACM 46, 1999; Hyyrö, 2003).
 *
 * D rises or falls by one, or stays: along the column from cell to cell, and across from column to
 * column. Cell 0 is the word's lowest bit. With rows for columns, and letters for rows, a row goes
 * on to the next row likewise.
 */
#ifndef KERNELS_STRINGS_STEP_H
#define KERNELS_STRINGS_STEP_H

#include <stdint.h>

typedef struct {
    uint64_t rise, fall; /* along the new column */
    uint64_t level;      /* diagonals without cost */
    uint64_t ups, downs; /* across: up to the new column, and down */
} string_step_words;

/* same: cells whose letters match. rise, fall: along the old column. up, down: 1 if the cell before
 * cell 0 goes up or down across. */
static inline string_step_words string_step(uint64_t same, uint64_t rise, uint64_t fall,
                                            uint64_t up, uint64_t down)
{
    const uint64_t x = same | fall | down;
    const uint64_t level = (((x & rise) + rise) ^ rise) | x;
    const uint64_t ups = fall | ~(rise | level), downs = rise & level;
    const uint64_t ups_before = ups << 1 | up, downs_before = downs << 1 | down;
    return (string_step_words){.rise = downs_before | ~(level | ups_before),
                               .fall = ups_before & level,
                               .level = level,
                               .ups = ups,
                               .downs = downs};
}

#endif
