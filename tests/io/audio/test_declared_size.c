#include <string.h>

#include "io/audio/declared_size.h"
#include "tests/check.h"

/* Feed n bytes in pieces. Returns what is missing, "" for nothing. */
static const char *judge(detect_kind kind, const char *bytes, size_t n, size_t piece)
{
    static char reason[128];
    declared_size p;
    declared_size_init(&p, kind);
    for (size_t at = 0; at < n; at += piece)
        declared_size_feed(&p, (const unsigned char *)bytes + at, n - at < piece ? n - at : piece);
    reason[0] = '\0';
    bool kept = declared_size_met(&p, n, reason, sizeof reason);
    return kept == (reason[0] == '\0') ? reason : "kept and not kept";
}

static bool reports(detect_kind kind, const char *bytes, size_t n, const char *words)
{
    bool good = true;
    for (size_t piece = 1; piece <= n; piece++) {
        const char *got = judge(kind, bytes, n, piece);
        if (strcmp(got, words) != 0) {
            fprintf(stderr, "pieces of %zu: %s\n", piece, got);
            good = false;
        }
    }
    return good;
}

#define REPORTS(kind, bytes, words) CHECK(reports(kind, bytes, sizeof(bytes) - 1, words))

static void chunks(void)
{
    REPORTS(DETECT_AIFF,
            "FORM\0\0\0\x20"
            "AIFFABCD\0\0\0\3abc\0SSND\0\0\0\x0a"
            "ooooBBBB12",
            "");
    REPORTS(DETECT_AIFF,
            "FORM\0\0\0\x20"
            "AIFFABCD\0\0\0\3abc\0SSND\0\0\0\x0c"
            "ooooBBBB12",
            "cut short: 2 of 4 bytes of samples");
    REPORTS(DETECT_WAV,
            "RIFF\x20\0\0\0WAVEfmt \2\0\0\0abdata\4\0\0\0"
            "1234",
            "");
    REPORTS(DETECT_WAV,
            "RIFF\x20\0\0\0WAVEfmt \2\0\0\0abdata\5\0\0\0"
            "1234",
            "cut short: 4 of 5 bytes of samples");
    REPORTS(DETECT_WAV,
            "RIFX\0\0\0\x20WAVEdata\0\0\0\5"
            "1234",
            "cut short: 4 of 5 bytes of samples");
    REPORTS(DETECT_RF64,
            "RF64\xff\xff\xff\xffWAVEds64\x1c\0\0\0rrrrrrrr\6\0\0\0\0\0\0\0ssssssss\0\0\0\0"
            "data\xff\xff\xff\xff"
            "12345",
            "cut short: 5 of 6 bytes of samples");
    REPORTS(DETECT_CAF, "caff\0\1\0\0free\0\0\0\0\0\0\0\2abdata\0\0\0\0\0\0\0\7edit12",
            "cut short: 2 of 3 bytes of samples");
    REPORTS(DETECT_AU,
            ".snd\0\0\0\x18\0\0\0\4ffffrrrrcccc"
            "1234",
            "");
    REPORTS(DETECT_AU,
            ".snd\0\0\0\x18\0\0\0\5ffffrrrrcccc"
            "1234",
            "cut short: 4 of 5 bytes of samples");
    REPORTS(DETECT_AU,
            "dns.\x18\0\0\0\5\0\0\0ffffrrrrcccc"
            "1234",
            "cut short: 4 of 5 bytes of samples");
    REPORTS(DETECT_W64,
            "riffGGGGGGGGGGGGssssssssWAVEGGGGGGGGGGGG"
            "fmt GGGGGGGGGGGG\x19\0\0\0\0\0\0\0a\0\0\0\0\0\0\0"
            "dataGGGGGGGGGGGG\x1b\0\0\0\0\0\0\0"
            "12",
            "cut short: 2 of 3 bytes of samples");
}

static void placeholder_sizes_declare_nothing(void)
{
    REPORTS(DETECT_WAV,
            "RIFF\0\0\0\0WAVEdata\xff\xff\xff\xff"
            "12",
            "");
    REPORTS(DETECT_AIFF,
            "FORM\0\0\0\0AIFFSSND\x7f\0\0\x08"
            "ooooBBBB12",
            "");
    REPORTS(DETECT_AU,
            ".snd\0\0\0\x18\xff\xff\xff\xff"
            "ffffrrrrcccc12",
            "");
    REPORTS(DETECT_CAF,
            "caff\0\1\0\0data\xff\xff\xff\xff\xff\xff\xff\xff"
            "edit12",
            "");
    REPORTS(DETECT_FLAC, "fLaC1234", "");
    REPORTS(DETECT_MP3, "\xff\xfb", "");
}

/* libsndfile stops at the declared size. The bug: what follows was dropped, with status 0 or 1. */
static void bytes_beyond_the_size(void)
{
    static const char wrong[] = "wrong header: bytes beyond its size were not read";
    REPORTS(DETECT_WAV,
            "RIFF\x20\0\0\0WAVEdata\2\0\0\0"
            "1234",
            wrong);
    REPORTS(DETECT_WAV,
            "RIFF\x20\0\0\0WAVEdata\0\0\0\0"
            "12",
            wrong);
    REPORTS(DETECT_RF64,
            "RF64\xff\xff\xff\xffWAVEds64\x1c\0\0\0rrrrrrrr\2\0\0\0\0\0\0\0ssssssss\0\0\0\0"
            "data\xff\xff\xff\xff"
            "1234RIFF1234",
            wrong);
    REPORTS(DETECT_AIFF,
            "FORM\0\0\0\x20"
            "AIFFSSND\0\0\0\x0a"
            "ooooBBBB12FORM\0\0\0\2"
            "12",
            wrong);
    REPORTS(DETECT_AU,
            ".snd\0\0\0\x18\0\0\0\4ffffrrrrcccc"
            "12345",
            wrong);
    REPORTS(DETECT_AU,
            ".snd\0\0\0\x18\0\0\0\0ffffrrrrcccc"
            "12345",
            wrong);
    REPORTS(DETECT_CAF, "caff\0\1\0\0data\0\0\0\0\0\0\0\6edit123", wrong);
}

static void chunks_after_the_samples(void)
{
#define SAMPLES "RIFF\x20\0\0\0WAVEdata\3\0\0\0xyz"
    REPORTS(DETECT_WAV, SAMPLES, "");
    REPORTS(DETECT_WAV, SAMPLES "\0", "");
    REPORTS(DETECT_WAV, SAMPLES "\0LIST\3\0\0\0abc", "");
    REPORTS(DETECT_WAV, SAMPLES "\0LIST\3\0\0\0abc\0id3 \0\0\0\0", "");
    REPORTS(DETECT_WAV, SAMPLES "\0LIST\3\0\0\0ab", "cut short inside a chunk after the samples");
    REPORTS(DETECT_WAV, SAMPLES "\0LIST\3\0\0\0abc\0id3 \0\0\0",
            "damaged: the bytes after the last chunk are no chunk");
    REPORTS(DETECT_CAF, "caff\0\1\0\0data\0\0\0\0\0\0\0\5edit1pakt\0\0\0\0\0\0\0\3abc", "");
    REPORTS(DETECT_CAF, "caff\0\1\0\0data\0\0\0\0\0\0\0\5edit1pakt\0\0\0\0\0\0\0\3ab",
            "cut short inside a chunk after the samples");
}

/* The bug: a file that was cut in the header of its samples had none, with status 1. */
static void a_header_that_is_cut(void)
{
    static const char w64[] = "riffGGGGGGGGGGGGssssssssWAVEGGGGGGGGGGGG"
                              "dataGGGGGGGGGGGG\x1b\0\0\0\0\0\0\0";
    static const char rf64[] =
        "RF64\xff\xff\xff\xffWAVEds64\x1c\0\0\0rrrrrrrr\6\0\0\0\0\0\0\0ssssssss\0\0\0\0"
        "data\xff\xff\xff\xff";
    for (size_t n = 12; n < sizeof w64 - 1; n++)
        CHECK(reports(DETECT_W64, w64, n, "cut short inside the header"));
    for (size_t n = 12; n < sizeof rf64 - 1; n++)
        CHECK(reports(DETECT_RF64, rf64, n, "cut short inside the header"));
}

#define PAGE(flags)                                                                                \
    "OggS\0" flags "ggggggggssssnnnncccc\2\2\1"                                                    \
    "abc"

static void ogg_pages(void)
{
    REPORTS(DETECT_OGG, PAGE("\2") PAGE("\4"), "");
    REPORTS(DETECT_OGG, PAGE("\2") PAGE("\4") "TAG of something else after the pages", "");
    REPORTS(DETECT_OGG, PAGE("\2") PAGE("\4") PAGE("\2") PAGE("\4"),
            "holds another Ogg stream after the first, which was not read");
    REPORTS(DETECT_OGG, PAGE("\2") PAGE("\2") PAGE("\4") PAGE("\4"), "");
    REPORTS(DETECT_OGG, PAGE("\2") PAGE("\0"), "cut short: the last Ogg page is missing");
    CHECK(reports(DETECT_OGG, PAGE("\2") PAGE("\4"), 2 * 32 - 1,
                  "cut short: the last Ogg page is missing"));
    CHECK(reports(DETECT_OGG, PAGE("\2") PAGE("\4"), 32 + 3,
                  "cut short: the last Ogg page is missing"));
}

int main(void)
{
    RUN(chunks);
    RUN(placeholder_sizes_declare_nothing);
    RUN(bytes_beyond_the_size);
    RUN(chunks_after_the_samples);
    RUN(a_header_that_is_cut);
    RUN(ogg_pages);
    return check_done();
}
