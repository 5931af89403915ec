/*
 * getopt.h - getopt_long over a table of options, and in words what it does not like: for
 * sigrep and its companions. As getopt_long it has globals: one command line at a time.
 */
#ifndef FILTER_CLI_COMMON_GETOPT_H
#define FILTER_CLI_COMMON_GETOPT_H

#include <getopt.h>
#include <stddef.h>

enum { GETOPT_MOST = 64, GETOPT_END = -1, GETOPT_BAD = -2 };

typedef struct {
    struct option names[GETOPT_MOST + 1];
    size_t n;
    char letters[2 * GETOPT_MOST + 2];
} getopt_table;

/* An empty table, and a command line from its beginning on. */
void getopt_begin(getopt_table *table);

/* key: the letter; above 255 where there is none. argument: NULL: none is taken. The name is
 * borrowed. At most GETOPT_MOST of them. */
void getopt_add(getopt_table *table, int key, const char *name, const char *argument);

/* The key of the next option, its argument in `optarg`; GETOPT_END where none is left: operands
 * begin at `optind` then. GETOPT_BAD: error[size] says what is wrong. */
int getopt_next(const getopt_table *table, int argc, char **argv, char *error, size_t size);

#endif
