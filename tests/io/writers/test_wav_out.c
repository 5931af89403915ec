/* wav_out.c: our own reader reads back what is written. */
#include "io/writers/wav_out.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/fdio.h"
#include "io/source.h"
#include "tests/check.h"

static char folder[] = "/var/tmp/wav_out.XXXXXX", path[64];

static void a_written_file_is_read_back(void)
{
    const float x[] = {0, 0.5F, -0.25F, 1, -1, 2, -3, NAN, 1.0F / 32768, 1.4F / 32768};
    const float expected[] = {0,  0.5F, -0.25F,       32767.0F / 32768, -1, 32767.0F / 32768,
                              -1, 0,    1.0F / 32768, 1.0F / 32768};
    float y[16];
    char why[256];
    CHECK(wav_write(path, x, 10, 16000) == 0);
    source *src = source_open(path, &(source_options){.wake_fd = -1}, why, sizeof why);
    CHECK_MSG(src != NULL, "%s", why);
    if (!src) return;
    CHECK(source_get_info(src).rate_hz == 16000 && source_get_info(src).channels == 1);
    CHECK(source_read(src, y, NULL, 16) == 10);
    CHECK(memcmp(y, expected, sizeof expected) == 0);
    source_close(src);
}

enum { FRAMES = 5000, CHANNELS = 3, VALUES = FRAMES * CHANNELS };

/* Write a new file of x. Is it read back with this width, and the same values? */
static bool is_read_back(const wav_format *f, const void *x, size_t n)
{
    static double y[VALUES + CHANNELS];
    char why[256];
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    CHECK(wav_write_frames(fd, f, x, n) == 0);
    struct stat st;
    CHECK(fstat(fd, &st) == 0 && st.st_size % 2 == 0);
    close(fd);
    source *src = source_open(path, &(source_options){.wake_fd = -1, .choice = CHANNEL_EACH}, why,
                              sizeof why);
    CHECK_MSG(src != NULL, "%s", why);
    if (!src) return false;
    const source_info info = source_get_info(src);
    const ssize_t got = source_gather_doubles(src, y, NULL, n + 1);
    bool good = info.rate_hz == 250 && info.channels == f->channels && got == (ssize_t)n &&
                info.integer_bits == f->integer_bits && info.is_wide == f->is_wide &&
                info.frames == n && !source_warning(src);
    for (size_t i = 0; good && i < n * f->channels; i++)
        good = y[i] == (f->is_wide ? ((const double *)x)[i] : (double)((const float *)x)[i]);
    source_close(src);
    unlink(path);
    return good;
}

static void floats_are_read_back_as_they_are(void)
{
    static float x[VALUES];
    static double wide[VALUES];
    for (size_t i = 0; i < VALUES; i++) wide[i] = (double)i * 1e-3 - 2;
    for (size_t i = 0; i < VALUES; i++) x[i] = (float)wide[i];
    x[4] = 1e-40F;
    x[5] = 3e38F;
    wav_format f = {.channels = CHANNELS, .rate_hz = 250};
    CHECK(is_read_back(&f, x, FRAMES));
    f.is_wide = true;
    CHECK(is_read_back(&f, wide, FRAMES));
    f = (wav_format){.channels = 1, .rate_hz = 250};
    CHECK(wav_write_frames(-1, &f, x, 1) == EBADF);
    CHECK(wav_write_frames(1, &f, x, SIZE_MAX / 16) == EFBIG);
    f.channels = 16384;
    CHECK(wav_write_frames(1, &f, x, 1) == EFBIG);
}

/* All integers of a width, or some from end to end. */
static void integers_are_read_back_as_they_are(void)
{
    static float x[VALUES];
    static double wide[VALUES];
    for (unsigned bits = 8; bits <= 32; bits += 8) {
        const double full = ldexp(1, (int)bits - 1);
        wav_format f = {.integer_bits = bits, .is_wide = bits == 32, .rate_hz = 250};
        for (size_t i = 0; i < VALUES; i++) {
            wide[i] = (rint((double)i / (VALUES - 1) * (2 * full - 1)) - full) / full;
            x[i] = (float)wide[i];
        }
        for (f.channels = 1; f.channels <= CHANNELS; f.channels += 2)
            CHECK(is_read_back(&f, f.is_wide ? (void *)wide : (void *)x, FRAMES - 1));
    }
}

static void integers_beyond_full_scale_are_clipped(void)
{
    const float x[] = {1, -1.5F, NAN, 2e9F};
    const wav_format f = {.integer_bits = 16, .channels = 1, .rate_hz = 250};
    const unsigned char expected[] = {0xff, 0x7f, 0, 0x80, 0, 0, 0xff, 0x7f};
    unsigned char bytes[64];
    const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
    CHECK(wav_write_frames(fd, &f, x, 4) == 0);
    CHECK(pread(fd, bytes, sizeof bytes, 0) == 44 + sizeof expected);
    CHECK(memcmp(bytes + 44, expected, sizeof expected) == 0);
    close(fd);
    unlink(path);
}

static void a_file_that_is_there_stays(void)
{
    const float x[] = {1};
    CHECK(wav_write(path, x, 1, 8000) == EEXIST);
    CHECK(wav_write("/nowhere/x.wav", x, 1, 8000) == ENOENT);
}

static bool was_there;

static ssize_t write_and_look(int fd, const void *bytes, size_t size)
{
    was_there = access(path, F_OK) == 0;
    return write(fd, bytes, size);
}

static ssize_t read_as_ever(int fd, void *bytes, size_t size)
{
    return read(fd, bytes, size);
}

/* Regression: kill -9 left an empty file, which is no WAV. */
static void a_file_has_no_name_before_it_is_whole(void)
{
    const fd_calls calls = {.read = read_as_ever, .write = write_and_look, .poll = poll};
    const float x[] = {1};
    struct stat st;
    unlink(path);
    fd_set_calls(&calls);
    CHECK(wav_write(path, x, 1, 8000) == 0);
    fd_set_calls(NULL);
    CHECK(stat(path, &st) == 0 && st.st_size == 46);
    CHECK(!was_there);
}

static ssize_t no_room(int fd, const void *bytes, size_t size)
{
    (void)fd, (void)bytes, (void)size;
    errno = ENOSPC;
    return -1;
}

static void half_a_file_is_removed(void)
{
    const fd_calls calls = {.read = read_as_ever, .write = no_room, .poll = poll};
    const float x[] = {1};
    unlink(path);
    fd_set_calls(&calls);
    CHECK(wav_write(path, x, 1, 8000) == ENOSPC);
    fd_set_calls(NULL);
    CHECK(access(path, F_OK) != 0);
}

int main(void)
{
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/x.wav", folder);
    RUN(floats_are_read_back_as_they_are);
    RUN(integers_are_read_back_as_they_are);
    RUN(integers_beyond_full_scale_are_clipped);
    RUN(a_written_file_is_read_back);
    RUN(a_file_that_is_there_stays);
    RUN(a_file_has_no_name_before_it_is_whole);
    RUN(half_a_file_is_removed);
    unlink(path);
    rmdir(folder);
    return check_done();
}
