/* swept_chunk.h - a chunk that the kernel has swept, as searches see it. */
#ifndef FILTER_SEARCH_SWEPT_CHUNK_H
#define FILTER_SEARCH_SWEPT_CHUNK_H

#include <stddef.h>
#include <stdint.h>

#include "sigrep.h"

typedef struct stopping stopping; /* filter/search/stopping.h */
typedef struct window window;     /* filter/search/window.h */

typedef struct swept_chunk {
    const window *frames; /* the chunk, and the frames before it that a search may need */
    sigrep_status (*checkpoint)(void *source, size_t index, uint64_t position, float *d);
    void *source;         /* checkpoint: kernel_ops.checkpoint of a kernel, or a stand-in for it */
    uint64_t from, to;    /* frames of the chunk, [from, to) */
    const uint64_t *gaps; /* gap frames among them, ascending */
    size_t n_gaps;
    const float *minima;  /* of each block that the chunk touches */
    const stopping *stop; /* NULL: nobody is asked */
} swept_chunk;

#endif
