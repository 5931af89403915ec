/* filter/session/stream.c: best-of searches, and stores that fail. */
#include "tests/filter/session/session_help.h"

typedef struct {
    memory_store memory;
    int fail_append, fail_read, fail_clear; /* the n-th call from now fails; 0: none */
} weak_store;

static int weak_append(void *user, const float *frames, size_t n, size_t dim)
{
    weak_store *w = user;
    if (w->fail_append && --w->fail_append == 0) return 1;
    sigrep_store good = memory_store_ops(&w->memory);
    return good.append(good.user, frames, n, dim);
}

static int weak_read(void *user, uint64_t first, float *frames, size_t n, size_t dim)
{
    weak_store *w = user;
    if (w->fail_read && --w->fail_read == 0) return 1;
    sigrep_store good = memory_store_ops(&w->memory);
    return good.read(good.user, first, frames, n, dim);
}

static int weak_clear(void *user)
{
    weak_store *w = user;
    w->memory.n = 0;
    return w->fail_clear && --w->fail_clear == 0;
}

static void store_failures_are_told(void)
{
    weak_store weak = {.fail_append = 0};
    const sigrep_store store = {weak_append, weak_read, weak_clear, &weak};
    bench b;
    bench_prepare(&b);
    b.config.best = 3;
    b.config.store = &store;
    b.config.chunk = 4;
    bench_begin(&b);

    weak.fail_append = 2;
    CHECK(sigrep_push(b.session, three_ramps, N_THREE) == SIGREP_STORE_FAILED);
    sigrep_finish(b.session);
    weak.fail_append = 1;
    CHECK(sigrep_gap(b.session, 1) == SIGREP_STORE_FAILED);
    sigrep_finish(b.session);

    b.got.n = 0;
    weak.fail_read = 1;
    push(&b, three_ramps, N_THREE);
    CHECK(sigrep_finish(b.session) == SIGREP_STORE_FAILED);
    CHECK(b.got.n == 1); /* the first pass needs no reading */

    b.got.n = 0;
    weak.fail_clear = 1;
    push(&b, three_ramps, N_THREE);
    CHECK(sigrep_finish(b.session) == SIGREP_STORE_FAILED);
    CHECK(b.got.n == 3);

    b.got.n = 0; /* and all is well again */
    push(&b, three_ramps, N_THREE);
    finish(&b);
    CHECK(b.got.n == 3 && match_is(&b, 0, 1, 4, N_THREE));
    bench_end(&b);
    memory_store_free(&weak.memory);
}

static void a_stop_in_a_best_of_search_is_told(void)
{
    weak_store weak = {.fail_append = 0};
    const sigrep_store store = {weak_append, weak_read, weak_clear, &weak};
    bench b;
    bench_prepare(&b);
    b.config.best = 3;
    b.config.store = &store;
    bench_begin(&b);
    b.got.stop_after = 2;
    push(&b, three_ramps, N_THREE);
    CHECK(sigrep_finish(b.session) == SIGREP_STOPPED && b.got.n == 2);
    CHECK(weak.memory.n == 0);
    b.got.n = b.got.stop_after = 0;
    push(&b, three_ramps, N_THREE);
    finish(&b);
    CHECK(b.got.n == 3);
    bench_end(&b);
    memory_store_free(&weak.memory);
}

/* Regression: some frames were lost with the failure, so whatever is found behind it must
 * not be told at a wrong place: refused until finish, or right. */
static void after_a_failure_no_match_is_told_at_a_wrong_place(void)
{
    weak_store weak = {.fail_append = 2};
    const sigrep_store store = {weak_append, weak_read, weak_clear, &weak};
    static const float zeros[14];
    bench b;
    bench_prepare(&b);
    b.config.best = 1;
    b.config.store = &store;
    b.config.chunk = 4;
    bench_begin(&b);
    CHECK(sigrep_push(b.session, zeros, 14) == SIGREP_STORE_FAILED);
    sigrep_push(b.session, ramp, 3);
    sigrep_finish(b.session);
    CHECK(b.got.n == 0 || match_is(&b, 0, 14, 17, 17));
    bench_end(&b);
    memory_store_free(&weak.memory);
}

int main(void)
{
    RUN(store_failures_are_told);
    RUN(after_a_failure_no_match_is_told_at_a_wrong_place);
    RUN(a_stop_in_a_best_of_search_is_told);
    return check_done();
}
