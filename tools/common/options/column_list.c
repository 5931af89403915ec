#include "tools/common/options/column_list.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/options/number.h"

enum { MOST = 4096 /* columns of a list */ };

/* Parse an item of digits and dashes, "4" or "4-6". The item is changed. */
static bool parse_range(char *item, uint64_t *first, uint64_t *last)
{
    char *dash = strchr(item, '-');
    if (dash) *dash = '\0';
    if (!number_whole(item, 1, COLUMN_MOST, first)) return false;
    *last = *first;
    return !dash || number_whole(dash + 1, *first, COLUMN_MOST, last);
}

static const char *add_item(column_list *l, char *item)
{
    uint64_t first = 0, last = 0;
    const bool is_name = item[strspn(item, "0123456789-")] != '\0';
    if (!is_name && !parse_range(item, &first, &last))
        return "not a list such as 2,4-6 (from 1) or x,y";
    if (last - first >= MOST - l->n) return "more than 4096 columns";
    for (; first <= last; first++) {
        l->names[l->n] = is_name ? item : NULL;
        l->numbers[l->n++] = (size_t)first;
    }
    return NULL;
}

const char *column_list_parse(column_list *l, const char *text)
{
    column_list_free(l);
    l->numbers = malloc(MOST * sizeof *l->numbers);
    l->names = malloc(MOST * sizeof *l->names);
    l->text = strdup(text);
    const char *reason = l->numbers && l->names && l->text ? NULL : "out of memory";
    for (char *item = l->text; item && !reason;) {
        char *comma = strchr(item, ',');
        if (comma) *comma = '\0';
        reason = add_item(l, item);
        item = comma ? comma + 1 : NULL;
    }
    if (reason) column_list_free(l);
    return reason;
}

void column_list_free(column_list *l)
{
    free(l->numbers);
    free(l->names);
    free(l->text);
    *l = (column_list){0};
}
