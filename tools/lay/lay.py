"""One stretch laid out anew, and checked."""
from check import keeps_what_is_read, leaves_no_more, same_targets, same_values, soon_enough, waited_for
from stretch import Stretch

FEWER = 1, 2, 4  # differences that wait, where registers are too few


def lay(old, live, pending, most):
    """These instructions anew; live: registers read later; pending: see flow.Pending; most: registers."""
    if not waited_for(old, pending):
        raise ValueError('its barriers are not understood')
    if not same_targets(old, old):
        raise ValueError('its targets are not understood')
    for fewer in FEWER:
        stretch = Stretch(old, live, pending)
        stretch.weights = stretch.weights._replace(waiting=stretch.weights.waiting // fewer)
        order, bank = stretch.order()
        place = stretch.registers(order, bank, most)
        if place:
            break
    else:
        raise ValueError('not enough registers')
    new = stretch.encode(order, place)
    for right, what in ((same_values(old, new, live), 'values'), (same_targets(old, new), 'targets'),
                        (soon_enough(old, new), 'latencies'), (waited_for(new, pending), 'barriers'),
                        (leaves_no_more(old, new, pending), 'barriers behind it'),
                        (keeps_what_is_read(new), 'operands that are kept')):
        if not right:
            raise ValueError('the check of %s failed' % what)
    return new
