/*
 * group.h - one kernel made of several, each on a device of its own. A long step is cut into
 * pieces that are swept side by side:
 *
 *     device 1   ... |----- piece -----|
 *     device 0                . . warm |----- piece -----|
 *     device 2                                 . . warm |----- piece -----|  -> the next step's
 * first
 *
 * The first piece goes to the device that swept the last frames, and so has the state. The others
 * begin `warm` frames early at a cold start. Where a piece's first column is, bit for bit, the
 * last one of the piece before it, all is exact by induction (docs/SEMANTICS.md, "Parallel
 * evaluation"); else the piece is swept again from that column. Short steps are not cut.
 *
 * Time can always be shared evenly, templates seldom, so it is time that is shared.
 */
#ifndef KERNELS_MULTI_DEVICE_H
#define KERNELS_MULTI_DEVICE_H

#include "kernels/kernel.h"

/* plan.each on devices 0 .. plan.devices - 1, two or more. In no table: nobody asks by name. */
extern const kernel_ops kernel_multi_device;

/* Pieces that were swept again since reset, for tests and benches. */
uint64_t multi_device_repairs(const void *kernel);

#endif
