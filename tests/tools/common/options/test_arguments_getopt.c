/* tools/common/options/arguments.c: what getopt_long does not like, in words. */
#include <stdio.h>
#include <string.h>

#include "tests/check.h"
#include "tools/common/options/arguments.h"

typedef struct {
    bool all, length;
    const char *to;
    uint64_t level;
    int n_operands;
    char **operands;
} mine;

static arguments_status take_operands(void *user, int n, char **operands, char *error)
{
    mine *m = user;
    (void)error;
    m->n_operands = n;
    m->operands = operands;
    return ARGUMENTS_OK;
}

static const argument_row rows[] = {
    ARGUMENT_FLAG('a', "all", mine, all, ""),
    ARGUMENT_TEXT('t', "to", "X", mine, to, NULL, ""),
    ARGUMENT_WHOLE(256, "level", "N", mine, level, 1, 9, ""),
    ARGUMENT_FLAG(257, "length", mine, length, ""),
};

static char text[256], *words[16], error[ARGUMENTS_ERROR_SIZE];
static mine m;

static arguments_status parse(const char *line)
{
    const argument_table table = {.program = "x",
                                  .rows = rows,
                                  .n_rows = sizeof rows / sizeof *rows,
                                  .take_operands = take_operands};
    int n = 0;
    strcpy(text, line);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) words[n++] = word;
    words[n] = NULL;
    m = (mine){.level = 0};
    return arguments_parse(&table, &m, n, words, error);
}

static void options_come_one_by_one(void)
{
    CHECK(parse("x -at5 one --level=3 --len -- -a two") == ARGUMENTS_OK);
    CHECK(m.all && strcmp(m.to, "5") == 0 && m.level == 3 && m.length);
    CHECK(m.n_operands == 3);
    CHECK(strcmp(m.operands[0], "one") == 0 && strcmp(m.operands[1], "-a") == 0);
}

/* Is this the error of the line? */
static bool reports(const char *line, const char *wanted)
{
    return parse(line) == ARGUMENTS_BAD && strcmp(error, wanted) == 0;
}

static void what_is_wrong_has_words(void)
{
    CHECK(reports("x -z", "unknown option '-z'"));
    CHECK(reports("x -az", "unknown option '-z'"));
    CHECK(reports("x --nothing=2", "unknown option '--nothing'"));
    CHECK(reports("x --le", "option '--le' is ambiguous"));
    CHECK(reports("x --all=2", "option '--all' takes no argument"));
    CHECK(reports("x -a -t", "option '-t' needs an argument"));
    CHECK(reports("x --level", "option '--level' needs an argument"));
    CHECK(reports("x --level 10", "--level '10': not a whole number from 1 to 9"));
}

/* At most a third of the letters may be wrong, and none of 2. */
static void the_nearest_name_is_offered(void)
{
    CHECK(reports("x --lenght=3", "unknown option '--lenght'; did you mean '--length'?"));
    CHECK(reports("x --levels", "unknown option '--levels'; did you mean '--level'?"));
    CHECK(reports("x --lavol", "unknown option '--lavol'"));
    CHECK(reports("x --ql", "unknown option '--ql'"));
    CHECK(reports("x --levellevellevellevellevellevellevel",
                  "unknown option '--levellevellevellevellevellevellevel'"));
}

int main(void)
{
    RUN(options_come_one_by_one);
    RUN(what_is_wrong_has_words);
    RUN(the_nearest_name_is_offered);
    return check_done();
}
