#include <math.h>

#include "io/kept_lines.h"
#include "io/tables/jsonl.h"
#include "tests/io/source_help.h"

#define PLAIN help_options(SOURCE_JSONL)

/* Options with columns by name, up to four. */
static source_options named(const char *const *names, size_t n)
{
    static const size_t none[4];
    source_options o = PLAIN;
    o.columns = none;
    o.column_names = names;
    o.n_columns = n;
    return o;
}

static void the_numbers_of_the_first_line_are_columns(void)
{
    const source_options o = PLAIN;
    CHECK(help_gives(&o,
                     "{\"a\": 1, \"s\": \"x\", \"b\": -2.5e1}\n{\"b\": 4, \"a\": 3, \"c\": 9}\n",
                     "1 -25 | 3 4"));
    /* Regression: nothing was said of what is left out. */
    CHECK(help_gives(&o,
                     "{\"o\":{\"x\":1},\"open\":true,\"n\":null,\"s\":\"2.5\",\"w\":\"\"}\n"
                     "{\"open\":false}\n",
                     "1 | 0 ~ left out 'o', 'n', 's': not numbers in the first line; choose with "
                     "--columns"));
    CHECK(help_gives(
        &o, "[1, 2]\n[3, 4, 5]\n[6]\n",
        "1 2 | 3 4 | 6 nan ~ 1 missing value in column 2 made a gap; --fill bridges it"));
    CHECK(help_gives(&o, "[null, 2]\n[3, 4]",
                     "nan 2 | 3 4 ~ 1 missing value in column 1 made a gap; --fill bridges it"));
}

static void a_name_is_a_path(void)
{
    static const char *const names[] = {"a.y", "v.1", "b.c.d", "w.0.z"};
    const source_options o = named(names, 4);
    CHECK(help_gives(
        &o,
        "{\"a\":{\"x\":1,\"y\":2},\"v\":[3,4],\"b.c\":{\"d\":5},\"w\":[{\"z\":6}]}\n"
        "{\"a.y\":7,\"v\":{\"1\":8},\"b\":{\"c.d\":9},\"w\":[1]}\n",
        "2 4 5 6 | 7 8 9 nan ~ 1 missing value in column w.0.z made a gap; --fill bridges it"));
}

static void numbers_count_keys_and_elements(void)
{
    const size_t columns[] = {3, 1};
    source_options o = PLAIN;
    o.columns = columns;
    o.n_columns = 2;
    CHECK(help_gives(&o, "{\"a\":1,\"s\":\"x\",\"b\":2}\n{\"b\":3,\"a\":4}\n", "2 1 | 3 4"));
    CHECK(help_gives(&o, "[1,\"x\",2]\n", "2 1"));
    CHECK(help_gives(&o, "{\"a\":1,\"b\":2}\n", "!! line 1: no column 3; there are 'a', 'b'"));
    CHECK(help_gives(&o, "[1,2]\n", "!! line 1: no column 3; there are only elements"));
}

static void what_is_missing_is_nan(void)
{
    const source_options o = PLAIN;
    CHECK(help_gives(
        &o, "{\"a\":1,\"b\":2}\n{\"a\":null,\"b\":NaN}\n{}\n{\"a\":\"NA\",\"b\":\"\"}\n",
        "1 2 | nan nan | nan nan ~ 4 missing values made gaps, most of them in column a; "
        "--fill bridges them ~ passed over 1 row without any of the columns"));
    CHECK(help_gives(&o, "{\"a\":1}\n\n  \r\n{\"a\":2}\r\n", "1 | 2"));
}

static void a_string_may_be_a_number(void)
{
    const source_options o = PLAIN;
    CHECK(help_gives(&o, "{\"a\":1}\n{\"a\":\"2.5\"}\n{\"a\":\"2 m\"}\n",
                     "1 | 2.5 | ! line 3: '2 m' of 'a' is not a number" HELP_ADVICE));
    CHECK(help_gives(&o, "{\"a\":1}\n{\"a\":\"1\\u0000\"}\n",
                     "1 | ! line 2: '1\\x00' of 'a' is not a number" HELP_ADVICE));
}

static void other_values_are_refused(void)
{
    const source_options o = PLAIN;
    CHECK(help_gives(&o, "{\"a\":1}\n{\"a\":{}}\n",
                     "1 | ! line 2: 'a' is an object, not a number" HELP_ADVICE));
    CHECK(
        help_gives(&o, "[1]\n[[1]]\n", "1 | ! line 2: '0' is an array, not a number" HELP_ADVICE));
    CHECK(help_gives(&o, "[1]\n{\"0\":1}\n",
                     "1 | ! line 2: not an array like the first line" HELP_ADVICE));
    CHECK(help_gives(&o, "{\"a\":1}\n[1]\n",
                     "1 | ! line 2: not an object like the first line" HELP_ADVICE));
    CHECK(help_gives(&o, "[1]\n5\n", "1 | ! line 2: neither an object nor an array" HELP_ADVICE));
    CHECK(help_gives(&o, "{\"a\":\"x\"}\n",
                     "!! line 1: no numbers; choose with --columns, there are 'a'"));
    CHECK(help_gives(&o, "\n \n", "!! is empty: no samples"));
}

static void bad_json_is_refused_with_its_place(void)
{
    source_options o = PLAIN;
    CHECK(help_gives(&o, "[1]\n[2,]\n",
                     "1 | ! line 2: not JSON at byte 4: unexpected character" HELP_ADVICE));
    CHECK(help_gives(&o, "[1]\n[2\n",
                     "1 | ! line 2: not JSON at byte 3: unexpected end of data" HELP_ADVICE));
    CHECK(help_gives(&o, "[1]\n[2] [3]\n",
                     "1 | ! line 2: not JSON at byte 5: unexpected character" HELP_ADVICE));
    CHECK(help_gives(&o, "[1]\n[01]\n",
                     "1 | ! line 2: not JSON at byte 4: number expected" HELP_ADVICE));
    CHECK(help_gives(&o, "[1]\n[\"\xff\"]\n",
                     "1 | ! line 2: not JSON at byte 3: invalid utf-8 string" HELP_ADVICE));
    CHECK(help_gives_bytes(&o, "[1]\n[1]\0[2]\n", 12,
                           "1 | ! line 2: not JSON at byte 4" HELP_ADVICE));
    o.skip_bad = true;
    CHECK(help_gives(&o, "x\n[1]\n[2\n[3]\n",
                     "nan | 1 | nan | 3 ~ line 1: not JSON at byte 1: unexpected character: skipped"
                     " ~ line 3: not JSON at byte 3: unexpected end of data: skipped"));
}

/* As for text: see test_text.c. */
static void numbers_are_doubles(void)
{
    const source_options o = PLAIN;
    CHECK(help_gives(&o, "[1.000000059604644775390625867361737988403547]\n", "1"));
    CHECK(help_gives(&o, "[1.000000059604644775390625]\n", "1"));
    CHECK(help_gives(&o, "[16777217]\n[16777219]\n[-0.0]\n", "16777216 | 16777220 | -0"));
}

static void large_numbers_are_gaps_or_refused(void)
{
    const source_options o = PLAIN;
    CHECK(
        help_gives(&o, "[1]\n[1e60]\n[-Infinity]\n[1e999]\n",
                   "1 | inf | -inf | inf ~ line 2: '1e60' is too large for float32: a gap, as are "
                   "all such values ~ 1 missing value in column 1 made a gap; --fill bridges it"));
    CHECK(help_gives(&o, "[1]\n[18446744073709551614]\n", "1 | 1.84467441e+19"));
    CHECK(help_gives(&o, "[1]\n[100000000000000000000]\n",
                     "1 | ! line 2: '0' is an integer beyond 64 bits, not a number" HELP_ADVICE));
    CHECK(help_gives(&o, "[1]\n[-100000000000000000000]\n",
                     "1 | ! line 2: '0' is an integer beyond 64 bits, not a number" HELP_ADVICE));
}

static void of_equal_keys_the_last_one_counts(void)
{
    const source_options o = PLAIN;
    CHECK(help_gives(&o, "{\"a\":1,\"b\":2,\"a\":3}\n", "3 2"));
}

static void a_byte_order_mark_is_accepted(void)
{
    const source_options o = PLAIN, judged = help_options(SOURCE_AUTO);
    CHECK(help_gives(&o, "\xef\xbb\xbf{\"a\":1}\n", "1"));
    CHECK(help_gives(&judged, "\xef\xbb\xbf{\"a\":1}\n", "1"));
}

static void lines_are_at_most_as_long_as_those_of_text(void)
{
    static char text[2 * ROW_LINE];
    const source_options o = PLAIN;
    memset(text, ' ', sizeof text);
    memcpy(text, "[1]\n[2", 6);
    strcpy(text + 4 + ROW_LINE - 1, "]\n[3]\n");
    CHECK(help_gives(&o, text, "1 | 2 | 3"));
    strcpy(text + 4 + ROW_LINE - 1, " ]\n[3]\n");
    CHECK(help_gives(&o, text, "1 | ! line 2: longer than 65536 bytes" HELP_ADVICE));
}

/* Does the text give these times, by the key t? */
static bool has_times(source_times kind, const char *text, const int64_t *seconds,
                      const int32_t *ns, size_t n)
{
    source_options o = PLAIN;
    o.time_name = "t";
    help_result r = help_run(&(help_input){text, strlen(text), 0, false}, &o);
    bool good = r.opened && !r.failed && r.n == n && r.info.times == kind;
    for (size_t i = 0; good && i < n; i++)
        good = r.times[i].seconds == seconds[i] && r.times[i].ns == ns[i];
    help_free(&r);
    return good;
}

static void times_are_exact(void)
{
    const int64_t at[] = {1700000000, 1700000000};
    const int32_t ns[] = {123456789, 123456790};
    CHECK(has_times(SOURCE_EPOCH,
                    "{\"t\":1700000000.123456789,\"x\":1}\n{\"x\":2,\"t\":1700000000.12345679}\n",
                    at, ns, 2));
    CHECK(has_times(SOURCE_EPOCH,
                    "{\"t\":1700000000123.456789,\"x\":1}\n{\"t\":1700000000123.456790,\"x\":1}\n",
                    at, ns, 2));
    CHECK(has_times(SOURCE_ISO,
                    "{\"t\":\"2023-11-14T22:13:20.123456789Z\",\"x\":1}\n"
                    "{\"t\":\"2023-11-14T23:13:20.12345679+01:00\",\"x\":1}\n",
                    at, ns, 2));
}

static void a_line_without_a_time_is_bad(void)
{
    source_options o = PLAIN;
    o.time_name = "t";
    CHECK(help_gives(&o, "{\"time\":1,\"x\":2}\n",
                     "!! line 1: no time in 't'; there are 'time', 'x'"));
    CHECK(help_gives(&o, "{\"t\":1,\"x\":2}\n{\"x\":3}\n",
                     "2 | ! line 2: no time in 't'; there are 'x'" HELP_ADVICE));
    CHECK(help_gives(&o, "{\"t\":1,\"x\":2}\n{\"t\":true,\"x\":3}\n",
                     "2 | ! line 2: 't' is true or false, not a time" HELP_ADVICE));
    CHECK(help_gives(&o, "{\"t\":1,\"x\":2}\n{\"t\":\"noon\",\"x\":3}\n",
                     "2 | ! line 2: 'noon' of 't' is not a time" HELP_ADVICE));
    CHECK(help_gives(
        &o, "{\"t\":1,\"x\":2}\n{\"t\":\"2023-11-14T22:13:20Z\",\"x\":3}\n",
        "2 | ! line 2: times must be all numbers, all ISO 8601, or all of one form" HELP_ADVICE));
}

/* Regression of text: the time of a skipped line keeps its place. */
static void a_skipped_line_keeps_its_time(void)
{
    source_options o = PLAIN;
    o.time_column = 1;
    o.skip_bad = true;
    CHECK(help_gives(&o, "[0,1]\n[1,{}]\n[2,3]\n",
                     "@0 1 | @1 nan | @2 3 ~ line 2: '1' is an object, not a number: skipped"));
}

static void a_template_may_lack_the_time(void)
{
    source_options o = PLAIN;
    o.time_name = "t";
    o.is_template = true;
    CHECK(help_gives(&o, "{\"x\":1}\n{\"x\":2}\n", "1 | 2"));
    CHECK(help_gives(&o, "[1]\n[2]\n", "1 | 2"));
    CHECK(help_gives(&o, "1\n2\n", "1 | 2"));
}

static void a_name_that_no_line_has_is_reported(void)
{
    static const char *const names[] = {"y"};
    const source_options o = named(names, 1);
    CHECK(help_gives(&o, "{\"x\":1}\n{\"x\":2}\n",
                     "!! no row has any of the columns; there are 'x'"));
}

/* Regression: a crash, as the bad line has no names to list. */
static void rows_of_another_kind_before_a_bad_line(void)
{
    static const char *const names[] = {"y"};
    source_options o = named(names, 1);
    o.skip_bad = true;
    CHECK(help_gives(&o, "{\"x\":1}\n{\"x\":2,\n",
                     "!! has no line of numbers; line 2: not JSON at byte 8: unexpected end of "
                     "data: skipped"));
}

/* Regression: rows of another kind were gaps, so that nothing was found. */
static void rows_of_another_kind_are_passed_over(void)
{
    static const char *const names[] = {"x", "y.z"};
    source_options o = named(names, 2);
    CHECK(help_gives(
        &o, "{\"event\":1}\n{\"x\":1,\"y\":{\"z\":2}}\n{\"t\":2,\"y\":3}\n{\"y\":{\"z\":4}}\n",
        "1 2 | nan 4 ~ 1 missing value in column x made a gap; --fill bridges it ~ passed "
        "over 2 rows without any of the columns"));
    CHECK(help_gives(
        &o, "{\"x\":1,\"y\":{\"z\":2}}\n{\"x\":null}\n{\"y\":null}\n",
        "1 2 | nan nan | nan nan ~ 4 missing values made gaps, most of them in column x; "
        "--fill bridges them"));
    o.time_name = "t";
    CHECK(help_gives(&o, "{\"event\":1}\n{\"t\":7,\"x\":1,\"y\":{\"z\":2}}\n{\"event\":2}\n",
                     "1 2 ~ passed over 2 rows without any of the columns"));
}

static void a_first_line_that_is_an_object_shows_the_format(void)
{
    const source_options o = help_options(SOURCE_AUTO);
    static char text[20000] = "{\"x\": 1, \"note\": \"";
    CHECK(help_gives(&o, "{\"x\": 1}\n{\"x\": 2}\n", "1 | 2"));
    CHECK(help_gives(&o, " {\"x\": 1} ", "1"));
    memset(text + strlen(text), 'a', 15000);
    strcat(text, "\"}\n{\"x\": 2}\n");
    CHECK(help_gives(&o, text, "1 | 2"));
}

static void the_lines_are_kept(void)
{
    source_options o = PLAIN;
    char error[256];
    static const char text[] = "{\"a\":1}\n\n {\"a\":2} \n";
    text_buffer to = {0};
    float frames[4];
    o.keep_lines = true;
    const char *path = help_file(text, sizeof text - 1);
    source *src = source_open(path, &o, error, sizeof error);
    CHECK(src && source_read(src, frames, NULL, 4) == 2);
    CHECK(kept_lines_take(source_lines(src), 2, &to));
    CHECK(to.length == 18 && memcmp(to.data, "{\"a\":1}\n {\"a\":2} \n", 18) == 0);
    source_close(src);
    free(to.data);
    unlink(path);
}

int main(void)
{
    RUN(the_numbers_of_the_first_line_are_columns);
    RUN(a_name_is_a_path);
    RUN(numbers_count_keys_and_elements);
    RUN(what_is_missing_is_nan);
    RUN(a_string_may_be_a_number);
    RUN(other_values_are_refused);
    RUN(bad_json_is_refused_with_its_place);
    RUN(numbers_are_doubles);
    RUN(large_numbers_are_gaps_or_refused);
    RUN(of_equal_keys_the_last_one_counts);
    RUN(a_byte_order_mark_is_accepted);
    RUN(lines_are_at_most_as_long_as_those_of_text);
    RUN(times_are_exact);
    RUN(a_line_without_a_time_is_bad);
    RUN(a_skipped_line_keeps_its_time);
    RUN(a_template_may_lack_the_time);
    RUN(a_name_that_no_line_has_is_reported);
    RUN(rows_of_another_kind_before_a_bad_line);
    RUN(rows_of_another_kind_are_passed_over);
    RUN(a_first_line_that_is_an_object_shows_the_format);
    RUN(the_lines_are_kept);
    return check_done();
}
