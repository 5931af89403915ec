#include <math.h>
#include <string.h>

#include "io/tables/row.h"
#include "tests/check.h"

static field fields[ROW_LINE + 1];

/* The fields of a line in words: numbers, 'text', @ before a time. */
static const char *cut(const char *text, size_t time_column)
{
    static char line[ROW_LINE + 1], words[1024];
    row r = {.time_column = time_column, .fields = fields};
    size_t n = strlen(text), used = 0;
    memcpy(line, text, n + 1);
    row_parse(&r, line, n);
    words[0] = '\0';
    for (size_t i = 0; i < r.n; i++) {
        const field *f = &fields[i];
        bool is_time = i + 1 == time_column && r.time_ok;
        used += (size_t)snprintf(words + used, sizeof words - used, "%s%s", i ? " | " : "",
                                 is_time ? "@" : "");
        if (f->number)
            used += (size_t)snprintf(words + used, sizeof words - used, "%.9g",
                                     is_time ? exact_time_as_double(r.time) : (double)f->value);
        else
            used += (size_t)snprintf(words + used, sizeof words - used, "'%.*s'", (int)f->length,
                                     f->text);
    }
    return words;
}

static bool is(const char *line, const char *words)
{
    const char *got = cut(line, 0);
    if (strcmp(got, words) != 0) fprintf(stderr, "%s: %s\n", line, got);
    return strcmp(got, words) == 0;
}

static void separators(void)
{
    CHECK(is("1", "1"));
    CHECK(is("1,2;3\t4 5", "1 | 2 | 3 | 4 | 5"));
    CHECK(is("  1 ,  2  ", "1 | 2"));
    CHECK(is("1   2", "1 | 2"));
    CHECK(is("1,,2", "1 | '' | 2"));
    CHECK(is(",1,", "'' | 1 | ''"));
    CHECK(is("\t1", "'' | 1"));
    CHECK(is("1\t\t\r", "1"));
    CHECK(is(",", "'' | ''"));
}

static bool is_mixed(const char *text)
{
    char line[64];
    row r = {.fields = fields};
    strcpy(line, text);
    row_parse(&r, line, strlen(line));
    return r.mixed;
}

static void commas_and_semicolons_are_decimal_commas(void)
{
    CHECK(is_mixed("1,5;2,5"));
    CHECK(!is_mixed("1,5,2"));
    CHECK(!is_mixed("1;2\t3 4"));
    CHECK(!is_mixed("\"a;b\",2"));
}

static void nothing_in_it(void)
{
    CHECK(is("", ""));
    CHECK(is(" \t ", ""));
    CHECK(is("# 1", ""));
    CHECK(is(" # 1 # 2", ""));
}

static void comments(void)
{
    CHECK(is("1 # 2", "1"));
    CHECK(is("1#2", "1"));
    CHECK(is("\"#\",1 # x", "'#' | 1"));
}

static void text_reaches_to_the_next_separator(void)
{
    CHECK(is("foo bar", "'foo' | 'bar'"));
    CHECK(is("foo bar,1", "'foo bar' | 1"));
    CHECK(is("1,foo bar ", "1 | 'foo bar'"));
    CHECK(is("1,2x 3,4", "1 | '2x 3' | 4"));
    CHECK(is("a b\tc d", "'a b' | 'c d'"));
}

static void quotes(void)
{
    CHECK(is("\"1\"", "1"));
    CHECK(is("\" 1 \",2", "1 | 2"));
    CHECK(is("\"a, \"\"b\"\"\",2", "'a, \"\"b\"\"' | 2"));
    CHECK(is("\"1 2\",3", "'1 2' | 3"));
    CHECK(is("\"\",3", "'' | 3"));
    CHECK(is("\"1\"x,3", "'1\"x' | 3"));
    CHECK(is("\"1,3", "'\"1' | 3"));
    CHECK(is("\"", "'\"'"));
}

static void times(void)
{
    CHECK(strcmp(cut("7,1", 1), "@7 | 1") == 0);
    CHECK(strcmp(cut("1,7", 2), "1 | @7") == 0);
    CHECK(strcmp(cut("1970-01-01 00:00:07 1", 1), "@7 | 1") == 0);
    CHECK(strcmp(cut("\"1970-01-01 00:00:07\",1", 1), "@7 | 1") == 0);
    CHECK(strcmp(cut("inf,1", 1), "'inf' | 1") == 0);
    CHECK(strcmp(cut("1970-01-01T00:00:07Zx,1", 1), "'1970-01-01T00:00:07Zx' | 1") == 0);
}

/* Many fields that are no numbers: not every one may search the whole line. */
static void the_longest_line(void)
{
    static char line[ROW_LINE + 1];
    row r = {.fields = fields};
    memset(line, ',', ROW_LINE);
    row_parse(&r, line, ROW_LINE);
    CHECK(r.n == ROW_LINE + 1);
    for (size_t i = 0; i < ROW_LINE; i++) line[i] = i % 2 ? ' ' : 'a';
    row_parse(&r, line, ROW_LINE);
    CHECK(r.n == ROW_LINE / 2);
}

static void missing_values_are_marked(void)
{
    static char line[] = "1,,null,NULL,NA,N/A,\"\",nil,nan\t\t # x";
    row r = {.fields = fields};
    row_parse(&r, line, strlen(line));
    CHECK(r.n == 9 && r.n_trailing == 2);
    for (size_t i = 0; i < r.n; i++) {
        CHECK(r.fields[i].missing == (i > 0 && i < 7));
        CHECK(!r.fields[i].missing || (!r.fields[i].number && isnan(r.fields[i].value)));
    }
    row_pad(&r, 12);
    CHECK(r.n == 9);
    row_pad(&r, 11);
    CHECK(r.n == 11 && r.fields[10].missing && r.fields[10].length == 0);
    row_pad(&r, 3);
    CHECK(r.n == 11);
}

int main(void)
{
    RUN(separators);
    RUN(commas_and_semicolons_are_decimal_commas);
    RUN(nothing_in_it);
    RUN(comments);
    RUN(text_reaches_to_the_next_separator);
    RUN(quotes);
    RUN(times);
    RUN(the_longest_line);
    RUN(missing_values_are_marked);
    return check_done();
}
