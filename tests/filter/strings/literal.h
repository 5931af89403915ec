/*
 * literal.h - docs/SEMANTICS.md, "Strings", as a slow program: whole columns from each origin, and
 * none of our code but the type of a match.
 */
#ifndef TESTS_FILTER_STRINGS_LITERAL_H
#define TESTS_FILTER_STRINGS_LITERAL_H

#include <stdbool.h>
#include <stdlib.h>

#include "sigrep_text.h"

typedef struct {
    const unsigned char *x, *y;
    size_t m, n, k;
    bool (*same)(unsigned char x, unsigned char y);
} literal_problem;

/* Columns D(.,t) and S(.,t) of origin o. Letters and origins count from 1, as on that page. */
typedef struct {
    size_t *d, *s, *old_d, *old_s;
} literal_columns;

static inline void literal_next(const literal_problem *q, literal_columns *c, size_t t)
{
    for (size_t i = 0; i <= q->m; i++) c->old_d[i] = c->d[i], c->old_s[i] = c->s[i];
    c->d[0] = 0;
    c->s[0] = t + 1;
    for (size_t i = 1; i <= q->m; i++) {
        const size_t cost = q->same(q->x[i - 1], q->y[t - 1]) ? 0 : 1;
        const size_t diagonal = c->old_d[i - 1] + cost, left = c->old_d[i] + 1;
        const size_t up = c->d[i - 1] + 1;
        c->d[i] = diagonal;
        c->s[i] = c->old_s[i - 1];
        if (left < c->d[i]) c->d[i] = left, c->s[i] = c->old_s[i];
        if (up < c->d[i]) c->d[i] = up, c->s[i] = c->s[i - 1];
    }
}

/* The first match from origin o, as letters from 1: end in *e (0: none), final in *f. */
static inline void literal_first(const literal_problem *q, literal_columns *c, size_t o,
                                 sigrep_text_match *match, size_t *e, size_t *f)
{
    size_t best = 0, start = 0;
    *e = 0;
    for (size_t i = 0; i <= q->m; i++) c->d[i] = i, c->s[i] = o;
    for (size_t t = o; t <= q->n; t++) {
        bool rival = false;
        literal_next(q, c, t);
        if (c->d[q->m] <= q->k && (!*e || (c->d[q->m] < best && c->s[q->m] <= *e)))
            best = c->d[q->m], start = c->s[q->m], *e = t;
        for (size_t i = 1; i <= q->m && *e; i++) rival |= c->d[i] < best && c->s[i] <= *e;
        *f = t;
        if (*e && !rival) break;
    }
    *match = (sigrep_text_match){.start = start - 1, .end = *e, .distance = best};
}

/* All matches, in order; the caller frees them. */
static inline sigrep_text_match *literal_search(const literal_problem *q, size_t *n)
{
    sigrep_text_match *list = malloc((q->n + 1) * sizeof *list);
    size_t *memory = malloc(4 * (q->m + 1) * sizeof *memory), e, f, known = 0;
    literal_columns c = {memory, memory + q->m + 1, memory + 2 * (q->m + 1),
                         memory + 3 * (q->m + 1)};
    *n = 0;
    for (size_t o = 1; o <= q->n; o = e + 1) {
        literal_first(q, &c, o, &list[*n], &e, &f);
        if (!e) break;
        if (f > known) known = f;
        list[(*n)++].final = known;
    }
    free(memory);
    return list;
}

#endif
