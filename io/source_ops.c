#include "io/source_ops.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool source_more_bytes(source *src, int ms)
{
    return input_more_within(&src->in, ms);
}

bool source_fail(source *src, const char *format, ...)
{
    if (src->failed) return false;
    src->failed = true;
    va_list args;
    va_start(args, format);
    vsnprintf(src->error, sizeof src->error, format, args);
    va_end(args);
    return false;
}

bool source_fail_seekable(source *src, const char *format, ...)
{
    char what[SOURCE_REASON / 4];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (src->in.unpack && src->in.is_file)
        return source_fail(src, "%s cannot be read while it is unpacked: unpack the %s file first",
                           what, unpack_name(unpack_kind_of(src->in.unpack)));
    return source_fail(src, "%s cannot be read from a pipe: convert it by ffmpeg -i FILE -f wav -",
                       what);
}

bool source_truly_ended(source *src)
{
    if (src->in.failure) return source_fail(src, "%s", strerror(src->in.failure));
    if (src->in.fault) return source_fail(src, "%s", src->in.fault);
    return !src->in.woken;
}

bool source_fail_open(source *src, const char *reason)
{
    if (source_truly_ended(src)) return source_fail(src, "%s", reason);
    return source_fail(src, "interrupted before the first sample");
}

void source_warn(source *src, const char *format, ...)
{
    if (src->n_warnings == SOURCE_WARNINGS) {
        src->dropped_warnings++;
        return;
    }
    size_t slot = (src->first_warning + src->n_warnings++) % SOURCE_WARNINGS;
    va_list args;
    va_start(args, format);
    vsnprintf(src->warnings[slot], SOURCE_REASON, format, args);
    va_end(args);
}
