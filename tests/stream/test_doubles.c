/* Numbers keep their digits: doubles that float32 cannot hold, by every way in and any cutting. */
#include <math.h>
#include <string.h>

#include "tests/check.h"
#include "tests/support/collect.h"

enum { N = 3000, M = 200, MOST_CHANNELS = 2, ROUNDS = 150 };

static const char *const fronts[] = {"raw",
                                     "diff",
                                     "znorm=20",
                                     "bandpass=0.05-0.3",
                                     "envelope=4",
                                     "resample=0.5",
                                     "resample=1.5",
                                     "diff+envelope=2",
                                     "resample=0.7+diff",
                                     "envelope=2+znorm=10",
                                     "bandpass=0.05-0.3+diff"};
enum { FRONTS = sizeof fronts / sizeof *fronts };

typedef struct {
    const char *front_end;
    size_t channels, chunk, threads, best;
    double template_rate_hz, threshold;
    const double *x, *y;              /* the template's length is M, the stream's N */
    const float *x_floats, *y_floats; /* in their place, if not NULL */
    uint64_t *random;                 /* NULL: one push */
    bool mixes;                       /* floats and doubles in turns */
} manner;

static void push(sigrep *s, const manner *how)
{
    for (size_t at = 0; at < N;) {
        size_t n = how->random ? check_below(how->random, 700) : N;
        if (n > N - at) n = N - at;
        const bool feeds = how->random && check_below(how->random, 2);
        const size_t from = at * how->channels;
        sigrep_status status;
        if (how->y_floats && !(how->mixes && check_below(how->random, 2)))
            status = (feeds ? sigrep_feed : sigrep_push)(s, how->y_floats + from, n);
        else
            status = (feeds ? sigrep_feed_doubles : sigrep_push_doubles)(s, how->y + from, n);
        CHECK(status == SIGREP_OK);
        at += n;
    }
    CHECK(sigrep_finish(s) == SIGREP_OK);
}

static void run(const manner *how, collection *out)
{
    memory_store memory = {0};
    sigrep_store store = memory_store_ops(&memory);
    const sigrep_template x = {.size = sizeof x,
                               .samples = how->x_floats,
                               .doubles = how->x_floats ? NULL : how->x,
                               .length = M,
                               .threshold = how->threshold};
    sigrep_config config;
    sigrep_error error;
    sigrep *s;
    sigrep_config_init(&config, sizeof config);
    config.templates = &x;
    config.n_templates = 1;
    config.on_match = collect_match;
    config.on_scores = collect_scores;
    config.user = out;
    config.channels = how->channels;
    config.front_end = how->front_end;
    config.template_rate_hz = how->template_rate_hz;
    config.chunk = how->chunk;
    config.threads = how->threads;
    config.best = how->best;
    config.store = &store;
    collect_begin(out, 1);
    const sigrep_status status = sigrep_create(&s, &config, &error);
    CHECK_MSG(!status, "%s: %s", how->front_end, error.text);
    if (status) exit(1);
    push(s, how);
    sigrep_destroy(s);
    memory_store_free(&memory);
}

static bool same_scores(const collection *a, const collection *b)
{
    if (a->n_scores != b->n_scores || a->n != b->n) return false;
    for (size_t i = 0; i < a->n; i++)
        if (a->matches[i].start != b->matches[i].start ||
            a->matches[i].score != b->matches[i].score ||
            a->matches[i].final != b->matches[i].final)
            return false;
    return memcmp(a->scores, b->scores, a->n_scores * sizeof *a->scores) == 0;
}

/* A walk of quarters with copies of its first M samples, on `offset`. With gaps, if that is asked
 * for: values that are none, and one that float32 cannot hold. */
static void make(double *y, size_t channels, double offset, bool gaps, uint64_t *random)
{
    static const double none[] = {(double)NAN, (double)INFINITY, 1e300};
    double at[MOST_CHANNELS] = {0};
    for (size_t t = 0; t < N; t++)
        for (size_t k = 0; k < channels; k++) {
            double *v = &y[t * channels + k];
            at[k] = 0.9 * at[k] + 0.25 * (double)check_below(random, 9) - 1;
            *v = t % 1000 >= 500 && t % 1000 < 500 + M ? y[(t % 1000 - 500) * channels + k]
                                                       : offset + at[k];
            if (gaps && t > M && check_below(random, 400) == 0) *v = none[check_below(random, 3)];
        }
}

static void doubles_give_the_same_by_any_cutting(void)
{
    uint64_t random = check_seed("cuttings");
    double y[N * MOST_CHANNELS];
    const size_t rounds = check_cases(ROUNDS);
    for (size_t round = 0; round < rounds; round++) {
        const size_t channels = 1 + check_below(&random, MOST_CHANNELS);
        static const double offsets[] = {0, 5, 1e5 / 7, 123456789.25, -1e12};
        make(y, channels, offsets[check_below(&random, 5)], check_below(&random, 2), &random);
        manner how = {.front_end = fronts[check_below(&random, FRONTS)],
                      .channels = channels,
                      .threshold = 0.3,
                      .template_rate_hz = check_below(&random, 4) ? 0 : 0.8,
                      .best = check_below(&random, 4) ? 0 : 2,
                      .x = y,
                      .y = y};
        collection whole, cut;
        run(&how, &whole);
        for (int i = 0; i < 4; i++) {
            how.random = &random;
            how.chunk = check_below(&random, 3) ? 0 : 1 + check_below(&random, 300);
            how.threads = check_below(&random, 4);
            run(&how, &cut);
            CHECK_MSG(same_scores(&whole, &cut), "round %zu: %s", round, how.front_end);
            collect_free(&cut);
        }
        collect_free(&whole);
    }
}

/* The same values as floats, as doubles, and as both in one span. */
static void floats_and_doubles_agree(void)
{
    uint64_t seed = check_seed("agreement"), random = seed;
    double y[N];
    float floats[N];
    for (size_t i = 0; i < FRONTS; i++)
        for (int offset = 0; offset < 1 << 21; offset = 2 * offset + 700) {
            collection a, b;
            if (!check_is_due(seed++)) continue;
            make(y, 1, offset, true, &random);
            for (size_t t = 0; t < N; t++) y[t] = (double)(floats[t] = (float)y[t]);
            manner how = {.front_end = fronts[i], .channels = 1, .threshold = 1, .x = y, .y = y};
            run(&how, &a);
            how.x_floats = how.y_floats = floats;
            how.random = &random;
            for (int mixes = 0; mixes < 2; mixes++) {
                how.mixes = mixes;
                run(&how, &b);
                CHECK_MSG(same_scores(&a, &b), "%s at %d, mixed %d", fronts[i], offset, mixes);
                collect_free(&b);
            }
            collect_free(&a);
        }
}

/* Are the four best matches the four copies? Resampling and frames may move them a little. */
static bool has_copies(const collection *c)
{
    size_t found = 0;
    for (size_t i = 0; i < c->n; i++) {
        const uint64_t centre = (c->matches[i].start + c->matches[i].end) / 2, near = M / 4;
        found += centre - M / 2 + near < 2 * near ||
                 (centre >= 500 && (centre - 500 - M / 2 + near) % 1000 < 2 * near);
    }
    return c->n == 4 && found == 4;
}

/* Regression: meter_whose_steps_were_lost. At an offset the same copies are found as without. */
static void a_meter_keeps_its_digits(void)
{
    static const double offsets[] = {101325, 123456789.25, -123456789.25, 1e12};
    uint64_t random = check_seed("meter");
    for (size_t i = 1; i < FRONTS; i++) {
        const uint64_t seed = random;
        double y[N];
        collection plain, far;
        manner how = {.front_end = fronts[i], .channels = 1, .best = 4, .x = y + 500, .y = y};
        make(y, 1, 0, false, &random);
        run(&how, &plain);
        for (size_t k = 0; k < sizeof offsets / sizeof *offsets; k++) {
            random = seed;
            make(y, 1, offsets[k], false, &random);
            run(&how, &far);
            const bool same = has_copies(&plain) && has_copies(&far);
            CHECK_MSG(same, "%s at %.9g", fronts[i], offsets[k]);
            collect_free(&far);
        }
        collect_free(&plain);
    }
}

/* A template of another rate: raw samples are compared after resampling. */
static void so_does_one_of_another_rate(void)
{
    uint64_t random = check_seed("rates");
    double y[N];
    collection far;
    make(y, 1, 123456789.25, false, &random);
    const manner how = {.front_end = "raw",
                        .channels = 1,
                        .template_rate_hz = 0.5,
                        .best = 4,
                        .x = y + 500,
                        .y = y};
    run(&how, &far);
    CHECK(has_copies(&far));
    collect_free(&far);
}

static void whoever_asks_learns_what_is_wanted(void)
{
    static const struct {
        const char *front_end;
        double template_rate_hz;
        int wanted;
    } cases[] = {{"raw", 0, 0},    {"diff", 0, 1},           {"raw+znorm=1", 0, 1},
                 {"mfcc", 0, 0},   {"logmel=20+diff", 0, 0}, {"raw", 8000, 1},
                 {"mfcc", 8000, 1}};
    const double x[4000] = {1, 2, 3};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const sigrep_template t = {.size = sizeof t, .doubles = x, .length = 4000};
        sigrep_config config;
        sigrep *s;
        collection out;
        collect_begin(&out, 1);
        sigrep_config_init(&config, sizeof config);
        config.templates = &t;
        config.n_templates = 1;
        config.on_match = collect_match;
        config.user = &out;
        config.rate_hz = 16000;
        config.front_end = cases[i].front_end;
        config.template_rate_hz = cases[i].template_rate_hz;
        CHECK(sigrep_create(&s, &config, NULL) == SIGREP_OK);
        CHECK_MSG(!sigrep_wants_doubles(s) == !cases[i].wanted, "%s", cases[i].front_end);
        sigrep_destroy(s);
        collect_free(&out);
    }
}

int main(void)
{
    RUN(doubles_give_the_same_by_any_cutting);
    RUN(floats_and_doubles_agree);
    RUN(a_meter_keeps_its_digits);
    RUN(so_does_one_of_another_rate);
    RUN(whoever_asks_learns_what_is_wanted);
    return check_done();
}
