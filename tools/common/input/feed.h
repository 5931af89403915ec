/*
 * feed.h - reads an input into a search, to its end.
 *
 *     source --> read --> gap? --> push, in parts --> searched: progress, is it over?
 *        |                         |
 *        +-- by all threads -------+   a file of plain samples that nobody else must see
 *        +-- one thread ahead -----+   any other file, if the search has several threads
 *        +-- at once --------------+   pipes, microphones
 *
 * A push takes up to 80 ms, so that a signal or the clock need not wait long. Warnings of the
 * source and of gaps are printed here; what failed is for the caller to report.
 */
#ifndef TOOLS_COMMON_INPUT_FEED_H
#define TOOLS_COMMON_INPUT_FEED_H

#include "io/source.h"
#include "sigrep.h"

typedef struct column_times column_times; /* tools/common/input/column_times.h */

/* What the program does meanwhile. All but `searched` may be NULL. */
typedef struct {
    /* n samples were read. They are searched next, unless the search has stopped. */
    void (*read)(void *user, const float *frames, const exact_time *times, size_t n);
    /* n samples are missing here. */
    void (*gap)(void *user, uint64_t n);
    /* The search was given n samples, of which `frames` is NULL if they were missing, or went past
     * us. The library returned this status. true to go on. */
    bool (*searched)(void *user, const float *frames, uint64_t n, sigrep_status status);
    /* Reading has failed, so a match that comes now may be none of the whole input. */
    void (*unreadable)(void *user);
    /* The search has stopped early: how many more samples must be read? */
    uint64_t (*wants)(void *user);
    /* The feed begins to wait for samples, or has them: meanwhile nothing uses the search. */
    void (*waits)(void *user, bool begins);
    /* The samples that come next might be others if the input went on (source_unsettled). */
    void (*unsettled)(void *user);
    /* All was read. false: another run goes on with the search, so it is not finished. */
    bool (*ends)(void *user);
} feed_calls;

typedef struct feed {
    /* The caller's, for each input. */
    const feed_calls *calls;
    void *user;
    const char *name; /* of the input */
    source *src;
    sigrep *search;
    size_t threads;      /* of the search */
    double cells;        /* about so many a sample costs; INFINITY: not known */
    bool sees_all;       /* all samples must come by `searched` or `read` */
    bool cuts_at_gaps;   /* no push has samples from both before and behind the begin of a gap; and
                            matches that are final come before feed_give returns */
    bool has_times;      /* of a time column */
    column_times *times; /* that gets them; or NULL */
    uint64_t limit;      /* the samples to read, gaps included; UINT64_MAX: all */

    /* The feed's, kept from input to input. */
    float *frames;      /* that callbacks see: of doubles, rounded */
    double *doubles;    /* NULL: the search gets the frames */
    exact_time *stamps; /* NULL without a time column */
    size_t room;        /* samples of one read */
    size_t part;        /* samples of the next push */

    /* Of the current input. feed_begin sets `samples` and `held` to 0; whoever has read some
     * already may change them. */
    size_t held; /* samples that lie in the buffers, and are searched first */
    size_t channels;
    bool is_on_gpu;
    bool is_wide;         /* the search gets doubles */
    bool is_fed;          /* more samples are always at hand: the search works beside the reading */
    uint64_t samples;     /* so far, gaps included */
    bool has_ended;       /* its last sample was read */
    bool was_ended;       /* by `searched` or by `failure` */
    bool was_interrupted; /* a signal came before all was read that was wanted */
    const char *failure;  /* of reading, or of keeping times; NULL: none */
} feed;

/* Prepare for an open source and its search, at the first input with a feed of zeros, which
 * feed_free frees. false: out of memory. */
bool feed_begin(feed *f);
void feed_free(feed *f);

/* Read up to n samples into the buffers, from sample `at` there: as source_gather. */
ssize_t feed_read(feed *f, size_t at, size_t n);

/* Give the search n samples of the buffers, from sample `at` there. */
sigrep_status feed_give(feed *f, size_t at, size_t n);

/* How many samples before the last one of a read the search may still have to look at, beside those
 * that a match takes. */
uint64_t feed_waiting(const feed *f);

/* n samples are missing here, which is reported by whoever knows why. false: `searched` ends it. */
bool feed_gap(feed *f, uint64_t n);

/* Go on with another source, in place of one that has ended or failed, by feed_run. Its frames and
 * rate are those of the one before. */
void feed_follow(feed *f, source *src);

/* Read and search to the end, to the limit, to a signal, or until `searched` ends it; then finish
 * the search. Returns the status of that. */
sigrep_status feed_run(feed *f);

/* ---- How it reads, for tests ----
 *
 *     fill_from_file: threads of the search   read and search piece k, k+1, k+2 ...
 *
 *     read_ahead:     caller   read_ahead_start   search read k        read_ahead_wait
 *                     reader                      |-- source_gather --|
 */

/* How many samples to read at once. push_size: of the search (sigrep_push_size). A read is a
 * multiple of it, since all samples are searched before more are read; fewer if that would be much
 * memory. */
size_t read_size(size_t push_size, size_t channels);

/* Plain samples of a file straight into the search (sigrep_read), at most `most`; *got is their
 * number. *got is 0 if src cannot be read this way (source_frames_left), at its end, and if it
 * failed: then source_read goes on. */
sigrep_status fill_from_file(sigrep *search, source *src, size_t most, size_t *got);

/* A thread that reads the next samples while the caller searches those before. */
typedef struct read_ahead read_ahead;

/* For reads of at most `values` values: floats, or doubles if are_doubles. NULL: out of memory. The
 * caller destroys it, but not between start and wait; NULL is allowed there. */
read_ahead *read_ahead_create(size_t values, bool are_doubles);
void read_ahead_destroy(read_ahead *a);

/* Begin source_gather of at most `max` samples. Until the wait the source belongs to the reader. If
 * the system gives no thread, read_ahead_wait reads instead. */
void read_ahead_start(read_ahead *a, source *src, size_t max);

/* Wait for the result of source_gather. Returns the buffer with the samples, *got of them, in
 * exchange for `frames`, a buffer for `values` values. */
void *read_ahead_wait(read_ahead *a, void *frames, ssize_t *got);

#endif
