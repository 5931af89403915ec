/* A microphone, made up, as the whole program treats it. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "filter/cli/run.h"
#include "tests/support/fake_mic.h"

#define STEPS(...)                                                                                 \
    (const fake_step[]){__VA_ARGS__}, sizeof((const fake_step[]){__VA_ARGS__}) / sizeof(fake_step)

enum { MAX_WORDS = 16, PRINTED = 4096 };
static char out[PRINTED], err[PRINTED];

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
    fclose(file);
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
    FILE *files[2] = {tmpfile(), tmpfile()};
    if (!files[0] || !files[1]) abort();
    int saved[2] = {divert(STDOUT_FILENO, files[0]), divert(STDERR_FILENO, files[1])};
    int status = o.list_devices ? run_list_devices() : run(&o);
    restore(STDOUT_FILENO, saved[0], files[0], out);
    restore(STDERR_FILENO, saved[1], files[1], err);
    options_free(&o);
    return status;
}

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

int main(void)
{
    make_template();
    RUN(text_shows_the_clock);
    RUN(json_has_both);
    RUN(a_gap_is_reported_and_counted);
    RUN(duration_ends_it);
    RUN(rate_and_channels_are_the_templates);
    RUN(devices_are_listed);
    unlink(template_path);
    return check_done();
}
