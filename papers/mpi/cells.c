#include "papers/mpi/cells.h"

#include <math.h>
#include <string.h>

#include "papers/mpi/partition.h"

const char *const cells_names[CELLS_KINDS] = {"signals", "strings", "maxshift", "factors"};

typedef struct {
    size_t cell, value; /* bytes */
    void (*diagonal)(const problem *p, size_t nu, part of, const void *before, const void *one,
                     void *now);
    void (*row)(const problem *p, size_t i, part of, void *row, const void *left,
                const void *corner);
    uint32_t (*distance)(const void *cells, size_t j);
} cells_functions;

#define LESS(a, b) ((a) < (b) ? (a) : (b))

/* ---- Signals ---- */

static inline float signals_origin(void)
{
    return 0;
}

static inline float signals_side(float up)
{
    return up;
}

static inline float signals_top(const problem *p, float left)
{
    (void)p;
    return left + INFINITY;
}

static inline float signals_cell(const problem *p, size_t j, float corner, float up, float left,
                                 float x, float y)
{
    (void)p;
    (void)j;
    return LESS(LESS(left, up), corner) + fabsf(x - y);
}

/* Costs are +0 or more, so their bits have their order. */
static inline uint32_t signals_distance(float cell)
{
    uint32_t bits;
    memcpy(&bits, &cell, sizeof bits);
    return bits;
}

#define VALUE float
#define CELL float
#define NAME(f) signals_##f
#include "papers/mpi/cells_body.h"

/* ---- Strings: signed, since SSE2 compares those alone ---- */

static inline int32_t strings_origin(void)
{
    return 0;
}

static inline int32_t strings_side(int32_t up)
{
    return up;
}

static inline int32_t strings_top(const problem *p, int32_t left)
{
    (void)p;
    return left + 1;
}

static inline int32_t strings_cell(const problem *p, size_t j, int32_t corner, int32_t up,
                                   int32_t left, uint8_t x, uint8_t y)
{
    (void)p;
    (void)j;
    const int32_t edited = LESS(left, up) + 1, replaced = corner + (x != y);
    return LESS(edited, replaced);
}

static inline uint32_t strings_distance(int32_t cell)
{
    return (uint32_t)cell;
}

#define VALUE uint8_t
#define CELL int32_t
#define NAME(f) strings_##f
#include "papers/mpi/cells_body.h"

/*
 * ---- MAXSHIFT, as printed ----
 *
 * A word has a bit for each edit operation of an alignment, the last one lowest, and 1 for those
 * that cost. Once j > h, the oldest bit of h goes when x goes on by a letter. But the alignment of
 * h letters that is best need not go on from the best one of h letters before.
 */

static inline uint64_t maxshift_origin(void)
{
    return 0;
}

static inline uint64_t maxshift_side(uint64_t up)
{
    return up;
}

static inline uint64_t maxshift_drop(const problem *p, uint64_t word)
{
    return word & ((UINT64_C(1) << (p->h - 1)) - 1);
}

static inline uint64_t maxshift_top(const problem *p, uint64_t left)
{
    return maxshift_drop(p, left) << 1 | 1;
}

static inline uint32_t maxshift_distance(uint64_t word)
{
    uint32_t ones = 0;
    for (; word; word &= word - 1) ones++;
    return ones;
}

/* The word with fewer ones; of two with the same number, the greater. */
static inline uint64_t maxshift_least(uint64_t a, uint64_t b)
{
    const uint32_t ones_a = maxshift_distance(a), ones_b = maxshift_distance(b);
    return ones_a < ones_b || (ones_a == ones_b && a > b) ? a : b;
}

static inline uint64_t maxshift_cell(const problem *p, size_t j, uint64_t corner, uint64_t up,
                                     uint64_t left, uint8_t x, uint8_t y)
{
    if (j > p->h) {
        left = maxshift_drop(p, left);
        corner = maxshift_drop(p, corner);
    }
    return maxshift_least(maxshift_least(up << 1 | 1, left << 1 | 1), corner << 1 | (x != y));
}

#define VALUE uint8_t
#define CELL uint64_t
#define NAME(f) maxshift_##f
#include "papers/mpi/cells_body.h"

/*
 * ---- Factors, exact ----
 *
 * For each k <= h there is a matrix of its own: E_k has x[j-k+1 .. j] in place of x[1..j].
 * Neighbour cells differ by -1, 0 or 1, so bit k - 1 of two words has a difference of E_k, and a
 * cell of all h matrices takes a few operations of words, as Myers computes 64 rows at once. As j
 * goes on, the letters that the bits count begin at the same place if all bits move up by one.
 */

typedef struct {
    uint32_t up_plus, up_minus;     /* E_k[i][j] - E_(k-1)[i][j-1] is 1, is -1 */
    uint32_t left_plus, left_minus; /* E_k[i][j] - E_k[i-1][j] is 1, is -1 */
    uint32_t distance;              /* E_k[i][j] of k = min(j, h) */
} factors_word;

static inline factors_word factors_origin(void)
{
    return (factors_word){0};
}

/* No letters of x: all zeros, in each matrix. */
static inline factors_word factors_side(factors_word up)
{
    return up;
}

/* No letters of y: each of x is an edit. */
static inline factors_word factors_top(const problem *p, factors_word left)
{
    const uint32_t more = left.distance + 1, h = (uint32_t)p->h;
    return (factors_word){.up_plus = UINT32_MAX, .distance = LESS(more, h)};
}

static inline factors_word factors_cell(const problem *p, size_t j, factors_word corner,
                                        factors_word up, factors_word left, uint8_t x, uint8_t y)
{
    const size_t k = LESS(j, p->h);
    const uint32_t plus = left.left_plus << 1, minus = left.left_minus << 1;
    const uint32_t same = (x == y ? UINT32_MAX : 0) | up.up_minus | minus; /* as the corner */
    const uint32_t left_plus = up.up_minus | ~(same | up.up_plus);
    const uint32_t left_minus = same & up.up_plus;
    (void)corner;
    return (factors_word){
        .up_plus = minus | ~(same | plus),
        .up_minus = same & plus,
        .left_plus = left_plus,
        .left_minus = left_minus,
        .distance = up.distance + (left_plus >> (k - 1) & 1) - (left_minus >> (k - 1) & 1),
    };
}

static inline uint32_t factors_distance(factors_word cell)
{
    return cell.distance;
}

#define VALUE uint8_t
#define CELL factors_word
#define NAME(f) factors_##f
#include "papers/mpi/cells_body.h"

/* ---- All kinds ---- */

static const cells_functions *const functions[CELLS_KINDS] = {
    &signals_functions, &strings_functions, &maxshift_functions, &factors_functions};

size_t cells_size(cells_kind kind)
{
    return functions[kind]->cell;
}

size_t cells_value_size(cells_kind kind)
{
    return functions[kind]->value;
}

void cells_diagonal(const problem *p, size_t nu, size_t first, size_t end, const void *before,
                    const void *one, void *now)
{
    functions[p->kind]->diagonal(p, nu, (part){first, end}, before, one, now);
}

void cells_row(const problem *p, size_t i, size_t first, size_t end, void *row, const void *left,
               const void *corner)
{
    functions[p->kind]->row(p, i, (part){first, end}, row, left, corner);
}

/* The lowest j of a result. */
static size_t results_from(const problem *p)
{
    return p->kind == CELLS_SIGNALS || p->kind == CELLS_STRINGS ? p->m : p->h;
}

static void take(const problem *p, size_t i, size_t j, const void *cells)
{
    const uint32_t distance = functions[p->kind]->distance(cells, j);
    if (i > 0 && distance < p->distance[i - 1]) p->distance[i - 1] = distance;
}

void cells_begin(const problem *p)
{
    for (size_t i = 0; i < p->n; i++) p->distance[i] = UINT32_MAX;
}

void cells_take_row(const problem *p, size_t i, size_t first, size_t end, const void *row)
{
    const size_t from = results_from(p);
    for (size_t j = first < from ? from : first; j < end; j++) take(p, i, j, row);
}

void cells_take_diagonal(const problem *p, size_t nu, size_t first, size_t end, const void *now)
{
    const size_t from = results_from(p);
    for (size_t j = first < from ? from : first; j < end; j++) take(p, nu - j, j, now);
}
