#include "tools/sigrep/monitor/monitor_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static const monitor_row rows[] = {{"hello", 6.5, 7}, {"<b>&\"\\\xff", INFINITY, 7}};

/* A microphone's, with a match. */
static monitor_snapshot snapshot(void)
{
    return (monitor_snapshot){.view = {.name = "mic:",
                                       .rate_known = true,
                                       .is_audio = true,
                                       .rate_hz = 1000,
                                       .samples = 12300,
                                       .matches = 1,
                                       .lost = 20,
                                       .gaps = 2,
                                       .level = {100, 1, -1, 0.5},
                                       .rows = rows,
                                       .n_rows = 2},
                              .matches = {{"mic:", "hello", "1.000", "2.000", 6.5}},
                              .n_matches = 1};
}

static bool is_json(const monitor_snapshot *s, const char *wanted)
{
    text_buffer text = {0};
    monitor_json(&text, s);
    text_add(&text, "", 1);
    const bool same = !text.failed && strcmp(text.data, wanted) == 0;
    if (!same) fprintf(stderr, "got:\n%s\n", text.data);
    free(text.data);
    return same;
}

static void all_is_shown_and_names_are_escaped(void)
{
    const monitor_snapshot s = snapshot();
    CHECK(is_json(&s,
                  "{\"input\":\"mic:\",\"samples\":12300,\"seconds\":12.3,\"lost\":20,\"gaps\":2,"
                  "\"level\":{\"level_db\":-20.0,\"peak_db\":0.0},\"labels\":["
                  "{\"label\":\"hello\",\"score\":6.5,\"threshold\":7},"
                  "{\"label\":\"<b>&\\\"\\\\\\ufffd\",\"score\":null,\"threshold\":7}],"
                  "\"labels_left_out\":0,\"matches\":1,\"last\":[{\"input\":\"mic:\","
                  "\"label\":\"hello\",\"start\":\"1.000\",\"end\":\"2.000\",\"score\":6.5}]}\n"));
}

static void silence_has_no_decibels(void)
{
    monitor_snapshot s = snapshot();
    s.view.n_rows = s.n_matches = 0;
    s.view.level = (monitor_level){.n = 1};
    CHECK(is_json(&s,
                  "{\"input\":\"mic:\",\"samples\":12300,\"seconds\":12.3,\"lost\":20,\"gaps\":2,"
                  "\"level\":{\"level_db\":null,\"peak_db\":null},\"labels\":[],"
                  "\"labels_left_out\":0,\"matches\":1,\"last\":[]}\n"));
}

static void numbers_have_a_range_and_may_have_no_rate(void)
{
    const monitor_row best = {"x", 0.25, INFINITY};
    monitor_snapshot s = {.view = {.name = "n.txt", .samples = 7, .rows = &best, .n_rows = 1}};
    s.view.level = (monitor_level){.n = 1, .low = -1.5, .high = 2};
    CHECK(is_json(&s, "{\"input\":\"n.txt\",\"samples\":7,\"seconds\":null,\"lost\":0,\"gaps\":0,"
                      "\"level\":{\"least\":-1.5,\"largest\":2},\"labels\":["
                      "{\"label\":\"x\",\"score\":0.25,\"threshold\":null}],"
                      "\"labels_left_out\":0,\"matches\":0,\"last\":[]}\n"));
}

static void before_the_first_input_there_is_nothing(void)
{
    const monitor_snapshot s = {.n_matches = 0};
    CHECK(is_json(&s, "{\"input\":null,\"samples\":0,\"seconds\":null,\"lost\":0,\"gaps\":0,"
                      "\"level\":null,\"labels\":[],\"labels_left_out\":0,\"matches\":0,"
                      "\"last\":[]}\n"));
}

static void of_many_labels_the_nearest_are_shown(void)
{
    monitor_row many[200];
    for (size_t i = 0; i < 200; i++) many[i] = (monitor_row){"far", 50, 7};
    many[150] = rows[0];
    const monitor_snapshot s = {.view = {.name = "x", .rows = many, .n_rows = 200}};
    text_buffer text = {0};
    monitor_json(&text, &s);
    text_add(&text, "", 1);
    CHECK(!text.failed && strstr(text.data, "\"hello\""));
    CHECK(!text.failed && strstr(text.data, "\"labels_left_out\":100"));
    free(text.data);
}

int main(void)
{
    RUN(all_is_shown_and_names_are_escaped);
    RUN(silence_has_no_decibels);
    RUN(numbers_have_a_range_and_may_have_no_rate);
    RUN(before_the_first_input_there_is_nothing);
    RUN(of_many_labels_the_nearest_are_shown);
    return check_done();
}
