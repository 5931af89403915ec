#include "tests/support/literal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A match of one template, before label groups decide. It is pending from `first` frames on, until
 * `final` frames. */
typedef struct {
    long index, start, last, first, final, origin;
    float d;
    int is_open; /* its label group may still choose it */
} match;

typedef struct {
    match *v;
    long n;
} matches;

static void add(matches *list, match item)
{
    if ((list->n & (list->n - 1)) == 0) /* 0, or a power of 2 */
        list->v = realloc(list->v, (size_t)(2 * list->n + 1) * sizeof *list->v);
    list->v[list->n++] = item;
}

/* The recurrence of one template, from an origin. */
typedef struct {
    const literal_problem *p;
    const literal_template *x;
    const float *y;
    float *d, *was;
    long *s, *was_s; /* `was`: of the column before */
    long lmin, lmax;
} dtw;

static void cold(dtw *w, long origin)
{
    for (long i = 0; i < w->x->m; i++) {
        w->d[i] = INFINITY;
        w->s[i] = origin;
    }
}

static float cost_of(const dtw *w, long i, long t)
{
    float cost = 0;
    for (long k = 0; k < w->p->dim; k++) {
        float one = fabsf(w->x->x[i * w->p->dim + k] - w->y[t * w->p->dim + k]);
        cost = k ? cost + one : one;
    }
    return cost;
}

static void column(dtw *w, long t)
{
    float *was = w->d;
    long *was_s = w->s;
    w->d = w->was;
    w->s = w->was_s;
    w->was = was;
    w->was_s = was_s;
    for (long i = 0; i < w->x->m; i++) {
        float cost = cost_of(w, i, t);
        float best = i ? was[i - 1] : 0; /* the diagonal */
        long s = i ? was_s[i - 1] : t;
        if (was[i] < best) { /* left */
            best = was[i];
            s = was_s[i];
        }
        if (i ? w->d[i - 1] < best : 0 < best) { /* up */
            best = i ? w->d[i - 1] : 0;
            s = i ? w->s[i - 1] : t;
        }
        w->d[i] = best + cost;
        w->s[i] = s;
    }
}

static int in_gate(const dtw *w, long t)
{
    long length = t - w->s[w->x->m - 1] + 1;
    return isfinite(w->d[w->x->m - 1]) && length >= w->lmin && length <= w->lmax;
}

/* Matches of one template in the span [from, to). */
static void search_span(dtw *w, long index, long from, long to, float eps, matches *out)
{
    long known = 0; /* what comes after a match cannot be known before it */
    for (long origin = from; origin < to;) {
        match best = {.index = index, .final = -1, .origin = origin};
        int found = 0, final = 0;
        cold(w, origin);
        for (long t = origin; t < to && !final; t++) {
            column(w, t);
            float d = w->d[w->x->m - 1];
            long s = w->s[w->x->m - 1];
            if (d <= eps && in_gate(w, t) && (!found || (d < best.d && s <= best.last))) {
                if (!found) best.first = t + 1 > known ? t + 1 : known;
                found = 1;
                best.start = s;
                best.last = t;
                best.d = d;
            }
            if (!found) continue;
            final = 1;
            for (long i = 0; i < w->x->m; i++)
                if (w->d[i] < best.d && w->s[i] <= best.last && t - w->s[i] + 1 <= w->lmax)
                    final = 0;
            if (final) best.final = t + 1;
        }
        if (!found) return;
        if (!final) best.final = to + 1;
        if (best.final < known) best.final = known;
        known = best.final;
        add(out, best);
        origin = best.last + 1;
    }
}

static int is_gap(const literal_problem *p, const float *y, long t)
{
    for (long k = 0; k < p->dim; k++)
        if (!isfinite(y[t * p->dim + k])) return 1;
    return 0;
}

static dtw dtw_of(const literal_problem *p, const literal_template *x, const float *y)
{
    dtw w = {.p = p, .x = x, .y = y};
    w.lmin = (long)ceil((x->max > 0 ? x->min : p->min) * (double)x->m);
    if (w.lmin < 1) w.lmin = 1;
    w.lmax = (long)floor((x->max > 0 ? x->max : p->max) * (double)x->m);
    w.d = malloc((size_t)x->m * sizeof *w.d);
    w.s = malloc((size_t)x->m * sizeof *w.s);
    w.was = malloc((size_t)x->m * sizeof *w.was);
    w.was_s = malloc((size_t)x->m * sizeof *w.was_s);
    return w;
}

static void dtw_free(dtw *w)
{
    free(w->d);
    free(w->s);
    free(w->was);
    free(w->was_s);
}

static long span_end(const literal_problem *p, const float *y, long n, long t)
{
    while (t < n && !is_gap(p, y, t)) t++;
    return t;
}

static float eps_of(const literal_template *x)
{
    float eps = (float)(x->threshold * (double)x->m);
    for (int i = 0; i < 3; i++) eps = nextafterf(eps, INFINITY);
    while ((double)eps / (double)x->m > x->threshold) eps = nextafterf(eps, -INFINITY);
    return eps;
}

static int by_start(const void *pa, const void *pb)
{
    const match *a = pa, *b = pb;
    if (a->start != b->start) return a->start < b->start ? -1 : 1;
    if (a->last != b->last) return a->last < b->last ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static int overlap(const match *a, const match *b)
{
    return a->start <= b->last && b->start <= a->last;
}

static double ratio(const literal_problem *p, const match *a)
{
    const literal_template *x = &p->templates[a->index];
    return x->threshold > 0 ? (double)a->d / (double)x->m / x->threshold : 0;
}

/* Does a win over b if they overlap? */
static int beats(const literal_problem *p, const match *a, const match *b)
{
    if (ratio(p, a) != ratio(p, b)) return ratio(p, a) < ratio(p, b);
    if (a->last != b->last) return a->last < b->last;
    return a->index < b->index;
}

/* Do as many templates agree as the label of a asks for? All are sorted by start. */
static int supported(const literal_problem *p, const matches *all, const match *a)
{
    long agreeing = 0, wanted = 0;
    for (long j = 0; j < p->n_templates; j++) {
        const literal_template *x = &p->templates[j];
        if (x->label == p->templates[a->index].label && x->min_matches > wanted)
            wanted = x->min_matches;
        int one = 0;
        for (long i = 0; i < all->n && all->v[i].start <= a->last && !one; i++)
            one = all->v[i].index == j && overlap(&all->v[i], a);
        agreeing += one;
    }
    return agreeing >= (wanted ? wanted : p->min_matches);
}

/* The least number of frames, from `close` up to `latest`, after which no match of the label is
 * pending; `latest` if there is none. */
static long none_pending(const matches *all, long close, long latest)
{
    for (; close < latest; close++) {
        int pending = 0;
        for (long i = 0; i < all->n && !pending; i++)
            pending = all->v[i].first <= close && close < all->v[i].final;
        if (!pending) break;
    }
    return close;
}

/* Choose the results among all matches of one label group, which are sorted by start. */
static void decide_label_group(const literal_problem *p, const float *y, long n, matches *all,
                               long lmax, int alone, matches *results)
{
    if (all->n) qsort(all->v, (size_t)all->n, sizeof *all->v, by_start);
    matches kept = {0};
    long last_close = 0;
    for (long at = 0; at < all->n;) {
        long to = at + 1, end = all->v[at].last + 1;
        while (to < all->n && all->v[to].start < end &&
               all->v[to].start <= all->v[at].start + 8 * lmax) {
            if (all->v[to].last + 1 > end) end = all->v[to].last + 1;
            to++;
        }
        long close = end + lmax - 1, last = span_end(p, y, n, end);
        if (close > last) close = last + 1;
        close = none_pending(all, close, last < end + 2 * lmax - 1 ? last + 1 : end + 2 * lmax - 1);
        if (close < last_close) close = last_close; /* groups are decided in their order */
        for (long i = at; i < to; i++) {
            all->v[i].is_open = supported(p, all, &all->v[i]);
            for (long k = 0; k < kept.n && all->v[i].is_open; k++)
                all->v[i].is_open = !overlap(&kept.v[k], &all->v[i]);
        }
        for (;;) {
            long best = -1;
            for (long i = at; i < to; i++)
                if (all->v[i].is_open && (best < 0 || beats(p, &all->v[i], &all->v[best])))
                    best = i;
            if (best < 0) break;
            add(&kept, all->v[best]);
            for (long i = at; i < to; i++)
                if (overlap(&all->v[best], &all->v[i])) all->v[i].is_open = 0;
            match result = all->v[best];
            if (!alone) result.final = close;
            add(results, result);
        }
        last_close = close;
        at = to;
    }
    free(kept.v);
}

static int by_final(const void *pa, const void *pb)
{
    const match *a = pa, *b = pb;
    if (a->final != b->final) return a->final < b->final ? -1 : 1;
    if (a->last != b->last) return a->last < b->last ? -1 : 1;
    if (a->index != b->index) return a->index < b->index ? -1 : 1;
    return a->start < b->start ? -1 : a->start > b->start;
}

static long deliver(const literal_problem *p, matches *results, literal_match **out)
{
    *out = malloc((size_t)(results->n + 1) * sizeof **out);
    for (long i = 0; i < results->n; i++) {
        const match *e = &results->v[i];
        double m = (double)p->templates[e->index].m;
        (*out)[i] = (literal_match){.index = e->index,
                                    .start = e->start,
                                    .end = e->last + 1,
                                    .final = e->final,
                                    .score = (double)e->d / m,
                                    .origin = e->origin};
    }
    free(results->v);
    return results->n;
}

static long search_threshold(const literal_problem *p, const float *y, long n, literal_match **out)
{
    matches results = {0};
    for (long c = 0; c < p->n_templates; c++) {
        int seen = 0, members = 0;
        for (long j = 0; j < c; j++) seen |= p->templates[j].label == p->templates[c].label;
        if (seen) continue;
        matches all = {0};
        long lmax = 0;
        for (long j = c; j < p->n_templates; j++) {
            if (p->templates[j].label != p->templates[c].label) continue;
            dtw w = dtw_of(p, &p->templates[j], y);
            members++;
            if (w.lmax > lmax) lmax = w.lmax;
            for (long t = 0; t < n; t++) {
                long end = span_end(p, y, n, t);
                search_span(&w, j, t, end, eps_of(&p->templates[j]), &all);
                t = end;
            }
            dtw_free(&w);
        }
        decide_label_group(p, y, n, &all, lmax, members == 1, &results);
        free(all.v);
    }
    if (results.n) qsort(results.v, (size_t)results.n, sizeof *results.v, by_final);
    return deliver(p, &results, out);
}

/* The lowest endpoint of [from, to); d is infinite if there is none. */
static match lowest(const literal_problem *p, long index, const float *y, long from, long to)
{
    dtw w = dtw_of(p, &p->templates[index], y);
    match best = {.index = index, .d = INFINITY, .origin = from};
    cold(&w, from);
    for (long t = from; t < to; t++) {
        column(&w, t);
        if (in_gate(&w, t) && w.d[w.x->m - 1] < best.d) {
            best.d = w.d[w.x->m - 1];
            best.start = w.s[w.x->m - 1];
            best.last = t;
        }
    }
    best.first = from; /* the part that it was found in */
    best.final = to;
    dtw_free(&w);
    return best;
}

/* The index of the part with the lowest match; -1: none has one. */
static long lowest_part(const literal_problem *p, const matches *parts)
{
    long at = -1;
    double at_score = INFINITY;
    for (long i = 0; i < parts->n; i++) {
        const match *r = &parts->v[i];
        double score = (double)r->d / (double)p->templates[r->index].m;
        if (!isfinite(score) || score > at_score) continue;
        if (score == at_score) {
            const match *b = &parts->v[at];
            if (r->last > b->last || (r->last == b->last && r->index > b->index)) continue;
        }
        at = i;
        at_score = score;
    }
    return at;
}

static long search_best(const literal_problem *p, const float *y, long n, literal_match **out)
{
    matches parts = {0}, kept = {0};
    for (long j = 0; j < p->n_templates; j++)
        for (long t = 0; t < n; t++) {
            long end = span_end(p, y, n, t);
            add(&parts, lowest(p, j, y, t, end));
            t = end;
        }
    for (long at; (at = lowest_part(p, &parts)) >= 0;) {
        match was = parts.v[at];
        long of_label = 0, overlaps = 0;
        for (long k = 0; k < kept.n; k++)
            if (p->templates[kept.v[k].index].label == p->templates[was.index].label) {
                of_label++;
                overlaps |= overlap(&kept.v[k], &was);
            }
        parts.v[at].d = INFINITY;
        if (of_label == p->best) continue;
        parts.v[at] = lowest(p, was.index, y, was.first, was.start);
        add(&parts, lowest(p, was.index, y, was.last + 1, was.final));
        was.final = n;
        if (!overlaps) add(&kept, was);
    }
    free(parts.v);
    return deliver(p, &kept, out);
}

long literal_search(const literal_problem *p, const float *y, long n, literal_match **out)
{
    return p->best ? search_best(p, y, n, out) : search_threshold(p, y, n, out);
}

float *literal_scores(const literal_problem *p, long index, const float *y, long n)
{
    float *scores = malloc((size_t)(n + 1) * sizeof *scores);
    dtw w = dtw_of(p, &p->templates[index], y);
    cold(&w, 0);
    for (long t = 0; t < n; t++) {
        if (is_gap(p, y, t)) {
            cold(&w, t + 1);
            scores[t] = NAN;
            continue;
        }
        column(&w, t);
        scores[t] = (float)((double)w.d[w.x->m - 1] / (double)w.x->m);
    }
    dtw_free(&w);
    return scores;
}

/* D(i,t) in the whole matrix from an origin; i from 1, and row 0 is below the template. */
static float at(const float *d, long m, long origin, long i, long t)
{
    if (i == 0) return 0;
    return t < origin ? INFINITY : d[(t - origin) * m + i - 1];
}

long literal_path(const literal_problem *p, const literal_match *e, const float *y,
                  literal_pair **out)
{
    const literal_template *x = &p->templates[e->index];
    const long m = x->m, o = e->origin;
    dtw w = dtw_of(p, x, y);
    float *d = malloc((size_t)((e->end - o) * m) * sizeof *d);
    literal_pair *back = malloc((size_t)(e->end - o + m) * sizeof *back);
    *out = malloc((size_t)(e->end - o + m) * sizeof **out);
    cold(&w, o);
    for (long t = o; t < e->end; t++) {
        column(&w, t);
        memcpy(d + (t - o) * m, w.d, (size_t)m * sizeof *d);
    }
    long n = 0, t = e->end - 1, i = isfinite(d[(t - o) * m + m - 1]) ? m : 0;
    while (i > 0) {
        const float diagonal = at(d, m, o, i - 1, t - 1), left = at(d, m, o, i, t - 1),
                    up = at(d, m, o, i - 1, t);
        back[n++] = (literal_pair){i - 1, t, cost_of(&w, i - 1, t)};
        if (diagonal <= left && diagonal <= up)
            i--, t--;
        else if (left <= up)
            t--;
        else
            i--;
    }
    for (long k = 0; k < n; k++) (*out)[k] = back[n - 1 - k];
    free(back);
    free(d);
    dtw_free(&w);
    return n;
}
