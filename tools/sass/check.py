"""Is a rescheduled block the same, and safe?

Not independent of the scheduler: both use instruction.py, flow.Pending and one table of latencies.
"""
from flow import Pending, target
from basic_block import FROM_ANCHOR, LATENCY, NEVER, TO_ANCHOR


def same_values(old, new, live):
    """Do anchors and later blocks read the same values? Each expression gets a number."""
    numbers = {}

    def number(*expression):
        return numbers.setdefault(expression, len(numbers))

    def run(code):
        state, seen, movables = {}, [], []

        def get(r):
            return state[r] if r in state else number(r)

        for x in code:
            read, written = x.special_registers()
            reads = tuple(get(r) for r in x.reads + sorted(read))
            if x.guard:  # a result may keep its old value
                reads += tuple(get(r) for r in sorted(written))
            if x.is_movable():
                movables.append(x.address)
                for r in x.writes + sorted(written):
                    state[r] = number(x.low, x.high & (1 << 41) - 1, reads, r)
            elif x.kind == 'A':
                low = x.low & (1 << 32) - 1 if x.base == 'BSSY' else x.low  # its target aside
                operation = low, x.high & (1 << 41) - 1
                seen.append((x.text, *operation, x.write_barrier, x.read_barrier, reads))
                for r in x.writes + sorted(written):
                    state[r] = number('anchor', len(seen), r)
            else:
                registers = 255 << 16 | sum(255 << 24 + 8 * f for f in x.fields if f < 2)
                third = 255 if 2 in x.fields else 0
                if x.kind == 'V':
                    reads = tuple(sorted(reads))
                operation = x.low & ~registers, x.high & (1 << 41) - 1 & ~third
                state[x.writes[0]] = number(*operation, x.fields, reads)
        others = sorted((r, v) for r, v in state.items() if isinstance(r, str))
        return [get(r) for r in sorted(live)], others, seen, sorted(movables), len(code)

    return run(old) == run(new)


def same_targets(old, new):
    """Do the last instruction and each BSSY lead to the same addresses? They hold distances."""
    for i, x in enumerate(new):
        if x.base == 'BSSY' and x.low >> 32 != target(x) - old[0].address - 16 * (i + 1):
            return False
    return new[-1].low == old[-1].low


def distances(code):
    """The fewest cycles from a writer of fixed latency to a reader.

    Keys are writer, reader and, if one of them is an anchor, the register.
    """
    written, found, now = {}, {}, 0
    for x in code:
        read, write = x.special_registers()
        key = ('L' if x.is_movable() else x.kind, x.address if x.kind == 'A' else None)
        for r in list(x.reads) + sorted(read):
            if r in written:
                k, at = written[r]
                pair = k, key, r if x.kind == 'A' or k[0] in 'AL' else None
                found[pair] = min(found.get(pair, NEVER), now - at)
        for r in list(x.writes) + sorted(write):
            written[r] = key, now
            if x.write_barrier < 6:
                del written[r]
        now += x.stall
    return found


def latencies_hold(old, new):
    """Does each result arrive in time? Between anchors as much time as compiled is enough."""
    had = distances(old)
    for (writer, reader, r), cycles in distances(new).items():
        anchors = writer[0] in 'AL', reader[0] in 'AL'
        if not any(anchors):
            least = LATENCY[writer[0] + reader[0]]
        elif anchors[0] and isinstance(r, str) or all(anchors) and writer[0] + reader[0] != 'LL':
            least = min(had.get((writer, reader, r), NEVER), 13)
        else:
            least = TO_ANCHOR if anchors[1] else FROM_ANCHOR
        if cycles < least:
            return False
    return True


def barriers_hold(code, pending):
    """Is each pending register waited for?"""
    state = Pending(pending)
    for x in code:
        if state.clash(x):
            return False
        state.step(x)
    return True


def leaves_nothing_pending(old, new, pending):
    """Does the new block wait for all that the old one waited for?"""
    before, now = Pending(pending), Pending(pending)
    for x, y in zip(old, new):
        before.step(x)
        now.step(y)
    return now.entries <= before.entries


def reuse_holds(code):
    """Does each reuse flag stand for the next use of its cache, with no write between?"""
    for i, x in enumerate(code):
        ports = x.ports() if x.kind != 'A' else ()
        if (x.high >> 58 & 15) & ~sum(1 << p for p in ports):
            return False
        for port, r in ((x.port(f), x.field(f)) for f in x.fields) if x.kind != 'A' else ():
            if not x.high >> 58 + port & 1:
                continue
            y, before = x, {x.writes[0]}
            for y in code[i + 1:]:
                if y.kind == 'A' or port in y.all_ports():
                    break
                before.add(y.writes[0])
            if y.kind == 'A' or r in before or dict(zip(y.ports(), y.reads)).get(port) != r:
                return False
    return True


def barriers_are_visible(code):
    """Are two cycles between an instruction and a neighbour that waits for its barrier?"""
    return all(x.stall > 1 or not y.waits_for({x.write_barrier, x.read_barrier} & set(range(6)))
               for x, y in zip(code, code[1:]))
