/* filter/session/session.c, session_stream.c: inputs and templates of other rates. */
#include "tests/filter/session/session_help.h"

enum { COMMON_HZ = 8000, MAX_SAMPLES = 14400 };

/* A sound that is never the same twice, as a function of time; nothing above 2 kHz. */
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

static void prepare(bench *b, double template_hz, double input_hz)
{
    bench_prepare(b);
    const size_t length = (size_t)(TEMPLATE_S * template_hz);
    fill(word, length, template_hz, 0);
    b->x = (sigrep_template){.size = sizeof(sigrep_template),
                             .label = "word",
                             .samples = word,
                             .length = length,
                             .begin = (uint64_t)(BEGIN_S * template_hz),
                             .end = (uint64_t)(END_S * template_hz),
                             .threshold = 0.01,
                             .rate_hz = template_hz};
    b->config.rate_hz = input_hz;
    b->config.template_rate_hz = COMMON_HZ;
}

static const double rates[] = {8000, 16000, 48000, 44100, 11025, 8000.5, 22050};
enum { N_RATES = sizeof rates / sizeof *rates };

/* One match, at its time, off by a frame or two at most. */
static void found_in_time(const bench *b, double input_hz, double offset_s)
{
    CHECK_MSG(b->got.n == 1, "%g Hz: %zu matches", input_hz, b->got.n);
    if (b->got.n != 1) return;
    const sigrep_match *m = &b->got.matches[0];
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
            bench b;
            prepare(&b, rates[i], rates[j]);
            bench_begin(&b);
            const size_t n = (size_t)(STREAM_S * rates[j]);
            fill(stream_samples, n, rates[j], 0);
            push(&b, stream_samples, n);
            finish(&b);
            found_in_time(&b, rates[j], 0);
            bench_end(&b);
        }
}

/* The sound begins anew behind a gap: times stay true. */
static void gaps_keep_the_time(void)
{
    for (size_t j = 0; j < N_RATES; j++) {
        bench b;
        prepare(&b, COMMON_HZ, rates[j]);
        bench_begin(&b);
        const size_t half = (size_t)(0.125 * rates[j]), n = (size_t)(STREAM_S * rates[j]);
        const uint64_t lost = ((uint64_t)1 << 35) + 12345;
        fill(stream_samples, n, rates[j], 0);
        push(&b, stream_samples, half); /* half of the word: no match */
        CHECK(sigrep_gap(b.session, lost) == SIGREP_OK);
        push(&b, stream_samples, n);
        finish(&b);
        found_in_time(&b, rates[j], (double)(half + lost) / rates[j]);
        bench_end(&b);
    }
}

static void events_do_not_depend_on_the_cutting(void)
{
    uint64_t random = check_seed("rates");
    for (size_t j = 0; j < N_RATES; j++) {
        bench whole;
        prepare(&whole, COMMON_HZ, rates[j]);
        whole.config.on_scores = collect_scores;
        bench_begin(&whole);
        const size_t n = (size_t)(STREAM_S * rates[j]);
        fill(stream_samples, n, rates[j], 0);
        for (size_t i = n - 40; i < n - 20; i++) stream_samples[i] = NAN;
        push(&whole, stream_samples, n);
        finish(&whole);
        for (int c = 0; c < 20; c++) {
            bench cut;
            prepare(&cut, COMMON_HZ, rates[j]);
            cut.config.on_scores = collect_scores;
            cut.config.chunk = c % 4 ? 0 : 300;
            bench_begin(&cut);
            for (size_t at = 0; at < n;) {
                size_t some = check_below(&random, (size_t)10 << c % 9);
                if (some > n - at) some = n - at;
                push(&cut, stream_samples + at, some);
                at += some;
            }
            finish(&cut);
            CHECK_MSG(collect_equal(&whole.got, &cut.got), "%g Hz, cutting %d", rates[j], c);
            bench_end(&cut);
        }
        bench_end(&whole);
    }
}

/* A gap of n samples is ceil(n * out / in) frames of the scores, however it was cut. */
static void scores_count_the_frames_of_a_gap(void)
{
    bench b;
    prepare(&b, COMMON_HZ, 44100);
    b.config.on_scores = collect_scores;
    bench_begin(&b);
    fill(stream_samples, 4410, 44100, 0);
    push(&b, stream_samples, 4410); /* 800 frames */
    for (int i = 0; i < 10; i++) CHECK(sigrep_gap(b.session, 100) == SIGREP_OK);
    push(&b, stream_samples, 4411); /* 801 */
    finish(&b);
    CHECK_MSG(b.got.n_scores == 800 + 182 + 801, "%zu", b.got.n_scores);
    bench_end(&b);
}

/* Whatever part of a frame they are. */
static void short_gaps_keep_the_time(void)
{
    bench b;
    prepare(&b, COMMON_HZ, 44100);
    bench_begin(&b);
    const size_t n = (size_t)(STREAM_S * 44100);
    fill(stream_samples, n, 44100, 0);
    for (size_t lost = 1; lost < 30; lost += 7) {
        float gap[30];
        for (size_t i = 0; i < lost; i++) gap[i] = INFINITY;
        b.got.n = 0;
        push(&b, gap, lost);
        push(&b, stream_samples, n);
        finish(&b);
        found_in_time(&b, 44100, (double)lost / 44100);
    }
    bench_end(&b);
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

static void impossible_rates_have_words(void)
{
    bench b;
    prepare(&b, COMMON_HZ, 1);
    refused(&b.config, SIZE_MAX, "from 1 Hz to 8000 Hz: more than a factor of 256");
    b.config.rate_hz = 8000.0000001;
    refused(&b.config, SIZE_MAX,
            "from 8000.0000001 Hz to 8000 Hz: rates must be fractions with a denominator up to "
            "1000000");
    b.config.rate_hz = COMMON_HZ;
    b.x.rate_hz = 1e7;
    refused(&b.config, 0, "from 10000000 Hz to 8000 Hz: more than a factor of 256");
    b.x.rate_hz = -1;
    refused(&b.config, 0, "the rate is not above 0");
    b.x.rate_hz = 0;
    b.config.template_rate_hz = -1;
    refused(&b.config, SIZE_MAX, "the rate is not above 0");
    b.config.template_rate_hz = (double)NAN;
    refused(&b.config, SIZE_MAX, "the rate is not above 0");
    bench_end(&b);
}

int main(void)
{
    RUN(a_template_is_found_at_every_rate);
    RUN(gaps_keep_the_time);
    RUN(events_do_not_depend_on_the_cutting);
    RUN(scores_count_the_frames_of_a_gap);
    RUN(short_gaps_keep_the_time);
    RUN(impossible_rates_have_words);
    return check_done();
}
