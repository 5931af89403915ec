/* io/source_read.c: wide sources give doubles, and tell what float32 loses. */
#include <math.h>

#include "tests/io/source_help.h"

static source *open_bytes(const void *bytes, size_t n, const source_options *o)
{
    char error[256];
    const char *path = help_file(bytes, n);
    source *src = source_open(path, o, error, sizeof error);
    CHECK_MSG(src != NULL, "%s", error);
    unlink(path);
    if (!src) exit(1);
    return src;
}

/* Do the first frames of one value come as these doubles, and as floats these rounded? */
static void check_doubles(source_options o, const void *bytes, size_t size, bool is_wide,
                          const double *wanted, size_t n)
{
    double got[8];
    float rounded[8];
    for (int gathers = 0; gathers < 2; gathers++) {
        source *src = open_bytes(bytes, size, &o);
        CHECK(source_get_info(src).is_wide == is_wide);
        size_t given = 0;
        for (ssize_t now = 1; now > 0; given += (size_t)now)
            now = gathers ? source_gather_doubles(src, got + given, NULL, 8 - given)
                          : source_read_doubles(src, got + given, NULL, 8 - given);
        CHECK(given == n && memcmp(got, wanted, n * sizeof *got) == 0);
        source_close(src);
        src = open_bytes(bytes, size, &o);
        CHECK(source_gather(src, rounded, NULL, 8) == (ssize_t)n);
        for (size_t i = 0; i < n; i++) CHECK(rounded[i] == (float)wanted[i]);
        source_close(src);
    }
}

static void every_wide_format_keeps_its_digits(void)
{
    static const double meter[] = {123456789.25, 123456789.5, -0.1};
    static const int32_t s32[] = {INT32_MIN, 1, 1234567891};
    static const double scaled[] = {-1, 0x1p-31, 1234567891 * 0x1p-31};
    static const float f32[] = {0.1F, -3};
    static const double same[] = {(double)0.1F, -3};
    source_options o = help_options(SOURCE_TEXT);
    check_doubles(o, "123456789.25\n123456789.5\n-0.1\n", 30, true, meter, 3);
    o.fill_s = 1;
    check_doubles(o, "123456789.25\n123456789.5\n-0.1\n", 30, true, meter, 3);
    o = help_options(SOURCE_JSONL);
    check_doubles(o, "[123456789.25]\n[123456789.5]\n[-0.1]\n", 36, true, meter, 3);
    o = help_options(SOURCE_F64);
    check_doubles(o, meter, sizeof meter, true, meter, 3);
    o = help_options(SOURCE_S32);
    check_doubles(o, s32, sizeof s32, true, scaled, 3);
    o = help_options(SOURCE_F32);
    check_doubles(o, f32, sizeof f32, false, same, 2);
    o.fill_s = 1;
    check_doubles(o, f32, sizeof f32, false, same, 2);
}

/* A WAV file of these samples; returns its size. */
static size_t put_wav(unsigned char *to, int tag, int width, const void *samples, size_t n)
{
    const uint32_t size = (uint32_t)(n * (size_t)width), rate = 8000;
    const uint16_t format[] = {(uint16_t)tag, 1},
                   widths[] = {(uint16_t)width, (uint16_t)(8 * width)};
    memcpy(to, "RIFF\0\0\0\0WAVEfmt \x10\0\0\0", 20);
    memcpy(to + 20, format, 4);
    memcpy(to + 24, &rate, 4);
    memset(to + 28, 0, 4);
    memcpy(to + 32, widths, 4);
    memcpy(to + 36, "data", 4);
    memcpy(to + 40, &size, 4);
    memcpy(to + 44, samples, size);
    return 44 + size;
}

/* Regression: wav_and_aiff_were_rounded. For what libsndfile reads, see test_sndfile.c. */
static void wav_does_so_too(void)
{
    static const double meter[] = {123456789.25, 123456789.5, -0.1};
    static const int32_t s32[] = {INT32_MIN, 1, 1234567891};
    static const double scaled[] = {-1, 0x1p-31, 1234567891 * 0x1p-31};
    static const float f32[] = {0.1F, -3};
    static const double same[] = {(double)0.1F, -3};
    const source_options o = help_options(SOURCE_AUTO);
    unsigned char wav[128];
    check_doubles(o, wav, put_wav(wav, 3, 8, meter, 3), true, meter, 3);
    check_doubles(o, wav, put_wav(wav, 1, 4, s32, 3), true, scaled, 3);
    check_doubles(o, wav, put_wav(wav, 3, 4, f32, 2), false, same, 2);
    check_doubles(o, wav, put_wav(wav, 1, 3, "\0\0\x80\1\0\0", 2), false,
                  (const double[]){-1, 0x1p-23}, 2);
}

static void arrays_of_numbers_do_so_too(void)
{
    static const struct {
        const char *type;
        bool is_wide;
    } types[] = {{"<i4", true}, {"<u4", true}, {"<i8", true}, {"<i2", false}, {"<f4", false}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        char header[64], npy[256] = {0};
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (2,), }",
                 types[i].type);
        memcpy(npy, "\x93NUMPY\x01\0v\0", 10);
        sprintf(npy + 10, "%-117s\n", header);
        const source_options o = help_options(SOURCE_AUTO);
        source *src = open_bytes(npy, 128 + 2 * (size_t)(types[i].type[2] - '0'), &o);
        CHECK_MSG(source_get_info(src).is_wide == types[i].is_wide, "%s", types[i].type);
        source_close(src);
    }
}

/* The warnings of a source that is watched, or not. */
static const char *warning_of(source_format format, const void *bytes, size_t n, bool is_watched)
{
    static char words[512];
    const source_options o = help_options(format);
    source *src = open_bytes(bytes, n, &o);
    float x[64];
    words[0] = '\0';
    if (is_watched) source_watch_rounding(src);
    while (source_gather(src, x, NULL, 64) > 0) continue;
    for (const char *w; (w = source_warning(src));) strcat(strcat(words, w), "|");
    source_close(src);
    return words;
}

/* Regression: raw_copies_that_were_none. */
static void neighbours_that_become_one_are_reported_once(void)
{
#define ADVICE                                                                                     \
    " become one value of float32; -p diff compares their steps, or subtract an offset before|"
    static const char table[] = "# meter\n1\n123456789\n123456789.5\n123456789.25\n";
    static const double raw[] = {1, 2, 1234567890123, 1234567890124, 1234567890125};
    CHECK(!strcmp(warning_of(SOURCE_TEXT, table, sizeof table - 1, true),
                  "line 4: 123456789 and 123456789.5" ADVICE));
    CHECK(!strcmp(warning_of(SOURCE_F64, raw, sizeof raw, true),
                  "sample 3: 1234567890123 and 1234567890124" ADVICE));
    CHECK(!*warning_of(SOURCE_TEXT, table, sizeof table - 1, false));
    /* Of audio, those beyond full scale. */
    static const double sound[] = {0.5, 0.500000001, 0.5}, meter[] = {0.5, 123456789, 123456789.5};
    unsigned char wav[128];
    CHECK(!*warning_of(SOURCE_AUTO, wav, put_wav(wav, 3, 8, sound, 3), true));
    CHECK(!strcmp(warning_of(SOURCE_AUTO, wav, put_wav(wav, 3, 8, meter, 3), true),
                  "sample 2: 123456789 and 123456789.5" ADVICE));
    /* Equal values, gaps, and the noise of a computation. */
    static const char plain[] = "0.3\n0.30000000000000004\n0.3\nnan\n1e300\n1e300\n5\n";
    const char *got = warning_of(SOURCE_TEXT, plain, sizeof plain - 1, true);
    CHECK_MSG(!strstr(got, "become"), "%s", got);
}

int main(void)
{
    RUN(every_wide_format_keeps_its_digits);
    RUN(wav_does_so_too);
    RUN(arrays_of_numbers_do_so_too);
    RUN(neighbours_that_become_one_are_reported_once);
    return check_done();
}
