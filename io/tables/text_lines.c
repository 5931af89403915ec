#include "io/tables/text_lines.h"

#include <stdlib.h>
#include <string.h>

#include "io/tables/row.h"

/* Discard the rest of a line that is too long. LINE_WHOLE: its end is reached. */
static line_kind discard(source *src, text_lines *l, bool wait)
{
    input *in = &src->in;
    while (l->discarding) {
        const unsigned char *b = input_bytes(in), *newline = memchr(b, '\n', input_have(in));
        l->discarding = !newline;
        input_consume(in, newline ? (size_t)(newline - b) + 1 : input_have(in));
        if (newline) break;
        if (!wait) return LINE_INCOMPLETE;
        if (!input_more(in)) return LINE_END;
    }
    return LINE_WHOLE;
}

/* Make room for a line of n bytes. */
static bool make_room(source *src, text_lines *l, size_t n)
{
    size_t room = l->room ? l->room : 256;
    if (l->room > n) return true;
    while (room <= n) room *= 2;
    char *line = realloc(l->line, room);
    if (!line) return source_fail(src, "out of memory");
    l->line = line;
    l->room = room;
    return true;
}

/* Copy a line of n buffered bytes. */
static line_kind copy_line(source *src, text_lines *l, size_t n)
{
    input *in = &src->in;
    const unsigned char *b = input_bytes(in);
    bool newline = n < input_have(in);
    l->scanned = 0;
    l->number++;
    if (n > ROW_LINE) {
        l->discarding = true;
        l->has_cr = memchr(b, '\r', n - 1);
        return LINE_LONG;
    }
    size_t mark = l->number == 1 && n >= 3 && memcmp(b, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    if (!make_room(src, l, n)) return LINE_END;
    l->length = n - mark;
    memcpy(l->line, b + mark, l->length);
    l->line[l->length] = '\0';
    input_consume(in, n + newline);
    return LINE_WHOLE;
}

/* Take the next of the lines that are supplied. */
static line_kind take_supplied(source *src, text_lines *l, bool wait)
{
    const line_supply *lines = src->options.lines;
    const char *line;
    size_t length;
    uint64_t number;
    if (lines->next(lines->user, &line, &length, &number, wait))
        return text_lines_put(src, l, line, length, number) ? LINE_WHOLE : LINE_END;
    if (!wait) return LINE_INCOMPLETE;
    src->in.failure = lines->failure;
    source_truly_ended(src);
    return LINE_END;
}

static line_kind read_line(source *src, text_lines *l, bool wait)
{
    input *in = &src->in;
    line_kind start = discard(src, l, wait);
    if (start != LINE_WHOLE) return start;
    for (;;) {
        const unsigned char *b = input_bytes(in);
        size_t have = input_have(in);
        const unsigned char *newline = memchr(b + l->scanned, '\n', have - l->scanned);
        if (newline || have > ROW_LINE)
            return copy_line(src, l, newline ? (size_t)(newline - b) : have);
        l->scanned = have;
        if (!wait) return LINE_INCOMPLETE;
        if (input_more(in)) continue;
        if (!source_truly_ended(src) || have == 0) return LINE_END;
        src->is_cut = true;
        return copy_line(src, l, have);
    }
}

line_kind text_lines_next(source *src, text_lines *l, bool wait)
{
    if (src->options.lines) return take_supplied(src, l, wait);
    const line_kind kind = read_line(src, l, wait);
    if (src->keeps_head && kind == LINE_WHOLE) text_add(&src->head, l->line, l->length);
    if (src->keeps_head && kind != LINE_END) text_add(&src->head, "\n", 1);
    if (src->head.failed) source_fail(src, "out of memory");
    return src->head.failed ? LINE_END : kind;
}

bool text_lines_put(source *src, text_lines *l, const char *text, size_t length, uint64_t number)
{
    if (!make_room(src, l, length)) return false;
    memcpy(l->line, text, length);
    l->line[length] = '\0';
    l->length = length;
    l->number = src->number = number;
    return true;
}

void text_lines_free(text_lines *l)
{
    free(l->line);
    *l = (text_lines){0};
}
