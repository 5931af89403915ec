/*
 * multi_device_cut.h - how multi_device.h cuts a chunk in time: a share for each device, all of
 * about the same length. Seams are at multiples of a spacing, at which every device has
 * checkpoints.
 *
 *     from           seam              seam            from + n
 *      |    share 0    |    share 1      |    share 2     |
 *              |<-warm->       |<- warm ->
 */
#ifndef KERNELS_MULTI_DEVICE_CUT_H
#define KERNELS_MULTI_DEVICE_CUT_H

#include "kernels/kernel.h"

/* Frames [from, to) of a chunk on one device; positions count frames since reset. */
typedef struct {
    size_t device;
    uint64_t from, to;
    uint64_t begin; /* of the sweep: `from`, or earlier by the warm-up */
    bool cold;      /* the sweep begins with a cold start */
    sigrep_status status;
} device_share;

/* In frames; all but members are multiples of spacing. */
typedef struct {
    size_t members; /* devices */
    size_t spacing; /* a multiple of every template's */
    size_t warm;    /* warm-up of a share */
    size_t least;   /* shortest share worth cutting */
} share_rule;

/* For plan->devices members. */
share_rule share_rule_of(const kernel_plan *plan);

/* Most frames of a share, warm-up included, in chunks of max_chunk. */
size_t share_max_frames(const share_rule *rule, size_t max_chunk);

/* Shares of a chunk of n frames. */
size_t share_count(const share_rule *rule, size_t n);

/* Cut [from, from + n) into shares, the first for the device `first`. Returns their number. */
size_t share_cut(const share_rule *rule, device_share *shares, uint64_t from, size_t n,
                 size_t first);

#endif
