/* session_help.h - searches for the tests of filter/session. */
#ifndef TESTS_FILTER_SESSION_SESSION_HELP_H
#define TESTS_FILTER_SESSION_SESSION_HELP_H

#include <math.h>
#include <string.h>

#include "tests/check.h"
#include "tests/support/collect.h"

static const float ramp[3] = {1, 2, 3};

static const float three_ramps[] = {9, 1, 2, 3, 9, 1, 2, 3, 9, 1, 2, 3, 9, 9};
enum { N_THREE = sizeof three_ramps / sizeof *three_ramps };

/* A search and its callbacks so far. The template is `ramp`. */
typedef struct {
    sigrep *session;
    collection got;
    sigrep_template x;
    sigrep_config config;
} fixture;

/* The configuration may still be changed before fixture_begin. */
static inline void fixture_prepare(fixture *f)
{
    memset(f, 0, sizeof *f);
    collect_begin(&f->got, 1);
    f->x = (sigrep_template){.size = sizeof(sigrep_template),
                             .label = "ramp",
                             .samples = ramp,
                             .length = 3,
                             .threshold = 0.1};
    sigrep_config_init(&f->config, sizeof f->config);
    f->config.templates = &f->x;
    f->config.n_templates = 1;
    f->config.on_match = collect_match;
    f->config.user = &f->got;
}

static inline void fixture_begin(fixture *f)
{
    sigrep_error error;
    sigrep_status status = sigrep_create(&f->session, &f->config, &error);
    CHECK_MSG(status == SIGREP_OK, "%s", error.text);
    if (status) exit(1);
}

static inline void fixture_end(fixture *f)
{
    sigrep_destroy(f->session);
    collect_free(&f->got);
}

static inline void push(fixture *f, const float *y, size_t n)
{
    CHECK(sigrep_push(f->session, y, n) == SIGREP_OK);
}

static inline void finish(fixture *f)
{
    CHECK(sigrep_finish(f->session) == SIGREP_OK);
}

/* Has match i these samples? `final` is not compared if UINT64_MAX. */
static inline int match_is(const fixture *f, size_t i, uint64_t start, uint64_t end, uint64_t final)
{
    if (i >= f->got.n) return 0;
    const sigrep_match *m = &f->got.matches[i];
    int same = m->start == start && m->end == end && (final == UINT64_MAX || m->final == final);
    if (!same)
        fprintf(stderr, "match %zu is [%llu, %llu), final %llu\n", i, (unsigned long long)m->start,
                (unsigned long long)m->end, (unsigned long long)m->final);
    return same;
}

#endif
