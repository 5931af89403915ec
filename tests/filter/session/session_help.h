/* session_help.h - searchers for the tests of session.c and session_stream.c. */
#ifndef TESTS_FILTER_SESSION_SESSION_HELP_H
#define TESTS_FILTER_SESSION_SESSION_HELP_H

#include <math.h>
#include <string.h>

#include "tests/check.h"
#include "tests/support/collect.h"

static const float ramp[3] = {1, 2, 3};

static const float three_ramps[] = {9, 1, 2, 3, 9, 1, 2, 3, 9, 1, 2, 3, 9, 9};
enum { N_THREE = sizeof three_ramps / sizeof *three_ramps };

/* A searcher with what it called back. The template is `ramp`. */
typedef struct {
    sigrep *session;
    collection got;
    sigrep_template x;
    sigrep_config config;
} bench;

/* The configuration may still be changed before bench_begin. */
static inline void bench_prepare(bench *b)
{
    memset(b, 0, sizeof *b);
    collect_begin(&b->got, 1);
    b->x = (sigrep_template){.size = sizeof(sigrep_template),
                             .label = "ramp",
                             .samples = ramp,
                             .length = 3,
                             .threshold = 0.1};
    sigrep_config_init(&b->config, sizeof b->config);
    b->config.templates = &b->x;
    b->config.n_templates = 1;
    b->config.on_match = collect_match;
    b->config.user = &b->got;
}

static inline void bench_begin(bench *b)
{
    sigrep_error error;
    sigrep_status status = sigrep_create(&b->session, &b->config, &error);
    CHECK_MSG(status == SIGREP_OK, "%s", error.text);
    if (status) exit(1);
}

static inline void bench_end(bench *b)
{
    sigrep_destroy(b->session);
    collect_free(&b->got);
}

static inline void push(bench *b, const float *y, size_t n)
{
    CHECK(sigrep_push(b->session, y, n) == SIGREP_OK);
}

static inline void finish(bench *b)
{
    CHECK(sigrep_finish(b->session) == SIGREP_OK);
}

/* Match i has these samples; `final` of UINT64_MAX is not looked at. */
static inline int match_is(const bench *b, size_t i, uint64_t start, uint64_t end, uint64_t final)
{
    if (i >= b->got.n) return 0;
    const sigrep_match *m = &b->got.matches[i];
    int same = m->start == start && m->end == end && (final == UINT64_MAX || m->final == final);
    if (!same)
        fprintf(stderr, "match %zu is [%llu, %llu), final %llu\n", i, (unsigned long long)m->start,
                (unsigned long long)m->end, (unsigned long long)m->final);
    return same;
}

#endif
