#include "tools/sigrep/fill_from_file.h"

static size_t read_samples(void *user, float *to, size_t at, size_t n)
{
    return source_read_at(user, at, to, n);
}

sigrep_status fill_from_file(sigrep *search, source *src, size_t most, size_t *got)
{
    *got = 0;
    const uint64_t left = source_frames_left(src);
    if (!left) return SIGREP_OK;
    const size_t n = left < most ? (size_t)left : most;
    const sigrep_status status = sigrep_read(search, n, read_samples, src, got);
    if (*got) source_skip(src, *got);
    return status;
}
