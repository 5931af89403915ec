/* inner.h - what the files of state/ share; only they include it. */
#ifndef TOOLS_SIGREP_STATE_INNER_H
#define TOOLS_SIGREP_STATE_INNER_H

#include "io/text_buffer.h"
#include "tools/common/file_lock.h"
#include "tools/common/input/feed.h"
#include "tools/sigrep/options/options.h"
#include "tools/sigrep/output/print.h"
#include "tools/sigrep/state/output_place.h"
#include "tools/sigrep/state/saved.h"
#include "tools/sigrep/state/state.h"
#include "tools/sigrep/state/stream_mark.h"

/* The cure, in messages about the file of --state. */
#define STATE_ANEW "; remove this file to begin anew"

struct run_state {
    const options *o;
    const char *path;
    file_lock lock;
    text_buffer file;         /* as it was read */
    saved before;             /* what it says; zeros: there was none */
    text_buffer options_text; /* of this run */
    saved now;                /* what is saved next */
    text_buffer bytes;        /* ... as bytes */

    feed *f; /* NULL until run_state_begin */
    output *out;
    uint64_t horizon;
    stream stream;
    bool is_gap;     /* the next samples are missing */
    bool is_unseen;  /* the last samples were searched unseen: the source can read them again */
    bool has_here;   /* now.here can be saved */
    bool is_ending;  /* `here` is final; matches are printed because the input ends */
    bool is_written; /* the file, by this run */
    bool is_closing; /* nothing more will be printed */
    bool has_failed; /* a save, which was reported */
    int64_t saved_at_ns, cost_ns; /* of the last save */
    uint64_t saved_matches;
    uint64_t printed_end; /* no match of before.printed ends later */
};

/* Where standard output was at a place. */
output_place run_state_output(const saved *s, const saved_place *p);

/* Read the file into s->before, and check that options and standard output fit. A file that is not
 * there, or empty, leaves zeros. false after a failure, which is reported. */
bool run_state_load(run_state *s);

/* Store standard output, since what the state knows must be there; then replace the file. Returns 0
 * or an errno. */
int run_state_write(run_state *s, saved *content);

/* Write `before` again: the run goes on from there, and standard output grows. As run_state_write.
 */
int run_state_write_start(run_state *s);

/* Write again what was written last: standard output ends here, and what others may add to it
 * stays. *s can only be freed afterwards. */
void run_state_write_end(run_state *s);

/* Find the place in the input of s->f where the run before was, and go on there. false after a
 * failure, which is reported, or a signal. */
bool run_state_resume(run_state *s);

#endif
