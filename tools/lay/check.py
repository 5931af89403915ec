"""Is a stretch that was laid out anew the same, and safe? Shares with how it was made how instructions
are read, who is waited for (flow.Pending), and a table of latencies; nothing else."""
from flow import Pending, target
from stretch import FROM_ANCHOR, LATENCY, NEVER, TO_ANCHOR


def same_values(old, new, live):
    """Do anchors read the same in both, and does who comes after them?"""
    numbers = {}  # of an expression: the same one, the same number

    def number(*expression):
        return numbers.setdefault(expression, len(numbers))

    def run(code):
        state, seen, lights = {}, [], []

        def get(r):
            return state[r] if r in state else number(r)

        for x in code:
            read, written = x.others()
            reads = tuple(get(r) for r in x.reads + sorted(read))
            if x.guard:  # what it writes may stay as it was
                reads += tuple(get(r) for r in sorted(written))
            if x.is_light():
                lights.append(x.address)
                for r in x.writes + sorted(written):
                    state[r] = number(x.low, x.high & (1 << 41) - 1, reads, r)
            elif x.kind == 'A':
                low = x.low & (1 << 32) - 1 if x.base == 'BSSY' else x.low  # but for its target
                seen.append((x.text, low, x.high & (1 << 41) - 1, x.write_barrier, x.read_barrier, reads))
                for r in x.writes + sorted(written):
                    state[r] = number('anchor', len(seen), r)
            else:
                registers = 255 << 16 | sum(255 << 24 + 8 * f for f in x.fields if f < 2)
                third = 255 if 2 in x.fields else 0
                if x.kind == 'V':
                    reads = tuple(sorted(reads))
                state[x.writes[0]] = number(x.low & ~registers, x.high & (1 << 41) - 1 & ~third, x.fields, reads)
        others = sorted((r, v) for r, v in state.items() if isinstance(r, str))
        return [get(r) for r in sorted(live)], others, seen, sorted(lights), len(code)

    return run(old) == run(new)


def same_targets(old, new):
    """Do the last one, a branch or not, and each BSSY lead where they did? They tell how far it is."""
    for i, x in enumerate(new):
        if x.base == 'BSSY' and x.low >> 32 != target(x) - old[0].address - 16 * (i + 1):
            return False
    return new[-1].low == old[-1].low


def distances(code):
    """Cycles between each pair of a writer and a reader of fixed latency, by both and, where one is
    an anchor, the register."""
    written, found, now = {}, {}, 0
    for x in code:
        read, write = x.others()
        key = ('L' if x.is_light() else x.kind, x.address if x.kind == 'A' else None)
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


def soon_enough(old, new):
    had = distances(old)
    for (writer, reader, r), cycles in distances(new).items():
        anchors = writer[0] in 'AL', reader[0] in 'AL'
        if not any(anchors):
            least = LATENCY[writer[0] + reader[0]]
        elif anchors[0] and isinstance(r, str) or all(anchors) and (writer[0], reader[0]) != ('L', 'L'):
            least = min(had.get((writer, reader, r), NEVER), 13)
        else:
            least = TO_ANCHOR if anchors[1] else FROM_ANCHOR
        if cycles < least:
            return False
    return True


def waited_for(code, pending):
    state = Pending(pending)
    for x in code:
        if state.clash(x):
            return False
        state.step(x)
    return True


def leaves_no_more(old, new, pending):
    """Is nothing pending behind it that was waited for?"""
    before, now = Pending(pending), Pending(pending)
    for x, y in zip(old, new):
        before.step(x)
        now.step(y)
    return now.entries <= before.entries


def keeps_what_is_read(code):
    """Is each operand that is kept that of the next one which uses its port, and written by none between?"""
    for i, x in enumerate(code):
        if (x.high >> 58 & 15) & ~sum(1 << p for p in (x.ports() if x.kind != 'A' else ())):
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


def seen_in_time(code):
    """Two cycles pass until a barrier that is set is seen by who waits for it next."""
    return all(x.stall > 1 or not y.waits_for({x.write_barrier, x.read_barrier} & set(range(6)))
               for x, y in zip(code, code[1:]))
