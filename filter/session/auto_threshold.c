/*
 * auto_threshold.c - the threshold `auto` (docs/SEMANTICS.md, "The threshold auto"). That of
 * numbers rests on the cost of matching the template by chance, in a stream made of its own frames.
 * That of sounds rests on the template's level or low score.
 */
#include "filter/session/session.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/ascending.h"
#include "filter/background/background.h"
#include "filter/session/template.h"
#include "filter/status.h"

/* Chosen on recordings: docs/lab/thresholds.md. */
static const double FRACTION = 0.78; /* of the level of chance */
static const double LOWER = 0.025;   /* for e times as many templates of a label */
enum {
    MAX_FRAMES = 256, /* that are picked, evenly, from a longer template */
    BLOCKS = 8,
    ORDERS = 16
};

/* The picked frames, and the same frames out of order. */
typedef struct {
    size_t length, dim;
    float *frames, *shuffled; /* length x dim */
    float *scores;            /* length: D(m,t) over the shuffled frames */
} material;

static sigrep_status material_create(material *own, const template *x)
{
    const size_t n = x->length < MAX_FRAMES ? x->length : MAX_FRAMES;
    const size_t frame = x->dim * sizeof(float);
    *own = (material){.length = n, .dim = x->dim};
    own->frames = malloc(n * frame);
    own->shuffled = malloc(n * frame);
    own->scores = malloc(n * sizeof *own->scores);
    if (!own->frames || !own->shuffled || !own->scores) return SIGREP_NO_MEMORY;
    for (size_t i = 0; i < n; i++)
        memcpy(own->frames + i * x->dim, x->frames + x->length * i / n * x->dim, frame);
    return SIGREP_OK;
}

static void material_free(material *own)
{
    free(own->frames);
    free(own->shuffled);
    free(own->scores);
}

/* A number from 0 to n - 1, by a linear congruential generator (Knuth, MMIX). */
static size_t draw(uint64_t *seed, size_t n)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (size_t)((*seed >> 33) % n);
}

/* Does the order keep two neighbours together, forwards or backwards? With fewer than four blocks
 * every order keeps some, so only those forwards count. */
static bool keeps_neighbours(const size_t *order, size_t n)
{
    for (size_t i = 0; i + 1 < n; i++)
        if (order[i] + 1 == order[i + 1] || (n > 3 && order[i] == order[i + 1] + 1)) return true;
    return false;
}

static void draw_order(size_t *order, size_t n, uint64_t *seed)
{
    do {
        for (size_t i = 0; i < n; i++) {
            const size_t j = draw(seed, i + 1);
            order[i] = order[j];
            order[j] = i;
        }
    } while (keeps_neighbours(order, n));
}

/* Put the blocks into that order, each of them backwards. */
static void shuffle(material *own, const size_t *order, size_t blocks)
{
    float *to = own->shuffled;
    for (size_t b = 0; b < blocks; b++) {
        const size_t begin = own->length * order[b] / blocks;
        for (size_t i = own->length * (order[b] + 1) / blocks; i-- > begin; to += own->dim)
            memcpy(to, own->frames + i * own->dim, own->dim * sizeof *to);
    }
}

/* The median D(m,t) of the picked frames over the second half of the shuffled ones, by a cold
 * start. In the first half, paths are still short. */
static sigrep_status median(float *d, material *own, const kernel_ops *ops, void *kernel)
{
    float minima[MAX_FRAMES / KERNEL_BLOCK + 2];
    const kernel_output out = {
        .minima = minima, .minima_stride = sizeof minima / sizeof *minima, .scores = own->scores};
    const size_t half = own->length / 2, n = own->length - half;
    ops->reset(kernel);
    const sigrep_status status = ops->sweep(kernel, own->shuffled, own->length, &out);
    if (status) return status;
    qsort(own->scores + half, n, sizeof *own->scores, ascending_floats);
    *d = own->scores[half + n / 2];
    return SIGREP_OK;
}

/* The mean over all orders of the median score. */
static sigrep_status mean_of_medians(double *level, material *own, const kernel_ops *ops,
                                     void *kernel)
{
    const size_t blocks = own->length < BLOCKS ? own->length : BLOCKS;
    size_t order[BLOCKS] = {0};
    uint64_t seed = 1;
    double sum = 0;
    sigrep_status status = SIGREP_OK;
    for (int k = 0; k < ORDERS && !status; k++) {
        float d = 0;
        draw_order(order, blocks, &seed);
        shuffle(own, order, blocks);
        status = median(&d, own, ops, kernel);
        sum += (double)d / (double)own->length;
    }
    *level = sum / ORDERS;
    return status;
}

sigrep_status auto_level(double *level, const template *x, const kernel_ops *ops)
{
    material own;
    void *kernel = NULL;
    sigrep_status status = material_create(&own, x);
    if (!status) {
        const kernel_template of = {
            .frames = own.frames, .length = own.length, .eps = INFINITY, .history = own.length};
        status = ops->create(&kernel, &(kernel_plan){.templates = &of,
                                                     .n_templates = 1,
                                                     .dim = own.dim,
                                                     .max_chunk = own.length,
                                                     .scores = true});
    }
    if (!status) status = mean_of_medians(level, &own, ops, kernel);
    if (kernel) ops->destroy(kernel);
    material_free(&own);
    return status;
}

/* Round to three significant digits, so that the value that is printed is the value that is used.
 */
static double rounded(double x)
{
    double step = 1;
    while (x / step >= 1000) step *= 10;
    if (step > 1) return round(x / step) * step;
    while (x * step < 100) step *= 10;
    return round(x * step) / step;
}

sigrep_status auto_threshold(double *threshold, const template *x, const kernel_ops *ops)
{
    double level;
    const sigrep_status status = auto_level(&level, x, ops);
    if (status) return status;
    if (!(level > 0 && isfinite(level))) return SIGREP_NO_THRESHOLD;
    *threshold = rounded(FRACTION * level);
    return SIGREP_OK;
}

double auto_threshold_of_sound(double score, double factor, size_t n)
{
    return rounded(factor * score * (1 - LOWER * log((double)n)));
}

static bool wants_threshold(const sigrep_config *config, size_t j)
{
    return config->templates[j].auto_threshold && !config->best;
}

static bool wants_level(const sigrep_config *config, size_t j)
{
    return !(config->templates[j].level > 0) &&
           (config->margins || config->best || config->templates[j].auto_threshold);
}

static bool wants_low(const sigrep *session, const sigrep_config *config, size_t j)
{
    return front_end_last(session->chain)->auto_low_factor > 0 && wants_threshold(config, j);
}

/* Measure the levels and low scores that are wanted. Frames of no sound have none. */
static sigrep_status measure_levels(sigrep *session, const sigrep_config *config, double rate_hz,
                                    sigrep_error *error)
{
    const char *stages = config->front_end ? config->front_end : "raw";
    background *b = NULL;
    sigrep_status status = SIGREP_OK;
    if (!(front_end_last(session->chain)->auto_factor > 0)) return SIGREP_OK;
    for (size_t j = 0; j < session->n_templates && !status; j++) {
        const bool level = wants_level(config, j), low = wants_low(session, config, j);
        if (!level && !low) continue;
        if (config->should_stop && config->should_stop(config->user)) status = SIGREP_STOPPED;
        if (!status && !b)
            status = background_create(&b, stages, session->channels, rate_hz, error);
        template *x = &session->templates[j];
        if (!status && level) status = background_level(&x->level, b, x->frames, x->length, x->dim);
        if (!status && low) status = background_low(&x->low, b, x->frames, x->length, x->dim);
    }
    background_destroy(b);
    return status;
}

static size_t count_label(const sigrep *session, const char *label)
{
    size_t n = 0;
    for (size_t j = 0; j < session->n_templates; j++)
        n += strcmp(session->templates[j].label, label) == 0;
    return n;
}

static sigrep_status estimate_of_sound(const sigrep *session, template *x, sigrep_error *error)
{
    const stage_ops *last = front_end_last(session->chain);
    const bool by_low = last->auto_low_factor > 0;
    const double factor = by_low ? last->auto_low_factor : last->auto_factor;
    const double score = by_low ? x->low : x->level;
    if (!(score >= FLT_MIN))
        return status_fail(error, SIGREP_NO_THRESHOLD,
                           "no threshold can be estimated: the template fits all speech, or none");
    const size_t n = count_label(session, x->label);
    template_set_threshold(x, auto_threshold_of_sound(score, factor, n));
    return SIGREP_OK;
}

static sigrep_status estimate_of_numbers(template *x, sigrep_error *error)
{
    double threshold;
    const kernel_ops *ops = kernel_choose("cpu", NULL, error);
    const sigrep_status status = ops ? auto_threshold(&threshold, x, ops) : SIGREP_NO_KERNEL;
    if (status) return status_fail(error, status, "%s", sigrep_status_text(status));
    template_set_threshold(x, threshold);
    return SIGREP_OK;
}

sigrep_status session_estimate(sigrep *session, const sigrep_config *config, double rate_hz,
                               sigrep_error *error)
{
    const double factor = front_end_last(session->chain)->auto_factor;
    sigrep_status status = measure_levels(session, config, rate_hz, error);
    for (size_t j = 0; j < session->n_templates && !status; j++) {
        if (!wants_threshold(config, j)) continue;
        template *x = &session->templates[j];
        if (session->normalises)
            status =
                status_fail(error, SIGREP_NO_THRESHOLD, "zmatch has no estimate of a threshold");
        else
            status =
                factor > 0 ? estimate_of_sound(session, x, error) : estimate_of_numbers(x, error);
        const double most = config->templates[j].threshold;
        if (!status && most > 0 && x->threshold > most) template_set_threshold(x, most);
        if (status && error) error->template_index = j;
    }
    return status;
}
