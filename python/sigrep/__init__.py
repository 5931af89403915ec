"""sigrep - grep for signals: find a template in a stream, by subsequence dynamic time warping.

    >>> matches = sigrep.search(stream, {"beat": template}, threshold=0.5)

search, best, path, scores, live: matches in a stream  Search: a stream that comes piece by piece
match: the best place in a series                     distance_matrix: whole series, all pairs
train, calibrate, Bundle: takes of words in a file    Classifier: an estimator of scikit-learn
to_pandas: matches as a table                         sigrep.plot: pictures of a search

Signals are arrays of shape (n,) or (n, channels). Positions count samples from 0, and intervals are
half-open. A score is the mean cost per template frame; 0 is a perfect copy (0.1 or so by "speech").
"""
from ._bundle import Bundle, Calibration, Label, Take, calibrate, train
from ._classifier import Classifier
from ._core import Error, Match, Template
from ._distance import distance_matrix
from ._search import Options, Search, best, live, match, path, scores, search, to_pandas
from ._core import text_of as _text_of
from ._sigrep import lib as _lib

__version__ = _text_of(_lib.sigrep_version())

__all__ = ["Bundle", "Calibration", "Classifier", "Error", "Label", "Match", "Options", "Search",
           "Take", "Template", "best", "calibrate", "distance_matrix", "live", "match", "path",
           "scores", "search", "to_pandas", "train"]
