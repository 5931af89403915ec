"""signals.py - what the tests of the Python package search."""
import pathlib

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
SENSOR = ROOT / "examples" / "sensor"


def pen():
    """The log of a pen and its letter G: shape (n, 2), 100 rows a second."""
    def read(name, columns):
        return np.loadtxt(SENSOR / name, np.float32, delimiter=",", skiprows=1, usecols=columns)
    return read("pen.csv", (1, 2)), read("g.csv", (0, 1))


def bump(length=50):
    return np.sin(np.arange(length) / 5).astype(np.float32)


def noise(n, *, seed=1, copies=()):
    """Noise with exact copies of the bump at some samples."""
    stream = np.random.default_rng(seed).normal(scale=3, size=n).astype(np.float32)
    for at in copies:
        stream[at : at + 50] = bump()
    return stream
