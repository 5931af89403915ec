/* filter/session/session.c and session_stream.c: what is refused, and the life of a searcher. The
 * stream itself is in test_session_stream.c, best-of searches are in test_session_store.c. */
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
        bench b;                                                                                   \
        bench_prepare(&b);                                                                         \
        sigrep_config *c = &b.config;                                                              \
        change;                                                                                    \
        refused(c, SIGREP_BAD_CONFIG, words, SIZE_MAX);                                            \
    } while (0)

static void each_bad_value_has_words(void)
{
    REFUSED(c->templates = NULL, "no template");
    REFUSED(c->n_templates = 0, "no template");
    REFUSED(c->on_match = NULL, "no on_match");
    REFUSED(c->channels = 0, "channels out of range");
    REFUSED(c->channels = 4097, "channels out of range");
    REFUSED(c->rate_hz = 0, "the rate is not above 0");
    REFUSED(c->rate_hz = -1, "the rate is not above 0");
    REFUSED(c->rate_hz = (double)INFINITY, "the rate is not above 0");
    REFUSED(c->rate_hz = (double)NAN, "the rate is not above 0");
    REFUSED(c->length_min = -0.1, "the length gate is not 0 <= MIN <= MAX <= 64");
    REFUSED(c->length_min = 2.1, "the length gate is not 0 <= MIN <= MAX <= 64");
    REFUSED(c->length_min = (double)NAN, "the length gate is not 0 <= MIN <= MAX <= 64");
    REFUSED(c->length_max = 64.1, "the length gate is not 0 <= MIN <= MAX <= 64");
    REFUSED(c->length_max = (double)NAN, "the length gate is not 0 <= MIN <= MAX <= 64");
    REFUSED(c->min_matches = 0, "min_matches is 0");
    REFUSED(c->best = 1, "a best-of search needs a store");
    REFUSED(c->threads = 1025, "too many threads");
    sigrep_store store = {0};
    REFUSED(c->store = &store; c->best = 1; c->min_matches = 2, "min_matches needs a threshold");
}

static void what_is_not_there_is_said(void)
{
    bench b;
    bench_prepare(&b);
    b.config.kernel = "abacus";
    refused(&b.config, SIGREP_NO_KERNEL, "unknown kernel 'abacus'", SIZE_MAX);
    b.config.kernel = NULL;
    b.config.device = "abacus";
    refused(&b.config, SIGREP_NO_KERNEL, "unknown device 'abacus'", SIZE_MAX);
    b.config.device = NULL;
    b.config.front_end = "abacus";
    refused(&b.config, SIGREP_BAD_FRONT_END, "unknown front end 'abacus'", SIZE_MAX);
}

static void a_bad_template_is_named(void)
{
    const float bad[3] = {1, NAN, 2};
    const sigrep_template three[] = {
        {.size = sizeof(sigrep_template), .samples = ramp, .length = 3},
        {.size = sizeof(sigrep_template), .samples = ramp, .length = 3},
        {.size = sizeof(sigrep_template), .samples = bad, .length = 3}};
    bench b;
    bench_prepare(&b);
    b.config.templates = three;
    b.config.n_templates = 3;
    refused(&b.config, SIGREP_BAD_TEMPLATE, "sample 1 is not finite", 2);
    b.config.length_min = b.config.length_max = 0.1; /* of no template a frame */
    refused(&b.config, SIGREP_BAD_CONFIG, "the length gate leaves no length", 0);
}

static void absurd_chunks_are_no_memory(void)
{
    bench b;
    bench_prepare(&b);
    static const size_t chunks[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 8};
    for (size_t i = 0; i < 3; i++) {
        b.config.chunk = chunks[i];
        refused(&b.config, SIGREP_NO_MEMORY, "out of memory", SIZE_MAX);
    }
    sigrep_destroy(NULL);
}

/* Templates, labels and the configuration are copied. */
static void the_configuration_may_go(void)
{
    float x[3] = {1, 2, 3};
    char label[] = "ramp", spec[] = "raw";
    bench b;
    bench_prepare(&b);
    b.x.samples = x;
    b.x.label = label;
    b.config.front_end = spec;
    bench_begin(&b);
    memset(x, 0, sizeof x);
    memset(label, '?', sizeof label);
    memset(spec, '?', sizeof spec);
    memset(&b.x, 0xff, sizeof b.x);
    memset(&b.config, 0xff, sizeof b.config);
    push(&b, (float[]){9, 1, 2, 3, 9}, 5);
    CHECK(b.got.n == 1 && match_is(&b, 0, 1, 4, 4));
    bench_end(&b);
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
    bench b;
    bench_prepare(&b);
    b.config.templates = both;
    b.config.n_templates = 2;
    b.config.on_match = check_labels;
    b.config.user = &calls;
    bench_begin(&b);
    push(&b, (float[]){9, 1, 2, 4, 9}, 5);
    finish(&b);
    CHECK(calls == 1);
    bench_end(&b);
}

/* ---- the end and the next input ---- */

static void finish_decides_and_the_next_input_begins_at_0(void)
{
    bench b;
    bench_prepare(&b);
    b.x.threshold = 0.5;
    bench_begin(&b);
    for (int input = 0; input < 3; input++) {
        push(&b, (float[]){9, 9, 1, 2, 2}, 5); /* [2, 4) waits for a 3 */
        CHECK(b.got.n == 0);
        finish(&b);
        CHECK(b.got.n == 1 && match_is(&b, 0, 2, 4, 5));
        b.got.n = 0;
        push(&b, (float[]){3}, 1); /* of another input: it does not go on */
        finish(&b);
        CHECK(b.got.n == 0);
    }
    finish(&b); /* of an empty input */
    CHECK(b.got.n == 0);
    bench_end(&b);
}

static void after_a_stop_nothing_is_called_until_finish(void)
{
    bench b;
    bench_prepare(&b);
    bench_begin(&b);
    b.got.stop_after = 2;
    CHECK(sigrep_push(b.session, three_ramps, N_THREE) == SIGREP_STOPPED);
    CHECK(b.got.n == 2);
    CHECK(sigrep_push(b.session, three_ramps, N_THREE) == SIGREP_STOPPED);
    CHECK(sigrep_push(b.session, NULL, 0) == SIGREP_STOPPED);
    CHECK(sigrep_gap(b.session, 5) == SIGREP_STOPPED);
    CHECK(sigrep_gap(b.session, 0) == SIGREP_STOPPED);
    finish(&b);
    CHECK(b.got.n == 2);

    b.got.n = b.got.stop_after = 0;
    push(&b, three_ramps, N_THREE);
    finish(&b);
    CHECK(b.got.n == 3 && match_is(&b, 0, 1, 4, 4) && match_is(&b, 2, 9, 12, 12));
    bench_end(&b);
}

static void a_stop_during_finish_ends_the_input_as_well(void)
{
    bench b;
    bench_prepare(&b);
    b.x.threshold = 0.5;
    bench_begin(&b);
    push(&b, (float[]){1, 2, 2}, 3);
    b.got.stop_after = 1;
    CHECK(sigrep_finish(b.session) == SIGREP_STOPPED);
    CHECK(b.got.n == 1);
    b.got.n = b.got.stop_after = 0;
    push(&b, (float[]){9, 1, 2, 3, 9}, 5);
    finish(&b);
    CHECK(b.got.n == 1 && match_is(&b, 0, 1, 4, UINT64_MAX));
    bench_end(&b);
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
    bench b;
    bench_prepare(&b);
    b.config.on_scores = stop_at_scores;
    b.config.user = &frames;
    bench_begin(&b);
    CHECK(sigrep_push(b.session, three_ramps, N_THREE) == SIGREP_STOPPED);
    CHECK(frames == N_THREE);
    CHECK(sigrep_push(b.session, three_ramps, N_THREE) == SIGREP_STOPPED);
    CHECK(frames == N_THREE);
    finish(&b);
    CHECK(frames == N_THREE);
    bench_end(&b);
}

/* Over more frames than one call hands on: the first call ends it. */
static void the_scores_stop_within_a_push(void)
{
    static float y[5000];
    size_t frames = 0;
    bench b;
    bench_prepare(&b);
    b.config.on_scores = stop_at_scores;
    b.config.user = &frames;
    bench_begin(&b);
    CHECK(sigrep_push(b.session, y, 5000) == SIGREP_STOPPED);
    CHECK(frames > 0 && frames < 5000);
    bench_end(&b);
}

/* ---- statistics ---- */

static void statistics_are_counted(void)
{
    const sigrep_template both[] = {
        {.size = sizeof(sigrep_template), .samples = ramp, .length = 3, .threshold = 0},
        {.size = sizeof(sigrep_template), .samples = ramp, .length = 2, .threshold = 0}};
    bench b;
    bench_prepare(&b);
    b.config.templates = both;
    b.config.n_templates = 2;
    b.config.kernel = "scalar";
    bench_begin(&b);
    sigrep_stats stats = {.size = sizeof stats};
    sigrep_get_stats(b.session, &stats);
    CHECK(!stats.samples && !stats.frames && !stats.cells && !stats.cells_traced);
    CHECK(strcmp(stats.kernel, "scalar") == 0);
    push(&b, (float[]){9, 9, 9, 9}, 4);
    sigrep_gap(b.session, 100);
    sigrep_get_stats(b.session, &stats);
    CHECK(stats.samples == 104 && stats.frames == 5 && stats.cells == 5 * 5);
    CHECK(stats.cells_traced == 0);
    push(&b, (float[]){1, 2}, 2); /* a match of the second template */
    sigrep_get_stats(b.session, &stats);
    CHECK(stats.samples == 106 && stats.frames == 7 && stats.cells == 7 * 5);
    CHECK(stats.cells_traced > 0);
    finish(&b);
    push(&b, (float[]){9}, 1);
    sigrep_get_stats(b.session, &stats);
    CHECK(stats.samples == 1 && stats.frames == 8 && stats.cells == 8 * 5);
    bench_end(&b);
}

/* ---- the caller's floating point ---- */

#if defined(__SSE__)

enum { N_TINY = 900, FLUSH_TO_ZERO_AND_DENORMALS_ARE_ZERO = 0x8040 };

static void run_tiny(bench *b, const float *y, bool flush)
{
    unsigned before = _mm_getcsr();
    unsigned set = flush ? before | FLUSH_TO_ZERO_AND_DENORMALS_ARE_ZERO : before;
    _mm_setcsr(set);
    sigrep_status status = sigrep_create(&b->session, &b->config, NULL);
    unsigned after[4] = {_mm_getcsr()};
    status |= sigrep_push(b->session, y, N_TINY);
    after[1] = _mm_getcsr();
    status |= sigrep_gap(b->session, 1);
    status |= sigrep_push(b->session, y, N_TINY);
    after[2] = _mm_getcsr();
    status |= sigrep_finish(b->session);
    after[3] = _mm_getcsr();
    _mm_setcsr(before);
    CHECK(status == SIGREP_OK);
    for (int i = 0; i < 4; i++) CHECK(after[i] == set);
}

/* All values are denormal: were they flushed, everything would match. */
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
        bench b[2];
        for (int flush = 0; flush < 2; flush++) {
            bench_prepare(&b[flush]);
            b[flush].x.samples = x;
            b[flush].x.threshold = 4 * (double)least;
            b[flush].config.kernel = sigrep_kernel_name(k, NULL);
            b[flush].config.on_scores = collect_scores;
            run_tiny(&b[flush], y, flush);
        }
        CHECK(b[0].got.n > 2 && b[0].got.n < N_TINY / 3);
        CHECK(collect_equal(&b[0].got, &b[1].got));
        for (int flush = 0; flush < 2; flush++) bench_end(&b[flush]);
    }
}

#endif

static void no_match_spans_a_gap_of_one_sample(void)
{
    bench b;
    bench_prepare(&b);
    bench_begin(&b);
    push(&b, (float[]){1, 2, NAN, 3, 9, 1, 2, 3}, 8);
    finish(&b);
    CHECK(b.got.n == 1 && match_is(&b, 0, 5, 8, 8));
    bench_end(&b);
}

/* What the kernel is given at once, in samples of the input: 100 frames of 8000 Hz. */
static void a_push_that_suffices_is_told(void)
{
    bench b;
    bench_prepare(&b);
    b.config.chunk = 100;
    bench_begin(&b);
    CHECK(sigrep_push_size(b.session) == 100);
    bench_end(&b);
    bench_prepare(&b);
    b.config.chunk = 100;
    b.config.rate_hz = 44100;
    b.config.template_rate_hz = 8000;
    bench_begin(&b);
    CHECK(sigrep_push_size(b.session) == 552); /* 551.25 */
    bench_end(&b);
    bench_prepare(&b);
    bench_begin(&b);
    CHECK(sigrep_push_size(b.session) >= 64);
    bench_end(&b);
}

int main(void)
{
    RUN(the_defaults_are_as_the_header_says);
    RUN(each_bad_value_has_words);
    RUN(what_is_not_there_is_said);
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
    RUN(a_push_that_suffices_is_told);
#if defined(__SSE__)
    RUN(flushing_denormals_changes_no_result);
#else
    printf("SKIP flushing_denormals_changes_no_result: the tests can set it with SSE only\n");
#endif
    RUN(no_match_spans_a_gap_of_one_sample);
    return check_done();
}
