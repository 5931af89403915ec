/*
 * text.c - numbers in lines: a line is a frame.
 *
 *     # comment        skipped, and so are blank lines
 *     time,x,y         a header row is allowed: words, no numbers
 *     0.0, 1.5, 2      the first row of numbers fixes how many fields every row has
 *     0.1, , null      no value: NaN; so are NA and N/A
 *     time,x,y         the header again, in joined files: skipped
 *     0.1, oops, 2     an error that names the line; with skip_bad a warning and a frame of NaN
 *
 * Rows: row.h cuts them into fields. Columns are chosen by number, or by the names of the header.
 * With a list of columns, only these and the time column must be numbers. options.channels is the
 * number of values in a row, without the time. CRLF and a byte order mark are accepted.
 *
 * Numbers: as strtod reads them in the C locale, hexadecimal too: doubles. nan and inf are
 * gaps. So is a number beyond float32; the first of these is reported.
 *
 * Times: numbers or ISO 8601 (exact_time.h), one kind in a file. The first one decides if numbers
 * are of an epoch. The time belongs to the frame only if its column is listed. A skipped line keeps
 * its time if that can be read. timed.h finds the rate of the times, and gaps in them.
 *
 * Templates (is_template) may hold the chosen columns only. Rows that are wide enough for every
 * listed column and the time column are read as above. Other rows are read whole. With a list, such
 * a row has exactly n_columns values. With a time column alone, it has one value or lacks that
 * column. If columns are chosen by name, so is a file without a header. One with a header may lack
 * the time column.
 *
 * JSON Lines: jsonl.h makes a row of each line. All else is the same; there is no header.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/kept_lines.h"
#include "io/source_ops.h"
#include "io/tables/jsonl.h"
#include "io/tables/row.h"
#include "io/tables/text_header.h"
#include "io/tables/text_lines.h"

enum { FIRST_ROWS = 64 }; /* if all lack a value, that is reported */

typedef enum { ROW_GOOD, ROW_BAD, ROW_INCOMPLETE, ROW_END } row_kind;

typedef struct {
    text_lines lines;
    row row;
    size_t fields_room; /* of row.fields */
    size_t *columns;    /* NULL: all but the time column */
    size_t n_columns;
    size_t width; /* fields in every row; 0 until the first good one */
    bool wants_times;
    text_header header;
    bool header_possible;
    bool lacks_names;     /* a template without a header, but columns are chosen by name */
    bool row_pending;     /* `row` was read while opening; text_read gives it first */
    uint64_t gaps;        /* bad lines before that row, given as frames of NaN */
    bool in_ms;           /* the times are milliseconds */
    bool beyond_reported; /* a value that is too large for float32 */
    size_t lacking;       /* a column that the last row lacks or has as NaN, from 1; 0: none */
    size_t n_lacking;     /* rows */
    bool has_whole_row;   /* or its lack was reported */
    uint64_t chosen;      /* of the first 64 columns, one a bit, those that are read ... */
    uint64_t filled;      /* ... and those that have a value in some row */
    jsonl *json;          /* of JSON Lines; else NULL */
    char reason[SOURCE_REASON / 2];
} text;

/* Make room for the fields of the line, and one more: the most that it can have. A line of JSON has
 * all columns of the list and the time. */
static bool make_fields(source *src, text *t)
{
    const size_t room = t->lines.room + src->options.n_columns;
    if (t->fields_room > t->lines.length) return true;
    field *fields = realloc(t->row.fields, room * sizeof *fields);
    if (!fields) return source_fail(src, "out of memory");
    t->row.fields = fields;
    t->fields_room = t->lines.room;
    return true;
}

/* Record why the line is bad. Always false. */
static bool refuse(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool refuse(text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(t->reason, sizeof t->reason, format, args);
    va_end(args);
    return false;
}

/* "'abc' is not a number" */
static bool refuse_field(text *t, size_t index, const char *what)
{
    text_field_refuse(&t->row, index, what, t->width == 0, t->reason, sizeof t->reason);
    return false;
}

static bool is_time(const text *t, size_t index)
{
    return index + 1 == t->row.time_column;
}

static size_t widest_column(const text *t)
{
    size_t widest = t->row.time_column;
    for (size_t i = 0; i < t->n_columns; i++)
        if (t->columns[i] > widest) widest = t->columns[i];
    return widest;
}

/* Does this row belong to a template that holds the chosen columns only? */
static bool is_narrow_template(const source *src, const text *t)
{
    if (!src->options.is_template) return false;
    bool narrow = t->row.n < widest_column(t) || t->lacks_names;
    if (t->n_columns) return narrow && t->row.n == t->n_columns;
    return t->row.time_column && (narrow || t->row.n == 1);
}

static size_t frame_channels(const text *t)
{
    return t->columns ? t->n_columns : t->row.n - (t->row.time_column != 0);
}

/* Fix the columns by the first row of numbers. false: it does not have them. */
static bool plan_columns(source *src, text *t)
{
    row *r = &t->row;
    if (is_narrow_template(src, t)) {
        free(t->columns);
        t->columns = NULL;
        t->n_columns = r->time_column = 0;
        return true;
    }
    if (t->lacks_names)
        return refuse(t,
                      "no header row, so no columns by name; without one a template has only the "
                      "%zu of --columns",
                      t->n_columns);
    size_t widest = widest_column(t), values = r->n - (r->time_column != 0);
    if (r->n < widest && src->options.is_template)
        return refuse(t,
                      "%zu value%s, no column %zu; a template has all columns of the inputs, or "
                      "only the %zu of --columns",
                      r->n, r->n == 1 ? "" : "s", widest, t->n_columns);
    if (r->n < widest)
        return refuse(t, "%zu value%s, no column %zu", r->n, r->n == 1 ? "" : "s", widest);
    if (!channels_may_be(&src->options, values))
        return refuse(t, "%zu value%s, expected %zu", values, values == 1 ? "" : "s",
                      src->options.channels);
    return frame_channels(t) > 0 || refuse(t, "only a time, no values");
}

static bool check_fields(const source *src, text *t)
{
    const row *r = &t->row;
    for (size_t i = 0; i < (t->columns ? t->n_columns : r->n); i++) {
        size_t index = t->columns ? t->columns[i] - 1 : i;
        if (index >= r->n || is_time(t, index)) continue;
        const field *f = &r->fields[index];
        if (!f->number && !f->missing) return refuse_field(t, index, "number");
    }
    if (!r->time_column || r->time_column > r->n) return true;
    if (!r->time_ok) return refuse_field(t, r->time_column - 1, "time");
    if (t->width && r->time_iso != (src->info.times == SOURCE_ISO))
        return refuse(t, "times must be all numbers or all ISO 8601");
    return true;
}

/* What the times are, by the first of them. */
static void plan_times(source *src, text *t)
{
    const row *r = &t->row;
    t->in_ms = !r->time_iso && exact_time_is_epoch_ms(r->time);
    const bool is_epoch = t->in_ms || exact_time_is_epoch(r->time);
    src->info.times = r->time_iso ? SOURCE_ISO : is_epoch ? SOURCE_EPOCH : SOURCE_SECONDS;
}

static bool check_row(source *src, text *t)
{
    row *r = &t->row;
    if (r->mixed) return refuse(t, "both , and ; separate values; write decimals with a point");
    row_pad(r, t->width ? t->width : t->header.n);
    if (t->width == 0 && !plan_columns(src, t)) return false;
    if (!check_fields(src, t)) return false;
    if (t->width && r->n != t->width)
        return refuse(t, "%zu value%s, expected %zu", r->n, r->n == 1 ? "" : "s", t->width);
    if (t->width == 0) {
        t->width = r->n;
        src->info.channels = frame_channels(t);
        if (r->time_column) plan_times(src, t);
    }
    return true;
}

/* Take the first row, which is or should be a header, and the numbers of named columns from it.
 * false after source_fail. */
static bool take_names(source *src, text *t, bool is_header)
{
    const source_options *o = &src->options;
    const row *header = is_header ? &t->row : NULL;
    const uint64_t line = t->lines.number;
    if (is_header && !text_header_keep(&t->header, header, t->lines.line))
        return source_fail(src, "out of memory");
    if (o->time_name && !text_header_choose(src, header, line, o->time_name, &t->row.time_column))
        return false;
    for (size_t i = 0; i < t->n_columns; i++) {
        const char *name = o->columns[i] ? NULL : o->column_names[i];
        if (!name) continue;
        if (!text_header_choose(src, header, line, name, &t->columns[i])) return false;
        t->lacks_names |= t->columns[i] == 0;
        if (t->columns[i] && t->columns[i] == t->row.time_column && !o->time_name)
            return source_fail(src,
                               "column %zu is '%.64s' of --columns, but --time-column %zu takes it "
                               "for the times: give their column by its name",
                               t->columns[i], name, t->columns[i]);
    }
    return true;
}

/* Parse the line into the row. false: it is bad. */
static bool parse_line(source *src, text *t)
{
    text_lines *l = &t->lines;
    if (t->json)
        return jsonl_parse(t->json, src, &t->row, l->line, l->length, t->reason, sizeof t->reason);
    row_parse(&t->row, l->line, l->length);
    return true;
}

/* Is the row the header of a table: does a row of numbers with as many fields follow? */
static bool precedes_numbers(source *src, text *t)
{
    const size_t n = t->row.n;
    t->row.n = 0;
    while (t->row.n == 0) {
        if (text_lines_next(src, &t->lines, true) != LINE_WHOLE || !make_fields(src, t))
            return false;
        row_parse(&t->row, t->lines.line, t->lines.length);
    }
    return t->row.n == n && !text_header_is(&t->row);
}

/* Read on to the next line that is a frame, good or bad. */
static row_kind next_row(source *src, text *t, bool wait)
{
    for (;;) {
        line_kind kind = text_lines_next(src, &t->lines, wait);
        if (kind == LINE_INCOMPLETE) return ROW_INCOMPLETE;
        if (kind == LINE_END) return ROW_END;
        t->row.time_ok = false;
        if (kind == LINE_LONG) {
            refuse(t, "longer than %d bytes", (int)ROW_LINE);
            if (src->lines) kept_lines_add(src->lines, "", 0);
            return ROW_BAD;
        }
        if (text_header_repeats(&t->header, t->lines.line, t->lines.length)) continue;
        if (!make_fields(src, t)) return ROW_END;
        if (src->lines) kept_lines_add(src->lines, t->lines.line, t->lines.length);
        const bool is_first = t->header_possible && !t->json;
        if (!parse_line(src, t)) return src->failed ? ROW_END : ROW_BAD;
        if (src->lines && t->row.n == 0) kept_lines_drop_last(src->lines);
        if (t->row.n == 0) continue;
        const bool is_header = is_first && text_header_is(&t->row);
        t->header_possible = false;
        if (is_first && !take_names(src, t, is_header)) {
            src->lacks_column = src->options.is_found && (!is_header || precedes_numbers(src, t));
            return ROW_END;
        }
        if (is_header && src->lines) kept_lines_make_header(src->lines);
        if (!is_header) return check_row(src, t) ? ROW_GOOD : ROW_BAD;
    }
}

/* Warn of the bad line. false: it ends the input. Before the first good line other options are to
 * be mended. */
static bool skip_bad_line(source *src, const text *t)
{
    unsigned long long line = t->lines.number;
    const char *advice = t->width ? "; --skip-bad makes it a gap" : "";
    if (!src->options.skip_bad) return source_fail(src, "line %llu: %s%s", line, t->reason, advice);
    source_warn(src, "line %llu: %s: skipped", line, t->reason);
    return true;
}

/* Is the value too large, and not an infinity that somebody wrote? */
static bool is_beyond(const field *f)
{
    const char *at = f->text + strspn(f->text, "+- ");
    return isinf((float)f->value) && *at != 'i' && *at != 'I';
}

/* The value of a field of the row. The first that float32 cannot hold is reported. */
static double take_value(source *src, text *t, size_t index)
{
    const field *f = &t->row.fields[index];
    char shown[TEXT_FIELD_SHOWN];
    if (isinf((float)f->value) && !t->beyond_reported && is_beyond(f)) {
        source_warn(src, "line %llu: %s is too large for float32: a gap, as are all such values",
                    (unsigned long long)t->lines.number, text_field_show(f, shown));
        t->beyond_reported = true;
    }
    const uint64_t bit = index < 64 ? UINT64_C(1) << index : 0;
    t->chosen |= bit;
    if (isnan(f->value))
        t->lacking = index + 1;
    else
        t->filled |= bit;
    return f->value;
}

/* The column to name, from 1. With bridges it is one without any value so far; 0: there is none. */
static size_t lacking_column(const source *src, const text *t)
{
    const uint64_t empty = t->chosen & ~t->filled;
    size_t column = 1;
    if (src->options.fill_s <= 0) return t->lacking;
    while (empty && !(empty >> (column - 1) & 1)) column++;
    return empty ? column : 0;
}

/* Warn if every row so far lacks a value, and bridges (fill_s) make none whole: then nothing can be
 * found. */
static void report_lacking(source *src, text *t)
{
    char shown[TEXT_FIELD_SHOWN];
    const size_t column = t->lacking && !t->has_whole_row ? lacking_column(src, t) : 0;
    const char *name = t->json && column ? jsonl_name(t->json, column) : NULL;
    if (column == 0) return;
    if (name)
        text_field_show(&(field){.text = name, .length = strlen(name)}, shown);
    else
        snprintf(shown, sizeof shown, "column %zu", column);
    source_warn(src,
                "every row lacks a value, such as that of %s, and is a gap; choose others with "
                "--columns",
                shown);
    t->has_whole_row = true;
}

/* Fill a frame and its time from the row; a bad row gives NaN. */
static void fill_frame(source *src, text *t, bool good, double *frame, exact_time *time)
{
    const row *r = &t->row;
    const bool is_other_kind = r->time_iso != (src->info.times == SOURCE_ISO);
    const bool has_time = r->time_column && r->time_ok && !is_other_kind;
    size_t n = 0;
    t->lacking = 0;
    for (size_t i = 0; !good && i < src->native_channels; i++) frame[i] = (double)NAN;
    for (size_t i = 0; good && i < t->n_columns; i++)
        frame[i] = take_value(src, t, t->columns[i] - 1);
    for (size_t i = 0; good && !t->columns && i < r->n; i++)
        if (!is_time(t, i)) frame[n++] = take_value(src, t, i);
    source_see_rounding(src, frame, t->lines.number);
    t->has_whole_row |= good && !t->lacking;
    if (t->lacking && !t->has_whole_row && ++t->n_lacking == FIRST_ROWS) report_lacking(src, t);
    if (!time || !t->wants_times) return;
    *time = has_time ? r->time : exact_time_unknown();
    if (has_time && t->in_ms) *time = exact_time_from_ms(r->time);
}

/* Fill a frame from the lines that opening has read: the gaps, then the row. false: none left. */
static bool give_pending(source *src, text *t, double *frame, exact_time *time)
{
    if (t->gaps > 0) {
        bool ok = t->row.time_ok;
        t->gaps--;
        t->row.time_ok = false;
        fill_frame(src, t, false, frame, time);
        t->row.time_ok = ok;
        return true;
    }
    if (!t->row_pending) return false;
    t->row_pending = false;
    fill_frame(src, t, true, frame, time);
    return true;
}

static ssize_t text_read(source *src, double *frames, exact_time *times, size_t max, bool wait)
{
    text *t = src->state;
    size_t n = 0;
    for (; n < max; n++) {
        double *frame = frames + n * src->native_channels;
        exact_time *time = times ? times + n : NULL;
        if (give_pending(src, t, frame, time)) continue;
        row_kind kind = next_row(src, t, wait && n == 0);
        if (kind == ROW_END) report_lacking(src, t);
        if (kind == ROW_INCOMPLETE || kind == ROW_END) break;
        if (kind == ROW_BAD && !skip_bad_line(src, t)) break;
        fill_frame(src, t, kind == ROW_GOOD, frame, time);
    }
    return n == 0 && src->failed ? -1 : (ssize_t)n;
}

static void text_close(source *src)
{
    text *t = src->state;
    free(t->columns);
    free(t->row.fields);
    jsonl_free(t->json);
    text_lines_free(&t->lines);
    text_header_free(&t->header);
    free(t);
}

static const source_ops text_ops = {NULL, source_more_bytes, text_close};

static bool copy_columns(source *src, text *t)
{
    const source_options *o = &src->options;
    t->wants_times = source_wants_times(o);
    if (src->kind == DETECT_JSONL) {
        t->json = jsonl_create(o);
        return t->json || source_fail(src, "out of memory");
    }
    t->n_columns = o->n_columns;
    t->row.time_column = o->time_column;
    if (t->n_columns == 0) return true;
    t->columns = malloc(t->n_columns * sizeof *t->columns);
    if (!t->columns) return source_fail(src, "out of memory");
    for (size_t i = 0; i < t->n_columns; i++) {
        t->columns[i] = o->columns[i];
        if (t->columns[i] == 0 && !(o->column_names && o->column_names[i]))
            return source_fail(src, "columns are counted from 1");
    }
    return true;
}

bool text_open(source *src)
{
    text *t = calloc(1, sizeof *t);
    if (!t) return source_fail(src, "out of memory");
    src->state = t;
    src->ops = &text_ops;
    src->read_doubles = text_read;
    src->info.has_columns = true;
    t->header_possible = true;
    if (!copy_columns(src, t)) return false;
    if (src->options.keep_lines && !(src->lines = calloc(1, sizeof *src->lines)))
        return source_fail(src, "out of memory");
    row_kind kind;
    while ((kind = next_row(src, t, true)) == ROW_BAD) {
        if (!skip_bad_line(src, t)) return false;
        t->gaps++;
    }
    refuse(t, "%s", t->header_possible ? "is empty: no samples" : "has no line of numbers");
    if (t->gaps > 0) refuse(t, "has no line of numbers; %s", src->warnings[0]); /* of the first */
    if (kind == ROW_END) return source_fail_open(src, t->reason);
    t->row_pending = true;
    return true;
}
