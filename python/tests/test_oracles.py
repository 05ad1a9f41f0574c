"""The right engine passes every oracle; each wrong one, with one fault, fails the one it should."""
import os

import numpy as np

import impact
from impact.oracles import ORACLES, Broken, oracle
from tap import Skip, raises
from toy_engine import Toy, engine


class StaticFrictionTooWide(Toy):
    """5 % too much while nothing moves fast."""

    def friction(self):
        slow = np.abs(self.bodies["velocity"]).max() < 0.05
        return super().friction() * (1.05 if slow else 1)


class SlidingFrictionTooSmall(Toy):
    """5 % too little."""

    def friction(self):
        fast = np.abs(self.bodies["velocity"]).max() >= 0.05
        return super().friction() * (0.95 if fast else 1)


class RestitutionDroppedOnGround(Toy):
    def restitution(self, a):
        return 0 if a == impact.GROUND else super().restitution(a)


class RestitutionDroppedBetweenBodies(Toy):
    def restitution(self, a):
        return super().restitution(a) if a == impact.GROUND else 0


class OnlyTheFirstBodyCollides(Toy):
    def between(self, i, k):
        return super().between(i, k) if i == 0 else []


class EllipticCone(Toy):
    """Friction along o is half: o counts double, so that p_o of the cone is half of the bodies'."""

    def frame(self, normal):
        axes = super().frame(normal)
        axes[2] *= 0.5
        return axes


class PyramidAlongTheAxes(Toy):
    """Friction acts along t and o by itself, mu p_n on each."""

    def impulses(self, problem):
        p = super().impulses(problem)
        slip = problem.velocity(p).reshape(-1, 3)[:, 1:]
        sliding = np.abs(slip) > 1e-6
        p[:, 1:] = np.where(sliding, -self.friction() * p[:, :1] * np.sign(slip), p[:, 1:])
        return p


class VeersOff(Toy):
    """What moves is turned to the left, by 1 rad/s."""

    def step(self, dt):
        super().step(dt)
        v = self.bodies["velocity"]
        v += dt * np.cross([0, 0, 1], v)


class RegularisedFriction(Toy):
    """Friction grows with the speed before the step, up to 1 mm/s, instead of holding."""

    def step(self, dt):
        self.speed = np.linalg.norm(self.bodies["velocity"][0])
        super().step(dt)

    def friction(self):
        return super().friction() * min(1, self.speed / 1e-3)


class ConvexRelaxation(Toy):
    """Separation is paid for with slip, u_n >= mu |u_to| (Anitescu, Tasora 2010)."""

    def impulses(self, problem):
        u = problem.velocity(super().impulses(problem)).reshape(-1, 3)
        problem.q[::3] -= self.friction() * np.linalg.norm(u[:, 1:], axis=1)
        return super().impulses(problem)


class PyramidOfAModel(Toy):
    model = "anitescu"


FAULTS = {
    "ramp-angle": [StaticFrictionTooWide],
    "stopping-distance": [SlidingFrictionTooSmall],
    "restitution": [RestitutionDroppedOnGround],
    "ball-on-ball": [RestitutionDroppedBetweenBodies],
    "cradle": [OnlyTheFirstBodyCollides, RestitutionDroppedBetweenBodies],
    "cone-straightness": [EllipticCone, PyramidAlongTheAxes, PyramidOfAModel, VeersOff],
    "static-creep": [RegularisedFriction],
    "no-lift": [ConvexRelaxation],
}


def test_the_right_engine_passes_all():
    if not os.environ.get("LONG"):
        raise Skip("in the long form: make check LONG=1; the short one takes coarse steps")
    for one in ORACLES:
        one(engine)


COARSE = {"stopping-distance": 0.02, "restitution": 0.04, "cone-straightness": 0.02}
DT = 2e-3  # s, for engines whose faults are far above what the step does


def test_the_right_engine_passes_with_coarse_steps_and_a_table_for_them():
    for one in ORACLES:
        one(engine, COARSE, DT)


def test_each_oracle_names_the_engine_with_its_fault():
    assert list(FAULTS) == [one.name for one in ORACLES]
    for name, wrong in FAULTS.items():
        for faulty in wrong:
            with raises(Broken, f"{name}: "):
                oracle(name)(lambda scene, dt, steps: faulty(scene).run(dt, steps), COARSE, DT)


def test_a_fault_of_one_kind_passes_the_other_oracles():
    for name, faulty in (("stopping-distance", RestitutionDroppedOnGround),
                         ("ball-on-ball", OnlyTheFirstBodyCollides),
                         ("restitution", RestitutionDroppedBetweenBodies),
                         ("cradle", ConvexRelaxation), ("no-lift", EllipticCone)):
        oracle(name)(lambda scene, dt, steps: faulty(scene).run(dt, steps), COARSE, DT)


class NothingMoves(Toy):
    def step(self, dt):
        pass


class NothingTouches(Toy):
    def touching(self):
        return []


class SinksAsItGoes(Toy):
    """All is right but for the height, which falls by 0.2 m/s."""

    def run(self, dt, steps):
        x, v = super().run(dt, steps)
        x[:, :, 2] -= 0.2 * dt * np.arange(steps + 1)[:, None]
        return x, v


class NoFriction(Toy):
    def friction(self):
        return 0


class TwiceTheFriction(Toy):
    def friction(self):
        return 2 * super().friction()


class NeverBounces(Toy):
    def restitution(self, a):
        return 0


class BallsAlwaysBounce(Toy):
    def restitution(self, a):
        return 1 if self.scene["bodies"][0]["shape"] == "sphere" else super().restitution(a)


ON_GROUND = {"ramp-angle", "stopping-distance", "cone-straightness", "static-creep", "no-lift"}
BOUNCES = {"restitution", "ball-on-ball", "cradle"}
GROSS = {  # the oracles whose scenes look another way by each; a block at rest may well be frozen
    NothingMoves: ON_GROUND - {"static-creep"} | BOUNCES,
    NothingTouches: ON_GROUND | BOUNCES,
    SinksAsItGoes: ON_GROUND | {"restitution"},
    NoFriction: ON_GROUND,
    TwiceTheFriction: ON_GROUND - {"static-creep"},
    NeverBounces: BOUNCES,
    BallsAlwaysBounce: {"restitution", "ball-on-ball"},
}


def test_gross_faults_fail_every_oracle_that_they_are_seen_in():
    if not os.environ.get("LONG"):
        raise Skip("in the long form: make check LONG=1; the short one has one fault an oracle")
    for faulty, broken in GROSS.items():
        for one in ORACLES:
            try:
                one(lambda scene, dt, steps: faulty(scene).run(dt, steps), COARSE, DT)
                said = ""
            except Broken as fault:
                said = str(fault)
            assert bool(said) == (one.name in broken), f"{faulty.__name__}, {one.name}: {said!r}"


def test_a_state_that_is_no_number_is_seen_in_every_oracle():
    for one in ORACLES:
        for column in (0, 1):
            for no_number in (np.nan, np.inf):
                def spoilt(scene, dt, steps):
                    states = np.zeros((2, steps + 1, len(scene["bodies"]), 3))
                    states[column, -1, -1, 1] = no_number
                    return states

                with raises(Broken, f"{one.name}: {('positions', 'velocities')[column]} that are"):
                    one(spoilt)


def euler(explicit: bool, bounces):
    """An engine of one ball, by either form of Euler's; bounces(e) is its own e."""
    def ball(scene, dt, steps):
        body, e = scene["bodies"][0], bounces(scene["restitution"])
        x, v = np.array(body["position"]), np.array(body["velocity"])
        states = [(x.copy(), v.copy())]
        for _ in range(steps):
            if explicit:
                x = x + dt * v
            v = v + np.multiply(dt, scene["gravity"])
            if not explicit:
                x = x + dt * v
            if x[2] <= body["radius"] and v[2] < 0:
                x[2], v[2] = body["radius"], -e * v[2] if v[2] < -0.05 else 0
            states.append((x.copy(), v.copy()))
        return tuple(np.array(column)[:, None] for column in zip(*states))
    return ball


def test_a_ball_that_rests_for_its_first_step_is_dropped_like_any():
    for explicit in (False, True):
        for dt in (1e-3, 1e-4):
            oracle("restitution")(euler(explicit, lambda e: e), dt=dt)
        for wrong in (lambda e: 0, lambda e: 1, lambda e: 0.9 * e, lambda e: 1 - e,
                      lambda e: min(1, e + 0.2)):
            with raises(Broken, "restitution: e "):
                oracle("restitution")(euler(explicit, wrong))


def test_the_table_of_tolerances_decides():
    with raises(Broken, "restitution: e 0"):
        oracle("restitution")(engine, {"restitution": 1e-5, "cradle": 1})
    oracle("restitution")(engine, {"restitution": 1})


def test_a_name_that_is_no_oracle_s_and_what_is_no_step_are_refused():
    for one in ORACLES:
        with raises(KeyError, "no oracle is called 'stoping-distance': ramp-angle, "):
            one(engine, {"stoping-distance": 1})
        for dt in (0, -1e-3, np.inf, np.nan):
            with raises(ValueError, f"dt is {dt!r} s, expected a number > 0"):
                one(engine, dt=dt)


def test_no_motion_no_verdict():
    def still(scene, dt, steps):
        return np.zeros((2, steps + 1, len(scene["bodies"]), 3))

    for one in ORACLES:
        for wrong, text in ((lambda *_: None, "expected positions and velocities"),
                            (lambda *_: ([[1], [2, 3]], 0), "expected positions and velocities"),
                            (lambda *a: still(*a)[:, :-1], "positions of shape"),
                            (lambda *a: np.nan * still(*a), "positions that are not finite")):
            with raises(Broken, f"{one.name}: {text}"):
                one(wrong)
    for one in ORACLES:
        if one.name != "static-creep":
            with raises(Broken, f"{one.name}: "):
                one(still)
