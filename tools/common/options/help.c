#include "tools/common/options/help.h"

#include <stdio.h>
#include <string.h>

enum { HELP_COLUMN = 29 };

void help_add_row(text_buffer *out, const argument_row *row)
{
    if (!row->name) {
        text_add_format(out, "\n%s\n", row->help);
        return;
    }
    char left[80];
    int n = row->key > 255 ? snprintf(left, sizeof left, "      --%s", row->name)
                           : snprintf(left, sizeof left, "  -%c, --%s", row->key, row->name);
    if (row->argument) n += snprintf(left + n, sizeof left - (size_t)n, " %s", row->argument);
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
