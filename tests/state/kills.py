#!/usr/bin/env python3
"""tests/state/kills.py KILLS [CASE]... - --state against kills at random times.

Runs sigrep --state on a file or on a pipe that begins anew, kills it by SIGKILL or SIGTERM at a
random time, and starts it again, until it ends by itself. Standard output is appended to a file.
It must have the bytes of one run that was never killed. In cases that grow, the file grows between
runs, at any byte, and the one run reads the whole.

The clock of the program runs faster (fast_clock.c), so that it saves often. The seed is printed;
CHECK_SEED repeats the inputs and the plan, but not the moments. CHECK_SHARE=N runs one in N of the
cases of each kind: of a file, of a pipe, of what grows or goes on.
"""

import array
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SEED = int(os.environ.get("CHECK_SEED", time.time_ns() % 10**9))
RATE = 16000


def tones(rng, n):
    """Samples in [-1, 1]: noise, and bursts that come again and again."""
    words = [
        [0.7 * math.sin(f * i * i / 3e5) * math.sin(math.pi * i / 1600) for i in range(1600)]
        for f in (1, 5)
    ]
    out = [rng.uniform(-0.1, 0.1) for _ in range(n)]
    at = 1000
    while at + 4000 < n:
        word, pace = rng.choice(words), rng.choice((0.9, 1.0, 1.1))
        for i in range(int(1600 / pace)):
            out[at + i] += word[min(1599, int(i * pace))]
        at += rng.randrange(1800, 9000)
    return out


def steps(rng, n):
    """Small whole numbers, full of matches."""
    out, last = [], 0
    while len(out) < n:
        if rng.random() < 0.3:
            out += [0, 2, 5, 3, 0][: n - len(out)]
        else:
            last = max(0, min(7, last + rng.choice((-1, 0, 1))))
            out += [last] * rng.choice((1, 1, 2))
    return out[:n]


def f32(values):
    return array.array("f", values).tobytes()


def wav(values, rate=RATE):
    data = array.array("h", [int(max(-1, min(1, v)) * 32000) for v in values]).tobytes()
    head = b"RIFF" + (36 + len(data)).to_bytes(4, "little") + b"WAVEfmt "
    head += (16).to_bytes(4, "little") + b"\1\0\1\0" + rate.to_bytes(4, "little")
    head += (2 * rate).to_bytes(4, "little") + b"\2\0\x10\0data" + len(data).to_bytes(4, "little")
    return head + data


def table(rng, values):
    """Rows with a time, a value, and gaps of either."""
    rows, at = ["time,value"], 1_700_000_000.0
    for v in values:
        at += rng.choice((0.1,) * 200 + (0.4, 3.0))
        rows.append(f"{at:.1f},{'' if rng.random() < 0.01 else v}")
    return ("\n".join(rows) + "\n").encode()


class Case:
    def __init__(self, name, make, options, pipe=False, grows=False, n=300_000, template=None,
                 goes_on=False):
        self.goes_on = goes_on
        self.name, self.make, self.options = name, make, options
        self.pipe, self.grows, self.n, self.template = pipe, grows, n, template


RAW = ["-f", "f32", "-r", "100", "-t", "0.4"]
SOUND = ["-t", "auto"]
TABLE = ["--time-column", "time", "-t", "0.4", "--fill", "0.5"]


def raw(rng, n):
    return f32(steps(rng, n)), ".f32"


def sound(rng, n):
    return wav(tones(rng, n)), ".wav"


def fast_sound(rng, n):
    return wav(tones(rng, n), 22050), ".wav"


def rows(rng, n):
    return table(rng, steps(rng, n)), ".csv"


def parts(rng, n):
    return b"", [f32([v]) for v in steps(rng, n)], f32([math.nan])


def part_rows(rng, n):
    return b"", [f"{v}\n".encode() for v in steps(rng, n)], b"nan\n"


HILLS = [("a=", [0, 2, 5, 3, 0]), ("a=", [0, 2, 2, 5, 3]), ("b=", [3, 3, 4, 4, 5, 5, 4])]
WORDS = [("one=", 0), ("five=", 1)]
CASES = [
    Case("raw", raw, RAW, template=HILLS),
    Case("raw_hold_csv", raw, RAW + ["--hold", "0.2", "-o", "csv"], template=HILLS),
    Case("raw_threads", raw, RAW + ["-j", "2"], template=HILLS, n=600_000),
    Case("raw_pipe", raw, RAW + ["--hold", "0.1"], pipe=True, template=HILLS),
    Case("raw_json_path", raw, RAW + ["-o", "json", "--path"], template=HILLS, n=100_000),
    Case("raw_max_count", raw, RAW + ["-m", "5000"], template=HILLS),
    Case("raw_count", raw, RAW + ["-c"], template=HILLS),
    Case("raw_takes", raw, RAW + ["--min-matches", "2"], template=HILLS),
    Case("raw_grows", raw, RAW, grows=True, template=HILLS),
    Case("raw_grows_count", raw, RAW + ["-c"], grows=True, template=HILLS),
    Case("rows", rows, TABLE, template=HILLS, n=60_000),
    Case("rows_pipe", rows, TABLE + ["-o", "json"], pipe=True, template=HILLS, n=60_000),
    Case("rows_grow", rows, TABLE + ["--hold", "1"], grows=True, template=HILLS, n=60_000),
    Case("goes_on", parts, RAW, goes_on=True, template=HILLS, n=200_000),
    Case("goes_on_hold", parts, RAW + ["--hold", "0.1", "-o", "json", "-p", "diff"], goes_on=True,
         template=HILLS, n=200_000),
    Case("rows_go_on", part_rows, ["-t", "0.4"], goes_on=True, template=HILLS, n=60_000),
    Case("diff", raw, RAW + ["-p", "diff"], template=HILLS),
    Case("znorm", raw, RAW + ["-p", "znorm=0.5"], template=HILLS),
    Case("envelope_grows", raw, RAW + ["-p", "envelope=0.03"], grows=True, template=HILLS),
    Case("bandpass", sound, ["-t", "0.06", "-p", "bandpass=20-400"], template=WORDS, n=RATE * 10),
    Case("mfcc", sound, SOUND + ["-p", "mfcc"], template=WORDS, n=RATE * 120),
    Case("mfcc_pipe", sound, SOUND + ["-p", "mfcc"], pipe=True, template=WORDS, n=RATE * 120),
    Case("speech", sound, SOUND + ["-p", "speech"], template=WORDS, n=RATE * 120),
    Case("words", sound, SOUND + ["-p", "words"], template=WORDS, n=RATE * 120),
    Case("resample", fast_sound, SOUND + ["-p", "mfcc"], template=WORDS, n=RATE * 60),
    Case("resample_pipe", fast_sound, SOUND, pipe=True, template=WORDS, n=RATE * 60),
]


def templates(case, folder):
    """The -e options; files for them."""
    words = []
    for i, (label, what) in enumerate(case.template):
        if isinstance(what, list):
            path = f"{folder}/t{i}.txt"
            with open(path, "w", encoding="ascii") as file:
                file.writelines(f"{v}\n" for v in what)
        else:
            path = f"{folder}/t{i}.wav"
            word = [0.7 * math.sin((1, 5)[what] * k * k / 3e5) * math.sin(math.pi * k / 1600)
                    for k in range(1600)]
            with open(path, "wb") as file:
                file.write(wav(word))
        words += ["-e", label + path]
    return words


def feed(process, data, rng):
    """Write all data to the pipe. False: nobody reads any more."""
    try:
        at = 0
        while at < len(data):
            n = rng.choice((1 << 12, 1 << 16))
            process.stdin.write(data[at:at + n])
            at += n
        process.stdin.close()
    except BrokenPipeError:
        pass


class Failure(Exception):
    pass


def one_run(command, out, data, limit_s, rng, clock):
    """Run, killed after limit_s (None: never). The exit status, and what it said."""
    with open(out, "ab") as output:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output,
                                   stderr=subprocess.PIPE, env=dict(os.environ, **clock))
    if limit_s is None:
        return process.communicate(data)[1].decode(), process.returncode
    killer = subprocess.Popen(["sleep", f"{limit_s:.4f}"])
    if data is not None:
        pid = os.fork()
        if pid == 0:
            feed(process, data, rng)
            os._exit(0)
    process.stdin.close()
    killer.wait()
    process.send_signal(rng.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM)))
    said = process.stderr.read().decode()
    process.wait()
    if data is not None:
        os.waitpid(pid, 0)
    return said, process.returncode


def samples_of(state):
    """Of the place from which the next run goes on: see saved.h and saved.c. 0 if a kill came before
    the first of them was saved."""
    if not os.path.exists(state):
        return 0
    with open(state, "rb") as file:
        data = file.read()
    at = 16
    for _ in range(2): # options, input
        at += 8 + int.from_bytes(data[at:at + 8], "little")
    at += 8 * (10 + 2 + 4 + 20)
    return int.from_bytes(data[at:at + 8], "little")


def check_continued(case, kills, folder, clock):
    """A pipe that goes on with other samples, again and again, as if a sample were missing."""
    rng = random.Random(f"{SEED} {case.name}")
    out, want, state = (f"{folder}/{name}" for name in ("out", "want", "S"))
    command = ["sigrep"] + case.options + templates(case, folder)
    header, rows, gap = case.make(rng, case.n)
    searched, begin, done = [], 0, 0
    for part in range(kills + 1):
        end = begin + len(rows) // (kills + 1)
        data = header + b"".join(rows[begin:end])
        limit = rng.uniform(0, 0.2) if part < kills else None
        said, status = one_run(command + ["--state", state + ",continue", "-"], out, data, limit,
                               rng, clock)
        done += status in (-signal.SIGKILL, 128 + signal.SIGTERM)
        if status == 2:
            raise Failure(f"after {done} kills: status 2: {said}")
        begun = len(searched)
        n = samples_of(state) - begun
        if n > 0:
            first = 1 if begun > 0 else 0
            searched += [gap] * first + rows[begin:begin + n - first]
        begin = end
    one_run(command + ["-"], want, header + b"".join(searched), None, rng, clock)
    check_same(want, out, done)
    print(f"ok   {case.name}: {done} kills, {os.path.getsize(want)} bytes")


def check(case, kills, folder, clock):
    if case.goes_on:
        check_continued(case, kills, folder, clock)
        return
    rng = random.Random(f"{SEED} {case.name}")
    whole, suffix = case.make(rng, case.n)
    path, out, want, state = (f"{folder}/{name}" for name in ("in" + suffix, "out", "want", "S"))
    command = ["sigrep"] + case.options + templates(case, folder)
    with open(path, "wb") as file:
        file.write(whole)
    source = ["-"] if case.pipe else [path]
    began = time.monotonic()
    said, status = one_run(command + source, want, whole if case.pipe else None, None, rng, clock)
    took = time.monotonic() - began
    matches = os.path.getsize(want)
    if status or not matches:
        raise Failure(f"the whole run: status {status}, {matches} bytes: {said}")
    if case.grows:
        os.truncate(path, 0)
    command += ["--state", state] + source
    size = 0
    done, ended = 0, 0
    while True:
        if case.grows:
            size = min(len(whole), size + rng.randrange(1, 2 * len(whole) // max(6, kills)))
            with open(path, "wb") as file:
                file.write(whole[:size])
        last = size == len(whole) if case.grows else done >= kills
        limit = None if last else rng.uniform(0, 1.2 * took)
        said, status = one_run(command, out, whole if case.pipe else None, limit, rng, clock)
        done += status in (-signal.SIGKILL, 128 + signal.SIGTERM)
        ended += status in (0, 1, 2)
        if status == 2 and (not case.grows or "--state" in said or state in said):
            raise Failure(f"after {done} kills: status 2: {said}")
        if last:
            break
        if not case.grows and status in (0, 1):
            check_same(want, out, done) # and again, on what is complete
            if rng.random() < 0.5:
                os.remove(state)
                os.truncate(out, 0)
    check_same(want, out, done)
    print(f"ok   {case.name}: {done} kills, {ended} ends, {matches} bytes")


def check_same(want, out, done):
    with open(want, "rb") as a, open(out, "rb") as b:
        a, b = a.read(), b.read()
    if a == b:
        return
    at = next((i for i in range(min(len(a), len(b))) if a[i] != b[i]), min(len(a), len(b)))
    raise Failure(f"after {done} kills: byte {at} of {len(a)} and {len(b)}:\n"
                  f"  want {a[max(0, at - 60):at + 60]!r}\n   got {b[max(0, at - 60):at + 60]!r}")


def due_cases():
    """Of each kind of input one in CHECK_SHARE cases, one at least."""
    share, kinds = int(os.environ.get("CHECK_SHARE") or 1), {}
    for case in CASES:
        kinds.setdefault((case.pipe, case.grows, case.goes_on), []).append(case)
    return [case for kind in kinds.values() for case in kind[SEED % min(share, len(kind))::share]]


def main():
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    names = sys.argv[2:]
    passed = failed = 0
    clock = {"LD_PRELOAD": os.environ["FAST_CLOCK"]} if os.environ.get("FAST_CLOCK") else {}
    print(f"seed: CHECK_SEED={SEED}", flush=True)
    for case in [case for case in CASES if case.name in names] if names else due_cases():
        folder = tempfile.mkdtemp(prefix="sigrep-state-")
        try:
            check(case, kills, folder, clock)
            passed += 1
        except Failure as failure:
            print(f"FAIL {case.name}: {failure}")
            failed += 1
            if os.environ.get("KEEP"):
                print("kept:", folder)
                continue
        shutil.rmtree(folder)
        sys.stdout.flush()
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
