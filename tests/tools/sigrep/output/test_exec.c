#include "tools/sigrep/output/exec.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

static char folder[] = "/var/tmp/exec.XXXXXX", printed[1 << 16];
static int saved_stderr;

/* Standard error goes into a file from here on. */
static void divert(void)
{
    const int fd = open("err", O_RDWR | O_CREAT | O_TRUNC, 0666);
    saved_stderr = dup(STDERR_FILENO);
    dup2(fd, STDERR_FILENO);
    close(fd);
}

/* Back; what was written is in `printed`. */
static void restore(void)
{
    lseek(STDERR_FILENO, 0, SEEK_SET);
    const ssize_t n = read(STDERR_FILENO, printed, sizeof printed - 1);
    printed[n < 0 ? 0 : n] = '\0';
    dup2(saved_stderr, STDERR_FILENO);
    close(saved_stderr);
}

static void add(exec *e, size_t number, const char *label, const char *value)
{
    text_buffer variables = {0};
    text_add_format(&variables, "SIGREP_LABEL=%s", label);
    text_add(&variables, "", 1);
    text_add_format(&variables, "SIGREP_VALUE=%s", value);
    text_add(&variables, "", 1);
    exec_add(e, number, label, &variables);
}

/* All commands are waited for. */
static bool is_finished(exec *e)
{
    bool was_cut = false;
    const bool good = exec_finish(e, &was_cut);
    CHECK(!was_cut);
    return good;
}

/* Run the command once, for this value; was all well? */
static bool run_once(const char *command, const char *value)
{
    divert();
    exec *e = exec_create(command, 1);
    add(e, 0, "bell", value);
    const bool good = is_finished(e);
    restore();
    return good;
}

static bool is_printed(const char *text)
{
    if (strcmp(printed, text) != 0) fprintf(stderr, "printed: %s\n", printed);
    return strcmp(printed, text) == 0;
}

static void values_are_never_part_of_the_command(void)
{
    CHECK(run_once("echo \"$SIGREP_LABEL:$SIGREP_VALUE\"", "$(touch x); 'a' \"b\" `c`\n\xff"));
    CHECK(is_printed("bell:$(touch x); 'a' \"b\" `c`\n\xff\n"));
    CHECK(access("x", F_OK) != 0);
}

static void variables_of_another_sigrep_are_removed(void)
{
    setenv("SIGREP_SAVED", "/old", 1);
    setenv("SIGREP_VALUE", "old", 1);
    setenv("OTHER", "kept", 1);
    CHECK(run_once("echo \"${SIGREP_SAVED-none} $SIGREP_VALUE $OTHER\"", "new"));
    CHECK(is_printed("none new kept\n"));
}

static void commands_run_in_order(void)
{
    char value[16], *at = printed;
    divert();
    exec *e = exec_create("echo $SIGREP_VALUE", 1);
    for (int i = 0; i < 100; i++) {
        snprintf(value, sizeof value, "%d", i);
        add(e, 0, "bell", value);
    }
    CHECK(is_finished(e));
    restore();
    for (int i = 0; i < 100; i++) CHECK(strtol(at, &at, 10) == i);
    CHECK(strcmp(at, "\n") == 0);
}

static void it_reads_nothing_and_inherits_no_descriptor(void)
{
    const int open_file = open("other", O_RDWR | O_CREAT, 0666); /* not close-on-exec */
    char command[128];
    snprintf(command, sizeof command,
             "cat; echo out; echo err >&2; (echo x >&%d) 2>/dev/null; :", open_file);
    CHECK(run_once(command, ""));
    CHECK(is_printed("out\nerr\n"));
    struct stat st;
    CHECK(fstat(open_file, &st) == 0 && st.st_size == 0);
    close(open_file);
}

/* As cron may start us. */
static void ignored_sigchld_loses_no_status(void)
{
    signal(SIGCHLD, SIG_IGN);
    CHECK(run_once("exit 3", ""));
    CHECK(is_printed("sigrep: bell: --exec: the command ended with status 3\n"));
}

static void signals_are_reset(void)
{
    sigset_t all, before;
    sigfillset(&all);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    CHECK(run_once("kill -HUP $$; echo on; kill -PIPE $$; echo off", ""));
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    CHECK(strncmp(printed, "on\n", 3) == 0 && !strstr(printed, "off"));
    CHECK(strstr(printed, "sigrep: bell: --exec: the command was ended by signal 13 ("));
}

static void the_first_failure_of_each_label_is_reported(void)
{
    divert();
    exec *e = exec_create("exit $SIGREP_VALUE", 3);
    add(e, 0, "good", "0");
    add(e, 1, "bell", "7");
    add(e, 1, "bell", "8");
    add(e, 2, "knock", "9");
    CHECK(is_finished(e));
    restore();
    CHECK(is_printed("sigrep: bell: --exec: the command ended with status 7\n"
                     "sigrep: knock: --exec: the command ended with status 9\n"));
}

static void what_waits_too_long_is_dropped_and_counted(void)
{
    divert();
    mkfifo("gate", 0666);
    exec *e = exec_create("[ \"$SIGREP_VALUE\" != first ] || cat gate", 1);
    add(e, 0, "bell", "first");
    const int gate = open("gate", O_WRONLY); /* opens when `cat` does: nothing waits in the queue */
    for (int i = 0; i < EXEC_WAITING + 12; i++) add(e, 0, "bell", "");
    close(gate);
    CHECK(is_finished(e));
    restore();
    CHECK(is_printed("sigrep: warning: --exec: 1000 commands wait, so 1 is dropped\n"
                     "sigrep: warning: --exec: 1000 commands wait, so 10 are dropped\n"
                     "sigrep: warning: --exec: 1000 commands wait, so 12 are dropped\n"));
}

static void a_command_that_cannot_be_started_is_an_error(void)
{
    static char large[1 << 18]; /* beyond the largest variable, 128 KiB */
    memset(large, 'x', sizeof large - 1);
    CHECK(!run_once("echo never", large));
    CHECK(is_printed("sigrep: --exec: /bin/sh: Argument list too long\n"));
}

int main(void)
{
    CHECK(mkdtemp(folder) != NULL && chdir(folder) == 0);
    RUN(values_are_never_part_of_the_command);
    RUN(variables_of_another_sigrep_are_removed);
    RUN(commands_run_in_order);
    RUN(it_reads_nothing_and_inherits_no_descriptor);
    RUN(ignored_sigchld_loses_no_status);
    RUN(signals_are_reset);
    RUN(the_first_failure_of_each_label_is_reported);
    RUN(what_waits_too_long_is_dropped_and_counted);
    RUN(a_command_that_cannot_be_started_is_an_error);
    unlink("err");
    unlink("other");
    unlink("gate");
    CHECK(chdir("/") == 0 && rmdir(folder) == 0);
    return check_done();
}
