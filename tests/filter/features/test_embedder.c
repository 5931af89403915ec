/* filter/features/embedder.c: its values are those of onnxruntime, at other rates nearly so; unit
 * length. The rest: test_voices.c, test_words.c. */
#include "filter/features/embedder.h"

#include "filter/background/background.h"
#include "tests/filter/features/spectral_help.h"

/* Frames of 4 rows. Their fields begin BEFORE rows earlier; the published network's at row 8 i.
 * Here a row's window begins LEAD samples earlier. After as much silence as 4 rows lack of that,
 * all windows are the published network's, 4 rows later. */
enum {
    ROWS = 4,
    ROW = 160,
    LEAD = 120,
    SILENCE = ROWS * ROW - LEAD,
    SAMPLES = 32077,
    FIELDS = 16,
    BEFORE = 52,
    MOST = 64,
    V = EMBEDDER_VALUES
};

static embedder *create(double rate_hz)
{
    embedder *made = NULL;
    frame_timing timing;
    sigrep_error error = {0};
    const frame_shape in = {1, rate_hz};
    CHECK_MSG(embedder_create(&made, "test", ROWS, in, &timing, &error) == SIGREP_OK, "%s",
              error.text);
    if (!made) exit(1);
    return made;
}

static void agrees_with_onnxruntime(void)
{
    static float x[SILENCE + SAMPLES], e[MOST * V];
    static double golden[FIELDS * V];
    double worst = 0;
    CHECK(golden_read("embedding", golden, FIELDS * V) == FIELDS * V);
    background_decode(x + SILENCE, 0, SAMPLES, 1);
    embedder *self = create(BACKGROUND_HZ);
    const size_t got = embedder_push(self, x, SILENCE + SAMPLES, e);
    CHECK(got > 1 + BEFORE / ROWS + 2 * (FIELDS - 1));
    for (size_t i = 0; i < FIELDS * V; i++) {
        const size_t frame = 1 + BEFORE / ROWS + i / V * 8 / ROWS;
        worst = fmax(worst, fabs((double)e[frame * V + i % V] - golden[i]));
    }
    printf("farthest from onnxruntime: %.2g\n", worst);
    CHECK_MSG(worst <= 1e-4, "%g", worst);
    embedder_destroy(self);
}

/* A second of tones below 3800 Hz, at rates at which a row is 10 ms. */
static size_t embed_tones(double rate_hz, float *e)
{
    static float x[48000];
    const size_t n = (size_t)rate_hz;
    for (size_t t = 0; t < n; t++) {
        const double s = (double)t / rate_hz;
        x[t] = (float)(0.1 * sin(2 * acos(-1.) * (300 * s + 600 * s * s)) +
                       0.05 * sin(2 * acos(-1.) * 2100 * s) * (sin(20 * s) > 0));
    }
    embedder *self = create(rate_hz);
    size_t got = embedder_push(self, x, n, e);
    got += embedder_flush(self, e + got * V);
    embedder_destroy(self);
    return got;
}

/* Frames of one sound at two rates lie much nearer than frames of one rate, half a second apart. */
static void rates_hardly_matter(void)
{
    static const double rates[] = {8000, 22000, 44100, 48000};
    static float wanted[MOST * V], e[MOST * V];
    const size_t n = embed_tones(16000, wanted);
    double apart = 0;
    for (size_t i = 0; i < n / 2 * V; i++)
        apart += fabs((double)wanted[i] - (double)wanted[i + n / 2 * V]);
    for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
        double off = 0;
        CHECK_MSG(embed_tones(rates[r], e) == n, "%g Hz", rates[r]);
        for (size_t i = 0; i < n / 2 * V; i++) off += fabs((double)wanted[i] - (double)e[i]);
        printf("%g Hz: %.2f of the distance\n", rates[r], off / apart);
        CHECK_MSG(off < 0.25 * apart, "%g Hz: %g of %g", rates[r], off, apart);
    }
}

/* Bands above half the rate are silent. */
static void low_rates_have_frames(void)
{
    static float e[MOST * V];
    CHECK(embed_tones(4000, e) == 25);
    for (size_t i = 0; i < 25 * V; i++) CHECK(isfinite(e[i]));
}

static void a_unit_has_length_1(void)
{
    uint64_t random = check_seed("unit");
    float e[V];
    for (int i = 0; i < 100; i++) {
        double squares = 0;
        for (size_t v = 0; v < V; v++) e[v] = 50 * help_noise(&random);
        embedder_unit(e, e);
        for (size_t v = 0; v < V; v++) squares += (double)e[v] * (double)e[v];
        CHECK(fabs(squares - 1) < 1e-6);
    }
}

int main(void)
{
    RUN(agrees_with_onnxruntime);
    RUN(rates_hardly_matter);
    RUN(low_rates_have_frames);
    RUN(a_unit_has_length_1);
    return check_done();
}
