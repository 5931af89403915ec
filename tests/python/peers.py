"""peers.py - the examples of other libraries' tutorials for subsequences, beside sigrep: the same
places, and the same costs if both mean the same by them. `make check-python-peers` runs it.

    library        cost of a pair of samples       a match may be warped
    sigrep         |x - y|                         yes
    librosa        |x - y| with "cityblock"        yes
    dtaidistance   |x - y| with "euclidean"        yes
    tslearn        (x - y)^2                       yes
    stumpy         |x - y| with p=1                no
"""
import subprocess
import sys

import dtaidistance
import librosa
import numpy as np
import pytest
import stumpy
import tslearn.generators
import tslearn.metrics
import tslearn.preprocessing
from dtaidistance.subsequence.dtw import subsequence_alignment
from scipy.signal import find_peaks

import sigrep
from signals import ROOT, bump, noise, pen

ANY_LENGTH = (0, 64)  # the others have no length gate


def random(*shape, seed=1):
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def costs(stream, template):
    """D(m,t), the cost of the cheapest path that ends at each sample."""
    return sigrep.scores(stream, template)[:, 0] * len(template)


def overlaps(one, other):
    return max(one[0], other[0]) < min(one[1], other[1])


def same_places(found, expected):
    """Does each interval overlap one, and only one, of the other list?"""
    return len(found) == len(expected) and all(
        sum(overlaps(one, other) for other in found) == 1 for one in expected)


def places(matches):
    return list(zip(matches["start"].tolist(), matches["end"].tolist()))


def test_dtaidistance_finds_the_same_three_places():
    """dtaidistance's first example: its three best matches."""
    query = np.array([1, 2, 0], np.float32)
    series = np.array([1, 0, 1, 2, 1, 0, 2, 0, 3, 0, 0], np.float32)
    alignment = subsequence_alignment(query.astype(float), series.astype(float))
    theirs = [(first, last + 1) for first, last in
              (match.segment for match in alignment.kbest_matches(k=3))]
    ours = places(sigrep.best(series, query, 3, length=ANY_LENGTH))
    assert same_places(ours, theirs), (ours, theirs)


def test_dtaidistance_has_the_same_costs():
    stream, template = random(400, seed=1), random(30, seed=2)
    n = len(stream)
    _, matrix = dtaidistance.dtw.warping_paths(
        template.astype(float), stream.astype(float), psi=[0, 0, n, n], inner_dist="euclidean",
        psi_neg=False)
    assert np.allclose(matrix[-1, 1:], costs(stream, template), rtol=1e-5)


def test_dtaidistance_has_the_same_distances():
    series = [np.cumsum(random(n, seed=n)) for n in (30, 50, 41)]
    theirs = dtaidistance.dtw.distance_matrix_fast([one.astype(float) for one in series],
                                                   inner_dist="euclidean")
    assert np.allclose(theirs, sigrep.distance_matrix(series), rtol=1e-5)


def test_tslearn_has_the_same_distances_of_zeros_and_ones():
    """There |x - y| is (x - y)^2."""
    rng = np.random.default_rng(5)
    series = [rng.integers(0, 2, n).astype(float) for n in (30, 50, 41)]
    ours = sigrep.distance_matrix(series)
    assert ours.max() > 0
    assert np.allclose(tslearn.metrics.cdist_dtw(series) ** 2, ours, rtol=1e-5)


def test_dtaidistance_finds_the_same_letters():
    """Its search for one channel of a pen's movements, beside ours: the best place."""
    stream, letter = (np.diff(x[:, 0])[:4000] for x in pen())
    match = subsequence_alignment(letter.astype(float), stream.astype(float)).best_match_fast()
    ours = places(sigrep.best(stream, letter, 1))
    assert overlaps(ours[0], (match.segment[0], match.segment[1] + 1))


@pytest.mark.parametrize("metric", ["euclidean", "cityblock"])
def test_librosa_finds_the_same_place(metric):
    """librosa's example: features between noises. Its music cannot be had here."""
    rng = np.random.default_rng(3)
    features = np.cumsum(rng.normal(size=(12, 150)), axis=1)
    before, after = rng.random((12, 400)), rng.random((12, 200))
    sequence = np.concatenate((before, features + 0.01 * rng.random((12, 150)), after), axis=1)
    cost, path = librosa.sequence.dtw(features, sequence, subseq=True, metric=metric)
    stream, template = (np.ascontiguousarray(x.T, np.float32) for x in (sequence, features))
    ours = sigrep.best(stream, template, 1)[0]
    assert (ours["start"], ours["end"]) == (path[-1, 1], path[0, 1] + 1) == (400, 550)
    if metric == "cityblock":
        assert np.allclose(cost[-1], costs(stream, template), rtol=1e-5)
        assert np.isclose(ours["score"] * len(template), cost[-1].min(), rtol=1e-5)


def test_tslearn_finds_the_same_place():
    """The example of dtw_subsequence_path."""
    path, distance = tslearn.metrics.dtw_subsequence_path([2., 3.], [1., 2., 2., 3., 4.])
    ours = sigrep.best([1., 2., 2., 3., 4.], [2., 3.], 1, length=ANY_LENGTH)[0]
    assert ours["score"] == distance == 0
    assert (ours["start"], ours["end"]) == (path[0][1], path[-1][1] + 1)


def test_tslearn_finds_the_same_five_places():
    """tslearn's "sDTW multi path matching": a walk that comes five times."""
    np.random.seed(0)
    walks = tslearn.preprocessing.TimeSeriesScalerMeanVariance().fit_transform(
        tslearn.generators.random_walks(n_ts=2, sz=100, d=1))
    stream, template = np.tile(walks[1], (5, 1)), walks[0]
    matrix = tslearn.metrics.subsequence_cost_matrix(template, stream)
    ends = find_peaks(-matrix[-1, :], distance=75, height=-50)[0]
    paths = [tslearn.metrics.subsequence_path(matrix, end) for end in ends]
    theirs = [(path[0][1], path[-1][1] + 1) for path in paths]
    ours = places(sigrep.best(stream.astype(np.float32), template.astype(np.float32), len(theirs),
                              length=ANY_LENGTH))
    assert len(theirs) >= 4 and same_places(ours, theirs), (ours, theirs)


def test_tslearn_has_the_same_costs_for_zeros_and_ones():
    """There |x - y| is (x - y)^2."""
    rng = np.random.default_rng(4)
    stream, template = (rng.integers(0, 2, n).astype(np.float32) for n in (500, 40))
    matrix = tslearn.metrics.subsequence_cost_matrix(template, stream)
    assert np.allclose(matrix[-1], costs(stream, template), rtol=1e-5)


def test_stumpy_finds_the_same_place_at_the_same_cost():
    """The example of stumpy.match."""
    query = np.array([-11.1, 23.4, 79.5, 1001.0], np.float32)
    series = np.array([584., -11., 23., 79., 1001., 0., -19.], np.float32)
    distance, start = stumpy.match(query.astype(float), series.astype(float), normalize=False,
                                   p=1.0)[0]
    ours = sigrep.best(series, query, 1)[0]
    assert (ours["start"], ours["end"]) == (start, start + 4)
    assert np.isclose(ours["score"] * 4, distance, rtol=1e-5)


def test_stumpy_finds_the_same_patterns():
    """As in stumpy's "Fast Pattern Matching": a pattern that comes again, its length unchanged."""
    at = [100, 400, 900, 1500]
    stream = noise(2000, copies=at) + 0.1 * random(2000)
    theirs = stumpy.match(bump().astype(float), stream.astype(float), normalize=False, p=1.0,
                          max_matches=4)
    ours = sigrep.best(stream, bump(), 4, length=(0.9, 1.1))
    assert sorted(theirs[:, 1]) == at
    assert same_places(places(ours), [(start, start + 50) for start in theirs[:, 1]])
    # Warping can only make a match cheaper.
    unwarped = {start: distance for distance, start in theirs}
    for match in ours:
        nearest = min(at, key=lambda start: abs(start - match["start"]))
        assert match["score"] * 50 <= unwarped[nearest] * (1 + 1e-5)


def test_the_package_is_typed():
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--allow-untyped-decorators",
         "--cache-dir=/dev/null", "-p", "sigrep"],
        cwd=ROOT / "python", capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_users_of_these_calls_are_typed(tmp_path):
    user = tmp_path / "user.py"
    user.write_text("""
import pathlib

import numpy as np
import sigrep


def show(pieces: list[object]) -> list[object]:
    return pieces


x = np.zeros(9, np.float32)
start: int = sigrep.match(x, x, front_end="diff", progress=show).start
d: "np.ndarray[tuple[int, ...], np.dtype[np.float32]]" = sigrep.distance_matrix([x, x], threads=2)
labels = sigrep.Classifier(front_end="diff").fit([x, x], ["a", "b"]).predict([x])
bundle = sigrep.Bundle.load(pathlib.Path("a.sigrep"))
bundle.save(pathlib.Path("b.sigrep"))
table = sigrep.to_pandas(sigrep.search(x, bundle), index=range(9))
sigrep.match(x, x, frontend="diff")  # E: Unexpected keyword
""")
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir=/dev/null", user],
                          cwd=tmp_path, capture_output=True, text=True)
    errors = [line for line in done.stdout.splitlines() if ": error: " in line]
    assert len(errors) == 1 and 'keyword argument "frontend"' in errors[0], done.stdout


def test_stubs_are_those_of_the_package():
    done = subprocess.run([sys.executable, "-m", "mypy.stubtest", "sigrep"], cwd=ROOT / "tests",
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
