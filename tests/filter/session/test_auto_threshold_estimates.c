/* filter/session/auto_threshold.c: levels of sounds, and the thresholds and ranks that follow. */
#include <math.h>
#include <string.h>

#include "filter/background/background.h"
#include "filter/features/front_end.h"
#include "filter/session/session.h"
#include "tests/check.h"
#include "tests/filter/session/session_help.h"

enum { RATE = 8000, N = 4000, SOUNDS = 3 };

/* Sounds whose pitch and strength change, all different. */
static float sounds[SOUNDS][N];

static void make_sounds(void)
{
    for (int k = 0; k < SOUNDS; k++)
        for (int t = 0; t < N; t++) {
            const double s = (double)t / RATE, sweep = 300 + 200 * k + 900 * s * (1 + k);
            sounds[k][t] = (float)(0.3 * sin(6.283 * sweep * s) * sin((9 + 4 * k) * s) +
                                   0.05 * sin(6.283 * (2100 + 300 * k) * s));
        }
}

typedef struct {
    sigrep_template templates[SOUNDS];
    sigrep_config config;
    collection got;
    memory_store memory;
    sigrep_store store;
    sigrep *search;
    sigrep_error error;
} fixture_of_sounds;

/* Labels a, b, a; thresholds are estimated. The configuration may still be changed. */
static void prepare(fixture_of_sounds *f, const char *spec)
{
    memset(f, 0, sizeof *f);
    collect_begin(&f->got, SOUNDS);
    f->store = memory_store_ops(&f->memory);
    for (size_t k = 0; k < SOUNDS; k++)
        f->templates[k] = (sigrep_template){.size = sizeof(sigrep_template),
                                            .label = k == 1 ? "b" : "a",
                                            .samples = sounds[k],
                                            .length = N,
                                            .auto_threshold = 1};
    sigrep_config_init(&f->config, sizeof f->config);
    f->config.templates = f->templates;
    f->config.n_templates = SOUNDS;
    f->config.front_end = spec;
    f->config.rate_hz = RATE;
    f->config.on_match = collect_match;
    f->config.user = &f->got;
}

static void give_thresholds(fixture_of_sounds *f, double threshold)
{
    for (size_t k = 0; k < SOUNDS; k++) {
        f->templates[k].auto_threshold = 0;
        f->templates[k].threshold = threshold;
    }
}

static void begin(fixture_of_sounds *f)
{
    const sigrep_status status = sigrep_create(&f->search, &f->config, &f->error);
    CHECK_MSG(status == SIGREP_OK, "%s", f->error.text);
    if (status) exit(1);
}

static void end(fixture_of_sounds *f)
{
    sigrep_destroy(f->search);
    collect_free(&f->got);
    memory_store_free(&f->memory);
}

/* Template k is given as three frames of mfcc, of this value throughout. */
static void give_frames(fixture_of_sounds *f, size_t k, float value)
{
    static float frames[3 * 78];
    for (size_t i = 0; i < 3 * 78; i++) frames[i] = value;
    f->templates[k].samples = frames;
    f->templates[k].length = 3;
    f->templates[k].frame_dim = 78;
}

static double level(const fixture_of_sounds *f, size_t k)
{
    return sigrep_get_level(f->search, k);
}

/* A score of sound k in the background, by background.h. */
static double by_hand(sigrep_status (*measure)(double *, const background *, const float *, size_t,
                                               size_t),
                      const char *spec, size_t k)
{
    enum { MOST_VALUES = 100 * 80 };
    static float frames[MOST_VALUES];
    const frame_shape in = {1, RATE};
    front_end *chain;
    background *b;
    double found = -1;
    CHECK(front_end_create(&chain, spec, in, N, NULL) == SIGREP_OK);
    CHECK(background_create(&b, spec, 1, RATE, NULL) == SIGREP_OK);
    const size_t dim = front_end_shape(chain).dim;
    const float *out;
    const size_t pushed = front_end_push(chain, sounds[k], N, &out);
    memcpy(frames, out, pushed * dim * sizeof *frames);
    const size_t flushed = front_end_flush(chain, &out);
    CHECK((pushed + flushed) * dim <= MOST_VALUES);
    memcpy(frames + pushed * dim, out, flushed * dim * sizeof *frames);
    front_end_as_template(front_end_last(chain), frames, pushed + flushed, dim);
    CHECK(measure(&found, b, frames, pushed + flushed, dim) == SIGREP_OK);
    background_destroy(b);
    front_end_destroy(chain);
    return found;
}

static double level_by_hand(const char *spec, size_t k)
{
    return by_hand(background_level, spec, k);
}

static void thresholds_are_shares_of_levels(void)
{
    static const struct {
        const char *front_end;
        double factor;
    } cases[] = {{"speech", 0.80}, {"mfcc", 0.76}, {"bandpass=100-3000+mfcc", 0.76}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture_of_sounds f;
        prepare(&f, cases[i].front_end);
        begin(&f);
        for (size_t k = 0; k < SOUNDS; k++) {
            const double expected =
                auto_threshold_of_sound(level(&f, k), cases[i].factor, k == 1 ? 1 : 2);
            CHECK(level(&f, k) == level_by_hand(cases[i].front_end, k) && level(&f, k) > 1);
            CHECK_MSG(sigrep_get_threshold(f.search, k) == expected, "%s, %zu: %g, not %g",
                      cases[i].front_end, k, sigrep_get_threshold(f.search, k), expected);
        }
        CHECK(level(&f, 0) != level(&f, 2));
        end(&f);
    }
}

/* A level that is given, from a bundle say, is not measured. */
static void a_given_level_stays(void)
{
    fixture_of_sounds f;
    prepare(&f, "speech");
    f.templates[1].level = 10;
    f.config.margins = 1;
    begin(&f);
    CHECK(level(&f, 1) == 10 && sigrep_get_threshold(f.search, 1) == 8);
    CHECK(level(&f, 0) == level_by_hand("speech", 0));
    end(&f);
}

/* By voices the threshold rests on the low score, so a given level does not change it. */
static void thresholds_by_voices_are_shares_of_low_scores(void)
{
    const uint64_t seed = check_seed("voices");
    fixture_of_sounds f;
    prepare(&f, "voices");
    f.templates[1].level = 10;
    begin(&f);
    for (size_t k = 0; k < SOUNDS; k++) {
        if (!check_is_due_of(seed, k, SOUNDS)) continue;
        const double low = by_hand(background_low, "voices", k);
        const double high = level_by_hand("voices", k);
        CHECK(low > 1 && low < high && level(&f, k) == (k == 1 ? 10 : high));
        CHECK(sigrep_get_threshold(f.search, k) ==
              auto_threshold_of_sound(low, 0.76, k == 1 ? 1 : 2));
    }
    end(&f);
}

/* Regression: a denormal level, from a damaged bundle say, gave a threshold that is no number. */
static void a_given_level_near_0_has_no_threshold(void)
{
    fixture_of_sounds f;
    prepare(&f, "speech");
    f.templates[1].level = 1e-320;
    CHECK(sigrep_create(&f.search, &f.config, &f.error) == SIGREP_NO_THRESHOLD);
    CHECK(!f.search && f.error.template_index == 1);
    end(&f);
}

static void levels_are_measured_if_they_are_needed(void)
{
    fixture_of_sounds f;
    prepare(&f, "speech");
    give_thresholds(&f, 5);
    f.templates[2].auto_threshold = 1;
    begin(&f);
    CHECK(level(&f, 0) == 0 && level(&f, 1) == 0 && level(&f, 2) > 0);
    CHECK(sigrep_get_threshold(f.search, 0) == 5);
    end(&f);
    prepare(&f, "speech");
    give_thresholds(&f, 5);
    f.config.margins = 1;
    begin(&f);
    CHECK(level(&f, 0) > 0 && level(&f, 1) > 0 && level(&f, 2) > 0);
    CHECK(sigrep_get_threshold(f.search, 2) == 5);
    end(&f);
}

/* Its own sound has score 0 and so the margin 1; elsewhere the margin is lower. */
static void margins_are_known_if_they_are_wanted(void)
{
    for (int wanted = 0; wanted < 2; wanted++) {
        fixture_of_sounds f;
        prepare(&f, "mfcc");
        give_thresholds(&f, 20);
        f.config.margins = wanted;
        begin(&f);
        for (int k = 0; k < SOUNDS; k++) CHECK(sigrep_push(f.search, sounds[k], N) == SIGREP_OK);
        CHECK(sigrep_finish(f.search) == SIGREP_OK);
        CHECK(f.got.n > 0);
        for (size_t i = 0; i < f.got.n; i++) {
            const sigrep_match *m = &f.got.matches[i];
            CHECK(wanted ? m->margin == 1 - m->score / level(&f, m->template_index)
                         : isnan(m->margin) != 0);
        }
        end(&f);
    }
}

static void numbers_have_no_levels(void)
{
    fixture_of_sounds f;
    prepare(&f, "diff");
    f.config.margins = 1;
    begin(&f);
    for (size_t k = 0; k < SOUNDS; k++) {
        CHECK(level(&f, k) == 0);
        CHECK(sigrep_get_threshold(f.search, k) > 0);
    }
    end(&f);
}

/* The level is that at the rate at which templates and stream are compared. */
static void the_rate_of_the_stream_does_not_matter(void)
{
    fixture_of_sounds f;
    prepare(&f, "speech");
    f.config.template_rate_hz = RATE;
    f.config.rate_hz = 44100;
    begin(&f);
    for (size_t k = 0; k < SOUNDS; k++) CHECK(level(&f, k) == level_by_hand("speech", k));
    end(&f);
}

/* Its own sound comes first for each template. Then all depends on the level of b. */
static void the_best_are_ranked_by_shares_of_levels(void)
{
    static float stream[SOUNDS * N];
    for (int by_level = 0; by_level < 2; by_level++) {
        fixture_of_sounds f;
        prepare(&f, "mfcc");
        f.config.best = 2;
        f.config.store = &f.store;
        f.templates[1].level = by_level ? 100 : 0.01;
        memcpy(stream, sounds[2], sizeof sounds[2]);
        memcpy(stream + N, sounds[0], sizeof sounds[0]);
        memcpy(stream + 2 * N, sounds[1], sizeof sounds[1]);
        begin(&f);
        CHECK(isinf(sigrep_get_threshold(f.search, 0)) && level(&f, 0) > 0 && level(&f, 2) > 0);
        CHECK(sigrep_push(f.search, stream, SOUNDS * N) == SIGREP_OK);
        CHECK(sigrep_finish(f.search) == SIGREP_OK);
        CHECK(f.got.n == 4);
        for (size_t i = 1; i < f.got.n; i++) {
            const sigrep_match *m = &f.got.matches[i];
            CHECK(m[-1].margin >= m->margin);
        }
        const size_t last = f.got.matches[3].template_index;
        CHECK(by_level ? last != 1 : last == 1);
        end(&f);
    }
}

/* It fits perfectly, so its level is 0. */
static void the_background_itself_has_no_threshold(void)
{
    static float all[BACKGROUND_SAMPLES];
    fixture_of_sounds f;
    prepare(&f, "mfcc");
    background_decode(all, 0, BACKGROUND_SAMPLES, 1);
    f.config.rate_hz = BACKGROUND_HZ;
    f.templates[1].samples = all;
    f.templates[1].length = BACKGROUND_SAMPLES;
    CHECK(sigrep_create(&f.search, &f.config, &f.error) == SIGREP_NO_THRESHOLD);
    CHECK(!f.search && f.error.template_index == 1);
    CHECK_MSG(strcmp(f.error.text, "no threshold can be estimated: the template fits all speech, "
                                   "or none") == 0,
              "%s", f.error.text);
    give_thresholds(&f, 3);
    f.config.margins = 1;
    begin(&f);
    CHECK(level(&f, 0) > 0 && level(&f, 1) == 0);
    end(&f);
}

/* Beyond float32 the level is infinite. */
static void absurd_frames_have_no_threshold(void)
{
    fixture_of_sounds f;
    prepare(&f, "mfcc");
    give_frames(&f, 2, 3e38f);
    CHECK(sigrep_create(&f.search, &f.config, &f.error) == SIGREP_NO_THRESHOLD);
    CHECK(f.error.template_index == 2);
    give_thresholds(&f, 3);
    f.config.margins = 1;
    begin(&f);
    CHECK(level(&f, 2) == 0);
    end(&f);
}

static int stop(void *user)
{
    (void)user;
    return 1;
}

/* Frames that are given ask nobody, so the first question comes from the levels. */
static void measuring_can_be_stopped(void)
{
    fixture_of_sounds f;
    prepare(&f, "mfcc");
    f.config.should_stop = stop;
    f.config.n_templates = 1;
    give_frames(&f, 0, 0);
    CHECK(sigrep_create(&f.search, &f.config, &f.error) == SIGREP_STOPPED && !f.search);
    end(&f);
}

/* The speech is not resampled to 100 MHz, though the front end would then lower that. */
static void a_rate_beyond_the_background_is_an_error(void)
{
    fixture_of_sounds f;
    prepare(&f, "resample=1000000+mfcc");
    f.config.rate_hz = 1e8;
    f.config.n_templates = 1;
    give_frames(&f, 0, 0);
    CHECK(sigrep_create(&f.search, &f.config, &f.error) == SIGREP_BAD_FRONT_END);
    CHECK_MSG(strstr(f.error.text, "more than a factor"), "%s", f.error.text);
    end(&f);
}

int main(void)
{
    make_sounds();
    RUN(thresholds_are_shares_of_levels);
    RUN(a_given_level_stays);
    RUN(thresholds_by_voices_are_shares_of_low_scores);
    RUN(a_given_level_near_0_has_no_threshold);
    RUN(levels_are_measured_if_they_are_needed);
    RUN(margins_are_known_if_they_are_wanted);
    RUN(numbers_have_no_levels);
    RUN(the_rate_of_the_stream_does_not_matter);
    RUN(the_best_are_ranked_by_shares_of_levels);
    RUN(the_background_itself_has_no_threshold);
    RUN(absurd_frames_have_no_threshold);
    RUN(measuring_can_be_stopped);
    RUN(a_rate_beyond_the_background_is_an_error);
    return check_done();
}
