/* ascending.h - doubles in order, for qsort. */
#ifndef TOOLS_COMPANION_ASCENDING_H
#define TOOLS_COMPANION_ASCENDING_H

static inline int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#endif
