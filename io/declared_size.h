/*
 * declared_size.h - the length that a file's header declares, to find files that were cut short.
 *
 * libsndfile hides this: it reduces the frame count to what the file holds, and fills truncated
 * compressed blocks with zeros. So we read the headers ourselves:
 *
 *     |--------|==========================...........|
 *     header   data_begin                ^           ^ end of the declared size
 *                                        the file ends here: it was cut short
 *
 * WAV, RF64, W64, AIFF, AU and CAF declare the size of their data. Ogg marks its last page.
 * Other formats, and the placeholder sizes of writers to pipes, are never reported as cut.
 */
#ifndef IO_DECLARED_SIZE_H
#define IO_DECLARED_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/detect.h"
#include "io/input.h"

enum { DECLARED_SIZE_HEADER = 27 + 255 }; /* bytes of the longest header read: an Ogg page's */

/* A parser that walks from header to header. All positions and sizes are in bytes. */
typedef struct {
    detect_kind kind;
    bool done;          /* nothing more to learn */
    bool little_endian; /* byte order of sizes */
    bool has_begun;     /* the file's first header was read */
    bool last_page;     /* Ogg: the latest page is marked as the last */
    uint64_t position;  /* bytes read or skipped so far */
    uint64_t skip;      /* bytes to skip before the next header */
    size_t want, have;  /* size of the next header; bytes of it in `header` */
    unsigned char header[DECLARED_SIZE_HEADER];
    uint64_t long_size;  /* RF64: data size from the ds64 chunk */
    uint64_t data_begin; /* position of the first sample */
    uint64_t data_size;  /* 0: unknown */
} declared_size;

void declared_size_init(declared_size *d, detect_kind kind);

/* Parse the next n bytes of a stream, from its first byte on. */
void declared_size_feed(declared_size *d, const unsigned char *bytes, size_t n);

/* Parse all headers of a regular file. Moves the descriptor: call input_resume afterwards. */
void declared_size_scan(declared_size *d, input *in);

/* Does an input of `total` bytes hold all that its header declares? If not, reason[size]
 * receives how much is missing. */
bool declared_size_met(const declared_size *d, uint64_t total, char *reason, size_t size);

#endif
