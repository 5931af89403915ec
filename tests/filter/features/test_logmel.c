/* filter/features/logmel.c: its values, which samples a frame owns, its arguments. */
#include "tests/filter/features/spectral_help.h"

enum { BANDS = 26 };

static void agrees_with_another_implementation(void)
{
    static float x[GOLDEN_SAMPLES], y[HELP_MAX_VALUES];
    static double golden[HELP_MAX_VALUES], bounds[GOLDEN_FRAMES * BANDS];
    golden_signal(x);
    CHECK(golden_read("logmel", golden, HELP_MAX_VALUES) == (size_t)GOLDEN_FRAMES * BANDS);
    CHECK(help_once("logmel", 1, 8000, x, GOLDEN_SAMPLES, y) == GOLDEN_FRAMES);
    for (size_t i = 0; i < (size_t)GOLDEN_FRAMES * BANDS; i++)
        bounds[i] = golden_log_bound(golden[i], golden_mean_square(x, i / BANDS));
    expect_golden(y, golden, bounds, (size_t)GOLDEN_FRAMES * BANDS, 1);
}

static void timing_is_as_stated(void)
{
    front_end *chain = help_create("logmel", 1, 16000);
    const frame_timing timing = front_end_timing(chain);
    CHECK(timing.hop == 160 && timing.lead == 120);
    CHECK(timing.look_ahead == 120 && timing.memory == 401);
    CHECK(front_end_shape(chain).dim == 26 && front_end_shape(chain).rate_hz == 100);
    front_end_destroy(chain);
    chain = help_create("logmel=12", 3, 11025); /* window 276, hop 110 */
    CHECK(front_end_shape(chain).dim == 36 && front_end_timing(chain).lead == 83);
    CHECK(front_end_shape(chain).rate_hz == 11025. / 110);
    front_end_destroy(chain);
}

static void every_sample_is_owned(void)
{
    expect_every_sample_owned("logmel", 8000);
    expect_every_sample_owned("logmel=13", 11025);
    expect_every_sample_owned("logmel=2", 1000);
}

/* The loudest frame owns the click, in this stage and in chains with it. Pre-emphasis and diff
 * put a little of the click into the next sample, hence the margin. */
static void a_click_is_in_the_frame_that_owns_it(void)
{
    static const char *const specs[] = {"logmel", "raw+logmel=13", "diff+logmel", "logmel+raw"};
    static float x[1000], y[HELP_MAX_VALUES];
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        front_end *chain = help_create(specs[s], 1, 8000);
        const frame_timing timing = front_end_timing(chain);
        const size_t dim = front_end_shape(chain).dim, hop = timing.hop, lead = (size_t)timing.lead;
        for (size_t at = lead; at < 1000; at++) {
            const size_t owner = (at - lead) / hop;
            if (at + 2 >= lead + (owner + 1) * hop) continue;
            x[at] = 1;
            const size_t frames = help_run_wide(chain, 1, x, 1000, y, NULL);
            x[at] = 0;
            size_t best = 0;
            double most = -INFINITY;
            for (size_t j = 0; j < frames; j++) {
                double sum = 0;
                for (size_t b = 0; b < dim; b++) sum += (double)y[j * dim + b];
                if (sum > most) most = sum, best = j;
            }
            CHECK_MSG(best == owner, "%s: click %zu in frame %zu", specs[s], at, best);
        }
        front_end_destroy(chain);
    }
}

static void silence_is_the_floor(void)
{
    static float x[500], y[HELP_MAX_VALUES];
    const float floor = logf(1e-10f);
    CHECK(help_once("logmel", 1, 8000, x, 500, y) == 6);
    for (size_t i = 0; i < (size_t)6 * BANDS; i++) CHECK(help_same(&y[i], &floor, 1));
}

/* The last frame is that of a span with zeros after its end. */
static void the_last_window_is_padded_with_zeros(void)
{
    static float x[600], y[HELP_MAX_VALUES], padded[HELP_MAX_VALUES];
    uint64_t random = check_seed("partial");
    help_noises(x, 410, &random);
    /* Pre-emphasis would carry the last sample into the zeros after it. */
    x[409] = 0;
    const size_t frames = help_once("logmel", 1, 8000, x, 410, y);
    CHECK(frames == 5);
    CHECK(help_once("logmel", 1, 8000, x, 600, padded) > frames);
    CHECK(help_same(y, padded, frames * BANDS));
}

static void no_cutting_changes_a_bit(void)
{
    expect_no_cutting_matters("logmel", 1, 2000);
    expect_no_cutting_matters("logmel=13", 2, 1000);
}

static void channels_do_not_mix(void)
{
    expect_channels_apart("logmel");
}

static void extreme_values_stay_finite(void)
{
    expect_finite("logmel");
}

static void threads_agree(void)
{
    expect_threads_agree("logmel");
}

static void every_error_has_its_message(void)
{
#define NUMBER ": BANDS must be a whole number from 1 to 1024"
    help_expect_error("logmel=0", 8000, "logmel=0" NUMBER);
    help_expect_error("logmel=1025", 8000, "logmel=1025" NUMBER);
    help_expect_error("logmel=-3", 8000, "logmel=-3" NUMBER);
    help_expect_error("logmel=2.5", 8000, "logmel=2.5" NUMBER);
    help_expect_error("logmel=99999999999999999999", 8000, "logmel=99999999999999999999" NUMBER);
    help_expect_error("logmel=", 8000, "logmel needs an argument: logmel=BANDS");
    help_expect_error("logmel=200", 8000,
                      "logmel: a spectrum of 256 points at 8000 Hz is too coarse for 200 mel "
                      "bands");
    help_expect_error("logmel", 1,
                      "logmel needs 16 to 1048576 samples in a window of 25 ms: a rate of "
                      "620 Hz to 41.9 MHz, not 1 Hz");
}

int main(void)
{
    RUN(threads_agree);
    if (!CHECK_THREADS_ALONE) {
        RUN(agrees_with_another_implementation);
        RUN(timing_is_as_stated);
        RUN(every_sample_is_owned);
        RUN(a_click_is_in_the_frame_that_owns_it);
        RUN(silence_is_the_floor);
        RUN(the_last_window_is_padded_with_zeros);
        RUN(no_cutting_changes_a_bit);
        RUN(channels_do_not_mix);
        RUN(extreme_values_stay_finite);
        RUN(every_error_has_its_message);
    }
    return check_done();
}
