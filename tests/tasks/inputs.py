#!/usr/bin/env python3
"""inputs.py FOLDER - the inputs of docs/TASKS.md, the same every time.

What is to be found is put in here, at places that are written here; docs/TASKS.md has the same
places as what its commands print. So the truth does not come from sigrep.
"""
import datetime
import gzip
import json
import pathlib
import subprocess
import sys
import wave

import numpy as np

START = np.array([9.1, 6.4, 4.2, 3.3, 3.1, 3.0, 3.0, 2.0])  # amperes of a pump that starts
PRESS = np.array([2.0, 9, 20, 34, 47, 50, 44, 30, 12, 3])  # kN of a press, one stroke
random = np.random.default_rng(41)


def planted(n, shape, places, idle, noise):
    """n samples of `idle`, with the shape at each place, and noise on all."""
    x = np.full(n, float(idle))
    for at in places:
        x[at:at + len(shape)] = shape
    return x + random.uniform(-noise, noise, n)


def german(value, decimals=2):
    """1234.5 is '1.234,5'."""
    return f'{value:,.{decimals}f}'.translate(str.maketrans(',.', '.,'))


def times(first, step_s, n, form):
    begin = datetime.datetime.fromisoformat(first)
    return [(begin + datetime.timedelta(seconds=i * step_s)).strftime(form) for i in range(n)]


def write(path, lines):
    text = ''.join(line + '\n' for line in lines).encode()
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(text, mtime=0) if path.suffix == '.gz' else text)


# ---- A maintenance engineer -------------------------------------------------------------------

def plant(folder):
    """A month of 12 pumps, a row of each every 5 minutes. Pump k starts on day 2 k at k o'clock."""
    stamps = times('2026-10-01', 300, 31 * 288, '%d.%m.%Y %H:%M')
    pumps = [planted(len(stamps), START, [(2 * k - 1) * 288 + 12 * k], 0.2, 0.05)
             for k in range(1, 13)]
    rows = [f'{t};P-{k:02d};{german(4 + (i + k) % 13 / 100)};{german(x[i])}'
            for i, t in enumerate(stamps) for k, x in enumerate(pumps, 1)]
    write(folder / '2026-10.csv.gz', ['Zeit;Anlage;Druck;Strom', *rows])


def press(folder):
    """Strokes at 11:57:10 AM, 12:00:40 PM and 12:03:05 PM, two columns of the time."""
    stamps = times('2026-10-03T11:55', 1, 600, '%m/%d/%Y,%I:%M:%S %p')
    force = planted(600, PRESS, [130, 340, 485], 0.5, 0.2)
    write(folder / 'press.csv', ['Date,Time,Force', *(f'{t},{x:.1f}' for t, x in zip(stamps, force))])


def oven(folder):
    """Two firings, at 100 s and 400 s, to above 1000 degrees; lines before the names, and units."""
    firing = 1250 * np.sin(np.linspace(0.1, 3.0, 60))
    heat = planted(600, firing, [100, 400], 20, 0.5)
    write(folder / 'oven.csv', ['Logger 5', 'Seriennummer;4711', '', 'Zeit;Temperatur', 's;°C',
                                *(f'{i};{german(x, 1)}' for i, x in enumerate(heat))])


def pump(folder):
    """Starts at 07:02:00, 07:05:20 and 07:08:40. In the second a cell is n/a and two rows are lost."""
    stamps = times('2026-03-02T07:00', 1, 600, '%Y-%m-%dT%H:%M:%SZ')
    amps = planted(600, START, [120, 320, 520], 0.2, 0.05)
    rows = [f'{t},4.{i * 7 % 13:02d},{x:.2f}' for i, (t, x) in enumerate(zip(stamps, amps))]
    head = 'time,pressure,current'
    write(folder / 'whole.csv', [head, *rows])
    write(folder / 'start.txt', [str(x) for x in START])
    write(folder / 'pump.csv', [head, *rows[:323], rows[323].rsplit(',', 1)[0] + ',n/a',
                                rows[324], *rows[327:]])


def archive(folder):
    """Seven days; a start on the third and the sixth alone. Packed as time went by."""
    for day in range(1, 8):
        stamps = times(f'2026-05-{day:02d}', 1, 900, '%Y-%m-%dT%H:%M:%S')
        x = planted(900, START, [300] if day in (3, 6) else [], 0.2, 0.05)
        path = folder / f'{day:02d}.csv'
        write(path, ['time,current', *(f'{t},{v:.2f}' for t, v in zip(stamps, x))])
        if day < 4:
            write(path.with_suffix('.csv.gz'), path.read_text().splitlines())
        elif day < 7:
            subprocess.run(['zstd', '-q', path], check=True)
        if day < 7:
            path.unlink()


def messages(folder):
    """JSON Lines at 2 Hz from 2026-03-02T07:00:00Z, in milliseconds; starts after 50 s and 100 s."""
    x = planted(300, START, [100, 200], 0.2, 0.05)
    write(folder / 'mqtt.jsonl', [json.dumps({'ts': 1772434800000 + 500 * i, 'pump': {'amps': round(v, 2)}})
                                  for i, v in enumerate(x)])


def valve(folder):
    """Rows at uneven times, from one to the next straight lines: to 5 and back in 4 s, at 20 s, 55 s
    and 90 s."""
    knots = {0.0: 0.0}
    while max(knots) < 120:
        knots[round(max(knots) + random.uniform(0.3, 0.9), 2)] = 0.0
    for at in (20, 55, 90):
        knots = {t: x for t, x in knots.items() if not at <= t <= at + 4}
        knots.update({at + dt: min(dt, 4 - dt) * 2.5 for dt in (0, 0.6, 1.3, 2, 2.8, 3.5, 4)})
    write(folder / 'valve.csv', ['time,bar', *(f'{t:.2f},{x:.3f}' for t, x in sorted(knots.items()))])
    write(folder / 'opens.csv', ['time,bar', '0,0', '1,2.5', '2,5', '3,2.5', '4,0'])


def vibration(folder):
    """Four channels at 1000 Hz. In the third a knock at 12.345 s, 30.5 s and 51 s, each stronger, on
    another level."""
    t = np.arange(200) / 1000
    knock = np.sin(2 * np.pi * 35 * t) * np.exp(-12 * t)
    x = random.normal(0, 0.02, (60000, 4))
    for at, gain, level in ((12345, 1, 0), (30500, 5, 3), (51000, 20, -7)):
        x[at:at + 200, 2] = gain * (knock + random.normal(0, 0.01, 200)) + level
    (folder / 'vibration.f32').write_bytes(x.astype('<f4').tobytes())


# ---- A bioacoustician -------------------------------------------------------------------------

def call(rate_hz):
    """0.6 s: a tone that rises, and one that falls."""
    t = np.arange(int(0.6 * rate_hz)) / rate_hz
    hz = np.where(t < 0.3, 1000 + 5000 * t, 3400 - 6000 * (t - 0.3))
    return 0.3 * np.sin(2 * np.pi * np.cumsum(hz) / rate_hz) * np.sin(np.pi * (t % 0.3) / 0.3)


def sound(rate_hz, seconds, places, noise=0.003):
    x = random.normal(0, noise, int(seconds * rate_hz))
    one = call(rate_hz)
    for at_s in places:
        at = int(at_s * rate_hz)
        x[at:at + len(one)] += one
    return x


def write_wav(path, rate_hz, channels, bytes_each=2):
    path.parent.mkdir(exist_ok=True)
    x = np.stack(channels, axis=1).clip(-1, 1)
    whole = np.rint(x * (2 ** (8 * bytes_each - 1) - 1)).astype('<i4')
    data = whole.view(np.uint8).reshape(*whole.shape, 4)[:, :, :bytes_each]
    with wave.open(str(path), 'wb') as out:
        out.setnchannels(len(channels))
        out.setsampwidth(bytes_each)
        out.setframerate(rate_hz)
        out.writeframes(data.tobytes())


def night(folder):
    """Names in Berlin's time, in the night in which summer time ends at 3 o'clock. Calls at 01:56:00
    and 02:01:01, and at 03:05:30 and 03:07:30."""
    write_wav(folder / '20261025_015500.WAV', 8000, [sound(8000, 420, [60.5, 361.5])])
    write_wav(folder / '20261025_030500.WAV', 8000, [sound(8000, 180, [30.5, 150.5])])
    write_wav(folder / '20261025_032000.WAV', 8000, [sound(8000, 120, [])])


def marks(folder):
    """The call at 60.5 s, marked in Raven as selection 2 and in Audacity as `song`."""
    write(folder / 'marks.selections.txt',
          ['Selection\tView\tChannel\tBegin Time (s)\tEnd Time (s)\tLow Freq (Hz)\tHigh Freq (Hz)\tSpecies',
           '1\tSpectrogram 1\t1\t12.0\t13.5\t200\t3900\twind',
           '2\tSpectrogram 1\t1\t60.5\t61.1\t900\t3600\tsong'])
    write(folder / 'marks.txt', ['12.000000\t13.500000\twind', '60.500000\t61.100000\tsong'])


def pond(folder):
    """48 kHz, 24 bits, stereo: calls at 5 s and 12 s on the left; on the right a loud pump."""
    left = sound(48000, 20, [5, 12])
    t = np.arange(len(left)) / 48000
    right = 0.5 * np.sign(np.sin(2 * np.pi * 220 * t)) + random.normal(0, 0.1, len(left))
    write_wav(folder / 'pond.wav', 48000, [left, right], 3)


def field(folder):
    """Recorders of three rates: two calls, one, none."""
    write_wav(folder / 'audiomoth.wav', 16000, [sound(16000, 30, [4, 21.3])])
    write_wav(folder / 'phone.wav', 44100, [sound(44100, 30, [17.2])])
    write_wav(folder / 'zoom.wav', 48000, [sound(48000, 20, [])])


# ---- A tinkerer -------------------------------------------------------------------------------

def kitchen(folder):
    """A chime of two tones at 10 s, 31.5 s and 47.2 s, in the noise of a fan."""
    t = np.arange(4800) / 16000
    chime = np.concatenate([0.3 * np.sin(2 * np.pi * hz * t) * np.exp(-4 * t) for hz in (1320, 1056)])
    x = random.normal(0, 0.01, 60 * 16000)
    for at_s in (10, 31.5, 47.2):
        at = int(at_s * 16000)
        x[at:at + len(chime)] += chime
    write_wav(folder / 'kitchen.wav', 16000, [x])


# ---- A data scientist -------------------------------------------------------------------------

def arrays(folder):
    """walk.npy: a random walk, with query.npy in it at 2000, 5000 and 8000, scaled and shifted.
    wide.npy: two columns of float64 at 100 Hz, START in the second at 10 s and 35 s."""
    query = np.cumsum(random.normal(0, 1, 150))
    walk = np.cumsum(random.normal(0, 1, 10000))
    for at, gain in ((2000, 0.3), (5000, 1), (8000, 4)):
        walk[at:at + 150] = walk[at] + gain * (query - query[0])
    np.save(folder / 'query.npy', query)
    np.save(folder / 'walk.npy', walk)
    np.save(folder / 'wide.npy', np.stack([random.normal(0, 1, 5000),
                                           planted(5000, START, [1000, 3500], 0.2, 0.05)], axis=1))
    np.save(folder / 'start.npy', START)


def main():
    folder = pathlib.Path(sys.argv[1])
    for make in plant, press, oven, pump, messages, valve, vibration, marks, pond, kitchen, arrays:
        make(folder)
    archive(folder / 'archive')
    night(folder / 'night')
    field(folder / 'field')


main()
