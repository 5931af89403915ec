/*
 * whole.h - two inputs as wholes: the edit distance of two strings, or the cost of warping one
 * signal onto the other, and the alignment.
 */
#ifndef TOOLS_SIGREP_TEXT_WHOLE_H
#define TOOLS_SIGREP_TEXT_WHOLE_H

#include "tools/sigrep-text/options.h"

/* Compare the two inputs of o, and print a line. Returns the exit status. */
int run_whole(const text_options *o);

#endif
