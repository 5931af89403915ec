"""test_advice.py - the window of znorm that the manual advises finds scaled copies.

As a program it prints the table of docs/GUIDE.md: the share of copies found, by length of template
and window, of 200 streams each.
"""
import warnings

import numpy as np
import pytest

import sigrep

N = 5000  # samples of a stream
WINDOWS = (2, 1, 0.5, 0.25, 0.125)  # in lengths of the template


def planted(random, copy, walks):
    """A stream with a copy of other gain and offset, and where it begins."""
    at, gain, t = int(random.integers(500, N - 1000)), random.uniform(0.5, 2), np.arange(N)
    end = at + len(copy)
    if not walks:  # slow waves with noise: the copy is added
        waves = 3 * np.sin(t / random.uniform(200, 400) + random.uniform(0, 6))
        stream = waves + 0.3 * random.standard_normal(N)
        stream[at:end] += 2 * gain * copy
    else:  # a random walk: it goes on from the end of the copy
        stream = np.cumsum(random.standard_normal(N)) * 2 + 700
        rest = stream[end:] - stream[end]
        stream[at:end] = stream[at] + 15 * gain * (copy - copy[0])
        stream[end:] = stream[end - 1] + rest
    return stream.astype(np.float32), at


def search_task(seed, length, walks, cut_out):
    """A stream, a template, and where its copy begins."""
    random = np.random.default_rng(seed)
    copy = np.cumsum(random.standard_normal(length))
    copy = (copy - copy.mean()) / copy.std() * (1 if walks else np.hanning(length))
    template = (copy * 3 + 33).astype(np.float32)
    stream, at = planted(random, copy, walks)
    if cut_out:  # of another recording
        other, begin = planted(random, copy, walks)
        template = sigrep.Template(other, begin=begin, end=begin + length)
    return stream, template, at


def found(seed, length, walks, cut_out):
    """Is the best match the copy? One answer a window."""
    stream, template, at = search_task(seed, length, walks, cut_out)
    starts = [sigrep.best(stream, template, front_end=f"znorm={window * length:g}")["start"][0]
              for window in WINDOWS]
    return np.abs(np.array(starts) - at) < length / 4


def shares(n, length, walks, cut_out):
    return np.mean([found(seed, length, walks, cut_out) for seed in range(n)], axis=0)


KINDS = [(walks, cut_out) for walks in (True, False) for cut_out in (False, True)]


@pytest.mark.parametrize("walks, cut_out", KINDS)
def test_znorm_of_half_a_template_finds_more_scaled_copies_than_of_a_whole_one(walks, cut_out):
    share = dict(zip(WINDOWS, shares(40, 200, walks, cut_out)))
    assert share[0.5] >= 0.65 and share[0.5] > share[1] > share[2]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print("length", *WINDOWS)
    for length in (40, 200):
        all_kinds = np.array([shares(200, length, *kind) for kind in KINDS])
        print(length, *(f"{low:.2f}-{high:.2f}"
                        for low, high in zip(all_kinds.min(axis=0), all_kinds.max(axis=0))))
