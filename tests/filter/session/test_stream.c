/* filter/session/stream.c: gaps, positions, scores and frames of several samples. */
#include "tests/filter/session/session_help.h"

/* ---- gaps ---- */

/* A stream with matches and random gaps: once gaps are NaN samples, once calls of sigrep_gap, in
 * other pieces. Matches and scores must be the same. */
static void gaps_are_the_same_by_call_or_as_nan(void)
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
        fixture f[2];
        for (int by_call = 0; by_call < 2; by_call++) {
            fixture_prepare(&f[by_call]);
            f[by_call].x.threshold = 0.3;
            f[by_call].config.chunk = by_call ? 100 : 0;
            f[by_call].config.on_scores = collect_scores;
            fixture_begin(&f[by_call]);
        }
        push(&f[0], y, N);
        for (size_t t = 0; t < N;) {
            size_t n = 0;
            bool finite = isfinite(y[t]);
            while (t + n < N && isfinite(y[t + n]) == finite) n++;
            if (!finite && n > 1) n = 1 + check_below(&random, n); /* in pieces */
            if (finite)
                push(&f[1], y + t, n);
            else
                CHECK(sigrep_gap(f[1].session, n) == SIGREP_OK);
            t += n;
        }
        for (int by_call = 0; by_call < 2; by_call++) finish(&f[by_call]);
        matches += f[0].got.n;
        CHECK(f[0].got.n_scores == N);
        CHECK(collect_equal(&f[0].got, &f[1].got));
        for (int by_call = 0; by_call < 2; by_call++) fixture_end(&f[by_call]);
    }
    CHECK(matches > 100); /* about 30 in each stream */
}

/* One value of a sample is enough. */
static void one_bad_channel_makes_a_gap(void)
{
    const float x[6] = {1, 1, 2, 2, 3, 3};
    fixture f;
    fixture_prepare(&f);
    f.x.samples = x;
    f.config.channels = 2;
    fixture_begin(&f);
    push(&f, (float[]){1, 1, 2, NAN, 3, 3, 1, 1, 2, 2, 3, 3}, 6);
    finish(&f);
    CHECK(f.got.n == 1 && match_is(&f, 0, 3, 6, 6));
    fixture_end(&f);
}

static void a_gap_of_0_samples_is_none(void)
{
    fixture f;
    fixture_prepare(&f);
    fixture_begin(&f);
    push(&f, (float[]){1, 2}, 2);
    CHECK(sigrep_gap(f.session, 0) == SIGREP_OK);
    push(&f, (float[]){3}, 1);
    CHECK(f.got.n == 1 && match_is(&f, 0, 0, 3, 3));
    fixture_end(&f);
}

/* [0, 2) of 1 2 2 is pending, as a 3 may follow. The gap makes it final after 3 samples. */
static void a_gap_makes_final_what_is_pending(void)
{
    fixture f;
    fixture_prepare(&f);
    f.x.threshold = 0.5;
    fixture_begin(&f);
    push(&f, (float[]){1, 2, 2}, 3);
    CHECK(f.got.n == 0);
    CHECK(sigrep_gap(f.session, 7) == SIGREP_OK);
    CHECK(f.got.n == 1 && match_is(&f, 0, 0, 2, 3));
    fixture_end(&f);
}

static void positions_go_on_through_gaps_of_any_length(void)
{
    static const uint64_t gaps[] = {1, (uint64_t)1 << 33, (uint64_t)1 << 40, (uint64_t)1 << 62};
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        fixture f;
        fixture_prepare(&f);
        fixture_begin(&f);
        push(&f, (float[]){9, 1, 2, 3, 9}, 5);
        CHECK(sigrep_gap(f.session, gaps[i]) == SIGREP_OK);
        push(&f, (float[]){9, 1, 2, 3, 9}, 5);
        uint64_t at = 5 + gaps[i];
        CHECK(f.got.n == 2 && match_is(&f, 0, 1, 4, 4) && match_is(&f, 1, at + 1, at + 4, at + 4));
        CHECK(sigrep_gap(f.session, 1) == SIGREP_OK); /* another one, in a chunk of its own */
        push(&f, ramp, 3);
        finish(&f);
        CHECK(f.got.n == 3 && match_is(&f, 2, at + 6, at + 9, at + 9));
        sigrep_stats stats = {.size = sizeof stats};
        sigrep_get_stats(f.session, &stats);
        CHECK(stats.samples == 0);
        fixture_end(&f);
    }
}

/* Regression: gap_beyond_2_64. Positions wrapped around, and matches came at the wrong ones. */
static void a_gap_that_positions_cannot_count_is_refused(void)
{
    fixture f;
    fixture_prepare(&f);
    fixture_begin(&f);
    push(&f, (float[]){9, 1, 2, 3, 9}, 5);
    CHECK(sigrep_gap(f.session, UINT64_MAX - 2) == SIGREP_BAD_CONFIG);
    CHECK(sigrep_gap(f.session, INT64_MAX - 4) == SIGREP_BAD_CONFIG);
    push(&f, ramp, 3);
    CHECK(sigrep_gap(f.session, INT64_MAX - 8) == SIGREP_OK);
    CHECK(sigrep_gap(f.session, 1) == SIGREP_BAD_CONFIG);
    finish(&f);
    CHECK(f.got.n == 2 && match_is(&f, 1, 5, 8, 8));
    fixture_end(&f);
}

/* One push has more gaps than a chunk has frames. */
static void gaps_may_fill_every_chunk(void)
{
    enum { N = 400 };
    float y[N];
    for (size_t t = 0; t < N; t++) y[t] = t % 8 < 4 ? ramp[t % 4 % 3] : NAN;
    for (size_t t = 0; t < N; t += 8) y[t + 3] = NAN; /* 1 2 3 and 5 of gap */
    for (size_t chunk = 1; chunk <= 12; chunk++) {
        fixture f;
        fixture_prepare(&f);
        f.config.chunk = chunk;
        fixture_begin(&f);
        push(&f, y, N);
        finish(&f);
        CHECK(f.got.n == N / 8);
        for (size_t i = 0; i < N / 8; i++) CHECK(match_is(&f, i, 8 * i, 8 * i + 3, 8 * i + 3));
        fixture_end(&f);
    }
}

/* ---- scores ---- */

/* x = 1 2 3; by hand: y = 1: 0 1 3; y = 2 then: 1 0 1. A gap is a cold start: y = 3 costs
 * 2 + 1 + 0. */
static void scores_are_means_and_nan_in_gaps(void)
{
    fixture f;
    fixture_prepare(&f);
    f.config.on_scores = collect_scores;
    fixture_begin(&f);
    push(&f, (float[]){1, 2, NAN, NAN, 3}, 5);
    CHECK(sigrep_gap(f.session, 2000) == SIGREP_OK);
    push(&f, (float[]){3}, 1);
    finish(&f);
    const float *s = f.got.scores;
    CHECK(f.got.n_scores == 5 + 2000 + 1);
    CHECK(s[0] == 1 && s[1] == 1.0f / 3 && isnan(s[2]) && isnan(s[3]) && s[4] == 1);
    for (size_t i = 5; i < 2005; i++) CHECK(isnan(s[i]));
    CHECK(s[2005] == 1);
    fixture_end(&f);
}

static void scores_of_templates_are_interleaved(void)
{
    const sigrep_template both[] = {
        {.size = sizeof(sigrep_template), .samples = ramp, .length = 3, .threshold = 0},
        {.size = sizeof(sigrep_template), .samples = ramp + 1, .length = 2, .threshold = 0}};
    fixture f;
    fixture_prepare(&f);
    collect_begin(&f.got, 2);
    f.config.templates = both;
    f.config.n_templates = 2;
    f.config.on_scores = collect_scores;
    fixture_begin(&f);
    push(&f, (float[]){1, 2}, 2); /* 2 3 of 1: 1 + 2; of 2 then: diag 0 + 1 = 1 */
    finish(&f);
    const float *s = f.got.scores;
    CHECK(f.got.n_scores == 4);
    CHECK(s[0] == 1 && s[1] == 1.5f && s[2] == 1.0f / 3 && s[3] == 0.5f);
    fixture_end(&f);
}

/* More frames than one callback, one chunk and one push take. */
static void every_frame_has_a_score(void)
{
    static float y[5000];
    for (size_t t = 0; t < 5000; t++) y[t] = (float)t + 4; /* above all of x: |x - y| grows */
    static const size_t chunks[] = {0, 1, 511, 512, 513};
    for (size_t i = 0; i < 5; i++) {
        fixture f;
        fixture_prepare(&f);
        f.config.chunk = chunks[i];
        f.config.on_scores = collect_scores;
        fixture_begin(&f);
        push(&f, y, 5000);
        finish(&f);
        CHECK(f.got.n_scores == 5000);
        for (size_t t = 1; t < f.got.n_scores; t++) CHECK(f.got.scores[t] > f.got.scores[t - 1]);
        fixture_end(&f);
    }
}

/* An overflow is no gap: the score is infinite. */
static void costs_may_overflow(void)
{
    const float x[2] = {3e38f, 3e38f};
    fixture f;
    fixture_prepare(&f);
    f.x = (sigrep_template){
        .size = sizeof(sigrep_template), .samples = x, .length = 2, .threshold = 1e300};
    f.config.on_scores = collect_scores;
    fixture_begin(&f);
    push(&f, (float[]){-3e38f, -3e38f, 3e38f, 3e38f, 3e38f}, 5);
    finish(&f);
    const float *s = f.got.scores;
    CHECK(f.got.n_scores == 5 && isinf(s[0]) && isinf(s[1]) && s[2] == 0);
    CHECK(f.got.n >= 1 && match_is(&f, 0, 2, 3, UINT64_MAX));
    fixture_end(&f);
}

/* ---- front ends ---- */

/* Differences of 6e38 are clipped to the largest float, so they make no gap. */
static void a_front_end_that_would_overflow_makes_no_gap(void)
{
    const float x[3] = {0, 1, 3}; /* 0 1 2 */
    fixture f;
    fixture_prepare(&f);
    f.x.samples = x;
    f.x.threshold = 0;
    f.config.front_end = "diff";
    f.config.on_scores = collect_scores;
    fixture_begin(&f);
    push(&f, (float[]){5, 5, 6, 8, 3e38f, -3e38f, 3e38f, 5, 5, 6, 8}, 11);
    finish(&f);
    CHECK(f.got.n_scores == 11);
    for (size_t i = 0; i < f.got.n_scores; i++) CHECK(!isnan(f.got.scores[i]));
    /* 0 0 1 2: the later of the two zeros is the shorter path, and the diagonal's */
    CHECK(f.got.n == 2 && match_is(&f, 0, 1, 4, UINT64_MAX) && match_is(&f, 1, 8, 11, UINT64_MAX));
    fixture_end(&f);
}

/* Blocks of 4: |1| |2| |3| as the template. */
static void begin_blocks(fixture *f, const float *x)
{
    fixture_prepare(f);
    f->x = (sigrep_template){.size = sizeof(sigrep_template),
                             .label = "blocks",
                             .samples = x,
                             .length = 12,
                             .threshold = 0};
    f->config.front_end = "envelope=4";
    f->config.on_scores = collect_scores;
    fixture_begin(f);
}

static const float blocks[] = {1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};

/* 2 samples end a span with a padded frame; after the gap frames begin anew. */
static void frames_are_mapped_to_samples(void)
{
    fixture f;
    begin_blocks(&f, blocks);
    push(&f, (float[]){9, 9, 9, 9}, 4);
    push(&f, blocks, 12);
    CHECK(f.got.n == 1 && match_is(&f, 0, 4, 16, 16));
    push(&f, (float[]){9, 9, NAN, NAN, NAN}, 5);
    push(&f, blocks, 12);
    push(&f, (float[]){9}, 1);
    finish(&f);
    CHECK(f.got.n == 2 && match_is(&f, 1, 21, 33, 33));
    fixture_end(&f);
}

/* The last block has one sample of 6: sqrt(36 / 4) = 3. The match ends with the span. */
static void a_partial_frame_is_padded_and_clipped(void)
{
    for (int by_gap = 0; by_gap < 2; by_gap++) {
        fixture f;
        begin_blocks(&f, blocks);
        push(&f, blocks, 8);
        push(&f, (float[]){6}, 1);
        if (by_gap)
            CHECK(sigrep_gap(f.session, 100) == SIGREP_OK);
        else
            finish(&f);
        CHECK(f.got.n == 1 && match_is(&f, 0, 0, 9, 9));
        fixture_end(&f);
    }
}

/* A gap of n samples counts as n / 4 frames of scores, rounded up. */
static void a_gap_has_as_many_scores_as_frames(void)
{
    static const size_t gaps[][2] = {{1, 1}, {3, 1}, {4, 1}, {5, 2}, {8, 2}, {9, 3}, {5000, 1250}};
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        fixture f;
        begin_blocks(&f, blocks);
        push(&f, blocks, 4);
        CHECK(sigrep_gap(f.session, gaps[i][0]) == SIGREP_OK);
        push(&f, blocks, 4);
        finish(&f);
        CHECK_MSG(f.got.n_scores == 2 + gaps[i][1], "%zu: %zu", gaps[i][0], f.got.n_scores);
        fixture_end(&f);
    }
}

/* Regression: no result depends on how the samples are cut into pushes. A gap of 10 samples
 * is 3 frames of 4, in one push, in two of 5, or in ten. */
static void scores_of_a_gap_do_not_depend_on_the_cutting(void)
{
    for (size_t piece = 1; piece <= 10; piece++) {
        fixture f;
        begin_blocks(&f, blocks);
        push(&f, blocks, 4);
        for (size_t at = 0; at < 10; at += piece) {
            float lost[10];
            for (size_t i = 0; i < 10; i++) lost[i] = NAN;
            push(&f, lost, piece < 10 - at ? piece : 10 - at);
        }
        push(&f, blocks, 4);
        finish(&f);
        CHECK_MSG(f.got.n_scores == 5, "in pieces of %zu: %zu frames", piece, f.got.n_scores);
        fixture_end(&f);
    }
}

/* Gaps of 1 sample are a frame each, if samples or the end of an input part them. */
static void each_gap_begins_a_frame_of_its_own(void)
{
    fixture f;
    begin_blocks(&f, blocks);
    for (int input = 0; input < 2; input++) {
        f.got.n_scores = 0;
        for (int i = 0; i < 3; i++) {
            CHECK(sigrep_gap(f.session, 1) == SIGREP_OK);
            if (i < 2) push(&f, blocks, 4);
        }
        finish(&f);
        CHECK_MSG(f.got.n_scores == 3 + 2, "%zu", f.got.n_scores);
    }
    fixture_end(&f);
}

/* The session takes at most 4096 samples of a push at once. Yet a gap of 10000 samples is 3334
 * frames of 3. */
static void scores_of_a_long_gap_do_not_depend_on_the_cutting(void)
{
    static float y[10003];
    for (size_t t = 0; t < 10003; t++) y[t] = t < 3 ? 1 : NAN;
    for (int whole = 0; whole < 2; whole++) {
        fixture f;
        fixture_prepare(&f);
        f.x = (sigrep_template){
            .size = sizeof(sigrep_template), .samples = blocks, .length = 12, .threshold = 0};
        f.config.front_end = "envelope=3";
        f.config.on_scores = collect_scores;
        fixture_begin(&f);
        push(&f, y, whole ? 10003 : 3);
        if (!whole) CHECK(sigrep_gap(f.session, 10000) == SIGREP_OK);
        finish(&f);
        CHECK_MSG(f.got.n_scores == 1 + 3334, "%zu", f.got.n_scores);
        fixture_end(&f);
    }
}

static void pushes_of_0_samples_change_nothing(void)
{
    static const float silence[5000];
    fixture f;
    begin_blocks(&f, blocks);
    push(&f, NULL, 0);
    push(&f, blocks, 6);
    push(&f, blocks, 0);
    push(&f, blocks + 6, 6);
    finish(&f);
    CHECK(f.got.n == 1 && match_is(&f, 0, 0, 12, 12));
    push(&f, silence, 5000);
    finish(&f);
    CHECK(f.got.n == 1);
    fixture_end(&f);
}

/* ---- callbacks ---- */

static size_t no_samples(void *user, float *to, size_t at, size_t n)
{
    (void)user;
    (void)to;
    (void)at;
    (void)n;
    return 0;
}

/* Every call that would change the search. */
static void refuses_all(sigrep *search)
{
    const sigrep_status bad = SIGREP_BAD_CONFIG;
    const double doubles[3] = {1, 2, 3};
    const void *state;
    size_t n;
    uint64_t from;
    int joined;
    CHECK(sigrep_push(search, ramp, 3) == bad && sigrep_feed(search, ramp, 3) == bad);
    CHECK(sigrep_push_doubles(search, doubles, 3) == bad);
    CHECK(sigrep_feed_doubles(search, doubles, 3) == bad);
    CHECK(sigrep_read(search, 3, no_samples, NULL, &n) == bad);
    CHECK(sigrep_gap(search, 3) == bad && sigrep_finish(search) == bad);
    CHECK(sigrep_save(search, &state, &n, NULL) == bad);
    CHECK(sigrep_resume(search, "", 0, &from, NULL) == bad);
    CHECK(sigrep_begin_at(search, 0, &from, NULL) == bad);
    CHECK(sigrep_has_joined(search, search, &joined) == bad);
}

static int change_in_match(void *user, const sigrep_match *match)
{
    fixture *f = user;
    refuses_all(f->session);
    return collect_match(&f->got, match);
}

static int change_in_scores(void *user, const float *scores, size_t n_frames)
{
    fixture *f = user;
    refuses_all(f->session);
    return collect_scores(&f->got, scores, n_frames);
}

/* Regression: finish_in_on_match, save_in_on_scores. They were taken, and matches were lost. */
static void callbacks_cannot_change_their_search(void)
{
    fixture f;
    fixture_prepare(&f);
    f.config.on_match = change_in_match;
    f.config.on_scores = change_in_scores;
    f.config.user = &f;
    fixture_begin(&f);
    push(&f, three_ramps, N_THREE);
    finish(&f);
    CHECK(f.got.n == 3 && match_is(&f, 2, 9, 12, 12) && f.got.n_scores == N_THREE);
    fixture_end(&f);
}

int main(void)
{
    RUN(gaps_are_the_same_by_call_or_as_nan);
    RUN(one_bad_channel_makes_a_gap);
    RUN(a_gap_of_0_samples_is_none);
    RUN(a_gap_makes_final_what_is_pending);
    RUN(positions_go_on_through_gaps_of_any_length);
    RUN(a_gap_that_positions_cannot_count_is_refused);
    RUN(gaps_may_fill_every_chunk);
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
    RUN(pushes_of_0_samples_change_nothing);
    RUN(callbacks_cannot_change_their_search);
    return check_done();
}
