/*
 * filter/session/match_path.c: paths in samples, behind every front end, after gaps, at another
 * rate, from a store; and when there is none. tests/stream/test_cuttings.c compares paths with
 * those of docs/SEMANTICS.md.
 */
#include "filter/session/session.h"

#include "tests/filter/session/session_help.h"

enum { RATE = 8000, N = RATE, MOST_MATCHES = 64 };

static float noise[2 * N];

static void make_noise(void)
{
    uint64_t random = 1;
    for (size_t i = 0; i < 2 * N; i++) noise[i] = (float)check_below(&random, 2001) / 2000 - 0.5f;
}

/* What a path must be. */
typedef struct {
    sigrep *search;
    uint64_t template_frames; /* m; 0: not known */
    size_t n;                 /* paths seen */
    sigrep_status status;     /* of a path that failed */
} looker;

/* Does a pair follow the one before it? */
static bool follows(const sigrep_pair *was, const sigrep_pair *is)
{
    const uint64_t i = is->template_frame - was->template_frame;
    const uint64_t t = is->match_frame - was->match_frame;
    if (i > 1 || t > 1 || i + t == 0) return false;
    if (t == 0) return is->start == was->start && is->end == was->end;
    return is->start >= was->start && is->start <= was->end && is->end >= was->end;
}

static int look(void *user, const sigrep_match *match)
{
    looker *l = user;
    const sigrep_pair *pairs;
    size_t n;
    l->status = sigrep_get_path(l->search, &pairs, &n);
    if (l->status) {
        CHECK(!pairs && !n);
        return 1;
    }
    const sigrep_pair *last = &pairs[n - 1];
    CHECK(pairs[0].template_frame == 0 && pairs[0].match_frame == 0);
    CHECK(pairs[0].start == match->start && last->end == match->end);
    CHECK(!l->template_frames || last->template_frame + 1 == l->template_frames);
    float d = pairs[0].cost;
    for (size_t i = 1; i < n; i++) {
        CHECK(follows(&pairs[i - 1], &pairs[i]));
        CHECK(pairs[i].start < pairs[i].end && pairs[i].end <= match->end);
        d += pairs[i].cost;
    }
    CHECK((double)d / (double)(last->template_frame + 1) == match->score);
    l->n++;
    return 0;
}

static void prepare(fixture *f, looker *l)
{
    fixture_prepare(f);
    *l = (looker){.template_frames = 3};
    f->config.on_match = look;
    f->config.user = l;
    f->config.paths = 1;
}

static void begin(fixture *f, looker *l)
{
    fixture_begin(f);
    l->search = f->session;
}

/* A part of the noise, behind a front end; the input is the noise with a gap in it. */
static void every_front_end_gives_paths(void)
{
    static const char *const front_ends[] = {"raw",
                                             "diff",
                                             "znorm=0.1",
                                             "envelope=0.02",
                                             "bandpass=300-3000",
                                             "logmel",
                                             "mfcc",
                                             "speech",
                                             "voices",
                                             "words",
                                             "resample=5000",
                                             "resample=5000+diff+znorm=0.1"};
    for (size_t i = 0; i < sizeof front_ends / sizeof *front_ends; i++) {
        for (size_t channels = 1; channels <= 2; channels++) {
            fixture f;
            looker l;
            prepare(&f, &l);
            f.x.samples = noise + 2000 * channels;
            f.x.length = 1600;
            f.x.threshold = 60;
            f.config.front_end = front_ends[i];
            f.config.channels = channels;
            f.config.rate_hz = RATE;
            l.template_frames = 0;
            begin(&f, &l);
            push(&f, noise, N / channels);
            CHECK(sigrep_gap(f.session, 777) == SIGREP_OK);
            push(&f, noise, N / channels);
            finish(&f);
            CHECK_MSG(l.n > 1, "%s, %zu channels: %zu paths", front_ends[i], channels, l.n);
            fixture_end(&f);
        }
    }
}

/* Several frames lie in a sample of the input, and one of them owns it. */
static void frames_between_samples_have_paths(void)
{
    fixture f;
    looker l;
    prepare(&f, &l);
    f.x.samples = noise;
    f.x.length = 600;
    f.x.threshold = 1;
    f.config.rate_hz = RATE / 3.0;
    f.config.template_rate_hz = RATE;
    l.template_frames = 600;
    begin(&f, &l);
    push(&f, noise, 600);
    finish(&f);
    CHECK(l.n > 0);
    fixture_end(&f);
}

static void matches_of_a_store_have_paths(void)
{
    memory_store memory = {0};
    const sigrep_store store = memory_store_ops(&memory);
    static const float gap = NAN;
    fixture f;
    looker l;
    prepare(&f, &l);
    f.config.best = 5;
    f.config.store = &store;
    f.config.chunk = 2;
    begin(&f, &l);
    push(&f, three_ramps, N_THREE);
    push(&f, &gap, 1);
    push(&f, three_ramps, N_THREE);
    finish(&f);
    CHECK(l.n == 5);
    fixture_end(&f);
    memory_store_free(&memory);
}

static int fail_to_read(void *user, uint64_t first, float *frames, size_t n, size_t dim)
{
    (void)user, (void)first, (void)frames, (void)n, (void)dim;
    return 1;
}

static void a_store_that_fails_is_reported(void)
{
    memory_store memory = {0};
    sigrep_store store = memory_store_ops(&memory);
    fixture f;
    looker l;
    store.read = fail_to_read;
    prepare(&f, &l);
    f.config.best = 1;
    f.config.store = &store;
    begin(&f, &l);
    push(&f, three_ramps, N_THREE);
    CHECK(sigrep_finish(f.session) == SIGREP_STOPPED);
    CHECK(l.status == SIGREP_STORE_FAILED && l.n == 0);
    fixture_end(&f);
    memory_store_free(&memory);
}

static void no_path_without_a_match_or_a_wish(void)
{
    fixture f;
    looker l;
    const sigrep_pair *pairs;
    size_t n;
    prepare(&f, &l);
    begin(&f, &l);
    CHECK(sigrep_get_path(f.session, &pairs, &n) == SIGREP_BAD_CONFIG && !pairs && !n);
    push(&f, three_ramps, N_THREE - 3);
    CHECK(l.n == 2);
    CHECK(sigrep_get_path(f.session, &pairs, &n) == SIGREP_BAD_CONFIG && !pairs && !n);
    push(&f, three_ramps + N_THREE - 3, 3);
    CHECK(l.n == 3);
    finish(&f);
    CHECK(sigrep_get_path(f.session, &pairs, &n) == SIGREP_BAD_CONFIG && !pairs && !n);
    fixture_end(&f);

    prepare(&f, &l);
    f.config.paths = 0;
    begin(&f, &l);
    CHECK(sigrep_push(f.session, three_ramps, N_THREE) == SIGREP_STOPPED);
    CHECK(l.status == SIGREP_BAD_CONFIG && l.n == 0);
    fixture_end(&f);
}

/* Long matches. A rival begins with the end of each and costs nothing, so that the match becomes
 * final as late as it can:
 *
 *     a 2 2 2 ... 2 a 2 2 2 2 2 ...       template a 2 1
 *     |-- match --|
 *                 |-- rival, of the longest length --|
 */
static void a_long_match_is_still_in_the_window(void)
{
    static const float a = 1.05f, two = 2, end = 9, x[] = {1.05f, 2, 1};
    fixture f;
    looker l;
    prepare(&f, &l);
    f.x.samples = x;
    f.config.chunk = 1;
    f.config.length_max = 64;
    begin(&f, &l);
    for (int repeats = 0; repeats < 50; repeats++) {
        push(&f, &a, 1);
        for (int i = 0; i < 185; i++) push(&f, &two, 1);
        push(&f, &a, 1);
        for (int i = 0; i < 400; i++) push(&f, &two, 1);
        push(&f, &end, 1);
    }
    finish(&f);
    CHECK(l.n == 50);
    fixture_end(&f);
}

/* Matches of two takes overlap one after the other, so that a group is as long as it can be. Its
 * first match waits for its last:
 *
 *     take a   |--------|  |--------|  |--------|
 *     take b            |---|       |---|
 */
static void a_long_label_group_is_still_in_the_window(void)
{
    static const float period[] = {3, 14, 15, 9, 26, 5, 35, 8, 97, 93, 23, 84};
    static const float bridge[] = {93, 23, 84, 3};
    fixture f;
    looker l;
    prepare(&f, &l);
    sigrep_template takes[2] = {f.x, f.x};
    takes[0].samples = period;
    takes[0].length = 10;
    takes[1].samples = bridge;
    takes[1].length = 4;
    f.config.templates = takes;
    f.config.n_templates = 2;
    f.config.chunk = 1;
    f.config.length_min = f.config.length_max = 1;
    l.template_frames = 0;
    begin(&f, &l);
    for (size_t t = 0; t < 12 * 500; t++) push(&f, &period[t % 12], 1);
    finish(&f);
    CHECK(l.n >= 500);
    fixture_end(&f);
}

/* Matches of take a, each of the longest length L, lie side by side, and take b bridges them. So
 * their group ends after 9 L samples. L - 1 samples later another match is pending, and becomes
 * final as late as it can, as in the test of long matches. So the first match of the group is
 * delivered 11 L - 1 samples after its start:
 *
 *     stream    a 2 2 ... 2 e a 2 2 ... 2 e ... a 2 2 ... 2 e 9 9 ... 9 a 2 a 2 2 2 2 ...
 *     take a    |-----------| |-----------|     |-----------|           |---|
 *     take b              |---|                                a: 1.05; e: some other number
 *
 * The window drops frames now and then, in some repeat just before that.
 */
static void a_group_that_waits_longest_is_still_in_the_window(void)
{
    enum { LONGEST = 30, GROUP = 9 * LONGEST, LATER = GROUP + LONGEST - 2, N_SAMPLES = 400 };
    static const float x[] = {1.05f, 2, 1}, bridge[] = {2, 1.05f, 1.1f, 2};
    float stream[N_SAMPLES];
    fixture f;
    looker l;
    prepare(&f, &l);
    sigrep_template takes[2] = {f.x, f.x};
    takes[0].samples = x;
    takes[0].threshold = 0.05;
    takes[0].length_max = 10;
    takes[1].samples = bridge;
    takes[1].length = 4;
    takes[1].threshold = 0.021; /* each match of take a is better */
    takes[1].length_max = 1;
    f.config.templates = takes;
    f.config.n_templates = 2;
    f.config.chunk = 1;
    begin(&f, &l);
    for (size_t t = 0; t < N_SAMPLES; t++) stream[t] = t < GROUP || t > LATER - 2 ? 2 : 9;
    for (size_t t = 0; t < GROUP; t += LONGEST) {
        stream[t] = x[0];
        stream[t + LONGEST - 1] = 1.04f + 0.01f * (float)(t / LONGEST % 5);
    }
    stream[LATER - 2] = stream[LATER] = x[0];
    for (int repeats = 0; repeats < 100; repeats++) {
        for (size_t t = 0; t < N_SAMPLES; t++) push(&f, &stream[t], 1);
        CHECK(sigrep_gap(f.session, 7) == SIGREP_OK);
    }
    finish(&f);
    CHECK(l.n == 10 * 100);
    fixture_end(&f);
}

int main(void)
{
    make_noise();
    RUN(every_front_end_gives_paths);
    RUN(frames_between_samples_have_paths);
    RUN(matches_of_a_store_have_paths);
    RUN(a_store_that_fails_is_reported);
    RUN(no_path_without_a_match_or_a_wish);
    RUN(a_long_match_is_still_in_the_window);
    RUN(a_long_label_group_is_still_in_the_window);
    RUN(a_group_that_waits_longest_is_still_in_the_window);
    return check_done();
}
