"""Five thousand spheres settle in a box.

    python3 settling.py [FOLDER]

The flow of benchmarks/flows/box.json, half as full and with steps of 0.1 ms: how the spheres come
to rest, and by how much the forces between them differ at the end.
"""
from pathlib import Path

import numpy as np

import impact
from gnuplot import draw, folder

FLOW = Path(__file__).parents[2] / "benchmarks/flows/box.json"
DT, ROWS, STEPS = 1e-4, 50, 20


def mass(spheres: np.ndarray) -> np.ndarray:
    return 4 / 3 * np.pi * spheres["density"] * spheres["radius"] ** 3


def energy(spheres: np.ndarray) -> float:
    """J, of the translation."""
    return float(0.5 * mass(spheres) @ np.square(spheres["velocity"]).sum(axis=1))


flow = impact.Flow(FLOW, {"step": DT, "fill.high": [0.022, 0.022, 0.011]})
rows = [(0.0, energy(flow.spheres()))]
for _ in range(ROWS):
    flow.step(STEPS)
    rows.append((flow.time, energy(flow.spheres())))
contacts = flow.contacts()
push = np.einsum("ij,ij->i", contacts["impulse"], contacts["normal"])
push = push[push > 0]
counts, edges = np.histogram(push / push.mean(), bins=np.linspace(0, 6, 61))
density = np.column_stack([(edges[1:] + edges[:-1]) / 2, counts / (len(push) * np.diff(edges))])
print(f"{len(flow)} spheres after {flow.time:.3g} s: {len(push)} loaded contacts")
draw(folder() / "settling.png", """
set multiplot layout 1,2 title 'Spheres that settle in a box'
set xlabel 'time (s)'
set ylabel 'kinetic energy (J)'
set logscale y
set format y '10^{%T}'
unset key
plot $rows with linespoints pt 7 ps 0.6 lc rgb '#204080'
set xlabel 'normal force over its mean'
set ylabel 'probability density'
plot $density with points pt 7 lc rgb '#c03030'
unset multiplot
""", rows=np.array(rows), density=density[density[:, 1] > 0])
