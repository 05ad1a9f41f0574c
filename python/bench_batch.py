"""How fast a million one-contact problems are from Python, beside the library's own batch.

    bench_batch.py [PROBLEMS]

Boxes hit the ground with a corner at random velocities. Each row times, in turn and on the same
columns: the function of the library alone, called with its arguments made before; solve_batch that
writes to room of an earlier call; solve_batch that makes room. The least of nine rounds each, in ns
of processor time a problem, one thread; ratio: solve_batch with room over the function alone.
"""
import sys
import time
from ctypes import byref

import numpy as np

import impact
from impact import batch
from impact._library import imp_batch_settings

ROUNDS = 9


def corners(n: int):
    """W (6, n), q (3, n), mu (n), e (n)."""
    rng = np.random.default_rng(1)
    half, mass = rng.uniform(0.1, 1, (3, n)), rng.uniform(0.5, 2, n)
    arm = half * rng.choice([-1, 1], (3, n))
    square = half**2
    inverse = 3 / (mass * (square.sum(axis=0) - square))
    W = np.empty((6, n))
    for row, (i, k) in enumerate(zip(*np.triu_indices(3))):
        W[row] = -inverse[3 - i - k] * arm[i] * arm[k] if i != k else 1 / mass + sum(
            inverse[j] * arm[3 - i - j] ** 2 for j in range(3) if j != i)
    q = rng.normal(size=(3, n))
    q[0] = -np.abs(q[0])
    return W, q, rng.uniform(0, 1, n), np.zeros(n)


def seconds(call) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def alone(model: str, columns):
    """The function of the library on these columns, and what it writes to."""
    room = impact.batch_answer(columns[1].shape[1])
    n, given = len(room.status), batch.given(columns, room.p, room.residual, room.status)
    settings = imp_batch_settings(lanes=0, threads=1)
    return lambda: batch.FUNCTIONS[model](byref(given), n, byref(settings)), room


def row(model: str, columns) -> str:
    n = columns[1].shape[1]
    W, q, mu, e = columns
    function, of_function = alone(model, columns)
    room = impact.batch_answer(n)
    calls = (function, lambda: impact.solve_batch(W, q, mu, e, model, out=room),
             lambda: impact.solve_batch(W, q, mu, e, model))
    times = [[seconds(call) for call in calls] for _ in range(ROUNDS)]
    library, mine, fresh = (min(t) * 1e9 / n for t in zip(*times))
    assert (room.p == of_function.p).all() and room.ok.all()
    return f"{model:16} {library:10.1f} {mine:10.1f} {fresh:10.1f} {mine / library:8.3f}"


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    columns = corners(n)
    print(f"{n} problems of one contact: ns a problem")
    print(f"{'model':16} {'library':>10} {'with room':>10} {'new room':>10} {'ratio':>8}")
    for model in impact.BATCH_MODELS:
        print(row(model, columns), flush=True)


if __name__ == "__main__":
    main()
