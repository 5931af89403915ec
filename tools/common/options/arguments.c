#include "tools/common/options/arguments.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sigrep.h"
#include "tools/common/messages/messages.h"
#include "tools/common/options/getopt.h"
#include "tools/common/options/help.h"
#include "tools/common/options/shared_options.h"

enum { KEY_HELP = 1000, KEY_VERSION };

static const argument_row general[] = {
    ARGUMENT(KEY_HELP, "help", NULL, NULL, "this text"),
    ARGUMENT(KEY_VERSION, "version", NULL, NULL, "the version"),
};

/* NULL after the last. */
static const argument_row *row_at(const argument_table *table, size_t i)
{
    if (i < table->n_rows) return &table->rows[i];
    return i < table->n_rows + 2 ? &general[i - table->n_rows] : NULL;
}

arguments_status arguments_bad(char *error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(error, ARGUMENTS_ERROR_SIZE, format, args);
    va_end(args);
    return ARGUMENTS_BAD;
}

static arguments_status set(const argument_table *table, void *user, int key, char *error)
{
    const argument_row *row;
    for (size_t i = 0; (row = row_at(table, i))->key != key;) i++;
    const char *reason = NULL;
    if (row->set)
        reason = row->set(user, optarg);
    else if (row->argument)
        reason = shared_options_set(user, row->name, optarg);
    else
        *(bool *)((char *)user + row->flag) = true;
    if (!reason) return ARGUMENTS_OK;
    return arguments_bad(error, "--%s '%.300s': %s", row->name, optarg ? optarg : "", reason);
}

arguments_status arguments_parse(const argument_table *table, void *user, int argc, char **argv,
                                 char error[ARGUMENTS_ERROR_SIZE])
{
    getopt_table known;
    const argument_row *row;
    int key;
    error[0] = '\0';
    report_as(table->program);
    getopt_begin(&known);
    for (size_t i = 0; (row = row_at(table, i)); i++)
        if (row->name) getopt_add(&known, row->key, row->name, row->argument);
    while ((key = getopt_next(&known, argc, argv, error, ARGUMENTS_ERROR_SIZE)) != GETOPT_END) {
        if (key == KEY_HELP) return ARGUMENTS_HELP;
        if (key == KEY_VERSION) return ARGUMENTS_VERSION;
        if (key == GETOPT_BAD || set(table, user, key, error)) return ARGUMENTS_BAD;
    }
    return table->take_operands(user, argc - optind, argv + optind, error);
}

static void add_help(text_buffer *out, const argument_table *table)
{
    const argument_row *row;
    text_add_format(out, "Usage: %s\n%s", table->usage, table->about);
    for (size_t i = 0; (row = row_at(table, i)); i++) help_add_row(out, row);
    text_add_format(out, "\n%s", table->end);
}

int arguments_answer(const argument_table *table, arguments_status status, const char *error)
{
    text_buffer out = {0};
    if (status == ARGUMENTS_HELP || status == ARGUMENTS_VERSION) {
        if (status == ARGUMENTS_HELP)
            add_help(&out, table);
        else
            text_add_format(&out, "%s " SIGREP_VERSION "\n", table->program);
        return print_text(&out) ? 0 : EXIT_ERROR;
    }
    report_usage(table->usage, status == ARGUMENTS_NONE ? NULL : error);
    return EXIT_ERROR;
}
