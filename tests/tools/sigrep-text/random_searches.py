"""random_searches.py SEED CASES - sigrep-text beside docs/SEMANTICS.md, "Strings", as a slow program.

Each case has a few patterns and records. It chooses edits or a rate, substitutions, overhang, the
alphabet, the kernel and how the input is written. Matches must be the same, in the same order; with
--best the best of them. In SAM each alignment must lead from the pattern to the letters of the text.
"""
import gzip
import json
import random
import re
import subprocess
import sys

BASES = {"A": 1, "C": 2, "G": 4, "T": 8, "U": 8, "R": 5, "Y": 10, "S": 6, "W": 9, "K": 12, "M": 3,
         "B": 14, "D": 13, "H": 11, "V": 7, "N": 15}
CODES = {bits: code for code, bits in BASES.items() if code != "U"}
NEVER = 10 ** 9


def complement(code):
    bits = BASES[code.upper()]
    return CODES[sum(8 >> i for i in range(4) if bits >> i & 1)]


def same_dna(x, y):
    y_bits = BASES.get(y.upper(), 0)
    return y_bits != 0 and y_bits & ~BASES[x.upper()] == 0


def same_letter(x, y):
    return x == y


class Problem:
    """A pattern in a text. A cell is (distance, start, letters that hang over the text's start)."""

    def __init__(self, x, y, k, same, substitutions, overhang, reversed_):
        self.x, self.y, self.k, self.same = x, y, k, same
        self.substitutions, self.overhang, self.reversed = substitutions, overhang, reversed_

    def over(self, letters):
        if self.overhang == 0:
            return NEVER if letters else 0
        return -(-letters * self.overhang // 100)

    def first_column(self, origin):
        column = [(0, origin, 0)]
        for i in range(1, len(self.x) + 1):
            if origin == 0 and self.overhang:
                column.append((self.over(i), 0, i))
            else:
                column.append((NEVER if self.substitutions else i, origin, 0))
        return column

    def next_column(self, last, t):
        column = [(0, t + 1, 0)]
        for i in range(1, len(self.x) + 1):
            replaced = 0 if self.same(self.x[i - 1], self.y[t]) else 1
            best = (last[i - 1][0] + replaced,) + last[i - 1][1:]
            if not self.substitutions:
                for other in (last[i], column[i - 1]):
                    if other[0] + 1 < best[0]:
                        best = (other[0] + 1,) + other[1:]
            column.append(best)
        return column

    def candidate(self, column, end):
        """Row m, or a row behind which letters hang over: (cell, letters after)."""
        m = len(self.x)
        best, after = column[m], 0
        for i in range(m, 0, -1):
            if end == len(self.y) and column[i][0] + self.over(m - i) < best[0]:
                best, after = (column[i][0] + self.over(m - i),) + column[i][1:], m - i
        return best, after

    def first_match(self, origin):
        """(start, end, distance, before, after) and the letters after which it was final."""
        best, column = None, self.first_column(origin)
        for t in range(origin, len(self.y)):
            column = self.next_column(column, t)
            (d, start, before), after = self.candidate(column, t + 1)
            if d <= self.k and (best is None or (d < best[2] and start < best[1])):
                best = (start, t + 1, d, before, after)
            if best is None or any(c[0] < best[2] and c[1] < best[1] for c in column[1:]):
                continue
            if t + 1 >= best[1] + (2 * best[2] if self.reversed else 0):
                return self.settled(origin, best), t + 1
        return self.settled(origin, best), len(self.y) + 1  # by the end of the text, which comes last

    def settled(self, origin, best):
        """The interval that the other strand would have."""
        if best is None or not self.reversed:
            return best
        to = min(len(self.y), best[1] + 2 * best[2])
        back = Problem(self.x[::-1], self.y[origin:to][::-1], self.k, self.same,
                       self.substitutions, 0, False)
        column = back.first_column(0)
        for t in range(to - origin):
            column = back.next_column(column, t)
            start = to - t - 1
            if column[-1][0] == best[2] and start < best[1] and start >= best[1] - self.reach():
                return (start, to - column[-1][1], best[2], 0, 0)
        return best

    def reach(self):
        return len(self.x) + self.k

    def matches(self):
        found, origin, known = [], 0, 0
        while origin < len(self.y):
            match, final = self.first_match(origin)
            if match is None:
                break
            known = max(known, final)
            found.append((known, match))
            origin = match[1]
        return found


def random_letters(n, letters):
    return "".join(random.choice(letters) for _ in range(n))


def edited(pattern, edits, letters):
    text = list(pattern)
    for _ in range(edits):
        at = random.randrange(len(text))
        text[at:at + 1] = random.choice([[], [random.choice(letters)],
                                         [text[at], random.choice(letters)]])
        text = text or [random.choice(letters)]
    return "".join(text)


def random_text(patterns, letters, dna):
    text = random_letters(random.randrange(60), letters)
    for _ in range(random.randrange(4)):
        copy = edited(random.choice(patterns), random.randrange(4), letters)
        if dna and random.random() < .5:
            copy = "".join(complement(c) for c in copy[::-1])
        cut = random.choice([0, 0, 0, random.randrange(len(copy))])
        text = copy[cut:] + text if cut else text + copy + random_letters(random.randrange(20), letters)
        text = text + copy[:cut] if random.random() < .5 else text
    return text


def written(records, dna):
    """The records as FASTA or FASTQ, in one of the ways in which they come."""
    end, out = random.choice(["\n", "\r\n"]), []
    fastq, width = random.random() < .3, random.randrange(1, 80)
    for name, text in records:
        text = "".join(c.lower() if dna and random.random() < .1 else c for c in text)
        lines = [text[i:i + width] for i in range(0, len(text), width)]
        if fastq:
            quality = random_letters(len(text), "@>+I!")
            lines += ["+"] + [quality[i:i + width] for i in range(0, len(text), width)]
        out += [("@" if fastq else ">") + random.choice(["", " "]) + name + " words"] + lines
    data = (random.choice(["", "\n", "\ufeff", ";a comment\n"]) + end.join(out) + end).encode()
    return gzip.compress(data) if random.random() < .3 else data


def random_case():
    dna = random.random() < .8
    letters = random.choice(["ACGT", "AC", "ACGTN"])
    count = random.randrange(1, 4)
    patterns = [random_letters(random.randrange(2, 17), random.choice([letters, "ACGTNRYMK"]) if dna
                               else letters) for _ in range(count)]
    options, k = [], None
    shortest = min(len(p) for p in patterns)
    if random.random() < .3:
        percent = random.choice(["5%", "12.5%", "25%", "33.33%"])
        options += ["-k", percent]
        edits = [len(p) * round(float(percent[:-1]) * 100) // 10000 for p in patterns]
    else:
        k = random.randrange(min(shortest, 5))
        options += ["-k", str(k)]
        edits = [k] * count
    substitutions, overhang = random.random() < .3, 0
    if random.random() < .4:
        overhang = random.randrange(30, 101)
        if any(-(-len(p) * overhang // 100) <= e for p, e in zip(patterns, edits)):
            overhang = 0
    options += ["--substitutions"] if substitutions else []
    options += ["--overhang", f"{overhang}%"] if overhang else []
    options += ["--alphabet", "dna"] if dna else ["--fasta"]
    options += random.choice([[], ["--kernel", "scalar"], ["--kernel", "portable"]])
    options += random.choice([[], ["-j", "2"]])
    records = [(f"r:{i}", random_text(patterns, letters, dna)) for i in range(random.randrange(1, 4))]
    return dna, patterns, edits, substitutions, overhang, options, records


def wanted(dna, patterns, edits, substitutions, overhang, records):
    lines = []
    for name, text in records:
        found, index = [], 0
        for i, pattern in enumerate(patterns):
            other = "".join(complement(c) for c in pattern[::-1]) if dna else pattern
            for strand, x in [("+", pattern), ("-", other)] if other != pattern else [("+", pattern)]:
                problem = Problem(x, text, edits[i], same_dna if dna else same_letter, substitutions,
                                  overhang, strand == "-")
                for final, match in problem.matches():
                    found.append((final, match[1], index, f"p{i}", strand, match))
                index += 1
        lines += [(name, label, strand if dna else None) + match
                  for _, _, _, label, strand, match in sorted(found)]
    return lines


def search(options, patterns, data):
    """The lines."""
    with open("patterns", "w", encoding="ascii") as file:
        file.write("".join(f">p{i} x\n{p}\n" for i, p in enumerate(patterns)))
    ran = subprocess.run(["sigrep-text", "-f", "patterns", *options], input=data,
                         capture_output=True, check=False)
    assert ran.returncode in (0, 1) and not ran.stderr, ran
    return ran.stdout.decode().splitlines()


def got(options, patterns, data):
    lines = []
    for line in search(["-o", "json", *options], patterns, data):
        m = json.loads(line)
        over = tuple(m.get("overhang", (0, 0)))
        lines.append((m["record"], m["label"], m.get("strand"), m["start"], m["end"],
                      m["score"]) + over)
    return lines


def best_of(lines, n):
    """The n best of each pattern, best first."""
    kept, counts = [], {}
    for line in sorted(lines, key=lambda line: line[5]):
        counts[line[1]] = counts.get(line[1], 0) + 1
        kept += [line] if counts[line[1]] <= n else []
    return kept


def aligned(line, text):
    """What an alignment of SAM says: (record, name, strand, start, end, before, after)."""
    name, flag, record, position, _, cigar, _, _, _, x, _, tag = line.split("\t")
    start = int(position) - 1
    i, t, edits, over = 0, start, 0, [0, 0]
    for n, operation in ((int(n), op) for n, op in re.findall(r"(\d+)([=XIDS])", cigar)):
        if operation in "=X":
            same = [same_dna(x[i + k], text[t + k]) for k in range(n)]
            assert all(same) if operation == "=" else not any(same), line
        if operation == "S":
            over[i > 0] = n
        edits += n if operation in "XID" else 0
        i += n if operation in "=XIS" else 0
        t += n if operation in "=XD" else 0
    assert i == len(x) and tag == f"NM:i:{edits}", line
    return record, name, "-" if int(flag) else "+", start, t, *over


def check_sam(options, patterns, data, records, right):
    lines = search(["-o", "sam", *options], patterns, data)
    body, texts = [line for line in lines if line[0] != "@"], dict(records)
    ours = [aligned(line, texts[line.split("\t")[2]]) for line in body]
    heads = [f"@SQ\tSN:{name}\tLN:{len(text)}" for name, text in records
             if any(line[0] == name for line in right)]
    assert ours == [line[:5] + line[6:] for line in right], (ours, right)
    assert [line for line in lines if line.startswith("@SQ")] == heads, (lines, heads)


def main():
    seed, cases = int(sys.argv[1]), int(sys.argv[2])
    random.seed(seed)
    for case in range(cases):
        dna, patterns, edits, substitutions, overhang, options, records = random_case()
        data = written(records, dna)
        ours = got(options, patterns, data)
        right = wanted(dna, patterns, edits, substitutions, overhang, records)
        if random.random() < .3:
            right = best_of(right, 2)
            ours = got(options + ["-b", "2"], patterns, data)
        elif dna:
            check_sam(options, patterns, data, records, right)
        if ours != right:
            print(f"seed {seed}, case {case}: {patterns} {options}\n{records}\ngot    {ours}\nwanted {right}")
            return 1
    print(f"{cases} cases agree")
    return 0


sys.exit(main())
