/* filter/session/template.c: what it refuses, with which message, and which frames it keeps. */
#include <math.h>
#include <string.h>

#include "filter/features/timing.h"
#include "filter/session/template.h"
#include "tests/check.h"

/* At 1 Hz, so that seconds of a front end are samples. */
static const template_rules plain = {
    .front_end = "raw", .samples = {1, 1}, .length_min = 0.5, .length_max = 2};

static template_rules with(const char *spec, size_t channels)
{
    template_rules rules = plain;
    rules.front_end = spec;
    rules.samples.dim = channels;
    return rules;
}

static void refused(const sigrep_template *given, const template_rules *rules,
                    sigrep_status expected, const char *words)
{
    sigrep_error error = {.text = ""};
    template x;
    sigrep_status status = template_create(&x, given, rules, &error);
    CHECK_MSG(status == expected && strcmp(error.text, words) == 0, "%d: %s", (int)status,
              error.text);
    CHECK(!x.label && !x.frames);
    if (!status) template_free(&x);
    CHECK(template_create(&x, given, rules, NULL) == expected);
}

/* The template has exactly these values. */
static void gives(const sigrep_template *given, const template_rules *rules, const float *frames,
                  size_t length)
{
    sigrep_error error = {.text = ""};
    template x;
    sigrep_status status = template_create(&x, given, rules, &error);
    CHECK_MSG(status == SIGREP_OK, "%s", error.text);
    if (status) return;
    CHECK_MSG(x.length == length, "%zu frames", x.length);
    if (x.length == length) CHECK(!memcmp(x.frames, frames, length * x.dim * sizeof *frames));
    template_free(&x);
}

/* ---- what is refused ---- */

static void fewer_than_two_samples_are_refused(void)
{
    const float one[1] = {1};
    refused(&(sigrep_template){.size = sizeof(sigrep_template), .samples = one, .length = 1},
            &plain, SIGREP_BAD_TEMPLATE, "too short: 1 sample; this front end needs 2 at least");
    refused(&(sigrep_template){.size = sizeof(sigrep_template), .samples = one}, &plain,
            SIGREP_BAD_TEMPLATE, "too short: 0 samples; this front end needs 2 at least");
}

/* The length is checked before the samples. */
static void more_than_16_mi_values_are_refused(void)
{
    const float few[6] = {0};
    refused(&(sigrep_template){.size = sizeof(sigrep_template),
                               .samples = few,
                               .length = SIGREP_TEMPLATE_MAX_VALUES + 1},
            &plain, SIGREP_BAD_TEMPLATE, "too long: 16777217 x 1 values, at most 16777216");
    refused(
        &(sigrep_template){.size = sizeof(sigrep_template), .samples = few, .length = UINT64_MAX},
        &plain, SIGREP_BAD_TEMPLATE, "too long: 18446744073709551615 x 1 values, at most 16777216");
    const template_rules three = with("raw", 3);
    refused(&(sigrep_template){.size = sizeof(sigrep_template),
                               .samples = few,
                               .length = SIGREP_TEMPLATE_MAX_VALUES / 3 + 1},
            &three, SIGREP_BAD_TEMPLATE, "too long: 5592406 x 3 values, at most 16777216");
}

static void a_value_that_is_not_finite_is_refused_by_sample(void)
{
    const float values[6] = {0, 1, 2, NAN, 4, INFINITY};
    refused(&(sigrep_template){.size = sizeof(sigrep_template), .samples = values, .length = 6},
            &plain, SIGREP_BAD_TEMPLATE, "sample 3 is not finite");
    const template_rules two = with("raw", 2);
    refused(&(sigrep_template){.size = sizeof(sigrep_template), .samples = values, .length = 3},
            &two, SIGREP_BAD_TEMPLATE, "sample 1 is not finite");
    const float negative[2] = {0, -INFINITY};
    refused(&(sigrep_template){.size = sizeof(sigrep_template), .samples = negative, .length = 2},
            &plain, SIGREP_BAD_TEMPLATE, "sample 1 is not finite");
}

static void a_threshold_is_a_number_from_0_up(void)
{
    const float x[2] = {1, 2};
    static const double bad[] = {-1, -1e-300, (double)NAN, (double)INFINITY, -(double)INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const sigrep_template given = {
            .size = sizeof(sigrep_template), .samples = x, .length = 2, .threshold = bad[i]};
        char words[64];
        snprintf(words, sizeof words, "threshold: %g, not a number from 0 up", bad[i]);
        refused(&given, &plain, SIGREP_BAD_CONFIG, words);
        template_rules best = plain;
        best.best = true;
        gives(&given, &best, x, 2);
    }
    gives(
        &(sigrep_template){
            .size = sizeof(sigrep_template), .samples = x, .length = 2, .threshold = 0},
        &plain, x, 2);
    gives(
        &(sigrep_template){
            .size = sizeof(sigrep_template), .samples = x, .length = 2, .threshold = 1e308},
        &plain, x, 2);
}

static void a_part_lies_inside_the_samples(void)
{
    const float x[4] = {1, 2, 3, 4};
    static const uint64_t parts[][2] = {{3, 2}, {1, 0}, {0, 5}, {5, 6}, {UINT64_MAX, UINT64_MAX}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char words[128];
        snprintf(words, sizeof words,
                 "the part from sample %llu to %llu is not within its 4 samples",
                 (unsigned long long)parts[i][0], (unsigned long long)parts[i][1]);
        refused(&(sigrep_template){.size = sizeof(sigrep_template),
                                   .samples = x,
                                   .length = 4,
                                   .begin = parts[i][0],
                                   .end = parts[i][1]},
                &plain, SIGREP_BAD_TEMPLATE, words);
    }
}

/* A template may be cut from a recording with gaps elsewhere. */
static void outside_the_part_gaps_are_gaps(void)
{
    static const float x[8] = {1, NAN, 3, 5, 9, INFINITY, 4, 2};
    const template_rules diff = with("diff", 1);
    gives(
        &(sigrep_template){
            .size = sizeof(sigrep_template), .samples = x, .length = 8, .begin = 2, .end = 5},
        &diff, (float[]){0, 2, 4}, 3);
    gives(
        &(sigrep_template){
            .size = sizeof(sigrep_template), .samples = x, .length = 8, .begin = 6, .end = 8},
        &diff, (float[]){0, -2}, 2);
    const template_rules one = with("envelope=1", 1);
    gives(
        &(sigrep_template){
            .size = sizeof(sigrep_template), .samples = x, .length = 8, .begin = 2, .end = 5},
        &one, (float[]){3, 5, 9}, 3);
    refused(
        &(sigrep_template){
            .size = sizeof(sigrep_template), .samples = x, .length = 8, .begin = 3, .end = 7},
        &plain, SIGREP_BAD_TEMPLATE, "sample 5 is not finite");
}

static void a_part_of_0_samples_is_refused(void)
{
    const float x[4] = {1, 2, 3, 4};
    const sigrep_template given = {
        .size = sizeof(sigrep_template), .samples = x, .length = 4, .begin = 2, .end = 2};
    template t;
    CHECK(template_create(&t, &given, &plain, NULL) == SIGREP_BAD_TEMPLATE);
}

static void a_front_end_may_leave_too_little(void)
{
    const template_rules four = with("envelope=4", 1);
    const float x[5] = {1, 1, 1, 1, 1};
    sigrep_error error = {.text = ""};
    template t;
    CHECK(template_create(
              &t, &(sigrep_template){.size = sizeof(sigrep_template), .samples = x, .length = 4},
              &four, &error) == SIGREP_BAD_TEMPLATE);
    CHECK(strcmp(error.text, "too short: 4 samples; this front end needs 5 at least") == 0);
    gives(&(sigrep_template){.size = sizeof(sigrep_template), .samples = x, .length = 5}, &four,
          (float[]){1, 0.5f}, 2);
}

/* The least length that the error message gives. */
static uint64_t reported_least(const sigrep_template *given, const template_rules *rules)
{
    sigrep_error error = {.text = ""};
    unsigned long long least = 0;
    template t;
    CHECK(template_create(&t, given, rules, &error) == SIGREP_BAD_TEMPLATE);
    const char *needs = strstr(error.text, "needs ");
    CHECK_MSG(needs && sscanf(needs, "needs %llu", &least) == 1, "%s", error.text);
    CHECK_MSG(least >= 2 && least < 900, "%llu", least);
    return least;
}

static bool is_taken(const sigrep_template *given, const template_rules *rules)
{
    template t;
    if (template_create(&t, given, rules, NULL)) return false;
    template_free(&t);
    return true;
}

/* For a whole file it is the least length; for a part it is enough anywhere. */
static void the_reported_length_is_enough(void)
{
    static const char *const specs[] = {"raw", "mfcc", "logmel+diff", "resample=8000+mfcc"};
    static float x[1000];
    for (size_t t = 0; t < 1000; t++) x[t] = sinf((float)(t * t % 997));
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        template_rules rules = with(specs[i], 1);
        rules.samples.rate_hz = 16000;
        sigrep_template given = {.size = sizeof(sigrep_template), .samples = x, .length = 1};
        const uint64_t least = reported_least(&given, &rules);
        given.length = least - 1;
        CHECK(!is_taken(&given, &rules));
        given.length = least;
        CHECK_MSG(is_taken(&given, &rules), "%s", specs[i]);
        given = (sigrep_template){.size = sizeof(sigrep_template),
                                  .samples = x,
                                  .length = 1000,
                                  .begin = 999,
                                  .end = 1000};
        const uint64_t part = reported_least(&given, &rules);
        for (given.begin = 0; given.begin + part <= 1000; given.begin++) {
            given.end = given.begin + part;
            CHECK_MSG(is_taken(&given, &rules), "%s at %llu", specs[i],
                      (unsigned long long)given.begin);
        }
    }
}

static void an_empty_length_gate_is_refused(void)
{
    const float x[3] = {1, 2, 3};
    const sigrep_template given = {.size = sizeof(sigrep_template), .samples = x, .length = 3};
    template_rules rules = plain;
    rules.length_min = 0;
    rules.length_max = 0.3; /* floor 0.9 */
    refused(&given, &rules, SIGREP_BAD_CONFIG,
            "the length gate leaves no length for a template of 3 frames");
    rules.length_max = 0.34; /* 1.02: a length of 1 */
    gives(&given, &rules, x, 3);
}

static void a_front_end_has_messages_of_its_own(void)
{
    const float x[2] = {1, 2};
    sigrep_error error = {.text = ""};
    template t;
    const template_rules unknown = with("abacus", 1);
    CHECK(template_create(
              &t, &(sigrep_template){.size = sizeof(sigrep_template), .samples = x, .length = 2},
              &unknown, &error) == SIGREP_BAD_FRONT_END);
    CHECK(strstr(error.text, "abacus"));
    CHECK(!t.label && !t.frames);
}

/* ---- what is kept ---- */

static void a_constant_is_a_template_as_well(void)
{
    const float x[3] = {7, 7, 7};
    gives(&(sigrep_template){.size = sizeof(sigrep_template), .samples = x, .length = 3}, &plain, x,
          3);
}

static void everything_is_copied(void)
{
    float x[3] = {1, 2, 3};
    char label[] = "beat";
    template t;
    CHECK(template_create(&t,
                          &(sigrep_template){.size = sizeof(sigrep_template),
                                             .label = label,
                                             .samples = x,
                                             .length = 3,
                                             .threshold = 0.5},
                          &plain, NULL) == SIGREP_OK);
    x[0] = 9;
    label[0] = 'm';
    CHECK(strcmp(t.label, "beat") == 0 && t.frames[0] == 1);
    CHECK(t.length == 3 && t.dim == 1 && t.threshold == 0.5);
    CHECK(t.gate.eps == 1.5f && t.gate.length_min == 2 && t.gate.length_max == 6);
    template_free(&t);
    CHECK(!t.label && !t.frames);
}

static void no_label_is_an_empty_one(void)
{
    const float x[2] = {1, 2};
    template t;
    CHECK(template_create(
              &t, &(sigrep_template){.size = sizeof(sigrep_template), .samples = x, .length = 2},
              &plain, NULL) == SIGREP_OK);
    CHECK(strcmp(t.label, "") == 0);
    template_free(&t);
}

static void in_a_best_of_search_no_threshold_counts(void)
{
    const float x[2] = {1, 2};
    template_rules best = plain;
    best.best = true;
    template t;
    CHECK(template_create(
              &t,
              &(sigrep_template){
                  .size = sizeof(sigrep_template), .samples = x, .length = 2, .threshold = 3},
              &best, NULL) == SIGREP_OK);
    CHECK(isinf(t.threshold) && isinf(t.gate.eps));
    template_free(&t);
}

/* diff of the whole is 0 1 1 10 1 1; the first frame of the part is 10, not 0. */
static void the_front_end_sees_the_whole_before_the_cut(void)
{
    const float x[6] = {0, 1, 2, 12, 13, 14};
    const template_rules diff = with("diff", 1);
    gives(
        &(sigrep_template){
            .size = sizeof(sigrep_template), .samples = x, .length = 6, .begin = 3, .end = 6},
        &diff, (float[]){10, 1, 1}, 3);
}

static void a_part_of_samples_is_cut_exactly(void)
{
    const float x[6] = {0, 1, 2, 3, 4, 5};
    gives(
        &(sigrep_template){
            .size = sizeof(sigrep_template), .samples = x, .length = 6, .begin = 2, .end = 5},
        &plain, x + 2, 3);
    gives(
        &(sigrep_template){
            .size = sizeof(sigrep_template), .samples = x, .length = 6, .begin = 0, .end = 2},
        &plain, x, 2);
    gives(
        &(sigrep_template){
            .size = sizeof(sigrep_template), .samples = x, .length = 6, .begin = 4, .end = 6},
        &plain, x + 4, 2);
    gives(
        &(sigrep_template){
            .size = sizeof(sigrep_template), .samples = x, .length = 6, .begin = 0, .end = 6},
        &plain, x, 6);
}

/* Blocks of 4 have their centres at 2, 6, 10, 14; blocks of 3 at 1.5, 4.5, 7.5, 10.5, 13.5. */
static void frames_are_cut_by_their_centres(void)
{
    float x[16];
    for (size_t i = 0; i < 16; i++) x[i] = (float)(i / 4);
    const template_rules four = with("envelope=4", 1);
    static const size_t even[][4] = {/* begin, end, first frame, frames */
                                     {2, 10, 0, 2}, {3, 14, 1, 2}, {2, 11, 0, 3}, {3, 15, 1, 3},
                                     {0, 16, 0, 4}, {0, 7, 0, 2},  {6, 15, 1, 3}, {7, 15, 2, 2}};
    const float blocks[4] = {0, 1, 2, 3};
    for (size_t i = 0; i < sizeof even / sizeof *even; i++)
        gives(&(sigrep_template){.size = sizeof(sigrep_template),
                                 .samples = x,
                                 .length = 16,
                                 .begin = even[i][0],
                                 .end = even[i][1]},
              &four, blocks + even[i][2], even[i][3]);

    float z[15];
    for (size_t i = 0; i < 15; i++) z[i] = (float)(i / 3);
    const template_rules three = with("envelope=3", 1);
    static const size_t odd[][4] = {{1, 5, 0, 2},  {2, 8, 1, 2},  {1, 8, 0, 3}, {4, 11, 1, 3},
                                    {5, 11, 2, 2}, {5, 14, 2, 3}, {5, 13, 2, 2}};
    const float thirds[5] = {0, 1, 2, 3, 4};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        gives(&(sigrep_template){.size = sizeof(sigrep_template),
                                 .samples = z,
                                 .length = 15,
                                 .begin = odd[i][0],
                                 .end = odd[i][1]},
              &three, thirds + odd[i][2], odd[i][3]);
}

/* 3 samples are 2 frames: centres at 0.75, 2.25, 3.75, 5.25 ... */
static void frames_of_a_fraction_are_cut_by_their_centres(void)
{
    static const size_t cuts[][3] = {/* begin, end, frames */
                                     {0, 300, 200},
                                     {0, 3, 2},
                                     {0, 4, 3},
                                     {1, 4, 2},
                                     {150, 300, 100}};
    float x[300];
    for (size_t i = 0; i < 300; i++) x[i] = 1;
    const template_rules slower = {
        .front_end = "resample=2", .samples = {1, 3}, .length_min = 0.5, .length_max = 2};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        const sigrep_template given = {.size = sizeof(sigrep_template),
                                       .samples = x,
                                       .length = 300,
                                       .begin = cuts[i][0],
                                       .end = cuts[i][1]};
        template t;
        CHECK(template_create(&t, &given, &slower, NULL) == SIGREP_OK);
        CHECK_MSG(t.length == cuts[i][2], "cut %zu: %zu frames", i, t.length);
        template_free(&t);
    }
}

/* The frames of the samples [begin, end) of a span, by a front end that reads all of it. */
static size_t frames_of_part(float *frames, const template_rules *rules, const float *x, size_t n,
                             size_t begin, size_t end)
{
    front_end *chain;
    CHECK(!front_end_create(&chain, rules->front_end, rules->samples, 1000, NULL));
    const frame_timing timing = front_end_timing(chain);
    const size_t dim = front_end_shape(chain).dim;
    size_t kept = 0, seen = 0;
    for (size_t at = 0; at <= n; at += 1000) {
        const float *made;
        size_t left = n - at < 1000 ? n - at : 1000;
        size_t m = front_end_push(chain, x + at, left, &made);
        for (int last = 0; last < 1 + (left < 1000); last++) {
            if (last) m = front_end_flush(chain, &made);
            for (size_t i = 0; i < m; i++)
                if (timing_centre_in(&timing, seen++, begin, end))
                    memcpy(frames + kept++ * dim, made + i * dim, dim * sizeof *made);
        }
    }
    front_end_destroy(chain);
    return kept;
}

/* Only what the part needs is read; its frames are those of the whole. */
static void a_part_has_the_frames_of_the_whole(void)
{
    enum { MOST = 24000, MOST_DIM = 40 };
    static const char *const specs[] = {"raw",
                                        "diff",
                                        "mfcc",
                                        "logmel=20",
                                        "speech",
                                        "znorm=0.1",
                                        "envelope=0.01",
                                        "diff+mfcc",
                                        "resample=6000+mfcc",
                                        "bandpass=300-3000",
                                        "envelope=0.02+diff"};
    static float x[MOST], frames[MOST * MOST_DIM];
    uint64_t random = check_seed("a_part_has_the_frames_of_the_whole");
    for (size_t i = 0; i < MOST; i++) x[i] = (float)check_below(&random, 2001) / 1000 - 1;
    for (int i = 0; i < 60; i++) {
        template_rules rules = plain;
        rules.front_end = specs[check_below(&random, sizeof specs / sizeof *specs)];
        rules.samples.rate_hz = 8000;
        const size_t n = 2000 + check_below(&random, MOST - 2000);
        const size_t begin = check_below(&random, n - 1000);
        const size_t end = begin + 1000 + check_below(&random, n - begin - 999);
        const size_t kept = frames_of_part(frames, &rules, x, n, begin, end);
        gives(&(sigrep_template){.size = sizeof(sigrep_template),
                                 .samples = x,
                                 .length = n,
                                 .begin = begin,
                                 .end = end},
              &rules, frames, kept);
    }
}

/* Longer than one push to the front end, and than the first room for frames. */
static void a_long_template_is_whole(void)
{
    enum { N = 20001 };
    static float x[N * 2];
    for (size_t i = 0; i < (size_t)N * 2; i++) x[i] = (float)i;
    const template_rules two = with("raw", 2);
    gives(&(sigrep_template){.size = sizeof(sigrep_template), .samples = x, .length = N}, &two, x,
          N);
    gives(
        &(sigrep_template){
            .size = sizeof(sigrep_template), .samples = x, .length = N, .begin = 4095, .end = N},
        &two, x + 2 * 4095, N - 4095);
}

/* A decoded take has zeros before and after the sound. Any number of them is left out by `speech`.
 * For `raw` they are samples like others. */
static void silence_at_its_ends_is_left_out(void)
{
    enum { SOUND = 1600, PADDED = 16000 };
    static float x[PADDED];
    uint64_t random = check_seed("padded");
    for (size_t i = 0; i < SOUND; i++) x[8000 + i] = (float)check_below(&random, 2001) / 1000 - 1;
    template_rules rules = with("speech", 1);
    rules.samples.rate_hz = 8000;
    template least, zeros;
    const sigrep_template a_little = {
        .size = sizeof(sigrep_template), .samples = x + 4800, .length = 3200 + SOUND + 3200};
    CHECK(template_create(&least, &a_little, &rules, NULL) == SIGREP_OK);
    /* Windows reach into the zeros, and S spans 5 frames. */
    CHECK_MSG(least.length >= SOUND / 80 && least.length <= SOUND / 80 + 8, "%zu", least.length);
    gives(&(sigrep_template){.size = sizeof(sigrep_template), .samples = x, .length = PADDED},
          &rules, least.frames, least.length);
    template_free(&least);
    CHECK(template_create(
              &zeros,
              &(sigrep_template){.size = sizeof(sigrep_template), .samples = x, .length = 4000},
              &rules, NULL) == SIGREP_OK); /* nothing but zeros */
    CHECK(zeros.length == 50);
    template_free(&zeros);
    gives(&(sigrep_template){.size = sizeof(sigrep_template), .samples = x, .length = 4000}, &plain,
          x, 4000);
}

/* The bug: `voices` kept them, so a padded take found other words. A frame of it sees most of a
 * second, so what its own 40 ms are counts: it is as if the part between the zeros was given. One
 * channel that is not zero is sound. */
static void zeros_at_its_ends_are_left_out_by_voices(void)
{
    enum { SOUND = 4500, PADDED = 14000, FIRST = 3900 };
    static const double rates_hz[] = {16000, 44056}; /* a hop of 640 samples; of 1762.24 */
    static float x[PADDED * 2];
    static double wide[PADDED * 2];
    uint64_t random = check_seed("padded");
    for (size_t i = 0; i < SOUND; i++)
        x[2 * (FIRST + i) + i % 2] = (float)(1 + check_below(&random, 2000)) / 1000 - 3;
    for (size_t i = 0; i < (size_t)PADDED * 2; i++) wide[i] = (double)x[i];
    for (size_t k = 0; k < 4; k++) {
        const size_t channels = 1 + k / 2;
        const double rate_hz = rates_hz[k % 2];
        template_rules rules = with("resample=8000+voices", channels);
        rules.samples.rate_hz = rate_hz;
        const uint64_t begin = FIRST * 2 / channels, end = begin + SOUND * 2 / channels;
        template part, one;
        sigrep_template given = {.size = sizeof given,
                                 .samples = x,
                                 .length = PADDED * 2 / channels,
                                 .begin = begin,
                                 .end = end};
        CHECK(template_create(&part, &given, &rules, NULL) == SIGREP_OK);
        given.begin = given.end = 0;
        gives(&given, &rules, part.frames, part.length);
        given.begin = begin / 2; /* a part with zeros at its ends */
        given.end = end + 1000;
        gives(&given, &rules, part.frames, part.length);
        given.doubles = wide;
        gives(&given, &rules, part.frames, part.length);
        template_free(&part);
        given = (sigrep_template){.size = sizeof given, .samples = x, .length = begin + 300};
        CHECK(template_create(&one, &given, &rules, NULL) == SIGREP_OK); /* hardly any sound */
        CHECK_MSG((double)one.length >= floor((double)begin / (0.04 * rate_hz)), "%zu", one.length);
        template_free(&one);
    }
}

int main(void)
{
    RUN(fewer_than_two_samples_are_refused);
    RUN(more_than_16_mi_values_are_refused);
    RUN(a_value_that_is_not_finite_is_refused_by_sample);
    RUN(a_threshold_is_a_number_from_0_up);
    RUN(a_part_lies_inside_the_samples);
    RUN(outside_the_part_gaps_are_gaps);
    RUN(a_part_of_0_samples_is_refused);
    RUN(a_front_end_may_leave_too_little);
    RUN(the_reported_length_is_enough);
    RUN(an_empty_length_gate_is_refused);
    RUN(a_front_end_has_messages_of_its_own);
    RUN(a_constant_is_a_template_as_well);
    RUN(everything_is_copied);
    RUN(no_label_is_an_empty_one);
    RUN(in_a_best_of_search_no_threshold_counts);
    RUN(the_front_end_sees_the_whole_before_the_cut);
    RUN(a_part_of_samples_is_cut_exactly);
    RUN(frames_are_cut_by_their_centres);
    RUN(frames_of_a_fraction_are_cut_by_their_centres);
    RUN(a_part_has_the_frames_of_the_whole);
    RUN(a_long_template_is_whole);
    RUN(silence_at_its_ends_is_left_out);
    RUN(zeros_at_its_ends_are_left_out_by_voices);
    return check_done();
}
