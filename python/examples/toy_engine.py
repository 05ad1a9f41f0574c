"""A right little engine: boxes and spheres on the plane z = 0, with the impacts of the library.

Each step adds gravity, lets the contacts that touch obey Moreau's impact law with Coulomb friction,
and moves the bodies with the new velocities. It is what the oracles of impact.oracles take:

    python3 toy_engine.py
"""
import numpy as np

import impact

MARGIN = 1e-6  # m, what counts as touching
CORNERS = 0.5 * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])


def inertia(body: dict) -> np.ndarray:
    """Principal moments, kg m^2."""
    if body["shape"] == "sphere":
        return np.full(3, 0.4 * body["mass"] * body["radius"] ** 2)
    square = np.square(body["size"])
    return body["mass"] / 12 * (square.sum() - square)


def rotation(q: np.ndarray) -> np.ndarray:
    """Body to world, of a unit quaternion (w, x, y, z)."""
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def turned(q: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """The quaternion after a small turn, a vector in the world."""
    w, v = q[0], q[1:]
    q = q + 0.5 * np.concatenate([[-angle @ v], w * angle + np.cross(angle, v)])
    return q / np.linalg.norm(q)


class Toy:
    """A scene in time."""

    model = "moreau"

    def __init__(self, scene: dict):
        self.scene = scene
        self.bodies = np.array([
            impact.body(b["mass"], inertia(b), b["position"], velocity=b["velocity"])
            for b in scene["bodies"]], dtype=impact.BODY)

    def frame(self, normal) -> np.ndarray:
        """Rows n, t, o of a contact."""
        return impact.frame(normal)

    def friction(self) -> float:
        return self.scene["friction"]

    def restitution(self, a: int) -> float:
        """Of a contact of body a, or of the ground."""
        return self.scene["restitution"]

    def on_ground(self, i: int) -> list:
        """Points of body i that touch the ground."""
        shape, body = self.scene["bodies"][i], self.bodies[i]
        if shape["shape"] == "sphere":
            points = body["position"] - [[0, 0, shape["radius"]]]
        else:
            arms = CORNERS * shape["size"]
            points = body["position"] + arms @ rotation(body["orientation"]).T
        return [(impact.GROUND, i, point, (0, 0, 1)) for point in points if point[2] <= MARGIN]

    def between(self, i: int, k: int) -> list:
        """The point in which spheres i and k touch."""
        first, second = self.scene["bodies"][i], self.scene["bodies"][k]
        if first["shape"] != "sphere" or second["shape"] != "sphere":
            raise NotImplementedError("contact of boxes with each other")
        a, b = self.bodies["position"][[i, k]]
        way = np.linalg.norm(b - a)
        if way > first["radius"] + second["radius"] + MARGIN:
            return []
        return [(i, k, a + first["radius"] * (b - a) / way, (b - a) / way)]

    def touching(self) -> list:
        n = len(self.bodies)
        found = [c for i in range(n) for c in (self.on_ground(i) if self.scene["ground"] else [])]
        return found + [c for i in range(n) for k in range(i + 1, n) for c in self.between(i, k)]

    def contacts(self) -> np.ndarray:
        """What touches, as the library takes it."""
        found = self.touching()
        contacts = np.zeros(len(found), impact.CONTACT)
        for row, (a, b, point, normal) in zip(contacts, found):
            row["a"], row["b"], row["point"] = a, b, point
            row["frame"] = self.frame(normal).reshape(9)
        return contacts

    def impulses(self, problem: impact.Problem) -> np.ndarray:
        """One for each contact, (nc, 3) in its frame, N s."""
        return impact.solve(problem, self.model).p.reshape(-1, 3)

    def push(self, i: int, points: np.ndarray, impulses: np.ndarray) -> None:
        """Impulses (n, 3), N s in the world, on body i."""
        body = self.bodies[i]
        R = rotation(body["orientation"])
        J = R @ body["inv_inertia"].reshape(3, 3) @ R.T
        body["velocity"] += body["inv_mass"] * impulses.sum(axis=0)
        body["spin"] += J @ np.cross(points - body["position"], impulses).sum(axis=0)

    def collide(self) -> None:
        contacts = self.contacts()
        if len(contacts) == 0:
            return
        e = [self.restitution(int(a)) for a in contacts["a"]]
        problem = impact.assemble(self.bodies, contacts, self.friction(), e)
        impulses = np.einsum("ci,cij->cj", self.impulses(problem),
                             contacts["frame"].reshape(-1, 3, 3))
        for i in range(len(self.bodies)):
            for side, sign in (("a", -1), ("b", 1)):
                mine = contacts[side] == i
                if mine.any():
                    self.push(i, contacts["point"][mine], sign * impulses[mine])

    def step(self, dt: float) -> None:
        self.bodies["velocity"] += np.multiply(dt, self.scene["gravity"])
        self.collide()
        self.bodies["position"] += dt * self.bodies["velocity"]
        for body in self.bodies:
            body["orientation"] = turned(body["orientation"], dt * body["spin"])

    def run(self, dt: float, steps: int):
        """Positions and velocities, (steps + 1, bodies, 3)."""
        states = [(self.bodies["position"].copy(), self.bodies["velocity"].copy())]
        for _ in range(steps):
            self.step(dt)
            states.append((self.bodies["position"].copy(), self.bodies["velocity"].copy()))
        return tuple(np.array(column) for column in zip(*states))


def engine(scene: dict, dt: float, steps: int):
    """The engine as the oracles take it."""
    return Toy(scene).run(dt, steps)


if __name__ == "__main__":
    from impact.oracles import ORACLES

    for oracle in ORACLES:
        oracle(engine)
        print(f"{oracle.name}: holds")
