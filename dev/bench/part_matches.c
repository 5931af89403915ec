/* part_matches.c - streams full of matches, which the search traces back to their starts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dev/bench/parts.h"
#include "dev/bench/signals.h"
#include "dev/bench/sweep_case.h"
#include "filter/features/front_end.h"

enum { PERIODIC_FRAMES = 1 << 19, PUSH = 4096 };

/* The cases of a race: the kernel alone, the search with the threshold, and with threshold 0. */
enum { KERNEL, SEARCH, IDLE, N_CASES };

typedef struct {
    sigrep *session;
    const float *y;
    size_t n, matches;
} timed_search;

typedef struct {
    const char *name;
    float *y, *x;
    size_t n, m;
    double threshold;
} stream;

static int count(void *user, const sigrep_match *match)
{
    (void)match;
    ++*(size_t *)user;
    return 0;
}

/* One loop: the whole stream. */
static bool run_search(void *self, size_t loops, lap *spent)
{
    timed_search *own = self;
    bool good = true;
    stopwatch begin = stopwatch_start();
    for (size_t i = 0; i < loops; i++) {
        own->matches = 0;
        const size_t push = sigrep_push_size(own->session);
        for (size_t at = 0; at < own->n; at += push) {
            size_t n = own->n - at < push ? own->n - at : push;
            good = good && sigrep_push(own->session, own->y + at, n) == SIGREP_OK;
        }
        good = good && sigrep_finish(own->session) == SIGREP_OK;
    }
    *spent = stopwatch_read(&begin);
    return good;
}

static bool timed_search_create(race_case *race, timed_search *own, const char *kernel,
                                size_t chunk, const stream *s, double threshold)
{
    sigrep_config config;
    sigrep_error why;
    sigrep_template x = {.size = sizeof(sigrep_template),
                         .label = s->name,
                         .samples = s->x,
                         .length = s->m,
                         .threshold = threshold};
    sigrep_config_init(&config, sizeof config);
    config.templates = &x;
    config.n_templates = 1;
    config.kernel = kernel;
    config.chunk = chunk;
    config.on_match = count;
    config.user = &own->matches;
    *own = (timed_search){.y = s->y, .n = s->n};
    if (sigrep_create(&own->session, &config, &why)) return bench_fail("%s", why.text);
    *race = (race_case){
        .run = run_search, .self = own, .cells = (double)s->m * (double)s->n, .clock = BY_CPU};
    return true;
}

static void add_row(const char *kernel, const stream *s, const timed_search *found,
                    const race_case *races, bench_report *out)
{
    sigrep_stats stats = {.size = sizeof stats};
    sigrep_get_stats(found->session, &stats);
    report_text(out, "kernel", "kernel", kernel);
    report_text(out, "stream", "stream", s->name);
    report_whole(out, "m", "m", s->m);
    report_whole(out, "n", "n", s->n);
    report_whole(out, "matches", "matches", found->matches);
    report_percent(out, "traced_share", "traced", (double)stats.cells_traced / (double)stats.cells);
    report_real(out, "gcups_median", "GCUPS", 1e-9 * race_median(&races[SEARCH]));
    report_real(out, "gcups_best", "best", 1e-9 * race_best(&races[SEARCH]));
    report_real(out, "kernel_gcups", "kernel's", 1e-9 * race_median(&races[KERNEL]));
    report_percent(out, "share", "share", race_ratio(&races[SEARCH], &races[KERNEL]));
    report_real(out, "idle_gcups", "none found", 1e-9 * race_median(&races[IDLE]));
    report_percent(out, "idle_share", "of that", race_ratio(&races[SEARCH], &races[IDLE]));
    report_row_end(out);
}

static bool race_kernel(const bench_options *o, const kernel_ops *ops, const stream *s,
                        bench_report *out)
{
    race_case races[N_CASES];
    timed_search found = {0}, idle = {0};
    sweep_case alone = {0};
    const sweep_problem problem = sweep_of_samples(s->x, s->m, s->y, s->n, o->chunk);
    bool good = timed_search_create(&races[SEARCH], &found, ops->name, o->chunk, s, s->threshold) &&
                timed_search_create(&races[IDLE], &idle, ops->name, o->chunk, s, 0);
    if (good && sweep_case_create(&races[KERNEL], &alone, ops, &problem, 1))
        good = bench_fail("out of memory");
    if (good && !race_run(races, N_CASES, o->repeat, o->lap_s))
        good = bench_fail("the search failed");
    if (good) add_row(ops->name, s, &found, races, out);
    sweep_case_free(&alone);
    sigrep_destroy(found.session);
    sigrep_destroy(idle.session);
    return good;
}

static bool race_stream(const bench_options *o, const stream *s, bench_report *out)
{
    bool good = true;
    for (size_t k = 0; good && k < o->n_shown; k++) good = race_kernel(o, o->kernels[k], s, out);
    return good;
}

static bool race_periodic(const bench_options *o, size_t m, bench_report *out)
{
    size_t n = o->frames ? o->frames : PERIODIC_FRAMES;
    stream s = {.name = "periodic", .n = n, .m = m, .threshold = 0.1};
    s.y = signal_periodic(n, m, 0.1f, 3);
    s.x = signal_periodic(m, m, 0, 3);
    bool good = s.x && s.y ? race_stream(o, &s, out) : bench_fail("out of memory");
    free(s.x);
    free(s.y);
    return good;
}

/* Applies a front end with one value a sample, in place. */
static bool transform(float *y, size_t n, const char *spec, double rate_hz)
{
    front_end *chain;
    sigrep_error why;
    const float *frames;
    size_t done = 0;
    if (front_end_create(&chain, spec, (frame_shape){1, rate_hz}, PUSH, &why))
        return bench_fail("%s", why.text);
    for (size_t at = 0; at < n; at += PUSH) {
        size_t got = front_end_push(chain, y + at, n - at < PUSH ? n - at : PUSH, &frames);
        memcpy(y + done, frames, got * sizeof *y);
        done += got;
    }
    size_t got = front_end_flush(chain, &frames);
    memcpy(y + done, frames, got * sizeof *y);
    front_end_destroy(chain);
    return true;
}

/* The README's search for heartbeats, its front end applied beforehand. */
static bool race_ecg(const bench_options *o, bench_report *out)
{
    stream s = {.name = "ecg", .m = BEAT_TO - BEAT_FROM, .threshold = 0.55};
    s.y = signal_heartbeats(o->ecg, &s.n);
    if (!s.y) return false;
    bool good = transform(s.y, s.n, "znorm=0.5", 360);
    s.x = malloc(s.m * sizeof *s.x);
    if (good && !s.x) good = bench_fail("out of memory");
    if (good) {
        memcpy(s.x, s.y + BEAT_FROM, s.m * sizeof *s.x);
        if (o->frames && o->frames < s.n) s.n = o->frames;
        good = race_stream(o, &s, out);
    }
    free(s.x);
    free(s.y);
    return good;
}

bool part_matches(const bench_options *o, bench_report *out)
{
    report_part(out, "matches",
                "Streams full of matches, in the library, as a share of the kernel alone, and of\n"
                "the same search with threshold 0, which finds nothing:");
    return race_ecg(o, out) && race_periodic(o, 128, out) && race_periodic(o, 512, out);
}
