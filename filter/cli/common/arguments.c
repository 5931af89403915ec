#include "filter/cli/common/arguments.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter/cli/common/getopt.h"
#include "filter/cli/common/help.h"
#include "filter/cli/common/messages.h"
#include "io/fdio.h"
#include "io/text_buffer.h"
#include "sigrep.h"

enum { KEY_HELP = 1000, KEY_VERSION };

static const argument_row general[] = {
    {KEY_HELP, "help", NULL, "this text", NULL},
    {KEY_VERSION, "version", NULL, "the version", NULL},
};

static const argument_row *row_at(const argument_table *table, size_t i)
{
    if (i < table->n_rows) return &table->rows[i];
    return i < table->n_rows + 2 ? &general[i - table->n_rows] : NULL;
}

/* Write it to standard output. */
static arguments_status answer(text_buffer *out)
{
    const bool written = !out->failed && !fd_write_all(STDOUT_FILENO, out->data, out->length);
    free(out->data);
    if (!written) report("standard output: cannot be written");
    return written ? ARGUMENTS_ANSWER : ARGUMENTS_BAD;
}

static arguments_status help(const argument_table *table)
{
    text_buffer out = {0};
    text_add_format(&out, "Usage: %s\n%s\n", table->usage, table->about);
    const argument_row *row;
    for (size_t i = 0; (row = row_at(table, i)); i++)
        help_add_option(&out, row->key, row->name, row->argument, row->help);
    text_add_format(&out, "\n%s\nAll details: man %s\n", table->end, table->program);
    return answer(&out);
}

static arguments_status version(const argument_table *table)
{
    text_buffer out = {0};
    text_add_format(&out, "%s " SIGREP_VERSION "\n", table->program);
    return answer(&out);
}

arguments_status arguments_bad(const argument_table *table, const char *format, ...)
{
    char words[512], hint[64];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    report("%s", words);
    const int n = snprintf(hint, sizeof hint, "Try '%s --help'.\n", table->program);
    (void)fd_write_all(STDERR_FILENO, hint, (size_t)n); /* nobody is left to tell */
    return ARGUMENTS_BAD;
}

static arguments_status take(const argument_table *table, void *user, int key)
{
    const argument_row *row;
    for (size_t i = 0; (row = row_at(table, i))->key != key;) i++;
    const char *reason =
        row->set ? row->set(user, optarg) : shared_options_set(user, row->name, optarg);
    if (!reason) return ARGUMENTS_OK;
    return arguments_bad(table, "--%s '%.300s': %s", row->name, optarg ? optarg : "", reason);
}

arguments_status arguments_parse(const argument_table *table, void *user, int argc, char **argv,
                                 int *operands)
{
    getopt_table known;
    const argument_row *row;
    char words[512];
    int key;
    report_as(table->program);
    getopt_begin(&known);
    for (size_t i = 0; (row = row_at(table, i)); i++)
        getopt_add(&known, row->key, row->name, row->argument);
    while ((key = getopt_next(&known, argc, argv, words, sizeof words)) != GETOPT_END) {
        if (key == KEY_HELP) return help(table);
        if (key == KEY_VERSION) return version(table);
        if (key == GETOPT_BAD) return arguments_bad(table, "%s", words);
        const arguments_status status = take(table, user, key);
        if (status) return status;
    }
    *operands = optind;
    return ARGUMENTS_OK;
}
