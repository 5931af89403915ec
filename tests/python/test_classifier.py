"""test_classifier.py - the estimator, by itself and in scikit-learn."""
import copy
import pickle

import numpy as np
import pytest

import sigrep
from signals import SENSOR, bump, noise, pen


def letters(n=3):
    """The pen's movements: n letters of each kind, cut out with what stands around them."""
    stream, _ = pen()
    truth = np.genfromtxt(SENSOR / "pen_truth.csv", delimiter=",", names=True, dtype=None,
                          encoding=None)
    takes, names = [], []
    for start, end, letter in truth:
        if names.count(letter) < n:
            takes.append(stream[round(100 * start) : round(100 * end)])
            names.append(str(letter))
    return takes, names


def test_letters_are_told():
    takes, names = letters(6)
    first = [i for i, name in enumerate(names) if names[:i].count(name) < 2]
    rest = [i for i in range(len(names)) if i not in first]
    classifier = sigrep.Classifier(front_end="diff")
    classifier.fit([takes[i] for i in first], [names[i] for i in first])
    assert classifier.classes_.tolist() == sorted(set(names))
    assert classifier.score([takes[i] for i in rest], [names[i] for i in rest]) > 0.9


def test_scores_are_the_lowest_of_a_label():
    takes, streams = [bump(), -bump(), bump(30)], [noise(400, copies=[200]), noise(300, seed=2)]
    classifier = sigrep.Classifier().fit(takes, ["b", "a", "b"])
    scores = classifier.transform(streams)
    assert scores.dtype == np.float32
    for row, stream in zip(scores, streams):
        wanted = sigrep.scores(stream, takes).min(axis=0)
        assert row.tolist() == [wanted[1], min(wanted[0], wanted[2])]
    assert classifier.predict(streams)[0] == "b"
    assert classifier.fit_transform(takes, ["b", "a", "b"])[0, 1] == 0


def test_gaps_have_no_score():
    classifier = sigrep.Classifier().fit([bump(), -bump()], [1, 2])
    stream = noise(400, copies=[200])
    stream[300:] = np.nan
    assert classifier.predict([stream]).tolist() == [1]
    with pytest.raises(ValueError, match=r"X\[1\]: no sample with a score"):
        classifier.predict([stream, np.full(50, np.nan, "f")])


def test_copies_and_pickles_tell_the_same():
    classifier = sigrep.Classifier().fit([bump(), -bump()], ["up", "down"])
    for other in (copy.deepcopy(classifier), pickle.loads(pickle.dumps(classifier))):
        assert other.predict([noise(400, copies=[200])]).tolist() == ["up"]


def test_options_are_parameters():
    classifier = sigrep.Classifier(front_end="diff", threads=2)
    assert classifier.get_params()["threads"] == 2
    assert classifier.set_params(front_end="raw") is classifier and classifier.front_end == "raw"
    assert "front_end='raw'" in repr(classifier)
    with pytest.raises(ValueError, match="no parameter 'frontend'; there are front_end, rate"):
        classifier.set_params(frontend="raw")


def test_what_cannot_be_fitted_is_refused():
    classifier = sigrep.Classifier()
    with pytest.raises(ValueError, match="not fitted"):
        classifier.predict([bump()])
    with pytest.raises(ValueError, match=r"y: shape \(1,\), but X has 2 takes"):
        classifier.fit([bump(), bump()], ["a"])
    with pytest.raises(sigrep.Error, match="unknown"):
        classifier.set_params(front_end="nosuch").fit([bump()], ["a"])


def test_what_cannot_be_classified_is_named():
    classifier = sigrep.Classifier().fit([bump(), -bump()], ["a", "b"])
    with pytest.raises(ValueError, match=r"X\[1\]: 2 channels, but the templates have 1"):
        classifier.predict([bump(), np.zeros((9, 2))])
    with pytest.raises(ValueError, match=r"X\[1\]: no sample with a score"):
        classifier.predict([bump(), []])


def test_scikit_learn_takes_it():
    base = pytest.importorskip("sklearn.base")
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV, cross_val_score
    from sklearn.pipeline import make_pipeline

    takes, names = letters()
    classifier = sigrep.Classifier(front_end="diff")
    cloned = base.clone(classifier.fit(takes, names))
    assert cloned.get_params() == classifier.get_params() and not hasattr(cloned, "classes_")
    assert base.is_classifier(classifier)
    assert cross_val_score(classifier, takes, names, cv=3).min() > 0.5
    piped = make_pipeline(sigrep.Classifier(front_end="diff"), LogisticRegression())
    assert piped.fit(takes, names).score(takes, names) > 0.5
    grid = GridSearchCV(classifier, {"front_end": ["raw", "diff"]}, cv=3).fit(takes, names)
    assert grid.best_score_ > 0.5
