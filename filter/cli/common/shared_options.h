/*
 * shared_options.h - the options that sigrep shares with the programs in tools/: templates, inputs,
 * and how both are read and compared. filter/cli/options.h adds those of sigrep alone.
 */
#ifndef FILTER_CLI_COMMON_SHARED_OPTIONS_H
#define FILTER_CLI_COMMON_SHARED_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/source.h"

typedef struct template_spec template_spec; /* template_spec.h */

/* Strings point into argv. */
typedef struct {
    template_spec *templates;
    size_t n_templates;
    const char **inputs; /* "-" is standard input, "mic:NAME" a microphone */
    size_t n_inputs;
    double duration_s;     /* of each input; 0: all */
    source_options source; /* how inputs are read */

    const char *front_end; /* NULL: the bundles', or the default for the templates */
    bool has_threshold;    /* -t with a number */
    bool auto_threshold;   /* -t auto */
    double threshold;
    bool has_length, has_min_matches; /* given: the values of bundles do not count */
    double length_min, length_max;    /* in template lengths */
    uint64_t min_matches;

    uint64_t threads; /* 0: one */
    bool verbose;
} shared_options;

/* The values without any option. */
shared_options shared_options_defaults(void);

/* Set the option with this long name. Returns NULL, or the reason why `argument` is refused. */
const char *shared_options_set(shared_options *o, const char *name, const char *argument);

/* Take the names of the inputs; if there is none, standard input. NULL, or "out of memory". */
const char *shared_options_set_inputs(shared_options *o, int n, char **names);

/* Free what *o points at. */
void shared_options_free(shared_options *o);

#endif
