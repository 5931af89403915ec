#include "io/audio/riff.h"

#include <string.h>

#include "io/bytes.h"

riff_layout riff_layout_of(detect_kind kind, const unsigned char *start)
{
    if (kind == DETECT_W64) return (riff_layout){16, 8, false, RIFF_HEADER, 8};
    if (kind == DETECT_CAF) return (riff_layout){4, 8, true, 0, 1};
    const bool is_little = memcmp(start, "RIFF", 4) == 0 || memcmp(start, "RF64", 4) == 0 ||
                           memcmp(start, "BW64", 4) == 0;
    return (riff_layout){4, 4, !is_little, 0, 2};
}

size_t riff_header_bytes(const riff_layout *l)
{
    return l->name_bytes + l->size_bytes;
}

uint64_t riff_size(const riff_layout *l, const unsigned char *header)
{
    const uint64_t size = bytes_load(header + l->name_bytes, l->size_bytes, l->big_endian);
    return size > l->header_counted ? size - l->header_counted : 0;
}

uint64_t riff_padding(const riff_layout *l, uint64_t size)
{
    return (l->align - size % l->align) % l->align;
}

bool riff_is(const unsigned char *header, const char *name)
{
    return memcmp(header, name, 4) == 0;
}

/* sox and mplayer write a little less than 2 GiB or 4 GiB, or with a header added to it. */
bool riff_is_placeholder(size_t size_bytes, uint64_t size)
{
    if (size == 0) return true;
    if (size_bytes == 8) return size > INT64_MAX / 2;
    return size >= 0xffff0000u || (size >= 0x7eff0000u && size <= 0x80000000u);
}

/* Not the signs from ':' to '?': they are the top bytes of floats from 2^-11 up to 2. */
static bool is_letter(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ' ' ||
           c == '_' || c == '(' || c == ')';
}

static bool is_name(const unsigned char *name)
{
    return is_letter(name[0]) && is_letter(name[1]) && is_letter(name[2]) && is_letter(name[3]);
}

/* The ends of the GUIDs that W64 uses. */
static bool is_guid(const unsigned char *guid)
{
    return memcmp(guid + 10, "\x00\xc0\x4f\x8e\xdb\x8a", 6) == 0 ||
           memcmp(guid + 10, "\x28\xdb\x04\xc1\x00\x00", 6) == 0;
}

bool riff_may_follow(const riff_layout *l, const unsigned char *header)
{
    static const char *const with_samples[] = {"RIFF", "RIFX", "RF64", "BW64",
                                               "FORM", "riff", "data", "SSND"};
    for (size_t i = 0; i < sizeof with_samples / sizeof *with_samples; i++)
        if (riff_is(header, with_samples[i])) return false;
    const bool is_named = l->name_bytes == 4 ? is_name(header) : is_guid(header);
    return is_named && riff_size(l, header) < (uint64_t)1 << 28;
}
