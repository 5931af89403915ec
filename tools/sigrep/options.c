#include "tools/sigrep/options.h"

#include <stdlib.h>

void options_free(options *o)
{
    shared_options_free(&o->shared);
    free(o->globs);
    *o = (options){0};
}

arguments_status options_parse(options *o, int argc, char **argv, char error[ARGUMENTS_ERROR_SIZE])
{
    *o = (options){.shared = shared_options_defaults(),
                   .max_count = UINT64_MAX,
                   .output = &writer_text,
                   .device = "auto"};
    return arguments_parse(&option_table, o, argc, argv, error);
}
