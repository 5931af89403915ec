/* template_set.h - all templates of a program, from files and bundles, and what they have in
 * common. templates.c reads and checks each; template_set.c holds them. */
#ifndef TOOLS_COMMON_TEMPLATES_TEMPLATE_SET_H
#define TOOLS_COMMON_TEMPLATES_TEMPLATE_SET_H

#include "io/source.h"
#include "sigrep.h"
#include "tools/common/options/shared_options.h"

typedef struct {
    char *path;
    char *take; /* of a bundle: the name of the recording; else NULL */
    char *label;
    float *samples;  /* length x channels values of the whole file; of a bundle frames */
    double *doubles; /* the same, of a wide source; else NULL */
    uint64_t length;
    bool shares_samples;    /* they belong to an earlier template of this file */
    uint64_t begin, end;    /* the part to keep, 0,0: all */
    double low_hz, high_hz; /* the band that a selection table gives; high_hz 0: none */
    source_info info;
    sigrep_template own;       /* of a bundle: its threshold, gate and so on; else zero */
    double ceiling;            /* of a bundle: `auto` is not above it; 0: no bound */
    uint64_t hop;              /* of a bundle: samples a frame, rounded up */
    double reported_threshold; /* an estimate; 0: none was reported */
    size_t first_of_label;     /* the index of the first template with this label */
} loaded_template;

typedef struct template_set {
    loaded_template *items;
    size_t n, n_labels;
    size_t channels;
    uint64_t names[2]; /* source_info.names of the first template that has some */
    bool rate_known;   /* some template has a rate of its own ... */
    double rate_hz;    /* ... and this is the lowest of them: all is compared at it */
    /* Of the options, else of the bundles, else "mfcc" for audio and "raw" for numbers. */
    const char *front_end;
    const char *bundle;     /* the first one's path, NULL: none. All is compared at its rate ... */
    char *bundle_front_end; /* ... by its front end */
    double bundle_rate_hz;  /* 0: the front end does not depend on it */
} template_set;

/* Load all templates of the options. false after a failure, which is reported; templates_free is
 * due in any case. */
bool templates_load(template_set *set, const shared_options *o);

/* Warn of each label with fewer templates than --min-matches: it cannot match. */
void templates_warn_of_labels(const template_set *set, const shared_options *o);

/* Can there be the front end of these templates, at one rate at least? If not, no rate mends it. */
bool templates_fit_some_rate(const template_set *set);

/* Take over a template whose fields are all allocated. If it does not go with the others, reports
 * why, frees it and returns false. */
bool templates_add(template_set *set, loaded_template *t);

/* The number of templates with this one's label. */
size_t templates_of_label(const template_set *set, const loaded_template *t);

/* Free the fields, not the struct itself. */
void loaded_template_free(loaded_template *t);
void templates_free(template_set *set);

/* Samples that a template keeps; of a bundle's, about as many as it was made of. */
uint64_t template_kept(const loaded_template *t);

/* About the cells that a sample of an input costs. */
double templates_cells(const template_set *set);

#endif
