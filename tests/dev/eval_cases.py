"""eval_cases.py - hand-made cases for dev/eval; tests/dev/eval runs them."""
import math
import os
import pathlib
import random
import sys
import tempfile

DEV = pathlib.Path(__file__).resolve().parents[2] / 'dev'
sys.path.insert(0, str(DEV / 'eval'))
import collection  # noqa: E402
import figures  # noqa: E402
import page  # noqa: E402
import report  # noqa: E402
import streams  # noqa: E402
import thresholds  # noqa: E402
from measure import Result  # noqa: E402
from figures import Detection, Occurrence, Point, Trial  # noqa: E402
from run_all import run_all  # noqa: E402

ONE_TWO_ONE = [Occurrence('1', 0, 1), Occurrence('2', 1, 2), Occurrence('1', 2, 3)]


def near(a, b):
    assert math.isclose(a, b, abs_tol=1e-12), f'{a}, not {b}'


def equal(a, b):
    assert a == b, f'{a}, not {b}'


def trials(marks):
    """'+-+': a hit, a false one, a hit, of ever higher scores, label '1'."""
    return [Trial(score, '1', mark == '+') for score, mark in enumerate(marks)]


def the_middle_decides():
    def hits(start, end, label='1'):
        return [t.hit for t in figures.judge([Detection(label, start, end, 7)], ONE_TWO_ONE)]
    equal(hits(0.2, 0.8), [True])
    equal(hits(-3, 4.9), [True])
    equal(hits(-0.5, 0.5), [True])  # 0 is inside
    equal(hits(0.5, 1.5), [False])  # 1 is not
    equal(hits(-1, 0.9), [False])
    equal(hits(1.2, 1.8), [False])  # another word
    equal(hits(1.2, 1.8, '2'), [True])
    equal(hits(1.2, 1.8, '3'), [False])


def only_the_best_in_an_occurrence_hits():
    found = [Detection('1', 0.0, 0.4, 5), Detection('1', 0.5, 0.9, 3), Detection('1', 2, 3, 4)]
    equal(figures.judge(found, ONE_TWO_ONE),
          [Trial(3, '1', True), Trial(4, '1', True), Trial(5, '1', False)])
    equal(figures.judge(found[::-1], ONE_TWO_ONE), figures.judge(found, ONE_TWO_ONE))
    equal(figures.judge([], ONE_TWO_ONE), [])


def equal_scores_are_one_point():
    mixed = [Trial(2, '1', True), Trial(1, '1', False), Trial(2, '1', False), Trial(2, '1', True)]
    equal(figures.curve(mixed), [Point(1, 0, 1), Point(2, 2, 2)])
    equal(figures.curve([]), [])
    near(figures.average_precision(mixed, 2), 0.5)


def average_precision_by_hand():
    near(figures.average_precision(trials('++'), 2), 1)
    near(figures.average_precision(trials('++----'), 2), 1)
    near(figures.average_precision(trials('+-+'), 2), (1 + 2 / 3) / 2)
    near(figures.average_precision(trials('-+'), 1), 1 / 2)
    near(figures.average_precision(trials('+-+'), 4), (1 + 2 / 3) / 4)  # two are never found
    near(figures.average_precision(trials('--'), 3), 0)
    near(figures.average_precision([], 3), 0)


def each_label_has_its_own():
    of_both = trials('+-+') + [Trial(0.5, '2', False), Trial(1.5, '3', False)]
    got = figures.average_precisions(of_both, ONE_TWO_ONE)
    equal(sorted(got), ['1', '2'])
    near(got['1'], (1 + 2 / 3) / 2)
    near(got['2'], 0)


def f1_by_hand():
    near(figures.f1_of(3, 1, 4), 2 * (3 / 4) * (3 / 4) / (3 / 4 + 3 / 4))
    near(figures.f1_of(0, 0, 4), 0)
    equal(figures.best_f1(trials('++-+'), 4), (figures.f1_of(3, 1, 4), 3))
    equal(figures.best_f1(trials('+--'), 1), (1.0, 0))
    equal(figures.best_f1(trials('--'), 1), (0.0, None))
    equal(figures.best_f1([], 1), (0.0, None))


def term_weighted_value_by_hand():
    """Two labels, 2 and 1 occurrences; a false alarm of '1' costs beta / (T - 2) / 2."""
    t = 2 + 999.9 * 10
    cost = 1 / 10 / 2
    found = [Trial(1, '1', True), Trial(2, '1', False), Trial(3, '2', True)]
    near(figures.mtwv(found, ONE_TWO_ONE, t), 1 / 4 - cost + 1 / 2)
    near(figures.mtwv(found[:2], ONE_TWO_ONE, t), 1 / 4)
    near(figures.mtwv(found[1:2], ONE_TWO_ONE, t), 0)
    near(figures.mtwv(found[::2] + [Trial(4, '1', True)], ONE_TWO_ONE, t), 1)


def false_alarms_cost_where_words_come_faster_than_seconds():
    """Two occurrences in two seconds: their cost was negative, or a division by zero."""
    near(figures.mtwv([Trial(1, '1', False), Trial(2, '1', True)], ONE_TWO_ONE[::2], 2), 0)
    near(figures.mtwv([Trial(1, '1', False), Trial(2, '1', True)], ONE_TWO_ONE[::2], 1), 0)
    near(figures.mtwv([Trial(1, '1', True)], ONE_TWO_ONE[::2], 1), 1 / 2)


def takes_of_a_label_are_one_by_the_best():
    found = [Detection('1', 0, 2, 5), Detection('1', 1, 3, 4), Detection('1', 3, 4, 9),
             Detection('2', 1, 3, 6), Detection('1', 2.5, 3.5, 8), Detection('1', 0.5, 1, 7)]
    equal(figures.disjoint(found), [Detection('1', 1, 3, 4), Detection('2', 1, 3, 6),
                                    Detection('1', 0.5, 1, 7), Detection('1', 3, 4, 9)])
    equal(figures.disjoint(found[::-1]), figures.disjoint(found))
    equal(figures.disjoint([]), [])


def det_by_hand():
    """Hits at 0, 2, 4 of 4; false alarms at 1 and 3 in two hours."""
    points = figures.det(trials('+-+-+'), 4, [3, 1], 2)
    equal(points, [(0, 3 / 4), (0.5, 2 / 4), (1, 1 / 4)])
    near(figures.miss_at(points, 0.4), 3 / 4)
    near(figures.miss_at(points, 0.5), 2 / 4)
    near(figures.miss_at(points, 7), 1 / 4)
    equal(figures.det(trials('+'), 1, [0], 1), [(0, 1), (1, 0)])  # an equal score is not better
    equal(figures.det([], 4, [], 2), [(0, 1)])
    equal(figures.det(trials('+-+'), 2, [], 1, 1), [(0, 1 / 2)])


def intervals_as_in_tables():
    """Garwood's of 0 and 10 events (Poisson tables: 3.689; 4.795, 18.390); Wilson's of 0 of 10 and
    8 of 10 (0.2775; 0.4902, 0.9433)."""
    for got, wanted in ((figures.poisson_interval(0), (0, 3.689)),
                        (figures.poisson_interval(10), (4.795, 18.390)),
                        (figures.share_interval(0, 10), (0, 0.2775)),
                        (figures.share_interval(8, 10), (0.4902, 0.9433))):
        assert all(abs(a - b) < 6e-4 for a, b in zip(got, wanted)), (got, wanted)


def ends_of_intervals_are_rounded():
    """Not cut: of 4 missed of 200 the interval is .0078 to .0503."""
    result = Result({}, 0, 0, 0, 0, 0, {1: 4 / 200}, [(0, 1)], 200)
    equal(report.missed([result], 1), '.020 (.01 to .05)')
    result = result._replace(misses={1: 200 / 200})
    equal(report.missed([result], 1), '1.000 (.98 to 1.00)')


def brief_tables_have_the_worst_and_the_best_voice():
    def result(score, f1):
        return Result({}, score, f1, f1, 5.125, 0, {0.5: 1, 1: 1}, [(0, 1)], 10)
    rows = {('speech', 'hiss', 'a'): {'1 take': [result(0.5, 0.25), result(0.7, 0.75)]},
            ('speech', 'hiss', 'b'): {'1 take': [result(0.9, 0.8)]},
            ('another', 'hiss', 'a'): {'1 take': [result(1, 1)]}}
    equal(report.brief(rows, ['speech']).split('\n'), [
        'Under noise, hiss:', '',
        '| front end | templates | mAP          | F1           | threshold |',
        '| --------- | --------- | ------------ | ------------ | --------- |',
        '| speech    | 1 take    | .600 to .900 | .500 to .800 | 5.12      |', '',
        '```', 'F1 of the worst voice by speech, hiss', '', '1 take  #################### .500',
        '```', ''])


def a_bundle_of_others_has_no_take_of_the_speaker():
    with tempfile.TemporaryDirectory() as name:
        for label in 'up', 'down':
            for speaker in 'xyz':
                for index in range(6):
                    (pathlib.Path(name) / f'{label}_{speaker}_{index}.wav').touch()
        sets = thresholds.calibrated_sets(collection.Collection(name))
        for column, speakers in ('own takes', 'x'), ("others' takes", 'yz'):
            there = [path.stem.split('_')[1] for _, path in sets[column]['x']]
            equal(sorted(there), sorted(speakers * 2 * 5))


def a_part_of_a_page_is_replaced_between_its_marks():
    text = 'a\n<!-- x: begin -->\nold\n<!-- x: end -->\nb\n'
    equal(page.between_marks(text, 'x', 'new\n'),
          'a\n<!-- x: begin -->\n\nnew\n\n<!-- x: end -->\nb\n')
    for bad in text.replace('end', 'stop'), text + text, '<!-- x: end -->\n<!-- x: begin -->\n':
        try:
            page.between_marks(bad, 'x', 'new')
        except ValueError as e:
            equal(str(e), 'no part x between its two marks')
        else:
            raise AssertionError(f'{bad} was taken')


def a_stream_holds_its_takes_where_it_says():
    takes = [(str(i), [i / 8] * (800 + 80 * i)) for i in range(1, 6)]
    samples, occurrences = streams.join(takes, random.Random(3))
    equal(sorted(o.label for o in occurrences), list('12345'))
    silent = [True] * len(samples)
    before = 0
    for o in occurrences:
        begin, end = round(8000 * o.start), round(8000 * o.end)
        equal(samples[begin:end], dict(takes)[o.label])
        assert 400 <= begin - before <= 3200, (begin, before)
        silent[begin:end] = [False] * (end - begin)
        before = end
    assert not any(x for x, s in zip(samples, silent) if s)
    equal(streams.join(takes, random.Random(3)), (samples, occurrences))


def noise_is_as_loud_as_asked():
    clean = streams.Stream([0.0] * 500 + [0.5, -0.5] * 500 + [0.0] * 700,
                           [Occurrence('1', 500 / 8000, 1500 / 8000)])
    noisy = streams.with_noise(clean, [1.0, -2.0, 3.0], 10)
    equal(len(noisy.samples), 2200)
    noise = [a - b for a, b in zip(noisy.samples, clean.samples)]
    assert abs(10 * math.log10(0.25 / streams.power(noise)) - 10) < 0.01
    near(noise[4] / noise[3], -2)


def decimation_keeps_what_fits_and_no_more():
    def wave(hz, rate, n):
        return [math.sin(2 * math.pi * hz * t / rate) for t in range(n)]
    got = streams.decimate(wave(500, 16000, 2000), 2)
    equal(len(got), 1000)
    off = [abs(a - b) for a, b in zip(got, wave(500, 8000, 1000))][50:-50]
    assert max(off) < 0.01, max(off)
    assert max(map(abs, streams.decimate(wave(5500, 16000, 2000), 2)[50:-50])) < 0.01


def wav_files_come_back():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'a.wav')
        streams.write_wav(path, [0.25, -1.0, 2.0, -2.0])
        equal(streams.read_wav(path), ([0.25, -1.0, 32767 / 32768, -1.0], 8000))
        for bad in (b'', b'RIFF', b'no sound at all, but long enough for a header, or is it?'):
            pathlib.Path(path).write_bytes(bad)
            try:
                streams.read_wav(path)
            except ValueError as e:
                assert path in str(e)
            else:
                raise AssertionError(f'{bad} was read')


def case(speaker, noise, marks, shift, auto=(0, 0)):
    """Trials as marks say, at scores from `shift` on; two words."""
    moved = [t._replace(score=t.score + shift) for t in trials(marks)]
    return thresholds.Case('1 take', speaker, noise, moved, auto, 2)


def a_threshold_is_shared_by_the_cases_of_its_key():
    cases = [case('a', 'hiss', '++-', 0), case('b', 'hiss', '++-', 10)]
    equal(thresholds.best_thresholds(cases, lambda c: c.speaker), {'a': 1, 'b': 11})
    equal(thresholds.best_thresholds(cases, lambda c: ()), {(): 11})
    near(thresholds.f1_of([(c, thresholds.counted(c.trials, 11)) for c in cases]), 8 / 9)
    near(thresholds.f1_of([(c, thresholds.counted(c.trials, -1)) for c in cases]), 0)


def a_row_has_each_noise_and_all_of_them():
    cases = [case('a', 'hiss', '++-', 0, (2, 0)), case('a', 'hum', '-++', 0, (0, 2))]
    lines = thresholds.rows_of(cases, 'speech', '1 take', ['hiss', 'hum'],
                               {('auto', 'a'): [1, 2], ('one for all', 'a'): [4]})
    equal(lines[0], ['speech', '1 take', 'auto', '1.000', '.000', '.500', '1.5'])
    equal(lines[1], ['speech', '1 take', 'one for all', '.800', '.800', '.800', '4.0'])
    equal(lines[3][2:], ['best by voice and noise', '1.000', '.800', '.889', '-'])


def nine_of_ten_are_not_above():
    equal(thresholds.share_of(range(10), 0.9), 8)
    equal(thresholds.share_of([3, 1, 2], 0.9), 3)
    equal(thresholds.share_of([5], 0.5), 5)


TESTS = [
    the_middle_decides,
    only_the_best_in_an_occurrence_hits,
    equal_scores_are_one_point,
    average_precision_by_hand,
    each_label_has_its_own,
    f1_by_hand,
    term_weighted_value_by_hand,
    false_alarms_cost_where_words_come_faster_than_seconds,
    takes_of_a_label_are_one_by_the_best,
    det_by_hand,
    intervals_as_in_tables,
    ends_of_intervals_are_rounded,
    brief_tables_have_the_worst_and_the_best_voice,
    a_threshold_is_shared_by_the_cases_of_its_key,
    a_row_has_each_noise_and_all_of_them,
    nine_of_ten_are_not_above,
    a_bundle_of_others_has_no_take_of_the_speaker,
    a_part_of_a_page_is_replaced_between_its_marks,
    a_stream_holds_its_takes_where_it_says,
    noise_is_as_loud_as_asked,
    decimation_keeps_what_fits_and_no_more,
    wav_files_come_back,
]


def main():
    tests, skipped = list(TESTS), 0
    try:
        import eval_numpy
        tests += eval_numpy.TESTS
    except ImportError:
        print('SKIP eval_numpy: numpy is not installed')
        skipped += 1
    import eval_tool
    if eval_tool.SIGREP.exists():
        tests += eval_tool.TESTS
    else:
        print(f'SKIP eval_tool: {eval_tool.SIGREP} has not been built')
        skipped += 1
    return run_all(tests, skipped)


if __name__ == '__main__':
    sys.exit(main())
