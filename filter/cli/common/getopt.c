#include "filter/cli/common/getopt.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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
    size_t n = strcspn(word, "="), hits = 0;
    for (size_t i = 0; i < table->n; i++)
        hits += n > 2 && strncmp(table->names[i].name, word + 2, n - 2) == 0;
    return hits > 1;
}

/* Word the error for which getopt_long returned `got`. `word` held the option. */
static int bad(const getopt_table *table, int got, const char *word, char *error, size_t size)
{
    const struct option *option = find(table, optopt);
    const bool is_long = strncmp(word, "--", 2) == 0;
    const int n = (int)strcspn(word, "=");
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
