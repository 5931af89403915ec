/*
 * text_group.c - tables whose rows belong to groups, as devices: each is read as if the others were
 * not there.
 */
#define _GNU_SOURCE /* memmem */

#include <string.h>

#include "io/tables/text_state.h"

bool text_may_have_group(const source *src, const text *t)
{
    const char *group = src->options.group;
    if (strchr(group, '"')) return true; /* it may be written as two */
    return memmem(t->lines.line, t->lines.length, group, strlen(group));
}

static bool is_group(const field *f, const char *group)
{
    return strlen(group) == f->length && memcmp(group, f->text, f->length) == 0;
}

/* The rows of a template are of one group, whichever. */
static row_kind see_template(source *src, text *t, const field *f)
{
    char shown[TEXT_FIELD_SHOWN];
    if (!t->group && !(t->group = strndup(f->text, f->length))) {
        source_fail(src, "out of memory");
        return ROW_END;
    }
    if (is_group(f, t->group)) return ROW_GOOD;
    source_fail(src, "line %llu: %s is another group, but a template has one: cut its rows out",
                (unsigned long long)t->lines.number, text_field_show(f, shown));
    return ROW_END;
}

row_kind text_see_group(source *src, text *t)
{
    const source_options *o = &src->options;
    const row *r = &t->row;
    if (!t->group_column) return ROW_GOOD;
    const field *f = t->group_column <= r->n ? &r->fields[t->group_column - 1] : NULL;
    if (f && f->length > 0 && o->is_template) return see_template(src, t, f);
    if (f && f->length > 0) return !o->group || is_group(f, o->group) ? ROW_GOOD : ROW_OTHER;
    if (o->group) return ROW_OTHER; /* who listed the groups has reported it */
    text_refuse(t, f ? "column %zu, the group, is empty" : "no column %zu, the group",
                t->group_column);
    return ROW_BAD;
}
