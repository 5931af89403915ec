/* filter/bundle/takes.c: recordings to takes, their scores and their average. */
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include "tests/filter/bundle/bundle_help.h"

static const float one[] = {0, 1, 3, 1, 0}, two[] = {0, 2, 3, 2, 0, 0}, far[] = {9, 8, 9};

static bundle *empty_bundle(const char *spec, double rate_hz)
{
    const sigrep_bundle_info info = {
        .size = sizeof info, .front_end = spec, .rate_hz = rate_hz, .channels = 1};
    bundle *b;
    CHECK(sigrep_bundle_create(&b, &info, NULL) == SIGREP_OK);
    return b;
}

static void add(bundle *b, const char *label, const float *samples, uint64_t length)
{
    const sigrep_template take = {.label = label, .samples = samples, .length = length};
    sigrep_error error;
    CHECK_MSG(sigrep_bundle_add_take(b, "x.txt", &take, &error) == SIGREP_OK, "%s", error.text);
}

static double peer_score(const bundle *b, size_t i)
{
    sigrep_bundle_take take = {.size = sizeof take};
    CHECK(sigrep_bundle_get_take(b, i, &take) == SIGREP_OK);
    return take.peer_score;
}

/* By hand: `one` in `two` costs 1 + 1 = 2, `two` in `one` as well; `far` costs 6 a frame in each.
 */
static void each_take_knows_its_best_peer(void)
{
    bundle *b = empty_bundle("raw", 0);
    add(b, "hill", one, 5);
    CHECK(peer_score(b, 0) < 0);
    add(b, "hill", two, 6);
    CHECK(peer_score(b, 0) == 2 / 6.0 && peer_score(b, 1) == 2 / 5.0);
    add(b, "hill", far, 3);
    CHECK(peer_score(b, 0) == 2 / 6.0 && peer_score(b, 1) == 2 / 5.0);
    CHECK(peer_score(b, 2) > 5);
    add(b, "other", one, 5);
    CHECK(peer_score(b, 3) < 0);
    sigrep_bundle_destroy(b);
}

static void frames_are_those_of_the_front_end(void)
{
    bundle *b = empty_bundle("diff", 0);
    add(b, "hill", one, 5);
    const bundle_take *take = &b->labels[0].takes[0];
    const float expected[] = {0, 1, 2, -2, -1};
    CHECK(take->length == 5 && memcmp(take->frames, expected, sizeof expected) == 0);
    sigrep_bundle_destroy(b);
}

#if defined(__SSE__)

/* Regression: takes_in_flush_to_zero. A program that was built with -Ofast got frames of zeros, and
 * its search missed the take. All values are denormal. */
static void flushing_denormals_changes_no_take(void)
{
    const float least = 0x1p-149f;
    const float samples[] = {0, 10 * least, 40 * least, 20 * least, 0};
    const float frames[] = {0, 10 * least, 30 * least, -20 * least, -20 * least};
    const unsigned before = _mm_getcsr(), set = before | 0x8040; /* FTZ, DAZ */
    _mm_setcsr(set);
    bundle *b = empty_bundle("diff", 0);
    add(b, "tiny", samples, 5);
    add(b, "tiny", samples, 5);
    sigrep_bundle_average(b);
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    CHECK(after == set);
    const bundle_take *take = &b->labels[0].takes[0];
    CHECK(take->length == 5 && memcmp(take->frames, frames, sizeof frames) == 0);
    sigrep_bundle_destroy(b);
}

#endif

static void only_the_part_is_kept(void)
{
    bundle *b = empty_bundle("raw", 0);
    const sigrep_template take = {.label = "a", .samples = two, .length = 6, .begin = 1, .end = 4};
    CHECK(sigrep_bundle_add_take(b, "x", &take, NULL) == SIGREP_OK);
    CHECK(b->n_templates == 1 && b->templates[0].length == 3 && b->templates[0].samples[0] == 2);
    sigrep_bundle_destroy(b);
}

static void another_rate_is_resampled(void)
{
    float slow[200];
    for (size_t t = 0; t < 200; t++) slow[t] = (float)sin((double)t / 10);
    bundle *b = empty_bundle("raw", 100);
    const sigrep_template take = {.label = "a", .samples = slow, .length = 200, .rate_hz = 200};
    CHECK(sigrep_bundle_add_take(b, "x", &take, NULL) == SIGREP_OK);
    CHECK(b->n_templates == 1 && b->templates[0].length == 100);
    sigrep_bundle_destroy(b);
}

static void bad_takes_are_refused_and_leave_the_bundle_alone(void)
{
    static const sigrep_template bad[] = {
        {.label = "", .samples = one, .length = 5},
        {.samples = one, .length = 5},
        {.label = "a\tb", .samples = one, .length = 5},
        {.label = "a", .samples = one, .length = 1},
        {.label = "a", .samples = one, .length = 5, .begin = 2, .end = 9},
        {.label = "a", .samples = one, .length = 2, .frame_dim = 2},
    };
    bundle *b = empty_bundle("raw", 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sigrep_error error;
        const sigrep_status status = sigrep_bundle_add_take(b, "x", &bad[i], &error);
        CHECK_MSG(status == (i < 3 ? SIGREP_BAD_CONFIG : SIGREP_BAD_TEMPLATE), "%zu", i);
        CHECK(error.text[0] && error.template_index == SIZE_MAX);
    }
    const sigrep_template good = {.label = "a", .samples = one, .length = 5};
    CHECK(sigrep_bundle_add_take(b, "", &good, NULL) == SIGREP_BAD_CONFIG);
    CHECK(sigrep_bundle_add_take(b, NULL, &good, NULL) == SIGREP_BAD_CONFIG);
    CHECK(b->n_labels == 0 && b->n_templates == 0);
    sigrep_bundle_destroy(b);
}

/* Regression: takes_at_a_negative_rate. They counted as takes at the bundle's rate. */
static void a_rate_that_is_none_is_refused(void)
{
    static const double rates[] = {-44100, (double)NAN, (double)INFINITY};
    bundle *b = empty_bundle("raw", 100);
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        const sigrep_template take = {
            .label = "a", .samples = one, .length = 5, .rate_hz = rates[i]};
        sigrep_error error;
        CHECK(sigrep_bundle_add_take(b, "x", &take, &error) == SIGREP_BAD_TEMPLATE);
        CHECK(strstr(error.text, "rate_hz"));
    }
    CHECK(b->n_templates == 0);
    sigrep_bundle_destroy(b);
}

/* Regression: a_level_that_add_take_read. */
static void what_only_a_search_needs_is_not_read(void)
{
    bundle *b = empty_bundle("raw", 100);
    const sigrep_template take = {.label = "a",
                                  .samples = one,
                                  .length = 5,
                                  .threshold = -1,
                                  .length_min = 3,
                                  .length_max = -1,
                                  .level = -1};
    CHECK(sigrep_bundle_add_take(b, "x", &take, NULL) == SIGREP_OK);
    CHECK(b->n_templates == 1 && b->templates[0].level == 0);
    sigrep_bundle_destroy(b);
}

/* A rising tone, which `speech` takes, and its level by hand. */
enum { RATE = 8000, TONE = 4000 };

static const float *tone(float from)
{
    static float x[TONE];
    for (size_t t = 0; t < TONE; t++) {
        const float s = (float)t / RATE;
        x[t] = sinf(6.2831853F * (from + 1000 * s) * s) / 2;
    }
    return x;
}

static double measured_level(const sigrep_template *frames)
{
    const size_t values = (size_t)frames->length * frames->frame_dim;
    float *x = malloc(values * sizeof *x);
    const stage_ops *last;
    double level = 0;
    background *speech;
    memcpy(x, frames->samples, values * sizeof *x);
    CHECK(front_end_find_last(&last, "speech", (frame_shape){1, RATE}, NULL) == SIGREP_OK);
    front_end_as_template(last, x, (size_t)frames->length, frames->frame_dim);
    CHECK(background_create(&speech, "speech", 1, RATE, NULL) == SIGREP_OK);
    CHECK(background_level(&level, speech, x, (size_t)frames->length, frames->frame_dim) ==
          SIGREP_OK);
    background_destroy(speech);
    free(x);
    return level;
}

static void sounds_have_the_level_of_their_frames(void)
{
    bundle *b = empty_bundle("speech", RATE);
    add(b, "up", tone(200), TONE);
    add(b, "up", tone(300), TONE);
    for (size_t i = 0; i < 2; i++) {
        const double level = measured_level(&b->templates[i]);
        CHECK(level > 0 && b->templates[i].level == level);
    }
    CHECK(b->templates[0].level != b->templates[1].level);
    CHECK(b->templates[0].threshold == 0 && b->labels[0].takes[0].weight == 1);
    CHECK(sigrep_bundle_average(b) == SIGREP_OK && b->n_templates == 1);
    const double level = measured_level(&b->templates[0]);
    CHECK(level > 0 && b->templates[0].level == level);
    sigrep_bundle_destroy(b);
}

static int keep_score(void *user, const sigrep_match *match)
{
    *(double *)user = match->score;
    return 0;
}

/* The score of the bundle's first take in the samples, by a search. */
static double search_for_first(const bundle *b, const float *samples)
{
    double score = -1;
    sigrep *search;
    sigrep_config config;
    sigrep_config_init(&config, sizeof config);
    sigrep_bundle_configure(b, &config);
    sigrep_template first = b->templates[0];
    first.threshold = 100;
    config.templates = &first;
    config.n_templates = 1;
    config.rate_hz = RATE;
    config.on_match = keep_score;
    config.user = &score;
    CHECK(sigrep_create(&search, &config, NULL) == SIGREP_OK);
    CHECK(sigrep_push(search, samples, TONE) == SIGREP_OK && sigrep_finish(search) == SIGREP_OK);
    sigrep_destroy(search);
    return score;
}

/* Of frames of `speech`, some values count in the stream alone: there, not in the template. */
static void scores_among_takes_are_those_of_a_search(void)
{
    bundle *b = empty_bundle("speech", RATE);
    add(b, "up", tone(200), TONE);
    add(b, "up", tone(300), TONE);
    const double found = search_for_first(b, tone(300));
    CHECK_MSG(found > 0.1 && fabs(peer_score(b, 1) - found) < 1e-5 * found, "%g, not %g",
              peer_score(b, 1), found);
    sigrep_bundle_destroy(b);
}

static void numbers_have_no_level(void)
{
    bundle *b = empty_bundle("znorm=2", 100);
    add(b, "hill", one, 5);
    add(b, "hill", two, 6);
    CHECK(b->templates[0].level == 0 && b->templates[1].level == 0);
    CHECK(sigrep_bundle_average(b) == SIGREP_OK && b->templates[0].level == 0);
    sigrep_bundle_destroy(b);
}

static void an_average_stands_for_its_takes(void)
{
    bundle *b = empty_bundle("raw", 0);
    add(b, "hill", one, 5);
    add(b, "hill", one, 5);
    add(b, "alone", far, 3);
    b->labels[0].min_matches = 2;
    CHECK(sigrep_bundle_average(b) == SIGREP_OK);
    CHECK(b->n_templates == 2 && b->labels[0].min_matches == 1);
    CHECK(strcmp(b->labels[0].takes[0].name, "average of 2") == 0);
    CHECK(memcmp(b->templates[0].samples, one, sizeof one) == 0 && peer_score(b, 0) == 0);
    CHECK(strcmp(b->labels[1].takes[0].name, "x.txt") == 0);
    sigrep_bundle_destroy(b);
}

int main(void)
{
    RUN(each_take_knows_its_best_peer);
    RUN(frames_are_those_of_the_front_end);
#if defined(__SSE__)
    RUN(flushing_denormals_changes_no_take);
#endif
    RUN(only_the_part_is_kept);
    RUN(another_rate_is_resampled);
    RUN(bad_takes_are_refused_and_leave_the_bundle_alone);
    RUN(a_rate_that_is_none_is_refused);
    RUN(what_only_a_search_needs_is_not_read);
    RUN(sounds_have_the_level_of_their_frames);
    RUN(scores_among_takes_are_those_of_a_search);
    RUN(numbers_have_no_level);
    RUN(an_average_stands_for_its_takes);
    return check_done();
}
