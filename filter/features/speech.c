/*
 * speech - frames for words in noise: roots of energies, cleaned of the noise that lies under
 * them, and above all how they change; the less stands out from the noise, the shorter; and a mark
 * of digital silence. K = 76 values a channel, every 10 ms.
 *
 *     E_b(t) = energies in 26 mel bands (mel.h), from 0 Hz to half the rate, at most 4000 Hz
 *     S_b(t) = (E_b(t-2) + E_b(t-1) + ... + E_b(t+2)) / 5
 *     N_b(t) = min of S_b(t-25) ... S_b(t+10)                               (Martin 2001)
 *     G_b(t) = max(S_b(t) - 1.5 N_b(t), 0.2 S_b(t)) / S_b(t);      zero where that is 0
 *     r_b(t) = (S_b(t) (G_b-1(t) + G_b(t) + G_b+1(t)) / 3)^0.1
 *     c_i(t) = s_i sum over b of r_b(t) cos(pi i (b + 1/2) / 26),  i = 0 ... 12
 *              s_0 = sqrt(1/26), else sqrt(2/26): the orthonormal DCT-II
 *     d_i(t) = sum over k = 1, 2, 3 of k (c_i(t+k) - c_i(t-k)) / 28         (Furui 1986)
 *     z(t)   = (c_1 ... c_12, d_0 ... d_12), each by its constant: speech_constants.h
 *     w(t)   = sum over b of max(S_b(t) - 1.5 N_b(t), 0) / sum over b of S_b(t)
 *     l(t)   = (0.05 + 0.95 (w(t-6) + ... + w(t+6)) / 13)^0.15
 *     q(t)   = 1 where S_b(t) is 0 in every band, else 0
 *     v(t)   = 2 (q(t-6) + ... + q(t+6)) / 13
 *     out(t) = l(t) (z(t-6), z(t), z(t+6)) / its Euclidean length, zeros where that is 0; v(t)
 *
 * Where t + k or b +- 1 lies outside the frames of the stretch or the bands, the first or last one
 * stands for it. Sums over frames and over all bands are in double in the written order, but that
 * of q, which is exact; E, S, G, r, c, w, l, v, the vector of unit length and out are rounded to
 * float32.
 *
 * A gain multiplies all z by one factor, and so changes nothing but the last bits: no mean is
 * taken off, a root has no floor as a logarithm has, and w is a ratio. Nothing depends on the
 * template, or on what lies farther back than the stated memory. What each choice is worth:
 * docs/RESULTS.md.
 *
 * v is for zeros without any noise, as a muted microphone or a noise gate gives them. All else of
 * a frame is 0 there, and zeros are nearer to a word, 6.2, than other words are. By v they are
 * farther from it than noise is, 8.2. Where there is no such silence v is 0 and counts for nothing.
 *
 * Frames and what they own are those of spectrum.h. Look-ahead: 21 frames more, 217.5 ms in all;
 * memory: 36 frames behind, 21 before, 595 ms and one sample.
 */
#include <math.h>
#include <stdlib.h>

#include "filter/features/cepstra.h"
#include "filter/features/mel.h"
#include "filter/features/speech_constants.h"
#include "filter/features/stages.h"
#include "filter/features/unit_length.h"

/* The telephone's band: words sound alike at any rate from 8000 Hz on. */
#define TOP_HZ 4000.0
#define POWER 0.1f
#define NOISE_TAKEN 1.5f
#define LEAST_KEPT 0.2f
#define LEAST_CLEAR 0.05
#define LENGTH_POWER 0.15
#define SILENCE 2

enum {
    BANDS = 26,
    PADDED = 28, /* to whole vectors */
    CEPSTRA = 13,
    VALUES = 2 * CEPSTRA - 1, /* c without c_0, then the slopes */
    STACKED = 3,
    STACK_STEP = 6,
    SLOPE_REACH = 3,
    SMOOTH_REACH = 2,
    CLEAR_REACH = 6,              /* of w and of q; less than SLOPED_REACH */
    FRAME = STACKED * VALUES + 1, /* values a channel */
    NOISE_BACK = 25,
    NOISE_AHEAD = 10,
    SLOPED_REACH = STACK_STEP + SLOPE_REACH, /* cepstra on either side that a frame looks at */
    AHEAD = SLOPED_REACH + NOISE_AHEAD + SMOOTH_REACH,
    BACK = SLOPED_REACH + NOISE_BACK + SMOOTH_REACH,
    KEPT = 64 /* frames in the rings, at least AHEAD + BACK + 1 */
};

typedef struct {
    float energies[PADDED], smooth[PADDED]; /* E and S; zeros behind the bands */
    float c[CEPSTRA];
    float clear;  /* w */
    float silent; /* q */
} speech_frame;

typedef struct {
    mel_spectra mel;
    size_t channels;
    double dct[BANDS][CEPSTRA];
    speech_frame *ring; /* KEPT x channels: of frame t at t % KEPT */
    /* Frames of this stretch that have E, S and c, and that are given out. */
    uint64_t made, smoothed, cleaned, given;
    float *out; /* where the next frame goes */
} speech_stage;

static void speech_destroy(void *stage)
{
    speech_stage *self = stage;
    if (!self) return;
    mel_spectra_destroy(&self->mel);
    free(self->ring);
    free(self);
}

static void make_dct(speech_stage *self)
{
    for (int b = 0; b < BANDS; b++)
        for (int i = 0; i < CEPSTRA; i++) self->dct[b][i] = cepstra_weight(i, b, BANDS);
}

static feature_timing timing_of(const speech_stage *self)
{
    feature_timing timing = spectrum_timing(self->mel.spectra);
    timing.look_ahead += AHEAD * timing.hop;
    timing.memory += (uint64_t)(AHEAD + BACK) * timing.hop;
    return timing;
}

static sigrep_status speech_create(void **stage, const char *argument, feature_shape in,
                                   feature_shape *out, feature_timing *timing, sigrep_error *error)
{
    (void)argument;
    size_t dim;
    speech_stage *self = calloc(1, sizeof *self);
    if (self && !__builtin_mul_overflow(in.dim, (size_t)FRAME, &dim))
        self->ring = calloc(in.dim, KEPT * sizeof *self->ring);
    if (!self || !self->ring) {
        speech_destroy(self);
        return status_fail(error, SIGREP_NO_MEMORY, "speech: out of memory");
    }
    self->channels = in.dim;
    make_dct(self);
    sigrep_status status = mel_spectra_create(&self->mel, "speech", BANDS, in, TOP_HZ, error);
    if (status != SIGREP_OK) {
        speech_destroy(self);
        return status;
    }
    *stage = self;
    *timing = timing_of(self);
    *out = (feature_shape){.dim = dim, .rate_hz = in.rate_hz / (double)timing->hop};
    return SIGREP_OK;
}

static speech_frame *frame_of(const speech_stage *self, uint64_t t, size_t channel)
{
    return &self->ring[(size_t)(t % KEPT) * self->channels + channel];
}

/* Frame t + k, of those from 0 to the last one made. */
static uint64_t neighbour(const speech_stage *self, uint64_t t, int k)
{
    return cepstra_neighbour(self->made, t, k);
}

/* S of frame t. */
static void smooth(speech_stage *self, uint64_t t, size_t channel)
{
    const float *near[2 * SMOOTH_REACH + 1];
    float *restrict out = frame_of(self, t, channel)->smooth;
    for (int k = -SMOOTH_REACH; k <= SMOOTH_REACH; k++)
        near[k + SMOOTH_REACH] = frame_of(self, neighbour(self, t, k), channel)->energies;
    for (size_t b = 0; b < PADDED; b++) {
        double sum = 0;
        for (int k = 0; k <= 2 * SMOOTH_REACH; k++) sum += (double)near[k][b];
        out[b] = (float)(sum / (2 * SMOOTH_REACH + 1));
    }
}

/* N of frame t. */
static void find_noise(const speech_stage *self, uint64_t t, size_t channel, float noise[PADDED])
{
    const uint64_t last = neighbour(self, t, NOISE_AHEAD);
    for (size_t b = 0; b < PADDED; b++) noise[b] = INFINITY;
    for (uint64_t u = neighbour(self, t, -NOISE_BACK); u <= last; u++) {
        const float *now = frame_of(self, u, channel)->smooth;
        for (size_t b = 0; b < PADDED; b++) noise[b] = now[b] < noise[b] ? now[b] : noise[b];
    }
}

/* G of frame t, in kept[1] to kept[BANDS], its ends once more on either side; w and q. The loop
 * over PADDED is one of whole vectors. */
static void find_kept(speech_stage *self, uint64_t t, size_t channel, float kept[PADDED + 2])
{
    speech_frame *frame = frame_of(self, t, channel);
    float noise[PADDED], above[PADDED];
    double clear = 0, all = 0;
    find_noise(self, t, channel, noise);
    for (size_t b = 0; b < PADDED; b++) {
        const float energy = frame->smooth[b], less = energy - NOISE_TAKEN * noise[b];
        const float least = LEAST_KEPT * energy;
        kept[b + 1] = (less > least ? less : least) / (energy > 0 ? energy : 1);
        above[b] = less > 0 ? less : 0;
    }
    for (size_t b = 0; b < BANDS; b++) {
        clear += (double)above[b];
        all += (double)frame->smooth[b];
    }
    kept[0] = kept[1];
    kept[BANDS + 1] = kept[BANDS];
    kept[PADDED + 1] = 0;
    frame->clear = all > 0 ? (float)(clear / all) : 0;
    frame->silent = all > 0 ? 0 : 1;
}

/* c, w and q of frame t. */
static void clean(speech_stage *self, uint64_t t, size_t channel)
{
    speech_frame *frame = frame_of(self, t, channel);
    float kept[PADDED + 2], cleaned[PADDED];
    double sums[CEPSTRA] = {0};
    find_kept(self, t, channel, kept);
    for (size_t b = 0; b < PADDED; b++)
        cleaned[b] = frame->smooth[b] * ((kept[b] + kept[b + 1] + kept[b + 2]) / 3);
    for (size_t b = 0; b < BANDS; b++) {
        const double root = (double)powf(cleaned[b], POWER);
        for (size_t i = 0; i < CEPSTRA; i++) sums[i] += self->dct[b][i] * root;
    }
    for (size_t i = 0; i < CEPSTRA; i++) frame->c[i] = (float)sums[i];
}

/* z of frame t. */
static void describe(const speech_stage *self, uint64_t t, size_t channel, double z[VALUES])
{
    const float *at = frame_of(self, t, channel)->c;
    double slopes[CEPSTRA] = {0};
    for (int k = 1; k <= SLOPE_REACH; k++) {
        const float *after = frame_of(self, neighbour(self, t, k), channel)->c;
        const float *before = frame_of(self, neighbour(self, t, -k), channel)->c;
        for (size_t i = 0; i < CEPSTRA; i++)
            slopes[i] += k * ((double)after[i] - (double)before[i]);
    }
    for (size_t i = 1; i < CEPSTRA; i++) z[i - 1] = (double)at[i] * speech_scale[i - 1];
    for (size_t i = 0; i < CEPSTRA; i++)
        z[CEPSTRA - 1 + i] = slopes[i] / 28 * speech_scale[CEPSTRA - 1 + i];
}

/* l of frame t. */
static float length_of(const speech_stage *self, uint64_t t, size_t channel)
{
    double sum = 0;
    for (int k = -CLEAR_REACH; k <= CLEAR_REACH; k++)
        sum += (double)frame_of(self, neighbour(self, t, k), channel)->clear;
    return (float)pow(LEAST_CLEAR + (1 - LEAST_CLEAR) * (sum / (2 * CLEAR_REACH + 1)),
                      LENGTH_POWER);
}

/* v of frame t. */
static float silence_of(const speech_stage *self, uint64_t t, size_t channel)
{
    float sum = 0;
    for (int k = -CLEAR_REACH; k <= CLEAR_REACH; k++)
        sum += frame_of(self, neighbour(self, t, k), channel)->silent;
    return SILENCE * sum / (2 * CLEAR_REACH + 1);
}

/* out of frame t, all channels. */
static void give(speech_stage *self, uint64_t t)
{
    for (size_t k = 0; k < self->channels; k++) {
        double z[STACKED * VALUES];
        for (int s = 0; s < STACKED; s++)
            describe(self, neighbour(self, t, (s - 1) * STACK_STEP), k, z + s * VALUES);
        unit_length(z, STACKED * VALUES, self->out);
        const float length = length_of(self, t, k);
        for (size_t i = 0; i < (size_t)STACKED * VALUES; i++) self->out[i] *= length;
        self->out[STACKED * VALUES] = silence_of(self, t, k);
        self->out += FRAME;
    }
}

/* All that can be made of the energies that are there; `ended`: no more of them will come. */
static void work(speech_stage *self, int ended)
{
    const size_t n = self->channels;
    for (; self->smoothed + (ended ? 0 : SMOOTH_REACH) < self->made; self->smoothed++)
        for (size_t k = 0; k < n; k++) smooth(self, self->smoothed, k);
    for (; self->cleaned + (ended ? 0 : NOISE_AHEAD) < self->smoothed; self->cleaned++)
        for (size_t k = 0; k < n; k++) clean(self, self->cleaned, k);
    for (; self->given + (ended ? 0 : SLOPED_REACH) < self->cleaned; self->given++)
        give(self, self->given);
}

static void take(void *user, size_t channel, const double *power)
{
    speech_stage *self = user;
    mel_energies(self->mel.bank, power, frame_of(self, self->made, channel)->energies);
    if (channel + 1 < self->channels) return;
    self->made++;
    work(self, 0);
}

static size_t speech_push(void *stage, const float *in, size_t n, float *out)
{
    speech_stage *self = stage;
    const uint64_t before = self->given;
    self->out = out;
    spectrum_push(self->mel.spectra, in, n, take, self);
    return (size_t)(self->given - before);
}

static size_t speech_flush(void *stage, float *out)
{
    speech_stage *self = stage;
    const uint64_t before = self->given;
    self->out = out;
    spectrum_flush(self->mel.spectra, take, self);
    work(self, 1);
    const size_t frames = (size_t)(self->given - before);
    self->made = self->smoothed = self->cleaned = self->given = 0;
    return frames;
}

static int speech_is_silence(const void *stage, const float *frame)
{
    const speech_stage *self = stage;
    for (size_t k = 0; k < self->channels; k++)
        if (!(frame[k * FRAME + STACKED * VALUES] > SILENCE / 2.f)) return 0;
    return 1;
}

static size_t speech_max_frames(const void *stage, size_t n)
{
    return spectrum_max_frames(((const speech_stage *)stage)->mel.spectra, n) + AHEAD;
}

const feature_ops feature_speech = {
    .name = "speech",
    .unrelated = 5.6 / FRAME, /* 5.6 a channel: docs/RESULTS.md, "Thresholds" */

    .create = speech_create,
    .push = speech_push,
    .flush = speech_flush,
    .max_frames = speech_max_frames,
    .destroy = speech_destroy,
    .is_silence = speech_is_silence,
};
