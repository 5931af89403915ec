/* plot_options.h - the command line of sigrep-plot as a struct. */
#ifndef TOOLS_SIGREP_PLOT_PLOT_OPTIONS_H
#define TOOLS_SIGREP_PLOT_PLOT_OPTIONS_H

#include "tools/common/options/shared_options.h"

/* Strings point into argv. */
typedef struct plot_options {
    shared_options o;
    bool own_thresholds; /* those of bundles count */
    uint64_t best;       /* 0: all matches up to the threshold */
    const char *device;
    const char *page;      /* NULL: standard output, or none if there is a picture */
    const char *svg, *png; /* NULL: none */
    const char *title;     /* NULL: made of the inputs' names */
    double most_bytes;     /* of the page */
} plot_options;

#endif
