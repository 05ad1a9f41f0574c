"""A solver for one contact with Coulomb friction, for impact --exec: a problem a line in, an answer a line out.

It ends with u_n = -e q_n, and sticks where it can; else all friction is against the slip, and its angle is sought.
"""
import json
import math
import sys


def stick(W, b):
    """p with W p = b, by Gaussian elimination: W is positive definite."""
    rows, p = [[*W[i], b[i]] for i in range(3)], [0, 0, 0]
    for k, i in ((0, 1), (0, 2), (1, 2)):
        rows[i] = [x - rows[i][k] / rows[k][k] * y for x, y in zip(rows[i], rows[k])]
    for k in (2, 1, 0):
        p[k] = (rows[k][3] - sum(rows[k][j] * p[j] for j in range(k + 1, 3))) / rows[k][k]
    return p


def slide(W, q, mu, b, angle):
    """With friction at that angle: p_n (by no slip across where d is rounding), slip along, d times across, slope."""
    c, s = math.cos(angle), math.sin(angle)
    d, t, o = (w[0] + mu * (w[1] * c + w[2] * s) for w in W)
    turned, right, up = (mu * (w[2] * c - w[1] * s) for w in W)
    normal = b / d if abs(d) > 1e-8 * W[0][0] else (q[2] * c - q[1] * s) / (t * s - o * c or 1)
    along = q[1] * c + q[2] * s + normal * (t * c + o * s)
    t, o, right, up = d * q[1] + b * t, d * q[2] + b * o, turned * q[1] + b * right, turned * q[2] + b * up
    return normal, along, t * s - o * c, right * s - up * c + t * c + o * s


def change(which, low, high, at):
    """The angle where that number of slide changes its sign between two; None: nowhere."""
    first = slide(*at, low)[which]
    if first * slide(*at, high)[which] > 0:
        return None
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if first * slide(*at, middle)[which] <= 0 else (middle, high)
    return low


def solve(W, q, mu, e, steps=1000):
    b = -(1 + e) * q[0]
    p, at = stick(W, [b, -q[1], -q[2]]), (W, q, mu, b)
    if q[0] >= 0 or math.hypot(p[1], p[2]) <= mu * p[0]:
        return p if q[0] < 0 else [0, 0, 0]
    for k in range(steps):
        low, high = 2 * math.pi * k / steps, 2 * math.pi * (k + 1) / steps
        top = change(3, low, high, at) or high
        for angle in change(2, low, top, at), change(2, top, high, at):
            normal, along = slide(*at, angle or 0)[:2]
            if angle is not None and normal > 0 and not along > 1e-12 * math.hypot(q[1], q[2]):
                return [normal, mu * normal * math.cos(angle), mu * normal * math.sin(angle)]


for line in sys.stdin:
    problem = json.loads(line)
    p = solve(problem["W"], problem["q"], problem["mu"][0], problem["e"][0]) if problem["n"] == 1 else None
    print(json.dumps({"id": problem["id"], "p": p, "status": "ok" if p else "unsupported" if problem["n"] > 1 else "not-converged"}), flush=True)
