#include "tools/common/options/template_spec.h"

#include <stdlib.h>
#include <string.h>

const char *template_spec_parse(template_spec *spec, const char *text)
{
    *spec = (template_spec){0};
    const char *equals = strchr(text, '='), *slash = strchr(text, '/');
    if (slash && equals > slash) equals = NULL;
    if (equals == text) return "the label is empty";
    const char *file = equals ? equals + 1 : text;
    const char *at = strrchr(file, '@');
    spec->has_range = at && time_range_parse(&spec->range, at + 1);
    if (!spec->has_range) at = file + strlen(file);
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

char *template_stem(const char *path)
{
    const char *base = template_base_name(path), *dot = strrchr(base, '.');
    return strndup(base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
}
