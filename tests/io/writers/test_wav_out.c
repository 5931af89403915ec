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

static void floats_are_read_back_as_they_are(void)
{
    enum { FRAMES = 5000, CHANNELS = 3 };
    static float x[FRAMES * CHANNELS], y[FRAMES * CHANNELS + CHANNELS];
    char why[256];
    for (size_t i = 0; i < FRAMES * CHANNELS; i++) x[i] = (float)i * 1e-3F - 2;
    x[4] = 1e-40F;
    x[5] = 3e38F;
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    CHECK(wav_write_float(fd, x, FRAMES, CHANNELS, 250) == 0);
    CHECK(wav_write_float(fd, x, SIZE_MAX / 16, 1, 250) == EFBIG);
    CHECK(wav_write_float(fd, x, 1, 16384, 250) == EFBIG);
    close(fd);
    const source_options options = {.wake_fd = -1, .choice = CHANNEL_EACH};
    source *src = source_open(path, &options, why, sizeof why);
    CHECK_MSG(src != NULL, "%s", why);
    if (!src) return;
    CHECK(source_get_info(src).rate_hz == 250 && source_get_info(src).channels == CHANNELS);
    CHECK(source_gather(src, y, NULL, FRAMES + 1) == FRAMES && memcmp(x, y, sizeof x) == 0);
    CHECK(source_read(src, y, NULL, 1) == 0 && !source_warning(src));
    source_close(src);
    unlink(path);
    CHECK(wav_write_float(-1, x, 1, 1, 250) == EBADF);
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
    RUN(a_written_file_is_read_back);
    RUN(a_file_that_is_there_stays);
    RUN(a_file_has_no_name_before_it_is_whole);
    RUN(half_a_file_is_removed);
    unlink(path);
    rmdir(folder);
    return check_done();
}
