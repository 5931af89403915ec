"""Reschedule one block, and check the result."""
from basic_block import BasicBlock, weights_of
from check import (barriers_are_visible, barriers_hold, latencies_hold, leaves_nothing_pending,
                   reuse_holds, same_targets, same_values)
from cycles import cycles_of_one_warp

WAITING_DIVISORS = 1, 2, 4  # tried in turn if registers are too few


def reschedule(old, live, pending, limit, one_warp=False):
    """The block in a better order; ValueError if it is not understood or a check fails.

    live: registers read later; pending: entries of flow.Pending; limit: registers of a thread;
    one_warp: a scheduler may have one warp of the kernel.
    """
    if not barriers_hold(old, pending):
        raise ValueError('its barriers are not understood')
    if not same_targets(old, old):
        raise ValueError('its targets are not understood')
    made, failure = [], None
    for weights in weights_of(old, one_warp):
        try:
            made.append(encoded(old, live, pending, limit, weights))
        except ValueError as reason:
            failure = reason
    if not made:
        raise failure
    new = min(made, key=cycles_of_one_warp)
    if one_warp and cycles_of_one_warp(new) >= cycles_of_one_warp(old):
        raise ValueError('it would gain nothing')
    for holds, what in ((same_values(old, new, live), 'values'),
                        (same_targets(old, new), 'targets'),
                        (latencies_hold(old, new), 'latencies'),
                        (barriers_hold(new, pending), 'barriers'),
                        (barriers_are_visible(new), 'barriers just set'),
                        (leaves_nothing_pending(old, new, pending), 'barriers behind the block'),
                        (reuse_holds(new), 'reuse flags')):
        if not holds:
            raise ValueError('the check of %s failed' % what)
    return new


def encoded(old, live, pending, limit, weights):
    """The block as scheduled with these weights."""
    for divisor in WAITING_DIVISORS:
        block = BasicBlock(old, live, pending, weights._replace(waiting=weights.waiting // divisor))
        order, bank = block.order()
        place = block.registers(order, bank, limit)
        if place:
            return block.encode(order, place)
    raise ValueError('not enough registers')
