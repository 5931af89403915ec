/* Bundles and calibrations, by sigrep.h alone: each of their allocations fails once. */
#include <math.h>
#include <string.h>

#include "sigrep.h"
#include "tests/allocations/each_allocation.h"

enum { RATE = 8000, TAKE = 1600, SHORT_TAKE = 64, BACKGROUND = 8000, MOST_BYTES = 1 << 20 };

static float takes[3][TAKE], background[BACKGROUND];

/* A status that is not SIGREP_OK is that of too little memory. Returns whether it is SIGREP_OK. */
static bool check_status(sigrep_status status, const char *call)
{
    CHECK_MSG(status == SIGREP_OK || status == SIGREP_NO_MEMORY, "%s: %s", call,
              sigrep_status_text(status));
    return status == SIGREP_OK;
}

static bool add_take(sigrep_bundle *b, const char *label, sigrep_template take)
{
    sigrep_error error;
    take.label = label;
    const sigrep_status status = sigrep_bundle_add_take(b, "take.wav", &take, &error);
    CHECK(!status || error.text[0]);
    return check_status(status, "sigrep_bundle_add_take");
}

/* Two takes of one label, one of another. NULL: too little memory. */
static sigrep_bundle *make_bundle(const char *front_end, size_t length)
{
    const sigrep_bundle_info info = {
        .size = sizeof info, .front_end = front_end, .rate_hz = RATE, .channels = 1};
    sigrep_template x[3];
    sigrep_bundle *b;
    sigrep_error error;
    const sigrep_status status = sigrep_bundle_create(&b, &info, &error);
    CHECK((status == SIGREP_OK) == (b != NULL) && (!status || error.text[0]));
    if (!check_status(status, "sigrep_bundle_create")) return NULL;
    for (size_t i = 0; i < 3; i++)
        x[i] = (sigrep_template){.samples = takes[i], .length = length, .rate_hz = RATE};
    x[2].rate_hz = RATE / 2;
    if (add_take(b, "yes", x[0]) && add_take(b, "yes", x[1]) && add_take(b, "no", x[2])) return b;
    sigrep_bundle_destroy(b);
    return NULL;
}

/* The first bytes of the file that were right, and what they are compared with later. */
static unsigned char wanted[MOST_BYTES];
static size_t wanted_size;

static bool check_bytes(const void *bytes, size_t size)
{
    if (wanted_size == 0 && size <= MOST_BYTES) memcpy(wanted, bytes, wanted_size = size);
    return size == wanted_size && memcmp(bytes, wanted, size) == 0;
}

/* Set a label, average, write: the bytes. */
static bool write_bundle(sigrep_bundle *b, const void **bytes, size_t *size)
{
    sigrep_bundle_label label = {.size = sizeof label};
    sigrep_error error;
    CHECK(sigrep_bundle_get_label(b, 0, &label) == SIGREP_OK);
    label.length_max = 1.5;
    return check_status(sigrep_bundle_set_label(b, 0, &label, &error), "sigrep_bundle_set_label") &&
           check_status(sigrep_bundle_average(b), "sigrep_bundle_average") &&
           check_status(sigrep_bundle_write(b, bytes, size, &error), "sigrep_bundle_write");
}

static bool make_and_write(const void *user)
{
    const void *bytes;
    size_t size;
    sigrep_bundle *b = make_bundle(user, TAKE);
    const bool good = b && write_bundle(b, &bytes, &size);
    if (good) CHECK(check_bytes(bytes, size));
    sigrep_bundle_destroy(b);
    return good;
}

static bool read_and_write(const void *user)
{
    (void)user;
    sigrep_bundle *b;
    sigrep_error error;
    const void *bytes;
    size_t size;
    const sigrep_status status = sigrep_bundle_read(&b, wanted, wanted_size, &error);
    CHECK((status == SIGREP_OK) == (b != NULL));
    CHECK_MSG(!status || strstr(error.text, "memory"), "%s", error.text);
    const bool good =
        check_status(status, "sigrep_bundle_read") &&
        check_status(sigrep_bundle_write(b, &bytes, &size, &error), "sigrep_bundle_write");
    if (good) CHECK(check_bytes(bytes, size));
    sigrep_bundle_destroy(b);
    return good;
}

static void bundles_are_made_and_read(void)
{
    static const char *const front_ends[] = {"mfcc", "diff+envelope=0.02"};
    for (size_t i = 0; i < sizeof front_ends / sizeof *front_ends; i++) {
        wanted_size = 0;
        CHECK(make_and_write(front_ends[i]) && wanted_size > 0);
        each_allocation_fails(front_ends[i], make_and_write, front_ends[i]);
        each_allocation_fails("read", read_and_write, NULL);
    }
}

static bool search_background(sigrep_calibration *c)
{
    sigrep_config config;
    sigrep *search;
    sigrep_config_init(&config, sizeof config);
    config.rate_hz = RATE;
    config.device = "cpu";
    config.chunk = 4096;
    sigrep_calibration_configure(c, &config);
    if (!check_status(sigrep_create(&search, &config, NULL), "sigrep_create")) return false;
    /* A candidate for which there is no memory stops the search. */
    sigrep_status status = sigrep_push(search, background, BACKGROUND);
    if (!status) status = sigrep_finish(search);
    sigrep_destroy(search);
    return status != SIGREP_STOPPED && check_status(status, "sigrep_push");
}

/* The thresholds of both labels, found once without failures. */
static double thresholds[2];

static bool calibrate(sigrep_bundle *b, sigrep_calibration *c)
{
    if (!search_background(c)) return false;
    for (size_t i = 0; i < 2; i++) {
        sigrep_bundle_label label = {.size = sizeof label};
        sigrep_error error;
        const double hours = BACKGROUND / (3600.0 * RATE);
        const sigrep_status status =
            sigrep_calibration_set_threshold(c, i, hours, 5 / hours, NULL, &error);
        if (!check_status(status, "sigrep_calibration_set_threshold")) return false;
        CHECK(sigrep_bundle_get_label(b, i, &label) == SIGREP_OK);
        if (thresholds[i] == 0) thresholds[i] = label.threshold;
        CHECK(label.threshold == thresholds[i]);
    }
    return true;
}

/* Of the first label's takes, min_matches must agree. */
static bool make_and_calibrate(const void *user)
{
    sigrep_bundle *b = make_bundle("raw", SHORT_TAKE);
    sigrep_calibration *c = NULL;
    sigrep_bundle_label label = {.size = sizeof label};
    bool good = b != NULL;
    if (good) CHECK(sigrep_bundle_get_label(b, 0, &label) == SIGREP_OK);
    label.min_matches = *(const size_t *)user;
    good = good && check_status(sigrep_bundle_set_label(b, 0, &label, NULL), "set_label") &&
           check_status(sigrep_calibration_create(&c, b), "sigrep_calibration_create") &&
           calibrate(b, c);
    sigrep_calibration_destroy(c);
    sigrep_bundle_destroy(b);
    return good;
}

static void bundles_are_calibrated(void)
{
    for (size_t min_matches = 1; min_matches <= 2; min_matches++) {
        memset(thresholds, 0, sizeof thresholds);
        CHECK(make_and_calibrate(&min_matches) && thresholds[0] > 0 && thresholds[1] > 0);
        each_allocation_fails("calibration", make_and_calibrate, &min_matches);
    }
}

static void make_signals(void)
{
    uint64_t random = 1;
    double x = 0;
    for (size_t i = 0; i < 3; i++)
        for (size_t t = 0; t < TAKE; t++)
            takes[i][t] =
                sinf((float)(t * (2 + i)) / 40) * 0.4f + (float)check_below(&random, 2001) / 20000;
    for (size_t t = 0; t < BACKGROUND; t++) {
        x = 0.9 * x + (double)check_below(&random, 2001) / 10000 - 0.1;
        background[t] = (float)x;
    }
}

int main(void)
{
    make_signals();
    RUN(bundles_are_made_and_read);
    RUN(bundles_are_calibrated);
    return check_done();
}
