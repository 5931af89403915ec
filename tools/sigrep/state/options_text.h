/* options_text.h - the options that decide what is printed, as text: another run goes on only with
 * the same ones. The library knows by itself what decides which matches there are. */
#ifndef TOOLS_SIGREP_STATE_OPTIONS_TEXT_H
#define TOOLS_SIGREP_STATE_OPTIONS_TEXT_H

#include <stdbool.h>

#include "io/text_buffer.h"
#include "tools/sigrep/options/options.h"

/* A line each: the option, and its value. with_names: lines begin with the input's name. */
void options_text(text_buffer *out, const options *o, bool with_names);

/* The first line of `before` that is not in `now`, without its end, in line[size]. false: the texts
 * are equal. */
bool options_text_differ(const char *before, size_t n_before, const text_buffer *now, char *line,
                         size_t size);

#endif
