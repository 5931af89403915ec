/* filter/session/stream.c: gaps, positions, scores and frames of several samples. */
#include "tests/filter/session/session_help.h"

/* ---- gaps ---- */

/* A stream with matches, and gaps at random: once as NaN samples, once told, in other
 * pieces. The same matches at the same places, and the same scores. */
static void a_gap_is_the_same_told_or_as_nan(void)
{
    enum { N = 4000 };
    static float y[N];
    uint64_t random = check_seed("a_gap_is_the_same");
    size_t matches = 0;
    for (int turn = 0; turn < 20; turn++) {
        for (size_t t = 0; t < N; t++) y[t] = (float)check_below(&random, 5);
        for (int gaps = 0; gaps < 20; gaps++) {
            size_t at = check_below(&random, N), n = 1 + check_below(&random, turn % 2 ? 2 : 60);
            for (size_t t = at; t < at + n && t < N; t++) y[t] = turn % 3 ? NAN : -INFINITY;
        }
        bench b[2];
        for (int told = 0; told < 2; told++) {
            bench_prepare(&b[told]);
            b[told].x.threshold = 0.3;
            b[told].config.chunk = told ? 100 : 0;
            b[told].config.on_scores = collect_scores;
            bench_begin(&b[told]);
        }
        push(&b[0], y, N);
        for (size_t t = 0; t < N;) {
            size_t n = 0;
            bool finite = isfinite(y[t]);
            while (t + n < N && isfinite(y[t + n]) == finite) n++;
            if (!finite && n > 1) n = 1 + check_below(&random, n); /* told in pieces */
            if (finite)
                push(&b[1], y + t, n);
            else
                CHECK(sigrep_gap(b[1].session, n) == SIGREP_OK);
            t += n;
        }
        for (int told = 0; told < 2; told++) finish(&b[told]);
        matches += b[0].got.n;
        CHECK(b[0].got.n_scores == N);
        CHECK(collect_equal(&b[0].got, &b[1].got));
        for (int told = 0; told < 2; told++) bench_end(&b[told]);
    }
    CHECK(matches > 100); /* some 30 a turn: the streams are worth something */
}

/* One value of a sample is enough. */
static void one_bad_channel_makes_a_gap(void)
{
    const float x[6] = {1, 1, 2, 2, 3, 3};
    bench b;
    bench_prepare(&b);
    b.x.samples = x;
    b.config.channels = 2;
    bench_begin(&b);
    push(&b, (float[]){1, 1, 2, NAN, 3, 3, 1, 1, 2, 2, 3, 3}, 6);
    finish(&b);
    CHECK(b.got.n == 1 && match_is(&b, 0, 3, 6, 6));
    bench_end(&b);
}

static void a_gap_of_nothing_is_none(void)
{
    bench b;
    bench_prepare(&b);
    bench_begin(&b);
    push(&b, (float[]){1, 2}, 2);
    CHECK(sigrep_gap(b.session, 0) == SIGREP_OK);
    push(&b, (float[]){3}, 1);
    CHECK(b.got.n == 1 && match_is(&b, 0, 0, 3, 3));
    bench_end(&b);
}

/* [0, 2) of 1 2 2 would wait for a 3: the gap decides, after 3 samples. */
static void a_gap_makes_final_what_is_pending(void)
{
    bench b;
    bench_prepare(&b);
    b.x.threshold = 0.5;
    bench_begin(&b);
    push(&b, (float[]){1, 2, 2}, 3);
    CHECK(b.got.n == 0);
    CHECK(sigrep_gap(b.session, 7) == SIGREP_OK);
    CHECK(b.got.n == 1 && match_is(&b, 0, 0, 2, 3));
    bench_end(&b);
}

static void positions_go_on_through_gaps_of_any_length(void)
{
    static const uint64_t gaps[] = {1, (uint64_t)1 << 33, (uint64_t)1 << 40, (uint64_t)1 << 62};
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        bench b;
        bench_prepare(&b);
        bench_begin(&b);
        push(&b, (float[]){9, 1, 2, 3, 9}, 5);
        CHECK(sigrep_gap(b.session, gaps[i]) == SIGREP_OK);
        push(&b, (float[]){9, 1, 2, 3, 9}, 5);
        uint64_t at = 5 + gaps[i];
        CHECK(b.got.n == 2 && match_is(&b, 0, 1, 4, 4) && match_is(&b, 1, at + 1, at + 4, at + 4));
        CHECK(sigrep_gap(b.session, 1) == SIGREP_OK); /* and another, in a step of its own */
        push(&b, ramp, 3);
        finish(&b);
        CHECK(b.got.n == 3 && match_is(&b, 2, at + 6, at + 9, at + 9));
        sigrep_stats stats = {.size = sizeof stats};
        sigrep_get_stats(b.session, &stats);
        CHECK(stats.samples == 0);
        bench_end(&b);
    }
}

/* More gaps in one push than a step holds frames. */
static void gaps_may_fill_every_step(void)
{
    enum { N = 400 };
    float y[N];
    for (size_t t = 0; t < N; t++) y[t] = t % 8 < 4 ? ramp[t % 4 % 3] : NAN;
    for (size_t t = 0; t < N; t += 8) y[t + 3] = NAN; /* 1 2 3 and 5 of gap */
    for (size_t chunk = 1; chunk <= 12; chunk++) {
        bench b;
        bench_prepare(&b);
        b.config.chunk = chunk;
        bench_begin(&b);
        push(&b, y, N);
        finish(&b);
        CHECK(b.got.n == N / 8);
        for (size_t i = 0; i < N / 8; i++) CHECK(match_is(&b, i, 8 * i, 8 * i + 3, 8 * i + 3));
        bench_end(&b);
    }
}

/* ---- scores ---- */

/* x = 1 2 3; by hand: y = 1: 0 1 3; y = 2 then: 1 0 1. A gap is a cold start: y = 3 costs
 * 2 + 1 + 0. */
static void scores_are_means_and_nan_in_gaps(void)
{
    bench b;
    bench_prepare(&b);
    b.config.on_scores = collect_scores;
    bench_begin(&b);
    push(&b, (float[]){1, 2, NAN, NAN, 3}, 5);
    CHECK(sigrep_gap(b.session, 2000) == SIGREP_OK);
    push(&b, (float[]){3}, 1);
    finish(&b);
    const float *s = b.got.scores;
    CHECK(b.got.n_scores == 5 + 2000 + 1);
    CHECK(s[0] == 1 && s[1] == 1.0f / 3 && isnan(s[2]) && isnan(s[3]) && s[4] == 1);
    for (size_t i = 5; i < 2005; i++) CHECK(isnan(s[i]));
    CHECK(s[2005] == 1);
    bench_end(&b);
}

static void scores_of_templates_are_interleaved(void)
{
    const sigrep_template both[] = {
        {.size = sizeof(sigrep_template), .samples = ramp, .length = 3, .threshold = 0},
        {.size = sizeof(sigrep_template), .samples = ramp + 1, .length = 2, .threshold = 0}};
    bench b;
    bench_prepare(&b);
    collect_begin(&b.got, 2);
    b.config.templates = both;
    b.config.n_templates = 2;
    b.config.on_scores = collect_scores;
    bench_begin(&b);
    push(&b, (float[]){1, 2}, 2); /* 2 3 of 1: 1 + 2; of 2 then: diag 0 + 1 = 1 */
    finish(&b);
    const float *s = b.got.scores;
    CHECK(b.got.n_scores == 4);
    CHECK(s[0] == 1 && s[1] == 1.5f && s[2] == 1.0f / 3 && s[3] == 0.5f);
    bench_end(&b);
}

/* More than one batch, one step and one push: none is lost, none comes twice. */
static void every_frame_has_a_score(void)
{
    static float y[5000];
    for (size_t t = 0; t < 5000; t++) y[t] = (float)t + 4; /* above all of x: |x - y| grows */
    static const size_t chunks[] = {0, 1, 511, 512, 513};
    for (size_t i = 0; i < 5; i++) {
        bench b;
        bench_prepare(&b);
        b.config.chunk = chunks[i];
        b.config.on_scores = collect_scores;
        bench_begin(&b);
        push(&b, y, 5000);
        finish(&b);
        CHECK(b.got.n_scores == 5000);
        for (size_t t = 1; t < b.got.n_scores; t++) CHECK(b.got.scores[t] > b.got.scores[t - 1]);
        bench_end(&b);
    }
}

/* An overflow is no gap: the score is infinite. */
static void costs_may_overflow(void)
{
    const float x[2] = {3e38f, 3e38f};
    bench b;
    bench_prepare(&b);
    b.x = (sigrep_template){
        .size = sizeof(sigrep_template), .samples = x, .length = 2, .threshold = 1e300};
    b.config.on_scores = collect_scores;
    bench_begin(&b);
    push(&b, (float[]){-3e38f, -3e38f, 3e38f, 3e38f, 3e38f}, 5);
    finish(&b);
    const float *s = b.got.scores;
    CHECK(b.got.n_scores == 5 && isinf(s[0]) && isinf(s[1]) && s[2] == 0);
    CHECK(b.got.n >= 1 && match_is(&b, 0, 2, 3, UINT64_MAX));
    bench_end(&b);
}

/* ---- front ends ---- */

/* Differences of 6e38 are held at the largest float: no gap, and nothing is lost. */
static void a_front_end_that_would_overflow_makes_no_gap(void)
{
    const float x[3] = {0, 1, 3}; /* 0 1 2 */
    bench b;
    bench_prepare(&b);
    b.x.samples = x;
    b.x.threshold = 0;
    b.config.front_end = "diff";
    b.config.on_scores = collect_scores;
    bench_begin(&b);
    push(&b, (float[]){5, 5, 6, 8, 3e38f, -3e38f, 3e38f, 5, 5, 6, 8}, 11);
    finish(&b);
    CHECK(b.got.n_scores == 11);
    for (size_t i = 0; i < b.got.n_scores; i++) CHECK(!isnan(b.got.scores[i]));
    /* 0 0 1 2: the later of the two zeros is the shorter path, and the diagonal's */
    CHECK(b.got.n == 2 && match_is(&b, 0, 1, 4, UINT64_MAX) && match_is(&b, 1, 8, 11, UINT64_MAX));
    bench_end(&b);
}

/* Blocks of 4: |1| |2| |3| as the template. */
static void begin_blocks(bench *b, const float *x)
{
    bench_prepare(b);
    b->x = (sigrep_template){.size = sizeof(sigrep_template),
                             .label = "blocks",
                             .samples = x,
                             .length = 12,
                             .threshold = 0};
    b->config.front_end = "envelope=4";
    b->config.on_scores = collect_scores;
    bench_begin(b);
}

static const float blocks[] = {1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};

/* 2 samples end a span with a padded frame; after the gap frames begin anew. */
static void frames_are_mapped_to_samples(void)
{
    bench b;
    begin_blocks(&b, blocks);
    push(&b, (float[]){9, 9, 9, 9}, 4);
    push(&b, blocks, 12);
    CHECK(b.got.n == 1 && match_is(&b, 0, 4, 16, 16));
    push(&b, (float[]){9, 9, NAN, NAN, NAN}, 5);
    push(&b, blocks, 12);
    push(&b, (float[]){9}, 1);
    finish(&b);
    CHECK(b.got.n == 2 && match_is(&b, 1, 21, 33, 33));
    bench_end(&b);
}

/* The last block has one sample of 6: sqrt(36 / 4) = 3. The match ends with the span. */
static void a_partial_frame_is_padded_and_clipped(void)
{
    for (int by_gap = 0; by_gap < 2; by_gap++) {
        bench b;
        begin_blocks(&b, blocks);
        push(&b, blocks, 8);
        push(&b, (float[]){6}, 1);
        if (by_gap)
            CHECK(sigrep_gap(b.session, 100) == SIGREP_OK);
        else
            finish(&b);
        CHECK(b.got.n == 1 && match_is(&b, 0, 0, 9, 9));
        bench_end(&b);
    }
}

/* A gap of n samples is worth n / 4 frames of scores, rounded up. */
static void a_gap_has_as_many_scores_as_frames(void)
{
    static const size_t gaps[][2] = {{1, 1}, {3, 1}, {4, 1}, {5, 2}, {8, 2}, {9, 3}, {5000, 1250}};
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        bench b;
        begin_blocks(&b, blocks);
        push(&b, blocks, 4);
        CHECK(sigrep_gap(b.session, gaps[i][0]) == SIGREP_OK);
        push(&b, blocks, 4);
        finish(&b);
        CHECK_MSG(b.got.n_scores == 2 + gaps[i][1], "%zu: %zu", gaps[i][0], b.got.n_scores);
        bench_end(&b);
    }
}

/* Regression: no result depends on how the samples are cut into pushes. A gap of 10 samples
 * is 3 frames of 4, in one push, in two of 5, or in ten. */
static void scores_of_a_gap_do_not_depend_on_the_cutting(void)
{
    for (size_t piece = 1; piece <= 10; piece++) {
        bench b;
        begin_blocks(&b, blocks);
        push(&b, blocks, 4);
        for (size_t at = 0; at < 10; at += piece) {
            float lost[10];
            for (size_t i = 0; i < 10; i++) lost[i] = NAN;
            push(&b, lost, piece < 10 - at ? piece : 10 - at);
        }
        push(&b, blocks, 4);
        finish(&b);
        CHECK_MSG(b.got.n_scores == 5, "in pieces of %zu: %zu frames", piece, b.got.n_scores);
        bench_end(&b);
    }
}

/* Gaps of 1 sample are a frame each, if samples or the end of an input part them. */
static void each_gap_begins_a_frame_of_its_own(void)
{
    bench b;
    begin_blocks(&b, blocks);
    for (int input = 0; input < 2; input++) {
        b.got.n_scores = 0;
        for (int i = 0; i < 3; i++) {
            CHECK(sigrep_gap(b.session, 1) == SIGREP_OK);
            if (i < 2) push(&b, blocks, 4);
        }
        finish(&b);
        CHECK_MSG(b.got.n_scores == 3 + 2, "%zu", b.got.n_scores);
    }
    bench_end(&b);
}

/* A push is taken in pieces of at most 4096 samples; 10000 lost ones are 3334 frames of 3
 * even so. */
static void scores_of_a_long_gap_do_not_depend_on_the_cutting(void)
{
    static float y[10003];
    for (size_t t = 0; t < 10003; t++) y[t] = t < 3 ? 1 : NAN;
    for (int whole = 0; whole < 2; whole++) {
        bench b;
        bench_prepare(&b);
        b.x = (sigrep_template){
            .size = sizeof(sigrep_template), .samples = blocks, .length = 12, .threshold = 0};
        b.config.front_end = "envelope=3";
        b.config.on_scores = collect_scores;
        bench_begin(&b);
        push(&b, y, whole ? 10003 : 3);
        if (!whole) CHECK(sigrep_gap(b.session, 10000) == SIGREP_OK);
        finish(&b);
        CHECK_MSG(b.got.n_scores == 1 + 3334, "%zu", b.got.n_scores);
        bench_end(&b);
    }
}

static void pushes_of_nothing_are_nothing(void)
{
    static const float silence[5000];
    bench b;
    begin_blocks(&b, blocks);
    push(&b, NULL, 0);
    push(&b, blocks, 6);
    push(&b, blocks, 0);
    push(&b, blocks + 6, 6);
    finish(&b);
    CHECK(b.got.n == 1 && match_is(&b, 0, 0, 12, 12));
    push(&b, silence, 5000);
    finish(&b);
    CHECK(b.got.n == 1);
    bench_end(&b);
}

int main(void)
{
    RUN(a_gap_is_the_same_told_or_as_nan);
    RUN(one_bad_channel_makes_a_gap);
    RUN(a_gap_of_nothing_is_none);
    RUN(a_gap_makes_final_what_is_pending);
    RUN(positions_go_on_through_gaps_of_any_length);
    RUN(gaps_may_fill_every_step);
    RUN(scores_are_means_and_nan_in_gaps);
    RUN(scores_of_templates_are_interleaved);
    RUN(every_frame_has_a_score);
    RUN(costs_may_overflow);
    RUN(a_front_end_that_would_overflow_makes_no_gap);
    RUN(frames_are_mapped_to_samples);
    RUN(a_partial_frame_is_padded_and_clipped);
    RUN(a_gap_has_as_many_scores_as_frames);
    RUN(scores_of_a_gap_do_not_depend_on_the_cutting);
    RUN(each_gap_begins_a_frame_of_its_own);
    RUN(scores_of_a_long_gap_do_not_depend_on_the_cutting);
    RUN(pushes_of_nothing_are_nothing);
    return check_done();
}
