/*
 * filter/search/searches.c: searches whose state is read go on as those that wrote it, on any
 * kernel; also if that fails later, and the fallback kernel takes over.
 */
#include <math.h>
#include <string.h>

#include "filter/search/match_list.h"
#include "filter/search/searches.h"
#include "filter/state/state.h"
#include "kernels/kernel.h"
#include "tests/check.h"

enum { M = 40, N = 30000, PIECE = 500, TEMPLATES = 2, CASES = 60 };

static float x[TEMPLATES * M], y[N];
static template templates[TEMPLATES];

/* A device: the scalar kernel, which fails after so many sweeps. */
static kernel_ops device;
static int sweeps_left;

static sigrep_status device_sweep(void *kernel, const float *frames, size_t n,
                                  const kernel_output *out)
{
    if (sweeps_left-- <= 0) return SIGREP_DEVICE_FAILED;
    return kernel_choose("cpu", "scalar", NULL)->sweep(kernel, frames, n, out);
}

static sigrep_status device_checkpoint(void *kernel, size_t index, uint64_t position, float *d)
{
    if (sweeps_left <= 0) return SIGREP_DEVICE_FAILED;
    return kernel_choose("cpu", "scalar", NULL)->checkpoint(kernel, index, position, d);
}

static searches *make(const kernel_ops *ops, bool in_background, bool scores)
{
    searches *all;
    const searches_plan plan = {.templates = templates,
                                .n_templates = TEMPLATES,
                                .dim = 1,
                                .chunk = PIECE,
                                .ops = ops,
                                .fallback =
                                    ops == &device ? kernel_choose("cpu", NULL, NULL) : NULL,
                                .background = in_background,
                                .want_scores = scores};
    CHECK(searches_create(&all, &plan) == SIGREP_OK);
    return all;
}

/* Matches of a random walk on few values are many. */
static void make_stream(uint64_t *random)
{
    for (size_t i = 0; i < N; i++) y[i] = (float)check_below(random, 4);
    for (size_t j = 0; j < TEMPLATES; j++) {
        for (size_t i = 0; i < M; i++) x[j * M + i] = y[1000 * j + 100 + i];
        templates[j] =
            (template){.frames = x + j * M, .length = M, .gate = detector_gate_of(0.3, 0.5, 2, M)};
    }
}

static void search_part(searches *all, size_t from, size_t to, match_list *out)
{
    for (size_t at = from, n; at < to; at += n) {
        n = to - at < PIECE ? to - at : PIECE;
        searches_append(all, y + at, n);
        CHECK(searches_run(all, out) == SIGREP_OK);
    }
}

static searches *read_again(searches *from, const kernel_ops *ops, uint64_t *random)
{
    state_bytes to = {0}, in = {0};
    CHECK(searches_settle(from) == SIGREP_OK);
    uint64_t needed = searches_needed(from, from->to, false), read;
    state_begin_writing(&to);
    CHECK(searches_pass_state(from, &to, &needed) == SIGREP_OK);
    CHECK(state_end(&to, NULL) == SIGREP_OK);
    searches *all = make(ops, ops == &device && check_below(random, 2), false);
    CHECK(state_begin_reading(&in, to.to, to.at, NULL) == SIGREP_OK);
    CHECK(searches_pass_state(all, &in, &read) == SIGREP_OK);
    CHECK(state_end(&in, NULL) == SIGREP_OK);
    CHECK(read == needed && all->to == from->to);
    searches_destroy(from);
    state_free(&to);
    return all;
}

/* `first` may be later: label groups have counted the times before. */
static bool same(const match_list *a, const match_list *b)
{
    bool equal = a->n == b->n;
    for (size_t i = 0; i < a->n && equal; i++) {
        const frame_match *p = &a->items[i], *q = &b->items[i];
        equal = p->index == q->index && p->start == q->start && p->end == q->end &&
                p->final == q->final && p->d == q->d;
    }
    return equal;
}

static void go_on(const kernel_ops *ops, uint64_t *random, const match_list *wanted)
{
    match_list got = {0};
    const size_t at = 1 + check_below(random, N - 1);
    searches *all = make(kernel_choose("cpu", NULL, NULL), false, false);
    search_part(all, 0, at, &got);
    sweeps_left = 1 + (int)check_below(random, N / PIECE);
    all = read_again(all, ops, random);
    search_part(all, at, N, &got);
    CHECK(searches_finish(all, &got) == SIGREP_OK);
    match_list_sort_by_final(&got);
    CHECK_MSG(same(wanted, &got), "from %zu on, %d sweeps left", at, sweeps_left);
    searches_destroy(all);
    match_list_free(&got);
}

static void with(const kernel_ops *ops, const char *what)
{
    uint64_t random = check_seed(what);
    for (size_t i = 0; i < check_cases(CASES); i++) {
        match_list wanted = {0};
        make_stream(&random);
        searches *whole = make(kernel_choose("cpu", "scalar", NULL), false, false);
        search_part(whole, 0, N, &wanted);
        CHECK(searches_finish(whole, &wanted) == SIGREP_OK);
        match_list_sort_by_final(&wanted);
        CHECK(wanted.n >= TEMPLATES); /* they are cut from the stream */
        for (int k = 0; k < 4; k++) go_on(ops, &random, &wanted);
        searches_destroy(whole);
        match_list_free(&wanted);
    }
}

static void on_kernels_of_the_cpu(void)
{
    with(kernel_choose("cpu", "portable", NULL), "states on the CPU");
}

static void on_a_device_that_fails_later(void)
{
    device = *kernel_choose("cpu", "scalar", NULL);
    device.device = "cuda";
    device.sweep = device_sweep;
    device.checkpoint = device_checkpoint;
    with(&device, "states on a device");
}

int main(void)
{
    RUN(on_kernels_of_the_cpu);
    RUN(on_a_device_that_fails_later);
    return check_done();
}
