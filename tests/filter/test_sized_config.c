/*
 * filter/sized.c: programs that were compiled with an older, shorter sigrep.h keep
 * working; those with a newer one work unless they use a field that this library does not know.
 */
#include "filter/sized.h"

#include <stdlib.h>
#include <string.h>

#include "tests/filter/session/session_help.h"

enum { NEWER = 24 }; /* bytes that a newer version adds */

/* A copy of the first `size` bytes alone, so that a sanitizer sees reads beyond them. */
static void *truncated(const void *all, size_t size)
{
    void *copy = malloc(size);
    if (!copy) abort();
    memcpy(copy, all, size);
    memcpy(copy, &size, sizeof size);
    return copy;
}

/* The matches of three_ramps with this configuration; or why there is no search. */
static sigrep_status search(const sigrep_config *config, size_t *n, sigrep_error *error)
{
    sigrep *session;
    sigrep_status status = sigrep_create(&session, config, error);
    collection *got = config->user;
    if (!status) status = sigrep_push(session, three_ramps, N_THREE);
    if (!status) status = sigrep_finish(session);
    *n = got->n;
    got->n = 0;
    sigrep_destroy(session);
    return status;
}

static void an_older_configuration_gets_defaults(void)
{
    fixture f;
    fixture_prepare(&f);
    for (size_t size = offsetof(sigrep_config, length_min); size <= sizeof f.config; size += 8) {
        size_t n;
        sigrep_config *older = truncated(&f.config, size);
        CHECK_MSG(search(older, &n, NULL) == SIGREP_OK && n == 3, "size %zu", size);
        free(older);
    }
    collect_free(&f.got);
}

static void fields_that_are_there_count(void)
{
    fixture f;
    size_t n;
    fixture_prepare(&f);
    f.config.min_matches = 2; /* of one template: nothing is found */
    sigrep_config *with = truncated(&f.config, offsetof(sigrep_config, min_matches) + 8);
    sigrep_config *without = truncated(&f.config, offsetof(sigrep_config, min_matches));
    CHECK(search(with, &n, NULL) == SIGREP_OK && n == 0);
    CHECK(search(without, &n, NULL) == SIGREP_OK && n == 3);
    free(with);
    free(without);
    collect_free(&f.got);
}

/* Two templates, as far apart as in an older or a newer program. */
static void templates_have_the_size_of_their_program(void)
{
    fixture f;
    fixture_prepare(&f);
    for (size_t size = offsetof(sigrep_template, rate_hz); size <= sizeof f.x + NEWER; size += 8) {
        const size_t known = size < sizeof f.x ? size : sizeof f.x;
        unsigned char *two = calloc(2, size);
        size_t n;
        if (!two) abort();
        for (int j = 0; j < 2; j++) {
            f.x.label = j ? "second" : "first";
            memcpy(two + (size_t)j * size, &f.x, known);
            memcpy(two + (size_t)j * size, &size, sizeof size);
        }
        f.config.templates = (const sigrep_template *)(const void *)two;
        f.config.n_templates = 2;
        CHECK_MSG(search(&f.config, &n, NULL) == SIGREP_OK && n == 6, "size %zu", size);
        free(two);
    }
    collect_free(&f.got);
}

static void a_newer_program_may_leave_new_fields_zero(void)
{
    struct {
        sigrep_config config;
        unsigned char added[NEWER];
    } newer = {.added = {0}};
    fixture f;
    size_t n;
    sigrep_error error;
    fixture_prepare(&f);
    sigrep_config_init(&newer.config, sizeof newer);
    CHECK(newer.config.size == sizeof newer);
    newer.config.templates = &f.x;
    newer.config.n_templates = 1;
    newer.config.on_match = collect_match;
    newer.config.user = &f.got;
    CHECK(search(&newer.config, &n, NULL) == SIGREP_OK && n == 3);
    newer.added[NEWER - 1] = 1;
    CHECK(search(&newer.config, &n, &error) == SIGREP_BAD_CONFIG && n == 0);
    CHECK(strstr(error.text, "does not know"));
    collect_free(&f.got);
}

static void sizes_that_cannot_be_are_refused(void)
{
    fixture f;
    size_t n;
    sigrep_error error;
    fixture_prepare(&f);
    f.config.size = 0;
    CHECK(search(&f.config, &n, &error) == SIGREP_BAD_CONFIG && strstr(error.text, "_init"));
    fixture_prepare(&f);
    f.x.size = 0;
    CHECK(search(&f.config, &n, &error) == SIGREP_BAD_CONFIG && strstr(error.text, "sizeof"));
    fixture_prepare(&f);
    sigrep_template two[2] = {f.x, f.x};
    two[1].size = 0;
    f.config.templates = two;
    f.config.n_templates = 2;
    CHECK(search(&f.config, &n, &error) == SIGREP_BAD_CONFIG && n == 0);
    collect_free(&f.got);
}

static void init_writes_no_more_than_the_struct(void)
{
    enum { SHORT = offsetof(sigrep_config, best) };
    sigrep_config config, whole;
    memset(&config, 0x5a, sizeof config);
    sigrep_config_init(&config, SHORT);
    sigrep_config_init(&whole, sizeof whole);
    CHECK(config.size == SHORT && config.min_matches == 1 && config.rate_hz == 1);
    for (size_t i = SHORT; i < sizeof config; i++)
        CHECK(((const unsigned char *)&config)[i] == 0x5a);
    CHECK(whole.size == sizeof whole && !strcmp(whole.device, "auto"));
}

static void statistics_fill_what_the_program_knows(void)
{
    fixture f;
    sigrep_stats all = {.size = sizeof all}, some;
    struct {
        sigrep_stats stats;
        size_t added;
    } newer = {.stats = {.size = sizeof newer}, .added = 7};
    fixture_prepare(&f);
    fixture_begin(&f);
    CHECK(!sigrep_push(f.session, three_ramps, N_THREE));
    sigrep_get_stats(f.session, &all);
    CHECK(all.size == sizeof all && all.samples == N_THREE && all.kernel && all.device);
    memset(&some, 0x5a, sizeof some);
    some.size = offsetof(sigrep_stats, cells);
    sigrep_get_stats(f.session, &some);
    CHECK(some.size == offsetof(sigrep_stats, cells) && some.samples == N_THREE);
    CHECK(some.frames == all.frames && some.cells == 0x5a5a5a5a5a5a5a5a);
    sigrep_get_stats(f.session, &newer.stats);
    CHECK(newer.stats.samples == N_THREE && newer.stats.device && newer.added == 7);
    fixture_end(&f);
}

static void the_version_is_that_of_the_header(void)
{
    CHECK(strcmp(sigrep_version(), SIGREP_VERSION) == 0);
}

int main(void)
{
    RUN(an_older_configuration_gets_defaults);
    RUN(fields_that_are_there_count);
    RUN(templates_have_the_size_of_their_program);
    RUN(a_newer_program_may_leave_new_fields_zero);
    RUN(sizes_that_cannot_be_are_refused);
    RUN(init_writes_no_more_than_the_struct);
    RUN(statistics_fill_what_the_program_knows);
    RUN(the_version_is_that_of_the_header);
    return check_done();
}
