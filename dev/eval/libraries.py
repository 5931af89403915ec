"""libraries.py - DTW by librosa and by dtaidistance (PyPI), on cepstra of librosa: what their
tutorials show, for one template and the best places of it in a stream.

    librosa        sequence.dtw(subseq=True), the cosine
    dtaidistance   subsequence_alignment, the Euclidean distance; its C library
"""
import librosa
import numpy as np
from dtaidistance.subsequence.dtw import subsequence_alignment

from contestants import Contestant

HOP_S, WINDOW_S = 0.010, 0.025


def cepstra(x, rate):
    return librosa.feature.mfcc(y=x.astype('f4'), sr=rate, n_mfcc=13, n_mels=26, n_fft=512,
                                hop_length=round(HOP_S * rate), win_length=round(WINDOW_S * rate),
                                center=False).T


def minima(cost):
    padded = np.pad(cost, 1, constant_values=np.inf)
    return np.flatnonzero((cost < padded[:-2]) & (cost <= padded[2:]))


def by_librosa(template, stream):
    """(cost, first frame, frame after the last) of the path that ends at each frame. Only local
    minima have a first frame: the others are not asked for."""
    total, steps = librosa.sequence.dtw(template.T, stream.T, metric='cosine', subseq=True,
                                        backtrack=False, return_steps=True)
    cost = total[-1] / len(template)
    first = np.zeros(len(cost), int)
    for end in minima(cost):
        first[end] = librosa.sequence.dtw_backtracking(steps, subseq=True, start=end)[-1][1]
    return cost, first, np.arange(len(cost)) + 1


def by_dtaidistance(template, stream):
    found = subsequence_alignment(np.ascontiguousarray(template, float),
                                  np.ascontiguousarray(stream, float), use_c=True)
    cost = np.asarray(found.matching_function(), float)
    first = np.zeros(len(cost), int)
    for end in minima(cost):
        first[end] = found.get_match(end).segment[0]
    return cost, first, np.arange(len(cost)) + 1


def each(compare):
    return lambda templates, stream: [compare(t, stream) for t in templates]


def contestant(compare):
    return Contestant(cepstra, compare=each(compare), hop_s=HOP_S, window_s=WINDOW_S)


ALL = {'librosa, MFCC': contestant(by_librosa), 'dtaidistance, MFCC': contestant(by_dtaidistance)}
