/* page_json.h - what a page says in JSON; page.js reads it. */
#ifndef TOOLS_SIGREP_PLOT_PAGE_JSON_H
#define TOOLS_SIGREP_PLOT_PAGE_JSON_H

#include "io/time_format.h"
#include "tools/sigrep-plot/reduce.h"

/* Add the title, and the front end of all inputs. */
void page_json_add_title(text_buffer *out, const char *title, const template_set *set);

/* Add an input as an object. */
void page_json_add_input(text_buffer *out, const reduction *d);

/* Add a number; null if it is not finite. */
void page_json_add_number(text_buffer *out, double value);

/* When a match starts and ends, as sigrep prints it. */
typedef struct {
    char start[TIME_TEXT_SIZE], end[TIME_TEXT_SIZE];
} match_times;

match_times page_match_times(const recording *r, const plot_match *m);

#endif
