/*
 * bundle.h - a .sigrep bundle in memory (docs/FORMAT.md):
 *
 *     bundle: front end, rate, fingerprint
 *       └── labels: threshold, calibration, length gate, how many takes must agree
 *             └── takes: frames after the front end
 *
 * Bytes in memory only; programs read and write the files. include/sigrep.h has the public calls.
 */
#ifndef FILTER_BUNDLE_BUNDLE_H
#define FILTER_BUNDLE_BUNDLE_H

#include <stdbool.h>

#include "filter/background/background.h"
#include "filter/bundle/fingerprint.h"
#include "sigrep.h"

/* Bounds of what is read and written, far from overflow. */
#define BUNDLE_MAX_SIZE ((uint64_t)1 << 30)
enum {
    BUNDLE_MAX_NAME = 4096, /* bytes of a name, or of a front end */
    BUNDLE_MAX_CHANNELS = 4096,
    BUNDLE_MAX_GATE = 64, /* template lengths */
};
#define BUNDLE_MIN_RATE 1e-9 /* Hz */
#define BUNDLE_MAX_RATE 1e12

typedef struct {
    char *name;    /* of the recording */
    float *frames; /* length x dim of the bundle, finite; as a stream has them */
    size_t length; /* m >= 2 frames */
    double weight; /* > 0: its threshold is that of its label times this */
    /* The best score that another take of the label has in it. Of an average, its mean score in
     * its takes. Negative: there is none, or it was not measured. */
    double peer_score;
    double level; /* as in sigrep_template; 0: not known */
} bundle_take;

/* What a threshold was calibrated on. */
typedef struct {
    double hours;         /* of background, > 0 */
    double per_hour;      /* false alarms wanted, > 0 */
    double low, high;     /* 95 % interval of the threshold */
    uint32_t n_tail;      /* minima that the tail was fitted to */
    bool is_extrapolated; /* fewer than one false alarm is to be expected in these hours */
} bundle_calibration;

typedef struct {
    char *name; /* the label, not empty */
    bool has_threshold;
    double threshold; /* >= 0 if there is one */
    double ceiling;   /* > 0: no estimate and no calibration is above it; 0: no bound */
    double length_min, length_max;
    size_t min_matches; /* takes that must agree, 1 .. n_takes */
    bool is_calibrated; /* only with a threshold */
    bundle_calibration calibration;
    bundle_take *takes;
    size_t n_takes; /* >= 1 */
} bundle_label;

typedef struct sigrep_bundle {
    char *front_end; /* as -p takes it */
    double rate_hz;  /* at which the frames were made; 0: they do not depend on it */
    size_t channels; /* of the samples */
    bool is_audio;
    size_t dim; /* floats a frame */
    fingerprint print;
    bundle_label *labels;
    size_t n_labels;
    sigrep_template *templates; /* the takes for a search, in order; borrowed from labels */
    size_t n_templates;
    unsigned char *bytes;   /* as sigrep_bundle_write made them; NULL: not yet */
    background *background; /* that levels of sounds are measured in; NULL: not yet made */
} bundle;

/* May a text be a label, or the name of a take? It must not be empty or too long, and have no
 * control characters, since terminals print it. */
bool bundle_is_name(const char *text);

/* The label of that name. If there is none, it is made with default values. Valid until the next is
 * made. NULL without memory. */
bundle_label *bundle_label_of(bundle *b, const char *name);

/* Add a take after the label's others, length >= 2. Frames are copied. */
sigrep_status bundle_add_frames(bundle *b, bundle_label *label, const char *name,
                                const float *frames, size_t length);
void bundle_free_take(bundle_take *take);

/* Make `templates` from labels and takes. To be called after each change of them. */
sigrep_status bundle_list_templates(bundle *b);

#endif
