#include "io/tables/table_start.h"

#include <stdlib.h>
#include <string.h>

#include "io/tables/row_words.h"
#include "io/tables/text_header.h"

static const char separators[] = "\t;, ";

void table_start_free(table_start *s)
{
    for (size_t i = 0; i < s->n; i++) free(s->lines[i].text);
    free(s->names.line);
    free(s->names.fields);
    free(s->first.line);
    free(s->first.fields);
    *s = (table_start){0};
}

/* Excel's line that names the separator. */
static bool take_separator(table_start *s, const char *line, size_t length)
{
    while (length > 0 && line[length - 1] == '\r') length--;
    if (length != 5 || strncmp(line, "sep=", 4) != 0 || !strchr(separators, line[4])) return false;
    s->forced = line[4];
    return true;
}

bool table_start_add(table_start *s, const char *line, size_t length, uint64_t number)
{
    if (s->n == 0 && !s->forced && take_separator(s, line, length)) return true;
    start_line *l = &s->lines[s->n];
    *l = (start_line){malloc(length + 1), length, number, false};
    if (!l->text) return false;
    memcpy(l->text, line, length + 1);
    s->n++;
    return true;
}

/* ---- cutting ---- */

row table_row(const source_options *o, char separator)
{
    return (row){.separator = separator,
                 .comment = o->comment ? o->comment : '#',
                 .decimal = o->decimal,
                 .is_decimal_given = o->decimal != 0,
                 .format = o->time_format};
}

/* The marks of comments in other programs. */
static size_t marks_before_names(const char *line, char separator)
{
    if (separator == ';' && *line == ';' && line[1] != ' ') return 0; /* the index of pandas */
    return strspn(line, "%;") > 0 ? strspn(line, "%; \t") : 0;
}

/* Cut line i by a separator. Names and words may have a mark before them. */
static const row *cut(table_start *s, start_cut *to, size_t i, char separator)
{
    const start_line *l = &s->lines[i];
    const size_t mark = to == &s->names ? marks_before_names(l->text, separator) : 0;
    char *line = realloc(to->line, l->length + 1);
    if (line) to->line = line;
    field *fields = realloc(to->fields, (l->length + 2) * sizeof *fields);
    if (fields) to->fields = fields;
    to->row = table_row(s->options, separator);
    to->row.fields = to->fields;
    to->row.time_column = to == &s->names ? 0 : s->time_column;
    to->row.clock_column = to == &s->names ? 0 : s->clock_column;
    s->is_out_of_memory |= !line || !fields;
    if (s->is_out_of_memory) return &to->row;
    to->text = l->text + mark;
    memcpy(to->line, to->text, l->length + 1 - mark);
    row_parse(&to->row, to->line, l->length - mark);
    /* The group may be any word, and says nothing of what the line is. */
    if (to == &s->first && s->group_column > 0 && s->group_column <= to->row.n)
        to->row.fields[s->group_column - 1].missing = true;
    return &to->row;
}

/* ---- names ---- */

static bool wants_names(const source_options *o)
{
    bool by_name = (o->time_name || o->clock_name || o->group_name) && !o->is_template;
    for (size_t i = 0; i < o->n_columns; i++) by_name |= o->columns[i] == 0;
    return by_name;
}

/* Has the line all the names that were asked for? */
static bool has_names(const source_options *o, const row *r)
{
    const char *const keys[] = {o->time_name, o->clock_name, o->group_name};
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !o->is_template; i++)
        if (keys[i] && text_header_find(r, keys[i]) == 0) return false;
    for (size_t i = 0; i < o->n_columns; i++)
        if (o->columns[i] == 0 && text_header_find(r, o->column_names[i]) == 0) return false;
    return true;
}

static bool are_empty(const row *r, size_t from)
{
    for (; from < r->n; from++)
        if (r->fields[from].length > 0) return false;
    return true;
}

/* Does R write such rows: their own names first, which no name stands for? */
static bool has_row_name(const row *names, const row *r)
{
    const field *f = r->fields;
    return (f->quoted && names->fields->quoted) ||
           (r->separator != ',' && f->length == 1 && *f->text == '1');
}

/* Do the names agree in number with the values? See table_start.shift. */
static bool agree(const row *names, row *r, ptrdiff_t *shift)
{
    row_pad(r, names->n, text_header_has_comment(names));
    *shift = 0;
    if (names->n == r->n) return true;
    if (names->n < r->n && names->n > 0 && are_empty(r, names->n)) return true;
    if (names->n > r->n) {
        const size_t time = r->time_column && r->time_ok ? r->time_column : 0;
        const field *f = time ? &r->fields[time - 1] : NULL;
        *shift = -1; /* a date and a time of day are two words, but one value */
        if (r->separator == ' ' && names->n == r->n + 1 && f && memchr(f->text, ' ', f->length))
            return true;
        *shift = 0;
        return are_empty(names, r->n);
    }
    *shift = 1;
    return r->n > 0 && names->n + 1 == r->n && has_row_name(names, r);
}

/* The last line before the row that has the names; n: none has. */
static size_t find_named(table_start *s, size_t i, char separator)
{
    for (size_t j = i; j-- > 0;)
        if (has_names(s->options, cut(s, &s->names, j, separator))) return j;
    return s->n;
}

/* Of the lines right above the row that agree with it in number, those of words alone: the upper of
 * two, since units may follow the names, else the last. Else it is the first line of the file, with
 * numbers in it. n: none. */
static size_t find_words(table_start *s, size_t i, char separator)
{
    size_t last = s->n, top = last, n = 0;
    ptrdiff_t shift;
    bool is_odd = false;
    for (size_t j = i; j-- > 0;) {
        const row *r = cut(s, &s->names, j, separator);
        if (!agree(r, &s->first.row, &shift)) break;
        const bool are_names = j == 0 && (s->first_is_names || (n == 0 && row_is_odd_names(r)));
        is_odd = !text_header_is(r);
        if (is_odd && !are_names && n > 0) break;
        if (is_odd && !are_names) continue;
        if (n++ == 0) last = j;
        if (n > 2) return last;
        top = j;
    }
    return top;
}

/* ---- the row ---- */

/* The column of a name, or its number as it is given. */
static size_t column_of(const table_start *s, size_t number, const char *name)
{
    if (!name) return number;
    const size_t found = text_header_find(&s->names.row, name);
    return found > s->shift_after ? (size_t)((ptrdiff_t)found + s->shift) : found;
}

/* Are the chosen columns of the row values? Without names all are, that nobody has to choose. */
static bool has_values(const table_start *s, bool is_named)
{
    const source_options *o = s->options;
    const row *r = &s->first.row;
    if (r->n == 0) return false;
    if (o->n_columns == 0 || (wants_names(o) && !is_named) || o->is_template) {
        size_t words = 0;
        for (size_t i = 0; i < r->n; i++) words += !field_is_value(&r->fields[i]);
        if (words == 0) return true;
    }
    if (o->n_columns == 0 || (wants_names(o) && !is_named)) return false;
    for (size_t i = 0; i < o->n_columns; i++) {
        const size_t k = column_of(s, o->columns[i], o->columns[i] ? NULL : o->column_names[i]);
        if (k < 1 || k > r->n) return false;
        const field *f = &r->fields[k - 1];
        if (!field_is_value(f)) return false;
    }
    return true;
}

/* Is the line words behind a mark of comments, which could be a first cell that is empty? */
static bool is_remark(const table_start *s, size_t i, const row *r)
{
    return marks_before_names(s->lines[i].text, r->separator) > 0 && row_count_numbers(r) == 0;
}

typedef struct {
    bool is_row;
    bool is_named;
    size_t header;
    int agrees;      /* 2: with names, 1: there are none, 0: it does not */
    size_t words, n; /* of the row */
    ptrdiff_t shift;
    size_t shift_after, time_column, clock_column, group_column;
    char separator;
} reading;

/* Could the line, right above the first row, be names? Lone words are no matter. */
static bool is_like_names(const row *r)
{
    return r->n > 1 && text_header_is(r);
}

/* Compare the row, line i, with the names. The time may have a name, too. */
static void read_names(table_start *s, size_t i, reading *a)
{
    const row *names = cut(s, &s->names, a->header, a->separator);
    const source_options *o = s->options;
    if (o->time_name) s->time_column = text_header_find(names, o->time_name);
    if (o->clock_name) s->clock_column = text_header_find(names, o->clock_name);
    if (o->group_name) s->group_column = text_header_find(names, o->group_name);
    if (o->time_name || o->clock_name || o->group_name) cut(s, &s->first, i, a->separator);
    a->agrees = agree(names, &s->first.row, &a->shift) ? 2 : 0;
}

/* That of a template is seen by itself: it may hold a column or two of the inputs. */
static header_choice header_of(const table_start *s)
{
    const source_options *o = s->options;
    return o->is_template && !o->is_take ? HEADER_AUTO : o->header;
}

/* Read line i as the first row, by a separator. */
static reading read_by(table_start *s, size_t i, char separator)
{
    reading a = {.header = s->n, .separator = separator};
    const bool by_name = wants_names(s->options);
    row *r = &s->first.row;
    s->time_column = s->options->time_column;
    s->clock_column = s->options->clock_column;
    s->group_column = s->options->group_column;
    cut(s, &s->first, i, separator);
    if (by_name) a.header = find_named(s, i, separator);
    a.is_named = by_name && a.header < s->n;
    if (!a.is_named) a.header = find_words(s, i, separator);
    if (header_of(s) == HEADER_YES) a.header = i > 0 ? 0 : s->n;
    if (header_of(s) == HEADER_YES && a.header == 0)
        a.is_named = by_name && has_names(s->options, cut(s, &s->names, 0, separator));
    if (a.header < s->n)
        read_names(s, i, &a);
    else
        a.agrees = i == 0 || !is_like_names(cut(s, &s->names, i - 1, separator));
    a.time_column = s->time_column;
    a.clock_column = s->clock_column;
    a.group_column = s->group_column;
    a.n = r->n;
    if (a.shift < 0) a.shift_after = r->time_column;
    if (!a.agrees) a.shift = 0;
    s->shift = a.shift;
    s->shift_after = a.shift_after;
    a.words = row_count_words(r);
    a.is_row = has_values(s, a.is_named) && !is_remark(s, i, r);
    return a;
}

/* Is reading a better than b? One field is the last resort, but for a decimal comma. */
static bool is_better(const reading *a, const reading *b)
{
    if (a->is_named != b->is_named) return a->is_named;
    if (a->is_row != b->is_row) return a->is_row;
    if (a->agrees != b->agrees) return a->agrees > b->agrees;
    if ((a->n > 1) != (b->n > 1)) return a->n > 1;
    return a->words < b->words;
}

/* What begins comments separates nothing. With decimal commas, commas separate quotes alone. */
static bool may_separate(const table_start *s, size_t i, char c)
{
    if (c == s->options->comment) return false;
    return c != ',' || s->options->decimal != ',' || strchr(s->lines[i].text, '"');
}

static reading read_best(table_start *s, size_t i)
{
    if (s->forced) return read_by(s, i, s->forced);
    reading best = {.header = s->n};
    bool has_best = false;
    for (const char *c = separators; *c; c++) {
        if (!may_separate(s, i, *c)) continue;
        const reading a = read_by(s, i, *c);
        if ((*c == '\t' || *c == ';') && a.n < 2) continue;
        if (has_best && !is_better(&a, &best)) continue;
        best = a;
        has_best = true;
    }
    return best;
}

/* ---- rows that may be none ---- */

/* Is the first line, which could be a row, rather names of the next one's columns: has it a word
 * above a number, or does it count the columns and no row of times follows? */
static bool is_rather_names(table_start *s, const row *r, const row *next)
{
    const bool counts = row_counts_columns(r) && s->options->time_column == 0;
    if (next->n != r->n) return false;
    if (row_is_odd_names(r) && row_has_word_above(r, next)) return true;
    if (!counts) return false;
    if (r->fields[0].length == 0) return next->fields[0].number;
    s->is_counted = next->fields[0].number && next->fields[0].value > 0;
    return !s->is_counted;
}

/* Take the reading: the row is line i. */
static start_state take(table_start *s, size_t i, const reading *a)
{
    s->row = i;
    s->header = a->header;
    s->separator = a->separator;
    s->shift = a->shift;
    s->shift_after = a->shift_after;
    s->names_agree = a->agrees > 0;
    s->is_named = a->is_named;
    s->time_column = a->time_column;
    s->clock_column = a->clock_column;
    s->group_column = a->group_column;
    if (a->header == s->n && !a->agrees) s->header = i - 1;
    cut(s, &s->first, i, a->separator);
    for (size_t j = s->header < s->n ? s->header + 1 : 0; j < i; j++) {
        const row *r = cut(s, &s->names, j, a->separator);
        s->lines[j].is_bad = r->n == s->first.row.n && row_shares_numbers(r, &s->first.row);
        if (s->header == s->n ? row_is_odd_names(r) : row_is_units(r, &s->first.row))
            s->lines[j].is_bad = false;
    }
    if (s->header < s->n) cut(s, &s->names, s->header, a->separator);
    const row *names = &s->names.row;
    s->is_odd_header = s->header < s->n && header_of(s) == HEADER_AUTO &&
                       (row_count_numbers(names) > 0 || row_has_missing_word(names));
    return START_ROW;
}

/* Can line i still turn out to be no row? Then the next line with numbers has to be seen. */
static bool is_doubtful(table_start *s, size_t i, const reading *a)
{
    const row *r = cut(s, &s->first, i, a->separator);
    if (i > 0) return a->header < s->n ? row_may_be_units(r) : row_is_odd_names(r);
    return row_count_words(r) > 0 || (row_counts_columns(r) && s->options->time_column == 0);
}

typedef enum { DOUBT_ROW, DOUBT_NO_ROW, DOUBT_STAYS } verdict;

/* Is line i a row by another separator, and the doubtful line has no number: is that prose? */
static bool is_other_table(table_start *s, size_t i, const reading *a)
{
    const bool has_number = row_count_numbers(&s->first.row) > 0;
    const reading other = read_best(s, i);
    return !has_number && other.is_row && other.separator != a->separator &&
           row_count_numbers(cut(s, &s->first, i, other.separator)) > 0;
}

/* Is the doubtful line words before a table, of which line i is a row: do the two agree neither in
 * the separator nor in number? */
static bool is_before_table(table_start *s, size_t i, const reading *a)
{
    const row *r = cut(s, &s->first, s->doubt, a->separator);
    const bool agrees = cut(s, &s->names, i, a->separator)->n == r->n;
    if (agrees || a->header < s->n || row_count_words(r) == 0) return false;
    const reading other = read_best(s, i);
    return other.is_row && other.n > 1 && other.separator != a->separator;
}

/* Is the doubtful line a row, as line i below it tells? */
static verdict judge_doubt(table_start *s, size_t i, const reading *a)
{
    if (is_before_table(s, i, a)) return DOUBT_NO_ROW;
    const row *r = cut(s, &s->first, s->doubt, a->separator);
    const row *next = cut(s, &s->names, i, a->separator);
    if (row_count_words(r) > 0 && strcmp(s->lines[s->doubt].text, s->lines[i].text) == 0)
        return DOUBT_STAYS;
    if (text_header_is(next)) return is_other_table(s, i, a) ? DOUBT_NO_ROW : DOUBT_STAYS;
    if (s->doubt > 0 && row_is_units(r, next)) return DOUBT_NO_ROW;
    /* Words before a table may have a number where a column was chosen. */
    if (s->doubt > 0 && a->header == s->n && row_is_odd_names(r) && row_has_word_above(r, next))
        return DOUBT_NO_ROW;
    s->first_is_names = s->doubt == 0 && is_rather_names(s, r, next);
    if (s->first_is_names) return DOUBT_NO_ROW;
    if (s->doubt == 0 && row_may_be_units(r) && !row_shares_words(r, next)) return DOUBT_NO_ROW;
    s->is_unclear = row_is_unclear(r, next);
    return DOUBT_ROW;
}

start_state table_start_judge(table_start *s, bool is_end)
{
    if (s->n == 0) return START_WAITING;
    const size_t i = s->n - 1;
    if (header_of(s) == HEADER_YES && i == 0) return START_WAITING;
    if (header_of(s) == HEADER_NO) {
        const reading a = read_best(s, 0);
        return take(s, 0, &a);
    }
    if (s->has_doubt && s->doubt < i) {
        const reading a = read_best(s, s->doubt);
        const verdict v = judge_doubt(s, i, &a);
        if (v == DOUBT_STAYS && !is_end) return START_WAITING;
        if (v != DOUBT_NO_ROW) return take(s, s->doubt, &a);
        s->has_doubt = false;
    }
    const reading a = read_best(s, i);
    if (!a.is_row) return START_WAITING;
    s->has_doubt = !is_end && is_doubtful(s, i, &a);
    s->doubt = i;
    return s->has_doubt ? START_WAITING : take(s, i, &a);
}

size_t table_start_passed_over(const table_start *s, uint64_t *first)
{
    size_t n = 0;
    for (size_t i = 0; i < s->row; i++) {
        if (i == s->header || s->lines[i].is_bad) continue;
        if (n++ == 0) *first = s->lines[i].number;
    }
    return n;
}

/* Has the row a field that is like a number, a date or a time: digits, and then what may follow? */
static bool has_digits(const row *r)
{
    for (size_t i = 0; i < r->n; i++) {
        const char *text = r->fields[i].text + (*r->fields[i].text == '-');
        const size_t digits = strspn(text, "0123456789");
        if (r->fields[i].number || (digits > 0 && strchr("-:/,", text[digits]))) return true;
    }
    return false;
}

bool table_start_guess(table_start *s)
{
    for (size_t i = header_of(s) == HEADER_YES; i < s->n; i++) {
        const reading a = read_best(s, i);
        cut(s, &s->first, i, a.separator);
        if (!has_digits(&s->first.row)) continue;
        take(s, i, &a);
        return true;
    }
    if (s->n < 2) return false;
    const reading below_names = read_best(s, 1);
    take(s, 1, &below_names);
    return true;
}
