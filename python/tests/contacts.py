"""Contacts that several tests put to the library."""
import numpy as np

import impact

W = np.array([[2, 0.5, -0.25], [0.5, 3, 0.75], [-0.25, 0.75, 4]])
Q = np.array([-1, 0.5, 0.25])


def one(mu=0.5, e=None) -> impact.Problem:
    return impact.Problem(W, Q, mu, e)


def columns(n: int, seed: int = 1):
    """W (6, n), q (3, n), mu (n) of random contacts that close."""
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(n, 3, 3))
    rows, cols = np.triu_indices(3)
    packed = np.ascontiguousarray((A @ A.transpose(0, 2, 1))[:, rows, cols].T)
    q = rng.normal(size=(3, n))
    q[0] = -np.abs(q[0])
    return packed, q, rng.uniform(size=n)


def nth(packed, q, mu, i: int) -> impact.Problem:
    """Problem i of the columns."""
    full = np.empty((3, 3))
    full[np.triu_indices(3)] = packed[:, i]
    full.T[np.triu_indices(3)] = packed[:, i]
    return impact.Problem(full, q[:, i], mu[i])


def brick(mu=0.4) -> impact.Problem:
    """Four corners of a brick that lands flat while it slides and spins."""
    body = impact.body(1.2, [0.01, 0.02, 0.03], velocity=[1, 0.3, -2], spin=[0, 0, 1])
    contacts = [impact.contact(impact.GROUND, 0, [x, y, -0.1], [0, 0, 1])
                for x in (-0.2, 0.2) for y in (-0.1, 0.1)]
    return impact.assemble([body], contacts, mu)
