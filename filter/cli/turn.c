#include "filter/cli/turn.h"

#include <stdlib.h>
#include <string.h>

/* A call that is held; n bytes follow it. */
typedef struct {
    turn_fn *fn;
    void *user;
    size_t n;
} held_call;

void turnstile_init(turnstile *s)
{
    *s = (turnstile){.number = 0};
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
    atomic_store(&t->has_come, false);
    turn_look(t);
}

void turn_drop(turn *t)
{
    free(t->held.data);
    t->held = (text_buffer){0};
}

/* What these calls do is done at once: the turn has come. */
static void do_held(turn *t)
{
    held_call call;
    atomic_store(&t->has_come, true);
    for (size_t at = 0; at < t->held.length; at += sizeof call + call.n) {
        memcpy(&call, t->held.data + at, sizeof call);
        call.fn(call.user, t->held.data + at + sizeof call, call.n);
    }
    turn_drop(t);
}

void turn_look(turn *t)
{
    if (atomic_load(&t->has_come)) return;
    pthread_mutex_lock(&t->stile->lock);
    const bool has_come = t->stile->number == t->number;
    pthread_mutex_unlock(&t->stile->lock);
    if (has_come) do_held(t);
}

void turn_wait(turn *t)
{
    if (atomic_load(&t->has_come)) return;
    pthread_mutex_lock(&t->stile->lock);
    while (t->stile->number != t->number) pthread_cond_wait(&t->stile->has_moved, &t->stile->lock);
    pthread_mutex_unlock(&t->stile->lock);
    do_held(t);
}

bool turn_hold(turn *t, turn_fn *fn, void *user, const void *data, size_t n)
{
    const held_call call = {fn, user, n};
    const size_t needed = sizeof call + n;
    turn_look(t);
    if (atomic_load(&t->has_come) || needed > TURN_HELD - t->held.length) return false;
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

void turn_end(turn *t)
{
    turn_wait(t);
    atomic_store(&t->has_come, false);
    pthread_mutex_lock(&t->stile->lock);
    t->stile->number++;
    pthread_cond_broadcast(&t->stile->has_moved);
    pthread_mutex_unlock(&t->stile->lock);
}
