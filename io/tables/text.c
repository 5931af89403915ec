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
 * Numbers: as strtod reads them in the C locale, hexadecimal too: doubles. nan and inf are
 * gaps. So is a number beyond float32; the first of these is reported.
 *
 * Times: numbers or ISO 8601 (exact_time.h), one kind in a file. timed.h judges what numbers are.
 * The time belongs to the frame only if its column is listed. A skipped line keeps its time if that
 * can be read. timed.h finds the rate of the times, and gaps in them.
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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/kept_lines.h"
#include "io/tables/text_state.h"

enum { FIRST_ROWS = 64 }; /* if all lack a value, that is reported */

bool text_make_fields(source *src, text *t)
{
    const size_t room = t->lines.room + src->options.n_columns;
    if (t->fields_room > t->lines.length) return true;
    field *fields = realloc(t->row.fields, room * sizeof *fields);
    if (!fields) return source_fail(src, "out of memory");
    t->row.fields = fields;
    t->fields_room = t->lines.room;
    return true;
}

bool text_parse_line(source *src, text *t)
{
    text_lines *l = &t->lines;
    if (t->json)
        return jsonl_parse(t->json, src, &t->row, l->line, l->length, t->reason, sizeof t->reason);
    row_parse(&t->row, l->line, l->length);
    return true;
}

bool text_next_held(source *src, text *t)
{
    table_start *s = t->start;
    if (!s || t->held == s->n) return false;
    const start_line *l = &s->lines[t->held++];
    return text_lines_put(src, &t->lines, l->text, l->length, l->number);
}

/* Is the line the header again, or the next of the units below it? */
static bool repeats_start(text *t)
{
    const table_start *s = t->start;
    if (text_header_repeats(&t->header, t->lines.line, t->lines.length)) {
        t->units = s->header + 1;
        return true;
    }
    if (t->units == 0) return false;
    const bool is_same = t->units < s->row && strcmp(s->lines[t->units].text, t->lines.line) == 0;
    t->units = is_same ? t->units + 1 : 0;
    return is_same;
}

/* Is the line blank but for the tabs between empty cells? */
static bool is_row_of_tabs(const text *t)
{
    const row *r = &t->row;
    const size_t n = r->n_trailing + 1;
    return r->n == 0 && r->is_blank && n > 1 && n >= t->width && n <= t->width + t->n_beyond;
}

row_kind text_next_row(source *src, text *t, bool wait)
{
    for (;;) {
        line_kind kind =
            t->start && text_next_held(src, t) ? LINE_WHOLE : text_lines_next(src, &t->lines, wait);
        if (kind == LINE_INCOMPLETE) return ROW_INCOMPLETE;
        if (kind == LINE_END) return ROW_END;
        t->row.time_ok = false;
        if (kind == LINE_LONG && src->options.group) continue; /* reported with the list */
        if (kind == LINE_LONG) {
            text_refuse(t, "longer than %d bytes", (int)ROW_LINE);
            if (src->lines) kept_lines_add(src->lines, "", 0);
            return ROW_BAD;
        }
        if (repeats_start(t)) {
            t->left_out.headers += !src->options.group; /* once for all groups */
            continue;
        }
        if (src->options.group && !text_may_have_group(src, t)) continue;
        if (!text_make_fields(src, t)) return ROW_END;
        if (src->lines) kept_lines_add(src->lines, t->lines.line, t->lines.length);
        if (!text_parse_line(src, t)) return src->failed ? ROW_END : ROW_BAD;
        if (is_row_of_tabs(t)) row_pad(&t->row, t->width, true);
        if (src->lines && t->row.n == 0) kept_lines_drop_last(src->lines);
        if (t->row.n == 0) {
            t->left_out.pending += t->width == 1 && t->row.is_blank;
            continue;
        }
        const row_kind of_group = t->group_column ? text_see_group(src, t) : ROW_GOOD;
        if (of_group == ROW_OTHER && src->lines) kept_lines_drop_last(src->lines);
        if (of_group == ROW_OTHER) continue;
        if (of_group != ROW_GOOD || src->options.deals_rows) return of_group;
        if (t->left_out.pending > 0) left_out_end_blank(&t->left_out);
        return text_check_row(src, t) ? ROW_GOOD : src->failed ? ROW_END : ROW_BAD;
    }
}

bool text_skip_bad_line(source *src, const text *t)
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
    return isinf((float)f->value) && *at != 'i' && *at != 'I';
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

/* Warn of a column of times that nobody named. */
static void report_unnamed(source *src, text *t, size_t column)
{
    const char *name = t->json ? jsonl_name(t->json, column) : NULL;
    const char *shown = show_column(t, column);
    char number[24], words[TEXT_FIELD_SHOWN + 8];
    snprintf(number, sizeof number, "%zu", column);
    snprintf(words, sizeof words, "%s%s", *shown == '\'' ? "column " : "", shown);
    unnamed_time_report(src, words, name ? name : number);
}

/* The value of a field of the row, of this channel. The first that float32 cannot hold is reported.
 */
static double take_value(source *src, text *t, size_t index, size_t channel)
{
    const field *f = &t->row.fields[index];
    char shown[TEXT_FIELD_SHOWN];
    if (!t->columns && unnamed_time_look(&t->unnamed, src, index + 1, f->text))
        report_unnamed(src, t, index + 1);
    if (isinf((float)f->value) && !t->beyond_reported && is_beyond(f)) {
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
    if (t->json) return channel + 1;
    size_t index = 0;
    for (;; index++)
        if (!text_is_key(t, index) && channel-- == 0) return index + 1;
}

/* Report what was left out, once. */
void text_end_warnings(source *src)
{
    text *t = src->state;
    size_t channel;
    char column[TEXT_FIELD_SHOWN + 8];
    text_report_pair(src, t);
    if (t->lack_reported || src->options.is_template) left_out_forget_missing(&t->left_out, src);
    left_out_missing(&t->left_out, &channel);
    char *shown = t->left_out.channels ? show_column(t, column_of(t, channel)) : t->shown;
    const bool is_name = *shown == '\'';
    if (is_name) shown[strlen(shown) - 1] = '\0';
    snprintf(column, sizeof column, "%s%s", is_name ? "column " : "", shown + is_name);
    left_out_report(&t->left_out, src, column);
}

/* Fill a frame and its time from the row; a bad row gives NaN. */
static void fill_frame(source *src, text *t, bool good, double *frame, exact_time *time)
{
    const row *r = &t->row;
    const bool has_time = r->time_column && r->time_ok && r->time_iso == t->is_iso;
    size_t n = 0;
    t->lacking = 0;
    for (size_t i = 0; !good && i < src->native_channels; i++) frame[i] = (double)NAN;
    for (size_t i = 0; good && i < t->n_columns; i++)
        frame[i] = take_value(src, t, t->columns[i] - 1, i);
    for (size_t i = 0; good && !t->columns && i < r->n; i++)
        if (!text_is_key(t, i)) frame[n] = take_value(src, t, i, n), n++;
    source_see_rounding(src, frame, t->lines.number);
    t->has_whole_row |= good && !t->lacking;
    if (t->lacking && !t->has_whole_row && ++t->n_lacking == FIRST_ROWS) report_lacking(src, t);
    if (!time || !t->wants_times) return;
    *time = has_time ? r->time : exact_time_unknown();
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

ssize_t text_read(source *src, double *frames, exact_time *times, size_t max, bool wait)
{
    text *t = src->state;
    size_t n = 0;
    for (; n < max; n++) {
        double *frame = frames + n * src->native_channels;
        exact_time *time = times ? times + n : NULL;
        if (give_pending(src, t, frame, time)) continue;
        row_kind kind = text_next_row(src, t, wait && n == 0);
        if (kind == ROW_END) report_lacking(src, t);
        if (kind == ROW_END && src->options.fill_s <= 0)
            text_end_warnings(src); /* else frames wait */
        if (kind == ROW_INCOMPLETE || kind == ROW_END) break;
        if (kind == ROW_BAD && !text_skip_bad_line(src, t)) break;
        fill_frame(src, t, kind == ROW_GOOD, frame, time);
    }
    return n == 0 && src->failed ? -1 : (ssize_t)n;
}

int source_next_row(source *src, source_row *to, bool wait)
{
    text *t = src->state;
    kept_lines *kept = src->lines;
    row_kind kind = ROW_GOOD;
    if (!t->row_pending) {
        do {
            kept->text.length = kept->last = 0;
            kind = text_next_row(src, t, wait);
        } while (kind == ROW_BAD && text_skip_bad_line(src, t));
    }
    t->row_pending = false;
    if (kept->text.failed) source_fail(src, "out of memory");
    if (kind == ROW_END && !src->failed) text_end_warnings(src);
    if (kind == ROW_INCOMPLETE && !src->failed) return 0;
    if (kind != ROW_GOOD || src->failed) return -1;
    const field *f = &t->row.fields[t->group_column - 1];
    *to = (source_row){.group = f->text,
                       .group_length = f->length,
                       .line = kept->text.data + kept->last,
                       .length = kept->text.length - kept->last - 1,
                       .number = t->lines.number};
    return 1;
}

static void text_close(source *src)
{
    text *t = src->state;
    free(t->group);
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

const source_ops text_ops = {NULL, source_more_bytes, text_close};
