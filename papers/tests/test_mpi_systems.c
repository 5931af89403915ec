/* All systems on 1 to 9 ranks that are threads of this process: results, messages and steps. */
#include <pthread.h>
#include <string.h>

#include "check.h"
#include "papers/mpi/systems.h"
#include "papers/tests/mpi_plain.h"

enum { MOST_RANKS = 9, CELL_MOST = 24 /* bytes */, MOST_BYTES = CELL_MOST * (PLAIN_MOST + 1) };

/* A message on its way, from one rank to another; a rank waits if the last one is still there. */
typedef struct {
    bool is_full;
    size_t size;
    unsigned char data[MOST_BYTES];
} mailbox;

static mailbox boxes[MOST_RANKS][MOST_RANKS]; /* [from][to] */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static bool put(size_t from, const message *m)
{
    mailbox *box = &boxes[from][m->peer];
    if (box->is_full) return false;
    memcpy(box->data, m->data, box->size = m->size);
    return box->is_full = true;
}

static bool take(size_t to, const message *m)
{
    mailbox *box = &boxes[m->peer][to];
    if (!box->is_full) return false;
    CHECK(box->size == m->size);
    memcpy(m->data, box->data, m->size);
    box->is_full = false;
    return true;
}

static void exchange(peers *with, const message *get, size_t n_get, const message *send,
                     size_t n_send)
{
    bool got[2] = {0}, sent[2] = {0};
    size_t left = n_get + n_send;
    pthread_mutex_lock(&lock);
    while (left > 0) {
        const size_t before = left;
        for (size_t i = 0; i < n_send; i++)
            if (!sent[i] && (sent[i] = put(with->rank, &send[i]))) left--;
        for (size_t i = 0; i < n_get; i++)
            if (!got[i] && (got[i] = take(with->rank, &get[i]))) left--;
        if (left < before)
            pthread_cond_broadcast(&changed);
        else
            pthread_cond_wait(&changed, &lock);
    }
    pthread_mutex_unlock(&lock);
}

typedef struct {
    parallel_system which;
    problem p;
    peers with;
    uint32_t distance[PLAIN_MOST];
} rank_work;

static void *run_rank(void *user)
{
    rank_work *w = user;
    w->p.distance = w->distance;
    const size_t bytes = system_memory(w->which, &w->p, &w->with);
    void *memory = malloc(bytes);
    if (!memory) exit(2);
    memset(memory, 0xa5, bytes); /* what is not computed or received is wrong */
    system_run(w->which, &w->p, &w->with, memory);
    free(memory);
    return NULL;
}

/* Distances of all ranks together, and their messages. */
static uint64_t run_all(parallel_system which, const problem *p, size_t ranks, uint32_t *distance)
{
    static rank_work all[MOST_RANKS];
    pthread_t threads[MOST_RANKS];
    uint64_t messages = 0;
    for (size_t r = 0; r < ranks; r++) {
        all[r] = (rank_work){.which = which, .p = *p};
        all[r].with = (peers){.rank = r, .ranks = ranks, .exchange = exchange};
        if (pthread_create(&threads[r], NULL, run_rank, &all[r])) exit(2);
    }
    for (size_t i = 0; i < p->n; i++) distance[i] = UINT32_MAX;
    for (size_t r = 0; r < ranks; r++) {
        pthread_join(threads[r], NULL);
        messages += all[r].with.messages;
        for (size_t i = 0; i < p->n; i++)
            if (all[r].distance[i] < distance[i]) distance[i] = all[r].distance[i];
    }
    for (size_t a = 0; a < ranks; a++)
        for (size_t b = 0; b < ranks; b++) CHECK(!boxes[a][b].is_full); /* all were received */
    return messages;
}

static void check_case(cells_kind kind, size_t n, size_t m, size_t ranks, uint64_t *random)
{
    static plain_problem of;
    uint32_t want[PLAIN_MOST], got[PLAIN_MOST];
    plain_random(&of, kind, n, m, random);
    run_all(EDM, &of.p, 1, want);
    if (kind != CELLS_MAXSHIFT) plain_distances(&of.p, want);
    for (int which = PASM; which <= EDM; which++) {
        run_all((parallel_system)which, &of.p, ranks, got);
        CHECK_MSG(memcmp(want, got, n * sizeof *got) == 0, "%s, %s: n %zu m %zu p %zu",
                  system_names[which], cells_names[kind], n, m, ranks);
    }
}

static void random_lengths_on_1_to_9_ranks(void)
{
    uint64_t random = check_seed("systems");
    for (size_t k = 0; k < check_cases(300); k++) {
        const size_t n = 1 + check_below(&random, 60), m = 1 + check_below(&random, 60);
        const size_t ranks = 1 + check_below(&random, MOST_RANKS);
        check_case((cells_kind)check_below(&random, CELLS_KINDS), n, m, ranks, &random);
    }
}

static void all_lengths_that_are_shorter_than_the_ranks(void)
{
    uint64_t random = check_seed("short");
    for (size_t n = 1; n <= 5; n++)
        for (size_t m = 1; m <= 5; m++)
            for (size_t ranks = 1; ranks <= MOST_RANKS; ranks += ranks < 3 ? 1 : 3)
                check_case((cells_kind)check_below(&random, CELLS_KINDS), n, m, ranks, &random);
}

/* EDM: p (p - 1) messages in 2p - 1 steps, if there are enough rows and columns. */
static void edm_sends_a_row_for_each_block_but_the_last_ones(void)
{
    static plain_problem of;
    uint32_t distance[PLAIN_MOST];
    uint64_t random = 1;
    for (size_t p = 1; p <= MOST_RANKS; p++) {
        const grid g = {61, 47, p};
        plain_random(&of, CELLS_STRINGS, g.n, g.m, &random);
        CHECK(run_all(EDM, &of.p, p, distance) == p * (p - 1));
        CHECK(system_steps(EDM, &g) == 2 * p - 1);
    }
    plain_random(&of, CELLS_STRINGS, 2, 3, &random); /* 3 rows and 4 columns */
    CHECK(run_all(EDM, &of.p, 8, distance) == 2 * 4);
    CHECK(system_steps(EDM, &(grid){2, 3, 8}) == 3 + 4 - 1);
}

int main(void)
{
    RUN(random_lengths_on_1_to_9_ranks);
    RUN(all_lengths_that_are_shorter_than_the_ranks);
    RUN(edm_sends_a_row_for_each_block_but_the_last_ones);
    return check_done();
}
