/* filter/features/bandpass.c: the response, and the edges that it refuses. */
#include "filter/features/bandpass.h"

#include <complex.h>
#include <math.h>
#include <stddef.h>

#include "tests/check.h"

/* |H| at frequency f, as a fraction of the rate. */
static double response(const bandpass_section *sections, double f)
{
    const double complex z_inverse = cexp(-2 * acos(-1.) * I * f);
    double complex h = 1;
    for (size_t i = 0; i < BANDPASS_SECTIONS; i++)
        h *= sections[i].gain * (1 - z_inverse * z_inverse) /
             (1 + sections[i].a1 * z_inverse + sections[i].a2 * z_inverse * z_inverse);
    return cabs(h);
}

/* Butterworth's definition: |H|^2 = 1 / (1 + v^8). v is the distance from the centre of the
 * analogue band-pass, in half bandwidths. */
static void the_response_is_butterworths(void)
{
    static const double edges[][2] = {
        {0.01, 0.4}, {0.0375, 0.425}, {0.1, 0.101}, {1e-4, 0.499}, {1e-5, 2e-5}};
    const double pi = acos(-1.);
    for (size_t e = 0; e < sizeof edges / sizeof *edges; e++) {
        bandpass_section sections[BANDPASS_SECTIONS];
        const double from = tan(pi * edges[e][0]), to = tan(pi * edges[e][1]);
        CHECK(bandpass_design(sections, edges[e][0], edges[e][1]));
        for (int i = 1; i < 1000; i++) {
            const double f = edges[e][0] * pow(0.499 / edges[e][0], i / 1000.), w = tan(pi * f);
            const double v = (w * w - from * to) / (w * (to - from));
            const double expected = 1 / sqrt(1 + pow(v, 8));
            CHECK_MSG(fabs(response(sections, f) - expected) < 1e-5 * expected + 1e-12, "%g: %g", f,
                      response(sections, f));
        }
        for (size_t i = 0; i < BANDPASS_SECTIONS; i++) {
            CHECK(sections[i].a2 < 1 && fabs(sections[i].a1) < 1 + sections[i].a2);
            CHECK(i == 0 || sections[i].a2 >= sections[i - 1].a2);
        }
    }
}

static void filters_beyond_double_precision_are_refused(void)
{
    bandpass_section sections[BANDPASS_SECTIONS];
    CHECK(!bandpass_design(sections, 0.1, 0.1 + 1e-11));
    CHECK(!bandpass_design(sections, 1e-13, 2e-13));
}

/* Regression: the poles of an edge near 0 fell on z = 1, which made an integrator. At 8000 Hz
 * the gain at an edge of 1e-5 Hz was 0.38 instead of 0.71. */
static void an_edge_too_near_0_or_half_the_rate_is_refused(void)
{
    bandpass_section sections[BANDPASS_SECTIONS];
    const double rate_hz = 8000;
    CHECK(!bandpass_design(sections, 1e-5 / rate_hz, 100 / rate_hz));
    CHECK(!bandpass_design(sections, 1e-5 / rate_hz, 1e-3 / rate_hz));
    CHECK(!bandpass_design(sections, 100 / rate_hz, 3999.9999999 / rate_hz));
    CHECK(bandpass_design(sections, 1e-3 / rate_hz, 3999.999 / rate_hz));
    CHECK(fabs(response(sections, 1e-3 / rate_hz) - sqrt(0.5)) < 0.01);
    CHECK(fabs(response(sections, 3999.999 / rate_hz) - sqrt(0.5)) < 0.01);
}

int main(void)
{
    RUN(the_response_is_butterworths);
    RUN(filters_beyond_double_precision_are_refused);
    RUN(an_edge_too_near_0_or_half_the_rate_is_refused);
    return check_done();
}
