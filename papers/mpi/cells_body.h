/*
 * cells_body.h - cells.c for one kind. Before it is included, these are defined: VALUE and CELL,
 * types; NAME(f), the name of a function; and NAME(origin), NAME(top), NAME(side), NAME(cell) and
 * NAME(distance), functions.
 */

static inline CELL NAME(any)(const problem *p, size_t i, size_t j, const CELL *corner,
                             const CELL *up, const CELL *left)
{
    const VALUE *x = p->x, *y = p->y;
    if (j == 0) return i == 0 ? NAME(origin)() : NAME(side)(*up);
    if (i == 0) return NAME(top)(p, *left);
    return NAME(cell)(p, j, *corner, *up, *left, x[j - 1], y[i - 1]);
}

static void NAME(diagonal)(const problem *p, size_t nu, part of, const void *before_,
                           const void *one_, void *now_)
{
    const CELL *before = before_, *one = one_;
    CELL *now = now_;
    for (size_t j = of.first; j < of.end; j++) {
        const size_t at = j ? j - 1 : 0;
        now[j] = NAME(any)(p, nu - j, j, before + at, one + j, one + at);
    }
}

static void NAME(row)(const problem *p, size_t i, part of, void *row_, const void *left_,
                      const void *corner_)
{
    CELL *row = row_, left, corner;
    memcpy(&left, left_, sizeof left);
    memcpy(&corner, corner_, sizeof corner);
    for (size_t j = of.first; j < of.end; j++) {
        const CELL up = row[j];
        row[j] = NAME(any)(p, i, j, &corner, &up, &left);
        corner = up;
        left = row[j];
    }
}

static uint32_t NAME(distance_at)(const void *cells, size_t j)
{
    return NAME(distance)(((const CELL *)cells)[j]);
}

static const cells_functions NAME(functions) = {sizeof(CELL), sizeof(VALUE), NAME(diagonal),
                                                NAME(row), NAME(distance_at)};

#undef VALUE
#undef CELL
#undef NAME
