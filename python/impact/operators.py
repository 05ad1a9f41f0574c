"""W as the library takes it: an array, blocks, or a product over bodies."""
import weakref
from ctypes import byref, c_double, c_int, pointer
from typing import NamedTuple

import numpy as np

from ._arrays import data, indices, numbers, whole
from ._library import imp_blocks, imp_factored, imp_reduced, lib
from .errors import bad


class Blocks(NamedTuple):
    """W by 3 x 3 blocks: row i has blocks start[i] .. start[i+1]-1, their columns ascending.

    start (nc + 1) and column (m) count from 0, every diagonal block is there; block (m, 3, 3) in
    1/kg, row-major. The C struct is imp_blocks.
    """

    start: np.ndarray
    column: np.ndarray
    block: np.ndarray


class Product(NamedTuple):
    """W = G'G over coordinates of the bodies, never written out: memory as the contacts need.

    rows counts the coordinates. Contact c has entries start[c] .. start[c+1]-1 (start (nc + 1));
    entry k is row row[k] of G, ascending within a contact, and G[k] (of (m, 3), 1/sqrt(kg)) that
    row in the columns n, t, o of the contact. The C struct is imp_factored.
    """

    rows: int
    start: np.ndarray
    row: np.ndarray
    G: np.ndarray


def _ranges(start, column, most: int, name: str, counted: str, whole: str):
    """column as one of the library's own, which stays inside, and the row of each."""
    column = indices(name, column)
    nc, m = len(start) - 1, len(column)
    if nc < 1 or start[0] != 0 or start[-1] != m or (np.diff(start) < 0).any():
        raise bad(f"start: expected to rise from 0 to the length of {name}")
    at = np.repeat(np.arange(nc), np.diff(start))
    if m and column.max() >= most:
        raise bad(f"{name}: expected {counted} below {most}")
    if (np.diff(at * most + column) <= 0).any():
        raise bad(f"{name}: expected to ascend within each {whole}")
    return column, at


def _blocks(W: Blocks) -> Blocks:
    """W with indices of its own that stay inside it."""
    start = indices("start", W.start)
    nc = len(start) - 1
    column, row = _ranges(start, W.column, nc, "column", "contacts", "row")
    block = numbers("block", W.block, (len(column), 3, 3))
    if np.count_nonzero(row == column) != nc:
        raise bad("column: expected every diagonal block")
    return Blocks(start, column, block)


def _product(W: Product):
    """W with indices of its own that stay inside it; and the same entries by coordinates: first,
    contact, entry of imp_factored."""
    rows = whole("rows", W.rows)
    start = indices("start", W.start)
    row, contact = _ranges(start, W.row, rows, "row", "coordinates", "contact")
    G = numbers("G", W.G, (len(row), 3))
    entry = np.argsort(row, kind="stable")
    first = np.searchsorted(row[entry], np.arange(rows + 1))
    by_coordinate = (a.astype(np.int32) for a in (first, contact[entry], entry))
    return Product(rows, start, row, G), tuple(by_coordinate)


class _Held:
    """What goes when the last array over it goes."""


def _view(kind, at, n: int, held) -> np.ndarray:
    """n numbers of the library's where they lie; the indices among them are not to be changed."""
    if n == 0:
        return np.empty(0, kind)
    buffer = (kind * n).from_address(at)
    buffer.held = held
    array = np.ctypeslib.as_array(buffer)
    array.flags.writeable = kind is c_double
    return array


def product_of(factored, owned: bool) -> Product:
    """G of an imp_factored: where it lies, and freed with its last array, or copied."""
    f, held = factored.contents, _Held()
    m = (c_int * (f.nc + 1)).from_address(f.start)[f.nc]
    start, row, G = (_view(c_int, f.start, f.nc + 1, held), _view(c_int, f.row, m, held),
                     _view(c_double, f.G, 3 * m, held).reshape(m, 3))
    if owned:
        weakref.finalize(held, lib.imp_factored_free, factored)
        return Product(f.rows, start, row, G)
    return Product(f.rows, start.copy(), row.copy(), G.copy())


class Operator:
    """W of nc contacts: c, the C struct imp_operator, over what is kept here.

    W is an array (3nc, 3nc), Blocks or Product; beside are blocks of the same W as a Product, for
    whoever reads all of it; factored is that Product as the library made it.
    """

    def __init__(self, W, beside: Blocks | None = None, factored=None):
        self.array = self.product = None
        if isinstance(W, Product):
            self._hold_product(W, beside, factored)
        elif isinstance(W, Blocks):
            self._hold_blocks(W)
            self.c = lib.imp_operator_blocks(byref(self._c_blocks))
        else:
            self.array = W = numbers("W", W, (None, None))
            self.nc = W.shape[0] // 3
            if self.nc < 1 or W.shape != (3 * self.nc, 3 * self.nc):
                raise bad(f"W: shape {W.shape} given, (3nc, 3nc) expected")
            self.c = lib.imp_operator_dense(self.nc, data(W))

    def __reduce__(self):
        blocks = getattr(self, "_blocks", None)
        if self.product:
            return _again, (self.product, blocks, self.c.as_given)
        return _again, (blocks if self.array is None else self.array, None, self.c.as_given)

    def _hold_blocks(self, W: Blocks) -> None:
        self._blocks = _blocks(W)
        self.nc = len(self._blocks.start) - 1
        self._c_blocks = imp_blocks(self.nc, *(data(a) for a in self._blocks))

    def _hold_product(self, W: Product, beside, factored) -> None:
        self.product = W
        if not factored:
            self.product, self._by_coordinate = _product(W)
            arrays = (*self.product[1:], *self._by_coordinate)
            factored = pointer(imp_factored(
                len(self.product.start) - 1, W.rows, *(data(a) for a in arrays)))
        self.nc = len(self.product.start) - 1
        self._factored = factored
        if beside is None:
            self.c = lib.imp_operator_factored(factored)
            return
        self._hold_blocks(beside)
        self.product.G.flags.writeable = False  # what is written to it would not be in the blocks
        self._reduced = imp_reduced(self._c_blocks, factored)
        self.c = lib.imp_operator_reduced(byref(self._reduced))


def _again(W, beside: Blocks | None, as_given: int) -> Operator:
    """The operator of a copy."""
    made = Operator(W, beside)
    made.c.as_given = as_given
    return made
