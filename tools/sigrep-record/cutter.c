#include "tools/sigrep-record/cutter.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double BLOCK_S = 0.01, MARGIN_S = 0.05;
static const double SILENCE_DB = -60; /* the lowest noise floor */
static const double RISE_DB = 0.03;   /* of the floor, a block: 3 dB a second */
static const double HUM_HZ = 80;      /* the level ignores what is below */
enum { RUN = 3 };                     /* blocks of sound that begin a take */
enum { ORDER = 2 };                   /* filters in a row */

struct cutter {
    cutter_rules rules;
    cutter_fn *each;
    void *user;
    size_t block, margin; /* samples */
    float *kept;          /* of a take, or the last samples that a take could begin with */
    size_t n_kept, room;
    size_t in_block; /* samples of the unfinished block, at the end of kept */
    uint64_t end;    /* samples so far */
    double offset;   /* the first sample, or the first after a gap */
    bool has_offset;
    double b, a1, a2;       /* of the high-pass */
    double state[ORDER][2]; /* of it */
    double level_db, floor_db;
    double quietest_db; /* of the blocks of the take */
    bool is_first;      /* no block yet */
    int run;            /* blocks of sound in a row */
    bool in_take;
    bool was_cut;      /* a take was too long: no other begins before a pause */
    size_t silent;     /* samples since the last sound, outside takes */
    size_t last_sound; /* samples of kept up to the end of the last block of sound */
};

static size_t samples_of(const cutter_rules *rules, double seconds)
{
    const double n = ceil(seconds * rules->rate_hz);
    return n < 1 ? 1 : (size_t)n;
}

/* Butterworth, of order 2 by the bilinear transform (R. Bristow-Johnson's cookbook). */
static void design_high_pass(cutter *c)
{
    const double hz = fmin(HUM_HZ, c->rules.rate_hz / 16);
    const double w = 2 * acos(-1.) * hz / c->rules.rate_hz, alpha = sin(w) / sqrt(2);
    c->b = (1 + cos(w)) / 2 / (1 + alpha);
    c->a1 = -2 * cos(w) / (1 + alpha);
    c->a2 = (1 - alpha) / (1 + alpha);
}

cutter *cutter_create(const cutter_rules *rules, cutter_fn *each, void *user)
{
    cutter *c = malloc(sizeof *c);
    if (!c) return NULL;
    *c = (cutter){.rules = *rules, .each = each, .user = user, .is_first = true};
    c->block = samples_of(rules, BLOCK_S);
    c->margin = samples_of(rules, MARGIN_S);
    c->level_db = c->floor_db = SILENCE_DB;
    design_high_pass(c);
    c->room =
        samples_of(rules, rules->longest_s + rules->pause_s) + 2 * c->margin + (RUN + 2) * c->block;
    c->kept = malloc(c->room * sizeof *c->kept);
    if (c->kept) return c;
    free(c);
    return NULL;
}

void cutter_destroy(cutter *c)
{
    if (!c) return;
    free(c->kept);
    free(c);
}

/* The next sample without DC and hum, by the filter twice. */
static double high_pass(cutter *c, double x)
{
    for (int i = 0; i < ORDER; i++) {
        double *z = c->state[i];
        const double y = c->b * x + z[0];
        z[0] = -2 * c->b * x - c->a1 * y + z[1];
        z[1] = c->b * x - c->a2 * y;
        x = y;
    }
    return x;
}

static double level_of(cutter *c, const float *x, size_t n)
{
    double sum = 0;
    if (!c->has_offset) c->offset = (double)x[0];
    c->has_offset = true;
    for (size_t i = 0; i < n; i++) {
        const double y = high_pass(c, (double)x[i] - c->offset);
        sum += y * y;
    }
    const double power = sum / (double)n;
    return power > 1e-20 ? 10 * log10(power) : -200;
}

static void update_floor(cutter *c)
{
    const double level = c->level_db > SILENCE_DB ? c->level_db : SILENCE_DB;
    if (c->is_first || level < c->floor_db)
        c->floor_db = level;
    else if (!c->in_take)
        c->floor_db = fmin(level, c->floor_db + RISE_DB);
    c->is_first = false;
}

static void keep_last(cutter *c, size_t n)
{
    if (c->n_kept <= n) return;
    memmove(c->kept, c->kept + c->n_kept - n, n * sizeof *c->kept);
    c->n_kept = n;
}

/* Hand out the take up to its last sound and a margin, if it is long enough. */
static bool end_take(cutter *c, bool was_cut)
{
    size_t n = c->last_sound + c->margin;
    if (n > c->n_kept) n = c->n_kept;
    const uint64_t start = c->end - c->n_kept;
    const bool is_long =
        (double)n >= c->rules.shortest_s * c->rules.rate_hz + 2 * (double)c->margin;
    const cutter_take take = {c->kept, n, (double)start / c->rules.rate_hz, was_cut};
    const bool over = is_long ? c->each(c->user, &take) : false;
    /* Sound without a pause is a new noise floor. */
    if (was_cut) c->floor_db = fmax(c->floor_db, c->quietest_db);
    c->in_take = false;
    c->was_cut = was_cut;
    c->run = 0;
    c->silent = 0;
    keep_last(c, c->margin);
    return over;
}

static bool end_block(cutter *c)
{
    c->level_db = level_of(c, c->kept + c->n_kept - c->block, c->block);
    update_floor(c);
    const bool is_sound = c->level_db > c->floor_db + c->rules.above_db;
    c->run = is_sound ? c->run + 1 : 0;
    if (is_sound) c->last_sound = c->n_kept;
    const size_t pause = samples_of(&c->rules, c->rules.pause_s);
    if (!c->in_take) {
        c->silent = is_sound ? 0 : c->silent + c->block;
        c->was_cut &= c->silent < pause;
        c->in_take = c->run >= RUN && !c->was_cut;
        c->quietest_db = c->level_db;
        if (!c->in_take) keep_last(c, c->margin + (size_t)(c->run < RUN ? c->run : RUN) * c->block);
        return false;
    }
    c->quietest_db = fmin(c->quietest_db, c->level_db);
    if (c->n_kept - c->last_sound >= pause) return end_take(c, false);
    const size_t most = samples_of(&c->rules, c->rules.longest_s) + c->margin;
    return c->last_sound >= most ? end_take(c, true) : false;
}

bool cutter_push(cutter *c, const float *samples, size_t n)
{
    bool over = false;
    while (n > 0 && !over) {
        const size_t left = c->block - c->in_block, part = n < left ? n : left;
        memcpy(c->kept + c->n_kept, samples, part * sizeof *samples);
        c->n_kept += part;
        c->in_block += part;
        c->end += part;
        samples += part;
        n -= part;
        if (c->in_block < c->block) break;
        c->in_block = 0;
        over = end_block(c);
    }
    return over;
}

bool cutter_skip(cutter *c, size_t n)
{
    const bool is_whole = c->in_take && c->n_kept - c->last_sound >= c->margin;
    const bool over = is_whole ? end_take(c, false) : false;
    c->was_cut |= c->in_take; /* the rest of its sound is no take */
    c->in_take = false;
    c->run = 0;
    c->silent = 0;
    c->n_kept = c->in_block = 0;
    memset(c->state, 0, sizeof c->state);
    c->has_offset = false;
    c->end += n;
    return over;
}

bool cutter_finish(cutter *c)
{
    return c->in_take ? end_take(c, false) : false;
}

double cutter_level_db(const cutter *c)
{
    return c->level_db;
}

bool cutter_is_in_take(const cutter *c)
{
    return c->in_take;
}
