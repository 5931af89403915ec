/*
 * multi_device.h - one kernel made of several, each on a device of its own. A long chunk is cut
 * into shares, which the devices sweep at the same time:
 *
 *     device 1   ... |----- share -----|
 *     device 0                . . warm |----- share -----|
 *     device 2                                 . . warm |----- share -----| -> next chunk's first
 *                    |<----------------- chunk ------------------------->|
 *
 * The first share goes to the device that swept the last frames, since it has the state. The others
 * begin `warm` frames early at a cold start. At each seam the later share's first column must
 * equal, bit for bit, the earlier share's last one; then all is exact by induction
 * (docs/SEMANTICS.md, "Parallel evaluation"). Else the later share is swept again from that column.
 * Short chunks are not cut.
 *
 * Devices share time, not templates: time always divides evenly, templates seldom.
 */
#ifndef KERNELS_MULTI_DEVICE_H
#define KERNELS_MULTI_DEVICE_H

#include "kernels/kernel.h"

/* plan.each on devices 0 .. plan.devices - 1, two or more. Not in registry.c's table: no user
 * chooses it by name. */
extern const kernel_ops kernel_multi_device;

/* Shares that were swept again since reset, for tests and benchmarks. */
uint64_t multi_device_repairs(const void *kernel);

/* ---- how a chunk is cut: seams are at multiples of a spacing, at which every device has
 * checkpoints. For multi_device.c and its test. ---- */

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
