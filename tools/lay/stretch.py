"""One stretch of sums and minima: its values, what must come before what, and both laid out anew.

A sum of two registers is of kind F, a minimum V; all else is an anchor, A.
"""
import collections

from flow import Pending, target
from instruction import least_stall

NEVER = 10**9

# Cycles from an instruction to one that reads its result: of sums and minima ...
LATENCY = {'FF': 4, 'FV': 5, 'VF': 5, 'VV': 4}
TO_ANCHOR, FROM_ANCHOR, TO_BRANCH = 6, 6, 4
LONGEST = 15  # ... of anchors that write predicates, uniform or other registers, at most
LOADED_HERE = 40  # from shared memory, about

# What makes a good order: how many cycles the way to the end may be longer for a cycle that reads
# would be in each other's way, and for a read that is saved; differences that wait for their cell.
WORTH_A_CYCLE, WORTH_A_READ, MOST_WAITING = 30, 15, 40


class Stretch:
    """A value is (the instruction that writes it, or -1 from before; its register as compiled)."""

    def __init__(self, code, live, pending):
        self.code, self.live, self.pending = code, live, pending
        n = len(code)
        if code[-1].kind != 'A':
            raise ValueError('no branch at its end')
        now, of_register = {}, collections.defaultdict(list)
        self.users = collections.defaultdict(list)
        self.sources = []
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
                      if v[0] < 0 or code[v[0]].kind == 'A' or any(code[k].kind == 'A' for k in self.users[v]) or
                      (v is values[-1] and r in live)}
        self.kept = {values[-1] for r, values in of_register.items() if r in live}
        self.after = [{} for _ in code]
        self._depend(of_register)
        self._depend_on_others()
        self.way = [0] * n  # cycles to the end
        for k in reversed(range(n)):
            self.way[k] = max([0] + [d + self.way[j] for j, d in self.after[k].items()])
        self.urgent = [x.base == 'LDG' for x in code]
        for k in reversed(range(n)):
            if code[k].kind == 'A' and any(self.urgent[j] for j in self.after[k] if code[j].kind == 'A'):
                self.urgent[k] = True
        self.difference = [x.kind == 'F' and all(v[0] < 0 or code[v[0]].kind == 'A' for v in self.sources[k])
                           for k, x in enumerate(code)]

    def _before(self, k, j, cycles):
        if k != j:
            self.after[k][j] = max(cycles, self.after[k].get(j, 0))

    def _depend(self, of_register):
        code, n = self.code, len(self.code)
        for k, x in enumerate(code):
            for writer, _ in self.sources[k]:
                if writer < 0:
                    continue
                w = code[writer]
                if w.kind == 'A' and x.kind == 'A':
                    cycles = LONGEST
                elif w.kind == 'A':
                    cycles = FROM_ANCHOR if w.write_barrier == 7 else LOADED_HERE if w.base == 'LDS' else 1
                else:
                    cycles = TO_ANCHOR if x.kind == 'A' else LATENCY[w.kind + x.kind]
                self._before(writer, k, cycles)
        for values in of_register.values():  # what stays in its register comes in its order
            stay = [v for v in values if v in self.fixed]
            for v, later in zip(stay, stay[1:]):
                for k in self.users[v]:
                    self._before(k, later[0], 1)
                if v[0] >= 0:
                    self._before(v[0], later[0], 4)
        anchors = [k for k in range(n) if code[k].kind == 'A']
        for k, j in zip(anchors, anchors[1:]):
            self._before(k, j, max(least_stall(code[k]), min(LONGEST, sum(x.stall for x in code[k:j]))))
        for k in range(n - 1):
            self._before(k, n - 1, min(LONGEST, sum(x.stall for x in code[k:-1])) if code[k].kind == 'A' else TO_BRANCH)

    def _depend_on_others(self):
        """Sums may read uniform registers, which anchors may write."""
        written, readers = {}, collections.defaultdict(list)
        for k, x in enumerate(self.code):
            read, write = x.others()
            if x.kind == 'A':
                for u in write:
                    for j in readers.pop(u, []):
                        self._before(j, k, 1)
                    written[u] = k
            else:
                for u in read:
                    if u in written:
                        self._before(written[u], k, LONGEST)
                    readers[u].append(k)

    # ---- order ----

    def order(self):
        """Instructions by time, and the bank, even or odd, that is best for each value."""
        code, n = self.code, len(self.code)
        bank = {v: v[1] & 1 for v in self.fixed}
        blockers = [0] * n
        for k in range(n):
            for j in self.after[k]:
                blockers[j] += 1
        ready = [k for k in range(n) if not blockers[k]]
        earliest = [0] * n
        reads_left = {v: len(u) for v, u in self.users.items()}
        busy, minima, now, waiting, most = [0.0, 0.0], -9, 0, 0, MOST_WAITING
        kept, order = {}, []
        while len(order) < n:
            best = None
            for k in ready:
                if earliest[k] > now or (self.difference[k] and waiting >= most):
                    continue
                x = code[k]
                if x.kind == 'A':
                    score, delay = self.way[k] + (NEVER if self.urgent[k] else 100), 0
                else:
                    after, saved = busy[:], 0
                    for f, v in zip(x.fields, self.sources[k]):
                        if kept.get(x.port(f)) == v:
                            saved += 1
                        else:
                            after[bank[v]] = max(after[bank[v]], now) + 1
                    delay = max(0, max(after) - 2 - now, minima - now - 1 if x.kind == 'V' else 0)
                    score = self.way[k] - WORTH_A_CYCLE * delay + WORTH_A_READ * saved
                if best is None or score > best[0]:
                    best = score, k, delay
            if best is None:
                later = [earliest[k] for k in ready if earliest[k] > now]
                now, most = (min(later), most) if later else (now, most + 1)
                continue
            _, k, delay = best
            x = code[k]
            ready.remove(k)
            now += delay
            reads = {}
            for f, v in zip(x.fields, self.sources[k]) if x.kind != 'A' else ():
                reads[x.port(f)] = v
                if kept.get(x.port(f)) != v:
                    busy[bank[v]] = max(busy[bank[v]], now) + 1
            kept = reads
            if x.kind == 'V':
                minima = max(minima, now) + 2
            for v in self.sources[k]:
                reads_left[v] -= 1
                waiting -= v[0] >= 0 and self.difference[v[0]] and not reads_left[v]
            waiting += self.difference[k]
            for r in x.writes:
                if (k, r) not in bank:
                    bank[k, r] = self._bank_for((k, r), bank, busy)
            order.append(k)
            for j, d in self.after[k].items():
                earliest[j] = max(earliest[j], now + d)
                blockers[j] -= 1
                if not blockers[j]:
                    ready.append(j)
            now += least_stall(x)
        return order, bank

    def _bank_for(self, value, bank, busy):
        """Another one than that of what is read together with it."""
        load = [0.05 * (busy[0] - busy[1]), 0.0]
        for k in self.users[value]:
            for v in self.sources[k]:
                if v != value and v in bank:
                    load[bank[v]] += 1 if self.code[k].kind == 'F' else 0.6
        return int(load[1] < load[0] or (load[1] == load[0] and value[0] % 2))

    # ---- registers ----

    def registers(self, order, bank, most):
        """The register of each value, below `most`: free ones get any of their bank that nobody has meanwhile."""
        at = {k: i for i, k in enumerate(order)}
        taken = collections.defaultdict(list)  # of a register: (written, last read)

        def span(v):
            begin = at[v[0]] if v[0] >= 0 else -1
            end = max([at[k] for k in self.users[v]], default=begin)
            if v in self.kept or any(self.code[k].is_memory() for k in self.users[v]):
                end = NEVER  # memory's instructions read when they like
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
            for r in [r for p in (bank[v], 1 - bank[v]) for r in range(p, most, 2)]:
                if all(end <= b or begin >= e for b, e in taken[r]) and all(begin != b for b, e in taken[r]):
                    break
            else:
                raise ValueError('not enough registers')
            place[v] = r
            taken[r].append((begin, end))
        return place

    # ---- words ----

    def encode(self, order, place):
        n = len(order)
        code = self.code
        pending, entry = Pending(self.pending), {e[1] for e in self.pending}
        need, issue, now, made = [0] * n, [], 0, []
        for k in order:
            now = max(now, need[k])
            issue.append(now)
            for j, d in self.after[k].items():
                by_barrier = code[k].write_barrier < 6 and any(v[0] == k for v in self.sources[j])
                need[j] = max(need[j], now + (min(d, least_stall(code[k])) if by_barrier else d))
            now += least_stall(code[k])
        for i, k in enumerate(order):
            x = code[k]
            low, high = x.low, x.high
            waits = x.waits if x.kind == 'A' else 0
            if x.kind != 'A':
                for f, v in zip(x.fields, self.sources[k]):
                    if f < 2:
                        low = low & ~(255 << 24 + 8 * f) | place[v] << 24 + 8 * f
                    else:
                        high = high & ~255 | place[v]
                low = low & ~(255 << 16) | place[k, x.writes[0]] << 16
            else:  # what still waits from before on a barrier that is set again
                waits |= sum(1 << b for b in {x.write_barrier, x.read_barrier} & entry)
            y = x.again(low, high)
            y.waits = waits
            for e in pending.clash(y):
                if e[1] is not None:
                    waits |= 1 << e[1]
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
            made.append(x.again(low, high & (1 << 41) - 1 | control << 41))
        for x, y in zip(made, made[1:]):
            if x.kind == 'A' or y.kind == 'A':
                continue
            reads = {y.port(f): y.field(f) for f in y.fields}
            for f in x.fields:
                if reads.get(x.port(f)) == x.field(f) != x.writes[0]:
                    x.high |= 1 << 58 + x.port(f)
        return made
