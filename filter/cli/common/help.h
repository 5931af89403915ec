/* help.h - how --help shows an option. */
#ifndef FILTER_CLI_COMMON_HELP_H
#define FILTER_CLI_COMMON_HELP_H

#include "filter/cli/common/arguments.h"
#include "io/text_buffer.h"

/*
 * Append a heading after a blank line, or the lines of an option:
 *
 *     "  -t, --threshold X          report matches with score <= X"
 *     "                             (mean cost per template sample)"
 *
 * The first line of its help stands beside the names, unless they are too long.
 */
void help_add_row(text_buffer *out, const argument_row *row);

#endif
