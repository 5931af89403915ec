#include "io/tables/text_header.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool text_header_is(const row *r)
{
    bool has_word = false;
    for (size_t i = 0; i < r->n; i++) {
        if (r->fields[i].number) return false;
        has_word |= !r->fields[i].missing;
    }
    return has_word && !r->time_ok;
}

static bool is_name(const field *f, const char *name, size_t length)
{
    return f->length == length && memcmp(f->text, name, length) == 0;
}

/* The first column after `from` that has the name. 0: none. */
static size_t find_after(const row *header, size_t from, const char *name, size_t length)
{
    for (size_t i = from; i < header->n; i++)
        if (is_name(&header->fields[i], name, length)) return i + 1;
    return 0;
}

bool text_header_has_comment(const row *r)
{
    return r->separator == '\t' && r->n > 1 && is_name(&r->fields[r->n - 1], "Comment", 7);
}

static bool differ(const row *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (find_after(r, i + 1, r->fields[i].text, r->fields[i].length)) return false;
    return true;
}

bool text_header_keep(text_header *h, const row *r, const char *line, size_t length)
{
    char *copy = strndup(line, length);
    if (!copy) return false;
    free(h->line);
    *h = (text_header){.line = copy, .length = length, .n = r->n};
    h->comment = r->comment ? r->comment : '#';
    h->has_comment = text_header_has_comment(r);
    h->may_repeat = r->n > 1 && text_header_is(r) && differ(r);
    return true;
}

void text_header_free(text_header *h)
{
    free(h->line);
    *h = (text_header){0};
}

bool text_header_repeats(const text_header *h, const char *line, size_t length)
{
    static const char mark[] = "\xef\xbb\xbf"; /* of the order of bytes, in a joined file */
    const char *end = line + length;
    if (!h->may_repeat) return false;
    if (strncmp(line, mark, strlen(mark)) == 0) line += strlen(mark);
    if ((size_t)(end - line) < h->length || memcmp(line, h->line, h->length) != 0) return false;
    line += h->length;
    line += strspn(line, " \t\r");
    return line == end || *line == h->comment;
}

size_t text_header_find(const row *header, const char *name)
{
    return find_after(header, 0, name, strlen(name));
}

void text_header_list(const row *header, char *out, size_t size)
{
    enum { NAME = 32 /* bytes of a name that is shown */ };
    size_t n = 0;
    out[0] = '\0';
    for (size_t i = 0; i < header->n; i++) {
        const field *f = &header->fields[i];
        const char *comma = i > 0 ? ", " : "";
        if (n + NAME + strlen(", \"\", ...") >= size) {
            snprintf(out + n, size - n, "%s...", comma);
            return;
        }
        const int shown = f->length < NAME ? (int)f->length : NAME;
        const char *quote = memchr(f->text, ',', f->length) ? "\"" : ""; /* for --columns */
        n += (size_t)snprintf(out + n, size - n, "%s%s%.*s%s", comma, quote, shown, f->text, quote);
    }
}

const char *text_header_option(const source_options *o, const char *name)
{
    if (name == o->time_name || name == o->clock_name) return "--time-column";
    return name == o->group_name ? "--group-by" : "--columns";
}

bool text_header_choose(source *src, const row *header, uint64_t line, const char *name,
                        size_t *column)
{
    char names[SOURCE_REASON / 2];
    const source_options *o = &src->options;
    const char *option = text_header_option(o, name);
    const bool is_key = strcmp(option, "--columns") != 0;
    *column = header ? text_header_find(header, name) : 0;
    const size_t again = *column ? find_after(header, *column, name, strlen(name)) : 0;
    if (again)
        return source_fail(src, "%s: columns %zu and %zu are both named '%.64s': choose by number",
                           option, *column, again, name);
    if (*column || (src->options.is_template && (is_key || !header))) return true;
    if (!header)
        return source_fail(src, "line %llu: no header row, so no column '%.64s' of %s",
                           (unsigned long long)line, name, option);
    text_header_list(header, names, sizeof names);
    return source_fail(src, "%s: no column '%.64s'; there are %s", option, name, names);
}
