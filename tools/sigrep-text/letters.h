/*
 * letters.h - the letters of a text: the bytes or characters of an input, or of its records.
 *
 *     >NC_008253 Escherichia coli   the record's name is the first word behind > or @
 *     AGCTTTTCATTCTGACTG            letters; white space is none
 *     CAACGGGC
 *
 *     @read/1                       FASTQ: letters up to the line of +,
 *     AGCTTT                        then as many qualities, which may be any of these bytes
 *     +
 *     @>+III
 *
 * Records are read as a stream, since one may be larger than memory. So no parser that keeps whole
 * records is used (those of klib and htslib do); the format is four states. gzip, so bgzip too, and
 * zstd are unpacked. A line ends with \n, \r\n or \r.
 */
#ifndef TOOLS_SIGREP_TEXT_LETTERS_H
#define TOOLS_SIGREP_TEXT_LETTERS_H

#include "io/input.h"
#include "tools/sigrep-text/characters.h"
#include "tools/sigrep-text/text_start.h"

enum { LETTERS_NAME = 1024 /* bytes of a record's name; the rest of a longer one is left out */ };

typedef enum {
    LETTERS_SOME,   /* some were read */
    LETTERS_LATER,  /* none is there yet */
    LETTERS_RECORD, /* a record begins: its name is in `record` */
    LETTERS_END,    /* of the input, or a signal */
    LETTERS_FAILED  /* see `error` */
} letters_event;

typedef enum { IN_LETTERS, IN_HEADER, IN_PLUS, IN_QUALITIES } letters_place;

typedef struct {
    bool patterns;             /* they are patterns: then `fasta` is that it may have records */
    bool fasta;                /* it must have records */
    bool dna;                  /* it may have; a letter that is no IUPAC code is noted */
    const character_set *utf8; /* letters are characters; NULL: bytes */
} letters_options;

typedef struct {
    input in;
    text_kind kind;
    letters_options options;
    letters_place place;
    unsigned char bytes[256];          /* what each byte is among letters: byte_kind */
    bool is_in_line;                   /* of letters: not at its beginning */
    bool name_is_over;                 /* the header's first word is complete */
    bool has_record;                   /* one began */
    int odd_letter;                    /* the first one that matches nothing; -1: none so far */
    uint64_t odd_at;                   /* its number */
    char odd_record[LETTERS_NAME + 1]; /* its record's name; empty: there is none */
    uint64_t n_letters;                /* of the record */
    uint64_t n_qualities;              /* of the record of FASTQ */
    char record[LETTERS_NAME + 1];
    char error[256];
} letters;

/* Open an input; "-" is standard input. false: see error; letters_close is not due then. */
bool letters_open(letters *l, const char *path, int wake_fd, letters_options options);
void letters_close(letters *l);

/* Read up to `most` letters; most > 0. Waits for the first, if `wait`. */
letters_event letters_read(letters *l, unsigned char *to, size_t most, size_t *n, bool wait);

#endif
