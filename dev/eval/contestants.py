"""contestants.py - front ends and recipes of others, by name, to compare sigrep with.

Each takes templates [(label, file)] and a file of one channel, and gives detections, as sigrep
does. recipes.py makes the frames. The program searches frames with the L1 distance, as WAV files
of K channels with 100 samples a second. dtw.py searches the others.
"""
import pathlib
import struct
import tempfile

import numpy as np

import dtw
import figures
import program
import recipes
import streams
from figures import Detection

HOP_S = 0.010


def read(path):
    samples, rate = streams.read_wav(path)
    return np.array(samples), rate


def write_frames(path, frames):
    """A WAV file of float32, one channel a value, scaled down: large ones look clipped."""
    data = np.ascontiguousarray(frames * 2.0 ** -12, '<f4')
    dim, rate = data.shape[1], round(1 / HOP_S)
    head = struct.pack('<4sI4s4sIHHIIHH4sI', b'RIFF', 36 + data.nbytes, b'WAVE', b'fmt ', 16, 3,
                       dim,
                       rate, rate * dim * 4, dim * 4, 32, b'data', data.nbytes)
    pathlib.Path(path).write_bytes(head + data.tobytes())


def by_minima(detections):
    """Scores less their median, divided by its median distance from them."""
    scores = np.array([d.score for d in detections])
    middle = np.median(scores)
    spread = np.median(np.abs(scores - middle)) or 1
    return [d._replace(score=(d.score - middle) / spread) for d in detections]


class Contestant:
    """values: (samples, rate) -> frames. scaled: to mean 0 and deviation 1 of the stream, templates
    too. finish: the last step. compare: a function of dtw.py; None: the program. minima: by_minima
    normalises a template's scores."""

    def __init__(self, values, finish=None, scaled=True, compare=None, minima=False, hop_s=HOP_S,
                 window_s=0.025):
        self.values, self.finish, self.scaled = values, finish or (lambda z: z), scaled
        self.compare, self.minima, self.hop_s = compare, minima, hop_s
        self.lead_s = (window_s - hop_s) / 2
        self.known = {}  # (stream, template): [Detection]

    def frames(self, files, path):
        """Of the stream and of the templates."""
        stream = self.values(*read(path))
        mean, deviation = (stream.mean(0), stream.std(0)) if self.scaled else (0, 1)
        return (self.finish((stream - mean) / deviation),
                [self.finish((self.values(*read(file)) - mean) / deviation) for file in files])

    def by_program(self, sigrep, templates, stream):
        """[[Detection]], a list a template."""
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            write_frames(place / 'stream.wav', stream)
            files = [(f'{i}', place / f'{i}.wav') for i in range(len(templates))]
            for (_, file), frames in zip(files, templates):
                write_frames(file, frames)
            found = [[] for _ in templates]
            for d in program.search(sigrep, 'raw', files, place / 'stream.wav',
                                    options=['--channel', 'each']):
                found[int(d.label)].append(d)
        return found

    def by_numpy(self, templates, stream):
        found = []
        for cost, first, last in self.compare(templates, stream):
            padded = np.pad(cost, 1, constant_values=np.inf)
            least = (cost < padded[:-2]) & (cost <= padded[2:])  # local minima
            length = (last - first) / len(templates[len(found)])
            least &= (length >= 0.5) & (length <= 2)  # as the program's -g
            found.append(figures.disjoint(
                Detection('', first[t] * self.hop_s, last[t] * self.hop_s, cost[t])
                for t in np.flatnonzero(least)))
        return found

    def search(self, sigrep, templates, path):
        """All detections, as with a `-t` that accepts everything. Remembers earlier results."""
        new = [file for _, file in templates if (path, file) not in self.known]
        if new:
            stream, framed = self.frames(new, path)
            results = self.by_numpy(framed, stream) if self.compare else self.by_program(
                sigrep, framed, stream)
            for file, found in zip(new, results):
                self.known[path, file] = by_minima(found) if self.minima else found
        return figures.disjoint(
            Detection(label, d.start + self.lead_s, d.end + self.lead_s, float(d.score))
            for label, file in templates for d in self.known[path, file])


def cepstra(x, rate):
    return recipes.dct(recipes.log_mel(x, rate))


def ravens(x, rate):
    return recipes.dct(recipes.log_mel(x, rate, hop_s=0.020))


def rustpotters(x, rate):
    return recipes.dct(recipes.log_mel(x, rate, window_s=0.030))[:, 1:]


def stack_of(*offsets):
    return lambda z: recipes.unit_length(recipes.stacked(z, offsets))


def ravens_windows(templates, stream):
    return [dtw.windows(t, stream, diagonal=2) for t in templates]


def rustpotters_windows(templates, stream):
    return [dtw.windows(t, stream, centred=True) for t in templates]


ALL = {
    'log-mel, L1': Contestant(recipes.log_mel, scaled=False),
    'MFCC, L1': Contestant(cepstra),
    'with slopes, cosine, sum / path length': Contestant(recipes.mfcc_values,
                                                         compare=dtw.subsequences),
    'with slopes, unit length, L1': Contestant(recipes.mfcc_values, recipes.unit_length),
    '... scores normalised by the stream': Contestant(recipes.mfcc_values, recipes.unit_length,
                                                      minima=True),
    'MFCC stacked -8 ... 8, unit length, L1, scores normalised': Contestant(
        cepstra, stack_of(-8, -4, 0, 4, 8), minima=True),
    'with slopes, stacked -6, 0, 6, unit length, L1, scores normalised': Contestant(
        recipes.mfcc_values, stack_of(-6, 0, 6), minima=True),
    "Raven's recipe": Contestant(ravens, compare=ravens_windows, hop_s=0.020),
    # Scaled: mAP of jackson's one take is .83, and .67 without.
    "rustpotter's recipe": Contestant(rustpotters, compare=rustpotters_windows, window_s=0.030),
}

# Recipes of whole programs, which a user might choose instead.
PROGRAMS = ["Raven's recipe", "rustpotter's recipe"]
