/*
 * scalar.c - the readable reference: the recurrence of Sellers (1980), a column for each letter.
 *
 *     D(0,t) = 0      D(i,0) = i
 *     D(i,t) = min(D(i-1,t-1) + (x_i != y_t), D(i,t-1) + 1, D(i-1,t) + 1)
 */
#include <stdlib.h>

#include "kernels/strings/strings.h"

struct string_sweep {
    const string_pattern *p;
    uint32_t *column; /* D(0 ... m, t) */
};

static bool usable(void)
{
    return true;
}

static void reset(string_sweep *s)
{
    for (size_t i = 0; i <= s->p->m; i++) s->column[i] = (uint32_t)i;
}

static void destroy(string_sweep *s)
{
    if (!s) return;
    free(s->column);
    free(s);
}

static string_sweep *create(const string_pattern *p, size_t chunk)
{
    (void)chunk;
    string_sweep *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->p = p;
    s->column = malloc((p->m + 1) * sizeof *s->column);
    if (s->column) {
        reset(s);
        return s;
    }
    destroy(s);
    return NULL;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Go on by a letter. Returns D(m,t). */
static uint32_t next_column(string_sweep *s, unsigned char letter)
{
    uint32_t *d = s->column, diagonal = 0;
    for (size_t i = 1; i <= s->p->m; i++) {
        const uint32_t left = d[i];
        const uint32_t replaced = diagonal + !string_matches(s->p, i, letter);
        d[i] = least(replaced, least(left, d[i - 1]) + 1);
        diagonal = left;
    }
    return d[s->p->m];
}

static bool sweep(string_sweep *s, const unsigned char *letters, size_t n, uint32_t *minima)
{
    for (size_t t = 0; t < n; t++) {
        uint32_t *minimum = &minima[t / STRING_BLOCK];
        if (t % STRING_BLOCK == 0) *minimum = (uint32_t)s->p->edits + 1;
        *minimum = least(*minimum, next_column(s, letters[t]));
    }
    return true;
}

const string_ops string_scalar = {.name = "scalar",
                                  .chunk = STRING_CPU_CHUNK,
                                  .usable = usable,
                                  .create = create,
                                  .destroy = destroy,
                                  .reset = reset,
                                  .sweep = sweep};
