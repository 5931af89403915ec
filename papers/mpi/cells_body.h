/*
 * cells_body.h - cells.c for one kind. Before it is included, these are defined: VALUE and CELL,
 * types; NAME(f), the name of a function; and NAME(origin), NAME(top), NAME(side), NAME(cell) and
 * NAME(distance), functions.
 */

/* No edges. Parameters that do not overlap, so that the loop becomes vectors. */
static void NAME(inside)(const problem *p, size_t nu, part of, const CELL *restrict before,
                         const CELL *restrict one, CELL *restrict now, const VALUE *restrict x,
                         const VALUE *restrict y)
{
    for (size_t j = of.first; j < of.end; j++)
        now[j] = NAME(cell)(p, j, before[j - 1], one[j], one[j - 1], x[j - 1], y[nu - j - 1]);
}

static void NAME(diagonal)(const problem *p, size_t nu, part of, const void *before,
                           const void *one_, void *now_)
{
    const CELL *one = one_;
    CELL *now = now_;
    if (part_is_empty(of)) return;
    if (of.first == 0) {
        now[0] = nu == 0 ? NAME(origin)() : NAME(side)(one[0]);
        of.first = 1;
    }
    if (nu > 0 && of.end == nu + 1) {
        now[nu] = NAME(top)(p, one[nu - 1]);
        of.end = nu;
    }
    NAME(inside)(p, nu, of, before, one, now, p->x, p->y);
}

static void NAME(row)(const problem *p, size_t i, part of, void *row_, const void *left_,
                      const void *corner_)
{
    const VALUE *x = p->x, *y = p->y;
    CELL *row = row_, left, corner;
    memcpy(&left, left_, sizeof left);
    memcpy(&corner, corner_, sizeof corner);
    for (size_t j = of.first; j < of.end; j++) {
        const CELL up = row[j];
        if (j == 0)
            left = i == 0 ? NAME(origin)() : NAME(side)(up);
        else
            left = i == 0 ? NAME(top)(p, left)
                          : NAME(cell)(p, j, corner, up, left, x[j - 1], y[i - 1]);
        corner = up;
        row[j] = left;
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
