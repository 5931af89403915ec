/*
 * arguments.h - the command lines of sigrep-train, sigrep-calibrate and sigrep-record: a table of
 * options, from which both getopt_long's tables and --help are made.
 */
#ifndef FILTER_CLI_COMMON_ARGUMENTS_H
#define FILTER_CLI_COMMON_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "filter/cli/common/shared_options.h"

typedef struct {
    int key;              /* the letter; above 255 where there is none */
    const char *name;     /* the long name */
    const char *argument; /* what it is called in --help; NULL: none is taken */
    const char *help;     /* lines joined by \n */
    /* Set the option in *user. NULL, or why `argument` will not do. Where there is no `set`, it is
     * sigrep's option of that name, and *user begins with a shared_options. */
    const char *(*set)(void *user, const char *argument);
} argument_row;

/* How recordings are read and compared, as for sigrep. */
#define ARGUMENTS_OF_INPUT                                                                         \
    {'p', "front-end", "F",                                                                        \
     "what is compared, as for sigrep, but by default\nspeech for audio; raw for numbers", NULL},  \
        {'f', "format", "F", "auto (default), text, or raw: f32 f64 s16 ...", NULL},               \
        {'r', "rate", "HZ", "samples a second of raw and text input", NULL},                       \
        {300, "channels", "N", "values a sample of raw and text input", NULL},                     \
    {                                                                                              \
        301, "channel", "K|mix|each", "audio: one channel, the mean (default), or all", NULL       \
    }

typedef struct {
    const char *program;
    const char *usage; /* what follows "Usage: " */
    const char *about; /* lines of --help before the options */
    const argument_row *rows;
    size_t n_rows;
    const char *end; /* lines of --help behind them */
} argument_table;

typedef enum {
    ARGUMENTS_OK,
    ARGUMENTS_BAD,   /* said on standard error, or standard output failed: exit with 2 */
    ARGUMENTS_ANSWER /* --help or --version was printed: exit with 0 */
} arguments_status;

/* Parse argv, which may be reordered; *operands is the index of the first operand. --help and
 * --version are understood beside the table's. What is said bears the program's name. */
arguments_status arguments_parse(const argument_table *table, void *user, int argc, char **argv,
                                 int *operands);

/* Say that the command line is wrong; ARGUMENTS_BAD. */
arguments_status arguments_bad(const argument_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
