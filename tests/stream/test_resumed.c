/*
 * Searches that are saved and resumed at random places give what one without a break gives: each
 * match, time, score and path, bit for bit. `test_resumed N` runs until N resumptions are done.
 *
 *     whole     push ... push, gap, push ... finish
 *     broken    push ... | save, another search, resume | push, gap | ... | push ... finish
 */
#include <math.h>
#include <string.h>

#include "tests/check.h"
#include "tests/support/collect.h"

enum { MOST_TEMPLATES = 4, MOST_CHANNELS = 2, MOST_FRAMES = 60, MOST_STEPS = 4000, FEW = 4000 };

/* A front end, and how many samples make a frame or fill its memory: streams and templates are as
 * many times as long. */
typedef struct {
    const char *spec;
    size_t hop;
    double rate_hz, template_rate_hz;
    size_t every; /* it is chosen one time in so many */
} front;

static const front fronts[] = {
    {"raw", 1, 1, 0, 1},
    {"diff", 1, 1, 0, 1},
    {"znorm=7", 1, 1, 0, 1},
    {"bandpass=0.05-0.3", 1, 1, 0, 1},
    {"envelope=4", 4, 1, 0, 1},
    {"diff+envelope=3+znorm=9", 3, 1, 0, 1},
    {"znorm=5+znorm=8", 1, 1, 0, 1},
    {"bandpass=0.1-0.2+envelope=2+diff", 2, 1, 0, 1},
    {"raw", 2, 2, 1, 8},
    {"raw", 1, 1, 1.5, 8},
    {"resample=0.7+diff", 2, 1, 0, 8},
    {"logmel=10", 10, 1000, 0, 4},
    {"mfcc", 40, 4000, 0, 8},
    {"speech", 40, 4000, 0, 16},
    {"voices", 160, 4000, 0, 32},
    {"words", 80, 4000, 0, 32},
    {"envelope=0.001+mfcc", 40, 4000, 0, 16},
};
enum { FRONTS = sizeof fronts / sizeof *fronts };

/* A push of n samples, of doubles or floats; or a gap of n. */
typedef struct {
    size_t n;
    bool is_gap, is_doubles, is_feed;
} step;

typedef struct {
    const front *front;
    sigrep_config config;
    sigrep_template templates[MOST_TEMPLATES];
    float *x;  /* of all templates */
    double *y; /* of the stream: n samples */
    float *y_floats;
    size_t n, n_steps;
    size_t cut_at, cut_n; /* templates are cut from these samples of the stream */
    step steps[MOST_STEPS];
} problem;

/* What the resumptions had to read again. */
static size_t n_resumed, longest;
static double all_again;
static size_t state_bytes_max;

static double draw(uint64_t *random, size_t alphabet, double offset)
{
    return offset + (double)check_below(random, alphabet);
}

/* A quiet stream, with a few takes of one sound. */
static void make_quiet(problem *p, uint64_t *random)
{
    enum { SOUND = 2 * MOST_FRAMES };
    double sound[SOUND * MOST_CHANNELS];
    const size_t channels = p->config.channels, n = p->front->hop > 1 ? 0 : SOUND;
    for (size_t i = 0; i < n * channels; i++) sound[i] = draw(random, 4, 0);
    for (size_t i = 0; i < p->n * channels; i++) p->y[i] = 20;
    for (size_t at = check_below(random, 100); n && at + n < p->n;
         at += n + check_below(random, 600)) {
        p->cut_at = at;
        p->cut_n = n;
        for (size_t i = 0; i < n * channels; i++)
            p->y[at * channels + i] = sound[i] + (check_below(random, 9) == 0 ? 0.5 : 0);
    }
}

/* n samples: random, periodic with few errors, or constant for a while. */
static void fill(problem *p, uint64_t *random)
{
    const size_t alphabet = 2 + check_below(random, 5), channels = p->config.channels;
    const bool is_wide = check_below(random, 4) == 0, is_sound = p->front->rate_hz > 100;
    const double offset = is_wide ? 1e6 + 0.25 : 0, scale = is_sound ? 0.1 : 1;
    const size_t period = channels * (1 + check_below(random, 12)), kind = check_below(random, 3);
    for (size_t i = 0; i < p->n * channels; i++) {
        p->y[i] = scale * draw(random, alphabet, offset);
        const bool again =
            kind == 1 ? check_below(random, 20) > 0 : kind == 2 && check_below(random, 60) > 0;
        if (again && i >= period) p->y[i] = p->y[i - (kind == 1 ? period : channels)];
        if (is_sound && is_wide && check_below(random, 3)) p->y[i] = 0;
        if (check_below(random, p->n * channels) == 0) p->y[i] = (double)NAN;
    }
    if (check_below(random, 4) == 0) make_quiet(p, random);
    for (size_t i = 0; i < p->n * channels; i++) p->y_floats[i] = (float)p->y[i];
}

/* Templates are cut from the stream, or random. */
static void make_templates(problem *p, uint64_t *random)
{
    static const char *const labels[] = {"a", "b"};
    const size_t channels = p->config.channels, n = 1 + check_below(random, MOST_TEMPLATES);
    const size_t most = check_below(random, 4) ? 9 : MOST_FRAMES;
    size_t used = 0;
    for (size_t j = 0; j < n; j++) {
        const size_t length = p->front->hop * (4 + check_below(random, most - 3));
        float *x = p->x + used;
        const size_t at = p->cut_at + check_below(random, p->cut_n - length);
        for (size_t i = 0; i < length * channels; i++) {
            x[i] = p->y_floats[at * channels + i];
            if (!isfinite(x[i])) x[i] = 0;
            if (check_below(random, 8) == 0) x[i] += 1;
        }
        used += length * channels;
        p->templates[j] = (sigrep_template){.size = sizeof(sigrep_template),
                                            .label = labels[check_below(random, 2)],
                                            .samples = x,
                                            .length = length,
                                            .level = 1,
                                            .threshold = (double)check_below(random, 100) / 70};
        if (check_below(random, 3) == 0) {
            p->templates[j].length_min = (double)check_below(random, 10) / 10;
            p->templates[j].length_max =
                p->templates[j].length_min + (double)(1 + check_below(random, 30)) / 10;
        }
    }
    p->config.templates = p->templates;
    p->config.n_templates = n;
}

static void make_steps(problem *p, uint64_t *random)
{
    const size_t most = 1 + check_below(random, 1 + check_below(random, 400 * p->front->hop));
    const size_t doubles = check_below(random, 3); /* never, always, or at times */
    p->n_steps = 0;
    for (size_t at = 0; at < p->n && p->n_steps < MOST_STEPS;) {
        const bool is_last = p->n_steps + 1 == MOST_STEPS;
        step *s = &p->steps[p->n_steps++];
        *s = (step){.n = is_last ? p->n - at : 1 + check_below(random, most),
                    .is_gap = check_below(random, 40) == 0,
                    .is_feed = check_below(random, 2),
                    .is_doubles = doubles == 1 || (doubles == 2 && check_below(random, 2))};
        if (s->n > p->n - at) s->n = p->n - at;
        at += s->n;
    }
}

static void make_problem(problem *p, uint64_t *random)
{
    do p->front = &fronts[check_below(random, FRONTS)];
    while (check_below(random, p->front->every));
    sigrep_config_init(&p->config, sizeof p->config);
    p->config.channels = 1 + check_below(random, MOST_CHANNELS);
    p->config.rate_hz = p->front->rate_hz;
    p->config.template_rate_hz = p->front->template_rate_hz;
    p->config.front_end = p->front->spec;
    p->config.min_matches = 1 + (check_below(random, 3) == 0);
    p->config.length_min = (double)check_below(random, 11) / 10;
    p->config.length_max = p->config.length_min + (double)check_below(random, 20) / 10;
    p->config.paths = check_below(random, 3) == 0;
    p->config.on_match = collect_match;
    p->config.on_scores = check_below(random, 3) ? NULL : collect_scores;
    const size_t most = p->front->hop == 1 && check_below(random, 8) == 0 ? 6000 : 500;
    p->n = p->front->hop * (MOST_FRAMES + 1 + check_below(random, most));
    p->y = calloc(p->n * MOST_CHANNELS, sizeof *p->y);
    p->y_floats = calloc(p->n * MOST_CHANNELS, sizeof *p->y_floats);
    p->x = calloc(MOST_TEMPLATES * MOST_CHANNELS * MOST_FRAMES * p->front->hop, sizeof *p->x);
    if (!p->y || !p->y_floats || !p->x) abort();
    p->cut_at = 0;
    p->cut_n = p->n;
    fill(p, random);
    make_templates(p, random);
    make_steps(p, random);
}

static void free_problem(problem *p)
{
    free(p->x);
    free(p->y);
    free(p->y_floats);
}

/* A search; with `random`, in any manner. NULL: this problem has none. */
static sigrep *begin(const problem *p, uint64_t *random, collection *out)
{
    static const size_t chunks[] = {0, 1, 7, 64, 100, 300};
    sigrep_config config = p->config;
    sigrep_error error;
    sigrep *search;
    size_t n_kernels = 0;
    int usable;
    while (sigrep_kernel_name(n_kernels, NULL)) n_kernels++;
    config.kernel = "scalar";
    if (random) {
        do config.kernel = sigrep_kernel_name(check_below(random, n_kernels), &usable);
        while (!usable);
        config.chunk = chunks[check_below(random, sizeof chunks / sizeof *chunks)];
        config.threads = check_below(random, 100) ? 1 : 3;
    }
    config.device = strcmp(config.kernel, "cuda") == 0 ? "cuda" : "cpu";
    config.user = out;
    if (sigrep_create(&search, &config, &error)) return NULL;
    if (config.paths) out->search = search;
    return search;
}

static sigrep_status take(sigrep *search, const problem *p, const step *s, size_t at)
{
    if (s->is_gap) return sigrep_gap(search, s->n);
    if (s->is_doubles)
        return (s->is_feed ? sigrep_feed_doubles
                           : sigrep_push_doubles)(search, p->y + at * p->config.channels, s->n);
    return (s->is_feed ? sigrep_feed : sigrep_push)(search, p->y_floats + at * p->config.channels,
                                                    s->n);
}

/* Go on in another search. The steps from the first sample that it wants, up to step `done`, are
 * taken again: they lie in one span. */
static sigrep *save_and_resume(sigrep *search, const problem *p, size_t done, size_t at,
                               uint64_t *random, collection *out)
{
    const void *bytes;
    size_t size;
    uint64_t from;
    sigrep_error error;
    CHECK(sigrep_save(search, &bytes, &size, NULL) == SIGREP_OK);
    sigrep *next = begin(p, random, out);
    const sigrep_status status = sigrep_resume(next, bytes, size, &from, &error);
    CHECK_MSG(status == SIGREP_OK, "%s", error.text);
    sigrep_destroy(search);
    n_resumed++;
    if (size > state_bytes_max) state_bytes_max = size;
    const size_t again = at - (size_t)from;
    if (again > longest) longest = again;
    all_again += (double)again;
    while (done && at > from) at -= p->steps[--done].n;
    for (step s; at < from + again; at += s.n, done++) {
        s = p->steps[done];
        const size_t skipped = at < from ? (size_t)from - at : 0;
        s.n -= skipped;
        at += skipped;
        CHECK(take(next, p, &s, at) == SIGREP_OK);
    }
    return next;
}

/* `random`: the search is saved and resumed. */
static bool run(const problem *p, uint64_t *random, collection *out)
{
    collect_begin(out, p->config.n_templates);
    sigrep *search = begin(p, random, out);
    const size_t breaks = random ? 1 + check_below(random, 20) : 1; /* one in so many steps */
    if (!search) return false;
    size_t at = 0;
    for (size_t i = 0; i < p->n_steps; at += p->steps[i++].n) {
        if (random && check_below(random, breaks) == 0)
            search = save_and_resume(search, p, i, at, random, out);
        CHECK(take(search, p, &p->steps[i], at) == SIGREP_OK);
    }
    if (random) search = save_and_resume(search, p, p->n_steps, at, random, out);
    CHECK(sigrep_finish(search) == SIGREP_OK);
    sigrep_destroy(search);
    return true;
}

static void print_matches(const char *what, const collection *c)
{
    fprintf(stderr, "%s:", what);
    for (size_t i = 0; i < c->n; i++)
        fprintf(stderr, " %zu:[%llu,%llu) at %llu", c->matches[i].template_index,
                (unsigned long long)c->matches[i].start, (unsigned long long)c->matches[i].end,
                (unsigned long long)c->matches[i].final);
    fprintf(stderr, "\n");
}

static size_t check_problem(uint64_t seed)
{
    static problem p;
    uint64_t random = seed;
    collection whole, broken;
    make_problem(&p, &random);
    size_t n = 0;
    if (run(&p, NULL, &whole)) {
        n = whole.n;
        for (int i = 0; i < 3; i++) {
            run(&p, &random, &broken);
            const bool same = collect_equal(&whole, &broken);
            CHECK_MSG(same, "CHECK_SEED of this case %llu, %s, try %d, scores %zu and %zu",
                      (unsigned long long)seed, p.front->spec, i, whole.n_scores, broken.n_scores);
            if (!same && whole.n + broken.n < 60) {
                print_matches("whole ", &whole);
                print_matches("broken", &broken);
            }
            collect_free(&broken);
        }
    }
    collect_free(&whole);
    free_problem(&p);
    return n;
}

static size_t wanted = FEW;

static void resumed_is_as_whole(void)
{
    uint64_t random = check_seed("resumptions");
    size_t n_matches = 0;
    if (wanted == 1) {
        check_problem(random);
        return;
    }
    const size_t enough = check_cases(wanted);
    while (n_resumed < enough && check_failures < 10)
        n_matches += check_problem(check_random(&random));
    printf("%zu resumptions, %zu matches; read again: mean %.1f samples, at most %zu; states of at "
           "most %zu bytes\n",
           n_resumed, n_matches, all_again / (double)n_resumed, longest, state_bytes_max);
}

int main(int argc, char **argv)
{
    if (argc > 1) wanted = (size_t)strtoull(argv[1], NULL, 10);
    RUN(resumed_is_as_whole);
    return check_done();
}
