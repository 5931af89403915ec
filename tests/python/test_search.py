"""test_search.py - what searches find, and how arrays get there."""
import gc
import os
import signal
import subprocess
import threading
import time
import wave
import weakref

import numpy as np
import pytest

import sigrep
from sigrep import _arrays
from signals import ROOT, SENSOR, bump, noise, pen


def test_search_finds_the_letters_that_the_program_finds():
    stream, letter = pen()
    found = sigrep.search(stream, {"G": letter}, rate=100, front_end="diff", threshold=3)
    command = ["sigrep", "--time-column", "1", "--columns", "2,3", "-p", "diff", "-t", "3", "-o",
               "csv", f"G={SENSOR / 'g.csv'}", str(SENSOR / "pen.csv")]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [line.split(",") for line in printed.splitlines()]
    columns = [rows[0].index(name) for name in ("label", "start_sample", "end_sample", "score")]
    assert len(found) == 15
    printed = [[row[c] for c in columns] for row in rows[1:]]
    assert [row[:3] for row in printed] == [
        [m["label"], str(m["start"]), str(m["end"])] for m in found]
    for row, score in zip(printed, found["score"]):  # rounded up
        assert score <= float(row[3]) < score * (1 + 2 ** -23)


def spoken():
    """A word, a stream that holds it, and their rate."""
    def read(name):
        with wave.open(str(ROOT / "examples" / "audio" / name)) as file:
            samples = np.frombuffer(file.readframes(file.getnframes()), "<i2")
            return samples.astype(np.float32) / 32768, file.getframerate()
    word, rate = read("manzana.wav")
    template = sigrep.Template(word, "apple", begin=int(1.3 * rate), end=int(1.9 * rate))
    return template, read("multiple_keywords_es.wav")[0], rate


def test_search_hears_the_word_that_the_program_hears():
    template, stream, rate = spoken()
    found = sigrep.search(stream, template, rate=rate, front_end="mfcc", threshold=3)
    assert found[["start", "end", "score"]].tolist() == [(84760, 94360, 0)]  # examples/audio


def test_margins_of_sounds_are_shares_of_the_level():
    template, stream, rate = spoken()
    options = dict(rate=rate, front_end="mfcc", threshold=9)
    plain = sigrep.search(stream, template, **options)
    found = sigrep.search(stream, template, margins=True, **options)
    names = list(found.dtype.names[:-1])
    assert np.isnan(plain["margin"]).all() and plain[names].tolist() == found[names].tolist()
    assert found["margin"].max() == 1  # of the word itself
    others = found[found["score"] > 0]
    levels = others["score"] / (1 - others["margin"])
    assert len(levels) > 1 and levels.min() > 0 and np.ptp(levels) < 1e-9


def literal_scores(stream, template):
    """D(m,t)/m by docs/SEMANTICS.md, a cell at a time."""
    column = np.full(len(template), np.inf, np.float32)
    rows = []
    for sample in stream:
        before = column.copy()
        for i, value in enumerate(template):
            best = min(before[i], column[i - 1], before[i - 1]) if i else np.float32(0)
            column[i] = np.abs(sample - value) + best
        rows.append(column[-1] / np.float32(len(template)))
    return np.array(rows, np.float32)


def test_scores_are_those_of_the_definition():
    stream = noise(300, copies=[100])
    scores = sigrep.scores(stream, bump())
    assert scores.shape == (300, 1) and scores.dtype == np.float32
    assert scores[:, 0].tobytes() == literal_scores(stream, bump()).tobytes()


def test_scores_need_no_threshold():
    flat = np.zeros(20, np.float32)  # none can be estimated from it
    scores = sigrep.scores(noise(400), flat)
    assert scores.tobytes() == sigrep.scores(noise(400), flat, threshold=50).tobytes()
    bundle = sigrep.train({"flat": [flat]})
    assert scores.tobytes() == sigrep.scores(noise(400), bundle).tobytes()
    seen = []
    sigrep.scores(noise(400, copies=[200]), 1.01 * bump(), on_match=seen.append)
    assert seen[0].threshold == sigrep.Search(1.01 * bump()).thresholds[0]


def test_best_needs_no_threshold():
    stream, letter = pen()
    found = sigrep.best(stream, {"G": letter}, 17, front_end="diff")
    assert [f"{score:.9g}" for score in found["score"][-4:]] == [
        "2.239819", "2.26244344", "3.57918552", "3.60180995"]  # README.md
    assert np.all(np.isinf(found["threshold"]))


def test_path_leads_from_frame_to_frame_and_costs_the_score():
    stream, letter = pen()
    found, paths = sigrep.path(stream, {"G": letter}, front_end="diff", threshold=3)
    plain = sigrep.search(stream, {"G": letter}, front_end="diff", threshold=3)
    assert found.tobytes() == plain.tobytes() and len(paths) == len(found) == 15
    for match, path in zip(found, paths):
        frames = np.stack([path["template_frame"], path["match_frame"]], 1)
        assert set(map(tuple, np.diff(frames, axis=0))) <= {(0, 1), (1, 0), (1, 1)}
        assert frames[0].tolist() == [0, 0] and frames[-1, 0] == len(letter) - 1
        assert (path["start"][0], path["end"][-1]) == (match["start"], match["end"])
        total = np.float32(0)
        for cost in path["cost"]:
            total += cost
        assert total == np.float32(match["score"] * len(letter))


def test_paths_come_with_best_live_and_several_templates():
    stream, x = noise(400, copies=[200]), bump()
    live = list(sigrep.live([stream], {"a": [x, -x]}, threshold=0.1, paths=True))
    assert [len(match.path) for match in live] == [50]
    assert sigrep.Search(x, threshold=0.1).push(stream)[0].path is None
    _, paths = sigrep.path(stream, {"a": x, "b": x}, threshold=0.1)
    assert [path["start"].tolist() for path in paths] == [list(range(200, 250))] * 2


def test_templates_come_in_many_forms():
    stream, x = noise(400, copies=[200]), bump()
    forms = [x, {"": x}, {"": [x]}, sigrep.Template(x), [sigrep.Template(x)], x[:, np.newaxis],
             x.tolist(), sigrep.Template(x, threshold=0.1)]
    found = [sigrep.search(stream, form, threshold=0.1) for form in forms]
    assert all(one.dtype.names == sigrep.Match._fields[: len(one.dtype)] for one in found)
    assert [[m[:7] for m in one.tolist()] for one in found] == [
        [("", 0, 200, 250, 250, 0, 0.1)]] * len(forms)
    takes = sigrep.search(stream, {"a": [x, x[::-1].copy()], "ß": x}, threshold=0.1)
    assert takes[["label", "template"]].tolist() == [("ß", 2), ("a", 0)]


def test_options_reach_the_search():
    stream, x = noise(900, copies=[200]), bump()
    stream[500:650] = np.repeat(x, 3)
    def count(**options):
        return len(sigrep.search(stream, x, **{"threshold": 0.1, **options}))
    assert count() == 1
    assert count(length=(0.5, 4)) == 2
    assert count(length=(2, 4)) == 1
    assert count(threads=2, kernel="scalar", device="cpu") == 1
    search = sigrep.Search(x, kernel="scalar")
    assert search.stats["kernel"] == "scalar" and 0 < search.thresholds[0] < 1
    slow = sigrep.search(stream[::2].copy(), x, threshold=0.1, rate=50, template_rate=100)
    assert len(slow) == 1 and 100 <= slow["start"][0] < slow["end"][0] <= 125


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_an_array_of_floats_is_not_copied(kind):
    for array in (noise(100).astype(kind), np.zeros((50, 2), kind)):
        array.flags.writeable = False
        assert np.shares_memory(_arrays.samples_of(array, "stream"), array)


@pytest.mark.parametrize("change, word", [
    (lambda x: x.astype(">f8"), "converted from >f8 to float64"),
    (lambda x: (x * 1000).astype(np.int64), "converted from int64 to float64"),
    (lambda x: (x * 1000).astype(np.int16), "converted from int16"),
    (lambda x: x.astype(">f4"), "converted from >f4"),
    (lambda x: np.repeat(x, 2)[::2], "not contiguous"),
    (lambda x: x[::-1], "not contiguous"),
    (lambda x: np.asfortranarray(np.stack([x, x], 1)), "not contiguous"),
])
def test_a_converted_array_is_reported_at_the_callers_line(change, word):
    changed = change(noise(400, copies=[200]))
    plain = np.ascontiguousarray(changed, np.float32)
    template = plain[200:250].copy()
    with pytest.warns(UserWarning, match=word) as warned:
        found = sigrep.search(changed, template, threshold=0.1)
    assert [one.filename for one in warned] == [__file__]
    assert found.tobytes() == sigrep.search(plain, template, threshold=0.1).tobytes()


def test_a_template_is_copied_without_a_word():
    """The library copies templates in any case."""
    template = (1000 * np.repeat(bump(), 2)).astype(np.int16)[::2]
    sigrep.Search(template, threshold=1)
    sigrep.train({"x": [template]})


def test_integers_are_no_sounds():
    """int16 was compared as it is, but the programs divide it by 32768."""
    sound = (9999 * np.sin(np.arange(8000) ** 2 / 8000)).astype(np.int16)
    text = "integers, but sounds lie within -1 and 1; divide int16 by 32768"
    with pytest.warns(UserWarning) as seen:
        search = sigrep.Search(sound, front_end="mfcc", rate=8000, threshold=1)
        search.push(sound)
        bundle = sigrep.train({"up": [sound]}, front_end="mfcc", rate=8000, audio=True)
        with pytest.raises(sigrep.Error, match="too short"):
            sigrep.calibrate(bundle, sound)
    copied = "converted from int16 to float32, which copies it"
    assert [str(one.message) for one in seen] == [
        f"template 0: {text}", f"stream: {text}", f"stream: {copied}", f"take of 'up': {text}",
        f"background: {text}", f"background: {copied}"]
    sigrep.Search(sound, front_end="speech", rate=8000, threshold=1)  # hears no loudness
    sigrep.Search(sound, front_end="diff", rate=8000, threshold=1)


def test_values_beyond_float32_are_gaps_with_a_word():
    stream = noise(400, copies=[200]).astype(np.float64)
    stream[225] = 1e40
    with pytest.warns(UserWarning, match="too large for float32"):
        assert len(sigrep.search(stream, bump(), threshold=0.1)) == 0


def test_nan_in_a_stream_is_a_gap():
    stream = noise(400, copies=[50, 200])
    stream[225] = np.nan
    assert sigrep.search(stream, bump(), threshold=0.1)["start"].tolist() == [50]
    assert np.isnan(sigrep.scores(stream, bump())[225, 0])


def test_a_template_longer_than_the_stream_matches_nowhere():
    short = bump()[:20].copy()
    assert len(sigrep.search(short, bump(), threshold=0.1)) == 0
    assert len(sigrep.best(short, bump(), 3)) == 0
    assert sigrep.path(short, bump(), threshold=0.1)[1] == []
    assert sigrep.scores(short, bump()).shape == (20, 1)
    assert len(sigrep.search(short[:0], bump(), threshold=0.1)) == 0


def test_pieces_give_what_the_whole_gives():
    stream, letter = pen()
    options = dict(front_end="diff", threshold=3)
    whole = sigrep.search(stream, {"G": letter}, **options)
    cuts = np.sort(np.random.default_rng(2).integers(0, len(stream), 60))
    live = list(sigrep.live(np.split(stream, cuts), {"G": letter}, **options))
    assert all(m.margin is None for m in live) and np.isnan(whole["margin"]).all()
    names = list(whole.dtype.names[:-1])
    assert [m[: len(names)] for m in live] == whole[names].tolist()


def test_live_gives_a_match_as_soon_as_it_is_final():
    taken = []
    def blocks():
        stream = noise(1000, copies=[100, 700])
        for at in range(0, 1000, 100):
            taken.append(at)
            yield stream[at : at + 100]
    matches = sigrep.live(blocks(), bump(), threshold=0.1)
    assert (next(matches).start, taken[-1]) == (100, 100)
    assert (next(matches).start, taken[-1]) == (700, 700)
    assert next(matches, None) is None


def test_gaps_and_new_streams():
    search = sigrep.Search(bump(), threshold=0.1)
    x = bump()
    assert search.push(x[:25]) + search.gap(10) + search.push(x[25:]) + search.finish() == []
    found = search.push(x) + search.finish()
    assert [m.start for m in found] == [0]
    assert search.stats["samples"] == 0


def test_on_match_stops_the_search():
    stream, seen = noise(1000, copies=[100, 500]), []
    found = sigrep.search(stream, bump(), threshold=0.1, on_match=lambda m: seen.append(m) or True)
    assert found["start"].tolist() == [m.start for m in seen] == [100]


def test_an_exception_in_on_match_stops_the_search_and_is_raised():
    seen = []
    def fail(match):
        seen.append(match)
        raise KeyError(match.start)
    with pytest.raises(KeyError, match="100"):
        sigrep.search(noise(1000, copies=[100, 500]), bump(), threshold=0.1, on_match=fail)
    assert len(seen) == 1


def test_a_search_whose_on_match_raised_is_stopped():
    def fail(match):
        raise KeyError(match.start)
    search = sigrep.Search(bump(), threshold=0.1, on_match=fail)
    with pytest.raises(KeyError):
        search.push(noise(1000, copies=[100]))
    assert search.stopped and search.push(noise(1000)) == [] and search.stopped


def test_a_search_in_use_is_refused():
    search = sigrep.Search(bump(), threshold=0.1, on_match=lambda m: search.finish())
    with pytest.raises(RuntimeError, match="in use"):
        search.push(noise(1000, copies=[100]))


def test_ctrl_c_ends_a_search_that_runs_without_the_gil():
    """The thread can only interrupt the search if the library does not hold Python's lock."""
    began, seen = threading.Event(), []
    def interrupt():
        began.wait(60)
        os.kill(os.getpid(), signal.SIGINT)
    def note(match):
        seen.append(match.start)
        began.set()
    stream = np.full(30_000_000, 9, np.float32)
    stream[100:150] = stream[-50:] = bump()
    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        sigrep.search(stream, bump(), threshold=0.1, kernel="scalar", on_match=note)
    thread.join()
    assert seen == [100]


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_ctrl_c_is_heard_in_a_push_without_matches(kind):
    """Not even candidates for one, and columns so long that a block of them takes a while."""
    sent = []
    def interrupt():
        time.sleep(0.3)
        sent.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)
    random = np.random.default_rng(0)
    stream = random.standard_normal(20_000_000).astype(kind)
    template = random.standard_normal(30_000).astype(kind)
    thread = threading.Thread(target=interrupt)
    search = sigrep.Search(template, threshold=0.1)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        search.push(stream)
    assert time.process_time() - sent[0] < 0.5  # 0.1 s, on a machine that does nothing else
    thread.join()


@pytest.mark.parametrize("threads", [0, 4])
def test_a_search_survives_a_fork(threads):
    stream = noise(200_000, copies=[1000, 150_000])
    whole = sigrep.search(stream, bump(), threshold=0.1)["start"].tolist()
    search = sigrep.Search(bump(), threshold=0.1, threads=threads)
    before = search.push(stream[:50_000])
    child = os.fork()
    if child == 0:
        try:
            rest = search.push(stream[50_000:]) + search.finish()
            os._exit(0 if [m.start for m in before + rest] == whole else 1)
        finally:
            os._exit(2)
    for _ in range(600):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.1)
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        pytest.fail("the child hangs")
    assert os.waitstatus_to_exitcode(status) == 0
    rest = search.push(stream[50_000:]) + search.finish()
    assert [m.start for m in before + rest] == whole == [1000, 150_000]


@pytest.mark.parametrize("options", [{}, {"front_end": "znorm=40"},
                                     {"rate": 1, "template_rate": 2}, {"paths": True}])
def test_a_state_goes_on_in_another_search(options):
    def new():
        return sigrep.Search({"bump": bump()}, threshold=0.5, kernel="scalar", **options)
    stream = noise(3000, copies=[100, 980, 2500])
    search = new()
    whole = [m[:7] for m in search.push(stream) + search.finish()]
    search, got, at = new(), [], 0
    for end in (500, 1000, 1010, 2520, 3000):
        got += search.push(stream[at:end])
        state, search = search.save(), new()
        at = search.resume(state)
        assert type(state) is bytes and at == (0 if "template_rate" in options else end)
    got += search.push(stream[at:]) + search.finish()
    assert [m[:7] for m in got] == whole and len(whole) >= 3


def test_a_state_of_another_search_is_refused():
    state = sigrep.Search(bump(), threshold=1).save()
    for other, words in [(sigrep.Search(bump(), threshold=2), "other templates"),
                         (sigrep.Search(bump(), threshold=1, front_end="diff"), "front end")]:
        with pytest.raises(sigrep.Error, match=words) as raised:
            other.resume(state)
        assert raised.value.status == "SIGREP_BAD_STATE"
    for bad in (b"", state[:-1], state[:50] + b"?" + state[51:]):
        with pytest.raises(sigrep.Error, match="no state|truncated|damaged"):
            sigrep.Search(bump(), threshold=1).resume(bad)


def test_to_pandas_has_times_in_seconds():
    found = sigrep.search(noise(400, copies=[200]), {"bump": bump()}, threshold=0.1)
    frame = sigrep.to_pandas(found, rate=100)
    assert list(frame.columns) == [*found.dtype.names, "start_s", "end_s"]
    assert frame.loc[0, ["label", "start", "start_s", "end_s"]].tolist() == ["bump", 200, 2.0, 2.5]
    assert len(sigrep.to_pandas([])) == 0


def test_version_is_that_of_the_header():
    header = (ROOT / "include" / "sigrep.h").read_text()
    assert f'#define SIGREP_VERSION "{sigrep.__version__}"' in header


def test_a_failed_search_is_freed_at_once():
    def fail(match):
        raise KeyError(match.start)
    search = sigrep.Search(bump(), threshold=0.1, on_match=fail)
    freed = weakref.ref(search)
    gc.disable()
    try:
        with pytest.raises(KeyError):
            search.push(noise(1000, copies=[100]))
        del search
        assert freed() is None
    finally:
        gc.enable()
