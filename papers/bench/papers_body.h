/*
 * papers_body.h - papers_algorithms.c for one kind of values. Before it is included, these are
 * defined: VALUE and CELL, types; NAME(f), the name of a function; EDGE(i), d[i][0]; and
 * NEXT(left, up, diagonal, x, y), a cell.
 */

typedef struct {
    size_t m, n;
    const VALUE *x, *y, *x_back, *y_back;
    CELL *cells;
    size_t blocks;
} NAME(part);

static CELL NAME(sequential)(const NAME(part) * p)
{
    CELL *d = p->cells, best = EDGE(p->m);
    for (size_t i = 0; i <= p->m; i++) d[i] = i ? EDGE(i) : 0;
    for (size_t j = 0; j < p->n; j++) {
        CELL diagonal = 0;
        for (size_t i = 1; i <= p->m; i++) {
            const CELL left = d[i];
            d[i] = NEXT(left, d[i - 1], diagonal, p->x[i - 1], p->y[j]);
            diagonal = left;
        }
        if (d[p->m] < best) best = d[p->m];
    }
    return best;
}

/* Rows from `first` to `last` of diagonal k; row i has column k - i + 1. */
static void NAME(one_diagonal)(const NAME(part) * p, size_t k, size_t first, size_t last,
                               const CELL *restrict before, const CELL *restrict one,
                               CELL *restrict now)
{
    const VALUE *x = p->x + (first - 1), *y = p->y_back + (p->n - 1 + first - k);
    for (size_t c = 0; c <= last - first; c++) {
        const size_t i = first + c;
        now[i] = NEXT(one[i], one[i - 1], before[i - 1], x[c], y[c]);
    }
}

static CELL NAME(diagonals)(const NAME(part) * p)
{
    const size_t m = p->m, n = p->n;
    CELL *before = p->cells, *one = before + m + 1, *now = one + m + 1, best = EDGE(m);
    before[0] = one[0] = now[0] = 0;
    one[1] = EDGE(1);
    for (size_t k = 1; k < n + m; k++) {
        const size_t first = k > n ? k - n + 1 : 1, last = k < m ? k : m;
        NAME(one_diagonal)(p, k, first, last, before, one, now);
        if (k < m) now[k + 1] = EDGE(k + 1);
        if (last == m && now[m] < best) best = now[m];
        CELL *spare = before;
        before = one;
        one = now;
        now = spare;
    }
    return best;
}

/* Columns j to `last` of diagonal k, of which none but the first is a multiple of m: they are
 * neighbours in the ring. No cell is at an edge. */
static void NAME(run_of_ring)(const NAME(part) * p, size_t k, size_t j, size_t last,
                              const CELL *restrict before, const CELL *restrict one,
                              CELL *restrict now)
{
    const size_t m = p->m, at = j % m, left = at ? at - 1 : m - 1;
    const VALUE *x = p->x_back + (m - 1 - (k - j)), *y = p->y + (j - 1);
    now[at] = NEXT(one[left], one[at], before[left], x[0], y[0]);
    for (size_t c = 1; c <= last - j; c++)
        now[at + c] = NEXT(one[at + c - 1], one[at + c], before[at + c - 1], x[c], y[c]);
}

/* Row 1 of diagonal k is column k, and column 1 is row k: their neighbours are edges. */
static void NAME(edges_of_ring)(const NAME(part) * p, size_t k, const CELL *one, CELL *now)
{
    const size_t m = p->m;
    if (k <= p->n) {
        const CELL left = k == 1 ? EDGE(1) : one[(k - 1) % m];
        now[k % m] = NEXT(left, (CELL)0, (CELL)0, p->x[0], p->y[k - 1]);
    }
    if (k > 1 && k <= m) now[1 % m] = NEXT(EDGE(k), one[1 % m], EDGE(k - 1), p->x[k - 1], p->y[0]);
}

static CELL NAME(ring)(const NAME(part) * p)
{
    const size_t m = p->m, n = p->n;
    CELL *before = p->cells, *one = before + m, *now = one + m, best = EDGE(m);
    for (size_t k = 1; k < n + m; k++) {
        size_t j = k > m ? k + 1 - m : 2;          /* row m, or the one above column 1 */
        const size_t last = k - 1 < n ? k - 1 : n; /* row 2, or a later one */
        NAME(edges_of_ring)(p, k, one, now);
        while (j <= last) {
            const size_t end = (j / m + 1) * m - 1;
            NAME(run_of_ring)(p, k, j, end < last ? end : last, before, one, now);
            j = end + 1;
        }
        if (k >= m && now[(k + 1 - m) % m] < best) best = now[(k + 1 - m) % m];
        CELL *spare = before;
        before = one;
        one = now;
        now = spare;
    }
    return best;
}

/* Columns [begin, begin + length) by themselves. */
static NAME(part) NAME(part_of)(const NAME(part) * p, size_t begin, size_t length)
{
    const size_t rest = p->n - begin, n = length < rest ? length : rest;
    NAME(part) part = *p;
    part.n = n;
    part.y = p->y + begin;
    part.y_back = p->y_back + (p->n - begin - n);
    return part;
}

static CELL NAME(cut)(const NAME(part) * p, size_t shift, size_t length,
                      CELL (*match)(const NAME(part) *))
{
    CELL best = EDGE(p->m);
    for (size_t begin = 0;; begin += shift) {
        const NAME(part) part = NAME(part_of)(p, begin, length);
        const CELL cost = match(&part);
        if (cost < best) best = cost;
        if (p->n - begin <= length) return best;
    }
}

static CELL NAME(blocks)(const NAME(part) * p)
{
    const size_t overlap = 2 * p->m;
    const size_t shift = p->n > overlap ? (p->n - overlap + p->blocks - 1) / p->blocks : 1;
    return NAME(cut)(p, shift, shift + overlap, NAME(diagonals));
}

static CELL NAME(match)(papers_algorithm algorithm, const NAME(part) * p)
{
    switch (algorithm) {
    case PAPERS_DIAGONALS: return NAME(diagonals)(p);
    case PAPERS_SLID: return NAME(ring)(p);
    case PAPERS_SEGMENTS: return NAME(cut)(p, p->m, 3 * p->m, NAME(ring));
    case PAPERS_BLOCKS: return NAME(blocks)(p);
    case PAPERS_SEQUENTIAL:
    case PAPERS_ALGORITHMS: break;
    }
    return NAME(sequential)(p);
}
