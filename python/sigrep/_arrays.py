"""_arrays.py - signals as they are given, and as the library reads them.

    array, list, masked array, DataFrame ──samples_of──> float32 or float64, (n,) or (n, channels)
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import ArrayLike

from ._core import Template, warn

Series = Union[np.ndarray, Sequence[ArrayLike]]  # several series, of different lengths perhaps

REAL = "fiub"  # kinds of numbers
LOUDNESS = ("mfcc", "logmel", "voices", "words")  # front ends that hear how loud a sound is
TOO_LARGE = float(2**128 - 2**103)  # the least value that float32 rounds to infinity


def samples_of(given: Any, name: str, channels: int = 0, columns: Optional[list[Any]] = None,
               is_copied: bool = False, front_end: str = "raw") -> np.ndarray:
    """A signal as the library reads it: float32 or float64, (n,) or (n, channels), in C order.

    It is the array itself, not a copy, if it is like that already. Integers become float32 if it
    holds all of their type, else float64. Masked values and missing ones become NaN. channels: how
    many it must have; 0: any. columns: those of a DataFrame to take, by name; None: all. is_copied:
    the caller copies it in any case, so a copy is not worth a warning. front_end: what compares it.
    TypeError, ValueError.
    """
    taken = _take_columns(given, name, columns)
    array = _array_of(taken, name)
    if array.dtype.kind not in REAL:
        raise TypeError(f"{name}: {_not_real(taken)}an array of {array.dtype}, not of real numbers")
    if array.ndim not in (1, 2):
        raise ValueError(f"{name}: {array.ndim} dimensions; give shape (n,) or (n, channels)")
    got = channels_of(array)
    if got == 0 or channels not in (0, got):
        wanted = f"the templates have {channels}" if channels else "at least one is needed"
        raise ValueError(f"{name}: {got} channels, but {wanted}")
    kind = np.float32 if np.can_cast(array.dtype, np.float32) else np.float64
    converted = np.require(array, kind, ["C", "A"])
    _warn_of_digits(array, converted, name)
    if array.dtype.kind in "iu" and any(one in front_end for one in LOUDNESS):
        warn(f"{name}: integers, but sounds lie within -1 and 1; divide int16 by 32768")
    is_copied |= isinstance(given, (list, tuple)) or columns_of(given) is not None
    if converted is not array and not is_copied:
        _warn_of_copy(array, converted, name)
    return converted


def _not_real(frame: Any) -> str:
    """The first column of a DataFrame of pandas that has no numbers, for a message."""
    for column, kind in zip(columns_of(frame) or [], _dtypes_of(frame)):
        if getattr(kind, "kind", "f") not in REAL:
            return f"column '{column}': "
    return ""


def _warn_of_digits(array: np.ndarray, converted: np.ndarray, name: str) -> None:
    """Values that are changed, or that a search does not take."""
    if converted.dtype == np.float32 or not converted.size:
        return
    ends = np.fmin.reduce(array, axis=None), np.fmax.reduce(array, axis=None)
    if array.dtype.kind in "iu" and max(map(abs, map(int, ends))) > 1 << 53:
        warn(f"{name}: numbers beyond 2^53 lose digits")
    if max(-float(ends[0]), float(ends[1])) >= TOO_LARGE:
        size = np.abs(converted)
        if np.any((size >= TOO_LARGE) & (size < np.inf)):
            warn(f"{name}: values too large for float32 are gaps")


def _warn_of_copy(array: np.ndarray, converted: np.ndarray, name: str) -> None:
    if array.dtype != converted.dtype:
        warn(f"{name}: converted from {array.dtype} to {converted.dtype}, which copies it")
    elif not array.flags.c_contiguous:  # else not aligned, as unpickled arrays may be
        warn(f"{name}: copied, since it is not contiguous in C order")


def warn_of_merged(doubles: np.ndarray, name: str, cure: str, before: int = 0) -> bool:
    """Has float32 too few digits for them? before: samples of the stream before these."""
    at = first_merged(doubles)
    if at is not None:
        warn(f"{name}: samples {before + at} and {before + at + 1} differ, and more like them, but "
             f"are one float32; {cure}")
    return at is not None


def first_merged(doubles: np.ndarray) -> Optional[int]:
    """The first sample that float32 makes equal to the next one, which differs. None: of those that
    differ, not one in a hundred, as at the peaks of a slow wave."""
    with np.errstate(over="ignore"):
        rounded = doubles.astype(np.float32)
    differ = doubles[1:] != doubles[:-1]
    merged = differ & np.isfinite(rounded[1:]) & (rounded[1:] == rounded[:-1])
    if 100 * np.count_nonzero(merged) <= np.count_nonzero(differ):
        return None
    return int(np.argwhere(merged)[0][0])


def _array_of(given: Any, name: str) -> np.ndarray:
    """NaN stands for what is masked or missing."""
    if isinstance(given, (list, tuple)) and any(np.ma.isMaskedArray(one) for one in given):
        given = np.ma.array(given)
    if np.ma.isMaskedArray(given) and given.dtype.kind in REAL:
        return np.where(np.ma.getmaskarray(given), np.float32(np.nan), given.data)
    if "time" in getattr(given, "dims", ()):  # of xarray
        given = given.transpose("time", ...)
    kinds = [getattr(one, "kind", "O") for one in _dtypes_of(given)]
    if kinds and all(kind in REAL for kind in kinds) and np.asarray(given).dtype == object:
        given = given.to_numpy(dtype=np.float64, na_value=np.nan)
    try:
        return np.asarray(given)
    except ValueError as error:
        raise ValueError(f"{name}: no array of numbers can be made of it: {error}") from None


def _dtypes_of(given: Any) -> list[Any]:
    """Of a frame or series of pandas."""
    if not hasattr(given, "to_numpy") or not hasattr(given, "dtypes"):
        return []
    return list(given.dtypes) if columns_of(given) is not None else [given.dtypes]


def columns_of(given: Any) -> Optional[list[Any]]:
    """The names of a DataFrame's columns (of pandas, polars or pyarrow); None: it is none."""
    names = getattr(given, "column_names", getattr(given, "columns", None))
    return None if names is None or isinstance(given, np.ndarray) else list(names)


def _take_columns(given: Any, name: str, columns: Optional[list[Any]]) -> Any:
    """The columns of a DataFrame by name, in this order. Other arrays have no names."""
    own = columns_of(given)
    if own is None:
        return given
    columns = own if columns is None else columns
    for column in columns:
        if own.count(column) != 1:
            listed = ", ".join(map(str, own))
            is_there = f"{own.count(column)} columns" if column in own else "no column"
            raise ValueError(f"{name}: {is_there} '{column}'; there are {listed}")
    if columns == own:
        return given
    return given.select(columns) if hasattr(given, "select") else given[columns]


def channels_of(array: np.ndarray) -> int:
    """Values a sample."""
    return array.shape[1] if array.ndim == 2 else 1


def several_of(value: Any, name: str) -> list[Any]:
    """The signals of a list of them, or the one signal as a list of one.

    A list of lists is a list of signals. TypeError if it may as well be one of several channels.
    """
    if not isinstance(value, (list, tuple)) or not any(map(_is_signal, value)):
        return [value]
    if all(isinstance(one, (list, tuple)) and not any(map(_is_signal, one)) for one in value):
        lengths = {len(one) for one in value}
        if len(lengths) == 1 and len(value) > min(lengths):
            n = min(lengths)
            raise TypeError(f"{name}: {len(value)} lists of {n} numbers are signals, or samples of "
                            f"{n} channels? Give signals as arrays, or all samples as one array")
    return list(value)


def series_of(given: Series, name: str) -> list[Any]:
    """The series of a list of them, or the rows of an array; the one series as a list of one.
    TypeError, ValueError."""
    if columns_of(given) is not None:
        raise TypeError(f"{name}: a DataFrame is one signal here; give a list of its columns")
    dims: Sequence[Any] = getattr(given, "dims", ())  # of xarray
    if len(dims) > 1 and dims[0] == "time":
        raise TypeError(f"{name}: its first dimension is time, so it is one signal; give a list, or "
                        "transpose it")
    several = list(given)
    if not several:
        raise ValueError(f"{name}: empty")
    return several if any(map(_is_signal, several)) else [given]


def _is_signal(value: Any) -> bool:
    """One signal of a list, not a number?"""
    return isinstance(value, Template) or (
        hasattr(value, "__len__") and not isinstance(value, (str, bytes))
        and getattr(value, "ndim", 1) > 0)
