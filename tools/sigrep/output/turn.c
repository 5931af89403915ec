#include "tools/sigrep/output/turn.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A call that is held; n bytes follow it. */
typedef struct {
    turn_fn *fn;
    void *user;
    size_t n;
    uint64_t row;
} held_call;

/* One of those that are merged. */
typedef struct {
    uint64_t row;
    size_t group;
    const char *at; /* in what the group holds */
} merged_call;

void turnstile_init(turnstile *s, const atomic_bool *over)
{
    *s = (turnstile){.over = over};
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->has_moved, NULL);
}

void turnstile_destroy(turnstile *s)
{
    pthread_cond_destroy(&s->has_moved);
    pthread_mutex_destroy(&s->lock);
}

void turn_begin(turn *t, turnstile *stile, size_t number)
{
    t->stile = stile;
    t->number = number;
    t->held = (text_buffer){0};
    t->is_by_rows = false;
    atomic_store(&t->has_come, false);
    turn_look(t);
}

void turn_begin_by_rows(turn *t, turnstile *stile)
{
    *t = (turn){.stile = stile, .is_by_rows = true};
}

/* Do these calls, and free them. */
static void do_calls(const turnstile *s, text_buffer *held)
{
    held_call call;
    for (size_t at = 0; at < held->length && !atomic_load(s->over); at += sizeof call + call.n) {
        memcpy(&call, held->data + at, sizeof call);
        call.fn(call.user, held->data + at + sizeof call, call.n);
    }
    free(held->data);
    *held = (text_buffer){0};
}

static int by_row(const void *a, const void *b)
{
    const merged_call *x = a, *y = b;
    if (x->row != y->row) return x->row < y->row ? -1 : 1;
    if (x->group != y->group) return x->group < y->group ? -1 : 1;
    return x->at < y->at ? -1 : 1;
}

/* List the calls of a group. Returns their number; calls NULL: only that. */
static size_t list_calls(const turn *t, size_t group, merged_call *calls)
{
    held_call call;
    size_t n = 0;
    for (size_t at = 0; at < t->held.length; at += sizeof call + call.n) {
        memcpy(&call, t->held.data + at, sizeof call);
        if (calls) calls[n] = (merged_call){call.row, group, t->held.data + at};
        n++;
    }
    return n;
}

bool turns_merge(turn *const *turns, size_t n)
{
    size_t n_calls = 0, listed = 0;
    held_call call;
    for (size_t i = 0; i < n; i++) n_calls += list_calls(turns[i], i, NULL);
    if (n_calls == 0) return true;
    merged_call *calls = malloc(n_calls * sizeof *calls);
    if (!calls) return false;
    for (size_t i = 0; i < n; i++) listed += list_calls(turns[i], i, calls + listed);
    qsort(calls, n_calls, sizeof *calls, by_row);
    for (size_t i = 0; i < n_calls && !atomic_load(turns[0]->stile->over); i++) {
        memcpy(&call, calls[i].at, sizeof call);
        call.fn(call.user, calls[i].at + sizeof call, call.n);
    }
    for (size_t i = 0; i < n; i++) {
        free(turns[i]->held.data);
        turns[i]->held = (text_buffer){0};
    }
    free(calls);
    return true;
}

/* What these calls do is done at once: the turn has come. */
static void do_held(turn *t)
{
    atomic_store(&t->has_come, true);
    do_calls(t->stile, &t->held);
}

void turn_look(turn *t)
{
    if (t->is_by_rows || atomic_load(&t->has_come)) return;
    pthread_mutex_lock(&t->stile->lock);
    const bool has_come = t->stile->number == t->number;
    pthread_mutex_unlock(&t->stile->lock);
    if (has_come) do_held(t);
}

void turn_wait(turn *t)
{
    if (t->is_by_rows || atomic_load(&t->has_come)) return;
    pthread_mutex_lock(&t->stile->lock);
    while (t->stile->number != t->number) pthread_cond_wait(&t->stile->has_moved, &t->stile->lock);
    pthread_mutex_unlock(&t->stile->lock);
    do_held(t);
}

bool turn_hold(turn *t, turn_fn *fn, void *user, const void *data, size_t n)
{
    const held_call call = {fn, user, n, t->row};
    const size_t needed = sizeof call + n;
    turn_look(t);
    if (atomic_load(&t->has_come)) return false;
    if (!t->is_by_rows && needed > TURN_HELD - t->held.length) return false;
    if (!text_reserve(&t->held, needed)) return false;
    text_add(&t->held, (const char *)&call, sizeof call);
    text_add(&t->held, data, n);
    return true;
}

void turn_do(turn *t, turn_fn *fn, void *user, const void *data, size_t n)
{
    if (turn_hold(t, fn, user, data, n)) return;
    turn_wait(t);
    fn(user, data, n);
}

static bool may_leave(const turn *t)
{
    const turnstile *s = t->stile;
    return t->number - s->number < TURN_AHEAD && t->held.capacity <= TURN_LEFT - s->left_bytes;
}

/* Leave what is held. false: the turn has come before that was possible. */
static bool leave(turn *t)
{
    turnstile *s = t->stile;
    pthread_mutex_lock(&s->lock);
    while (s->number != t->number && !may_leave(t)) pthread_cond_wait(&s->has_moved, &s->lock);
    const bool is_early = s->number != t->number;
    if (is_early) {
        s->left[t->number % TURN_AHEAD] = (left_turn){.is_there = true, .held = t->held};
        s->left_bytes += t->held.capacity;
        t->held = (text_buffer){0};
    }
    pthread_mutex_unlock(&s->lock);
    return is_early;
}

/* The next input's turn. If it has ended, do what it left, and so on. */
static void pass_on(turnstile *s)
{
    pthread_mutex_lock(&s->lock);
    for (;;) {
        left_turn *next = &s->left[++s->number % TURN_AHEAD];
        pthread_cond_broadcast(&s->has_moved);
        if (!next->is_there) break;
        text_buffer held = next->held;
        *next = (left_turn){.is_there = false};
        s->left_bytes -= held.capacity;
        pthread_mutex_unlock(&s->lock);
        do_calls(s, &held);
        pthread_mutex_lock(&s->lock);
    }
    pthread_mutex_unlock(&s->lock);
}

void turn_end(turn *t)
{
    if (!atomic_load(&t->has_come) && leave(t)) return;
    turn_wait(t);
    atomic_store(&t->has_come, false);
    pass_on(t->stile);
}
