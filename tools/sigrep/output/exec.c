#define _GNU_SOURCE /* posix_spawn_file_actions_addclosefrom_np */

#include "tools/sigrep/output/exec.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"

extern char **environ;

enum { POLL_MS = 50 };
static const char PREFIX[] = "SIGREP_";

typedef struct {
    size_t label;
    char *variables;
    size_t length; /* bytes */
} job;

/* The first failure of a label's commands. */
typedef struct {
    const char *label;
    int status; /* as waitpid gives it */
    bool has_failed, is_reported;
} outcome;

struct exec {
    const char *command;
    int output_fd; /* standard error may be silenced for a while */
    pthread_t thread;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t changed;
    job waiting[EXEC_WAITING]; /* a ring */
    size_t first, n_waiting;
    bool is_closing; /* nothing will be added */
    bool has_ended;  /* the thread */
    outcome *outcomes;
    size_t n_labels;
    int failure; /* an errno: a command could not be started */
    bool has_failed, is_reported;
    uint64_t dropped;
    atomic_bool has_news;
};

/* The environment, a list in one block, for the caller to free. NULL: out of memory. */
static char **make_environment(const job *j)
{
    size_t n = 1;
    for (char **v = environ; v && *v; v++) n++;
    for (size_t i = 0; i < j->length; i++) n += j->variables[i] == '\0';
    char **list = malloc(n * sizeof *list), **to = list;
    if (!list) return NULL;
    for (char **v = environ; v && *v; v++)
        if (strncmp(*v, PREFIX, sizeof PREFIX - 1) != 0) *to++ = *v;
    for (size_t at = 0; at < j->length; at += strlen(j->variables + at) + 1)
        *to++ = j->variables + at;
    *to = NULL;
    return list;
}

/* Whoever ignored one of these, nohup or a shell's &, meant the commands as well. */
static void set_signals(posix_spawnattr_t *attributes)
{
    static const int kept[] = {SIGHUP, SIGINT, SIGQUIT};
    sigset_t none, defaults;
    sigemptyset(&none);
    sigfillset(&defaults);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) sigdelset(&defaults, kept[i]);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &defaults);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

/* Start the shell. Returns 0 or an errno. */
static int start(const exec *e, char **environment, pid_t *pid)
{
    char shell[] = "sh", option[] = "-c", *command = strdup(e->command);
    char *words[] = {shell, option, command, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    if (!command) return ENOMEM;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    int failure = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO && !failure; fd++)
        failure = posix_spawn_file_actions_adddup2(&files, e->output_fd, fd);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
    if (!failure) failure = posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
#endif
    set_signals(&attributes);
    if (!failure) failure = posix_spawn(pid, "/bin/sh", &files, &attributes, words, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    free(command);
    return failure;
}

/* Run a command to its end. Returns 0 or an errno. */
static int run_command(const exec *e, const job *j, int *status)
{
    pid_t pid;
    char **environment = make_environment(j);
    const int failure = environment ? start(e, environment, &pid) : ENOMEM;
    free(environment);
    if (failure) return failure;
    while (waitpid(pid, status, 0) < 0)
        if (errno != EINTR) return errno;
    return 0;
}

/* Called with the lock. */
static void record(exec *e, size_t label, int failure, int status)
{
    outcome *o = &e->outcomes[label];
    if (failure && !e->has_failed) {
        e->has_failed = true;
        e->failure = failure;
        atomic_store(&e->has_news, true);
    }
    if (failure || status == 0 || o->has_failed) return;
    o->has_failed = true;
    o->status = status;
    atomic_store(&e->has_news, true);
}

static void *work(void *user)
{
    exec *e = user;
    pthread_mutex_lock(&e->lock);
    for (;;) {
        while (e->n_waiting == 0 && !e->is_closing) pthread_cond_wait(&e->changed, &e->lock);
        if (e->n_waiting == 0) break;
        const job j = e->waiting[e->first];
        e->first = (e->first + 1) % EXEC_WAITING;
        e->n_waiting--;
        pthread_mutex_unlock(&e->lock);
        int status = 0;
        const int failure = run_command(e, &j, &status);
        free(j.variables);
        pthread_mutex_lock(&e->lock);
        record(e, j.label, failure, status);
    }
    e->has_ended = true;
    pthread_cond_broadcast(&e->changed);
    pthread_mutex_unlock(&e->lock);
    return NULL;
}

static void free_all(exec *e)
{
    if (e->output_fd != STDERR_FILENO) close(e->output_fd);
    pthread_cond_destroy(&e->changed);
    pthread_mutex_destroy(&e->lock);
    free(e->outcomes);
    free(e);
}

exec *exec_create(const char *command, size_t n_labels)
{
    const struct sigaction children = {.sa_handler = SIG_DFL};
    pthread_condattr_t by_steady_clock;
    exec *e = calloc(1, sizeof *e);
    if (!e) return NULL;
    e->command = command;
    e->n_labels = n_labels;
    e->outcomes = calloc(n_labels, sizeof *e->outcomes);
    e->output_fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (e->output_fd < 0) e->output_fd = STDERR_FILENO;
    pthread_mutex_init(&e->lock, NULL);
    pthread_condattr_init(&by_steady_clock);
    pthread_condattr_setclock(&by_steady_clock, CLOCK_MONOTONIC);
    pthread_cond_init(&e->changed, &by_steady_clock);
    pthread_condattr_destroy(&by_steady_clock);
    sigaction(SIGCHLD, &children, NULL);
    if (e->outcomes && signals_start_thread(&e->thread, work, e)) return e;
    free_all(e);
    return NULL;
}

/* Is it 1, 10, 100 ...? */
static bool is_round(uint64_t n)
{
    while (n > 0 && n % 10 == 0) n /= 10;
    return n == 1;
}

static void report_dropped(uint64_t dropped)
{
    report("warning: --exec: %d commands wait, so %" PRIu64 " %s dropped", EXEC_WAITING, dropped,
           dropped == 1 ? "is" : "are");
}

void exec_add(exec *e, size_t label_number, const char *label, text_buffer *variables)
{
    pthread_mutex_lock(&e->lock);
    const bool has_room = e->n_waiting < EXEC_WAITING;
    const uint64_t dropped = has_room ? 0 : ++e->dropped;
    if (has_room) {
        e->outcomes[label_number].label = label;
        e->waiting[(e->first + e->n_waiting++) % EXEC_WAITING] =
            (job){label_number, variables->data, variables->length};
        pthread_cond_broadcast(&e->changed);
    }
    pthread_mutex_unlock(&e->lock);
    if (!has_room) free(variables->data);
    *variables = (text_buffer){0};
    if (is_round(dropped)) report_dropped(dropped);
}

static void report_outcome(const outcome *o)
{
    if (WIFSIGNALED(o->status))
        report_of(o->label, "--exec: the command was ended by signal %d (%s)", WTERMSIG(o->status),
                  strsignal(WTERMSIG(o->status)));
    else
        report_of(o->label, "--exec: the command ended with status %d", WEXITSTATUS(o->status));
}

void exec_report(exec *e)
{
    if (!atomic_exchange(&e->has_news, false)) return;
    pthread_mutex_lock(&e->lock);
    if (e->has_failed && !e->is_reported) report("--exec: /bin/sh: %s", strerror(e->failure));
    e->is_reported = e->has_failed;
    for (size_t i = 0; i < e->n_labels; i++) {
        outcome *o = &e->outcomes[i];
        if (o->has_failed && !o->is_reported) report_outcome(o);
        o->is_reported = o->has_failed;
    }
    pthread_mutex_unlock(&e->lock);
}

/* Wait until the thread has ended, for `ms` at most (negative: without limit), or until a signal if
 * `heeds_signals`. Called with the lock. */
static void wait_for_end(exec *e, int ms, bool heeds_signals)
{
    for (int waited = 0; !e->has_ended && (ms < 0 || waited < ms); waited += POLL_MS) {
        struct timespec until;
        if (heeds_signals && signals_caught()) return;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += POLL_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&e->changed, &e->lock, &until);
    }
}

/* Called with the lock. Returns how many commands waited. */
static size_t drop_waiting(exec *e)
{
    const size_t n = e->n_waiting;
    for (; e->n_waiting > 0; e->n_waiting--) {
        free(e->waiting[e->first].variables);
        e->first = (e->first + 1) % EXEC_WAITING;
    }
    return n;
}

bool exec_finish(exec *e, bool *was_cut)
{
    if (!e) return true;
    pthread_mutex_lock(&e->lock);
    e->is_closing = true;
    pthread_cond_broadcast(&e->changed);
    wait_for_end(e, -1, true);
    const size_t left = drop_waiting(e);
    wait_for_end(e, EXEC_PATIENCE_S * 1000, false);
    const bool has_ended = e->has_ended, good = !e->has_failed;
    *was_cut |= left > 0;
    const uint64_t dropped = e->dropped;
    pthread_mutex_unlock(&e->lock);
    exec_report(e);
    if (dropped > 0 && !is_round(dropped)) report_dropped(dropped);
    if (left > 0) report("warning: --exec: %zu command%s not started", left, left == 1 ? "" : "s");
    if (!has_ended) {
        report("warning: --exec: a command is still running");
        return good; /* the thread keeps what it uses */
    }
    pthread_join(e->thread, NULL);
    free_all(e);
    return good;
}
