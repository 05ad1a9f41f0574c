"""A contact problem u = W p + q: from arrays, from bodies, from files."""
import ctypes
import sys
import tempfile
import threading
from collections.abc import Iterator
from ctypes import POINTER, byref, c_int, c_void_p
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ._arrays import c_path, c_text, data, input_file, numbers, per_contact, records, vectors, whole
from ._library import IMP_BAD_FRICTION, IMP_BAD_RESTITUTION, IMP_GROUND, IMP_NOT_FINITE
from ._library import IMP_NOT_POSITIVE, IMP_NOT_SYMMETRIC, imp_body, imp_case, imp_contact
from ._library import imp_factored, imp_problem, lib
from .errors import InputError, Told, bad, refuse
from .operators import Blocks, Operator, Product, product_of

GROUND = IMP_GROUND
"""The number of the body that never moves, in CONTACT."""

BODY = np.dtype(imp_body)
"""A rigid body, the C struct imp_body: inv_mass (1/kg), inv_inertia (9, 1/(kg m^2), body frame,
row-major), position (m, centre of mass), orientation (unit quaternion w x y z, body to world),
velocity (m/s), spin (rad/s, world)."""

CONTACT = np.dtype(imp_contact)
"""A contact, the C struct imp_contact: a, b (bodies, or GROUND), point (m, world), frame (9: rows
n, t, o, world; n from a to b). The impulse acts on b. The frame is taken as it is, and not checked
to be orthonormal, as `frame` and `contact` make it: along a shorter row the bodies are less mobile,
and an answer is one of that contact."""


_WRONG = {  # by a status: of which data it speaks, which of them are wrong, and what is expected
    IMP_BAD_FRICTION: (("mu", "mu_v"), lambda x: x < 0, "a number >= 0"),
    IMP_BAD_RESTITUTION: (("e",), lambda x: (x < 0) | (x > 1), "a number from 0 to 1"),
    IMP_NOT_FINITE: (("q", "mu", "e", "mu_v", "gap"), lambda x: ~np.isfinite(x), "finite numbers")}
_OF_W = {  # where it is none of those
    IMP_NOT_FINITE: "finite numbers", IMP_NOT_SYMMETRIC: "a symmetric one",
    IMP_NOT_POSITIVE: "a positive semidefinite one"}


class Problem:
    """nc contacts at one instant: find p with u = W p + q (the C struct imp_problem).

    W      (3nc, 3nc) Delassus operator, 1/kg, or Blocks, or Product
    q      (3nc) or (nc, 3) free relative velocity, m/s, in frames (n, t, o); q_n < 0 closes
    mu     (nc), or one for all: friction, >= 0
    e      (nc), or one for all: restitution in [0, 1]; None: 0
    mu_v   (nc), or one for all: kg, viscous friction, for models that take it
    gap    (nc), or one for all: m/s, distance over time step, for models that take it

    Float64 C-contiguous arrays are used where they lie: what is written to them later is what is
    solved. Anything else that holds real numbers is copied. No attribute can be set or deleted.
    It can be pickled. InputError where shape, dtype or a number is wrong.
    """

    def __init__(self, W, q, mu, e=None, *, mu_v=None, gap=None):
        self._operator = W if isinstance(W, Operator) else Operator(W)
        self.nc = self._operator.nc
        self.q = vectors("q", q, self.nc)
        self.mu = per_contact("mu", mu, self.nc)
        self.e, self.mu_v, self.gap = (
            None if value is None else per_contact(name, value, self.nc)
            for name, value in (("e", e), ("mu_v", mu_v), ("gap", gap)))
        self.c = imp_problem(self.nc, ctypes.pointer(self._operator.c), *(
            data(a) for a in (self.q, self.mu, self.e, self.mu_v, self.gap)))
        self._refuse(lib.imp_problem_check_vectors)

    def __setattr__(self, name: str, value):
        if "c" in vars(self):  # it points into the arrays that are here
            raise AttributeError(f"Problem.{name} cannot be set: write into its array, or make "
                                 "another Problem")
        super().__setattr__(name, value)

    def __delattr__(self, name: str):
        raise AttributeError(f"Problem.{name} cannot be deleted: the problem points into it")

    def __reduce__(self):
        return _again, (self._operator, self.q, self.mu, self.e, self.mu_v, self.gap)

    def _refuse(self, check) -> None:
        contact = c_int()
        status = check(byref(self.c), byref(contact))
        refuse(status, self._fault(status, contact.value))

    def _fault(self, status: int, contact: int) -> str:
        """Which contact is at fault, and by which of its data."""
        at = f"contact {contact}" if contact >= 0 else "the problem"
        names, wrong, expected = _WRONG.get(status, ((), None, ""))
        for name in names if contact >= 0 else ():
            column = getattr(self, name)
            value = None if column is None else column.reshape(self.nc, -1)[contact]
            if value is not None and wrong(value).any():
                return f"{at}: {name} is {value.squeeze().tolist()}, {expected} expected"
        return f"{at}: W, {_OF_W[status]} expected" if status in _OF_W else at

    def check(self) -> None:
        """InputError where it is no contact problem: W not symmetric or not positive, numbers out
        of their range (imp_problem_check)."""
        self._refuse(lib.imp_problem_check)

    @property
    def W(self) -> np.ndarray:
        """(3nc, 3nc) the Delassus operator, 1/kg: the array itself, or what stands for it written
        out."""
        if self._operator.array is not None:
            return self._operator.array
        W = np.empty((3 * self.nc, 3 * self.nc))
        lib.imp_problem_dense(byref(self.c), data(W))
        return W

    @property
    def product(self) -> Product | None:
        """G of W = G'G where the problem has it, as that of assembled bodies does: the arrays
        themselves, read-only where W is held in another form, too."""
        return self._operator.product

    def velocity(self, p) -> np.ndarray:
        """u = W p + q, (3nc) m/s (imp_operator_apply)."""
        p, u = vectors("p", p, self.nc), np.empty(3 * self.nc)
        lib.imp_operator_apply(byref(self._operator.c), data(p), data(self.q), data(u))
        return u

    def energy(self, p) -> float:
        """Change of the kinetic energy under p, 1/2 p'Wp + p'q in J (imp_problem_energy)."""
        p = vectors("p", p, self.nc)
        return lib.imp_problem_energy(byref(self.c), data(p))

    def save(self, path, id: str | None = None) -> None:
        """Writes JSON that `impact solve` and read_problems read (imp_problem_dump), to a file, or
        "-", standard output. InputError where they would not: numbers that are not finite or out of
        their range, a W that is not symmetric positive semidefinite, though an FCLIB file recorded
        it so."""
        contact = c_int()
        status = lib.imp_problem_check(byref(self.c), byref(contact))
        if status not in (IMP_NOT_SYMMETRIC, IMP_NOT_POSITIVE):  # it knows which W are read
            refuse(status, self._fault(status, contact.value))
        word = None if id is None else c_text("id", id)
        if c_path("path", path) != b"-":
            self._dump(path, word)
            return
        with tempfile.TemporaryDirectory() as folder:
            whole = Path(folder, "problem.json")
            self._dump(whole, word)
            sys.stdout.write(whole.read_text(encoding="utf-8"))

    def _dump(self, path, word: bytes | None) -> None:
        told = Told()
        told.refuse(lib.imp_problem_dump(
            c_path("path", path), word, byref(self.c), None, None, told.pointer))

    def __repr__(self) -> str:
        return f"Problem({self.nc} contact{'s' if self.nc > 1 else ''})"


def _again(W: Operator, q, mu, e, mu_v, gap) -> Problem:
    """The problem of a copy."""
    return Problem(W, q, mu, e, mu_v=mu_v, gap=gap)


def body(mass=None, inertia=None, position=(0, 0, 0), orientation=(1, 0, 0, 0),
         velocity=(0, 0, 0), spin=(0, 0, 0)) -> np.ndarray:
    """One record of BODY. mass (kg), inertia (3 principal moments, or (3, 3), kg m^2) about the
    centre of mass in the body frame, as of a body made of masses (imp_inertia_of_masses); without
    both the body is fixed."""
    made = np.zeros((), BODY)
    if (mass is None) != (inertia is None):
        raise bad("body: expected mass and inertia, or neither")
    if mass is not None:
        made["inv_mass"] = 1 / _positive(mass)
        made["inv_inertia"] = np.linalg.inv(_of_masses(inertia)).reshape(9)
    for name, value, n in (("position", position, 3), ("orientation", orientation, 4),
                           ("velocity", velocity, 3), ("spin", spin, 3)):
        made[name] = numbers(name, value, (n,))
    return made


def _positive(mass) -> float:
    if numbers("mass", mass, ()) <= 0:
        raise bad(f"mass: {mass} given, a number above 0 expected")
    return float(mass)


def _of_masses(inertia) -> np.ndarray:
    J = numbers("inertia", inertia, (3,), (3, 3))
    matrix = np.diag(J) if J.ndim == 1 else J
    expected = {IMP_NOT_SYMMETRIC: "a symmetric matrix", IMP_NOT_POSITIVE: "a definite one"}
    status = lib.imp_inertia_of_masses(data(np.ascontiguousarray(matrix)))
    refuse(status, f"inertia is {J.tolist()}, "
           f"{expected.get(status, 'no principal moment above the sum of the others')} expected")
    return matrix


def contact(a: int, b: int, point, normal, tangent=None) -> np.ndarray:
    """One record of CONTACT: bodies by number or GROUND, point (m, world), normal from a to b: a
    direction of any length, where a JSON problem has one of length 1."""
    made = np.zeros((), CONTACT)
    for side, number in (("a", a), ("b", b)):
        made[side] = whole(side, number, IMP_GROUND, "the number of a body or GROUND")
    made["point"] = numbers("point", point, (3,))
    made["frame"] = frame(normal, tangent).reshape(9)
    return made


def frame(normal, tangent=None) -> np.ndarray:
    """(3, 3) rows n, t, o, orthonormal and right-handed; t along the part of tangent across the
    normal (imp_frame_from_normal, imp_frame_from_tangent)."""
    n, axes = numbers("normal", normal, (3,)), np.empty((3, 3))
    if tangent is None:
        refuse(lib.imp_frame_from_normal(data(n), data(axes)),
               f"normal {n.tolist()}, a direction expected")
    else:
        t = numbers("tangent", tangent, (3,))
        refuse(lib.imp_frame_from_tangent(data(n), data(t), data(axes)),
               f"normal {n.tolist()}, tangent {t.tolist()}, two directions expected that are not "
               "along each other")
    return axes


def assemble(bodies, contacts, mu, e=None, *, mu_v=None, gap=None) -> Problem:
    """The problem of contacts between rigid bodies (imp_delassus_factored, imp_delassus_blocks).

    bodies is a column of BODY or a list of body(...), contacts one of CONTACT or of contact(...);
    the rest as in Problem. W stays a Product over the bodies, as the library made it; beside its
    blocks, unless these are far more than the contacts.
    """
    bodies, contacts = records("bodies", bodies, BODY), records("contacts", contacts, CONTACT)
    if len(contacts) < 1:
        raise bad("contacts: expected one at least")
    given = (len(bodies), data(bodies), len(contacts), data(contacts))
    factored, q = POINTER(imp_factored)(), np.empty(3 * len(contacts))
    status = lib.imp_delassus_factored(*given, byref(factored), data(q))
    if status < 0:
        _refuse_bodies(bodies)
        _refuse_contacts(contacts, len(bodies))
    refuse(status, "bodies and contacts")
    _refuse_idle(bodies, contacts)
    product = product_of(factored, owned=True)
    blocks = None if lib.imp_factored_many(factored) else _assembled_blocks(given, q)
    return Problem(Operator(product, blocks, factored), q, mu, e, mu_v=mu_v, gap=gap)


def _refuse_bodies(bodies: np.ndarray) -> None:
    """Raises where one of them alone is refused."""
    touch, W, q = contact(GROUND, 0, [0, 0, 0], [0, 0, 1]), np.empty(9), np.empty(3)
    for i in range(len(bodies)):
        status = lib.imp_delassus_dense(1, data(bodies[i:i + 1]), 1, data(touch), data(W), data(q))
        if status < 0:
            name, expected = _body_fault(bodies[i], status)
            refuse(status, f"body {i}: {name} is {bodies[i][name].tolist()}, {expected} expected")


def _body_fault(body: np.void, status: int) -> tuple[str, str]:
    """Which field of the body the library refuses, and what it takes there."""
    if status in (IMP_NOT_SYMMETRIC, IMP_NOT_POSITIVE):
        kind = "a symmetric matrix" if status == IMP_NOT_SYMMETRIC else "one that is not negative"
        return "inv_inertia", kind
    for name in BODY.names:
        if not np.isfinite(body[name]).all():
            return name, "finite numbers"
    return ("inv_mass", "a number >= 0") if body["inv_mass"] < 0 else \
        ("orientation", "a quaternion of length 1")


def _refuse_contacts(contacts: np.ndarray, nb: int) -> None:
    """Raises for the first between what are no two of nb bodies and the ground."""
    a, b = contacts["a"], contacts["b"]
    for k in np.flatnonzero((a == b) | (np.minimum(a, b) < GROUND) | (np.maximum(a, b) >= nb))[:1]:
        raise bad(f"bad-argument: contact {k} is between {a[k]} and {b[k]}, expected two of {nb} "
                  f"bod{'y' if nb == 1 else 'ies'} and GROUND")


def _refuse_idle(bodies: np.ndarray, contacts: np.ndarray) -> None:
    """Raises for the first contact of which neither body can move."""
    moves = (bodies["inv_mass"] != 0) | (bodies["inv_inertia"] != 0).any(axis=1)
    moves = np.append(moves, False)  # the ground, by its number -1
    a, b = contacts["a"], contacts["b"]
    for k in np.flatnonzero(~(moves[a] | moves[b]))[:1]:
        raise bad(f"bad-argument: contact {k} is between {a[k]} and {b[k]}, neither of which can "
                  "move, expected one that can")


def _assembled_blocks(given, q: np.ndarray) -> Blocks:
    start = np.empty(len(q) // 3 + 1, np.int32)
    m = lib.imp_delassus_count(*given, data(start))
    if m < 0:
        raise MemoryError("more blocks than can be counted")
    column, block = np.empty(m, np.int32), np.empty((m, 3, 3))
    refuse(lib.imp_delassus_blocks(*given, data(start), data(column), data(block), data(q)),
           "bodies and contacts")
    return Blocks(start, column, block)


_READING = threading.Lock()  # of FCLIB files: HDF5 as in Debian takes one call at a time


class Case(NamedTuple):
    """A problem as it stands in a file, its id, and a first guess of p (3nc) or None."""

    id: str
    problem: Problem
    guess: np.ndarray | None


def _column(at: int | None, n: int) -> np.ndarray | None:
    """A copy of n numbers that the library holds."""
    if not at:
        return None
    return np.array(np.ctypeslib.as_array((ctypes.c_double * n).from_address(at)))


def _whole(at: int, n: int) -> np.ndarray:
    return np.array(np.ctypeslib.as_array((c_int * n).from_address(at)))


def _operator_of(c: imp_problem) -> Operator:
    """W of a problem in a file, copied as it stands there: G, blocks or both; or written out."""
    factored, stored = lib.imp_operator_factor(c.W), lib.imp_operator_stored(c.W)
    blocks = None
    if stored:
        start = _whole(stored.contents.start, c.nc + 1)
        m = int(start[-1])
        block = _column(stored.contents.block, 9 * m).reshape(m, 3, 3)
        blocks = Blocks(start, _whole(stored.contents.column, m), block)
    if factored:
        return Operator(product_of(factored, owned=False), blocks)
    if blocks:
        return Operator(blocks)
    W = np.empty((3 * c.nc, 3 * c.nc))
    lib.imp_problem_dense(byref(c), data(W))
    return Operator(W)


def _case(c: imp_case) -> Case:
    if c.bilateral and lib.imp_bilateral_rubs(c.bilateral):
        raise InputError("unsupported", f"problem {c.id.decode(errors='replace')}: "
                         "unsupported: friction of joints, expected none")
    from_file = c.problem
    nc = from_file.nc
    q = _column(from_file.q, 3 * nc)
    mu, e, mu_v, gap = (
        _column(at, nc) for at in (from_file.mu, from_file.e, from_file.mu_v, from_file.gap))
    problem = Problem(_operator_of(from_file), q, mu, e, mu_v=mu_v, gap=gap)
    problem._operator.c.as_given = from_file.W.contents.as_given
    return Case(c.id.decode(errors="replace"), problem, _column(c.guess, 3 * nc))


def read_problems(path) -> Iterator[Case]:
    """The problems of a file, or of "-", standard input, which is read to its end first: table,
    JSON or FCLIB (imp_problem_file_open), one after the other.

    Each is a copy, with W in the file's form: an array, Blocks, or the Product over bodies. "kappa"
    and "settings" beside a problem are settings of models: give them to solve. What is wrong with
    the file is an InputError with the place in its line; so is friction of joints, which no Problem
    has.
    """
    with input_file("path", path) as source:
        yield from _cases(source)


def _cases(path) -> Iterator[Case]:
    file, told, at = c_void_p(), Told(), POINTER(imp_case)()
    with _READING:
        told.refuse(lib.imp_problem_file_open(
            c_path("path", path), byref(file), told.pointer), reading=True)
    try:
        while True:
            with _READING:
                told.refuse(lib.imp_problem_file_next(file, byref(at), told.pointer), reading=True)
                found = _case(at.contents) if at else None
            if not found:
                return
            yield found
    finally:
        with _READING:
            lib.imp_problem_file_close(file)


__all__ = ["BODY", "CONTACT", "GROUND", "Blocks", "Case", "Problem", "Product", "assemble", "body",
           "contact", "frame", "read_problems"]
