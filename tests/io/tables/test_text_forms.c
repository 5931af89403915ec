/* Tables whose form the options give: decimals, times, lines before the table, comments, names. */
#include <errno.h>

#include "io/time/time_pattern.h"
#include "tests/io/source_help.h"

static const source_options PLAIN = {.format = SOURCE_TEXT, .wake_fd = -1};

static void given_decimals(void)
{
    source_options o = PLAIN;
    o.decimal = ',';
    CHECK(help_gives(&o, "20,00\n20,25\n", "20 | 20.25"));
    CHECK(help_gives(&o, "t;x\n1.234;0,5\n1.235;1.000,5\n", "1234 0.5 | 1235 1000.5"));
    CHECK(help_gives(&o, "\"0,5\",\"1.234\"\n", "0.5 1234"));
    CHECK(help_gives(&o, "1,5\n1.5\n",
                     "1.5 | ! line 2: '1.5' is not a number; --decimal , reads 1.234,5 and "
                     "--decimal . reads 1,234.5" HELP_ADVICE));
    CHECK(help_gives(&o, "1 234,5\t7\n", "1234.5 7") && help_gives(&o, "1,5 7\n", "1.5 7"));
    CHECK(help_gives(&o, "inf\n0x10\n1e3\n",
                     "inf | 16 | 1000 ~ 1 missing value in column 1 made "
                     "a gap; --fill bridges it"));
    o.decimal = '.';
    CHECK(help_gives(&o, "20,5\n20,75\n19,25\n", "20 5 | 20 75 | 19 25"));
    CHECK(help_gives(&o, "\"1,234.5\";\"1,234\"\n", "1234.5 1234"));
}

/* Without an option. */
static void certain_thousands(void)
{
    const source_options o = PLAIN;
    CHECK(help_gives(&o, "x;y\n1.234,5;0,5\n", "1234.5 0.5"));
    CHECK(help_gives(&o, "\"1,234.5\",\"2\"\n", "1234.5 2") &&
          help_gives(&o, "1'234.5,7\n", "1234.5 7"));
    CHECK(help_gives(&o, "0,5;1\n1.234;2\n",
                     "0.5 1 | ! line 2: decimals have points and commas: give --decimal , or "
                     "--decimal ." HELP_ADVICE));
}

static source_options timed(size_t time, size_t clock)
{
    source_options o = PLAIN;
    o.time_column = time;
    o.clock_column = clock;
    return o;
}

static void certain_times(void)
{
    source_options o = timed(1, 0);
    CHECK(help_gives(&o, "t;x\n29.02.2024 12:00:00;5\n29.02.2024 12:00:01;6\n",
                     "@1709208000 5 | @1709208001 6"));
    CHECK(help_gives(&o, "t;x\n2024-02-29 12:00:00,5;5\n", "@1709208000.5 5"));
    CHECK(help_gives(&o, "2024/02/29 12:00:00 PM,5\n", "@1709208000 5"));
    CHECK(help_gives(&o, "00:01:00,5\n00:01:01,6\n", "@60 5 | @61 6"));
    CHECK(help_gives(&o, "00:01:00,5\n61,6\n",
                     "@60 5 | ! line 2: times must be all numbers, all ISO 8601, or all of one "
                     "form" HELP_ADVICE));
    CHECK(help_gives(&o, "02/29/2024 12:00:00,5\n",
                     "!! line 1: '02/29/2024 12:00:00' needs its --time-format, such as "
                     "'%m/%d/%Y %H:%M:%S'"));
    CHECK(help_gives(&o, "12:00,5\n",
                     "!! line 1: '12:00' is not a time; write dates such as "
                     "2026-12-31 23:59:59, or give --time-format"));
    o.time_column = 0;
    CHECK(help_gives(&o, "t,x\n29.02.2024 12:00:00,5\n",
                     "!! line 2: '29.02.2024 12:00:00' is not a number; name the time with "
                     "--time-column 1, or choose with --columns"));
}

static void times_in_two_columns(void)
{
    source_options o = timed(1, 2);
    CHECK(help_gives(&o, "29.02.2024,12:00:00,5\n29.02.2024,12:00:01,6\n",
                     "@1709208000 5 | @1709208001 6"));
    CHECK(help_gives(&o, "2024-02-29 12:00:00 5\n", "@1709208000 5"));
    CHECK(help_gives(&o, "29.02.2024,,5\n",
                     "!! line 1: '29.02.2024' is not a time; write dates such "
                     "as 2026-12-31 23:59:59, or give --time-format"));
    CHECK(help_gives(&o, "5\n", "!! line 1: 1 value, no column 2"));
    o = PLAIN;
    o.time_name = "Date";
    o.clock_name = "Time";
    CHECK(help_gives(&o, "Time,x,Date\n12:00:00,5,29.02.2024\n", "5"));
    CHECK(help_gives(&o, "Time,x\n12:00:00,5\n",
                     "!! --time-column: no column 'Date'; there are Time, x"));
    o.format = SOURCE_JSONL;
    CHECK(
        help_gives(&o, "{\"Date\":1}\n", "!! --time-column: JSON Lines have a time in one column"));
}

static void formats_of_times(void)
{
    time_pattern format;
    source_options o = timed(1, 0);
    o.time_format = &format;
    o.clock_column = 2;
    CHECK(!time_pattern_parse(&format, "%d.%m.%Y %H%M%S.%f"));
    CHECK(help_gives(&o, "29.02.2024;120000.5;0,5\n", "@1709208000.5 0.5"));
    o.clock_column = 0;
    CHECK(!time_pattern_parse(&format, "%m/%d/%Y %I:%M:%S.%f %p"));
    CHECK(help_gives(&o, "02/29/2024 12:00:00.25 PM,5\n", "@1709208000.25 5"));
    CHECK(
        help_gives(&o, "2024-02-29,5\n", "!! line 1: '2024-02-29' is not a time of --time-format"));
    o.skip_bad = true;
    CHECK(help_gives(
        &o, "02/29/2024 12:00:00.25 PM,5\nx,6\n",
        "@1709208000.25 5 | @nan nan ~ line 2: 'x' is not a time of --time-format: skipped"));
    CHECK(!time_pattern_parse(&format, "%Y%m%d%H%M%S"));
    CHECK(help_gives(&o, "20240229120000,5\n", "@1709208000 5"));
    o.format = SOURCE_JSONL;
    CHECK(help_gives(&o, "[\"20240229120000\",5]\n", "@1709208000 5"));
}

static void units_of_times(void)
{
    source_options o = timed(1, 0);
    o.time_unit = TIME_UNIT_MS;
    CHECK(help_gives(&o, "500,5\n1000,6\n", "@0.5 5 | @1 6"));
    CHECK(help_gives(&o, "1709208000500,5\n", "@1709208000.5 5"));
    o.time_unit = TIME_UNIT_S;
    CHECK(help_gives(&o, "1709208000500,5\n", "@1709208000500 5"));
    o.time_unit = TIME_UNIT_US;
    CHECK(help_gives(&o, "1.5,5\n", "@1.5e-06 5"));
    CHECK(help_gives(&o, "2024-02-29,5\n",
                     "!! --time-unit is of numbers, but its times are dates or times of day"));
}

#define STAY " ~ its first lines are numbers, so --skip leaves them in the template"

static void skipped_lines_and_comments(void)
{
    source_options o = PLAIN;
    o.skip_lines = 2;
    CHECK(help_gives(&o, "1,2,3\nx\n4,5\n", "4 5") && help_gives(&o, "1\n2\nx\n4\n5", "4 | 5"));
    CHECK(help_gives(&o, "1\n2\n", "!! is empty: no samples"));
    CHECK(help_gives(&o, "1\n", "!! has no line after those of --skip"));
    CHECK(help_gives(&o, "1\n2\n3\nx\n", "3 | ! line 4: 'x' is not a number" HELP_ADVICE));
    o.is_template = true; /* it may be of values alone */
    CHECK(help_gives(&o, "1\n2\n4\n", "1 | 2 | 4" STAY));
    CHECK(help_gives(&o, "1", "1" STAY) && help_gives(&o, "a\nb\n4\n", "4"));
    o = PLAIN;
    o.comment = ';';
    CHECK(help_gives(&o, "; made by x\n1,2 ; note\n;3,4\n5,6\n", "1 2 | 5 6"));
    CHECK(help_gives(&o, "1\n#2\n", "1 | ! line 2: '#2' is not a number" HELP_ADVICE));
}

static void headers_by_option(void)
{
    source_options o = PLAIN;
    o.header = HEADER_YES;
    CHECK(help_gives(&o, "2025\n2026\n1\n", "2026 | 1") && help_gives(&o, "x,1\n7,8\n", "7 8"));
    CHECK(help_gives(&o, "2025\n", "!! has no line of numbers"));
    o.is_template = true;
    CHECK(help_gives(&o, "2025\n2026\n", "2025 | 2026"));
    o.is_take = true;
    CHECK(help_gives(&o, "2025\n2026\n", "2026"));
    o = PLAIN;
    o.header = HEADER_NO;
    CHECK(help_gives(&o, "0,1,2\n3,4,5\n", "0 1 2 | 3 4 5"));
    CHECK(help_gives(&o, "x,y\n1,2\n", "!! line 1: 'x' is not a number"));
    static const size_t second[] = {2};
    o.columns = second;
    o.n_columns = 1;
    CHECK(help_gives(&o, "a,1\nb,2\n", "1 | 2"));
}

/* The words that listing gives, joined by blanks, then warnings and the error. */
static bool lists(source_options o, const char *text, const char *wanted)
{
    char got[1024] = "", error[256];
    const char *path = help_file(text, strlen(text)), *warning;
    o.deals_rows = true;
    source *src = source_open(path, &o, error, sizeof error);
    unlink(path);
    source_row row;
    size_t n = 0;
    while (src && source_next_row(src, &row, true) > 0)
        n += (size_t)sprintf(got + n, "%.*s ", (int)row.group_length, row.group);
    while (src && (warning = source_warning(src))) n += (size_t)sprintf(got + n, "~ %s ", warning);
    n += (size_t)sprintf(got + n, "! %s", src ? source_error(src) : error);
    source_close(src);
    if (strcmp(got, wanted) != 0) fprintf(stderr, "got %s\n", got);
    return strcmp(got, wanted) == 0;
}

static void groups_are_listed(void)
{
    source_options o = PLAIN;
    o.group_column = 2;
    CHECK(lists(o, "1,a\n2,b\n3,a\n", "a b a ! "));
    CHECK(lists(o, "x;dev\n1;\"a;b\"\n2;7\nx;dev\n3;c\n",
                "a;b 7 c ~ passed over 1 line like the header ! "));
    CHECK(lists(o, "1,a\n2\n3,b\n", "a ! line 2: no column 2, the group" HELP_ADVICE));
    CHECK(lists(o, "1,a\n2,\n", "a ! line 2: column 2, the group, is empty" HELP_ADVICE));
    o.skip_bad = true;
    CHECK(lists(o, "1,a\n2\noops,b\n", "a b ~ line 2: no column 2, the group: skipped ! "));
    o = PLAIN;
    o.group_name = "dev";
    CHECK(lists(o, "dev,x\na,1\n", "a ! ") &&
          lists(o, "x\n1\n", "! --group-by: no column 'dev'; there are x"));
}

/* Whoever deals out rows gets them as they are in the file, and what opening has read. */
static void rows_are_dealt_whole(void)
{
    static const char text[] = "# c\nx , dev\n\n1, \"a\" # d\n2,b\n# e\n3 ,a\r\n";
    const char *path = help_file(text, sizeof text - 1);
    char error[256];
    source_options o = PLAIN;
    o.group_name = "dev";
    o.deals_rows = true;
    source *src = source_open(path, &o, error, sizeof error);
    unlink(path);
    CHECK(src);
    source_row row;
    size_t length;
    const char *head = source_head(src, &length);
    CHECK(length < sizeof text - 1 && memcmp(head, text, length) == 0 && head[length - 1] == '\n');
    CHECK(length >= strlen("# c\nx , dev\n\n1, \"a\" # d\n"));
    CHECK(source_next_row(src, &row, true) == 1 && row.number == 4);
    CHECK(row.length == 10 && memcmp(row.line, "1, \"a\" # d", row.length) == 0);
    CHECK(row.group_length == 1 && *row.group == 'a');
    CHECK(source_next_row(src, &row, true) == 1 && row.number == 5 && *row.group == 'b');
    CHECK(source_next_row(src, &row, true) == 1 && row.number == 7);
    CHECK(row.length == 5 && memcmp(row.line, "3 ,a\r", row.length) == 0);
    CHECK(source_next_row(src, &row, true) == -1 && !*source_error(src));
    source_close(src);
}

/* Lines for a source: `n`, of which those from `stop` on come only if it waits. */
typedef struct {
    const char *const *lines;
    size_t at, stop, n;
} some_lines;

static bool next_line(void *user, const char **line, size_t *length, uint64_t *number, bool wait)
{
    some_lines *s = user;
    if (s->at == s->n || (s->at >= s->stop && !wait)) return false;
    if (s->at >= s->stop) s->stop = s->at + 2;
    *line = s->lines[s->at];
    *length = strlen(*line);
    *number = 10 * ++s->at;
    return true;
}

/* Frames come with the line that completes them: here --fill waits for the next value. */
static void lines_are_read_as_they_are_supplied(void)
{
    static const char *const lines[] = {"x", "1", "2", "nan", "nan", "5", "6"};
    some_lines from = {.lines = lines, .stop = 3, .n = 7};
    const line_supply supply = {.next = next_line, .user = &from};
    char error[256];
    source_options o = PLAIN;
    o.lines = &supply;
    o.rate_hz = 1;
    o.fill_s = 5;
    source *src = source_open(NULL, &o, error, sizeof error);
    CHECK(src);
    float x[8];
    CHECK(source_gather(src, x, NULL, 8) == 2 && x[0] == 1 && x[1] == 2);
    CHECK(source_came_with(src)[0] == 20 && source_came_with(src)[1] == 30);
    CHECK(source_gather(src, x, NULL, 8) == 4 && x[0] == 3 && x[2] == 5 && x[3] == 6);
    CHECK(source_came_with(src)[0] == 60 && source_came_with(src)[2] == 60);
    CHECK(source_came_with(src)[3] == 70);
    CHECK(source_gather(src, x, NULL, 8) == 0 && !*source_error(src));
    source_close(src);
}

static void the_supplier_may_have_failed(void)
{
    static const char *const lines[] = {"1", "2"};
    some_lines from = {.lines = lines, .stop = 2, .n = 2};
    const line_supply supply = {.next = next_line, .user = &from, .failure = EIO};
    char error[256];
    source_options o = PLAIN;
    o.lines = &supply;
    source *src = source_open(NULL, &o, error, sizeof error);
    CHECK(src);
    float x[8];
    CHECK(source_gather(src, x, NULL, 8) == 2);
    CHECK(source_gather(src, x, NULL, 8) == -1 && source_read_failed(src));
    source_close(src);
}

static void groups_are_read_alone(void)
{
    source_options o = PLAIN;
    o.group_column = 2;
    o.group = "a";
    CHECK(help_gives(&o, "1,a\n2,b\n3,a\n", "1 | 3") && help_gives(&o, "1,b\n2,a\n", "2"));
    CHECK(help_gives(&o, "1,a\noops,b\n3,ab\n4\n5,\n6,a\n", "1 | 6"));
    CHECK(help_gives(&o, "1,a\noops,a\n", "1 | ! line 2: 'oops' is not a number" HELP_ADVICE));
    CHECK(help_gives(&o, "1,b\n", ""));
    o.time_column = 1;
    CHECK(help_gives(&o, "0,a,5\n0,b,6\n1,a,7\n", "@0 5 | @1 7"));
    o.group = "b c";
    CHECK(help_gives(&o, "0\ta\t5\n1\tb c\t6\n", "@1 6"));
}

/* Regression: it was taken off the values twice. */
static void one_column_may_be_two_keys(void)
{
    source_options o = timed(1, 0);
    o.group_column = 1;
    o.group = "5";
    CHECK(help_gives(&o, "5,7\n6,8\n", "@5 7"));
    o = timed(1, 1);
    CHECK(help_gives(&o, "5\n", "!! line 1: only a time, no values"));
}

static void a_template_has_one_group(void)
{
    source_options o = PLAIN;
    o.group_name = "dev";
    o.is_template = true;
    CHECK(help_gives(&o, "x\n1\n2\n", "1 | 2") && help_gives(&o, "1\n2\n", "1 | 2"));
    CHECK(help_gives(&o, "dev,x\na,1\na,2\n", "1 | 2"));
    CHECK(
        help_gives(&o, "dev,x\na,1\nb,2\n",
                   "1 | ! line 3: 'b' is another group, but a template has one: cut its rows out"));
}

int main(void)
{
    RUN(given_decimals);
    RUN(certain_thousands);
    RUN(certain_times);
    RUN(times_in_two_columns);
    RUN(formats_of_times);
    RUN(units_of_times);
    RUN(skipped_lines_and_comments);
    RUN(headers_by_option);
    RUN(groups_are_listed);
    RUN(rows_are_dealt_whole);
    RUN(lines_are_read_as_they_are_supplied);
    RUN(the_supplier_may_have_failed);
    RUN(groups_are_read_alone);
    RUN(one_column_may_be_two_keys);
    RUN(a_template_has_one_group);
    return check_done();
}
