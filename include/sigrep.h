/*
 * sigrep.h - grep for signals: the whole library, but for strings in texts (sigrep_text.h).
 *
 * A search compares a stream of samples with templates by subsequence dynamic time warping, and
 * calls back with every match. docs/SEMANTICS.md defines a match.
 *
 *     templates, config --> sigrep_create --> sigrep_push --> sigrep_finish --> sigrep_destroy
 *                                               +-- on_match, on_scores --+
 *
 *     sigrep_template beat = {.size = sizeof beat, .samples = x, .length = m, .threshold = 0.1};
 *     sigrep_config config;
 *     sigrep *search;
 *     sigrep_config_init(&config, sizeof config);
 *     config.templates = &beat;
 *     config.n_templates = 1;
 *     config.on_match = print_it;
 *     if (sigrep_create(&search, &config, NULL) == SIGREP_OK) {
 *         while ((n = read_samples(y)) > 0) sigrep_push(search, y, n);
 *         sigrep_finish(search);
 *         sigrep_destroy(search);
 *     }
 *
 * A sample is `channels` values, interleaved: floats, or doubles. Doubles keep their digits in
 * front ends that take differences or means (diff, znorm, envelope, bandpass, resample); all others
 * round them to float32 first (sigrep_wants_doubles). The same values give the same results as
 * either. Sounds lie within -1 and 1: divide 16-bit integers by 32768. Positions count samples from
 * the start of the input. Intervals are half-open. No result depends on the size of the pushes, on
 * the kernel, the device or the number of threads.
 *
 * Threads: one thread at a time may use a search; different searches are independent. Front ends
 * with spectra call FFTW's planner in sigrep_create, sigrep_destroy and calls of bundles, under a
 * lock of this library. A program that plans with FFTW itself calls fftwf_make_planner_thread_safe
 * first. A search on a GPU makes that the current CUDA device of the calling thread.
 *
 * Memory: sigrep_create allocates it. After that only the list of pending matches may grow, and
 * sigrep_get_path needs memory for its path, sigrep_save for its state, sigrep_read for its buffer.
 * A best-of search allocates with its matches, most of it in sigrep_finish, and libsoxr after each
 * gap. The library never prints and never exits. Its globals are that lock; whether it has begun
 * the CUDA runtime, and a lock for it; and which GPU is the next of "cuda:all".
 * Libraries below it check less: without memory FFTW prints an assertion and aborts in
 * sigrep_create, and libsoxr may crash. A program that must outlive that gives them an allocator
 * that does not fail.
 *
 * Versions: a struct with a field `size` may grow at its end. The program sets `size` to the sizeof
 * that it was compiled with. The library gives fields beyond `size` their defaults, so old programs
 * keep working. sigrep_create refuses a larger struct unless the fields that it does not know are
 * zero; calls of bundles ignore them. sigrep_match, which the library makes, may grow too. All
 * other structs stay as they are.
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

/* The version of the library, which may differ from this header's SIGREP_VERSION. Static. */
SIGREP_API const char *sigrep_version(void);

/* The most values (samples x channels) that a template may keep: minutes of audio. */
#define SIGREP_TEMPLATE_MAX_VALUES ((uint64_t)1 << 24)

typedef struct sigrep sigrep;

typedef enum {
    SIGREP_OK = 0,
    SIGREP_STOPPED,       /* a callback returned non-zero */
    SIGREP_NO_MEMORY,     /* an allocation failed, or would be absurdly large */
    SIGREP_BAD_CONFIG,    /* a value is missing or out of range */
    SIGREP_BAD_TEMPLATE,  /* too short, too long or not finite */
    SIGREP_BAD_FRONT_END, /* unknown front end, or arguments that do not fit */
    SIGREP_NO_KERNEL,     /* no kernel of this name, or not usable on this machine */
    SIGREP_STORE_FAILED,  /* the store of a best-of search failed */
    SIGREP_NO_THRESHOLD,  /* none can be estimated: the template is too simple or too large */
    SIGREP_DEVICE_MEMORY, /* too little free memory on the GPU */
    SIGREP_DEVICE_FAILED, /* the GPU failed or was lost */
    SIGREP_BAD_BUNDLE,    /* truncated, damaged, of another version, or no bundle at all */
    SIGREP_BAD_STATE /* the same of a state; or of another configuration, or a gap came too early */
} sigrep_status;

SIGREP_API const char *sigrep_status_text(sigrep_status status);

/* Why a call failed: a message for a person. */
typedef struct {
    size_t template_index; /* of the template that is wrong; SIZE_MAX: none is */
    char text[160];
} sigrep_error;

/* A template. The caller owns it; sigrep_create copies. */
typedef struct {
    size_t size;          /* sizeof(sigrep_template) */
    const char *label;    /* matches of one label compete; NULL: "" */
    const float *samples; /* length x channels values */
    uint64_t length;      /* samples */
    uint64_t begin, end;  /* the samples to keep, cut after the front end; 0, 0: all */
    double threshold;     /* highest score of a match, mean cost per template frame */
    double rate_hz;       /* 0: the configuration's template_rate_hz */
    /* Non-zero: estimate the threshold before the first sample. Then `threshold`, if above 0, is
     * the highest that it may be. */
    int auto_threshold;
    /* Non-zero: `samples` are frames of frame_dim values, made by the front end at
     * template_rate_hz. `length` counts frames; begin, end and rate_hz are ignored. */
    size_t frame_dim;
    double length_min, length_max; /* length gate; length_max 0: the configuration's */
    size_t min_matches;            /* of its label, the largest counts; 0: the configuration's */
    /* Its usual lowest score in foreign speech of its own length, > 0. 0: not known; then a search
     * of sounds measures it if it needs it. */
    double level;
    /* length x channels values in place of `samples`; NULL, or with frame_dim: `samples` count. */
    const double *doubles;
} sigrep_template;

/* A match. Pointers are valid during the callback only. */
typedef struct {
    size_t template_index; /* into sigrep_config.templates */
    const char *label;
    uint64_t start, end; /* samples of the input, [start, end) */
    uint64_t final;      /* the number of samples after which the match was final */
    double score;        /* D(m,t)/m, mean cost per template frame */
    double threshold;    /* of the template; infinite in a best-of search */
    double margin;       /* 1 - score / level of the template; NaN: no level is known */
} sigrep_match;

/* Called for each match, in the order in which matches become final. Non-zero stops the search:
 * the call in progress returns SIGREP_STOPPED. Callbacks run with denormals enabled; each call of
 * the library restores the caller's floating-point mode. on_match and on_scores may ask their
 * search for paths, statistics, thresholds and levels. They must not destroy it; a call that
 * would change it returns SIGREP_BAD_CONFIG and does nothing. */
typedef int sigrep_match_fn(void *user, const sigrep_match *match);

/* A pair of the warping path of a match: a frame of the template and a frame of the stream. The
 * costs of all pairs, added as float from the first to the last, are D(m,t), bit for bit. */
typedef struct {
    uint64_t template_frame; /* from 0 */
    uint64_t match_frame;    /* from 0, the first frame of the match */
    uint64_t start, end;     /* samples of the input that this frame stands for, [start, end) */
    float cost;              /* the distance of both frames */
} sigrep_pair;

/* Called with D(m,t)/m of n_frames frames: n_frames x n_templates values, templates interleaved,
 * NaN in gaps. Non-zero stops the search. */
typedef int sigrep_scores_fn(void *user, const float *scores, size_t n_frames);

/* Asked every few milliseconds of long work, by any thread of the search, perhaps by several at
 * once. Non-zero stops the search: the call in progress soon returns SIGREP_STOPPED. Matches that
 * it has not called back are lost. A best-of search has called back its best matches, and no others
 * follow. */
typedef int sigrep_stop_fn(void *user);

/* The frames of an input, which a best-of search reads again. A frame has `dim` values. Each
 * function returns 0, or non-zero on failure. */
typedef struct {
    int (*append)(void *user, const float *frames, size_t n, size_t dim);
    int (*read)(void *user, uint64_t first, float *frames, size_t n, size_t dim);
    int (*clear)(void *user); /* forget all frames */
    void *user;
} sigrep_store;

typedef struct {
    size_t size;                      /* set by sigrep_config_init */
    const sigrep_template *templates; /* all of one `size` */
    size_t n_templates;
    sigrep_match_fn *on_match;
    sigrep_scores_fn *on_scores; /* NULL: not wanted */
    void *user;                  /* the first argument of the callbacks */
    size_t channels;             /* values a sample; default 1 */
    double rate_hz;              /* of the input, samples a second; default 1 */
    /* The rate at which templates and input are compared; 0, the default: rate_hz. Samples of
     * another rate are resampled before the front end. Positions stay samples of the input. libsoxr
     * reads variables SOXR_... when a search is created; SOXR_USE_SIMD=0 changes last digits. */
    double template_rate_hz;
    const char *front_end; /* "raw", the default, "znorm=2", "diff+znorm=1", ... */
    double length_min;     /* length gate in template lengths; default 0.5 */
    double length_max;     /* default 2 */
    size_t min_matches;    /* templates of a label that must agree; default 1 */
    size_t best; /* N: no threshold, the N best of each label in an input; needs a store; 0: off */
    const sigrep_store *store;
    /* "cpu", "cuda" (the first GPU), "cuda:N", "cuda:all" (the GPUs in turn, one for each search of
     * the process), or "auto", the default: the first GPU if there is one and `expected` is worth
     * it. With "auto" the CPU takes over from a GPU that fails; no match is lost. */
    const char *device;
    double expected;             /* number of samples to come, for "auto"; 0, the default: many */
    const char *kernel;          /* NULL, the default: the fastest usable */
    size_t threads;              /* 0: one; more pay if pushes are long or templates many */
    size_t chunk;                /* most frames that a kernel gets at once; 0: chosen */
    sigrep_stop_fn *should_stop; /* NULL, the default: never */
    /* Non-zero: sigrep_get_path works. Then the search keeps the frames of all matches that are not
     * called back yet: twice the longest match; with several templates, 11 times the longest. */
    int paths;
    /* Non-zero: the margin of each match of sounds (by "speech", say) is known. Levels that are not
     * given are measured by sigrep_create: some milliseconds a template, and tens for the first. It
     * does so in any case for estimated thresholds, and in a best-of search. */
    int margins;
} sigrep_config;

typedef struct {
    size_t size;           /* sizeof(sigrep_stats), set by the caller */
    uint64_t samples;      /* of this input so far, gaps included */
    uint64_t frames;       /* of all inputs; a gap is one or more */
    uint64_t cells;        /* of the cost matrix, for all inputs and templates */
    uint64_t cells_traced; /* computed again to find starts */
    const char *kernel;    /* in use; static */
    const char *device;    /* of that kernel, "cpu" or "cuda"; static */
    const char *remark;    /* why the CPU took over from the GPU, static; NULL: it did not */
} sigrep_stats;

/* Fill in the defaults. size: sizeof(sigrep_config). */
SIGREP_API void sigrep_config_init(sigrep_config *config, size_t size);

/* Make a search; the caller destroys it. On failure *search is NULL, and *error, if given, holds
 * the reason. If "auto" falls back to the CPU, the status is SIGREP_OK and error->text is the
 * reason. */
SIGREP_API sigrep_status sigrep_create(sigrep **search, const sigrep_config *config,
                                       sigrep_error *error);
SIGREP_API void sigrep_destroy(sigrep *search); /* NULL is allowed */

/* Search the next n samples (n x channels values). A sample with a value that is not finite is a
 * gap. Matches that became final are called back before it returns. If it returns anything but
 * SIGREP_OK, it takes no more of this input and returns the same until sigrep_finish. */
SIGREP_API sigrep_status sigrep_push(sigrep *search, const float *samples, size_t n);

/* As sigrep_push, if more samples follow at once. A GPU may search them while the caller reads on,
 * and threads may search them beside the next ones, so matches may come with a later call. They and
 * their order are the same. */
SIGREP_API sigrep_status sigrep_feed(sigrep *search, const float *samples, size_t n);

/* As sigrep_push and sigrep_feed, of doubles. A value that float32 cannot hold, even rounded, is
 * not finite here. Floats and doubles may follow each other. */
SIGREP_API sigrep_status sigrep_push_doubles(sigrep *search, const double *samples, size_t n);
SIGREP_API sigrep_status sigrep_feed_doubles(sigrep *search, const double *samples, size_t n);

/* Non-zero: doubles may give other results than the same values rounded to float32. */
SIGREP_API int sigrep_wants_doubles(const sigrep *search);

/* Writes samples [at, at + n) to `to`, or as many of them as there are; `at` counts from the call
 * of sigrep_read. Returns their number; fewer than n means that the input ends there. */
typedef size_t sigrep_read_fn(void *user, float *to, size_t at, size_t n);

/* As sigrep_feed of the next n samples, fetched by `read`: the fastest way in from files. Several
 * threads may call `read` at once, for different samples and in any order. All of these calls end
 * before sigrep_read returns. *got is the number of samples taken, below n if the input ended. The
 * first call may allocate 2^15 values, or 2^22 if threads share the front end. */
SIGREP_API sigrep_status sigrep_read(sigrep *search, size_t n, sigrep_read_fn *read, void *user,
                                     size_t *got);

/* The size of a push, in samples, above which throughput stops improving. A program that reads
 * files may gather as many samples. A live program pushes at once what it has. */
SIGREP_API size_t sigrep_push_size(const sigrep *search);

/* A gap: n samples are missing here. No match spans it, and positions count on through it. Scores
 * of its frames are NaN. SIGREP_BAD_CONFIG, and nothing changes, if the input would have 2^63
 * samples or more. */
SIGREP_API sigrep_status sigrep_gap(sigrep *search, uint64_t n);

/* The input has ended: call back the matches that are pending, unless a push failed or was stopped.
 * The next push begins a new input at sample 0. */
SIGREP_API sigrep_status sigrep_finish(sigrep *search);

/* The warping path of a match, to be called in its on_match: *n pairs from the first frames to the
 * last ones. From a pair to the next, either frame or both go on by one. The search owns the pairs;
 * they are valid until the next call or the end of the callback. It takes O(m n) time and O(m + n)
 * memory for m and n frames. SIGREP_BAD_CONFIG outside of on_match, or if the configuration did not
 * ask for paths. SIGREP_NO_MEMORY, SIGREP_STOPPED by should_stop, SIGREP_STORE_FAILED,
 * SIGREP_BAD_STATE if the match comes from a state that was forged. */
SIGREP_API sigrep_status sigrep_get_path(sigrep *search, const sigrep_pair **pairs, size_t *n);

/*
 * A state is what a search must know of the samples that it has taken, as bytes: to go on from them
 * later, in another process, with another kernel, device or number of threads.
 *
 *     search:   samples 0 ... n  --> sigrep_save --> state
 *     another:  state --> sigrep_resume --> samples n ...  --> all that the first would call back
 *
 * Nothing is missing and nothing comes twice: matches, their times, paths and scores are those of a
 * search that was never interrupted, bit for bit.
 */

/* Write the state. First it searches all samples that were taken, and calls back the matches that
 * this makes final. *state: *size bytes, owned by the search until its next sigrep_save or its end.
 * A few bytes for each template, label group and stage; more if matches are pending or scores or
 * paths are wanted (docs/DESIGN.md, "States"). SIGREP_BAD_CONFIG in a callback, in a best-of search
 * and after sigrep_begin_at, SIGREP_NO_MEMORY; after a push that failed or was stopped, the status
 * of that push. *error, if given, holds the reason. */
SIGREP_API sigrep_status sigrep_save(sigrep *search, const void **state, size_t *size,
                                     sigrep_error *error);

/* Go on from a state, in a search that has taken no sample of its input yet. The same version of
 * the library made it, with the same templates, thresholds, labels, gates, min_matches, levels,
 * front end, rates and channels, and the same wish for scores and paths. The next sample to be
 * pushed is number *from of the input: as many as the saved search had taken. If the front end
 * resamples, it is the first one after the last gap; the samples up to the saved place are pushed
 * again, without a gap, and call back nothing.
 *
 * If samples were lost since then, call sigrep_gap next: as every gap, it makes the pending matches
 * final. SIGREP_BAD_STATE, with the reason in *error; the search is as before.
 * SIGREP_BAD_CONFIG if it has taken samples, after sigrep_begin_at, and in a best-of search. After
 * SIGREP_NO_MEMORY, or an error of a device, the search takes no more of this input. */
SIGREP_API sigrep_status sigrep_resume(sigrep *search, const void *state, size_t size,
                                       uint64_t *from, sigrep_error *error);

/* Begin an input in its middle, before its first push: search as if it began at sample `position`,
 * but with the frames that all of it would give if it had no gap before *from. The next sample is
 * number *from of the input, at or before `position`, since front ends look back.
 * SIGREP_BAD_FRONT_END if the front end looks back for ever (bandpass, resample). SIGREP_BAD_CONFIG
 * in a best-of search, with on_scores, after a sample, or if `position` is 2^62 or more. *error, if
 * given, holds the reason. */
SIGREP_API sigrep_status sigrep_begin_at(sigrep *search, uint64_t position, uint64_t *from,
                                         sigrep_error *error);

/* Have two searches of one configuration joined, which began at different samples of one input and
 * have taken all others up to the same one? *joined non-zero: from now on both call back the same
 * matches. Both search first what they have taken, and may call back. SIGREP_BAD_CONFIG if they are
 * at different samples or have other numbers of templates, in a best-of search, and if the front
 * end looks back for ever. SIGREP_NO_MEMORY, and what a push may fail with. */
SIGREP_API sigrep_status sigrep_has_joined(sigrep *search, sigrep *other, int *joined);

/* Fill in *stats, whose `size` is set. */
SIGREP_API void sigrep_get_stats(const sigrep *search, sigrep_stats *stats);

/* The threshold of a template in use; infinite in a best-of search, NaN if there is no such
 * template. */
SIGREP_API double sigrep_get_threshold(const sigrep *search, size_t template_index);

/* The level of a template in use; 0: not known, or no such template. */
SIGREP_API double sigrep_get_level(const sigrep *search, size_t template_index);

/* The name of the i-th kernel; NULL after the last. *usable, if given: can this machine run it? */
SIGREP_API const char *sigrep_kernel_name(size_t i, int *usable);

/*
 * A bundle holds the takes of one or more labels as frames, and all that makes a search for them
 * the same everywhere. In a file (NAME.sigrep) it has the bytes of docs/FORMAT.md.
 *
 *     bundle: front end, rate, channels --> labels: threshold, length gate --> takes: frames
 *
 * One thread at a time may use a bundle. It owns the strings and frames that its calls return; they
 * are valid until it is changed or destroyed. After SIGREP_NO_MEMORY a bundle can only be
 * destroyed.
 */
typedef struct sigrep_bundle sigrep_bundle;

typedef struct {
    size_t size;           /* sizeof(sigrep_bundle_info) */
    const char *front_end; /* as in sigrep_config; NULL: "raw" */
    double rate_hz;  /* samples a second before the front end; 0: frames do not depend on it */
    size_t channels; /* values a sample */
    int is_audio;    /* non-zero: the takes are sounds */
    /* sigrep_bundle_get_info sets these, sigrep_bundle_create ignores them. */
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
    /* sigrep_bundle_get_label sets these, sigrep_bundle_set_label ignores them. */
    const char *name;
    size_t n_takes;
    double hours;        /* of background that it was calibrated on; 0: not calibrated */
    double per_hour;     /* false alarms an hour that were wanted */
    double low, high;    /* 95 % interval of the threshold; foreign speech counts as exact */
    int is_extrapolated; /* fewer than one false alarm is to be expected in these hours */
    /* Estimates and calibrations give no higher threshold; 0: no bound. sigrep_bundle_set_label
     * reads it. */
    double ceiling;
} sigrep_bundle_label;

typedef struct {
    size_t size;      /* sizeof(sigrep_bundle_take) */
    const char *name; /* of the recording, such as its file name */
    size_t label;     /* index */
    /* The best score that another take of the label has in this one; for an average, its mean score
     * in the takes that it stands for. Negative: not known. */
    double peer_score;
    const sigrep_template *frames; /* the take as sigrep_bundle_configure hands it to a search */
    double level;                  /* as in sigrep_template */
} sigrep_bundle_take;

/* Make an empty bundle. The caller destroys it; NULL is allowed there. SIGREP_BAD_FRONT_END, also
 * if rate_hz is 0 and the front end depends on the rate. SIGREP_BAD_CONFIG if channels are not 1 to
 * 4096, or the rate is not 0 or 1e-9 to 1e12. */
SIGREP_API sigrep_status sigrep_bundle_create(sigrep_bundle **bundle,
                                              const sigrep_bundle_info *info, sigrep_error *error);
SIGREP_API void sigrep_bundle_destroy(sigrep_bundle *bundle);

/* Make a bundle from all bytes of its file. Every value is checked. The front end must still give
 * the frames that it gave when the bundle was made. SIGREP_BAD_BUNDLE, SIGREP_BAD_FRONT_END. The
 * caller destroys the bundle. */
SIGREP_API sigrep_status sigrep_bundle_read(sigrep_bundle **bundle, const void *bytes, size_t size,
                                            sigrep_error *error);

/* The bytes of its file. The bundle owns them, until it is written again or destroyed.
 * SIGREP_BAD_BUNDLE if it has no take, or is larger than a file may be. */
SIGREP_API sigrep_status sigrep_bundle_write(sigrep_bundle *bundle, const void **bytes,
                                             size_t *size, sigrep_error *error);

/* Add a recorded take, at the bundle's rate and through its front end. The call reads label,
 * samples, length, begin, end, rate_hz (0: the bundle's) and frame_dim of *take, and doubles if
 * `size` says that they are there. It compares the take with all others of its label, in O(n m^2)
 * for n takes of m frames. It measures the level of a sound. SIGREP_BAD_TEMPLATE, also if the rate
 * is not a finite number above 0. SIGREP_BAD_CONFIG if the label or the name is NULL or empty, is
 * longer than 4096 bytes or has control characters. */
SIGREP_API sigrep_status sigrep_bundle_add_take(sigrep_bundle *bundle, const char *name,
                                                const sigrep_template *take, sigrep_error *error);

/* Let one average stand for all takes of each label (DTW barycentre averaging: Petitjean,
 * Ketterlin, Gancarski 2011). min_matches becomes 1. SIGREP_NO_MEMORY. */
SIGREP_API sigrep_status sigrep_bundle_average(sigrep_bundle *bundle);

SIGREP_API void sigrep_bundle_get_info(const sigrep_bundle *bundle, sigrep_bundle_info *info);

/* The i-th label or take, in the order in which they were added; takes of a label stand together.
 * SIGREP_BAD_CONFIG if there is none. Setting a label, or adding a take, drops its calibration. */
SIGREP_API sigrep_status sigrep_bundle_get_label(const sigrep_bundle *bundle, size_t i,
                                                 sigrep_bundle_label *label);
SIGREP_API sigrep_status sigrep_bundle_set_label(sigrep_bundle *bundle, size_t i,
                                                 const sigrep_bundle_label *label,
                                                 sigrep_error *error);
SIGREP_API sigrep_status sigrep_bundle_get_take(const sigrep_bundle *bundle, size_t i,
                                                sigrep_bundle_take *take);

/* Configure a search for the takes: set templates, n_templates, front_end, channels and
 * template_rate_hz. The bundle may be destroyed once sigrep_create has returned. */
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
 * If all takes of a label have levels, and need not agree, foreign speech is known as half an hour
 * of background before the first recording.
 *
 * One thread at a time may use a calibration. The bundle must keep its labels and takes meanwhile.
 * Memory grows with the recordings, by up to 160 bytes for each candidate.
 */
typedef struct sigrep_calibration sigrep_calibration;

typedef struct {
    size_t size;                /* sizeof(sigrep_calibration_result) */
    double rate_low, rate_high; /* 95 % interval of false alarms an hour at the threshold */
    size_t n_candidates;        /* see sigrep_candidate */
    double alone;               /* the threshold that the recordings alone would give */
    double in_speech; /* false alarms an hour to expect in foreign speech; negative: not known */
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

/* Configure the search of the next recording, at config->rate_hz: set the fields that
 * sigrep_bundle_configure sets, on_match and user. The search returns SIGREP_STOPPED only if memory
 * runs out. */
SIGREP_API void sigrep_calibration_configure(sigrep_calibration *calibration,
                                             sigrep_config *config);

/* Set the threshold of the i-th label in the bundle, for per_hour > 0 false alarms an hour. `hours`
 * is the length of all recordings without gaps. `result` may be NULL. SIGREP_NO_THRESHOLD, with the
 * reason in *error, if the background is too short or has no rare minima. */
SIGREP_API sigrep_status sigrep_calibration_set_threshold(sigrep_calibration *calibration, size_t i,
                                                          double hours, double per_hour,
                                                          sigrep_calibration_result *result,
                                                          sigrep_error *error);

/* The k-th candidate of the i-th label, in no order. To be called after
 * sigrep_calibration_set_threshold for that label. SIGREP_BAD_CONFIG if there is none. */
SIGREP_API sigrep_status sigrep_calibration_get_candidate(const sigrep_calibration *calibration,
                                                          size_t i, size_t k,
                                                          sigrep_candidate *candidate);

#ifdef __cplusplus
}
#endif
#endif
