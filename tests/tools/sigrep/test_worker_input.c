/* A microphone, made up, and failing reads, as the whole program treats them. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "io/fdio.h"
#include "io/source.h"
#include "tests/support/fake_mic.h"
#include "tools/common/messages/messages.h"
#include "tools/sigrep/run.h"

#define STEPS(...)                                                                                 \
    (const fake_step[]){__VA_ARGS__}, sizeof((const fake_step[]){__VA_ARGS__}) / sizeof(fake_step)

enum { MAX_WORDS = 16, PRINTED = 4096 };
static char out[PRINTED], err[PRINTED];
static FILE *appended; /* standard output of the next runs; NULL: a new file for each */

/* Put descriptor `fd` into a file, or back; what came is then in text. */
static int divert(int fd, FILE *file)
{
    int saved = dup(fd);
    fflush(NULL);
    dup2(fileno(file), fd);
    return saved;
}

static void restore(int fd, int saved, FILE *file, char *text)
{
    fflush(NULL);
    dup2(saved, fd);
    close(saved);
    rewind(file);
    text[fread(text, 1, PRINTED - 1, file)] = '\0';
    if (file != appended) fclose(file);
}

/* Run "sigrep WORDS"; its status, with out and err. */
static int sigrep_with(const char *words)
{
    static char copy[512], program[] = "sigrep";
    char *argv[MAX_WORDS + 1] = {program}, error[ARGUMENTS_ERROR_SIZE];
    int argc = 1;
    options o;
    snprintf(copy, sizeof copy, "%s", words);
    for (char *word = strtok(copy, " "); word && argc < MAX_WORDS; word = strtok(NULL, " "))
        argv[argc++] = word;
    if (options_parse(&o, argc, argv, error)) {
        fprintf(stderr, "%s\n", error);
        abort();
    }
    FILE *files[2] = {appended ? appended : tmpfile(), tmpfile()};
    if (!files[0] || !files[1]) abort();
    int saved[2] = {divert(STDOUT_FILENO, files[0]), divert(STDERR_FILENO, files[1])};
    int status = o.list_devices ? list_microphones() : run(&o);
    restore(STDOUT_FILENO, saved[0], files[0], out);
    restore(STDERR_FILENO, saved[1], files[1], err);
    options_free(&o);
    return status;
}

static uint64_t seed;
static char template_path[4096];

/* The samples that the microphone gives from 3 on, as numbers without a rate. */
static void make_template(void)
{
    const char *dir = getenv("TMPDIR");
    snprintf(template_path, sizeof template_path, "%s/sigrep-test-XXXXXX", dir ? dir : "/tmp");
    int fd = mkstemp(template_path);
    if (fd < 0 || write(fd, "3\n4\n5\n", 6) != 6) abort();
    close(fd);
}

static int search(const char *words)
{
    char all[8192];
    snprintf(all, sizeof all, "-t 0 -e k=%s %s", template_path, words);
    return sigrep_with(all);
}

static void text_shows_the_clock(void)
{
    unsigned year, seconds, next;
    fake_set(STEPS({20, false}), true);
    CHECK(search("mic:") == EXIT_ERROR); /* it is lost in the end */
    CHECK(sscanf(out, "%u-%*2u-%*2uT%*2u:%*2u:%u.%uZ\t", &year, &seconds, &next) == 3);
    CHECK(year >= 2024 && seconds < 60 && strstr(out, "Z\t0\tk\n"));
    CHECK(strcmp(err, "sigrep: mic:: microphone lost: its stream has ended\n") == 0);
    CHECK(search("-T samples mic:") == EXIT_ERROR && strcmp(out, "3\t6\t0\tk\n") == 0);
    CHECK(fake.begun == fake.ended && fake.opened == fake.closed);
}

static void json_has_both(void)
{
    fake_set(STEPS({20, false}), true);
    search("-o json mic:");
    const char *begin = "{\"file\":\"mic:\",\"label\":\"k\",\"start\":0.003,\"end\":0.006,"
                        "\"start_sample\":3,\"end_sample\":6,\"score\":0,\"threshold\":0,"
                        "\"clock\":\"2";
    CHECK_MSG(strncmp(out, begin, strlen(begin)) == 0, "%s", out);
    CHECK(strcmp(out + strlen(out) - 4, "Z\"}\n") == 0);
}

static void a_gap_is_reported_and_counted(void)
{
    fake_set(STEPS({2, false}, {20, true}), true);
    CHECK(search("-T samples mic:") == EXIT_ERROR);
    CHECK(strcmp(out, "4\t7\t0\tk\n") == 0);
    CHECK(strstr(err, "sigrep: mic:: warning: 0.001 s lost at 0.002 s\n"));
    CHECK(search("-r 8000 mic:") == EXIT_ERROR);
    CHECK(strstr(err, "sigrep: mic:: warning: 1 sample lost at 0.0003 s\n"));
    /* In the middle of what would be a match. */
    fake_set(STEPS({4, false}, {20, true}), true);
    CHECK(search("-T samples mic:") == EXIT_ERROR && out[0] == '\0');
    /* 3616 of 20000 have no room, see test_mic.c; the match is before them. */
    fake_set(STEPS({20000, false}, {0, false}, {9, false}), true);
    CHECK(search("-T samples --stats mic:") == EXIT_ERROR && strcmp(out, "3\t6\t0\tk\n") == 0);
    CHECK(strstr(err, "sigrep: mic:: warning: 3.616 s lost at 16.384 s\n"));
    CHECK(strstr(err, "sigrep: stats: samples 20009\n"));
}

/* A microphone goes on after a gap that the clock gives; what was pending at its end is printed. */
static void a_state_goes_on_after_a_gap(void)
{
    char words[256], folder[] = "/tmp/state.XXXXXX", wanted[64];
    unsigned gap = 0;
    appended = tmpfile();
    CHECK(appended && mkdtemp(folder) != NULL);
    snprintf(words, sizeof words, "-T samples --state %s/S mic:", folder);
    fake_set(STEPS({6, false}), true);
    CHECK(search(words) == EXIT_ERROR && strcmp(out, "3\t6\t0\tk\n") == 0);
    fake_set(STEPS({20, false}), true);
    CHECK(search(words) == EXIT_ERROR);
    const char *again = strstr(err, "sigrep: mic:: listens again: goes on after a gap of ");
    CHECK(again && sscanf(strstr(again, "gap of"), "gap of %u", &gap) == 1 && gap > 0);
    snprintf(wanted, sizeof wanted, "3\t6\t0\tk\n%u\t%u\t0\tk\n", 6 + gap + 3, 6 + gap + 6);
    CHECK_MSG(strcmp(out, wanted) == 0, "%s, not %s", out, wanted);
    snprintf(words, sizeof words, "%s/S", folder);
    CHECK(unlink(words) == 0 && rmdir(folder) == 0); /* the lock is gone */
    if (appended) fclose(appended);
    appended = NULL;
}

/* The values of the saved file, which is removed; their number. */
static ssize_t saved_values(const char *path, float values[64])
{
    char why[256];
    source *src = source_open(path, &(source_options){.wake_fd = -1}, why, sizeof why);
    if (!src) return -1;
    const ssize_t n = source_gather(src, values, NULL, 64);
    source_close(src);
    unlink(path);
    return n;
}

static void a_match_is_saved_with_what_was_before_and_after_it(void)
{
    char words[256], folder[] = "/var/tmp/saved.XXXXXX", path[64];
    float x[64];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/mic_k_3.wav", folder);
    snprintf(words, sizeof words, "-T samples --save %s -B 0.002 -A 0.005 mic:", folder);
    fake_set(STEPS({20, false}), true);
    CHECK(search(words) == EXIT_ERROR); /* it is lost in the end */
    CHECK(saved_values(path, x) == 10 && x[0] == 1 && x[9] == 10);
    /* -m 1 stops the search, but what comes after the match is waited for. */
    snprintf(words, sizeof words, "-T samples --save %s -A 0.015 -m 1 mic:", folder);
    fake_set(STEPS({7, false}, {2, false}, {20, false}), false);
    CHECK(search(words) == EXIT_MATCH && strcmp(out, "3\t6\t0\tk\n") == 0);
    CHECK(saved_values(path, x) == 18 && x[0] == 3 && x[17] == 20);
    /* A gap, --duration, and the end cut it off. */
    fake_set(STEPS({8, false}, {20, true}), true);
    CHECK(search(words) == EXIT_MATCH);
    CHECK(saved_values(path, x) == 5 && x[4] == 7);
    strcat(words, " --duration 0.009");
    fake_set(STEPS({7, false}, {20, false}), false);
    CHECK(search(words) == EXIT_MATCH);
    CHECK(saved_values(path, x) == 6 && x[5] == 8);
    /* The name has the clock's time, unless -T is given. */
    snprintf(words, sizeof words, "--save %s mic:", folder);
    fake_set(STEPS({20, false}), true);
    CHECK(search(words) == EXIT_ERROR);
    snprintf(words, sizeof words, "rm %s/mic_k_2[0-9][0-9][0-9]-*Z.wav", folder);
    CHECK(system(words) == 0 && rmdir(folder) == 0);
}

static void duration_ends_it(void)
{
    fake_set(STEPS({20, false}), true);
    CHECK(search("-T samples --duration 0.006 --stats mic:") == EXIT_MATCH);
    CHECK(strcmp(out, "3\t6\t0\tk\n") == 0 && strstr(err, "stats: samples 6\n"));
    CHECK(search("--duration 0.005 --stats mic:") == EXIT_NO_MATCH);
    CHECK(strstr(err, "stats: samples 5\n"));
    /* Also within a gap. */
    fake_set(STEPS({20000, false}, {0, false}, {9, false}), true);
    CHECK(search("--duration 18 --stats mic:") == EXIT_MATCH);
    CHECK(strstr(err, "stats: samples 18000\n"));
}

static void rate_and_channels_are_the_templates(void)
{
    fake_set(STEPS({20, false}), true);
    search("-r 500 mic:");
    CHECK(fake.asked.rate_hz == 500 && fake.asked.channels == 1);
    search("--channel each mic:usb");
    CHECK(fake.asked.rate_hz == 44100 && fake.asked.channels == 1);
}

static void devices_are_listed(void)
{
    fake_set(NULL, 0, false);
    CHECK(sigrep_with("--list-devices") == 0);
    CHECK(strcmp(out, "mic:USB Audio\t2 channels\t44100 Hz\nmic:Line\t1 channel\t1000 Hz\t"
                      "default\n") == 0);
    fake.n_devices = 0;
    CHECK(sigrep_with("--list-devices") == EXIT_ERROR);
    CHECK(!out[0] && strcmp(err, "sigrep: no capture devices\n") == 0);
    fake.begin_fails = "no sound system: none";
    CHECK(sigrep_with("--list-devices") == EXIT_ERROR);
    CHECK(!out[0] && strcmp(err, "sigrep: no sound system: none\n") == 0);
}

/* Reads of this file or pipe give `bytes_left` more bytes. The next one fails, and if `stays`, all
 * after it. Other reads are real. */
static struct {
    struct stat file;
    size_t bytes_left;
    bool stays;
} disk;

static ssize_t read_of_bad_disk(int fd, void *bytes, size_t size)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || st.st_ino != disk.file.st_ino || st.st_dev != disk.file.st_dev)
        return read(fd, bytes, size);
    if (disk.bytes_left == 0) {
        if (!disk.stays) disk.bytes_left = SIZE_MAX;
        errno = EIO;
        return -1;
    }
    const ssize_t n = read(fd, bytes, size < disk.bytes_left ? size : disk.bytes_left);
    disk.bytes_left -= n > 0 ? (size_t)n : 0;
    return n;
}

typedef struct {
    unsigned char bytes[4096];
    size_t n;
} contents;

/* Run "sigrep WORDS FILE", or with these bytes in a pipe. */
static int sigrep_reads(const char *words, const contents *c, bool by_pipe)
{
    char path[2 * sizeof template_path], all[4 * sizeof template_path];
    int ends[2];
    snprintf(path, sizeof path, "%s-input", template_path);
    snprintf(all, sizeof all, "%s -e k=%s %s", words, template_path, by_pipe ? "-" : path);
    if (!by_pipe) {
        const int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
        if (file < 0 || write(file, c->bytes, c->n) != (ssize_t)c->n) abort();
        if (fstat(file, &disk.file) || close(file)) abort();
        const int status = sigrep_with(all);
        unlink(path);
        return status;
    }
    if (pipe(ends) || write(ends[1], c->bytes, c->n) != (ssize_t)c->n || close(ends[1])) abort();
    const int saved = dup(STDIN_FILENO);
    dup2(ends[0], STDIN_FILENO);
    if (close(ends[0]) || fstat(STDIN_FILENO, &disk.file)) abort();
    const int status = sigrep_with(all);
    dup2(saved, STDIN_FILENO);
    close(saved);
    return status;
}

/* Let reading fail after each number of bytes, or a share of them. Returns the most lines that were
 * printed then. */
static size_t check_every_read_error(const char *words, const contents *c, bool by_pipe)
{
    const fd_calls calls = {.read = read_of_bad_disk, .write = write, .poll = poll};
    char whole[PRINTED];
    size_t most = 0, lines = 0;
    disk.bytes_left = SIZE_MAX;
    CHECK(sigrep_reads(words, c, by_pipe) == EXIT_MATCH);
    strcpy(whole, out);
    fd_set_calls(&calls);
    for (size_t at = 0; at <= c->n; at++) {
        if (!check_is_due_of(seed, at, c->n)) continue;
        disk.bytes_left = at;
        disk.stays = at % 2;
        const int status = sigrep_reads(words, c, by_pipe);
        /* Of a file whose header declares its length, all may have been read. */
        const bool is_whole = at == c->n && status == EXIT_MATCH && !strcmp(out, whole);
        CHECK_MSG(is_whole || (status == EXIT_ERROR && strstr(err, strerror(EIO))),
                  "%s, %zu bytes: %d %s", words, at, status, err);
        CHECK_MSG(!strncmp(out, whole, strlen(out)), "%s, %zu bytes: %s not of %s", words, at, out,
                  whole);
        if (!is_whole && strlen(out) > most) most = strlen(out);
    }
    fd_set_calls(NULL);
    for (size_t i = 0; i < most; i++) lines += whole[i] == '\n';
    return lines;
}

/* The template is 3 4 5. After 3 4 4.4 a match is pending that 3 4 4.4 5 replaces, and 50 read in
 * part would be a 5. The match at the end is pending until then. */
static const float fateful[] = {9,  3,  4,  4.4f, 5,  90, 90, 90, 90, 90, 90, 90, 90, 90, 90,
                                90, 90, 90, 90,   90, 90, 3,  4,  50, 90, 90, 90, 3,  4,  4.4f};
enum { FATEFUL = sizeof fateful / sizeof *fateful };

static contents as_text(bool with_times)
{
    contents c = {.n = 0};
    char *text = (char *)c.bytes;
    for (size_t i = 0; i < FATEFUL; i++) {
        if (with_times) c.n += (size_t)sprintf(text + c.n, "2026-11-21T10:00:00.%06zuZ,", 5 * i);
        c.n += (size_t)sprintf(text + c.n, "%g\n", (double)fateful[i]);
    }
    return c;
}

/* Big-endian samples after a header, perhaps an empty one. */
static contents as_samples(const char *header, size_t n)
{
    contents c = {.n = n};
    memcpy(c.bytes, header, n);
    for (size_t i = 0; i < FATEFUL; i++) {
        uint32_t bits;
        memcpy(&bits, &fateful[i], sizeof bits);
        for (int k = 24; k >= 0; k -= 8) c.bytes[c.n++] = (unsigned char)(bits >> k);
    }
    return c;
}

static void a_read_error_prints_no_match_that_the_whole_input_lacks(void)
{
    static const char au[] = ".snd\0\0\0\x18\0\0\0\x78\0\0\0\x06\0\0\0\1\0\0\0\1";
    char takes[2 * sizeof template_path];
    const contents text = as_text(false), times = as_text(true), raw = as_samples("", 0),
                   sound = as_samples(au, sizeof au - 1);
    CHECK(sizeof au - 1 == 24 && 4 * FATEFUL == 0x78);
    snprintf(takes, sizeof takes, "-T samples -t 0.3 --min-matches 2 -e k=%s", template_path);
    for (int by_pipe = 0; by_pipe <= 1; by_pipe++) {
        CHECK(check_every_read_error("-t 0.3", &text, by_pipe) == 1);
        CHECK(check_every_read_error("-t 0.3 --chunk 2", &text, by_pipe) == 1);
        CHECK(check_every_read_error("-b 2", &text, by_pipe) == 0);
        CHECK(check_every_read_error(takes, &text, by_pipe) == 1);
        CHECK(check_every_read_error("-t 0.3 --time-column 1", &times, by_pipe) == 1);
        CHECK(check_every_read_error("-t 0.3 -f f32be", &raw, by_pipe) == 1);
        /* libsndfile reads ahead, so how much is searched is open. */
        CHECK(check_every_read_error("-t 0.3", &sound, by_pipe) <= 1);
    }
}

static contents contents_of(const char *text)
{
    contents c = {.n = strlen(text)};
    memcpy(c.bytes, text, c.n);
    return c;
}

/* The whole input has a match 3 4 4.4 nan, bridged to 5. Without what follows 3 4 4.4 is one. */
static void a_read_error_bridges_nothing(void)
{
    char text[1024] = "9\n3\n4\n4.4\nnan\n5.6\n";
    char times[1024] = "0,9\n1,3\n2,4\n3,4.4\n4,nan\n5,5.6\n";
    for (int i = 0; i < 16; i++) {
        strcat(text, "90\n");
        snprintf(times + strlen(times), 16, "%d,90\n", 6 + i);
    }
    const contents plain = contents_of(text), timed = contents_of(times);
    for (int by_pipe = 0; by_pipe <= 1; by_pipe++) {
        CHECK(check_every_read_error("-t 0.3 --fill 1", &plain, by_pipe) == 1);
        CHECK(check_every_read_error("-t 0.3 --fill 1 --time-column 1", &timed, by_pipe) == 1);
    }
}

/* All that was read is searched, as if the input had ended. The last test: nothing is caught
 * twice. */
static ssize_t read_and_be_interrupted(int fd, void *bytes, size_t size)
{
    struct stat st;
    const bool is_input =
        !fstat(fd, &st) && st.st_ino == disk.file.st_ino && st.st_dev == disk.file.st_dev;
    const ssize_t n = read(fd, bytes, size);
    if (!is_input || n != 0) return n;
    raise(SIGTERM);
    errno = EINTR;
    return -1;
}

static void a_signal_while_the_rate_is_found_loses_nothing(void)
{
    const fd_calls calls = {.read = read_and_be_interrupted, .write = write, .poll = poll};
    const contents c = contents_of("0,9\n1,3\n2,4\n3,5\n4,90\n");
    fd_set_calls(&calls);
    CHECK(sigrep_reads("-T samples -t 0 --time-column 1", &c, true) == 128 + SIGTERM);
    fd_set_calls(NULL);
    CHECK_MSG(strcmp(out, "1\t4\t0\tk\n") == 0 && strstr(err, "ended by a signal after 5.000 s\n"),
              "%s%s", out, err);
}

int main(void)
{
    seed = check_seed("test_worker_input");
    make_template();
    RUN(text_shows_the_clock);
    RUN(json_has_both);
    RUN(a_gap_is_reported_and_counted);
    RUN(a_state_goes_on_after_a_gap);
    RUN(a_match_is_saved_with_what_was_before_and_after_it);
    RUN(duration_ends_it);
    RUN(rate_and_channels_are_the_templates);
    RUN(devices_are_listed);
    RUN(a_read_error_prints_no_match_that_the_whole_input_lacks);
    RUN(a_read_error_bridges_nothing);
    RUN(a_signal_while_the_rate_is_found_loses_nothing);
    unlink(template_path);
    return check_done();
}
