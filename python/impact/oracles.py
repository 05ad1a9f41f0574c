"""Oracles: what a rigid-body engine with friction must show, one phenomenon each, in closed form.

An engine is any callable

    engine(scene: dict, dt: float, steps: int) -> (positions, velocities)

which simulates the scene by `steps` steps of dt (s) and returns centres and their velocities,
both (steps + 1, bodies, 3) in m and m/s, the initial state first. A scene is

    {"gravity": [x, y, z],      m/s^2; an incline is the plane z = 0 under gravity that is turned
     "ground": True,            the half-space z <= 0 stands fast; False: there is none
     "friction": mu, "restitution": e,          of all contacts
     "bodies": [{"shape": "box", "size": [x, y, z], ...},            m, edges along the axes
                {"shape": "sphere", "radius": r,                     m
                 "mass": kg, "position": [x, y, z], "velocity": [x, y, z]}, ...]}

Bodies are homogeneous and start without spin. An engine that lacks something raises
NotImplementedError with its name.
"""
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

G = 9.81  # m/s^2
DT = 1e-3  # s, the step of an oracle that is given none
SINK = 0.01  # m, what engines may leave between bodies that touch, or let them sink


class Broken(AssertionError):
    """The engine does not show the phenomenon: one line, which begins with the oracle's name."""


class Finding(NamedTuple):
    """Something measured, and the range in which it must lie."""

    what: str
    value: float
    low: float
    high: float


def _box(size, height_of_centre, velocity=(0, 0, 0)) -> dict:
    return {"shape": "box", "size": list(size), "mass": 1.0,
            "position": [0.0, 0.0, height_of_centre], "velocity": [float(v) for v in velocity]}


def _slab(velocity=(0, 0, 0)) -> dict:
    """Too flat to tip over on any slope that is tried."""
    return _box((1.0, 1.0, 0.2), 0.1, velocity)


def _ball(x: float, z: float = 0.0, speed: float = 0.0, mass: float = 1.0) -> dict:
    return {"shape": "sphere", "radius": 0.1, "mass": mass, "position": [x, 0.0, z],
            "velocity": [speed, 0.0, 0.0]}


def _scene(bodies, friction: float, restitution: float = 0.0, slope: float = 0.0) -> dict:
    """On the ground, which falls along x by the slope's tangent."""
    angle = math.atan(slope)
    gravity = [G * math.sin(angle), 0.0, -G * math.cos(angle)]
    return {"gravity": gravity, "ground": True, "friction": friction, "restitution": restitution,
            "bodies": bodies}


def _in_space(balls, restitution: float) -> dict:
    return {"gravity": [0.0, 0.0, 0.0], "ground": False, "friction": 0.0,
            "restitution": restitution, "bodies": balls}


class Run:
    """An engine at a step; calls it and looks at the shape of what it returns."""

    def __init__(self, engine: Callable, dt: float):
        if not 0 < dt < math.inf:
            raise ValueError(f"dt is {dt!r} s, expected a number > 0")
        self.engine, self.dt = engine, dt

    def __call__(self, scene: dict, until: float) -> tuple[np.ndarray, np.ndarray]:
        steps = math.ceil(until / self.dt)
        wanted = (steps + 1, len(scene["bodies"]), 3)
        found = self.engine(scene, self.dt, steps)
        try:
            x, v = (np.asarray(a, dtype=float) for a in found)
        except (TypeError, ValueError):
            raise Broken("expected positions and velocities from the engine") from None
        for name, a in (("positions", x), ("velocities", v)):
            if a.shape != wanted:
                raise Broken(f"{name} of shape {a.shape}, expected {wanted}")
            if not np.isfinite(a).all():
                raise Broken(f"{name} that are not finite")
        return x, v


def _off_ground(what: str, x: np.ndarray) -> Finding:
    """How far a block that starts on the ground, and has to stay there, sinks or rises."""
    z = x[:, 0, 2] - x[0, 0, 2]
    return Finding(f"{what}: largest way off the ground, m", z[np.abs(z).argmax()], -SINK, SINK)


def _off_line(what: str, v: np.ndarray, tolerance: float) -> Finding:
    """Balls on the x-axis in space have no reason to leave it."""
    return Finding(f"{what}: largest speed off the line", np.abs(v[:, :, 1:]).max(), 0, tolerance)


def _ramp_angle(run: Run, tolerance: float) -> Iterator[Finding]:
    until = 0.5
    for mu in (0.3, 0.7):
        for side, low, high in ((-1, -0.5, 0.5), (1, 0.5, math.inf)):
            slope = mu * (1 + side * tolerance)
            # what a block slides in that time where its slope is that much too steep
            slide = 0.5 * G * mu * tolerance / math.hypot(1, slope) * until**2
            x, _ = run(_scene([_slab()], mu, slope=slope), until)
            what = f"mu {mu}, tan {slope:.4g}"
            yield Finding(f"{what}: way down over that of sliding just above mu",
                          (x[-1, 0, 0] - x[0, 0, 0]) / slide, low, high)
            yield _off_ground(what, x)


def _stopping_distance(run: Run, tolerance: float) -> Iterator[Finding]:
    for speed, mu in ((2.0, 0.3), (1.0, 0.6)):
        x, v = run(_scene([_slab((speed, 0, 0))], mu), speed / (mu * G) + 0.1)
        way = (x[-1, 0, 0] - x[0, 0, 0]) / (speed**2 / (2 * mu * G))
        yield Finding(f"v {speed}, mu {mu}: way over v^2/(2 mu g)", way, 1 - tolerance,
                      1 + tolerance)
        yield Finding(f"v {speed}, mu {mu}: speed left over v", np.linalg.norm(v[-1, 0]) / speed,
                      0, tolerance)
        yield _off_ground(f"v {speed}, mu {mu}", x)


def _restitution(run: Run, tolerance: float) -> Iterator[Finding]:
    height, radius = 1.0, 0.1
    # within a step of the contact; a first step may rest, and is no rebound
    near = SINK + math.sqrt(2 * G * height) * run.dt
    for e in (0.0, 0.3, 0.7, 1.0):
        x, _ = run(_scene([_ball(0, height + radius)], 0.0, e), 1.0)
        z = x[:, 0, 2] - radius
        touches = np.flatnonzero(z <= near)
        lands = touches[0] if len(touches) else len(z) - 1
        rises = lands + np.flatnonzero(np.diff(z[lands:]) > 0)
        apex = z[rises[0]:].max() if len(rises) else z[-1]
        yield Finding(f"e {e}: lowest over height", z.min() / height, -near / height,
                      near / height)
        yield Finding(f"e {e}: rebound over height", apex / height, e**2 - tolerance,
                      e**2 + tolerance)


def _ball_on_ball(run: Run, tolerance: float) -> Iterator[Finding]:
    for first, second, e in ((1.0, 1.0, 1.0), (1.0, 1.0, 0.5), (1.0, 3.0, 0.8)):
        balls = [_ball(0, speed=1.0, mass=first), _ball(0.25, mass=second)]
        _, v = run(_in_space(balls, e), 0.2)
        after = ((first - e * second) / (first + second), (1 + e) * first / (first + second))
        for k in range(2):
            yield Finding(f"masses {first}, {second}, e {e}: speed of ball {k}", v[-1, k, 0],
                          after[k] - tolerance, after[k] + tolerance)
        yield _off_line(f"masses {first}, {second}, e {e}", v, tolerance)


def _cradle(run: Run, tolerance: float) -> Iterator[Finding]:
    n, gap = 5, 0.005
    balls = [_ball(k * (0.2 + gap), speed=float(k == 0)) for k in range(n)]
    _, v = run(_in_space(balls, 1.0), 2 * n * gap)
    for k in range(n):
        want = float(k == n - 1)
        yield Finding(f"speed of ball {k} of {n}", v[-1, k, 0], want - tolerance, want + tolerance)
    yield _off_line(f"{n} balls", v, tolerance)


def _cone_straightness(run: Run, tolerance: float) -> Iterator[Finding]:
    speed, mu = 1.0, 0.5
    for degrees in (10, 30, 45, 75):
        along = np.array([math.cos(math.radians(degrees)), math.sin(math.radians(degrees)), 0])
        x, _ = run(_scene([_slab(speed * along)], mu), speed / (mu * G) + 0.05)
        way = x[:, 0] - x[0, 0]
        straight = speed**2 / (2 * mu * G)
        off = np.abs(way[:, 1] * along[0] - way[:, 0] * along[1]).max()
        yield Finding(f"{degrees} degrees: largest way off the line over v^2/(2 mu g)",
                      off / straight, 0, tolerance)
        yield Finding(f"{degrees} degrees: way over v^2/(2 mu g)", way[-1] @ along / straight,
                      1 - tolerance, 1 + tolerance)
        yield _off_ground(f"{degrees} degrees", x)


def _static_creep(run: Run, tolerance: float) -> Iterator[Finding]:
    mu = 0.6
    x, _ = run(_scene([_slab()], mu, slope=mu / 2), 1.0)
    yield Finding("tan = mu/2, 1 s: largest way, m", np.linalg.norm(x - x[0], axis=2).max(), 0,
                  tolerance)


def _no_lift(run: Run, tolerance: float) -> Iterator[Finding]:
    speed, mu = 2.0, 0.5
    x, _ = run(_scene([_box((1.0, 1.0, 1.0), 0.5, (speed, 0, 0))], mu), speed / (mu * G) + 0.05)
    z = x[:, 0, 2] - x[0, 0, 2]
    what = "a cube that slides, then sticks"
    yield Finding(f"{what}: largest rise, m", z.max(), -math.inf, tolerance)
    yield Finding(f"{what}: largest fall, m", z.min(), -SINK, math.inf)
    # roughly: how far exactly is another oracle's
    yield Finding(f"{what}: way over v^2/(2 mu g)",
                  (x[-1, 0, 0] - x[0, 0, 0]) / (speed**2 / (2 * mu * G)), 0.9, 1.1)


@dataclass(frozen=True)
class Oracle:
    """One phenomenon: what must hold, and the tolerance where a table says nothing else."""

    name: str
    statement: str
    tolerance: float
    look: Callable[[Run, float], Iterator[Finding]]

    def findings(self, engine: Callable, tolerances: dict | None = None,
                 dt: float = DT) -> list[Finding]:
        """All that is measured; Broken where the engine returns what is no motion.

        KeyError: `tolerances` has a name that is no oracle's. ValueError: dt is no step.
        """
        for name in tolerances or {}:
            oracle(name)
        tolerance = (tolerances or {}).get(self.name, self.tolerance)
        try:
            return list(self.look(Run(engine, dt), tolerance))
        except Broken as fault:
            raise Broken(f"{self.name}: {fault}") from None

    def __call__(self, engine: Callable, tolerances: dict | None = None, dt: float = DT) -> None:
        """Broken where a finding is out of its range. tolerances: by the names of oracles."""
        for f in self.findings(engine, tolerances, dt):
            if not f.low <= f.value <= f.high:
                raise Broken(f"{self.name}: {f.what}: {f.value:.6g}, expected {f.low:.6g} to "
                             f"{f.high:.6g}: {self.statement}")


ORACLES = (
    Oracle("ramp-angle", "a block on an incline sticks iff tan(angle) <= mu; the tolerance is "
           "relative to mu", 0.02, _ramp_angle),
    Oracle("stopping-distance", "a block slides v^2/(2 mu g), then rests", 0.01,
           _stopping_distance),
    Oracle("restitution", "a ball dropped from h rebounds to e^2 h", 0.02, _restitution),
    Oracle("ball-on-ball", "momentum is kept, and the relative speed after is e times that before",
           1e-3, _ball_on_ball),
    Oracle("cradle", "of balls with gaps and e = 1 the last leaves, the others rest", 1e-3,
           _cradle),
    Oracle("cone-straightness", "under an isotropic cone a block slides straight, as far in every "
           "direction", 0.01, _cone_straightness),
    Oracle("static-creep", "a block on less than the friction angle does not move; the tolerance "
           "is in m", 1e-4, _static_creep),
    Oracle("no-lift", "a cube that slides and sticks stays down; the tolerance is in m", 2e-4,
           _no_lift),
)
"""All oracles."""


def oracle(name: str) -> Oracle:
    """The oracle of that name."""
    for one in ORACLES:
        if one.name == name:
            return one
    raise KeyError(f"no oracle is called {name!r}: {', '.join(o.name for o in ORACLES)}")
