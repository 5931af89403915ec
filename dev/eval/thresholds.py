"""thresholds.py - what is found at the thresholds that a user has: estimated by the program, one
for all voices, one for each; and calibrated in one voice's speech, counted in another's.
"""
import math
import statistics
from collections import defaultdict, namedtuple

import collection
import figures
import kept
import page
import program
from report import number

# One choice of templates in one stream. takes: the column of its templates. trials: of a search
# that accepts everything, judged. auto: (hits, false) at the estimated thresholds.
Case = namedtuple('Case', 'takes speaker noise trials auto n')

# Rows of the table: whose cases share a threshold.
SHARED = {'one for all': lambda case: (), 'best by voice': lambda case: case.speaker,
          'best by voice and noise': lambda case: (case.speaker, case.noise)}

RATE = 1  # false alarms an hour that a calibration wants


def counted(trials, threshold=math.inf):
    """(hits, false) at the threshold."""
    accepted = [t.hit for t in trials if t.score <= threshold]
    return sum(accepted), len(accepted) - sum(accepted)


def best_thresholds(cases, key):
    """{key: the threshold of the best F1 of all cases with that key}."""
    groups = defaultdict(list)
    for case in cases:
        groups[key(case)].append(case)
    return {k: figures.best_f1([t for c in of for t in c.trials], sum(c.n for c in of))[1]
            for k, of in groups.items()}


def f1_of(counts):
    """Of all cases together; counts: [(case, (hits, false))]."""
    return figures.f1_of(sum(hits for _, (hits, _) in counts),
                         sum(false for _, (_, false) in counts), sum(c.n for c, _ in counts))


class Searches:
    """Judged and counted searches by the program, whose results are kept."""

    def __init__(self, sigrep, front_end, known, work):
        self.sigrep, self.front_end, self.known, self.work = sigrep, front_end, known, work

    def value(self, what, templates, paths, make):
        tools = [kept.digest(program.companion(self.sigrep, t)) for t in ('train', 'calibrate')]
        return self.known.value([what, self.front_end, tools, kept.digests(templates),
                                 [kept.digest(p) for p in paths]], make)

    def auto(self, templates, path):
        """As a user does: one take of a label is given, several become a bundle."""
        if len({label for label, _ in templates}) == len(templates):
            return program.search_auto(self.sigrep, self.front_end, templates, path)
        bundle = self.new_bundle(templates)
        return program.search_bundle(self.sigrep, bundle, path)

    def new_bundle(self, templates, *more):
        name = kept.hashed([kept.digests(templates), self.front_end, *map(str, more)])
        bundle = self.work / f'{name}.sigrep'
        program.train(self.sigrep, self.front_end, templates, bundle)
        return bundle

    def case(self, takes, speaker, noise, templates, sound):
        def make():
            everything = program.search(self.sigrep, self.front_end, templates, sound.path)
            auto = figures.judge(self.auto(templates, sound.path), sound.occurrences)
            return [figures.judge(everything, sound.occurrences), counted(auto)]
        trials, auto = self.value(['case', sound.occurrences], templates, [sound.path], make)
        return Case(takes, speaker, noise, [figures.Trial(*t) for t in trials], tuple(auto),
                    len(sound.occurrences))

    def alarms(self, templates, background, threshold):
        """How many at the threshold; None: at the estimated ones."""
        def make():
            if threshold is None:
                return len(self.auto(templates, background.path))
            return len(program.search(self.sigrep, self.front_end, templates, background.path,
                                      threshold))
        return self.value(['alarms', threshold], templates, [background.path], make)

    def calibrated(self, templates, here, there, sounds):
        """Calibrated in the speech `here`: {label: alarms in the speech `there`}, and the words
        missed in each of `sounds`."""
        def make():
            bundle = self.new_bundle(templates, here.path, there.path)
            program.calibrate(self.sigrep, bundle, here.path, RATE)
            alarms = {label: 0 for label, _ in templates}
            for d in program.search_bundle(self.sigrep, bundle, there.path):
                alarms[d.label] += 1
            hits = [sum(t.hit for t in figures.judge(
                program.search_bundle(self.sigrep, bundle, s.path), s.occurrences))
                    for s in sounds]
            return [alarms, [len(s.occurrences) - n for s, n in zip(sounds, hits)]]
        return self.value(['calibrated', [s.occurrences for s in sounds]], templates,
                          [here.path, there.path, *(s.path for s in sounds)], make)


def rows_of(cases, front_end, takes, noises, alarms):
    """The lines of a table, one a kind of threshold. alarms: {(kind, speaker): [counts an hour and
    word]}."""
    def line(kind, counts):
        rates = [rate for (k, _), of in alarms.items() if k == kind for rate in of]
        return [front_end, takes, kind,
                *(number(f1_of([c for c in counts if c[0].noise == n])) for n in noises),
                number(f1_of(counts)), f'{statistics.fmean(rates):.1f}' if rates else '-']
    lines = [line('auto', [(c, c.auto) for c in cases])]
    for kind, key in SHARED.items():
        best = best_thresholds(cases, key)
        lines.append(line(kind, [(c, counted(c.trials, best[key(c)])) for c in cases]))
    return lines


def threshold_table(pool, searches, takes, sounds, background):
    """takes: a Collection. sounds: {(noise, speaker): [Sound]}. background: a Sound or None."""
    noises = list(dict.fromkeys(noise for noise, _ in sounds))
    sets = {s: takes.templates(s) for s in takes.speakers}
    body = []
    for one in searches:
        for column in sets[takes.speakers[0]]:
            cases = [f.result() for f in
                     [pool.submit(one.case, column, speaker, noise, templates, sound)
                      for (noise, speaker), of in sounds.items() for sound in of
                      for templates in sets[speaker][column]]]
            alarms = {}
            if background:
                per = background.seconds / 3600 * len(takes.labels)
                voice, every = (best_thresholds(cases, SHARED[kind])
                                for kind in ('best by voice', 'one for all'))
                asked = {(kind, s): threshold for s in takes.speakers for kind, threshold in
                         (('auto', None), ('one for all', every[()]), ('best by voice', voice[s]))}
                found = {(kind, s): [pool.submit(one.alarms, templates, background, threshold)
                                     for templates in sets[s][column]]
                         for (kind, s), threshold in asked.items()}
                alarms = {k: [f.result() / per for f in of] for k, of in found.items()}
            body += rows_of(cases, one.front_end, column, noises, alarms)
    head = ['front end', 'templates', 'threshold', *noises, 'all', 'false alarms']
    return page.table(head, body)


def share_of(values, share):
    """The least value that so many of the values do not exceed."""
    return sorted(values)[math.ceil(share * len(values)) - 1]


def calibrated_sets(takes):
    """{column: {speaker: templates}}: all takes of the speaker, and of all others."""
    own, others = {}, {}
    for speaker in takes.speakers:
        sets = takes.templates(speaker, 'too')
        others[speaker] = [t for choice in sets.pop('other voices', []) for t in choice]
        own[speaker] = list(sets.values())[-1][0]
    return {'own takes': own, "others' takes": others} if len(own) > 1 else {'own takes': own}


def calibration_table(pool, searches, takes, sounds, places):
    """A line for each speaker, and whose takes are the bundle, which is calibrated in each place and
    counted in each other one. places: [Sound]."""
    noises = list(dict.fromkeys(noise for noise, _ in sounds))
    pairs = [(a, b) for a in places for b in places if a != b]

    def line(one, column, speaker, templates):
        streams = [sounds[noise, speaker][0] for noise in noises]
        found = [f.result() for f in [pool.submit(one.calibrated, templates, a, b, streams)
                                      for a, b in pairs]]
        rates = [count / (there.seconds / 3600) for (_, there), (alarms, _) in
                 zip(pairs, found) for count in alarms.values()]
        missed = [statistics.fmean(misses[i] for _, misses in found)
                  / len(stream.occurrences) for i, stream in enumerate(streams)]
        return [one.front_end, column, speaker, f'{statistics.fmean(rates):.1f}',
                f'{statistics.median(rates):.1f}', f'{share_of(rates, 0.9):.1f}',
                *(number(m, 2) for m in missed)]

    body = [line(one, column, speaker, templates) for one in searches
            for column, of in calibrated_sets(takes).items() for speaker, templates in of.items()]
    head = ['front end', 'templates', 'speaker', 'mean', 'median', 'nine words of ten',
            *(f'missed: {noise}' for noise in noises)]
    return page.table(head, body)


def tables(pool, options, takes, sounds, known, scratch):
    """The text of the page's part."""
    searches = [Searches(options.sigrep, name, known, scratch) for name in options.front_ends]
    background, places = None, []
    if options.background:
        background = collection.join_background(scratch / 'all.wav', options.background)
        places = [collection.join_background(scratch / f'place {i}.wav', [place])
                  for i, place in enumerate(options.background)]
    text = ['F1 of all voices together, by noise and in all; false alarms an hour and word in '
            'the background:', '',
            *threshold_table(pool, searches, takes, sounds, background)]
    if len(places) > 1:
        text += [f'Calibrated for {RATE} false alarm an hour in one voice of the background, '
                 'counted in another:', 'false alarms an hour and word, and the share missed:', '',
                 *calibration_table(pool, searches, takes, sounds, places)]
    return '\n'.join(text)
