/*
 * column_list.h - the LIST of --columns:
 *
 *     2,4-6          numbers and ranges, from 1
 *     x,y,engine-2   names, which the header of the input must have; all items may be mixed
 */
#ifndef TOOLS_COMMON_OPTIONS_COLUMN_LIST_H
#define TOOLS_COMMON_OPTIONS_COLUMN_LIST_H

#include <stddef.h>

enum { COLUMN_MOST = 1 << 20 /* the largest number of a column */ };

/* Column i is numbers[i]; or, if that is 0, the one named names[i]. */
typedef struct {
    size_t *numbers;
    const char **names;
    size_t n;
    char *text; /* that the names point into */
} column_list;

/* Parse LIST into *l, which is freed first. NULL, or why it is refused; then *l is empty. */
const char *column_list_parse(column_list *l, const char *text);
void column_list_free(column_list *l);

#endif
