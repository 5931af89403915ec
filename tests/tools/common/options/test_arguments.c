/* tools/common/options/arguments.c. What it prints: tests/cli/bad_takes, tests/cli/usage. */
#include "tools/common/options/arguments.h"

#include <string.h>

#include "tests/check.h"
#include "tools/common/options/shared_options.h"

typedef struct {
    shared_options o;
    const char *own;
    int n;
    bool plain;
    int n_operands;
    char **operands;
} mine;

static const char *set_own(void *user, const char *text)
{
    ((mine *)user)->own = text;
    ((mine *)user)->n++;
    return text && strcmp(text, "bad") == 0 ? "so bad" : NULL;
}

static arguments_status take_operands(void *user, int n, char **operands, char *error)
{
    mine *m = user;
    m->n_operands = n;
    m->operands = operands;
    return n == 0 ? ARGUMENTS_NONE : n > 2 ? arguments_bad(error, "%d", n) : ARGUMENTS_OK;
}

static const argument_row rows[] = {
    ARGUMENT_HEADING("Options:"),
    ARGUMENT('o', "own", "X", set_own, "with an argument"),
    ARGUMENT(256, "alone", NULL, set_own, "without"),
    ARGUMENT_FLAG(257, "plain", mine, plain, "a flag"),
    ARGUMENT_SHARED('t', "threshold", "X", "as sigrep's"),
    ARGUMENTS_OF_INPUT,
};

static const argument_table table = {.program = "sigrep",
                                     .usage = "",
                                     .about = "",
                                     .rows = rows,
                                     .n_rows = sizeof rows / sizeof *rows,
                                     .end = "",
                                     .take_operands = take_operands};

static char text[256], *words[16], error[ARGUMENTS_ERROR_SIZE];
static mine m;

static arguments_status parse(const char *line)
{
    int n = 0;
    strcpy(text, line);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) words[n++] = word;
    words[n] = NULL;
    shared_options_free(&m.o);
    m = (mine){.o = shared_options_defaults()};
    return arguments_parse(&table, &m, n, words, error);
}

static void own_options_and_operands(void)
{
    CHECK(parse("x a -o 1 b --alone --own=2") == ARGUMENTS_OK && !m.plain);
    CHECK(m.n == 3 && strcmp(m.own, "2") == 0);
    CHECK(m.n_operands == 2 && !strcmp(m.operands[0], "a") && !strcmp(m.operands[1], "b"));
    CHECK(parse("x --plain -- -o") == ARGUMENTS_OK && m.n == 0 && m.plain);
    CHECK(m.n_operands == 1 && strcmp(m.operands[0], "-o") == 0);
}

static void options_of_sigrep(void)
{
    CHECK(parse("x -t 0.5 -f s16be -r 8000 --channels 2 --channel each a") == ARGUMENTS_OK);
    CHECK(m.o.has_threshold && m.o.threshold == 0.5);
    CHECK(m.o.source.format == SOURCE_S16 && m.o.source.big_endian && m.o.source.rate_hz == 8000);
    CHECK(m.o.source.channels == 2 && m.o.source.choice == CHANNEL_EACH);
}

static void help_and_version_end_the_parsing(void)
{
    CHECK(parse("x --plain --help -o bad") == ARGUMENTS_HELP && m.plain);
    CHECK(parse("x --help=all -o bad") == ARGUMENTS_HELP_ALL);
    CHECK(parse("x --help=some") == ARGUMENTS_BAD && strstr(error, "--help 'some': not all"));
    CHECK(parse("x --version -z") == ARGUMENTS_VERSION);
    CHECK(parse("x -z --help") == ARGUMENTS_BAD);
}

static bool refuses(const char *line, const char *reason)
{
    return parse(line) == ARGUMENTS_BAD && strcmp(error, reason) == 0;
}

static void bad_options_are_refused(void)
{
    CHECK(refuses("x -o bad", "--own 'bad': so bad"));
    CHECK(refuses("x -o", "option '-o' needs an argument"));
    CHECK(refuses("x -t -1", "--threshold '-1': neither auto nor a number, 0 or above"));
    CHECK(refuses("x -z", "unknown option '-z'"));
    CHECK(refuses("x --plain=1", "option '--plain' takes no argument"));
    CHECK(refuses("x --nothing", "unknown option '--nothing'"));
    CHECK(refuses("x 1 2 3", "3"));
    CHECK(parse("x") == ARGUMENTS_NONE && error[0] == '\0');
}

int main(void)
{
    RUN(own_options_and_operands);
    RUN(options_of_sigrep);
    RUN(help_and_version_end_the_parsing);
    RUN(bad_options_are_refused);
    shared_options_free(&m.o);
    return check_done();
}
