/*
 * resample=HZ - each channel at another rate, by libsoxr: its HQ recipe, linear phase.
 * docs/lab/audio-input.md explains the choice of this library, and measures it.
 *
 *     samples --> block --> libsoxr --> burst --> waiting --> frames, each when it is due
 *
 * Output frame j lies at input time j * in / out exactly, in input samples. in / out is a
 * fraction of whole numbers, and the filter's delay is removed. A span of n samples gives the
 * ceil(n * out / in) frames that lie before its end. Before and after the span all is 0.
 *
 * Any cutting gives the same bits: libsoxr gets BLOCK samples at a time, counted from the start
 * of the span, and every block asks for output in the same way.
 *
 * libsoxr transforms many samples at once, so its output comes in bursts, and these decide the
 * look-ahead. `create` measures it over many bursts of zeros. Then every frame waits exactly
 * that long. No sample farther away has any influence, so memory is twice the look-ahead (and
 * a hop).
 *
 * This stage allocates after create. libsoxr's buffers grow during the first blocks. At the
 * first sample after a gap a new libsoxr state replaces the old one, which takes tens of
 * microseconds: libsoxr cannot clear a state in place. If that fails, `failed` returns 1.
 *
 * Samples are clipped to +-1e30, so that no sum overflows. libsoxr's gain ripples by 1e-7, so that
 * a constant of 1e8 would come out with steps of 10. If the first sample of a span is 1024 or more,
 * libsoxr gets the differences from it, and frames are their sums in double.
 */
#include "filter/features/resample.h"

#include <math.h>
#include <soxr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/features/stage.h"
#include "filter/status.h"

enum {
    BLOCK = 64,   /* samples into libsoxr at once */
    BURST = 1024, /* frames out of libsoxr at once */
};
static const float LARGEST = 1e30f;

typedef struct {
    size_t dim;
    double in_hz, out_hz;
    frame_timing timing;  /* hop / per = in / out */
    soxr_t soxr;          /* NULL if hop == per: the rate does not change */
    int stale;            /* soxr holds the state of another span */
    int failed;           /* out of memory */
    uint64_t n_in, n_out; /* samples and frames of this span */
    size_t filled;        /* samples in `block` */
    float *block;         /* BLOCK x dim */
    float *burst;         /* BURST x dim */
    size_t n_waiting;     /* frames that are not yet due */
    size_t capacity;      /* the most that may wait */
    float *waiting;       /* capacity x dim */
    double *level;        /* dim: stage_level of the span's first sample ... */
    int has_level;        /* ... which is not 0 in every channel */
} resample_stage;

static soxr_t make_soxr(double in_hz, double out_hz, size_t dim, const char **wrong)
{
    const soxr_io_spec_t io = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
    /* The precise clock matters for ratios whose terms are too large for libsoxr's tables. */
    const soxr_quality_spec_t quality = soxr_quality_spec(SOXR_HQ, SOXR_HI_PREC_CLOCK);
    soxr_runtime_spec_t runtime = soxr_runtime_spec(1);
    runtime.log2_min_dft_size = runtime.log2_large_dft_size = 8; /* for the shortest delay */
    soxr_error_t error = NULL;
    soxr_t made = soxr_create(in_hz, out_hz, (unsigned)dim, &error, &io, &quality, &runtime);
    *wrong = error ? error : "out of memory";
    return made;
}

sigrep_status resample_hop(rational *hop, double from_hz, double to_hz, sigrep_error *error)
{
    rational from, to;
    if (!rational_from_double(&from, from_hz) || !rational_from_double(&to, to_hz) ||
        !rational_divide(hop, from, to))
        return status_fail(error, SIGREP_BAD_FRONT_END,
                           "from %.15g Hz to %.15g Hz: rates must be fractions with a denominator "
                           "up to %d",
                           from_hz, to_hz, (int)RATIONAL_MAX_DEN);
    if (hop->num / RESAMPLE_MAX_FACTOR > hop->den || hop->den / RESAMPLE_MAX_FACTOR > hop->num ||
        fmax(from_hz / to_hz, to_hz / from_hz) > RESAMPLE_MAX_FACTOR)
        return status_fail(error, SIGREP_BAD_FRONT_END,
                           "from %.9g Hz to %.9g Hz: more than a factor of %d", from_hz, to_hz,
                           RESAMPLE_MAX_FACTOR);
    return SIGREP_OK;
}

char *resample_spec(const char *stages, double from_hz, double to_hz)
{
    if (from_hz == to_hz) return strdup(stages);
    char hz[ARGUMENT_PRINTED];
    argument_print(hz, to_hz);
    const size_t size = strlen("resample=+") + strlen(hz) + strlen(stages) + 1;
    char *spec = malloc(size);
    if (spec) snprintf(spec, size, "resample=%s+%s", hz, stages);
    return spec;
}

/* Frames that begin before sample n. */
static uint64_t frames_before(const resample_stage *self, uint64_t n)
{
    return timing_frames_covering(&self->timing, n);
}

/* Measure how long a frame must wait after its own samples: the longest wait over zeros, as many as
 * 8 times that wait. In a stream a burst may begin elsewhere in a block, and a frame elsewhere
 * between samples. So a block and two hops are added. */
static sigrep_status measure_look_ahead(resample_stage *self, sigrep_error *error)
{
    const char *wrong;
    soxr_t probe = make_soxr(self->in_hz, self->out_hz, 1, &wrong);
    if (!probe)
        return status_fail(error, SIGREP_NO_MEMORY, "resample=%.9g: %s", self->out_hz, wrong);
    const float zeros[BLOCK] = {0};
    uint64_t taken = 0, given = 0, most = 0;
    while (taken < 8 * most + (1 << 12)) {
        size_t got = BURST;
        taken += BLOCK;
        const int64_t lag = (int64_t)taken - timing_edge(&self->timing, given + 1);
        if (lag > (int64_t)most) most = (uint64_t)lag;
        soxr_process(probe, zeros, BLOCK, NULL, self->burst, BURST, &got);
        for (given += got; got == BURST; given += got) got = soxr_output(probe, self->burst, BURST);
    }
    soxr_delete(probe);
    const uint64_t hop = (uint64_t)timing_edge(&self->timing, 1);
    self->timing.look_ahead = most + BLOCK + 2 * hop;
    self->timing.memory = 2 * self->timing.look_ahead + hop;
    return SIGREP_OK;
}

static void resample_destroy(void *stage)
{
    resample_stage *self = stage;
    if (!self) return;
    if (self->soxr) soxr_delete(self->soxr);
    free(self->block);
    free(self->burst);
    free(self->waiting);
    free(self->level);
    free(self);
}

static sigrep_status allocate(resample_stage *self, sigrep_error *error)
{
    self->level = calloc(self->dim, sizeof *self->level);
    self->block = calloc(self->dim, BLOCK * sizeof *self->block);
    self->burst = calloc(self->dim, BURST * sizeof *self->burst);
    if (!self->level || !self->block || !self->burst || self->dim > UINT32_MAX)
        return status_fail(error, SIGREP_NO_MEMORY, "resample: out of memory");
    sigrep_status status = measure_look_ahead(self, error);
    if (status != SIGREP_OK) return status;
    self->capacity = (size_t)frames_before(self, self->timing.look_ahead + 2 * BLOCK) + 2;
    self->waiting = calloc(self->dim, self->capacity * sizeof *self->waiting);
    if (!self->waiting) return status_fail(error, SIGREP_NO_MEMORY, "resample: out of memory");
    const char *wrong;
    self->soxr = make_soxr(self->in_hz, self->out_hz, self->dim, &wrong);
    return self->soxr
               ? SIGREP_OK
               : status_fail(error, SIGREP_NO_MEMORY, "resample=%.9g: %s", self->out_hz, wrong);
}

static sigrep_status parse_rate(double *hz, rational *hop, const char *argument, double in_hz,
                                sigrep_error *error)
{
    if (!argument_number(hz, argument))
        return status_fail(error, SIGREP_BAD_FRONT_END, "resample=%.40s: HZ must be a number",
                           argument);
    if (!(*hz > 0) || !isfinite(*hz))
        return status_fail(error, SIGREP_BAD_FRONT_END,
                           "resample=%.40s: HZ must be greater than 0 and finite", argument);
    sigrep_error why = {.text = ""};
    const sigrep_status status = resample_hop(hop, in_hz, *hz, &why);
    return status ? status_fail(error, status, "resample=%.40s: %s", argument, why.text) : status;
}

static sigrep_status resample_create(void **stage, const char *argument, frame_shape in,
                                     frame_shape *out, frame_timing *timing, sigrep_error *error)
{
    double hz;
    rational hop = {1, 1};
    sigrep_status status = parse_rate(&hz, &hop, argument, in.rate_hz, error);
    if (status != SIGREP_OK) return status;
    resample_stage *self = calloc(1, sizeof *self);
    if (!self) return status_fail(error, SIGREP_NO_MEMORY, "resample: out of memory");
    *self = (resample_stage){.dim = in.dim, .in_hz = in.rate_hz, .out_hz = hz};
    self->timing = (frame_timing){.hop = hop.num, .per = hop.den, .memory = 1};
    if (hop.num != hop.den) status = allocate(self, error);
    if (status != SIGREP_OK) {
        resample_destroy(self);
        return status;
    }
    *stage = self;
    *out = (frame_shape){.dim = in.dim, .rate_hz = hz};
    *timing = self->timing;
    return SIGREP_OK;
}

/* Append the first `frames` of the burst to those that wait. There is room, since no frame
 * comes before its samples. */
static void enqueue(resample_stage *self, size_t frames)
{
    if (frames > self->capacity - self->n_waiting) frames = self->capacity - self->n_waiting;
    memcpy(self->waiting + self->n_waiting * self->dim, self->burst,
           frames * self->dim * sizeof *self->burst);
    self->n_waiting += frames;
}

/* Push the full block through libsoxr. */
static void run_block(resample_stage *self)
{
    size_t got = 0;
    self->filled = 0;
    if (soxr_process(self->soxr, self->block, BLOCK, NULL, self->burst, BURST, &got)) {
        self->failed = 1;
        return;
    }
    enqueue(self, got);
    while (got == BURST) {
        got = soxr_output(self->soxr, self->burst, BURST);
        enqueue(self, got);
    }
}

/* Write the waiting frames before number `end`. Returns how many. */
static size_t release(resample_stage *self, uint64_t end, double *out)
{
    size_t n = self->n_waiting;
    if (end <= self->n_out) return 0;
    if (n > end - self->n_out) n = (size_t)(end - self->n_out);
    for (size_t i = 0; i < n * self->dim; i++) out[i] = (double)self->waiting[i];
    for (size_t i = 0; self->has_level && i < n * self->dim; i++)
        out[i] += self->level[i % self->dim];
    self->n_waiting -= n;
    memmove(self->waiting, self->waiting + n * self->dim,
            self->n_waiting * self->dim * sizeof *self->waiting);
    self->n_out += n;
    return n;
}

/* The first frame that is not due: its own samples ended less than the look-ahead ago. */
static uint64_t first_not_due(const resample_stage *self)
{
    if (self->n_in < self->timing.look_ahead) return 0;
    return timing_frames_within(&self->timing, self->n_in - self->timing.look_ahead);
}

/* A new state of libsoxr, for the first samples after a flush. */
static void restart(resample_stage *self)
{
    const char *wrong;
    soxr_delete(self->soxr);
    self->soxr = make_soxr(self->in_hz, self->out_hz, self->dim, &wrong);
    self->stale = self->failed = !self->soxr;
}

/* The frames of n samples and of all that may wait. */
static size_t resample_max_frames(const void *stage, size_t n)
{
    const resample_stage *self = stage;
    uint64_t samples;
    if (self->timing.hop == self->timing.per) return n;
    if (__builtin_add_overflow(self->timing.look_ahead, n, &samples)) return SIZE_MAX;
    const uint64_t frames = frames_before(self, samples);
    return frames > SIZE_MAX - 2 ? SIZE_MAX : (size_t)frames + 2;
}

/* This is the first sample of the span. */
static void begin_span(resample_stage *self, const double *first)
{
    self->has_level = 0;
    for (size_t k = 0; k < self->dim; k++) {
        self->level[k] = stage_level(first[k]);
        self->has_level |= self->level[k] != 0;
    }
}

/* Put n samples into the block. */
static void fill(resample_stage *self, const double *in, size_t n)
{
    float *to = self->block + self->filled * self->dim;
    if (!self->has_level)
        for (size_t i = 0; i < n * self->dim; i++) to[i] = clip((float)in[i], LARGEST);
    else
        for (size_t i = 0; i < n * self->dim; i++)
            to[i] = clip((float)(in[i] - self->level[i % self->dim]), LARGEST);
}

static size_t resample_push(void *stage, const double *in, size_t n, double *out)
{
    resample_stage *self = stage;
    size_t frames = 0;
    if (n == 0) return 0;
    if (self->timing.hop == self->timing.per) {
        memcpy(out, in, n * self->dim * sizeof *out);
        return n;
    }
    if (self->stale) restart(self);
    if (self->n_in == 0) begin_span(self, in);
    while (n > 0 && !self->failed) {
        const size_t space = BLOCK - self->filled, now = n < space ? n : space;
        fill(self, in, now);
        in += now * self->dim;
        self->filled += now;
        self->n_in += now;
        if (self->filled == BLOCK) run_block(self);
        frames += release(self, first_not_due(self), out + frames * self->dim);
        n -= now;
    }
    return frames;
}

/* Zeros push the last frames out of libsoxr. */
static size_t resample_flush(void *stage, double *out)
{
    resample_stage *self = stage;
    const uint64_t end = frames_before(self, self->n_in);
    uint64_t blocks = self->timing.look_ahead / BLOCK + 2;
    if (self->n_in == 0) return 0;
    size_t frames = release(self, end, out);
    while (self->n_out < end && blocks-- > 0 && !self->failed) {
        float *at = self->block + self->filled * self->dim;
        memset(at, 0, (BLOCK - self->filled) * self->dim * sizeof *at);
        run_block(self);
        frames += release(self, end, out + frames * self->dim);
    }
    self->n_in = self->n_out = 0;
    self->filled = self->n_waiting = 0;
    self->stale = 1;
    return frames;
}

static int resample_failed(const void *stage)
{
    const resample_stage *self = stage;
    return self->failed;
}

const stage_ops stage_resample = {
    .name = "resample",
    .argument = "HZ",
    .argument_required = 1,
    .keeps_level = 1,
    .create = resample_create,
    .push_doubles = resample_push,
    .flush_doubles = resample_flush,
    .max_frames = resample_max_frames,
    .destroy = resample_destroy,
    .failed = resample_failed,
};
