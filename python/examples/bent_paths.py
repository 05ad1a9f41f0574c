"""A block sliding under three friction cones, and the oracle that tells them apart.

    python3 bent_paths.py [FOLDER]

The engine is toy_engine.py: once as it is, once with half the friction along y, once with the
friction pyramid of the model anitescu.
"""
import math

import numpy as np

import impact
from gnuplot import draw, folder
from impact.oracles import Broken, oracle
from toy_engine import Toy

SPEED, MU, DT, STEPS = 1.0, 0.5, 2e-3, 220
SCENE = {
    "gravity": [0, 0, -9.81], "ground": True, "friction": MU, "restitution": 0,
    "bodies": [{"shape": "box", "size": [1, 1, 0.2], "mass": 1, "position": [0, 0, 0.1]}]}


class Elliptic(Toy):
    """o counts half in the frame: of the cone's p_o the bodies get half."""

    def frame(self, normal):
        return impact.frame(normal, (1, 0, 0)) * [[1], [1], [0.5]]


class Pyramid(Toy):
    """The friction polygon has its corners on t and o."""

    model = "anitescu"


def path(engine, degrees: float) -> np.ndarray:
    angle = math.radians(degrees)
    velocity = [SPEED * math.cos(angle), SPEED * math.sin(angle), 0]
    body = {**SCENE["bodies"][0], "velocity": velocity}
    positions, _ = engine({**SCENE, "bodies": [body]}).run(DT, STEPS)
    return positions[:, 0, :2]


def verdict(engine) -> str:
    try:
        oracle("cone-straightness")(lambda scene, dt, steps: engine(scene).run(dt, steps),
                                    {"cone-straightness": 0.02}, DT)
    except Broken as fault:
        return str(fault).split(": under")[0]
    return "cone-straightness: holds"


ENGINES = {"isotropic": Toy, "elliptic": Elliptic, "pyramid": Pyramid}
for name, engine in ENGINES.items():
    print(f"{name}: {verdict(engine)}")
paths = {name: np.vstack([np.vstack([path(engine, degrees), [np.nan, np.nan]])
                          for degrees in range(5, 90, 20)]) for name, engine in ENGINES.items()}
draw(folder() / "bent_paths.png", """
set title 'Paths of a block that starts at 1 m/s with friction 0.5'
set xlabel 'y (m)'
set ylabel 'x (m)'
set size ratio -1
set xrange [0:0.21]
set yrange [0:0.12]
plot $elliptic using 2:1 with lines lw 2 lc rgb '#c03030' title 'elliptic cone', \\
     $pyramid using 2:1 with lines lw 2 lc rgb '#308040' title 'pyramid', \\
     $isotropic using 2:1 with lines lw 3 lc rgb '#204080' title 'isotropic cone'
""", **paths)
