"""recipes.py - front ends in numpy: sigrep's own, and those of others.

`make-constants` computes the constants of sigrep's own. `sigrep-eval` compares all of them.

Samples are arrays of floats, one channel. A front end takes (samples, rate in Hz) and gives an
array of frames, one every 10 ms unless it says otherwise. filter/features/spectrum.h, mel.h, mfcc.c and
speech.c define sigrep's own.
"""
import pathlib
import re

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

FEATURES = pathlib.Path(__file__).resolve().parent.parent.parent / 'filter' / 'features'
BANDS, CEPSTRA = 26, 13
FLOOR = 1e-10


def fft_length(window):
    """The least of 2^a, 3 2^a and 5 2^a that is not below the window."""
    return min(odd * 2 ** int(np.ceil(np.log2(window / odd))) for odd in (1, 3, 5))


def power_spectra(x, rate, window_s=0.025, hop_s=0.010, padded=True):
    """padded: windows reach beyond the end, as in spectrum.h."""
    window, hop = round(window_s * rate), round(hop_s * rate)
    lead = (window - hop) // 2
    y = x - 0.97 * np.concatenate([x[:1], x[:-1]])
    count = -(-(len(x) - lead) // hop) if padded else (len(x) - window) // hop + 1
    count = max(0, count)
    y = np.concatenate([y, np.zeros(max(0, (count - 1) * hop + window - len(y)))])
    hamming = np.hamming(window)
    frames = y[(np.arange(count) * hop)[:, None] + np.arange(window)] * hamming
    fft = fft_length(window)
    return np.abs(np.fft.rfft(frames, fft)) ** 2 / (fft * np.sum(hamming ** 2))


def mel_bank(rate, fft, bands, top_hz):
    top = 2595 * np.log10(1 + top_hz / 700)
    corners = 700 * (10 ** (np.linspace(0, top, bands + 2) / 2595) - 1)
    hz = np.arange(fft // 2 + 1) * rate / fft
    low, peak, high = (corners[i:i + bands, None] for i in range(3))
    return np.maximum(0, np.minimum((hz - low) / (peak - low), (high - hz) / (high - peak)))


def mel_energies(x, rate, top_hz=6500, bands=BANDS, **windows):
    power = power_spectra(x, rate, **windows)
    fft = 2 * (power.shape[1] - 1)
    return power @ mel_bank(rate, fft, bands, min(rate / 2, top_hz)).T


def log_mel(x, rate, **options):
    return np.log(np.maximum(mel_energies(x, rate, **options), FLOOR))


def dct(values, n=CEPSTRA):
    """The orthonormal DCT-II, its first n coefficients."""
    bands = values.shape[1]
    i, b = np.arange(n)[:, None], np.arange(bands)
    return values @ (np.sqrt(np.where(i == 0, 1, 2) / bands)
                     * np.cos(np.pi * i * (b + 0.5) / bands)).T


def at(frames, offset):
    """Frame t + offset for every t; beyond the ends the first or last."""
    return frames[np.clip(np.arange(len(frames)) + offset, 0, len(frames) - 1)]


def slopes(c, reach=2):
    """Of the regression line over 2 reach + 1 frames (Furui 1986)."""
    rises = sum(k * (at(c, k) - at(c, -k)) for k in range(1, reach + 1))
    return rises / (2 * sum(k * k for k in range(1, reach + 1)))


def stacked(z, offsets):
    return np.hstack([at(z, o) for o in offsets])


def unit_length(z):
    length = np.linalg.norm(z, axis=1, keepdims=True)
    return z / np.where(length > 0, length, 1)


def mfcc_values(x, rate, **options):
    """The values whose mean and deviation are mfcc's constants."""
    c = dct(log_mel(x, rate, **options))
    return np.hstack([c, slopes(c)])


def smooth_and_noise(energies, back=25, ahead=10):
    """speech.c's S and N."""
    smooth = sum(at(energies, k) for k in range(-2, 3)) / 5
    padded = np.pad(smooth, ((back, ahead), (0, 0)), constant_values=np.inf)
    return smooth, sliding_window_view(padded, back + ahead + 1, axis=0).min(-1)


def without_noise(energies, taken=1.5, kept=0.2):
    """speech.c's S (G_b-1 + G_b + G_b+1) / 3."""
    smooth, noise = smooth_and_noise(energies)
    gain = np.maximum(1 - taken * noise / np.maximum(smooth, 1e-300), kept)
    return smooth * sum(at(gain.T, k) for k in (-1, 0, 1)).T / 3


def speech_values(x, rate, **options):
    """The values whose deviation gives speech's constants."""
    roots = without_noise(mel_energies(x, rate, top_hz=4000, **options)) ** 0.1
    c = dct(roots)
    return np.hstack([c[:, 1:], slopes(c, 3)])


def speech_lengths(x, rate):
    """speech.c's l."""
    smooth, noise = smooth_and_noise(mel_energies(x, rate, top_hz=4000))
    share = np.maximum(smooth - 1.5 * noise, 0).sum(1) / np.maximum(smooth.sum(1), 1e-300)
    mean = sum(at(share[:, None], k) for k in range(-6, 7)) / 13
    return (0.05 + 0.95 * mean) ** 0.15


def speech_scale():
    """The table of cepstra.h."""
    text = (FEATURES / 'cepstra.h').read_text('utf-8')
    return np.array(re.search(r'speech_scale\[25\] = {(.*?),?\s*}', text, re.S)[1].split(','), float)


def speech_frames(x, rate):
    """speech.c's y."""
    z = stacked(speech_values(x, rate) * speech_scale(), (-6, 0, 6))
    return unit_length(z) * speech_lengths(x, rate)
