/*
 * text_open.c - open a table: find its names and its first row.
 */
#include <stdlib.h>
#include <string.h>

#include "io/kept_lines.h"
#include "io/tables/row_words.h"
#include "io/tables/text_state.h"

static bool copy_columns(source *src, text *t)
{
    const source_options *o = &src->options;
    t->wants_times = source_wants_times(o);
    t->row = table_row(o, ',');
    if (src->kind == DETECT_JSONL) {
        t->json = jsonl_create(o, &t->left_out.others);
        t->row.is_decimal_given = false;
        t->row.decimal = 0;
        return t->json || source_fail(src, "out of memory");
    }
    t->n_columns = o->n_columns;
    t->row.time_column = o->time_column;
    t->row.clock_column = o->clock_column;
    t->group_column = o->group_column;
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

/* Always false. */
static bool refuse_cr(source *src, const text_lines *l)
{
    const unsigned long long n = l->number;
    if (l->line && memchr(l->line, '\0', l->length))
        return source_fail(src, "line %llu: is no text: it has NUL bytes", n);
    return source_fail(src, "line %llu: lines end in CR alone: convert them by tr '\\r' '\\n'", n);
}

/* Hold lines until the first row is known. false: there is none, or source_fail. */
static bool find_start(source *src, text *t)
{
    table_start *s = t->start;
    text_lines *l = &t->lines;
    const char comment = t->row.comment;
    line_kind kind;
    while ((kind = text_lines_next(src, l, true)) != LINE_END) {
        const bool has_cr = kind == LINE_LONG ? l->has_cr : is_cut_by_cr(l->line, l->length);
        if (has_cr && !row_is_blank(l->line ? l->line : "x", comment)) return refuse_cr(src, l);
        if (kind == LINE_LONG && src->options.group) continue; /* reported with the list */
        if (kind == LINE_LONG) {
            text_refuse(t, "longer than %d bytes", (int)ROW_LINE);
            if (!text_skip_bad_line(src, t)) return false;
            continue;
        }
        if (row_is_blank(l->line, comment)) {
            s->has_comment |= l->line[strspn(l->line, " \t\r")] == comment;
            continue;
        }
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
        source_warn(src, "line %llu is taken for names, although it has %s",
                    (unsigned long long)names->number,
                    row_count_numbers(&s->names.row) > 0 ? "numbers" : "words for missing values");
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
    if (s->is_unclear)
        return source_fail(
            src,
            "line %llu: values, or names or units? Begin units with #, choose columns "
            "by name, or write NA for what is no number",
            line);
    if (values != 1 || s->first.row.decimal != ',' || s->is_named || src->options.decimal)
        return true;
    return source_fail(
        src,
        "line %llu: %s is one value with a decimal comma, or two: give --decimal , or "
        "choose a column by its name",
        line, text_field_show(s->first.row.fields, shown));
}

static bool take_header(source *src, text *t)
{
    const table_start *s = t->start;
    const start_line *l = &s->lines[s->header];
    if (s->header == s->n) return true;
    const size_t length = strlen(s->names.line); /* without a comment */
    if (!text_header_keep(&t->header, &s->names.row, s->names.text, length))
        return source_fail(src, "out of memory");
    t->header.may_repeat |=
        (s->is_named || s->first_is_names) && row_count_words(&s->names.row) > 0;
    if (s->first_is_names && row_has_missing_word(&s->names.row)) t->header.may_repeat = false;
    if (!src->lines) return true;
    kept_lines_add(src->lines, l->text, l->length);
    kept_lines_make_header(src->lines);
    return true;
}

/* Make line i the row. false after source_fail, or if it is bad. */
static bool read_held(source *src, text *t, size_t i)
{
    t->held = i;
    if (!text_next_held(src, t) || !text_make_fields(src, t)) return false;
    if (src->lines) kept_lines_add(src->lines, t->lines.line, t->lines.length);
    return text_parse_line(src, t);
}

/* The bad rows before the first good one. false after source_fail. */
static bool skip_bad_start(source *src, text *t)
{
    for (size_t i = 0; i < t->start->row; i++) {
        if (!t->start->lines[i].is_bad) continue;
        if (!read_held(src, t, i)) return false;
        const row_kind kind = text_see_group(src, t);
        if (kind == ROW_OTHER || (kind == ROW_GOOD && src->options.deals_rows)) continue;
        if (kind == ROW_GOOD && text_check_fields(t))
            text_refuse(t, "it has a word above a number");
        if (!text_skip_bad_line(src, t)) return false;
        t->gaps++;
    }
    return true;
}

/* Two columns were asked for, or one of two; --columns 1 may mean the only one. */
static bool are_sure_columns(const source_options *o)
{
    const bool is_first = o->n_columns == 1 && o->columns[0] == 1;
    return (o->n_columns > 0 && !is_first) || o->channels > 1 || source_wants_times(o) ||
           o->decimal;
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
    t->is_sure_pair = s->header < s->n || are_sure_columns(&src->options);
    if (!take_header(src, t)) return false;
    src->lacks_column = src->options.is_found && has_row;
    if (!text_take_names(src, t)) return false;
    src->lacks_column = false;
    if (!check_start(src, s) || !skip_bad_start(src, t)) return false;
    if (!src->options.group) report_start(src, s); /* once for all groups */
    if (read_held(src, t, s->row) && text_check_row(src, t)) return true;
    const char *none = has_row || !src->options.skip_bad ? "" : "has no line of numbers; ";
    return source_fail(src, "%sline %llu: %s", none, (unsigned long long)t->lines.number,
                       t->reason);
}

static bool open_jsonl(source *src, text *t)
{
    row_kind kind;
    while ((kind = text_next_row(src, t, true)) == ROW_BAD) {
        if (!text_skip_bad_line(src, t)) return false;
        t->gaps++;
    }
    char names[SOURCE_REASON / 4];
    src->lacks_column = src->options.is_found && t->left_out.others > 0;
    text_refuse(t, "is empty: no samples");
    if (t->left_out.others > 0) {
        jsonl_list(t->json, names, sizeof names);
        text_refuse(t, "no row has any of the columns; there are %s", names);
    }
    if (t->gaps > 0)
        text_refuse(t, "has no line of numbers; %s", src->warnings[0]); /* of the first */
    return kind == ROW_GOOD || source_fail_open(src, t->reason);
}

/* Are the first n lines, as far as they are buffered, digits and what stands in numbers and between
 * them? */
static bool are_numbers(source *src, uint64_t n)
{
    input *in = &src->in;
    size_t at = 0;
    for (bool is_last = false; n > 0 && !is_last; n--) {
        const unsigned char *end;
        while (!(end = memchr(input_bytes(in) + at, '\n', input_have(in) - at)) && !is_last)
            is_last = input_have(in) - at > ROW_LINE || !input_more(in);
        const char *line = (const char *)input_bytes(in) + at;
        const size_t length = end ? (size_t)((const char *)end - line) : input_have(in) - at;
        for (size_t i = 0; i < length; i++)
            if (!strchr("0123456789+-.,;eE \t\r", line[i])) return false;
        at += length + 1;
    }
    return true;
}

/* Pass over the lines of --skip. A template for a search may hold values alone, and no such lines.
 * false after source_fail. */
static bool skip_lines(source *src, text *t)
{
    const source_options *o = &src->options;
    if (o->skip_lines == 0) return true;
    if (o->is_template && !o->is_take && are_numbers(src, o->skip_lines)) {
        source_warn(src, "its first lines are numbers, so --skip leaves them in the template");
        return true;
    }
    for (uint64_t i = 0; i < o->skip_lines; i++)
        if (text_lines_next(src, &t->lines, true) == LINE_END)
            return source_fail_open(src, "has no line after those of --skip");
    return true;
}

bool text_open(source *src)
{
    const source_options *o = &src->options;
    text *t = calloc(1, sizeof *t);
    if (!t) return source_fail(src, "out of memory");
    src->state = t;
    src->ops = &text_ops;
    src->read_doubles = text_read;
    src->end_warnings = text_end_warnings;
    src->info.has_columns = true;
    if (!copy_columns(src, t)) return false;
    src->keeps_head = o->deals_rows;
    if ((o->keep_lines || o->deals_rows) && !(src->lines = calloc(1, sizeof *src->lines)))
        return source_fail(src, "out of memory");
    if (t->json && source_wants_groups(o))
        return source_fail(src,
                           "--group-by: JSON Lines have no groups; convert them to CSV by jq -r");
    if (t->json && o->clock_column + (o->clock_name != NULL) > 0)
        return source_fail(src, "--time-column: JSON Lines have a time in one column");
    if (!skip_lines(src, t) || !(t->json ? open_jsonl : open_table)(src, t)) return false;
    src->keeps_head = false;
    const row_kind kind = text_see_group(src, t);
    t->row_pending = kind == ROW_GOOD;
    if (kind == ROW_BAD)
        source_fail(src, "line %llu: %s", (unsigned long long)t->lines.number, t->reason);
    return !src->failed;
}
