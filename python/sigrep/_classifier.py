"""_classifier.py - a search as an estimator of scikit-learn, which need not be there."""
from __future__ import annotations

from importlib import import_module
from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Series, series_of
from ._core import Template
from ._search import Search

PARAMETERS = ("front_end", "rate", "template_rate", "device", "kernel", "threads")


class Classifier:
    """Predicts the label of a recording: the label of the take that fits best somewhere in it.

    It follows scikit-learn's rules for estimators. So clone, Pipeline, cross_val_score and
    GridSearchCV take it. As a transformer it returns scores, features for another estimator.

    front_end, rate, template_rate, device, kernel, threads: see `Search`. A match may have any
    length. A fitted classifier can be copied and pickled.

    X is always a list of arrays of shape (n,) or (n, channels), or an array of such rows. Lengths
    may differ.

        >>> classifier = sigrep.Classifier(front_end="diff").fit(takes, letters)
        >>> classifier.predict(recordings)
    """

    classes_: np.ndarray  # after fit: the labels, sorted
    takes_: list[Any]  # after fit: the takes, as they were given
    _estimator_type = "classifier"  # asked by scikit-learn before 1.6

    def __init__(self, *, front_end: str = "raw", rate: Optional[float] = None,
                 template_rate: float = 0, device: str = "auto", kernel: Optional[str] = None,
                 threads: int = 0):
        self.front_end = front_end
        self.rate = rate
        self.template_rate = template_rate
        self.device = device
        self.kernel = kernel
        self.threads = threads

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The options by name."""
        return {name: getattr(self, name) for name in PARAMETERS}

    def set_params(self, **params: Any) -> "Classifier":
        """Change options; the takes of `fit` stay."""
        for name, value in params.items():
            if name not in PARAMETERS:
                raise ValueError(f"no parameter '{name}'; there are {', '.join(PARAMETERS)}")
            setattr(self, name, value)
        return self

    def fit(self, X: Series, y: ArrayLike) -> "Classifier":
        """Keep the takes X of the labels y. Raises what `Search` raises."""
        takes = series_of(X, "X")
        labels = np.asarray(y)
        if labels.shape != (len(takes),):
            raise ValueError(f"y: shape {labels.shape}, but X has {len(takes)} takes")
        self._new_search(takes, None)
        self.classes_, self._class_of_take = np.unique(labels, return_inverse=True)
        self.takes_ = takes
        return self

    def transform(self, X: Series) -> np.ndarray:
        """The lowest score of each label in each recording: float32, shape (len(X), labels).

        A score is the mean cost per template frame. Gaps have none. ValueError if a recording has
        no other sample.
        """
        if not hasattr(self, "classes_"):
            raise ValueError("this Classifier is not fitted; call fit(takes, labels) first")
        lowest = _Lowest(len(self.takes_))
        search = self._new_search(self.takes_, lowest)
        recordings = series_of(X, "X")
        rows = np.empty((len(recordings), len(self.classes_)), np.float32)
        for i, one in enumerate(recordings):
            lowest.scores.fill(np.inf)
            search.push(search._samples_of(one, f"X[{i}]"))
            search.finish()
            if not np.isfinite(lowest.scores).all():
                raise ValueError(f"X[{i}]: no sample with a score; is it empty, or all gaps?")
            for k in range(len(self.classes_)):
                rows[i, k] = lowest.scores[self._class_of_take == k].min()
        return rows

    def fit_transform(self, X: Series, y: ArrayLike) -> np.ndarray:
        """The scores of the takes themselves."""
        return self.fit(X, y).transform(X)

    def predict(self, X: Series) -> np.ndarray:
        """The label of each recording: the one with the lowest score."""
        scores = self.transform(X)
        return np.asarray(self.classes_[scores.argmin(axis=1)])

    def score(self, X: Series, y: ArrayLike) -> float:
        """The share of recordings whose label is predicted right."""
        return float(np.mean(self.predict(X) == np.asarray(y)))

    def _new_search(self, takes: list[Any], lowest: Optional["_Lowest"]) -> Search:
        templates = [Template(one) for one in takes]
        return Search(templates, threshold=0, _on_scores=lowest, **self.get_params())

    def __sklearn_tags__(self) -> Any:
        """Called by scikit-learn alone, from 1.6 on, so it can be imported."""
        utils = import_module("sklearn.utils")
        return utils.Tags(
            estimator_type="classifier", target_tags=utils.TargetTags(required=True),
            classifier_tags=utils.ClassifierTags(), regressor_tags=None,
            transformer_tags=utils.TransformerTags(preserves_dtype=[]),
            input_tags=utils.InputTags(two_d_array=True, three_d_array=True))

    def __repr__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in self.get_params().items())
        return f"sigrep.Classifier({options})"


class _Lowest:
    """The lowest score of each template so far: an `on_scores`."""

    def __init__(self, n_templates: int):
        self.scores = np.full(n_templates, np.inf, np.float32)

    def __call__(self, scores: np.ndarray) -> None:
        np.fmin(self.scores, np.fmin.reduce(scores, axis=0), out=self.scores)
