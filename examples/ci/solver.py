"""A solver for a few contacts with Coulomb friction and Newton's restitution, for impact --exec: projected Gauss-Seidel.

One contact after another: p_n from the velocity along the normal, then friction against the slip, within the cone, until
an iteration changes no velocity by more than TOLERANCE of the fastest. The iterations stand in the answer: its work.
"""
import json
import math
import sys

TOLERANCE = 1e-9
MOST = 20000


def rows_of(problem):
    """W as rows of (column, number), zeros left out."""
    n = 3 * problem["n"]
    W = problem.get("W") or [[0] * n for _ in range(n)]
    for i, j, block in problem.get("blocks", []):
        for k in range(9):
            W[3 * i + k // 3][3 * j + k % 3] = W[3 * j + k % 3][3 * i + k // 3] = block[k]
    return [[(j, x) for j, x in enumerate(row) if x] for row in W]


def solve(problem):
    W, q, mu = rows_of(problem), problem["q"], problem["mu"]
    scale = max(map(abs, q))
    bounce = [-e * min(0, q[3 * i]) for i, e in enumerate(problem["e"])]
    diagonal = [dict(row).get(k, 0) for k, row in enumerate(W)]
    p = [0.0] * len(q)
    for iteration in range(1, MOST + 1):
        moved = 0
        for i in range(problem["n"]):
            n, t, o = 3 * i, 3 * i + 1, 3 * i + 2
            u = sum(x * p[j] for j, x in W[n]) + q[n]
            pushed = max(0, p[n] - (u - bounce[i]) / diagonal[n])
            moved = max(moved, abs(pushed - p[n]) * diagonal[n])
            p[n] = pushed
            stiff = diagonal[t] + diagonal[o]
            held = [p[k] - (sum(x * p[j] for j, x in W[k]) + q[k]) / stiff for k in (t, o)]
            size = math.hypot(*held)
            share = mu[i] * pushed / size if size > mu[i] * pushed else 1
            for k, x in zip((t, o), held):
                moved = max(moved, abs(share * x - p[k]) * stiff)
                p[k] = share * x
        if moved <= TOLERANCE * scale:
            return p, iteration
    return p, MOST


for line in sys.stdin:
    problem = json.loads(line)
    p, iterations = solve(problem)
    status = "ok" if iterations < MOST else "not-converged"
    print(json.dumps({"id": problem["id"], "p": p, "status": status, "iterations": iterations}), flush=True)
