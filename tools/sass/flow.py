"""The flow of a kernel: basic blocks, live registers, loads and stores under way."""
import re


def target(x):
    """The address that an instruction branches to."""
    addresses = re.findall(r'0x([0-9a-f]+)', x.text)
    if not addresses:
        raise ValueError('no target: ' + x.text)
    return int(addresses[-1], 16)


ENDS_BLOCK = 'BRA', 'EXIT', 'RET', 'CALL', 'BSYNC', 'BREAK', 'WARPSYNC', 'BAR'


def find_blocks(code):
    """Basic blocks (first, end), and for each the set of blocks that may follow."""
    index = {x.address: i for i, x in enumerate(code)}
    leaders = {0}
    for i, x in enumerate(code):
        if x.base in ENDS_BLOCK and x.name != 'WARPSYNC.ALL':
            leaders.add(i + 1)
        if x.base in ('BRA', 'BSSY', 'CALL') or x.name == 'WARPSYNC.COLLECTIVE':
            if target(x) not in index:
                raise ValueError('a branch out of the kernel')
            leaders.add(index[target(x)])
        if x.base in ('BRX', 'JMP', 'JMX', 'BRXU'):
            raise ValueError('a jump to anywhere')
        if re.match(r'(D(ADD|MUL|FMA|SETP)|[BDHIQ]G?MMA|LDSM|STSM)$', x.base) or 'F64' in x.name:
            raise ValueError('registers of a width that is not known: ' + x.name)
    leaders = sorted(i for i in leaders if i < len(code)) + [len(code)]
    blocks = list(zip(leaders, leaders[1:]))
    at = {first: i for i, (first, end) in enumerate(blocks)}
    returns = {at[end] for first, end in blocks if code[end - 1].base == 'CALL' and end in at}
    follow = []
    for first, end in blocks:
        x, to = code[end - 1], set()
        falls = x.base not in ('EXIT', 'RET', 'CALL') or bool(x.guard)
        if x.base == 'BRA':
            falls = bool(x.guard) or 'DIV' in x.name or bool(re.match(r'!?U?P', x.operands[0]))
        if x.base in ('BRA', 'CALL') or x.name == 'WARPSYNC.COLLECTIVE':
            to.add(at[index[target(x)]])
        if x.base == 'RET':
            to |= returns
        if falls and end in at:
            to.add(at[end])
        follow.append(to)
    return blocks, follow


def live_after(code, blocks, follow):
    """For each block the registers that may be read after it."""
    use, define = [], []
    for first, end in blocks:
        u, d = set(), set()
        for x in code[first:end]:
            u |= set(x.reads) - d
            if not x.guard:
                d |= set(x.writes)
        use.append(u)
        define.append(d)
    before = [set() for _ in blocks]
    after = [set() for _ in blocks]
    changed = True
    while changed:
        changed = False
        for i in reversed(range(len(blocks))):
            after[i] = set().union(*(before[j] for j in follow[i]))
            now = use[i] | after[i] - define[i]
            changed = changed or now != before[i]
            before[i] = now
    return after


class Pending:
    """Registers that instructions under way have yet to write or read.

    An entry is (register, barriers, kind): whoever touches the register must first wait for one of
    the barriers. Kind 'w' is a result to come: a general, uniform or predicate register. Kind 'r'
    is an operand that memory's instruction has yet to read, and that has a read barrier.

    Without a read barrier the kind is 'rshared' or 'rother', by memory. The compiler then takes
    the operand as read if a later access to the same memory has reported that it has read, or
    has returned its result. If an instruction sets no barrier at all, the next barrier counts,
    whichever memory it is for.
    """

    def __init__(self, entries=()):
        self.entries = set(entries)

    def clash(self, x):
        """Entries whose register x touches without a wait."""
        read, written = x.special_registers()
        touched = [(r, 'w') for r in x.reads + list(read | written)]
        touched += [(r, k) for r in x.writes for k in 'wr']
        return {e for e in self.entries if (e[0], e[2][0]) in touched and not x.waits_for(e[1])}

    def step(self, x):
        self.entries = {e for e in self.entries if not x.waits_for(e[1])}
        if x.write_barrier < 6:
            results = x.writes + list(x.special_registers()[1])
            self.entries |= {(r, (x.write_barrier,), 'w') for r in results}
        if not x.is_memory() and x.read_barrier == 7:
            return
        barrier = tuple(b for b in (x.read_barrier, x.write_barrier) if b < 6)[:1]
        kind = 'r' if x.read_barrier < 6 else 'r' + x.memory()
        if x.memory():
            same = 'r' + x.memory()
            self.entries = {(r, b + tuple(set(barrier) - set(b)) if not b or k == same else b, k)
                            for r, b, k in self.entries}
        self.entries |= {(r, barrier, kind) for r in x.fetches}


def pending_before(code, blocks, follow):
    """For each block the entries of Pending at its beginning, over all ways to it."""
    before = [set() for _ in blocks]
    todo = set(range(len(blocks)))
    while todo:
        i = todo.pop()
        state = Pending(before[i])
        for x in code[slice(*blocks[i])]:
            state.step(x)
        for j in follow[i]:
            if not state.entries <= before[j]:
                before[j] |= state.entries
                todo.add(j)
    return before
