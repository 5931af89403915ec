#include "tools/common/options/getopt.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { NAME_MOST = 32 }; /* letters of an option at most */

/* With the leading ':' getopt_long returns ':' for a missing argument. */
void getopt_begin(getopt_table *table)
{
    *table = (getopt_table){.letters = ":"};
    opterr = 0;
    optind = 0; /* glibc: start afresh */
}

void getopt_add(getopt_table *table, int key, const char *name, const char *argument)
{
    if (table->n == GETOPT_MOST) return;
    table->names[table->n++] =
        (struct option){name, argument ? required_argument : no_argument, NULL, key};
    if (key > 255) return;
    const char letter[] = {(char)key, argument ? ':' : '\0', '\0'};
    strcat(table->letters, letter);
}

static const struct option *find(const getopt_table *table, int key)
{
    for (size_t i = 0; i < table->n; i++)
        if (table->names[i].val == key) return &table->names[i];
    return NULL;
}

/* Does an abbreviated --name stand for several options? */
static bool is_ambiguous(const getopt_table *table, const char *word)
{
    size_t n = strcspn(word, "="), candidates = 0;
    for (size_t i = 0; i < table->n; i++)
        candidates += n > 2 && strncmp(table->names[i].name, word + 2, n - 2) == 0;
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
static const char *nearest(const getopt_table *table, const char *word, size_t n)
{
    const char *name = NULL;
    size_t least = n / 3 + 1;
    for (size_t i = 0; i < table->n; i++) {
        const size_t edits = edits_between(table->names[i].name, word, n);
        if (edits >= least) continue;
        least = edits;
        name = table->names[i].name;
    }
    return name;
}

/* Word the error for which getopt_long returned `got`. `word` held the option. */
static int bad(const getopt_table *table, int got, const char *word, char *error, size_t size)
{
    const struct option *option = find(table, optopt);
    const bool is_long = strncmp(word, "--", 2) == 0;
    const int n = (int)strcspn(word, "=");
    const char *meant;
    if (got == ':' && is_long)
        snprintf(error, size, "option '%s' needs an argument", word);
    else if (got == ':')
        snprintf(error, size, "option '-%c' needs an argument", optopt);
    else if (option)
        snprintf(error, size, "option '--%s' takes no argument", option->name);
    else if (!is_long && (unsigned char)optopt >= 0x80)
        snprintf(error, size, "unknown option '-\\x%02x'", (unsigned char)optopt);
    else if (!is_long)
        snprintf(error, size, "unknown option '-%c'", optopt);
    else if (is_ambiguous(table, word))
        snprintf(error, size, "option '%.*s' is ambiguous", n, word);
    else if ((meant = nearest(table, word + 2, (size_t)n - 2)))
        snprintf(error, size, "unknown option '%.*s'; did you mean '--%s'?", n, word, meant);
    else
        snprintf(error, size, "unknown option '%.*s'", n, word);
    return GETOPT_BAD;
}

int getopt_next(const getopt_table *table, int argc, char **argv, char *error, size_t size)
{
    const int at = optind ? optind : 1;
    const int got = getopt_long(argc, argv, table->letters, table->names, NULL);
    if (got == -1) return GETOPT_END;
    if (got != ':' && got != '?') return got;
    /* Within a cluster of letters, optind stays where it was. */
    return bad(table, got, argv[optind > at ? optind - 1 : at], error, size);
}
