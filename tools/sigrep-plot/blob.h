/*
 * blob.h - bytes that become part of a page: collected, deflated by zlib, written as base64.
 *
 *     blob_reserve ... --> bytes --deflate--> base64 --> the page -->
 * DecompressionStream('deflate')
 */
#ifndef TOOLS_SIGREP_PLOT_BLOB_H
#define TOOLS_SIGREP_PLOT_BLOB_H

#include "io/text_buffer.h"

/* Begin with a zeroed one; blob_free frees it. */
typedef struct {
    unsigned char *data;
    size_t n, room;
} blob;

/* n more bytes, all 0, to be filled before the next call. NULL without memory. */
unsigned char *blob_reserve(blob *b, size_t n);
void blob_free(blob *b);

/* Add the bytes to a page. false without memory. */
bool blob_write(const blob *b, text_buffer *page);

/* Bytes before deflate that take at most so many in a page, whatever they are. */
double blob_fits(double page_bytes);

#endif
