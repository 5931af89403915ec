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
#include <stdint.h>

#include "io/text_buffer.h"

enum { ARGUMENTS_ERROR_SIZE = 512, ARGUMENTS_MOST = 96 /* rows of a table that are options */ };

typedef enum {
    ARGUMENTS_OK,
    ARGUMENTS_BAD,  /* the error has the reason */
    ARGUMENTS_NONE, /* nothing is named that the program could work on */
    ARGUMENTS_HELP,
    ARGUMENTS_HELP_ALL,
    ARGUMENTS_VERSION
} arguments_status;

/* How an option is set. */
typedef enum {
    ARGUMENT_BY_SETTER, /* but a heading is set by nobody */
    ARGUMENT_AS_SHARED, /* one of shared_options, with which *user begins */
    /* The field of *user becomes: */
    ARGUMENT_TO_VALUE, /* `value`: of an enum, or true for a bool */
    ARGUMENT_TO_TEXT,  /* the argument, which is empty only without `refusal` */
    ARGUMENT_TO_WHOLE, /* a uint64_t from `min` to `max` */
    ARGUMENT_TO_REAL   /* a double from `least` to `most` */
} argument_kind;

/* An option, or a heading between options. */
typedef struct {
    int key;              /* the letter; 0, or above 255, if there is none */
    const char *name;     /* the long name; NULL: `help` is a heading */
    const char *argument; /* its name in --help; NULL: the option takes none; "[=name]": or none */
    const char *help;     /* lines joined by \n */
    argument_kind kind;
    /* Set the option in *user. Returns NULL, or the reason why `argument` is refused. */
    const char *(*set)(void *user, const char *argument);
    size_t field, size; /* of *user: offset and bytes */
    int value;
    uint64_t min, max;
    double least, most;
    const char *refusal; /* why an argument is refused */
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
    {                                                                                              \
        .key = (letter), .name = (long_name), .argument = (takes), .help = (text),                 \
        .kind = ARGUMENT_AS_SHARED                                                                 \
    }
#define ARGUMENT_FIELD(letter, long_name, takes, type, member, text)                               \
    .key = (letter), .name = (long_name), .argument = (takes), .help = (text),                     \
    .field = offsetof(type, member), .size = sizeof(((type *)0)->member)
#define ARGUMENT_CHOICE(letter, long_name, type, member, becomes, text)                            \
    {                                                                                              \
        ARGUMENT_FIELD(letter, long_name, NULL, type, member, text), .kind = ARGUMENT_TO_VALUE,    \
                                                                     .value = (becomes)            \
    }
#define ARGUMENT_FLAG(letter, long_name, type, member, text)                                       \
    ARGUMENT_CHOICE(letter, long_name, type, member, true, text)
#define ARGUMENT_TEXT(letter, long_name, takes, type, member, if_empty, text)                      \
    {                                                                                              \
        ARGUMENT_FIELD(letter, long_name, takes, type, member, text), .kind = ARGUMENT_TO_TEXT,    \
                                                                      .refusal = (if_empty)        \
    }
#define ARGUMENT_WHOLE(letter, long_name, takes, type, member, from, to, text)                     \
    {                                                                                              \
        ARGUMENT_FIELD(letter, long_name, takes, type, member, text), .kind = ARGUMENT_TO_WHOLE,   \
                                                                      .min = (from), .max = (to)   \
    }
#define ARGUMENT_REAL(letter, long_name, takes, type, member, from, to, else_, text)               \
    {                                                                                              \
        ARGUMENT_FIELD(letter, long_name, takes, type, member, text),                              \
            .kind = ARGUMENT_TO_REAL, .least = (from), .most = (to), .refusal = (else_)            \
    }

/* The rows of --help and --version are added to all tables. */
typedef struct {
    const char *program;
    const char *usage;      /* what follows "Usage: " */
    const char *short_help; /* what --help prints after it, instead of all; NULL: all */
    const char *about;      /* the lines of --help=all before the options */
    const argument_row *rows;
    size_t n_rows;
    const char *end; /* the lines of --help=all after them */
    /* Take what is no option; on ARGUMENTS_BAD error[ARGUMENTS_ERROR_SIZE] has the reason. */
    arguments_status (*take_operands)(void *user, int n, char **operands, char *error);
} argument_table;

/* Parse argv, which may be reordered, into *user. Prints nothing. From here on messages bear the
 * program's name. */
arguments_status arguments_parse(const argument_table *table, void *user, int argc, char **argv,
                                 char error[ARGUMENTS_ERROR_SIZE]);

/* An option that may be given, for rules about options that exclude each other. */
typedef struct {
    bool is_given;
    const char *name;
} given_option;

/* The name of the first one that is given; NULL: none is. */
const char *arguments_first_given(const given_option *all, size_t n);

/* Write the reason into error[ARGUMENTS_ERROR_SIZE]; ARGUMENTS_BAD. */
arguments_status arguments_bad(char *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * How --help shows a row: a heading after a blank line, or the lines of an option.
 *
 *     "  -t, --threshold X          report matches with score <= X"
 *     "                             (mean cost per template sample)"
 *
 * The first line of its help stands beside the names, unless they are too long.
 */
void arguments_add_help(text_buffer *out, const argument_row *row);

/* Print what a status other than ARGUMENTS_OK asks for. Returns the exit status. */
int arguments_answer(const argument_table *table, arguments_status status, const char *error);

#endif
