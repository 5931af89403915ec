"""sigrep.plot - a search as a picture, by matplotlib: the signal with its matches, the scores with
their thresholds, and the path of each match.

    >>> figure = sigrep.plot.draw(ecg, {"beat": beat}, rate=360, front_end="znorm=0.5")
    >>> figure.savefig("beats.png")
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

import numpy as np
from matplotlib import pyplot
from matplotlib.gridspec import GridSpec
from numpy.typing import ArrayLike

from ._core import Match, Scores
from ._search import Options, Search, Templates, search_all

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from typing_extensions import Unpack


MOST_PATHS = 8  # more would be too small to see


def draw(stream: ArrayLike, templates: Templates, *, figure: Optional["Figure"] = None,
         **options: Unpack[Options]) -> "Figure":
    """Search a stream, and draw the signal, its matches, the score curves with thresholds, and the
    warping paths of the first matches: of as many as fit.

    stream: shape (n,) or (n, channels). Other options: see `sigrep.Search`. Without `rate` the axis
    has samples, else seconds. figure: to draw into; None: a new one, which the caller may close.
    Returns the figure.
    """
    options["paths"] = True
    kept = Scores()
    search = Search(templates, _on_scores=kept, **options)
    samples = search._samples_of(stream)
    matches = search_all(samples, search)
    figure = pyplot.figure(figsize=(10, 7), layout="constrained") if figure is None else figure
    shown = matches[:MOST_PATHS]
    grid = GridSpec(3 if shown else 2, max(len(shown), 1), figure=figure)
    signal = figure.add_subplot(grid[0, :])
    scores = figure.add_subplot(grid[1, :], sharex=signal)
    rate = options.get("rate") or 1
    draw_matches(signal, samples, matches, search.labels, rate)
    draw_scores(scores, search, kept.taken(len(search.labels)), len(samples) / rate)
    for i, match in enumerate(shown):
        draw_path(figure.add_subplot(grid[2, i]), match, search.labels, rate)
    scores.set_xlabel("samples" if options.get("rate") is None else "seconds")
    return figure


def color_of(label: str, labels: list[str]) -> str:
    """One colour a label."""
    return f"C{(list(dict.fromkeys(labels)).index(label) + 1) % 10}"


def draw_matches(axes: "Axes", stream: np.ndarray, matches: list[Match], labels: list[str],
                 rate: float) -> None:
    """The signal, with a coloured span for each match."""
    axes.plot(np.arange(len(stream)) / rate, stream, color="C0", linewidth=0.8)
    named: dict[str, Any] = {}
    for match in matches:
        span = axes.axvspan(match.start / rate, match.end / rate, alpha=0.3,
                            color=color_of(match.label, labels))
        named.setdefault(match.label or "match", span)
    if named:
        axes.legend(list(named.values()), list(named), loc="upper right")
    axes.set_ylabel("signal")


def draw_scores(axes: "Axes", search: Search, scores: np.ndarray, length: float) -> None:
    """The score of each template at each frame, and its threshold as a dashed line. length: of the
    signal, in units of the axis."""
    ends = (np.arange(len(scores)) + 1) * (length / max(len(scores), 1))
    for i, (label, threshold) in enumerate(zip(search.labels, search.thresholds)):
        color = color_of(label, search.labels)
        axes.plot(ends, scores[:, i], color=color, linewidth=0.8)
        axes.axhline(threshold, color=color, linestyle="--", linewidth=0.8)
    axes.set_ylim(bottom=0)
    axes.set_ylabel("score")


def draw_path(axes: "Axes", match: Match, labels: list[str], rate: float) -> None:
    """The warping path of a match: the template's frame over the place in the stream. A straight
    line is an even tempo, and a flat part a template's frame that the stream holds longer."""
    path = match.path
    assert path is not None
    axes.plot(path["start"] / rate, path["template_frame"], linewidth=1.2,
              color=color_of(match.label, labels))
    axes.set_title(f"{match.label} {match.score:.3g}".strip(), fontsize="small")
    axes.tick_params(labelsize="x-small")
