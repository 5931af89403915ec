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
    bool replaces_only, reversed;
    unsigned overhang; /* hundredths of an edit; 0: none */
} literal_problem;

enum { LITERAL_NEVER = 1 << 29 }; /* more edits than any */

static inline size_t literal_over(const literal_problem *q, size_t letters)
{
    if (q->overhang == 0) return letters ? LITERAL_NEVER : 0;
    return letters * q->overhang / 100 + (letters * q->overhang % 100 != 0);
}

/* Columns D(.,t) and S(.,t) of origin o. Letters and origins count from 1, as on that page. */
typedef struct {
    size_t *d, *s, *old_d, *old_s;
    size_t *memory;
} literal_columns;

static inline literal_columns literal_columns_of(const literal_problem *q)
{
    const size_t rows = q->m + 1;
    size_t *memory = malloc(4 * rows * sizeof *memory);
    return (literal_columns){memory, memory + rows, memory + 2 * rows, memory + 3 * rows, memory};
}

/* The column before letter o. */
static inline void literal_begin(const literal_problem *q, literal_columns *c, size_t o)
{
    for (size_t i = 0; i <= q->m; i++) {
        const size_t deleted = q->replaces_only && i > 0 ? LITERAL_NEVER : i;
        c->d[i] = o == 1 && literal_over(q, i) < deleted ? literal_over(q, i) : deleted;
        c->s[i] = o;
    }
}

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
        if (q->replaces_only) continue;
        if (left < c->d[i]) c->d[i] = left, c->s[i] = c->old_s[i];
        if (up < c->d[i]) c->d[i] = up, c->s[i] = c->s[i - 1];
    }
}

/* Row m at letter t; at the end of the text letters may hang over it. */
static inline void literal_last_row(const literal_problem *q, const literal_columns *c, size_t t,
                                    size_t *d, size_t *s)
{
    *d = c->d[q->m], *s = c->s[q->m];
    for (size_t i = q->m; i > 0 && t == q->n; i--)
        if (c->d[i] + literal_over(q, q->m - i) < *d)
            *d = c->d[i] + literal_over(q, q->m - i), *s = c->s[i];
}

/* The interval of a reversed pattern: from the other side, no later than two distances behind. */
static inline void literal_settle(const literal_problem *q, size_t o, size_t d, size_t *start,
                                  size_t *e)
{
    const size_t to = *e + 2 * d < q->n ? *e + 2 * d : q->n;
    unsigned char *x = malloc(q->m), *y = malloc(to);
    literal_problem back = *q;
    for (size_t i = 0; i < q->m; i++) x[i] = q->x[q->m - 1 - i];
    for (size_t t = 0; t < to; t++) y[t] = q->y[to - 1 - t];
    back.x = x, back.y = y, back.n = to, back.overhang = 0;
    literal_columns c = literal_columns_of(&back);
    literal_begin(&back, &c, 1);
    for (size_t t = 1; t <= to + 1 - o; t++) {
        literal_next(&back, &c, t);
        if (c.d[q->m] != d || to + 1 - t > *e) continue;
        *start = to + 1 - t, *e = to + 1 - c.s[q->m];
        break;
    }
    free(c.memory), free(x), free(y);
}

/* The first match from origin o, as letters from 1: end in *e (0: none), final in *f. */
static inline void literal_first(const literal_problem *q, literal_columns *c, size_t o,
                                 sigrep_text_match *match, size_t *e, size_t *f)
{
    size_t best = 0, start = 0, d, s;
    *e = 0;
    literal_begin(q, c, o);
    for (size_t t = o; t <= q->n; t++) {
        bool rival = false;
        literal_next(q, c, t);
        literal_last_row(q, c, t, &d, &s);
        if (d <= q->k && (!*e || (d < best && s <= *e))) best = d, start = s, *e = t;
        for (size_t i = 1; i <= q->m && *e; i++) rival |= c->d[i] < best && c->s[i] <= *e;
        *f = t;
        if (*e && !rival && t >= *e + (q->reversed ? 2 * best : 0)) break;
    }
    if (*e && q->reversed) literal_settle(q, o, best, &start, e);
    *match = (sigrep_text_match){.start = start - 1, .end = *e, .distance = best};
}

/* All matches, in order; the caller frees them. */
static inline sigrep_text_match *literal_search(const literal_problem *q, size_t *n)
{
    sigrep_text_match *list = malloc((q->n + 1) * sizeof *list);
    size_t e, f, known = 0;
    literal_columns c = literal_columns_of(q);
    *n = 0;
    for (size_t o = 1; o <= q->n; o = e + 1) {
        literal_first(q, &c, o, &list[*n], &e, &f);
        if (!e) break;
        if (f > known) known = f;
        list[(*n)++].final = known;
    }
    free(c.memory);
    return list;
}

#endif
