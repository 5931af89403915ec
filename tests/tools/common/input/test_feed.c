/* tools/common/input/feed.c: what a program sees of an input while it is searched. */
#include "tools/common/input/feed.h"

#include <math.h>
#include <string.h>

#include "tests/io/source_help.h"
#include "tests/support/collect.h"
#include "tools/common/input/open_input.h"

enum { N = 300000, ODD = 3 /* bytes */ };

static float y[N];
static const float x[] = {3, 1, 4, 1, 5};

/* What came of an input. */
typedef struct {
    uint64_t read, searched, pushes;
    uint64_t most;   /* searched, then it is ended */
    uint64_t wanted; /* of those read, in the end */
    bool is_same;    /* as y, in order */
    uint64_t last;   /* samples of a push */
    bool leaps;      /* a push had more than eight times the samples of the one before */
} tally;

static void take_read(void *user, const float *frames, const exact_time *times, size_t n)
{
    tally *t = user;
    CHECK(!times);
    t->is_same &= memcmp(frames, y + t->read, n * sizeof *frames) == 0;
    t->read += n;
}

static bool take_searched(void *user, const float *frames, uint64_t n, sigrep_status status)
{
    tally *t = user;
    CHECK(!status);
    if (frames) t->is_same &= memcmp(frames, y + t->searched, n * sizeof *frames) == 0;
    t->searched += n;
    t->leaps |= t->last && n > 8 * t->last;
    t->last = n;
    t->pushes++;
    return t->searched < t->most;
}

static uint64_t want(void *user)
{
    const tally *t = user;
    return t->wanted > t->read ? t->wanted - t->read : 0;
}

static sigrep *make_search(size_t threads, collection *got)
{
    const sigrep_template searched = {
        .size = sizeof searched, .samples = x, .length = sizeof x / sizeof *x, .threshold = 0.1};
    sigrep_config config;
    sigrep *search;
    collect_begin(got, 1);
    sigrep_config_init(&config, sizeof config);
    config.templates = &searched;
    config.n_templates = 1;
    config.device = "cpu";
    config.threads = threads;
    config.on_match = collect_match;
    config.user = got;
    if (sigrep_create(&search, &config, NULL)) abort();
    return search;
}

/* Feed a file of y and some bytes; the feed has what came of it, but no buffers. */
static feed run(tally *t, feed f, size_t more_bytes, collection *got)
{
    static const feed_calls calls = {.read = take_read, .searched = take_searched, .wants = want};
    char why[256], bytes[sizeof y + ODD] = {0};
    const source_options options = help_options(SOURCE_F32);
    memcpy(bytes, y, sizeof y);
    const char *path = help_file(bytes, sizeof y + more_bytes);
    f.calls = &calls;
    f.user = t;
    f.name = path;
    f.src = source_open(path, &options, why, sizeof why);
    if (!f.src) abort();
    f.search = make_search(f.threads, got);
    f.cells = INFINITY;
    CHECK(feed_begin(&f));
    CHECK(!feed_run(&f));
    CHECK(!f.failure || strstr(f.failure, "input ends inside a sample"));
    feed_free(&f);
    sigrep_destroy(f.search);
    source_close(f.src);
    unlink(path);
    return f;
}

static void all_samples_are_searched_in_order(void)
{
    for (int threads = 1; threads <= 3; threads++)
        for (int sees_all = 0; sees_all <= 1; sees_all++) {
            tally t = {.most = UINT64_MAX, .is_same = true};
            collection got, want_all;
            feed f = {.threads = (size_t)threads, .sees_all = sees_all, .limit = UINT64_MAX};
            sigrep *search = make_search(1, &want_all);
            CHECK(!sigrep_push(search, y, N) && !sigrep_finish(search));
            sigrep_destroy(search);
            f = run(&t, f, 0, &got);
            CHECK(t.searched == N && f.samples == N && !f.was_ended && !f.failure);
            CHECK(t.is_same && (!sees_all || t.read == N) && t.pushes > 3 && !t.leaps);
            CHECK(want_all.n > 10 && collect_equal(&want_all, &got));
            collect_free(&want_all);
            collect_free(&got);
        }
}

static void no_more_are_searched_than_the_limit(void)
{
    for (uint64_t limit = 1; limit < N; limit = 7 * limit + 1) {
        tally t = {.most = UINT64_MAX, .is_same = true};
        collection got;
        const feed f = run(
            &t, (feed){.threads = limit % 2 ? 1 : 3, .sees_all = true, .limit = limit}, 0, &got);
        CHECK(t.searched == limit && f.samples == limit && t.read == limit && !f.was_ended);
        collect_free(&got);
    }
}

/* As --save after -m. */
static void what_is_wanted_is_read_after_the_search(void)
{
    for (size_t threads = 1; threads <= 3; threads += 2) {
        tally t = {.most = 1000, .wanted = 200000, .is_same = true};
        collection got;
        const feed f =
            run(&t, (feed){.threads = threads, .sees_all = true, .limit = UINT64_MAX}, 0, &got);
        CHECK(f.was_ended && !f.failure && t.searched < 200000 && t.read >= 200000 && t.is_same);
        collect_free(&got);
    }
}

static void a_bad_end_is_a_failure_but_all_is_searched(void)
{
    tally t = {.most = UINT64_MAX, .is_same = true};
    collection got;
    const feed f = run(&t, (feed){.threads = 3, .limit = UINT64_MAX}, ODD, &got);
    CHECK(t.searched == N && !f.was_ended && f.failure);
    collect_free(&got);
}

int main(void)
{
    uint64_t seed = check_seed("test_feed");
    for (size_t t = 0; t < N; t++) y[t] = (float)check_below(&seed, 100);
    for (size_t at = 0; at + 5 < N; at += 1 + check_below(&seed, 5000)) memcpy(y + at, x, sizeof x);
    RUN(all_samples_are_searched_in_order);
    RUN(no_more_are_searched_than_the_limit);
    RUN(what_is_wanted_is_read_after_the_search);
    RUN(a_bad_end_is_a_failure_but_all_is_searched);
    return check_done();
}
