"""A solver for one contact with Coulomb friction, for impact --exec: a problem a line in, an answer a line out.

The contact ends with u_n = -e q_n. It sticks where the impulse for that lies in the friction cone; else it slides, with
all of the friction against the slip, whose direction is found by bisection.
"""
import json
import math
import sys


def stick(W, b):
    """p with W p = b, by Gaussian elimination: W is positive definite."""
    rows = [list(W[i]) + [b[i]] for i in range(3)]
    for k in range(3):
        for i in range(k + 1, 3):
            share = rows[i][k] / rows[k][k]
            rows[i] = [x - share * y for x, y in zip(rows[i], rows[k])]
    p = [0, 0, 0]
    for k in (2, 1, 0):
        p[k] = (rows[k][3] - sum(rows[k][j] * p[j] for j in range(k + 1, 3))) / rows[k][k]
    return p


def slide(W, q, mu, b, angle):
    """The impulse with friction along that angle, and the slip it leaves: across the angle, and along it."""
    c, s = math.cos(angle), math.sin(angle)
    normal = b / (W[0][0] + mu * (W[0][1] * c + W[0][2] * s))
    p = [normal, mu * normal * c, mu * normal * s]
    t, o = (sum(W[i][j] * p[j] for j in range(3)) + q[i] for i in (1, 2))
    return p, t * s - o * c, t * c + o * s


def solve(W, q, mu, e, steps=1000):
    if q[0] >= 0:
        return [0, 0, 0]
    b = -(1 + e) * q[0]
    p = stick(W, [b, -q[1], -q[2]])
    if math.hypot(p[1], p[2]) <= mu * p[0]:
        return p
    for k in range(steps):
        low, high = 2 * math.pi * k / steps, 2 * math.pi * (k + 1) / steps
        p, left, along = slide(W, q, mu, b, low)
        if p[0] < 0 or along > 0 or left * slide(W, q, mu, b, high)[1] > 0:
            continue
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (low, middle) if left * slide(W, q, mu, b, middle)[1] <= 0 else (middle, high)
        return slide(W, q, mu, b, low)[0]
    return None


for line in sys.stdin:
    problem = json.loads(line)
    one = problem["n"] == 1
    p = solve(problem["W"], problem["q"], problem["mu"][0], problem["e"][0]) if one else None
    print(json.dumps({"p": p, "status": "ok" if p else "no-solution" if one else "unsupported"}), flush=True)
