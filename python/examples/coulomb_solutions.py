"""One contact over its friction: where Coulomb's law has one solution, and where three.

    python3 coulomb_solutions.py [FOLDER]

The same impact with 4000 coefficients of friction goes through enumerate_batch at once.
"""
import numpy as np

import impact
from gnuplot import draw, folder

W = (5.88, 1.03, 1.37, 4.17, 0.1, 2.25)  # 1/kg: nn nt no tt to oo
Q = (-0.03, -1.21, 1.26)  # m/s
N = 4000


def curves(mu: np.ndarray) -> dict[str, np.ndarray]:
    """Of each kind of solution, and of maximum dissipation, rows mu, p_n."""
    columns = [np.repeat(np.array([value]).T, N, axis=1) for value in (W, Q)]
    sets = impact.enumerate_batch(*columns, mu)
    dissipative = impact.solve_batch(*columns, mu, model="maxdiss")
    assert (sets.status == 0).all() and sets.proven.all() and dissipative.ok.all()
    made = {"maxdiss": np.column_stack([mu, dissipative.p[0]])}
    for kind, name in ((1, "stick"), (2, "slip")):
        at, s = np.nonzero((sets.kind == kind) & (np.arange(3) < sets.count[:, None]))
        made[name] = np.column_stack([mu[at], sets.p[s, 0, at]])
    several = mu[sets.count == 3]
    print(f"three solutions for mu from {several.min():.3f} to {several.max():.3f}, each proven")
    return made


draw(folder() / "coulomb_solutions.png", """
set title 'All Coulomb solutions of one impact, by their normal impulse'
set xlabel 'friction coefficient'
set ylabel 'normal impulse (N s)'
plot $maxdiss with lines lw 6 lc rgb '#f0c060' title 'maximum dissipation', \\
     $stick with lines lw 2 lc rgb '#204080' title 'stick', \\
     $slip with points pt 7 ps 0.25 lc rgb '#c03030' notitle, \\
     keyentry with points pt 7 ps 1 lc rgb '#c03030' title 'slip'
""", **curves(np.linspace(0, 12, N)))
