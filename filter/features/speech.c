/*
 * speech - frames for words in noise: 77 values a channel, every 10 ms.
 *
 *     E energies --> S smoothed --> less N, the noise --> r roots --> c cepstra --> z with slopes
 *                    |              |                                               |
 *                    |              +--> w: share that is not noise --> l, length --> y --> u
 *                    +--> q: is all of it 0? --> v, mark of silence -------------------> v
 *
 *     E_b(t) = energies in 26 mel bands (mel.h), from 0 Hz to half the rate, at most 4000 Hz
 *     S_b(t) = (E_b(t-2) + E_b(t-1) + ... + E_b(t+2)) / 5
 *     N_b(t) = min of S_b(t-25) ... S_b(t+10)                               (Martin 2001)
 *     G_b(t) = max(S_b(t) - 1.5 N_b(t), 0.2 S_b(t)) / S_b(t);      0 if S_b(t) is 0
 *     r_b(t) = (S_b(t) (G_b-1(t) + G_b(t) + G_b+1(t)) / 3)^0.1
 *     c_i(t) = s_i sum over b of r_b(t) cos(pi i (b + 1/2) / 26),  i = 0 ... 12
 *              s_0 = sqrt(1/26), else sqrt(2/26): the orthonormal DCT-II
 *     d_i(t) = sum over k = 1, 2, 3 of k (c_i(t+k) - c_i(t-k)) / 28         (Furui 1986)
 *     z(t)   = (c_1 ... c_12, d_0 ... d_12), each by its constant: cepstra.h
 *     w(t)   = sum over b of max(S_b(t) - 1.5 N_b(t), 0) / sum over b of S_b(t);  0 if that is 0
 *     l(t)   = (0.05 + 0.95 (w(t-6) + ... + w(t+6)) / 13)^0.15
 *     q(t)   = 1 if S_b(t) is 0 in every band, else 0
 *     v(t)   = 2 (q(t-6) + ... + q(t+6)) / 13
 *     y(t)   = l(t) (z(t-6), z(t), z(t+6)) / its Euclidean length, zeros if that is 0
 *     u(t)   = 0.3 max(6 - d(t), 0),  d(t) = least L1 distance of y(t) to a centre of
 *              common_frames.s8
 *     out(t) = y(t), v(t), u(t)
 *
 * If t + k lies outside the span, its first or last frame takes that place; likewise b +- 1 and
 * the bands. Sums over frames and over all bands are in double in the written order, but the
 * sum of q is exact in float32. E, S, G, r, c, w, l, v, the vector of unit length and out are
 * rounded to float32; d is summed in float32.
 *
 * A gain changes only last bits. It multiplies all z by one factor, because no mean is
 * subtracted and a root, unlike a logarithm, has no floor; w is a ratio. A frame depends on
 * neither the template nor anything beyond the stated memory. docs/lab/speech.md
 * measures how much each choice gains.
 *
 * v marks zeros without any noise, as a muted microphone or a noise gate gives them. y of such a
 * frame is 0, which lies nearer to a word (6.2) than other words do. With v it lies farther (8.2,
 * and 9.5 with u) than noise does. Otherwise v is 0 (docs/lab/audio-input.md).
 *
 * u raises the cost of sounds that all speech has: in a template it is 0, so each pair of frames
 * costs u(t) more. Thresholds hold for more noises and voices then (docs/lab/speech.md).
 *
 * spectrum.h defines which samples a frame owns. Look-ahead: 21 frames more than there, 217.5 ms
 * in all. Memory: 36 frames back and 21 ahead, 595 ms and one sample.
 */
#include <math.h>
#include <stdlib.h>

#include "filter/features/cepstra.h"
#include "filter/features/mel.h"
#include "filter/features/stage.h"
#include "filter/state/state.h"
#include "filter/status.h"

/* The telephone's band: words sound alike at any rate from 8000 Hz on. */
#define TOP_HZ 4000.0
#define POWER 0.1f
#define NOISE_FACTOR 1.5f
#define LEAST_GAIN 0.2f
#define LEAST_SHARE 0.05
#define LENGTH_POWER 0.15
#define SILENCE_MARK 2
#define COMMON_SHARE 0.3f
#define UNCOMMON 6 /* d from which a frame costs no more */

enum {
    BANDS = 26,
    CEPSTRA = 13,
    VALUES = 2 * CEPSTRA - 1, /* c without c_0, then the slopes */
    STACKED = 3,
    STACK_STEP = 6,
    SLOPE_REACH = 3,
    SMOOTH_REACH = 2,
    CLEAR_REACH = 6,          /* of l and v; less than SLOPED_REACH */
    HEARD = STACKED * VALUES, /* values of y */
    FRAME = HEARD + 2,        /* values of out, a channel */
    NOISE_BACK = 25,
    NOISE_AHEAD = 10,
    SLOPED_REACH = STACK_STEP + SLOPE_REACH, /* of out into c */
    AHEAD = SLOPED_REACH + NOISE_AHEAD + SMOOTH_REACH,
    BACK = SLOPED_REACH + NOISE_BACK + SMOOTH_REACH,
    RING = 64,          /* frames in the ring, at least AHEAD + BACK + 1 */
    COMMON_FRAMES = 128 /* centres of y */
};

/* What all speech has: centres by k-means, from the library's minute of foreign speech
 * (dev/eval/make-common-frames). The assembler includes the file; it finds it from the top of the
 * source. Value i of centre j is byte 75 j + i, in units of 1/256. */
__asm__(".section .rodata\n"
        ".hidden common_frames_bytes\n.globl common_frames_bytes\n"
        "common_frames_bytes:\n"
        ".incbin \"filter/features/common_frames.s8\"\n"
        ".previous\n");
extern const signed char common_frames_bytes[COMMON_FRAMES][HEARD];

typedef struct {
    float energies[BANDS], smooth[BANDS]; /* E and S */
    float c[CEPSTRA];
    float clear_share; /* w */
    float is_silent;   /* q */
} speech_frame;

typedef struct {
    mel_stage base; /* the ring has RING x channels frames: frame t at t % RING; those have E */
    double dct[BANDS][CEPSTRA];
    float common[HEARD][COMMON_FRAMES]; /* values of all centres side by side */
    uint64_t n_smooth, n_cepstra;       /* frames of this span that have S, that have c */
} speech_stage;

static speech_frame *frame_of(const speech_stage *self, uint64_t t, size_t channel)
{
    speech_frame *ring = self->base.ring;
    return &ring[(size_t)(t % RING) * self->base.channels + channel];
}

/* Frame t + k, clamped to those that entered the ring. */
static uint64_t neighbour(const speech_stage *self, uint64_t t, int k)
{
    return cepstra_neighbour(self->base.n_in, t, k);
}

/* Set S of frame t. */
static void smooth(speech_stage *self, uint64_t t, size_t channel)
{
    const float *near[2 * SMOOTH_REACH + 1];
    float *restrict out = frame_of(self, t, channel)->smooth;
    for (int k = -SMOOTH_REACH; k <= SMOOTH_REACH; k++)
        near[k + SMOOTH_REACH] = frame_of(self, neighbour(self, t, k), channel)->energies;
    for (size_t b = 0; b < BANDS; b++) {
        double sum = 0;
        for (int k = 0; k <= 2 * SMOOTH_REACH; k++) sum += (double)near[k][b];
        out[b] = (float)(sum / (2 * SMOOTH_REACH + 1));
    }
}

/* Fill N of frame t. */
static void find_noise(const speech_stage *self, uint64_t t, size_t channel, float noise[BANDS])
{
    const uint64_t last = neighbour(self, t, NOISE_AHEAD);
    for (size_t b = 0; b < BANDS; b++) noise[b] = INFINITY;
    for (uint64_t u = neighbour(self, t, -NOISE_BACK); u <= last; u++) {
        const float *now = frame_of(self, u, channel)->smooth;
        for (size_t b = 0; b < BANDS; b++) noise[b] = now[b] < noise[b] ? now[b] : noise[b];
    }
}

/* Fill gains[1 ... BANDS] with G of frame t, and repeat its ends on either side. Set w and q. */
static void find_gains(speech_stage *self, uint64_t t, size_t channel, float gains[BANDS + 2])
{
    speech_frame *frame = frame_of(self, t, channel);
    float noise[BANDS];
    double clear_sum = 0, all = 0;
    find_noise(self, t, channel, noise);
    for (size_t b = 0; b < BANDS; b++) {
        const float energy = frame->smooth[b], clear = energy - NOISE_FACTOR * noise[b];
        const float least = LEAST_GAIN * energy;
        gains[b + 1] = (clear > least ? clear : least) / (energy > 0 ? energy : 1);
        clear_sum += clear > 0 ? (double)clear : 0;
        all += (double)energy;
    }
    gains[0] = gains[1];
    gains[BANDS + 1] = gains[BANDS];
    frame->clear_share = all > 0 ? (float)(clear_sum / all) : 0;
    frame->is_silent = all > 0 ? 0 : 1;
}

/* Set c, w and q of frame t. */
static void make_cepstrum(speech_stage *self, uint64_t t, size_t channel)
{
    speech_frame *frame = frame_of(self, t, channel);
    float gains[BANDS + 2], cleaned[BANDS];
    double sums[CEPSTRA] = {0};
    find_gains(self, t, channel, gains);
    for (size_t b = 0; b < BANDS; b++)
        cleaned[b] = frame->smooth[b] * ((gains[b] + gains[b + 1] + gains[b + 2]) / 3);
    for (size_t b = 0; b < BANDS; b++) {
        const double root = (double)powf(cleaned[b], POWER);
        for (size_t i = 0; i < CEPSTRA; i++) sums[i] += self->dct[b][i] * root;
    }
    for (size_t i = 0; i < CEPSTRA; i++) frame->c[i] = (float)sums[i];
}

/* Fill z of frame t. */
static void normalise(const speech_stage *self, uint64_t t, size_t channel, double z[VALUES])
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
        sum += (double)frame_of(self, neighbour(self, t, k), channel)->clear_share;
    return (float)pow(LEAST_SHARE + (1 - LEAST_SHARE) * (sum / (2 * CLEAR_REACH + 1)),
                      LENGTH_POWER);
}

/* v of frame t. */
static float silence_of(const speech_stage *self, uint64_t t, size_t channel)
{
    float sum = 0;
    for (int k = -CLEAR_REACH; k <= CLEAR_REACH; k++)
        sum += frame_of(self, neighbour(self, t, k), channel)->is_silent;
    return SILENCE_MARK * sum / (2 * CLEAR_REACH + 1);
}

/* u of a frame that has y. The sums are float32, from the first value to the last. */
static float commonness_of(const speech_stage *self, const float *y)
{
    float sums[COMMON_FRAMES] = {0}, least = INFINITY;
    for (size_t i = 0; i < HEARD; i++)
        for (size_t j = 0; j < COMMON_FRAMES; j++) sums[j] += fabsf(y[i] - self->common[i][j]);
    for (size_t j = 0; j < COMMON_FRAMES; j++) least = sums[j] < least ? sums[j] : least;
    const float rest = UNCOMMON - least;
    return rest > 0 ? COMMON_SHARE * rest : 0;
}

/* Write out of frame t, all channels. */
static void write_frame(speech_stage *self, uint64_t t)
{
    for (size_t k = 0; k < self->base.channels; k++) {
        double z[HEARD];
        for (int s = 0; s < STACKED; s++)
            normalise(self, neighbour(self, t, (s - 1) * STACK_STEP), k, z + s * VALUES);
        unit_length(z, HEARD, self->base.out);
        const float length = length_of(self, t, k);
        for (size_t i = 0; i < HEARD; i++) self->base.out[i] *= length;
        self->base.out[HEARD] = silence_of(self, t, k);
        self->base.out[HEARD + 1] = commonness_of(self, self->base.out);
        self->base.out += FRAME;
    }
}

/* Take every frame as far as the energies reach. `ended`: no more energies will come. */
static void advance(speech_stage *self, int ended)
{
    const size_t n = self->base.channels;
    for (; self->n_smooth + (ended ? 0 : SMOOTH_REACH) < self->base.n_in; self->n_smooth++)
        for (size_t k = 0; k < n; k++) smooth(self, self->n_smooth, k);
    for (; self->n_cepstra + (ended ? 0 : NOISE_AHEAD) < self->n_smooth; self->n_cepstra++)
        for (size_t k = 0; k < n; k++) make_cepstrum(self, self->n_cepstra, k);
    for (; self->base.n_out + (ended ? 0 : SLOPED_REACH) < self->n_cepstra; self->base.n_out++)
        write_frame(self, self->base.n_out);
}

static void add_spectrum(void *user, size_t channel, const double *power)
{
    speech_stage *self = user;
    mel_energies(self->base.mel.bank, power, frame_of(self, self->base.n_in, channel)->energies);
    if (channel + 1 < self->base.channels) return;
    self->base.n_in++;
    advance(self, 0);
}

static void finish(void *stage)
{
    speech_stage *self = stage;
    advance(self, 1);
    self->n_smooth = self->n_cepstra = 0;
}

static sigrep_status speech_create(void **stage, const char *argument, frame_shape in,
                                   frame_shape *out, frame_timing *timing, sigrep_error *error)
{
    static const mel_stage_kind kind = {.name = "speech",
                                        .size = sizeof(speech_stage),
                                        .bands = BANDS,
                                        .top_hz = TOP_HZ,
                                        .values = FRAME,
                                        .ring = RING * sizeof(speech_frame),
                                        .ahead = AHEAD,
                                        .back = BACK,
                                        .receive = add_spectrum,
                                        .finish = finish};
    (void)argument;
    const sigrep_status status = mel_stage_create(stage, &kind, in, out, timing, error);
    if (status) return status;
    speech_stage *self = *stage;
    for (int b = 0; b < BANDS; b++)
        for (int i = 0; i < CEPSTRA; i++) self->dct[b][i] = cepstra_weight(i, b, BANDS);
    for (size_t j = 0; j < COMMON_FRAMES; j++)
        for (size_t i = 0; i < HEARD; i++)
            self->common[i][j] = (float)common_frames_bytes[j][i] / 256;
    return SIGREP_OK;
}

static void speech_pass_state(void *stage, state_bytes *st)
{
    speech_stage *self = stage;
    mel_stage_pass_state(stage, st);
    state_u64(st, &self->n_smooth);
    state_u64(st, &self->n_cepstra);
    state_must(st, self->n_smooth <= self->base.n_in && self->n_cepstra <= self->n_smooth &&
                       self->base.n_out <= self->n_cepstra);
    if (st->is_wrong) self->n_smooth = self->n_cepstra = self->base.n_in = self->base.n_out = 0;
}

static int speech_is_silence(const void *stage, const float *frame)
{
    const speech_stage *self = stage;
    for (size_t k = 0; k < self->base.channels; k++)
        if (!(frame[k * FRAME + HEARD] > SILENCE_MARK / 2.f)) return 0;
    return 1;
}

const stage_ops stage_speech = {
    .name = "speech",
    .auto_factor = 0.80,
    .stream_value_every = FRAME,
    .restarts = 1,
    .create = speech_create,
    .push = mel_stage_push,
    .flush = mel_stage_flush,
    .pass_state = speech_pass_state,
    .max_frames = mel_stage_max_frames,
    .destroy = mel_stage_destroy,
    .is_silence = speech_is_silence,
};
