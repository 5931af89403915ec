"""One stretch laid out anew, and checked."""
from check import same_targets, same_values, soon_enough, waited_for
from stretch import Stretch


def lay(old, live, pending, most):
    """These instructions anew; live: registers read later; pending: see flow.Pending; most: registers."""
    if not waited_for(old, pending):
        raise ValueError('its barriers are not understood')
    if not same_targets(old, old):
        raise ValueError('its targets are not understood')
    stretch = Stretch(old, live, pending)
    order, bank = stretch.order()
    new = stretch.encode(order, stretch.registers(order, bank, most))
    for right, what in ((same_values(old, new, live), 'values'), (same_targets(old, new), 'targets'),
                        (soon_enough(old, new), 'latencies'), (waited_for(new, pending), 'barriers')):
        if not right:
            raise ValueError('the check of %s failed' % what)
    return new
