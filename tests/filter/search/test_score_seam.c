/* filter/search/score_seam.c: a kernel that begins cold at a seam, and its scores, mended. */
#include "filter/search/score_seam.h"

#include <math.h>
#include <string.h>

#include "filter/search/cursor.h"
#include "filter/search/window.h"
#include "filter/state/state.h"
#include "kernels/kernel.h"
#include "tests/check.h"

enum { M = 30, N = 2000, SEAM = 770, CHUNK = 300, SPACING = KERNEL_BLOCK };

/* D(1..m,t) of a stream from a start on, column by column. */
typedef struct {
    const float *y;
    uint64_t begin; /* the stream's frame 0 of this sweep */
    float d[N + 1][M];
} sweep;

static float x[M], y[N];
static sweep whole, cold;

static void run_sweep(sweep *s, uint64_t begin)
{
    s->begin = begin;
    for (size_t i = 0; i < M; i++) s->d[0][i] = INFINITY;
    for (uint64_t t = begin; t < N; t++) {
        const float *before = s->d[t - begin];
        float *d = s->d[t - begin + 1], diagonal = 0, up = 0;
        for (size_t i = 0; i < M; i++) {
            d[i] = up = fminf(fminf(diagonal, before[i]), up) + fabsf(x[i] - y[t]);
            diagonal = before[i];
        }
    }
}

static sigrep_status checkpoint(void *source, size_t index, uint64_t position, float *d)
{
    const sweep *s = source;
    CHECK(index == 5 && position > 0 && position % SPACING == 0);
    memcpy(d, s->d[position], M * sizeof *d);
    return SIGREP_OK;
}

/* The frame from which on the kernel that began cold is exact. */
static uint64_t exact_from(void)
{
    uint64_t t = N;
    while (t > cold.begin && memcmp(cold.d[t - cold.begin], whole.d[t], sizeof cold.d[0]) == 0) t--;
    return t;
}

static void make_stream(uint64_t *random)
{
    for (size_t i = 0; i < M; i++) x[i] = (float)check_below(random, 4);
    for (size_t i = 0; i < N; i++) y[i] = (float)check_below(random, 5);
    run_sweep(&whole, 0);
    run_sweep(&cold, SEAM / SPACING * SPACING);
}

/* What the state of the whole search says at the seam. `gap`: a frame that is one, or N. */
static void check_scores(uint64_t gap)
{
    score_seam seam;
    window frames;
    state_bytes to = {0}, from = {0};
    swept_chunk in = {.frames = &frames, .checkpoint = checkpoint, .source = &whole, .to = SEAM};
    CHECK(window_create(&frames, 1, N, N) == SIGREP_OK);
    CHECK(score_seam_create(&seam, x, M, 1) == SIGREP_OK);
    window_append(&frames, y, N);
    CHECK(score_seam_settle(&seam, &in, 5, SPACING) == SIGREP_OK);
    state_begin_writing(&to);
    score_seam_pass_state(&seam, &to, SEAM);
    state_end(&to, NULL);
    CHECK(!seam.is_open);
    state_begin_reading(&from, to.to, to.at, NULL);
    score_seam_pass_state(&seam, &from, SEAM);
    CHECK(seam.is_open && state_end(&from, NULL) == SIGREP_OK);
    in.source = &cold;
    in.base = cold.begin;
    for (uint64_t at = SEAM; at < N; at = in.to) {
        float scores[CHUNK];
        in.from = at;
        in.to = at + CHUNK < N ? at + CHUNK : N;
        in.gaps = &gap;
        in.n_gaps = gap >= in.from && gap < in.to;
        for (uint64_t t = at; t < in.to; t++) scores[t - at] = cold.d[t + 1 - cold.begin][M - 1];
        CHECK(score_seam_mend(&seam, &in, 5, SPACING, scores) == SIGREP_OK);
        for (uint64_t t = at; t < in.to; t++)
            CHECK(scores[t - at] == whole.d[t + 1][M - 1] || t == gap);
    }
    const uint64_t exact = exact_from() / SPACING * SPACING + SPACING;
    CHECK(seam.is_open == (exact > N));
    score_seam_free(&seam);
    window_free(&frames);
    state_free(&to);
}

static void scores_are_those_of_the_whole_until_the_kernel_agrees(void)
{
    uint64_t random = check_seed("score seam");
    for (int i = 0; i < 20; i++) {
        make_stream(&random);
        check_scores(N);
    }
}

/* A path that began before the seam is the lowest for ever. */
static void a_kernel_that_never_agrees_is_never_asked(void)
{
    uint64_t random = check_seed("score seam of a resting stream");
    make_stream(&random);
    for (size_t i = 0; i < M; i++) x[i] = (float)(i + 1);
    for (size_t i = 0; i < N; i++) y[i] = i < 700 ? 0 : i < 700 + M ? x[i - 700] : x[M - 1];
    run_sweep(&whole, 0);
    run_sweep(&cold, SEAM / SPACING * SPACING);
    check_scores(N);
    CHECK(exact_from() == N);
}

static void a_gap_makes_both_agree(void)
{
    uint64_t random = check_seed("score seam and a gap");
    make_stream(&random);
    const uint64_t gap = SEAM + 3;
    y[gap] = INFINITY;
    run_sweep(&whole, 0);
    run_sweep(&cold, SEAM / SPACING * SPACING);
    check_scores(gap);
}

int main(void)
{
    RUN(scores_are_those_of_the_whole_until_the_kernel_agrees);
    RUN(a_kernel_that_never_agrees_is_never_asked);
    RUN(a_gap_makes_both_agree);
    return check_done();
}
