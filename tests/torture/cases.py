"""Signals, and command lines of all programs over them."""
import dataclasses
import gzip
import math
import random
import struct
import subprocess

import formats


@dataclasses.dataclass
class Case:
    name: str
    command: list
    stdin: str = ''           # the file that comes through a pipe
    existing: dict = dataclasses.field(default_factory=dict)  # files that a run finds there
    streams: tuple = ()       # files that are written line by line, so a part is right
    rows_around: tuple = ()   # folders of files whose last rows may be missing
    inputs: tuple = ()        # of the folder; set by make


def wav(samples, rate=8000):
    body = struct.pack(f'<{len(samples)}h', *samples)
    head = struct.pack('<4sI4s4sIHHIIHH4sI', b'RIFF', 36 + len(body), b'WAVE', b'fmt ', 16, 1, 1,
                       rate, 2 * rate, 2, 16, b'data', len(body))
    return head + body


def word(seed, n=2400):
    """A sound like a word: a chirp under a hill, a little different for each seed."""
    dice = random.Random(seed)
    pitch = 200 + 20 * dice.random()
    return [round(9000 * math.sin(math.pi * i / n) * math.sin((pitch + i / 4) * i / 1300)
                  + dice.gauss(0, 60)) for i in range(n)]


def quiet(seed, n):
    dice = random.Random(seed)
    return [round(dice.gauss(0, 40)) for _ in range(n)]


def text(values):
    return ''.join(f'{value}\n' for value in values).encode()


def make_tables(stream):
    """Tables as loggers, spreadsheets and R write them, by name."""
    numbered = list(enumerate(stream))
    logger = ['Logger 5, serial 77', 'Rate,10', 't,"x, raw",y', 's,V,V']
    for i, value in numbered:  # stamps of whole seconds, ten rows each; a second header; no sensor
        logger += ['t,"x, raw",y'] if i == 400 else []
        logger += ['%d,%s,%g' % (i // 10, '#N/A' if i % 50 == 7 else '%g' % value, value)]
    return {
        'comma.csv': 'Zeit;x\n' + ''.join(
            ('%.2f;%g\n' % (0.01 * i, value)).replace('.', ',') for i, value in numbered),
        'logger.csv': '\r\n'.join(logger) + '\r\n',
        'frame.txt': '"x" "y"\n' + ''.join(
            '"%d" %g %s\n' % (i + 1, value, 'NA' if i % 9 == 7 else i) for i, value in numbered),
        'clock.tsv': 'when\tx\n' + ''.join(
            '2026-01-01 12:%02d:%02d\t%s\n' % (i // 600, i // 10 % 60, value) for i, value in numbered),
        'events.jsonl': ''.join(
            '{"t": %.2f, "x": %s}\n' % (0.01 * i, 'null' if i % 50 == 7 else value)
            + ('{"event": "beat"}\n' if i % 40 == 3 else '') for i, value in numbered),
    }


def make_signals(folder):
    """The inputs, small enough that a run takes some milliseconds."""
    hill = [round(100 * math.sin(i / 6), 2) for i in range(19)]
    dice = random.Random(1)
    noise = [[round(dice.uniform(-1, 1), 2) for _ in range(150)] for _ in range(5)]
    stream = [value for part in noise for value in part + hill]
    pulses = quiet(5, 4000) + word(7) + quiet(8, 4000) + word(9) + quiet(10, 4000)
    files = {
        't.txt': text(hill), 's.txt': text(stream), 's2.txt': text(stream[100:500]),
        'times.csv': b'time,x\n' + b''.join(
            b'%.3f,%g\n' % (0.01 * i, value) for i, value in enumerate(stream)),
        'lost.csv': b't,x,y\n' + b''.join(
            b'%.2f,%g,%s\n' % (0.01 * i, value, b'NA' if i % 50 == 7 else b'%g' % value)
            for i, value in enumerate(stream) if i % 90 != 40),
        's.jsonl': b''.join(b'{"at": {"t": %.2f}, "x": [%g, null]}\n' % (0.01 * i, value)
                            for i, value in enumerate(stream)),
        's.txt.gz': gzip.compress(text(stream), mtime=0),
        's.wav.gz': gzip.compress(wav(pulses), mtime=0),
        's.f32': struct.pack(f'<{len(stream)}f', *stream),
        't.u8': bytes(round(128 + value) for value in hill),
        't.f32': struct.pack(f'<{len(hill)}f', *hill),
        't.wav': wav(word(7)), 's.wav': wav(pulses),
        'take1.wav': wav(word(1)), 'take2.wav': wav(word(2)), 'take3.wav': wav(word(3)),
        'noise.wav': wav([round(3000 * math.sin(i * math.sin(i / 9999))) for i in range(96000)]),
    }
    files |= {name: table.encode() for name, table in make_tables(stream).items()}
    for name in ('s.txt', 'logger.csv'):
        files[name + '.zst'] = subprocess.run(['zstd', '-c'], input=files[name], check=True,
                                              capture_output=True).stdout
    for name, contents in files.items():
        (folder / name).write_bytes(contents)
    (folder / 'tree' / 'deep').mkdir(parents=True)
    for name in ('a.txt', 'deep/b.txt', 'deep/c.txt.gz'):
        (folder / 'tree' / name).write_bytes(files['s.txt.gz' if name.endswith('gz') else 's.txt'])
    (folder / 'tree' / 'notes').write_text('No signal.\n')
    (folder / 'takes').mkdir()
    for take in ('take1.wav', 'take2.wav'):
        (folder / 'takes' / take).write_bytes(files[take])
    with open(folder / 'long.u8', 'wb') as long:  # more than a best-of search stores in memory
        long.truncate(17 << 20)
        long.seek(-100, 2)
        long.write(files['t.u8'])


def make_bundles(folder, programs):
    """Returns the old bundle and the new one, which replaces it."""
    def train(name, takes):
        subprocess.run([str(programs / 'sigrep-train'), '-l', 'word', '-t', '9', '-o', name, *takes],
                       cwd=folder, check=True, capture_output=True)
        return (folder / name).read_bytes()
    old = train('old.sigrep', ['take1.wav'])
    return old, train('word.sigrep', ['take1.wav', 'take2.wav', 'take3.wav'])


def make_cases(folder, programs):
    """Make the inputs in a folder, and return the cases over them."""
    make_signals(folder)
    old, new = make_bundles(folder, programs)
    for ending in ('flac', 'ogg'):
        formats.encode(folder / f's.{ending}', ending, (folder / 's.wav').read_bytes()[44:])
    cpu = ['sigrep', '-d', 'cpu']
    cases = [
        Case('text', [*cpu, '-t', '9', 't.txt', 's.txt']),
        Case('text from a pipe', [*cpu, '-t', '9', 't.txt'], stdin='s.txt'),
        Case('two inputs, json', [*cpu, '-o', 'json', '-t', '9', 't.txt', 's.txt']),
        Case('two inputs', [*cpu, '-t', '9', 't.txt', 's.txt', 's2.txt']),
        Case('times of a column', [*cpu, '--time-column', '1', '--columns', '2', '-p', 'diff',
                                   '-o', 'csv', '-t', '9', 't.txt', 'times.csv']),
        Case('raw, threads', [*cpu, '-j', '4', '-f', 'f32', '-t', '9', 't.f32', 's.f32']),
        Case('WAV', [*cpu, '-p', 'raw', '-t', '0.02', '-o', 'labels', 't.wav', 's.wav']),
        Case('WAV from a pipe', [*cpu, '-p', 'raw', '-t', '0.02', '-c', 't.wav'], stdin='s.wav'),
        Case('FLAC, mfcc', [*cpu, '-p', 'mfcc', '-t', '9', 'take1.wav', 's.flac']),
        Case('OGG, speech', [*cpu, '-p', 'speech', '-t', '9', 'take1.wav', 's.ogg']),
        Case('OGG from a pipe', [*cpu, '-p', 'speech', '-t', '9', 'take1.wav'], stdin='s.ogg'),
        Case('bundle', [*cpu, '-t', '9', 'word.sigrep', 's.wav']),
        Case('bundle, threads', [*cpu, '-j', '4', '-t', '9', 'word.sigrep', 's.flac']),
        Case('resample', [*cpu, '-p', 'resample=5000+mfcc', '-t', '9', 'take1.wav', 's.wav']),
        Case('best', [*cpu, '-b', '3', 't.txt', 's.txt']),
        Case('best of two', [*cpu, '-b', '3', 't.txt', 's.txt', 's2.txt']),
        Case('best of more than fits into memory', [*cpu, '-b', '2', '-f', 'u8', 't.u8', 'long.u8',
                                                    't.u8']),
        Case('folder of templates', [*cpu, '-p', 'mfcc', '-t', '9', 'takes', 's.wav']),
        Case('scores', [*cpu, '--scores', 'scores', '-t', '9', 't.txt', 's.txt'],
             streams=('scores',)),
        Case('saved clips', [*cpu, '-p', 'raw', '-t', '0.02', '--save', 'clips', '-C', '0.1', 't.wav',
                             's.wav'], streams=('clips',)),
        Case('saved rows', [*cpu, '--save', 'rows', '-t', '9', 't.txt', 's.txt', 's2.txt']),
        Case('commands', [*cpu, '-t', '9', '--exec', 'echo "$SIGREP_LABEL" >heard-$SIGREP_START',
                          't.txt', 's.txt']),
        Case('saved, commands', [*cpu, '--save', 'rows', '--exec', 'wc -l <"$SIGREP_SAVED"', '-t',
                                 '9', 't.txt', 's.txt']),
        Case('hold', [*cpu, '--hold', '200', '-t', '9', 't.txt', 's.txt']),
        Case('fill', [*cpu, '--fill', '0.1', '--time-column', 't', '--columns', 'x', '-t', '9',
                      't.txt', 'lost.csv']),
        Case('paths', [*cpu, '-o', 'json', '--path', '-t', '9', 't.txt', 's.txt']),
        Case('recursive', [*cpu, '--recursive', '-t', '9', 't.txt', 'tree']),
        # A count: if memory fails for a line, it is no JSON, and the input ends there.
        Case('JSON Lines', [*cpu, '-f', 'jsonl', '--time-column', 'at.t', '--columns', 'x.0', '-c',
                            '-t', '9', 't.txt', 's.jsonl']),
        Case('packed', [*cpu, '-t', '9', 't.txt', 's.txt.gz']),
        Case('packed WAV from a pipe', [*cpu, '-p', 'raw', '-t', '0.02', 't.wav'],
             stdin='s.wav.gz'),
        Case('packed by zstd, from a pipe', [*cpu, '-t', '9', 't.txt'], stdin='s.txt.zst'),
        Case('packed, saved', [*cpu, '--save', 'rows', '-C', '5', '-t', '9', 't.txt', 's.txt.zst',
                               's.txt.gz']),
        Case('recursive, saved', [*cpu, '--recursive', '--save', 'rows', '-t', '9', 't.txt', 'tree']),
        Case('recursive, only names', [*cpu, '--recursive', '-l', '--include', '*.txt', '-t', '9',
                                       't.txt', 'tree']),
        Case('paths of several takes', [*cpu, '-o', 'json', '--path', '-p', 'mfcc', '-t', '9', 'takes',
                                        's.flac']),
        Case('hold by times', [*cpu, '--hold', '2', '--time-column', 't', '--columns', 'y', '-t', '9',
                               't.txt', 'logger.csv']),
        Case('decimal commas', [*cpu, '--time-column', 'Zeit', '--columns', 'x', '-o', 'csv', '-t',
                                '9', 't.txt', 'comma.csv']),
        Case('decimal commas, saved', [*cpu, '--columns', 'x', '--save', 'rows', '-t', '9', 't.txt',
                                       'comma.csv']),
        Case('units, missing words', [*cpu, '--fill', '0.3', '--time-column', 't', '--columns',
                                      '"x, raw"', '-t', '9', 't.txt', 'logger.csv']),
        Case('units, packed, saved, commands',
             [*cpu, '--fill', '0.3', '--time-column', 't', '--columns', '"x, raw"', '--save', 'rows',
              '-C', '1', '--exec', 'cut -c 1-3 "$SIGREP_SAVED"', '-t', '9', 't.txt',
              'logger.csv.zst'], rows_around=('rows',)),
        Case('row names', [*cpu, '--columns', 'x', '-o', 'json', '--path', '-t', '9', 't.txt',
                           'frame.txt']),
        Case('dates, rows of one stamp', [*cpu, '--time-column', 'when', '--columns', 'x', '--hold',
                                          '5', '-t', '9', 't.txt', 'clock.tsv']),
        Case('JSON Lines of two kinds, saved',
             [*cpu, '--fill', '0.05', '--time-column', 't', '--columns', 'x', '--save', 'rows', '-c',
              '-t', '9', 't.txt', 'events.jsonl'], rows_around=('rows',)),
        Case('estimate', [*cpu, 'take1.wav', 's.wav']),
        Case('train', ['sigrep-train', '-l', 'word', '-o', 'made.sigrep', 'take1.wav', 'take2.wav',
                       'take3.wav'], existing={'made.sigrep': old}),
        Case('train, average', ['sigrep-train', '--average', '-l', 'word', '-o', 'made.sigrep',
                                'take1.wav', 'take2.wav']),
        Case('train, negative', ['sigrep-train', '-l', 'word', '--not', 'noise.wav@0-1', '-o',
                                 'made.sigrep', 'take1.wav', 'take2.wav']),
        Case('calibrate', ['sigrep-calibrate', '-n', '9000', 'made.sigrep', 'noise.wav'],
             existing={'made.sigrep': new}),
        Case('record', ['sigrep-record', '-o', 'cut-', 's.wav']),
        Case('record from a pipe', ['sigrep-record', '-o', 'cut-', '-'], stdin='s.wav'),
        Case('strings', ['sigrep-text', '-k', '1', '-e', '19.9', '-e', '99.9', 's.txt', 's2.txt']),
        Case('strings from a pipe', ['sigrep-text', '-o', 'json', '-k', '3', '61.84 74.02'],
             stdin='s.txt'),
        Case('whole signals', ['sigrep-text', '--whole', '--dtw', 't.txt', 's2.txt']),
        Case('help', ['sigrep', '--help']),
    ]
    names = tuple(path.name for path in folder.iterdir())
    for case in cases:
        case.inputs = names
    return cases
