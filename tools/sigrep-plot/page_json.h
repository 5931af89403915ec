/* page_json.h - what a page says in JSON; page.js reads it. */
#ifndef TOOLS_SIGREP_PLOT_PAGE_JSON_H
#define TOOLS_SIGREP_PLOT_PAGE_JSON_H

#include "io/text_buffer.h"

typedef struct reduction reduction;       /* reduce.h */
typedef struct template_set template_set; /* tools/common/templates/template_set.h */

/* Add the title, and the front end of all inputs. */
void page_json_add_title(text_buffer *out, const char *title, const template_set *set);

/* Add an input as an object. */
void page_json_add_input(text_buffer *out, const reduction *d);

/* Add a number; null if it is not finite. */
void page_json_add_number(text_buffer *out, double value);

#endif
