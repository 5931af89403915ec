/*
 * getopt.h - getopt_long over a table of options; it words its errors. As getopt_long it has
 * globals: one command line at a time.
 */
#ifndef TOOLS_COMMON_OPTIONS_GETOPT_H
#define TOOLS_COMMON_OPTIONS_GETOPT_H

#include <getopt.h>
#include <stddef.h>

enum { GETOPT_MOST = 64, GETOPT_END = -1, GETOPT_BAD = -2 };

typedef struct {
    struct option names[GETOPT_MOST + 1];
    size_t n;
    char letters[2 * GETOPT_MOST + 2];
} getopt_table;

/* Empty the table, and begin a command line. */
void getopt_begin(getopt_table *table);

/* Add an option. key: the letter; above 255 if there is none. argument: NULL if it takes none. The
 * name is borrowed. Beyond GETOPT_MOST nothing is added. */
void getopt_add(getopt_table *table, int key, const char *name, const char *argument);

/* Returns the key of the next option, its argument in `optarg`. GETOPT_END: there is no more, and
 * operands begin at `optind`. GETOPT_BAD: error[size] has the reason. */
int getopt_next(const getopt_table *table, int argc, char **argv, char *error, size_t size);

#endif
