"""test_arrays.py - what signals may be given as: masked arrays, DataFrames, lists. Copies."""
import copy
import pickle

import numpy as np
import pandas
import pytest

import sigrep
from signals import bump, noise

COPIES = "ignore:.*(converted from|copied, since)"


def masked(samples, at):
    mask = np.zeros(len(samples), bool)
    mask[at] = True
    return np.ma.array(samples, mask=mask)


@pytest.mark.filterwarnings(COPIES)
@pytest.mark.parametrize("kind", ["f4", "f8", "i2", ">f4"])
def test_masked_values_are_gaps(kind):
    stream = (noise(400, copies=[50, 200]) * 1000).astype(kind)
    template = stream[50:100].astype("f4")
    assert sigrep.search(stream, template, threshold=50)["start"].tolist() == [50, 200]
    hidden = masked(stream, 225)
    assert sigrep.search(hidden, template, threshold=50)["start"].tolist() == [50]
    assert np.isnan(sigrep.scores(hidden, template)[225, 0])
    assert hidden.mask.sum() == 1 and np.all(hidden.data == stream)  # the array stays


def test_a_masked_row_of_two_channels_is_a_gap():
    stream = np.stack([noise(400, copies=[50, 200])] * 2, 1)
    hidden = np.ma.array(stream, mask=False)
    hidden[225, 1] = np.ma.masked
    template = stream[50:100].copy()
    assert sigrep.search(hidden, template, threshold=0.1)["start"].tolist() == [50]
    rows = [hidden[i] for i in range(len(hidden))]
    assert sigrep.search(rows, template, threshold=0.1)["start"].tolist() == [50]


def test_a_masked_value_of_a_template_is_refused():
    hidden = masked(bump(), 7)
    with pytest.raises(sigrep.Error, match="sample 7 is not finite"):
        sigrep.Search(hidden, threshold=1)
    with pytest.raises(sigrep.Error, match="sample 7 is not finite"):
        sigrep.train({"x": [hidden]})
    bundle = sigrep.train({"x": [bump(), 2 * bump()]})
    with pytest.raises(sigrep.Error, match="too short a background"):
        sigrep.calibrate(bundle, masked(noise(1000), slice(0, 990)))


@pytest.mark.filterwarnings(COPIES)
@pytest.mark.parametrize("kind", ["Float32", "Float64", "Int64"])
def test_missing_values_of_pandas_are_gaps(kind):
    values = (noise(400, copies=[50, 200]) * 1000).round()
    series = pandas.Series(values).astype(kind)
    template = values[50:100].copy()
    series[225] = pandas.NA
    assert sigrep.search(series, template, threshold=1)["start"].tolist() == [50]
    frame = pandas.DataFrame({"a": series, "b": series})
    two = np.stack([template] * 2, 1)
    assert sigrep.search(frame, two, threshold=1)["start"].tolist() == [50]


METER = 123456789.25


def meter(n=400):
    """A meter's total, whose steps float32 cannot hold."""
    return METER + np.cumsum(np.random.default_rng(3).choice([0.25, 0.5, 0.75], n))


@pytest.mark.parametrize("form", [np.array, list, pandas.Series, np.ma.array,
                                  lambda x: x[:, np.newaxis], lambda x: (x * 4).astype(np.int64)])
@pytest.mark.filterwarnings("ignore:.*converted from int64 to float64")
@pytest.mark.parametrize("front_end", ["diff", "znorm=10", "bandpass=0.1-0.3"])
def test_numbers_keep_their_digits(form, front_end):
    stream = meter()
    found = sigrep.scores(form(stream), form(stream[100:120].copy()), front_end=front_end)
    scale = 4 if np.asarray(form(stream)).dtype == np.int64 else 1
    plain = sigrep.scores((stream - stream[0]) * scale, (stream[100:120] - stream[100]) * scale,
                          front_end=front_end)
    assert np.abs(found - plain).max() < 1e-3


def test_bundles_keep_digits():
    stream = meter()
    bundle = sigrep.train({"q": [stream[100:140].copy()]}, front_end="diff")
    frames = bundle.takes[0].frames[1:, 0]
    assert frames.tolist() == np.diff(stream[100:140]).tolist()
    low, _ = sigrep.train({"q": [stream[100:140], stream[100:140] + 8]}, front_end="diff").takes
    assert low.peer_score < 0.01
    again = sigrep.calibrate(bundle, np.tile(meter(4000), 9), per_hour=0.5)
    assert again["q"].candidates["score"].max() < 1  # steps of 8 would score more


def test_samples_that_raw_cannot_tell_apart_are_reported_once():
    stream = meter()
    search = sigrep.Search(noise(50), threshold=1)
    search.push(noise(10))
    with pytest.warns(UserWarning, match="samples 10 and 11 differ, and more .*'diff', or") as seen:
        search.push(stream)
        search.push(stream)
    assert len(seen) == 1
    with pytest.warns(UserWarning, match="template 'q': samples 0 and 1 differ") as seen:
        sigrep.search(noise(50), {"q": stream[:30]}, threshold=0)
    assert len(seen) == 1
    sigrep.Search(stream[:30], threshold=0, front_end="diff")
    wave = np.sin(np.arange(100_000) / 5000)  # a few at its peaks
    assert np.any(np.diff(wave.astype("f4")) == 0)
    sigrep.search(wave, noise(50), threshold=0)
    sigrep.search(stream, noise(50), threshold=0, front_end="diff")


def test_values_beyond_float32_do_not_count_as_rounded():
    """Infinity equals infinity, and a front end was advised that would not help."""
    with pytest.warns(UserWarning) as seen:
        sigrep.search([1e300, 2e300] * 50, bump(), threshold=1)
    assert [str(one.message) for one in seen] == ["stream: values too large for float32 are gaps"]


def test_integers_that_float64_cannot_hold_are_reported():
    with pytest.warns(UserWarning) as seen:
        sigrep.search(np.arange(100) + (1 << 60), bump(), threshold=1, front_end="diff")
    assert [str(one.message) for one in seen] == [
        "stream: numbers beyond 2^53 lose digits",
        "stream: converted from int64 to float64, which copies it"]
    assert not np.any(sigrep.scores(np.full(99, -np.inf), bump()) >= 0)


def frames():
    """A stream of columns x, y and a template of them, cut out at 50."""
    stream = pandas.DataFrame({"x": noise(400, copies=[50]), "y": noise(400, seed=2)})
    return stream, stream[50:100]


@pytest.mark.filterwarnings(COPIES)
def test_columns_of_frames_match_by_name():
    stream, template = frames()
    swapped = stream[["y", "x"]]
    wide = stream.assign(t=pandas.date_range("2026", periods=400))[["t", "y", "x"]]
    for one in (stream, swapped, wide):
        found = sigrep.search(one, {"q": template}, threshold=0)
        assert found["start"].tolist() == [50]
        assert list(sigrep.live([one[:70], one[70:]], template, threshold=0))[0].start == 50
    several = sigrep.search(stream, [template, template[["y", "x"]]], threshold=0)
    assert several["start"].tolist() == [50, 50]
    array = template.to_numpy()
    assert sigrep.search(stream, array, threshold=0)["start"].tolist() == [50]  # has no names
    assert sigrep.search(stream.to_numpy(), template, threshold=0)["start"].tolist() == [50]


def test_pieces_of_a_stream_keep_its_columns():
    stream, template = frames()
    search = sigrep.Search(template.to_numpy(), threshold=0)
    found = search.push(stream[:70]) + search.push(stream[["y", "x"]][70:])
    assert [m.start for m in found] == [50]
    with pytest.raises(ValueError, match="no column 'x'; there are u, v"):
        search.push(stream.rename(columns={"x": "u", "y": "v"}))
    search.finish()  # the next stream may have other names
    search.push(stream.rename(columns={"x": "u", "y": "v"}))


def test_bundles_keep_the_columns_of_their_takes():
    stream, template = frames()
    bundle = sigrep.train({"q": [template, template[["y", "x"]]]}, threshold=0)
    assert bundle.takes[0].frames.tobytes() == bundle.takes[1].frames.tobytes()
    for one in (bundle, copy.copy(bundle), pickle.loads(pickle.dumps(bundle))):
        assert sigrep.search(stream[["y", "x"]], one)["start"].tolist() == [50]
    added = sigrep.Bundle(channels=2)
    added.add("q", template)
    with pytest.raises(ValueError, match="take of 'q': no column 'x'; there are a, y"):
        added.add("q", template.rename(columns={"x": "a"}))


def test_frames_whose_columns_do_not_match_are_refused():
    stream, template = frames()
    with pytest.raises(ValueError, match="stream: no column 'x'; there are a, y"):
        sigrep.search(stream.rename(columns={"x": "a"}), template, threshold=0)
    twice = pandas.concat([stream, stream["x"]], axis=1)
    with pytest.raises(ValueError, match="stream: 2 columns 'x'; there are x, y, x"):
        sigrep.search(twice, template, threshold=0)
    with pytest.raises(TypeError, match="stream: column 'x': an array of object"):
        sigrep.search(stream.assign(x="word"), template, threshold=0)


def queries():
    """A stream, and two queries that it holds at 50 and 200; n: samples of the second one."""
    stream = noise(400)
    return stream, lambda n: [stream[50:70].copy(), stream[200 : 200 + n].copy()]


@pytest.mark.parametrize("n", [20, 21])  # equal and unequal lengths
def test_lists_of_queries(n):
    stream, cut = queries()
    a, b = cut(n)
    forms = [[a, b], (a, b), [a.tolist(), b.tolist()], [a, b.tolist()],
             [sigrep.Template(a, "0"), b], [pandas.Series(a), pandas.Series(b)],
             [a[:, np.newaxis], b[:, np.newaxis]]]
    for form in forms:
        found = sigrep.search(stream, form, threshold=0)
        assert found[["label", "template", "start"]].tolist() == [("0", 0, 50), ("1", 1, 200)]
    takes = [[a, b], [a.tolist(), b.tolist()], (a.tolist(), b), [sigrep.Template(a), b],
             [sigrep.Template(a, "x"), sigrep.Template(b)]]
    for one in takes:
        found = sigrep.search(stream, {"x": one}, threshold=0)
        assert found[["label", "template", "start"]].tolist() == [("x", 0, 50), ("x", 1, 200)]
    assert len(sigrep.train({"x": [a.tolist(), b.tolist()]}).takes) == 2


def test_equal_queries_of_a_list_do_not_compete():
    stream, cut = queries()
    a, _ = cut(20)
    assert sigrep.search(stream, [a, a], threshold=0)["start"].tolist() == [50, 50]


def test_templates_in_a_dict_keep_their_settings():
    stream, cut = queries()
    a, b = cut(20)
    found = sigrep.search(stream, {"x": sigrep.Template(a, threshold=0.5), "y": b}, threshold=0)
    assert found[["label", "start", "threshold"]].tolist() == [("x", 50, 0.5), ("y", 200, 0)]
    with pytest.raises(ValueError, match="template 'x': its own label is 'y'"):
        sigrep.Search({"x": sigrep.Template(a, "y")})


@pytest.mark.parametrize("call", [
    lambda rows: sigrep.Search(rows),
    lambda rows: sigrep.Search({"templates": rows}),
    lambda rows: sigrep.calibrate(sigrep.train({"x": [bump()]}), rows),
])
def test_lists_that_may_be_signals_or_channels_are_refused(call):
    with pytest.raises(TypeError, match="20 lists of 2 numbers are signals, or samples of 2 chan"):
        call(np.zeros((20, 2)).tolist())


def test_ragged_lists_are_refused_in_words():
    with pytest.raises(ValueError, match="stream: no array of numbers can be made of it"):
        sigrep.search([[1, 2], [3]], bump(), threshold=1)


@pytest.mark.parametrize("call", [
    lambda: sigrep.Search({1: bump()}),
    lambda: sigrep.Search(sigrep.Template(bump(), 1)),
    lambda: sigrep.train({1: [bump()]}),
    lambda: sigrep.Bundle().add(1, bump()),
    lambda: sigrep.Bundle().add("x", bump(), name=1),
    lambda: sigrep.Bundle(front_end=1),
    lambda: sigrep.Search(bump(), front_end=1),
    lambda: sigrep.Search(bump(), device=1),
    lambda: sigrep.Search(bump(), kernel=1),
])
def test_numbers_are_no_strings(call):
    with pytest.raises(TypeError, match="(label|name|front_end|device|kernel): 1 is not a string"):
        call()


def test_a_label_that_the_library_would_cut_is_refused():
    with pytest.raises(ValueError, match="label: 'a.*b' has a NUL"):
        sigrep.Search({"a\0b": bump()}, threshold=1)


COPY = [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))]


@pytest.mark.parametrize("copied", COPY)
def test_copies_of_bundles_are_their_own(copied):
    bundle = sigrep.train({"x": [bump(), 2 * bump()], "y": [bump()]}, threshold=0.1, rate=100)
    other = copied(bundle)
    assert type(other) is sigrep.Bundle and other.to_bytes() == bundle.to_bytes()
    other.set_label("x", threshold=0.2)
    assert (bundle.labels["x"].threshold, other.labels["x"].threshold) == (0.1, 0.2)
    del bundle
    assert sigrep.search(noise(400, copies=[200]), other)["start"].tolist() == [200, 200]


@pytest.mark.parametrize("copied", COPY)
def test_copies_of_empty_bundles(copied):
    empty = copied(sigrep.Bundle(front_end="diff", rate=50, channels=2, audio=True))
    assert (empty.front_end, empty.rate, empty.channels, empty.audio) == ("diff", 50, 2, True)
    assert empty.labels == {}


@pytest.mark.parametrize("copied", COPY)
def test_copies_of_templates_and_matches(copied):
    template = sigrep.Template(bump(), "x", threshold=0.1, length=(0.5, 3))
    search = sigrep.Search(copied(template), paths=True)
    match = search.push(noise(400, copies=[200]))[0]
    other = copied(match)
    assert type(other) is sigrep.Match and other[:8] == match[:8]
    assert other.path.tobytes() == match.path.tobytes()


@pytest.mark.parametrize("copied", COPY)
def test_copies_of_errors(copied):
    with pytest.raises(sigrep.Error) as raised:
        sigrep.Search([bump(), bump()[:1]], threshold=1)
    other = copied(raised.value)
    assert (str(other), other.status, other.template) == (
        str(raised.value), "SIGREP_BAD_TEMPLATE", 1)


@pytest.mark.parametrize("copied", COPY)
def test_a_search_is_not_copied(copied):
    with pytest.raises(TypeError, match="a Search .* cannot be copied or pickled"):
        copied(sigrep.Search(bump(), threshold=1))


def test_a_table_of_matches_has_the_index_of_the_stream():
    index = pandas.date_range("2026-03-02 07:00", periods=400, freq="10ms")
    stream = pandas.DataFrame({"x": noise(400, copies=[200])}, index)
    found = sigrep.search(stream, {"bump": stream[200:250]}, threshold=0.1)
    row = sigrep.to_pandas(found, index=stream.index).iloc[0]
    assert (row["first"], row["last"]) == (index[200], index[249])
    assert list(sigrep.to_pandas([], index=index).columns)[-2:] == ["first", "last"]


def test_arrays_of_xarray_are_searched_along_time():
    xarray = pytest.importorskip("xarray")
    index = pandas.date_range("2026-03-02 07:00", periods=400, freq="10ms")
    stream = xarray.DataArray(np.stack([noise(400, copies=[200]), noise(400, seed=2)], 1),
                              {"time": index, "channel": ["x", "y"]})
    wanted = sigrep.search(stream.values, stream.values[200:250], threshold=0.1)
    found = sigrep.search(stream, stream[200:250], threshold=0.1)
    assert found.tobytes() == wanted.tobytes() and found["start"].tolist() == [200]
    turned = stream.transpose("channel", "time")
    template = stream[200:250].transpose("channel", "time")
    assert sigrep.search(turned.copy(), template, threshold=0.1).tobytes() == wanted.tobytes()
    table = sigrep.to_pandas(found, index=stream.time).to_xarray()
    assert table["first"].values[0] == index[200].to_datetime64()


def test_rows_of_xarray_are_series_unless_they_are_times():
    xarray = pytest.importorskip("xarray")
    rows = xarray.DataArray(np.random.default_rng(1).normal(size=(3, 9)), dims=("walk", "time"))
    assert (sigrep.distance_matrix(rows) == sigrep.distance_matrix(rows.values)).all()
    with pytest.raises(TypeError, match="series: its first dimension is time"):
        sigrep.distance_matrix(rows.T)
