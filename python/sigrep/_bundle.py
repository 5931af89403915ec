"""_bundle.py - bundles: the takes of one or more labels, in a file NAME.sigrep, and their
thresholds."""
from __future__ import annotations

import copy
import os
import shutil
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import channels_of, columns_of, samples_of, several_of
from ._core import (Template, bytes_of, check, create, fill, fill_length, fill_template,
                    heed_ctrl_c, sized, text_of, values_of)
from ._sigrep import ffi, lib


@dataclass(frozen=True)
class Label:
    """A label of a bundle."""

    name: str
    n_takes: int
    threshold: Optional[float]  # mean cost per template frame; None: each take has an estimate
    length: tuple[float, float]  # shortest and longest match in template lengths
    min_matches: int  # takes that must agree
    hours: float  # of background that it was calibrated on; 0: not calibrated
    per_hour: float  # false alarms an hour that were wanted
    low: float  # 95 % interval of the threshold
    high: float
    is_extrapolated: bool  # fewer than one false alarm is to be expected in these hours
    ceiling: Optional[float] = None  # no estimate or calibration is above it; None: no bound


@dataclass(frozen=True)
class Take:
    """A take of a bundle."""

    name: str
    label: str
    peer_score: Optional[float]  # the best score that another take has in it; None: not known
    frames: np.ndarray  # float32, shape (frames, values a frame); a copy
    level: Optional[float]  # its usual lowest score in foreign speech; None: not known


@dataclass(frozen=True)
class Calibration:
    """What background said about a label."""

    threshold: float  # mean cost per template frame
    rate_low: float  # 95 % interval of false alarms an hour at the threshold
    rate_high: float
    is_extrapolated: bool  # fewer than one false alarm is to be expected in these hours
    #: The minima of the label's score: a structured array with the fields score, recording (its
    #: index), start_s and end_s (seconds). A minimum is a match if the threshold is its score.
    candidates: np.ndarray


class Bundle:
    """The takes of one or more labels as frames, and all that makes a search for them the same
    everywhere.

    front_end: what is compared, as in `Search`.
    rate: samples a second before the front end; 0: the frames do not depend on it.
    channels: values a sample.
    audio: are the takes sounds?

    Raises `Error`, TypeError, ValueError, MemoryError.
    """

    def __init__(self, *, front_end: str = "raw", rate: float = 0, channels: int = 1,
                 audio: bool = False):
        name = ffi.new("char[]", bytes_of(front_end, "front_end"))
        self._create(lib.sigrep_bundle_create, sized(
            "sigrep_bundle_info", front_end=name, rate_hz=rate, channels=channels, is_audio=audio))

    def _create(self, function: Any, *arguments: Any, name: str = "") -> None:
        self._bundle = create("sigrep_bundle", lib.sigrep_bundle_destroy, function, *arguments,
                              name=name)
        self._lock = threading.RLock()  # one thread at a time may use a bundle
        self._columns: Optional[list[Any]] = None  # of takes that are DataFrames; no file has them

    @classmethod
    def from_bytes(cls, data: bytes) -> "Bundle":
        """A bundle from all bytes of its file. Every value is checked."""
        return cls._read(data, "")

    @classmethod
    def _read(cls, data: bytes, name: str) -> "Bundle":
        bundle = cls.__new__(cls)
        bundle._create(lib.sigrep_bundle_read, ffi.from_buffer(data), len(data), name=name)
        return bundle

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"]) -> "Bundle":
        """Read a file NAME.sigrep."""
        with open(path, "rb") as file:
            return cls._read(file.read(), str(path))

    def to_bytes(self) -> bytes:
        """The bytes of its file."""
        data, size, error = ffi.new("void **"), ffi.new("size_t *"), ffi.new("sigrep_error *")
        with self._lock:
            check(lib.sigrep_bundle_write(
                self._bundle, ffi.cast("const void **", data), size, error), error)
            return bytes(ffi.buffer(data[0], size[0]))

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are bundles of their own."""
        with self._lock:
            made = (type(self).from_bytes, (self.to_bytes(),)) if self.labels else (
                partial(type(self), front_end=self.front_end, rate=self.rate,
                        channels=self.channels, audio=self.audio), ())
            return (*made, {"_columns": self._columns})

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Write a file NAME.sigrep. A file that is there is replaced as a whole, or stays."""
        data = self.to_bytes()
        target = os.path.realpath(path)
        whole = f"{target}.{os.getpid()}.partial"
        try:
            with open(whole, "xb") as file:
                file.write(data)
            if os.path.exists(target):
                shutil.copymode(target, whole)
            os.replace(whole, target)
        except BaseException:
            if os.path.exists(whole):
                os.unlink(whole)
            raise

    def add(self, label: str, samples: ArrayLike, *, name: Optional[str] = None, rate: float = 0,
            begin: int = 0, end: int = 0) -> None:
        """Add a recorded take.

        samples: shape (n,) or (n, channels). name: of the recording; default: its number. rate:
        samples a second; 0: the bundle's. begin, end: the samples to keep, cut after the front end;
        0, 0: all. The take is compared with all others of its label. Columns of a DataFrame are
        those of the first one, by name.
        """
        given = samples_of(samples, f"take of '{label}'", self._info().channels, self._columns,
                           is_copied=True, front_end=self.front_end)
        columns = columns_of(samples) if self._columns is None else self._columns
        keep: list[Any] = []
        take = ffi.new("sigrep_template *")
        fill_template(take, Template(given, label, rate=rate, begin=begin, end=end), given, keep)
        error = ffi.new("sigrep_error *")
        with self._lock:
            name = f"take {self._info().n_takes + 1}" if name is None else name
            check(lib.sigrep_bundle_add_take(
                self._bundle, bytes_of(name, "name"), take, error), error, f"{name} of '{label}'")
            self._columns = columns

    def average(self) -> None:
        """Let one average stand for all takes of each label (DTW barycentre averaging)."""
        with self._lock:
            check(lib.sigrep_bundle_average(self._bundle))

    def set_label(self, name: str, **changes: Any) -> None:
        """Change threshold (None: an estimate for each take), length (shortest and longest match
        in template lengths), min_matches or ceiling (above which no estimate and no calibration
        goes; None: no bound) of a label. Drops its calibration."""
        with self._lock:
            i = {known: i for i, known in enumerate(self.labels)}[name]
            label = self._label(i)
            for key, value in changes.items():
                if key == "threshold":
                    label.has_threshold = value is not None
                    fill(label, threshold=0 if value is None else value)
                elif key == "length":
                    fill_length(label, value)
                elif key == "min_matches":
                    fill(label, min_matches=value)
                elif key == "ceiling":
                    fill(label, ceiling=0 if value is None else value)
                else:
                    raise TypeError(
                        f"set_label: no '{key}'; threshold, length, min_matches and ceiling are")
            error = ffi.new("sigrep_error *")
            check(lib.sigrep_bundle_set_label(self._bundle, i, label, error), error)

    def _info(self) -> Any:
        info = sized("sigrep_bundle_info")
        lib.sigrep_bundle_get_info(self._bundle, info)
        return info

    def _label(self, i: int) -> Any:
        label = sized("sigrep_bundle_label")
        check(lib.sigrep_bundle_get_label(self._bundle, i, label))
        return label

    @property
    def front_end(self) -> str:
        """What is compared, as in `Search`."""
        return text_of(self._info().front_end)

    @property
    def rate(self) -> float:
        """Samples a second before the front end; 0: the frames do not depend on it."""
        return float(self._info().rate_hz)

    @property
    def channels(self) -> int:
        """Values a sample."""
        return int(self._info().channels)

    @property
    def audio(self) -> bool:
        """Are the takes sounds?"""
        return bool(self._info().is_audio)

    @property
    def labels(self) -> dict[str, Label]:
        """The labels by name, in the order in which they were added."""
        with self._lock:
            rows = [self._label(i) for i in range(self._info().n_labels)]
            return {text_of(c.name): Label(
                text_of(c.name), c.n_takes, c.threshold if c.has_threshold else None,
                (c.length_min, c.length_max), c.min_matches, c.hours, c.per_hour, c.low, c.high,
                bool(c.is_extrapolated), c.ceiling or None) for c in rows}

    @property
    def takes(self) -> list[Take]:
        """All takes; those of a label stand together."""
        take = sized("sigrep_bundle_take")
        with self._lock:
            names, takes = list(self.labels), []
            for i in range(self._info().n_takes):
                check(lib.sigrep_bundle_get_take(self._bundle, i, take))
                shape = take.frames.length, take.frames.frame_dim
                values = ffi.buffer(take.frames.samples, 4 * shape[0] * shape[1])
                takes.append(Take(text_of(take.name), names[take.label],
                                  take.peer_score if take.peer_score >= 0 else None,
                                  np.frombuffer(values, np.float32).reshape(shape).copy(),
                                  take.level or None))
            return takes

    def __repr__(self) -> str:
        labels = ", ".join(f"{label.name} ({label.n_takes})" for label in self.labels.values())
        return f"<sigrep.Bundle {self.front_end}: {labels or 'no takes'}>"


def train(takes: Mapping[str, Sequence[ArrayLike]], *, front_end: str = "raw", rate: float = 0,
          audio: bool = False, average: bool = False, threshold: Optional[float] = None,
          length: tuple[float, float] = (0.5, 2), min_matches: int = 1) -> Bundle:
    """Make a bundle of recorded takes.

    takes: for each label its takes, arrays of shape (n,) or (n, channels).
    front_end, rate, audio: see `Bundle`; "speech" suits words.
    average: let one average stand for all takes of a label.
    threshold, length, min_matches: of all labels, see `Label`.

        >>> bundle = sigrep.train({"seven": [take_1, take_2]}, front_end="speech", rate=16000)
    """
    for label, several in takes.items():
        if getattr(several, "ndim", 3) < 3:  # rows may be takes, or samples of several channels
            raise TypeError(f"takes of '{label}': one array; give list(takes) if its rows are "
                            "takes, [take] if it is one take")
    given = [(label, take) for label, several in takes.items() for take in several]
    columns = next(filter(None, (columns_of(take) for _, take in given)), None)
    listed = [(label, samples_of(take, f"take of '{label}'", columns=columns, is_copied=True,
                                 front_end=front_end)) for label, take in given]
    channels = channels_of(listed[0][1]) if listed else 1
    bundle = Bundle(front_end=front_end, rate=rate, channels=channels, audio=audio)
    for label, take in listed:
        bundle.add(label, take)
    bundle._columns = columns
    if average:
        bundle.average()
    for label in bundle.labels:
        bundle.set_label(label, threshold=threshold, length=length, min_matches=min_matches)
    return bundle


def calibrate(bundle: Bundle, background: Union[ArrayLike, Sequence[np.ndarray]], *,
              per_hour: float = 1, rate: Optional[float] = None,
              threads: int = 0) -> dict[str, Calibration]:
    """Set the thresholds of a bundle: those at which recordings without its labels give a wanted
    number of false alarms an hour.

    background: one recording, or a list of several; shape (n,) or (n, channels).
    per_hour: false alarms an hour. rate: of the recordings, samples a second; None: the bundle's.
    Returns a `Calibration` for each label. Raises `Error` if the background is too short; then no
    label is changed.
    """
    recordings = several_of(background, "background")
    rate_hz = rate if rate is not None else bundle.rate or 1
    made = ffi.new("sigrep_calibration **")
    with bundle._lock:
        changed = copy.copy(bundle)
        check(lib.sigrep_calibration_create(made, changed._bundle))
        calibration = ffi.gc(made[0], lib.sigrep_calibration_destroy)
        samples = 0
        for recording in recordings:
            given = samples_of(recording, "background", bundle.channels, bundle._columns,
                               front_end=bundle.front_end)
            _search_background(calibration, given, rate_hz, threads)
            finite = np.isfinite(given)
            samples += int(np.count_nonzero(finite.all(axis=1) if given.ndim == 2 else finite))
        hours = samples / rate_hz / 3600
        results = {label: _set_threshold(calibration, changed, i, label, hours, per_hour)
                   for i, label in enumerate(bundle.labels)}
        bundle._bundle = changed._bundle
        return results


def _search_background(calibration: Any, samples: np.ndarray, rate_hz: float, threads: int) -> None:
    config = ffi.new("sigrep_config *")
    lib.sigrep_config_init(config, ffi.sizeof("sigrep_config"))
    fill(config, rate_hz=rate_hz, threads=threads)
    heed_ctrl_c(config)
    lib.sigrep_calibration_configure(calibration, config)
    search = create("sigrep", lib.sigrep_destroy, lib.sigrep_create, config)
    push = lib.sigrep_push if samples.dtype == np.float32 else lib.sigrep_push_doubles
    check(push(search, values_of(samples), len(samples)))
    check(lib.sigrep_finish(search))


def _set_threshold(calibration: Any, bundle: Bundle, i: int, name: str, hours: float,
                   per_hour: float) -> Calibration:
    result = sized("sigrep_calibration_result")
    error = ffi.new("sigrep_error *")
    check(lib.sigrep_calibration_set_threshold(
        calibration, i, hours, per_hour, result, error), error, f"label '{name}'")
    label = bundle._label(i)
    candidate = sized("sigrep_candidate")
    rows = []
    for k in range(result.n_candidates):
        check(lib.sigrep_calibration_get_candidate(calibration, i, k, candidate))
        rows.append((candidate.score, candidate.recording, candidate.start_s, candidate.end_s))
    fields = [("score", "f8"), ("recording", "i8"), ("start_s", "f8"), ("end_s", "f8")]
    return Calibration(label.threshold, result.rate_low, result.rate_high,
                       bool(label.is_extrapolated), np.array(rows, fields))
