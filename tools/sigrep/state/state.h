/*
 * state.h - --state FILE: a run goes on where another ended.
 *
 * - run_state_open: lock FILE, read it, check the options and standard output.
 * - run_state_begin: find the place in the input (resume.c), restore search and counts.
 * - run_state_searched: save every STATE_SAVE_S.
 * - run_state_unsettled, run_state_ends: the last place from which the input may go on.
 * - run_state_end: save, after the last line.
 * - run_state_close: note where standard output ends, and unlock.
 *
 *     stream   ======================|..|          `here`: before the samples that might become
 *                               here ^  ^ end      others, and before pending matches are ended;
 *                                                  `end`: after all that
 *
 * Saving: flush and store standard output, then replace FILE. So a file of output has all that the
 * state knows, and what came after is cut off by the next run and printed again.
 */
#ifndef TOOLS_SIGREP_STATE_STATE_H
#define TOOLS_SIGREP_STATE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/source.h"
#include "sigrep.h"

typedef struct feed feed;       /* tools/common/input/feed.h */
typedef struct options options; /* tools/sigrep/options/options.h */
typedef struct output output;   /* tools/sigrep/output/print.h */
typedef struct run_state run_state;

enum {
    STATE_SAVE_S = 2,
    STATE_GRACE_MS = 5000 /* a signal may wait so long for a push to end, so that all is saved */
};

/* Lock and read the file that the options name. with_names: lines begin with the input's name. NULL
 * after a failure, which is reported; nothing was changed then. */
run_state *run_state_open(const options *o, const char *input, bool with_names);

/* Unlock, and free; NULL is allowed. */
void run_state_close(run_state *s);

/* Were the lines before all matches printed by an earlier run? */
bool run_state_has_begun(const run_state *s);

/* Was -m reached by an earlier run? Then nothing is searched: *out gets its counts, and the output
 * after its end is cut off. A failure of that is reported. */
bool run_state_is_over(run_state *s, output *out);

/* Go on: the input and the search are new, the feed and the output have begun. horizon: samples
 * that a match may reach back. Reads up to the place where the last run was. false after a failure,
 * which is reported, or a signal. */
bool run_state_begin(run_state *s, feed *f, output *out, uint64_t horizon);

/* The search was given n more samples, and the output was flushed. frames: NULL if they were not
 * seen, see feed_calls. */
void run_state_searched(run_state *s, const float *frames, uint64_t n);

/* Another file becomes standard output: save, call move(user), save where that one stands. So no
 * run that goes on prints anything again. false: not now, and `move` was not called. */
bool run_state_move_output(run_state *s, void (*move)(void *user), void *user);

/* n samples are missing, and will be searched next. */
void run_state_gap(run_state *s, uint64_t n);

/* See feed_calls. */
void run_state_unsettled(run_state *s);
bool run_state_ends(run_state *s);

/* All was printed. */
void run_state_end(run_state *s);

#endif
