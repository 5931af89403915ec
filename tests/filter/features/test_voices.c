/* filter/features/voices.c: its values, its reach, cuttings, channels, threads, errors. */
#include "filter/background/background.h"
#include "filter/features/embedder.h"
#include "tests/filter/features/spectral_help.h"

enum { V = EMBEDDER_VALUES, LOOK_AHEAD_ROWS = 20, FIELD_ROWS = 76 };

static void frames_are_units_of_the_embedding(void)
{
    enum { N = 20000 };
    static float x[N], y[HELP_MAX_VALUES], e[HELP_MAX_VALUES];
    uint64_t random = check_seed("units");
    embedder *self = NULL;
    frame_timing timing;
    help_noises(x, N, &random);
    CHECK(embedder_create(&self, "test", 4, (frame_shape){1, 8000}, &timing, NULL) == SIGREP_OK);
    if (!self) exit(1);
    size_t n = embedder_push(self, x, N, e);
    n += embedder_flush(self, e + n * V);
    embedder_destroy(self);
    CHECK(help_once("voices", 1, 8000, x, N, y) == n && n == 63);
    for (size_t j = 0; j < n; j++) {
        embedder_unit(e + j * V, e + j * V);
        CHECK(help_same(e + j * V, y + j * V, V));
    }
}

static void timing_is_as_stated(void)
{
    front_end *chain = help_create("voices", 2, 16000);
    const frame_timing timing = front_end_timing(chain);
    CHECK(front_end_shape(chain).dim == 2 * V && front_end_shape(chain).rate_hz == 25);
    CHECK(timing.hop == 640 && timing.lead == 0 && timing.period == 640);
    CHECK(timing.look_ahead == 120 + LOOK_AHEAD_ROWS * 160);
    CHECK(timing.memory == 401 + (FIELD_ROWS - 1) * 160);
    front_end_destroy(chain);
    expect_every_sample_owned("voices", 8000);
    expect_every_sample_owned("voices", 11025);
}

static void look_ahead_and_memory_are_as_stated(void)
{
    expect_memory_and_look_ahead("voices", 8000, 4003);
}

static void no_cutting_changes_a_bit(void)
{
    expect_no_cutting_matters("voices", 1, 200);
    expect_no_cutting_matters("bandpass=300-3400+voices", 2, 20);
}

static void channels_do_not_mix(void)
{
    expect_channels_apart("voices");
}

static void extreme_values_stay_finite(void)
{
    expect_finite("voices");
}

static void threads_agree(void)
{
    expect_threads_agree("voices");
}

static double distance(const float *a, const float *b)
{
    double sum = 0;
    for (size_t v = 0; v < V; v++) sum += fabs((double)a[v] - (double)b[v]);
    return sum;
}

/* Digital silence has one frame. Of speech at most one frame in ten lies as near to it as frames of
 * one word do, pauses among them. */
static void silence_is_one_frame_far_from_speech(void)
{
    enum { N = 48000 };
    static float x[N], silent[HELP_MAX_VALUES], speech[HELP_MAX_VALUES];
    const size_t n = help_once("voices", 1, 16000, x, N, silent);
    for (size_t j = 1; j < n; j++) CHECK(help_same(silent, silent + j * V, V));
    background_decode(x, 0, N, 1);
    CHECK(help_once("voices", 1, 16000, x, N, speech) == n);
    size_t near = 0;
    double least = INFINITY;
    for (size_t j = 0; j < n; j++) {
        const double d = distance(silent, speech + j * V);
        near += d < 8;
        least = fmin(least, d);
    }
    printf("nearest of %zu: %.2f; %zu below 8\n", n, least, near);
    CHECK(near * 10 <= n);
}

static void every_error_has_its_message(void)
{
    help_expect_error("voices=3", 16000, "voices=3: voices takes no argument");
    help_expect_error(
        "voices", 1,
        "voices needs 16 to 1048576 samples in a window of 25 ms: a rate of 620 Hz to "
        "41.9 MHz, not 1 Hz");
}

int main(void)
{
    RUN(threads_agree);
    if (!CHECK_THREADS_ALONE) {
        RUN(frames_are_units_of_the_embedding);
        RUN(timing_is_as_stated);
        RUN(look_ahead_and_memory_are_as_stated);
        RUN(no_cutting_changes_a_bit);
        RUN(channels_do_not_mix);
        RUN(extreme_values_stay_finite);
        RUN(silence_is_one_frame_far_from_speech);
        RUN(every_error_has_its_message);
    }
    return check_done();
}
