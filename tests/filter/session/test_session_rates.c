/* filter/session/session.c, stream.c: inputs and templates of other rates. */
#include "tests/filter/session/session_help.h"

enum { COMMON_HZ = 8000, MAX_SAMPLES = 14400 };

/* A sound that never repeats, as a function of time, with frequencies up to 2 kHz. */
static float sound(double t)
{
    return (float)(0.5 * sin(2 * 3.14159265358979323846 * (300 * t + 2900 * t * t)) +
                   0.3 * sin(2 * 3.14159265358979323846 * (1500 * t - 1350 * t * t)));
}

/* The sound from `begin_s` on, n samples. */
static void fill(float *x, size_t n, double rate_hz, double begin_s)
{
    for (size_t i = 0; i < n; i++) x[i] = sound(begin_s + (double)i / rate_hz);
}

/* The template is the sound from 0.1 to 0.15 s, out of 0.25 s, at a rate of its own. */
static const double TEMPLATE_S = 0.25, BEGIN_S = 0.1, END_S = 0.15, STREAM_S = 0.22;

static float word[MAX_SAMPLES], stream_samples[MAX_SAMPLES];

static void prepare(fixture *f, double template_hz, double input_hz)
{
    fixture_prepare(f);
    const size_t length = (size_t)(TEMPLATE_S * template_hz);
    fill(word, length, template_hz, 0);
    f->x = (sigrep_template){.size = sizeof(sigrep_template),
                             .label = "word",
                             .samples = word,
                             .length = length,
                             .begin = (uint64_t)(BEGIN_S * template_hz),
                             .end = (uint64_t)(END_S * template_hz),
                             .threshold = 0.01,
                             .rate_hz = template_hz};
    f->config.rate_hz = input_hz;
    f->config.template_rate_hz = COMMON_HZ;
}

static const double rates[] = {8000, 16000, 48000, 44100, 11025, 8000.5, 22050};
enum { N_RATES = sizeof rates / sizeof *rates };

/* One match, at its time, off by a frame or two at most. */
static void found_in_time(const fixture *f, double input_hz, double offset_s)
{
    CHECK_MSG(f->got.n == 1, "%g Hz: %zu matches", input_hz, f->got.n);
    if (f->got.n != 1) return;
    const sigrep_match *m = &f->got.matches[0];
    const double start_s = (double)m->start / input_hz - offset_s;
    const double end_s = (double)m->end / input_hz - offset_s;
    CHECK_MSG(fabs(start_s - BEGIN_S) < 2.5 / COMMON_HZ && fabs(end_s - END_S) < 2.5 / COMMON_HZ,
              "%g Hz: %.6f to %.6f s", input_hz, start_s, end_s);
    CHECK(m->final >= m->end);
}

static void a_template_is_found_at_every_rate(void)
{
    for (size_t i = 0; i < N_RATES; i++)
        for (size_t j = 0; j < N_RATES; j++) {
            fixture f;
            prepare(&f, rates[i], rates[j]);
            fixture_begin(&f);
            const size_t n = (size_t)(STREAM_S * rates[j]);
            fill(stream_samples, n, rates[j], 0);
            push(&f, stream_samples, n);
            finish(&f);
            found_in_time(&f, rates[j], 0);
            fixture_end(&f);
        }
}

/* The sound begins anew after a gap. Times stay right. */
static void gaps_keep_the_time(void)
{
    for (size_t j = 0; j < N_RATES; j++) {
        fixture f;
        prepare(&f, COMMON_HZ, rates[j]);
        fixture_begin(&f);
        const size_t half = (size_t)(0.125 * rates[j]), n = (size_t)(STREAM_S * rates[j]);
        const uint64_t lost = ((uint64_t)1 << 35) + 12345;
        fill(stream_samples, n, rates[j], 0);
        push(&f, stream_samples, half); /* half of the word: no match */
        CHECK(sigrep_gap(f.session, lost) == SIGREP_OK);
        push(&f, stream_samples, n);
        finish(&f);
        found_in_time(&f, rates[j], (double)(half + lost) / rates[j]);
        fixture_end(&f);
    }
}

static void matches_do_not_depend_on_the_cutting(void)
{
    uint64_t random = check_seed("rates");
    for (size_t j = 0; j < N_RATES; j++) {
        fixture whole;
        prepare(&whole, COMMON_HZ, rates[j]);
        whole.config.on_scores = collect_scores;
        fixture_begin(&whole);
        const size_t n = (size_t)(STREAM_S * rates[j]);
        fill(stream_samples, n, rates[j], 0);
        for (size_t i = n - 40; i < n - 20; i++) stream_samples[i] = NAN;
        push(&whole, stream_samples, n);
        finish(&whole);
        for (int c = 0; c < 20; c++) {
            fixture cut;
            prepare(&cut, COMMON_HZ, rates[j]);
            cut.config.on_scores = collect_scores;
            cut.config.chunk = c % 4 ? 0 : 300;
            fixture_begin(&cut);
            for (size_t at = 0; at < n;) {
                size_t some = check_below(&random, (size_t)10 << c % 9);
                if (some > n - at) some = n - at;
                push(&cut, stream_samples + at, some);
                at += some;
            }
            finish(&cut);
            CHECK_MSG(collect_equal(&whole.got, &cut.got), "%g Hz, cutting %d", rates[j], c);
            fixture_end(&cut);
        }
        fixture_end(&whole);
    }
}

/* A gap of n samples is ceil(n * out / in) frames of the scores, however it was cut. */
static void scores_count_the_frames_of_a_gap(void)
{
    fixture f;
    prepare(&f, COMMON_HZ, 44100);
    f.config.on_scores = collect_scores;
    fixture_begin(&f);
    fill(stream_samples, 4410, 44100, 0);
    push(&f, stream_samples, 4410); /* 800 frames */
    for (int i = 0; i < 10; i++) CHECK(sigrep_gap(f.session, 100) == SIGREP_OK);
    push(&f, stream_samples, 4411); /* 801 */
    finish(&f);
    CHECK_MSG(f.got.n_scores == 800 + 182 + 801, "%zu", f.got.n_scores);
    fixture_end(&f);
}

/* Gaps of any part of a frame. */
static void short_gaps_keep_the_time(void)
{
    fixture f;
    prepare(&f, COMMON_HZ, 44100);
    fixture_begin(&f);
    const size_t n = (size_t)(STREAM_S * 44100);
    fill(stream_samples, n, 44100, 0);
    for (size_t lost = 1; lost < 30; lost += 7) {
        float gap[30];
        for (size_t i = 0; i < lost; i++) gap[i] = INFINITY;
        f.got.n = 0;
        push(&f, gap, lost);
        push(&f, stream_samples, n);
        finish(&f);
        found_in_time(&f, 44100, (double)lost / 44100);
    }
    fixture_end(&f);
}

static void refused(sigrep_config *config, size_t index, const char *words)
{
    sigrep *session;
    sigrep_error error = {.text = ""};
    const sigrep_status status = sigrep_create(&session, config, &error);
    CHECK_MSG((status == SIGREP_BAD_CONFIG || status == SIGREP_BAD_TEMPLATE) &&
                  strcmp(error.text, words) == 0 && error.template_index == index,
              "%d: %s", (int)status, error.text);
    sigrep_destroy(session);
}

static void impossible_rates_have_a_message(void)
{
    fixture f;
    prepare(&f, COMMON_HZ, 1);
    refused(&f.config, SIZE_MAX, "from 1 Hz to 8000 Hz: more than a factor of 256");
    f.config.rate_hz = 8000.0000001;
    refused(&f.config, SIZE_MAX,
            "from 8000.0000001 Hz to 8000 Hz: rates must be fractions with a denominator up to "
            "1000000");
    f.config.rate_hz = COMMON_HZ;
    f.x.rate_hz = 1e7;
    refused(&f.config, 0, "from 10000000 Hz to 8000 Hz: more than a factor of 256");
    f.x.rate_hz = -1;
    refused(&f.config, 0, "rate_hz: -1, not a finite number above 0");
    f.x.rate_hz = 0;
    f.config.template_rate_hz = -1;
    refused(&f.config, SIZE_MAX, "template_rate_hz: -1, not a finite number above 0");
    f.config.template_rate_hz = (double)NAN;
    refused(&f.config, SIZE_MAX, "template_rate_hz: nan, not a finite number above 0");
    fixture_end(&f);
}

int main(void)
{
    RUN(a_template_is_found_at_every_rate);
    RUN(gaps_keep_the_time);
    RUN(matches_do_not_depend_on_the_cutting);
    RUN(scores_count_the_frames_of_a_gap);
    RUN(short_gaps_keep_the_time);
    RUN(impossible_rates_have_a_message);
    return check_done();
}
