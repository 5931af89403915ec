#include "io/audio/riff.h"

#include <string.h>

#include "tests/check.h"

static riff_layout layout(detect_kind kind, const char *start)
{
    return riff_layout_of(kind, (const unsigned char *)start);
}

static const unsigned char *header(const char *bytes)
{
    return (const unsigned char *)bytes;
}

static void sizes_and_paddings(void)
{
    const riff_layout riff = layout(DETECT_WAV, "RIFF"), rifx = layout(DETECT_WAV, "RIFX");
    const riff_layout aiff = layout(DETECT_AIFF, "FORM"), caf = layout(DETECT_CAF, "caff");
    const riff_layout w64 = layout(DETECT_W64, "riff");
    CHECK(riff_size(&riff, header("LIST\1\2\0\0")) == 0x201);
    CHECK(riff_size(&rifx, header("LIST\0\0\2\1")) == 0x201);
    CHECK(riff_size(&aiff, header("NAME\0\0\2\1")) == 0x201);
    CHECK(riff_size(&caf, header("free\0\0\0\1\0\0\0\0")) == (uint64_t)1 << 32);
    CHECK(riff_size(&w64, header("bextGGGGGGGGGGGG\x1a\0\0\0\1\0\0\0")) == ((uint64_t)1 << 32) + 2);
    CHECK(riff_size(&w64, header("bextGGGGGGGGGGGG\x17\0\0\0\0\0\0\0")) == 0);
    CHECK(riff_padding(&riff, 3) == 1 && riff_padding(&riff, 4) == 0);
    CHECK(riff_padding(&w64, 1) == 7 && riff_padding(&w64, 8) == 0);
    CHECK(riff_padding(&caf, 3) == 0);
}

static void placeholders(void)
{
    CHECK(riff_is_placeholder(4, 0) && riff_is_placeholder(8, 0));
    CHECK(riff_is_placeholder(4, 0xffffffff) && riff_is_placeholder(4, 0xffffffdb));
    CHECK(riff_is_placeholder(4, 0x7ffff000) && riff_is_placeholder(4, 0x7f000008));
    CHECK(riff_is_placeholder(4, 0x80000000) && riff_is_placeholder(8, UINT64_MAX));
    CHECK(!riff_is_placeholder(4, 2) && !riff_is_placeholder(4, 0x90000000));
    CHECK(!riff_is_placeholder(8, 0xffffffff) && !riff_is_placeholder(8, 0x7ffff000));
}

static void what_may_follow_samples(void)
{
    const riff_layout l = layout(DETECT_WAV, "RIFF"), w64 = layout(DETECT_W64, "riff");
    CHECK(riff_may_follow(&l, header("LIST\4\0\0\0")));
    CHECK(riff_may_follow(&l, header("cue \4\0\0\0")));
    CHECK(riff_may_follow(&l, header("_PMX\xff\xff\xff\x0f")));
    CHECK(!riff_may_follow(&l, header("LIST\0\0\0\x10")));
    CHECK(!riff_may_follow(&l, header("RIFF\4\0\0\0")));
    CHECK(!riff_may_follow(&l, header("data\4\0\0\0")));
    CHECK(!riff_may_follow(&l, header("\0\0\0\0\0\0\0\0")));
    CHECK(!riff_may_follow(&l, header("aaa=\4\0\0\0")));
    CHECK(riff_may_follow(&w64, header("bext\xf3\xac\xd3\x11\x8c\xd1\x00\xc0\x4f\x8e\xdb\x8a"
                                       "\x20\0\0\0\0\0\0\0")));
    CHECK(!riff_may_follow(&w64, header("bext\xf3\xac\xd3\x11\x8c\xd1\x00\xc0\x4f\x8e\xdb\x8b"
                                        "\x20\0\0\0\0\0\0\0")));
}

/* Quiet 8-bit samples are letters, but not their sizes. */
static void samples_are_seldom_chunks(void)
{
    const riff_layout l = layout(DETECT_WAV, "RIFF");
    uint64_t seed = check_seed("samples");
    size_t n = 0;
    for (int i = 0; i < 100000; i++) {
        unsigned char b[8];
        for (size_t k = 0; k < 8; k++) b[k] = (unsigned char)(118 + check_below(&seed, 20));
        n += riff_may_follow(&l, b);
    }
    CHECK(n == 0);
}

int main(void)
{
    RUN(sizes_and_paddings);
    RUN(placeholders);
    RUN(what_may_follow_samples);
    RUN(samples_are_seldom_chunks);
    return check_done();
}
