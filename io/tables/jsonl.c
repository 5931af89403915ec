#include "io/tables/jsonl.h"

#include <json-c/json_object.h>
#include <json-c/json_tokener.h>
#include <json-c/linkhash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS_SHOWN = SOURCE_REASON / 4 }; /* bytes of names in a message */

struct jsonl {
    const source_options *options;
    uint64_t *passed_over;
    json_tokener *parser;
    json_object *line; /* the current one */
    bool is_array;     /* the lines are arrays */
    char **paths;      /* of the columns, then that of the time; NULL: no line came yet */
    size_t n;          /* columns */
    bool has_time;
};

typedef struct {
    char *to;
    size_t size;
} reason_text;

static json_tokener *make_parser(void)
{
    json_tokener *parser = json_tokener_new();
    if (parser) json_tokener_set_flags(parser, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    return parser;
}

jsonl *jsonl_create(const source_options *o, uint64_t *passed_over)
{
    jsonl *j = calloc(1, sizeof *j);
    if (!j) return NULL;
    j->options = o;
    j->passed_over = passed_over;
    j->parser = make_parser();
    if (j->parser) return j;
    free(j);
    return NULL;
}

static void free_paths(jsonl *j)
{
    for (size_t i = 0; j->paths && i <= j->n; i++) free(j->paths[i]);
    free(j->paths);
    j->paths = NULL;
}

void jsonl_free(jsonl *j)
{
    if (!j) return;
    free_paths(j);
    json_object_put(j->line);
    json_tokener_free(j->parser);
    free(j);
}

const char *jsonl_name(const jsonl *j, size_t column)
{
    return j->paths[column - 1];
}

static const char *show(const char *name, char shown[TEXT_FIELD_SHOWN])
{
    const field f = {.text = name, .length = strlen(name)};
    return text_field_show(&f, shown);
}

/* Names one after the other: "'t', 'x'" */
typedef struct {
    char text[KEYS_SHOWN];
    size_t length;
    bool is_full;
} key_list;

static void list_key(key_list *keys, const char *key)
{
    char shown[TEXT_FIELD_SHOWN];
    const size_t left = KEYS_SHOWN - keys->length;
    show(key, shown);
    if (keys->is_full) return;
    keys->is_full = strlen(shown) + 7 > left;
    const char *comma = keys->length ? ", " : "";
    keys->length += (size_t)snprintf(keys->text + keys->length, left, "%s%s", comma,
                                     keys->is_full ? "..." : shown);
}

/* The names that the line has. A bad line has none, and neither has an array among objects. */
static const char *list_keys(const jsonl *j, char keys[KEYS_SHOWN])
{
    key_list list = {.length = 0};
    strcpy(keys, j->is_array ? "only elements" : "no names");
    if (j->is_array) return keys;
    if (!json_object_is_type(j->line, json_type_object)) return "other names";
    json_object_object_foreach(j->line, key, value)
    {
        (void)value;
        list_key(&list, key);
    }
    return list.length ? strcpy(keys, list.text) : keys;
}

void jsonl_list(const jsonl *j, char *out, size_t size)
{
    char keys[KEYS_SHOWN];
    snprintf(out, size, "%s", list_keys(j, keys));
}

/* ---- values ---- */

/* Step from a value along *path: by all of it, else by its shortest part that is a key. null is
 * NULL, and so is what is not there. */
static json_object *step(json_object *in, char **path, bool *is_there)
{
    json_object *value = NULL;
    char *at = *path;
    *is_there = false;
    if (json_object_is_type(in, json_type_array)) {
        const size_t digits = strspn(at, "0123456789");
        if (digits == 0 || digits > 9 || (at[digits] && at[digits] != '.')) return NULL;
        const size_t i = strtoul(at, NULL, 10);
        *path = at[digits] ? at + digits + 1 : NULL;
        *is_there = i < json_object_array_length(in);
        return json_object_array_get_idx(in, i);
    }
    if (!json_object_is_type(in, json_type_object)) return NULL;
    *path = NULL;
    *is_there = json_object_object_get_ex(in, at, &value);
    for (char *dot = strchr(at, '.'); dot && !*is_there; dot = strchr(dot + 1, '.')) {
        *dot = '\0';
        *is_there = json_object_object_get_ex(in, at, &value);
        *dot = '.';
        *path = dot + 1;
    }
    return value;
}

/* The path stays as it is. *is_there: there is a value, or null in its place or around it. */
static json_object *find_there(json_object *in, char *path, bool *is_there)
{
    *is_there = true;
    while (in && path && *is_there) in = step(in, &path, is_there);
    return *is_there ? in : NULL;
}

static json_object *find(json_object *in, char *path)
{
    bool is_there;
    return find_there(in, path, &is_there);
}

/* Integers that 64 bits cannot hold become the largest or the least one. */
static bool is_beyond_64_bits(json_object *value)
{
    return json_object_get_uint64(value) == UINT64_MAX || json_object_get_int64(value) == INT64_MIN;
}

/* The value as text reads it; NULL: it has no such word. A number's is that of the file. */
static const char *word_of(json_object *value, bool is_time, size_t *length)
{
    const char *word = NULL;
    switch (json_object_get_type(value)) {
    case json_type_null: word = "null"; break;
    case json_type_boolean:
        if (!is_time) word = json_object_get_boolean(value) ? "1" : "0";
        break;
    case json_type_string:
        *length = (size_t)json_object_get_string_len(value);
        return json_object_get_string(value);
    case json_type_int:
        if (is_beyond_64_bits(value)) break;
        return json_object_to_json_string_length(value, JSON_C_TO_STRING_PLAIN, length);
    case json_type_double:
        return json_object_to_json_string_length(value, JSON_C_TO_STRING_PLAIN, length);
    case json_type_object:
    case json_type_array: break;
    }
    *length = word ? strlen(word) : 0;
    return word;
}

static const char *type_of(json_object *value)
{
    switch (json_object_get_type(value)) {
    case json_type_object: return "an object";
    case json_type_array: return "an array";
    case json_type_boolean: return "true or false";
    default: return "an integer beyond 64 bits";
    }
}

/* The line has no time there, or null. Always false. */
static bool refuse_time(const jsonl *j, const char *path, reason_text reason)
{
    char name[TEXT_FIELD_SHOWN], keys[KEYS_SHOWN];
    snprintf(reason.to, reason.size, "no time in %s; there are %s", show(path, name),
             list_keys(j, keys));
    return false;
}

/* Add the value at path i as the next field. false: it is no number, or no time. */
static bool add_value(jsonl *j, row *r, size_t i, reason_text reason)
{
    char value[TEXT_FIELD_SHOWN], name[TEXT_FIELD_SHOWN];
    const bool is_time = i == j->n;
    const char *what = is_time ? "time" : "number";
    json_object *found = find(j->line, j->paths[i]);
    size_t length;
    const char *word = word_of(found, is_time, &length);
    show(j->paths[i], name);
    if (is_time && !found) return refuse_time(j, j->paths[i], reason);
    if (!word) {
        snprintf(reason.to, reason.size, "%s is %s, not a %s", name, type_of(found), what);
        return false;
    }
    row_add(r, word, length);
    const field *f = &r->fields[r->n - 1];
    if (f->number || (f->missing && !is_time)) return true;
    snprintf(reason.to, reason.size, "%s of %s is not a %s", text_field_show(f, value), name, what);
    return false;
}

/* ---- columns ---- */

/* Set path i to a copy of the name. false after source_fail. */
static bool set_path(jsonl *j, source *src, size_t i, const char *name)
{
    j->paths[i] = strdup(name);
    return j->paths[i] || source_fail(src, "out of memory");
}

/* Find key k of the line, from 0, or the number of an element, in number[]. NULL: it has fewer. */
static const char *key_at(const jsonl *j, size_t k, char number[24])
{
    if (j->is_array) {
        snprintf(number, 24, "%zu", k);
        return k < json_object_array_length(j->line) ? number : NULL;
    }
    json_object_object_foreach(j->line, key, value)
    {
        (void)value;
        if (k-- == 0) return key;
    }
    return NULL;
}

/* Set path i to the one of this name, or if that is NULL, this number. false: there is none. */
static bool choose(jsonl *j, source *src, size_t i, const char *name, size_t column,
                   reason_text reason)
{
    char number[24], keys[KEYS_SHOWN];
    const char *path = name ? name : key_at(j, column - 1, number);
    if (path) return set_path(j, src, i, path);
    snprintf(reason.to, reason.size, "no column %zu; there are %s", column, list_keys(j, keys));
    return false;
}

/* Add a column, unless it is the time. false after source_fail. */
static bool add_column(jsonl *j, source *src, const char *key, const char *time)
{
    if (time && strcmp(key, time) == 0) return true;
    if (!set_path(j, src, j->n, key)) return false;
    j->n++;
    return true;
}

static bool is_number(json_object *value)
{
    return json_object_is_type(value, json_type_int) ||
           json_object_is_type(value, json_type_double) ||
           json_object_is_type(value, json_type_boolean);
}

/* Is the value, which is no number, like one, or may it have one in it or in the next lines? */
static bool may_be_numbers(json_object *value)
{
    field f = {.number = false};
    row r = {.fields = &f};
    size_t length;
    const char *word = word_of(value, false, &length);
    if (word) row_add(&r, word, length);
    return !word || f.number || (f.missing && length > 0);
}

/* Warn of keys that nobody chose, if they may have numbers. */
static void report_left_out(const jsonl *j, source *src, const char *time)
{
    key_list left = {.length = 0};
    json_object_object_foreach(j->line, key, value)
    {
        if (is_number(value) || (time && strcmp(key, time) == 0)) continue;
        if (may_be_numbers(value)) list_key(&left, key);
    }
    if (!left.length || j->options->is_template) return;
    source_warn(src, "left out %s: not numbers in the first line; choose with --columns",
                left.text);
}

/* Take all elements, or all numbers, but the time, whose path is paths[0] and moves to the end. */
static bool choose_all(jsonl *j, source *src, reason_text reason)
{
    char number[24], keys[KEYS_SHOWN];
    char *time = j->paths[0];
    bool good = true;
    j->paths[0] = NULL;
    for (size_t k = 0; good && j->is_array && key_at(j, k, number); k++)
        good = add_column(j, src, number, time);
    if (!j->is_array) {
        json_object_object_foreach(j->line, key, value)
        {
            if (good && is_number(value)) good = add_column(j, src, key, time);
        }
    }
    j->paths[j->n] = time;
    if (good && j->n > 0 && !j->is_array) report_left_out(j, src, time);
    if (!good || j->n > 0) return good;
    snprintf(reason.to, reason.size, "no numbers; choose with --columns, there are %s",
             list_keys(j, keys));
    return false;
}

/* Find the path of the time, paths[i]. A template may lack it. */
static bool choose_time(jsonl *j, source *src, size_t i, reason_text reason)
{
    const source_options *o = j->options;
    if (!source_wants_times(o)) return true;
    if (!choose(j, src, i, o->time_name, o->time_column, reason)) return false;
    j->has_time = find(j->line, j->paths[i]) != NULL;
    if (!j->has_time && !o->is_template) return refuse_time(j, j->paths[i], reason);
    if (j->has_time) return true;
    free(j->paths[i]);
    j->paths[i] = NULL;
    return true;
}

/* Fix the columns by the first line. */
static bool plan(jsonl *j, source *src, reason_text reason)
{
    const source_options *o = j->options;
    j->is_array = json_object_is_type(j->line, json_type_array);
    const size_t keys = j->is_array ? json_object_array_length(j->line)
                                    : (size_t)json_object_object_length(j->line);
    const size_t most = o->n_columns ? o->n_columns : keys;
    j->n = o->n_columns;
    j->paths = calloc(most + 1, sizeof *j->paths);
    if (!j->paths) return source_fail(src, "out of memory");
    bool good = choose_time(j, src, j->n, reason);
    for (size_t i = 0; good && i < o->n_columns; i++) {
        const char *name = o->columns[i] ? NULL : o->column_names[i];
        good = choose(j, src, i, name, o->columns[i], reason);
    }
    if (good && o->n_columns == 0) good = choose_all(j, src, reason);
    if (!good) free_paths(j);
    return good;
}

/* Has the line this path? */
static bool has_path(const jsonl *j, const char *name)
{
    char *path = strdup(name);
    bool is_there = true;
    if (path) find_there(j->line, path, &is_there);
    free(path);
    return is_there;
}

/* Has the line any of the columns? One that has to define them by number has. */
static bool has_columns(const jsonl *j)
{
    const source_options *o = j->options;
    const size_t n = j->paths ? j->n : o->n_columns;
    bool is_there = n == 0;
    for (size_t i = 0; i < n && !is_there; i++) {
        if (j->paths)
            find_there(j->line, j->paths[i], &is_there);
        else
            is_there = o->columns[i] || has_path(j, o->column_names[i]);
    }
    return is_there;
}

/* ---- lines ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Cut blanks off both ends. Returns the begin. */
static char *trim(char *line, size_t *length)
{
    while (*length > 0 && is_blank(line[*length - 1])) --*length;
    line[*length] = '\0';
    const size_t blanks = strspn(line, " \t\r");
    *length -= blanks;
    return line + blanks;
}

/* Parse an object or array. Returns NULL if it is neither, for the reason. */
static json_object *parse(json_tokener *parser, const char *line, size_t length, reason_text reason)
{
    json_tokener_reset(parser);
    json_object *value = json_tokener_parse_ex(parser, line, (int)length + 1); /* with its NUL */
    const size_t end = json_tokener_get_parse_end(parser);
    const enum json_tokener_error wrong = json_tokener_get_error(parser);
    if (wrong != json_tokener_success)
        snprintf(reason.to, reason.size, "not JSON at byte %zu: %s", end + 1,
                 json_tokener_error_desc(wrong));
    else if (end < length)
        snprintf(reason.to, reason.size, "not JSON at byte %zu", end + 1);
    else if (json_object_is_type(value, json_type_object) ||
             json_object_is_type(value, json_type_array))
        return value;
    else
        snprintf(reason.to, reason.size, "neither an object nor an array");
    json_object_put(value);
    return NULL;
}

bool jsonl_parse(jsonl *j, source *src, row *r, char *line, size_t length, char *reason,
                 size_t size)
{
    const reason_text to = {reason, size};
    r->n = r->n_trailing = 0;
    r->time_ok = r->time_iso = r->time_has_form = r->mixed = false;
    line = trim(line, &length);
    if (length == 0) return true;
    json_object_put(j->line);
    j->line = parse(j->parser, line, length, to);
    if (!j->line) return false;
    if (j->paths && json_object_is_type(j->line, json_type_array) != j->is_array) {
        snprintf(reason, size, "not an %s like the first line", j->is_array ? "array" : "object");
        return false;
    }
    if (!has_columns(j)) {
        ++*j->passed_over;
        return true;
    }
    if (!j->paths && !plan(j, src, to)) return false;
    r->time_column = j->has_time ? j->n + 1 : 0;
    bool good = true;
    for (size_t i = 0; good && i < j->n; i++) good = add_value(j, r, i, to);
    if (!j->has_time) return good;
    /* The time of a bad line counts, too. */
    char of_time[SOURCE_REASON];
    r->n = j->n;
    return add_value(j, r, j->n, good ? to : (reason_text){of_time, sizeof of_time}) && good;
}

bool jsonl_begins(source *src)
{
    input *in = &src->in;
    char line[ROW_LINE + 1], reason[SOURCE_REASON];
    const unsigned char *newline;
    if (src->options.format == SOURCE_JSONL) return true;
    while (!(newline = memchr(input_bytes(in), '\n', input_have(in))) && input_have(in) <= ROW_LINE)
        if (!input_more(in)) break;
    size_t length = newline ? (size_t)(newline - input_bytes(in)) : input_have(in);
    if (!newline && input_has_stopped(in) && !in->ended) return true; /* text_open says why */
    const size_t mark = memcmp(input_bytes(in), "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    if (length > ROW_LINE) return false;
    length -= mark;
    memcpy(line, input_bytes(in) + mark, length);
    const char *begin = trim(line, &length);
    json_tokener *parser = *begin == '{' ? make_parser() : NULL;
    if (!parser) return false;
    json_object *object = parse(parser, begin, length, (reason_text){reason, sizeof reason});
    json_object_put(object);
    json_tokener_free(parser);
    return object != NULL;
}
