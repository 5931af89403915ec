#include "io/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "tests/io/source_help.h"

enum { MOST = 1 << 18 };

typedef struct {
    unsigned char bytes[MOST];
    size_t n;
} blob;

static void add(blob *b, const void *bytes, size_t n)
{
    CHECK(b->n + n <= MOST);
    memcpy(b->bytes + b->n, bytes, n);
    b->n += n;
}

static void add_gzip(blob *b, const void *bytes, size_t n)
{
    z_stream z = {0};
    CHECK(deflateInit2(&z, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    z.next_in = (unsigned char *)(size_t)bytes;
    z.avail_in = (uInt)n;
    z.next_out = b->bytes + b->n;
    z.avail_out = (uInt)(MOST - b->n);
    CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
    b->n += z.total_out;
    deflateEnd(&z);
}

/* With a checksum, as zstd does. */
static void add_zstd(blob *b, const void *bytes, size_t n)
{
    ZSTD_CCtx *c = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
    const size_t size = ZSTD_compress2(c, b->bytes + b->n, MOST - b->n, bytes, n);
    CHECK(!ZSTD_isError(size));
    b->n += size;
    ZSTD_freeCCtx(c);
}

static void add_packed(blob *b, unpack_kind kind, const void *bytes, size_t n)
{
    if (kind == UNPACK_GZIP)
        add_gzip(b, bytes, n);
    else
        add_zstd(b, bytes, n);
}

static const unpack_kind kinds[] = {UNPACK_GZIP, UNPACK_ZSTD};

static bool gives(const blob *b, const char *words)
{
    const source_options o = help_options(SOURCE_AUTO);
    return help_gives_bytes(&o, b->bytes, b->n, words);
}

static bool is(unpack_kind kind, const char *bytes, size_t n, bool end)
{
    return unpack_detect((const unsigned char *)bytes, n, end) == kind;
}

static void packed_bytes_are_known(void)
{
    CHECK(is(UNPACK_GZIP, "\x1f\x8b\x08\0\0\0\0\0\0\3", 10, false));
    CHECK(is(UNPACK_GZIP, "\x1f\x8b\x08\x08\1\2\3\4\2\xff", 10, false));
    CHECK(is(UNPACK_WAITING, "\x1f\x8b\x08\0\0\0\0\0\0", 9, false));
    CHECK(is(UNPACK_GZIP, "\x1f\x8b\x08\0\0\0\0\0\0", 9, true));
    CHECK(is(UNPACK_NONE, "\x1f\x8b\x08", 3, true));
    CHECK(is(UNPACK_NONE, "\x1f\x8b\x07\0", 4, false));
    CHECK(is(UNPACK_NONE, "\x1f\x8b\x08\x20", 4, false));
    CHECK(is(UNPACK_NONE, "\x1f\x8b\x08\0\0\0\0\0\1\3", 10, false));
    CHECK(is(UNPACK_NONE, "\x1f\x8b\x08\0\0\0\0\0\0\x0e", 10, false));
    CHECK(is(UNPACK_ZSTD, "\x28\xb5\x2f\xfd\4\0\0\0", 8, false));
    CHECK(is(UNPACK_ZSTD, "\x50\x2a\x4d\x18\4\0\0\0", 8, false));
    CHECK(is(UNPACK_NONE, "\x50\x2a\x4d\x18\5\0\0\0", 8, false));
    CHECK(is(UNPACK_WAITING, "", 0, false));
    CHECK(is(UNPACK_NONE, "", 0, true));
    CHECK(is(UNPACK_NONE, "1", 1, false));
}

static void every_format_inside(void)
{
    for (size_t i = 0; i < 2; i++) {
        blob b = {.n = 0};
        add_packed(&b, kinds[i], "1 2\n3 4\n", 8);
        CHECK(gives(&b, "1 2 | 3 4"));
        b.n = 0;
        add_packed(&b, kinds[i],
                   "RIFF\x28\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x80\x3e\0\0\2\0\x10\0"
                   "data\4\0\0\0\0\x40\0\xc0",
                   48);
        CHECK(gives(&b, "0.5 | -0.5"));
        b.n = 0;
        add_packed(&b, kinds[i], "\0\x40\0\xc0", 4);
        const source_options o = help_options(SOURCE_S16);
        CHECK(help_gives_bytes(&o, b.bytes, b.n, "0.5 | -0.5"));
        b.n = 0;
        add_packed(&b, kinds[i], "", 0);
        CHECK(gives(&b, "!! is empty: no samples"));
    }
}

static void members_are_joined(void)
{
    for (size_t i = 0; i < 2; i++) {
        blob b = {.n = 0};
        add_packed(&b, kinds[i], "1\n2", 3);
        add_packed(&b, kinds[i], "", 0);
        add_packed(&b, kinds[i], "3\n4\n", 4);
        CHECK(gives(&b, "1 | 23 | 4"));
    }
}

static void frames_to_skip_are_skipped(void)
{
    blob b = {.n = 0};
    add(&b, "\x50\x2a\x4d\x18\4\0\0\0\x11\0\0\0", 12);
    add_zstd(&b, "1\n2\n", 4);
    add(&b, "\x5e\x2a\x4d\x18\2\0\0\0ab", 10);
    add_zstd(&b, "3\n", 2);
    CHECK(gives(&b, "1 | 2 | 3"));
}

static void zeros_pad_gzip_alone(void)
{
    blob b = {.n = 0};
    add_gzip(&b, "1\n", 2);
    add(&b, "\0\0\0\0\0", 5);
    CHECK(gives(&b, "1"));
    add_gzip(&b, "2\n", 2);
    CHECK(gives(&b, "1 | ! gzip data is followed by garbage, which was ignored"));
    b.n = 0;
    add_zstd(&b, "1\n", 2);
    add(&b, "\0\0\0\0\0", 5);
    CHECK(gives(&b, "1 | ! zstd data is followed by garbage, which was ignored"));
}

static void garbage_comes_after_the_samples(void)
{
    for (size_t n = 1; n < 9; n++) {
        blob b = {.n = 0};
        add_gzip(&b, "1\n2\n", 4);
        add(&b, "\x1fgarbage", n);
        CHECK(gives(&b, "1 | 2 | ! gzip data is followed by garbage, which was ignored"));
        b.n = 0;
        add_zstd(&b, "1\n2\n", 4);
        add(&b, "\x28\xb5garbage", n);
        CHECK(gives(&b, "1 | 2 | ! zstd data is followed by garbage, which was ignored"));
    }
}

/* How the input ends if it is cut after n bytes: with the first samples, and words. */
static void cut_anywhere_is_an_error(void)
{
    static char text[20000];
    size_t size = 0;
    uint64_t seed = check_seed("cut");
    const source_options o = help_options(SOURCE_AUTO);
    for (int i = 0; i < 1500; i++)
        size += (size_t)sprintf(text + size, "%u\n", (unsigned)check_below(&seed, 100000));
    for (size_t i = 0; i < 2; i++) {
        static blob b;
        b.n = 0;
        add_packed(&b, kinds[i], text, size);
        help_input in = {b.bytes, b.n, 0, false};
        help_result whole = help_run(&in, &o);
        CHECK(whole.n == 1500 && !whole.failed);
        for (size_t n = 4; n < b.n; n += 1 + check_below(&seed, 60)) {
            in.n = n;
            in.by_pipe = check_below(&seed, 2);
            in.piece = check_below(&seed, 100);
            help_result r = help_run(&in, &o);
            CHECK(r.failed || !r.opened);
            CHECK_MSG(strstr(r.error, "data is cut short"), "%zu: %s", n, r.error);
            CHECK(r.n < 1501);
            CHECK(r.n == 0 || memcmp(r.values, whole.values, r.n * sizeof(float)) == 0);
            help_free(&r);
        }
        help_free(&whole);
    }
}

/* Any cutting gives the same samples and words. Damage may well make more of the samples, and the
 * last byte of gzip's data has bits that mean nothing. */
static void damage_is_an_error(void)
{
    enum { N = 60000 }; /* two blocks of zstd */
    static float samples[N];
    uint64_t seed = check_seed("damage");
    const source_options o = help_options(SOURCE_F32);
    for (size_t i = 0; i < N; i++) samples[i] = (float)check_below(&seed, 1000);
    for (size_t i = 0; i < 2; i++) {
        static blob b;
        b.n = 0;
        add_packed(&b, kinds[i], samples, sizeof samples);
        size_t before = 0; /* cases with samples before the damage */
        for (int k = 0; k < 30; k++) {
            const size_t at = 20 + check_below(&seed, b.n - 20), bit = check_below(&seed, 8);
            b.bytes[at] ^= (unsigned char)(1 << bit);
            help_input in = {b.bytes, b.n, 0, false};
            help_result whole = help_run(&in, &o);
            in = (help_input){b.bytes, b.n, 1 + check_below(&seed, 3000), k % 2};
            help_result cut = help_run(&in, &o);
            CHECK_MSG(cut.n == whole.n, "%zu, %zu", whole.n, cut.n);
            const bool is_same = whole.n == N && memcmp(whole.values, samples, sizeof samples) == 0;
            CHECK(whole.failed || !whole.opened || whole.n == HELP_VALUES || is_same);
            CHECK(cut.n == 0 || memcmp(cut.values, whole.values, cut.n * sizeof(float)) == 0);
            CHECK(!whole.failed || strncmp(whole.error, unpack_name(kinds[i]), 4) == 0);
            CHECK_MSG(strcmp(whole.error, cut.error) == 0, "%s / %s", whole.error, cut.error);
            b.bytes[at] ^= (unsigned char)(1 << bit);
            before += whole.n > 0;
            help_free(&whole);
            help_free(&cut);
        }
        CHECK(before > 2);
    }
}

/* The last block is not compressed, and holds less than its frame declares. The bug: how much of
 * it came before the fault depended on the cutting. */
static void a_wrong_size_after_a_raw_block(void)
{
    static const char frame[] = "\x28\xb5\x2f\xfd\x50\x2a\x4d\x18\x31\0\0"
                                "123456";
    const source_options o = help_options(SOURCE_U8);
    help_input in = {frame, sizeof frame - 1, 0, true};
    help_result whole = help_run(&in, &o);
    CHECK(whole.failed && strstr(whole.error, "zstd data is damaged"));
    for (in.piece = 1; in.piece < in.n; in.piece++) {
        help_result cut = help_run(&in, &o);
        CHECK_MSG(cut.n == whole.n, "%zu: %zu, %zu", in.piece, whole.n, cut.n);
        CHECK(strcmp(cut.error, whole.error) == 0);
        help_free(&cut);
    }
    help_free(&whole);
}

static void a_wrong_checksum_comes_after_the_samples(void)
{
    blob b = {.n = 0};
    add_gzip(&b, "1\n2\n", 4);
    b.bytes[b.n - 5] ^= 1;
    CHECK(gives(&b, "1 | 2 | ! gzip data is damaged: incorrect data check"));
    b.n = 0;
    add_zstd(&b, "1\n2\n", 4);
    b.bytes[b.n - 1] ^= 1;
    CHECK(gives(&b, "1 | 2 | ! zstd data is damaged: Restored data doesn't match checksum"));
}

static void more_memory_than_zstd_gives_itself(void)
{
    /* A frame whose window is 2 GiB, and one empty block. */
    blob b = {.n = 0};
    add(&b, "\x28\xb5\x2f\xfd\0\xa8\1\0\0", 9);
    CHECK(gives(&b, "!! zstd needs too much memory; unpack it into a pipe by zstd -dc --long=31 "
                    "FILE"));
}

static void packed_twice_is_refused(void)
{
    static blob b, c;
    b.n = c.n = 0;
    add_gzip(&b, "1\n", 2);
    add_zstd(&c, b.bytes, b.n);
    CHECK(gives(&c, "!! is packed twice: unpack it into a pipe by zstd -dc FILE"));
}

static void formats_that_need_a_file_are_refused(void)
{
    blob b = {.n = 0};
    const source_options o = help_options(SOURCE_AUTO);
    add_gzip(&b, "caff\0\1\0\0", 8);
    const char *path = help_file(b.bytes, b.n);
    help_result r = help_read(path, &o);
    CHECK_MSG(strcmp(r.error, "CAF cannot be read while it is unpacked: unpack the gzip file "
                              "first") == 0,
              "%s", r.error);
    unlink(path);
}

/* A packed file is not live: no length is known, but nothing is waited for. */
static void facts_about_a_file(void)
{
    blob b = {.n = 0};
    add_gzip(&b, "\1\2\3\4", 4);
    source_options o = help_options(SOURCE_U8);
    help_input in = {b.bytes, b.n, 0, false};
    for (int i = 0; i < 2; i++) {
        in.by_pipe = i;
        help_result r = help_run(&in, &o);
        CHECK(r.n == 4 && r.info.frames == 0 && r.info.live == in.by_pipe);
        help_free(&r);
    }
}

/* A member that is flushed gives its bytes at once, and nothing is waited for twice. */
static void live_bytes_come_at_once(void)
{
    unsigned char packed[200], got[10];
    int ends[2];
    z_stream z = {0};
    CHECK(deflateInit2(&z, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    z.next_in = (unsigned char *)(size_t) "12345";
    z.avail_in = 5;
    z.next_out = packed;
    z.avail_out = sizeof packed;
    CHECK(deflate(&z, Z_SYNC_FLUSH) == Z_OK && pipe(ends) == 0);
    const size_t n = sizeof packed - z.avail_out;
    deflateEnd(&z);
    unpack *u = unpack_create(UNPACK_GZIP, packed, 4, ends[0], -1);
    CHECK(unpack_read(u, got, sizeof got, 0) == FD_TIMEOUT && !unpack_holds_more(u));
    CHECK(fd_write_all(ends[1], packed + 4, n - 4) == 0);
    CHECK(unpack_read(u, got, 3, -1) == 3 && memcmp(got, "123", 3) == 0 && unpack_holds_more(u));
    CHECK(unpack_read(u, got, sizeof got, -1) == 2 && memcmp(got, "45", 2) == 0);
    for (int i = 0; i < 100; i++) CHECK(unpack_read(u, got, sizeof got, 0) == FD_TIMEOUT);
    close(ends[1]);
    CHECK(unpack_read(u, got, sizeof got, -1) == UNPACK_FAULT && unpack_holds_more(u));
    CHECK(strcmp(unpack_fault(u), "gzip data is cut short") == 0);
    CHECK(unpack_read(u, got, sizeof got, -1) == UNPACK_FAULT);
    unpack_destroy(u);
    unpack_destroy(NULL);
    close(ends[0]);
}

static ssize_t failing_read(int fd, void *bytes, size_t size)
{
    static int calls;
    if (calls++ == 0) return read(fd, bytes, size < 15 ? size : 15);
    errno = EIO;
    return -1;
}

static void a_read_error_is_none_of_the_data(void)
{
    static const fd_calls calls = {.read = failing_read, .write = write, .poll = poll};
    blob b = {.n = 0};
    const source_options o = help_options(SOURCE_AUTO);
    add_gzip(&b, "1\n2\n3\n4\n5\n", 10);
    const char *path = help_file(b.bytes, b.n);
    fd_set_calls(&calls);
    help_result r = help_read(path, &o);
    fd_set_calls(NULL);
    unlink(path);
    CHECK(strcmp(r.error, "Input/output error") == 0);
    help_free(&r);
}

int main(void)
{
    RUN(packed_bytes_are_known);
    RUN(every_format_inside);
    RUN(members_are_joined);
    RUN(frames_to_skip_are_skipped);
    RUN(zeros_pad_gzip_alone);
    RUN(garbage_comes_after_the_samples);
    RUN(cut_anywhere_is_an_error);
    RUN(damage_is_an_error);
    RUN(a_wrong_size_after_a_raw_block);
    RUN(a_wrong_checksum_comes_after_the_samples);
    RUN(more_memory_than_zstd_gives_itself);
    RUN(packed_twice_is_refused);
    RUN(formats_that_need_a_file_are_refused);
    RUN(facts_about_a_file);
    RUN(live_bytes_come_at_once);
    RUN(a_read_error_is_none_of_the_data);
    return check_done();
}
