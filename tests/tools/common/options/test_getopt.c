/* tools/common/options/getopt.c: what getopt_long does not like, in words. */
#include "tools/common/options/getopt.h"

#include <stdio.h>
#include <string.h>

#include "tests/check.h"

enum { KEY_LEVEL = 256, KEY_LENGTH };

static char text[256], *words[16], error[80];
static int n_words;
static getopt_table table;

static void begin(const char *line)
{
    n_words = 0;
    strcpy(text, line);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) words[n_words++] = word;
    words[n_words] = NULL;
    error[0] = '\0';
    getopt_begin(&table);
    getopt_add(&table, 'a', "all", NULL);
    getopt_add(&table, 't', "to", "X");
    getopt_add(&table, KEY_LEVEL, "level", "N");
    getopt_add(&table, KEY_LENGTH, "length", NULL);
}

static int next(void)
{
    return getopt_next(&table, n_words, words, error, sizeof error);
}

static void options_come_one_by_one(void)
{
    begin("x -at5 one --level=3 --len -- -a two");
    CHECK(next() == 'a' && !optarg);
    CHECK(next() == 't' && strcmp(optarg, "5") == 0);
    CHECK(next() == KEY_LEVEL && strcmp(optarg, "3") == 0);
    CHECK(next() == KEY_LENGTH);
    CHECK(next() == GETOPT_END && optind == 5);
    CHECK(strcmp(words[optind], "one") == 0 && strcmp(words[optind + 1], "-a") == 0);
}

/* Is this the error of the line? */
static bool reports(const char *line, const char *wanted)
{
    int key;
    begin(line);
    while ((key = next()) >= 0) continue;
    return key == GETOPT_BAD && strcmp(error, wanted) == 0;
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

static void no_more_are_taken_than_there_is_room_for(void)
{
    begin("x");
    for (size_t i = 0; i < (size_t)2 * GETOPT_MOST; i++) getopt_add(&table, 'b', "b", "X");
    CHECK(table.n == GETOPT_MOST && strlen(table.letters) < sizeof table.letters);
    CHECK(next() == GETOPT_END);
}

int main(void)
{
    RUN(options_come_one_by_one);
    RUN(what_is_wrong_has_words);
    RUN(the_nearest_name_is_offered);
    RUN(no_more_are_taken_than_there_is_room_for);
    return check_done();
}
