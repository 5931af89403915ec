/*
 * bundle.h - a .sigrep bundle (docs/FORMAT.md): the takes of one or more words as frames after
 * the front end, with all that makes a search of them the same everywhere: front end and rate,
 * thresholds and what they were calibrated on, length gates, how takes combine. Bytes in memory
 * only; files are the program's.
 *
 *     bundle -> labels -> takes
 */
#ifndef FILTER_BUNDLE_BUNDLE_H
#define FILTER_BUNDLE_BUNDLE_H

#include <stdbool.h>

#include "filter/status.h"

/* Bounds of what is read and written, far from overflow. */
#define BUNDLE_MAX_SIZE ((uint64_t)1 << 30)
enum {
    BUNDLE_MAX_NAME = 4096, /* bytes of a name, or of a front end */
    BUNDLE_MAX_CHANNELS = 4096,
};

typedef struct {
    char *name;    /* the recording that it came from */
    float *frames; /* length x dim of the bundle, finite */
    size_t length; /* m >= 2 frames */
    double weight; /* > 0: its threshold is that of its label times this */
    double others; /* the best score that another take of the label has in it, or the mean of an
                      average in its takes; negative: there is none, or it was not measured */
} bundle_take;

/* What a threshold was calibrated on; an hour is an hour of background. */
typedef struct {
    double hours;         /* that were heard, > 0 */
    double per_hour;      /* false alarms wanted, > 0 */
    double low, high;     /* 95 % interval of the threshold */
    uint32_t n_tail;      /* minima that the tail was fitted to */
    bool is_extrapolated; /* fewer than one false alarm was to be expected in these hours */
} bundle_calibration;

typedef struct {
    char *name; /* the label, not empty */
    bool has_threshold;
    double threshold; /* >= 0 where there is one */
    double length_min, length_max;
    size_t min_matches; /* takes that must agree, 1 .. n_takes */
    bool is_calibrated; /* only with a threshold */
    bundle_calibration calibration;
    bundle_take *takes;
    size_t n_takes; /* >= 1 */
} bundle_label;

/* What a front end makes of a fixed noise. Bundles carry it, so that frames are never compared
 * with those of another recipe of the same name. */
typedef struct {
    float *frames; /* n x dim */
    size_t n, dim;
    uint64_t hop;    /* samples a frame, rounded up */
    uint64_t memory; /* as the chain states it */
} bundle_print;

typedef struct sigrep_bundle {
    char *front_end; /* as -p takes it */
    double rate_hz;  /* at which the frames were made; 0: they do not depend on it */
    size_t channels; /* of the samples */
    bool is_audio;
    size_t dim; /* floats a frame */
    bundle_print print;
    bundle_label *labels;
    size_t n_labels;
    sigrep_template *templates; /* the takes for a searcher, in order; borrowed from labels */
    size_t n_templates;
} bundle;

/* An empty bundle for this front end; rate_hz 0 where none is known, which fails for a front end
 * that depends on it. The caller destroys it with sigrep_bundle_destroy. SIGREP_BAD_FRONT_END
 * with words in *error. */
sigrep_status bundle_create(bundle **out, const char *front_end, double rate_hz, size_t channels,
                            sigrep_error *error);

/* May a text be a label, or the name of a take? Not empty, not too long, no control characters: it
 * ends up on terminals. */
bool bundle_is_name(const char *text);

/* The label of that name, made with default values where there is none; valid until the next is
 * made. NULL without memory. */
bundle_label *bundle_label_of(bundle *b, const char *name);

/* A take at the end of the label's, length >= 2; frames are copied. */
sigrep_status bundle_add_take(bundle *b, bundle_label *label, const char *name, const float *frames,
                              size_t length);

/* Make `templates` of labels and takes. */
sigrep_status bundle_list_templates(bundle *b);

/* The whole bundle as bytes, which the caller frees. SIGREP_NO_MEMORY also where a text is no name,
 * or it grows beyond BUNDLE_MAX_SIZE. */
sigrep_status bundle_write(const bundle *b, unsigned char **bytes, size_t *size);

/* The caller frees print->frames; NULL after a failure, SIGREP_BAD_FRONT_END with words. */
sigrep_status bundle_probe(const char *front_end, double rate_hz, size_t channels,
                           bundle_print *print, sigrep_error *error);
/* Are they of the same features? But for the last digits, which FFTs give as they like. */
bool bundle_prints_agree(const bundle_print *a, const bundle_print *b);

#endif
