"""test_bad_input.py - what cannot be searched is an exception that says so."""
import numpy as np
import pandas
import pytest

import sigrep
from signals import bump, noise


@pytest.mark.parametrize("templates, kind, text", [
    (np.float32(1), ValueError, "template 0: 0 dimensions"),
    (np.zeros((5, 2, 2), np.float32), ValueError, "template 0: 3 dimensions"),
    (np.zeros((5, 0), np.float32), ValueError, "template 0: 0 channels"),
    (np.array(["a", "b"]), TypeError, "not of real numbers"),
    (np.array([1j, 2]), TypeError, "complex128, not of real numbers"),
    ({"x": [bump(), np.zeros((9, 2), np.float32)]}, ValueError, "'x': 2 channels, but"),
    (np.where(np.arange(50) == 7, np.float32(np.nan), bump()), sigrep.Error, "sample 7 is not fin"),
    (bump()[:1], sigrep.Error, "too short: 1 sample"),
    ({}, sigrep.Error, "no template"),
    ([], sigrep.Error, "no template"),
])
def test_bad_templates(templates, kind, text):
    with pytest.raises(kind, match=text):
        sigrep.search(noise(100), templates, threshold=1)


@pytest.mark.parametrize("stream, kind, text", [
    (np.zeros((100, 2), np.float32), ValueError, "stream: 2 channels, but the templates have 1"),
    (np.zeros((1, 100, 1), np.float32), ValueError, "stream: 3 dimensions"),
    (np.array([None] * 9), TypeError, "stream: an array of object"),
])
def test_bad_streams(stream, kind, text):
    with pytest.raises(kind, match=text):
        sigrep.search(stream, bump(), threshold=1)


@pytest.mark.parametrize("block, kind, text", [
    (np.zeros((3, 2), np.float32), ValueError, "stream: 2 channels"),
    (np.float32(5), ValueError, "stream: 0 dimensions"),
    ("x", TypeError, "stream: an array of <U1, not of real numbers"),
])
def test_a_bad_block_loses_no_match_before_it(block, kind, text):
    matches = sigrep.live([noise(400, copies=[200]), block], bump(), threshold=0.1)
    assert next(matches).start == 200
    with pytest.raises(kind, match=text):
        next(matches)


@pytest.mark.parametrize("take, kind, text", [
    (np.full(50, np.nan, np.float32), sigrep.Error, "sample 0 is not finite"),
    (np.float32(1), ValueError, "take of 'x': 0 dimensions"),
    (["a", "b"], TypeError, "take of 'x': an array of <U1"),
])
def test_bad_takes(take, kind, text):
    with pytest.raises(kind, match=text):
        sigrep.train({"x": [take]})


@pytest.mark.parametrize("takes", [
    bump(), np.zeros((100, 2), np.float32), pandas.DataFrame({"a": bump(), "b": bump()})])
def test_an_array_of_two_channels_is_no_hundred_takes(takes):
    with pytest.raises(TypeError, match=r"takes of 'x': one array; give list\(takes\)"):
        sigrep.train({"x": takes})


@pytest.mark.parametrize("background, kind, text", [
    (np.zeros((9, 2), np.float32), ValueError, "background: 2 channels"),
    (np.zeros((9, 2, 2), np.float32), ValueError, "background: 3 dimensions"),
    (np.full(1000, np.nan, np.float32), sigrep.Error, "too short a background: it has no sample"),
    (np.zeros(0, np.float32), sigrep.Error, "too short a background: it has no sample"),
])
def test_bad_backgrounds(background, kind, text):
    bundle = sigrep.train({"x": [bump(), 2 * bump()]})
    with pytest.raises(kind, match=text):
        sigrep.calibrate(bundle, background, per_hour=1)


@pytest.mark.parametrize("options, status, text", [
    ({"threshold": -1}, "SIGREP_BAD_CONFIG", "threshold: -1"),
    ({"threshold": np.nan}, "SIGREP_BAD_CONFIG", "threshold"),
    ({"rate": 0}, "SIGREP_BAD_CONFIG", "rate"),
    ({"length": (2, 1)}, "SIGREP_BAD_CONFIG", "length"),
    ({"front_end": "fourier"}, "SIGREP_BAD_FRONT_END", "unknown front end 'fourier'"),
    ({"kernel": "abacus"}, "SIGREP_NO_KERNEL", "abacus"),
    ({"device": "abacus"}, "SIGREP_NO_KERNEL", "abacus"),
])
def test_bad_options(options, status, text):
    with pytest.raises(sigrep.Error, match=text) as raised:
        sigrep.search(noise(100), bump(), **{"threshold": 1, **options})
    assert raised.value.status == status


@pytest.mark.parametrize("options, kind, text", [
    ({"threshold": "0.5"}, TypeError, "threshold: '0.5': must be real number"),
    ({"rate": "16k"}, TypeError, "rate_hz: '16k': must be real number"),
    ({"length": 2}, TypeError, "length: 2 is not a pair of numbers"),
    ({"length": (1, "2")}, TypeError, "length: .* is not a pair of numbers"),
    ({"threads": -1}, OverflowError, "threads: -1: "),
    ({"min_matches": 1.5}, TypeError, "min_matches: 1.5: "),
])
def test_an_option_of_another_type_is_named(options, kind, text):
    for templates in (bump(), sigrep.train({"x": [bump()]})):
        with pytest.raises(kind, match=f"^{text}"):
            sigrep.Search(templates, **options)


@pytest.mark.parametrize("key, value", [("threshold", "1"), ("length", 2), ("min_matches", "1"),
                                        ("ceiling", "1")])
def test_a_setting_of_another_type_is_named(key, value):
    with pytest.raises(TypeError, match=f"^{key}: "):
        sigrep.train({"x": [bump()]}).set_label("x", **{key: value})


def test_an_error_names_its_template():
    with pytest.raises(sigrep.Error, match="^template 'bad': too short") as raised:
        sigrep.Search({"good": bump(), "bad": bump()[:1]}, threshold=1)
    assert raised.value.template == 1
    holed = np.where(np.arange(50) == 7, np.float32(np.nan), bump())
    with pytest.raises(sigrep.Error, match="^template '30': sample 7 is not finite"):
        sigrep.Search([bump()] * 30 + [holed], threshold=1)
    with pytest.raises(sigrep.Error, match="^take 2 of 'x': sample 7 is not finite"):
        sigrep.train({"x": [bump(), holed]})


def test_no_threshold_can_be_estimated_from_a_constant():
    with pytest.raises(sigrep.Error, match="^template 0: no threshold .*; give one$") as raised:
        sigrep.search(noise(100), np.zeros(20, np.float32))
    assert raised.value.status == "SIGREP_NO_THRESHOLD"


def test_more_agreement_than_templates_is_reported():
    with pytest.warns(UserWarning, match="label 'x' has 1 templates, so min_matches=2 finds"):
        sigrep.search(noise(100), {"x": bump()}, threshold=1, min_matches=2)


def test_best_of_none_is_refused():
    with pytest.raises(ValueError, match="n is 0"):
        sigrep.best(noise(100), bump(), 0)


@pytest.mark.parametrize("call", [sigrep.best, lambda x, y, **o: sigrep.match(y, x, **o)])
def test_a_threshold_of_best_is_not_ignored(call):
    with pytest.raises(ValueError, match="threshold: best and match have none"):
        call(noise(100), bump(), threshold=0.1)
    assert len(call(noise(100, copies=[20]), bump(), threshold=None)) > 0


def test_negative_counts_are_refused():
    with pytest.raises(OverflowError):
        sigrep.Search(bump(), threshold=1, threads=-1)
    with pytest.raises(OverflowError):
        sigrep.Search(bump(), threshold=1).gap(-1)


@pytest.mark.parametrize("change, text", [
    (lambda data: b"", "bundle"),
    (lambda data: b"RIFF" + data[4:], "no bundle"),
    (lambda data: data[:-1], "truncated"),
])
def test_bad_bundles(change, text):
    data = sigrep.train({"x": [bump()]}).to_bytes()
    with pytest.raises(sigrep.Error, match=text) as raised:
        sigrep.Bundle.from_bytes(change(data))
    assert raised.value.status == "SIGREP_BAD_BUNDLE"


def test_a_bad_file_of_a_bundle_is_named(tmp_path):
    (tmp_path / "x.sigrep").write_bytes(b"RIFF")
    with pytest.raises(sigrep.Error, match="/x.sigrep: no bundle"):
        sigrep.Bundle.load(tmp_path / "x.sigrep")


def test_bad_takes_and_labels():
    bundle = sigrep.train({"x": [bump()]})
    with pytest.raises(sigrep.Error, match="label is empty"):
        bundle.add("", bump())
    with pytest.raises(ValueError, match="take of 'x': 2 channels"):
        bundle.add("x", np.zeros((9, 2), np.float32))
    with pytest.raises(sigrep.Error, match="not 1 to 1"):
        bundle.set_label("x", min_matches=2)
    with pytest.raises(KeyError, match="y"):
        bundle.set_label("y", threshold=1)
    with pytest.raises(TypeError, match="color"):
        bundle.set_label("x", color=1)
    with pytest.raises(ValueError, match="bundle's"):
        sigrep.search(noise(100), bundle, front_end="diff")
    with pytest.raises(sigrep.Error, match="no template"):
        sigrep.search(noise(100), sigrep.Bundle())
    with pytest.raises(sigrep.Error):
        sigrep.Bundle(front_end="mfcc")  # it depends on the rate
