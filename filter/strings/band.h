/*
 * band.h - the matrix of two whole strings, as far as paths of at most k edits can lead.
 *
 *     row 0   \####                     a path from (0,0) through cell (i,t) to (m,n) has at least
 *             ##\####                   D(i,t) + |(m-i) - (n-t)| edits: Ukkonen (1985)
 *              ####\###
 *                ####\##                cells that may be on a path of at most k edits are #; the
 *     row m        ####\                others count as more than they are
 *            t=0        n
 *
 * The band is swept in steps of many columns. Behind each step it is narrowed to blocks of 64 rows
 * that may hold such a cell. Cells on a path of at most k edits are exact. So their chosen
 * neighbours are those of the whole matrix, since no cell counts as less than it is.
 */
#ifndef FILTER_STRINGS_BAND_H
#define FILTER_STRINGS_BAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/strings/strings.h"

typedef struct {
    const string_ops *kernel;
    const string_pattern *x; /* the rows */
    const unsigned char *y;  /* the columns: n letters */
    size_t n;
    uint64_t k;
} band;

/* A column of the band, behind letter t. */
typedef struct {
    size_t t;
    size_t first, end;  /* its blocks */
    int64_t above;      /* D of the row before block `first` */
    string_edge *words; /* of all blocks of x; owned by the caller */
} band_column;

/* Steps end at fixed columns, so that a sweep can go on from any of them. */
size_t band_steps(const band *b);                  /* from column 0 to column n */
size_t band_step_end(const band *b, size_t s);     /* the column behind s steps */
size_t band_step_stripes(const band *b, size_t t); /* stripes of 64 columns of the step from t on */

/* The column before letter 1. */
void band_begin(const band *b, band_column *c);

/* Narrow the band for the next step, and to blocks below `most`. false: it is empty, so D(m,n) > k
 */
bool band_narrow(const band *b, band_column *c, size_t most);

/* Sweep the next step; the band is narrowed. `tiles` as in tiles.h, for blocks [first, end). */
void band_step(const band *b, band_column *c, string_tile *tiles);

/* D(m,n), if it is at most k; else something above k. Column c is scratch. */
uint64_t band_distance(const band *b, band_column *c);

#endif
