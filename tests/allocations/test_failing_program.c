/* Whole runs of sigrep, with its threads: each allocation of the program and of the library under
 * it fails once. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/fdio.h"
#include "sigrep.h"
#include "tests/allocations/each_allocation.h"
#include "tools/common/messages/messages.h"
#include "tools/sigrep/options/options.h"
#include "tools/sigrep/run.h"

enum { MOST_WORDS = 16, OUTPUT = 1 << 14, N = 2000, M = 40 };

static char folder[] = "/var/tmp/allocations.XXXXXX";

/* Run `sigrep -d cpu` with these words: GPUs have libraries of their own. Returns the exit status.
 */
static int run_sigrep(const char *words)
{
    char copy[256], error[ARGUMENTS_ERROR_SIZE], program[] = "sigrep", device[] = "-dcpu";
    char *argv[MOST_WORDS + 1] = {program, device};
    int argc = 2, status = EXIT_ERROR;
    options o;
    snprintf(copy, sizeof copy, "%s", words);
    for (char *word = strtok(copy, " "); word && argc < MOST_WORDS; word = strtok(NULL, " "))
        argv[argc++] = word;
    if (options_parse(&o, argc, argv, error) == ARGUMENTS_OK)
        status = run(&o);
    else
        report("%s", error);
    options_free(&o);
    return status;
}

static void redirect(int fd, const char *path)
{
    const int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    dup2(file, fd);
    close(file);
}

/* What was written to a descriptor that is a file. */
static const char *written(int fd, char text[OUTPUT])
{
    const ssize_t n = pread(fd, text, OUTPUT - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    return text;
}

/* Without failures: the output and the exit status; set by the first run. */
static char wanted[OUTPUT];
static int wanted_status;

static bool run_once(const void *words)
{
    static char out[OUTPUT], said[OUTPUT];
    const int saved[] = {dup(STDOUT_FILENO), dup(STDERR_FILENO)};
    const int free_before = free_descriptor();
    redirect(STDOUT_FILENO, "out");
    redirect(STDERR_FILENO, "err");
    const int status = run_sigrep(words);
    written(STDOUT_FILENO, out);
    written(STDERR_FILENO, said);
    for (int i = 0; i < 2; i++) {
        dup2(saved[i], STDOUT_FILENO + i);
        close(saved[i]);
    }
    /* signals.c keeps its pipe until the program ends. */
    for (int fd = free_before; fd < free_before + 8; fd++) close(fd);
    if (status == EXIT_ERROR) {
        CHECK_MSG(strstr(said, "sigrep: ") == said && strstr(said, "memory"), "%s", said);
        return false;
    }
    if (!wanted[0]) {
        strcpy(wanted, out);
        wanted_status = status;
    }
    CHECK_MSG(status == wanted_status && strcmp(out, wanted) == 0, "status %d, %s%s", status, out,
              said);
    return true;
}

static void each_fails(const char *words)
{
    wanted[0] = '\0';
    CHECK(run_once(words) && wanted[0]);
    each_allocation_fails(words, run_once, words);
}

static void messages_need_no_memory(void)
{
    char said[OUTPUT];
    const int saved = dup(STDERR_FILENO);
    redirect(STDERR_FILENO, "err");
    memory_fails_at(1, true);
    report_of("x", "%d words", 2);
    report_progress("half");
    report_usage("USAGE", "wrong");
    const size_t failed = memory_mend();
    written(STDERR_FILENO, said);
    dup2(saved, STDERR_FILENO);
    close(saved);
    CHECK(failed == 0);
    CHECK_MSG(strcmp(said, "sigrep: x: 2 words\nhalf\nsigrep: wrong\nTry 'sigrep --help'.\n") == 0,
              "%s", said);
}

static void with_thresholds(void)
{
    each_fails("-t 0.1 x.txt y.txt");
    each_fails("-p znorm=40 -v --skip-bad -H x.txt y.txt y.txt");
}

static void with_columns_and_times(void)
{
    each_fails("--columns 2 --time-column 1 -t 0.1 -o json timed.csv@20-50 timed.csv");
    each_fails("--columns 2 --time-column 1 -b 3 -o csv timed.csv@20-50 timed.csv");
}

static void with_json_lines(void)
{
    each_fails("--columns a.x --time-column t --save saved -t 0.1 x.txt lines.jsonl");
    CHECK(system("rm -r saved") == 0);
}

static void with_scores(void)
{
    each_fails("--scores scores.f32 -t 0.1 -o labels x.txt y.txt");
    each_fails("--monitor -t 0.1 x.txt y.txt");
#ifdef SIGREP_HTTP
    each_fails("--monitor-page 0 -t 0.1 x.txt y.txt");
#endif
}

static void with_paths(void)
{
    each_fails("--path -o json -t 0.1 x.txt y.txt");
    each_fails("--path -o json -b 3 x.txt y.txt y.txt");
}

static void with_a_folder_of_templates(void)
{
    each_fails("-e word=templates -t 0.1 --min-matches 2 y.txt");
}

static void with_a_table_of_selections(void)
{
    each_fails("-t 0.1 x.txt@marks.txt y.txt");
    each_fails("-t 0.1 -o raven timed.csv@marks.txt:b --columns 2 --time-column 1 timed.csv");
}

static void with_a_bundle(void)
{
    each_fails("x.sigrep y.txt");
}

static void with_actions(void)
{
    each_fails("--hold 5 --save saved -C 3 -t 0.1 x.txt y.txt");
    each_fails("--save saved -A 3 -b 2 --columns 2 --time-column 1 timed.csv@20-50 timed.csv");
    each_fails("--save saved --exec : -t 0.1 -f text x.txt y.txt");
    CHECK(system("rm -r saved") == 0);
}

/* run_once, of a run that goes on from a state. */
static bool go_on(const void *words)
{
    CHECK(system("cp state.before state") == 0);
    return run_once(words);
}

/* A state of the first lines of a file, before any match; then runs over all of it. */
static void goes_on_each_time(const char *words, const char *make_first, const char *make_all)
{
    wanted[0] = '\0';
    unlink("state");
    CHECK(system(make_first) == 0 && run_once(words));
    CHECK(rename("state", "state.before") == 0 && system(make_all) == 0);
    wanted[0] = '\0';
    CHECK(go_on(words) && wanted[0]);
    each_allocation_fails(words, go_on, words);
}

static void with_a_state(void)
{
    goes_on_each_time("--state state --hold 3 -t 0.1 x.txt grows", "head -n 90 y.txt >grows",
                      "cp y.txt grows");
    goes_on_each_time("--state state --columns 2 --time-column 1 -t 0.1 x.txt grows",
                      "head -n 90 timed.csv >grows", "cp timed.csv grows");
    CHECK(system("rm state state.before grows") == 0);
}

static void with_many_inputs(void)
{
    each_fails("--recursive --exclude 1* -c -t 0.1 x.txt templates");
    each_fails("-j 3 -t 0.1 x.txt y.txt y.txt y.txt");
}

static void write_file(const char *path, const void *bytes, size_t n)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    CHECK(fd >= 0 && fd_write_all(fd, bytes, n) == 0);
    close(fd);
}

/* Numbers [from, to) of the signal as lines, with their times. */
static void write_numbers(const char *path, const float *y, int from, int to, bool timed)
{
    static char text[40 * N];
    size_t n = 0;
    for (int t = from; t < to; t++) {
        if (timed) n += (size_t)snprintf(text + n, sizeof text - n, "%d,", t);
        n += (size_t)snprintf(text + n, sizeof text - n, "%.4g\n", (double)y[t]);
    }
    write_file(path, text, n);
}

static void write_json_lines(const char *path, const float *y, int count)
{
    static char text[80 * N];
    size_t n = 0;
    for (int t = 0; t < count; t++)
        n += (size_t)snprintf(text + n, sizeof text - n, "{\"t\": %d, \"a\": {\"x\": %.4g}}\n", t,
                              (double)y[t]);
    write_file(path, text, n);
}

static void write_marks(const char *path)
{
    static const char text[] = "0\t30\ta\n10\t40\tb\n\\\t0.1\t0.4\n";
    write_file(path, text, sizeof text - 1);
}

static void write_bundle(const char *path, const float *y)
{
    const sigrep_bundle_info info = {.size = sizeof info, .front_end = "raw", .channels = 1};
    const sigrep_template take = {.label = "word", .samples = y, .length = M};
    sigrep_bundle *b;
    const void *bytes;
    size_t n;
    CHECK(sigrep_bundle_create(&b, &info, NULL) == SIGREP_OK);
    CHECK(sigrep_bundle_add_take(b, "take", &take, NULL) == SIGREP_OK);
    CHECK(sigrep_bundle_write(b, &bytes, &n, NULL) == SIGREP_OK);
    write_file(path, bytes, n);
    sigrep_bundle_destroy(b);
}

static void write_inputs(void)
{
    static float y[N];
    uint64_t random = 1;
    for (size_t t = 0; t < N; t++) y[t] = (float)check_below(&random, 1000) / 100;
    CHECK(mkdir("templates", 0700) == 0);
    write_numbers("x.txt", y, 100, 100 + M, false);
    write_numbers("templates/1.txt", y, 300, 300 + M, false);
    write_numbers("templates/2.txt", y, 301, 300 + M, false);
    write_numbers("y.txt", y, 0, N, false);
    write_numbers("timed.csv", y, 0, N, true);
    write_marks("marks.txt");
    write_bundle("x.sigrep", y + 500);
    write_json_lines("lines.jsonl", y, N);
}

static void remove_all(void)
{
    static const char *const paths[] = {
        "templates/1.txt", "templates/2.txt", "x.txt", "y.txt", "timed.csv", "lines.jsonl",
        "x.sigrep",        "scores.f32",      "out",   "err",   "marks.txt"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) CHECK(unlink(paths[i]) == 0);
    CHECK(rmdir("templates") == 0 && chdir("/") == 0 && rmdir(folder) == 0);
}

int main(void)
{
    if (!mkdtemp(folder) || chdir(folder) != 0) return 2;
    write_inputs();
    RUN(messages_need_no_memory);
    RUN(with_thresholds);
    RUN(with_columns_and_times);
    RUN(with_json_lines);
    RUN(with_scores);
    RUN(with_paths);
    RUN(with_a_folder_of_templates);
    RUN(with_a_table_of_selections);
    RUN(with_a_bundle);
    RUN(with_actions);
    RUN(with_a_state);
    RUN(with_many_inputs);
    remove_all();
    return check_done();
}
