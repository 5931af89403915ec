/* filter/features/words.c: its frames are those of speech and of the embedding; its reach,
 * cuttings, channels, threads, silence, states, errors. */
#include "filter/features/embedder.h"
#include "tests/filter/features/spectral_help.h"

enum { E = EMBEDDER_VALUES, S = 77, K = E + S, LOOK_AHEAD_ROWS = 22, FIELD_ROWS = 76 };

enum { LEAD = 60 }; /* samples of silence before a span, at 8000 Hz */

static void frames_are_those_of_its_parts(void)
{
    enum { N = 7000 };
    static float led[LEAD + N], y[HELP_MAX_VALUES], s[HELP_MAX_VALUES], e[HELP_MAX_VALUES];
    float *x = led + LEAD;
    uint64_t random = check_seed("parts");
    for (size_t i = check_cases(20); i > 0; i--) {
        embedder *self = NULL;
        frame_timing timing;
        const size_t n = 200 + check_below(&random, N - 200);
        help_noises(x, n, &random);
        CHECK(embedder_create(&self, "test", 2, (frame_shape){1, 8000}, &timing, NULL) ==
              SIGREP_OK);
        if (!self) exit(1);
        size_t got = embedder_push(self, x, n, e);
        got += embedder_flush(self, e + got * E);
        embedder_destroy(self);
        const size_t rows = help_once("speech", 1, 8000, led, LEAD + n, s);
        CHECK(help_once("words", 1, 8000, x, n, y) == got && got == (rows + 1) / 2);
        for (size_t j = 0; j < got; j++) {
            embedder_unit(e + j * E, e + j * E);
            for (size_t v = 0; v < E; v++) e[j * E + v] *= 0.5f;
            CHECK(help_same(y + j * K, e + j * E, E));
            CHECK(help_same(y + j * K + E, s + 2 * j * S, S));
        }
    }
}

static void timing_is_as_stated(void)
{
    front_end *chain = help_create("words", 2, 16000);
    const frame_timing timing = front_end_timing(chain);
    CHECK(front_end_shape(chain).dim == 2 * K && front_end_shape(chain).rate_hz == 50);
    CHECK(timing.hop == 320 && timing.lead == 0 && timing.period == 320);
    CHECK(timing.look_ahead == 120 + LOOK_AHEAD_ROWS * 160);
    CHECK(timing.memory == 401 + (FIELD_ROWS - 1) * 160);
    front_end_destroy(chain);
    expect_every_sample_owned("words", 8000);
    expect_every_sample_owned("words", 11025);
}

static void look_ahead_and_memory_are_as_stated(void)
{
    expect_memory_and_look_ahead("words", 7000, 4003);
}

static void no_cutting_changes_a_bit(void)
{
    expect_no_cutting_matters("words", 1, 200);
    expect_no_cutting_matters("bandpass=300-3400+words", 2, 20);
}

static void channels_do_not_mix(void)
{
    expect_channels_apart("words");
}

static void extreme_values_stay_finite(void)
{
    expect_finite("words");
}

static void threads_agree(void)
{
    expect_threads_agree("words");
}

/* A template keeps all but the value that counts in the stream alone; silence bears speech's mark.
 */
static void templates_and_silence_are_as_in_speech(void)
{
    static float x[3000], y[HELP_MAX_VALUES];
    uint64_t random = check_seed("template");
    front_end *chain = help_create("words", 1, 8000);
    size_t n = help_once("words", 1, 8000, x, 3000, y);
    for (size_t j = 0; j < n; j++) CHECK(front_end_is_silence(chain, y + j * K));
    help_noises(x, 3000, &random);
    n = help_once("words", 1, 8000, x, 3000, y);
    CHECK(n > 0 && !front_end_is_silence(chain, y));
    front_end_as_template(front_end_last(chain), y, n, K);
    for (size_t j = 0; j < n; j++) CHECK(y[j * K + K - 1] == 0 && y[j * K] != 0);
    front_end_destroy(chain);
}

static void every_error_has_its_message(void)
{
    help_expect_error("words=3", 16000, "words=3: words takes no argument");
    help_expect_error("words", 1,
                      "words needs 16 to 1048576 samples in a window of 25 ms: a rate of 620 Hz to "
                      "41.9 MHz, not 1 Hz");
}

int main(void)
{
    RUN(threads_agree);
    if (!CHECK_THREADS_ALONE) {
        RUN(frames_are_those_of_its_parts);
        RUN(timing_is_as_stated);
        RUN(look_ahead_and_memory_are_as_stated);
        RUN(no_cutting_changes_a_bit);
        RUN(channels_do_not_mix);
        RUN(extreme_values_stay_finite);
        RUN(templates_and_silence_are_as_in_speech);
        RUN(every_error_has_its_message);
    }
    return check_done();
}
