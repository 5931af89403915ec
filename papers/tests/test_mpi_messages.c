/*
 * Who sends which cell to whom: compared with what the recurrence reads. No message is passed here.
 *
 * Each cell reads those of its three neighbours that exist, so edges read one. A rank must get each
 * cell of another that its own cells read: that is all that any system may leave to messages.
 */
#include <string.h>

#include "check.h"
#include "papers/mpi/messages.h"

enum { MOST = 210, MOST_RANKS = 12 };

typedef struct {
    grid g;
    unsigned char owner[MOST][MOST];
    unsigned short read[MOST]
                       [MOST]; /* a bit for each rank that reads the cell, but not its owner */
    unsigned short sent[MOST][MOST]; /* a bit for each rank to which it was sent */
    size_t reads, messages, swapped, repeated, unread;
    size_t spared; /* swapped messages that are not read */
} board;

static size_t owner_of(const grid *g, size_t i, size_t j)
{
    const size_t nu = i + j, x = j - diagonal_start(g, nu);
    size_t r = 0;
    while (x >= diagonal_part(g, nu, r).end) r++;
    return r;
}

static void add_read(board *b, size_t i, size_t j, size_t reader)
{
    const unsigned short bit = (unsigned short)(1u << reader);
    if (b->owner[i][j] == reader || b->read[i][j] & bit) return;
    b->read[i][j] |= bit;
    b->reads++;
}

static void add_reads(board *b)
{
    for (size_t i = 0; i <= b->g.n; i++)
        for (size_t j = 0; j <= b->g.m; j++) b->owner[i][j] = (unsigned char)owner_of(&b->g, i, j);
    for (size_t i = 0; i <= b->g.n; i++)
        for (size_t j = 0; j <= b->g.m; j++) {
            const size_t reader = b->owner[i][j];
            if (i > 0 && j > 0) add_read(b, i - 1, j - 1, reader);
            if (i > 0) add_read(b, i - 1, j, reader);
            if (j > 0) add_read(b, i, j - 1, reader);
        }
}

static void add_message(board *b, size_t nu, size_t j, size_t from, size_t to)
{
    const unsigned short bit = (unsigned short)(1u << to);
    CHECK(b->owner[nu - j][j] == from);
    b->messages++;
    b->repeated += (b->sent[nu - j][j] & bit) != 0;
    b->unread += (b->read[nu - j][j] & bit) == 0;
    b->sent[nu - j][j] |= bit;
}

static bool is_read(const board *b, size_t nu, size_t j, size_t reader)
{
    return b->read[nu - j][j] >> reader & 1;
}

static void add_step(board *b, parallel_system which, size_t nu)
{
    diagonal_messages of[MOST_RANKS];
    for (size_t r = 0; r < b->g.ranks; r++) of[r] = messages_after(which, &b->g, nu, r);
    for (size_t r = 0; r < b->g.ranks; r++) {
        const bool has_right = r + 1 < b->g.ranks;
        CHECK(!of[r].sends_left || r > 0);
        CHECK(!of[r].sends_right || has_right);
        if (of[r].sends_left) add_message(b, nu, of[r].first_j, r, r - 1);
        if (of[r].sends_right) add_message(b, nu, of[r].last_j, r, r + 1);
        if (of[r].sends_left && of[r].receives_left) {
            b->swapped++;
            b->spared += !is_read(b, nu, of[r].first_j, r - 1);
        }
        if (of[r].sends_right && of[r].receives_right) {
            b->swapped++;
            b->spared += !is_read(b, nu, of[r].last_j, r + 1);
        }
        /* Both ends know of each message, and of the same cell. */
        if (r > 0) {
            CHECK(of[r].sends_left == of[r - 1].receives_right);
            CHECK(of[r].receives_left == of[r - 1].sends_right);
            if (of[r].sends_left) CHECK(of[r].first_j == of[r - 1].right_j);
            if (of[r].receives_left) CHECK(of[r].left_j == of[r - 1].last_j);
        }
    }
}

static const board *play(parallel_system which, size_t n, size_t m, size_t ranks)
{
    static board b; /* large */
    memset(&b, 0, sizeof b);
    b.g = (grid){n, m, ranks};
    add_reads(&b);
    for (size_t nu = 0; nu < n + m; nu++) add_step(&b, which, nu);
    return &b;
}

static size_t missing(const board *b)
{
    size_t n = 0;
    for (size_t i = 0; i <= b->g.n; i++)
        for (size_t j = 0; j <= b->g.m; j++) n += (b->read[i][j] & ~b->sent[i][j]) != 0;
    return n;
}

/* Theorem 2, for all small matrices, m > n and idle ranks too: each cell that a rank reads of
 * another one was sent, once, and no other. */
static void opasm_sends_each_cell_that_is_read_once_and_no_other(void)
{
    for (size_t n = 1; n <= 14; n++)
        for (size_t m = 1; m <= 14; m++)
            for (size_t p = 1; p <= MOST_RANKS; p++) {
                const board *b = play(OPASM, n, m, p);
                CHECK_MSG(b->messages == b->reads && !b->repeated && !b->unread && !missing(b),
                          "n %zu m %zu p %zu", n, m, p);
                CHECK(b->swapped == 0); /* two neighbours send in one direction a step */
                CHECK(b->messages <= (p - 1) * (n + m));
            }
}

/* But those that a rank does not read are about half of them. */
static void pasm_sends_all_that_is_read_and_more(void)
{
    for (size_t n = 1; n <= 14; n++)
        for (size_t m = 1; m <= 14; m++)
            for (size_t p = 1; p <= MOST_RANKS; p++) {
                const board *b = play(PASM, n, m, p);
                CHECK_MSG(!missing(b) && !b->repeated, "n %zu m %zu p %zu", n, m, p);
                CHECK(b->messages == b->reads + b->unread);
                CHECK(b->messages <= 2 * (p - 1) * (n + m));
            }
}

/* Of PASM's messages 6 are no swap: one end each for a rank that gets its first cell, and from one
 * that had its last. Without them results are wrong. */
static void counts_of_the_square_of_200(void)
{
    const board *b = play(OPASM, 200, 200, 4);
    CHECK(b->messages == 1194 && b->reads == 1194);
    b = play(PASM, 200, 200, 4);
    CHECK(b->swapped == 2376 && b->messages == 2376 + 6 && b->reads == 1194);
    CHECK(b->swapped - b->spared + 6 == b->reads); /* so all 6 are read */
    CHECK(play(OPASM, 200, 200, 1)->messages == 0 && play(PASM, 200, 200, 1)->messages == 0);
}

/* PP-COMM as printed, lines 2 to 5 and 11 to 14, on ranks that have cells: it also sends to readers
 * that do not exist. */
static size_t printed_messages(const grid *g)
{
    size_t messages = 0;
    for (size_t nu = 0; nu < g->n + g->m; nu++)
        for (size_t r = 0; r < g->ranks; r++) {
            const part now = diagonal_part(g, nu, r), next = diagonal_part(g, nu + 1, r);
            const size_t late = nu >= g->n, l = now.end - 1;
            if (part_is_empty(now)) continue;
            const size_t right = l + 1 - late, left = now.first - late; /* may wrap: no cell */
            if (r + 1 < g->ranks) messages += !(next.first <= right && right < next.end);
            if (r > 0) messages += !(next.first <= left && left < next.end);
        }
    return messages;
}

static void pp_comm_as_printed_sends_what_nobody_reads(void)
{
    const grid square = {200, 200, 4}, more_ranks = {9, 3, 8};
    CHECK(printed_messages(&square) == 1196);
    CHECK(printed_messages(&more_ranks) > play(OPASM, 9, 3, 8)->messages);
}

int main(void)
{
    RUN(opasm_sends_each_cell_that_is_read_once_and_no_other);
    RUN(pasm_sends_all_that_is_read_and_more);
    RUN(counts_of_the_square_of_200);
    RUN(pp_comm_as_printed_sends_what_nobody_reads);
    return check_done();
}
