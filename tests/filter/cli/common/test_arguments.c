/* filter/cli/common/arguments.c. What it says: tests/cli/bad_takes. */
#include "filter/cli/common/arguments.h"

#include <string.h>

#include "tests/check.h"

typedef struct {
    shared_options o;
    const char *own;
    int n;
} mine;

static const char *set_own(void *user, const char *text)
{
    ((mine *)user)->own = text;
    ((mine *)user)->n++;
    return text && strcmp(text, "bad") == 0 ? "told so" : NULL;
}

static const argument_row rows[] = {
    {'o', "own", "X", "with an argument", set_own},
    {256, "plain", NULL, "without", set_own},
    {'t', "threshold", "X", "as sigrep's", NULL},
    ARGUMENTS_OF_INPUT,
};

static const argument_table table = {.program = "sigrep",
                                     .usage = "",
                                     .about = "",
                                     .rows = rows,
                                     .n_rows = sizeof rows / sizeof *rows,
                                     .end = ""};

static char text[256], *words[16];
static mine m;
static int operands;

static arguments_status parse(const char *line)
{
    int n = 0;
    strcpy(text, line);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) words[n++] = word;
    words[n] = NULL;
    shared_options_free(&m.o);
    m = (mine){.o = shared_options_defaults()};
    return arguments_parse(&table, &m, n, words, &operands);
}

static void own_options_and_operands(void)
{
    CHECK(parse("x a -o 1 b --plain --own=2") == ARGUMENTS_OK);
    CHECK(m.n == 3 && strcmp(m.own, "2") == 0);
    CHECK(operands == 5 && strcmp(words[5], "a") == 0 && strcmp(words[6], "b") == 0);
    CHECK(parse("x -- -o") == ARGUMENTS_OK && m.n == 0 && operands == 2);
}

static void options_of_sigrep(void)
{
    CHECK(parse("x -t 0.5 -p diff -f s16be -r 8000 --channels 2 --channel each") == ARGUMENTS_OK);
    CHECK(m.o.has_threshold && m.o.threshold == 0.5 && strcmp(m.o.front_end, "diff") == 0);
    CHECK(m.o.source.format == SOURCE_S16 && m.o.source.big_endian && m.o.source.rate_hz == 8000);
    CHECK(m.o.source.channels == 2 && m.o.source.choice == CHANNEL_EACH);
}

static void what_is_wrong_is_refused(void)
{
    CHECK(parse("x -o bad") == ARGUMENTS_BAD);
    CHECK(parse("x -o") == ARGUMENTS_BAD);
    CHECK(parse("x -t -1") == ARGUMENTS_BAD);
    CHECK(parse("x -z") == ARGUMENTS_BAD);
    CHECK(parse("x --plain=1") == ARGUMENTS_BAD);
    CHECK(parse("x --nothing") == ARGUMENTS_BAD);
}

int main(void)
{
    RUN(own_options_and_operands);
    RUN(options_of_sigrep);
    RUN(what_is_wrong_is_refused);
    return check_done();
}
