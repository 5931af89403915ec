/* help.h - how --help shows an option. */
#ifndef TOOLS_COMMON_OPTIONS_HELP_H
#define TOOLS_COMMON_OPTIONS_HELP_H

#include "io/text_buffer.h"
#include "tools/common/options/arguments.h"

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
