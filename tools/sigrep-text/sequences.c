#define _GNU_SOURCE /* tdestroy */

#include "tools/sigrep-text/sequences.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "io/fdio.h"
#include "io/writers/sam_out.h"

enum { MEMORY = 1 << 20, PIECE = 1 << 16 /* bytes */ };

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

const char *sequences_hold(sequences *s, const text_buffer *lines)
{
    if (!s->held) s->held = spool_create(MEMORY);
    if (!s->held || lines->failed) return "out of memory";
    return spool_append(s->held, lines->data, lines->length) ? spool_error(s->held) : NULL;
}

const char *sequences_add(sequences *s, const char *name, uint64_t letters)
{
    text_buffer own = {0};
    sam_add_name(&own, name);
    text_add(&own, "", 1);
    void *node = own.failed ? NULL : tsearch(own.data, &s->names, by_name);
    const bool is_new = node && *(char **)node == own.data;
    if (!is_new) free(own.data);
    if (!node) return "out of memory";
    if (!is_new) return "comes twice; SAM names each sequence once: use another -o";
    sam_add_sequence(&s->lines, name, letters);
    return s->lines.failed ? "out of memory" : NULL;
}

int sequences_end(sequences *s, const text_buffer *head, int fd)
{
    char piece[PIECE];
    const uint64_t size = s->held ? spool_size(s->held) : 0;
    int failure = head->failed ? ENOMEM : fd_write_all(fd, head->data, head->length);
    if (!failure) failure = fd_write_all(fd, s->lines.data, s->lines.length);
    for (uint64_t at = 0; at < size && !failure; at += PIECE) {
        const size_t n = size - at < PIECE ? (size_t)(size - at) : PIECE;
        failure = spool_read(s->held, at, piece, n) ? EIO : fd_write_all(fd, piece, n);
    }
    return failure;
}

void sequences_free(sequences *s)
{
    tdestroy(s->names, free);
    spool_destroy(s->held);
    free(s->lines.data);
    *s = (sequences){0};
}
