"""Cycles that a block takes, by a model: docs/lab/gpu-registers.md, "The pass"."""

# Cycles from an instruction to one that waits for its barrier.
SHARED, GLOBAL = 33, 60  # loads from shared memory, and from the first cache
OTHER = 20
READ_QUEUE = 3  # cycles by which reads may be late


def with_reads(code):
    """Each instruction, with the registers that it must read from a bank."""
    cached = {}
    for x in code:
        reads = {x.port(f): x.field(f) for f in x.fields} if x.kind != 'A' else {}
        yield x, [r for port, r in reads.items() if cached.get(port) != r]
        cached = {p: r for p, r in cached.items() if x.kind != 'A' and p not in x.all_ports()}
        cached |= {p: r for p, r in reads.items() if x.high >> 58 + p & 1}


def cycles_of(code):
    """Cycles of a scheduler with many warps: only reads and minima cost."""
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


def cycles_of_one_warp(code):
    """Cycles of a scheduler with one warp: waits for loads of this block cost, too."""
    time, bank, minima, done = 0, [0, 0], 0, [0] * 6
    for x, reads in with_reads(code):
        time = max([time] + [done[b] for b in range(6) if x.waits >> b & 1])
        for r in reads:
            bank[r & 1] = max(bank[r & 1], time) + 1
        if x.kind != 'A':
            time = max(time, max(bank) - READ_QUEUE)
        if x.uses_alu():
            time = max(time, minima)
            minima = time + 2
        if x.write_barrier < 6:
            done[x.write_barrier] = time + {'LDS': SHARED, 'LDG': GLOBAL}.get(x.base, OTHER)
        if x.read_barrier < 6:
            done[x.read_barrier] = time + OTHER
        time += max(1, x.stall)
    return time
