/* A whole life of a bundle, by calls of sigrep.h alone:
 *
 *     create -> add takes -> average -> write -> read -> search -> calibrate -> write -> read
 */
#include <string.h>

#include "sigrep.h"
#include "tests/check.h"

enum { N = 40000, RATE = 100, M = 60 };
static float background[N], stream[N];

static void make_signals(uint64_t seed)
{
    double x = 0;
    for (size_t t = 0; t < N; t++) {
        x = 0.9 * x + (double)check_below(&seed, 2001) / 1000 - 1;
        background[t] = stream[t] = (float)x;
    }
}

/* A hill as long as n samples, of the given height. */
static void make_hill(float *x, size_t n, float height)
{
    for (size_t t = 0; t < n; t++)
        x[t] = height * (float)(t < n / 2 ? t : n - 1 - t) / (float)(n / 2);
}

static sigrep_bundle *make_bundle(void)
{
    const sigrep_bundle_info info = {
        .size = sizeof info, .front_end = "diff", .rate_hz = RATE, .channels = 1};
    static const size_t lengths[] = {M - 10, M, M + 10};
    sigrep_bundle *b;
    sigrep_error error;
    CHECK_MSG(sigrep_bundle_create(&b, &info, &error) == SIGREP_OK, "%s", error.text);
    for (size_t i = 0; i < 3; i++) {
        float x[M + 10];
        char name[] = "take 1";
        name[5] = (char)('1' + i);
        make_hill(x, lengths[i], 40);
        const sigrep_template take = {
            .label = "hill", .samples = x, .length = lengths[i], .rate_hz = RATE};
        CHECK_MSG(sigrep_bundle_add_take(b, name, &take, &error) == SIGREP_OK, "%s", error.text);
    }
    return b;
}

/* The bundle that its bytes are read as. */
static sigrep_bundle *written_and_read(sigrep_bundle *b)
{
    const void *bytes;
    size_t size;
    sigrep_bundle *again;
    sigrep_error error;
    CHECK_MSG(sigrep_bundle_write(b, &bytes, &size, &error) == SIGREP_OK, "%s", error.text);
    CHECK_MSG(sigrep_bundle_read(&again, bytes, size, &error) == SIGREP_OK, "%s", error.text);
    sigrep_bundle_destroy(b);
    return again;
}

typedef struct {
    size_t n;
    uint64_t start, end;
} matches;

static int keep(void *user, const sigrep_match *m)
{
    matches *all = user;
    CHECK(strcmp(m->label, "hill") == 0);
    *all = (matches){all->n + 1, m->start, m->end};
    return 0;
}

static void push_all(const sigrep_config *config, const float *samples)
{
    sigrep *search;
    sigrep_error error;
    CHECK_MSG(sigrep_create(&search, config, &error) == SIGREP_OK, "%s", error.text);
    if (search)
        CHECK(sigrep_push(search, samples, N) == SIGREP_OK && sigrep_finish(search) == SIGREP_OK);
    sigrep_destroy(search);
}

static matches search(const sigrep_bundle *b, const float *samples)
{
    matches all = {0};
    sigrep_config config;
    sigrep_config_init(&config, sizeof config);
    config.rate_hz = RATE;
    config.on_match = keep;
    config.user = &all;
    sigrep_bundle_configure(b, &config);
    push_all(&config, samples);
    return all;
}

static void calibrate(sigrep_bundle *b, double hours, double per_hour)
{
    sigrep_calibration *c;
    sigrep_config config;
    sigrep_error error;
    sigrep_calibration_result result = {.size = sizeof result};
    CHECK(sigrep_calibration_create(&c, b) == SIGREP_OK);
    sigrep_config_init(&config, sizeof config);
    config.rate_hz = RATE;
    sigrep_calibration_configure(c, &config);
    push_all(&config, background);
    CHECK_MSG(sigrep_calibration_set_threshold(c, 0, hours, per_hour, &result, &error) == SIGREP_OK,
              "%s", error.text);
    CHECK(result.n_candidates > 0 && result.rate_low < per_hour && per_hour < result.rate_high);
    sigrep_calibration_destroy(c);
}

static void a_bundle_is_made_searched_and_calibrated(void)
{
    const double hours = N / (double)RATE / 3600, wanted = 5;
    sigrep_bundle_label label = {.size = sizeof label};
    sigrep_bundle_take take = {.size = sizeof take};
    make_hill(stream + 20000, M + 3, 40);
    sigrep_bundle *b = make_bundle();
    CHECK(sigrep_bundle_average(b) == SIGREP_OK);
    b = written_and_read(b);
    CHECK(sigrep_bundle_get_label(b, 0, &label) == SIGREP_OK && label.n_takes == 1);
    CHECK(sigrep_bundle_get_take(b, 0, &take) == SIGREP_OK);
    CHECK(strcmp(take.name, "average of 3") == 0 && take.frames->length == M);

    label.has_threshold = 1;
    label.threshold = 0.3;
    CHECK(sigrep_bundle_set_label(b, 0, &label, NULL) == SIGREP_OK);
    const matches found = search(b, stream);
    CHECK_MSG(found.n == 1 && found.start >= 19990 && found.end <= 20000 + M + 10, "%zu", found.n);

    calibrate(b, hours, wanted / hours);
    b = written_and_read(b);
    CHECK(sigrep_bundle_get_label(b, 0, &label) == SIGREP_OK);
    CHECK(label.hours == hours && label.per_hour == wanted / hours && !label.is_extrapolated);
    const size_t alarms = search(b, background).n;
    CHECK_MSG(alarms >= 1 && alarms <= 4 * (size_t)wanted, "%zu", alarms);
    sigrep_bundle_destroy(b);
}

int main(void)
{
    make_signals(3);
    RUN(a_bundle_is_made_searched_and_calibrated);
    return check_done();
}
