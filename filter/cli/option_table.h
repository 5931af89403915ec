/*
 * options_table.h - every option once: its names, what it takes, what --help says
 * of it and what it does. getopt_long's tables and --help are both made from it.
 */
#ifndef FILTER_CLI_OPTION_TABLE_H
#define FILTER_CLI_OPTION_TABLE_H

#include "filter/cli/options.h"

typedef struct {
    int key;              /* the letter; above 255 where there is none; 0: a heading */
    const char *name;     /* the long name */
    const char *argument; /* what it is called in --help; NULL: none is taken */
    const char *help;     /* lines joined by \n */
    /* Set the option. NULL, or why `argument` will not do. */
    const char *(*set)(options *o, const char *argument);
    bool is_shared; /* set by shared_options_set instead */
    size_t flag;    /* neither: the offset of a bool in options that becomes true */
} option_row;

extern const option_row option_rows[];
extern const size_t option_rows_count;

#endif
