"""measure.py - one search: its detections judged, its false alarms in the background, and the
figures of both.
"""
import math
import statistics
from collections import namedtuple

import figures
import program

RATES = (0.5, 1)  # false alarms an hour and label, for which misses are reported
ABOVE = 1.02  # times the threshold of the best F1: how far the background is searched at least
FARTHER = 1.1  # times that, and so on, until there are more false alarms than RATES allow

# trials: all detections, judged.
# f1: of a run with -t at the threshold, if the program can do that. curve_f1: of the curve.
# words: {label: average precision}.
# misses: {rate: share}.
# det: [(false alarms an hour and label, share missed)].
Result = namedtuple('Result', 'words map f1 curve_f1 threshold mtwv misses det n')


def f1_at(search, templates, sound, threshold):
    """Scores are printed with nine digits: a hair above includes the match itself."""
    found = figures.judge(search(templates, sound.path, threshold * (1 + 1e-7)), sound.occurrences)
    hits = sum(t.hit for t in found)
    return figures.f1_of(hits, len(found) - hits, len(sound.occurrences))


def false_alarms(search, templates, labels, background, threshold):
    """All detections in the background up to a limit, and the limit."""
    enough = RATES[-1] * background.seconds / 3600 * labels
    limit = ABOVE * threshold
    while True:
        found = search(templates, background.path, limit)
        if len(found) > enough or limit >= program.EVERYTHING:
            return found, limit
        limit *= FARTHER


def measure(search, templates, sound, background=None, by_threshold=True):
    """search: (templates, path, threshold) -> detections. Returns a Result."""
    occurrences = sound.occurrences
    n, labels = len(occurrences), len({o.label for o in occurrences})
    trials = figures.judge(search(templates, sound.path, program.EVERYTHING), occurrences)
    words = figures.average_precisions(trials, occurrences)
    curve_f1, threshold = figures.best_f1(trials, n)
    if threshold is None:
        raise ValueError(f'nothing found at all in {sound.path}')
    f1 = f1_at(search, templates, sound, threshold) if by_threshold else curve_f1
    false, points, seconds, limit = [], [], sound.seconds, math.inf
    if background:
        found, limit = false_alarms(search, templates, labels, background, threshold)
        false = [figures.Trial(d.score, d.label, False) for d in found]
        points = figures.det(trials, n, [t.score for t in false],
                             background.seconds / 3600 * labels, limit)
        seconds += background.seconds
    return Result(words, statistics.fmean(words.values()), f1, curve_f1, threshold,
                  figures.mtwv([t for t in trials if t.score < limit] + false, occurrences,
                               seconds),
                  {rate: figures.miss_at(points, rate) for rate in RATES if points}, points, n)


def mean(results, what):
    return statistics.fmean(getattr(r, what) for r in results)


def mean_miss(results, rate):
    return statistics.fmean(r.misses[rate] for r in results)
