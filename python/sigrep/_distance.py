"""_distance.py - dynamic time warping of whole series, between all pairs of them.

It is one search. A mark stands before each series: a value far from all samples.

    templates   M x x x x        stream   M y y y M z z z z z M ...     the series, one after another
                M w w w          scores         ^           ^           of each series' last sample

A search lets a path begin at any sample. But a pair of a mark and a sample costs more than any two
series. So the cheapest path to the last y begins at the mark before the first y, and leaves both
marks together. Its cost is that of both series from end to end.
"""
from __future__ import annotations

import os
import threading
from concurrent.futures import CancelledError, ThreadPoolExecutor
from typing import Optional

import numpy as np

from ._arrays import Series, channels_of, samples_of, series_of, warn_of_merged
from ._search import Progress, Search

MARK = np.float32(2.0**100)
BLOCK_ROWS = 8192  # samples of the templates of one search, about
LEAST_BLOCK = 8  # templates of one search: fewer are searched more slowly


def distance_matrix(series: Series, others: Optional[Series] = None, *,
                    threads: Optional[int] = None, device: str = "auto",
                    progress: Optional[Progress] = None) -> np.ndarray:
    """The cost of dynamic time warping between all pairs of whole series.

    series: a list of arrays of shape (n,) or (n, channels), or an array of such rows. Lengths may
        differ. All values are finite.
    others: the same; None: the series themselves.
    threads: of the CPU, without Python's lock (GIL); None: one for each core of this process.
    device: "auto", "cpu", "cuda", "cuda:N" or "cuda:all" (each search takes the next GPU).
    progress: gets the pieces of work as a list and passes them on, such as `tqdm.tqdm`.

    Returns float32, shape (series, others): the lowest sum of |x - y| along a path from both first
    samples to both last ones, with no window. Without others it is symmetric, with a diagonal of 0.
    The sums are of float32. Dividing them by a length and multiplying again rounds each twice more,
    so with others the roles of both may change the last digit. No digit depends on threads or
    device. ValueError, TypeError, MemoryError, `Error`.

        >>> distances = sigrep.distance_matrix([walk_1, walk_2, walk_3])
    """
    rows = _listed(series, "series", 0)
    columns = rows if others is None else _listed(others, "others", channels_of(rows[0]))
    _check_size(rows + columns)
    result = np.empty((len(rows), len(columns)), np.float32)
    stop = threading.Event()

    def fill(begin: int, end: int) -> None:
        first = begin if others is None else 0  # those before it have been compared with these
        result[begin:end, first:] = _block(rows[begin:end], columns[first:], device, stop)

    size = max(LEAST_BLOCK, BLOCK_ROWS // max(map(len, rows)))
    pool = ThreadPoolExecutor(threads or len(os.sched_getaffinity(0)))
    try:
        work = [pool.submit(fill, begin, min(begin + size, len(rows)))
                for begin in range(0, len(rows), size)]
        for one in progress(work) if progress else work:
            one.result()
        for one in work:  # whatever progress has passed on
            one.result()
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)
    if others is None:
        for i in range(len(rows)):
            result[i, :i] = result[:i, i]
        np.fill_diagonal(result, 0)
    return result


def _block(series: list[np.ndarray], others: list[np.ndarray], device: str,
           stop: threading.Event) -> np.ndarray:
    """The distances of some series, by one search. CancelledError if it is to stop."""
    stream = _marked(others)
    lasts = _Lasts(np.cumsum([len(one) + 1 for one in others]) - 1)
    search = Search([_marked([one]) for one in series], threshold=0, device=device,
                    _on_scores=lasts, _expected=len(stream))
    for piece in search._pieces(stream):
        if stop.is_set():
            raise CancelledError
        search.push(piece)
    search.finish()
    lengths = np.array([len(one) + 1.0 for one in series])  # scores are means over these
    distances: np.ndarray = np.concatenate(lasts.scores) * lengths
    return distances.T


class _Lasts:
    """Gathers the scores of some frames: an `on_scores`."""

    def __init__(self, frames: np.ndarray):
        self.frames = frames  # ascending
        self.taken = 0
        self.scores: list[np.ndarray] = []

    def __call__(self, scores: np.ndarray) -> None:
        begin, end = np.searchsorted(self.frames, [self.taken, self.taken + len(scores)])
        self.scores.append(scores[self.frames[begin:end] - self.taken])
        self.taken += len(scores)


def _marked(several: list[np.ndarray]) -> np.ndarray:
    """Series one after the other, each behind a mark."""
    mark = np.full((1, *several[0].shape[1:]), MARK)
    return np.concatenate([part for one in several for part in (mark, one)])


def _listed(given: Series, name: str, channels: int) -> list[np.ndarray]:
    """Series as a list of float32. channels: how many they must have; 0: as the first one."""
    listed: list[np.ndarray] = []
    for i, one in enumerate(series_of(given, name)):
        label = f"{name}[{i}]"
        samples = samples_of(one, label, channels, is_copied=True)
        if not len(samples):
            raise ValueError(f"{label}: no sample")
        if not np.isfinite(samples).all():
            raise ValueError(f"{label}: not all samples are finite; a whole series has no gaps")
        if samples.dtype == np.float64:
            warn_of_merged(samples, label, "subtract an offset from all series")
        with np.errstate(over="ignore"):  # _check_size refuses what is infinite then
            listed.append(samples.astype(np.float32, copy=False))
        channels = channels_of(samples)
    return listed


def _check_size(all_series: list[np.ndarray]) -> None:
    """Is a mark farther from all samples than two whole series can be from each other?"""
    largest = max(float(np.abs(one).max()) for one in all_series)
    longest = max(one.size for one in all_series)
    if not 8 * longest * largest < float(MARK):
        raise ValueError(f"series: a value of {largest:g} is too large for {longest} values a "
                         "series; divide all series")
