"""eval_tool.py - tests/dev/eval_cases.py runs these where the program has been built: dev/eval/sigrep-eval from
end to end, on words that are made here (sweeps that go up or down)."""
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'dev' / 'eval'))
import collection  # noqa: E402
import figures  # noqa: E402
import measure  # noqa: E402
import streams  # noqa: E402

SIGREP = pathlib.Path(os.environ.get('BUILD', ROOT / 'build')) / 'sigrep'


def word(rises, dice):
    n, phase, samples = round(8000 * dice.uniform(0.35, 0.5)), 0, []
    for t in range(n):
        part = t / n if rises else 1 - t / n
        phase += 2 * math.pi * (400 + 2000 * part * part) / 8000
        samples.append(0.3 * math.sin(math.pi * t / n) * (math.sin(phase) + dice.gauss(0, 0.02)))
    return samples


def make_takes(folder, speakers=('x',), takes=7):
    dice = random.Random(4)
    for speaker in speakers:
        for take in range(takes):
            for label in ('up', 'down'):
                streams.write_wav(folder / f'{label}_{speaker}_{take}.wav',
                                  word(label == 'up', dice))


def run(*words, status=0):
    done = subprocess.run([sys.executable, ROOT / 'dev/eval/sigrep-eval', *map(str, words)],
                          capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    return done.stdout if status == 0 else done.stderr


def takes_are_found_in_their_streams():
    with tempfile.TemporaryDirectory() as name:
        folder, hiss = pathlib.Path(name), pathlib.Path(name) / 'hiss.wav'
        make_takes(folder)
        dice = random.Random(5)
        streams.write_wav(hiss, [dice.gauss(0, 0.01) for _ in range(80000)])
        told = json.loads(run('takes', folder, '--sigrep', SIGREP, '--background', hiss, '-o', 'json',
                              '--svg', folder / 'det.svg'))
        assert abs(told['background_hours'] - 10 / 3600) < 1e-9
        assert [r['templates'] for r in told['results']] == ['1 take', '5 takes']
        for r in told['results']:
            assert len(r['searches']) == (5 if r['templates'] == '1 take' else 1)
            for s in r['searches']:
                assert s['n'] == 4 and s['map'] == 1 and s['f1'] == s['curve_f1'] == 1
                assert set(s['words']) == {'up', 'down'} and set(s['misses']) == {'0.5', '1'}
        root = xml.etree.ElementTree.parse(folder / 'det.svg').getroot()
        assert len(root.findall('{http://www.w3.org/2000/svg}polyline')) == 2


def thresholds_of_a_user_are_measured():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_takes(folder, ('x', 'y'))
        dice = random.Random(7)
        for place in 'here', 'there':
            streams.write_wav(folder / f'{place}.wav', [dice.gauss(0, 0.01) for _ in range(240000)])
        places = [word for place in ('here', 'there')
                  for word in ('--background', folder / f'{place}.wav')]
        given = ('thresholds', folder, '--sigrep', SIGREP, '--keep', folder / 'kept')
        told = run(*given, '--noise', folder / 'here.wav', *places)
        lines = [[c.strip() for c in line.split('|')[1:-1]] for line in told.splitlines()]
        rows = {tuple(cells[1:3]): cells[3:] for cells in lines if len(cells) == 7}
        assert rows['templates', 'threshold'][:2] == ['white, 20 dB', 'here, 10 dB'], told
        for takes in '1 take', '5 takes':
            assert rows[takes, 'best by voice and noise'] == ['1.000'] * 3 + ['-'], told
            assert rows[takes, 'one for all'][3] == '0.0', told
            assert float(rows[takes, 'auto'][2]) > 0.5, told
        missed = {(c[1], c[2]): c[6:] for c in lines if c[2:3] in (['x'], ['y'])}
        assert set(missed) == {(c, s) for c in ('own takes', "others' takes") for s in 'xy'}, told
        assert missed['own takes', 'x'] == missed['own takes', 'y'] == ['.00', '.00'], told
        assert run(*given, '--noise', folder / 'here.wav', *places) == told
        told = run(*given)
        assert 'Calibrated' not in told and '| 1.000 | -            |' in told, told


def strangers_may_be_the_only_templates():
    with tempfile.TemporaryDirectory() as name:
        make_takes(pathlib.Path(name), ('x', 'y', 'z'), 2)
        told = json.loads(run('takes', name, '--sigrep', SIGREP, '-o', 'json', '--templates', '0-0',
                              '--stream', '1-1', '--strangers', 'only'))
        searches = {(r['speaker'], r['templates']): len(r['searches']) for r in told['results']}
        assert searches == {(s, c): n for s in 'xyz' for c, n in
                            (('1 other voice', 2), ('other voices', 1))}, searches


def a_track_tells_where_words_are():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        dice = random.Random(6)
        make_takes(folder, takes=1)
        stream = streams.join([('up', word(True, dice)), ('down', word(False, dice))] * 2, dice)
        noisy = streams.with_noise(stream, streams.white_noise(len(stream.samples), dice), 20)
        streams.write_wav(folder / 'stream.wav', noisy.samples)
        lines = [f'{o.start}\t{o.end}\t{o.label}\n' for o in stream.occurrences]
        (folder / 'track.txt').write_text(''.join(lines) + '0\t0.1\tanother\n')
        given = 'track', folder / 'stream.wav', folder / 'track.txt', '--sigrep', SIGREP, '-o', 'json'
        told = json.loads(run(*given, '-e', f'up={folder}/up_x_0.wav', '-e',
                              f'down={folder}/down_x_0.wav'))
        (search,) = told['results'][0]['searches']
        assert search['n'] == 4 and search['map'] == 1 and search['misses'] == {}
        assert 'not all of left occur' in run(*given, '-e', f'left={folder}/up_x_0.wav', status=2)


def the_part_of_a_document_is_written_anew():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_takes(folder, takes=6)
        page = folder / 'page.md'
        page.write_text('a\n<!-- sigrep-eval: begin -->\nwhat was here\n<!-- sigrep-eval: end -->\nb\n')
        given = 'takes', folder, '--sigrep', SIGREP, '--into', page
        assert run(*given) == ''
        text = page.read_text()
        assert text.startswith('a\n<!--') and text.endswith('<!-- sigrep-eval: end -->\nb\n')
        assert 'what was here' not in text and '| speech ' in text
        page.write_text('a\n<!-- sigrep-eval: begin -->\n<!-- sigrep-eval: end -->\n')
        short = 'takes', folder, '--sigrep', SIGREP, '--brief', page
        assert '| speech' in run(*short)
        text = page.read_text()
        assert 'Under noise, white, 20 dB:' in text and 'F1 of the worst voice' in text
        page.write_text('no marks')
        assert 'no part sigrep-eval' in run(*short, status=2)
        assert 'no part sigrep-eval' in run(*given, status=2)
        assert page.read_text() == 'no marks'


def mistakes_are_told():
    with tempfile.TemporaryDirectory() as name:
        assert 'no recordings LABEL_SPEAKER_INDEX.wav' in run('takes', name, status=2)
        make_takes(pathlib.Path(name), takes=6)
        assert 'no recordings of nobody (of x)' in run('takes', name, '--speaker', 'nobody', status=2)
        assert 'not a WAV file' in run('takes', name, '--background', ROOT / 'README.md', status=2)
        assert 'no WAV files' in run('takes', name, '--background', ROOT / 'docs', status=2)


def a_speaker_without_a_stream_or_without_templates_is_told():
    for present in (range(5), range(5, 7)):
        with tempfile.TemporaryDirectory() as name:
            make_takes(pathlib.Path(name))
            for file in pathlib.Path(name).glob('*.wav'):
                if int(file.stem.split('_')[2]) not in present:
                    file.unlink()
            missing = 'from 5 to 999, of the stream' if present == range(5) else 'from 0 to 4, of the t'
            assert missing in run('takes', name, '--sigrep', SIGREP, status=2)


def a_run_that_was_broken_off_goes_on():
    with tempfile.TemporaryDirectory() as name:
        folder, kept = pathlib.Path(name), pathlib.Path(name) / 'kept'
        make_takes(folder)
        given = 'takes', folder, '--sigrep', SIGREP, '--keep', kept
        first = run(*given)
        files = sorted(kept.glob('*.json'))
        assert len(files) == 6  # five single takes, and all of them
        for file in files[1:]:
            file.unlink()
        known = json.loads(files[0].read_text())
        files[0].write_text(json.dumps({**known, 'map': 0.5}))
        assert run(*given) != first  # what is kept is believed
        files[0].unlink()
        assert run(*given) == first
        assert run(*given, '-p', 'mfcc') != first
        assert len(list(kept.glob('*.json'))) == 12


def other_takes_may_be_templates():
    with tempfile.TemporaryDirectory() as name:
        make_takes(pathlib.Path(name))
        given = 'takes', name, '--sigrep', SIGREP, '-o', 'json', '--seed', 2
        told = json.loads(run(*given, '--templates', '5-6', '--stream', '0-2'))
        assert [r['templates'] for r in told['results']] == ['1 take', '2 takes']
        assert all(s['n'] == 6 for r in told['results'] for s in r['searches'])
        assert 'cannot be a template and in the stream' in run(
            *given, '--templates', '0-4', '--stream', '4-6', status=2)
        told = json.loads(run(*given, '--templates', '3-3', '--stream', '0-2'))
        assert [r['templates'] for r in told['results']] == ['1 take']


def a_range_that_ends_before_it_begins_is_told():
    for bad in '5-3', '5', '1-x', '-1-2':
        told = run('takes', '.', f'--templates={bad}', status=2)
        assert f"'{bad}': not A-B, two numbers in order" in told, told


def a_word_that_the_stream_lacks_is_told():
    """There is no precision of it: it ended in a KeyError."""
    with tempfile.TemporaryDirectory() as name:
        make_takes(pathlib.Path(name))
        for take in 5, 6:
            (pathlib.Path(name) / f'down_x_{take}.wav').unlink()
        assert 'x needs takes of down from 5 to 999, of the stream' in run(
            'takes', name, '--sigrep', SIGREP, status=2)


def detections(*scores):
    return [figures.Detection('1', t, t + 1, score) for t, score in enumerate(scores)]


def a_better_value_beyond_what_the_background_was_searched_for_does_not_count():
    """Many hours make false alarms cheap; what follows the best F1 was not looked for there."""
    occurrences = [figures.Occurrence('1', t, t + 1) for t in range(5)]
    words = detections(0, 1, 2, 9, 9, *9 * [8])
    alarms = detections(*300 * [2.03])  # more than 1 an hour

    def search(_templates, path, threshold):
        return [d for d in (words if path == 'words' else alarms) if d.score <= threshold]
    got = measure.measure(search, [], collection.Sound('words', occurrences, 100),
                          collection.Sound('background', [], 1e6))
    assert got.threshold == 2 and abs(got.mtwv - 3 / 5) < 1e-9, got


def misses_at_a_rate_were_those_at_the_best_threshold_if_it_had_fewer_false_alarms():
    occurrences = [figures.Occurrence('1', t, t + 1) for t in range(5)]
    words = detections(0, 1, 2, 2.8, 9, *9 * [2.5])

    def search(_templates, path, threshold):
        found = words if path == 'words' else detections(3, 3.1)
        return [d for d in found if d.score <= threshold]
    got = measure.measure(search, [], collection.Sound('words', occurrences, 100),
                          collection.Sound('background', [], 3600))
    assert got.threshold == 2 and abs(got.misses[1] - 1 / 5) < 1e-9, got


TESTS = [takes_are_found_in_their_streams, thresholds_of_a_user_are_measured,
         strangers_may_be_the_only_templates, a_track_tells_where_words_are,
         the_part_of_a_document_is_written_anew, mistakes_are_told,
         a_speaker_without_a_stream_or_without_templates_is_told,
         a_run_that_was_broken_off_goes_on, other_takes_may_be_templates,
         a_range_that_ends_before_it_begins_is_told, a_word_that_the_stream_lacks_is_told,
         a_better_value_beyond_what_the_background_was_searched_for_does_not_count,
         misses_at_a_rate_were_those_at_the_best_threshold_if_it_had_fewer_false_alarms]
