#include "kernels/strings/scout.h"

#include "kernels/strings/step.h"

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
        const string_step_words now = string_step(same[w], s->up[w], s->down[w], up, down);
        s->up[w] = now.rise;
        s->down[w] = now.fall;
        up = now.ups >> 63;
        down = now.downs >> 63;
    }
    s->distance += up - down;
    return s->distance <= s->p->edits;
}
