/* filter/bundle/bundle.c: what callers see of a bundle, and what they may set. */
#include "tests/filter/bundle/bundle_help.h"

static void a_bundle_is_described(void)
{
    bundle *b = small_bundle();
    sigrep_bundle_info info = {.size = sizeof info};
    sigrep_bundle_get_info(b, &info);
    CHECK(strcmp(info.front_end, "raw") == 0 && info.rate_hz == 0 && info.channels == 1);
    CHECK(!info.is_audio && info.frame_dim == 1 && info.hop == 1);
    CHECK(info.n_labels == 2 && info.n_takes == 3);
    sigrep_bundle_destroy(b);
}

/* Once hop was 0, so the times of long matches were forgotten too early. */
static void a_bundle_read_from_a_file_knows_its_hop(void)
{
    static const sigrep_bundle_info made = {
        .size = sizeof made, .front_end = "resample=1000", .rate_hz = 4000, .channels = 1};
    sigrep_bundle_info info = {.size = sizeof info};
    const float samples[] = {0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0};
    bundle *b;
    CHECK(sigrep_bundle_create(&b, &made, NULL) == SIGREP_OK);
    const sigrep_template take = {.label = "comb", .samples = samples, .length = 17};
    CHECK(sigrep_bundle_add_take(b, "comb.txt", &take, NULL) == SIGREP_OK);
    bundle_file f = file_of(b);
    CHECK(sigrep_bundle_read(&b, f.bytes, f.size, NULL) == SIGREP_OK);
    sigrep_bundle_get_info(b, &info);
    CHECK(info.hop == 4);
    sigrep_bundle_destroy(b);
    free(f.bytes);
}

static void labels_are_described_in_order(void)
{
    bundle *b = small_bundle();
    sigrep_bundle_label label = {.size = sizeof label};
    CHECK(sigrep_bundle_get_label(b, 0, &label) == SIGREP_OK);
    CHECK(strcmp(label.name, "hill") == 0 && label.n_takes == 2 && label.min_matches == 2);
    CHECK(label.has_threshold && label.threshold == 0.25);
    CHECK(label.length_min == 0.75 && label.length_max == 1.5);
    CHECK(label.hours == 2.5 && label.per_hour == 0.5 && label.low == 0.2 && label.high == 0.3);
    CHECK(!label.is_extrapolated);
    CHECK(sigrep_bundle_get_label(b, 1, &label) == SIGREP_OK);
    CHECK(strcmp(label.name, "flat") == 0 && label.n_takes == 1);
    CHECK(!label.has_threshold && label.hours == 0);
    CHECK(sigrep_bundle_get_label(b, 2, &label) == SIGREP_BAD_CONFIG);
    sigrep_bundle_destroy(b);
}

static void takes_are_described_in_order(void)
{
    static const char *const names[] = {"one.txt", "two.txt", "flat.txt"};
    static const uint64_t lengths[] = {5, 6, 2};
    bundle *b = small_bundle();
    sigrep_bundle_take take = {.size = sizeof take};
    for (size_t i = 0; i < 3; i++) {
        CHECK(sigrep_bundle_get_take(b, i, &take) == SIGREP_OK);
        CHECK(strcmp(take.name, names[i]) == 0 && take.frames->length == lengths[i]);
        CHECK(take.label == i / 2 && take.peer_score == (i == 1 ? 0.375 : -1));
        CHECK(take.level == (i == 1 ? 0.625 : 0) && take.frames->level == take.level);
    }
    CHECK(sigrep_bundle_get_take(b, 3, &take) == SIGREP_BAD_CONFIG);
    sigrep_bundle_destroy(b);
}

static void a_label_that_is_set_forgets_its_calibration(void)
{
    bundle *b = small_bundle();
    sigrep_bundle_label label = {.size = sizeof label};
    sigrep_bundle_take take = {.size = sizeof take};
    CHECK(sigrep_bundle_get_label(b, 0, &label) == SIGREP_OK);
    label.threshold = 2;
    label.length_max = 3;
    label.min_matches = 1;
    CHECK(sigrep_bundle_set_label(b, 0, &label, NULL) == SIGREP_OK);
    CHECK(sigrep_bundle_get_label(b, 0, &label) == SIGREP_OK);
    CHECK(label.threshold == 2 && label.length_max == 3 && label.min_matches == 1);
    CHECK(label.hours == 0);
    CHECK(sigrep_bundle_get_take(b, 1, &take) == SIGREP_OK);
    CHECK(take.frames->threshold == 2.5 && take.frames->length_max == 3); /* 2 times its weight */
    label.has_threshold = 0;
    CHECK(sigrep_bundle_set_label(b, 0, &label, NULL) == SIGREP_OK);
    CHECK(sigrep_bundle_get_take(b, 1, &take) == SIGREP_OK);
    CHECK(take.frames->auto_threshold);
    sigrep_bundle_destroy(b);
}

static void values_out_of_range_are_refused(void)
{
    bundle *b = small_bundle();
    sigrep_error error;
    const sigrep_bundle_label good = {.size = sizeof good,
                                      .has_threshold = 1,
                                      .threshold = 1,
                                      .length_min = 0.5,
                                      .length_max = 2,
                                      .min_matches = 1};
    static const char *const messages[] = {
        "threshold: -1, not a number from 0 up",
        "threshold: inf, not a number from 0 up",
        "ceiling: -1, not a number from 0 up",
        "ceiling: nan, not a number from 0 up",
        "length gate: 3 to 2, not 0 <= MIN <= MAX <= 64, MAX above 0",
        "length gate: 0.5 to 65, not 0 <= MIN <= MAX <= 64, MAX above 0",
        "min_matches: 0, not 1 to 2, its takes",
        "min_matches: 3, not 1 to 2, its takes",
    };
    sigrep_bundle_label bad[8];
    for (size_t i = 0; i < 8; i++) bad[i] = good;
    bad[0].threshold = -1;
    bad[1].threshold = INFINITY;
    bad[2].ceiling = -1;
    bad[3].ceiling = NAN;
    bad[4].length_min = 3;
    bad[5].length_max = 65;
    bad[6].min_matches = 0;
    bad[7].min_matches = 3;
    for (size_t i = 0; i < 8; i++) {
        CHECK_MSG(sigrep_bundle_set_label(b, 0, &bad[i], &error) == SIGREP_BAD_CONFIG, "%zu", i);
        CHECK_MSG(strcmp(error.text, messages[i]) == 0, "%s", error.text);
    }
    CHECK(sigrep_bundle_set_label(b, 2, &good, &error) == SIGREP_BAD_CONFIG);
    CHECK(b->labels[0].threshold == 0.25 && b->labels[0].is_calibrated);
    sigrep_bundle_destroy(b);
}

/* A ceiling bounds estimates, times the weights of takes. A given threshold is what it is. */
static void a_ceiling_bounds_estimates(void)
{
    bundle *b = small_bundle();
    sigrep_bundle_label label = {.size = sizeof label};
    CHECK(sigrep_bundle_get_label(b, 0, &label) == SIGREP_OK && label.ceiling == 0.5);
    CHECK(!b->templates[1].auto_threshold && b->templates[1].threshold == 0.25 * 1.25);
    label.has_threshold = 0;
    CHECK(sigrep_bundle_set_label(b, 0, &label, NULL) == SIGREP_OK);
    CHECK(b->templates[1].auto_threshold && b->templates[1].threshold == 0.5 * 1.25);
    label.ceiling = 0;
    CHECK(sigrep_bundle_set_label(b, 0, &label, NULL) == SIGREP_OK);
    CHECK(b->templates[1].auto_threshold && b->templates[1].threshold == 0);
    sigrep_bundle_destroy(b);
}

/* A program compiled when the struct ended with `threshold`. */
static void an_older_program_sets_what_it_knows(void)
{
    bundle *b = small_bundle();
    sigrep_bundle_label label = {.size = offsetof(sigrep_bundle_label, length_min),
                                 .length_max = 7};
    CHECK(sigrep_bundle_get_label(b, 0, &label) == SIGREP_OK);
    CHECK(label.threshold == 0.25 && label.length_max == 7);
    label.threshold = 9;
    CHECK(sigrep_bundle_set_label(b, 0, &label, NULL) == SIGREP_OK);
    CHECK(b->labels[0].threshold == 9 && b->labels[0].length_max == 1.5);
    CHECK(b->labels[0].min_matches == 2);
    sigrep_bundle_destroy(b);
}

int main(void)
{
    RUN(a_bundle_is_described);
    RUN(a_bundle_read_from_a_file_knows_its_hop);
    RUN(labels_are_described_in_order);
    RUN(takes_are_described_in_order);
    RUN(a_label_that_is_set_forgets_its_calibration);
    RUN(values_out_of_range_are_refused);
    RUN(a_ceiling_bounds_estimates);
    RUN(an_older_program_sets_what_it_knows);
    return check_done();
}
