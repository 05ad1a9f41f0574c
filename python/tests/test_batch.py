"""Batches are the solvers for one contact, problem by problem."""
import os
import signal

import numpy as np

import impact
from contacts import columns, nth
from impact._library import lib
from tap import raises


def test_every_batch_is_its_model():
    packed, q, mu = columns(300)
    for model in impact.BATCH_MODELS:
        batch = impact.solve_batch(packed, q, mu, model=model)
        assert batch.ok.all() and batch.counts() == {"ok": 300} and batch.residual.max() < 1e-12
        for i in range(0, 300, 7):
            alone = impact.solve(nth(packed, q, mu, i), model)
            scale = np.abs(alone.p).max()
            assert np.allclose(batch.p[:, i], alone.p, atol=1e-11 * scale), (model, i)


def test_restitution_is_read():
    packed, q, mu = columns(50)
    e = np.linspace(0, 1, 50)
    for model in ("maxdiss", "darboux-newton"):
        p = impact.solve_batch(packed, q, mu, e, model).p
        u_n = (packed[:3] * p).sum(axis=0) + q[0]
        assert np.allclose(u_n, -e * q[0], atol=1e-9), model


def test_a_fault_is_its_own_problems():
    packed, q, mu = columns(4)
    right = impact.solve_batch(packed, q, mu)
    q[1, 1], mu[2], packed[0, 3] = np.nan, -1, -1
    batch = impact.solve_batch(packed, q, mu)
    assert batch.counts() == {
        "not-positive-definite": 1, "bad-friction": 1, "not-finite": 1, "ok": 1}
    assert (batch.p[:, 0] == right.p[:, 0]).all()
    assert (batch.p[:, 1:] == 0).all() and np.isinf(batch.residual[1:]).all()


def test_ok_asks_the_residual_too():
    W = np.tile([[1e-8], [0], [0], [1e12], [0], [1e-8]], 3)
    q = np.array([[-1, -1e300, -1], [3, 1.7e308, 0], [5, 5, 0]])  # the second overflows
    for model in impact.BATCH_MODELS:
        bound = lib.imp_model_bound(lib.imp_model_find(model.encode()), None)
        e = None if model == "coulomb" else [0.5] * 3
        batch = impact.solve_batch(W, q, [0.5] * 3, e, model)
        assert (batch.status == 0).all() and np.isinf(batch.residual[1])
        assert (batch.ok == (batch.residual <= bound)).all() and not batch.ok[1] and batch.ok[2]
        exact = "darboux" not in model
        assert batch.ok[0] == exact and batch.counts() == (
            {"ok": 2, "overflow": 1} if exact else {"ok": 1, "overflow": 1, "not-certified": 1})


def test_threads_and_lanes_change_no_bit():
    packed, q, mu = columns(2000)
    first = impact.solve_batch(packed, q, mu, lanes=1)
    for settings in ({"threads": 2}, {"lanes": 0}):
        other = impact.solve_batch(packed, q, mu, **settings)
        assert (first.p == other.p).all() and (first.status == other.status).all()


def test_a_forked_process_does_without_the_threads_of_its_parent():
    packed, q, mu = columns(2000)
    first = impact.solve_batch(packed, q, mu, threads=2)
    content = {"kind": "flow", "step": 1e-5, "until": 1, "threads": 2,
               "box": {"low": [0, 0, 0], "high": [1, 1, 1]},
               "spheres": {"radius": 0.1, "density": 1, "spacing": 0.3}}
    flow = impact.Flow(content)
    child = os.fork()
    if child == 0:
        signal.alarm(10)
        try:
            same = (impact.solve_batch(packed, q, mu, threads=2).p == first.p).all()
            impact.Flow(content).step()
            with raises(impact.InputError, "the flow has 2 threads, which a forked process has"):
                flow.step()
            os._exit(0 if same else 2)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    flow.step()


def test_room_is_used_again_and_columns_are_read_where_they_lie():
    packed, q, mu = columns(10)
    room = impact.batch_answer(10)
    assert impact.solve_batch(packed, q, mu, out=room) is room
    before = room.p.copy()
    q *= 2
    impact.solve_batch(packed, q, mu, out=room)
    assert np.allclose(room.p, 2 * before)
    assert (impact.solve_batch(packed.tolist(), q.tolist(), mu.tolist()).p == room.p).all()


def test_no_problem_at_all():
    batch = impact.solve_batch(np.empty((6, 0)), np.empty((3, 0)), np.empty(0))
    assert batch.counts() == {} and batch.p.shape == (3, 0)


def test_all_solutions_of_many():
    packed, q, mu = columns(400, seed=2)
    sets = impact.enumerate_batch(packed, q, 8 * mu)
    assert (sets.status == 0).all() and set(sets.count) >= {1, 3}
    for i in np.flatnonzero(sets.count > 1)[:10]:
        alone = impact.enumerate(nth(packed, q, 8 * mu, i))
        assert len(alone.solutions) == sets.count[i] and alone.proven == sets.proven[i]
        assert alone.maxdiss == sets.maxdiss[i] and alone.unique == sets.unique[i]
        words = ("zero", "stick", "slip", "segment")
        for s, solution in enumerate(alone.solutions):
            assert (sets.p[s, :, i] == solution.p).all()
            assert words[sets.kind[i, s]] == solution.kind and sets.residual[s, i] < 1e-12
        assert (sets.p[sets.count[i]:, :, i] == 0).all()
