/*
 * letters.h - the letters of a text: the bytes of an input, or of the records of FASTA.
 *
 *     >NC_008253 Escherichia coli   the record's name is the word behind >
 *     AGCTTTTCATTCTGACTG            letters; white space is none
 *     CAACGGGC
 *
 * Records are read as a stream, since one may be larger than memory. So no parser that keeps whole
 * records is used (those of klib and htslib do); the format is two states. gzip and zstd are
 * unpacked.
 */
#ifndef TOOLS_SIGREP_TEXT_LETTERS_H
#define TOOLS_SIGREP_TEXT_LETTERS_H

#include "io/input.h"
#include "io/text_buffer.h"

enum { LETTERS_NAME = 1024 /* bytes of a record's name; the rest of a longer one is left out */ };

typedef enum {
    LETTERS_SOME,   /* some were read */
    LETTERS_LATER,  /* none is there yet */
    LETTERS_RECORD, /* a record begins: its name is in `record` */
    LETTERS_END,    /* of the input, or a signal */
    LETTERS_FAILED  /* see `error` */
} letters_event;

typedef struct {
    input in;
    bool is_fasta;
    bool is_in_line;    /* of letters: not at its beginning */
    bool is_in_header;  /* behind a > */
    bool has_name;      /* the header's first word is complete */
    bool warns;         /* of a letter in FASTA that is no IUPAC code, no - and . (gaps) and no * */
    int odd_letter;     /* the first such letter; -1: none so far */
    uint64_t n_letters; /* of the record */
    uint64_t odd_at;    /* its number */
    char record[LETTERS_NAME + 1];
    char error[256];
} letters;

/* Open an input; "-" is standard input. `fasta`: it is FASTA; `dna`: it is if it begins with >.
 * false: see error; letters_close is not due then. */
bool letters_open(letters *l, const char *path, int wake_fd, bool fasta, bool dna);
void letters_close(letters *l);

/* Read up to `most` letters; most > 0. Waits for the first, if `wait`. */
letters_event letters_read(letters *l, unsigned char *to, size_t most, size_t *n, bool wait);

#endif
