#include "kernels/strings/scout.h"

#include <stdlib.h>

#include "kernels/strings/step.h"
#include "kernels/strings/trace.h"

/* Row i is this bit of this word. */
typedef struct {
    size_t word, bit;
} row_place;

static row_place place_of_row(const string_pattern *p, size_t i)
{
    const size_t bit = string_padding(p) + i - 1;
    return (row_place){bit / STRING_WORD, bit % STRING_WORD};
}

/* The sum of differences; modulo 2^64. */
static uint64_t rise(uint64_t up, uint64_t down)
{
    return (uint64_t)__builtin_popcountll(up) - (uint64_t)__builtin_popcountll(down);
}

/* Rows whose letters hang over rise at some rows only. */
static void let_hang(string_scout *s, unsigned overhang)
{
    s->distance = string_overhang(overhang, s->p->m);
    for (size_t i = 1; i <= s->p->m; i++) {
        const row_place at = place_of_row(s->p, i);
        if (string_overhang(overhang, i) == string_overhang(overhang, i - 1))
            s->up[at.word] &= ~((uint64_t)1 << at.bit);
    }
}

bool string_scout_init(string_scout *s, const string_pattern *p)
{
    size_t room = 1;
    while (room < string_reach(p)) room *= 2;
    *s = (string_scout){.p = p, .last = room - 1};
    s->columns = malloc(room * p->words * sizeof *s->columns);
    return s->columns != NULL;
}

void string_scout_begin(string_scout *s, const string_pattern *p, unsigned overhang)
{
    *s = (string_scout){.p = p, .distance = p->m, .columns = s->columns, .last = s->last};
    for (size_t w = 0; w < p->words; w++) s->up[w] = ~(uint64_t)0;
    s->up[0] <<= string_padding(p);
    if (overhang) let_hang(s, overhang);
}

/* Of the cells of word w, keep how they came about, and follow the paths that are older. `before`:
 * the older ones of the word before, in the column before and in this one. */
static void keep(string_scout *s, size_t w, uint64_t same, string_step_words now,
                 uint64_t before[2])
{
    const uint64_t diagonal = same | ~now.level, left = ~diagonal & now.ups;
    const uint64_t up = ~(diagonal | left), old = s->older[w];
    const uint64_t across = (diagonal & (old << 1 | before[0] >> 63)) | (left & old);
    /* Up from cell to cell: a sum carries through each run of them that an older one leads to. */
    const uint64_t first = up & (across << 1 | before[1] >> 63);
    s->columns[(s->n & s->last) * s->p->words + w] = (scout_cells){diagonal, left};
    s->older[w] = across | (up & ~(up + first));
    before[0] = old;
    before[1] = s->older[w];
}

bool string_scout_next(string_scout *s, unsigned char letter)
{
    const uint64_t *same = s->p->bits[letter];
    uint64_t up = 0, down = 0; /* of the row before the word's first; row 0 stays 0 */
    uint64_t before[2] = {0};
    s->n++;
    for (size_t w = 0; w < s->p->words; w++) {
        const string_step_words now = string_step(same[w], s->up[w], s->down[w], up, down);
        s->up[w] = now.rise;
        s->down[w] = now.fall;
        up = now.ups >> 63;
        down = now.downs >> 63;
        if (s->columns) keep(s, w, same[w], now, before);
    }
    s->distance += up - down;
    return s->distance <= s->p->edits;
}

uint64_t string_scout_length(const string_scout *s)
{
    uint64_t n = s->n;
    for (size_t i = s->p->m; i > 0 && n > 0;) {
        const row_place at = place_of_row(s->p, i);
        const scout_cells cells = s->columns[(n & s->last) * s->p->words + at.word];
        const bool left = cells.left >> at.bit & 1;
        n -= left || (cells.diagonal >> at.bit & 1);
        i -= !left;
    }
    return s->n - n;
}

void string_scout_mark(string_scout *s)
{
    for (size_t w = 0; w < s->p->words; w++) s->older[w] = ~(uint64_t)0;
    s->older[0] <<= string_padding(s->p);
}

bool string_scout_has_rival(const string_scout *s, uint64_t distance)
{
    uint64_t before = 0; /* D of the row before the word */
    for (size_t w = 0; w < s->p->words; w++) {
        for (uint64_t left = s->older[w]; left; left &= left - 1) {
            const uint64_t rows = left ^ (left - 1); /* up to the first one left */
            if (before + rise(s->up[w] & rows, s->down[w] & rows) < distance) return true;
        }
        before += rise(s->up[w], s->down[w]);
    }
    return false;
}

uint64_t string_scout_end(const string_scout *s, unsigned overhang)
{
    const size_t m = s->p->m;
    uint64_t distance = s->distance, best = distance;
    for (size_t i = m; i > 1; i--) { /* from row i to row i - 1 */
        const row_place at = place_of_row(s->p, i);
        distance += (s->down[at.word] >> at.bit & 1) - (s->up[at.word] >> at.bit & 1);
        const uint64_t all = distance + string_overhang(overhang, m - i + 1);
        best = all < best ? all : best;
    }
    return best;
}
