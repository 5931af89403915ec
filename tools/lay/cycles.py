"""What a stretch takes, reckoned: see docs/RESULTS.md, "Laid out anew" and "One warp a scheduler"."""

HERE, THERE = 33, 60  # from an instruction of memory to what waits for it: shared, or in the first cache
ELSE = 20  # ... or any other one
LATE = 3  # cycles that reads may be


def with_reads(code):
    """Each instruction, and the registers that it reads and no one before it kept for it."""
    kept = {}
    for x in code:
        reads = {x.port(f): x.field(f) for f in x.fields} if x.kind != 'A' else {}
        yield x, [r for port, r in reads.items() if kept.get(port) != r]
        kept = {p: r for p, r in kept.items() if x.kind != 'A' and p not in x.all_ports()}
        kept |= {p: r for p, r in reads.items() if x.high >> 58 + p & 1}


def cycles_of(code):
    """That reads and minima take a scheduler, if nothing else is waited for."""
    now, bank, minima = 0, [0, 0], 0
    for x, reads in with_reads(code):
        now += 1
        for r in reads:
            bank[r & 1] = max(bank[r & 1], now - 1) + 1
        now = max(now, max(bank) - 1)
        if x.kind == 'V':
            minima = max(minima, now - 1) + 2
            now = max(now, minima - 2)
    return now


def cycles_alone(code):
    """One warp that has a scheduler to itself: waits too, of those that begin in it."""
    time, bank, minima, done = 0, [0, 0], 0, [0] * 6
    for x, reads in with_reads(code):
        time = max([time] + [done[b] for b in range(6) if x.waits >> b & 1])
        for r in reads:
            bank[r & 1] = max(bank[r & 1], time) + 1
        if x.kind != 'A':
            time = max(time, max(bank) - LATE)
        if x.uses_alu():
            time = max(time, minima)
            minima = time + 2
        if x.write_barrier < 6:
            done[x.write_barrier] = time + {'LDS': HERE, 'LDG': THERE}.get(x.base, ELSE)
        if x.read_barrier < 6:
            done[x.read_barrier] = time + ELSE
        time += max(1, x.stall)
    return time
