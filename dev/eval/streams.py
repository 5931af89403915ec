"""streams.py - streams whose truth is known: recordings joined with gaps, under noise.

Samples are lists of floats, 1.0 full scale, one channel, at RATE.
"""
import array
import math
import sys
import wave
from collections import namedtuple

from figures import Occurrence

RATE = 8000
GAP_S = (0.05, 0.4)

Stream = namedtuple('Stream', 'samples occurrences')


def read_wav(path):
    """(samples, rate) of a 16 bit WAV file of one channel. ValueError for any other."""
    try:
        with wave.open(str(path)) as w:
            if (w.getnchannels(), w.getsampwidth()) != (1, 2):
                raise ValueError(f'{path}: not 16 bit, one channel')
            values = array.array('h', w.readframes(w.getnframes()))
            rate = w.getframerate()
    except (wave.Error, EOFError) as e:
        raise ValueError(f'{path}: not a WAV file ({e})') from e
    if sys.byteorder == 'big':
        values.byteswap()
    return [v / 32768 for v in values], rate


def write_wav(path, samples):
    """16 bit; louder samples than full scale are clipped."""
    values = array.array('h', (max(-32768, min(32767, round(32768 * x))) for x in samples))
    if sys.byteorder == 'big':
        values.byteswap()
    with wave.open(str(path), 'wb') as w:
        w.setnchannels(1)
        w.setsampwidth(2)
        w.setframerate(RATE)
        w.writeframes(values.tobytes())


def decimate(samples, factor):
    """Every factor-th sample, behind a low pass: a sinc of 16 zeros a side under a Hann window."""
    if factor == 1:
        return samples
    reach = 16 * factor
    taps = []
    for i in range(-reach + 1, reach):
        x = math.pi * i / factor
        taps.append((math.sin(x) / x if i else 1) * (0.5 + 0.5 * math.cos(math.pi * i / reach)))
    total = sum(taps)
    taps = [t / total for t in taps]
    padded = [0.0] * (reach - 1) + samples + [0.0] * reach
    return [sum(map(float.__mul__, taps, padded[t:t + len(taps)]))
            for t in range(0, len(samples), factor)]


def read_noise(path):
    """The samples of a recording at RATE or a whole multiple of it."""
    samples, rate = read_wav(path)
    if rate % RATE or not any(samples):
        raise ValueError(f'{path}: not a sound at a multiple of {RATE} Hz')
    return decimate(samples, rate // RATE)


def join(takes, random):
    """A stream of takes [(label, samples)] in random order, with silence before, between and
    behind them. random: a random.Random."""
    order = list(takes)
    random.shuffle(order)
    samples, occurrences = [], []
    for label, take in order:
        samples += [0.0] * round(RATE * random.uniform(*GAP_S))
        begin = len(samples)
        samples += take
        occurrences.append(Occurrence(label, begin / RATE, len(samples) / RATE))
    samples += [0.0] * round(RATE * random.uniform(*GAP_S))
    return Stream(samples, occurrences)


def power(samples):
    return math.fsum(x * x for x in samples) / len(samples)


def with_noise(stream, noise, snr_db):
    """The stream under noise, which repeats if it is too short. snr_db: mean power of the
    occurrences, without gaps, against the noise's."""
    inside = [x for o in stream.occurrences
              for x in stream.samples[round(RATE * o.start):round(RATE * o.end)]]
    n = len(stream.samples)
    noise = (noise * (n // len(noise) + 1))[:n]
    gain = math.sqrt(power(inside) / power(noise) / 10 ** (snr_db / 10))
    return stream._replace(samples=[x + gain * y for x, y in zip(stream.samples, noise)])


def white_noise(n, random):
    return [random.gauss(0, 1) for _ in range(n)]
