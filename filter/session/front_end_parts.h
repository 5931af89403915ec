/*
 * front_end_parts.h - the front end of a long push in parts, computed by several threads at once.
 *
 *     push       |<----- part 0 ----->|<----- part 1 ----->|<----- part 2 ----->|
 *     chain 0    =====================>                                            goes on
 *     chain 1                    ~~~~~=====================>                       begins
 *     chain 2                                         ~~~~~=====================>  begins; it goes
 *                                                                            on in the next push
 *
 * A chain that begins reads as many samples before its part as influence a frame (~). So its frames
 * have the bits of a chain that has read everything (front_end_restarts).
 */
#ifndef FILTER_SESSION_FRONT_END_PARTS_H
#define FILTER_SESSION_FRONT_END_PARTS_H

#include "filter/features/front_end.h"
#include "kernels/pool.h"

typedef struct front_end_parts front_end_parts;

/* For *chain, which `spec` makes for samples of shape `in`. One that takes longer pushes takes its
 * place. The caller destroys the parts; `workers` must outlive them. *out is NULL, which all
 * functions accept, if there is one thread, or if the chain cannot be shared. SIGREP_NO_MEMORY. */
sigrep_status front_end_parts_create(front_end_parts **out, front_end **chain, const char *spec,
                                     frame_shape in, pool *workers, sigrep_error *error);
void front_end_parts_destroy(front_end_parts *parts);

/* The most samples of a push. 0: none can be shared. */
size_t front_end_parts_most(const front_end_parts *parts);

/* Other tasks for the same threads, which begin with them. */
typedef struct {
    size_t n;
    pool_task *task;
    void *user;
} tasks_beside;

/* Push n <= front_end_parts_most samples into *chain, which has read `before` samples of its span.
 * Another chain may take its place. Returns the number of parts; 0: the push is too short to be
 * shared, and nothing was done, nor what is beside it. */
size_t front_end_parts_push(front_end_parts *parts, front_end **chain, uint64_t before,
                            const float *samples, size_t n, const tasks_beside *beside);

/* The frames of part i, valid until the next call. Returns their number. */
size_t front_end_parts_frames(const front_end_parts *parts, size_t i, const float **frames);

#endif
