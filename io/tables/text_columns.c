/*
 * text_columns.c - the columns of a table that make a frame, and the rows that have them.
 */
#include "io/tables/text_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool text_refuse(text *t, const char *format, ...)
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

static size_t widest_column(const text *t)
{
    size_t widest = t->row.time_column;
    if (t->row.clock_column > widest) widest = t->row.clock_column;
    if (t->group_column > widest) widest = t->group_column;
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
    return (t->row.time_column || t->group_column) && (narrow || t->row.n == 1);
}

static size_t frame_channels(const text *t)
{
    return t->columns ? t->n_columns : t->row.n - text_keys(t);
}

/* Fix the columns by the first row of numbers. false: it does not have them. */
static bool plan_columns(source *src, text *t)
{
    row *r = &t->row;
    if (is_narrow_template(src, t)) {
        free(t->columns);
        t->columns = NULL;
        t->n_columns = r->time_column = r->clock_column = t->group_column = 0;
        return true;
    }
    if (t->lacks_names)
        return text_refuse(
            t,
            "no header row, so no columns by name; without one a template has only the "
            "%zu of --columns",
            t->n_columns);
    size_t widest = widest_column(t), values = r->n - text_keys(t);
    if (r->n < widest && src->options.is_template)
        return text_refuse(
            t,
            "%zu value%s, no column %zu; a template has all columns of the inputs, or "
            "only the %zu of --columns",
            r->n, r->n == 1 ? "" : "s", widest, t->n_columns);
    if (r->n < widest)
        return text_refuse(t, "%zu value%s, no column %zu", r->n, r->n == 1 ? "" : "s", widest);
    if (!channels_may_be(&src->options, values))
        return text_refuse(t, "%zu value%s, expected %zu", values, values == 1 ? "" : "s",
                           src->options.channels);
    return frame_channels(t) > 0 ||
           text_refuse(t, t->group_column ? "only a group and perhaps a time"
                                          : "only a time, no values");
}

bool text_check_fields(text *t)
{
    const row *r = &t->row;
    for (size_t i = 0; i < (t->columns ? t->n_columns : r->n); i++) {
        size_t index = t->columns ? t->columns[i] - 1 : i;
        if (index >= r->n || text_is_key(t, index)) continue;
        const field *f = &r->fields[index];
        if (!f->number && !f->missing) return refuse_field(t, index, "number");
    }
    if (!r->time_column || r->time_column > r->n) return true;
    if (!r->time_ok) return refuse_field(t, r->time_column - 1, "time");
    if (t->width && (r->time_iso != t->is_iso || r->time_has_form != t->has_form))
        return text_refuse(t, "times must be all numbers, all ISO 8601, or all of one form");
    return true;
}

/* What the times are, by the first of them. false after source_fail. */
static bool plan_times(source *src, text *t)
{
    t->is_iso = t->row.time_iso;
    t->has_form = t->row.time_has_form;
    src->info.times = t->is_iso ? SOURCE_ISO : SOURCE_SECONDS;
    if (!src->options.time_unit || !(t->is_iso || t->has_form)) return true;
    return source_fail(src, "--time-unit is of numbers, but its times are dates or times of day");
}

/* "20,05", of two fields */
static const char *show_decimal(const row *r, char shown[TEXT_FIELD_SHOWN])
{
    const field *f = r->fields;
    const field both = {.text = f->text, .length = f->length + 1 + f[1].length};
    return text_field_show(&both, shown);
}

/* Warn if two fields may be one with a decimal comma. Templates have the input's warning. */
void text_report_pair(source *src, text *t)
{
    if (t->is_sure_pair || !decimal_pair_is_likely(&t->pair)) return;
    t->is_sure_pair = true;
    if (src->options.is_template) return;
    source_warn(src,
                "read as two columns; if %s is one value with a decimal comma, give --decimal ,",
                t->pair_shown);
}

/* Are the two fields, of a table without names, one with a decimal comma? */
static bool is_decimal(source *src, text *t)
{
    enum { PAIRS = 64 /* rows until the warning */ };
    const pair_kind kind =
        t->row.separator == ',' ? decimal_pair_look(&t->pair, &t->row) : PAIR_SURE;
    t->is_sure_pair = kind == PAIR_SURE;
    if (t->pair.rows == 1) show_decimal(&t->row, t->pair_shown);
    if (kind == PAIR_OPEN && t->pair.rows >= PAIRS) text_report_pair(src, t);
    return kind == PAIR_DECIMAL;
}

/* FNV-1a, of G. Fowler, L. C. Noll and K.-P. Vo */
static uint64_t digest(uint64_t h, const void *bytes, size_t n)
{
    for (const unsigned char *p = bytes; n > 0; n--) h = (h ^ *p++) * UINT64_C(0x100000001b3);
    return h;
}

/* The number of names, one of each column; 0: they are not known. */
static size_t count_names(const text *t)
{
    const table_start *s = t->start;
    if (t->json) return t->row.n;
    return s->header < s->n && s->names_agree && s->shift == 0 ? s->names.row.n : 0;
}

/* The name of column i, from 0, of `length` bytes. */
static const char *name_of(const text *t, size_t i, size_t *length)
{
    const char *name = t->json ? jsonl_name(t->json, i + 1) : t->start->names.row.fields[i].text;
    *length = t->json ? strlen(name) : t->start->names.row.fields[i].length;
    return name;
}

/* Name the channels of a frame, if all their columns have names. false: out of memory. */
static bool name_channels(source *src, const text *t)
{
    const size_t n_names = count_names(t);
    bool are_known = n_names > 0;
    for (size_t i = 0; i < t->n_columns; i++) are_known &= t->columns[i] - 1 < n_names;
    for (size_t i = 0; i < (t->columns ? t->n_columns : n_names) && are_known; i++) {
        size_t length;
        const char *name = name_of(t, t->columns ? t->columns[i] - 1 : i, &length);
        if (!t->columns && text_is_key(t, i)) continue;
        text_add(&src->names, name, length);
        text_add(&src->names, "", 1);
    }
    return !src->names.failed;
}

/* Digest the names of all columns but the time. */
static void digest_names(source_info *info, const text *t)
{
    const size_t n_names = count_names(t);
    for (size_t i = 0; i < n_names; i++) {
        size_t n;
        const char *key = name_of(t, i, &n);
        const uint64_t name = digest(UINT64_C(0xcbf29ce484222325), key, n);
        if (text_is_key(t, i)) continue;
        info->names[0] = digest(info->names[0], &name, sizeof name);
        info->names[1] += name | 1;
    }
}

/* Are there more values than names, but the second row is not named 2? */
static bool lacks_row_name(const text *t)
{
    const field *f = t->row.fields;
    return t->start && t->start->shift == 1 && !f->quoted && !(f->length == 1 && *f->text == '2');
}

/* A good row that begins with no number but a word, such as "Total,20", may be none of the table's.
 * It is none, if hardly any row does. */
static void see_word(text *t)
{
    const field *f = t->row.fields;
    const unsigned char c = (unsigned char)*f->text;
    const bool is_letter = (c | 0x20) >= 'a' && c != 0x7f && (c >= 0x80 || (c | 0x20) <= 'z');
    t->left_out.rows += c >= '0' && c <= '9';
    if (t->json || t->group_column == 1 || !is_letter || f->missing) return;
    if (t->left_out.words++ == 0) t->left_out.first_word = t->lines.number;
}

/* Empty cells at the end are tabs there, but for those that stand behind every row. */
static void pad(const text *t, row *r)
{
    const size_t n = t->width ? t->width : t->header.n;
    const bool may_lack_last = t->header.has_comment;
    if (r->n + r->n_trailing + may_lack_last >= n + t->n_beyond) row_pad(r, n, may_lack_last);
}

bool text_check_row(source *src, text *t)
{
    row *r = &t->row;
    if (r->mixed)
        return text_refuse(t, "decimals have points and commas: give --decimal , or --decimal .");
    if (r->n != t->width) pad(t, r);
    if (t->width == 0 && !plan_columns(src, t)) return false;
    if (!text_check_fields(t)) return false;
    if (t->width && r->n != t->width)
        return text_refuse(t, "%zu value%s, expected %zu", r->n, r->n == 1 ? "" : "s", t->width);
    if (r->n == 2 && !t->is_sure_pair && is_decimal(src, t))
        return text_refuse(t,
                           "%s may be one value with a decimal comma: give --decimal ,; if it is "
                           "two, %s",
                           show_decimal(r, t->shown),
                           t->columns ? "give columns names" : "choose --columns 1,2");
    if (t->left_out.rows == 1 && lacks_row_name(t))
        return text_refuse(t, "%zu name%s, but %zu values, and rows are not named 1, 2 as R does",
                           t->header.n, t->header.n == 1 ? "" : "s", r->n);
    if (r->fields->number)
        t->left_out.rows++;
    else
        see_word(t);
    if (t->width > 0) return true;
    t->width = r->n;
    t->n_beyond = t->header.n ? 0 : r->n_trailing;
    src->info.channels = frame_channels(t);
    if (src->options.n_columns == 0) digest_names(&src->info, t);
    if (r->time_column && !plan_times(src, t)) return false;
    return (name_channels(src, t) && left_out_begin(&t->left_out, src->info.channels)) ||
           source_fail(src, "out of memory");
}

/* Set the column of a name. false after source_fail. */
static bool choose_name(source *src, text *t, const char *name, size_t *column)
{
    const table_start *s = t->start;
    const row *header = s->header < s->n ? &s->names.row : NULL;
    if (!header && s->has_comment && !src->options.is_template)
        return source_fail(src,
                           "line %llu: no header row, so no column '%.64s' of %s; if names are in "
                           "a line with #, take that off",
                           (unsigned long long)s->lines[s->row].number, name,
                           text_header_option(&src->options, name));
    if (!text_header_choose(src, header, s->lines[s->row].number, name, column)) return false;
    if (*column > s->shift_after) *column = (size_t)((ptrdiff_t)*column + s->shift);
    return true;
}

bool text_take_names(source *src, text *t)
{
    const source_options *o = &src->options;
    if (o->time_name && !choose_name(src, t, o->time_name, &t->row.time_column)) return false;
    if (o->clock_name && !choose_name(src, t, o->clock_name, &t->row.clock_column)) return false;
    if (o->group_name && !choose_name(src, t, o->group_name, &t->group_column)) return false;
    /* A template that lacks one has no times. */
    if (o->clock_name && !t->row.clock_column) t->row.time_column = 0;
    if (!t->row.time_column) t->row.clock_column = 0;
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
