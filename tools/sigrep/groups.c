#include "tools/sigrep/groups.h"

#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "io/fdio.h"
#include "io/live/mic.h"
#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"
#include "tools/sigrep/output/output_files.h"
#include "tools/sigrep/worker.h"

enum { BATCH_ROWS = 1 << 16, BATCH_BYTES = 1 << 23 /* dealt before their groups are woken */ };

typedef struct dealer dealer;

/* Before the line of a row that waits. */
typedef struct {
    uint64_t number;
    size_t length;
} row_head;

/* While its thread sleeps it belongs to the dealer. */
typedef struct {
    dealer *dealer;
    listed_input listed; /* with its name in `group` */
    line_supply lines;
    worker worker;
    pthread_t thread;
    pthread_cond_t wake;
    text_buffer rows; /* that wait: row_head, line */
    size_t taken;     /* bytes of `rows` */
    size_t head_at;   /* in the dealer's head ... */
    uint64_t number;  /* ... and the lines before it */
    bool has_thread, has_rows, may_run, is_over;
} group;

struct dealer {
    worker *w; /* of the input */
    const listed_input *listed;
    source *src;
    const char *head; /* the first lines, which each group reads */
    size_t head_length;
    uint64_t head_lines;
    group *groups[GROUPS_MOST];
    size_t n, n_left_out;
    void *tree; /* of them, by tsearch(3) */
    pthread_mutex_t lock;
    pthread_cond_t has_slept;
    size_t running, jobs; /* groups, now and at most */
    bool has_ended;       /* no more rows come */
    bool failed;          /* reported */
    size_t n_rows, bytes; /* of the batch */
    uint64_t last;        /* the number of the last row that was dealt */
    uint64_t searched;    /* ... and of one that was searched, as were all before it */
};

static const char *name_of(const void *node)
{
    return ((const group *)node)->listed.group;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(name_of(a), name_of(b));
}

/* ---- In the thread of a group ---- */

/* Sleep until there are rows, or there will be none. */
static void wait_for_rows(group *g)
{
    dealer *d = g->dealer;
    pthread_mutex_lock(&d->lock);
    d->running--;
    pthread_cond_signal(&d->has_slept);
    while (!g->may_run) pthread_cond_wait(&g->wake, &d->lock);
    g->may_run = false;
    pthread_mutex_unlock(&d->lock);
}

/* Give a line of the head. false: all were given. */
static bool give_head(group *g, const char **line, size_t *length, uint64_t *number)
{
    const dealer *d = g->dealer;
    if (g->head_at == d->head_length) return false;
    *line = d->head + g->head_at;
    *length = (size_t)((const char *)memchr(*line, '\n', d->head_length - g->head_at) - *line);
    *number = ++g->number;
    g->head_at += *length + 1;
    return true;
}

/* Give a row that waits. false: none does. */
static bool give_row(group *g, const char **line, size_t *length, uint64_t *number)
{
    row_head head;
    if (g->taken == g->rows.length) return false;
    memcpy(&head, g->rows.data + g->taken, sizeof head);
    *line = g->rows.data + g->taken + sizeof head;
    *length = head.length;
    *number = head.number;
    g->taken += sizeof head + head.length;
    return true;
}

/* A line_supply.next. */
static bool next_line(void *user, const char **line, size_t *length, uint64_t *number, bool wait)
{
    group *g = user;
    while (!give_head(g, line, length, number) && !give_row(g, line, length, number)) {
        if (!wait || g->lines.has_ended) return false;
        wait_for_rows(g);
    }
    g->lines.given = *number;
    return true;
}

static void *search_group(void *user)
{
    group *g = user;
    dealer *d = g->dealer;
    print_hold_messages(&g->worker.out, true);
    worker_search(&g->worker, &g->listed);
    free_search(&g->worker);
    feed_free(&g->worker.feed);
    pthread_mutex_lock(&d->lock);
    g->is_over = true;
    d->running--;
    pthread_cond_signal(&d->has_slept);
    pthread_mutex_unlock(&d->lock);
    return NULL;
}

/* ---- In the dealer's ---- */

/* The first reason counts; NULL: it is not to be reported. Always false. */
static bool fail(dealer *d, const char *reason)
{
    if (reason && !d->failed) report_of(d->w->out.input.name, "%s", reason);
    d->failed = true;
    return false;
}

/* Check the file of a new group. If an earlier run wrote it, the group is left out. false: it is
 * that of another group, which is reported. */
static bool check_file(dealer *d, group *g)
{
    const options *o = d->w->run->o;
    if (!o->output_dir) return true;
    if (o->new_only && output_file_is_done(o, &g->listed)) {
        g->is_over = true;
        d->n_left_out++;
        return true;
    }
    for (size_t i = 0; i < d->n; i++)
        if (output_file_is_shared(&g->listed, &d->groups[i]->listed)) {
            report_of(g->listed.shown, "has the output file of another group, '%s'",
                      d->groups[i]->listed.group);
            d->failed = true;
            return false;
        }
    return true;
}

/* Name a new group. false: out of memory. */
static bool name_group(dealer *d, group *g, const char *name)
{
    const char *file = d->w->out.input.name;
    g->listed = *d->listed;
    g->listed.lines = &g->lines;
    g->listed.group = strdup(name);
    const size_t size = strlen(file) + strlen(name) + 3;
    g->listed.shown = malloc(size);
    if (!g->listed.group || !g->listed.shown) return false;
    snprintf(g->listed.shown, size, "%s: %s", file, name);
    return true;
}

static void free_group(group *g)
{
    worker *w = &g->worker;
    w->out.exec = NULL;
    if (w->run) worker_free(w);
    pthread_cond_destroy(&g->wake);
    free(g->rows.data);
    free(g->listed.group);
    free(g->listed.shown);
    free(g);
}

/* Make a group, but not its thread. NULL after a failure, which is reported. */
static group *make_group(dealer *d, const char *name)
{
    if (d->n == GROUPS_MOST) {
        fail(d, "more than 4096 groups: is --group-by the right column?");
        return NULL;
    }
    group *g = calloc(1, sizeof *g);
    if (!g) {
        fail(d, "out of memory");
        return NULL;
    }
    g->dealer = d;
    g->lines = (line_supply){.next = next_line, .user = g, .is_live = source_get_info(d->src).live};
    pthread_cond_init(&g->wake, NULL);
    const bool good = (name_group(d, g, name) || fail(d, "out of memory")) && check_file(d, g) &&
                      worker_begin(&g->worker, d->w->run, 1, d->w) &&
                      (tsearch(g, &d->tree, by_name) || fail(d, "out of memory"));
    if (!good) {
        d->failed = true;
        free_group(g);
        return NULL;
    }
    turn_begin_by_rows(&g->worker.out.turn, &d->w->run->out.turns);
    if (strcmp(g->worker.device, "auto") == 0) g->worker.device = "cpu";
    return d->groups[d->n++] = g;
}

/* The group of the row, a new one perhaps. NULL after a failure, which is reported. */
static group *find_group(dealer *d, const source_row *row)
{
    char *name = strndup(row->group, row->group_length);
    if (!name) {
        fail(d, "out of memory");
        return NULL;
    }
    const group key = {.listed.group = name};
    group *const *found = tfind(&key, &d->tree, by_name);
    group *g = found ? *found : make_group(d, name);
    free(name);
    return g;
}

/* Let the row wait. false after a failure, which is reported. */
static bool deal(dealer *d, const source_row *row)
{
    group *g = find_group(d, row);
    if (!g) return false;
    d->last = row->number;
    d->n_rows++;
    if (g->is_over) return true;
    g->has_rows = true;
    if (row->number <= d->head_lines) return true;
    const row_head head = {row->number, row->length};
    text_add(&g->rows, (const char *)&head, sizeof head);
    text_add(&g->rows, row->line, row->length);
    d->bytes += sizeof head + row->length;
    return !g->rows.failed || fail(d, "out of memory");
}

/* Wake the group, once few enough run. false: there is no thread for it; reported. */
static bool wake(dealer *d, group *g)
{
    pthread_mutex_lock(&d->lock);
    while (d->running == d->jobs) pthread_cond_wait(&d->has_slept, &d->lock);
    if (g->has_thread) {
        g->may_run = true;
        pthread_cond_signal(&g->wake);
    } else {
        g->has_thread = signals_start_thread(&g->thread, search_group, g);
        g->is_over = !g->has_thread;
    }
    d->running += g->has_thread;
    pthread_mutex_unlock(&d->lock);
    return g->has_thread || fail(d, "too few threads for its groups: ulimit -u, or the limit of a "
                                    "service, allows more");
}

/* Print what the groups hold. false after a failure, which is reported. */
static bool merge(dealer *d)
{
    turn *turns[GROUPS_MOST];
    for (size_t i = 0; i < d->n; i++) turns[i] = &d->groups[i]->worker.out.turn;
    return d->n == 0 || turns_merge(turns, d->n) || fail(d, "out of memory");
}

/* All were taken. Each group may once have had a whole batch, so no room is kept. */
static void free_rows(group *g)
{
    free(g->rows.data);
    g->rows = (text_buffer){0};
    g->taken = 0;
}

/* Let groups search the rows that wait; all of them, if no more come. */
static bool run_batch(dealer *d)
{
    bool good = true;
    for (size_t i = 0; i < d->n; i++) {
        group *g = d->groups[i];
        const bool is_due = g->has_rows || (d->has_ended && g->has_thread);
        g->has_rows = false;
        if (is_due && !g->is_over && (good || g->has_thread)) good &= wake(d, g);
    }
    pthread_mutex_lock(&d->lock);
    while (d->running > 0) pthread_cond_wait(&d->has_slept, &d->lock);
    pthread_mutex_unlock(&d->lock);
    if (!signals_caught()) d->searched = d->last; /* else groups may have stopped before */
    for (size_t i = 0; i < d->n; i++) free_rows(d->groups[i]);
    d->n_rows = d->bytes = 0;
    good &= merge(d);
    service_works(worker_service(d->w));
    return good;
}

/* Deal out rows: of a file many, of a live source those that are there. false: that was all, or it
 * failed, which is reported. */
static bool deal_batch(dealer *d)
{
    source_row row;
    service *told = source_get_info(d->src).live ? worker_service(d->w) : NULL;
    service_waits(told, true);
    int got = source_next_row(d->src, &row, true);
    service_waits(told, false);
    const int64_t began_ns = fd_now_ns();
    while (got > 0 && deal(d, &row) && d->n_rows < BATCH_ROWS && d->bytes < BATCH_BYTES) {
        do got = source_next_row(d->src, &row, false);
        while (got == 0 && source_has_more(d->src, began_ns));
    }
    input_warn(d->w->out.input.name, d->src);
    const bool is_silent = d->w->run->o->no_messages && source_read_failed(d->src);
    if (got < 0 && *source_error(d->src)) fail(d, is_silent ? NULL : source_error(d->src));
    return got >= 0 && !d->failed;
}

/* No more rows come. */
static void end_groups(dealer *d)
{
    const int failure = source_read_failed(d->src) ? EIO : 0;
    for (size_t i = 0; i < d->n; i++) {
        d->groups[i]->lines.failure = failure;
        d->groups[i]->lines.has_ended = true;
        d->groups[i]->worker.out.input.failed |= d->failed; /* its rows are not all there */
    }
    d->has_ended = true;
    run_batch(d);
}

/* Add what came of the group to the worker of its input. */
static void sum_up(worker *w, group *g)
{
    if (g->has_thread) pthread_join(g->thread, NULL);
    w->out.failed |= g->worker.out.failed;
    w->out.matched |= g->worker.out.matched;
    run_tally_add(&w->tally, &g->worker.tally);
}

/* Each group may have a file, and with --best another. */
static void raise_files(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
    files.rlim_cur = files.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &files);
}

static bool shows_progress(const dealer *d)
{
    const options *o = d->w->run->o;
    return o->progress || (report_can_wipe() && !source_get_info(d->src).live && !o->quiet);
}

static void search_dealt(dealer *d)
{
    worker *w = d->w;
    bool more = true;
    service_is_ready(worker_service(w));
    d->head = source_head(d->src, &d->head_length);
    for (size_t i = 0; i < d->head_length; i++) d->head_lines += d->head[i] == '\n';
    progress_begin(&w->progress, shows_progress(d), 0, 0, w->out.turn.number + 1, w->run->inputs.n);
    while (more && !print_is_over(&w->out)) {
        more = deal_batch(d);
        more &= run_batch(d);
        progress_show(&w->progress, d->last, source_part_read(d->src), 0);
    }
    end_groups(d);
    report_progress_end();
    if (d->n_left_out > 0)
        report("--new-only: %zu of %zu groups are new", d->n - d->n_left_out, d->n);
    if (signals_which() && !print_is_over(&w->out)) {
        report_of(w->out.input.name, "ended by a signal after line %llu",
                  (unsigned long long)d->searched);
        w->tally.was_interrupted = true;
    }
}

/* Can an input of this kind have groups, or a part that is searched? */
static bool check_kind(dealer *d)
{
    const char *path = d->listed->path;
    struct stat st;
    if (mic_is_named(path)) return fail(d, "--group-by needs an input of text");
    return !d->w->run->o->has_range || d->listed->is_directory || input_is_file(path, &st) ||
           fail(d, "is no file, and --range begins in the middle of one");
}

void groups_search(worker *w, const listed_input *listed)
{
    dealer *d = calloc(1, sizeof *d);
    w->out.input = (input_tally){.name = input_name(listed->path)};
    if (!d) {
        w->out.failed = true;
        report_no_memory(w->out.input.name);
        return;
    }
    d->w = w;
    d->listed = listed;
    d->jobs = w->out.exec ? 1 : w->threads;
    pthread_mutex_init(&d->lock, NULL);
    pthread_cond_init(&d->has_slept, NULL);
    raise_files();
    if (check_kind(d)) d->src = worker_open(w, listed);
    if (d->src) search_dealt(d);
    w->out.failed |= d->failed;
    while (d->tree) tdelete(*(group **)d->tree, &d->tree, by_name);
    for (size_t i = 0; i < d->n; i++) {
        sum_up(w, d->groups[i]);
        free_group(d->groups[i]);
    }
    source_close(d->src);
    pthread_cond_destroy(&d->has_slept);
    pthread_mutex_destroy(&d->lock);
    free(d);
}
