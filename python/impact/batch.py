"""Very many one-contact problems at once, in columns: problem i is element i of each.

W (6, n) holds nn nt no tt to oo in 1/kg, q (3, n) in m/s, mu and e (n). Float64 C-contiguous
arrays are read where they lie. Numbers are judged by the library, problem by problem: what is no
contact problem has a status below 0 of its own.
"""
from ctypes import byref, c_void_p, pointer
from dataclasses import dataclass

import numpy as np

from ._arrays import ByValue, data, numbers, whole
from ._library import IMP_COULOMB_MOST, IMP_NEWTON, IMP_NOT_CERTIFIED, IMP_OK, IMP_OVERFLOW
from ._library import IMP_POISSON, IMP_STRONGE, imp_batch_columns, imp_batch_settings
from ._library import imp_coulomb_brief, imp_coulomb_columns, lib
from ._threads import threads as threads_here
from .errors import bad, refuse, status_text



def _darboux(law: int):
    return lambda columns, n, settings: lib.imp_darboux_batch(columns, law, n, settings)


FUNCTIONS = {
    "maxdiss": lib.imp_maxdiss_batch,
    "coulomb": lib.imp_coulomb_batch,
    "darboux-stronge": _darboux(IMP_STRONGE),
    "darboux-poisson": _darboux(IMP_POISSON),
    "darboux-newton": _darboux(IMP_NEWTON),
}
BATCH_MODELS = tuple(FUNCTIONS)
"""The models that `solve_batch` takes."""

_BOUND = lib.imp_model_bound(lib.imp_model_find(b"maxdiss"), None)  # and of each other by presets


@dataclass(frozen=True, eq=False)
class BatchAnswer(ByValue):
    """p (3, n) N s; residual (n), the largest of each certificate, inf where velocities overflow;
    status (n) of the solver, 0 where it takes p for an answer. Where a status is below 0 nothing
    was answered: p and residual are what they were, 0 and inf. The residual of a darboux batch is
    found on the way, without a second integration (lib/single/batch.h), and is no certificate."""

    p: np.ndarray
    residual: np.ndarray
    status: np.ndarray

    @property
    def ok(self) -> np.ndarray:
        """(n) which have status 0 and a residual within the model's bound (imp_model_bound)."""
        return (self.status == IMP_OK) & (self.residual <= _BOUND)

    def counts(self) -> dict[str, int]:
        """How many there are of each status, by its word: "ok" are those of `ok`; of the others
        with status 0 those whose velocities overflow are "overflow", the rest "not-certified"."""
        missed = np.where(np.isfinite(self.residual), IMP_NOT_CERTIFIED, IMP_OVERFLOW)
        judged = np.where((self.status == IMP_OK) & ~self.ok, missed, self.status)
        values, n = np.unique(judged, return_counts=True)
        return {status_text(v): int(k) for v, k in zip(values, n)}


@dataclass(frozen=True, eq=False)
class BatchSets(ByValue):
    """Of each problem all Coulomb solutions, by rising energy: count, proven, unique, maxdiss (n)
    as in CoulombSet; kind (n, 3) numbers of zero, stick, slip, segment; p (3, 3, n) N s, solution
    first, 0 where there is none; residual (3, n), inf there; status (n)."""

    count: np.ndarray
    proven: np.ndarray
    unique: np.ndarray
    maxdiss: np.ndarray
    kind: np.ndarray
    p: np.ndarray
    residual: np.ndarray
    status: np.ndarray


def batch_answer(n: int) -> BatchAnswer:
    """Room for n answers, to be given to `solve_batch` again and again."""
    n = whole("n", n)
    return BatchAnswer(np.zeros((3, n)), np.full(n, np.inf), np.zeros(n, np.int32))


def _rows(array: np.ndarray):
    """Where each row begins."""
    step, first = array.strides[0], array.ctypes.data
    return (c_void_p * len(array))(*(first + step * k for k in range(len(array))))


def _room(out: BatchAnswer, n: int, inputs) -> None:
    """The caller's own room is written to as it is: it must be what the library expects."""
    if not isinstance(out, BatchAnswer):
        raise bad(f"out: {type(out).__name__} given, a BatchAnswer expected")
    shapes = ((3, n), (n,), (n,))
    taken = list(inputs)
    for a, shape, kind in zip((out.p, out.residual, out.status), shapes, ("f8", "f8", "i4")):
        an_array = isinstance(a, np.ndarray)
        if not an_array or a.shape != shape or a.dtype != kind or not a.flags.carray:
            raise bad(f"out: expected columns of {n} problems, as batch_answer({n}) makes them")
        if any(x is not None and np.may_share_memory(a, x) for x in taken):
            raise bad("out: it overlaps what is read, or itself")
        taken.append(a)


def _columns(W, q, mu, e):
    W = numbers("W", W, (6, None), finite=False)
    n = W.shape[1]
    q = numbers("q", q, (3, n), finite=False)
    mu = numbers("mu", mu, (n,), finite=False)
    return n, (W, q, mu, None if e is None else numbers("e", e, (n,), finite=False))


_LANES = sorted({lib.imp_batch_lanes(most) for most in range(1, 17)})  # of this machine
_THREADS = 1024


def _settings(lanes: int, threads: int) -> imp_batch_settings:
    if whole("lanes", lanes) not in (0, *_LANES):
        here = ", ".join(map(str, _LANES))
        raise bad(f"lanes: {lanes} given, 0 or one of {here} expected, which this machine has")
    if whole("threads", threads) not in range(1, _THREADS + 1):
        raise bad(f"threads: {threads} given, a whole number from 1 to {_THREADS} expected")
    return imp_batch_settings(lanes, threads_here(threads))


def given(inputs, p, residual, status) -> imp_batch_columns:
    """The columns as the library takes them; inputs are W, q, mu, e."""
    W, q, mu, e = inputs
    return imp_batch_columns(_rows(W), _rows(q), data(mu), data(e), _rows(p), data(residual),
                             data(status), None)


def solve_batch(W, q, mu, e=None, model: str = "maxdiss", *, out: BatchAnswer | None = None,
                lanes: int = 0, threads: int = 1) -> BatchAnswer:
    """Answers of one of BATCH_MODELS to n problems of one contact, with their residuals.

    out: room of an earlier call (batch_answer), which is written to and returned. lanes: problems
    an instruction, 0 the most there are. threads: 1 to 1024; in a process forked from one that had
    more than 1 there is 1. The same bits whatever both are.
    (imp_maxdiss_batch, imp_coulomb_batch, imp_darboux_batch)
    """
    if not isinstance(model, str) or model not in BATCH_MODELS:
        raise bad(f"no batch is called {model!r}: {', '.join(BATCH_MODELS)}")
    n, inputs = _columns(W, q, mu, e)
    settings = _settings(lanes, threads)
    if out is None:
        out = batch_answer(n)
    else:
        _room(out, n, inputs)
    columns = given(inputs, out.p, out.residual, out.status)
    if n > 0:
        refuse(FUNCTIONS[model](byref(columns), n, byref(settings)), model)
    return out


def enumerate_batch(W, q, mu, *, lanes: int = 0, threads: int = 1) -> BatchSets:
    """All Coulomb solutions of n contacts (imp_coulomb_batch)."""
    n, inputs = _columns(W, q, mu, None)
    settings = _settings(lanes, threads)
    p, residual = np.zeros((IMP_COULOMB_MOST, 3, n)), np.full((IMP_COULOMB_MOST, n), np.inf)
    status, brief = np.zeros(n, np.int32), np.zeros(n, np.dtype(imp_coulomb_brief))
    every = imp_coulomb_columns(data(brief))
    for s in range(IMP_COULOMB_MOST - 1):
        every.p[s] = _rows(p[s + 1])
        every.residual[s] = data(residual[s + 1])
    columns = given(inputs, p[0], residual[0], status)
    columns.all = pointer(every)
    if n > 0:
        refuse(lib.imp_coulomb_batch(byref(columns), n, byref(settings)), "coulomb")
    return BatchSets(brief["count"], brief["proven"].astype(bool), brief["unique"].astype(bool),
                     brief["maxdiss"], brief["kind"], p, residual, status)
