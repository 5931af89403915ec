"""signals.py - the files that tests/checksums/run searches.

They are made of whole numbers alone, so their bytes are the same on every machine.
"""
import array
import pathlib
import struct
import sys

RAW = {  # a format of -f: how struct packs a value of 16 bits
    'f32': lambda v: struct.pack('<f', v / 32768), 'f32be': lambda v: struct.pack('>f', v / 32768),
    'f64': lambda v: struct.pack('<d', v / 32768), 'f64be': lambda v: struct.pack('>d', v / 32768),
    's16': lambda v: struct.pack('<h', v), 's16be': lambda v: struct.pack('>h', v),
    's24': lambda v: struct.pack('<i', v << 8 | 77)[:3],
    's24be': lambda v: struct.pack('>i', v << 8 | 77)[1:],
    's32': lambda v: struct.pack('<i', v << 16 | 777),
    's32be': lambda v: struct.pack('>i', v << 16 | 777),
    'u8': lambda v: struct.pack('B', (v >> 8) + 128)}

WAV = {  # an encoding: the tag of WAVE's format, bits, and the raw format of its samples
    'u8': (1, 8, 'u8'), 's16': (1, 16, 's16'), 's24': (1, 24, 's24'), 's32': (1, 32, 's32'),
    'f32': (3, 32, 'f32'), 'f64': (3, 64, 'f64'), 'alaw': (6, 8, 'u8'), 'mulaw': (7, 8, 'u8')}


def draws(seed, below):
    """Random whole numbers from 0 to below - 1, by a linear congruential generator."""
    while True:
        seed = (seed * 6364136223846793005 + 1442695040888963407) & 0xffffffffffffffff
        yield (seed >> 33) * below >> 31


def noise(seed, n):
    draw = draws(seed, 65536)
    return [next(draw) - 32768 for _ in range(n)]


def walk(seed, n, step=300):
    """A random walk that turns back at +-30000."""
    draw, at, out = draws(seed, 2 * step + 1), 0, []
    for _ in range(n):
        by = next(draw) - step
        at += by if abs(at + by) <= 30000 else -by
        out.append(at)
    return out


def steps(seed, n):
    """Four levels, each held for 1 to 6 samples: full of ties."""
    draw, out = draws(seed, 24), []
    while len(out) < n:
        value = next(draw)
        out += [(value // 6 - 2) * 8192] * (value % 6 + 1)
    return out[:n]


def dense(seed, n):
    """A saw of period 40 that goes on and on, with a little noise."""
    draw = draws(seed, 401)
    return [abs(i % 40 - 20) * 1000 - 10000 + next(draw) - 200 for i in range(n)]


def sparse(stream, shape, seed):
    """Of a stream, a copy in which the shape comes 30 times, faster and slower."""
    out, draw, room = list(stream), draws(seed, 60), len(stream) // 30
    for k in range(30):
        percent = 70 + next(draw)
        begin = k * room + 97 * k
        for i in range(len(shape) * percent // 100):
            out[begin + i] = shape[i * 100 // percent] + 100 * (next(draw) - 30)
    return out


def s16(values):
    a = array.array('h', values)
    if sys.byteorder == 'big':
        a.byteswap()
    return a.tobytes()


def riff(tag, bits, data, rate=8000, channels=1, order='<', extensible=False):
    """A WAV file; of most significant bytes first it is a RIFX file."""
    block = channels * bits // 8
    fmt = struct.pack(order + 'HHIIHH', 0xfffe if extensible else tag, channels, rate,
                      rate * block, block, bits)
    if extensible:
        guid = b'\0\0\0\0\x10\0\x80\0\0\xaa\0\x38\x9b\x71'
        fmt += struct.pack(order + 'HHIH', 22, bits, 0, tag) + guid

    def chunk(name, content):
        return name + struct.pack(order + 'I', len(content)) + content + b'\0' * (len(content) & 1)
    body = b'WAVE' + chunk(b'fmt ', fmt) + chunk(b'LIST', b'INFOodd') + chunk(b'data', data)
    return (b'RIFF' if order == '<' else b'RIFX') + struct.pack(order + 'I', len(body)) + body


def aiff(values, rate80=b'\x40\x0b\xfa\0\0\0\0\0\0\0'):
    """8000 Hz, 16 bits, one channel."""
    comm = struct.pack('>hIh', 1, len(values), 16) + rate80
    data = struct.pack('>II', 0, 0) + b''.join(struct.pack('>h', v) for v in values)
    body = (b'AIFFCOMM' + struct.pack('>I', len(comm)) + comm +
            b'SSND' + struct.pack('>I', len(data)) + data)
    return b'FORM' + struct.pack('>I', len(body)) + body


def au(values):
    """8000 Hz, 16 bits, one channel."""
    return (b'.snd' + struct.pack('>IIIII', 24, 2 * len(values), 3, 8000, 1) +
            b''.join(struct.pack('>h', v) for v in values))


def ecg(path):
    """Both leads of a record of MIT-BIH: format 212, two values of 12 bits in three bytes."""
    def signed(v):
        return v - 4096 if v > 2047 else v
    data = path.read_bytes()
    one = [signed(a | (b & 15) << 8) for a, b in zip(data[0::3], data[1::3])]
    two = [signed(c | (b >> 4) << 8) for b, c in zip(data[1::3], data[2::3])]
    return one, two


def lines(values):
    return ''.join(f'{v}\n' for v in values).encode()


def tables(put, small):
    """Text with columns, headers, times and errors."""
    rows = list(zip(range(len(small)), small, small[7:] + small[:7]))
    put('header.csv', 'n,a,b\n' + ''.join(f'{n},{a},{b}\n' for n, a, b in rows))
    put('semicolons.txt', '# a comment\n\n' + ''.join(f'{n};{a} ; {b}\n' for n, a, b in rows))
    put('tabs.tsv', ''.join(f'{n}\t{a}e-1\t+{b}.5\r\n' for n, a, b in rows if b >= 0))
    put('times.csv', 't;a\n' + ''.join(
        f'{n // 4}.{n % 4 * 25 + n % 3:02};{a}\n' for n, a, _ in rows))
    put('iso.csv', ''.join(f'2026-11-{21 + n // 1440 % 9}T{n // 60 % 24:02}:{n % 60:02}:30.5Z,{a}\n'
                           for n, a, _ in rows))
    put('bad.csv', ''.join(f'{n},{a if n % 700 else "oops"},{b}\n' for n, a, b in rows))
    put('gaps.txt', ''.join(f'{a if n % 900 else "nan"}\n' for n, a, _ in rows))


def make(work, source):
    """All signals, in the folder work; source is the repository."""
    def put(name, content):
        (work / name).write_bytes(content if isinstance(content, bytes) else content.encode())

    (work / 'examples').symlink_to(source / 'examples')
    (work / 'digits').symlink_to(source / 'tests' / 'data' / 'digits')
    put('hill.txt', lines([0, 1, 3, 1, 0]))
    put('stream.txt', lines([9, 9, 9, 0, 1, 3, 1, 0, 9, 9, 9, 0, 1, 3, 3, 1, 0, 9, 9]))
    put('none.txt', lines([9, 9, 9]))
    put('flat.txt', lines([5, 5, 5, 5, 5]))
    put('empty', b'')

    big, long_walk = noise(1, 1 << 20), walk(2, 1 << 20)
    put('noise.s16', s16(big))
    put('walk.s16', s16(long_walk))
    put('sparse.s16', s16(sparse(big, walk(3, 300, 2000), 4)))
    put('shape.s16', s16(walk(3, 300, 2000)))
    put('dense.s16', s16(dense(5, 1 << 17)))
    put('steps.s16', s16(steps(6, 1 << 17)))
    one, two = ecg(source / 'examples' / 'ecg' / '100.dat')
    put('ecg.s16', s16(one))
    put('ecg.stereo', s16([v for pair in zip(one, two) for v in pair][:400000]))
    holes = array.array('f', (v / 32768 for v in long_walk[:1 << 16]))
    for at, bad in zip(draws(7, 1 << 16), ['nan', 'inf', '-inf'] * 20):
        holes[at] = float(bad)
    if sys.byteorder == 'big':
        holes.byteswap()
    put('holes.f32', holes.tobytes())

    small = walk(8, 4096, 900)
    for name, pack in RAW.items():
        put('small.' + name, b''.join(map(pack, small)))
    for name, (tag, bits, raw) in WAV.items():
        put(f'{name}.wav', riff(tag, bits, b''.join(map(RAW[raw], small))))
    put('extensible.wav', riff(1, 24, b''.join(map(RAW['s24'], small)), extensible=True))
    put('rifx.wav', riff(1, 16, b''.join(map(RAW['s16be'], small)), order='>'))
    put('stereo.wav', riff(1, 16, s16(small), channels=2))
    put('fast.wav', riff(1, 16, s16(small), rate=16000))
    put('cut.wav', riff(1, 16, s16(small))[:5000])
    put('small.aiff', aiff(small))
    put('small.au', au(small))
    put('silence.mp3', (b'\xff\xfb\x90\0' + b'\0' * 413) * 40)  # 44100 Hz
    put('small.txt', lines(small))
    tables(put, small)

    said = b''
    for digit in ('3_george_3', '7_george_4', '1_george_0', '7_george_5'):
        said += bytes(11000) + (source / 'tests/data/digits' / (digit + '.wav')).read_bytes()[44:]
    put('said.s16', said)
    (work / 'many').mkdir()
    for k in range(12):
        put(f'many/{k}', lines(small[300 * k:300 * k + 20 + k]))
