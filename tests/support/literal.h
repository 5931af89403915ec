/*
 * literal.h - docs/SEMANTICS.md once more, literally and slowly, written apart from the
 * filter: the whole stream in memory, searched again after every match. Tests compare
 * the filter with it.
 */
#ifndef TESTS_SUPPORT_LITERAL_H
#define TESTS_SUPPORT_LITERAL_H

#include <stddef.h>

typedef struct {
    const float *x; /* m x dim */
    long m;
    int label; /* equal labels are one class */
    double threshold;
} literal_template;

typedef struct {
    const literal_template *templates;
    long n_templates;
    long dim;
    double min, max; /* length gate */
    long min_matches;
    long best; /* 0, or the number of best matches wanted */
} literal_problem;

/* start, end: frames, half-open. final: frames consumed when it was final; the end of a
 * span counts as one frame more. */
typedef struct {
    long index, start, end, final;
    double score;
} literal_match;

/* The events of a stream of n frames (non-finite ones are gaps), in order. *out is
 * allocated; returns how many. */
long literal_search(const literal_problem *p, const float *y, long n, literal_match **out);

/* D(m,t)/m of one template, NaN in gaps; n values, allocated. */
float *literal_scores(const literal_problem *p, long index, const float *y, long n);

#endif
