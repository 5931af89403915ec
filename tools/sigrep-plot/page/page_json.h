/*
 * page_json.h - what a page says in JSON, and the pictures of its templates; page.js reads both.
 *
 *     template of a file    audio: its spectrogram; numbers: its values
 *     template of a bundle  its frames
 *
 * A picture is n x rows bytes: a few rows are curves, many rows are an image.
 */
#ifndef TOOLS_SIGREP_PLOT_PAGE_PAGE_JSON_H
#define TOOLS_SIGREP_PLOT_PAGE_PAGE_JSON_H

#include "io/text_buffer.h"
#include "tools/common/templates/template_set.h"
#include "tools/sigrep-plot/page/reduce.h"

/* Add the beginning, up to the inputs, and the pictures of templates that are needed, as long as
 * they fit into `most` bytes. false without memory. */
bool page_json_begin(text_buffer *out, text_buffer *pictures, const char *title,
                     const template_set *set, const bool *is_needed, double most);

/* Add an input as an object. */
void page_json_add_input(text_buffer *out, const reduction *d);

#endif
