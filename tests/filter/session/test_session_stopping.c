/* filter/status.h: a program that wants to stop need not wait for long work. */
#include "tests/filter/session/session_help.h"

enum { N = 1 << 16, LONG = 4000 };

static float y[N];
static int asked, last_ask; /* the answer after last_ask questions: stop */

static int stop_later(void *user)
{
    (void)user;
    return asked++ >= last_ask;
}

/* Noise, or if `rising` periods of 100 samples, each a little larger than the one before. */
static void make_stream(bool rising)
{
    uint64_t seed = 1;
    for (size_t t = 0; t < N; t++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const double noise = (double)(seed >> 33) / 0x1p31;
        y[t] = (float)(rising ? sin((double)(t % 100) * 0.0628) * (1 + (double)t * 1e-5) : noise);
    }
}

/* A search for the first `length` samples; all of it matches. */
static void begin(fixture *f, size_t length)
{
    make_stream(false);
    fixture_prepare(f);
    f->x.samples = y;
    f->x.length = length;
    f->x.threshold = 1e9;
    f->config.should_stop = stop_later;
    f->config.device = "cpu";
    asked = 0;
    last_ask = INT32_MAX;
}

static uint64_t traced(const fixture *f)
{
    sigrep_stats stats = {.size = sizeof stats};
    sigrep_get_stats(f->session, &stats);
    return stats.cells_traced;
}

/* Cells that pushing the stream traces, if a question may stop it. */
static uint64_t push_all(fixture *f, bool may_stop)
{
    fixture_begin(f);
    asked = 0;
    last_ask = may_stop ? 0 : INT32_MAX;
    CHECK(sigrep_push(f->session, y, N) == (may_stop ? SIGREP_STOPPED : SIGREP_OK));
    const uint64_t cells = traced(f);
    fixture_end(f);
    return cells;
}

static void stop_is_heard_while_everything_matches(void)
{
    fixture all, some;
    begin(&all, 1000);
    const uint64_t cells = push_all(&all, false);
    begin(&some, 1000);
    CHECK(push_all(&some, true) < cells / 2 && asked == 1);
}

/* None of them alone would ask. */
static void stop_is_heard_while_many_templates_match(void)
{
    enum { TEMPLATES = 16 };
    static const char labels[TEMPLATES][2];
    sigrep_template x[TEMPLATES];
    uint64_t cells[2];
    for (int may_stop = 0; may_stop <= 1; may_stop++) {
        fixture f;
        begin(&f, 16);
        for (size_t j = 0; j < TEMPLATES; j++) {
            x[j] = f.x;
            x[j].label = labels[j];
        }
        f.config.templates = x;
        f.config.n_templates = TEMPLATES;
        cells[may_stop] = push_all(&f, may_stop);
    }
    CHECK(cells[1] < cells[0] / 2);
}

/* The template ends as it begins, with a level that the stream keeps after its copy. So a path from
 * that end along the first rows may still replace the match. */
static void stop_is_heard_while_the_last_matches_are_decided(void)
{
    static float x[LONG];
    uint64_t cells[2];
    for (int may_stop = 0; may_stop <= 1; may_stop++) {
        fixture f;
        begin(&f, LONG);
        for (size_t i = 50; i < 100; i++) y[i] = 5;
        memcpy(y + LONG - 100, y, 100 * sizeof *y);
        for (size_t t = LONG; t < N; t++) y[t] = 5;
        memcpy(x, y, sizeof x);
        x[LONG / 2] += 0.01f;
        f.x.samples = x;
        fixture_begin(&f);
        push(&f, y, 2 * LONG - 200);
        CHECK(f.got.n == 0);
        const uint64_t before = traced(&f);
        if (may_stop) last_ask = asked;
        CHECK(sigrep_finish(f.session) == (may_stop ? SIGREP_STOPPED : SIGREP_OK));
        cells[may_stop] = traced(&f) - before;
        fixture_end(&f);
    }
    CHECK_MSG(cells[1] < cells[0], "%llu %llu", (unsigned long long)cells[1],
              (unsigned long long)cells[0]);
}

static void stop_is_heard_while_the_best_are_found(void)
{
    enum { BEST = 20 };
    memory_store memory = {0};
    const sigrep_store store = memory_store_ops(&memory);
    collection got[2];
    for (int may_stop = 0; may_stop <= 1; may_stop++) {
        fixture f;
        begin(&f, 100);
        make_stream(true);
        f.config.best = BEST;
        f.config.store = &store;
        fixture_begin(&f);
        push(&f, y, N);
        if (may_stop) last_ask = asked;
        CHECK(sigrep_finish(f.session) == (may_stop ? SIGREP_STOPPED : SIGREP_OK));
        got[may_stop] = f.got;
        sigrep_destroy(f.session);
    }
    CHECK_MSG(got[0].n == BEST && got[1].n >= 1 && got[1].n < BEST, "%zu", got[1].n);
    for (size_t i = 0; i < got[1].n; i++)
        CHECK(got[1].matches[i].start == got[0].matches[i].start &&
              got[1].matches[i].score == got[0].matches[i].score);
    for (int k = 0; k < 2; k++) collect_free(&got[k]);
    memory_store_free(&memory);
}

static void stop_is_heard_while_a_template_is_made(void)
{
    fixture f;
    sigrep_error error;
    begin(&f, N);
    last_ask = 3;
    CHECK(sigrep_create(&f.session, &f.config, &error) == SIGREP_STOPPED);
    CHECK(f.session == NULL && asked == last_ask + 1);
    fixture_end(&f);
}

/* Regression: long_push_that_asked_every_quarter_of_a_second. */
static void stop_is_heard_within_a_long_push(void)
{
    fixture f;
    begin(&f, LONG);
    f.x.threshold = 0;
    fixture_begin(&f);
    last_ask = 1;
    CHECK(sigrep_push(f.session, y, N) == SIGREP_STOPPED);
    CHECK(sigrep_push(f.session, y, 1) == SIGREP_STOPPED && asked == 2);
    CHECK(sigrep_finish(f.session) == SIGREP_OK);
    fixture_end(&f);
}

static size_t read_stream(void *user, float *to, size_t at, size_t n)
{
    (void)user;
    memcpy(to, y + at, n * sizeof *to);
    return n;
}

/* Regression: quiet_read_that_never_asked. Into the window, and into the buffer of a front end. */
static void stop_is_heard_within_a_long_read(void)
{
    static const char *const front_ends[] = {"raw", "diff"};
    for (int i = 0; i < 2; i++) {
        fixture f;
        size_t got;
        begin(&f, 100);
        f.x.threshold = 0;
        f.config.front_end = front_ends[i];
        f.config.chunk = N / 4;
        fixture_begin(&f);
        asked = last_ask = 0;
        CHECK(sigrep_read(f.session, N, read_stream, NULL, &got) == SIGREP_STOPPED);
        CHECK(asked == 1 && got > 0 && got < N);
        CHECK(sigrep_finish(f.session) == SIGREP_OK);
        CHECK(sigrep_read(f.session, N / 4, read_stream, NULL, &got) == SIGREP_OK);
        CHECK(asked == 1 && got == N / 4);
        fixture_end(&f);
    }
}

static void short_work_is_never_stopped(void)
{
    fixture f;
    begin(&f, 3);
    f.x.samples = ramp;
    f.x.threshold = 0.1;
    fixture_begin(&f);
    asked = last_ask = 0;
    push(&f, three_ramps, N_THREE);
    finish(&f);
    CHECK(f.got.n == 3 && asked == 0);
    fixture_end(&f);
}

int main(void)
{
    RUN(stop_is_heard_while_everything_matches);
    RUN(stop_is_heard_while_many_templates_match);
    RUN(stop_is_heard_while_the_last_matches_are_decided);
    RUN(stop_is_heard_while_the_best_are_found);
    RUN(stop_is_heard_while_a_template_is_made);
    RUN(stop_is_heard_within_a_long_push);
    RUN(stop_is_heard_within_a_long_read);
    RUN(short_work_is_never_stopped);
    return check_done();
}
