/*
 * decimal_pair.h - two whole numbers between a comma, in a table without names: two columns, or one
 * with a decimal comma?
 *
 *     20,05  -0,5    one: nobody writes whole numbers so
 *     20,5           one, perhaps
 *     1767268800,5   two: a time, as is 0, 100, 200 ...
 *     20,5 7,10      two: decimals would be as long, or end in no 0
 *     20,0 21,1      two: a flag, as is what never changes
 *     20,4 93,5 ...  two, if only these two or three digits begin the second number
 */
#ifndef IO_TABLES_DECIMAL_PAIR_H
#define IO_TABLES_DECIMAL_PAIR_H

#include <stdint.h>

#include "io/tables/row.h"

typedef enum {
    PAIR_OPEN,    /* so far */
    PAIR_SURE,    /* two columns; look no more */
    PAIR_DECIMAL, /* one value: this row has a 0 after the comma, and more, or -0 */
} pair_kind;

typedef struct {
    size_t rows;
    size_t width;        /* digits after the comma, of the first row */
    uint64_t whole;      /* before the comma, of the last row */
    uint64_t step;       /* to that from the row before */
    uint64_t places;     /* after the comma, of the first row */
    size_t n_steps;      /* rows in sequence that have this step, which is not 0 */
    int64_t least, most; /* of the first numbers */
    unsigned digits;     /* the first ones after the comma, one a bit */
    bool widths_differ, ends_in_0, falls;
    bool is_varied; /* the second numbers are no flag, and not all the same */
} decimal_pair;

/* Begin with a zeroed one. `r` has two fields, separated by a comma. */
pair_kind decimal_pair_look(decimal_pair *p, const row *r);

/* Is it likely, after all rows or the first ones, that the pairs are decimals? */
bool decimal_pair_is_likely(const decimal_pair *p);

#endif
