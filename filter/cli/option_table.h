/*
 * option_table.h - each option once: its names, its argument, its line in --help, its effect. The
 * tables of getopt_long and --help are made from it.
 */
#ifndef FILTER_CLI_OPTION_TABLE_H
#define FILTER_CLI_OPTION_TABLE_H

#include "filter/cli/options.h"

typedef struct {
    const char *name;     /* the long name */
    const char *argument; /* its name in --help; NULL: the option has none */
    const char *help;     /* lines joined by \n */
    /* Set the option. Returns NULL, or the reason why `argument` is wrong. */
    const char *(*set)(options *o, const char *argument);
    size_t flag;    /* without `set`: the offset of a bool in options, which becomes true */
    int key;        /* the letter; above 255 if there is none; 0: a heading */
    bool is_shared; /* shared_options_set sets it */
} option_row;

extern const option_row option_rows[];
extern const size_t option_rows_count;

#endif
