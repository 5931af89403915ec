#include "filter/features/bandpass_design.h"

#include <complex.h>
#include <math.h>
#include <stddef.h>

/* The section of the digital pole of an analogue one; `centre` is e^(i w0) in z. */
static bandpass_section section_of(double complex analogue, double complex centre)
{
    const double complex pole = (2 + analogue) / (2 - analogue);
    bandpass_section s = {.a1 = -2 * creal(pole), .a2 = creal(pole * conj(pole))};
    const double complex back = 1 / centre;
    s.gain = cabs(1 + s.a1 * back + s.a2 * back * back) / cabs(1 - back * back);
    return s;
}

int bandpass_design(bandpass_section sections[BANDPASS_SECTIONS], double low, double high)
{
    const double pi = acos(-1.);
    const double from = 2 * tan(pi * low), to = 2 * tan(pi * high);
    const double square = from * to;
    const double complex centre = (2 + I * sqrt(square)) / (2 - I * sqrt(square));
    size_t n = 0;
    /* Low-pass poles of the upper half plane; their conjugates give the conjugate pairs. */
    for (int k = 0; k < 2; k++) {
        const double complex half = cexp(I * (pi * (2 * k + 5) / 8)) * ((to - from) / 2);
        const double complex apart = csqrt(half * half - square);
        sections[n++] = section_of(half + apart, centre);
        sections[n++] = section_of(half - apart, centre);
    }
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && sections[j].a2 < sections[j - 1].a2; j--) {
            const bandpass_section moved = sections[j];
            sections[j] = sections[j - 1];
            sections[j - 1] = moved;
        }
    return sections[n - 1].a2 < 1 - 2e-10;
}
