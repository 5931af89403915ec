/*
 * recording.h - an input, read and searched to its end, with all that a picture of it may need.
 *
 *     source --> samples, times --> spools
 *           +--> sigrep_push --> matches with their paths
 *                           +--> scores --> the least of each label --> spool
 *
 * Spools lie in memory, and then in a temporary file. So a recording may have any length, and it is
 * known whole before it is reduced.
 */
#ifndef TOOLS_SIGREP_PLOT_RECORDING_H
#define TOOLS_SIGREP_PLOT_RECORDING_H

#include "io/text_buffer.h"
#include "sigrep.h"
#include "tools/common/options/shared_options.h"

typedef struct column_times column_times; /* tools/common/input/column_times.h */
typedef struct template_set template_set; /* tools/common/templates/template_set.h */
typedef struct spool spool;               /* io/spool.h */

enum {
    RECORDING_CURVES = 8, /* the most labels whose scores are kept */
    RECORDING_NAME_SIZE = 64
};

/* The command line. Strings point into argv. */
typedef struct {
    shared_options o;
    bool own_thresholds;   /* those of bundles count */
    uint64_t best;         /* 0: all matches up to the threshold */
    const char *page;      /* NULL: standard output, or none if there is a picture */
    const char *svg, *png; /* NULL: none */
    const char *title;     /* NULL: made of the inputs' names */
    double most_bytes;     /* of the page */
} plot_options;

/* The scores of a label: the least of its templates at each frame. */
typedef struct score_curve {
    size_t first_template;
    /* The same for all its templates: values are scores. Else NAN: values are scores divided by
     * their thresholds. Infinite: there is none. */
    double threshold;
    float least, most;
} score_curve;

typedef struct {
    float least, most; /* finite values; least > most: there is none */
    bool is_whole;     /* all of them are whole numbers */
} value_range;

/*
 * A match, with its warping path: two bytes for each pair.
 *
 *     step   bit 0: the template's frame goes on by one; bit 1: the match's frame does
 *     cost   of the pair, 0 to 255 of the path's highest cost
 */
typedef struct {
    uint64_t start, end; /* samples, [start, end) */
    double score, threshold;
    size_t template_index;
    size_t path, n_pairs; /* its first byte in `paths`; 0 pairs: no path is kept */
    size_t template_frames, match_frames;
} plot_match;

typedef struct recording {
    const char *name; /* borrowed */
    source_info info;
    const template_set *set; /* borrowed */
    uint64_t n;              /* samples, those of gaps included */
    spool *samples;          /* n frames of `channels` float32; gaps are NaN */
    size_t channels;
    char (*names)[RECORDING_NAME_SIZE]; /* of channels */
    value_range *ranges;                /* of each channel */
    column_times *times;                /* NULL: no time column */
    spool *scores;                      /* n_frames x n_curves float32, NaN in gaps */
    uint64_t n_frames;                  /* a front end's frames, spread evenly over the samples */
    score_curve *curves;
    size_t n_curves; /* of the first labels of the set */
    plot_match *matches;
    size_t n_matches;
    text_buffer paths; /* of matches, bytes */
    char failure[256]; /* why it ends early; "": it does not */
} recording;

/* Read and search the input. NULL after a failure, which is reported, if nothing could be read. A
 * later failure is reported and named in `failure`. The caller destroys the recording. */
recording *recording_make(const plot_options *o, const template_set *set, const char *path,
                          int wake_fd);
void recording_destroy(recording *r);

/* Copy samples [first, first + n). false after a failure, which is reported. */
bool recording_read(const recording *r, uint64_t first, size_t n, float *samples);

/* Copy the scores of frames [first, first + n). Likewise. */
bool recording_read_scores(const recording *r, uint64_t first, size_t n, float *scores);

/* "s"; "samples" if no rate is known, so that 1 Hz is taken. */
const char *recording_unit(const recording *r);

#endif
