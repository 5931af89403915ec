/*
 * literal.h - docs/SEMANTICS.md as code, literal and slow, without a line of the library. It has
 * the whole stream in memory, and searches it again after every match. Tests compare the library
 * with it.
 */
#ifndef TESTS_SUPPORT_LITERAL_H
#define TESTS_SUPPORT_LITERAL_H

#include <stddef.h>

typedef struct {
    const float *x; /* m x dim */
    long m;
    int label; /* templates of one label form a label group */
    double threshold;
    double min, max;  /* length gate; max 0: the problem's */
    long min_matches; /* of its label, the largest counts; 0: the problem's */
} literal_template;

typedef struct {
    const literal_template *templates;
    long n_templates;
    long dim;
    double min, max; /* length gate */
    long min_matches;
    long best; /* 0, or the number of best matches wanted */
} literal_problem;

/* start, end: frames, half-open. final: the number of frames after which it was final; the end of a
 * span counts as one frame more. */
typedef struct {
    long index, start, end, final;
    double score;
    long origin; /* the first frame that its paths might use */
} literal_match;

/* A pair of a warping path: frames of the template and of the stream, from 0, and their cost. */
typedef struct {
    long i, t;
    float cost;
} literal_pair;

/* The matches of a stream of n frames, in order of finality. Frames that are not finite are gaps.
 * The caller frees *out. Returns the number of matches. */
long literal_search(const literal_problem *p, const float *y, long n, literal_match **out);

/* D(m,t)/m of one template: n values, NaN in gaps. The caller frees them. */
float *literal_scores(const literal_problem *p, long index, const float *y, long n);

/* The warping path of a match: D of the whole matrix from its origin, then step by step back. The
 * caller frees *out. Returns the number of pairs; 0: D is infinite, so it is no match. */
long literal_path(const literal_problem *p, const literal_match *e, const float *y,
                  literal_pair **out);

#endif
