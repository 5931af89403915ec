#include "filter/features/fourier.h"

#include <fftw3.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct fourier {
    size_t points;
    double scale;
    fftwf_plan plan;     /* from `samples` to `bins` */
    float *samples;      /* n */
    fftwf_complex *bins; /* n/2 + 1 */
    double *power;       /* points */
};

/* FFTW's planner changes one table for the whole process, and only fftwf_execute is
 * thread-safe (FFTW manual, "Thread safety"). So this lock guards every call that makes or
 * destroys a plan. It is the library's only global that can change. */
static pthread_mutex_t planner_lock = PTHREAD_MUTEX_INITIALIZER;

/* FFTW_ESTIMATE chooses by rule, not by timing: the same plan and bits every time. */
static fftwf_plan make_plan(size_t n, float *in, fftwf_complex *out)
{
    pthread_mutex_lock(&planner_lock);
    const fftwf_plan plan = fftwf_plan_dft_r2c_1d((int)n, in, out, FFTW_ESTIMATE);
    pthread_mutex_unlock(&planner_lock);
    return plan;
}

static void destroy_plan(fftwf_plan plan)
{
    pthread_mutex_lock(&planner_lock);
    fftwf_destroy_plan(plan);
    pthread_mutex_unlock(&planner_lock);
}

void fourier_destroy(fourier *self)
{
    if (!self) return;
    if (self->plan) destroy_plan(self->plan);
    fftwf_free(self->samples);
    fftwf_free(self->bins);
    free(self->power);
    free(self);
}

fourier *fourier_create(size_t n, size_t points, double scale)
{
    fourier *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    *self = (fourier){.points = points, .scale = scale};
    /* fftwf_malloc aligns memory for vector instructions. */
    self->samples = fftwf_malloc(n * sizeof *self->samples);
    self->bins = fftwf_malloc((n / 2 + 1) * sizeof *self->bins);
    self->power = malloc(points * sizeof *self->power);
    if (self->samples && self->bins && self->power)
        self->plan = make_plan(n, self->samples, self->bins);
    if (!self->plan) {
        fourier_destroy(self);
        return NULL;
    }
    memset(self->samples, 0, n * sizeof *self->samples);
    return self;
}

float *fourier_samples(fourier *self)
{
    return self->samples;
}

const double *fourier_power(fourier *self)
{
    fftwf_execute(self->plan);
    for (size_t k = 0; k < self->points; k++) {
        const double re = (double)self->bins[k][0], im = (double)self->bins[k][1];
        self->power[k] = (re * re + im * im) * self->scale;
    }
    return self->power;
}
