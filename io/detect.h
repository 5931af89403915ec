/*
 * detect.h - which format an input has, judged by its first bytes alone.
 *
 *     a known header within 12 bytes        audio, NPY, a bundle, what is refused
 *     UTF-16: order mark, ASCII, 8 bytes    UTF-16
 *     a printable first line                text
 *     a chain of frames: frame_chain.h      MPEG audio, or what is refused
 *     anything else                         raw f32
 *
 * A line is printable if it is UTF-8. Single letters of Latin-1 (a name, a unit) are accepted
 * too, up to one byte in four: raw samples seldom have so few.
 *
 * Packed bytes are judged after unpacking (unpack.h). JSON is text here.
 *
 * Not guessed: headers with which a stream of floats or text could well begin (MAT4, SDS, MPC2K,
 * IRCAM), and formats without a header.
 */
#ifndef IO_DETECT_H
#define IO_DETECT_H

#include <stdbool.h>
#include <stddef.h>

enum {
    DETECT_LINE = 4096, /* bytes of the first line that are judged */
    DETECT_MOST = 8192  /* bytes that are judged: frame_chain.h */
};

typedef enum {
    DETECT_WAITING,     /* more bytes are needed */
    DETECT_PERHAPS_F32, /* likewise: f32, unless more bytes show a chain of frames */
    DETECT_TEXT,
    DETECT_JSONL, /* set by -f, or by jsonl.h: at first it is text */
    DETECT_F32,
    DETECT_WAV, /* RIFF or RIFX */
    DETECT_RF64,
    DETECT_W64,
    DETECT_AIFF,
    DETECT_AU,
    DETECT_FLAC,
    DETECT_OGG,
    DETECT_MP3, /* or MP2, MP1; or a tag, after which it may be FLAC */
    DETECT_CAF,
    DETECT_NPY,
    DETECT_UTF16,   /* text that the user must convert */
    DETECT_BUNDLE,  /* templates (docs/FORMAT.md), not samples */
    DETECT_FOREIGN, /* containers, archives, tables of other programs: refused, see detect_advise */
    DETECT_OTHER    /* more formats that libsndfile reads */
} detect_kind;

/* Judge the first n bytes of an input. `end`: no more bytes will come, or none are waited
 * for. On DETECT_WAITING or DETECT_PERHAPS_F32 call again with more bytes from the start. The
 * result comes as early as the bytes allow, that of raw f32 after DETECT_MOST, and does not depend
 * on how many come at a time. */
detect_kind detect(const unsigned char *bytes, size_t n, bool end);

/* Judge again n bytes that detect takes for text: DETECT_MP3 or DETECT_FOREIGN if they hold a chain
 * of frames, which may begin like a line, else DETECT_TEXT. */
detect_kind detect_frames_after_text(const unsigned char *bytes, size_t n);

/* Are all n bytes printable: lines of UTF-8 or Latin-1? The last letter may be incomplete. */
bool detect_is_printable(const unsigned char *bytes, size_t n);

/* Is an input that looks like MP3 certainly MP3? It is if these n bytes begin with a tag, or if
 * a second frame header follows the first frame. One header alone occurs in raw samples by
 * chance. */
bool detect_is_surely_mp3(const unsigned char *bytes, size_t n);

/* The name that messages use: "RF64", "FLAC", ... */
const char *detect_name(detect_kind kind);

/* Is text with this beginning JSON: a { or [, and not a row of names or units in brackets? Only the
 * first line of the n bytes is judged. */
bool detect_is_json(const unsigned char *bytes, size_t n);

/* Does a DETECT_FOREIGN hold samples, or packed bytes that may be some? An archive or JSON may hold
 * anything. */
bool detect_is_foreign_signal(const unsigned char *bytes, size_t n);

/* Write into reason[size] what a DETECT_FOREIGN or JSON is, and the command that converts it. Up to
 * DETECT_ADVICE bytes tell more, if they are there. */
enum { DETECT_ADVICE = 4096 }; /* bytes of the first headers of a zip, with names */
void detect_advise(const unsigned char *bytes, size_t n, char *reason, size_t size);

#endif
