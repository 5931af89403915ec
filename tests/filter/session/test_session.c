/* filter/session/session.c: refused configurations, and the life of a search. test_stream.c tests
 * streams, test_session_store.c best-of searches. */
#include "tests/filter/session/session_help.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

/* ---- configurations ---- */

static void refused(const sigrep_config *config, sigrep_status expected, const char *words,
                    size_t index)
{
    sigrep_error error;
    sigrep *session = (sigrep *)&error;
    sigrep_status status = sigrep_create(&session, config, &error);
    CHECK_MSG(status == expected && strstr(error.text, words) == error.text, "%d: %s", (int)status,
              error.text);
    CHECK(!session && error.template_index == index);
    CHECK(sigrep_create(&session, config, NULL) == expected && !session);
}

static void the_defaults_are_as_the_header_says(void)
{
    sigrep_config c;
    memset(&c, 0xff, sizeof c);
    sigrep_config_init(&c, sizeof c);
    CHECK(!c.templates && !c.n_templates && c.channels == 1 && c.rate_hz == 1);
    CHECK(!strcmp(c.front_end, "raw") && !strcmp(c.device, "auto") && !c.kernel);
    CHECK(c.length_min == 0.5 && c.length_max == 2 && c.min_matches == 1);
    CHECK(!c.best && !c.store && !c.threads && !c.chunk);
    CHECK(!c.on_match && !c.on_scores && !c.user);
}

#define REFUSED(change, words)                                                                     \
    do {                                                                                           \
        fixture f;                                                                                 \
        fixture_prepare(&f);                                                                       \
        sigrep_config *c = &f.config;                                                              \
        change;                                                                                    \
        refused(c, SIGREP_BAD_CONFIG, words, SIZE_MAX);                                            \
    } while (0)

static void each_bad_value_has_a_message(void)
{
    REFUSED(c->templates = NULL, "no template");
    REFUSED(c->n_templates = 0, "no template");
    REFUSED(c->on_match = NULL, "on_match: NULL, not a function");
    REFUSED(c->channels = 0, "channels: 0, not 1 to 4096");
    REFUSED(c->channels = 4097, "channels: 4097, not 1 to 4096");
    REFUSED(c->rate_hz = 0, "rate_hz: 0, not a finite number above 0");
    REFUSED(c->rate_hz = -1, "rate_hz: -1, not a finite number above 0");
    REFUSED(c->rate_hz = (double)INFINITY, "rate_hz: inf, not a finite number above 0");
    REFUSED(c->rate_hz = (double)NAN, "rate_hz: nan, not a finite number above 0");
    REFUSED(c->template_rate_hz = -2, "template_rate_hz: -2, not a finite number above 0");
    REFUSED(c->length_min = -0.1, "length gate: -0.1 to 2, not 0 <= MIN <= MAX <= 64");
    REFUSED(c->length_min = 2.1, "length gate: 2.1 to 2, not 0 <= MIN <= MAX <= 64");
    REFUSED(c->length_min = (double)NAN, "length gate: nan to 2, not 0 <= MIN <= MAX <= 64");
    REFUSED(c->length_max = 64.1, "length gate: 0.5 to 64.1, not 0 <= MIN <= MAX <= 64");
    REFUSED(c->length_max = (double)NAN, "length gate: 0.5 to nan, not 0 <= MIN <= MAX <= 64");
    REFUSED(c->min_matches = 0, "min_matches: 0, not 1 or more");
    REFUSED(c->best = 1, "a best-of search needs a store");
    REFUSED(c->threads = 1025, "threads: 1025, not 0 to 1024");
    sigrep_store store = {0};
    REFUSED(c->store = &store; c->best = 1;
            c->min_matches = 2, "min_matches: 2, not 1 as in every best-of search");
    REFUSED(c->store = &store; c->best = 1, "store: a function is NULL");
}

/* Regression: samples_that_are_null. */
static void values_that_are_missing_are_reported(void)
{
    fixture f;
    fixture_prepare(&f);
    f.x.samples = NULL;
    refused(&f.config, SIGREP_BAD_CONFIG, "samples: NULL", 0);
    const double doubles[] = {1, 2, 3};
    f.x.doubles = doubles;
    f.x.frame_dim = 1; /* then `samples` count */
    refused(&f.config, SIGREP_BAD_CONFIG, "samples: NULL", 0);
    f.x.frame_dim = 0;
    fixture_begin(&f);
    fixture_end(&f);
}

/* Regression: threshold_of_template_5000000. */
static void no_template_has_no_threshold_and_no_level(void)
{
    fixture f;
    fixture_prepare(&f);
    fixture_begin(&f);
    CHECK(sigrep_get_threshold(f.session, 0) == 0.1);
    CHECK(isnan(sigrep_get_threshold(f.session, 1)));
    CHECK(isnan(sigrep_get_threshold(f.session, SIZE_MAX)));
    CHECK(sigrep_get_level(f.session, 5000000) == 0);
    fixture_end(&f);
}

static void unknown_names_are_reported(void)
{
    fixture f;
    fixture_prepare(&f);
    f.config.kernel = "abacus";
    refused(&f.config, SIGREP_NO_KERNEL, "unknown kernel 'abacus'", SIZE_MAX);
    f.config.kernel = NULL;
    f.config.device = "abacus";
    refused(&f.config, SIGREP_NO_KERNEL, "unknown device 'abacus'", SIZE_MAX);
    f.config.device = NULL;
    f.config.front_end = "abacus";
    refused(&f.config, SIGREP_BAD_FRONT_END, "unknown front end 'abacus'", SIZE_MAX);
}

static void a_bad_template_is_named(void)
{
    const float bad[3] = {1, NAN, 2};
    const sigrep_template three[] = {
        {.size = sizeof(sigrep_template), .samples = ramp, .length = 3},
        {.size = sizeof(sigrep_template), .samples = ramp, .length = 3},
        {.size = sizeof(sigrep_template), .samples = bad, .length = 3}};
    fixture f;
    fixture_prepare(&f);
    f.config.templates = three;
    f.config.n_templates = 3;
    refused(&f.config, SIGREP_BAD_TEMPLATE, "sample 1 is not finite", 2);
    f.config.length_min = f.config.length_max = 0.1; /* of no template a whole frame */
    refused(&f.config, SIGREP_BAD_CONFIG, "the length gate leaves no length", 0);
}

static void absurd_chunks_are_no_memory(void)
{
    fixture f;
    fixture_prepare(&f);
    static const size_t chunks[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 8};
    for (size_t i = 0; i < 3; i++) {
        f.config.chunk = chunks[i];
        refused(&f.config, SIGREP_NO_MEMORY, "out of memory", SIZE_MAX);
    }
    sigrep_destroy(NULL);
}

/* Templates, labels and the configuration are copied. */
static void the_configuration_may_go(void)
{
    float x[3] = {1, 2, 3};
    char label[] = "ramp", spec[] = "raw";
    fixture f;
    fixture_prepare(&f);
    f.x.samples = x;
    f.x.label = label;
    f.config.front_end = spec;
    fixture_begin(&f);
    memset(x, 0, sizeof x);
    memset(label, '?', sizeof label);
    memset(spec, '?', sizeof spec);
    memset(&f.x, 0xff, sizeof f.x);
    memset(&f.config, 0xff, sizeof f.config);
    push(&f, (float[]){9, 1, 2, 3, 9}, 5);
    CHECK(f.got.n == 1 && match_is(&f, 0, 1, 4, 4));
    fixture_end(&f);
}

static int check_labels(void *user, const sigrep_match *match)
{
    ++*(int *)user;
    CHECK(strcmp(match->label, match->template_index ? "" : "ramp") == 0);
    CHECK(match->threshold == (match->template_index ? 0.25 : 0.5));
    CHECK(match->score == 1.0 / 3);
    return 0;
}

/* 1 2 4 is 1 off, a third a frame: above 1/4. Both find 1 2 2 4 by 3 - 2 or 4 - 3. */
static void a_match_has_label_score_and_threshold(void)
{
    const sigrep_template both[] = {
        {.size = sizeof(sigrep_template),
         .label = "ramp",
         .samples = ramp,
         .length = 3,
         .threshold = 0.5},
        {.size = sizeof(sigrep_template), .samples = ramp, .length = 3, .threshold = 0.25}};
    int calls = 0;
    fixture f;
    fixture_prepare(&f);
    f.config.templates = both;
    f.config.n_templates = 2;
    f.config.on_match = check_labels;
    f.config.user = &calls;
    fixture_begin(&f);
    push(&f, (float[]){9, 1, 2, 4, 9}, 5);
    finish(&f);
    CHECK(calls == 1);
    fixture_end(&f);
}

/* ---- the end and the next input ---- */

static void finish_decides_and_the_next_input_begins_at_0(void)
{
    fixture f;
    fixture_prepare(&f);
    f.x.threshold = 0.5;
    fixture_begin(&f);
    for (int input = 0; input < 3; input++) {
        push(&f, (float[]){9, 9, 1, 2, 2}, 5); /* [2, 4) waits for a 3 */
        CHECK(f.got.n == 0);
        finish(&f);
        CHECK(f.got.n == 1 && match_is(&f, 0, 2, 4, 5));
        f.got.n = 0;
        push(&f, (float[]){3}, 1); /* of another input, so the match does not go on */
        finish(&f);
        CHECK(f.got.n == 0);
    }
    finish(&f); /* the input is empty */
    CHECK(f.got.n == 0);
    fixture_end(&f);
}

static void after_a_stop_nothing_is_called_until_finish(void)
{
    fixture f;
    fixture_prepare(&f);
    fixture_begin(&f);
    f.got.stop_after = 2;
    CHECK(sigrep_push(f.session, three_ramps, N_THREE) == SIGREP_STOPPED);
    CHECK(f.got.n == 2);
    CHECK(sigrep_push(f.session, three_ramps, N_THREE) == SIGREP_STOPPED);
    CHECK(sigrep_push(f.session, NULL, 0) == SIGREP_STOPPED);
    CHECK(sigrep_gap(f.session, 5) == SIGREP_STOPPED);
    CHECK(sigrep_gap(f.session, 0) == SIGREP_STOPPED);
    finish(&f);
    CHECK(f.got.n == 2);

    f.got.n = f.got.stop_after = 0;
    push(&f, three_ramps, N_THREE);
    finish(&f);
    CHECK(f.got.n == 3 && match_is(&f, 0, 1, 4, 4) && match_is(&f, 2, 9, 12, 12));
    fixture_end(&f);
}

static void a_stop_during_finish_ends_the_input_as_well(void)
{
    fixture f;
    fixture_prepare(&f);
    f.x.threshold = 0.5;
    fixture_begin(&f);
    push(&f, (float[]){1, 2, 2}, 3);
    f.got.stop_after = 1;
    CHECK(sigrep_finish(f.session) == SIGREP_STOPPED);
    CHECK(f.got.n == 1);
    f.got.n = f.got.stop_after = 0;
    push(&f, (float[]){9, 1, 2, 3, 9}, 5);
    finish(&f);
    CHECK(f.got.n == 1 && match_is(&f, 0, 1, 4, UINT64_MAX));
    fixture_end(&f);
}

static int stop_at_scores(void *user, const float *scores, size_t n_frames)
{
    (void)scores;
    *(size_t *)user += n_frames;
    return 1;
}

static void the_scores_may_stop_the_search(void)
{
    size_t frames = 0;
    fixture f;
    fixture_prepare(&f);
    f.config.on_scores = stop_at_scores;
    f.config.user = &frames;
    fixture_begin(&f);
    CHECK(sigrep_push(f.session, three_ramps, N_THREE) == SIGREP_STOPPED);
    CHECK(frames == N_THREE);
    CHECK(sigrep_push(f.session, three_ramps, N_THREE) == SIGREP_STOPPED);
    CHECK(frames == N_THREE);
    finish(&f);
    CHECK(frames == N_THREE);
    fixture_end(&f);
}

/* With more frames than one callback takes, the first callback ends it. */
static void the_scores_stop_within_a_push(void)
{
    static float y[5000];
    size_t frames = 0;
    fixture f;
    fixture_prepare(&f);
    f.config.on_scores = stop_at_scores;
    f.config.user = &frames;
    fixture_begin(&f);
    CHECK(sigrep_push(f.session, y, 5000) == SIGREP_STOPPED);
    CHECK(frames > 0 && frames < 5000);
    fixture_end(&f);
}

/* ---- statistics ---- */

static void statistics_are_counted(void)
{
    const sigrep_template both[] = {
        {.size = sizeof(sigrep_template), .samples = ramp, .length = 3, .threshold = 0},
        {.size = sizeof(sigrep_template), .samples = ramp, .length = 2, .threshold = 0}};
    fixture f;
    fixture_prepare(&f);
    f.config.templates = both;
    f.config.n_templates = 2;
    f.config.kernel = "scalar";
    fixture_begin(&f);
    sigrep_stats stats = {.size = sizeof stats};
    sigrep_get_stats(f.session, &stats);
    CHECK(!stats.samples && !stats.frames && !stats.cells && !stats.cells_traced);
    CHECK(strcmp(stats.kernel, "scalar") == 0);
    push(&f, (float[]){9, 9, 9, 9}, 4);
    sigrep_gap(f.session, 100);
    sigrep_get_stats(f.session, &stats);
    CHECK(stats.samples == 104 && stats.frames == 5 && stats.cells == 5 * 5);
    CHECK(stats.cells_traced == 0);
    push(&f, (float[]){1, 2}, 2); /* a match of the second template */
    sigrep_get_stats(f.session, &stats);
    CHECK(stats.samples == 106 && stats.frames == 7 && stats.cells == 7 * 5);
    CHECK(stats.cells_traced > 0);
    finish(&f);
    push(&f, (float[]){9}, 1);
    sigrep_get_stats(f.session, &stats);
    CHECK(stats.samples == 1 && stats.frames == 8 && stats.cells == 8 * 5);
    fixture_end(&f);
}

/* ---- the caller's floating point ---- */

#if defined(__SSE__)

enum { N_TINY = 900, FLUSH_TO_ZERO_AND_DENORMALS_ARE_ZERO = 0x8040 };

static void run_tiny(fixture *f, const float *y, bool flush)
{
    unsigned before = _mm_getcsr();
    unsigned set = flush ? before | FLUSH_TO_ZERO_AND_DENORMALS_ARE_ZERO : before;
    _mm_setcsr(set);
    sigrep_status status = sigrep_create(&f->session, &f->config, NULL);
    unsigned after[4] = {_mm_getcsr()};
    status |= sigrep_push(f->session, y, N_TINY);
    after[1] = _mm_getcsr();
    status |= sigrep_gap(f->session, 1);
    status |= sigrep_push(f->session, y, N_TINY);
    after[2] = _mm_getcsr();
    status |= sigrep_finish(f->session);
    after[3] = _mm_getcsr();
    _mm_setcsr(before);
    CHECK(status == SIGREP_OK);
    for (int i = 0; i < 4; i++) CHECK(after[i] == set);
}

/* All values are denormal. If they were flushed, everything would match. */
static void flushing_denormals_changes_no_result(void)
{
    const float least = 0x1p-149f;
    float x[3] = {10 * least, 30 * least, 20 * least}, y[N_TINY];
    uint64_t random = check_seed("flushing_denormals");
    for (size_t t = 0; t < N_TINY; t++) y[t] = (float)check_below(&random, 60) * least;
    memcpy(y + 300, x, sizeof x);
    int usable;
    for (size_t k = 0; sigrep_kernel_name(k, &usable); k++) {
        if (!usable) continue;
        fixture f[2];
        for (int flush = 0; flush < 2; flush++) {
            fixture_prepare(&f[flush]);
            f[flush].x.samples = x;
            f[flush].x.threshold = 4 * (double)least;
            f[flush].config.kernel = sigrep_kernel_name(k, NULL);
            f[flush].config.on_scores = collect_scores;
            run_tiny(&f[flush], y, flush);
        }
        CHECK(f[0].got.n > 2 && f[0].got.n < N_TINY / 3);
        CHECK(collect_equal(&f[0].got, &f[1].got));
        for (int flush = 0; flush < 2; flush++) fixture_end(&f[flush]);
    }
}

#endif

static void no_match_spans_a_gap_of_one_sample(void)
{
    fixture f;
    fixture_prepare(&f);
    fixture_begin(&f);
    push(&f, (float[]){1, 2, NAN, 3, 9, 1, 2, 3}, 8);
    finish(&f);
    CHECK(f.got.n == 1 && match_is(&f, 0, 5, 8, 8));
    fixture_end(&f);
}

/* The chunk in samples of the input: 100 frames of 8000 Hz. */
static void the_push_size_is_the_chunk_in_samples(void)
{
    fixture f;
    fixture_prepare(&f);
    f.config.chunk = 100;
    fixture_begin(&f);
    CHECK(sigrep_push_size(f.session) == 100);
    fixture_end(&f);
    fixture_prepare(&f);
    f.config.chunk = 100;
    f.config.rate_hz = 44100;
    f.config.template_rate_hz = 8000;
    fixture_begin(&f);
    CHECK(sigrep_push_size(f.session) == 552); /* 551.25 */
    fixture_end(&f);
    fixture_prepare(&f);
    fixture_begin(&f);
    CHECK(sigrep_push_size(f.session) >= 64);
    fixture_end(&f);
}

int main(void)
{
    RUN(the_defaults_are_as_the_header_says);
    RUN(each_bad_value_has_a_message);
    RUN(values_that_are_missing_are_reported);
    RUN(no_template_has_no_threshold_and_no_level);
    RUN(unknown_names_are_reported);
    RUN(a_bad_template_is_named);
    RUN(absurd_chunks_are_no_memory);
    RUN(the_configuration_may_go);
    RUN(a_match_has_label_score_and_threshold);
    RUN(finish_decides_and_the_next_input_begins_at_0);
    RUN(after_a_stop_nothing_is_called_until_finish);
    RUN(a_stop_during_finish_ends_the_input_as_well);
    RUN(the_scores_may_stop_the_search);
    RUN(the_scores_stop_within_a_push);
    RUN(statistics_are_counted);
    RUN(the_push_size_is_the_chunk_in_samples);
#if defined(__SSE__)
    RUN(flushing_denormals_changes_no_result);
#else
    printf("SKIP flushing_denormals_changes_no_result: the tests can set it with SSE only\n");
#endif
    RUN(no_match_spans_a_gap_of_one_sample);
    return check_done();
}
