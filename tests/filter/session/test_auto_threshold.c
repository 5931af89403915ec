/* filter/session/auto_threshold.c: the estimate, its properties, and what has none. */
#include "filter/search/detector.h"
#include "filter/session/session.h"
#include "kernels/kernel.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "tests/check.h"
#include "tests/filter/session/session_help.h"

enum { MOST = 4096 };

static const kernel_ops *scalar(void)
{
    return kernel_choose("cpu", "scalar", NULL);
}

static double level_of(const float *x, size_t length, size_t dim)
{
    double level = -1;
    const template whole = {.frames = x, .length = length, .dim = dim};
    CHECK(auto_level(&level, &whole, scalar()) == SIGREP_OK);
    return level;
}

static sigrep_status threshold_of(double *threshold, const float *x, size_t length)
{
    const template whole = {.frames = x, .length = length, .dim = 1};
    *threshold = -1;
    return auto_threshold(threshold, &whole, scalar());
}

/* A walk of whole numbers, n of them: sums and differences of these are exact. */
static void walk(float *x, size_t n, uint64_t *seed)
{
    float at = 0;
    for (size_t i = 0; i < n; i++) {
        at += (float)check_below(seed, 16) - 7;
        x[i] = at;
    }
}

/* D(m,t) of x over y for t in its second half, by the definition: the one in their middle. */
static float median_literally(const float *x, const float *y, size_t m)
{
    float d[8], late[8];
    size_t n = 0;
    for (size_t i = 0; i < m; i++) d[i] = INFINITY;
    for (size_t t = 0; t < m; t++) {
        float diagonal = 0, up = 0;
        for (size_t i = 0; i < m; i++) {
            const float left = d[i];
            up = d[i] = fminf(fminf(diagonal, left), up) + fabsf(x[i] - y[t]);
            diagonal = left;
        }
        if (t >= m / 2) late[n++] = d[m - 1];
    }
    for (size_t i = 0; i < n; i++) {
        size_t below = 0;
        for (size_t k = 0; k < n; k++) below += late[k] < late[i] || (late[k] == late[i] && k < i);
        if (below == n / 2) return late[i];
    }
    return -1;
}

/* Four frames have two orders in which no neighbours stay neighbours; 16 are drawn. */
static void four_frames_by_hand(void)
{
    const float x[4] = {1, 5, 2, 9};
    const float a = median_literally(x, (float[]){x[1], x[3], x[0], x[2]}, 4);
    const float b = median_literally(x, (float[]){x[2], x[0], x[3], x[1]}, 4);
    const double level = level_of(x, 4, 1);
    int fits = 0;
    for (int k = 1; k < 16; k++) fits += level == (k * (double)a + (16 - k) * (double)b) / 64;
    CHECK(a != b);
    CHECK_MSG(fits == 1, "%g of %g and %g", level, (double)a, (double)b);
}

/* Every order holds a spike in silence again: the lowest score is 0. But chance is not the best
 * that an order holds, and before the spike it costs 64. */
static void a_spike_in_silence_costs_more_than_nothing(void)
{
    float x[64] = {0};
    x[36] = 64;
    double threshold;
    CHECK(threshold_of(&threshold, x, 64) == SIGREP_OK);
    CHECK_MSG(threshold > 0 && threshold <= 1, "%g", threshold);
}

static void two_frames_are_swapped(void)
{
    /* 7 alone is as good as 7 3: the other one costs 4. */
    CHECK(level_of((float[]){3, 7}, 2, 1) == 4 / 2.);
}

static void every_kernel_gives_the_same_bits(void)
{
    static float x[MOST];
    uint64_t seed = check_seed("auto_threshold");
    for (int round = 0; round < 40; round++) {
        const size_t dim = (size_t[]){1, 2, 3, 78}[round % 4];
        const size_t length = 2 + check_below(&seed, round % 3 ? 40 : MOST / dim - 2);
        walk(x, length * dim, &seed);
        for (size_t i = 0; i < length * dim; i++) x[i] = sinf(x[i]);
        const double expected = level_of(x, length, dim);
        const template whole = {.frames = x, .length = length, .dim = dim};
        for (size_t k = 0; kernel_at(k); k++) {
            double level = -1;
            if (!kernel_at(k)->usable()) continue;
            CHECK(auto_level(&level, &whole, kernel_at(k)) == SIGREP_OK);
            CHECK_MSG(memcmp(&level, &expected, sizeof level) == 0, "%s, %zu frames of %zu",
                      kernel_at(k)->name, length, dim);
        }
    }
}

static void scale_and_offset(void)
{
    static float x[300], scaled[300], moved[300];
    uint64_t seed = 5;
    for (size_t n = 2; n <= 300; n += 37) {
        walk(x, n, &seed);
        for (size_t i = 0; i < n; i++) {
            scaled[i] = x[i] * 1024;
            moved[i] = x[i] - 4096;
        }
        CHECK(level_of(scaled, n, 1) == 1024 * level_of(x, n, 1));
        CHECK(level_of(moved, n, 1) == level_of(x, n, 1));
    }
}

/* What a comparison with the template's own halves or mirror would take for a copy. */
static void halves_and_mirrors_are_no_copies(void)
{
    float x[64];
    uint64_t seed = 7;
    walk(x, 32, &seed);
    memcpy(x + 32, x, 32 * sizeof *x);
    const double halves = level_of(x, 64, 1);
    for (size_t i = 0; i < 32; i++) x[63 - i] = x[i];
    const double mirror = level_of(x, 64, 1);
    CHECK_MSG(halves > 0.1, "%g", halves);
    CHECK_MSG(mirror > 0.1, "%g", mirror);
    CHECK(level_of((float[]){0, 1, 3, 1, 0}, 5, 1) > 0.1);
}

/* Every second frame of 512 is never looked at. */
static void of_a_long_template_256_frames_are_picked(void)
{
    float picked[256], x[512];
    uint64_t seed = 11;
    walk(picked, 256, &seed);
    walk(x, 512, &seed);
    for (size_t i = 0; i < 256; i++) x[2 * i] = picked[i];
    CHECK(level_of(x, 512, 1) == level_of(picked, 256, 1));
}

static void what_is_all_alike_has_none(void)
{
    double threshold;
    CHECK(threshold_of(&threshold, (float[]){3, 3}, 2) == SIGREP_NO_THRESHOLD);
    CHECK(threshold_of(&threshold, (float[]){0, 0, 0, 0, 0, 0, 0, 0, 0}, 9) == SIGREP_NO_THRESHOLD);
    CHECK(threshold_of(&threshold, (float[]){-FLT_MAX, FLT_MAX}, 2) == SIGREP_NO_THRESHOLD);
    CHECK(threshold_of(&threshold, (float[]){0, 1e-45f}, 2) == SIGREP_OK && threshold > 0);
}

static void three_digits_are_kept(void)
{
    double threshold;
    CHECK(threshold_of(&threshold, (float[]){3, 7}, 2) == SIGREP_OK && threshold == 1.56);
    CHECK(threshold_of(&threshold, (float[]){0, 4.0123f}, 2) == SIGREP_OK && threshold == 1.56);
    CHECK(threshold_of(&threshold, (float[]){0, 401230}, 2) == SIGREP_OK && threshold == 156000);
    CHECK(threshold_of(&threshold, (float[]){0, 0.0040123f}, 2) == SIGREP_OK &&
          threshold == 0.00156);
}

static void of_sounds_it_is_a_share_of_the_level(void)
{
    CHECK(auto_threshold_of_sound(12, 0.75, 1) == 9);
    CHECK(auto_threshold_of_sound(12.3456, 0.5, 1) == 6.17);
    /* ln 3 = 1.0986, ln 20 = 2.9957: 2.7 and 7.5 percent less */
    CHECK(auto_threshold_of_sound(10, 1, 3) == 9.73);
    CHECK(auto_threshold_of_sound(10, 1, 20) == 9.25);
}

static void the_session_uses_it_and_reports_it(void)
{
    fixture f;
    fixture_prepare(&f);
    double expected;
    CHECK(threshold_of(&expected, ramp, 3) == SIGREP_OK);
    f.x.auto_threshold = 1;
    f.x.threshold = -1; /* does not count */
    for (size_t chunk = 1; chunk <= 3; chunk++) {
        f.config.chunk = chunk;
        fixture_begin(&f);
        CHECK(sigrep_get_threshold(f.session, 0) == expected);
        push(&f, three_ramps, N_THREE);
        finish(&f);
        CHECK(f.got.n == 3 && f.got.matches[0].threshold == expected);
        f.got.n = 0;
        sigrep_destroy(f.session);
    }
    for (double most = expected / 2; most < 3 * expected; most *= 4) {
        f.x.threshold = most;
        fixture_begin(&f);
        CHECK(sigrep_get_threshold(f.session, 0) == (most < expected ? most : expected));
        sigrep_destroy(f.session);
    }
    f.x.auto_threshold = 0;
    f.x.threshold = 0.25;
    fixture_begin(&f);
    CHECK(sigrep_get_threshold(f.session, 0) == 0.25);
    fixture_end(&f);
}

static void the_session_names_a_template_without(void)
{
    static const float flat[3] = {2, 2, 2};
    fixture f;
    fixture_prepare(&f);
    const sigrep_template two[2] = {
        f.x, {.size = sizeof(sigrep_template), .samples = flat, .length = 3, .auto_threshold = 1}};
    sigrep *session;
    sigrep_error error;
    f.config.templates = two;
    f.config.n_templates = 2;
    CHECK(sigrep_create(&session, &f.config, &error) == SIGREP_NO_THRESHOLD);
    CHECK(!session && error.template_index == 1);
    CHECK(strcmp(error.text, "no threshold can be estimated from the template alone") == 0);
    collect_free(&f.got);
}

int main(void)
{
    RUN(four_frames_by_hand);
    RUN(a_spike_in_silence_costs_more_than_nothing);
    RUN(two_frames_are_swapped);
    RUN(every_kernel_gives_the_same_bits);
    RUN(scale_and_offset);
    RUN(halves_and_mirrors_are_no_copies);
    RUN(of_a_long_template_256_frames_are_picked);
    RUN(what_is_all_alike_has_none);
    RUN(three_digits_are_kept);
    RUN(of_sounds_it_is_a_share_of_the_level);
    RUN(the_session_uses_it_and_reports_it);
    RUN(the_session_names_a_template_without);
    return check_done();
}
