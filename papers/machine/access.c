#include "papers/machine/access.h"

#include <stdlib.h>

#include "papers/machine/place.h"

/* b[i]: bank i mod w, and a row that differs from bank to bank. n is a multiple of w. */
static size_t in_same_bank(size_t i, size_t n, size_t w)
{
    const size_t bank = i % w, row = i / w, rows = n / w;
    return (row + bank) % rows * w + bank;
}

static bool read_all(const setup *s, bool banks, outcome *to)
{
    const size_t n = s->task.n, whole = n / s->width * s->width;
    machine *on = place_machine(s, s->threads, 0);
    size_t *at = malloc(n * sizeof *at);
    double *values = malloc(n * sizeof *values), sum = 0;
    const bool good = on && at && values;
    for (size_t i = 0; good && i < n; i++)
        at[i] = place_y(s) + (banks && i < whole ? in_same_bank(i, whole, s->width) : i);
    /* As the paper has it: all threads access once, then again. */
    for (size_t i = 0; good && i < n; i += s->threads) {
        const size_t now = n - i < s->threads ? n - i : s->threads;
        machine_read(on, 0, place_memory(s), now, at + i, values + i);
        machine_wait(on, 0);
    }
    for (size_t i = 0; good && i < n; i++) sum += values[i];
    free(at);
    free(values);
    return place_finish(on, good, 0, sum, to);
}

bool access_contiguous(const setup *s, outcome *to)
{
    return read_all(s, false, to);
}

bool access_banks(const setup *s, outcome *to)
{
    return read_all(s, true, to);
}
