#include "io/time/file_time.h"

#include <string.h>

#include "check.h"

/* 2026-01-01T12:00:00Z */
static const int64_t NOON = 1767268800;

static bool has(const char *path, int64_t seconds, int32_t ns, bool is_local)
{
    exact_time t;
    const bool good =
        file_time_parse(path, &t) && t.seconds == seconds && t.ns == ns && t.is_local == is_local;
    if (!good) fprintf(stderr, "%s\n", path);
    return good;
}

static bool has_none(const char *path)
{
    exact_time t;
    const bool good = !file_time_parse(path, &t);
    if (!good) fprintf(stderr, "%s\n", path);
    return good;
}

static void recorders_write_it_so(void)
{
    CHECK(has("20260101_120000.WAV", NOON, 0, true));
    CHECK(has("20260101_120000T.WAV", NOON, 0, true)); /* AudioMoth, by a trigger */
    CHECK(has("a/b/GARDEN-2_20260101_120000.wav", NOON, 0, true));
    CHECK(has("S4A01234_20260101$120000.wav", NOON, 0, true));
    CHECK(has("x_20260101-120000_y.wav", NOON, 0, true));
}

static void milliseconds_and_zones_follow(void)
{
    CHECK(has("BAT_20260101_120000_250.wav", NOON, 250000000, true));
    CHECK(has("20260101_120000Z.wav", NOON, 0, false));
    CHECK(has("20260101T120000+1000_REC [-27.3 152.9].flac", NOON - 36000, 0, false));
    CHECK(has("20260101T120000_005-0330.wav", NOON + 12600, 5000000, false));
}

static void a_count_is_neither(void)
{
    CHECK(has("20260101_120000_1.wav", NOON, 0, true));
    CHECK(has("20260101_120000_2500.wav", NOON, 0, true));
    CHECK(has("20260101_120000-01.wav", NOON, 0, true));
    CHECK(has("20260101_120000-0001.wav", NOON, 0, true));
    CHECK(has("20260101_120000ZOO.wav", NOON, 0, true));
    CHECK(has("20260101_120000+10000.wav", NOON, 0, true));
}

static void the_first_one_counts(void)
{
    CHECK(has("20250101_20260101_120000.wav", NOON, 0, true));
    CHECK(has("20260101_120000_20270101_120000.wav", NOON, 0, true));
    CHECK(has("20261301_120000_20260101_120000.wav", NOON, 0, true));
}

static void other_names_have_none(void)
{
    static const char *const names[] = {"",
                                        "x.wav",
                                        "20260101_120000/x.wav",
                                        "20260101.wav",
                                        "20260101_1200.wav",
                                        "20260101_1200001.wav",
                                        "120260101_120000.wav",
                                        "20260101 120000.wav",
                                        "20260230_120000.wav",
                                        "20260101_250000.wav",
                                        "20260101_",
                                        "20260101"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) CHECK(has_none(names[i]));
}

int main(void)
{
    RUN(recorders_write_it_so);
    RUN(milliseconds_and_zones_follow);
    RUN(a_count_is_neither);
    RUN(the_first_one_counts);
    RUN(other_names_have_none);
    return check_done();
}
