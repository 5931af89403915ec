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
        state, seen = {}, []

        def get(r):
            return state[r] if r in state else number(r)

        for x in code:
            read, written = x.others()
            reads = tuple(get(r) for r in x.reads + sorted(read))
            if x.kind == 'A':
                low = x.low & (1 << 32) - 1 if x.base == 'BSSY' else x.low  # but for its target
                seen.append((x.text, low, x.high & (1 << 41) - 1, reads))
                for r in x.writes + sorted(written):
                    state[r] = number('anchor', len(seen), r)
            else:
                registers = 255 << 16 | sum(255 << 24 + 8 * f for f in x.fields if f < 2)
                third = 255 if 2 in x.fields else 0
                state[x.writes[0]] = number(x.low & ~registers, x.high & (1 << 41) - 1 & ~third, x.fields, reads)
        return [get(r) for r in sorted(live)], seen

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
        key = (x.kind, x.address if x.kind == 'A' else None)
        for r in list(x.reads) + sorted(read):
            if r in written:
                k, at = written[r]
                pair = k, key, r if x.kind == 'A' or k[0] == 'A' else None
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
        if writer[0] != 'A' and reader[0] != 'A':
            least = LATENCY[writer[0] + reader[0]]
        elif writer[0] == 'A' and (reader[0] == 'A' or isinstance(r, str)):
            least = min(had.get((writer, reader, r), NEVER), 13)
        else:
            least = TO_ANCHOR if reader[0] == 'A' else FROM_ANCHOR
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


def cycles_of(code):
    """That reads and minima take a scheduler, if nothing else is waited for."""
    now, bank, minima, kept = 0, [0, 0], 0, {}
    for x in code:
        now += 1
        reads = {x.port(f): x.field(f) for f in x.fields} if x.kind != 'A' else {}
        for port, r in reads.items():
            if kept.get(port) != r:
                bank[r & 1] = max(bank[r & 1], now - 1) + 1
        now = max(now, max(bank) - 1)
        if x.kind == 'V':
            minima = max(minima, now - 1) + 2
            now = max(now, minima - 2)
        kept = {port: r for port, r in reads.items() if x.high >> 58 + port & 1}
    return now
