"""eval_numpy.py - tests/dev/eval_cases.py runs these where numpy is there: what dev/eval makes of frames
beside slow, obvious versions."""
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'dev' / 'eval'))
import contestants  # noqa: E402
import dtw  # noqa: E402
import local_wake  # noqa: E402
import recipes  # noqa: E402
from figures import Detection  # noqa: E402


def frames(random, *lengths):
    return [random.standard_normal((n, 4)) for n in lengths]


def distance(a, b):
    return 1 - a @ b / np.linalg.norm(a) / np.linalg.norm(b)


def subsequences_are_those_of_the_recurrence():
    *templates, stream = frames(np.random.default_rng(1), 7, 11, 1, 60)
    for x, (costs, firsts, lasts) in zip(templates, dtw.subsequences(templates, stream)):
        before = [(np.inf, 0, 0)] * len(x)
        for t, y in enumerate(stream):
            now = []
            for i, frame in enumerate(x):
                diagonal = before[i - 1] if i else (0, t, 0)
                ways = [diagonal, before[i]] + ([now[i - 1]] if i else [])
                cost, first, length = min(ways, key=lambda way: way[0])
                now.append((cost + distance(frame, y), first, length + 1))
            before = now
            cost, first, length = before[-1]
            assert abs(costs[t] - cost / length) < 1e-12
            assert (firsts[t], lasts[t]) == (first, t + 1)


def windows_are_those_of_the_recurrence():
    template, stream = frames(np.random.default_rng(2), 9, 30)
    for diagonal, centred in ((1, False), (2, False), (1, True)):
        costs, firsts, lasts = dtw.windows(template, stream, 3, diagonal, centred)
        assert list(firsts) == list(range(22)) and list(lasts - firsts) == [9] * 22
        for w in range(22):
            x, y = template, stream[w:w + 9]
            if centred:
                x, y = x - x.mean(0), y - y.mean(0)
            cost = np.full((10, 10), np.inf)
            cost[0, 0] = 0
            for i in range(1, 10):
                for j in range(max(1, i - 3), min(9, i + 3) + 1):
                    d = distance(x[i - 1], y[j - 1])
                    cost[i, j] = min(cost[i - 1, j - 1] + diagonal * d, cost[i - 1, j] + d,
                                     cost[i, j - 1] + d)
            assert abs(costs[w] * 18 - cost[9, 9]) < 1e-9, w


def noise_is_taken_off():
    energies = np.abs(np.random.default_rng(3).standard_normal((50, 2))) + 1
    got = recipes.without_noise(energies)
    smooth = np.array([energies[np.clip(np.arange(t - 2, t + 3), 0, 49)].mean(0)
                       for t in range(50)])
    for t in range(50):
        noise = smooth[max(0, t - 25):t + 11].min(0)
        kept = np.maximum(smooth[t] - 1.5 * noise, 0.2 * smooth[t]) / smooth[t]
        expected = smooth[t] * [2 * kept[0] + kept[1], kept[0] + 2 * kept[1]] / 3
        assert np.allclose(got[t], expected)


def golden(name):
    return np.loadtxt(pathlib.Path(__file__).parents[1] / 'golden' / f'{name}.txt', ndmin=2)


def frames_of_speech_are_the_golden_ones():
    x = golden('signal').ravel() / 32768
    got, wanted = recipes.speech_frames(x, 8000), golden('speech')[:, :75]
    assert got.shape == wanted.shape and np.abs(got - wanted).max() < 1e-6


def scores_lose_median_and_deviation():
    found = [Detection('a', 0, 1, s) for s in (1, 2, 4, 10)]
    scores = [d.score for d in contestants.by_minima(found)]
    assert np.allclose(scores, [-4 / 3, -2 / 3, 2 / 3, 14 / 3]), scores
    assert contestants.by_minima(found[:1])[0].score == 0


def each_hop_has_an_embedding():
    field, hop = local_wake.FIELD, local_wake.HOP
    for n, count in ((1, 1), (hop - 1, 1), (hop, 1), (hop + 1, 2), (16000, 13)):
        sound = local_wake.padded(np.ones(n))
        assert len(sound) == field + (count - 1) * hop, n
        lead = (field - hop) // 2  # a frame's hop is in the middle of its field
        assert sound[lead:lead + n].all() and sound.sum() == n


def local_wakes_windows_have_no_band():
    template, stream = frames(np.random.default_rng(4), 6, 9)
    [(costs, _, _)] = local_wake.whole_windows([template], stream)
    for w in range(4):
        cost = np.full((7, 7), np.inf)
        cost[0, 0] = 0
        for i in range(6):
            for j in range(6):
                cost[i + 1, j + 1] = distance(template[i], stream[w + j]) + min(
                    cost[i, j], cost[i, j + 1], cost[i + 1, j])
        assert abs(costs[w] * 12 - cost[6, 6]) < 1e-12, w


TESTS = [subsequences_are_those_of_the_recurrence, windows_are_those_of_the_recurrence,
         noise_is_taken_off, frames_of_speech_are_the_golden_ones,
         scores_lose_median_and_deviation, each_hop_has_an_embedding,
         local_wakes_windows_have_no_band]
