/* filter/session/front_end_parts.c: frames computed in parts have the bits of one chain, wherever
 * pushes and spans end. */
#include "filter/session/front_end_parts.h"

#include <string.h>

#include "kernels/pool.h"
#include "tests/filter/features/front_end_help.h"

enum { RATE = 8000, N = 150000, MOST_CHANNELS = 2, MOST_THREADS = 5, MAX_PUSH = 4096 };

static uint64_t seed;
static float samples[N * MOST_CHANNELS];

/* The frames of a stream, one span after the other. */
typedef struct {
    float *values;
    size_t n, room;
    size_t shared; /* pushes in parts */
} frame_list;

static void add(frame_list *to, const float *frames, size_t n)
{
    if (!n) return;
    if (to->n + n > to->room) {
        to->room = 2 * (to->n + n);
        to->values = realloc(to->values, to->room * sizeof *to->values);
        if (!to->values) abort();
    }
    memcpy(to->values + to->n, frames, n * sizeof *frames);
    to->n += n;
}

static front_end *create_chain(const char *spec, size_t channels)
{
    front_end *chain;
    sigrep_error error = {.text = ""};
    const frame_shape in = {.dim = channels, .rate_hz = RATE};
    const sigrep_status status = front_end_create(&chain, spec, in, MAX_PUSH, &error);
    CHECK_MSG(status == SIGREP_OK, "%s: %s", spec, error.text);
    if (status) exit(1);
    return chain;
}

static front_end_parts *create_parts(front_end **chain, const char *spec, size_t channels,
                                     pool *workers)
{
    front_end_parts *parts;
    const frame_shape in = {.dim = channels, .rate_hz = RATE};
    CHECK(!front_end_parts_create(&parts, chain, spec, in, workers, NULL));
    return parts;
}

enum { BESIDE = 3 };

static const tasks_beside nothing;

/* A pool_task. Counts how often it is done. */
static void count_task(void *user, size_t task, size_t thread)
{
    size_t *done = user;
    (void)thread;
    done[task]++;
}

/* Push n samples, in parts if that is possible: then the tasks beside them are done, too. */
static void push(front_end_parts *parts, front_end **chain, uint64_t before, const float *x,
                 size_t n, size_t channels, frame_list *out)
{
    const size_t dim = front_end_shape(*chain).dim;
    const float *frames;
    size_t done[BESIDE] = {0};
    const tasks_beside beside = {.n = BESIDE, .task = count_task, .user = done};
    const size_t n_parts = front_end_parts_push(parts, chain, before, x, n, &beside);
    for (size_t i = 0; i < BESIDE; i++) CHECK(done[i] == (n_parts > 0));
    for (size_t i = 0; i < n_parts; i++) {
        const size_t got = front_end_parts_frames(parts, i, &frames);
        add(out, frames, got * dim);
    }
    if (n_parts > 0) out->shared++;
    for (size_t at = 0, now; n_parts == 0 && at < n; at += now) {
        now = n - at < MAX_PUSH ? n - at : MAX_PUSH;
        const size_t got = front_end_push(*chain, x + at * channels, now, &frames);
        add(out, frames, got * dim);
    }
}

/* The frames of all samples, in spans that end at `ends`. `random` cuts the pushes; NULL: one push
 * for each span. */
static void run(front_end_parts *parts, front_end **chain, size_t channels, const size_t *ends,
                uint64_t *random, frame_list *out)
{
    const size_t dim = front_end_shape(*chain).dim;
    const float *left;
    for (size_t at = 0; at < N; ends++) {
        for (size_t begin = at, n; at < *ends; at += n) {
            n = *ends - at;
            if (random && check_below(random, 8)) n = 1 + check_below(random, n);
            push(parts, chain, at - begin, samples + at * channels, n, channels, out);
        }
        const size_t got = front_end_flush(*chain, &left);
        add(out, left, got * dim);
    }
}

/* A long span, then two of random length. */
static void end_spans(size_t ends[3], uint64_t *random)
{
    ends[0] = N - 10000 - check_below(random, 30000);
    ends[1] = ends[0] + 1 + check_below(random, N - ends[0] - 1);
    ends[2] = N;
}

static void expect_the_bits_of_one_chain(const char *spec, size_t channels, pool *workers,
                                         uint64_t *random)
{
    frame_list whole = {0}, cut = {0}, uncut = {0};
    size_t ends[3];
    front_end *alone = create_chain(spec, channels), *chain = create_chain(spec, channels);
    front_end_parts *parts = create_parts(&chain, spec, channels, workers);
    end_spans(ends, random);
    run(NULL, &alone, channels, ends, NULL, &whole);
    run(parts, &chain, channels, ends, random, &cut);
    run(parts, &chain, channels, ends, NULL, &uncut);
    CHECK_MSG(uncut.shared > 0, "%s, %zu channels", spec, channels);
    CHECK_MSG(cut.n == whole.n && help_same(cut.values, whole.values, whole.n),
              "%s, %zu channels, %zu threads", spec, channels, pool_threads(workers));
    CHECK_MSG(uncut.n == whole.n && help_same(uncut.values, whole.values, whole.n),
              "%s, %zu channels, %zu threads, uncut", spec, channels, pool_threads(workers));
    front_end_destroy(alone);
    front_end_destroy(chain);
    front_end_parts_destroy(parts);
    free(whole.values);
    free(cut.values);
    free(uncut.values);
}

/* If a share of the cases runs, each chain has one number of threads. */
static bool is_due(size_t i, size_t threads)
{
    return check_share() == 1 || i % (MOST_THREADS - 1) == threads - 2;
}

static void parts_have_the_bits_of_one_chain(void)
{
    static const char *const chains[] = {"diff+mfcc",       "envelope=0.0025+diff",
                                         "diff+logmel=8",   "envelope=0.001+envelope=0.007",
                                         "logmel=5+diff",   "mfcc+diff",
                                         "diff+speech+diff"};
    uint64_t random = seed;
    for (size_t threads = 2; threads <= MOST_THREADS; threads++) {
        pool *workers;
        CHECK(pool_create(&workers, threads) == SIGREP_OK);
        for (size_t i = 0; stage_at(i); i++)
            if (stage_at(i)->restarts && is_due(i, threads))
                expect_the_bits_of_one_chain(stage_at(i)->name, stage_at(i)->band ? 1 : 1 + i % 2,
                                             workers, &random);
        for (size_t i = 0; i < sizeof chains / sizeof *chains; i++)
            if (is_due(i, threads))
                expect_the_bits_of_one_chain(chains[i], 1 + (i + threads) % 2, workers, &random);
        pool_destroy(workers);
    }
}

static void expect_none(const char *spec, pool *workers)
{
    front_end *chain = create_chain(spec, 1), *const before = chain;
    front_end_parts *parts = create_parts(&chain, spec, 1, workers);
    CHECK_MSG(!parts && front_end_parts_most(parts) == 0, "%s", spec);
    CHECK(front_end_parts_push(parts, &chain, 0, samples, N, &nothing) == 0 && chain == before);
    front_end_destroy(chain);
    front_end_parts_destroy(parts);
}

/* Their frames depend on more than a stated number of samples, or on where the span began. */
static void other_chains_are_not_shared(void)
{
    pool *workers;
    CHECK(pool_create(&workers, 2) == SIGREP_OK);
    expect_none("raw", workers);
    expect_none("znorm=0.5", workers);
    expect_none("mfcc+znorm=1", workers);
    expect_none("bandpass=300-3000+mfcc", workers);
    expect_none("resample=7000+mfcc", workers);
    expect_none("envelope=1000", workers); /* a part would be longer than a push */
    pool_destroy(workers);
    expect_none("mfcc", NULL);
}

/* Live input comes in short pushes. */
static void short_pushes_are_not_shared(void)
{
    pool *workers;
    CHECK(pool_create(&workers, 2) == SIGREP_OK);
    front_end *chain = create_chain("mfcc", 1);
    front_end_parts *parts = create_parts(&chain, "mfcc", 1, workers);
    const front_end *before = chain;
    CHECK(parts && front_end_parts_most(parts) >= N);
    CHECK(front_end_parts_push(parts, &chain, 0, samples, RATE, &nothing) == 0 && chain == before);
    front_end_destroy(chain);
    front_end_parts_destroy(parts);
    pool_destroy(workers);
}

int main(void)
{
    seed = check_seed("test_front_end_parts");
    uint64_t random = seed;
    help_noises(samples, N * MOST_CHANNELS, &random);
    RUN(parts_have_the_bits_of_one_chain);
    RUN(other_chains_are_not_shared);
    RUN(short_pushes_are_not_shared);
    return check_done();
}
