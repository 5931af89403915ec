/* What the groups of a table print comes in the order of rows, then of groups. */
#include "check.h"
#include "tools/sigrep/output/turn.h"

#include <stdlib.h>
#include <string.h>

enum { GROUPS = 3 };

static atomic_bool over;
static turnstile stile;
static turn turns[GROUPS];
static turn *const all[GROUPS] = {&turns[0], &turns[1], &turns[2]};
static char printed[1 << 16];
static size_t length;

static void print(void *user, const void *data, size_t n)
{
    (void)user;
    memcpy(printed + length, data, n);
    length += n;
}

static void end_run(void *user, const void *data, size_t n)
{
    (void)user, (void)data, (void)n;
    atomic_store(&over, true);
}

/* A group prints a word, which belongs to a row. */
static void say(size_t group, uint64_t row, const char *word)
{
    turns[group].row = row;
    turn_do(&turns[group], print, NULL, word, strlen(word));
}

static void begin(void)
{
    atomic_store(&over, false);
    turnstile_init(&stile, &over);
    for (size_t i = 0; i < GROUPS; i++) turn_begin_by_rows(&turns[i], &stile);
    length = 0;
}

static bool is_printed(const char *expected)
{
    const bool is_same = length == strlen(expected) && memcmp(printed, expected, length) == 0;
    length = 0;
    return is_same;
}

static void merges_by_row_then_by_group(void)
{
    begin();
    say(2, 1, "a ");
    say(2, 7, "d ");
    say(2, 7, "e ");
    say(0, 7, "c ");
    say(1, 5, "b ");
    say(1, UINT64_MAX, "f ");
    CHECK(length == 0 && turns_merge(all, GROUPS) && is_printed("a b c d e f "));
    CHECK(turns_merge(all, GROUPS) && length == 0);
    say(1, 9, "g");
    CHECK(turns_merge(all, GROUPS) && is_printed("g"));
    turnstile_destroy(&stile);
}

/* An input would wait for its turn here, and a group would wait for ever. */
static void holds_any_amount(void)
{
    begin();
    static char many[TURN_HELD];
    for (int i = 0; i < 3; i++) CHECK(turn_hold(&turns[0], end_run, NULL, many, sizeof many));
    turn_wait(&turns[0]);
    turn_look(&turns[0]);
    CHECK(!atomic_load(&over) && turns_merge(all, GROUPS) && atomic_load(&over));
    turnstile_destroy(&stile);
}

static void does_nothing_once_the_run_is_over(void)
{
    begin();
    say(0, 1, "a");
    turn_do(&turns[1], end_run, NULL, NULL, 0);
    say(1, 2, "b");
    turns[2].row = 1;
    CHECK(turns_merge(all, GROUPS) && is_printed(""));
    turnstile_destroy(&stile);
}

int main(void)
{
    RUN(merges_by_row_then_by_group);
    RUN(holds_any_amount);
    RUN(does_nothing_once_the_run_is_over);
    return check_done();
}
