/* filter/bundle/bundle.c: how bundles are made and searched for. */
#include "tests/filter/bundle/bundle_help.h"

typedef struct {
    size_t n;
    uint64_t start[8], end[8];
    double score[8], threshold[8];
} matches;

static int keep(void *user, const sigrep_match *m)
{
    matches *all = user;
    if (all->n == 8) return 1;
    all->start[all->n] = m->start;
    all->end[all->n] = m->end;
    all->threshold[all->n] = m->threshold;
    all->score[all->n++] = m->score;
    return 0;
}

static matches search(sigrep_config *config, const float *y, size_t n)
{
    matches all = {0};
    sigrep *session;
    sigrep_error error;
    config->on_match = keep;
    config->user = &all;
    CHECK_MSG(sigrep_create(&session, config, &error) == SIGREP_OK, "%s", error.text);
    if (session)
        CHECK(sigrep_push(session, y, n) == SIGREP_OK && sigrep_finish(session) == SIGREP_OK);
    sigrep_destroy(session);
    return all;
}

static const float stream[] = {9, 9, 0, 1, 3, 1, 0, 9, 9, 0, 2, 3, 2, 0, 0, 9, 9};
enum { N = sizeof stream / sizeof *stream };

static void a_search_has_the_thresholds_of_the_bundle(void)
{
    bundle *b = small_bundle();
    sigrep_config config;
    sigrep_config_init(&config, sizeof config);
    sigrep_bundle_configure(b, &config);
    config.n_templates = 2; /* the other one is flat: it has no estimate */
    b->labels[0].threshold = 0.5;
    b->labels[0].min_matches = 1;
    CHECK(bundle_list_templates(b) == SIGREP_OK);
    config.templates = b->templates;
    const matches all = search(&config, stream, N);
    CHECK(all.n == 2 && all.score[0] == 0 && all.score[1] == 0);
    CHECK(all.start[0] == 2 && all.end[0] == 7 && all.start[1] == 9 && all.end[1] == 14);
    CHECK(all.threshold[0] == 0.5 && all.threshold[1] == 0.625); /* times its weight */
    sigrep_bundle_destroy(b);
}

/* At threshold 0.25 each of two takes finds only its own copy, at 1 both find both. */
static void its_takes_must_agree_if_it_demands_that(void)
{
    bundle *b = small_bundle();
    sigrep_config config;
    sigrep_config_init(&config, sizeof config);
    sigrep_bundle_configure(b, &config);
    config.n_templates = 2;
    CHECK(search(&config, stream, N).n == 0);
    b->labels[0].threshold = 1;
    CHECK(bundle_list_templates(b) == SIGREP_OK);
    config.templates = b->templates;
    CHECK(search(&config, stream, N).n == 2);
    sigrep_bundle_destroy(b);
}

/* Frames that the caller made with a hop match at the same samples as the recording. */
static void frames_match_as_their_samples_do(void)
{
    float x[4000], y[9000];
    uint64_t seed = 5;
    for (size_t i = 0; i < 9000; i++) y[i] = (float)check_below(&seed, 1000) / 1000;
    for (size_t i = 0; i < 4000; i++) x[i] = y[i + 3000] * (float)(1 + (i / 700) % 3);
    memcpy(y + 3000, x, sizeof x);
    sigrep_template t = {.size = sizeof(sigrep_template),
                         .label = "x",
                         .samples = x,
                         .length = 4000,
                         .threshold = 0.05};
    sigrep_config config;
    sigrep_config_init(&config, sizeof config);
    config.rate_hz = 1000;
    config.front_end = "envelope=0.02";
    config.templates = &t;
    config.n_templates = 1;
    const matches by_samples = search(&config, y, 9000);
    float frames[200];
    for (size_t j = 0; j < 200; j++) {
        double sum = 0;
        for (size_t i = 0; i < 20; i++) sum += (double)x[20 * j + i] * (double)x[20 * j + i];
        frames[j] = (float)sqrt(sum / 20);
    }
    t = (sigrep_template){.size = sizeof(sigrep_template),
                          .label = "x",
                          .samples = frames,
                          .length = 200,
                          .threshold = 0.05,
                          .frame_dim = 1};
    const matches by_frames = search(&config, y, 9000);
    CHECK(by_samples.n == 1 && by_frames.n == 1);
    CHECK(by_samples.start[0] == 3000 && by_frames.start[0] == 3000);
    CHECK(by_samples.end[0] == 7000 && by_frames.end[0] == 7000);
    CHECK(fabs(by_frames.score[0]) < 1e-6);
}

static void unfit_frames_are_refused(void)
{
    const float frames[] = {1, 2, 3, 4, 5, 6}, broken[] = {1, 2, NAN, 4};
    sigrep_template t = {
        .size = sizeof(sigrep_template), .samples = frames, .length = 3, .frame_dim = 2};
    sigrep_config config;
    sigrep_config_init(&config, sizeof config);
    config.templates = &t;
    config.n_templates = 1;
    config.on_match = keep;
    sigrep *session;
    sigrep_error error;
    CHECK(sigrep_create(&session, &config, &error) == SIGREP_BAD_TEMPLATE);
    CHECK(strcmp(error.text, "frames of 2 values, but the front end gives 1") == 0);
    t = (sigrep_template){
        .size = sizeof(sigrep_template), .samples = frames, .length = 1, .frame_dim = 1};
    CHECK(sigrep_create(&session, &config, &error) == SIGREP_BAD_TEMPLATE);
    CHECK(strcmp(error.text, "frames: 1, not 2 or more") == 0);
    t = (sigrep_template){
        .size = sizeof(sigrep_template), .samples = broken, .length = 4, .frame_dim = 1};
    CHECK(sigrep_create(&session, &config, &error) == SIGREP_BAD_TEMPLATE);
    CHECK(strcmp(error.text, "frame 2 is not finite") == 0);
    t = (sigrep_template){.size = sizeof(sigrep_template),
                          .samples = frames,
                          .length = 6,
                          .frame_dim = 1,
                          .length_min = 3,
                          .length_max = 1};
    CHECK(sigrep_create(&session, &config, &error) == SIGREP_BAD_CONFIG);
    CHECK(strcmp(error.text, "length gate: 3 to 1, not 0 <= MIN <= MAX <= 64") == 0);
}

static void a_front_end_that_depends_on_the_rate_needs_one(void)
{
    static const char *const with_rate[] = {"mfcc",         "logmel=10",  "znorm=2",
                                            "znorm=1000",   "envelope=3", "diff+znorm=2",
                                            "resample=1000"};
    sigrep_bundle_info info = {.size = sizeof info, .channels = 1};
    bundle *b;
    sigrep_error error;
    for (size_t i = 0; i < sizeof with_rate / sizeof *with_rate; i++) {
        info.front_end = with_rate[i];
        info.rate_hz = 0;
        CHECK_MSG(sigrep_bundle_create(&b, &info, &error) == SIGREP_BAD_FRONT_END, "%s",
                  with_rate[i]);
        info.rate_hz = 8000;
        CHECK_MSG(sigrep_bundle_create(&b, &info, &error) == SIGREP_OK, "%s", with_rate[i]);
        sigrep_bundle_destroy(b);
    }
    info = (sigrep_bundle_info){.size = sizeof info, .front_end = "raw+diff", .channels = 3};
    CHECK(sigrep_bundle_create(&b, &info, &error) == SIGREP_OK);
    CHECK(b->dim == 3);
    sigrep_bundle_destroy(b);
}

static void values_out_of_range_are_refused(void)
{
    static const sigrep_bundle_info bad[] = {
        {.size = sizeof *bad, .channels = 0},
        {.size = sizeof *bad, .channels = BUNDLE_MAX_CHANNELS + 1},
        {.size = sizeof *bad, .channels = 1, .rate_hz = -1},
        {.size = sizeof *bad, .channels = 1, .rate_hz = 1e13},
        {.size = sizeof *bad, .channels = 1, .rate_hz = NAN},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sigrep_error error;
        bundle *b;
        CHECK_MSG(sigrep_bundle_create(&b, &bad[i], &error) == SIGREP_BAD_CONFIG, "%zu", i);
        CHECK(!b && error.text[0]);
    }
}

int main(void)
{
    RUN(a_search_has_the_thresholds_of_the_bundle);
    RUN(its_takes_must_agree_if_it_demands_that);
    RUN(frames_match_as_their_samples_do);
    RUN(unfit_frames_are_refused);
    RUN(values_out_of_range_are_refused);
    RUN(a_front_end_that_depends_on_the_rate_needs_one);
    return check_done();
}
