"""test_plot.py - what pictures of a search show, and a notebook that runs."""
import json

import matplotlib.pyplot
import numpy as np
import pytest

import sigrep
import sigrep.plot
from signals import ROOT, bump, noise


@pytest.fixture(autouse=True)
def close_figures():
    yield
    matplotlib.pyplot.close("all")


def spans(axes):
    """The intervals of the coloured spans."""
    inverse = axes.transData.inverted()
    boxes = [patch.get_window_extent().transformed(inverse) for patch in axes.patches]
    return [(round(box.x0, 6), round(box.x1, 6)) for box in boxes]


def test_draw_shows_signal_matches_scores_and_thresholds():
    stream = noise(1000, copies=[200, 700])
    figure = sigrep.plot.draw(stream, {"bump": bump(), "ramp": np.arange(20, dtype=np.float32)},
                              threshold=0.1, rate=100)
    signal, scores, *paths = figure.axes
    assert signal.lines[0].get_ydata().tolist() == stream.tolist()
    assert spans(signal) == [(2, 2.5), (7, 7.5)]
    assert [text.get_text() for text in signal.get_legend().get_texts()] == ["bump"]
    curve, threshold = scores.lines[:2]
    expected = sigrep.scores(stream, bump())[:, 0]
    assert curve.get_ydata().tolist() == expected.tolist() and curve.get_xdata()[249] == 2.5
    assert list(threshold.get_ydata()) == [0.1, 0.1]
    assert [(axes.lines[0].get_xdata()[0], axes.get_title()) for axes in paths] == [
        (2, "bump 0"), (7, "bump 0")]
    assert paths[0].lines[0].get_ydata().tolist() == list(range(50))
    assert len(scores.lines) == 4 and scores.get_xlabel() == "seconds"


def test_draw_shows_a_search_without_matches(tmp_path):
    stream = np.zeros((300, 2), np.float32)
    template = np.stack([bump() + 9, bump()], 1)
    figure = sigrep.plot.draw(stream, template, threshold=0.1, figure=matplotlib.pyplot.figure())
    signal, scores = figure.axes
    assert not signal.patches and len(signal.lines) == 2 and scores.get_xlabel() == "samples"
    figure.savefig(tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 1000


def test_the_notebook_runs(monkeypatch):
    folder = ROOT / "python"
    monkeypatch.chdir(folder)
    cells = json.loads((folder / "tour.ipynb").read_text())["cells"]
    names = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), "tour.ipynb", "exec"), names)
            assert cell["outputs"] == [] and cell["execution_count"] is None
    assert len(names["letters"]) == 15
    assert len(names["live_letters"]) == 3
    assert len(names["figure"].axes) >= 2
    assert len(names["again"]) == 15
    assert names["found"].score < 3 and len(names["moves"]) == len(names["kinds"]) == 45
    assert sum(a == b for a, b in zip(names["kinds"], names["nearest"])) >= 40
    assert names["classifier"].classes_.tolist() == sorted(set(names["kinds"]))
