/*
 * frame_chain.h - audio without a header of its own, known by frames that follow each other.
 *
 *     ...ame | head  frame     | head  frame     | head  fra...
 *              size ---------->  size ---------->  fits
 *
 * A radio's stream may be recorded from the middle of a frame. Three headers of one kind, each
 * where the one before says, do not occur in numbers by chance.
 */
#ifndef IO_FRAME_CHAIN_H
#define IO_FRAME_CHAIN_H

#include <stdbool.h>
#include <stddef.h>

enum { FRAME_CHAIN_REACH = 8192 }; /* bytes that are looked at */

typedef enum {
    FRAME_CHAIN_NONE,
    FRAME_CHAIN_MPEG, /* MP3, MP2, MP1 */
    FRAME_CHAIN_AAC,  /* ADTS or LOAS */
    FRAME_CHAIN_AC3,
    FRAME_CHAIN_TS /* MPEG-TS */
} frame_chain_kind;

/* Find a chain in the first n bytes, at most FRAME_CHAIN_REACH. */
frame_chain_kind frame_chain_find(const unsigned char *bytes, size_t n);

#endif
