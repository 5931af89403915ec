/* assets.h - files that are built into the program. */
#ifndef TOOLS_SIGREP_PLOT_ASSETS_H
#define TOOLS_SIGREP_PLOT_ASSETS_H

#include <stddef.h>

typedef struct {
    const char *begin, *end;
} asset;

extern const asset asset_html, asset_css, asset_js;
extern const asset asset_d3; /* of Debian's package node-d3 */

size_t asset_size(const asset *a);

#endif
