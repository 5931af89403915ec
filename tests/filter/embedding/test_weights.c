/* filter/embedding/weights.c: the file's checksum, what is decoded from it, and its shapes. */
#include "filter/embedding/weights.h"

#include <math.h>

#include "filter/crc32.h"
#include "tests/check.h"

/* float16 by its definition (IEEE 754). */
static double half(const unsigned char *bytes)
{
    const int bits = bytes[0] | bytes[1] << 8, exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double size = exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
    return bits >> 15 ? -size : size;
}

static void the_file_is_the_one_that_was_made(void)
{
    size_t n;
    const unsigned char *bytes = weights_bytes(&n);
    CHECK(n == 656448);
    CHECK_MSG(crc32_of(bytes, n) == 0x43e84683u, "%08x", (unsigned)crc32_of(bytes, n));
}

static void layers_have_their_values_in_the_files_order(void)
{
    size_t n, at = 0;
    const unsigned char *bytes = weights_bytes(&n);
    weights *w = weights_create();
    CHECK(w);
    for (size_t i = 0; w && i < WEIGHTS_LAYERS; i++) {
        const weights_layer layer = weights_of(w, i);
        const size_t count = WEIGHTS_TAPS * layer.inputs * layer.outputs;
        CHECK(layer.inputs == (i ? weights_of(w, i - 1).outputs : 3));
        for (size_t v = 0; v < count + layer.outputs; v++, at += 2) {
            const float is = v < count ? layer.weights[v] : layer.bias[v - count];
            CHECK_MSG((double)is == half(bytes + at) && isfinite(is), "layer %zu, %zu", i, v);
        }
    }
    CHECK(at == n);
    weights_destroy(w);
}

/* What the first layer was trained for: it sees no level. float16 rounds each weight by up to 2^-11
 * of it. */
static void the_first_layers_weights_sum_to_zero(void)
{
    weights *w = weights_create();
    CHECK(w);
    if (!w) return;
    const weights_layer layer = weights_of(w, 0);
    for (size_t o = 0; o < layer.outputs; o++) {
        double sum = 0, size = 0;
        for (size_t i = 0; i < WEIGHTS_TAPS * layer.inputs; i++) {
            const double weight = (double)layer.weights[i * layer.outputs + o];
            sum += weight;
            size += fabs(weight);
        }
        CHECK_MSG(fabs(sum) <= size * 0x1p-11, "output %zu: %g of %g", o, sum, size);
    }
    weights_destroy(w);
}

int main(void)
{
    RUN(the_file_is_the_one_that_was_made);
    RUN(layers_have_their_values_in_the_files_order);
    RUN(the_first_layers_weights_sum_to_zero);
    return check_done();
}
