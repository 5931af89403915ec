#!/usr/bin/env python3
"""features.py FILE.wav - frames of 16 floats on standard output, 100 a second, for sigrep.

Any front end plugs in like this, say a neural network. This one is small enough to read. A frame
holds the logarithms of the power at 16 frequencies, 200 to 4000 Hz, in a window of 25 ms. Their
mean is subtracted, and they are scaled to length 1. FILE has 16 bits and one channel; - reads a WAV
from standard input.
"""
import array
import math
import sys
import wave

FREQUENCIES = [200 * 20 ** (k / 15) for k in range(16)]  # even steps of pitch


def tables(rate, n):
    """A windowed cosine and sine for each frequency."""
    window = [0.5 - 0.5 * math.cos(2 * math.pi * (t + 0.5) / n) for t in range(n)]
    turns = [[2 * math.pi * f * t / rate for t in range(n)] for f in FREQUENCIES]
    return [([w * math.cos(a) for w, a in zip(window, turn)],
             [w * math.sin(a) for w, a in zip(window, turn)]) for turn in turns]


def dot(a, b):
    return sum(map(float.__mul__, a, b))


def frame(samples, waves):
    powers = [dot(samples, c) ** 2 + dot(samples, s) ** 2 for c, s in waves]
    logs = [math.log(p + 1e-4) for p in powers]
    mean = sum(logs) / len(logs)
    centred = [x - mean for x in logs]
    length = math.sqrt(dot(centred, centred)) or 1.0
    return [x / length for x in centred]


def main():
    if len(sys.argv) != 2:
        sys.exit('usage: features.py FILE.wav > FRAMES.f32')
    with wave.open(sys.stdin.buffer if sys.argv[1] == '-' else sys.argv[1]) as w:
        if (w.getnchannels(), w.getsampwidth()) != (1, 2):
            sys.exit('features.py: 16 bit, one channel, please')
        rate = w.getframerate()
        hop, n = rate // 100, rate // 40
        waves, kept = tables(rate, n), []
        while piece := array.array('h', w.readframes(hop)):
            kept = (kept + [x / 32768 for x in piece])[-n:]
            if len(kept) == n:
                sys.stdout.buffer.write(array.array('f', frame(kept, waves)).tobytes())
                sys.stdout.buffer.flush()


if __name__ == '__main__':
    main()
