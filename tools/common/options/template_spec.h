/*
 * template_spec.h - TEMPLATE as the user writes it:
 *
 *     [LABEL=]FILE[@START-END]
 *
 * The first '=' counts, if no '/' precedes it. The last '@' counts if a START-END of time_range.h
 * follows it. Else both belong to the name.
 */
#ifndef TOOLS_COMMON_OPTIONS_TEMPLATE_SPEC_H
#define TOOLS_COMMON_OPTIONS_TEMPLATE_SPEC_H

#include "tools/common/options/time_range.h"

typedef struct template_spec {
    char *label; /* NULL: none was given */
    char *path;
    bool has_range;
    time_range range; /* its text is a part of the one that was parsed */
} template_spec;

/* NULL, or why `text` is no template; then *spec is empty. The caller frees it. */
const char *template_spec_parse(template_spec *spec, const char *text);
void template_spec_free(template_spec *spec);

/* What follows the last '/' that is not at the end: "a/b/" gives "b/". */
const char *template_base_name(const char *path);

/* The base name without its extension, the label of a template that was given none: "a/b.wav" gives
 * "b", ".wav" stays. The caller frees it; NULL: out of memory. */
char *template_stem(const char *path);

#endif
