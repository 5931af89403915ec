#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/io/source_help.h"

enum { MOST = 1 << 18 };

typedef struct {
    unsigned char bytes[MOST];
    size_t n;
} array;

/* An array as numpy.save writes it. `shape` begins with a dimension: "19, 2", "5,". */
static array *make(unsigned version, const char *type, bool is_fortran, const char *shape,
                   const void *samples, size_t bytes)
{
    static array a;
    char header[200];
    const size_t begin = version == 1 ? 10 : 12;
    int n = snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }",
                     type, is_fortran ? "True" : "False", shape);
    while ((begin + (size_t)n) % 64 != 63) header[n++] = ' ';
    header[n++] = '\n';
    memcpy(a.bytes, "\x93NUMPY", 6);
    memset(a.bytes + 6, 0, 6);
    a.bytes[6] = (unsigned char)version;
    a.bytes[8] = (unsigned char)n;
    memcpy(a.bytes + begin, header, (size_t)n);
    memcpy(a.bytes + begin + n, samples, bytes);
    a.n = begin + (size_t)n + bytes;
    return &a;
}

static bool gives_cut(const array *a, size_t less, const char *words)
{
    const source_options o = help_options(SOURCE_AUTO);
    return help_gives_bytes(&o, a->bytes, a->n - less, words);
}

static bool gives(const array *a, const char *words)
{
    return gives_cut(a, 0, words);
}

#define LIST(type, shape, bytes, words)                                                            \
    CHECK(gives(make(1, type, false, shape, bytes, sizeof(bytes) - 1), words))

static void every_type_in_both_orders(void)
{
    LIST("<f4", "2,", "\0\0\x80\x3f\0\0\x20\xc0", "1 | -2.5");
    LIST(">f4", "2,", "\x3f\x80\0\0\xc0\x20\0\0", "1 | -2.5");
    LIST("<f8", "1,", "\0\0\0\0\0\0\xf0\x3f", "1");
    LIST(">f8", "1,", "\x3f\xf0\0\0\0\0\0\0", "1");
    LIST("|i1", "3,", "\x7f\x80\xff", "127 | -128 | -1");
    LIST("|u1", "3,", "\x7f\x80\xff", "127 | 128 | 255");
    LIST("|b1", "2,", "\1\0", "1 | 0");
    LIST("<i2", "2,", "\0\x80\xff\x7f", "-32768 | 32767");
    LIST(">i2", "2,", "\x80\0\x7f\xff", "-32768 | 32767");
    LIST("<u2", "2,", "\0\x80\xff\xff", "32768 | 65535");
    LIST("<i4", "2,", "\0\0\0\x80\1\0\0\0", "-2.14748365e+09 | 1");
    LIST(">u4", "2,", "\xff\xff\xff\xff\0\0\0\2", "4.2949673e+09 | 2");
    LIST("<i8", "2,", "\0\0\0\0\0\0\0\x80\xff\xff\xff\xff\xff\xff\xff\xff", "-9.22337204e+18 | -1");
    LIST("<u8", "2,", "\0\0\0\0\0\0\0\x80\xff\xff\xff\xff\xff\xff\xff\xff",
         "9.22337204e+18 | 1.84467441e+19");
}

/* 1, -2, 65504, 2^-24, -2^-14 (the least normal), infinity, not a number, -0 */
static void half_precision(void)
{
    LIST("<f2", "8,", "\0\x3c\0\xc0\xff\x7b\1\0\0\x84\0\x7c\0\x7e\0\x80",
         "1 | -2 | 65504 | 5.96046448e-08 | -6.10351562e-05 | inf | nan | -0");
    LIST(">f2", "2,", "\x3c\0\x83\xff", "1 | -6.09755516e-05");
}

/* 2^53 + 1 is rounded once, to float32. */
static void large_values_are_rounded_and_larger_ones_reported(void)
{
    LIST("<i8", "1,", "\1\0\0\0\0\0\x20\0", "9.00719925e+15");
    LIST(">f8", "3,",
         "\x7f\xef\xff\xff\xff\xff\xff\xff\x7f\xef\xff\xff\xff\xff\xff\xff\0\0\0\0\0\0\0\0",
         "inf | inf | 0 ~ a value of 64 bits is too large for float32: a gap, as are all such "
         "values");
    CHECK(
        gives(make(1, ">f8", true, "1, 2", "\x7f\xef\xff\xff\xff\xff\xff\xff\0\0\0\0\0\0\0\0", 16),
              "inf 0 ~ a value of 64 bits is too large for float32: a gap, as are all such "
              "values"));
}

static const unsigned char six[] = {1, 2, 3, 4, 5, 6};

static void rows_are_frames_in_both_orders(void)
{
    for (unsigned version = 1; version <= 3; version++) {
        CHECK(gives(make(version, "|u1", false, "3, 2", six, 6), "1 2 | 3 4 | 5 6"));
        CHECK(gives(make(version, "|u1", true, "3, 2", six, 6), "1 4 | 2 5 | 3 6"));
        CHECK(gives(make(version, "|u1", true, "6,", six, 6), "1 | 2 | 3 | 4 | 5 | 6"));
        CHECK(gives(make(version, "|u1", true, "6, 1", six, 6), "1 | 2 | 3 | 4 | 5 | 6"));
        CHECK(gives(make(version, "|u1", true, "1, 6", six, 6), "1 2 3 4 5 6"));
    }
    source_options o = help_options(SOURCE_NPY);
    o.choice = CHANNEL_ONE;
    o.channel = 2;
    const array *a = make(1, "|u1", true, "3, 2", six, 6);
    CHECK(help_gives_bytes(&o, a->bytes, a->n, "4 | 5 | 6"));
}

static void a_missing_end_is_an_error(void)
{
    const array *a = make(1, "<u2", false, "3,", six, 6);
    CHECK(gives_cut(a, 1, "513 | 1027 | ! cut short: 2 of 3 frames"));
    CHECK(gives_cut(a, 6, "! cut short: 0 of 3 frames"));
    CHECK(gives_cut(a, 7, "!! cut short inside the header"));
    CHECK(gives_cut(a, a->n - 9, "!! cut short inside the header"));
    CHECK(gives_cut(a, a->n - 6, "!! cut short inside the header"));
    a = make(1, "|u1", true, "3, 2", six, 6);
    CHECK(gives_cut(a, 1, "1 4 | 2 5 | ! cut short: 2 of 3 frames"));
    CHECK(gives_cut(a, 2, "1 4 | ! cut short: 1 of 3 frames"));
    CHECK(gives_cut(a, 4, "! cut short: 0 of 3 frames"));
}

static void bytes_after_the_array_are_an_error(void)
{
    CHECK(gives(make(1, "|u1", false, "5,", six, 6),
                "1 | 2 | 3 | 4 | 5 | ! holds more bytes after the array, which were not read"));
    CHECK(gives(make(1, "|u1", true, "1, 5", six, 6),
                "1 2 3 4 5 | ! holds more bytes after the array, which were not read"));
    CHECK(gives(make(1, "|u1", true, "2, 2", six, 6),
                "1 3 | 2 4 | ! holds more bytes after the array, which were not read"));
}

static void what_cannot_be_searched_is_refused(void)
{
    CHECK(gives(make(1, "|u1", false, "0,", six, 0), "!! is empty: no samples"));
    CHECK(gives(make(1, "|u1", false, "5, 0", six, 0), "!! is empty: no samples"));
    CHECK(gives(make(1, "|u1", false, "1, 2, 3", six, 6),
                "!! has 3 dimensions; reshape it to one, or to frames x channels"));
    CHECK(gives(make(1, "|u1", false, "2, 5000", six, 6),
                "!! 5000 channels, but there can be 4096 at most; an array is frames x channels"));
    CHECK(gives(make(4, "|u1", false, "6,", six, 6),
                "!! NPY of version 4, but only 1 to 3 are known"));
    array *a = make(2, "|u1", false, "6,", six, 6);
    a->bytes[10] = 2;
    CHECK(gives(a, "!! bad NPY header: 131188 bytes"));
    source_options o = help_options(SOURCE_NPY);
    CHECK(help_gives(&o, "1\n2\n3\n4\n5\n6\n", "!! is not NPY"));
    CHECK(help_gives(&o, "1\n", "!! cut short inside the header"));
    o.channels = 3;
    a = make(1, "|u1", false, "3, 2", six, 6);
    CHECK(help_gives_bytes(&o, a->bytes, a->n, "!! 2 channels, expected 3"));
}

static void facts_about_a_file(void)
{
    source_options o = help_options(SOURCE_AUTO);
    o.rate_hz = 250;
    const array *a = make(1, "|u1", true, "3, 2", six, 6);
    help_input in = {a->bytes, a->n, 0, false};
    for (int i = 0; i < 2; i++) {
        in.by_pipe = i;
        help_result r = help_run(&in, &o);
        CHECK(r.info.frames == 3 && r.info.channels == 2 && r.info.rate_hz == 250);
        CHECK(r.info.rate_known && !r.info.audio && r.info.live == in.by_pipe);
        CHECK(strcmp(r.info.format, "NPY") == 0);
        help_free(&r);
    }
}

/* Longer than a block of a column, in pieces that fall across samples. */
static void both_orders_give_the_same(void)
{
    enum { FRAMES = 15000, CHANNELS = 3 };
    static float by_rows[FRAMES * CHANNELS], by_columns[FRAMES * CHANNELS];
    const source_options o = help_options(SOURCE_AUTO);
    uint64_t seed = check_seed("orders");
    for (size_t i = 0; i < FRAMES * CHANNELS; i++) {
        const float value = (float)check_below(&seed, 1 << 20);
        by_rows[i] = value;
        by_columns[i % CHANNELS * FRAMES + i / CHANNELS] = value;
    }
    for (int i = 0; i < 8; i++) {
        const bool is_fortran = i / 4;
        const array *a = make(1, "<f4", is_fortran, "15000, 3", is_fortran ? by_columns : by_rows,
                              sizeof by_rows);
        const help_input in = {a->bytes, a->n, i / 2 % 2 ? 1 + check_below(&seed, 5000) : 0, i % 2};
        help_result r = help_run(&in, &o);
        CHECK(r.n == FRAMES && !r.failed && r.info.channels == CHANNELS);
        CHECK(memcmp(r.values, by_rows, sizeof by_rows) == 0);
        help_free(&r);
    }
}

static ssize_t failing_pread(int fd, void *bytes, size_t size, off_t offset)
{
    (void)fd, (void)bytes, (void)size, (void)offset;
    errno = EIO;
    return -1;
}

static void a_column_that_cannot_be_read_is_an_error(void)
{
    static const fd_calls calls = {
        .read = read, .write = write, .poll = poll, .pread = failing_pread};
    const source_options o = help_options(SOURCE_AUTO);
    const array *a = make(1, "|u1", true, "3, 2", six, 6);
    fd_set_calls(&calls);
    const char *path = help_file(a->bytes, a->n);
    help_result r = help_read(path, &o);
    fd_set_calls(NULL);
    unlink(path);
    CHECK(r.failed && r.n == 0 && strcmp(r.error, "Input/output error") == 0);
    help_free(&r);
}

int main(void)
{
    RUN(every_type_in_both_orders);
    RUN(half_precision);
    RUN(large_values_are_rounded_and_larger_ones_reported);
    RUN(rows_are_frames_in_both_orders);
    RUN(a_missing_end_is_an_error);
    RUN(bytes_after_the_array_are_an_error);
    RUN(what_cannot_be_searched_is_refused);
    RUN(facts_about_a_file);
    RUN(both_orders_give_the_same);
    RUN(a_column_that_cannot_be_read_is_an_error);
    return check_done();
}
