#include "filter/cli/common/help.h"

#include <stdio.h>
#include <string.h>

enum { HELP_COLUMN = 29 };

void help_add_option(text_buffer *out, int key, const char *name, const char *argument,
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
