#include <math.h>
#include <string.h>

#include "io/tables/row.h"
#include "tests/check.h"

static field fields[ROW_LINE + 1];

/* The separator that the line seems to have. */
static char separator_of(const char *text)
{
    const char *found = strpbrk(text, ",;\t");
    return found && !strchr(text, ',') ? *found : found ? ',' : ' ';
}

/* The fields of a line in words: numbers, 'text', @ before a time. */
static const char *cut_by(char separator, const char *text, size_t time_column)
{
    static char line[ROW_LINE + 1], words[1024];
    row r = {.separator = separator, .time_column = time_column, .fields = fields};
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

static const char *cut(const char *text, size_t time_column)
{
    return cut_by(separator_of(text), text, time_column);
}

static bool is_by(char separator, const char *line, const char *words)
{
    const char *got = cut_by(separator, line, 0);
    if (strcmp(got, words) != 0) fprintf(stderr, "%s: %s\n", line, got);
    return strcmp(got, words) == 0;
}

static bool is(const char *line, const char *words)
{
    return is_by(separator_of(line), line, words);
}

static void separators(void)
{
    CHECK(is("1", "1"));
    CHECK(is("1,2", "1 | 2") && is("1;2", "1 | 2") && is("1\t2", "1 | 2") && is("1 2", "1 | 2"));
    CHECK(is_by(',', "1,2;3\t4 5", "1 | '2;3\t4 5'"));
    CHECK(is_by('\t', "V(a,b)\tx y; z", "'V(a,b)' | 'x y; z'"));
    CHECK(is_by(' ', " 1\t 2 \t", "1 | 2") && is_by(',', "1,\t2 ,3", "1 | 2 | 3"));
    CHECK(is_by(';', "1 2;3", "'1 2' | 3"));
    CHECK(is("  1 ,  2  ", "1 | 2"));
    CHECK(is("1   2", "1 | 2"));
    CHECK(is("1,,2", "1 | '' | 2"));
    CHECK(is(",1,", "'' | 1 | ''"));
    CHECK(is("\t1", "'' | 1"));
    CHECK(is("1\t\t\r", "1"));
    CHECK(is(",", "'' | ''"));
}

/* Is the last line mixed? */
static bool is_mixed(char separator, const char *first, const char *second)
{
    char line[64];
    row r = {.separator = separator, .fields = fields};
    strcpy(line, first);
    row_parse(&r, line, strlen(line));
    strcpy(line, second);
    row_parse(&r, line, strlen(line));
    return r.mixed;
}

/* Regression: a decimal comma between tabs or blanks made two columns. */
static void commas_are_decimal_if_they_do_not_separate(void)
{
    CHECK(is_by(';', "1,5;-2,25;\"0,5\"", "1.5 | -2.25 | 0.5"));
    CHECK(is_by('\t', "1,5e-3\t+2,5", "0.0015 | 2.5") && is_by(' ', "1,5 2", "1.5 | 2"));
    CHECK(is_by(';', "1,234,5;1,;,5;1.5,5", "'1,234,5' | '1,' | ',5' | '1.5,5'"));
    CHECK(is_by(',', "1,5;2,5", "1 | '5;2' | 5"));
    CHECK(strcmp(cut_by(';', "7,5;1,5", 1), "@7.5 | 1.5") == 0);
    CHECK(is_by(';', "1,5;2.5", "1.5 | '2.5'") && is_by(';', "2.5;1,5", "2.5 | '1,5'"));
    CHECK(is_mixed(';', "1;2", "1,5;2.5") && is_mixed(';', "1,5;2", "1;2.5"));
    CHECK(is_mixed(' ', "1.5 2", "1,5 2"));
    CHECK(!is_mixed(';', "1,5;x.y", "2,5;3") && !is_mixed(',', "1,5", "1.5"));
    CHECK(!is_mixed(';', "1;2", "2.5;3.5"));
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
    CHECK(is("\"#\",1 # x", "'#' | 1") && is("1,2 #x", "1 | 2") && is_by(' ', "1 2\t#x", "1 | 2"));
    CHECK(is("1, # x", "1 | ''") && is("1,#", "1 | ''") && is("a b # c", "'a' | 'b'"));
}

/* Regression: a # in a name cut the header, and #N/A cut the row, or made it a comment. */
static void a_mark_within_words_is_no_comment(void)
{
    CHECK(is("1#2", "'1#2'") && is("t,Sensor #1,y", "'t' | 'Sensor #1' | 'y'"));
    CHECK(is("1,#N/A,2", "1 | '#N/A' | 2") && is("#N/A", "'#N/A'") &&
          is("#DIV/0!,1", "'#DIV/0!' | 1"));
    CHECK(is("1 #N/A 2", "1 | '#N/A' | 2") && is("1,1.#QNAN", "1 | '1.#QNAN'"));
    CHECK(is("1,room #3,2 # x", "1 | 'room #3' | 2") && is_by(',', "#N/A stands for no value", ""));
    CHECK(row_is_blank(" \t\r", '#') && row_is_blank(" # 1", '#') && row_is_blank("#N/A2", '#'));
    CHECK(!row_is_blank("#N/A", '#') && !row_is_blank("#n/a,1", '#') &&
          !row_is_blank("1 # x", '#'));
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
    CHECK(is("\"a, \"\"b\"\"\",2", "'a, \"b\"' | 2") && is("\"\"\"\"\"\"", "'\"\"'"));
    CHECK(is("\"a\"\"b\" ,2", "'a\"b' | 2") && is("\"a\"\"b\"x,3", "'a\"\"b\"x' | 3"));
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
    row r = {.separator = ',', .fields = fields};
    memset(line, ',', ROW_LINE);
    row_parse(&r, line, ROW_LINE);
    CHECK(r.n == ROW_LINE + 1);
    for (size_t i = 0; i < ROW_LINE; i++) line[i] = i % 2 ? ' ' : 'a';
    r.separator = ' ';
    row_parse(&r, line, ROW_LINE);
    CHECK(r.n == ROW_LINE / 2);
    for (size_t i = 0; i < ROW_LINE; i++) line[i] = i % 2 ? ' ' : '#';
    row_parse(&r, line, ROW_LINE);
    CHECK(r.n == 0);
}

static void missing_values_are_marked(void)
{
    static char line[] = "1\t\tnull\tNULL\tNA\tN/A\t\"\"\tbad\tnan\t\t # x";
    row r = {.separator = '\t', .fields = fields};
    row_parse(&r, line, strlen(line));
    CHECK(r.n == 9 && r.n_trailing == 2);
    for (size_t i = 0; i < r.n; i++) {
        CHECK(r.fields[i].missing == (i > 0 && i < 7));
        CHECK(!r.fields[i].missing || (!r.fields[i].number && isnan(r.fields[i].value)));
    }
    row_pad(&r, 12, false);
    CHECK(r.n == 9);
    row_pad(&r, 11, false);
    CHECK(r.n == 11 && r.fields[10].missing && r.fields[10].length == 0);
    row_pad(&r, 3, false);
    CHECK(r.n == 11);
}

/* Regression: 1.#QNAN was read as 1. */
static void words_of_other_programs_are_missing_values(void)
{
    char line[] =
        "n/a,None,#N/A,#n/a,#NA,<NA>,NaT,#NUM!,#DIV/0!,#VALUE!,#REF!,#NAME?,#NULL!,1.#QNAN,"
        "-1.#IND00,1.#INF,+1.#J,1.#SNAN";
    row r = {.separator = ',', .fields = fields};
    row_parse(&r, line, strlen(line));
    CHECK(r.n == 18);
    for (size_t i = 0; i < r.n; i++) CHECK_MSG(fields[i].missing, "field %zu", i);
    CHECK(is("-1,-.,1.#,none of it,#1!", "-1 | '-.' | '1.#' | 'none of it' | '#1!'"));
    for (size_t i = 0; i < 5; i++) CHECK_MSG(!fields[i].missing, "field %zu", i);
}

/* Regression: #WERT! alone in a line was a comment, so its row vanished. */
static void words_for_none_are_missing_values(void)
{
    char line[] = "#WERT!,#NV,#VALEUR!,#N/D,-,--,---,?,.,nil,missing,\\N";
    row r = {.separator = ',', .fields = fields};
    CHECK(!row_is_blank(line, '#'));
    row_parse(&r, line, strlen(line));
    CHECK(r.n == 12);
    for (size_t i = 0; i < r.n; i++) CHECK_MSG(fields[i].missing, "field %zu", i);
    CHECK(row_is_blank("#note!", '#') && row_is_blank("#A comment!", '#') &&
          row_is_blank("#!", '#'));
}

int main(void)
{
    RUN(separators);
    RUN(commas_are_decimal_if_they_do_not_separate);
    RUN(nothing_in_it);
    RUN(comments);
    RUN(a_mark_within_words_is_no_comment);
    RUN(text_reaches_to_the_next_separator);
    RUN(quotes);
    RUN(times);
    RUN(the_longest_line);
    RUN(missing_values_are_marked);
    RUN(words_of_other_programs_are_missing_values);
    RUN(words_for_none_are_missing_values);
    return check_done();
}
