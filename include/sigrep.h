/*
 * sigrep.h - grep for signals: the whole library on one screen.
 *
 * A searcher compares a stream of samples with templates by subsequence dynamic
 * time warping and calls back with every match:
 *
 *     sigrep_config config;
 *     sigrep_config_init(&config);
 *     config.templates = &(sigrep_template){.label = "beat", .samples = x, .length = m,
 *                                           .threshold = 0.1};
 *     config.n_templates = 1;
 *     config.on_match = print_it;
 *     sigrep *search;
 *     if (sigrep_create(&search, &config, NULL) == SIGREP_OK) {
 *         while ((n = read_samples(y)) > 0) sigrep_push(search, y, n);
 *         sigrep_finish(search);
 *         sigrep_destroy(search);
 *     }
 *
 * A sample is `channels` float32 values, interleaved. Positions count samples from the
 * start of the input, 64 bits, intervals are half-open. What a match is, exactly, is
 * written in docs/SEMANTICS.md; no result depends on how the samples are cut into pushes,
 * on the kernel, the device or the number of threads.
 *
 * A searcher belongs to one thread at a time; different searchers are independent. The
 * library never prints, never exits and keeps no globals but a lock: front ends with spectra
 * call FFTW's planner, one thread of this library at a time, while they are created and
 * destroyed. A program that plans with FFTW in other threads must keep these calls apart, or
 * call fftwf_make_planner_thread_safe. Its memory is allocated by
 * sigrep_create and stays flat after that, save for a list of undecided matches (see
 * docs/DESIGN.md). Callbacks run in the library's floating-point mode (denormals kept); the
 * caller's is restored on return.
 */
#ifndef SIGREP_H
#define SIGREP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SIGREP_API __attribute__((visibility("default")))
#else
#define SIGREP_API
#endif

#define SIGREP_VERSION "0.1.0"

/* The most values (samples x channels) that a template may keep: minutes of audio. */
#define SIGREP_TEMPLATE_MAX_VALUES ((uint64_t)1 << 24)

typedef struct sigrep sigrep;

typedef enum {
    SIGREP_OK = 0,
    SIGREP_STOPPED,       /* a callback returned non-zero */
    SIGREP_NO_MEMORY,     /* an allocation failed or would be absurd */
    SIGREP_BAD_CONFIG,    /* a value of the configuration is out of range */
    SIGREP_BAD_TEMPLATE,  /* too short, too long or not finite */
    SIGREP_BAD_FRONT_END, /* an unknown front end, or arguments that do not fit */
    SIGREP_NO_KERNEL,     /* no such kernel, or not usable on this machine */
    SIGREP_STORE_FAILED,  /* the store of a best-of search failed */
    SIGREP_NO_THRESHOLD,  /* none can be estimated: a template too simple, or beyond float32 */
    SIGREP_DEVICE_MEMORY, /* too little free memory on the GPU */
    SIGREP_DEVICE_FAILED, /* the GPU failed, or was lost */
    SIGREP_BAD_BUNDLE     /* truncated, damaged, of another version, or no bundle at all */
} sigrep_status;

/* What was wrong, in words for a person. `template_index` is SIZE_MAX where no single
 * template is to blame. */
typedef struct {
    size_t template_index;
    char text[160];
} sigrep_error;

/* A template, before the front end. The caller keeps ownership; sigrep_create copies. */
typedef struct {
    const char *label;    /* templates of one label are one class; NULL: "" */
    const float *samples; /* length x channels values */
    uint64_t length;      /* samples */
    uint64_t begin, end;  /* the part to keep, cut after the front end; 0,0: all */
    double threshold;     /* highest score of a match, mean cost per template frame */
    double rate_hz;       /* samples a second; 0: the configuration's template_rate_hz */
    /* Non-zero: whatever threshold says, it is estimated from the template alone, when the
     * searcher is made (docs/SEMANTICS.md); sigrep_get_threshold tells it. */
    int auto_threshold;
    /* Non-zero: samples are frames already, what the front end makes of samples of
     * template_rate_hz: length x frame_dim values; begin, end and rate_hz do not count. */
    size_t frame_dim;
    double length_min, length_max; /* its own length gate; length_max 0: the configuration's */
    size_t min_matches; /* for its label, the largest of those asked for; 0: the configuration's */
} sigrep_template;

/* A match. Pointers are valid during the callback only. */
typedef struct {
    size_t template_index; /* into sigrep_config.templates */
    const char *label;
    uint64_t start, end; /* samples of the input, [start, end) */
    uint64_t final;      /* the number of samples after which it was final */
    double score;        /* D(m,t)/m, mean cost per template frame */
    double threshold;    /* the template's; infinite in a best-of search */
} sigrep_match;

/* Called for each match, in the order in which they become final. Non-zero stops the
 * search: the call in progress returns SIGREP_STOPPED. */
typedef int sigrep_match_fn(void *user, const sigrep_match *match);

/* Called with D(m,t)/m of `n_frames` frames, n_frames x n_templates values, templates
 * interleaved; NaN in gaps. Non-zero stops the search. */
typedef int sigrep_scores_fn(void *user, const float *scores, size_t n_frames);

/* Where a best-of search keeps the frames of its input: append adds n frames at the
 * end, read fetches n frames from frame `first`, clear forgets them all. `dim` floats a
 * frame. Each returns 0, or non-zero on failure. */
typedef struct {
    int (*append)(void *user, const float *frames, size_t n, size_t dim);
    int (*read)(void *user, uint64_t first, float *frames, size_t n, size_t dim);
    int (*clear)(void *user);
    void *user;
} sigrep_store;

typedef struct {
    const sigrep_template *templates;
    size_t n_templates;
    size_t channels; /* values a sample, 1 by default */
    double rate_hz;  /* samples a second of the input, 1 by default */
    /* The rate at which templates and input are compared: what has another is resampled to
     * it before the front end. 0, the default: rate_hz. Positions stay samples of the input,
     * those of a template its own. */
    double template_rate_hz;
    const char *front_end; /* "raw", "znorm=2", "diff+znorm=1", ...; default "raw" */
    double length_min;     /* length gate in template lengths, default 0.5 ... */
    double length_max;     /* ... to 2 */
    size_t min_matches;    /* templates of a label that must agree, default 1 */
    size_t best;           /* 0, or: no threshold, the N best of each input; needs store */
    const sigrep_store *store;
    /* "cpu", "cuda" (the first GPU), "cuda:N", "cuda:all" (all of them share the work), or "auto",
     * the default: the first GPU where there is one and `expected` is worth it, else the CPU,
     * which also takes over where the GPU fails: nothing is lost, and statistics say so. */
    const char *device;
    double expected;    /* samples to come, about; 0, the default: many. Only "auto" looks */
    const char *kernel; /* NULL: the fastest usable, else its name */
    size_t threads;     /* 0: one */
    size_t chunk;       /* most frames that a kernel is given at once; 0: a default */
    sigrep_match_fn *on_match;
    sigrep_scores_fn *on_scores; /* NULL: not wanted */
    void *user;                  /* handed to both callbacks */
} sigrep_config;

typedef struct {
    uint64_t samples;      /* of this input so far, gaps included */
    uint64_t frames;       /* that the kernels saw, all inputs; a gap is one or more */
    uint64_t cells;        /* of the recurrence, all inputs and templates */
    uint64_t cells_traced; /* evaluated again to find starts */
    const char *kernel;    /* the kernel's name, static ... */
    const char *device;    /* ... and what it runs on, "cpu" or "cuda" */
    const char *remark;    /* NULL, or why the CPU took over from the GPU, static */
} sigrep_stats;

/* Fill in the defaults. */
SIGREP_API void sigrep_config_init(sigrep_config *config);

/* Make a searcher. On failure *search is NULL and *error (if given) says what was wrong. Where
 * device is "auto" and the GPU cannot take it, the CPU does, and *error->text says so.
 * The caller destroys it; NULL is allowed there. */
SIGREP_API sigrep_status sigrep_create(sigrep **search, const sigrep_config *config,
                                       sigrep_error *error);
SIGREP_API void sigrep_destroy(sigrep *search);

/* Give it the next n samples (n x channels values, any n). A sample with a value that is
 * not finite is a gap. Matches that became final are called back before it returns. Once it
 * has returned anything but SIGREP_OK, no more of this input is taken: it returns the same
 * again until sigrep_finish. */
SIGREP_API sigrep_status sigrep_push(sigrep *search, const float *samples, size_t n);

/* As sigrep_push, where more follows at once: samples may wait inside for as many as are best
 * evaluated together (sigrep_push_size), beside the caller where the device allows it, so matches
 * are called back by this call or a later one. Events and their order are the same. */
SIGREP_API sigrep_status sigrep_feed(sigrep *search, const float *samples, size_t n);

/* Writes samples [at, at + n) to `to`, counted from the call of sigrep_read, or as many of them as
 * there are. Returns their number; fewer than n means that the input ends there. */
typedef size_t sigrep_read_fn(void *user, float *to, size_t at, size_t n);

/* As sigrep_feed of the next n samples, which `read` gives: the fastest way in from files. Several
 * threads may call `read` at once, each for samples of its own, in any order; all calls end before
 * sigrep_read returns. *got is the number of samples that were taken, below n if the input ended.
 * The first call may allocate a buffer of 2^15 values. */
SIGREP_API sigrep_status sigrep_read(sigrep *search, size_t n, sigrep_read_fn *read, void *user,
                                     size_t *got);

/* So many samples in one push are enough: more at once would hardly make it faster. The
 * kernel is given long spans at once where they come, and a push is computed before it
 * returns, so a program whose samples come in small pieces but fast may gather as many as
 * that, and a live one pushes what there is. Results are the same. */
SIGREP_API size_t sigrep_push_size(const sigrep *search);

/* n samples were lost here. No match spans the gap; positions count on through it. Where
 * scores are wanted, each frame of it is called back as NaN. */
SIGREP_API sigrep_status sigrep_gap(sigrep *search, uint64_t n);

/* The input has ended: decide and call back all that is pending, unless a push failed or
 * was stopped before. The next push begins a new input at sample 0. */
SIGREP_API sigrep_status sigrep_finish(sigrep *search);

SIGREP_API void sigrep_get_stats(const sigrep *search, sigrep_stats *stats);

/* The threshold in use of a template, an index into sigrep_config.templates; infinite in a
 * best-of search. */
SIGREP_API double sigrep_get_threshold(const sigrep *search, size_t template_index);

/*
 * A bundle holds the takes of one or more labels as frames, and all that makes a search for them
 * the same everywhere. In a file (NAME.sigrep) it has the bytes of docs/FORMAT.md.
 *
 *     bundle: front end, rate, channels --> labels: threshold, length gate --> takes: frames
 *
 * sigrep-train and sigrep-calibrate are made of these calls. A bundle belongs to one thread at a
 * time. Strings and frames that it hands out are its own, valid until it is changed or destroyed.
 * A struct that begins with `size` may grow: the caller sets it to the size that it was compiled
 * with. After SIGREP_NO_MEMORY a bundle can only be destroyed.
 */
typedef struct sigrep_bundle sigrep_bundle;

typedef struct {
    size_t size;           /* sizeof(sigrep_bundle_info) */
    const char *front_end; /* as in sigrep_config; NULL: "raw" */
    double rate_hz;  /* samples a second before the front end; 0: frames do not depend on it */
    size_t channels; /* values a sample */
    int is_audio;    /* non-zero: the takes are sounds */
    /* Set by sigrep_bundle_get_info, not read by sigrep_bundle_create: */
    size_t frame_dim; /* values a frame */
    uint64_t hop;     /* samples a frame, rounded up */
    size_t n_labels, n_takes;
} sigrep_bundle_info;

typedef struct {
    size_t size;                   /* sizeof(sigrep_bundle_label) */
    int has_threshold;             /* 0: each take gets an estimate, as by auto_threshold */
    double threshold;              /* >= 0, mean cost per template frame */
    double length_min, length_max; /* length gate in template lengths, 0 <= min <= max <= 64 */
    size_t min_matches;            /* takes that must agree, 1 to n_takes */
    /* Not read by sigrep_bundle_set_label: */
    const char *name;
    size_t n_takes;
    double hours;        /* of background that it was calibrated on; 0: it was not */
    double per_hour;     /* false alarms an hour that were wanted */
    double low, high;    /* 95 % interval of the threshold */
    int is_extrapolated; /* fewer than one false alarm is to be expected in these hours */
} sigrep_bundle_label;

typedef struct {
    size_t size;      /* sizeof(sigrep_bundle_take) */
    const char *name; /* of the recording, such as its file name */
    size_t label;     /* index */
    /* The best score that another take of the label has in this one. Of an average: its mean score
     * in the takes that it stands for. Negative: not known. */
    double peer_score;
    const sigrep_template *frames; /* the take as sigrep_bundle_configure hands it to a search */
} sigrep_bundle_take;

/* An empty bundle. The caller destroys it; NULL is allowed there. SIGREP_BAD_FRONT_END, also if the
 * front end depends on the rate and rate_hz is 0. SIGREP_BAD_CONFIG if channels are not 1 to 4096,
 * or the rate not 0 or 1e-9 to 1e12. */
SIGREP_API sigrep_status sigrep_bundle_create(sigrep_bundle **bundle,
                                              const sigrep_bundle_info *info, sigrep_error *error);
SIGREP_API void sigrep_bundle_destroy(sigrep_bundle *bundle);

/* All bytes of a file into a bundle, each checked. The front end must give the frames that the
 * bundle was made with. SIGREP_BAD_BUNDLE, SIGREP_BAD_FRONT_END. The caller destroys it. */
SIGREP_API sigrep_status sigrep_bundle_read(sigrep_bundle **bundle, const void *bytes, size_t size,
                                            sigrep_error *error);

/* The bytes of its file. They belong to the bundle, until it is written again or destroyed.
 * SIGREP_BAD_BUNDLE if it has no take, or if it grows beyond what a file may hold. */
SIGREP_API sigrep_status sigrep_bundle_write(sigrep_bundle *bundle, const void **bytes,
                                             size_t *size, sigrep_error *error);

/* Add a recorded take: at the bundle's rate, through its front end. Of *take it reads label,
 * samples, length, begin, end, rate_hz (0: the bundle's) and frame_dim. It compares the take with
 * all others of its label, in O(n m^2) for n takes of m frames. SIGREP_BAD_TEMPLATE,
 * SIGREP_BAD_CONFIG if label or name are empty, longer than 4096 bytes or with control
 * characters. */
SIGREP_API sigrep_status sigrep_bundle_add_take(sigrep_bundle *bundle, const char *name,
                                                const sigrep_template *take, sigrep_error *error);

/* Let one average stand for all takes of each label (DTW barycentre averaging: Petitjean,
 * Ketterlin, Gancarski 2011). min_matches becomes 1. SIGREP_NO_MEMORY. */
SIGREP_API sigrep_status sigrep_bundle_average(sigrep_bundle *bundle);

SIGREP_API void sigrep_bundle_get_info(const sigrep_bundle *bundle, sigrep_bundle_info *info);

/* The i-th label or take, in the order in which they were added; takes of a label stand together.
 * SIGREP_BAD_CONFIG if there is none. Setting a label forgets its calibration, as does a new take.
 */
SIGREP_API sigrep_status sigrep_bundle_get_label(const sigrep_bundle *bundle, size_t i,
                                                 sigrep_bundle_label *label);
SIGREP_API sigrep_status sigrep_bundle_set_label(sigrep_bundle *bundle, size_t i,
                                                 const sigrep_bundle_label *label,
                                                 sigrep_error *error);
SIGREP_API sigrep_status sigrep_bundle_get_take(const sigrep_bundle *bundle, size_t i,
                                                sigrep_bundle_take *take);

/* Search for its takes: sets templates, n_templates, front_end, channels and template_rate_hz.
 * The bundle may be destroyed once sigrep_create has returned. */
SIGREP_API void sigrep_bundle_configure(const sigrep_bundle *bundle, sigrep_config *config);

/*
 * A calibration finds the thresholds at which recordings without the labels (background) give
 * a wanted number of false alarms an hour:
 *
 *     sigrep_calibration_create(&calibration, bundle);
 *     for each recording:
 *         config.rate_hz = its rate;
 *         sigrep_calibration_configure(calibration, &config);
 *         sigrep_create, sigrep_push ..., sigrep_finish, sigrep_destroy
 *     for each label: sigrep_calibration_set_threshold(...)
 *
 * It belongs to one thread at a time. The bundle must keep its labels and takes meanwhile. Memory
 * grows with the recordings, by up to 160 bytes for each candidate.
 */
typedef struct sigrep_calibration sigrep_calibration;

typedef struct {
    size_t size;                /* sizeof(sigrep_calibration_result) */
    double rate_low, rate_high; /* 95 % interval of false alarms an hour at the threshold */
    size_t n_candidates;        /* see sigrep_candidate */
} sigrep_calibration_result;

/* A minimum of a label's score in the background: a match, if the threshold is its score. */
typedef struct {
    size_t size; /* sizeof(sigrep_candidate) */
    double score;
    size_t recording; /* from 0, in the order of sigrep_calibration_configure */
    double start_s, end_s;
} sigrep_candidate;

/* SIGREP_NO_MEMORY. The caller destroys it; NULL is allowed there. */
SIGREP_API sigrep_status sigrep_calibration_create(sigrep_calibration **calibration,
                                                   sigrep_bundle *bundle);
SIGREP_API void sigrep_calibration_destroy(sigrep_calibration *calibration);

/* Search the next recording, at config->rate_hz. Sets what sigrep_bundle_configure sets, on_match
 * and user. The search returns SIGREP_STOPPED only if memory runs out. */
SIGREP_API void sigrep_calibration_configure(sigrep_calibration *calibration,
                                             sigrep_config *config);

/* Set the threshold of the i-th label in the bundle, for per_hour > 0 false alarms an hour. hours:
 * the length of all recordings without gaps. *result may be NULL. SIGREP_NO_THRESHOLD, with the
 * reason in *error: too short a background, or one without rare minima. */
SIGREP_API sigrep_status sigrep_calibration_set_threshold(sigrep_calibration *calibration, size_t i,
                                                          double hours, double per_hour,
                                                          sigrep_calibration_result *result,
                                                          sigrep_error *error);

/* The k-th candidate of the i-th label, in no order, once that label's threshold was set or could
 * not be. SIGREP_BAD_CONFIG if there is none. */
SIGREP_API sigrep_status sigrep_calibration_get_candidate(const sigrep_calibration *calibration,
                                                          size_t i, size_t k,
                                                          sigrep_candidate *candidate);

/* The i-th kernel's name, NULL after the last; *usable says whether this machine has
 * what it needs. */
SIGREP_API const char *sigrep_kernel_name(size_t i, int *usable);

SIGREP_API const char *sigrep_status_text(sigrep_status status);

#ifdef __cplusplus
}
#endif
#endif
