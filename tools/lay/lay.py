"""One stretch laid out anew, and checked."""
from check import keeps_what_is_read, leaves_no_more, same_targets, same_values, seen_in_time, soon_enough, waited_for
from cycles import cycles_alone
from stretch import Stretch, weights_of

FEWER = 1, 2, 4  # differences that wait, where registers are too few


def lay(old, live, pending, most, alone=False):
    """These instructions anew; live: registers read later; pending: see flow.Pending; most: registers;
    alone: a scheduler has one warp of them."""
    if not waited_for(old, pending):
        raise ValueError('its barriers are not understood')
    if not same_targets(old, old):
        raise ValueError('its targets are not understood')
    made, why = [], None
    for weights in weights_of(old, alone):
        try:
            made.append(encoded(old, live, pending, most, weights))
        except ValueError as reason:
            why = reason
    if not made:
        raise why
    new = min(made, key=cycles_alone)
    if alone and cycles_alone(new) >= cycles_alone(old):
        raise ValueError('it would gain nothing')
    for right, what in ((same_values(old, new, live), 'values'), (same_targets(old, new), 'targets'),
                        (soon_enough(old, new), 'latencies'), (waited_for(new, pending), 'barriers'),
                        (seen_in_time(new), 'barriers that were just set'),
                        (leaves_no_more(old, new, pending), 'barriers behind it'),
                        (keeps_what_is_read(new), 'operands that are kept')):
        if not right:
            raise ValueError('the check of %s failed' % what)
    return new


def encoded(old, live, pending, most, weights):
    """With these weights."""
    for fewer in FEWER:
        stretch = Stretch(old, live, pending, weights._replace(waiting=weights.waiting // fewer))
        order, bank = stretch.order()
        place = stretch.registers(order, bank, most)
        if place:
            return stretch.encode(order, place)
    raise ValueError('not enough registers')
