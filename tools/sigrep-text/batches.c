#include "tools/sigrep-text/batches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/messages/signals.h"

bool batches_init(batch_reader *r, size_t room, size_t remembered)
{
    *r = (batch_reader){.room = room,
                        .remembered = remembered,
                        .of = calloc(2, sizeof *r->of),
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .changed = PTHREAD_COND_INITIALIZER};
    for (size_t i = 0; r->of && i < 2; i++) {
        batch *b = &r->of[i];
        b->memory = malloc(remembered + room);
        if (!b->memory) return false;
        b->letters = b->memory + remembered;
    }
    return r->of != NULL;
}

void batches_free(batch_reader *r)
{
    for (size_t i = 0; r->of && i < 2; i++) {
        free(r->of[i].memory);
        free(r->of[i].name_bytes.data);
    }
    free(r->of);
}

const char *batch_name(const batch *b, size_t i)
{
    return b->name_bytes.data + b->names[i];
}

/* A record begins. false: out of memory. */
static bool add_text(batch *b, const letters *from)
{
    const size_t name = b->name_bytes.length;
    text_add(&b->name_bytes, from->record, strlen(from->record) + 1);
    if (b->name_bytes.failed) return false;
    b->bounds[b->n_texts] = b->n;
    b->names[b->n_texts++] = name;
    return true;
}

static bool has_ended(const batch *b)
{
    return b->event == LETTERS_END || b->event == LETTERS_FAILED;
}

static void fill(const batch_reader *r, batch *b)
{
    letters *from = r->from;
    b->n = b->n_texts = b->name_bytes.length = 0;
    do {
        const bool is_empty = b->n == 0 && b->n_texts == 0;
        size_t n;
        b->event = letters_read(from, b->letters + b->n, r->room - b->n, &n, is_empty);
        b->n += n;
        if (b->event != LETTERS_RECORD) continue;
        b->event = add_text(b, from) ? LETTERS_SOME : LETTERS_FAILED;
        if (b->event) snprintf(from->error, sizeof from->error, "out of memory");
    } while (b->event == LETTERS_SOME && b->n < r->room && b->n_texts < BATCH_TEXTS);
}

/* Wait until the batch is filled, or is not. false: the caller wants no more. */
static bool wait_for(batch_reader *r, size_t i, bool is_filled)
{
    pthread_mutex_lock(&r->lock);
    while (r->is_filled[i] != is_filled && !r->is_over) pthread_cond_wait(&r->changed, &r->lock);
    const bool goes_on = !r->is_over;
    pthread_mutex_unlock(&r->lock);
    return goes_on;
}

static void set_filled(batch_reader *r, size_t i, bool is_filled)
{
    pthread_mutex_lock(&r->lock);
    r->is_filled[i] = is_filled;
    pthread_cond_signal(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

/* What the thread does: begin with the batch that the caller does not have. */
static void *read_ahead(void *user)
{
    batch_reader *r = user;
    for (size_t i = 1 - r->current; wait_for(r, i, false); i = 1 - i) {
        fill(r, &r->of[i]);
        set_filled(r, i, true);
        if (has_ended(&r->of[i])) break;
    }
    return NULL;
}

/* Start the thread, if the input has more than a batch. The system may give none. */
static void start_thread(batch_reader *r)
{
    if (r->has_thread || !r->reads_ahead || r->of[r->current].event != LETTERS_SOME) return;
    r->is_filled[r->current] = true;
    r->is_filled[1 - r->current] = r->is_over = false;
    r->has_thread = signals_start_thread(&r->thread, read_ahead, r);
}

void batches_begin(batch_reader *r, letters *from, bool reads_ahead)
{
    r->from = from;
    r->reads_ahead = reads_ahead;
    r->of[r->current].n = 0;
    r->of[r->current].event = LETTERS_LATER;
}

void batches_end(batch_reader *r)
{
    if (!r->has_thread) return;
    pthread_mutex_lock(&r->lock);
    r->is_over = true;
    pthread_cond_signal(&r->changed);
    pthread_mutex_unlock(&r->lock);
    pthread_join(r->thread, NULL);
    r->has_thread = false;
}

const batch *batches_next(batch_reader *r)
{
    const size_t before = r->current, next = 1 - before;
    const batch *old = &r->of[before];
    start_thread(r);
    if (r->has_thread)
        wait_for(r, next, true);
    else
        fill(r, &r->of[next]);
    memcpy(r->of[next].memory, old->memory + old->n, r->remembered);
    r->current = next;
    if (r->has_thread) set_filled(r, before, false);
    return &r->of[next];
}
