/* filter/endings.c: when matches were final, against all cells of the recurrence. */
#include <math.h>
#include <string.h>

#include "filter/endings.h"
#include "tests/check.h"

enum { M = 24, N = 4096, MOST = 3000 };

/* The stream's stretches: exact copies of the template, with some noise, with more of it, and one
 * copy that waits in its middle, at no cost, for longer than it is. */
enum { STRETCH = 512, COPIES = 4 * STRETCH, WAITING = 3 * STRETCH, WAIT = 8 * M };

/* A stream that was swept in one step, and all of its cells. */
typedef struct {
    float x[M], y[N], minima[N / KERNEL_BLOCK + 2];
    trace_end cells[N][M];
    window frames;
    const kernel_ops *ops;
    void *kernel;
    sweep_step in;
    trace tr;
} scene;

static void make_signals(scene *s, uint64_t *random)
{
    for (size_t i = 0; i < M; i++) s->x[i] = (float)check_below(random, 9);
    s->x[M - 1] = 9; /* no other value, so that what waits is no match yet */
    for (size_t t = 0; t < N; t++) {
        const size_t kind = t / STRETCH % 4, at = t % STRETCH;
        s->y[t] = s->x[t % M] + (float)check_below(random, 100) / 60 * (float)kind;
        if (kind == 3)
            s->y[t] = s->x[at < M / 2 ? at : at < M / 2 + WAIT ? M / 2 : (at - WAIT) % M];
    }
}

static void evaluate(scene *s)
{
    trace_start_cold(&s->tr, 0);
    for (size_t t = 0; t < N; t++) {
        trace_run(&s->tr, s->y + t, 1, INFINITY, NULL);
        for (size_t i = 0; i < M; i++) s->cells[t][i] = trace_cell(&s->tr, i);
    }
}

static void begin(scene *s)
{
    uint64_t random = check_seed("test_endings");
    make_signals(s, &random);
    CHECK(trace_create(&s->tr, NULL, s->x, M, 1) == SIGREP_OK);
    evaluate(s);
    CHECK(window_create(&s->frames, 1, 0, N) == SIGREP_OK);
    window_append(&s->frames, s->y, N);
    s->ops = kernel_choose("cpu", "portable", NULL);
    const kernel_template x = {.frames = s->x, .length = M, .eps = 1e30f, .history = N};
    const kernel_plan plan = {.templates = &x, .n_templates = 1, .dim = 1, .max_step = N};
    CHECK(s->ops->create(&s->kernel, &plan) == SIGREP_OK);
    CHECK(s->ops->carry(s->kernel, 0, true));
    CHECK(s->ops->step(s->kernel, s->y, N, &(kernel_output){.minima = s->minima}) == SIGREP_OK);
    s->in = (sweep_step){.frames = &s->frames,
                         .ops = s->ops,
                         .kernel = s->kernel,
                         .to = N,
                         .ends = s->ops->ends(s->kernel, 0)};
    CHECK(s->in.ends.n > N / 2);
}

static void end(scene *s)
{
    trace_free(&s->tr);
    s->ops->destroy(s->kernel);
    window_free(&s->frames);
}

/* Frames after which no cell is live, those of the match or more. */
static uint64_t final_of(const scene *s, const detector *best, uint64_t length_max)
{
    for (uint64_t t = (uint64_t)best->last; t < N; t++) {
        bool live = false;
        for (size_t i = 0; i < M; i++) {
            const trace_end *cell = &s->cells[t][i];
            live |= cell->d < best->d && cell->s <= best->last &&
                    (int64_t)t - cell->s + 1 <= (int64_t)length_max;
        }
        if (!live) return t + 1;
    }
    return N + 1;
}

typedef enum { ANYWHERE, OF_A_COPY, IN_A_WAIT } place;

/* An end: anywhere, the edges of kept columns among them; of a copy, final at once, as no cell has
 * less than its D, 0; in a wait, final much later, but for the gate. */
static uint64_t end_at(place where, size_t spacing, uint64_t *random)
{
    switch (where) {
    case OF_A_COPY: return (COPIES / M + 2 + check_below(random, STRETCH / M - 2)) * M;
    case IN_A_WAIT: return WAITING + M / 2 + 2 + check_below(random, M);
    default: return spacing + 1 + check_below(random, N - 2 * spacing);
    }
}

static detector some_match(const scene *s, uint64_t over, uint64_t *random)
{
    const trace_end *end = &s->cells[over - 1][M - 1];
    return (detector){.pending = true,
                      .d = end->d / (check_below(random, 2) ? 1 : 8),
                      .start = end->s,
                      .last = (int64_t)over - 1};
}

/* How many were final because paths were too old? */
static size_t check_finals(uint64_t length_max)
{
    static scene s;
    static uint64_t expected[MOST];
    endings late;
    found_list out = {0};
    uint64_t random = check_seed("test_endings, matches");
    size_t at_once = 0, much_later = 0, too_old = 0, of_copies = 0, in_waits = 0;
    begin(&s);
    const size_t spacing = s.ops->spacing(s.kernel, 0);
    const detector_gate gate = {.eps = 1e30f, .length_min = 1, .length_max = length_max};
    CHECK(endings_create(&late, M, gate) == SIGREP_OK && !endings_are_full(&late));
    while (out.n < MOST) {
        const size_t turn = check_below(&random, 8);
        const place where = turn == 0 ? OF_A_COPY : turn == 1 ? IN_A_WAIT : ANYWHERE;
        const uint64_t over = end_at(where, spacing, &random);
        const detector best = some_match(&s, over, &random);
        const uint64_t final = final_of(&s, &best, length_max);
        const uint64_t later = final + check_below(&random, 3 * spacing);
        if (over - (uint64_t)best.start > length_max || later > s.in.ends.n) continue;
        expected[out.n] = final;
        at_once += final == over;
        much_later += final > over + M;
        too_old += final < final_of(&s, &best, N);
        of_copies += where == OF_A_COPY;
        in_waits += where == IN_A_WAIT;
        if (endings_are_full(&late)) CHECK(!endings_find(&late, &s.tr, 0, &s.in, &out));
        endings_add(
            &late,
            (ending){.item = out.n, .from = over / spacing * spacing, .to = later, .best = best});
        CHECK(found_add(&out, &(found){.end = over}) == SIGREP_OK);
    }
    CHECK(endings_find(&late, &s.tr, 0, &s.in, &out) == SIGREP_OK && late.n == 0);
    for (size_t i = 0; i < MOST; i++)
        CHECK_MSG(out.items[i].final == expected[i], "%zu: %llu, not %llu", i,
                  (unsigned long long)out.items[i].final, (unsigned long long)expected[i]);
    printf("%zu at once, %zu much later, %zu by the gate\n", at_once, much_later, too_old);
    CHECK(at_once >= of_copies && of_copies > 0 && late.columns > MOST);
    CHECK(length_max < N || (much_later >= in_waits && in_waits > 0));
    endings_free(&late);
    found_free(&out);
    end(&s);
    return too_old;
}

static void they_were_final_where_the_last_live_cell_went(void)
{
    CHECK(check_finals(N) == 0);
}

static void they_were_final_where_the_last_live_cell_was_too_old(void)
{
    CHECK(check_finals(M + M / 4) > 0);
}

static void none_is_nothing_to_find(void)
{
    static scene s;
    endings late;
    found_list out = {0};
    begin(&s);
    CHECK(endings_create(&late, M, (detector_gate){0}) == SIGREP_OK);
    CHECK(endings_find(&late, &s.tr, 0, &s.in, &out) == SIGREP_OK && out.n == 0);
    CHECK(late.columns == 0);
    endings_free(&late);
    end(&s);
}

int main(void)
{
    RUN(they_were_final_where_the_last_live_cell_went);
    RUN(they_were_final_where_the_last_live_cell_was_too_old);
    RUN(none_is_nothing_to_find);
    return check_done();
}
