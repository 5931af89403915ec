"""collection.py - recordings as templates, as streams with their truth, and as background.

A folder of takes, LABEL_SPEAKER_INDEX.wav, gives templates and streams. A background has no label.
"""
import pathlib
import random
import wave
from collections import namedtuple

import streams

# A stream on disk: its truth and its length.
Sound = namedtuple('Sound', 'path occurrences seconds')


class Collection:
    """templates, stream: the numbers of the takes that are templates, and that make streams."""

    def __init__(self, folder, speakers=(), templates=range(0, 5), stream=range(5, 1000)):
        self.folder, self.of_template, self.of_stream = pathlib.Path(folder), templates, stream
        if set(templates) & set(stream):
            raise ValueError('a take cannot be a template and in the stream')
        takes = [p.stem.split('_') for p in self.folder.glob('*_*_*.wav')]
        takes = [t for t in takes if len(t) == 3 and t[2].isdigit()]
        there = sorted({speaker for _, speaker, _ in takes})
        self.speakers = list(speakers) or there
        self.labels = sorted({label for label, _, _ in takes})
        self.indices = sorted({int(index) for _, _, index in takes})
        if not takes:
            raise ValueError(f'{folder}: no recordings LABEL_SPEAKER_INDEX.wav')
        for speaker in self.speakers:
            if speaker not in there:
                raise ValueError(f'{folder}: no recordings of {speaker} (of {", ".join(there)})')
            for part, wanted in ('templates', templates), ('stream', stream):
                said = {label for label, s, index in takes
                        if s == speaker and int(index) in wanted}
                if said != set(self.labels):
                    lacking = min(set(self.labels) - said)
                    raise ValueError(f'{folder}: {speaker} needs takes of {lacking} from '
                                     f'{wanted[0]} to {wanted[-1]}, of the {part}')

    def path(self, label, speaker, index):
        return self.folder / f'{label}_{speaker}_{index}.wav'

    def take(self, label, speaker, index):
        samples, rate = streams.read_wav(self.path(label, speaker, index))
        if rate != streams.RATE:
            raise ValueError(f'{self.path(label, speaker, index)}: not {streams.RATE} Hz')
        return samples

    def sound(self, path, speaker, seed, noise, snr_db):
        """The speaker's other takes in random order, under `noise` (None: white)."""
        dice = random.Random(seed)
        takes = [(label, self.take(label, speaker, index)) for label in self.labels
                 for index in self.indices if index in self.of_stream
                 and self.path(label, speaker, index).exists()]
        clean = streams.join(takes, dice)
        if not noise:
            noise = streams.white_noise(len(clean.samples), dice)
        elif seed != 1:
            begin = dice.randrange(len(noise))
            noise = noise[begin:] + noise[:begin]
        noisy = streams.with_noise(clean, noise, snr_db)
        streams.write_wav(path, noisy.samples)
        return Sound(path, clean.occurrences, len(clean.samples) / streams.RATE)

    def templates(self, speaker, strangers='no'):
        """{column: [[(label, file)]]}: the choices whose mean a column shows. strangers: other
        speakers' takes: 'no', 'too', or 'only'."""
        def of(index, *speakers):
            return [(label, self.path(label, s, index)) for label in self.labels for s in speakers]
        indices = [i for i in self.indices if i in self.of_template]
        others = [s for s in self.speakers if s != speaker]
        sets = {}
        if strangers != 'only':
            sets['1 take'] = [of(i, speaker) for i in indices]
            if len(indices) > 1:
                sets[f'{len(indices)} takes'] = [[t for i in indices for t in of(i, speaker)]]
        elif others:
            sets['1 other voice'] = [of(i, s) for i in indices for s in others]
        if others and strangers != 'no':
            sets['other voices'] = [of(i, *others) for i in indices]
        return sets


def background_frames(file):
    """The frames of a recording, unchanged. ValueError if they cannot be joined."""
    try:
        with wave.open(str(file)) as w:
            if (w.getframerate(), w.getnchannels(), w.getsampwidth()) != (streams.RATE, 1, 2):
                raise ValueError(f'{file}: not 16 bit, one channel, {streams.RATE} Hz')
            return w.readframes(w.getnframes())
    except (wave.Error, EOFError) as e:
        raise ValueError(f'{file}: not a WAV file ({e})') from e


def join_background(path, places):
    """Joins all WAV files (16 bit, mono, streams.RATE) in these files and folders. Returns a Sound
    without truth."""
    frames = 0
    with wave.open(str(path), 'wb') as out:
        out.setparams((1, 2, streams.RATE, 0, 'NONE', ''))
        for place in map(pathlib.Path, places):
            files = sorted(place.rglob('*.wav')) if place.is_dir() else [place]
            if not files:
                raise ValueError(f'{place}: no WAV files')
            for file in files:
                data = background_frames(file)
                frames += len(data) // 2
                out.writeframes(data)
    return Sound(path, [], frames / streams.RATE)


def read_track(path):
    """Occurrences in an Audacity label track: START, END, LABEL, with tabs between."""
    found = []
    for number, line in enumerate(pathlib.Path(path).read_text('utf-8').splitlines(), 1):
        cells = line.split('\t')
        if not line.strip() or line.startswith('\\'):  # a backslash: frequencies
            continue
        try:
            found.append(streams.Occurrence(cells[2], float(cells[0]), float(cells[1])))
        except (IndexError, ValueError) as e:
            raise ValueError(f'{path}: line {number}: not START, END, LABEL') from e
    if not found:
        raise ValueError(f'{path}: no labels')
    return found
