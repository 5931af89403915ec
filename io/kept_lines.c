#include "io/kept_lines.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TAKEN = 1 << 16 }; /* bytes, before they are removed */

void kept_lines_free(kept_lines *k)
{
    free(k->text.data);
    free(k->header.data);
    *k = (kept_lines){0};
}

void kept_lines_add(kept_lines *k, const char *line, size_t n)
{
    k->last = k->text.length;
    text_add(&k->text, line, n);
    text_add(&k->text, "\n", 1);
}

void kept_lines_drop_last(kept_lines *k)
{
    k->text.length = k->last;
}

void kept_lines_make_header(kept_lines *k)
{
    k->header.length = 0;
    if (!k->text.failed) text_add(&k->header, k->text.data + k->last, k->text.length - k->last);
    kept_lines_drop_last(k);
}

/* Remove what was taken, once it is much. */
static void remove_taken(kept_lines *k)
{
    if (k->taken < MOST_TAKEN && k->taken < k->text.length) return;
    k->text.length -= k->taken;
    memmove(k->text.data, k->text.data + k->taken, k->text.length);
    k->taken = k->last = 0;
}

bool kept_lines_take(kept_lines *k, size_t n, text_buffer *to)
{
    if (k->text.failed || k->header.failed) return false;
    size_t end = k->taken;
    for (; n > 0 && end < k->text.length; n--) {
        const char *begin = k->text.data + end;
        const char *newline = memchr(begin, '\n', k->text.length - end);
        end += (size_t)(newline - begin) + 1;
    }
    if (end == k->taken) return true;
    text_add(to, k->text.data + k->taken, end - k->taken);
    k->taken = end;
    remove_taken(k);
    return !to->failed;
}

bool kept_lines_pass(kept_lines *from, kept_lines *to)
{
    to->last = to->text.length;
    if (to->header.length == 0) text_add(&to->header, from->header.data, from->header.length);
    return kept_lines_take(from, 1, &to->text);
}
