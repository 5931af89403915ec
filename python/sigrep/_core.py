"""_core.py - what all calls of the library share: errors, templates, callbacks."""
from __future__ import annotations

import math
import sys
import threading
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Callable, NamedTuple, Optional

import numpy as np
from numpy.typing import ArrayLike

from ._sigrep import ffi, lib


class Error(Exception):
    """A call of the library failed. The text is the library's, after the name of what is wrong.

    status: the name of the status, such as "SIGREP_BAD_TEMPLATE".
    template: the index of the template that is wrong; None: none is.
    """

    def __init__(self, text: str, status: str, template: Optional[int] = None):
        super().__init__(text)
        self.status = status
        self.template = template

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.status, self.template)


class Match(NamedTuple):
    """A match: the samples [start, end) of the stream."""

    label: str
    template: int  # index, in the order in which the templates were given
    start: int  # samples of the stream
    end: int  # samples; the first one after the match
    final: int  # the number of samples after which the match was final
    score: float  # mean cost per template frame
    threshold: float  # of the template; infinite in `best`
    margin: Optional[float] = None  # 1 - score / level of the template; None: no level is known
    path: Optional[np.ndarray] = None  # see `path`; None: the search does not want paths


def text_of(c_string: Any) -> str:
    """A string of the library; bytes that are no UTF-8 survive."""
    return str(ffi.string(c_string), "utf-8", "surrogateescape")


def bytes_of(text: str, name: str) -> bytes:
    """A string for the library. TypeError, ValueError."""
    if not isinstance(text, str):
        raise TypeError(f"{name}: {text!r} is not a string")
    if "\0" in text:
        raise ValueError(f"{name}: {text!r} has a NUL, where the library's strings end")
    return text.encode("utf-8", "surrogateescape")


def check(status: int, error: Any = ffi.NULL, name: str = "",
          templates: Sequence[str] = ()) -> None:
    """Raise what a status stands for; *error, if given, has the reason. name: of what is wrong;
    templates: the name of each, if one of them may be."""
    if status == lib.SIGREP_OK:
        return
    if status == lib.SIGREP_STOPPED and is_interrupted():
        raise interrupts.pop()
    text = text_of(lib.sigrep_status_text(status))
    template = None
    if error and error.text[0] != b"\0":
        text = text_of(error.text)
        if error.template_index < sys.maxsize:
            template = error.template_index
    if status == lib.SIGREP_NO_MEMORY:
        raise MemoryError(text)
    if template is not None and templates:
        name = templates[template]
        text += "; give one" if status == lib.SIGREP_NO_THRESHOLD else ""
    if name:
        text = f"{name}: {text}"
    raise Error(text, ffi.string(ffi.cast("sigrep_status", status)), template)


def sized(kind: str, **fields: Any) -> Any:
    """A new struct of the library that begins with its size. TypeError, OverflowError."""
    made = ffi.new(f"{kind} *", {"size": ffi.sizeof(kind)})
    fill(made, **fields)
    return made


def fill(to: Any, **fields: Any) -> None:
    """Set fields of a struct. TypeError, OverflowError: with the name of the field."""
    for name, value in fields.items():
        try:
            setattr(to, name, value)
        except (TypeError, OverflowError) as error:
            raise type(error)(f"{name}: {value!r}: {error}") from None


def fill_length(to: Any, length: Any) -> None:
    """Set the length gate of a struct. TypeError."""
    try:
        to.length_min, to.length_max = length
    except (TypeError, ValueError):
        raise TypeError(f"length: {length!r} is not a pair of numbers") from None


def create(kind: str, destroy: Any, function: Any, *arguments: Any, name: str = "",
           templates: Sequence[str] = ()) -> Any:
    """A new object of the library, which frees itself. A remark becomes a warning. name, templates:
    see `check`."""
    made, error = ffi.new(f"{kind} **"), ffi.new("sigrep_error *")
    check(function(made, *arguments, error), error, name, templates)
    if error.text[0] != b"\0":
        warn(text_of(error.text))
    return ffi.gc(made[0], destroy)


def warn(text: str) -> None:
    """A warning at the line outside of this package that called it."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back and frame.f_globals["__name__"].split(".")[0] == __package__:
        level, frame = level + 1, frame.f_back
    warnings.warn(text, stacklevel=level)


@dataclass(frozen=True)
class Template:
    """A template, if an array does not say enough."""

    samples: ArrayLike  # shape (n,) or (n, channels)
    label: str = ""  # matches of one label compete
    threshold: Optional[float] = None  # mean cost per template frame; None: that of the search
    rate: float = 0  # samples a second; 0: that of the search's templates
    begin: int = 0  # samples to keep, [begin, end), cut after the front end
    end: int = 0  # 0, 0: all
    length: Optional[tuple[float, float]] = None  # length gate; None: that of the search
    min_matches: int = 0  # templates of the label that must agree; 0: that of the search


def keep_new(kind: str, value: Any, keep: list[Any]) -> Any:
    """New C memory, which lives as long as the list."""
    keep.append(ffi.new(kind, value))
    return keep[-1]


def keep_string(text: str, name: str, keep: list[Any]) -> Any:
    """A string for the library, likewise."""
    return keep_new("char[]", bytes_of(text, name), keep)


def values_of(samples: np.ndarray) -> Any:
    """The values of an array of float32 or float64 in C."""
    return ffi.from_buffer("float[]" if samples.dtype == np.float32 else "double[]", samples)


def fill_template(to: Any, t: Template, samples: np.ndarray, keep: list[Any]) -> None:
    """All of a template in C but its threshold."""
    to.size = ffi.sizeof("sigrep_template")
    to.label = keep_string(t.label, "label", keep)
    if samples.dtype == np.float32:
        to.samples = values_of(samples)
    else:
        to.doubles = values_of(samples)
    keep.append(samples)
    to.length = len(samples)
    fill(to, begin=t.begin, end=t.end, rate_hz=t.rate, min_matches=t.min_matches)
    if t.length is not None:
        fill_length(to, t.length)


interrupts: list[BaseException] = []  # that py_stop raised and no call has raised yet


def heed_ctrl_c(config: Any) -> None:
    """Let Ctrl-C end the calls of a search."""
    if threading.current_thread() is threading.main_thread():  # Python sends signals to no other
        config.should_stop = lib.py_stop


def is_interrupted() -> bool:
    """Has Ctrl-C ended the call that this thread just made?"""
    return bool(interrupts) and threading.current_thread() is threading.main_thread()


class Sink:
    """What callbacks write to: a handle of it is their first argument."""

    def __init__(self, on_match: Optional[Callable[[Match], object]] = None,
                 on_scores: Optional[Callable[[np.ndarray], object]] = None):
        self.on_match = on_match
        self.on_scores = on_scores
        self.paths_of: Any = None  # the search that has the paths of matches; None: not wanted
        self.matches: list[Match] = []
        self.n_templates = 0
        self.frames = bytearray()  # of the store of a best-of search
        self.error: Optional[BaseException] = None

    def take_matches(self) -> list[Match]:
        """The matches since the last call."""
        taken, self.matches = self.matches, []
        return taken

    def raise_error(self) -> None:
        """Raise what was raised in a callback."""
        if is_interrupted():
            self.error = interrupts.pop()
        if self.error is not None:
            error, self.error = self.error, None
            try:
                raise error
            finally:
                del error  # which would keep this frame alive, and the frame the search


class Scores:
    """Gathers all scores of a stream: an `on_scores`."""

    def __init__(self) -> None:
        self._parts: list[np.ndarray] = []

    def __call__(self, scores: np.ndarray) -> None:
        self._parts.append(scores.copy())  # they are the library's

    def taken(self, n_templates: int) -> np.ndarray:
        """Shape (frames, templates)."""
        return np.concatenate([np.empty((0, n_templates), np.float32), *self._parts])


PAIR = [("template_frame", "i8"), ("match_frame", "i8"), ("start", "i8"), ("end", "i8"),
        ("cost", "f4")]
PAIR_IN_C = np.dtype(PAIR, align=True)


def path_of(search: Any) -> np.ndarray:
    """The warping path of the match that is being called back."""
    pairs, n = ffi.new("const sigrep_pair **"), ffi.new("size_t *")
    check(lib.sigrep_get_path(search, pairs, n))
    return np.frombuffer(ffi.buffer(pairs[0], n[0] * PAIR_IN_C.itemsize), PAIR_IN_C).astype(PAIR)


def _keep_error(kind: Any, error: BaseException, traceback: Any) -> None:
    """The call in progress stops; raise_error raises it in the caller. Others may follow it."""
    sink = ffi.from_handle(traceback.tb_frame.f_locals["user"])
    sink.error = sink.error or error


def _known(number: float) -> Optional[float]:
    return None if math.isnan(number) else number


@ffi.def_extern(error=1, onerror=_keep_error)
def py_match(user: Any, match: Any) -> int:
    sink = ffi.from_handle(user)
    path = path_of(sink.paths_of) if sink.paths_of else None
    found = Match(text_of(match.label), match.template_index, match.start, match.end, match.final,
                  match.score, match.threshold, _known(match.margin), path)
    sink.matches.append(found)
    return 1 if sink.on_match and sink.on_match(found) else 0


@ffi.def_extern(error=1, onerror=_keep_error)
def py_scores(user: Any, scores: Any, n_frames: int) -> int:
    sink = ffi.from_handle(user)
    values = np.frombuffer(ffi.buffer(scores, 4 * n_frames * sink.n_templates), np.float32)
    sink.on_scores(values.reshape(n_frames, sink.n_templates))
    return 0


@ffi.def_extern(error=1, onerror=lambda kind, error, traceback: interrupts.append(error))
def py_stop(user: Any) -> int:
    """Python handles signals here: Ctrl-C raises KeyboardInterrupt. `user` need not be a Sink."""
    return 0


@ffi.def_extern(error=1, onerror=_keep_error)
def py_append(user: Any, frames: Any, n: int, dim: int) -> int:
    ffi.from_handle(user).frames += ffi.buffer(frames, 4 * n * dim)
    return 0


@ffi.def_extern(error=1, onerror=_keep_error)
def py_read(user: Any, first: int, frames: Any, n: int, dim: int) -> int:
    kept = memoryview(ffi.from_handle(user).frames)[4 * first * dim : 4 * (first + n) * dim]
    ffi.memmove(frames, kept, 4 * n * dim)
    return 0


@ffi.def_extern(error=1, onerror=_keep_error)
def py_clear(user: Any) -> int:
    ffi.from_handle(user).frames = bytearray()
    return 0
