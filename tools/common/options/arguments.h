/*
 * arguments.h - the command line of a program, as a table of its options.
 *
 *     argument_table --> arguments_parse --> the program's struct
 *                    --> arguments_answer --> --help, --version, an error and a hint
 */
#ifndef TOOLS_COMMON_OPTIONS_ARGUMENTS_H
#define TOOLS_COMMON_OPTIONS_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/common/messages/messages.h"

enum { ARGUMENTS_ERROR_SIZE = 512 };

typedef enum {
    ARGUMENTS_OK,
    ARGUMENTS_BAD,  /* the error has the reason */
    ARGUMENTS_NONE, /* nothing is named that the program could work on */
    ARGUMENTS_HELP,
    ARGUMENTS_VERSION
} arguments_status;

/* An option, or a heading between options. */
typedef struct {
    int key;              /* the letter; above 255 if there is none */
    const char *name;     /* the long name; NULL: `help` is a heading */
    const char *argument; /* its name in --help; NULL: the option takes none */
    const char *help;     /* lines joined by \n */
    /* Set the option in *user. Returns NULL, or the reason why `argument` is refused. Without `set`
     * an option with an argument is one of shared_options, with which *user begins. */
    const char *(*set)(void *user, const char *argument);
    size_t flag; /* without `set` and argument: the offset of a bool in *user, which becomes true */
} argument_row;

#define ARGUMENT_HEADING(text)                                                                     \
    {                                                                                              \
        .help = (text)                                                                             \
    }
#define ARGUMENT(letter, long_name, takes, setter, text)                                           \
    {                                                                                              \
        .key = (letter), .name = (long_name), .argument = (takes), .help = (text), .set = (setter) \
    }
#define ARGUMENT_SHARED(letter, long_name, takes, text)                                            \
    ARGUMENT(letter, long_name, takes, NULL, text)
#define ARGUMENT_FLAG(letter, long_name, type, member, text)                                       \
    {                                                                                              \
        .key = (letter), .name = (long_name), .help = (text), .flag = offsetof(type, member)       \
    }

/* The rows of --help and --version are added to all tables. */
typedef struct {
    const char *program;
    const char *usage; /* what follows "Usage: " */
    const char *about; /* the lines of --help before the options */
    const argument_row *rows;
    size_t n_rows;
    const char *end; /* the lines of --help after them */
    /* Take what is no option; on ARGUMENTS_BAD error[ARGUMENTS_ERROR_SIZE] has the reason. */
    arguments_status (*take_operands)(void *user, int n, char **operands, char *error);
} argument_table;

/* Parse argv, which may be reordered, into *user. Prints nothing. From here on messages bear the
 * program's name. */
arguments_status arguments_parse(const argument_table *table, void *user, int argc, char **argv,
                                 char error[ARGUMENTS_ERROR_SIZE]);

/* Write the reason into error[ARGUMENTS_ERROR_SIZE]; ARGUMENTS_BAD. */
arguments_status arguments_bad(char *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Print what a status other than ARGUMENTS_OK asks for. Returns the exit status. */
int arguments_answer(const argument_table *table, arguments_status status, const char *error);

#endif
