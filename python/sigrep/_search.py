"""_search.py - searches: all at once, the best matches, sample by sample."""
from __future__ import annotations

import contextlib
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Callable, Optional, TypedDict, Union

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import channels_of, columns_of, samples_of, several_of, warn_of_merged
from ._bundle import Bundle
from ._core import (Match, Scores, Sink, Template, check, create, fill, fill_length, fill_template,
                    heed_ctrl_c, keep_new, keep_string, sized, text_of, values_of, warn)
from ._sigrep import ffi, lib

if TYPE_CHECKING:
    import pandas
    from typing_extensions import Unpack


#: Passes pieces of work on, one after the other, and may show how many are done: `tqdm.tqdm`, say.
Progress = Callable[[list[Any]], Iterable[Any]]

Templates = Union[Bundle, Template, Sequence[Any], Mapping[str, Any], ArrayLike]


class Options(TypedDict, total=False):
    """The options of all searches, as `Search` describes them."""

    rate: Optional[float]
    template_rate: float
    front_end: Optional[str]
    threshold: Optional[float]
    length: Optional[tuple[float, float]]
    min_matches: int
    device: str
    kernel: Optional[str]
    threads: int
    on_match: Optional[Callable[[Match], object]]
    paths: bool
    margins: bool


class Search:
    """A search of a stream that comes piece by piece.

    templates: what to search for: a `Bundle`; a `Template`; an array of shape (n,) or (n,
        channels); a list of these, in which arrays get the labels "0", "1" and so on; or a dict of
        labels and these, or lists of these, the takes of a label. A list of lists is a list of
        templates, not an array.
    rate: of the stream, samples a second; None: that of the templates.
    template_rate: of the templates, samples a second; 0: `rate`. Another rate of the stream is
        resampled to it.
    front_end: what is compared. For numbers: "raw", the default, "znorm=SECONDS", "diff",
        "envelope=HZ", "bandpass=LOW-HIGH", "resample=HZ", "zmatch". For sounds: "speech", "mfcc",
        "logmel=BANDS", "words", "voices". "+" joins them: "bandpass=0.1-20+diff".
    threshold: highest score of a match, mean cost per template frame; None: the bundle's, or an
        estimate for each template.
    length: shortest and longest match in template lengths; None: the bundle's, or (0.5, 2).
    min_matches: templates of a label that must agree; 0: the bundle's, or 1.
    device: "auto", "cpu", "cuda", "cuda:N" or "cuda:all" (each search takes the next GPU). It
        changes no result, nor do these two:
    kernel: the name of one of the library's kernels; None: the fastest.
    threads: of the CPU; 0: one.
    on_match: called with each `Match` as soon as it is final. If it returns true, the search stops.
        If it raises an exception, the search stops, and the call in progress raises it.
    paths: does each `Match` get its warping path, as `path` describes it?
    margins: does each `Match` of sounds get its margin, even if no threshold is estimated? It takes
        some milliseconds for each template.

    NaN in a stream is a gap, which no match spans; so are masked and missing values. Columns of a
    DataFrame are taken by name: those of the templates, or of the stream's first piece. Its index
    does not count. Sounds lie within -1 and 1: divide int16 by 32768. The library works without
    Python's lock (GIL). A search cannot be copied. Raises `Error`, TypeError, ValueError,
    MemoryError.
    """

    def __init__(
        self,
        templates: Templates,
        *,
        rate: Optional[float] = None,
        template_rate: float = 0,
        front_end: Optional[str] = None,
        threshold: Optional[float] = None,
        length: Optional[tuple[float, float]] = None,
        min_matches: int = 0,
        device: str = "auto",
        kernel: Optional[str] = None,
        threads: int = 0,
        on_match: Optional[Callable[[Match], object]] = None,
        paths: bool = False,
        margins: bool = False,
        _best: int = 0,
        _on_scores: Optional[Callable[[np.ndarray], object]] = None,
        _expected: int = 0,
    ):
        config = ffi.new("sigrep_config *")
        lib.sigrep_config_init(config, ffi.sizeof("sigrep_config"))
        self._sink = Sink(on_match, _on_scores)
        self._handle = ffi.new_handle(self._sink)
        self._busy = threading.Lock()
        #: Did on_match stop the search, or an exception that it raised?
        self.stopped = False
        self._warned = False  # that float32 cannot tell samples apart
        if _best and threshold is not None:
            raise ValueError("threshold: best and match have none; use search")

        keep: list[Any] = []  # memory that the configuration points to
        named: list[tuple[str, np.ndarray]] = []
        fill(config, template_rate_hz=template_rate, threads=threads, paths=paths, margins=margins,
             expected=_expected, min_matches=min_matches or 1)
        config.front_end = keep_string(front_end or "raw", "front_end", keep)
        config.device = keep_string(device, "device", keep)
        config.kernel = keep_string(kernel, "kernel", keep) if kernel is not None else ffi.NULL
        # No other thread may change a bundle until its frames are copied.
        with templates._lock if isinstance(templates, Bundle) else contextlib.nullcontext():
            if isinstance(templates, Bundle):
                if front_end is not None or template_rate:
                    raise ValueError("front_end and template_rate are the bundle's")
                lib.sigrep_bundle_configure(templates._bundle, config)
                _override(config, threshold, length, min_matches, keep)
                self._columns = templates._columns
            else:
                self._columns = _configure(config, _listed(templates), threshold, keep, named)
            if length is not None:
                fill_length(config, length)
            fill(config, rate_hz=rate if rate is not None else config.template_rate_hz or 1)
            self._create(config, _best, keep)
        self._stream_columns = self._columns
        for name, samples in named:
            self._warn_of_rounding(name, samples)

    def _create(self, config: Any, best: int, keep: list[Any]) -> None:
        config.user = self._handle
        config.on_match = lib.py_match
        if self._sink.on_scores:
            config.on_scores = lib.py_scores
        heed_ctrl_c(config)
        if best:
            config.best = best
            store = (lib.py_append, lib.py_read, lib.py_clear, self._handle)
            config.store = keep_new("sigrep_store *", store, keep)
        self._labels = [text_of(t.label) if t.label else ""
                        for t in ffi.unpack(config.templates, config.n_templates)]
        for label, n in Counter(self._labels).items():
            if n < config.min_matches:
                warn(f"label '{label}' has {n} templates, so min_matches={config.min_matches} "
                     "finds nothing")
        self._sink.n_templates = len(self._labels)
        self._channels = config.channels
        self._front_end = text_of(config.front_end)
        # It may warn why the CPU searches instead of a GPU.
        self._search = create("sigrep", lib.sigrep_destroy, lib.sigrep_create, config, templates=[
            _name_of(label, i) for i, label in enumerate(self._labels)])
        if config.paths:
            self._sink.paths_of = ffi.cast("sigrep *", self._search)

    def push(self, samples: ArrayLike) -> list[Match]:
        """Search the next samples, shape (n,) or (n, channels). Returns the matches that became
        final. An array of float32 or float64 in C order is not copied."""
        given = self._samples_of(samples)
        if self._stream_columns is None:
            self._stream_columns = columns_of(samples)
        if given.dtype == np.float32:
            return self._call(lib.sigrep_push, values_of(given), len(given))
        if not self._warned:
            self._warned = self._warn_of_rounding("stream", given, self.stats["samples"])
        return self._call(lib.sigrep_push_doubles, values_of(given), len(given))

    def _samples_of(self, given: Any, name: str = "stream") -> np.ndarray:
        """A stream as the library reads it."""
        return samples_of(given, name, self._channels, self._stream_columns,
                          front_end=self._front_end)

    def _warn_of_rounding(self, name: str, given: np.ndarray, before: int = 0) -> bool:
        if given.dtype == np.float32 or lib.sigrep_wants_doubles(self._search):
            return False
        return warn_of_merged(given, name, "use front_end='diff', or subtract an offset", before)

    def _pieces(self, stream: ArrayLike) -> list[np.ndarray]:
        """A stream as at most a hundred pieces, none too short to be searched fast."""
        samples = self._samples_of(stream)
        size = max(lib.sigrep_push_size(self._search), -(-len(samples) // 100))
        return [samples[at : at + size] for at in range(0, len(samples), size)]

    def gap(self, n: int) -> list[Match]:
        """n samples are missing here: no match spans them. Returns what became final."""
        return self._call(lib.sigrep_gap, n)

    def finish(self) -> list[Match]:
        """The stream has ended. Returns the last matches; the next push begins a new stream."""
        self._stream_columns = self._columns
        return self._call(lib.sigrep_finish)

    def save(self) -> bytes:
        """The state of the search, to go on from later, in another process: see `resume`."""
        state, size, error = ffi.new("const void **"), ffi.new("size_t *"), ffi.new("sigrep_error *")
        with self._alone():
            status = lib.sigrep_save(self._search, state, size, error)
            self._sink.raise_error()
            check(status, error)
            return bytes(ffi.buffer(state[0], size[0]))

    def resume(self, state: bytes) -> int:
        """Go on from what a search of the same templates and options saved; this one has had no
        samples yet. Returns the number of the stream's next sample. Without resampling that is how
        many samples the other search had. With it, it may be earlier: samples that come again match
        nothing. If samples were lost since, call `gap` next."""
        begin, error = ffi.new("uint64_t *"), ffi.new("sigrep_error *")
        with self._alone():
            check(lib.sigrep_resume(self._search, ffi.from_buffer(state), len(state), begin, error),
                  error)
        return int(begin[0])

    def __reduce__(self) -> Any:
        raise TypeError("a Search is in the midst of a stream, and cannot be copied or pickled; "
                        "make another of the same templates")

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        if not self._busy.acquire(blocking=False):
            raise RuntimeError("this search is in use, by another thread or by its own on_match")
        try:
            yield
        finally:
            self._busy.release()

    def _call(self, function: Any, *arguments: Any) -> list[Match]:
        with self._alone():
            status = function(self._search, *arguments)
            matches = self._sink.take_matches()
            self.stopped = status == lib.SIGREP_STOPPED
            self._sink.raise_error()
            if not self.stopped:
                check(status)
            return matches

    @property
    def labels(self) -> list[str]:
        """The label of each template."""
        return list(self._labels)

    @property
    def thresholds(self) -> list[float]:
        """The threshold of each template, mean cost per template frame; infinite in `best`."""
        return [lib.sigrep_get_threshold(self._search, i) for i in range(len(self._labels))]

    @property
    def stats(self) -> dict[str, Any]:
        """samples (of this stream so far), frames, cells, cells_traced; kernel, device; remark: why
        the CPU took over from a GPU, or None."""
        stats = sized("sigrep_stats")
        lib.sigrep_get_stats(self._search, stats)
        counts = {name: getattr(stats, name)
                  for name in ("samples", "frames", "cells", "cells_traced")}
        texts = {name: getattr(stats, name) for name in ("kernel", "device", "remark")}
        return {**counts, **{name: text_of(text) if text else None for name, text in texts.items()}}


def _listed(templates: Any) -> list[Template]:
    """All forms of templates as one."""
    if isinstance(templates, Mapping):
        return [_labelled(take, label) for label, takes in templates.items()
                for take in several_of(takes, f"template '{label}'")]
    if isinstance(templates, (list, tuple)) and not templates:
        return []
    several = several_of(templates, "templates")
    if several[0] is templates:
        return [_labelled(templates, "")]
    return [t if isinstance(t, Template) else Template(t, str(i)) for i, t in enumerate(several)]


def _labelled(take: Any, label: str) -> Template:
    """A template under the label of a dict."""
    if not isinstance(take, Template):
        return Template(take, label)
    if label and take.label not in ("", label):
        raise ValueError(f"template '{label}': its own label is '{take.label}'")
    return replace(take, label=label or take.label)


def _name_of(label: str, i: int) -> str:
    """A template, in messages."""
    return f"template '{label}'" if label else f"template {i}"


def _configure(config: Any, listed: list[Template], threshold: Optional[float], keep: list[Any],
               named: list[tuple[str, np.ndarray]]) -> Optional[list[Any]]:
    """Point the configuration at the templates. Returns their columns' names, if there are any.
    named: gets the templates' names and samples."""
    array = keep_new("sigrep_template[]", len(listed), keep)
    channels = 0
    columns: Optional[list[Any]] = None
    for i, (to, t) in enumerate(zip(array, listed)):
        name = _name_of(t.label, i)
        samples = samples_of(t.samples, name, channels, columns, is_copied=True,
                             front_end=text_of(config.front_end))
        named.append((name, samples))
        channels = channels_of(samples)
        columns = columns_of(t.samples) if columns is None else columns
        fill_template(to, t, samples, keep)
        wanted = t.threshold if t.threshold is not None else threshold
        to.auto_threshold = wanted is None
        fill(to, threshold=0 if wanted is None else wanted)
    config.templates = array
    config.n_templates = len(listed)
    config.channels = channels or 1
    return columns


def _override(config: Any, threshold: Optional[float], length: Optional[tuple[float, float]],
              min_matches: int, keep: list[Any]) -> None:
    """Options of a search in place of those of the bundle."""
    own = ffi.unpack(config.templates, config.n_templates)
    config.templates = keep_new("sigrep_template[]", own, keep)
    for i in range(config.n_templates):
        to = config.templates[i]
        if threshold is not None:
            fill(to, auto_threshold=0, threshold=threshold)
        if length is not None:
            fill_length(to, length)
        if min_matches:
            fill(to, min_matches=min_matches)


def as_array(matches: Sequence[Match]) -> np.ndarray:
    """Matches as a structured array, with the fields of `Match`; a margin of NaN is not known."""
    width = max((len(m.label) for m in matches), default=1) or 1
    fields = [("label", f"U{width}"), ("template", "i8"), ("start", "i8"), ("end", "i8"),
              ("final", "i8"), ("score", "f8"), ("threshold", "f8"), ("margin", "f8")]
    return np.array([m[: len(fields)] for m in matches], fields)


def to_pandas(matches: Union[np.ndarray, Sequence[Match]], rate: Optional[float] = None,
              index: Any = None) -> "pandas.DataFrame":
    """Matches as a pandas frame with a column for each field of `Match`.

    rate: samples a second; the columns start_s and end_s have the times in seconds. index: a value
    for each sample of the stream, such as `frame.index`, or `array.time` of xarray; the columns
    first and last have the values of each match's first and last sample.
    """
    import pandas

    array = matches if isinstance(matches, np.ndarray) else as_array(matches)
    frame = pandas.DataFrame({name: array[name] for name in array.dtype.names or ()})
    if rate is not None:
        frame["start_s"] = frame["start"] / rate
        frame["end_s"] = frame["end"] / rate
    if index is not None:
        beside = pandas.Index(index)
        frame["first"] = beside[array["start"]]
        frame["last"] = beside[array["end"] - 1]
    return frame


def search(stream: ArrayLike, templates: Templates, *, progress: Optional[Progress] = None,
           **options: Unpack[Options]) -> np.ndarray:
    """All matches in a stream, in the order in which they became final.

    stream: shape (n,) or (n, channels). progress: gets the stream as a list of pieces and passes
    them on, such as `tqdm.tqdm`. Other options: see `Search`.
    Returns a structured array with the fields of `Match`; `to_pandas` makes a frame of it.

        >>> matches = sigrep.search(ecg, {"beat": beat}, rate=360, front_end="znorm=0.5")
        >>> matches["start"] / 360
    """
    return as_array(search_all(stream, Search(templates, **options), progress))


def best(stream: ArrayLike, templates: Templates, n: int = 1, *,
         progress: Optional[Progress] = None, **options: Unpack[Options]) -> np.ndarray:
    """The n best disjoint matches of each label, lowest score first, without a threshold.

    stream: shape (n,) or (n, channels). progress: see `search`. Other options: see `Search`, but
    there is no threshold. Keeps the stream's frames in memory. Returns what `search` returns.
    """
    if n < 1:
        raise ValueError(f"n is {n}, but at least one match must be wanted")
    return as_array(search_all(stream, Search(templates, _best=n, **options), progress))


def match(query: Templates, series: ArrayLike, *, progress: Optional[Progress] = None,
          **options: Unpack[Options]) -> Match:
    """The place at which a series is most like a query: subsequence DTW.

    query, series: shape (n,) or (n, channels). A query may also be anything that `Search` takes.
    progress: see `search`. Other options: see `Search`, but there is no threshold, and other
    defaults: paths is True, and length is (0, 64), the widest. So no match is longer than 64
    queries. Keeps the series' frames in memory. Returns the best `Match`, with its path. Its score
    times the query's frames is the cost of the path. ValueError if no place matches, as in a series
    without a finite sample. With paths it warns if the query is longer than the series.

        >>> found = sigrep.match(beat, ecg)
        >>> ecg[found.start : found.end]
    """
    options.setdefault("length", (0, 64))
    options.setdefault("paths", True)
    one = Search(query, _best=1, **options)
    found = search_all(series, one, progress)
    if not found:
        raise ValueError("series: the query is nowhere; are all samples gaps, or the length gate "
                         "too narrow?")
    nearest = min(found, key=lambda place: place.score)
    if nearest.path is not None and nearest.path["template_frame"][-1] >= one.stats["frames"]:
        warn("the query is longer than the series; the query comes first: match(query, series)")
    return nearest


def scores(stream: ArrayLike, templates: Templates, *, progress: Optional[Progress] = None,
           **options: Unpack[Options]) -> np.ndarray:
    """The score of each template at each frame of the stream: of the best match that ends there.

    progress: see `search`. Other options: see `Search`; the threshold is for on_match alone.
    Returns float32, shape (frames, templates); NaN in gaps. With "raw", a frame is a sample.
    """
    if options.get("on_match") is None and options.get("threshold") is None:
        options["threshold"] = 0  # none is estimated, which some templates would not allow
    kept = Scores()
    one = Search(templates, _on_scores=kept, **options)
    search_all(stream, one, progress)
    return kept.taken(len(one.labels))


def path(stream: ArrayLike, templates: Templates, *, progress: Optional[Progress] = None,
         **options: Unpack[Options]) -> tuple[np.ndarray, list[np.ndarray]]:
    """All matches in a stream, and the warping path of each.

    progress: see `search`. Other options: see `Search`. Returns what `search` returns, and a list
    with a path for each match. A path is a structured array of pairs of frames, from the first
    frames to the last ones. From a pair to the next, either frame or both go on by one. Its fields
    are template_frame and match_frame, each from 0; start and end, the samples [start, end) of the
    stream that match_frame stands for; and cost, the distance of both frames. The costs add up to
    the score times the template's frames.
    """
    options["paths"] = True
    found = search_all(stream, Search(templates, **options), progress)
    return as_array(found), [m.path for m in found if m.path is not None]


def live(blocks: Iterable[ArrayLike], templates: Templates,
         **options: Unpack[Options]) -> Iterator[Match]:
    """Iterate over the matches of a stream that never ends, each as soon as it is final.

    blocks: arrays of shape (n,) or (n, channels), such as a microphone's. Other options: see
    `Search`. on_match can stop it, or just leave the loop.
    """
    one = Search(templates, **options)

    def matches() -> Iterator[Match]:
        for block in blocks:
            yield from one.push(block)
            if one.stopped:
                return
        yield from one.finish()

    return matches()


def search_all(stream: ArrayLike, one: Search, progress: Optional[Progress] = None) -> list[Match]:
    """All matches of a stream that is there as a whole."""
    found: list[Match] = []
    for piece in progress(one._pieces(stream)) if progress else [stream]:
        found += one.push(piece)
        if one.stopped:
            return found
    return found + one.finish()
