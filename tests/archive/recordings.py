#!/usr/bin/env python3
"""tests/archive/recordings.py FOLDER - a template, FOLDER/word.wav, and an archive that holds it:
a tree of short recordings and a long one. 8 kHz; noise, and chirps of 0.35 to 0.7 s."""
import math
import pathlib
import random
import sys
import wave

RATE = 8000


def chirp(seconds):
    n = int(seconds * RATE)
    return [9000 * math.sin(2 * math.pi * seconds * (500 + 900 * i / n) * i / n) for i in range(n)]


def recording(draw, seconds):
    samples = [draw.gauss(0, 300) for _ in range(seconds * RATE)]
    begin = draw.uniform(0, 3)
    while begin < seconds - 1:
        for i, value in enumerate(chirp(draw.uniform(0.35, 0.7)), int(begin * RATE)):
            samples[i] += value
        begin += draw.uniform(1, 5)
    return samples


def write(path, samples):
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), 'wb') as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(b''.join(int(x).to_bytes(2, 'little', signed=True) for x in samples))


def main():
    folder, draw = pathlib.Path(sys.argv[1]), random.Random(1)
    write(folder / 'word.wav', chirp(0.5))
    for name, seconds in (('north/1', 9), ('north/2', 14), ('north/old/3', 5), ('south/4', 20),
                          ("south/it's 5", 7), ('south/6', 6), ('long', 120)):
        write(folder / f'archive/{name}.wav', recording(draw, seconds))


if __name__ == '__main__':
    main()
