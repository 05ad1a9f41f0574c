"""Arrays as the library takes them: checked here, so that it never reads beyond one."""
import contextlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import fields

import numpy as np

from .errors import ImpactError, bad, said_of


def _asked(shape) -> str:
    return "(" + ", ".join("n" if n is None else str(n) for n in shape) + ")"


def _fits(shape, wanted) -> bool:
    return len(shape) == len(wanted) and all(w in (None, n) for n, w in zip(shape, wanted))


def _refuse_masked(name: str, value) -> None:
    """Raises where numbers are masked, or those of records, which np.ma.is_masked does not take."""
    if np.ma.isMaskedArray(value) and any(np.ma.getmaskarray(value).tobytes()):
        raise bad(f"{name}: masked numbers given, expected none")


def _array(name: str, value) -> np.ndarray:
    try:
        return np.asarray(value)
    except ValueError:
        raise bad(f"{name}: rows of different lengths") from None


def numbers(name: str, value, *shapes, finite: bool = True) -> np.ndarray:
    """value as float64, aligned and C-contiguous, of one of the shapes (None: any length).

    It is the array itself where it is all that already, and a copy otherwise.
    """
    array = _array(name, value)
    if array.dtype.kind not in "fiu":
        raise bad(f"{name}: {array.dtype} given, real numbers expected")
    _refuse_masked(name, value)
    if not any(_fits(array.shape, shape) for shape in shapes):
        wanted = " or ".join(_asked(shape) for shape in shapes)
        raise bad(f"{name}: shape {_asked(array.shape)} given, {wanted} expected")
    with np.errstate(all="ignore"):  # a longdouble beyond double is an infinity, and said as one
        array = np.require(array, np.float64, ["C_CONTIGUOUS", "ALIGNED"])
    if finite and not np.isfinite(array).all():
        at = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        place = list(at) if at else ""
        raise bad(f"{name}{place}: {array[at]} given, a finite number expected")
    return array


def whole(name: str, value, low: int = 0, expected: str = "a whole number") -> int:
    """value as one of C's int from low on; True is none."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or \
            not low <= value < 2**31 - 1:
        raise bad(f"{name}: {value!r} given, {expected} expected")
    return int(value)


def per_contact(name: str, value, nc: int) -> np.ndarray:
    """One number for each contact, or one for all."""
    array = numbers(name, value, (), (nc,))
    return np.full(nc, float(array)) if array.ndim == 0 else array


def vectors(name: str, value, nc: int) -> np.ndarray:
    """Three numbers for each contact, (3nc) or (nc, 3), as (3nc)."""
    return numbers(name, value, (3 * nc,), (nc, 3)).reshape(-1)


def indices(name: str, value, n: int | None = None) -> np.ndarray:
    """A copy of a column of whole numbers as C's int: what is checked stays what it is."""
    array = _array(name, value)
    if array.dtype.kind not in "iu" or array.ndim != 1 or n not in (None, len(array)):
        wanted = _asked((n,))
        raise bad(f"{name}: {array.dtype} of shape {_asked(array.shape)} given, whole numbers of "
                  f"shape {wanted} expected")
    _refuse_masked(name, value)
    if array.size and not (0 <= array.min() and array.max() < 2**31):
        raise bad(f"{name}: expected numbers from 0 to 2^31 - 1")
    return np.array(array, dtype=np.int32)


def records(name: str, value, dtype: np.dtype) -> np.ndarray:
    """A column of the library's own structs; a list of such records is put into one."""
    try:
        rows = [value] if isinstance(value, np.ndarray) else list(value)
    except TypeError:
        rows = [None]
    if any(getattr(row, "dtype", None) != dtype for row in rows):
        raise bad(f"{name}: expected records of the library's dtype")
    if not isinstance(value, np.ndarray):
        value = np.array(rows, dtype=dtype)
    if value.ndim != 1:
        raise bad(f"{name}: expected a column of records")
    _refuse_masked(name, value)
    return np.require(value, dtype, ["C_CONTIGUOUS", "ALIGNED"])


def same(one, other) -> bool:
    """Are two values equal, arrays and tuples number by number? NaN, no number, is equal to NaN."""
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if not isinstance(one, np.ndarray):
        return one == other or (one != one and other != other)
    if one.dtype != other.dtype:
        return False
    if one.dtype.names:
        return all(same(one[name], other[name]) for name in one.dtype.names)
    return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")


class ByValue:
    """A dataclass with arrays, equal to another where all fields are that compare."""

    def __eq__(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return all(same(getattr(self, field.name), getattr(other, field.name))
                   for field in fields(self) if field.compare)

    __hash__ = None


def c_text(name: str, text: str | bytes) -> bytes:
    """text as C takes it, which would see its end in a NUL."""
    if not isinstance(text, (str, bytes)):
        raise bad(f"{name}: {text!r} given, a text expected")
    try:
        coded = text.encode() if isinstance(text, str) else text
    except UnicodeEncodeError:
        raise bad(f"{name}: {text!r} given, a text that UTF-8 can hold expected") from None
    if b"\0" in coded:
        raise bad(f"{name}: {text!r} given, a text without NUL expected")
    return coded


def c_path(name: str, path) -> bytes:
    """path as C takes it."""
    try:
        return c_text(name, os.fsencode(path))
    except (TypeError, UnicodeEncodeError):
        raise bad(f"{name}: {path!r:.60} given, a path expected") from None


@contextlib.contextmanager
def input_file(name: str, path):
    """The file that the library reads: path, or of "-" a copy of standard input, which is read
    here, as Ctrl-C does not end what reads in C."""
    if c_path(name, path) != b"-":
        yield path
        return
    if sys.stdin is None:
        raise bad(f"{name}: '-' given, but there is no standard input")
    with tempfile.NamedTemporaryFile() as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
        file.flush()
        try:
            yield file.name
        except ImpactError as error:
            raise said_of("standard input", error, file.name) from None


def json_text(value) -> str:
    """value in JSON, with what NumPy holds as the numbers and lists that it is."""
    def plain(part):
        if isinstance(part, np.floating):
            return float(part)
        if isinstance(part, (np.ndarray, np.integer, np.bool_)):
            return part.tolist()
        raise bad(f"{type(part).__name__} given, expected what JSON has")

    try:
        return json.dumps(value, default=plain)
    except (TypeError, ValueError, RecursionError) as error:  # what holds itself is the second
        raise bad(str(error)) from None


def settings_dict(settings) -> dict:
    """A copy of what a caller gave as settings; None: there are none."""
    if not isinstance(settings, Mapping | None):
        raise bad(f"settings: {type(settings).__name__} given, a dict expected")
    return dict(settings or {})


def assignments(settings: dict) -> list[bytes]:
    """Each as C and the program take it, key=value."""
    return [c_text("setting", f"{key}={value if isinstance(value, str) else json_text(value)}")
            for key, value in settings.items()]


def data(array: np.ndarray | None):
    """Where it begins; None, C's NULL, where there is none."""
    return None if array is None else array.ctypes.data
