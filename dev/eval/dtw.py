"""dtw.py - how others compare a template with a stream, in numpy. Distances are 1 - cosine.

    subsequence    DTW, its cost divided by the length of its path
    windows        of the template's length, DTW within a band

A template is an array m x K, a stream n x K. Results are arrays over the stream's frames: the cost
of the path that ends there, or of the window that begins there, and its begin and end in frames.
"""
import numpy as np


def directions(frames):
    length = np.linalg.norm(frames, axis=-1, keepdims=True)
    return frames / np.maximum(length, 1e-12)


def together(templates):
    """One array, templates x longest x K, zeros behind shorter ones."""
    result = np.zeros((len(templates), max(map(len, templates)), templates[0].shape[1]))
    for padded, template in zip(result, templates):
        padded[:len(template)] = template
    return result


def subsequences(templates, stream):
    """[(cost / length of the path, first frame, frame after the last)], the best path of each
    template to each frame.

    A column at a time. a is the least of left and diagonal, C the sum of c down the column. Then
    D(i) = min(a(i), D(i-1)) + c(i) is C(i) + min over k <= i of a(k) - C(k-1)."""
    padded = together(templates)
    count, rows = padded.shape[0], np.arange(padded.shape[1])
    costs = 1 - directions(stream) @ directions(padded).reshape(-1, padded.shape[2]).T
    cost = np.full(padded.shape[:2], np.inf)
    start, length = np.zeros((2, *cost.shape), int)
    ends = np.array([len(t) - 1 for t in templates])
    result = np.empty((len(stream), count)), np.empty((len(stream), count), int)
    for t, column in enumerate(costs.reshape(-1, *cost.shape)):
        sums = column.cumsum(axis=1)
        diagonal = np.pad(cost[:, :-1], ((0, 0), (1, 0)))  # row 0 may begin anywhere
        stays = cost < diagonal
        entered = np.where(stays, cost, diagonal) - (sums - column)
        starts = np.where(stays, start, np.pad(start[:, :-1], ((0, 0), (1, 0)), constant_values=t))
        lengths = np.where(stays, length, np.pad(length[:, :-1], ((0, 0), (1, 0))))
        least = np.minimum.accumulate(entered, axis=1)
        at = np.maximum.accumulate(np.where(entered <= least, rows, 0), axis=1)
        cost = least + sums
        start = np.take_along_axis(starts, at, axis=1)
        length = np.take_along_axis(lengths, at, axis=1) + rows - at + 1
        pick = np.arange(count), ends
        result[0][t], result[1][t] = cost[pick] / length[pick], start[pick]
    last = np.arange(1, len(stream) + 1)
    return [(result[0][:, i], result[1][:, i], last) for i in range(count)]


def distances(template, stream, centred):
    """A function (i, j): the distance of template frame i to frame j of each window.
    centred: subtract the mean of template and of window first."""
    m, count = len(template), len(stream) - len(template) + 1
    squares = (stream ** 2).sum(1)
    if not centred:
        products = directions(template) @ directions(stream).T
        return lambda i, j: 1 - products[i, j:j + count]
    sums = np.cumsum(np.vstack([np.zeros(stream.shape[1]), stream]), axis=0)
    means = (sums[m:] - sums[:-m]) / m
    unit = directions(template - template.mean(0))
    products, shifts = unit @ stream.T, unit @ means.T
    mean_squares = (means ** 2).sum(1)
    norms = [np.sqrt(np.maximum(1e-24, squares[j:j + count] + mean_squares
                                - 2 * (stream[j:j + count] * means).sum(1))) for j in range(m)]
    return lambda i, j: 1 - (products[i, j:j + count] - shifts[i]) / norms[j]


def windows(template, stream, band=5, diagonal=1, centred=False):
    """(cost, first frame, frame after the last) of each window of the template's length.
    |i - j| <= band. A diagonal step costs `diagonal` times its distance."""
    m = len(template)
    count = len(stream) - m + 1
    if count < 1:
        return np.zeros(0), np.zeros(0, int), np.zeros(0, int)
    distance = distances(template, stream, centred)
    never = np.full(count, np.inf)
    before = {}
    for i in range(m):
        now = {}
        for j in range(max(0, i - band), min(m, i + band + 1)):
            d = distance(i, j)
            if i == 0 and j == 0:
                now[j] = diagonal * d
                continue
            straight = np.minimum(before.get(j, never), now.get(j - 1, never))
            now[j] = np.minimum(straight + d, before.get(j - 1, never) + diagonal * d)
        before = now
    starts = np.arange(count)
    return before[m - 1] / (2 * m), starts, starts + m
