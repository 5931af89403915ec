#include "io/audio/mpeg_header.h"

#include "tests/check.h"

static bool is(const char *bytes, size_t layer, size_t rate_hz, size_t channels, size_t size)
{
    mpeg_header h;
    return mpeg_header_parse((const unsigned char *)bytes, &h) && h.layer == layer &&
           h.rate_hz == rate_hz && h.channels == channels && h.bytes == size;
}

/* Sizes by the formulas of the standard: 144 or 72 bits / rate, layer I 12 * 4. */
static void sizes_are_those_of_the_standard(void)
{
    CHECK(is("\xff\xfb\x90\x64", 3, 44100, 2, 417));
    CHECK(is("\xff\xfb\x92\x64", 3, 44100, 2, 418));
    CHECK(is("\xff\xfb\xe4\xc4", 3, 48000, 1, 960));
    CHECK(is("\xff\xf3\x88\xc4", 3, 16000, 1, 288));
    CHECK(is("\xff\xe3\x48\xc4", 3, 8000, 1, 288));
    CHECK(is("\xff\xfd\xa0\x04", 2, 44100, 2, 626));
    CHECK(is("\xff\xf5\x80\xc4", 2, 22050, 1, 417));
    CHECK(is("\xff\xff\xe0\x04", 1, 44100, 2, 484));
    CHECK(is("\xff\xff\xe2\x04", 1, 44100, 2, 488));
}

static void reserved_values_are_none(void)
{
    static const char *const bad[] = {"\xff\xeb\x90\x64", "\xff\xf9\x90\x64", "\xff\xfb\xf0\x64",
                                      "\xff\xfb\x00\x64", "\xff\xfb\x9c\x64", "\xff\xfb\x90\x62",
                                      "\xff\xfb\x90\x34", "\xfe\xfb\x90\x64", "\xff\xcb\x90\x64"};
    mpeg_header h;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_MSG(!mpeg_header_parse((const unsigned char *)bad[i], &h), "%zu", i);
}

static void the_longest_frame_is_as_stated(void)
{
    size_t longest = 0;
    for (unsigned b1 = 0xe0; b1 < 0x100; b1++)
        for (unsigned b2 = 0; b2 < 0x100; b2++) {
            const unsigned char b[] = {0xff, (unsigned char)b1, (unsigned char)b2, 0};
            mpeg_header h;
            if (mpeg_header_parse(b, &h) && h.bytes > longest) longest = h.bytes;
        }
    CHECK_MSG(longest == MPEG_LONGEST, "%zu", longest);
}

int main(void)
{
    RUN(sizes_are_those_of_the_standard);
    RUN(reserved_values_are_none);
    RUN(the_longest_frame_is_as_stated);
    return check_done();
}
