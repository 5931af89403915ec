"""test_zmatch.py - zmatch beside a program in float64, without a line of sigrep; scaled copies."""
import numpy as np
import pytest

import sigrep

from test_advice import KINDS, search_task


def normalised(window):
    return (window - window.mean()) / window.std()


def dtw(x, z, band):
    """The whole matrix, from corner to corner, in float64."""
    costs = np.abs(x[:, None] - z[None, :])
    d = np.full((len(x) + 1, len(z) + 1), np.inf)
    d[0, 0] = 0
    for i in range(1, len(x) + 1):
        for j in range(max(1, i - band), min(len(z), i + band) + 1):
            d[i, j] = costs[i - 1, j - 1] + min(d[i - 1, j - 1], d[i - 1, j], d[i, j - 1])
    return d[-1, -1]


@pytest.mark.parametrize("share", [0, 0.1, 1])
def test_every_score_is_that_of_a_program_in_float64(share):
    random = np.random.default_rng(41)
    template = np.cumsum(random.standard_normal(23))
    stream = np.cumsum(random.standard_normal(150)) + 500
    stream[60:83] = 7 * template - 90
    m, band = len(template), int(share * len(template))
    got = sigrep.scores(stream.astype("f4"), template.astype("f4"), threshold=1,
                        front_end=f"zmatch={share}")
    x, y = template.astype("f4").astype(float), stream.astype("f4").astype(float)
    expected = [dtw(normalised(x), normalised(y[s:s + m]), band) / m
                for s in range(len(y) - m + 1)]
    assert np.isnan(got[:m - 1]).all()
    np.testing.assert_allclose(np.ravel(got)[m - 1:], expected, rtol=1e-5, atol=1e-5)
    assert np.nanargmin(got) == 82 and np.nanmin(got) < 1e-6


def is_found(seed, length, walks, cut_out):
    stream, template, at = search_task(seed, length, walks, cut_out)
    best = sigrep.best(stream, template, front_end="zmatch")
    return abs(best["start"][0] - at) < length / 4


def test_zmatch_finds_95_of_100_scaled_copies():
    found = [is_found(seed, length, *kind)
             for seed in range(16) for length in (40, 200) for kind in KINDS]
    assert np.mean(found) >= 0.95
