/*
 * unpack.h - gzip and zstd, unpacked while they come. input.h has it below its buffer:
 *
 *     descriptor --packed bytes--> unpack --bytes--> input --> detect, back ends
 *
 * Several members or frames may follow each other: their bytes are joined. All bytes before a fault
 * are given first.
 */
#ifndef IO_UNPACK_H
#define IO_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef enum { UNPACK_WAITING, UNPACK_NONE, UNPACK_GZIP, UNPACK_ZSTD } unpack_kind;

enum {
    UNPACK_FAULT = -5,      /* beside the results of fdio.h */
    UNPACK_BUFFER = 1 << 17 /* bytes */
};

/* Judge the first n bytes of an input, whose `end` may have come. A gzip header is looked at to its
 * tenth byte, so samples look like one only by a rare chance. */
unpack_kind unpack_detect(const unsigned char *bytes, size_t n, bool end);

/* "gzip", "zstd" */
const char *unpack_name(unpack_kind kind);

typedef struct unpack unpack;

/* Unpack what begins with these n bytes, and goes on in `fd`. n is UNPACK_BUFFER at most. `fd` and
 * `wake_fd` are borrowed: fdio.h. NULL: out of memory. */
unpack *unpack_create(unpack_kind kind, const unsigned char *bytes, size_t n, int fd, int wake_fd);
void unpack_destroy(unpack *u); /* NULL is allowed */

/* As fd_read_within, but of unpacked bytes. UNPACK_FAULT: see unpack_fault. */
ssize_t unpack_read(unpack *u, void *bytes, size_t size, int ms);

/* May the next unpack_read give bytes without reading from the descriptor? */
bool unpack_holds_more(const unpack *u);

/* Why unpacking failed, in words. */
const char *unpack_fault(const unpack *u);

unpack_kind unpack_kind_of(const unpack *u);

#endif
