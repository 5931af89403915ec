#include "io/writers/writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "io/fdio.h"

/* The format of this name among `n`. */
static const writer_ops *find(const writer_ops *const *all, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(all[i]->name, name) == 0) return all[i];
    return NULL;
}

const writer_ops *writer_find(const char *name)
{
    static const writer_ops *const all[] = {&writer_text, &writer_json, &writer_csv, &writer_labels,
                                            &writer_raven};
    return find(all, sizeof all / sizeof *all, name);
}

const writer_ops *writer_find_sequence(const char *name)
{
    static const writer_ops *const all[] = {&writer_text, &writer_json, &writer_csv,
                                            &writer_bed,  &writer_gff,  &writer_sam};
    return find(all, sizeof all / sizeof *all, name);
}

bool writer_init(writer *w, const writer_ops *ops, writer_style style, int fd)
{
    *w = (writer){.ops = ops, .style = style, .fd = fd};
    return text_reserve(&w->out, WRITER_ROOM);
}

void writer_free(writer *w)
{
    free(w->out.data);
    w->out = (text_buffer){0};
}

void writer_begin(writer *w)
{
    if (w->ops->header) w->ops->header(&w->out, &w->style);
}

bool writer_add(writer *w, const writer_match *match)
{
    const size_t before = w->out.length;
    w->ops->match(&w->out, &w->style, match);
    if (!w->out.failed) return true;
    w->out.length = before;
    w->out.failed = false;
    return false;
}

void writer_end(writer *w)
{
    if (w->ops->end) w->ops->end(&w->out);
}

int writer_flush(writer *w)
{
    if (w->out.failed) return ENOMEM;
    if (w->out.length == 0) return 0;
    size_t n = w->out.length;
    w->out.length = 0;
    return fd_write_all(w->fd, w->out.data, n);
}
