/*
 * print.h - matches, scores and counts on their way to standard output, to files of --output-dir,
 * and to the --scores file.
 *
 *     run_outputs: what all inputs share     output: a worker's, with the tally of its input
 *
 *     sigrep_push -> print_match  -> writer -> print_flush -> turn.h -> standard output
 *                                                          -> the input's file
 *                    print_scores ----------------------------------> --scores FILE
 */
#ifndef TOOLS_SIGREP_OUTPUT_PRINT_H
#define TOOLS_SIGREP_OUTPUT_PRINT_H

#include <stdbool.h>
#include <time.h>

#include "io/source.h"
#include "io/spool.h"
#include "io/writers/writer.h"
#include "sigrep.h"
#include "tools/sigrep/output/turn.h"

typedef struct column_times column_times; /* tools/common/input/column_times.h */
typedef struct template_set template_set; /* tools/common/templates/template_set.h */
typedef struct options options;           /* tools/sigrep/options/options.h */
typedef struct exec exec;                 /* tools/sigrep/output/exec.h */
typedef struct save save;                 /* tools/sigrep/output/save.h */
typedef struct monitor monitor;           /* tools/sigrep/monitor/monitor.h */
typedef struct listed_input listed_input; /* tools/sigrep/options/inputs.h */

/* What waits for its turn may use all of this, but no output: its worker may have gone on. */
typedef struct {
    const options *o;
    const template_set *set;
    bool with_names;  /* in lines */
    bool is_terminal; /* standard output */
    bool is_shared;   /* several workers search side by side */
    int scores_fd;    /* -1: not wanted */
    atomic_bool over; /* nothing more is to be done */
    turnstile turns;
    pthread_mutex_t writing; /* to standard output */
    uint32_t sum;            /* crc32 of all that was written there, of a shard */
    bool is_lost; /* standard output could not be written, and that was reported; it belongs to the
                     input whose turn it is */
} run_outputs;

/* What is known of the matches of an input. */
typedef struct {
    const char *name;         /* in messages; NULL before the first */
    const char *file, *group; /* of matches; the group may be NULL */
    const line_supply *lines; /* of a group; else NULL */
    bool is_microphone;
    bool has_dates; /* in its time column */
    time_scale scale;
    column_times *times; /* NULL without a time column */
    uint64_t last_final,
        last_end; /* samples: matches that are final, or end, later are not printed */
    uint64_t matches, held;
    atomic_bool is_given_up; /* a signal was caught, and its search took too long */
    bool is_partial;         /* a signal ended it: counts are of a part */
    bool failed;
    bool is_mute; /* the search or a read failed: further matches are not printed */
} input_tally;

/* Where the matches of a worker go: standard output, or the file of its input. */
typedef struct output {
    run_outputs *run;
    turn turn;
    writer writer;
    pthread_mutex_t lock; /* of `writer`: print_last may run in any thread */
    char *path;           /* owned; of the file; NULL: standard output */
    bool is_lost;         /* the file could not be written, and that was reported */
    int scores_failure;
    sigrep *search; /* NULL until the first is needed; it has the warping paths */
    spool *store;   /* of a best-of search, or NULL */
    input_tally input;
    text_buffer line;        /* of a shard's match */
    uint64_t *label_matches; /* in the input, by the first template of the label */
    writer_match *last;      /* of each label, for --hold; NULL: no --hold */
    save *save;              /* NULL: no --save */
    monitor *monitor;        /* NULL: no --monitor, no --monitor-page */
    exec *exec;              /* NULL: no --exec */
    /* Was the match printed by an earlier run? NULL: there was none. */
    bool (*is_printed)(void *user, const sigrep_match *match);
    void *is_printed_user;
    /* Of a group (--group-by): the rows with which the samples from rows_from on came, of which
     * those before *searched were searched before this push. NULL: there are none. */
    const uint64_t *rows, *searched;
    uint64_t rows_from;
    size_t n_rows;
    int grace_ms; /* after a signal, before a search is given up */
    bool failed;  /* exit status 2 */
    bool matched; /* some input has a match */
} output;

/* Prepare a zeroed output for the output format. false: out of memory, which is reported. print_end
 * always follows. */
bool print_begin(output *out, run_outputs *run);
void print_end(output *out);

/* How lines are written, before an input says how its times are. */
writer_style print_style(const run_outputs *run);

/* Do lines stand before all matches, if the format has some? */
bool print_has_header(const options *o);

/* The lines before all matches or after all of them, on standard output: writer_begin, writer_end.
 */
void print_around(output *out, void (*add)(writer *w));

/* Decide how times of the input are printed, which was opened at this time. NULL, or why they
 * cannot be printed as the options want. */
const char *print_begin_times(output *out, const source_info *info, struct timespec opened);

/* The same around the matches of an input, if it has a file of its own. false: there can be no such
 * file, which is reported. */
bool print_open_file(output *out, const listed_input *input);
void print_close_file(output *out);

/* The library's callbacks; `user` is the output. */
sigrep_match_fn print_match;
sigrep_scores_fn print_scores;

/* The input, not the whole run, has failed, for this reason; NULL: that is reported. Always false.
 */
bool print_fail(output *out, const char *reason);

/* Print the line that -c, -l or -L gives the input. */
void print_summary(output *out);

/* Write the matches so far, or hold them until it is the input's turn. A failure is reported once;
 * of standard output, it ends the run. */
void print_flush(output *out);

/* An error after which nothing more can be done: end the run, in the turn of the input. */
void print_end_run(output *out);

/* Does the first match end the run (-q)? Not with --save, which saves all. */
bool print_ends_at_match(const options *o);

/* Is nothing more to be done? */
bool print_is_over(const output *out);

/* Let messages wait for the turn of the input, or no longer. */
void print_hold_messages(output *out, bool held);

/* Write what waits, before the process ends in any thread. Allocates nothing. */
void print_last(output *out);

#endif
