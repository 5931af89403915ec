#include "tools/common/options/arguments.h"

#include <assert.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sigrep.h"
#include "tools/common/messages/messages.h"
#include "tools/common/options/number.h"
#include "tools/common/options/shared_options.h"

enum {
    WITHOUT_LETTER = 256, /* the key of a table's first row, and so on */
    HELP_COLUMN = 29,
    NAME_MOST = 32 /* letters of an option */
};

/* A table as getopt_long takes it, which has globals: one command line at a time. */
typedef struct {
    struct option names[ARGUMENTS_MOST + 1];
    size_t n;
    char letters[2 * ARGUMENTS_MOST + 2];
} known_options;

static const argument_row help_row = ARGUMENT(0, "help", NULL, NULL, "this text");
static const argument_row help_all_row =
    ARGUMENT(0, "help", NULL, NULL, "examples, and what most need; --help=all: all");
static const argument_row version_row = ARGUMENT(0, "version", NULL, NULL, "the version");

/* NULL after the last. */
static const argument_row *row_at(const argument_table *table, size_t i)
{
    if (i < table->n_rows) return &table->rows[i];
    if (i == table->n_rows) return table->short_help ? &help_all_row : &help_row;
    return i == table->n_rows + 1 ? &version_row : NULL;
}

static bool has_letter(const argument_row *row)
{
    return row->key > 0 && row->key < WITHOUT_LETTER;
}

/* May the argument be left out? It follows a =. */
static bool is_optional(const argument_row *row)
{
    return row->argument && strncmp(row->argument, "[=", 2) == 0;
}

/* What getopt_long returns for row i. */
static int key_of(const argument_row *row, size_t i)
{
    return has_letter(row) ? row->key : WITHOUT_LETTER + (int)i;
}

const char *arguments_first_given(const given_option *all, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (all[i].is_given) return all[i].name;
    return NULL;
}

arguments_status arguments_bad(char *error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(error, ARGUMENTS_ERROR_SIZE, format, args);
    va_end(args);
    return ARGUMENTS_BAD;
}

static const char *set_text(const argument_row *row, void *field, const char *text)
{
    memcpy(field, &text, sizeof text);
    return *text ? NULL : row->refusal;
}

static const char *set_real(const argument_row *row, double *value, const char *text)
{
    const bool good = number_real(text, value) && *value >= row->least && *value <= row->most;
    return good ? NULL : row->refusal;
}

static const char *set_whole(const argument_row *row, uint64_t *value, const char *text,
                             char refusal[64])
{
    const unsigned long long min = row->min, max = row->max;
    if (number_whole(text, row->min, row->max, value)) return NULL;
    if (row->max >= SIZE_MAX)
        snprintf(refusal, 64, "not a whole number, %llu or above", min);
    else
        snprintf(refusal, 64, "not a whole number from %llu to %llu", min, max);
    return refusal;
}

static const char *set_value(const argument_row *row, void *field)
{
    if (row->size == sizeof(bool))
        *(bool *)field = row->value;
    else
        memcpy(field, &row->value, sizeof row->value);
    return NULL;
}

static arguments_status set(const argument_table *table, void *user, int key, char *error)
{
    const argument_row *row;
    const char *reason = NULL;
    char refusal[64];
    for (size_t i = 0; key_of(row = row_at(table, i), i) != key;) i++;
    void *field = (char *)user + row->field;
    switch (row->kind) {
    case ARGUMENT_BY_SETTER: reason = row->set(user, optarg); break;
    case ARGUMENT_AS_SHARED: reason = shared_options_set(user, row->name, optarg); break;
    case ARGUMENT_TO_VALUE: reason = set_value(row, field); break;
    case ARGUMENT_TO_TEXT: reason = set_text(row, field, optarg); break;
    case ARGUMENT_TO_WHOLE: reason = set_whole(row, field, optarg, refusal); break;
    case ARGUMENT_TO_REAL: reason = set_real(row, field, optarg); break;
    }
    if (!reason) return ARGUMENTS_OK;
    return arguments_bad(error, "--%s '%.300s': %s", row->name, optarg ? optarg : "", reason);
}

static void add_known(known_options *known, const argument_row *row, int key)
{
    if (!row->name) return;
    assert(known->n < ARGUMENTS_MOST);
    int takes = row->argument ? required_argument : no_argument;
    if (is_optional(row)) takes = optional_argument;
    known->names[known->n++] = (struct option){row->name, takes, NULL, key};
    if (!has_letter(row)) return;
    const char letter[] = {(char)row->key, row->argument ? ':' : '\0', '\0'};
    strcat(known->letters, letter);
}

/* With the leading ':' getopt_long returns ':' for a missing argument. */
static known_options known_of(const argument_table *table)
{
    known_options known = {.letters = ":"};
    const argument_row *row;
    for (size_t i = 0; (row = row_at(table, i)); i++) add_known(&known, row, key_of(row, i));
    known.names[known.n - 2].has_arg = optional_argument; /* --help=all */
    return known;
}

static const struct option *find(const known_options *known, int key)
{
    for (size_t i = 0; i < known->n; i++)
        if (known->names[i].val == key) return &known->names[i];
    return NULL;
}

/* Does an abbreviated --name stand for several options? */
static bool is_ambiguous(const known_options *known, const char *word)
{
    size_t n = strcspn(word, "="), candidates = 0;
    for (size_t i = 0; i < known->n; i++)
        candidates += n > 2 && strncmp(known->names[i].name, word + 2, n - 2) == 0;
    return candidates > 1;
}

/* Letters put in, left out and replaced that turn one name into the other (Levenshtein). */
static size_t edits_between(const char *name, const char *word, size_t n)
{
    size_t edits[NAME_MOST + 1]; /* from what was read of `name` to the first j letters of `word` */
    if (n > NAME_MOST) return SIZE_MAX;
    for (size_t j = 0; j <= n; j++) edits[j] = j;
    for (; *name; name++) {
        size_t diagonal = edits[0]++;
        for (size_t j = 1; j <= n; j++) {
            const size_t up = edits[j], left = edits[j - 1];
            edits[j] = diagonal + (*name != word[j - 1]);
            if (up + 1 < edits[j]) edits[j] = up + 1;
            if (left + 1 < edits[j]) edits[j] = left + 1;
            diagonal = up;
        }
    }
    return edits[n];
}

/* The option that a word of n letters is meant to be: at most a third of them are wrong. NULL: none
 * is near. */
static const char *nearest(const known_options *known, const char *word, size_t n)
{
    const char *name = NULL;
    size_t least = n / 3 + 1;
    for (size_t i = 0; i < known->n; i++) {
        const size_t edits = edits_between(known->names[i].name, word, n);
        if (edits >= least) continue;
        least = edits;
        name = known->names[i].name;
    }
    return name;
}

/* Word the error for which getopt_long returned `got`. `word` held the option. */
static arguments_status bad(const known_options *known, int got, const char *word, char *error)
{
    const struct option *option = find(known, optopt);
    const bool is_long = strncmp(word, "--", 2) == 0;
    const int n = (int)strcspn(word, "=");
    const char *meant;
    if (got == ':' && is_long) return arguments_bad(error, "option '%s' needs an argument", word);
    if (got == ':') return arguments_bad(error, "option '-%c' needs an argument", optopt);
    if (option) return arguments_bad(error, "option '--%s' takes no argument", option->name);
    if (!is_long && (unsigned char)optopt >= 0x80)
        return arguments_bad(error, "unknown option '-\\x%02x'", (unsigned char)optopt);
    if (!is_long) return arguments_bad(error, "unknown option '-%c'", optopt);
    if (is_ambiguous(known, word))
        return arguments_bad(error, "option '%.*s' is ambiguous", n, word);
    if ((meant = nearest(known, word + 2, (size_t)n - 2)))
        return arguments_bad(error, "unknown option '%.*s'; did you mean '--%s'?", n, word, meant);
    return arguments_bad(error, "unknown option '%.*s'", n, word);
}

static arguments_status asks_for_help(const char *what, char *error)
{
    if (!what) return ARGUMENTS_HELP;
    if (strcmp(what, "all") == 0) return ARGUMENTS_HELP_ALL;
    return arguments_bad(error, "--help '%.300s': not all, the only word for it", what);
}

arguments_status arguments_parse(const argument_table *table, void *user, int argc, char **argv,
                                 char error[ARGUMENTS_ERROR_SIZE])
{
    const known_options known = known_of(table);
    int at, key;
    error[0] = '\0';
    report_as(table->program);
    opterr = 0;
    optind = 0; /* glibc: start afresh */
    while (at = optind ? optind : 1,
           (key = getopt_long(argc, argv, known.letters, known.names, NULL)) != -1) {
        if (key == WITHOUT_LETTER + (int)table->n_rows) return asks_for_help(optarg, error);
        if (key == WITHOUT_LETTER + (int)table->n_rows + 1) return ARGUMENTS_VERSION;
        /* Within a cluster of letters, optind stays where it was. */
        if (key == ':' || key == '?')
            return bad(&known, key, argv[optind > at ? optind - 1 : at], error);
        if (set(table, user, key, error)) return ARGUMENTS_BAD;
    }
    return table->take_operands(user, argc - optind, argv + optind, error);
}

void arguments_add_help(text_buffer *out, const argument_row *row)
{
    if (!row->name) {
        text_add_format(out, "\n%s\n", row->help);
        return;
    }
    char left[80];
    int n = has_letter(row) ? snprintf(left, sizeof left, "  -%c, --%s", row->key, row->name)
                            : snprintf(left, sizeof left, "      --%s", row->name);
    if (row->argument)
        n += snprintf(left + n, sizeof left - (size_t)n, is_optional(row) ? "%s" : " %s",
                      row->argument);
    if (n > HELP_COLUMN - 2) {
        text_add_format(out, "%s\n", left);
        left[0] = '\0';
    }
    const char *first = left;
    for (const char *line = row->help; *line;) {
        size_t length = strcspn(line, "\n");
        text_add_format(out, "%-*s%.*s\n", HELP_COLUMN, first, (int)length, line);
        line += length + (line[length] == '\n');
        first = "";
    }
}

static void add_help(text_buffer *out, const argument_table *table, bool all)
{
    const argument_row *row;
    text_add_format(out, "Usage: %s\n%s", table->usage, all ? table->about : table->short_help);
    if (!all) return;
    for (size_t i = 0; (row = row_at(table, i)); i++) arguments_add_help(out, row);
    text_add_format(out, "\n%s", table->end);
}

int arguments_answer(const argument_table *table, arguments_status status, const char *error)
{
    text_buffer out = {0};
    switch (status) {
    case ARGUMENTS_HELP: add_help(&out, table, !table->short_help); break;
    case ARGUMENTS_HELP_ALL: add_help(&out, table, true); break;
    case ARGUMENTS_VERSION: text_add_format(&out, "%s " SIGREP_VERSION "\n", table->program); break;
    default: report_usage(table->usage, status == ARGUMENTS_NONE ? NULL : error); return EXIT_ERROR;
    }
    return print_text(&out) ? 0 : EXIT_ERROR;
}
