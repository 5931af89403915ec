#include "tools/sigrep-plot/figure.h"
#include <stdlib.h>
struct figure {
    const char *title;
};
figure *figure_create(const char *title)
{
    figure *f = calloc(1, sizeof *f);
    if (f) f->title = title;
    return f;
}
void figure_destroy(figure *f)
{
    free(f);
}
bool figure_add(figure *f, const recording *r)
{
    (void)f;
    (void)r;
    return true;
}
bool figure_write_svg(figure *f, const char *path)
{
    (void)f;
    (void)path;
    return true;
}
bool figure_write_png(figure *f, const char *path)
{
    (void)f;
    (void)path;
    return true;
}
