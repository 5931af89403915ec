/* filter/calibration/calibration.c: through sigrep.h alone. */
#include <math.h>
#include <string.h>

#include "sigrep.h"
#include "tests/check.h"

static const float one[] = {0, 1, 2, 3, 2, 1, 0, -1, -2, -1, 0},
                   two[] = {0, 1, 2, 3, 3, 2, 1, 0, -1, -2, -2, -1, 0};
enum { N = 60000 };
static float walk[N];

static void make_walk(uint64_t seed)
{
    double x = 0;
    for (size_t t = 0; t < N; t++) {
        x = 0.9 * x + (double)check_below(&seed, 2001) / 1000 - 1;
        walk[t] = (float)x;
    }
}

static sigrep_bundle *make_bundle(size_t min_matches)
{
    const sigrep_bundle_info info = {.size = sizeof info, .front_end = "raw", .channels = 1};
    const sigrep_template takes[] = {{.label = "w", .samples = one, .length = 11},
                                     {.label = "w", .samples = two, .length = 13}};
    sigrep_bundle *b;
    sigrep_bundle_label label = {.size = sizeof label};
    CHECK(sigrep_bundle_create(&b, &info, NULL) == SIGREP_OK);
    for (size_t i = 0; i < 2; i++)
        CHECK(sigrep_bundle_add_take(b, "x", &takes[i], NULL) == SIGREP_OK);
    CHECK(sigrep_bundle_get_label(b, 0, &label) == SIGREP_OK);
    label.min_matches = min_matches;
    CHECK(sigrep_bundle_set_label(b, 0, &label, NULL) == SIGREP_OK);
    return b;
}

static int count(void *user, const sigrep_match *m)
{
    *(size_t *)user += m->end > m->start;
    return 0;
}

static void search(const sigrep_config *config, size_t n)
{
    sigrep *s;
    sigrep_error error;
    CHECK_MSG(sigrep_create(&s, config, &error) == SIGREP_OK, "%s", error.text);
    CHECK(s && sigrep_push(s, walk, n) == SIGREP_OK && sigrep_finish(s) == SIGREP_OK);
    sigrep_destroy(s);
}

static sigrep_calibration *search_recording(sigrep_bundle *b, size_t n, size_t times)
{
    sigrep_calibration *c;
    CHECK(sigrep_calibration_create(&c, b) == SIGREP_OK);
    for (size_t i = 0; i < times; i++) {
        sigrep_config config;
        sigrep_config_init(&config, sizeof config);
        config.rate_hz = 10;
        sigrep_calibration_configure(c, &config);
        search(&config, n);
    }
    return c;
}

static size_t count_matches(const sigrep_bundle *b)
{
    size_t n = 0;
    sigrep_config config;
    sigrep_config_init(&config, sizeof config);
    config.rate_hz = 10;
    config.on_match = count;
    config.user = &n;
    sigrep_bundle_configure(b, &config);
    search(&config, N);
    return n;
}

static size_t count_candidates(const sigrep_calibration *c, double score)
{
    size_t n = 0;
    sigrep_candidate at = {.size = sizeof at};
    for (size_t k = 0; !sigrep_calibration_get_candidate(c, 0, k, &at); k++) {
        CHECK(0 <= at.start_s && at.start_s < at.end_s && at.end_s <= N / 10.0);
        n += at.score <= score;
    }
    return n;
}

/* In the calibrated recording the matches are the candidates up to the threshold. Their number is
 * about the one wanted. */
static void the_background_gives_the_wanted_false_alarms(void)
{
    const size_t wanted = 30;
    const double hours = N / 36000.0, per_hour = (double)wanted / hours;
    for (size_t min_matches = 1; min_matches <= 2; min_matches++) {
        sigrep_bundle *b = make_bundle(min_matches);
        sigrep_calibration *c = search_recording(b, N, 1);
        sigrep_calibration_result r = {.size = sizeof r};
        sigrep_bundle_label label = {.size = sizeof label};
        sigrep_error error;
        CHECK_MSG(sigrep_calibration_set_threshold(c, 0, hours, per_hour, &r, &error) == SIGREP_OK,
                  "%s", error.text);
        CHECK(sigrep_bundle_get_label(b, 0, &label) == SIGREP_OK);
        CHECK(label.has_threshold && label.hours == hours && label.per_hour == per_hour);
        CHECK(label.low < label.threshold && label.threshold < label.high);
        CHECK(r.rate_low < per_hour && per_hour < r.rate_high);
        const size_t n = count_candidates(c, label.threshold);
        CHECK(r.n_candidates == count_candidates(c, INFINITY) && r.n_candidates > n);
        CHECK_MSG(n > wanted / 2 && n < wanted * 2, "%zu", n);
        if (min_matches == 1) CHECK(count_matches(b) == n);
        sigrep_calibration_destroy(c);
        sigrep_bundle_destroy(b);
    }
}

static void the_ceiling_of_a_label_holds(void)
{
    sigrep_bundle *b = make_bundle(1);
    sigrep_calibration *c = search_recording(b, N, 1);
    sigrep_bundle_label label = {.size = sizeof label};
    CHECK(sigrep_calibration_set_threshold(c, 0, 1, 30, NULL, NULL) == SIGREP_OK);
    CHECK(sigrep_bundle_get_label(b, 0, &label) == SIGREP_OK);
    const double free_threshold = label.threshold;
    for (double part = 0.5; part < 3; part *= 4) {
        label.ceiling = part * free_threshold;
        CHECK(sigrep_bundle_set_label(b, 0, &label, NULL) == SIGREP_OK);
        CHECK(sigrep_calibration_set_threshold(c, 0, 1, 30, NULL, NULL) == SIGREP_OK);
        CHECK(sigrep_bundle_get_label(b, 0, &label) == SIGREP_OK);
        CHECK(label.threshold == fmin(free_threshold, label.ceiling));
        CHECK(label.low <= label.threshold && label.threshold <= label.high);
    }
    sigrep_calibration_destroy(c);
    sigrep_bundle_destroy(b);
}

static void recordings_are_kept_apart(void)
{
    sigrep_bundle *b = make_bundle(2);
    sigrep_calibration *c = search_recording(b, 5000, 2);
    sigrep_candidate at = {.size = sizeof at};
    size_t n[2] = {0};
    CHECK(sigrep_calibration_set_threshold(c, 0, 1, 1, NULL, NULL) == SIGREP_OK);
    for (size_t k = 0; !sigrep_calibration_get_candidate(c, 0, k, &at); k++) {
        CHECK(at.recording < 2);
        n[at.recording % 2]++;
    }
    CHECK(n[0] > 0 && n[0] == n[1]);
    sigrep_calibration_destroy(c);
    sigrep_bundle_destroy(b);
}

static void refused(sigrep_calibration *c, double per_hour, sigrep_status status, const char *words)
{
    sigrep_error error;
    CHECK(sigrep_calibration_set_threshold(c, 0, 0.5, per_hour, NULL, &error) == status);
    CHECK_MSG(strncmp(error.text, words, strlen(words)) == 0, "%s", error.text);
}

static void no_threshold_without_rare_candidates(void)
{
    sigrep_bundle *b = make_bundle(1);
    sigrep_bundle_label label = {.size = sizeof label};
    sigrep_calibration *c = search_recording(b, 100, 1);
    refused(c, 1, SIGREP_NO_THRESHOLD, "too short a background, 0.5 hours: ");
    sigrep_calibration_destroy(c);
    c = search_recording(b, 5000, 1);
    refused(c, 1e5, SIGREP_NO_THRESHOLD, "1e+05 false alarms an hour are more than there can be: ");
    refused(c, 1e-300, SIGREP_NO_THRESHOLD, "no threshold gives as few as 1e-300 false alarms");
    refused(c, 0, SIGREP_BAD_CONFIG, "per_hour: 0, not above 0");
    sigrep_error error;
    CHECK(sigrep_calibration_set_threshold(c, 0, 0, 1, NULL, &error) == SIGREP_NO_THRESHOLD);
    CHECK(strcmp(error.text, "too short a background: it has no sample") == 0);
    CHECK(sigrep_calibration_set_threshold(c, 1, 1, 1, NULL, &error) == SIGREP_BAD_CONFIG);
    CHECK(strcmp(error.text, "no label 1: the bundle has 1") == 0);
    sigrep_calibration_destroy(c);
    memset(walk, 0, sizeof walk);
    c = search_recording(b, N, 1);
    refused(c, 1, SIGREP_NO_THRESHOLD, "the best candidates in the background all score 1.");
    sigrep_calibration_destroy(c);
    CHECK(sigrep_bundle_get_label(b, 0, &label) == SIGREP_OK && !label.has_threshold);
    sigrep_bundle_destroy(b);
}

int main(void)
{
    make_walk(7);
    RUN(the_background_gives_the_wanted_false_alarms);
    RUN(the_ceiling_of_a_label_holds);
    RUN(recordings_are_kept_apart);
    RUN(no_threshold_without_rare_candidates);
    return check_done();
}
