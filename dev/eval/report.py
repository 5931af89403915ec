"""report.py - results as tables in Markdown, as JSON and as a picture (SVG).

Rows are {(front end, noise, speaker): {column: [Result]}}.
"""
import json
import math

import figures
import page
from measure import RATES, mean, mean_miss


def number(x, digits=3):
    """.901, without the 0."""
    return f'{x:.{digits}f}'.removeprefix('0')


def map_and_f1(cells):
    """Of each column, one after the other."""
    return '; '.join(f"{number(mean(results, 'map'))} / {number(mean(results, 'f1'))}"
                     for results in cells.values())


def main_table(rows):
    """A line for each front end and noise, a column for each speaker."""
    speakers = list(dict.fromkeys(speaker for _, _, speaker in rows))
    lines = list(dict.fromkeys(key[:2] for key in rows))
    return page.table(['front end', 'noise', *speakers],
                      [[*line, *(map_and_f1(rows[(*line, s)]) if (*line, s) in rows else ''
                                 for s in speakers)] for line in lines])


def lines_of(rows):
    return [(*key, column, results) for key, cells in rows.items()
            for column, results in cells.items()]


def detail_table(rows):
    """The share of occurrences that each search with a background misses."""
    with_misses = any(r.det for *_, results in lines_of(rows) for r in results)
    head = ['front end', 'noise', 'speaker', 'templates', 'from', 'to', 'threshold', 'MTWV']
    if with_misses:
        head += [f'missed at {rate:g} an hour (95 %)' for rate in RATES]
    body = []
    for *key, results in lines_of(rows):
        maps = [r.map for r in results]
        cells = [*key, number(min(maps)), number(max(maps)), number(mean(results, 'threshold')),
                 number(mean(results, 'mtwv'))]
        if with_misses:
            cells += [missed(results, rate) for rate in RATES]
        body.append(cells)
    return page.table(head, body)


def missed(results, rate):
    """.123 (.10 to .15), the interval for the occurrences of one search."""
    if not all(r.det for r in results):
        return ''
    share, n = mean_miss(results, rate), results[0].n
    low, high = figures.share_interval(round(share * n), n)
    return f'{number(share)} ({number(low, 2)} to {number(high, 2)})'


def span(values, digits=3):
    """.872 to .939: from the least to the greatest."""
    low, high = (number(v, digits) for v in (min(values), max(values)))
    return low if low == high else f'{low} to {high}'


def by_voices(rows, names):
    """{noise: {(front end, column): [one search's results for each speaker]}}."""
    found = {}
    for front_end, noise, _, column, results in lines_of(rows):
        if front_end in names:
            found.setdefault(noise, {}).setdefault((front_end, column), []).append(results)
    return found


def brief_table(voices):
    """A line for each front end and kind of templates, over all speakers."""
    head = ['front end', 'templates', 'mAP', 'F1', 'threshold']
    body = [[*key, *(span([mean(r, what) for r in of]) for what in ('map', 'f1')),
             span([mean(r, 'threshold') for r in of], 2)] for key, of in voices.items()]
    return page.table(head, body)


def growth_chart(noise, voices):
    """A bar for each kind of templates of the first front end: its worst voice."""
    name = next(iter(voices))[0]
    worst = {(column,): min(mean(r, 'f1') for r in of)
             for (front_end, column), of in voices.items() if front_end == name}
    bars = [(key, f1, number(f1)) for key, f1 in sorted(worst.items(), key=lambda bar: bar[1])]
    return page.chart(f'F1 of the worst voice by {name}, {noise}', bars, 1)


def brief(rows, names):
    """The figures of the worst and the best voice, and a chart of the last noise."""
    text = []
    for noise, voices in by_voices(rows, names).items():
        text += [f'Under noise, {noise}:', '', *brief_table(voices)]
    return '\n'.join([*text, *growth_chart(noise, voices)])


def heard_words(background, labels):
    """The 95 % interval of a rate of false alarms."""
    hours = background.seconds / 3600
    told = []
    for rate in RATES:
        count = int(rate * hours * labels)
        low, high = figures.poisson_interval(count)
        told.append(f'{rate:g} an hour and label are {count}, so that the true rate lies between '
                    f'{low / hours / labels:.2f} and {high / hours / labels:.2f} (95 %)')
    return (f'Background: {hours:.2f} hours, {hours * labels:.1f} hours times labels. There '
            + '; '.join(told) + '.')


def as_text(rows, background=None):
    labels = len(next(r.words for *_, results in lines_of(rows) for r in results))
    columns = '; '.join(dict.fromkeys(c for cells in rows.values() for c in cells))
    text = [f'mAP / F1, of {columns}:', '', *main_table(rows),
            'mAP of the worst and the best choice of templates, threshold of the best F1, MTWV'
            + (', share missed at a rate of false alarms (an hour and label) in the background:'
               if background else ':'), '', *detail_table(rows)]
    if background:
        text += [heard_words(background, labels), '']
    off = [abs(r.f1 - r.curve_f1) for *_, results in lines_of(rows) for r in results]
    text += [f'F1 with -t is at most {max(off):.4f} from that of the curve, {len(off)} searches.']
    return '\n'.join(text) + '\n'


def as_json(rows, background=None):
    return json.dumps({
        'background_hours': background.seconds / 3600 if background else 0,
        'results': [{'front_end': f, 'noise': n, 'speaker': s, 'templates': column,
                     'searches': [r._asdict() for r in results]}
                    for f, n, s, column, results in lines_of(rows)]}, indent=1) + '\n'


# ---- The picture: misses over false alarms, an hour and label, both logarithmic ------------

WIDTH, HEIGHT, EDGE = 640, 420, 60
FALSE, MISS = (0.05, 20.0), (0.01, 1.0)
COLOURS = ('#1b6ca8', '#d1495b', '#3a7d44', '#8d6a9f', '#c77d0a', '#444444')


def place(value, span, length):
    low, high = (math.log10(v) for v in span)
    inside = min(max(value, span[0]), span[1])
    return (math.log10(inside) - low) / (high - low) * length


def spot(false, miss):
    return (f'{EDGE + place(false, FALSE, WIDTH - 2 * EDGE):.1f},'
            f'{HEIGHT - EDGE - place(miss, MISS, HEIGHT - 2 * EDGE):.1f}')


def text_at(x, y, words, anchor='middle'):
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}">{words}</text>'


def axes():
    marks = []
    for rate in (0.1, 0.5, 1, 5, 10):
        x, y = spot(rate, MISS[0]).split(',')
        marks += [f'<path d="M{x},{y}V{EDGE}" class="grid"/>',
                  text_at(x, HEIGHT - EDGE + 16, f'{rate:g}')]
    for miss in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1):
        x, y = spot(FALSE[0], miss).split(',')
        marks += [f'<path d="M{x},{y}H{WIDTH - EDGE}" class="grid"/>',
                  text_at(EDGE - 6, y, f'{miss:g}', 'end')]
    marks += [text_at(WIDTH / 2, HEIGHT - 16, 'false alarms an hour and label'),
              text_at(EDGE, EDGE - 16, 'share of the occurrences that is missed', 'start')]
    return marks


def as_svg(rows):
    """A curve for every line of the table whose first search has a background."""
    curves = [(*key, results[0].det) for *key, results in lines_of(rows) if results[0].det]
    drawn = []
    for i, (front_end, noise, speaker, column, points) in enumerate(curves):
        colour = COLOURS[i % len(COLOURS)]
        path = ' '.join(spot(*p) for p in points)
        drawn += [f'<polyline points="{path}" stroke="{colour}" fill="none"/>',
                  f'<text x="{WIDTH + 8}" y="{EDGE + 16 * i}" fill="{colour}">'
                  f'{front_end}, {noise}, {speaker}, {column}</text>']
    height = max(HEIGHT, EDGE + 16 * len(curves) + EDGE)
    return '\n'.join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH + 360}" height="{height}" '
        'font-family="sans-serif" font-size="12">',
        '<style>.grid { stroke: #ddd; fill: none }</style>', *axes(), *drawn, '</svg>', ''])
