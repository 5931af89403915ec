#include "tools/common/templates/selections.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/file_read.h"
#include "tools/common/messages/messages.h"
#include "tools/common/options/number.h"

enum {
    MOST_SELECTIONS = 4096,
    MOST_COLUMNS = 256,
    MOST_BYTES = 1 << 24,
};
static const double MOST_SECONDS = 1e9;

/* Columns of a table. Annotation and those after it are names that people give to the column of
 * labels; the first one that is there counts. */
typedef enum { ID, BEGIN, END, LOW, HIGH, SOUND, OFFSET, ANNOTATION, N_COLUMNS } column;
static const char *const column_names[] = {"Selection",       "Begin Time (s)", "End Time (s)",
                                           "Low Freq (Hz)",   "High Freq (Hz)", "Begin File",
                                           "File Offset (s)", "Annotation",     "Label",
                                           "Species",         "Common Name",    "Call Type"};
enum { N_NAMES = sizeof column_names / sizeof *column_names };

/* A table on its way into a list. */
typedef struct {
    selection_list *list;
    const char *ids[MOST_SELECTIONS]; /* of the selections of a table */
    size_t at[N_COLUMNS];             /* where columns are, from 1; 0: there is none */
    const char *path, *sound, *chosen;
    selection *last;    /* that the line gave; NULL: none */
    selection *band_of; /* the label before, of a track; NULL: it was not taken */
    unsigned labels;    /* so far, of a track */
    size_t points;      /* left out, since they have no length */
    unsigned line;
    const char *wrong; /* with this line; NULL: nothing */
} table;

/* Cut the next line off; NULL: there is none. */
static char *next_line(char **rest)
{
    char *line = *rest;
    if (!line || !*line) return NULL;
    char *end = strchr(line, '\n');
    *rest = end ? end + 1 : NULL;
    if (end) *end = '\0';
    const size_t n = strlen(line);
    if (n > 0 && line[n - 1] == '\r') line[n - 1] = '\0';
    return line;
}

/* Cut a line at its tabs. Returns the number of fields. */
static size_t cut_fields(char *line, char *fields[MOST_COLUMNS])
{
    size_t n = 0;
    for (char *field = line; field && n < MOST_COLUMNS; n++) {
        fields[n] = field;
        char *tab = strchr(field, '\t');
        if (tab) *tab = '\0';
        field = tab ? tab + 1 : NULL;
    }
    return n;
}

static exact_time exact(double seconds)
{
    const double whole = floor(seconds);
    return exact_time_make((int64_t)whole, (int32_t)lround((seconds - whole) * 1e9));
}

/* Set the range to [begin, end) in seconds. false: these are none, or not in this order. */
static bool set_range(selection *s, double begin, double end)
{
    if (!(0 <= begin && begin <= end && end <= MOST_SECONDS)) return false;
    s->range = (time_range){.kind = RANGE_SECONDS,
                            .start = exact(begin),
                            .end = exact(end),
                            .start_s = begin,
                            .end_s = end};
    return true;
}

static bool is_chosen(const table *t, const char *id, const char *label)
{
    const char *chosen = t->chosen;
    if (!chosen) return true;
    return strcmp(chosen[strspn(chosen, "0123456789")] ? label : id, chosen) == 0;
}

/* Is a selection of this number there already? It is listed once for each view. */
static bool is_listed(const table *t, const char *id)
{
    for (size_t i = 0; i < t->list->n; i++)
        if (strcmp(t->ids[i], id) == 0) return true;
    return false;
}

static void add(table *t, selection s, const char *id)
{
    selection_list *l = t->list;
    const size_t size = strlen(t->path) + strlen(id) + 2;
    if (l->n == MOST_SELECTIONS)
        t->wrong = "more than 4096 selections; choose some with @TABLE:LABEL";
    else if (!(s.name = malloc(size)))
        t->wrong = "out of memory";
    if (t->wrong) return;
    snprintf(s.name, size, *id ? "%s:%s" : "%s", t->path, id);
    s.range.text = s.name;
    t->last = &l->items[l->n];
    l->items[l->n++] = s;
}

/* A selection from `begin` to `end`, which are text. */
static void add_span(table *t, selection s, const char *id, const char *begin, const char *end)
{
    double begin_s, end_s;
    if (!number_real(begin, &begin_s) || !number_real(end, &end_s) ||
        !set_range(&s, begin_s, end_s))
        t->wrong =
            "no beginning and end in seconds, in this order, which selection tables of Raven "
            "and label tracks of Audacity have";
    else if (begin_s == end_s)
        t->points++;
    else
        add(t, s, id);
}

/* The field of a row, "" if there is none. */
static const char *field_of(const table *t, char *const *fields, size_t n, column c)
{
    return t->at[c] > 0 && t->at[c] <= n ? fields[t->at[c] - 1] : "";
}

/* The last selection counts from the first of several sounds: let it count from its own. */
static void move_to_sound(table *t, const char *offset)
{
    double begin_s;
    const time_range r = t->last->range;
    if (!number_real(offset, &begin_s) ||
        !set_range(t->last, begin_s, begin_s + (r.end_s - r.start_s)))
        t->wrong = "its File Offset is not a number of seconds";
    t->last->range.text = r.text;
}

/* -1 stands for no band. */
static void set_band(selection *s, const char *low, const char *high)
{
    double low_hz, high_hz;
    if (!number_real(low, &low_hz) || !number_real(high, &high_hz)) return;
    if (high_hz <= fmax(low_hz, 0)) return;
    s->low_hz = fmax(low_hz, 0);
    s->high_hz = high_hz;
}

static void add_row(table *t, char *const *fields, size_t n)
{
    const char *id = field_of(t, fields, n, ID), *label = field_of(t, fields, n, ANNOTATION);
    const char *sound = field_of(t, fields, n, SOUND), *offset = field_of(t, fields, n, OFFSET);
    const bool is_other = *sound && strcmp(template_base_name(sound), t->sound) != 0;
    if (is_other || !is_chosen(t, id, label) || (*id && is_listed(t, id))) return;
    add_span(t, (selection){.label = *label ? label : NULL}, id, field_of(t, fields, n, BEGIN),
             field_of(t, fields, n, END));
    if (t->last) t->ids[t->list->n - 1] = id;
    if (t->last && *offset) move_to_sound(t, offset);
    if (t->last) set_band(t->last, field_of(t, fields, n, LOW), field_of(t, fields, n, HIGH));
}

/* A line of a track: a label, or the band of the one before. */
static void add_label(table *t, char *const *fields, size_t n)
{
    char id[24];
    const char *label = n > 2 ? fields[2] : "";
    if (strcmp(fields[0], "\\") == 0) {
        if (t->band_of && n > 2) set_band(t->band_of, fields[1], fields[2]);
        return;
    }
    snprintf(id, sizeof id, "%u", ++t->labels);
    if (is_chosen(t, id, label))
        add_span(t, (selection){.label = *label ? label : NULL}, id, fields[0],
                 n > 1 ? fields[1] : "");
    t->band_of = t->last;
}

/* Find the columns of a table. false: this is not its header. */
static bool find_columns(table *t, char *const *fields, size_t n)
{
    for (size_t c = N_NAMES; c-- > 0;)
        for (size_t i = 0; i < n; i++)
            if (strcmp(fields[i], column_names[c]) == 0)
                t->at[c < ANNOTATION ? c : ANNOTATION] = i + 1;
    if (t->at[BEGIN] > 0 && t->at[END] == 0) t->wrong = "it names no column 'End Time (s)'";
    return t->at[BEGIN] > 0;
}

/* Take all lines up to one that is bad. */
static void take_lines(table *t, char *text)
{
    char *fields[MOST_COLUMNS], *line;
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0) text += 3;
    while (!t->wrong && (line = next_line(&text))) {
        const size_t n = cut_fields(line, fields);
        t->line++;
        t->last = NULL;
        if (n == 1 && !*fields[0]) continue;
        if (t->line == 1 && find_columns(t, fields, n)) continue;
        if (t->at[BEGIN] > 0)
            add_row(t, fields, n);
        else
            add_label(t, fields, n);
    }
}

/* The parts of RECORDING@TABLE[:CHOSEN]. */
typedef struct {
    char *recording, *table;
    const char *name;   /* the part of the path after the recording */
    const char *chosen; /* NULL: all */
} selection_path;

static void free_path(selection_path *p)
{
    free(p->recording);
    free(p->table);
}

/* Cut the choice off the table's name. Names and labels may hold colons. false: no such file. */
static bool cut_choice(selection_path *p)
{
    if (access(p->table, F_OK) == 0) return true;
    for (char *colon = strchr(p->table, ':'); colon; colon = strchr(colon + 1, ':')) {
        *colon = '\0';
        p->chosen = colon + 1;
        if (access(p->table, F_OK) == 0) return true;
        *colon = ':';
    }
    return false;
}

/* Cut a path at the first @ between two files. false: there is none. Without memory a part is NULL.
 */
static bool cut_path(const char *path, selection_path *p)
{
    *p = (selection_path){0};
    if (access(path, F_OK) == 0) return false;
    for (const char *at = strchr(path, '@'); at; at = strchr(at + 1, '@')) {
        *p = (selection_path){.recording = strndup(path, (size_t)(at - path)),
                              .table = strdup(at + 1),
                              .name = at + 1};
        if (!p->recording || !p->table) return true;
        if (access(p->recording, F_OK) == 0 && cut_choice(p)) return true;
        free_path(p);
    }
    return false;
}

bool selections_are_named(const char *path)
{
    selection_path p;
    const bool are_named = cut_path(path, &p);
    if (are_named) free_path(&p);
    return are_named;
}

/* Read the bytes of the table, and a NUL. NULL, or why that cannot be. */
static const char *read_bytes(selection_list *list, const char *path)
{
    text_buffer bytes = {0};
    const int failure = file_read(path, MOST_BYTES, &bytes);
    const bool is_text = bytes.length > 0 && !memchr(bytes.data, '\0', bytes.length);
    if (!failure) text_add(&bytes, "", 1);
    list->bytes = bytes.data;
    if (failure == EFBIG) return "larger than any table of selections";
    if (failure) return strerror(failure);
    if (bytes.failed) return "out of memory";
    return is_text ? NULL : "neither a selection table nor a label track";
}

/* Report what was left out, and what is wrong. */
static bool report_table(const table *t)
{
    const char *name = t->list->name;
    if (t->points > 0)
        report_of(t->path, "warning: %zu without a length, which can be no template%s", t->points,
                  t->points == 1 ? "" : "s");
    if (t->wrong)
        report_of(name, "line %u: %s", t->line, t->wrong);
    else if (t->list->n == 0)
        report_of(name, "no %sselection of this recording", t->chosen ? "such " : "");
    return !t->wrong && t->list->n > 0;
}

static bool load(selection_list *list, const selection_path *p)
{
    const char *wrong = read_bytes(list, p->table);
    if (wrong) report_of(p->table, "%s", wrong);
    if (wrong) return false;
    table *t = calloc(1, sizeof *t);
    list->items = calloc(MOST_SELECTIONS, sizeof *list->items);
    bool good = (t && list->items) || report_no_memory(p->table);
    if (good) {
        *t = (table){.list = list,
                     .path = p->table,
                     .sound = template_base_name(p->recording),
                     .chosen = p->chosen};
        take_lines(t, list->bytes);
        good = report_table(t);
    }
    free(t);
    return good;
}

bool selections_load(selection_list *list, const char *path)
{
    selection_path p;
    *list = (selection_list){0};
    cut_path(path, &p);
    list->name = p.name ? strdup(p.name) : NULL;
    list->recording = p.recording ? strdup(p.recording) : NULL;
    const bool good = list->name && list->recording && p.table;
    const bool is_loaded = good ? load(list, &p) : report_no_memory(path);
    free_path(&p);
    return is_loaded;
}

void selections_free(selection_list *list)
{
    for (size_t i = 0; i < list->n; i++) free(list->items[i].name);
    free(list->recording);
    free(list->name);
    free(list->bytes);
    free(list->items);
    *list = (selection_list){0};
}
