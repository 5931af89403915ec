#include "filter/features/bandpass_design.h"

#include <complex.h>
#include <math.h>
#include <stddef.h>

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
