"""Answers: computed by a model, and judged by a law whoever computed them."""
import ctypes
import threading
from ctypes import byref
from dataclasses import dataclass, field

import numpy as np

from ._arrays import ByValue, data, numbers, vectors
from ._library import IMP_NOT_FINITE, IMP_OK, IMP_TAKES_GUESS
from ._library import imp_certificate, imp_info, imp_path, lib
from .errors import bad, refuse, status_text
from .models import find_law, find_model, settings_of
from .problem import Problem


class Path:
    """How an answer came about, step by step (the C struct imp_path)."""

    def __init__(self):
        self.c = imp_path()
        self._clear = lib.imp_path_clear

    def __del__(self):
        if hasattr(self, "_clear"):
            self._clear(byref(self.c))

    def __reduce__(self):
        raise TypeError("a Path cannot be copied or pickled: its memory is the library's")

    @property
    def steps(self) -> int:
        """How many."""
        return self.c.steps

    def _column(self, pointer, *shape) -> np.ndarray:
        empty = not pointer or 0 in shape
        return np.array(np.ctypeslib.as_array(pointer, shape)) if not empty else np.empty(shape)

    @property
    def impulse(self) -> np.ndarray:
        """(steps, 3nc) N s of each step; together they are the answer."""
        return self._column(self.c.impulse, self.c.steps, 3 * self.c.nc)

    @property
    def share(self) -> np.ndarray:
        """(steps) the part of the impulse computed for the step that was applied."""
        return self._column(self.c.share, self.c.steps)

    def _letters(self, pointer) -> list[str]:
        n = self.c.nc
        return [pointer[n * k:n * (k + 1)].decode() for k in range(self.c.steps)]

    @property
    def phase(self) -> list[str]:
        """Of each step a letter a contact: C compressing, X expanding, O observing."""
        return self._letters(self.c.phase)

    @property
    def motion(self) -> list[str]:
        """Likewise: s sliding, r rolling, i impending slip, - no friction, no push, or a law that
        does not say (those in phases)."""
        return self._letters(self.c.motion)


@dataclass(frozen=True)
class Certificate:
    """Residuals of a law by name, dimensionless; 0 is perfect (the C struct imp_certificate).

    worst is the largest and contact carries it; energy (J) is 1/2 p'Wp + p'q; energy_excess (J)
    and velocity_excess (sqrt(J)) are rigorous bounds on the distance from the law's answer, inf
    where none is known; unjudged says why the law could not be decided, None: it was.
    """

    residuals: dict[str, float]
    worst: float
    contact: int
    energy: float
    energy_excess: float
    velocity_excess: float
    unjudged: str | None

    @property
    def worst_name(self) -> str:
        """The name of the largest residual."""
        return max(self.residuals, key=self.residuals.get, default="")


@dataclass(frozen=True, eq=False)
class Answer(ByValue):
    """What a model answers: impulse p and velocity u (3nc), judged by the model's law.

    status is the library's word: "ok" guarantees a certificate within the model's bound. Two are
    equal where all but their paths is, number by number.
    """

    status: str
    p: np.ndarray
    u: np.ndarray
    certificate: Certificate | None
    iterations: int
    intervals: int
    rounds: int
    solutions: int
    residual: float
    path: Path | None = field(repr=False, compare=False)

    @property
    def ok(self) -> bool:
        """Is it certified?"""
        return self.status == "ok"


@dataclass(frozen=True)
class Verdict:
    """Of an answer held against a law: "ok", "rejected" or "not-judged", and why not "ok"."""

    verdict: str
    reason: str
    certificate: Certificate | None

    @property
    def ok(self) -> bool:
        """Is it accepted?"""
        return self.verdict == "ok"


def _certificate(c: imp_certificate) -> Certificate:
    residuals = {c.residual[i].name.decode(): c.residual[i].value for i in range(c.count)}
    return Certificate(residuals, c.worst, c.contact, c.energy, c.energy_excess,
                       c.velocity_excess, c.unjudged.decode() if c.unjudged else None)


def _refuse(status: int, problem: Problem, model) -> None:
    """Raises with the contact at fault where the problem is what is wrong."""
    if status >= 0:
        return
    problem.check()
    if lib.imp_model_takes(model, byref(problem.c)) != IMP_OK:
        refuse(status, f"{model.contents.name.decode()} does not take such a problem")
    refuse(status, f"{model.contents.name.decode()} on {problem!r}")


def _a_problem(problem) -> Problem:
    if not isinstance(problem, Problem):
        raise bad(f"problem: {type(problem).__name__} given, a Problem expected")
    return problem


FEW = 32  # contacts, which no model solves for seconds unless its limits say so


def _until_interrupted(problem: Problem, solve_until) -> int:
    """solve_until(cancel)'s status; Ctrl-C sets cancel.

    Python sees an interrupt in its main thread alone, and there between calls of C: what may last
    is called in another one (for 0.1 ms more), which ends its iteration where *cancel is not 0.
    """
    status = lib.imp_problem_check(byref(problem.c), None)
    if status < 0:
        return status
    cancel, ended = ctypes.c_int(), []
    solver = threading.Thread(target=lambda: ended.append(solve_until(byref(cancel))), daemon=True)
    try:
        solver.start()
    except RuntimeError:  # no more threads, as when Python ends: an interrupt has to wait
        return solve_until(byref(cancel))
    try:
        while solver.is_alive():
            solver.join(0.1)  # a signal may be another thread's, and wakes nobody then
    finally:
        cancel.value = 1
        solver.join()
    return ended[0]


def solve(problem: Problem, model: str = "auto", *, guess=None, path: bool = False,
          **settings) -> Answer:
    """The model's answer to the problem, with its certificate (imp_solve_certified).

    guess: a first guess of p (3nc), for models that take one. path: also how it came about.
    settings: the model's own, by name (`models()` lists them). InputError where problem or
    settings are at fault or the model does not take such a problem; an answer that is not
    certified is returned, and its status says so. Ctrl-C ends what may last: more than 32
    contacts, or a limit ("max_...") among the settings.
    """
    _a_problem(problem)
    if not isinstance(path, (bool, np.bool_)):
        raise bad(f"path: {type(path).__name__} given, True or False expected")
    found = find_model(model)
    p = np.zeros(3 * problem.nc)
    if guess is not None:
        if not found.contents.takes & IMP_TAKES_GUESS:
            raise bad(f"guess: {model} takes none")
        p[:] = vectors("guess", guess, problem.nc)
        if settings.setdefault("start", "guess") != "guess":
            raise bad(f"start: {settings['start']!r} given beside a guess, expected one of them")
    chosen, info, certificate = settings_of(found, settings), imp_info(), imp_certificate()
    course = Path() if path else None
    given = (found, byref(problem.c), byref(chosen), data(p),
             ctypes.addressof(course.c) if path else None, byref(certificate), byref(info))
    lasts = problem.nc > FEW or any(name.startswith("max_") for name in settings)
    if lasts and threading.current_thread() is threading.main_thread():
        held = problem, p, course  # until it has ended, even where nobody waits for it any more
        status = _until_interrupted(
            problem, lambda cancel, _=held: lib.imp_solve_until(cancel, *given))
    else:
        status = lib.imp_solve_certified(*given)
    _refuse(status, problem, found)
    judged = _certificate(certificate) if certificate.count else None
    return Answer(status_text(status), p, problem.velocity(p), judged, info.iterations,
                  info.intervals, info.rounds, info.solutions, info.residual, course)


def _certify(problem: Problem, p, law, chosen, path: Path | None, result) -> int:
    """imp_certify's status; result is filled where it is IMP_OK."""
    _a_problem(problem)
    p = vectors("p", p, problem.nc)
    if path is not None and not isinstance(path, Path):
        raise bad(f"path: {type(path).__name__} given, a Path expected, as an answer has")
    if path is not None and path.c.nc not in (0, problem.nc):
        raise bad(f"path: of {path.c.nc} contacts, {problem.nc} expected")
    return lib.imp_certify(byref(problem.c), law, byref(chosen), data(p),
                           ctypes.addressof(path.c) if path else None, byref(result))


def certify(problem: Problem, p, law: str = "auto", *, path: Path | None = None,
            **settings) -> Certificate:
    """The residuals of p (3nc, N s), whoever computed it, by a law (imp_certify).

    law names a law or a model that promises it; settings are that model's. W is taken as it is:
    `problem.check()` asks whether it is symmetric and positive. A law that is a process is
    judged along `path`, or by the distance from the model's own answer without one. InputError
    where the problem has what the law does not speak of, as e > 0 for coulomb.
    """
    found, model = find_law(law)
    result = imp_certificate()
    refuse(_certify(problem, p, found, settings_of(model, settings), path, result),
           f"p by the law {law}")
    return _certificate(result)


def check(problem: Problem, p, law: str = "auto", *, tolerance: float | None = None,
          path: Path | None = None, **settings) -> Verdict:
    """Is p (3nc, N s) an answer of the law? As `impact check`: no residual above the tolerance.

    tolerance None: the one with which the model's own answers are "ok" (imp_model_bound). The
    problem is checked first; the rest as in `certify`.
    """
    if tolerance is not None:
        tolerance = float(numbers("tolerance", tolerance, (), finite=False))
        if not tolerance >= 0:
            raise bad(f"tolerance: {tolerance} given, a number >= 0 expected")
    _a_problem(problem).check()
    found, model = find_law(law)
    chosen, result = settings_of(model, settings), imp_certificate()
    if lib.imp_model_takes(model, byref(problem.c)) != IMP_OK:
        return Verdict("not-judged", "the model does not take such a problem", None)
    status = _certify(problem, p, found, chosen, path, result)
    if status == IMP_NOT_FINITE:
        return Verdict("rejected", "its velocities overflow", None)
    if status != IMP_OK:
        return Verdict("not-judged", status_text(status), None)
    judged = _certificate(result)
    bound = lib.imp_model_bound(model, byref(chosen)) if tolerance is None else tolerance
    if not judged.worst <= bound:
        return Verdict("rejected", judged.worst_name, judged)
    if judged.unjudged:
        return Verdict("not-judged", judged.unjudged, judged)
    return Verdict("ok", "", judged)
