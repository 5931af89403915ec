#include "filter/run_fill.h"

#include "filter/engine_fill.h"

static size_t read_samples(void *user, float *to, size_t at, size_t n)
{
    return source_read_at(user, at, to, n);
}

sigrep_status run_fill(sigrep *engine, source *src, size_t most, size_t *got)
{
    *got = 0;
    const uint64_t to_come = source_to_come(src);
    if (!to_come) return SIGREP_OK;
    const size_t n = to_come < most ? (size_t)to_come : most;
    const sigrep_status status = engine_fill(engine, n, read_samples, src, got);
    if (*got) source_pass(src, *got);
    return status;
}
