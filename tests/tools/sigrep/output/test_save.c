#include "tools/sigrep/output/save.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "io/fdio.h"
#include "io/source.h"
#include "tools/common/messages/signals.h"

static char folder[] = "/var/tmp/save.XXXXXX";

/* What save_done was given, one word a match: the end of the path, or "none". */
static char saved[4096];

static void done(void *user, save_match *m, const char *path)
{
    CHECK(user == saved);
    const char *slash = path ? strrchr(path, '/') + 1 : "none";
    snprintf(saved + strlen(saved), sizeof saved - strlen(saved), "%s ", slash);
    free(m->notes.data);
}

static save_settings settings(double before_s, double after_s)
{
    saved[0] = '\0';
    return (save_settings){.folder = folder,
                           .input = "in.wav",
                           .before_s = before_s,
                           .after_s = after_s,
                           .format = {.channels = 1},
                           .scale = {.rate_hz = 10},
                           .times = TIME_SAMPLES,
                           .horizon = 100,
                           .extension = ".wav",
                           .done = done,
                           .user = saved};
}

/* Samples with these values on. */
static void add(save *s, size_t first, size_t n)
{
    float x[1000];
    for (size_t i = 0; i < n; i++) x[i] = (float)(first + i);
    CHECK(save_add(s, x, NULL, NULL, n));
}

static void take(save *s, uint64_t start, uint64_t end)
{
    const writer_match match = {
        .file = "in.wav", .label = "k", .start = start, .end = end, .scale = {.rate_hz = 10}};
    save_take(s, &(save_match){.match = match});
}

/* Does the file hold these values on? It is removed. */
static bool holds(const char *name, size_t first, size_t n)
{
    char path[128], why[256];
    float x[1001];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    source *src = source_open(path, &(source_options){.wake_fd = -1}, why, sizeof why);
    if (!src) fprintf(stderr, "%s: %s\n", path, why);
    if (!src) return false;
    bool good =
        source_get_info(src).rate_hz == 10 && source_gather(src, x, NULL, 1001) == (ssize_t)n;
    for (size_t i = 0; i < n && good; i++) good = x[i] == (float)(first + i);
    source_close(src);
    unlink(path);
    return good;
}

static void a_file_is_written_once_its_context_has_come(void)
{
    const save_settings set = settings(1, 2);
    save *s = save_create(&set);
    add(s, 0, 50);
    take(s, 30, 35);
    CHECK(!*saved && save_waits(s));
    add(s, 50, 4);
    CHECK(!*saved);
    add(s, 54, 1);
    CHECK(strcmp(saved, "in_k_30.wav ") == 0 && !save_waits(s) && save_samples(s) == 55);
    CHECK(holds("in_k_30.wav", 20, 35));
    take(s, 5, 8); /* all of it is there */
    CHECK(holds("in_k_5.wav", 0, 28));
    CHECK(save_finish(s));
}

static void the_end_and_gaps_cut_the_context(void)
{
    const float broken[] = {1, NAN, 3, 4, 5, INFINITY, 7};
    const save_settings set = settings(9, 9);
    save *s = save_create(&set);
    add(s, 0, 20);
    take(s, 3, 6);
    CHECK(!*saved);
    CHECK(save_gap(s, 30));
    take(s, 10, 12); /* nothing will follow */
    add(s, 50, 10);
    CHECK(holds("in_k_3.wav", 0, 20));
    CHECK(holds("in_k_10.wav", 0, 20));
    take(s, 55, 57);
    CHECK(save_add(s, broken, NULL, NULL, 7)); /* samples 60 to 66 */
    take(s, 63, 64);
    CHECK(save_finish(s));
    CHECK(holds("in_k_63.wav", 3, 3));
    CHECK(unlink("in_k_55.wav") == 0);
    CHECK(strcmp(saved, "in_k_3.wav in_k_10.wav in_k_55.wav in_k_63.wav ") == 0);
}

/* However the samples are cut: the second match is whole before the first one. */
static void files_come_in_the_order_of_the_matches(void)
{
    for (size_t cut = 1; cut <= 60; cut++) {
        const save_settings set = settings(0, 1);
        save *s = save_create(&set);
        size_t n = 0;
        for (; n < 30; n += cut) add(s, n, cut);
        take(s, 25, 30);
        take(s, 5, 6);
        for (; n < 60; n += cut) add(s, n, cut);
        CHECK(save_finish(s));
        CHECK(strcmp(saved, "in_k_25.wav in_k_5.wav ") == 0);
        CHECK(holds("in_k_25.wav", 25, 15) && holds("in_k_5.wav", 5, 11));
    }
}

/* As many samples as the horizon, the context and what waits, whatever comes. */
static void a_match_older_than_the_samples_is_cut(void)
{
    const save_settings set = settings(1, 0);
    save *s = save_create(&set);
    for (size_t i = 0; i < 5; i++) add(s, 100 * i, 100);
    take(s, 400, 410); /* 100 samples ago: the horizon */
    CHECK(holds("in_k_400.wav", 390, 20));
    take(s, 380, 400); /* begins too early */
    CHECK(holds("in_k_380.wav", 390, 10));
    take(s, 100, 110); /* all forgotten */
    CHECK(!save_finish(s));
    CHECK(strcmp(saved, "in_k_400.wav in_k_380.wav none ") == 0);
}

static void text_keeps_its_lines(void)
{
    const float x[] = {1, 2, 3, 4};
    const exact_time times[] = {exact_time_make(1, 0), exact_time_make(2, 0), exact_time_make(3, 0),
                                exact_time_make(4, 0)};
    static const char *const lines[] = {"1;1\r", "2;2\r", "3; 3\r", "4;4\r"};
    kept_lines kept = {0};
    char bytes[64] = "";
    save_settings set = settings(1, 1);
    set.has_lines = set.scale.from_column = true;
    set.extension = ".csv";
    save *s = save_create(&set);
    kept_lines_add(&kept, "t;x\r", 4);
    kept_lines_make_header(&kept);
    for (int i = 0; i < 4; i++) kept_lines_add(&kept, lines[i], strlen(lines[i]));
    CHECK(save_add(s, x, times, &kept, 4));
    const writer_match match = {.file = "in",
                                .label = "k",
                                .start = 1,
                                .end = 2,
                                .start_time = times[1],
                                .end_time = times[2],
                                .scale = set.scale};
    save_take(s, &(save_match){.match = match});
    CHECK(save_finish(s));
    CHECK(strcmp(saved, "in_k_1.csv ") == 0);
    FILE *file = fopen("in_k_1.csv", "rb");
    CHECK(file && fread(bytes, 1, sizeof bytes - 1, file) > 0);
    if (file) fclose(file);
    CHECK(strcmp(bytes, "t;x\r\n1;1\r\n2;2\r\n3; 3\r\n") == 0);
    unlink("in_k_1.csv");
    kept_lines_free(&kept);
}

static ssize_t no_room(int fd, const void *bytes, size_t size)
{
    if (fd == STDERR_FILENO) return write(fd, bytes, size);
    errno = ENOSPC;
    return -1;
}

static ssize_t read_as_ever(int fd, void *bytes, size_t size)
{
    return read(fd, bytes, size);
}

static void a_full_disk_leaves_no_half_file(void)
{
    const fd_calls calls = {.read = read_as_ever, .write = no_room, .poll = poll};
    const save_settings set = settings(0, 0);
    save *s = save_create(&set);
    add(s, 0, 20);
    fd_set_calls(&calls);
    take(s, 3, 6);
    take(s, 7, 9);
    fd_set_calls(NULL);
    CHECK(access("in_k_3.wav", F_OK) != 0);
    take(s, 10, 12);
    CHECK(strcmp(saved, "none none in_k_10.wav ") == 0 && holds("in_k_10.wav", 10, 2));
    CHECK(!save_finish(s));
}

/* A search for the best knows its matches at the end. */
static void all_samples_can_be_kept(void)
{
    save_settings set = settings(0.1, 0.1);
    set.horizon = UINT64_MAX;
    save *s = save_create(&set);
    for (size_t i = 0; i < 100; i++) add(s, 1000 * i, 1000);
    take(s, 70000, 70010);
    take(s, 1, 2);
    CHECK(save_finish(s));
    CHECK(holds("in_k_70000.wav", 69999, 12) && holds("in_k_1.wav", 0, 3));
}

static int64_t ns;

static int64_t now_ns(void)
{
    return ns;
}

/* Regression: with thousands of matches to save, the program was deaf to signals until its
 * deadline. What the first two seconds after a signal leave is counted. */
static void long_after_a_signal_nothing_is_saved(void)
{
    static const fd_calls calls = {.read = read, .write = write, .poll = poll, .now_ns = now_ns};
    const save_settings set = settings(0, 100);
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        save *s = save_create(&set);
        add(s, 0, 20);
        take(s, 2, 5);
        take(s, 6, 9);
        fd_set_calls(&calls);
        const bool is_caught = signals_catch() >= 0 && raise(SIGTERM) == 0;
        ns += 1900000000;
        take(s, 10, 12);
        ns += 200000000;
        const bool good = save_finish(s);
        _exit(is_caught && !good && strcmp(saved, "none none none ") == 0 ? 0 : 1);
    }
    waitpid(child, &status, 0);
    CHECK_MSG(status == 0, "%d", status);
}

int main(void)
{
    CHECK(mkdtemp(folder) != NULL && chdir(folder) == 0);
    RUN(a_file_is_written_once_its_context_has_come);
    RUN(the_end_and_gaps_cut_the_context);
    RUN(files_come_in_the_order_of_the_matches);
    RUN(a_match_older_than_the_samples_is_cut);
    RUN(text_keeps_its_lines);
    RUN(a_full_disk_leaves_no_half_file);
    RUN(long_after_a_signal_nothing_is_saved);
    RUN(all_samples_can_be_kept);
    CHECK(chdir("/") == 0 && rmdir(folder) == 0);
    return check_done();
}
