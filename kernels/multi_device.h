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

#endif
