#include "tools/sigrep-calibrate/histogram.h"

#include <math.h>

enum { MOST_BINS = 20, BAR = 48, DECIMALS_MOST = 15, SKIPPED_LEAST = 3 };

/* Bin i has the scores in (from + i width, from + (i + 1) width]. */
typedef struct {
    double from, width;
    int first, last;
    int decimals; /* of edges */
} bins;

/* A short number, not below x > 0. */
static double round_up(double x)
{
    static const double steps[] = {1, 1.5, 2, 3, 5, 7};
    const double power = pow(10, floor(log10(x)));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (steps[i] * power >= x) return steps[i] * power;
    return 10 * power;
}

static int decimals_of(double x)
{
    int n = 0;
    for (double scaled = x; n < DECIMALS_MOST; n++, scaled *= 10)
        if (fabs(scaled - round(scaled)) <= 1e-6 * fabs(scaled)) break;
    return n;
}

static int bin_of(const bins *b, double score)
{
    const int i = (int)ceil((score - b->from) / b->width) - 1;
    return score <= b->from ? (i < 0 ? i : -1) : (i < 0 ? 0 : i);
}

static bins make_bins(const double *scores, size_t n, const score_gap *gap)
{
    const double range = scores[n - 1] - scores[0];
    const double width = range > 0 ? round_up(range / MOST_BINS) : 1;
    bins b = {.from = gap ? gap->threshold : floor(scores[0] / width) * width, .width = width};
    b.first = bin_of(&b, scores[0]);
    b.last = bin_of(&b, scores[n - 1]);
    const int of_from = decimals_of(b.from), of_width = decimals_of(b.width);
    b.decimals = of_from > of_width ? of_from : of_width;
    return b;
}

static void print_bin(text_buffer *out, const bins *b, int i, size_t n, size_t most)
{
    const double from = b->from + i * b->width;
    const size_t bar = (n * BAR + most - 1) / most;
    text_add_format(out, "%.*f - %.*f  ", b->decimals, from > 0 ? from : 0, b->decimals,
                    b->from + (i + 1) * b->width);
    for (size_t k = 0; k < bar; k++) text_add_string(out, "#");
    text_add_format(out, "%s%zu\n", bar ? " " : "", n);
}

/* The places in bin i, of scores from scores[*at] on. */
static size_t count(const bins *b, int i, const double *scores, size_t n, size_t *at)
{
    const size_t begin = *at;
    while (*at < n && bin_of(b, scores[*at]) <= i) ++*at;
    return *at - begin;
}

/* The bins from i on that are empty, up to the threshold. */
static int count_empty(const bins *b, int i, double next_score)
{
    const int next = bin_of(b, next_score);
    return (i < 0 && next > 0 ? 0 : next) - i;
}

void histogram_print(text_buffer *out, const double *scores, size_t n, const score_gap *gap)
{
    const bins b = make_bins(scores, n, gap);
    size_t most = 1, at = 0;
    for (int i = b.first; i <= b.last; i++) {
        const size_t here = count(&b, i, scores, n, &at);
        if (here > most) most = here;
    }
    at = 0;
    text_add_string(out, "score and places\n");
    for (int i = b.first; i <= b.last; i++) {
        if (i == 0 && gap)
            text_add_format(out, "  gap %.4g to %.4g: threshold %.9g\n", gap->low, gap->high,
                            gap->threshold);
        const int empty = count_empty(&b, i, scores[at]);
        if (empty >= SKIPPED_LEAST) {
            text_add_string(out, "  ...\n");
            i += empty - 1;
            continue;
        }
        print_bin(out, &b, i, count(&b, i, scores, n, &at), most);
    }
}
