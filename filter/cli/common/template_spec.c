#include "filter/cli/common/template_spec.h"

#include <stdlib.h>
#include <string.h>

#include "filter/cli/common/number.h"

/* Seconds in plain decimals: digits, perhaps a point among them. */
static bool seconds_part(const char *text, size_t n, double *value)
{
    return strspn(text, "0123456789.") >= n && number_real_part(text, n, value);
}

static bool parse_range(const char *text, template_spec *spec)
{
    const char *dash = strchr(text, '-');
    if (!dash) return false;
    double start, end;
    if (!seconds_part(text, (size_t)(dash - text), &start)) return false;
    if (!seconds_part(dash + 1, strlen(dash + 1), &end) || !(start < end)) return false;
    spec->has_range = true;
    spec->start_s = start;
    spec->end_s = end;
    return true;
}

const char *template_spec_parse(template_spec *spec, const char *text)
{
    *spec = (template_spec){0};
    const char *equals = strchr(text, '='), *slash = strchr(text, '/');
    if (slash && equals > slash) equals = NULL;
    if (equals == text) return "the label is empty";
    const char *file = equals ? equals + 1 : text;
    const char *at = strrchr(file, '@');
    if (!at || !parse_range(at + 1, spec)) at = file + strlen(file);
    if (at == file) return "the file name is empty";
    spec->path = strndup(file, (size_t)(at - file));
    if (equals) spec->label = strndup(text, (size_t)(equals - text));
    if (spec->path && (spec->label || !equals)) return NULL;
    template_spec_free(spec);
    return "out of memory";
}

void template_spec_free(template_spec *spec)
{
    free(spec->label);
    free(spec->path);
    *spec = (template_spec){0};
}

const char *template_base_name(const char *path)
{
    const char *base = path;
    for (const char *c = path; *c; c++) {
        if (*c == '/' && c[1] && c[1] != '/') base = c + 1;
    }
    return base;
}
