"""figures.py - what a list of detections is worth against the truth: average precision, F1,
term-weighted value, miss rate at so many false alarms an hour.

Times are seconds, intervals [start, end). Scores are costs: the lower, the better; a threshold
X accepts all scores <= X, so detections of equal score are accepted together.
"""
import itertools
from collections import Counter, defaultdict, namedtuple

Occurrence = namedtuple('Occurrence', 'label start end')
Detection = namedtuple('Detection', 'label start end score')

# A detection that was judged.
Trial = namedtuple('Trial', 'score label hit')

# With a threshold of `score` so many detections are right, so many wrong.
Point = namedtuple('Point', 'score hits false')

# Of a false alarm against a miss, in the term-weighted value (NIST, STD 2006).
TWV_BETA = 999.9


def judge(detections, occurrences):
    """Trials, lowest score first. A detection is a hit if its middle lies in an occurrence of
    its label that no better one has hit; a second one in the same occurrence is false.
    Occurrences of a label must not overlap."""
    of_label = defaultdict(list)
    for o in occurrences:
        of_label[o.label].append(o)
    trials, hit_already = [], set()
    for d in sorted(detections, key=lambda d: (d.score, d.end, d.label)):
        middle = (d.start + d.end) / 2
        where = [o for o in of_label[d.label] if o.start <= middle < o.end]
        hit = bool(where) and where[0] not in hit_already
        hit_already.update(where)
        trials.append(Trial(d.score, d.label, hit))
    return trials


def curve(trials):
    """A point for every score that occurs, lowest first."""
    points, hits, false = [], 0, 0
    for score, equal in itertools.groupby(sorted(trials), key=lambda t: t.score):
        for t in equal:
            hits, false = hits + t.hit, false + (not t.hit)
        points.append(Point(score, hits, false))
    return points


def average_precision(trials, n):
    """Sum over the points of the recall that they add times their precision, not interpolated;
    n occurrences. What is never found adds nothing."""
    total, before = 0.0, 0
    for p in curve(trials):
        total += (p.hits - before) * p.hits / (p.hits + p.false)
        before = p.hits
    return total / n


def average_precisions(trials, occurrences):
    """{label: average precision}, for every label that occurs; mAP is their mean."""
    counts = Counter(o.label for o in occurrences)
    return {label: average_precision([t for t in trials if t.label == label], n)
            for label, n in sorted(counts.items())}


def f1_of(hits, false, n):
    """2 P R / (P + R), n occurrences."""
    return 2 * hits / (hits + false + n)


def best_f1(trials, n):
    """(F1, score) at the one threshold for all labels that gives the highest F1: the point
    itself, the lowest of equals. (0, None) where nothing is right."""
    best = (0.0, None)
    for p in curve(trials):
        f1 = f1_of(p.hits, p.false, n)
        if f1 > best[0]:
            best = (f1, p.score)
    return best


def mtwv(trials, occurrences, seconds):
    """The highest term-weighted value at one threshold for all labels: 1 - the mean over labels
    of P(miss) + beta P(false alarm), a trial a second. 0 is what no detection at all gives."""
    n = Counter(o.label for o in occurrences)
    gain = {label: 1 / n[label] / len(n) for label in n}
    cost = {label: TWV_BETA / (seconds - n[label]) / len(n) for label in n}
    best = value = 0.0
    for _, equal in itertools.groupby(sorted(trials), key=lambda t: t.score):
        for t in equal:
            value += gain[t.label] if t.hit else -cost[t.label]
        best = max(best, value)
    return best


def miss_rate(trials, n, hours, rate):
    """The lowest share of n occurrences that is missed with at most `rate` false alarms an hour,
    all labels together; a threshold for all of them. `hours` are those of the stream times the
    labels that were searched for."""
    hits = [p.hits for p in curve(trials) if p.false <= rate * hours]
    return 1 - max(hits, default=0) / n
