#include "tests/support/collect.h"

#include <stdlib.h>
#include <string.h>

void collect_begin(collection *c, size_t n_templates)
{
    *c = (collection){.n_templates = n_templates};
}

void collect_free(collection *c)
{
    free(c->matches);
    free(c->scores);
    free(c->pairs);
    memset(c, 0, sizeof *c);
}

/* The path of the match that is called back. */
static void collect_path(collection *c)
{
    const sigrep_pair *pairs;
    size_t n;
    if (sigrep_get_path(c->search, &pairs, &n) || !n) abort();
    while (c->n_pairs + n > c->pairs_capacity) {
        c->pairs_capacity = c->pairs_capacity ? 2 * c->pairs_capacity : 1024;
        c->pairs = realloc(c->pairs, c->pairs_capacity * sizeof *c->pairs);
        if (!c->pairs) abort();
    }
    memcpy(c->pairs + c->n_pairs, pairs, n * sizeof *pairs);
    c->n_pairs += n;
}

int collect_match(void *user, const sigrep_match *match)
{
    collection *c = user;
    if (c->n == c->capacity) {
        c->capacity = c->capacity ? 2 * c->capacity : 16;
        c->matches = realloc(c->matches, c->capacity * sizeof *c->matches);
        if (!c->matches) abort();
    }
    c->matches[c->n] = *match;
    c->matches[c->n++].label = NULL;
    if (c->search) collect_path(c);
    return c->n == c->stop_after;
}

int collect_scores(void *user, const float *scores, size_t n_frames)
{
    collection *c = user;
    size_t n = n_frames * c->n_templates;
    while (c->n_scores + n > c->scores_capacity) {
        c->scores_capacity = c->scores_capacity ? 2 * c->scores_capacity : 1024;
        c->scores = realloc(c->scores, c->scores_capacity * sizeof *c->scores);
        if (!c->scores) abort();
    }
    memcpy(c->scores + c->n_scores, scores, n * sizeof *scores);
    c->n_scores += n;
    return 0;
}

static bool pairs_equal(const collection *a, const collection *b)
{
    if (!a->search || !b->search) return true;
    if (a->n_pairs != b->n_pairs) return false;
    for (size_t i = 0; i < a->n_pairs; i++) {
        const sigrep_pair *p = &a->pairs[i], *q = &b->pairs[i];
        if (p->template_frame != q->template_frame || p->match_frame != q->match_frame ||
            p->start != q->start || p->end != q->end || p->cost != q->cost)
            return false;
    }
    return true;
}

bool collect_equal(const collection *a, const collection *b)
{
    if (a->n != b->n || a->n_scores != b->n_scores) return false;
    for (size_t i = 0; i < a->n; i++) {
        const sigrep_match *p = &a->matches[i], *q = &b->matches[i];
        if (p->template_index != q->template_index || p->start != q->start || p->end != q->end ||
            p->final != q->final || p->score != q->score)
            return false;
    }
    if (!pairs_equal(a, b)) return false;
    return !a->n_scores || !memcmp(a->scores, b->scores, a->n_scores * sizeof *a->scores);
}

static int store_append(void *user, const float *frames, size_t n, size_t dim)
{
    memory_store *store = user;
    while (store->n + n * dim > store->capacity) {
        store->capacity = store->capacity ? 2 * store->capacity : 4096;
        store->frames = realloc(store->frames, store->capacity * sizeof *store->frames);
        if (!store->frames) return 1;
    }
    memcpy(store->frames + store->n, frames, n * dim * sizeof *frames);
    store->n += n * dim;
    return 0;
}

static int store_read(void *user, uint64_t first, float *frames, size_t n, size_t dim)
{
    const memory_store *store = user;
    if ((first + n) * dim > store->n) return 1;
    memcpy(frames, store->frames + first * dim, n * dim * sizeof *frames);
    return 0;
}

static int store_clear(void *user)
{
    ((memory_store *)user)->n = 0;
    return 0;
}

sigrep_store memory_store_ops(memory_store *store)
{
    return (sigrep_store){store_append, store_read, store_clear, store};
}

void memory_store_free(memory_store *store)
{
    free(store->frames);
    memset(store, 0, sizeof *store);
}
