/*
 * batches.h - the letters of an input, in batches: many letters, and the texts that begin in them.
 *
 *     memory | letters                                     two batches: one is searched
 *     ~~~~~~~|----------|------|-------|------- ...         while the next is read
 *            |          text 0   1       2
 *            the text of the batch before goes on
 *
 * Letters that come fast are read in large batches, others at once.
 */
#ifndef TOOLS_SIGREP_TEXT_BATCHES_H
#define TOOLS_SIGREP_TEXT_BATCHES_H

#include <pthread.h>

#include "io/text_buffer.h"
#include "tools/sigrep-text/letters.h"

enum { BATCH_TEXTS = 1 << 14 /* texts that may begin in a batch */ };

typedef struct {
    unsigned char *memory;  /* the last `remembered` letters before these */
    unsigned char *letters; /* behind them */
    size_t n;
    size_t bounds[BATCH_TEXTS]; /* text i begins at letter bounds[i] */
    size_t names[BATCH_TEXTS];  /* its record's name is text + names[i] of the buffer */
    size_t n_texts;
    text_buffer name_bytes;
    letters_event event; /* LETTERS_SOME: more follows. Otherwise that of its end */
} batch;

typedef struct {
    size_t room, remembered; /* letters of a batch */
    batch *of;               /* two */
    letters *from;
    size_t current;    /* the batch that the caller has */
    bool reads_ahead;  /* a thread may read the next batch meanwhile */
    bool has_thread;   /* it does; then the members below are locked */
    bool is_filled[2]; /* the thread has read it, and the caller has not returned it */
    bool is_over;      /* the caller wants no more */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
} batch_reader;

/* false: out of memory. batches_free frees the reader in any case. */
bool batches_init(batch_reader *r, size_t room, size_t remembered);
void batches_free(batch_reader *r);

/* Begin an open input. With `reads_ahead`, which is for files, a thread may read it until
 * batches_end. */
void batches_begin(batch_reader *r, letters *from, bool reads_ahead);
void batches_end(batch_reader *r);

/* The next batch. It is valid until the next call. */
const batch *batches_next(batch_reader *r);

/* The name of the record of text i. */
const char *batch_name(const batch *b, size_t i);

#endif
