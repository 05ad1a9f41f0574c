"""One contact: all of its Coulomb solutions."""
from ctypes import byref
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ._arrays import ByValue, data, same
from ._library import imp_coulomb_set, lib
from .errors import InputError, bad, refuse, status_text
from .problem import Problem


class CoulombSolution(NamedTuple):
    """kind: zero, stick, slip or segment (one end of a continuum); p (3, N s), u (3, m/s), kappa
    (1/kg, of a slip: u_to = -kappa p_to), energy (J, 1/2 p'Wp + p'q)."""

    kind: str
    p: np.ndarray
    u: np.ndarray
    kappa: float
    energy: float

    __eq__ = same
    __hash__ = None

    def __ne__(self, other) -> bool:
        return not self == other


@dataclass(frozen=True, eq=False)
class CoulombSet(ByValue):
    """All Coulomb solutions of one contact, by rising energy (the C struct imp_coulomb_set).

    proven: there are no others, by signs that rounding cannot change; unique: a sufficient test
    guarantees one, q_n < 0 and eccentricity mu |W_n,to| / W_nn <= unique_below; maxdiss: which of
    them is that of maximum dissipation, -1: none.
    """

    solutions: tuple[CoulombSolution, ...]
    proven: bool
    unique: bool
    eccentricity: float
    unique_below: float
    maxdiss: int


def enumerate(problem: Problem) -> CoulombSet:  # noqa: A001 - the word of the field
    """All solutions of Coulomb's law on one inelastic contact (imp_coulomb_enumerate). InputError
    as in solve, and for more contacts, e, mu_v or gap; OverflowError where an impulse is beyond the
    range of doubles."""
    if not isinstance(problem, Problem) or problem.nc != 1:
        raise bad("enumerate: a Problem of one contact expected")
    if any(a is not None and a.any() for a in (problem.e, problem.mu_v, problem.gap)):
        raise InputError("unsupported", "unsupported: expected e, mu_v and gap of 0")
    problem.check()
    packed, found = np.empty(6), imp_coulomb_set()
    lib.imp_operator_packed(byref(problem._operator.c), 0, data(packed))
    status = lib.imp_coulomb_enumerate(
        data(packed), data(problem.q), float(problem.mu[0]), byref(found))
    refuse(status, "contact 0")
    if found.count < 1:
        raise OverflowError(f"{status_text(status)}: an impulse is beyond the range of doubles")
    solutions = tuple(
        CoulombSolution(lib.imp_coulomb_kind_text(s.kind).decode(), np.array(s.p), np.array(s.u),
                        s.kappa, s.energy)
        for s in found.solution[:found.count])
    return CoulombSet(solutions, bool(found.proven), bool(found.unique), found.eccentricity,
                      found.unique_below, found.maxdiss)
