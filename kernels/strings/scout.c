#include "kernels/strings/scout.h"

void string_scout_begin(string_scout *s, const string_pattern *p)
{
    *s = (string_scout){.p = p, .distance = p->m};
    for (size_t w = 0; w < p->words; w++) s->up[w] = ~(uint64_t)0;
    s->up[0] <<= string_padding(p);
}

bool string_scout_next(string_scout *s, unsigned char letter)
{
    const uint64_t *same = s->p->bits[letter];
    uint64_t up = 0, down = 0; /* of the row before the word's first; row 0 stays 0 */
    for (size_t w = 0; w < s->p->words; w++) {
        const uint64_t rise = s->up[w], fall = s->down[w];
        const uint64_t x = same[w] | fall | down;
        const uint64_t level = (((x & rise) + rise) ^ rise) | x; /* diagonals without cost */
        const uint64_t ups = fall | ~(rise | level), downs = rise & level;
        const uint64_t ups_before = ups << 1 | up;
        s->up[w] = downs << 1 | down | ~(level | ups_before);
        s->down[w] = ups_before & level;
        up = ups >> 63;
        down = downs >> 63;
    }
    s->distance += up - down;
    return s->distance <= s->p->edits;
}
