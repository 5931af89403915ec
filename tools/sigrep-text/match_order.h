/* match_order.h - matches of several patterns, sorted by when they became final. */
#ifndef TOOLS_SIGREP_TEXT_MATCH_ORDER_H
#define TOOLS_SIGREP_TEXT_MATCH_ORDER_H

#include "tools/sigrep-text/search.h"

typedef struct {
    text_match match;
    size_t pattern; /* its number */
} ordered_match;

/* {0} is empty. */
typedef struct {
    ordered_match *items;
    size_t n, room;
    bool failed; /* out of memory: a match is missing */
} match_order;

/* false: out of memory. */
bool match_order_add(match_order *list, const text_match *match, size_t pattern);

/* By final, then end, then pattern. */
void match_order_sort(match_order *list);

/* Empty the list; its memory stays for more. free(list->items) frees it. */
void match_order_clear(match_order *list);

#endif
