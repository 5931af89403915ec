/*
 * detect.h - what an input is, by its bytes alone: a header known within 12 bytes, UTF-16's order
 * mark and characters of ASCII within 8, else text if the first line (at most DETECT_LINE bytes) is
 * printable, else f32. Printable is UTF-8, and a line of which a byte in four at most is a letter
 * of Latin-1 that is none of UTF-8: a name, a unit; raw samples seldom have so few.
 *
 * Headers that a stream of floats or text could well begin with (MAT4, SDS, MPC2K, IRCAM,
 * headerless formats) are not guessed.
 */
#ifndef IO_DETECT_H
#define IO_DETECT_H

#include <stdbool.h>
#include <stddef.h>

enum { DETECT_LINE = 4096 };

typedef enum {
    DETECT_WAITING, /* more bytes are needed */
    DETECT_TEXT,
    DETECT_F32,
    DETECT_WAV, /* RIFF or RIFX */
    DETECT_RF64,
    DETECT_W64,
    DETECT_AIFF,
    DETECT_AU,
    DETECT_FLAC,
    DETECT_OGG,
    DETECT_MP3,
    DETECT_CAF,
    DETECT_UTF16,  /* text that must be converted first */
    DETECT_BUNDLE, /* templates (docs/FORMAT.md): no samples */
    DETECT_OTHER   /* further formats of libsndfile */
} detect_kind;

/* Judge the first n bytes; `end` says that no more will come. Call again with more while
 * it is waiting: the answer depends on the bytes, not on how they were cut, and comes as
 * early as they allow. */
detect_kind detect(const unsigned char *bytes, size_t n, bool end);

/* Are all of these n bytes printable, lines of UTF-8 or of Latin-1? The last letter may be cut. */
bool detect_is_printable(const unsigned char *bytes, size_t n);

/* Is what looks like MP3 surely one? By a tag, or by the header of a second frame where the first
 * one ends, within these n bytes: raw samples hold a single one by chance now and then. */
bool detect_is_surely_mp3(const unsigned char *bytes, size_t n);

/* As users call it: "RF64", "FLAC", ... */
const char *detect_name(detect_kind kind);

#endif
