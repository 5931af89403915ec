/* tools/sigrep-record/cutter.c: sounds in noise of which places are known, in any cutting. */
#include "tools/sigrep-record/cutter.h"

#include <math.h>

#include "tests/check.h"

enum { RATE = 1000, MOST = 8 };

typedef struct {
    size_t n, wanted;
    size_t length[MOST];
    double start_s[MOST];
    bool was_cut[MOST];
} takes;

static bool keep(void *user, const cutter_take *take)
{
    takes *all = user;
    if (all->n == MOST) return 1;
    all->length[all->n] = take->n;
    all->was_cut[all->n] = take->was_cut;
    all->start_s[all->n++] = take->start_s;
    return all->n == all->wanted;
}

static const cutter_rules rules = {
    .rate_hz = RATE, .pause_s = 0.3, .shortest_s = 0.1, .longest_s = 2, .above_db = 12};

/* Noise at -50 dB or so, and sounds at -10 dB in [from, to) ms. */
static void make(float *x, size_t n, const size_t (*sounds)[2], size_t n_sounds)
{
    uint64_t seed = 3;
    for (size_t t = 0; t < n; t++) {
        double amplitude = 0.004;
        for (size_t i = 0; i < n_sounds; i++)
            if (t >= sounds[i][0] && t < sounds[i][1]) amplitude = 0.5;
        x[t] = (float)(amplitude * ((double)check_below(&seed, 2001) / 1000 - 1));
    }
}

static takes cut(const float *x, size_t n, size_t piece, size_t wanted)
{
    takes all = {.wanted = wanted};
    cutter *c = cutter_create(&rules, keep, &all);
    bool over = false;
    for (size_t at = 0; at < n && !over; at += piece)
        over = cutter_push(c, x + at, n - at < piece ? n - at : piece);
    if (!over) over = cutter_finish(c);
    CHECK(over == (all.n == wanted));
    cutter_destroy(c);
    return all;
}

static bool is_near(double x, double y)
{
    return x - y <= 0.021 && y - x <= 0.011; /* a block, and one in which the filter fades */
}

static void sounds_are_cut_out_with_a_margin(void)
{
    static float x[6000];
    static const size_t sounds[][2] = {{1000, 1500}, {2500, 2700}, {2900, 3200}, {5500, 6000}};
    make(x, 6000, sounds, 4);
    for (size_t piece = 1; piece <= 6000; piece = piece * 7 + 1) {
        const takes all = cut(x, 6000, piece, 99);
        CHECK_MSG(all.n == 3, "%zu takes", all.n);
        CHECK(is_near(all.start_s[0], 0.95) && is_near((double)all.length[0] / RATE, 0.6));
        CHECK(is_near(all.start_s[1], 2.45) && is_near((double)all.length[1] / RATE, 0.8));
        CHECK(is_near(all.start_s[2], 5.45) && is_near((double)all.length[2] / RATE, 0.55));
    }
}

static void clicks_are_no_takes(void)
{
    static float x[3000];
    static const size_t sounds[][2] = {{1000, 1005}, {2000, 2060}};
    make(x, 3000, sounds, 2);
    CHECK(cut(x, 3000, 100, 99).n == 0);
}

static void a_sound_without_a_pause_is_cut_off(void)
{
    static float x[6000];
    static const size_t sounds[][2] = {{1000, 3500}, {5000, 5400}};
    make(x, 6000, sounds, 2);
    const takes all = cut(x, 6000, 64, 99);
    CHECK(all.n >= 2 && all.was_cut[0] && is_near((double)all.length[0] / RATE, 2.05));
    CHECK(!all.was_cut[all.n - 1] && is_near(all.start_s[all.n - 1], 4.95));
}

/* A sound shorter than longest_s by less than a pause is no longer than longest_s. */
static void the_pause_is_no_part_of_the_longest_take(void)
{
    static float x[6000];
    static const size_t sounds[][2] = {{1000, 2900}, {3400, 3900}};
    make(x, 6000, sounds, 2);
    for (size_t piece = 1; piece <= 6000; piece = piece * 7 + 1) {
        const takes all = cut(x, 6000, piece, 99);
        CHECK_MSG(all.n == 2, "%zu takes", all.n);
        CHECK(!all.was_cut[0] && is_near((double)all.length[0] / RATE, 2));
    }
}

static void the_rest_of_a_cut_sound_is_no_take(void)
{
    static float x[8000];
    static const size_t sounds[][2] = {{1000, 4500}, {6500, 6900}};
    make(x, 8000, sounds, 2);
    for (size_t t = 1000; t < 4500; t++)
        if (t / 100 % 2) x[t] /= 100; /* syllables of 0.1 s */
    for (size_t piece = 1; piece <= 8000; piece = piece * 7 + 1) {
        const takes all = cut(x, 8000, piece, 99);
        CHECK_MSG(all.n == 2, "%zu takes", all.n);
        CHECK(all.was_cut[0] && is_near(all.start_s[0], 0.95));
        CHECK(!all.was_cut[1] && is_near(all.start_s[1], 6.45));
    }
}

/* The bug: an offset or a hum was background, above which quiet beginnings were lost. */
static void an_offset_and_a_hum_are_no_level(void)
{
    enum { FAST = 16000, N = 4 * FAST };
    static float x[N];
    cutter_rules fast = rules;
    fast.rate_hz = FAST;
    for (int kind = 0; kind < 3; kind++) {
        uint64_t seed = 5;
        for (size_t t = 0; t < N; t++) {
            const double s = (double)t / FAST, in_word = s - 1.5;
            const double noise = 0.003 * ((double)check_below(&seed, 2001) / 1000 - 1);
            const double disturbance = kind == 1 ? 0.05 : kind == 2 ? 0.03 * sin(314.159 * s) : 0;
            double word = in_word > 0 && in_word < 0.8 ? sin(3.927 * in_word) : 0;
            word *= 0.4 * word * sin(2513 * s);
            x[t] = (float)(noise + disturbance + word);
        }
        takes all = {.wanted = 99};
        cutter *c = cutter_create(&fast, keep, &all);
        cutter_push(c, x, N);
        cutter_destroy(c);
        CHECK_MSG(all.n == 1 && fabs((double)all.length[0] / FAST - 0.8) < 0.03, "%d: %zu, %zu",
                  kind, all.n, all.length[0]);
    }
}

/* The noise becomes louder by 20 dB for good: the floor finds it. */
static void the_floor_follows(void)
{
    static float x[20000];
    static const size_t sounds[][2] = {{17000, 17500}};
    make(x, 20000, sounds, 1);
    for (size_t t = 3000; t < 17000; t++) x[t] *= 10;
    for (size_t t = 17500; t < 20000; t++) x[t] *= 10;
    const takes all = cut(x, 20000, 333, 99);
    CHECK(all.n >= 1 && is_near(all.start_s[all.n - 1], 16.95) && !all.was_cut[all.n - 1]);
}

static void it_ends_when_no_more_are_wanted(void)
{
    static float x[6000];
    static const size_t sounds[][2] = {{1000, 1500}, {2500, 2700}, {4000, 4500}};
    make(x, 6000, sounds, 3);
    CHECK(cut(x, 6000, 6000, 2).n == 2);
}

static void silence_has_no_takes(void)
{
    static const float x[5000];
    CHECK(cut(x, 5000, 640, 99).n == 0);
}

/* The bug: the filter kept a value that was not finite, and no later take was found. Here 10 ms
 * are missing in a pause, in a sound, in the pause that ends one, and in a sound's beginning. */
static void a_gap_loses_the_sound_around_it_alone(void)
{
    static float x[9000];
    static const size_t sounds[][2] = {
        {1000, 1500}, {2500, 3000}, {4000, 4500}, {6000, 6500}, {7500, 8000}};
    static const size_t gaps[] = {2000, 2800, 4600, 6010};
    make(x, 9000, sounds, 5);
    for (int offset = 0; offset < 2; offset++) {
        takes all = {.wanted = 99};
        cutter *c = cutter_create(&rules, keep, &all);
        size_t at = 0;
        for (size_t i = 0; i < 4; i++) {
            cutter_push(c, x + at, gaps[i] - at);
            cutter_skip(c, 10);
            at = gaps[i] + 10;
        }
        cutter_push(c, x + at, 9000 - at);
        cutter_destroy(c);
        CHECK_MSG(all.n == 4, "%zu takes", all.n);
        CHECK(is_near(all.start_s[0], 0.95) && is_near((double)all.length[0] / RATE, 0.6));
        CHECK(is_near(all.start_s[1], 3.95) && is_near((double)all.length[1] / RATE, 0.6));
        CHECK(is_near(all.start_s[2], 6.02) && is_near((double)all.length[2] / RATE, 0.53));
        CHECK(is_near(all.start_s[3], 7.45) && is_near((double)all.length[3] / RATE, 0.6));
        for (size_t t = 0; t < 9000; t++) x[t] += 0.3F;
    }
}

int main(void)
{
    RUN(sounds_are_cut_out_with_a_margin);
    RUN(an_offset_and_a_hum_are_no_level);
    RUN(clicks_are_no_takes);
    RUN(a_sound_without_a_pause_is_cut_off);
    RUN(the_pause_is_no_part_of_the_longest_take);
    RUN(the_rest_of_a_cut_sound_is_no_take);
    RUN(the_floor_follows);
    RUN(it_ends_when_no_more_are_wanted);
    RUN(silence_has_no_takes);
    RUN(a_gap_loses_the_sound_around_it_alone);
    return check_done();
}
