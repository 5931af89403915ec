#include "io/source_ops.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static source *src;

static void begin(void)
{
    free(src);
    src = calloc(1, sizeof *src);
    if (!src) abort();
}

static bool fails_with(const char *reason)
{
    if (strcmp(src->error, reason) != 0) fprintf(stderr, "error: %s\n", src->error);
    return src->failed && strcmp(src->error, reason) == 0;
}

static void the_first_reason_counts(void)
{
    begin();
    CHECK(!source_fail(src, "bad frame %d", 7));
    CHECK(!source_fail(src, "another"));
    CHECK(fails_with("bad frame 7"));
}

static void long_reasons_are_cut(void)
{
    char words[2 * SOURCE_REASON];
    memset(words, 'x', sizeof words);
    words[sizeof words - 1] = '\0';
    begin();
    source_fail(src, "%s", words);
    source_warn(src, "%s", words);
    CHECK(strlen(src->error) == SOURCE_REASON - 1);
    CHECK(strlen(src->warnings[0]) == SOURCE_REASON - 1);
}

static void an_end_a_wake_and_a_failure_differ(void)
{
    begin();
    CHECK(source_truly_ended(src) && !src->failed);
    src->in.woken = true;
    CHECK(!source_truly_ended(src) && !src->failed);
    src->in.failure = EIO;
    CHECK(!source_truly_ended(src) && fails_with(strerror(EIO)));
}

static void while_opening_all_three_are_errors(void)
{
    begin();
    CHECK(!source_fail_open(src, "cut short") && fails_with("cut short"));
    begin();
    src->in.woken = true;
    CHECK(!source_fail_open(src, "cut short") && fails_with("interrupted before the first sample"));
    begin();
    src->in.failure = EIO;
    CHECK(!source_fail_open(src, "cut short") && fails_with(strerror(EIO)));
}

/* Warnings come in order. At most SOURCE_WARNINGS are stored; the others are counted. */
static void warnings_are_a_ring(void)
{
    char wanted[SOURCE_REASON];
    int next = 0, fetched = 0;
    begin();
    CHECK(!source_warning(src));
    for (; next < 10; next++) source_warn(src, "line %d", next);
    for (; fetched < 7; fetched++) {
        snprintf(wanted, sizeof wanted, "line %d", fetched);
        CHECK(strcmp(source_warning(src), wanted) == 0);
    }
    for (; next < 7 + SOURCE_WARNINGS + 5; next++) source_warn(src, "line %d", next);
    for (; fetched < 7 + SOURCE_WARNINGS; fetched++) {
        snprintf(wanted, sizeof wanted, "line %d", fetched);
        CHECK(strcmp(source_warning(src), wanted) == 0);
    }
    CHECK(strcmp(source_warning(src), "5 more warnings left out") == 0 && !source_warning(src));
}

static void more_bytes_go_to_the_buffer(void)
{
    int ends[2];
    static unsigned char buffer[INPUT_CAPACITY];
    begin();
    if (pipe(ends) != 0) abort();
    src->in = (input){.fd = ends[0], .wake_fd = -1, .bytes = buffer};
    CHECK(!source_more_bytes(src, 0) && !src->in.ended);
    CHECK(write(ends[1], "abc", 3) == 3);
    CHECK(source_more_bytes(src, 0) && input_have(&src->in) == 3);
    close(ends[1]);
    CHECK(!source_more_bytes(src, 0) && src->in.ended);
    close(ends[0]);
}

int main(void)
{
    RUN(the_first_reason_counts);
    RUN(long_reasons_are_cut);
    RUN(an_end_a_wake_and_a_failure_differ);
    RUN(while_opening_all_three_are_errors);
    RUN(warnings_are_a_ring);
    RUN(more_bytes_go_to_the_buffer);
    free(src);
    return check_done();
}
