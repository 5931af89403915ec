"""figures.py - detections against the truth: average precision, F1, term-weighted value, miss
rate at a rate of false alarms.

Times are seconds, spans [start, end). A lower score is better. A threshold X accepts all scores
<= X, so detections of equal score are accepted together.
"""
import bisect
import itertools
import math
from collections import Counter, defaultdict, namedtuple

Occurrence = namedtuple('Occurrence', 'label start end')
Detection = namedtuple('Detection', 'label start end score')

# A detection that was judged.
Trial = namedtuple('Trial', 'score label hit')

# Right and wrong detections at a threshold of `score`.
Point = namedtuple('Point', 'score hits false')

# Of a false alarm against a miss, in the term-weighted value (NIST, STD 2006).
TWV_BETA = 999.9


def judge(detections, occurrences):
    """Trials, lowest score first. A detection is a hit if its middle lies in an occurrence of its
    label. A second one in the same occurrence is false. Occurrences of a label must not overlap."""
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
    """The sum of added recall times precision over the points, not interpolated. n occurrences;
    those that no detection hits add nothing."""
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
    """(F1, score) at the threshold for all labels with the highest F1, the lowest of equals.
    (0, None) if no detection is right."""
    best = (0.0, None)
    for p in curve(trials):
        f1 = f1_of(p.hits, p.false, n)
        if f1 > best[0]:
            best = (f1, p.score)
    return best


def mtwv(trials, occurrences, seconds):
    """The highest term-weighted value at one threshold for all labels: 1 - the mean over labels
    of P(miss) + beta P(false alarm). A second is a trial, and at least one is false. 0 stands for
    no detection at all."""
    n = Counter(o.label for o in occurrences)
    gain = {label: 1 / n[label] / len(n) for label in n}
    cost = {label: TWV_BETA / max(1, seconds - n[label]) / len(n) for label in n}
    best = value = 0.0
    for _, equal in itertools.groupby(sorted(trials), key=lambda t: t.score):
        for t in equal:
            value += gain[t.label] if t.hit else -cost[t.label]
        best = max(best, value)
    return best


def disjoint(detections):
    """Joins several takes of a label: keeps the lowest score of each label, then the lowest that
    overlaps none kept."""
    kept = defaultdict(list)  # (start, end) by label, in order
    result = []
    for d in sorted(detections, key=lambda d: (d.score, d.end, d.label)):
        spans = kept[d.label]
        i = bisect.bisect_left(spans, (d.start, d.end))
        free = (i == 0 or spans[i - 1][1] <= d.start) and (i == len(spans) or d.end <= spans[i][0])
        if free:
            spans.insert(i, (d.start, d.end))
            result.append(d)
    return result


def det(trials, n, false_scores, hours, limit=math.inf):
    """[(false alarms an hour, share missed)], the strictest threshold first. There are n
    occurrences with their trials; `hours` (times labels) of background gave false scores, all below
    `limit`. A point accepts all scores better than the next false alarm, or than the limit."""
    false = sorted(false_scores)
    hits = sorted(t.score for t in trials if t.hit)
    return [(k / hours, 1 - bisect.bisect_left(hits, score) / n)
            for k, score in enumerate(false + [limit])]


def miss_at(points, rate):
    """The least share missed at no more than `rate` false alarms an hour."""
    return min(miss for false, miss in points if false <= rate + 1e-12)


def poisson_interval(count):
    """The 95 % interval of a number of events of which `count` were seen, exact (Garwood 1936)."""
    def at_most(k, mean):
        return math.fsum(math.exp(i * math.log(mean) - mean - math.lgamma(i + 1))
                         for i in range(k + 1))

    def solve(k, share):
        low, high = 1e-12, 10 + 4 * count
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if at_most(k, middle) > share else (low, middle)
        return low
    return (solve(count - 1, 0.975) if count else 0.0), solve(count, 0.025)


def share_interval(hits, n):
    """The 95 % interval of a share of which hits of n were seen (Wilson 1927)."""
    z = 1.959964
    middle = (hits + z * z / 2) / (n + z * z)
    reach = z / (n + z * z) * math.sqrt(hits * (n - hits) / n + z * z / 4)
    return max(0.0, middle - reach), min(1.0, middle + reach)
