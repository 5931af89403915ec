/*
 * text.c - numbers in lines: a line is a frame.
 *
 *     # comment        skipped, and so are blank lines
 *     time,x,y         a header row is allowed: table_start.h finds it, and the first row
 *     0.0, 1.5, 2      the first row of numbers fixes how many fields every row has
 *     0.1, , null      no value: NaN; row.c has the words
 *     time,x,y         the header again, in joined files: skipped, and counted
 *     0.1, oops, 2     an error that names the line; with skip_bad a warning and a frame of NaN
 *
 * Rows: row.h cuts them into fields. Columns are chosen by number, or by the names of the header.
 * With a list of columns, only these and the time column must be numbers. options.channels is the
 * number of values in a row, without the time. CRLF and a byte order mark are accepted.
 *
 * Numbers: as strtof reads them in the C locale, hexadecimal too, rounded once. nan and inf are
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
#include "io/tables/left_out.h"
#include "io/tables/row.h"
#include "io/tables/table_start.h"
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
    table_start *start;   /* of text, until its lines are read */
    size_t held;          /* the next of those lines */
    bool lacks_names;     /* a template without a header, but columns are chosen by name */
    bool row_pending;     /* `row` was read while opening; text_read gives it first */
    uint64_t gaps;        /* bad lines before that row, given as frames of NaN */
    bool in_ms;           /* the times are milliseconds */
    bool beyond_reported; /* a value that is too large for float32 */
    size_t lacking;       /* a column that the last row lacks or has as NaN, from 1; 0: none */
    size_t n_lacking;     /* rows */
    bool has_whole_row;   /* or its lack was reported: lack_reported */
    bool lack_reported;
    uint64_t chosen; /* of the first 64 columns, one a bit, those that are read ... */
    uint64_t filled; /* ... and those that have a value in some row */
    left_out left_out;
    bool is_sure_pair; /* two fields are two values: see may_be_decimal */
    size_t pairs;      /* rows so far like 20,5 */
    size_t pair_width; /* digits after their comma */
    char shown[TEXT_FIELD_SHOWN];
    jsonl *json; /* of JSON Lines; else NULL */
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
    if (src->options.channels && values != src->options.channels)
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

/* "20,05", of two fields */
static const char *show_decimal(const row *r, char shown[TEXT_FIELD_SHOWN])
{
    const field *f = r->fields;
    const field both = {.text = f->text, .length = f->length + 1 + f[1].length};
    return text_field_show(&both, shown);
}

static bool is_whole(const field *f)
{
    return !f->quoted && f->length > 0 && strspn(f->text, "0123456789") == f->length;
}

/*
 * Can two fields without names be one with a decimal comma?
 *
 *     20,05      surely: nobody writes whole numbers so
 *     20,5       perhaps, if all rows have as many digits after the comma: a warning
 */
static bool may_be_decimal(source *src, text *t)
{
    enum { PAIRS = 8 /* rows that make the warning */ };
    const field *a = t->row.fields, *b = a + 1;
    const size_t sign = a->length > 0 && *a->text == '-';
    const field whole = {.text = a->text + sign, .length = a->length - sign};
    const bool is_pair = t->row.separator == ',' && is_whole(&whole) && is_whole(b) &&
                         b->text == a->text + a->length + 1;
    if (!is_pair || (t->pairs > 0 && b->length != t->pair_width)) {
        t->is_sure_pair = true;
        return false;
    }
    if (b->length > 1 && *b->text == '0') return true;
    t->pair_width = b->length;
    if (++t->pairs < PAIRS) return false;
    t->is_sure_pair = true;
    source_warn(src, "read as two columns; if %s is one value with a decimal comma, write a point",
                show_decimal(&t->row, t->shown));
    return false;
}

static bool check_row(source *src, text *t)
{
    row *r = &t->row;
    if (r->mixed) return refuse(t, "decimals have points and commas: write points alone");
    row_pad(r, t->width ? t->width : t->header.n);
    if (t->width == 0 && !plan_columns(src, t)) return false;
    if (!check_fields(src, t)) return false;
    if (t->width && r->n != t->width)
        return refuse(t, "%zu value%s, expected %zu", r->n, r->n == 1 ? "" : "s", t->width);
    if (r->n == 2 && !t->is_sure_pair && may_be_decimal(src, t))
        return refuse(t,
                      "%s may be one value with a decimal comma: write a point; if it is two, "
                      "choose --columns 1,2",
                      show_decimal(r, t->shown));
    if (t->width > 0) return true;
    t->width = r->n;
    src->info.channels = frame_channels(t);
    if (r->time_column) plan_times(src, t);
    return left_out_begin(&t->left_out, src->info.channels) || source_fail(src, "out of memory");
}

/* Set the column of a name. false after source_fail. */
static bool choose_name(source *src, text *t, const char *name, size_t *column)
{
    const table_start *s = t->start;
    const row *header = s->header < s->n ? &s->names.row : NULL;
    if (!text_header_choose(src, header, s->lines[s->row].number, name, column)) return false;
    if (*column > s->shift_after) *column = (size_t)((ptrdiff_t)*column + s->shift);
    return true;
}

/* Find the numbers of named columns. false after source_fail. */
static bool take_names(source *src, text *t)
{
    const source_options *o = &src->options;
    if (o->time_name && !choose_name(src, t, o->time_name, &t->row.time_column)) return false;
    for (size_t i = 0; i < t->n_columns; i++) {
        const char *name = o->columns[i] ? NULL : o->column_names[i];
        if (!name) continue;
        if (!choose_name(src, t, name, &t->columns[i])) return false;
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

/* Make the next line that opening held the current one. false: there is none. */
static bool next_held(source *src, text *t)
{
    table_start *s = t->start;
    if (!s || t->held == s->n) return false;
    const start_line *l = &s->lines[t->held++];
    return text_lines_put(src, &t->lines, l->text, l->length, l->number);
}

/* JSON has no lone values, of which a blank line may be a missing one. */
static bool is_blank_line(const text *t)
{
    const char *line = t->lines.line;
    return (unsigned char)*line <= ' ' && !t->json && !line[strspn(line, " \t\r")];
}

/* Read on to the next line that is a frame, good or bad. */
static row_kind next_row(source *src, text *t, bool wait)
{
    for (;;) {
        line_kind kind = next_held(src, t) ? LINE_WHOLE : text_lines_next(src, &t->lines, wait);
        if (kind == LINE_INCOMPLETE) return ROW_INCOMPLETE;
        if (kind == LINE_END) return ROW_END;
        t->row.time_ok = false;
        if (kind == LINE_LONG) {
            refuse(t, "longer than %d bytes", (int)ROW_LINE);
            if (src->lines) kept_lines_add(src->lines, "", 0);
            return ROW_BAD;
        }
        if (text_header_repeats(&t->header, t->lines.line, t->lines.length)) {
            t->left_out.headers++;
            continue;
        }
        if (!make_fields(src, t)) return ROW_END;
        if (src->lines) kept_lines_add(src->lines, t->lines.line, t->lines.length);
        t->left_out.pending += t->width == 1 && is_blank_line(t);
        if (!parse_line(src, t)) return src->failed ? ROW_END : ROW_BAD;
        if (src->lines && t->row.n == 0) kept_lines_drop_last(src->lines);
        if (t->row.n == 0) continue;
        t->left_out.blank += t->left_out.pending;
        t->left_out.pending = 0;
        return check_row(src, t) ? ROW_GOOD : src->failed ? ROW_END : ROW_BAD;
    }
}

/* Warn of the bad line. false: it ends the input. Before the first good line other options are to
 * be mended. */
static bool skip_bad_line(source *src, const text *t)
{
    unsigned long long line = t->lines.number;
    const bool was_names = t->header.line && strcmp(t->header.line, t->lines.line) == 0;
    const char *same = was_names ? "; the first line, the same, was taken for a name" : "";
    const char *advice = t->width || t->start ? "; --skip-bad makes it a gap" : "";
    if (!src->options.skip_bad)
        return source_fail(src, "line %llu: %s%s%s", line, t->reason, same, advice);
    source_warn(src, "line %llu: %s%s: skipped", line, t->reason, same);
    return true;
}

/* Is the value too large, and not an infinity that somebody wrote? */
static bool is_beyond(const field *f)
{
    const char *at = f->text + strspn(f->text, "+- ");
    return isinf(f->value) && *at != 'i' && *at != 'I';
}

/* The value of a field of the row, of this channel. The first that float32 cannot hold is reported.
 */
static float take_value(source *src, text *t, size_t index, size_t channel)
{
    const field *f = &t->row.fields[index];
    char shown[TEXT_FIELD_SHOWN];
    if (isinf(f->value) && !t->beyond_reported && is_beyond(f)) {
        source_warn(src, "line %llu: %s is too large for float32: a gap, as are all such values",
                    (unsigned long long)t->lines.number, text_field_show(f, shown));
        t->beyond_reported = true;
    }
    if (!isfinite(f->value) && !is_beyond(f)) t->left_out.missing[channel]++;
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

/* The name of a column, from 1, in quotes, or its number. */
static char *show_column(text *t, size_t column)
{
    const table_start *s = t->start;
    const char *name = t->json ? jsonl_name(t->json, column) : NULL;
    snprintf(t->shown, sizeof t->shown, "column %zu", column);
    if (name && name[strspn(name, "0123456789")])
        text_field_show(&(field){.text = name, .length = strlen(name)}, t->shown);
    if (!s || s->header == s->n || !s->names_agree) return t->shown;
    const size_t i = (size_t)((ptrdiff_t)column - (column > s->shift_after ? s->shift : 0)) - 1;
    if (i >= s->names.row.n || s->names.row.fields[i].length == 0) return t->shown;
    text_field_show(&s->names.row.fields[i], t->shown);
    return t->shown;
}

/* Warn if every row so far lacks a value, and bridges (fill_s) make none whole: then nothing can be
 * found. */
static void report_lacking(source *src, text *t)
{
    const size_t column = t->lacking && !t->has_whole_row ? lacking_column(src, t) : 0;
    if (column == 0) return;
    source_warn(src,
                "every row lacks a value, such as that of %s, and is a gap; choose others with "
                "--columns",
                show_column(t, column));
    t->has_whole_row = t->lack_reported = true;
}

/* The column of a channel, both from 0 and from 1. */
static size_t column_of(const text *t, size_t channel)
{
    if (t->columns) return t->columns[channel];
    const size_t time = t->row.time_column;
    return channel + 1 + (!t->json && time > 0 && channel + 1 >= time);
}

/* Report what was left out, once. */
static void text_end_warnings(source *src)
{
    text *t = src->state;
    size_t channel;
    char column[TEXT_FIELD_SHOWN + 8];
    report_lacking(src, t);
    if (t->lack_reported || src->options.is_template)
        for (size_t i = 0; i < t->left_out.channels; i++) t->left_out.missing[i] = 0;
    left_out_missing(&t->left_out, &channel);
    char *shown = t->left_out.channels ? show_column(t, column_of(t, channel)) : t->shown;
    const bool is_name = *shown == '\'';
    if (is_name) shown[strlen(shown) - 1] = '\0';
    snprintf(column, sizeof column, "%s%s", is_name ? "column " : "", shown + is_name);
    left_out_report(&t->left_out, src, column);
}

/* Fill a frame and its time from the row; a bad row gives NaN. */
static void fill_frame(source *src, text *t, bool good, float *frame, exact_time *time)
{
    const row *r = &t->row;
    const bool is_other_kind = r->time_iso != (src->info.times == SOURCE_ISO);
    const bool has_time = r->time_column && r->time_ok && !is_other_kind;
    size_t n = 0;
    t->lacking = 0;
    for (size_t i = 0; !good && i < src->native_channels; i++) frame[i] = NAN;
    for (size_t i = 0; good && i < t->n_columns; i++)
        frame[i] = take_value(src, t, t->columns[i] - 1, i);
    for (size_t i = 0; good && !t->columns && i < r->n; i++)
        if (!is_time(t, i)) frame[n] = take_value(src, t, i, n), n++;
    t->has_whole_row |= good && !t->lacking;
    if (t->lacking && !t->has_whole_row && ++t->n_lacking == FIRST_ROWS) report_lacking(src, t);
    if (!time || !t->wants_times) return;
    *time = has_time ? r->time : exact_time_unknown();
    if (has_time && t->in_ms) *time = exact_time_from_ms(r->time);
}

/* Fill a frame from the lines that opening has read: the gaps, then the row. false: none left. */
static bool give_pending(source *src, text *t, float *frame, exact_time *time)
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

static ssize_t text_read(source *src, float *frames, exact_time *times, size_t max, bool wait)
{
    text *t = src->state;
    size_t n = 0;
    for (; n < max; n++) {
        float *frame = frames + n * src->native_channels;
        exact_time *time = times ? times + n : NULL;
        if (give_pending(src, t, frame, time)) continue;
        row_kind kind = next_row(src, t, wait && n == 0);
        if (kind == ROW_END) text_end_warnings(src);
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
    left_out_free(&t->left_out);
    if (t->start) table_start_free(t->start);
    free(t->start);
    free(t);
}

static const source_ops text_ops = {text_read, source_more_bytes, text_close};

static bool copy_columns(source *src, text *t)
{
    const source_options *o = &src->options;
    t->wants_times = source_wants_times(o);
    if (src->kind == DETECT_JSONL) {
        t->json = jsonl_create(o, &t->left_out.others);
        t->row.separator = ',';
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

/* Does a CR separate what should be lines? */
static bool is_cut_by_cr(const char *line, size_t length)
{
    while (length > 0 && line[length - 1] == '\r') length--;
    return memchr(line, '\r', length);
}

/* Hold lines until the first row is known. false: there is none, or source_fail. */
static bool find_start(source *src, text *t)
{
    table_start *s = t->start;
    text_lines *l = &t->lines;
    line_kind kind;
    while ((kind = text_lines_next(src, l, true)) != LINE_END) {
        const bool has_cr = kind == LINE_LONG ? l->has_cr : is_cut_by_cr(l->line, l->length);
        if (has_cr && !row_is_blank(l->line ? l->line : "x"))
            return source_fail(src,
                               "line %llu: lines end in CR alone: convert them by tr '\\r' "
                               "'\\n'",
                               (unsigned long long)l->number);
        if (kind == LINE_LONG) {
            refuse(t, "longer than %d bytes", (int)ROW_LINE);
            if (!skip_bad_line(src, t)) return false;
            continue;
        }
        if (row_is_blank(l->line)) continue;
        if (!table_start_add(s, l->line, l->length, l->number))
            return source_fail(src, "out of memory");
        const bool is_full = s->n == START_LINES;
        if (table_start_judge(s, is_full) == START_ROW) return true;
        if (is_full) return false;
    }
    return !src->failed && source_truly_ended(src) && table_start_judge(s, true) == START_ROW;
}

static void report_start(source *src, const table_start *s)
{
    const start_line *names = &s->lines[s->header];
    uint64_t first = 0;
    const unsigned long long n = table_start_passed_over(s, &first), line = first;
    if (n == 1)
        source_warn(src, "passed over line %llu: neither names nor values", line);
    else if (n > 1)
        source_warn(src, "passed over %llu lines, from line %llu on: neither names nor values", n,
                    line);
    if (s->is_odd_header)
        source_warn(src, "line %llu is taken for names, although it has numbers",
                    (unsigned long long)names->number);
    if (s->is_counted)
        source_warn(src, "line %llu counts columns, as a header of pandas, but is taken for values",
                    (unsigned long long)s->lines[s->row].number);
}

/* Names and values that differ in number, and a lone value with a comma. */
static bool check_start(source *src, const table_start *s)
{
    const size_t names = s->names.row.n, values = s->first.row.n;
    const unsigned long long line = s->lines[s->row].number;
    char shown[TEXT_FIELD_SHOWN];
    if (s->header < s->n && !s->names_agree)
        return source_fail(src,
                           "%zu name%s in line %llu, but %zu value%s in line %llu: quote names and "
                           "times that hold separators, or begin lines that are no names with #",
                           names, names == 1 ? "" : "s",
                           (unsigned long long)s->lines[s->header].number, values,
                           values == 1 ? "" : "s", line);
    if (values != 1 || s->first.row.decimal != ',' || s->is_named) return true;
    return source_fail(src,
                       "line %llu: %s is one value with a decimal comma, or two: write a point, or "
                       "choose a column by its name",
                       line, text_field_show(s->first.row.fields, shown));
}

static bool take_header(source *src, text *t)
{
    const table_start *s = t->start;
    const start_line *l = &s->lines[s->header];
    if (s->header == s->n) return true;
    if (!text_header_keep(&t->header, &s->names.row, s->names.line))
        return source_fail(src, "out of memory");
    t->header.may_repeat |= s->is_named && !s->is_odd_header;
    if (!src->lines) return true;
    kept_lines_add(src->lines, l->text, l->length);
    kept_lines_make_header(src->lines);
    return true;
}

/* Make line i the row. false after source_fail, or if it is bad. */
static bool read_held(source *src, text *t, size_t i)
{
    t->held = i;
    if (!next_held(src, t) || !make_fields(src, t)) return false;
    if (src->lines) kept_lines_add(src->lines, t->lines.line, t->lines.length);
    return parse_line(src, t);
}

/* The bad rows before the first good one. false after source_fail. */
static bool skip_bad_start(source *src, text *t)
{
    for (size_t i = 0; i < t->start->row; i++) {
        if (!t->start->lines[i].is_bad) continue;
        if (!read_held(src, t, i)) return false;
        if (check_fields(src, t)) refuse(t, "it has a word above a number");
        if (!skip_bad_line(src, t)) return false;
        t->gaps++;
    }
    return true;
}

static bool open_table(source *src, text *t)
{
    table_start *s = t->start = calloc(1, sizeof *s);
    if (!s) return source_fail(src, "out of memory");
    s->options = &src->options;
    const bool has_row = find_start(src, t);
    if (src->failed) return false;
    const bool is_prose = src->options.is_found && has_row && !s->is_named && s->row > 2;
    if (is_prose || (!has_row && !table_start_guess(s)))
        return source_fail_open(src, s->n ? "has no line of numbers" : "is empty: no samples");
    if (s->is_out_of_memory) return source_fail(src, "out of memory");
    t->row.separator = s->separator;
    t->is_sure_pair =
        s->header < s->n || src->options.n_columns || source_wants_times(&src->options);
    if (!take_header(src, t)) return false;
    src->lacks_column = src->options.is_found && has_row;
    if (!take_names(src, t)) return false;
    src->lacks_column = false;
    if (!check_start(src, s) || !skip_bad_start(src, t)) return false;
    report_start(src, s);
    if (!read_held(src, t, s->row) || !check_row(src, t))
        return src->failed ? false
                           : source_fail(src, "line %llu: %s", (unsigned long long)t->lines.number,
                                         t->reason);
    return true;
}

static bool open_jsonl(source *src, text *t)
{
    row_kind kind;
    while ((kind = next_row(src, t, true)) == ROW_BAD) {
        if (!skip_bad_line(src, t)) return false;
        t->gaps++;
    }
    char names[SOURCE_REASON / 4];
    src->lacks_column = src->options.is_found && t->left_out.others > 0;
    refuse(t, "is empty: no samples");
    if (t->left_out.others > 0) {
        jsonl_list(t->json, names, sizeof names);
        refuse(t, "no row has any of the columns; there are %s", names);
    }
    if (t->gaps > 0) refuse(t, "has no line of numbers; %s", src->warnings[0]); /* of the first */
    return kind == ROW_GOOD || source_fail_open(src, t->reason);
}

bool text_open(source *src)
{
    text *t = calloc(1, sizeof *t);
    if (!t) return source_fail(src, "out of memory");
    src->state = t;
    src->ops = &text_ops;
    src->end_warnings = text_end_warnings;
    src->info.has_columns = true;
    if (!copy_columns(src, t)) return false;
    if (src->options.keep_lines && !(src->lines = calloc(1, sizeof *src->lines)))
        return source_fail(src, "out of memory");
    if (!(t->json ? open_jsonl : open_table)(src, t)) return false;
    t->row_pending = true;
    return true;
}
