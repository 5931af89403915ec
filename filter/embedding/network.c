#include "filter/embedding/network.h"

#include <stdlib.h>
#include <string.h>

typedef enum { FIRST, F, T, POOL_1X2, POOL_2X2, LAST } step_kind;

static const step_kind kinds[] = {FIRST,    F, T, POOL_2X2, F,        T,        F,   T, POOL_1X2,
                                  F,        T, F, T,        POOL_2X2, F,        T,   F, T,
                                  POOL_1X2, F, T, F,        T,        POOL_2X2, LAST};

enum { STEPS = sizeof kinds / sizeof *kinds };

/* One step, and the rows that it has not used up. Output j needs its rows [j stride,
 * j stride + reach]. */
typedef struct {
    step_kind kind;
    size_t bands, values; /* of a row that comes in: values of each band */
    size_t pad;           /* values of zeros at either end of it */
    size_t reach, stride;
    weights_layer layer;
    size_t held; /* rows, at most `reach` between two pushes */
    size_t room; /* floats of `rows`: those held, and the most that come in one push */
    float *rows; /* those of the step before write behind them */
} step;

struct network {
    const convolver *how;
    step steps[STEPS];
    float *memory; /* the rows of all steps, zeros at first */
};

static size_t row_floats(const step *s)
{
    return s->bands * s->values + 2 * s->pad;
}

static int is_pool(step_kind kind)
{
    return kind == POOL_1X2 || kind == POOL_2X2;
}

/* Set all but memory. Returns the floats of memory. */
static size_t lay_out(network *self, const weights *w, size_t hop)
{
    /* Rows of 10 ms: from one to the next, and what stride the published network has here. */
    size_t grid = 1, published = 1, floats = 0, layer = 0, bands = NETWORK_BANDS, values = 1;
    for (size_t i = 0; i < STEPS; i++) {
        const step_kind kind = kinds[i];
        step *s = &self->steps[i];
        *s = (step){.kind = kind, .bands = bands, .values = values, .stride = 1};
        if (kind == FIRST || kind == F) s->pad = values;
        if (kind == FIRST || kind == T || kind == LAST) s->reach = 2 * published / grid;
        if (kind == POOL_2X2) {
            s->reach = published / grid;
            published *= 2;
            s->stride = (published < hop ? published : hop) / grid;
        }
        s->room = (s->reach + NETWORK_MOST / grid) * row_floats(s);
        floats += s->room;
        grid *= s->stride;
        if (is_pool(kind))
            bands /= 2;
        else
            s->layer = weights_of(w, layer++), values = s->layer.outputs;
    }
    return floats;
}

network *network_create(const weights *w, size_t hop, const convolver *how)
{
    network *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->how = how ? how : convolver_best();
    self->memory = calloc(lay_out(self, w, hop), sizeof *self->memory);
    if (!self->memory) {
        free(self);
        return NULL;
    }
    float *next = self->memory;
    for (size_t i = 0; i < STEPS; i++) {
        self->steps[i].rows = next;
        next += self->steps[i].room;
    }
    return self;
}

void network_destroy(network *self)
{
    if (!self) return;
    free(self->memory);
    free(self);
}

/* The values of the next row but n that enter a step. */
static float *entry(const step *s, size_t n)
{
    return s->rows + (s->held + n) * row_floats(s) + s->pad;
}

static void convolve(const network *self, const step *s, size_t n, float *out, size_t out_row)
{
    const size_t row = row_floats(s);
    convolution layer = {.kind = CONVOLUTION_LEAKY,
                         .rows = n,
                         .positions = s->bands,
                         .in = s->rows,
                         .in_row = row,
                         .in_step = s->values,
                         .tap = s->reach / 2 * row,
                         .inputs = s->layer.inputs,
                         .weights = s->layer.weights,
                         .bias = s->layer.bias,
                         .out = out,
                         .out_row = out_row,
                         .outputs = s->layer.outputs};
    if (s->kind == FIRST) layer.kind = CONVOLUTION_FIRST;
    if (s->kind == LAST) layer.kind = CONVOLUTION_LINEAR;
    if (s->kind == F) layer.tap = s->values;
    self->how->run(&layer);
}

static float greater(float a, float b)
{
    return a > b ? a : b;
}

/* One row: the greatest of two bands each, in this row and in the one `reach` later. */
static void pool(const step *s, const float *in, float *out)
{
    const size_t n = s->values;
    for (size_t b = 0; b < s->bands / 2; b++, in += 2 * n, out += n)
        for (size_t v = 0; v < n; v++) {
            const float *later = in + s->reach * row_floats(s);
            out[v] = greater(greater(in[v], in[n + v]), greater(later[v], later[n + v]));
        }
}

/* Write the rows that step i can give now to `out`, and keep what later ones need. Returns their
 * number. */
static size_t run(network *self, step *s, float *out, size_t out_row)
{
    const size_t row = row_floats(s);
    if (s->held <= s->reach) return 0;
    const size_t n = (s->held - s->reach - 1) / s->stride + 1;
    if (is_pool(s->kind))
        for (size_t j = 0; j < n; j++) pool(s, s->rows + j * s->stride * row, out + j * out_row);
    else
        convolve(self, s, n, out, out_row);
    s->held -= n * s->stride;
    memmove(s->rows, s->rows + n * s->stride * row, s->held * row * sizeof *s->rows);
    return n;
}

float *network_row(network *self, size_t next)
{
    return entry(&self->steps[0], next);
}

size_t network_push(network *self, size_t n, float *out)
{
    self->steps[0].held += n;
    for (size_t i = 0; i + 1 < STEPS; i++) {
        step *next = &self->steps[i + 1];
        next->held += run(self, &self->steps[i], entry(next, 0), row_floats(next));
    }
    return run(self, &self->steps[STEPS - 1], out, NETWORK_VALUES);
}

void network_restart(network *self)
{
    for (size_t i = 0; i < STEPS; i++) self->steps[i].held = 0;
}

void network_pass_state(network *self, state_bytes *st)
{
    for (size_t i = 0; i < STEPS; i++) {
        step *s = &self->steps[i];
        state_size(st, &s->held);
        state_must(st, s->held <= s->reach);
        if (st->is_wrong) s->held = 0;
        state_floats(st, s->rows, s->held * row_floats(s));
    }
}
