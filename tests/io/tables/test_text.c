#include <math.h>

#include "io/kept_lines.h"
#include "tests/io/source_help.h"

#define PLAIN help_options(SOURCE_TEXT)

/* The warning about n missing values, all in this column, or most of them. */
#define MISSING(n, column)                                                                         \
    " ~ " n " missing values in column " column " made gaps; --fill bridges them"
#define MISSING_MOST(n, column)                                                                    \
    " ~ " n " missing values made gaps, most of them in column " column "; --fill bridges them"

static void a_number_a_line(void)
{
    source_options o = PLAIN;
    CHECK(help_gives(&o, "1\n-2.5\n+3e2\n.5\n4.\n", "1 | -2.5 | 300 | 0.5 | 4"));
    CHECK(help_gives(&o, "1\r\n2\r\n", "1 | 2"));
    CHECK(help_gives(&o, "1\n2", "1 | 2"));
    CHECK(help_gives(&o, "7", "7"));
    CHECK(help_gives(&o,
                     "\xef\xbb\xbf"
                     "1\n2\n",
                     "1 | 2"));
    CHECK(help_gives(&o, "0x1.8p1\nINF\n-inf\nnan\n", "3 | inf | -inf | nan" MISSING("3", "1")));
    CHECK(help_gives(&o, "1e-50\n1e-400\n", "0 | 0"));
}

/* 1 + 2^-24 + 2^-60 lies just above the middle of two floats. As a double it is the middle, which
 * rounds to 1. */
static void numbers_are_doubles(void)
{
    source_options o = PLAIN;
    CHECK(help_gives(&o, "1.000000059604644775390625867361737988403547\n", "1"));
    CHECK(help_gives(&o, "1.000000059604644775390625\n", "1"));
}

static void rows_by_every_separator(void)
{
    source_options o = PLAIN;
    CHECK(help_gives(&o, "1,2,3\n4,5,6\n", "1 2 3 | 4 5 6"));
    CHECK(help_gives(&o, "1;2\n3;4\n", "1 2 | 3 4") &&
          help_gives(&o, "1\t2\n 3\t4\n", "1 2 | 3 4"));
    CHECK(help_gives(&o, "5 6\n7   8\n7\t 8\n", "5 6 | 7 8 | 7 8"));
    CHECK(help_gives(&o, " 9 , 10 \n9,10\n", "9 10 | 9 10"));
    CHECK(help_gives(&o, "1;2\n3,5;4\n", "1 2 | 3.5 4"));
    CHECK(help_gives(&o, "1;2\n3\t4\n", "1 2 | ! line 2: '3\\t4' is not a number" HELP_ADVICE));
    CHECK(help_gives(&o, "1\t2\t\n3\t4\t\n", "1 2 | 3 4"));
    CHECK(help_gives(&o, "\"1\",\"2\"\n\" 3 \" , \"4\"\n", "1 2 | 3 4"));
}

static void comments_and_blank_lines_are_passed_over(void)
{
    source_options o = PLAIN;
    CHECK(help_gives(&o, "# a\n\n1 # b\n  \n\t\n#\n2,# not a field\n",
                     "1 | ! line 7: 2 values, expected 1" HELP_ADVICE));
    CHECK(help_gives(&o, "\n\n1,1\n\n2,2 #x\n", "1 1 | 2 2"));
    CHECK(help_gives(&o, "\n\n1\n\n# x\n2 #x\n\n",
                     "1 | 2 ~ passed over 1 blank line between samples"));
}

static void one_header_row_is_allowed(void)
{
    source_options o = PLAIN;
    CHECK(help_gives(&o, "x,y\n1,2\n", "1 2"));
    CHECK(help_gives(&o, "# made by\n\"time (s)\",\"a, b\"\n1,2\n", "1 2"));
    CHECK(help_gives(&o, "x y z\n1 2 3\n", "1 2 3"));
    CHECK(help_gives(&o, "x\ny\n1\n", "1 ~ passed over line 2: neither names nor values"));
    CHECK(help_gives(&o, "1\nx\n", "1 | ! line 2: 'x' is not a number" HELP_ADVICE));
    CHECK(help_gives(&o, "x,2\n1,2\n", "1 2 ~ line 1 is taken for names, although it has numbers"));
    CHECK(help_gives(&o, "x,2\ny,2\n", "!! line 1: 'x' is not a number"));
}

static void empty_cells_are_nan(void)
{
    source_options o = PLAIN;
    CHECK(help_gives(&o, "1,2\n3,\n,4\n", "1 2 | 3 nan | nan 4" MISSING_MOST("2", "1")));
    CHECK(help_gives(&o, "1,2\nnull,NULL\nNA,N/A\n\"\",5\n",
                     "1 2 | nan nan | nan nan | nan 5" MISSING_MOST("5", "1")));
    CHECK(help_gives(&o, "null,NA\n1,2\n", "nan nan | 1 2" MISSING_MOST("2", "1")));
    CHECK(help_gives(&o, ",\n1,2\n", "nan nan | 1 2" MISSING_MOST("2", "1")));
    CHECK(help_gives(&o, "NA,x\n1,2\n",
                     "1 2 ~ line 1 is taken for names, although it has words for missing values"));
    CHECK(help_gives(&o, "1\n.1.\n", "1 | ! line 2: '.1.' is not a number" HELP_ADVICE));
    o.time_column = 1;
    CHECK(help_gives(&o, "1,2\n,3\n", "@1 2 | ! line 2: column 1 is empty" HELP_ADVICE));
    CHECK(help_gives(&o, "1,2\nnull,3\n", "@1 2 | ! line 2: 'null' is not a time" HELP_ADVICE));
}

/* Regression: rows like the first one vanished, which was taken for names. */
static void rows_like_doubtful_names_stay(void)
{
    const size_t first = 1;
    source_options o = PLAIN;
    o.columns = &first;
    o.n_columns = 1;
    CHECK(help_gives(&o, "NA,a\n1,7\nNA,a\n2,b\n",
                     "1 | nan | 2 ~ line 1 is taken for names, although it has words for missing "
                     "values ~ 1 missing value in column NA made a gap; --fill bridges it"));
    const size_t second = 2;
    o.columns = &second;
    CHECK(
        help_gives(&o, "b;c,null\nNA,-4\n7,2\n", /* regression: nothing was said */
                   "-4 | 2 ~ line 1 is taken for names, although it has words for missing values"));
}

static void tabs_at_the_end_are_empty_cells(void)
{
    source_options o = PLAIN;
    CHECK(help_gives(&o, "1\t2\t3\n4\t\t\n\t\t5\n",
                     "1 2 3 | 4 nan nan | nan nan 5" MISSING_MOST("4", "2")));
    CHECK(help_gives(&o, "x\ty\n1\t\n2\t3\n",
                     "1 nan | 2 3 ~ 1 missing value in column y made a gap; --fill bridges it"));
    CHECK(help_gives(&o, "1\t2\t3\n\t\t\n\t\n4\t5\t6\n", /* regression: it vanished */
                     "1 2 3 | nan nan nan | 4 5 6" MISSING_MOST("3", "1")));
    CHECK(help_gives(&o, "1\t2\t3\n4\t\n", "1 2 3 | ! line 2: 1 value, expected 3" HELP_ADVICE));
}

/* Regression: the second row had three values. */
static void tabs_that_end_the_first_row_end_all(void)
{
    source_options o = PLAIN;
    CHECK(help_gives(&o, "1\t2\t3\t\n4\t5\t\n",
                     "1 2 3 | ! line 2: 2 values, expected 3" HELP_ADVICE));
    CHECK(help_gives(&o, "1\t2\t3\t\n4\t\t\t\n\t\t\t\n",
                     "1 2 3 | 4 nan nan | nan nan nan" MISSING_MOST("5", "2")));
    CHECK(help_gives(&o, "1\t2\t3\t\n\t\t\n", "1 2 3 | nan nan nan" MISSING_MOST("3", "1")));
}

static void rows_that_all_lack_a_value_are_reported(void)
{
    source_options o = PLAIN;
    char text[1024] = "1,\n";
    CHECK(help_gives(&o, text,
                     "1 nan ~ every row lacks a value, such as that of column 2, and is a "
                     "gap; choose others with --columns"));
    CHECK(help_gives(&o, "1,\n,2\n3,4\n", "1 nan | nan 2 | 3 4" MISSING_MOST("2", "1")));
    for (int i = 0; i < 99; i++) strcat(text, i < 70 ? "1,\n" : "1,2\n");
    help_input in = {text, strlen(text), 0, false};
    help_result r = help_run(&in, &o);
    CHECK(r.n == 100 && strstr(r.warnings, "every row lacks a value"));
    help_free(&r);
}

/* Regression: a column of nan was a gap in every row, without a word. */
static void a_value_that_is_always_nan_is_reported(void)
{
    const source_options o = PLAIN;
    CHECK(help_gives(&o, "1,nan\n2,nan\n",
                     "1 nan | 2 nan ~ every row lacks a value, such as that of column 2, and is a "
                     "gap; choose others with --columns"));
}

/* Regression: with bridges a column without any value was a gap in every row, without a word. */
static void a_column_that_bridges_cannot_fill_is_reported(void)
{
    source_options o = PLAIN;
    o.fill_s = 1;
    CHECK(help_gives(&o, "1,2,\n3,,\n5,6,\n",
                     "1 2 nan | 3 4 nan | 5 6 nan ~ every row lacks a value, such as that of "
                     "column 3, and is a gap; choose others with --columns"));
    CHECK(help_gives(&o, "1,\n,2\n3,\n,4\n", "1 nan | 2 2 | 3 3 | nan 4"));
}

/* Regression: a template of the chosen columns alone, with names, took values for times. */
static void a_time_column_by_number_is_no_column_of_a_name(void)
{
    static const size_t by_name[] = {0};
    static const char *const names[] = {"x"};
    source_options o = PLAIN;
    o.columns = by_name;
    o.column_names = names;
    o.n_columns = o.time_column = 1;
    o.is_template = true;
    CHECK(help_gives(&o, "x\n1\n2\n",
                     "!! column 1 is 'x' of --columns, but --time-column 1 takes it for the times: "
                     "give their column by its name"));
    CHECK(help_gives(&o, "t,x\n1,5\n2,6\n", "@1 5 | @2 6"));
    o.time_column = 0;
    o.time_name = "x";
    CHECK(help_gives(&o, "x\n1\n2\n", "1 | 2"));
    o.time_name = "t";
    CHECK(help_gives(&o, "x\n1\n2\n", "1 | 2"));
}

static void a_header_may_come_again(void)
{
    source_options o = PLAIN;
    CHECK(help_gives(&o, "x,y\n1,2\nx,y\n3,4\nx,y\r\n5,6\n",
                     "1 2 | 3 4 | 5 6 ~ passed over 2 lines like the header"));
    CHECK(help_gives(&o,
                     "\xef\xbb\xbf"
                     "x,y\n1,2\n\xef\xbb\xbfx,y\n3,4\nx,y # more\n",
                     "1 2 | 3 4 ~ passed over 2 lines like the header"));
    CHECK(help_gives(&o, "x,y\n1,2\nx,yy\n", "1 2 | ! line 3: 'x' is not a number" HELP_ADVICE));
    CHECK(help_gives(&o, "1,2\n1,2\n", "1 2 | 1 2"));
    /* Regression: units that came again were a sample of 1. */
    CHECK(help_gives(&o, "t,x,y\ns,1,V\n0,2,3\nt,x,y\ns,1,V\n1,3,4\n",
                     "0 2 3 | 1 3 4 ~ passed over line 2: neither names nor values ~ passed over 2 "
                     "lines like the header"));
}

static void columns_have_names(void)
{
    static const size_t numbers[] = {0, 2, 0};
    static const char *const names[] = {"z", NULL, "a b"};
    source_options o = PLAIN;
    o.columns = numbers;
    o.column_names = names;
    o.n_columns = 3;
    CHECK(help_gives(&o, "a b,y,z,y\n1,2,3,4\n", "3 2 1"));
    CHECK(help_gives(&o, "# by hand\n\"a b\";y;z\n1;2;3\n", "3 2 1"));
    CHECK(help_gives(&o, "a b,y,Z\n1,2,3\n", "!! --columns: no column 'z'; there are a b, y, Z"));
    CHECK(help_gives(&o, "1,2,3\n", "!! line 1: no header row, so no column 'z' of --columns"));
    o.is_template = true;
    CHECK(help_gives(&o, "1,2,3\n", "1 2 3"));
    CHECK(help_gives(&o, "1,2,3,4\n",
                     "!! line 1: no header row, so no columns by name; "
                     "without one a template has only the 3 of --columns"));
    CHECK(help_gives(&o, "a b,y,Z\n1,2,3\n", "!! --columns: no column 'z'; there are a b, y, Z"));
}

static void the_time_column_has_a_name(void)
{
    source_options o = PLAIN;
    o.time_name = "t";
    help_input in = {"x,t,y\n1,5,2\n3,6,4\n", 18, 0, false};
    help_result r = help_run(&in, &o);
    CHECK(strcmp(help_words(&r, true), "@5 1 2 | @6 3 4") == 0 && r.info.times == SOURCE_SECONDS);
    help_free(&r);
    CHECK(help_gives(&o, "x,y\n1,2\n", "!! --time-column: no column 't'; there are x, y"));
    CHECK(help_gives(&o, "1,2\n", "!! line 1: no header row, so no column 't' of --time-column"));
    o.is_template = true;
    CHECK(help_gives(&o, "x,y\n1,2\n", "1 2"));
    CHECK(help_gives(&o, "1,2\n", "1 2"));
}

static void bad_lines_are_named(void)
{
    source_options o = PLAIN;
    CHECK(help_gives(&o, "1,2,3\n4,5\n6,7,8\n",
                     "1 2 3 | ! line 2: 2 values, expected 3" HELP_ADVICE));
    CHECK(help_gives(&o, "1 2\n\n3\n", "1 2 | ! line 3: 1 value, expected 2" HELP_ADVICE));
    CHECK(help_gives(&o, "1\n2x\n", "1 | ! line 2: '2x' is not a number" HELP_ADVICE));
    CHECK(help_gives(&o, "1\n1.2.3\n", "1 | ! line 2: '1.2.3' is not a number" HELP_ADVICE));
    CHECK(help_gives(&o, "1\n0x\n", "1 | ! line 2: '0x' is not a number" HELP_ADVICE));
    CHECK(help_gives(&o, "1\nnan(1)\n", "1 | ! line 2: 'nan(1)' is not a number" HELP_ADVICE));
    CHECK(help_gives(&o, "1\n\"2\n", "1 | ! line 2: '\"2' is not a number" HELP_ADVICE));
    CHECK(help_gives(&o, "1\n2\r3\n", "1 | ! line 2: '2\\r3' is not a number" HELP_ADVICE));
    CHECK(help_gives(&o, "1\n\x1b[31m\n", "1 | ! line 2: '\\x1b[31m' is not a number" HELP_ADVICE));
    CHECK(help_gives(&o, "1\nabcdefghijklmnopqrstuvwxyz\n",
                     "1 | ! line 2: 'abcdefghijklmnopqrstuvwx...' is not a number" HELP_ADVICE));
}

static void a_nul_is_no_number(void)
{
    source_options o = PLAIN;
    static const char nul[] = "1\n2\0\n";
    static const char inside[] = "1\n2\0003\n";
    CHECK(help_gives_bytes(&o, nul, sizeof nul - 1,
                           "1 | ! line 2: '2\\x00' is not a number" HELP_ADVICE));
    CHECK(help_gives_bytes(&o, inside, sizeof inside - 1,
                           "1 | ! line 2: '2\\x003' is not a number" HELP_ADVICE));
}

static void values_beyond_float32_are_reported_once(void)
{
    source_options o = PLAIN;
    CHECK(help_gives(&o, "1\n-1e39\n\"1e400\"\n2\n",
                     "1 | -inf | inf | 2 ~ line 2: '-1e39' is too large for float32: a gap, as are "
                     "all such values"));
    CHECK(
        help_gives(&o, "inf\n-INF\n+infinity\nnan\n", "inf | -inf | inf | nan" MISSING("4", "1")));
    static const size_t second[] = {2};
    o.columns = second;
    o.n_columns = 1;
    CHECK(help_gives(&o, "1e400,1\n1e400,2\n", "1 | 2"));
}

static void nothing_to_read_is_an_error(void)
{
    source_options o = PLAIN;
    CHECK(help_gives(&o, "", "!! is empty: no samples"));
    CHECK(help_gives(&o, "\n# x\n\n", "!! is empty: no samples"));
    CHECK(help_gives(&o, "x,y\n", "!! has no line of numbers"));
}

static void lines_are_kept_as_they_were(void)
{
    static const char file[] =
        "\xef\xbb\xbf# room 3\nx ;y\r\n\n1; 2\r\n# more\nbad\n 3\t;4 # no\n5;6";
    char error[256];
    float x[16];
    source_options o = {.wake_fd = -1, .skip_bad = true, .keep_lines = true};
    text_buffer lines = {0};
    const char *path = help_file(file, sizeof file - 1);
    source *src = source_open(path, &o, error, sizeof error);
    CHECK(src != NULL);
    CHECK(source_read(src, x, NULL, 3) == 3);
    CHECK(kept_lines_take(source_lines(src), 3, &lines));
    CHECK(lines.length == 21 && memcmp(lines.data, "1; 2\r\nbad\n 3\t;4 # no\n", 21) == 0);
    const text_buffer *header = &source_lines(src)->header;
    CHECK(header->length == 6 && memcmp(header->data, "x ;y\r\n", 6) == 0);
    lines.length = 0;
    CHECK(source_read(src, x, NULL, 3) == 1);
    CHECK(kept_lines_take(source_lines(src), 1, &lines));
    CHECK(lines.length == 4 && memcmp(lines.data, "5;6\n", 4) == 0);
    free(lines.data);
    source_close(src);
    unlink(path);
}

static void a_long_line_is_an_error(void)
{
    enum { LONGEST = 65536 };
    source_options o = PLAIN;
    static char text[2 * LONGEST + 32];
    memset(text, ' ', sizeof text);
    memcpy(text, "1\n2", 3);
    memcpy(text + 2 + LONGEST, "\n3\n", 4);
    CHECK(help_gives(&o, text, "1 | 2 | 3"));
    memcpy(text + 2 + LONGEST, " \n3\n", 5);
    CHECK(help_gives(&o, text, "1 | ! line 2: longer than 65536 bytes" HELP_ADVICE));
    o.skip_bad = true;
    CHECK(help_gives(&o, text, "1 | nan | 3 ~ line 2: longer than 65536 bytes: skipped"));
    memset(text + 2, '9', 2 * LONGEST);
    memcpy(text + 2 + 2 * LONGEST, "\n3\n", 4);
    CHECK(help_gives(&o, text, "1 | nan | 3 ~ line 2: longer than 65536 bytes: skipped"));
    o.time_column = 1;
    memcpy(text, "1,5\n", 4);
    memcpy(text + 2 + 2 * LONGEST, "\n3,6\n", 6);
    CHECK(
        help_gives(&o, text, "@1 5 | @nan nan | @3 6 ~ line 2: longer than 65536 bytes: skipped"));
    o.time_column = 0;
    memcpy(text, "1\n22", 4);
    text[2 + 2 * LONGEST] = '\0';
    CHECK(help_gives(&o, text, "1 | nan ~ line 2: longer than 65536 bytes: skipped"));
}

static void skipped_lines_are_gaps(void)
{
    source_options o = PLAIN;
    o.skip_bad = true;
    CHECK(help_gives(&o, "1,2\nx,3\n4\n5,6\n",
                     "1 2 | nan nan | nan nan | 5 6"
                     " ~ line 2: 'x' is not a number: skipped"
                     " ~ line 3: 1 value, expected 2: skipped"));
    CHECK(help_gives(&o, "a\nb\nc\n1\n",
                     "1 ~ passed over 2 lines, from line 1 on: neither names nor values"));
    CHECK(help_gives(&o, "a\nb\nc\n", "!! has no line of numbers; line 2: 'b' is not a number"));
    CHECK(
        help_gives(&o, "a,b\n1,x\n2,3\n", "nan nan | 2 3 ~ line 2: 'x' is not a number: skipped"));
    o.time_column = 1;
    CHECK(help_gives(&o, "0,1\n1,x\nx,2\n3,4\n",
                     "@0 1 | @1 nan | @nan nan | @3 4"
                     " ~ line 2: 'x' is not a number: skipped"
                     " ~ line 3: 'x' is not a time: skipped"));
}

static void columns_are_picked_and_reordered(void)
{
    static const size_t swapped[] = {3, 1}, twice[] = {2, 2};
    source_options o = PLAIN;
    o.columns = swapped;
    o.n_columns = 2;
    CHECK(help_gives(&o, "1,2,3\n4,5,6\n", "3 1 | 6 4"));
    CHECK(help_gives(&o, "a,b,c\n1,foo bar,3\n4,,6\n", "3 1 | 6 4"));
    CHECK(help_gives(&o, "1,\"x, #y\",3\n", "3 1"));
    CHECK(help_gives(&o, "1,2\n", "!! line 1: 2 values, no column 3"));
    CHECK(help_gives(&o, "1,2,3\n4,5\n", "3 1 | ! line 2: 2 values, expected 3" HELP_ADVICE));
    CHECK(help_gives(&o, "1,2,x\n", "!! line 1: 'x' is not a number"));
    o.columns = twice;
    CHECK(help_gives(&o, "1,2,3\n", "2 2"));
}

static void the_number_of_channels_is_checked(void)
{
    source_options o = PLAIN;
    o.channels = 2;
    CHECK(help_gives(&o, "1,2\n3,4\n", "1 2 | 3 4"));
    CHECK(help_gives(&o, "1,2,3\n", "!! line 1: 3 values, expected 2"));
    o.time_column = 1;
    CHECK(help_gives(&o, "0,1,2\n1,3,4\n", "@0 1 2 | @1 3 4"));
}

static void channels_are_chosen(void)
{
    source_options o = PLAIN;
    o.choice = CHANNEL_MIX;
    CHECK(help_gives(&o, "1,2,6\n4,5,0\n", "3 | 3"));
    CHECK(help_gives(&o, "1,2,2\n1e8,1,-1e8\n", "1.66666663 | 0.333333343"));
    o.choice = CHANNEL_ONE;
    o.channel = 2;
    CHECK(help_gives(&o, "1,2,6\n4,5,0\n", "2 | 5"));
    o.channel = 4;
    CHECK(help_gives(&o, "1,2,6\n", "!! has 3 channels, no channel 4"));
}

static void times_are_numbers(void)
{
    static const size_t both[] = {2, 1};
    source_options o = PLAIN;
    o.time_column = 1;
    CHECK(help_gives(&o, "0.5,1\n0.75,2\n", "@0.5 1 | @0.75 2"));
    CHECK(help_gives(&o, "t v\n1e3 1\n", "@1000 1"));
    CHECK(help_gives(&o, "1,2\nnan,3\n", "@1 2 | ! line 2: 'nan' is not a time" HELP_ADVICE));
    CHECK(help_gives(&o, "5\n", "!! line 1: only a time, no values"));
    o.columns = both;
    o.n_columns = 2;
    CHECK(help_gives(&o, "1,2\n3,4\n", "@1 2 1 | @3 4 3"));
    o.columns = NULL;
    o.n_columns = 0;
    o.time_column = 3;
    CHECK(help_gives(&o, "1,2,7\n3,4,8\n", "@7 1 2 | @8 3 4"));
    CHECK(help_gives(&o, "1,2\n", "!! line 1: 2 values, no column 3"));
}

static void times_are_iso_8601(void)
{
    source_options o = PLAIN;
    o.time_column = 1;
    CHECK(help_gives(&o, "1970-01-01T00:00:01Z,1\n", "@1 1"));
    CHECK(help_gives(&o, "2024-02-29T12:00:00.25Z,1\n2024-02-29 14:00:00.5+02:00,2\n",
                     "@1709208000.25 1 | @1709208000.5 2"));
    CHECK(help_gives(&o, "when what\n2024-02-29 12:00:00 1\n", "@1709208000 1"));
    CHECK(help_gives(&o, "\"2024-02-29 12:00:00\",1\n", "@1709208000 1"));
    CHECK(help_gives(&o, "2024-02-29,1\n", "@1709164800 1"));
    CHECK(help_gives(&o, "2023-02-29T00:00:00Z,1\n",
                     "!! line 1: '2023-02-29T00:00:00Z' is not a time; "
                     "write dates such as 2026-12-31 23:59:59, or give --time-format"));
    CHECK(help_gives(&o, "2024-02-29T12:00:00Z,1\n7,1\n",
                     "@1709208000 1 | ! line 2: times must be all numbers, all ISO 8601, or all of "
                     "one form" HELP_ADVICE));
    help_input in = {"2024-02-29,1\n", 13, 0, false};
    help_result r = help_run(&in, &o);
    CHECK(r.info.times == SOURCE_ISO && r.info.channels == 1);
    help_free(&r);
}

static void a_template_may_be_cut_already(void)
{
    static const size_t columns[] = {4, 2};
    source_options o = PLAIN;
    o.is_template = true;
    o.columns = columns;
    o.n_columns = 2;
    CHECK(help_gives(&o, "1,2,3,4\n", "4 2"));
    CHECK(help_gives(&o, "1,2\n3,4\n", "1 2 | 3 4"));
    CHECK(help_gives(&o, "a,b\n1,2\n3,4\n", "1 2 | 3 4"));
    CHECK(help_gives(&o, "1,2,3\n",
                     "!! line 1: 3 values, no column 4; a template has all columns of the inputs, "
                     "or only the 2 of --columns"));
    o.columns = NULL;
    o.n_columns = 0;
    o.time_column = 1;
    CHECK(help_gives(&o, "1\n2\n", "@nan 1 | @nan 2"));
    CHECK(help_gives(&o, "0,1\n1,2\n", "@0 1 | @1 2"));
    o.time_column = 3;
    CHECK(help_gives(&o, "1\n2\n", "@nan 1 | @nan 2"));
    CHECK(help_gives(&o, "1,2\n3,4\n", "@nan 1 2 | @nan 3 4"));
}

/* A read waits for no more than its first frame. */
static void whole_lines_come_at_once(void)
{
    int ends[2], saved = dup(STDIN_FILENO);
    char error[256];
    float x[8];
    source_options o = PLAIN;
    CHECK(pipe(ends) == 0);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    CHECK(write(ends[1], "1\n", 2) == 2);
    source *src = source_open("-", &o, error, sizeof error);
    CHECK(src && source_read(src, x, NULL, 8) == 1 && x[0] == 1);
    CHECK(write(ends[1], "2\n3\n# half\n4", 12) == 12);
    CHECK(source_read(src, x, NULL, 8) == 2 && x[0] == 2 && x[1] == 3);
    close(ends[1]);
    CHECK(source_read(src, x, NULL, 8) == 1 && x[0] == 4);
    CHECK(source_read(src, x, NULL, 8) == 0);
    source_close(src);
    dup2(saved, STDIN_FILENO);
    close(saved);
}

static void warnings_are_bounded(void)
{
    static char text[65536] = "1\n";
    source_options o = PLAIN;
    char error[256];
    float x[400];
    o.skip_bad = true;
    for (int i = 0; i < 300; i++) strcat(text, "x\n");
    const char *path = help_file(text, strlen(text));
    source *src = source_open(path, &o, error, sizeof error);
    CHECK(src != NULL);
    CHECK(source_read(src, x, NULL, 400) == 301);
    int n = 0;
    const char *last = NULL, *next;
    for (; (next = source_warning(src)); n++) last = next;
    CHECK(n == 17);
    CHECK(last && strcmp(last, "284 more warnings left out") == 0);
    source_close(src);
    unlink(path);
}

#define UNCLEAR                                                                                    \
    "values, or names or units? Begin units with #, choose columns by name, or write NA for what " \
    "is no number"

/* Regression: of a line of names that have separators in them, other columns were taken. */
static void names_and_values_agree_in_number(void)
{
    static const size_t by_name[] = {0};
    static const char *names[] = {"x"};
    source_options o = PLAIN;
    o.columns = by_name;
    o.column_names = names;
    o.n_columns = 1;
    CHECK(help_gives(&o, "t, s;x;y\n1;2;3\n", "2") && help_gives(&o, "V(a,b)\tx\n1\t2\n", "2"));
    CHECK(
        help_gives(&o, "t (s) x y\n1 2 3\n",
                   "!! 4 names in line 1, but 3 values in line 2: quote names and times that hold "
                   "separators, or begin lines that are no names with #"));
    CHECK(
        help_gives(&o, "t,x,y\n1,2\n",
                   "!! 3 names in line 1, but 2 values in line 2: quote names and times that hold "
                   "separators, or begin lines that are no names with #"));
    CHECK(help_gives(&o, "\"x\" \"y\"\n\"1\" 5 6\n\"2\" 7 8\n", "5 | 7"));
    CHECK(help_gives(&o, "x\ty\n1\t5\t6\n2\t7\t8\n", "5 | 7"));
    CHECK(help_gives(&o, ";t;x\n0;1;2\n1;2;3\n", "2 | 3")); /* pandas */
    CHECK(help_gives(&o, "t\tx\tComment\n0\t1\n1\t2\tstop\n2\t3\t\n", "1 | 2 | 3"));
    CHECK(help_gives(&o, "t,x,\n1,2\n", "2") && help_gives(&o, "t,x\n1,2,\n", "2"));
    CHECK(help_gives(&o, "t,Sensor #1,x\n1,2,3\n", "3"));
    CHECK(help_gives(&o, "t,x,x\n1,2,3\n",
                     "!! --columns: columns 2 and 3 are both named 'x': choose by number"));
    CHECK(
        help_gives(&o, "t,x\n\"s1\",5,7\n",
                   "!! 2 names in line 1, but 3 values in line 2: quote names and times that hold "
                   "separators, or begin lines that are no names with #"));
    CHECK(help_gives(&o, "x\n1 234\n1 300\n",
                     "234 | ! line 3: 1 name, but 2 values, and rows are not named 1, 2 as R does; "
                     "--skip-bad makes it a gap"));
    CHECK(help_gives(
        &o, "# t x\n1 2\n",
        "!! line 2: no header row, so no column 'x' of --columns; if names are in a line with #, "
        "take that off"));
    names[0] = "x, raw";
    CHECK(help_gives(&o, "t,\"x, raw\"\n1,2\n", "2"));
    names[0] = "V(a,b)";
    CHECK(help_gives(&o, "time\tV(a,b)\tI(x)\n0\t1\t2\n", "1"));
    CHECK(help_gives(&o, "t,\"a,b\"\n1,2\n",
                     "!! --columns: no column 'V(a,b)'; there are t, \"a,b\""));
}

/* Regression: lines of words before the table were gaps or errors, and a row of units was. */
static void lines_before_the_table_are_no_samples(void)
{
    static const size_t by_name[] = {0}, first[] = {1}, second[] = {2};
    static const char *const names[] = {"x"};
    static const char units[] = "t,x\ns,V\n1,2\n3,4\n";
    source_options o = PLAIN;
    CHECK(help_gives(&o, units, "1 2 | 3 4 ~ passed over line 2: neither names nor values"));
    CHECK(help_gives(&o, "Logger 5\nSerial,12\n\nt,x\n1,2\n",
                     "1 2 ~ passed over 2 lines, from line 1 on: neither names nor values"));
    CHECK(help_gives(&o, "sep=;\r\nt;x\r\n1;2\r\n", "1 2"));
    o.columns = by_name;
    o.column_names = names;
    o.n_columns = 1;
    o.skip_bad = true;
    CHECK(help_gives(&o, units, "2 | 4 ~ passed over line 2: neither names nor values"));
    CHECK(help_gives(&o, "% made by x\n% t x\n1 2\n",
                     "2 ~ passed over line 1: neither names nor values"));
    CHECK(help_gives(&o, "; t x\n1 2\n", "2"));
    CHECK(
        help_gives(&o, "t,x\n1,oops\n3,4\n", "nan | 4 ~ line 2: 'oops' is not a number: skipped"));
    o.columns = first;
    CHECK(help_gives(&o, "; old\n2;\n3;\n", "2 | 3"));
    CHECK(help_gives(&o, "; made by\n; rate: 5\n2,3\n4,5\n",
                     "2 | 4 ~ passed over 2 lines, from line 1 on: neither names nor values"));
    o.columns = second;
    CHECK(help_gives(&o, "t,x,y\ns,1,V\n0,2,3\n",
                     "2 ~ passed over line 2: neither names nor values"));
    CHECK(help_gives(&o, "t,x,y\ns,-,V\n0,2,3\n",
                     "2 ~ passed over line 2: neither names nor values"));
    CHECK(help_gives(&o, "t,x\ns,\nAvg,Smp\n0,2\n",
                     "2 ~ passed over 2 lines, from line 1 on: neither names nor values"));
    CHECK(
        help_gives(&o, "x,1,2\ns,V,V\n0,2,3\n",
                   "2 ~ passed over line 2: neither names nor values ~ line 1 is taken for names, "
                   "although it has numbers"));
    CHECK(help_gives(&o, "; made by\n; rate: 1 Hz\nx;y\n2;3\n",
                     "3 ~ passed over 2 lines, from line 1 on: neither names nor values"));
    CHECK(help_gives(&o, "t,x,y\n1,1,V\n0,2,3\n", "!! line 2: " UNCLEAR));
    CHECK(help_gives(&o, "t,x,y\n1,1,bad\n2,2,3\n", "1 | 2"));
    CHECK(help_gives(&o, "name,x\ns1,NA\ns1,2\n",
                     "nan | 2 ~ 1 missing value in column x made a gap; --fill bridges it"));
    CHECK(help_gives(&o, "X,CH1,Start,Step\nSequence,Volt,-1e-3,1e-6\n0,5,,\n1,6,,\n",
                     "5 | 6 ~ passed over line 2: neither names nor values"));
}

/* Regression: a header with a number in it was the first sample. */
static void names_may_be_numbers(void)
{
    static const size_t second[] = {2};
    source_options o = PLAIN;
    o.columns = second;
    o.n_columns = 1;
    CHECK(help_gives(&o, "t,2026\n0,5\n1,6\n",
                     "5 | 6 ~ line 1 is taken for names, although it has numbers"));
    CHECK(help_gives(&o, ",0\n0,5\n1,6\n",
                     "5 | 6 ~ line 1 is taken for names, although it has numbers"));
    CHECK(help_gives(&o, "0,1\n0,5\n1,6\n",
                     "5 | 6 ~ line 1 is taken for names, although it has numbers"));
    CHECK(help_gives(
        &o, "0,1\n1,6\n",
        "1 | 6 ~ line 1 counts columns, as a header of pandas, but is taken for values"));
    CHECK(help_gives(&o, "0,oops,1\n1,5,2\n",
                     "!! line 1: 'oops' is not a number; --skip-bad makes it a gap"));
    CHECK(
        help_gives(&o, "t,2026\n0,5\n", "5 ~ line 1 is taken for names, although it has numbers"));
    CHECK(help_gives(&o, "t,2026,y\n0,5,1\n",
                     "5 ~ line 1 is taken for names, although it has numbers"));
    CHECK(help_gives(&o, "5,2026,t\n0,5,1\n", "!! line 1: " UNCLEAR));
    CHECK(help_gives(&o, "5,20.5,t\n0,5,1\n", "20.5 | 5"));
    CHECK(help_gives(&o, "t,2026\n0,5\nt,2026\n1,6\n", /* regression: a sample of 2026 */
                     "5 | 6 ~ line 1 is taken for names, although it has numbers ~ passed over 1 "
                     "line like the header"));
    CHECK(help_gives(&o, "a,1\nb,6\n", "1 | 6") && help_gives(&o, "a,1\n", "1"));
}

/* Regression: decimal commas made two columns. */
static void decimal_commas_are_read_or_refused(void)
{
    static const size_t by_name[] = {0}, both[] = {1, 2};
    static const char *const names[] = {"x"};
    source_options o = PLAIN;
    CHECK(help_gives(&o, "t\tx\n0,5\t20,25\n", "0.5 20.25") &&
          help_gives(&o, "0,5 1,5\n", "0.5 1.5"));
    CHECK(help_gives(
        &o, "0,5;1\n2;1.5\n",
        "0.5 1 | ! line 2: decimals have points and commas: give --decimal , or --decimal "
        "." HELP_ADVICE));
    CHECK(
        help_gives(&o, "20,00\n20,25\n",
                   "!! line 1: '20,00' may be one value with a decimal comma: give --decimal ,; if "
                   "it is two, choose --columns 1,2"));
    CHECK(help_gives(&o, "20,5\n20,75\n19,25\n",
                     "20 5 | 20 75 | 19 25 ~ read as two columns; if '20,5' is one value with a "
                     "decimal comma, give --decimal ,"));
    CHECK(help_gives(&o, "20,5\n20,75\n19,10\n", "20 5 | 20 75 | 19 10"));
    CHECK(help_gives(
        &o, "x\n20,5\n",
        "!! line 2: '20,5' is one value with a decimal comma, or two: give --decimal , or "
        "choose a column by its name"));
    CHECK(help_gives(&o, "\"0,5\",\"20,0\"\n",
                     "!! line 1: '0,5' is not a number; --decimal , reads 1.234,5 "
                     "and --decimal . reads 1,234.5"));
    o.columns = both;
    o.n_columns = 1;
    CHECK(help_gives(&o, "20,5\n20,75\n19,25\n",
                     "20 | 20 | 19 ~ read as two columns; if '20,5' is one value with a decimal "
                     "comma, give --decimal ,"));
    o.n_columns = 2;
    CHECK(help_gives(&o, "20,00\n20,25\n", "20 0 | 20 25"));
    o.columns = by_name;
    o.column_names = names;
    o.n_columns = 1;
    CHECK(help_gives(&o, "x\n20,5\n", "20.5"));
}

/* Regression: a sum below the table was a sample without a word. */
static void sums_are_reported(void)
{
    static const size_t second[] = {2};
    static char many[1024], wanted[1024];
    source_options o = PLAIN;
    char *end = many;
    o.columns = second;
    o.n_columns = 1;
    for (int i = 0; i < 20; i++) end += sprintf(end, "12:%02d,0\n", i);
    strcpy(end, "Total,0\n");
    CHECK(help_gives(
        &o, many,
        "0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 ~ 1 row "
        "with a word in column 1, where others have a number, such as line 21, taken for values; "
        "begin sums and the like with #"));
    CHECK(help_gives(&o, "3f,1\na2,2\n", "1 | 2"));
    end = many + sprintf(many, "Rate,0\nGain,0\n");
    char *want = wanted + sprintf(wanted, "0 | 0");
    for (int i = 0; i < 40; i++) {
        end += sprintf(end, "%d,0\n", i);
        want += sprintf(want, " | 0");
    }
    sprintf(want, " ~ 2 rows with a word in column 1, where others have a number, such as line 1, "
                  "taken for values; begin sums and the like with #");
    CHECK(help_gives(&o, many, wanted));
}

/* Regression: CR alone made one line of all. */
static void lines_that_end_in_cr_alone_are_refused(void)
{
    static char longer[70000];
    source_options o = PLAIN;
    CHECK(help_gives(&o, "t,x\r1,2\r",
                     "!! line 1: lines end in CR alone: convert them by tr '\\r' '\\n'"));
    for (size_t i = 0; i + 2 < sizeof longer; i += 2) memcpy(longer + i, "1\r", 2);
    CHECK(
        help_gives(&o, longer, "!! line 1: lines end in CR alone: convert them by tr '\\r' '\\n'"));
}

/* Regression: a line of words before the table was a row, if the chosen column of it is a number.
 */
static void words_before_a_table_are_no_row(void)
{
    source_options o = PLAIN;
    const size_t first = 1, third = 3;
    o.columns = &third;
    o.n_columns = 1;
    CHECK(help_gives(&o, "; old\nDevice: X200, 2 channels\n 4 -39 -76 53\n 5 6 7 8\n",
                     "-76 | 7 ~ passed over 2 lines, from line 1 on: neither names nor values"));
    CHECK(help_gives(&o, "made by X\na,1,2,up\nb,3,4,up\n",
                     "2 | 4 ~ passed over line 1: neither names nor values"));
    CHECK(help_gives(&o, "Logger No 5\n1,2,3\n4,5,6\n",
                     "3 | 6 ~ passed over line 1: neither names nor values"));
    CHECK(help_gives(&o, "Logger No 5\n1;2;3\n4;5;6\n",
                     "3 | 6 ~ passed over line 1: neither names nor values"));
    /* Regression: the first two lines were rows. */
    CHECK(help_gives(&o, "Device: X, 2 channels\nDevice: X, 2 channels\n 4 -39 -76 53\n",
                     "!! line 2: it has a word above a number; the first line, the same, was taken "
                     "for a name; --skip-bad makes it a gap"));
    o.columns = &first;
    CHECK(help_gives(&o, "; old\n5;a\n6;b\n", /* regression: it was a row */
                     "5 | 6 ~ passed over line 1: neither names nor values"));
    o.columns = &third;
    CHECK(help_gives(&o, "a b 5\n1,2 3\n", "5 | ! line 2: 2 values, expected 3" HELP_ADVICE));
}

/* The names of the channels of a text, joined; "-": one is not known. */
static const char *channel_names(const char *text, source_options o)
{
    static char names[256], error[256];
    const char *path = help_file(text, strlen(text));
    source *src = source_open(path, &o, error, sizeof error);
    CHECK(src != NULL);
    names[0] = 0;
    for (size_t k = 0; k < source_get_info(src).channels; k++) {
        const char *name = source_channel_name(src, k);
        strcat(names, name ? name : "-");
        strcat(names, "|");
    }
    source_close(src);
    unlink(path);
    return names;
}

static void channels_have_the_names_of_their_columns(void)
{
    static const size_t columns[] = {3, 0};
    static const char *const named[] = {NULL, "a b"};
    source_options o = {.wake_fd = -1};
    CHECK(strcmp(channel_names("t,a b,\"c,d\"\n0,1,2\n", o), "t|a b|c,d|") == 0);
    CHECK(strcmp(channel_names("0,1,2\n1,1,3\n", o), "-|-|-|") == 0);
    o.time_name = "t";
    CHECK(strcmp(channel_names("t,a b,c\n0,1,2\n1,3,4\n", o), "a b|c|") == 0);
    o.choice = CHANNEL_ONE;
    o.channel = 2;
    CHECK(strcmp(channel_names("t,a b,c\n0,1,2\n1,3,4\n", o), "c|") == 0);
    o.choice = CHANNEL_MIX;
    CHECK(strcmp(channel_names("t,a b,c\n0,1,2\n1,3,4\n", o), "-|") == 0);
    o = (source_options){.wake_fd = -1, .columns = columns, .column_names = named, .n_columns = 2};
    CHECK(strcmp(channel_names("t,a b,c\n0,1,2\n", o), "c|a b|") == 0);
    o = (source_options){.wake_fd = -1};
    CHECK(strcmp(channel_names("{\"x\":1,\"y\":2}\n{\"x\":1,\"y\":2}\n", o), "x|y|") == 0);
}

int main(void)
{
    RUN(channels_have_the_names_of_their_columns);
    RUN(a_number_a_line);
    RUN(numbers_are_doubles);
    RUN(rows_by_every_separator);
    RUN(comments_and_blank_lines_are_passed_over);
    RUN(one_header_row_is_allowed);
    RUN(empty_cells_are_nan);
    RUN(rows_like_doubtful_names_stay);
    RUN(tabs_at_the_end_are_empty_cells);
    RUN(tabs_that_end_the_first_row_end_all);
    RUN(rows_that_all_lack_a_value_are_reported);
    RUN(a_value_that_is_always_nan_is_reported);
    RUN(a_column_that_bridges_cannot_fill_is_reported);
    RUN(a_time_column_by_number_is_no_column_of_a_name);
    RUN(a_header_may_come_again);
    RUN(columns_have_names);
    RUN(the_time_column_has_a_name);
    RUN(bad_lines_are_named);
    RUN(a_nul_is_no_number);
    RUN(values_beyond_float32_are_reported_once);
    RUN(nothing_to_read_is_an_error);
    RUN(lines_are_kept_as_they_were);
    RUN(a_long_line_is_an_error);
    RUN(skipped_lines_are_gaps);
    RUN(columns_are_picked_and_reordered);
    RUN(the_number_of_channels_is_checked);
    RUN(channels_are_chosen);
    RUN(times_are_numbers);
    RUN(times_are_iso_8601);
    RUN(a_template_may_be_cut_already);
    RUN(whole_lines_come_at_once);
    RUN(warnings_are_bounded);
    RUN(names_and_values_agree_in_number);
    RUN(lines_before_the_table_are_no_samples);
    RUN(names_may_be_numbers);
    RUN(decimal_commas_are_read_or_refused);
    RUN(sums_are_reported);
    RUN(lines_that_end_in_cr_alone_are_refused);
    RUN(words_before_a_table_are_no_row);
    return check_done();
}
