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

static void store_failures_are_reported(void)
{
    weak_store weak = {.fail_append = 0};
    const sigrep_store store = {weak_append, weak_read, weak_clear, &weak};
    fixture f;
    fixture_prepare(&f);
    f.config.best = 3;
    f.config.store = &store;
    f.config.chunk = 4;
    fixture_begin(&f);

    weak.fail_append = 2;
    CHECK(sigrep_push(f.session, three_ramps, N_THREE) == SIGREP_STORE_FAILED);
    sigrep_finish(f.session);
    weak.fail_append = 1;
    CHECK(sigrep_gap(f.session, 1) == SIGREP_STORE_FAILED);
    sigrep_finish(f.session);

    f.got.n = 0;
    weak.fail_read = 1;
    push(&f, three_ramps, N_THREE);
    CHECK(sigrep_finish(f.session) == SIGREP_STORE_FAILED);
    CHECK(f.got.n == 1); /* the first pass reads nothing back */

    f.got.n = 0;
    weak.fail_clear = 1;
    push(&f, three_ramps, N_THREE);
    CHECK(sigrep_finish(f.session) == SIGREP_STORE_FAILED);
    CHECK(f.got.n == 3);

    f.got.n = 0; /* the next input works */
    push(&f, three_ramps, N_THREE);
    finish(&f);
    CHECK(f.got.n == 3 && match_is(&f, 0, 1, 4, N_THREE));
    fixture_end(&f);
    memory_store_free(&weak.memory);
}

static void a_stop_in_a_best_of_search_is_reported(void)
{
    weak_store weak = {.fail_append = 0};
    const sigrep_store store = {weak_append, weak_read, weak_clear, &weak};
    fixture f;
    fixture_prepare(&f);
    f.config.best = 3;
    f.config.store = &store;
    fixture_begin(&f);
    f.got.stop_after = 2;
    push(&f, three_ramps, N_THREE);
    CHECK(sigrep_finish(f.session) == SIGREP_STOPPED && f.got.n == 2);
    CHECK(weak.memory.n == 0);
    f.got.n = f.got.stop_after = 0;
    push(&f, three_ramps, N_THREE);
    finish(&f);
    CHECK(f.got.n == 3);
    fixture_end(&f);
    memory_store_free(&weak.memory);
}

/* Regression: the store lacks frames after the failure. No later match may have a wrong position:
 * the input is refused until finish, or the match is right. */
static void after_a_failure_no_match_has_a_wrong_position(void)
{
    weak_store weak = {.fail_append = 2};
    const sigrep_store store = {weak_append, weak_read, weak_clear, &weak};
    static const float zeros[14];
    fixture f;
    fixture_prepare(&f);
    f.config.best = 1;
    f.config.store = &store;
    f.config.chunk = 4;
    fixture_begin(&f);
    CHECK(sigrep_push(f.session, zeros, 14) == SIGREP_STORE_FAILED);
    sigrep_push(f.session, ramp, 3);
    sigrep_finish(f.session);
    CHECK(f.got.n == 0 || match_is(&f, 0, 14, 17, 17));
    fixture_end(&f);
    memory_store_free(&weak.memory);
}

int main(void)
{
    RUN(store_failures_are_reported);
    RUN(after_a_failure_no_match_has_a_wrong_position);
    RUN(a_stop_in_a_best_of_search_is_reported);
    return check_done();
}
