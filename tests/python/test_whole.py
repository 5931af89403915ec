"""test_whole.py - whole series: the best match, distances of all pairs, progress."""
import os
import signal
import subprocess
import sys
import warnings

import numpy as np
import pandas
import pytest

import sigrep
from signals import bump, noise, pen


ROUNDINGS = 100 * 2**-24  # of sums of 79 costs at most, of up to three differences


def literal_distance(x, y):
    """Dynamic time warping from end to end, in doubles, a cell at a time."""
    x, y = (np.asarray(one, float).reshape(len(one), -1) for one in (x, y))
    d = np.full((len(x) + 1, len(y) + 1), np.inf)
    d[0, 0] = 0
    for i in range(len(x)):
        for t in range(len(y)):
            before = min(d[i, t], d[i, t + 1], d[i + 1, t])
            d[i + 1, t + 1] = before + np.abs(x[i] - y[t]).sum()
    return d[-1, -1]


def walks(n, *, seed, shortest=1, longest=40, channels=None):
    random = np.random.default_rng(seed)
    shapes = [(length,) if channels is None else (length, channels)
              for length in random.integers(shortest, longest, n, endpoint=True)]
    return [np.cumsum(random.normal(size=shape), axis=0).astype(np.float32) for shape in shapes]


@pytest.fixture
def seed():
    """A new one each time, unless CHECK_SEED names one; a failure prints it."""
    chosen = int(os.environ.get("CHECK_SEED") or np.random.SeedSequence().entropy % 2**32)
    print(f"seed {chosen}")
    return chosen


@pytest.mark.parametrize("channels", [None, 3])
def test_distances_are_those_of_the_definition(seed, channels):
    series = walks(12, seed=seed, channels=channels)
    others = walks(5, seed=seed + 1, channels=channels)
    square = sigrep.distance_matrix(series, threads=2)
    wanted = [[literal_distance(x, y) for y in series] for x in series]
    assert square.dtype == np.float32 and np.allclose(square, wanted, rtol=ROUNDINGS, atol=0)
    assert (square == square.T).all() and not square.diagonal().any()
    wanted = [[literal_distance(x, y) for y in others] for x in series]
    assert np.allclose(sigrep.distance_matrix(series, others), wanted, rtol=ROUNDINGS, atol=0)


def test_distances_of_letters_are_least_within_a_letter():
    stream, letter = pen()
    found = sigrep.best(stream, {"G": letter}, 17, front_end="diff")  # 15 of G
    cut = [np.diff(stream[m["start"] : m["end"]], axis=0) for m in found]
    distances = sigrep.distance_matrix(cut)
    assert (distances[:15, :15].mean(axis=1) < distances[:15, 15:].min(axis=1)).all()


def test_distances_have_the_same_digits_for_all_threads_and_blocks(monkeypatch):
    series = walks(30, seed=1, shortest=300, longest=400)
    one = sigrep.distance_matrix(series, threads=1)
    assert one.tobytes() == sigrep.distance_matrix(series, threads=3).tobytes()
    monkeypatch.setattr(sigrep._distance, "BLOCK_ROWS", 1 << 20)
    assert one.tobytes() == sigrep.distance_matrix(series, threads=1).tobytes()


def test_distances_of_all_forms_of_series():
    rows = np.random.default_rng(2).normal(size=(4, 9))
    wanted = sigrep.distance_matrix(rows)
    forms = [list(rows), rows.tolist(), list(np.asfortranarray(rows)), rows[:, :, np.newaxis],
             list(pandas.DataFrame(rows.T)[i] for i in range(4)), [rows[0], *rows[1:].tolist()]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for form in forms:
            assert sigrep.distance_matrix(form).tobytes() == wanted.tobytes()
    assert sigrep.distance_matrix(rows[0]).tolist() == [[0]]
    assert sigrep.distance_matrix([[1, 2], [1, 3], [1, 4]])[0].tolist() == [0, 1, 2]
    whole = (rows * 9).round()
    assert (sigrep.distance_matrix(whole.astype("i2")) == sigrep.distance_matrix(whole)).all()


def test_a_distance_is_exact_up_to_the_largest_value_that_is_taken():
    value = float(sigrep._distance.MARK) / 17
    one, other = [value, value], [-value, -value]
    found = sigrep.distance_matrix([one, other])[0, 1]
    assert np.isclose(found, 4 * value, rtol=2**-23, atol=0)  # one rounding
    with pytest.raises(ValueError, match="too large for 2 values"):
        sigrep.distance_matrix([one, [value * 17 / 16, 0]])


def test_a_progress_that_gives_up_leaves_no_distance_out():
    series = np.random.default_rng(1).normal(size=(40, 1000))
    found = sigrep.distance_matrix(series, progress=lambda work: work[:1])
    assert found.tobytes() == sigrep.distance_matrix(series).tobytes()


@pytest.mark.parametrize("series, kind, text", [
    ([], ValueError, "series: empty"),
    (5, TypeError, "not iterable"),
    ([bump(), bump()[:0]], ValueError, r"series\[1\]: no sample"),
    ([bump(), [1, np.nan]], ValueError, r"series\[1\]: not all samples are finite"),
    ([bump(), np.zeros((9, 2))], ValueError, r"series\[1\]: 2 channels"),
    (pandas.DataFrame({"a": [1, 2]}), TypeError, "give a list of its columns"),
    ([["a", "b"]], TypeError, "not of real numbers"),
    ([[1e36, 0], [0, 1]], ValueError, "a value of 1e.36 is too large for 2 values"),
    ([[1e38, 0], [0, 1]], ValueError, "a value of 1e.38 is too large for 2 values"),  # numpy 2
])
def test_bad_series(series, kind, text):
    with pytest.raises(kind, match=text):
        sigrep.distance_matrix(series)


def test_series_that_float32_cannot_tell_apart_are_reported():
    with pytest.warns(UserWarning, match=r"series\[1\]: samples 0 and 1 differ.* subtract"):
        sigrep.distance_matrix([bump(), 1e9 + np.arange(9.0)])


def test_ctrl_c_ends_distances_and_all_threads():
    code = """import threading, numpy, sigrep
def began(work):
    print(flush=True)
    return work
try:
    sigrep.distance_matrix(numpy.random.default_rng(1).normal(size=(64, 9999)), threads=2,
                           progress=began)
except KeyboardInterrupt:
    print(threading.active_count())"""
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    child.stdout.readline()
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=120)[0] == "1\n"


def test_match_is_the_cheapest_place_with_its_path():
    query, series = [1, 2, 0], [1, 0, 1, 2, 1, 0, 2, 0, 3, 0, 0]  # dtaidistance's first example
    found = sigrep.match(query, series)
    assert (found.start, found.end, found.score) == (0, 2, 1 / 3)
    assert found.path["cost"].sum() == found.score * len(query)
    assert found.path["template_frame"][[0, -1]].tolist() == [0, 2]


def test_match_has_the_lowest_of_all_scores(seed):
    random = np.random.default_rng(seed)
    query, series = (random.normal(size=n).astype(np.float32) for n in (20, 500))
    found = sigrep.match(query, series)
    assert np.float32(found.score) == sigrep.scores(series, query).min()
    assert sigrep.match(query, series, paths=False)[:7] == found[:7]
    cut = series[found.start : found.end]
    assert np.isclose(literal_distance(query, cut), found.score * len(query), rtol=600 * 2**-24)
    with pytest.warns(UserWarning, match="longer than the series"):
        short = sigrep.match(query, series[:3].copy())  # shorter than half the query
    assert 0 <= short.start < short.end <= 3


@pytest.mark.parametrize("options", [{}, {"front_end": "znorm=20"}, {"template_rate": 0.5}])
def test_a_query_and_a_series_that_are_swapped_are_noticed(options):
    query, series = bump(), noise(60, copies=[5])
    sigrep.match(query, query)
    sigrep.match(query, series, **{**options, "template_rate": 0})
    with pytest.warns(UserWarning, match="the query is longer than the series"):
        sigrep.match(series, query, **options)


def test_match_is_at_most_64_queries_long():
    query = [0, 5, 0]
    found = sigrep.match(query, [9, 0, *[5] * 190, 0])
    assert (found.start, found.end, found.score) == (1, 193, 0)
    assert sigrep.match(query, [9, 0, *[5] * 191, 0]).score > 0


def test_match_says_which_of_several_takes_is_nearest():
    stream = noise(400, copies=[200])
    assert sigrep.match({"other": -bump(), "bump": bump()}, stream)[:4] == ("bump", 1, 200, 250)


def test_a_series_of_gaps_has_no_match():
    with pytest.raises(ValueError, match="nowhere"):
        sigrep.match(bump(), np.full(99, np.nan))


class Bar:
    """What tqdm does, without tqdm."""

    def __init__(self, pieces):
        self.pieces, self.done, self.total = pieces, 0, len(pieces)

    def __iter__(self):
        for piece in self.pieces:
            yield piece
            self.done += 1


@pytest.mark.parametrize("call", [sigrep.search, sigrep.best, sigrep.scores, sigrep.path])
def test_progress_changes_no_result(call):
    stream = np.tile(noise(1000, copies=[200, 600]), 200)
    bars = []
    def progress(pieces):
        bars.append(Bar(pieces))
        return bars[-1]
    options = dict(kernel="scalar", **({} if call is sigrep.best else {"threshold": 0.1}))
    plain = call(stream, bump(), **options)
    shown = call(stream, bump(), progress=progress, **options)
    plain, shown = (one[0] if isinstance(one, tuple) else one for one in (plain, shown))
    assert shown.tobytes() == plain.tobytes() and len(plain) > 0
    assert bars[0].done == bars[0].total > 1


def test_progress_of_matches_and_distances():
    bars = []
    def progress(pieces):
        bars.append(Bar(pieces))
        return bars[-1]
    sigrep.distance_matrix(np.random.default_rng(1).normal(size=(40, 1000)), progress=progress)
    sigrep.match(bump(), noise(400), progress=progress)
    assert [bar.done for bar in bars] == [bar.total for bar in bars] == [5, 1]


def test_progress_is_shown_by_tqdm(capsys):
    tqdm = pytest.importorskip("tqdm")
    sigrep.search(noise(400), bump(), threshold=0.1, progress=tqdm.tqdm)
    assert "1/1" in capsys.readouterr().err


def test_a_search_that_stops_ends_its_progress():
    bars = []
    def progress(pieces):
        bars.append(Bar(pieces))
        return bars[-1]
    stream = np.tile(noise(1000, copies=[200]), 200)
    found = sigrep.search(stream, bump(), threshold=0.1, kernel="scalar", progress=progress,
                          on_match=lambda match: True)
    assert len(found) == 1 and bars[0].done < bars[0].total
