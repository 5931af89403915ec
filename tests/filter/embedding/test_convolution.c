/* filter/embedding/convolution.c and body.h: each instruction set gives the bits of the definition.
 */
#include "filter/embedding/convolution.h"

#include <string.h>

#include "tests/check.h"

enum { MOST_ROWS = 5, MOST_PLACES = 9, MOST_INPUTS = 30, MOST_OUTPUTS = 96, TAPS = 3 };

static float in[MOST_ROWS * 2000], kernel[TAPS * MOST_INPUTS * MOST_OUTPUTS], bias[MOST_OUTPUTS];
static float wanted[MOST_ROWS * 1100], got[MOST_ROWS * 1100];

static void fill(float *x, size_t n, uint64_t *random)
{
    for (size_t i = 0; i < n; i++) x[i] = (float)check_below(random, 20001) / 10000 - 1;
}

static float activated(convolution_kind kind, float y, float its_bias)
{
    if (kind == CONVOLUTION_LINEAR) return y;
    if (kind == CONVOLUTION_FIRST) y = (y > 0 ? y : 0) + its_bias;
    if (y < 0) y = 0.2f * y;
    return y > -0.4f ? y : -0.4f;
}

/* The definition, one output after the other. */
static void define(const convolution *layer, float *out)
{
    const size_t outputs = layer->outputs;
    for (size_t j = 0; j < layer->rows; j++)
        for (size_t f = 0; f < layer->positions; f++)
            for (size_t o = 0; o < outputs; o++) {
                const float *x = layer->in + j * layer->in_row + f * layer->in_step;
                float y = layer->kind == CONVOLUTION_FIRST ? 0 : layer->bias[o];
                for (size_t k = 0; k < TAPS; k++)
                    for (size_t c = 0; c < layer->inputs; c++)
                        y += x[k * layer->tap + c] *
                             layer->weights[(k * layer->inputs + c) * outputs + o];
                out[j * layer->out_row + f * outputs + o] =
                    activated(layer->kind, y, layer->bias[o]);
            }
}

static convolution any_layer(uint64_t *random)
{
    const size_t inputs = 1 + check_below(random, MOST_INPUTS);
    const size_t positions = 1 + check_below(random, MOST_PLACES);
    const size_t outputs = CONVOLUTION_OUTPUTS * (1 + check_below(random, 4));
    const size_t padded = positions * outputs + check_below(random, 100);
    return (convolution){.kind = (convolution_kind)check_below(random, 3),
                         .rows = 1 + check_below(random, MOST_ROWS),
                         .positions = positions,
                         .in = in,
                         .in_row = check_below(random, 500),
                         .in_step = check_below(random, 32),
                         .tap = check_below(random, 500),
                         .inputs = inputs,
                         .weights = kernel,
                         .bias = bias,
                         .out_row = padded,
                         .outputs = outputs};
}

static void all_instruction_sets_give_the_definitions_bits(void)
{
    uint64_t random = check_seed("layers");
    for (int i = 0; i < 300; i++) {
        convolution layer = any_layer(&random);
        fill(in, sizeof in / sizeof *in, &random);
        fill(kernel, sizeof kernel / sizeof *kernel, &random);
        fill(bias, MOST_OUTPUTS, &random);
        fill(wanted, sizeof wanted / sizeof *wanted, &random);
        memcpy(got, wanted, sizeof got);
        define(&layer, wanted);
        for (size_t s = 0; convolver_at(s); s++) {
            const convolver *how = convolver_at(s);
            if (!how->usable()) continue;
            static float out[sizeof got / sizeof *got];
            memcpy(out, got, sizeof got);
            layer.out = out;
            how->run(&layer);
            CHECK_MSG(memcmp(out, wanted, sizeof out) == 0, "%s, layer %d", how->name, i);
        }
    }
}

static void the_best_one_is_usable(void)
{
    CHECK(convolver_best()->usable());
    for (size_t s = 0; convolver_at(s) != convolver_best(); s++) CHECK(!convolver_at(s)->usable());
}

int main(void)
{
    for (size_t s = 0; convolver_at(s); s++)
        printf("%s: %s\n", convolver_at(s)->name, convolver_at(s)->usable() ? "tested" : "SKIP");
    RUN(all_instruction_sets_give_the_definitions_bits);
    RUN(the_best_one_is_usable);
    return check_done();
}
