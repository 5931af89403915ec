/* filter/embedding/network.c: the same bits by every instruction set, in every cutting, after a
 * restart, from a state and at each hop; and which rows an output sees. Its values:
 * test_embedder.c. */
#include "filter/embedding/network.h"

#include <string.h>

#include "tests/check.h"

enum { ROWS = 200, MOST = (ROWS - NETWORK_FIELD) / 2 + 1, V = NETWORK_VALUES };

static float rows[ROWS][NETWORK_BANDS], whole[MOST * V], part[2 * MOST * V];
static weights *all;

static void fill_rows(uint64_t *random)
{
    for (size_t j = 0; j < ROWS; j++)
        for (size_t b = 0; b < NETWORK_BANDS; b++)
            rows[j][b] = (float)check_below(random, 7000) / 1000 - 6.9f;
}

static network *create(size_t hop, const convolver *how)
{
    network *made = network_create(all, hop, how);
    CHECK(made);
    if (!made) exit(1);
    return made;
}

/* Push rows [begin, end), cut at random. Returns the number of outputs. */
static size_t push(network *n, size_t begin, size_t end, float *out, uint64_t *random)
{
    size_t got = 0;
    while (begin < end) {
        size_t now = random ? check_below(random, NETWORK_MOST + 1) : NETWORK_MOST;
        if (now > end - begin) now = end - begin;
        for (size_t j = 0; j < now; j++) memcpy(network_row(n, j), rows[begin + j], sizeof rows[0]);
        got += network_push(n, now, out + got * V);
        begin += now;
    }
    return got;
}

static size_t push_whole(size_t hop, const convolver *how, float *out)
{
    network *n = create(hop, how);
    const size_t got = push(n, 0, ROWS, out, NULL);
    network_destroy(n);
    CHECK(got == (ROWS - NETWORK_FIELD) / hop + 1);
    return got;
}

static void instruction_sets_agree(void)
{
    uint64_t random = check_seed("sets");
    fill_rows(&random);
    for (size_t hop = 2; hop <= 4; hop += 2) {
        const size_t got = push_whole(hop, NULL, whole);
        for (size_t s = 0; convolver_at(s); s++) {
            if (!convolver_at(s)->usable()) continue;
            push_whole(hop, convolver_at(s), part);
            CHECK_MSG(memcmp(part, whole, got * V * sizeof *part) == 0, "%s",
                      convolver_at(s)->name);
        }
    }
}

static void no_cutting_matters(void)
{
    uint64_t random = check_seed("cuts");
    fill_rows(&random);
    for (size_t hop = 2; hop <= 4; hop += 2) {
        const size_t got = push_whole(hop, NULL, whole);
        network *n = create(hop, NULL);
        for (int i = 0; i < 20; i++) {
            CHECK(push(n, 0, ROWS, part, &random) == got);
            CHECK(memcmp(part, whole, got * V * sizeof *part) == 0);
            network_restart(n);
            push(n, 0, check_below(&random, ROWS), part, &random);
            network_restart(n);
        }
        network_destroy(n);
    }
}

/* Every other output of the shorter hop is one of the longer. */
static void hops_agree(void)
{
    uint64_t random = check_seed("hops");
    fill_rows(&random);
    push_whole(2, NULL, whole);
    const size_t got = push_whole(4, NULL, part);
    for (size_t j = 0; j < got; j++)
        CHECK(memcmp(part + j * V, whole + 2 * j * V, V * sizeof *part) == 0);
}

/* An output changes if and only if the row that changes lies in its field. */
static void an_output_sees_its_field(void)
{
    uint64_t random = check_seed("field");
    for (int i = 0; i < 20; i++) {
        const size_t row = check_below(&random, ROWS);
        fill_rows(&random);
        push_whole(2, NULL, whole);
        for (size_t b = 0; b < NETWORK_BANDS; b++) rows[row][b] *= b % 2 ? 2 : 0.5f;
        push_whole(2, NULL, part);
        for (size_t j = 0; j < MOST; j++) {
            const int same = memcmp(part + j * V, whole + j * V, V * sizeof *part) == 0;
            const int inside = row >= 2 * j && row < 2 * j + NETWORK_FIELD;
            CHECK_MSG(inside || same, "row %zu, output %zu", row, j);
            if (row >= 2 * j + 8 && row < 2 * j + NETWORK_FIELD - 8)
                CHECK_MSG(!same, "row %zu, output %zu", row, j);
        }
    }
}

/* Two networks that began a hop apart agree once one has read its field. */
static void a_later_start_gives_the_same_outputs(void)
{
    uint64_t random = check_seed("starts");
    fill_rows(&random);
    for (size_t hop = 2; hop <= 4; hop += 2) {
        const size_t got = push_whole(hop, NULL, whole);
        const size_t first = 1 + check_below(&random, got - 1);
        network *n = create(hop, NULL);
        CHECK(push(n, first * hop, ROWS, part, &random) == got - first);
        CHECK(memcmp(part, whole + first * V, (got - first) * V * sizeof *part) == 0);
        network_destroy(n);
    }
}

static void a_state_goes_on(void)
{
    uint64_t random = check_seed("states");
    fill_rows(&random);
    const size_t got = push_whole(2, NULL, whole);
    for (int i = 0; i < 20; i++) {
        const size_t cut = check_below(&random, ROWS + 1);
        network *first = create(2, NULL), *second = create(2, NULL);
        state_bytes to = {0}, from = {0};
        const size_t before = push(first, 0, cut, part, &random);
        state_begin_writing(&to);
        network_pass_state(first, &to);
        CHECK(state_end(&to, NULL) == SIGREP_OK);
        push(second, 0, check_below(&random, ROWS), part + before * V, &random);
        CHECK(state_begin_reading(&from, to.to, to.at, NULL) == SIGREP_OK);
        network_pass_state(second, &from);
        CHECK(state_end(&from, NULL) == SIGREP_OK);
        CHECK(push(second, cut, ROWS, part + before * V, &random) == got - before);
        CHECK(memcmp(part, whole, got * V * sizeof *part) == 0);
        network_destroy(first);
        network_destroy(second);
        state_free(&to);
    }
}

int main(void)
{
    all = weights_create();
    CHECK(all);
    if (!all) exit(1);
    RUN(instruction_sets_agree);
    RUN(no_cutting_matters);
    RUN(hops_agree);
    RUN(an_output_sees_its_field);
    RUN(a_later_start_gives_the_same_outputs);
    RUN(a_state_goes_on);
    weights_destroy(all);
    return check_done();
}
