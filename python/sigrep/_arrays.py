"""_arrays.py - signals as they are given, and as the library reads them.

    array, list, masked array, DataFrame ──samples_of──> float32, shape (n,) or (n, channels)
"""
from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ._core import Template, warn

REAL = "fiub"  # kinds of numbers


def samples_of(given: Any, name: str, channels: int = 0,
               columns: Optional[list[Any]] = None) -> np.ndarray:
    """A signal as the library reads it: float32, shape (n,) or (n, channels), in C order.

    It is the array itself, not a copy, if it is like that already. Masked values and missing ones
    become NaN. channels: how many it must have; 0: any. columns: those of a DataFrame to take, by
    name; None: all. TypeError, ValueError.
    """
    array = _array_of(_take_columns(given, name, columns), name)
    if array.dtype.kind not in REAL:
        raise TypeError(f"{name}: an array of {array.dtype}, not of real numbers")
    if array.ndim not in (1, 2):
        raise ValueError(f"{name}: {array.ndim} dimensions; give shape (n,) or (n, channels)")
    got = channels_of(array)
    if got == 0 or channels not in (0, got):
        wanted = f"the templates have {channels}" if channels else "at least one is needed"
        raise ValueError(f"{name}: {got} channels, but {wanted}")
    with np.errstate(over="ignore"):
        converted = np.require(array, np.float32, ["C", "A"])
    if converted is not array and np.any(np.isinf(converted) & np.isfinite(array)):
        warn(f"{name}: values too large for float32 are gaps")
    if converted is not array and not isinstance(given, (list, tuple)):
        _warn_of_copy(array, name)
    return converted


def _warn_of_copy(array: np.ndarray, name: str) -> None:
    if array.dtype != np.float32:
        warn(f"{name}: converted from {array.dtype} to float32, which copies it")
    elif not array.flags.c_contiguous:  # else not aligned, as unpickled arrays may be
        warn(f"{name}: copied, since it is not contiguous in C order")


def _array_of(given: Any, name: str) -> np.ndarray:
    """NaN stands for what is masked or missing."""
    if isinstance(given, (list, tuple)) and any(np.ma.isMaskedArray(one) for one in given):
        given = np.ma.array(given)
    if np.ma.isMaskedArray(given) and given.dtype.kind in REAL:
        return np.where(np.ma.getmaskarray(given), np.float32(np.nan), given.data)
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


def _is_signal(value: Any) -> bool:
    """One signal of a list, not a number?"""
    return isinstance(value, Template) or (
        hasattr(value, "__len__") and not isinstance(value, (str, bytes))
        and getattr(value, "ndim", 1) > 0)
