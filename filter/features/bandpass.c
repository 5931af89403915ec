/*
 * bandpass=LO-HI - each channel's frequencies from LO to HI Hz, by a Butterworth filter of
 * order 4 at each edge (bandpass.h). Four sections run in double, one after the other:
 *
 *     x --> section --> section --> section --> section --> y
 *
 * Each has the transposed direct form II, with s1 = s2 = 0 at the start of a span:
 *
 *     y = gain x + s1;   s1 = s2 - a1 y;   s2 = -gain x - a2 y
 *
 * From the samples of a span whose first is 1024 or more, the first is subtracted: a constant
 * has no such frequency, but its beginning would be a step. The filter is causal. It delays
 * template and stream alike, by up to a few periods of LO. A result beyond float32's range becomes
 * the largest finite value of its sign.
 *
 * Look-ahead: none. Memory: unbounded, though it fades.
 */
#include "filter/features/bandpass.h"

#include <complex.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "filter/features/stage.h"
#include "filter/state/state.h"
#include "filter/status.h"

/* States below this count as 0: in silence they would fade into denormals, which cost a
 * hundred times as much. */
#define LEAST_STATE 1e-150

typedef struct {
    double s1, s2;
} section_state;

typedef struct {
    size_t dim;
    bandpass_section sections[BANDPASS_SECTIONS];
    int started;                               /* `level` is that of this span */
    double *level;                             /* dim: stage_level of the first sample */
    section_state states[][BANDPASS_SECTIONS]; /* dim; then the memory of `level` */
} bandpass_stage;

/* The '-' between two numbers, not the sign of an exponent. NULL if there is none. */
static const char *find_dash(const char *text)
{
    for (const char *at = text; *at; at++)
        if (*at == '-' && at > text && at[-1] != 'e' && at[-1] != 'E') return at;
    return NULL;
}

static sigrep_status parse_edges(double edges[2], const char *argument, double rate_hz,
                                 sigrep_error *error)
{
    char low[32] = "";
    const char *dash = find_dash(argument);
    const size_t length = dash ? (size_t)(dash - argument) : 0;
    if (length < sizeof low) memcpy(low, argument, length);
    if (!dash || length >= sizeof low || !argument_number(&edges[0], low) ||
        !argument_number(&edges[1], dash + 1))
        return status_fail(error, SIGREP_BAD_FRONT_END,
                           "bandpass=%.40s: LO-HI must be two numbers of Hz, such as 300-3400",
                           argument);
    if (!(edges[0] > 0))
        return status_fail(error, SIGREP_BAD_FRONT_END, "bandpass=%.40s: LO must be greater than 0",
                           argument);
    if (!(edges[0] < edges[1]))
        return status_fail(error, SIGREP_BAD_FRONT_END, "bandpass=%.40s: LO must be less than HI",
                           argument);
    if (!(edges[1] < rate_hz / 2))
        return status_fail(error, SIGREP_BAD_FRONT_END,
                           "bandpass=%.40s: HI must be less than half the rate, %g Hz", argument,
                           rate_hz / 2);
    return SIGREP_OK;
}

static sigrep_status bandpass_create(void **stage, const char *argument, frame_shape in,
                                     frame_shape *out, frame_timing *timing, sigrep_error *error)
{
    double edges[2] = {0};
    const sigrep_status status = parse_edges(edges, argument, in.rate_hz, error);
    if (status != SIGREP_OK) return status;
    bandpass_stage *self = NULL;
    const size_t channel = sizeof *self->states + sizeof *self->level;
    if (in.dim <= (SIZE_MAX - sizeof *self) / channel)
        self = calloc(1, sizeof *self + in.dim * channel);
    if (!self) return status_fail(error, SIGREP_NO_MEMORY, "bandpass: out of memory");
    self->dim = in.dim;
    self->level = (double *)(self->states + in.dim);
    if (!bandpass_design(self->sections, edges[0] / in.rate_hz, edges[1] / in.rate_hz)) {
        free(self);
        return status_fail(
            error, SIGREP_BAD_FRONT_END,
            "bandpass=%.40s: too narrow, or too near 0 or half the rate, for samples "
            "at %g Hz",
            argument, in.rate_hz);
    }
    *stage = self;
    *out = in;
    *timing = (frame_timing){.hop = 1, .memory = UINT64_MAX};
    return SIGREP_OK;
}

static double without_denormals(double state)
{
    return fabs(state) < LEAST_STATE ? 0 : state;
}

static float filter_one(const bandpass_section *sections, section_state *states, double x)
{
    for (size_t i = 0; i < BANDPASS_SECTIONS; i++) {
        const bandpass_section *c = &sections[i];
        section_state *s = &states[i];
        const double scaled = c->gain * x;
        x = scaled + s->s1;
        s->s1 = without_denormals(s->s2 - c->a1 * x);
        s->s2 = without_denormals(-scaled - c->a2 * x);
    }
    return clip_double(x);
}

STAGE_INLINE size_t push(bandpass_stage *self, stage_in in, size_t n, stage_out out)
{
    const size_t dim = self->dim;
    for (size_t k = 0; n && !self->started && k < dim; k++)
        self->level[k] = stage_level(stage_get(in, k));
    self->started |= n > 0;
    for (size_t i = 0; i < n * dim; i += dim)
        for (size_t k = 0; k < dim; k++) {
            const double x = stage_get(in, i + k) - self->level[k];
            stage_put(out, i + k, filter_one(self->sections, self->states[k], x));
        }
    return n;
}

static size_t bandpass_push(void *stage, const float *in, size_t n, float *out)
{
    const stage_in from = {.floats = in};
    const stage_out to = {.floats = out};
    return push(stage, from, n, to);
}

static size_t bandpass_push_doubles(void *stage, const double *in, size_t n, double *out)
{
    const stage_in from = {.doubles = in};
    const stage_out to = {.doubles = out};
    return push(stage, from, n, to);
}

static size_t bandpass_flush(void *stage, double *out)
{
    bandpass_stage *self = stage;
    (void)out;
    self->started = 0;
    memset(self->states, 0, self->dim * sizeof *self->states);
    return 0;
}

static void bandpass_pass_state(void *stage, state_bytes *st)
{
    bandpass_stage *self = stage;
    state_int_flag(st, &self->started);
    if (!self->started) return;
    state_doubles(st, self->level, self->dim);
    for (size_t k = 0; k < self->dim; k++)
        for (size_t i = 0; i < BANDPASS_SECTIONS; i++) {
            state_doubles(st, &self->states[k][i].s1, 1);
            state_doubles(st, &self->states[k][i].s2, 1);
        }
}

const stage_ops stage_bandpass = {
    .name = "bandpass",
    .argument = "LO-HI",
    .argument_required = 1,
    .create = bandpass_create,
    .push = bandpass_push,
    .push_doubles = bandpass_push_doubles,
    .flush_doubles = bandpass_flush,
    .pass_state = bandpass_pass_state,
    .destroy = free,
};

/* The section for one analogue pole, by the bilinear transform. `centre` is w0 as a point z
 * of the unit circle. */
static bandpass_section make_section(double complex analogue, double complex centre)
{
    const double complex pole = (2 + analogue) / (2 - analogue);
    bandpass_section s = {.a1 = -2 * creal(pole), .a2 = creal(pole * conj(pole))};
    const double complex z_inverse = 1 / centre;
    s.gain =
        cabs(1 + s.a1 * z_inverse + s.a2 * z_inverse * z_inverse) / cabs(1 - z_inverse * z_inverse);
    return s;
}

/* |H| at frequency f, as a fraction of the rate. */
static double gain_at(const bandpass_section *sections, double f)
{
    const double complex z_inverse = cexp(-2 * acos(-1.) * I * f);
    double complex h = 1;
    for (size_t i = 0; i < BANDPASS_SECTIONS; i++) {
        const bandpass_section *s = &sections[i];
        h *= s->gain * (1 - z_inverse * z_inverse) /
             (1 + s->a1 * z_inverse + s->a2 * z_inverse * z_inverse);
    }
    return cabs(h);
}

/* Are all poles inside the unit circle, and the edges in their places? Near 0 and half the
 * rate rounding moves a pole at angle w by up to 2^-53 / w. */
static int is_sound(const bandpass_section *sections, double low, double high)
{
    for (size_t i = 0; i < BANDPASS_SECTIONS; i++) {
        const bandpass_section *s = &sections[i];
        if (!(s->a2 < 1 - 2e-10 && fabs(s->a1) < 1 + s->a2)) return 0;
    }
    return fabs(gain_at(sections, low) - sqrt(0.5)) < 0.01 &&
           fabs(gain_at(sections, high) - sqrt(0.5)) < 0.01;
}

int bandpass_design(bandpass_section sections[BANDPASS_SECTIONS], double low, double high)
{
    const double pi = acos(-1.);
    const double from = 2 * tan(pi * low), to = 2 * tan(pi * high);
    const double square = from * to;
    const double complex centre = (2 + I * sqrt(square)) / (2 - I * sqrt(square));
    size_t n = 0;
    /* Low-pass poles of the upper half plane. Their conjugates give the conjugate poles, which
     * each section has already. */
    for (int k = 0; k < 2; k++) {
        const double complex half = cexp(I * (pi * (2 * k + 5) / 8)) * ((to - from) / 2);
        const double complex apart = csqrt(half * half - square);
        sections[n++] = make_section(half + apart, centre);
        sections[n++] = make_section(half - apart, centre);
    }
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && sections[j].a2 < sections[j - 1].a2; j--) {
            const bandpass_section moved = sections[j];
            sections[j] = sections[j - 1];
            sections[j - 1] = moved;
        }
    return is_sound(sections, low, high);
}
