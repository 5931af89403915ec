/*
 * sigrep_text.h - strings in texts, with edits: a part of libsigrep.
 *
 * A search compares a text with patterns by edit distance, and calls back with every match.
 * docs/SEMANTICS.md, "Strings", defines a match. A letter is a byte.
 *
 *     config --> sigrep_text_create --> sigrep_text_push --> sigrep_text_finish
 *                                         +---- on_match ----+
 *
 *     sigrep_text_pattern word = {.letters = "merchantibility", .length = 15};
 *     sigrep_text_config config = {.size = sizeof config, .patterns = &word, .n_patterns = 1};
 *     sigrep_text *search;
 *     config.edits = 2;
 *     config.on_match = print_it;
 *     if (sigrep_text_create(&search, &config, NULL) == SIGREP_OK) {
 *         while ((n = read_letters(y)) > 0) sigrep_text_push(search, y, n);
 *         sigrep_text_finish(search);
 *         sigrep_text_destroy(search);
 *     }
 *
 * Positions count letters from the start of the text. Intervals are half-open. No result depends on
 * the size of the pushes, on the kernel or on the number of threads. Threads, memory and versions
 * are as in sigrep.h: after sigrep_text_create only the list of the matches of a push may grow.
 */
#ifndef SIGREP_TEXT_H
#define SIGREP_TEXT_H

#include "sigrep.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SIGREP_TEXT_MAX_LENGTH ((size_t)1 << 28) /* letters of a pattern */

typedef struct sigrep_text sigrep_text;

/* A pattern. The caller owns it; sigrep_text_create copies. */
typedef struct {
    const void *letters;
    size_t length; /* 1 to SIGREP_TEXT_MAX_LENGTH */
    size_t edits;  /* most edits of a match, if more than sigrep_text_config.edits */
    int reversed;  /* non-zero: it stands backwards, as the other strand of DNA does: equally good
                      intervals are chosen as if pattern and text were reversed */
} sigrep_text_pattern;

/* A match. The library makes it, so it may grow. */
typedef struct {
    size_t pattern;       /* index into sigrep_text_config.patterns */
    uint64_t start, end;  /* letters of the text, [start, end) */
    uint64_t final;       /* the number of letters after which the match was final */
    size_t distance;      /* edits */
    size_t before, after; /* letters of the pattern that hang over the text's start and end */
    size_t text;          /* of sigrep_text_search: its index; 0 otherwise */
} sigrep_text_match;

/* Called for each match: by `final`, then `end`, then pattern. Non-zero stops the search: the call
 * in progress returns SIGREP_STOPPED. */
typedef int sigrep_text_match_fn(void *user, const sigrep_text_match *match);

typedef struct {
    size_t size; /* sizeof(sigrep_text_config) */
    const sigrep_text_pattern *patterns;
    size_t n_patterns;
    size_t edits; /* most edits of a match, below the length of each pattern */
    /* 256 x 256 bytes: same[256 * x + y] is non-zero if letter x of a pattern matches letter y of
     * the text. NULL: each byte matches itself alone. Read by sigrep_text_create only. */
    const unsigned char *same;
    sigrep_text_match_fn *on_match;
    void *user; /* the first argument of on_match */
    /* NULL: the fastest usable of the CPU. "cuda", the first GPU, needs a byte that matches no
     * letter of a pattern. */
    const char *kernel;
    int substitutions_only; /* non-zero: letters are only replaced, so a match has its pattern's
                               length */
    /* Patterns may hang over the start and the end of a text. Letters that hang over an end cost
     * this many hundredths of an edit each, 1 to 100, rounded up to whole edits; a pattern that
     * hangs over wholly must cost more than its edits. 0: none may. */
    unsigned overhang;
    size_t threads; /* 0 to 1024; 0: one. More pay if pushes are long; a GPU takes one */
} sigrep_text_config;

/* Make a search; the caller destroys it. On failure *search is NULL, and *error, if given, holds
 * the reason. SIGREP_BAD_CONFIG, SIGREP_BAD_TEMPLATE (a pattern is), SIGREP_NO_KERNEL,
 * SIGREP_NO_MEMORY, also if a GPU failed. */
SIGREP_API sigrep_status sigrep_text_create(sigrep_text **search, const sigrep_text_config *config,
                                            sigrep_error *error);
SIGREP_API void sigrep_text_destroy(sigrep_text *search); /* NULL is allowed */

/* Search the next n letters. Matches that became final are called back before it returns. If it
 * returns anything but SIGREP_OK, it takes no more of this text and returns the same until
 * sigrep_text_finish. SIGREP_STOPPED, SIGREP_NO_MEMORY, SIGREP_DEVICE_FAILED. */
SIGREP_API sigrep_status sigrep_text_push(sigrep_text *search, const void *letters, size_t n);

/* The size of a push, in letters, above which throughput stops improving. */
SIGREP_API size_t sigrep_text_push_size(const sigrep_text *search);

/* The text has ended: call back the matches that are pending, unless a push failed or was stopped.
 * The next push begins a new text at letter 0. */
SIGREP_API sigrep_status sigrep_text_finish(sigrep_text *search);

/* Search n whole texts, as push and finish do with each. Many short texts take little longer than a
 * long one. Text i is letters[bounds[i], bounds[i + 1]); bounds has n + 1 numbers. Matches come
 * text by text. A text that was begun by a push ends first. After a failure, or if it was stopped,
 * no more texts are searched. Statuses are those of push. */
SIGREP_API sigrep_status sigrep_text_search(sigrep_text *search, const void *letters,
                                            const size_t *bounds, size_t n);

/* The name of the i-th kernel; NULL after the last. *usable, if given: can this machine run it? */
SIGREP_API const char *sigrep_text_kernel_name(size_t i, int *usable);

/*
 * Two sequences x[0, m) and y[0, n) as wholes: *distance becomes D(m,n). `pairs` (NULL: not wanted)
 * has room for m + n, and *n_pairs becomes their number; sigrep_pair counts "template" frames in x,
 * and frames and samples in y. O(m n) time, but strings of distance D take O(D n). O(m + n)
 * memory, for the pairs of strings times a logarithm. SIGREP_NO_MEMORY.
 */

/* Strings, by edit distance; `same` as in sigrep_text_config. A pair is two letters that stand
 * against each other, equal or replaced. Inserted and deleted letters are in no pair. */
SIGREP_API sigrep_status sigrep_text_align(const void *x, size_t m, const void *y, size_t n,
                                           const unsigned char *same, double *distance,
                                           sigrep_pair *pairs, size_t *n_pairs);

/* Signals, by dynamic time warping with L1 costs: m and n frames of `dim` finite values, m and n at
 * least 1. Pairs are those of the warping path; none if D(m,n) is not finite. */
SIGREP_API sigrep_status sigrep_text_align_signals(const float *x, size_t m, const float *y,
                                                   size_t n, size_t dim, double *distance,
                                                   sigrep_pair *pairs, size_t *n_pairs);

#ifdef __cplusplus
}
#endif
#endif
