#include "filter/cli/option_table.h"
#include "sigrep.h"

#include <stdio.h>
#include <string.h>

enum { HELP_COLUMN = 29 };

void options_add_row(text_buffer *out, int key, const char *name, const char *argument,
                     const char *help)
{
    char left[80];
    int n = key > 255 ? snprintf(left, sizeof left, "      --%s", name)
                      : snprintf(left, sizeof left, "  -%c, --%s", key, name);
    if (argument) n += snprintf(left + n, sizeof left - (size_t)n, " %s", argument);
    if (n > HELP_COLUMN - 2) {
        text_add_format(out, "%s\n", left);
        left[0] = '\0';
    }
    const char *first = left;
    for (const char *line = help; *line;) {
        size_t length = strcspn(line, "\n");
        text_add_format(out, "%-*s%.*s\n", HELP_COLUMN, first, (int)length, line);
        line += length + (line[length] == '\n');
        first = "";
    }
}

void options_add_usage(text_buffer *out)
{
    text_add_string(out, "Usage: sigrep [OPTION]... TEMPLATE [INPUT]...\n");
}

void options_add_help(text_buffer *out)
{
    options_add_usage(out);
    text_add_string(
        out, "       sigrep [OPTION]... -e TEMPLATE [-e TEMPLATE]... [INPUT]...\n"
             "       sigrep --list-devices\n"
             "Find every place where a signal resembles a template, by time warping.\n\n"
             "TEMPLATE is [LABEL=]FILE[@START-END] (seconds), a bundle NAME.sigrep that\n"
             "sigrep-train wrote, or a directory of files.\n"
             "INPUT is a file, - for standard input (the default), or mic: or mic:NAME for a\n"
             "live microphone.\n");
    for (size_t i = 0; i < option_rows_count; i++) {
        const option_row *row = &option_rows[i];
        if (row->key)
            options_add_row(out, row->key, row->name, row->argument, row->help);
        else
            text_add_format(out, "\n%s\n", row->help);
    }
    text_add_string(out, "\nExit status: 0 a match, 1 none, 2 an error.\n"
                         "Examples and all details: man sigrep\n");
}

void options_add_version(text_buffer *out)
{
    text_add_string(out, "sigrep " SIGREP_VERSION "\n");
}
