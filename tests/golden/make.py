#!/usr/bin/env python3
"""tests/golden/make.py - what other people's code makes of one signal, for tests/filter/features.

Used by hand, never by the build, in a throw-away environment:

    pip install numpy scipy librosa python_speech_features
    python tests/golden/make.py

It writes the .txt files beside it: numbers by rows, after lines that begin with '#'. No
definition is written twice: windows and framing, power spectra and slopes come from
python_speech_features, the mel bank from librosa, the DCT and the filters from scipy, all
in double precision; only the constants of mfcc and speech are sigrep's own.
"""
import pathlib
import re

import librosa
import numpy as np
import python_speech_features as psf
import scipy
from scipy.fft import dct
from scipy.ndimage import minimum_filter1d, uniform_filter1d
from scipy.signal import butter, sosfilt
from scipy.spatial.distance import cdist

HERE = pathlib.Path(__file__).parent
RATE, WINDOW, HOP, FFT, BANDS = 8000, 200, 80, 256, 26
N = 3217  # neither whole hops nor whole windows


def write(name, rows, what, digits):
    with open(HERE / f'{name}.txt', 'w') as f:
        print(f'# {what}', file=f)
        print(f'# numpy {np.__version__}, scipy {scipy.__version__}, librosa {librosa.__version__}, '
              'python_speech_features 0.6', file=f)
        for row in np.atleast_2d(rows):
            print(*(f'{v:.{digits}g}' for v in row), file=f)


def signal():
    """A chirp, a hum, steps of loudness and noise, in 16 bits; one span is all zero."""
    t = np.arange(N) / RATE
    random = np.random.default_rng(5)
    x = 0.3 * np.sin(2 * np.pi * (200 * t + 3000 * t ** 2)) + 0.2 * np.sin(2 * np.pi * 120 * t)
    x = x * np.where(t % 0.2 < 0.1, 1, 0.1) + 0.02 * random.standard_normal(N)
    x[2000:2300] = 0
    return np.round(x * 32768) / 32768


def frames_power(x):
    y = x - 0.97 * np.concatenate([x[:1], x[:-1]])
    lead = (WINDOW - HOP) // 2
    count = -(-(len(x) - lead) // HOP)
    y = np.concatenate([y, np.zeros((count - 1) * HOP + WINDOW - len(y))])
    frames = psf.sigproc.framesig(y, WINDOW, HOP, winfunc=np.hamming)
    assert len(frames) == count
    return psf.sigproc.powspec(frames, FFT) / np.sum(np.hamming(WINDOW) ** 2)


def log_mel(power):
    bank = librosa.filters.mel(sr=RATE, n_fft=FFT, n_mels=BANDS, fmin=0, fmax=RATE / 2, htk=True,
                               norm=None, dtype=np.float64)
    return np.log(np.maximum(power @ bank.T, 1e-10))


def constants(name, *tables):
    text = (HERE / f'../../filter/features/{name}_constants.h').read_text()
    return [np.array([float(v) for v in re.search(table + r'\[\d+\] = {(.*?)}', text, re.S)[1].split(',')
                      if v.strip()]) for table in tables]


def stack_of_unit_length(z):
    p = np.pad(z, ((6, 6), (0, 0)), mode='edge')
    stacked = np.hstack([p[:-12], z, p[12:]])
    lengths = np.linalg.norm(stacked, axis=1, keepdims=True)
    print('least length of a frame:', lengths.min())
    return stacked / lengths


def mfcc(logs):
    c = dct(logs, type=2, norm='ortho')[:, :13]
    mean, scale = constants('mfcc', 'mfcc_mean', 'mfcc_scale')
    return stack_of_unit_length((np.hstack([c, psf.delta(c, 2)]) - mean) / scale)


def speech(power):
    bank = librosa.filters.mel(sr=RATE, n_fft=FFT, n_mels=BANDS, fmin=0, fmax=4000, htk=True,
                               norm=None, dtype=np.float64)
    energies = power @ bank.T
    smooth = uniform_filter1d(energies, 5, axis=0, mode='nearest')
    # 36 frames, 25 before and 10 after: scipy's origin moves the window's middle.
    noise = minimum_filter1d(smooth, 36, axis=0, mode='nearest', origin=7)
    kept = np.maximum(smooth - 1.5 * noise, 0.2 * smooth) / np.where(smooth > 0, smooth, 1)
    roots = (smooth * uniform_filter1d(kept, 3, axis=1, mode='nearest')) ** 0.1
    c = dct(roots, type=2, norm='ortho')[:, :13]
    scale, = constants('speech', 'speech_scale')
    total = smooth.sum(axis=1)
    clear = np.maximum(smooth - 1.5 * noise, 0).sum(axis=1) / np.where(total > 0, total, 1)
    lengths = (0.05 + 0.95 * uniform_filter1d(clear, 13, mode='nearest')) ** 0.15
    frames = stack_of_unit_length(np.hstack([c[:, 1:], psf.delta(c, 3)]) * scale) * lengths[:, None]
    silence = 2 * uniform_filter1d(np.where(total > 0, 0., 1.), 13, mode='nearest')
    bytes_ = np.fromfile(HERE / '../../filter/features/common_frames.s8', np.int8)
    apart = cdist(frames, bytes_.reshape(-1, frames.shape[1]) / 256, 'cityblock').min(axis=1)
    return np.hstack([frames, silence[:, None], 0.3 * np.maximum(6 - apart, 0)[:, None]])


def main():
    x = signal()
    write('signal', x * 32768, f'{N} samples of 16 bits at {RATE} Hz', 6)
    power = frames_power(x)
    write('spectrum', power[::7], 'power spectra of every 7th frame', 10)
    write('logmel', log_mel(power), f'{BANDS} mel bands', 10)
    write('mfcc', mfcc(log_mel(power)), 'mfcc', 10)
    write('speech', speech(power), 'speech', 10)
    for low, high in ((300, 3400), (10, 50), (990, 1010)):
        y = sosfilt(butter(4, [low, high], 'bandpass', fs=RATE, output='sos'), x)
        write(f'bandpass_{low}-{high}', y[:1200:4], f'bandpass={low}-{high}, every 4th sample', 10)


if __name__ == '__main__':
    main()
