/* filter/features/spectrum.c: power spectra, compared with the sum that defines them. */
#include "filter/features/spectrum.h"

#include <math.h>
#include <string.h>

#include "tests/check.h"

/* scale |sum over t < n of v_t exp(-2 pi i t k / n)|^2 in double. */
static double defined_power(const float *v, size_t n, size_t k, double scale)
{
    double re = 0, im = 0;
    for (size_t t = 0; t < n; t++) {
        const double angle = -2 * acos(-1.) * (double)(t * k % n) / (double)n;
        re += (double)v[t] * cos(angle);
        im += (double)v[t] * sin(angle);
    }
    return scale * (re * re + im * im);
}

/* Lengths as spectrum.c asks for them, an odd one, and 1. With |v_t| < 1 a point of the FFT is
 * off by some 0.6 2^-24 sqrt(log2 n) |V| (spectral_help.h), |V| <= sqrt(n) |v| <= n; ten times
 * that is allowed. */
static void powers_are_the_defined_ones(void)
{
    static const size_t lengths[] = {1, 2, 16, 80, 96, 201, 256, 384, 1280};
    uint64_t random = check_seed("fourier");
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const size_t n = lengths[i], points = n / 2 + 1;
        const double scale = 1 / (double)n,
                     off = 6 * 0x1p-24 * sqrt(log2((double)n) + 1) * (double)n;
        fourier *transform = fourier_create(n, points, scale);
        CHECK(transform);
        if (!transform) return;
        float *v = fourier_samples(transform);
        for (size_t t = 0; t < n; t++) v[t] = (float)check_below(&random, 2001) / 1000 - 1;
        const double *power = fourier_power(transform);
        for (size_t k = 0; k < points; k++) {
            const double expected = defined_power(v, n, k, scale);
            const double bound = scale * (2 * off * sqrt(expected / scale) + off * off);
            CHECK_MSG(fabs(power[k] - expected) <= bound, "n %zu, point %zu: %g, not %g", n, k,
                      power[k], expected);
        }
        fourier_destroy(transform);
    }
}

static void samples_are_zeros_at_first_and_stay(void)
{
    enum { N = 64, POINTS = 5 };
    fourier *transform = fourier_create(N, POINTS, 1);
    CHECK(transform);
    if (!transform) return;
    const double *power = fourier_power(transform);
    for (size_t k = 0; k < POINTS; k++) CHECK(!(power[k] > 0));
    float *v = fourier_samples(transform), written[N];
    double first[POINTS];
    for (size_t t = 0; t < N; t++) v[t] = written[t] = (float)t;
    memcpy(first, fourier_power(transform), sizeof first);
    CHECK(memcmp(v, written, sizeof written) == 0);
    CHECK(memcmp(fourier_power(transform), first, sizeof first) == 0);
    fourier_destroy(transform);
    fourier_destroy(NULL);
}

/* FFTW_ESTIMATE: a second plan takes the same code, so gives the same bits. */
static void every_plan_gives_the_same_bits(void)
{
    enum { N = 384, POINTS = N / 2 + 1 };
    static double first[POINTS];
    for (int i = 0; i < 20; i++) {
        fourier *transform = fourier_create(N, POINTS, 0.5);
        CHECK(transform);
        if (!transform) return;
        for (size_t t = 0; t < N; t++) fourier_samples(transform)[t] = sinf((float)t * 0.37f);
        const double *power = fourier_power(transform);
        if (i == 0) memcpy(first, power, sizeof first);
        CHECK(memcmp(power, first, sizeof first) == 0);
        fourier_destroy(transform);
    }
}

int main(void)
{
    RUN(powers_are_the_defined_ones);
    RUN(samples_are_zeros_at_first_and_stay);
    RUN(every_plan_gives_the_same_bits);
    return check_done();
}
