#include "filter/sized.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "filter/status.h"

/* The least sizes of the structs in any version. */
static const size_t LEAST_CONFIG = offsetof(sigrep_config, length_min);
static const size_t LEAST_TEMPLATE = offsetof(sigrep_template, begin);

static const sigrep_config defaults = {.channels = 1,
                                       .rate_hz = 1,
                                       .front_end = "raw",
                                       .length_min = 0.5,
                                       .length_max = 2,
                                       .min_matches = 1,
                                       .device = "auto"};

void sigrep_config_init(sigrep_config *config, size_t size)
{
    memset(config, 0, size);
    memcpy(config, &defaults, size < sizeof defaults ? size : sizeof defaults);
    config->size = size;
}

/* Copy the fields that both sides know. false: a field that this version does not know is set. */
static bool copy_known(void *to, size_t known, const void *from, size_t size)
{
    const unsigned char *bytes = from;
    for (size_t i = known; i < size; i++)
        if (bytes[i]) return false;
    memcpy(to, from, size < known ? size : known);
    return true;
}

static sigrep_status fail_newer(sigrep_error *error, const char *what)
{
    return status_fail(error, SIGREP_BAD_CONFIG,
                       "%s has fields that sigrep " SIGREP_VERSION " does not know", what);
}

/* The elements of the program's array have the size of the program's struct. */
static sigrep_status copy_templates(sigrep_template *to, const sigrep_config *given,
                                    sigrep_error *error)
{
    const unsigned char *from = (const unsigned char *)given->templates;
    const size_t size = given->templates->size;
    if (size < LEAST_TEMPLATE)
        return status_fail(error, SIGREP_BAD_CONFIG,
                           "a template's size is %zu; set it to sizeof(sigrep_template)", size);
    for (size_t j = 0; j < given->n_templates; j++, from += size) {
        if (!copy_known(&to[j], sizeof *to, from, size)) return fail_newer(error, "a template");
        if (to[j].size != size)
            return status_fail(error, SIGREP_BAD_CONFIG, "templates of size %zu and of size %zu",
                               size, to[j].size);
    }
    return SIGREP_OK;
}

sigrep_status sized_config(sigrep_config *config, const sigrep_config *given, sigrep_error *error)
{
    *config = (sigrep_config){0};
    if (given->size < LEAST_CONFIG)
        return status_fail(error, SIGREP_BAD_CONFIG,
                           "the configuration's size is %zu; sigrep_config_init sets it",
                           given->size);
    sigrep_config known = defaults;
    if (!copy_known(&known, sizeof known, given, given->size))
        return fail_newer(error, "the configuration");
    *config = known;
    config->templates = NULL;
    if (!known.templates || !known.n_templates) return SIGREP_OK;
    sigrep_template *templates = calloc(known.n_templates, sizeof *templates);
    config->templates = templates;
    return templates ? copy_templates(templates, &known, error) : SIGREP_NO_MEMORY;
}

/* The version of the library, whatever header a program was compiled with. */
const char *sigrep_version(void)
{
    return SIGREP_VERSION;
}
