/* help.h - how --help shows an option. */
#ifndef FILTER_CLI_COMMON_HELP_H
#define FILTER_CLI_COMMON_HELP_H

#include "io/text_buffer.h"

/*
 * Append the lines of one option:
 *
 *     "  -t, --threshold X          report matches with score <= X"
 *     "                             (mean cost per template sample)"
 *
 * key: the letter; above 255: none. argument: its name; NULL: the option takes none. help: lines
 * joined by \n; the first stands beside the names, unless they are too long.
 */
void help_add_option(text_buffer *out, int key, const char *name, const char *argument,
                     const char *help);

#endif
