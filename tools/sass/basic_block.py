"""List scheduling and register allocation of one basic block.

    code ──> values, dependencies ──> order(): when, and which bank ──> registers() ──> encode()

Kinds F (sum), V (minimum) and A (anchor) are those of instruction.py. Anchors keep their registers;
all but movable ones keep their order. A difference is a sum of operands from outside the cells.
"""
import collections

from flow import Pending, target
from instruction import least_stall

NEVER = 10**9

# Cycles from an instruction to one that reads its result.
LATENCY = {'FF': 4, 'FV': 5, 'VF': 5, 'VV': 4}
TO_ANCHOR, FROM_ANCHOR, TO_BRANCH = 6, 6, 4
LONGEST = 15  # the most between anchors: predicates, uniform and other registers
LOADED_SHARED, LOADED_DEVICE = 40, 400  # about

# Weights of the choice, found by measuring on an H200. The unit is a cycle of the path to the end.
#
#   cycle     cost of a cycle lost to a busy bank or to the pipe of minima
#   read      gain of a read that a reuse flag saves
#   waiting   differences that may wait for their cell, a count
#   together  differences of one value that follow each other, a count
#   late      cycles by which reads may be late
#   queue     cycles by which minima may be late
#   pair      gain of a minimum that shares an operand with a possible next one
#   urgent    gain of an instruction that a load depends on
#   free      movable anchors may go anywhere, a truth value
#   memory    most cycles between memory's instruction and another anchor
#   hurry     cost of a cycle by which the path is too long for the instructions left
#   fetched   cycles to keep a register unwritten after memory's instruction reads it
Weights = collections.namedtuple(
    'Weights', 'cycle read waiting together late queue pair urgent free memory hurry fetched')
# Differences of two registers; of a register and a uniform one.
OF_REGISTERS = Weights(100, 5, 64, 3, 3, 0, 10, 50, True, 2, 0, 1)
OF_UNIFORM = Weights(30, 15, 40, 1, 2, 1, 0, 0, False, LONGEST, 0, 1)
# Differences of two registers, if a scheduler has one warp.
ONE_WARP = [OF_REGISTERS._replace(cycle=130, read=8, waiting=waiting, pair=pair, hurry=5,
                                  fetched=fetched)
         for waiting in (32, 72) for pair in (6, 20)
         for fetched in (1, 20, 40)]
ROOM = 60  # instructions beyond the path to the end at which hurry begins


def weights_of(code, one_warp):
    """The weights to try on this code; one_warp: a scheduler may have one warp of it."""
    if any(x.kind == 'F' and x.special_registers()[0] for x in code):
        return [OF_UNIFORM]
    return ONE_WARP if one_warp else [OF_REGISTERS]


class BasicBlock:
    """A value is (index of its writer, or -1 if older than the block; its register as compiled)."""

    def __init__(self, code, live, pending, weights):
        self.code, self.live, self.pending, self.weights = code, live, pending, weights
        n = len(code)
        if code[-1].kind != 'A':
            raise ValueError('no branch at its end')
        now, of_register = {}, collections.defaultdict(list)
        self.users = collections.defaultdict(list)
        self.sources = []
        # Writers of registers that memory's instructions read keep their place.
        memory = {r for r, _, kind in pending if kind[0] == 'r'}
        memory = memory.union(*(x.reads for x in code if x.is_memory()))
        self.movable = [self.weights.free and x.is_movable() and not memory & set(x.writes)
                        for x in code]
        for k, x in enumerate(code):
            for r in x.reads:
                if r not in now:
                    now[r] = (-1, r)
                    of_register[r].append(now[r])
                self.users[now[r]].append(k)
            self.sources.append([now[r] for r in x.reads])
            for r in x.writes:
                now[r] = (k, r)
                of_register[r].append(now[r])
        self.values = [v for values in of_register.values() for v in values]
        self.fixed = {v for r, values in of_register.items() for v in values
                      if v[0] < 0 or code[v[0]].kind == 'A' or (v is values[-1] and r in live) or
                      any(code[k].kind == 'A' for k in self.users[v])}
        self.kept = {values[-1] for r, values in of_register.items() if r in live}
        self.after = [{} for _ in code]
        self._depend(of_register)
        self._depend_on_others()
        self.path_left = [0] * n  # cycles to the end
        for k in reversed(range(n)):
            self.path_left[k] = max([0] + [d + self.path_left[j] for j, d in self.after[k].items()])
        self.urgent = [x.base == 'LDG' or self.weights.urgent > 0 and x.base == 'LDS' for x in code]
        for k in reversed(range(n)):  # and the instructions that an urgent one waits for
            if any(self.urgent[j] for j in self.after[k] if code[j].kind == code[k].kind == 'A' or
                   self.weights.urgent and any(w == k for w, _ in self.sources[j])):
                self.urgent[k] = True
        outside = lambda v: v[0] < 0 or code[v[0]].kind == 'A'
        self.difference = [x.kind == 'F' and all(map(outside, self.sources[k]))
                           for k, x in enumerate(code)]

    def _stall(self, k):
        return 1 if self.movable[k] else least_stall(self.code[k])

    def _before(self, k, j, cycles):
        """Instruction j comes so many cycles after k, at least."""
        if k != j:
            self.after[k][j] = max(cycles, self.after[k].get(j, 0))

    def _depend(self, of_register):
        code, n = self.code, len(self.code)
        for k, x in enumerate(code):
            for writer, _ in self.sources[k]:
                if writer < 0:
                    continue
                w = code[writer]
                if w.kind == 'A' and x.kind == 'A' and not self.movable[k]:
                    cycles = LONGEST
                elif w.write_barrier < 6:
                    loaded = LOADED_DEVICE if self.movable[k] else 1
                    cycles = LOADED_SHARED if w.base == 'LDS' else loaded
                elif w.kind == 'A':
                    cycles = FROM_ANCHOR if self.movable[writer] or x.kind != 'A' else LONGEST
                else:
                    cycles = TO_ANCHOR if x.kind == 'A' else LATENCY[w.kind + x.kind]
                self._before(writer, k, cycles)
        # Of memory's instruction: the one whose barrier reports that its operands are read.
        reporter, last = {}, None
        for k in reversed(range(n)):
            if code[k].is_memory() or code[k].read_barrier < 6:
                own = min(code[k].read_barrier, code[k].write_barrier) < 6
                last = k if own else last
                reporter[k] = last
        first = last
        silent = {r for r, barriers, _ in self.pending if not barriers}
        for values in of_register.values():  # values of one fixed register keep their order
            stay = [v for v in values if v in self.fixed]
            for v, later in zip(stay, stay[1:]):
                for k in self.users[v]:
                    fetched = self.weights.fetched if code[k].is_memory() else 1
                    self._before(k, later[0], fetched)
                    if reporter.get(k) is not None:
                        self._before(reporter[k], later[0], 1)
                if v[0] >= 0:
                    self._before(v[0], later[0], 4)
        for k, x in enumerate(code):
            if first is not None and first < k and silent & set(x.writes):
                self._before(first, k, 1)
        anchors = [k for k in range(n) if code[k].kind == 'A' and not self.movable[k]]
        for k, j in zip(anchors, anchors[1:]):
            near = code[k].is_memory() or self.weights.free and code[k].is_movable()
            apart = min(self.weights.memory if near else LONGEST, sum(x.stall for x in code[k:j]))
            self._before(k, j, max(self._stall(k), apart))
        for k, x in enumerate(code[:-1]):
            longest = LONGEST
            if x.is_memory():
                longest = self.weights.memory
            elif self.weights.free and x.is_movable() and not x.special_registers()[1]:
                longest = FROM_ANCHOR
            cycles = min(longest, sum(x.stall for x in code[k:-1])) if x.kind == 'A' else TO_BRANCH
            self._before(k, n - 1, cycles)

    def _depend_on_others(self):
        """Dependencies by predicates and uniform registers."""
        written, readers = {}, collections.defaultdict(list)
        for k, x in enumerate(self.code):
            read, write = x.special_registers()
            ordered = x.kind == 'A' and not self.weights.free  # anchors keep their order
            for u in read:
                if u in written and not ordered:
                    self._before(written[u], k, LONGEST)
                if not ordered:
                    readers[u].append(k)
            for u in write:
                for j in readers.pop(u, []):
                    self._before(j, k, 1)
                if u in written and not ordered:
                    self._before(written[u], k, LONGEST)
                written[u] = k

    # ---- order ----

    def _groups(self):
        """Groups to schedule at once: a few differences of one value; all else alone."""
        if self.weights.together == 1:
            return [[k] for k in range(len(self.code))]
        of_value = collections.defaultdict(list)
        for k in range(len(self.code)):
            if self.difference[k]:
                shared = lambda v: sum(self.difference[j] for j in self.users[v])
                of_value[max(self.sources[k], key=shared)].append(k)
        groups = [[k] for k in range(len(self.code)) if not self.difference[k]]
        for ks in of_value.values():
            ks.sort(key=lambda k: -self.path_left[k])
            step = self.weights.together
            groups += [ks[i:i + step] for i in range(0, len(ks), step)]
        return groups

    def order(self):
        """Indices of instructions by time, and for each value its best bank: even or odd."""
        code, n, weights = self.code, len(self.code), self.weights
        bank = {v: v[1] & 1 for v in self.fixed}
        groups = self._groups()
        group_of = {k: g for g, ks in enumerate(groups) for k in ks}
        blockers = [0] * len(groups)
        for k in range(n):
            for j in self.after[k]:
                blockers[group_of[j]] += 1
        ready = [g for g in range(len(groups)) if not blockers[g]]
        earliest = [0] * len(groups)
        reads_left = {v: len(u) for v, u in self.users.items()}
        waiting, limit, order, owed = 0, weights.waiting, [], None

        def issue(k, state):
            """The state after instruction k, the cycles lost, the reads saved.

            state: time, when each bank and the pipe of minima are free, the reuse caches.
            """
            now, busy, minima, kept = state
            x = code[k]
            if x.kind == 'A':
                alu = self.movable[k] and x.uses_alu()
                delay = max(0, minima - weights.queue - now) if alu else 0
                now += delay
                minima = max(minima, now) + 2 if alu else minima
                return (now + self._stall(k), busy, minima, {}), delay, 0
            reads = dict(zip(x.ports(), self.sources[k]))
            if weights.pair and x.kind == 'V' and kept.get(1) in self.sources[k]:
                others = {-i: v for i, v in enumerate(self.sources[k]) if v != kept[1]}
                reads = {1: kept[1]} | others

            def read(now):
                after = busy[:]
                for p, v in reads.items():
                    if kept.get(p) != v:
                        after[bank[v]] = max(after[bank[v]], now) + 1
                return after
            full = minima - weights.queue - now if x.kind == 'V' else 0
            delay = max(0, max(read(now)) - weights.late - now, full)
            now += delay
            after, saved = read(now), sum(kept.get(p) == v for p, v in reads.items())
            kept = {p: v for p, v in kept.items() if weights.pair and p not in x.all_ports()}
            minima = max(minima, now) + 2 if x.kind == 'V' else minima
            return (now + 1, after, minima, kept | reads), delay, saved

        def partner(k):
            """A minimum that may follow minimum k, and the value that both read."""
            pairs = [(self.path_left[j], j, v) for v in self.sources[k] for j in self.users[v]
                     if j != k and code[j].kind == 'V' and len(self.sources[j]) == 3 and
                     group_of[j] in is_ready and earliest[group_of[j]] <= state[0] + 2]
            wanted = pairs and weights.pair and len(self.sources[k]) == 3
            return max(pairs)[1:] if wanted else (None, None)

        def put_second(k, v):
            at = self.sources[k].index(v)
            self.sources[k][at], self.sources[k][1] = self.sources[k][1], v

        state = (0, [0.0, 0.0], 0, {})
        while len(order) < n:
            best = None
            now = state[0]
            is_ready = set(ready)
            for g in ready:
                ks = groups[g]
                x = code[ks[0]]
                if earliest[g] > now or (self.difference[ks[0]] and waiting >= limit):
                    continue
                if x.kind == 'V' and owed is not None and ks[0] != owed:
                    continue
                if x.kind == 'A':
                    lost = issue(ks[0], state)[1]
                    first = NEVER if self.urgent[ks[0]] else 0 if self.movable[ks[0]] else 100
                    score = self.path_left[ks[0]] + first - weights.cycle * lost
                else:
                    lost = saved = 0
                    then = state
                    for k in ks:
                        then, l, s = issue(k, then)
                        lost, saved = lost + l, saved + s
                    score = max(self.path_left[k] + weights.urgent * self.urgent[k] for k in ks)
                    score += (weights.read * saved - weights.cycle * lost) / len(ks)
                    if x.kind == 'V' and owed is None and partner(ks[0])[0] is not None:
                        score += weights.pair
                excess = self.path_left[ks[0]] + ROOM - (n - len(order))
                score += weights.hurry * max(0, excess)
                if best is None or score > best[0]:
                    best = score, g
            if best is None:
                later = [earliest[g] for g in ready if earliest[g] > now]
                if later:
                    state = (min(later),) + state[1:]
                elif owed is not None:
                    owed = None
                elif ready:
                    limit += 1
                else:
                    raise ValueError('groups wait for each other')
                continue
            g = best[1]
            for k in groups[g]:
                if code[k].kind == 'V':
                    three = weights.pair and len(self.sources[k]) == 3
                    if three and state[3].get(1) in self.sources[k]:
                        owed, same = None, state[3][1]
                    else:
                        owed, same = partner(k)
                    if same is not None:
                        put_second(k, same)
                elif code[k].kind == 'A':
                    owed = None
                before = state[0]
                state, lost, _ = issue(k, state)
                for r in code[k].writes:
                    if (k, r) not in bank:
                        bank[k, r] = self._bank_for((k, r), bank, state[1])
                at = before + lost
                for v in self.sources[k]:
                    reads_left[v] -= 1
                    waiting -= v[0] >= 0 and self.difference[v[0]] and not reads_left[v]
                waiting += self.difference[k]
                order.append(k)
                for j, d in self.after[k].items():
                    h = group_of[j]
                    earliest[h] = max(earliest[h], at + d)
                    blockers[h] -= 1
                    if not blockers[h]:
                        ready.append(h)
            ready.remove(g)
        return order, bank

    def _bank_for(self, value, bank, busy):
        """The bank that the value's partners in reading use less."""
        load = [0.05 * (busy[0] - busy[1]), 0.0]
        for k in self.users[value]:
            for v in self.sources[k]:
                if v != value and v in bank:
                    load[bank[v]] += 1 if self.code[k].kind == 'F' else 0.6
        return int(load[1] < load[0] or (load[1] == load[0] and value[0] % 2))

    # ---- registers ----

    def registers(self, order, bank, limit):
        """The register of each value, below `limit`; None if those are too few.

        A value that is not fixed gets any register of its bank that is free meanwhile.
        """
        at = {k: i for i, k in enumerate(order)}
        taken = collections.defaultdict(list)  # of a register: (written, last read)

        def span(v):
            begin = at[v[0]] if v[0] >= 0 else -1
            end = max([at[k] for k in self.users[v]], default=begin)
            if v in self.kept or any(self.code[k].is_memory() for k in self.users[v]):
                end = NEVER  # memory's instructions read at a time unknown
            return begin, max(end, begin + 1)

        place = {}
        for v in self.fixed:
            place[v] = v[1]
            taken[v[1]].append(span(v))
        pending = {e[0] for e in self.pending if (-1, e[0]) not in self.fixed}
        for r in self.live - {v[1] for v in self.fixed} | pending | {1}:
            taken[r].append((-1, NEVER))
        for v in sorted((v for v in self.values if v not in self.fixed), key=lambda v: at[v[0]]):
            begin, end = span(v)
            for r in [r for p in (bank[v], 1 - bank[v]) for r in range(p, limit, 2)]:
                if all((end <= b or begin >= e) and begin != b for b, e in taken[r]):
                    break
            else:
                return None
            place[v] = r
            taken[r].append((begin, end))
        return place

    # ---- words ----

    def _waited_behind(self, pending, last):
        """The wait mask of the last instruction: all that is done by then as compiled."""
        before, now = Pending(self.pending), Pending(pending.entries)
        for x in self.code:
            before.step(x)
        now.step(last)
        return sum({1 << e[1][0] for e in now.entries - before.entries if e[1]})

    def encode(self, order, place):
        n = len(order)
        code = self.code
        pending = Pending(self.pending)
        entry = {b for e in self.pending for b in e[1][:1]}  # set before the block
        need, issue, now, made = [0] * n, [], 0, []
        for k in order:
            now = max(now, need[k])
            issue.append(now)
            for j, d in self.after[k].items():
                by_barrier = code[k].write_barrier < 6 and any(v[0] == k for v in self.sources[j])
                need[j] = max(need[j], now + (min(d, self._stall(k)) if by_barrier else d))
            now += self._stall(k)
        for i, k in enumerate(order):
            x = code[k]
            low, high = x.low, x.high
            waits = x.waits if x.kind == 'A' and not (self.weights.free and x.is_movable()) else 0
            if x.kind != 'A':
                for f, v in zip(x.fields, self.sources[k]):
                    if f < 2:
                        low = low & ~(255 << 24 + 8 * f) | place[v] << 24 + 8 * f
                    else:
                        high = high & ~255 | place[v]
                low = low & ~(255 << 16) | place[k, x.writes[0]] << 16
            else:  # a barrier that it sets again must have been waited for
                waits |= sum(1 << b for b in {x.write_barrier, x.read_barrier} & entry)
            y = x.with_words(low, high)
            y.waits = waits
            for e in pending.clash(y):
                if e[1]:
                    waits |= 1 << e[1][0]
            if i + 1 == n:
                waits |= self._waited_behind(pending, y)
            y.waits = waits
            entry -= {b for b in range(6) if waits >> b & 1}
            pending.step(y)
            stall = issue[i + 1] - issue[i] if i + 1 < n else x.stall
            if not 1 <= stall <= 15:
                raise ValueError('a stall of %d cycles' % stall)
            switch = stall == 1 or (x.kind == 'A' and stall < 12 and x.switch)
            control = stall | switch << 4 | x.write_barrier << 5 | x.read_barrier << 8 | waits << 11
            if x.base == 'BSSY':
                low = low & (1 << 32) - 1 | (target(x) - code[0].address - 16 * (i + 1)) << 32
            made.append(x.with_words(low, high & (1 << 41) - 1 | control << 41))
        last = {}  # of a reuse cache: its last user, and the value
        for i, k in enumerate(order):
            x = made[i]
            if x.kind == 'A':
                last = {}
                continue
            reads = dict(zip(x.ports(), self.sources[k]))
            for p in x.all_ports():
                if p in last and p in reads and last[p][1] == reads[p]:
                    made[last[p][0]].high |= 1 << 58 + p
            last = {p: v for p, v in last.items() if self.weights.pair and p not in x.all_ports()}
            last |= {p: (i, v) for p, v in reads.items()}
        return made
