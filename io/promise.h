/*
 * promise.h - how many bytes of samples a header promises, for the formats that libsndfile
 * reads: it cuts its frame counts down to what a file holds, so that a truncated file
 * looks whole, and fills truncated blocks of compressed samples with zeros.
 *
 * Known: AIFF, AU, W64, CAF, RF64 and WAV by the size of their data chunk, Ogg by its
 * pages, of which the last is marked. Not known, and never reported broken: sizes that
 * writers to pipes leave as placeholders, and all other formats.
 */
#ifndef IO_PROMISE_H
#define IO_PROMISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/detect.h"
#include "io/input.h"

enum { PROMISE_HEAD = 27 + 255 }; /* the longest header looked at: an Ogg page's */

typedef struct {
    detect_kind kind;
    bool settled;       /* there is nothing more to learn */
    bool little_endian; /* sizes */
    bool began;         /* the header of the file is behind */
    bool last_page;     /* Ogg: the page before had the mark of the last */
    uint64_t position;  /* bytes behind, from the start of the input */
    uint64_t skip;      /* bytes to pass before the next header */
    size_t want, have;  /* of that header */
    unsigned char head[PROMISE_HEAD];
    uint64_t long_size;  /* RF64: of its data, from the ds64 chunk */
    uint64_t data_begin; /* where the samples begin */
    uint64_t data_size;  /* their bytes; 0: not known */
} promise;

void promise_init(promise *p, detect_kind kind);

/* The next bytes of a stream, from its very first. */
void promise_feed(promise *p, const unsigned char *bytes, size_t n);

/* All of a regular file at once, by its headers; moves the descriptor. */
void promise_scan(promise *p, input *in);

/* Was it kept by an input of `total` bytes? If not, what is missing in reason[size]. */
bool promise_kept(const promise *p, uint64_t total, char *reason, size_t size);

#endif
