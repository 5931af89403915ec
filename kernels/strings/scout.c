#include "kernels/strings/scout.h"

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

void string_scout_begin(string_scout *s, const string_pattern *p, unsigned overhang)
{
    *s = (string_scout){.p = p, .distance = p->m};
    for (size_t w = 0; w < p->words; w++) s->up[w] = ~(uint64_t)0;
    s->up[0] <<= string_padding(p);
    if (overhang) let_hang(s, overhang);
}

bool string_scout_next(string_scout *s, unsigned char letter)
{
    const uint64_t *same = s->p->bits[letter];
    uint64_t up = 0, down = 0; /* of the row before the word's first; row 0 stays 0 */
    for (size_t w = 0; w < s->p->words; w++) {
        const string_step_words now = string_step(same[w], s->up[w], s->down[w], up, down);
        s->up[w] = now.rise;
        s->down[w] = now.fall;
        up = now.ups >> 63;
        down = now.downs >> 63;
    }
    s->distance += up - down;
    return s->distance <= s->p->edits;
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
