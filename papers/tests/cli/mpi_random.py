"""mpi_random.py - sigrep-mpi on random problems, beside the recurrences as they stand.

Signals are computed in float32: each sum of doubles is rounded once. Prints the command and the seed
of what differs.
"""
import os
import random
import struct
import subprocess
import time


def rounded(value):
    return struct.unpack('f', struct.pack('f', value))[0]


def signal_costs(x, y):
    column, last = [float('inf')] * len(x), []
    for sample in y:
        corner, up = 0.0, 0.0  # row 0
        for i, template in enumerate(x):
            left = column[i]
            up = column[i] = rounded(min(corner, up, left) + rounded(abs(template - sample)))
            corner = left
        last.append(up)
    return last


def edits(x, y):
    column, last = list(range(1, len(x) + 1)), []
    for letter in y:
        corner = up = 0
        for i, other in enumerate(x):
            left = column[i]
            up = column[i] = min(up + 1, left + 1, corner + (other != letter))
            corner = left
        last.append(up)
    return last


def factors(x, y, h):
    return [min(ends) for ends in zip(*(edits(x[a:a + h], y) for a in range(len(x) - h + 1)))]


def expected(kind, x, y, h):
    if kind == 'signals':
        return ''.join(f'{value:.9g}\n' for value in signal_costs(x, y))
    values = edits(x, y) if kind == 'strings' else factors(x, y, h)
    return ''.join(f'{value}\n' for value in values)


def make(kind, n):
    if kind == 'signals':
        values = [rounded(random.choice([random.gauss(0, 1), random.randint(-2, 2)]))
                  for _ in range(n)]
        return values, ''.join(f'{value:.9g}\n' for value in values).encode()
    letters = bytes(random.choices(random.choice([b'ab', b'acgt', bytes(range(256))]), k=n))
    return letters, letters


def length():
    return random.choice([random.randint(1, 9), random.randint(1, 70)])


def printed(ranks, *arguments):
    run = ['sigrep-mpi', *map(str, arguments)]
    if ranks:
        run = ['mpirun', '--quiet', '--oversubscribe', '-n', str(ranks), *run]
    done = subprocess.run(run, capture_output=True, text=True, timeout=120,
                          stdin=subprocess.DEVNULL)
    if done.returncode or done.stderr:
        print(*run, f'status {done.returncode}', done.stderr)
    return done.stdout


def compare(kind, ranks, systems, seed):
    (x, x_bytes), (y, y_bytes) = make(kind, length()), make(kind, length())
    names = ('x.csv', 'y.csv') if kind == 'signals' else ('x.txt', 'y.txt')
    for name, data in zip(names, (x_bytes, y_bytes)):
        with open(name, 'wb') as file:
            file.write(data)
    h = random.randint(1, min(len(x), 32))
    options = ['-k', kind] + (['-l', h] if kind in ('maxshift', 'factors') else [])
    one = printed(None, *options, 'opasm', *names)
    if kind != 'maxshift' and one != expected(kind, x, y, h):
        print('one process', options, len(x), len(y), 'seed', seed)
    for system in systems:
        if printed(ranks, *options, system, *names) != one:
            print(ranks, 'ranks', system, options, len(x), len(y), 'seed', seed)


def main():
    seed = int(os.environ.get('CHECK_SEED', time.time()))
    random.seed(seed)
    systems = 'pasm', 'opasm', 'edm'
    for ranks in range(1, 9):
        for kind in ('signals', 'strings', 'maxshift', 'factors'):
            compare(kind, ranks, systems if kind == 'signals' else random.sample(systems, 1), seed)
    print('random problems were compared')


main()
