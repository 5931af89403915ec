/*
 * resamplers.c - libsoxr and libsamplerate side by side, for docs/lab/resampling.md. Not a
 * part of sigrep: tools/measure/resamplers compiles and runs it.
 *
 *   delay     of sines in the passband, by the phase of a least-squares fit, in input
 *             samples: output j is compared with input time j * in / out
 *   bits      how many of many random cuttings of the input changed a bit of the output
 *   latency   most milliseconds by which the output lagged behind the input
 *   passband  largest deviation of the gain up to 0.4 of the lower rate, in dB
 *   residual  what is not the sine (noise, images), worst of these sines, in dB
 *   aliases   largest output for a sine from 0.6 of the output's rate on, in dB
 *   speed     million input samples a second, one channel
 *   restart   microseconds that a fresh start takes
 */
#include <math.h>
#include <samplerate.h>
#include <soxr.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N = 60000, PIECE = 16, CUTTINGS = 300 };

static const double PI = 3.14159265358979323846;

typedef struct {
    const char *name;
    int is_soxr, short_blocks;
    unsigned long quality; /* soxr's recipe, or libsamplerate's converter */
} candidate;

typedef struct {
    const candidate *kind;
    double in_hz, out_hz;
    soxr_t soxr;
    SRC_STATE *src;
} resampler;

static void die(const char *words)
{
    fprintf(stderr, "resamplers: %s\n", words);
    exit(2);
}

static resampler begin(const candidate *kind, double in_hz, double out_hz)
{
    resampler r = {.kind = kind, .in_hz = in_hz, .out_hz = out_hz};
    if (kind->is_soxr) {
        const soxr_io_spec_t io = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
        const soxr_quality_spec_t quality = soxr_quality_spec(kind->quality, 0);
        soxr_runtime_spec_t run = soxr_runtime_spec(1);
        if (kind->short_blocks) run.log2_min_dft_size = run.log2_large_dft_size = 8;
        soxr_error_t error = NULL;
        r.soxr = soxr_create(in_hz, out_hz, 1, &error, &io, &quality, &run);
        if (error) die(error);
    } else {
        int error = 0;
        r.src = src_new((int)kind->quality, 1, &error);
        if (!r.src) die(src_strerror(error));
    }
    return r;
}

static void end(resampler *r)
{
    if (r->soxr) soxr_delete(r->soxr);
    if (r->src) src_delete(r->src);
}

/* n samples in, all that is ready out; `last`: they are the last ones. */
static size_t feed(resampler *r, const float *in, size_t n, int last, float *out, size_t room)
{
    size_t done = 0;
    if (r->kind->is_soxr) {
        soxr_process(r->soxr, in, n, NULL, out, room, &done);
        for (size_t more = 1; last && more && done < room; done += more)
            soxr_process(r->soxr, NULL, 0, NULL, out + done, room - done, &more);
        return done;
    }
    for (;;) {
        SRC_DATA data = {.data_in = in,
                         .input_frames = (long)n,
                         .data_out = out + done,
                         .output_frames = (long)(room - done),
                         .end_of_input = last,
                         .src_ratio = r->out_hz / r->in_hz};
        if (src_process(r->src, &data)) die("src_process");
        in += data.input_frames_used;
        n -= (size_t)data.input_frames_used;
        done += (size_t)data.output_frames_gen;
        if (!data.input_frames_used && !data.output_frames_gen) return done;
    }
}

static uint64_t random_state = 1;

/* splitmix64 (Steele, Lea, Flood 2014) */
static uint64_t next_random(void)
{
    uint64_t z = (random_state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static float in[N];
static float *out, *other;
static size_t room;

static size_t whole(const candidate *kind, double in_hz, double out_hz)
{
    resampler r = begin(kind, in_hz, out_hz);
    const size_t n = feed(&r, in, N, 1, out, room);
    end(&r);
    return n;
}

static void fill_sine(double cycles_a_sample)
{
    for (size_t i = 0; i < N; i++)
        in[i] = (float)(0.5 * cos(2 * PI * fmod(cycles_a_sample * (double)i, 1) + 1));
}

typedef struct {
    double gain_db, residual_db, delay; /* delay in input samples */
} fitted;

/* The output's middle against a cos + b sin. */
static fitted fit(size_t n, double cycles_a_sample, double in_hz, double out_hz)
{
    double cc = 0, ss = 0, cs = 0, yc = 0, ys = 0, yy = 0;
    for (size_t j = n / 4; j < n - n / 4; j++) {
        const double x = 2 * PI * fmod(cycles_a_sample * (double)j * in_hz / out_hz, 1) + 1;
        const double c = cos(x), s = sin(x), y = (double)out[j];
        cc += c * c, ss += s * s, cs += c * s, yc += y * c, ys += y * s, yy += y * y;
    }
    const double d = cc * ss - cs * cs, a = (yc * ss - ys * cs) / d, b = (ys * cc - yc * cs) / d;
    const double rest = fmax(yy - a * yc - b * ys, 1e-30);
    return (fitted){.gain_db = 20 * log10(hypot(a, b) / 0.5),
                    .residual_db = 10 * log10(rest / yy),
                    .delay = -atan2(-b, a) / (2 * PI * cycles_a_sample)};
}

static double level_db(size_t n)
{
    double yy = 1e-30;
    for (size_t j = n / 4; j < n - n / 4; j++) yy += (double)out[j] * (double)out[j];
    return 10 * log10(yy / (double)(n - n / 4 - n / 4) / 0.125);
}

static long changed_by_cutting(const candidate *kind, double in_hz, double out_hz)
{
    for (size_t i = 0; i < N; i++) in[i] = (float)((double)(next_random() >> 11) * 0x1p-53 - 0.5);
    const size_t n = whole(kind, in_hz, out_hz);
    long changed = 0;
    for (int c = 0; c < CUTTINGS; c++) {
        resampler r = begin(kind, in_hz, out_hz);
        size_t got = 0;
        const size_t longest = (size_t)1 << (4 + c % 11);
        for (size_t at = 0; at < N;) {
            size_t piece = next_random() % longest;
            if (piece > N - at) piece = N - at;
            at += piece;
            got += feed(&r, in + at - piece, piece, at == N, other + got, room - got);
        }
        end(&r);
        changed += got != n || memcmp(out, other, n * sizeof *out) != 0;
    }
    return changed;
}

static double latency_ms(const candidate *kind, double in_hz, double out_hz)
{
    resampler r = begin(kind, in_hz, out_hz);
    double most = 0;
    size_t got = 0;
    for (size_t at = 0; at + PIECE <= N; at += PIECE) {
        const double lag = (double)(at + PIECE) - (double)got * in_hz / out_hz;
        got += feed(&r, in + at, PIECE, 0, out, room);
        if (lag > most) most = lag;
    }
    end(&r);
    return (most - PIECE) / in_hz * 1000;
}

static double speed_m(const candidate *kind, double in_hz, double out_hz, double *restart_us)
{
    resampler r = begin(kind, in_hz, out_hz);
    double took = 0, samples = 0;
    while (took < 0.3) {
        const double before = now_s();
        for (size_t at = 0; at + 4000 <= N; at += 4000) feed(&r, in + at, 4000, 0, out, room);
        took += now_s() - before;
        samples += N;
    }
    const double before = now_s();
    for (int i = 0; i < 20; i++) {
        if (kind->is_soxr)
            soxr_clear(r.soxr), soxr_set_io_ratio(r.soxr, in_hz / out_hz, 0);
        else
            src_reset(r.src);
        feed(&r, in, PIECE, 0, out, room);
    }
    *restart_us = (now_s() - before) / 20 * 1e6;
    end(&r);
    return samples / took * 1e-6;
}

static void measure(const candidate *kind, double in_hz, double out_hz)
{
    const double low = fmin(in_hz, out_hz);
    double ripple = 0, residual = -300, delay = 0, aliases = -300, restart_us;
    for (int i = 1; i <= 40; i++) {
        const double f = 0.01 * i * low / in_hz;
        fill_sine(f);
        const fitted got = fit(whole(kind, in_hz, out_hz), f, in_hz, out_hz);
        ripple = fmax(ripple, fabs(got.gain_db));
        residual = fmax(residual, got.residual_db);
        delay = fmax(delay, fabs(got.delay));
    }
    for (double f = 0.6 * out_hz; f < 0.5 * in_hz; f += 0.043 * out_hz) {
        fill_sine(f / in_hz);
        aliases = fmax(aliases, level_db(whole(kind, in_hz, out_hz)));
    }
    const size_t n = whole(kind, in_hz, out_hz);
    const long changed = changed_by_cutting(kind, in_hz, out_hz);
    const double latency = latency_ms(kind, in_hz, out_hz);
    const double speed = speed_m(kind, in_hz, out_hz, &restart_us);
    printf("| %g -> %g | %s | %.0e | %ld of %d | %.1f | %.4f | %.0f | ", in_hz, out_hz, kind->name,
           delay, changed, CUTTINGS, latency, ripple, residual);
    if (aliases > -300) printf("%.0f", aliases);
    printf(" | %.1f | %.0f | %+d |\n", speed, restart_us, (int)n - (int)ceil(N * out_hz / in_hz));
    fflush(stdout);
}

int main(void)
{
    static const candidate kinds[] = {{"soxr HQ", 1, 0, SOXR_HQ},
                                      {"soxr HQ, short blocks", 1, 1, SOXR_HQ},
                                      {"soxr VHQ", 1, 0, SOXR_VHQ},
                                      {"samplerate fastest", 0, 0, SRC_SINC_FASTEST},
                                      {"samplerate medium", 0, 0, SRC_SINC_MEDIUM_QUALITY},
                                      {"samplerate best", 0, 0, SRC_SINC_BEST_QUALITY}};
    static const double rates[][2] = {{8000, 16000}, {48000, 16000}, {44100, 8000}, {11025, 8000}};
    room = 4 * N;
    out = malloc(room * sizeof *out);
    other = malloc(room * sizeof *other);
    if (!out || !other) die("out of memory");
    printf("%s, %s\n\n", soxr_version(), src_get_version());
    puts("| Hz | library | delay, samples | bits changed | latency, ms | passband, dB "
         "| residual, dB | aliases, dB | M samples/s | restart, us | frames beyond ceil |\n"
         "|---|---|---|---|---|---|---|---|---|---|---|");
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            measure(&kinds[k], rates[i][0], rates[i][1]);
    free(out);
    free(other);
    return 0;
}
