/*
 * page_templates.h - templates as pictures beside warping paths.
 *
 *     of a file    audio: its spectrogram; numbers: its values
 *     of a bundle  its frames
 *
 * Each is n x rows bytes: a few rows are curves, many rows are an image.
 */
#ifndef TOOLS_SIGREP_PLOT_PAGE_TEMPLATES_H
#define TOOLS_SIGREP_PLOT_PAGE_TEMPLATES_H

#include "io/text_buffer.h"
#include "tools/common/templates/template_set.h"
#include "tools/sigrep-plot/blob.h"

/* Add `"templates":[...]` with all labels and names, and the pictures of those that are needed, as
 * long as they fit into `most` bytes. false without memory. */
bool page_templates_add(text_buffer *json, blob *bytes, const template_set *set,
                        const bool *is_needed, double most);

/* A template as a picture. n 0: there is none. */
typedef struct {
    size_t n, rows;
    bool is_image;
    unsigned char *levels; /* n x rows: 1 to 255, 0: none; the caller frees them */
} template_picture;

/* false without memory. */
bool template_picture_make(template_picture *p, const loaded_template *t, size_t channels);

#endif
