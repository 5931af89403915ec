#include "kernels/strings/tiles.h"

#include "kernels/strings/step.h"

string_edge string_first_edge(const string_pattern *p, size_t w)
{
    const uint64_t rows = w == 0 ? ~(uint64_t)0 << string_padding(p) : ~(uint64_t)0;
    return (string_edge){.up = rows, .down = ~rows};
}

void string_tile_sweep(const string_pattern *p, size_t w, const unsigned char *letters, size_t n,
                       string_tile *edges, string_cells *cells)
{
    string_edge rows = edges->left, bottom = {0};
    for (size_t t = 0; t < n; t++) {
        const uint64_t up = edges->top.up >> t & 1, down = edges->top.down >> t & 1;
        const string_step_words now =
            string_step(p->bits[letters[t]][w], rows.up, rows.down, up, down);
        rows = (string_edge){.up = now.rise, .down = now.fall};
        bottom.up |= now.ups >> 63 << t;
        bottom.down |= now.downs >> 63 << t;
        if (!cells) continue;
        cells->level[t] = now.level;
        cells->rising[t] = now.ups;
    }
    *edges = (string_tile){.left = rows, .top = bottom};
}

void string_stripe(const string_pattern *p, size_t first, size_t end, const unsigned char *letters,
                   size_t n, string_edge *left, string_tile *tiles)
{
    string_tile edges = {.top = {.up = ~(uint64_t)0}};
    for (size_t w = first; w < end; w++) {
        edges.left = left[w];
        if (tiles) tiles[w - first] = edges;
        string_tile_sweep(p, w, letters, n, &edges, NULL);
        left[w] = edges.left;
    }
}
