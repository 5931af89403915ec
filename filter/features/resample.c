/*
 * resample=HZ - the same signal at another rate, each channel by itself, by libsoxr (its HQ
 * recipe, linear phase: docs/RESULTS.md, "Resampling", says why this library and how good).
 *
 * Output frame j lies at input time j * in / out exactly, in units of input samples: the
 * filter's delay is taken out, and in / out is a fraction of whole numbers. A stretch of n
 * samples gives the ceil(n * out / in) frames that lie before its end; what would follow the
 * end is taken to be 0. Each stretch begins afresh, with 0 before it.
 *
 * The same bits for any cutting: libsoxr gets BLOCK samples at a time, counted from the start
 * of the stretch, and is asked for its output in the same way each time. Its transforms of
 * many samples make its output come in bursts; the look-ahead, which those decide, is
 * measured when a stage is made, over many bursts of a run with zeros. A frame is held back
 * until then, so that the stated look-ahead is exactly kept. No sample further away than that
 * has any influence, so memory is twice the look-ahead.
 *
 * Memory stays flat, but not untouched: libsoxr's buffers grow during the first blocks, and
 * at the first sample after a gap its state is made anew (tens of microseconds), since
 * libsoxr has no call that clears it in place. `failed` tells if that did not work out.
 *
 * Values beyond +-1e30 are clipped to that, so that no sum overflows.
 */
#include "filter/features/resample.h"

#include <math.h>
#include <soxr.h>
#include <stdlib.h>
#include <string.h>

#include "filter/features/argument.h"
#include "filter/features/stages.h"

enum {
    BLOCK = 64,   /* samples given to libsoxr at once */
    BURST = 1024, /* frames fetched from it at once */
};
static const float LARGEST = 1e30f;

typedef struct {
    size_t dim;
    double in_hz, out_hz;
    feature_timing timing; /* hop / per = in / out */
    soxr_t soxr;           /* NULL while hop == per: the rate does not change */
    int stale;             /* soxr has seen another stretch */
    int failed;            /* out of memory */
    uint64_t taken, given; /* samples and frames of this stretch */
    size_t filled;         /* samples in the block */
    float *block;          /* BLOCK x dim */
    float *burst;          /* BURST x dim */
    size_t held, room;     /* frames that wait for their time, and how many may */
    float *waiting;        /* room x dim */
} resample_stage;

static soxr_t make_soxr(double in_hz, double out_hz, size_t dim, const char **wrong)
{
    const soxr_io_spec_t io = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
    /* The clock counts where the ratio has terms too large for libsoxr's tables. */
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
    if (!rational_of(&from, from_hz) || !rational_of(&to, to_hz) || !rational_divide(hop, from, to))
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

/* Frames that begin before sample n. */
static uint64_t frames_before(const resample_stage *self, uint64_t n)
{
    return timing_frames(&self->timing, n);
}

/* How long a frame is waited for, after its own samples: run zeros through until what was
 * seen is the smaller part of the run. Where a burst begins within a block, and a frame's
 * samples within a sample, may be worse than what was seen: hence a block and two hops more. */
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
    free(self);
}

static sigrep_status fill_in(resample_stage *self, sigrep_error *error)
{
    self->block = calloc(self->dim, BLOCK * sizeof *self->block);
    self->burst = calloc(self->dim, BURST * sizeof *self->burst);
    if (!self->block || !self->burst || self->dim > UINT32_MAX)
        return status_fail(error, SIGREP_NO_MEMORY, "resample: out of memory");
    sigrep_status status = measure_look_ahead(self, error);
    if (status != SIGREP_OK) return status;
    self->room = (size_t)frames_before(self, self->timing.look_ahead + 2 * BLOCK) + 2;
    self->waiting = calloc(self->dim, self->room * sizeof *self->waiting);
    if (!self->waiting) return status_fail(error, SIGREP_NO_MEMORY, "resample: out of memory");
    const char *wrong;
    self->soxr = make_soxr(self->in_hz, self->out_hz, self->dim, &wrong);
    return self->soxr
               ? SIGREP_OK
               : status_fail(error, SIGREP_NO_MEMORY, "resample=%.9g: %s", self->out_hz, wrong);
}

static sigrep_status hertz_of(double *hz, rational *hop, const char *argument, double in_hz,
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

static sigrep_status resample_create(void **stage, const char *argument, feature_shape in,
                                     feature_shape *out, feature_timing *timing,
                                     sigrep_error *error)
{
    double hz;
    rational hop = {1, 1};
    sigrep_status status = hertz_of(&hz, &hop, argument, in.rate_hz, error);
    if (status != SIGREP_OK) return status;
    resample_stage *self = calloc(1, sizeof *self);
    if (!self) return status_fail(error, SIGREP_NO_MEMORY, "resample: out of memory");
    *self = (resample_stage){.dim = in.dim, .in_hz = in.rate_hz, .out_hz = hz};
    self->timing = (feature_timing){.hop = hop.num, .per = hop.den, .memory = 1};
    if (hop.num != hop.den) status = fill_in(self, error);
    if (status != SIGREP_OK) {
        resample_destroy(self);
        return status;
    }
    *stage = self;
    *out = (feature_shape){.dim = in.dim, .rate_hz = hz};
    *timing = self->timing;
    return SIGREP_OK;
}

/* The first `frames` of the burst wait from now on; there is room, since none comes before its
 * samples. */
static void hold(resample_stage *self, size_t frames)
{
    if (frames > self->room - self->held) frames = self->room - self->held;
    memcpy(self->waiting + self->held * self->dim, self->burst,
           frames * self->dim * sizeof *self->burst);
    self->held += frames;
}

/* The block, full, through libsoxr. */
static void run_block(resample_stage *self)
{
    size_t got = 0;
    self->filled = 0;
    if (soxr_process(self->soxr, self->block, BLOCK, NULL, self->burst, BURST, &got)) {
        self->failed = 1;
        return;
    }
    hold(self, got);
    while (got == BURST) {
        got = soxr_output(self->soxr, self->burst, BURST);
        hold(self, got);
    }
}

/* Frames below number `end` leave. Returns how many. */
static size_t release(resample_stage *self, uint64_t end, float *out)
{
    size_t n = self->held;
    if (end <= self->given) return 0;
    if (n > end - self->given) n = (size_t)(end - self->given);
    memcpy(out, self->waiting, n * self->dim * sizeof *out);
    self->held -= n;
    memmove(self->waiting, self->waiting + n * self->dim, self->held * self->dim * sizeof *out);
    self->given += n;
    return n;
}

/* The first frame that is not due: its own samples end less than the look-ahead ago. */
static uint64_t first_not_due(const resample_stage *self)
{
    if (self->taken < self->timing.look_ahead) return 0;
    return timing_frames_before(&self->timing, self->taken - self->timing.look_ahead);
}

/* The first samples after a flush: libsoxr afresh. */
static void restart(resample_stage *self)
{
    const char *wrong;
    soxr_delete(self->soxr);
    self->soxr = make_soxr(self->in_hz, self->out_hz, self->dim, &wrong);
    self->stale = self->failed = !self->soxr;
}

static float clipped(float x)
{
    return x > LARGEST ? LARGEST : x < -LARGEST ? -LARGEST : x;
}

/* Room for what is waited for, and for what n samples bring. */
static size_t resample_max_frames(const void *stage, size_t n)
{
    const resample_stage *self = stage;
    uint64_t samples;
    if (self->timing.hop == self->timing.per) return n;
    if (__builtin_add_overflow(self->timing.look_ahead, n, &samples)) return SIZE_MAX;
    const uint64_t frames = frames_before(self, samples);
    return frames > SIZE_MAX - 2 ? SIZE_MAX : (size_t)frames + 2;
}

static size_t resample_push(void *stage, const float *in, size_t n, float *out)
{
    resample_stage *self = stage;
    size_t frames = 0;
    if (n == 0) return 0;
    if (self->timing.hop == self->timing.per) {
        memcpy(out, in, n * self->dim * sizeof *out);
        return n;
    }
    if (self->stale) restart(self);
    while (n > 0 && !self->failed) {
        const size_t space = BLOCK - self->filled, now = n < space ? n : space;
        float *at = self->block + self->filled * self->dim;
        for (size_t i = 0; i < now * self->dim; i++) at[i] = clipped(in[i]);
        self->filled += now;
        self->taken += now;
        if (self->filled == BLOCK) run_block(self);
        frames += release(self, first_not_due(self), out + frames * self->dim);
        in += now * self->dim;
        n -= now;
    }
    return frames;
}

/* Zeros push out what lies before the end. */
static size_t resample_flush(void *stage, float *out)
{
    resample_stage *self = stage;
    const uint64_t end = frames_before(self, self->taken);
    uint64_t blocks = self->timing.look_ahead / BLOCK + 2;
    if (self->taken == 0) return 0;
    size_t frames = release(self, end, out);
    while (self->given < end && blocks-- > 0 && !self->failed) {
        float *at = self->block + self->filled * self->dim;
        memset(at, 0, (BLOCK - self->filled) * self->dim * sizeof *at);
        run_block(self);
        frames += release(self, end, out + frames * self->dim);
    }
    self->taken = self->given = 0;
    self->filled = self->held = 0;
    self->stale = 1;
    return frames;
}

static int resample_failed(const void *stage)
{
    const resample_stage *self = stage;
    return self->failed;
}

const feature_ops feature_resample = {
    .name = "resample",
    .argument = "HZ",
    .argument_required = 1,
    .create = resample_create,
    .push = resample_push,
    .flush = resample_flush,
    .max_frames = resample_max_frames,
    .destroy = resample_destroy,
    .failed = resample_failed,
};
