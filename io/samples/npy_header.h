/*
 * npy_header.h - the header of an NPY file, a Python literal in a line of text:
 *
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (1000, 3), }
 *
 * Its keys come in any order. Versions 1, 2 and 3 of the format share it.
 */
#ifndef IO_SAMPLES_NPY_HEADER_H
#define IO_SAMPLES_NPY_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/samples/pcm.h"

typedef struct {
    pcm_type type; /* integers are not scaled; bool is u1 */
    bool big_endian;
    bool is_fortran;   /* the first index runs fastest */
    uint64_t frames;   /* the first dimension */
    uint64_t channels; /* the second, 1 without it. The bytes of all samples fit into int64_t */
} npy_header;

/* Parse n bytes of header. false: reason[size] says why the array cannot be read. */
bool npy_header_parse(npy_header *h, const char *text, size_t n, char *reason, size_t size);

#endif
