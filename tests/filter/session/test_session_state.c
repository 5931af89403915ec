/* sigrep_save and sigrep_resume: what they refuse, and that no bytes do harm. What they give is in
 * tests/stream/test_resumed.c. */
#include <string.h>

#include "filter/crc32.h"
#include "tests/filter/session/session_help.h"

enum { CHECKSUM = 4, MOST = 1 << 17, VERSION_AT = 16 };

typedef struct {
    unsigned char bytes[MOST];
    size_t size;
    uint64_t taken;
} saved;

static sigrep_stats stats_of(const fixture *f)
{
    sigrep_stats stats = {.size = sizeof stats};
    sigrep_get_stats(f->session, &stats);
    return stats;
}

static void save(fixture *f, saved *s)
{
    const void *bytes;
    sigrep_error error;
    const sigrep_status status = sigrep_save(f->session, &bytes, &s->size, &error);
    CHECK_MSG(status == SIGREP_OK, "%s", error.text);
    if (status || s->size > MOST) exit(1);
    memcpy(s->bytes, bytes, s->size);
    s->taken = stats_of(f).samples;
}

static void put_checksum_right(saved *s)
{
    const uint32_t crc = crc32_of(s->bytes, s->size - CHECKSUM);
    for (size_t i = 0; i < CHECKSUM; i++)
        s->bytes[s->size - CHECKSUM + i] = (unsigned char)(crc >> 8 * i);
}

/* It is refused in these words, and the search is as before. */
static void refused(fixture *f, const saved *s, const char *words)
{
    uint64_t from = 7;
    sigrep_error error;
    CHECK(sigrep_resume(f->session, s->bytes, s->size, &from, &error) == SIGREP_BAD_STATE);
    CHECK_MSG(strstr(error.text, words), "'%s', not '%s'", error.text, words);
    CHECK(from == 0);
}

/* The second ramp is not exact, so that a better match may follow at first. */
static const float ramps[N_THREE] = {9, 1, 2, 3, 9, 1, 2, 2, 9, 1, 2, 3, 9, 9};

static void prepare(fixture *f)
{
    fixture_prepare(f);
    f->x.threshold = 0.5;
}

/* The state when the second ramp is pending. */
static void save_three_ramps(fixture *f, saved *s)
{
    prepare(f);
    fixture_begin(f);
    push(f, ramps, 8);
    save(f, s);
}

static void goes_on_from_the_next_sample(void)
{
    fixture f;
    static saved s;
    uint64_t from;
    save_three_ramps(&f, &s);
    CHECK(f.got.n == 1 && s.taken == 8);
    fixture_end(&f);
    prepare(&f);
    fixture_begin(&f);
    CHECK(sigrep_resume(f.session, s.bytes, s.size, &from, NULL) == SIGREP_OK);
    CHECK(from == 8);
    push(&f, ramps + 8, N_THREE - 8);
    finish(&f);
    CHECK(f.got.n == 2 && match_is(&f, 0, 5, 7, 9) && match_is(&f, 1, 9, 12, 12));
    fixture_end(&f);
}

/* The search was stopped for a while, and the samples are lost. */
static void a_gap_makes_the_pending_match_final(void)
{
    fixture f;
    static saved s;
    uint64_t from;
    save_three_ramps(&f, &s);
    fixture_end(&f);
    prepare(&f);
    fixture_begin(&f);
    CHECK(sigrep_resume(f.session, s.bytes, s.size, &from, NULL) == SIGREP_OK);
    CHECK(sigrep_gap(f.session, 100) == SIGREP_OK);
    CHECK(f.got.n == 1 && match_is(&f, 0, 5, 7, 8));
    push(&f, ramps, N_THREE);
    CHECK(f.got.n == 4 && match_is(&f, 1, 109, 112, 112));
    fixture_end(&f);
}

static void a_saved_search_goes_on_as_ever(void)
{
    fixture f;
    static saved s;
    save_three_ramps(&f, &s);
    push(&f, ramps + 8, N_THREE - 8);
    finish(&f);
    CHECK(f.got.n == 3 && match_is(&f, 1, 5, 7, 9));
    fixture_end(&f);
}

static void what_is_no_state_is_refused(void)
{
    fixture f;
    static saved s, other;
    save_three_ramps(&f, &s);
    finish(&f);
    for (size_t n = 0; n < s.size; n++) {
        other = s;
        other.size = n;
        refused(&f, &other, n < 8 ? "no state" : "truncated");
    }
    other = s;
    other.bytes[other.size++] = 0;
    refused(&f, &other, "damaged");
    for (size_t bit = 64; bit < 8 * s.size; bit++) {
        other = s;
        other.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        const bool in_size = bit / 8 >= 32 && bit / 8 < 40;
        refused(&f, &other, in_size ? "" : "damaged");
    }
    push(&f, three_ramps, N_THREE);
    finish(&f);
    CHECK(f.got.n == 2 + 3); /* the search was as before */
    fixture_end(&f);
}

static void another_version_is_refused(void)
{
    fixture f;
    static saved s;
    save_three_ramps(&f, &s);
    finish(&f);
    memcpy(s.bytes + VERSION_AT, "9.8.7", 6);
    put_checksum_right(&s);
    refused(&f, &s, "saved by sigrep 9.8.7, and this is ");
    s.bytes[VERSION_AT] = 27;
    put_checksum_right(&s);
    refused(&f, &s, "saved by sigrep ?.8.7, and this is ");
    fixture_end(&f);
}

/* Change one thing of a configuration. */
typedef void change(fixture *f);

static void the_threshold(fixture *f)
{
    f->x.threshold = 0.2;
}
static void the_label(fixture *f)
{
    f->x.label = "r";
}
static void the_samples(fixture *f)
{
    f->x.length = 2;
}
static void the_gate(fixture *f)
{
    f->config.length_max = 3;
}
static void the_number_that_agree(fixture *f)
{
    f->config.min_matches = 2;
}
static void the_level(fixture *f)
{
    f->x.level = 3;
}
static void the_front_end(fixture *f)
{
    f->config.front_end = "diff";
}
static void the_rate(fixture *f)
{
    f->config.rate_hz = 2;
}
static void scores(fixture *f)
{
    f->config.on_scores = collect_scores;
}
static void paths(fixture *f)
{
    f->config.paths = 1;
}

static void another_configuration_is_refused(void)
{
    static const struct {
        change *change;
        const char *words;
    } cases[] = {{the_threshold, "other templates"},
                 {the_label, "other templates"},
                 {the_samples, "other templates"},
                 {the_gate, "other templates"},
                 {the_level, "other templates"},
                 {the_number_that_agree, "other templates"},
                 {the_front_end, "front end"},
                 {the_rate, "rate"},
                 {scores, "scores"},
                 {paths, "paths"}};
    fixture f;
    static saved s;
    save_three_ramps(&f, &s);
    fixture_end(&f);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        prepare(&f);
        cases[i].change(&f);
        fixture_begin(&f);
        refused(&f, &s, cases[i].words);
        fixture_end(&f);
    }
}

static void only_a_search_without_samples_resumes(void)
{
    fixture f;
    static saved s;
    uint64_t from;
    sigrep_error error;
    save_three_ramps(&f, &s);
    CHECK(sigrep_resume(f.session, s.bytes, s.size, &from, &error) == SIGREP_BAD_CONFIG);
    CHECK(strstr(error.text, "samples"));
    finish(&f); /* the next input */
    CHECK(sigrep_resume(f.session, s.bytes, s.size, &from, &error) == SIGREP_OK && from == 8);
    CHECK(sigrep_resume(f.session, s.bytes, s.size, &from, &error) == SIGREP_BAD_CONFIG);
    fixture_end(&f);
}

static int save_in_callback(void *user, const sigrep_match *match)
{
    fixture *f = user;
    const void *bytes;
    size_t size;
    sigrep_error error;
    (void)match;
    CHECK(sigrep_save(f->session, &bytes, &size, &error) == SIGREP_BAD_CONFIG);
    CHECK(strstr(error.text, "callback"));
    return 1;
}

static void a_callback_and_a_stopped_search_cannot_save(void)
{
    fixture f;
    const void *bytes;
    size_t size;
    sigrep_error error;
    fixture_prepare(&f);
    f.config.on_match = save_in_callback;
    f.config.user = &f;
    fixture_begin(&f);
    CHECK(sigrep_push(f.session, three_ramps, N_THREE) == SIGREP_STOPPED);
    CHECK(sigrep_save(f.session, &bytes, &size, &error) == SIGREP_STOPPED);
    CHECK(error.text[0] && !bytes && !size);
    fixture_end(&f);
}

static void a_best_of_search_has_no_state(void)
{
    fixture f;
    memory_store memory = {0};
    const sigrep_store store = memory_store_ops(&memory);
    const void *bytes;
    size_t size;
    uint64_t from;
    sigrep_error error;
    fixture_prepare(&f);
    f.config.best = 1;
    f.config.store = &store;
    fixture_begin(&f);
    CHECK(sigrep_save(f.session, &bytes, &size, &error) == SIGREP_BAD_CONFIG);
    CHECK(strstr(error.text, "best"));
    CHECK(sigrep_resume(f.session, "", 0, &from, &error) == SIGREP_BAD_CONFIG);
    fixture_end(&f);
    memory_store_free(&memory);
}

/* A resampler reads its span again, and no gap may come before that is done. */
static void a_resampler_begins_with_its_span(void)
{
    fixture f;
    static saved s;
    static float y[3000];
    uint64_t from;
    for (int again = 0; again < 2; again++) {
        fixture_prepare(&f);
        f.config.template_rate_hz = 2;
        fixture_begin(&f);
        if (again) {
            CHECK(sigrep_resume(f.session, s.bytes, s.size, &from, NULL) == SIGREP_OK);
            CHECK(from == 110 && s.taken == 2110);
            push(&f, y + 110, 1999);
            CHECK(sigrep_gap(f.session, 1) == SIGREP_BAD_STATE);
        } else {
            push(&f, y, 100);
            CHECK(sigrep_gap(f.session, 10) == SIGREP_OK);
            push(&f, y + 110, 2000);
            save(&f, &s);
        }
        fixture_end(&f);
    }
}

/* Ask for the path; a match that was forged has none. */
static int ask_for_path(void *user, const sigrep_match *match)
{
    const fixture *f = user;
    const sigrep_pair *pairs;
    size_t n;
    (void)match;
    if (f->config.paths) sigrep_get_path(f->session, &pairs, &n);
    return 0;
}

/* Values of a state may be anything if its checksum is right. */
static void bytes_of_an_attacker(fixture *f, saved *s, uint64_t *random)
{
    uint64_t from;
    enum { BODY_AT = 64 };
    for (size_t n = 1 + check_below(random, 4); n; n--) {
        unsigned char *at = s->bytes + BODY_AT + check_below(random, s->size - BODY_AT);
        *at = (unsigned char)(check_below(random, 2) ? check_random(random) : *at + 1u);
    }
    put_checksum_right(s);
    const uint64_t frames = stats_of(f).frames;
    const sigrep_status status = sigrep_resume(f->session, s->bytes, s->size, &from, NULL);
    CHECK(status == SIGREP_OK || status == SIGREP_BAD_STATE);
    /* Regression: frames_of_a_forged_state. They were counted. */
    if (status) CHECK(stats_of(f).frames == frames && stats_of(f).samples == 0);
    for (int i = 0; i < 20; i++) push(f, three_ramps, N_THREE);
    CHECK(sigrep_finish(f->session) == SIGREP_OK);
}

static void no_bytes_do_harm(void)
{
    static const char *const fronts[] = {"raw", "diff+znorm=4", "envelope=2", "bandpass=0.1-0.2",
                                         "zmatch=0.3"};
    static const char *const sounds[] = {"mfcc", "speech", "logmel", "voices", "words"};
    uint64_t random = check_seed("bytes of an attacker");
    for (size_t i = 0; i < check_cases(400); i++) {
        const bool is_sound = i % 10 == 0;
        static saved s;
        static float noise[4000];
        fixture f;
        sigrep_template x[3];
        fixture_prepare(&f);
        f.config.on_match = ask_for_path;
        f.config.user = &f;
        f.config.front_end = is_sound ? sounds[i / 10 % 5] : fronts[i / 2 % 5];
        f.config.rate_hz = is_sound ? 8000 : 1;
        f.x.threshold = (double)check_below(&random, 4);
        f.config.paths = i % 3 == 0;
        f.x.samples = noise;
        f.x.length = is_sound ? 800 : 9;
        f.x.level = 1;
        for (size_t t = 0; t < 4000; t++) noise[t] = (float)check_below(&random, 4);
        for (size_t j = 0; j < 3; j++) x[j] = f.x;
        f.config.templates = x;
        f.config.n_templates = 1 + i % 3;
        fixture_begin(&f);
        push(&f, noise, is_sound ? 3000 : 100);
        save(&f, &s);
        finish(&f);
        bytes_of_an_attacker(&f, &s, &random);
        fixture_end(&f);
    }
}

int main(void)
{
    RUN(goes_on_from_the_next_sample);
    RUN(a_gap_makes_the_pending_match_final);
    RUN(a_saved_search_goes_on_as_ever);
    RUN(what_is_no_state_is_refused);
    RUN(another_version_is_refused);
    RUN(another_configuration_is_refused);
    RUN(only_a_search_without_samples_resumes);
    RUN(a_callback_and_a_stopped_search_cannot_save);
    RUN(a_best_of_search_has_no_state);
    RUN(a_resampler_begins_with_its_span);
    RUN(no_bytes_do_harm);
    return check_done();
}
