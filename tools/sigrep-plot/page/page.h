/*
 * page.h - reductions as one HTML file, which loads nothing from anywhere.
 *
 *     page.html, page.css, *.js, D3: in the program ----------------+
 *     JSON of templates and inputs ---------------------------------+--> text
 *     bytes of templates, of each input --> deflated --> base64 ----+
 *
 * The browser inflates the bytes by DecompressionStream("deflate").
 */
#ifndef TOOLS_SIGREP_PLOT_PAGE_PAGE_H
#define TOOLS_SIGREP_PLOT_PAGE_PAGE_H

#include "io/text_buffer.h"

typedef struct recording recording;       /* recording.h */
typedef struct template_set template_set; /* tools/common/templates/template_set.h */

typedef struct {
    const template_set *set; /* borrowed */
    const char *title;       /* likewise */
    size_t n_inputs;
    double left;             /* bytes */
    text_buffer json, blobs; /* of the inputs so far */
    size_t n_added;
    bool *is_needed; /* templates with a path in the page */
} page;

/* Begin a page of at most so many bytes. false after a failure, which is reported; the caller frees
 * it in any case. */
bool page_begin(page *p, const template_set *set, const char *title, size_t n_inputs,
                double most_bytes);

/* Add the next input. NULL: it could not be read. Likewise. */
bool page_add(page *p, const recording *r);

/* Write the whole page into *text. Likewise. */
bool page_end(page *p, text_buffer *text);
void page_free(page *p);

/* The least size of a page in bytes. */
double page_least(void);

#endif
