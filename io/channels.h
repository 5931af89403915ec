/*
 * channels.h - which values of a frame are read, and in which order.
 *
 *     frame of the format    1   2   3   4
 *     --columns 4,1          4   1              values that are read
 *     --channel 2                2
 *     --channel mix        their mean
 *
 * Text and JSON Lines choose columns themselves (text.c), and channels among these.
 */
#ifndef IO_CHANNELS_H
#define IO_CHANNELS_H

#include "io/source.h"

typedef struct {
    size_t *picks; /* n channels, from 0; NULL: all */
    size_t n;      /* that are read or averaged */
    bool is_mean;
} chosen_channels;

/* Choose by the options, from src->native_channels. A template that lacks a channel that is asked
 * for, and has as many as are, is taken whole. false after source_fail. channels_free is due. */
bool channels_choose(source *src);
void channels_free(chosen_channels *c);

/* May a frame of the format have n values? options.channels says how many; a template may hold what
 * is chosen alone. */
static inline bool channels_may_be(const source_options *o, size_t n)
{
    const size_t chosen = o->choice == CHANNEL_ONE ? 1 : o->n_columns;
    return !o->channels || n == o->channels || (o->is_template && n == chosen);
}

/* Are all values of a frame read, in their order? */
static inline bool channels_are_all(const chosen_channels *c)
{
    return !c->picks && !c->is_mean;
}

/* Choose from n frames of floats or of doubles, one of which is NULL, and round or widen as is
 * needed: the result goes to the one of `narrow` and `wide` that is not NULL. */
typedef struct {
    float *narrow;
    double *wide;
} channels_output;
void channels_take(const source *src, const float *floats, const double *doubles, size_t n,
                   channels_output out);

#endif
