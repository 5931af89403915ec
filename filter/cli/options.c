#include "filter/cli/options.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/cli/common/getopt.h"
#include "filter/cli/option_table.h"
#include "io/mic.h"

options options_defaults(void)
{
    return (options){.shared = shared_options_defaults(),
                     .max_count = UINT64_MAX,
                     .output = &writer_text,
                     .device = "auto"};
}

void options_free(options *o)
{
    shared_options_free(&o->shared);
    free(o->columns);
    *o = (options){0};
}

static options_status bad(char *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static options_status bad(char *error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(error, OPTIONS_ERROR_SIZE, format, args);
    va_end(args);
    return OPTIONS_BAD;
}

static const option_row *find_row(int key)
{
    for (size_t i = 0; i < option_rows_count; i++) {
        if (option_rows[i].key == key && key != 0) return &option_rows[i];
    }
    return NULL;
}

static options_status set_option(options *o, const option_row *row, const char *argument,
                                 char *error)
{
    if (!row->set && !row->is_shared) {
        *(bool *)((char *)o + row->flag) = true;
        return OPTIONS_OK;
    }
    const char *reason = row->is_shared ? shared_options_set(&o->shared, row->name, argument)
                                        : row->set(o, argument);
    if (!reason) return OPTIONS_OK;
    return bad(error, "--%s '%.300s': %s", row->name, argument ? argument : "", reason);
}

/* All options; optind is then at the first operand. */
static options_status parse_options(options *o, int argc, char **argv, char *error)
{
    getopt_table table;
    getopt_begin(&table);
    for (const option_row *row = option_rows; row < option_rows + option_rows_count; row++)
        if (row->key) getopt_add(&table, row->key, row->name, row->argument);
    while (!o->help && !o->version) {
        const int key = getopt_next(&table, argc, argv, error, OPTIONS_ERROR_SIZE);
        if (key == GETOPT_END) break;
        if (key == GETOPT_BAD) return OPTIONS_BAD;
        const options_status status = set_option(o, find_row(key), optarg, error);
        if (status) return status;
    }
    return OPTIONS_OK;
}

/* Operands: a template, unless there was -e, and inputs. */
static options_status take_operands(options *o, int n, char **operands, char *error)
{
    if (o->shared.n_templates == 0) {
        if (n == 0) return OPTIONS_NONE;
        const char *reason = shared_options_set(&o->shared, "template", operands[0]);
        if (reason) return bad(error, "template '%.300s': %s", operands[0], reason);
        operands++;
        n--;
    }
    o->shared.n_inputs = n > 0 ? (size_t)n : 1;
    o->shared.inputs = malloc(o->shared.n_inputs * sizeof *o->shared.inputs);
    if (!o->shared.inputs) return bad(error, "out of memory");
    o->shared.inputs[0] = "-";
    for (int i = 0; i < n; i++) o->shared.inputs[i] = operands[i];
    return OPTIONS_OK;
}

static options_status check_together(const options *o, char *error)
{
    if ((o->shared.has_threshold || o->shared.auto_threshold) && o->best)
        return bad(error, "--threshold and --best exclude each other");
    if (o->best && o->shared.min_matches > 1)
        return bad(error, "--min-matches needs a threshold, so not --best");
    size_t template_reads = 0, input_reads = 0; /* of standard input, which can be read but once */
    for (size_t i = 0; i < o->shared.n_templates; i++)
        template_reads += strcmp(o->shared.templates[i].path, "-") == 0;
    for (size_t i = 0; i < o->shared.n_inputs; i++) {
        input_reads += strcmp(o->shared.inputs[i], "-") == 0;
        if (o->best && o->shared.duration_s == 0 && mic_is_named(o->shared.inputs[i]))
            return bad(error, "--best waits for the end of '%s': give --duration SECONDS",
                       o->shared.inputs[i]);
    }
    if (template_reads && input_reads)
        return bad(error, "standard input cannot be a template and an input");
    if (template_reads + input_reads > 1)
        return bad(error, "standard input can be named only once");
    return OPTIONS_OK;
}

options_status options_parse(options *o, int argc, char **argv, char error[OPTIONS_ERROR_SIZE])
{
    *o = options_defaults();
    error[0] = '\0';
    if (argc < 2) return OPTIONS_NONE;
    options_status status = parse_options(o, argc, argv, error);
    if (status || o->help || o->version || o->list_devices) return status;
    status = take_operands(o, argc - optind, argv + optind, error);
    if (!status) status = check_together(o, error);
    o->own_thresholds = !o->shared.has_threshold && !o->shared.auto_threshold && !o->best;
    o->shared.auto_threshold |= o->own_thresholds;
    return status;
}
