"""What solve, enumerate, certify and check say, against closed forms and the definitions."""
import builtins
import signal
import time

import numpy as np

import impact
from contacts import Q, W, brick, columns, one
from tap import raises


def test_a_slide_on_a_sphere_is_the_closed_form():
    W = np.diag([1.0, 3.5, 3.5])
    for speed in (0.1, 3.0):
        p = impact.solve(impact.Problem(W, [-1, -speed, 0], 0.3), "maxdiss").p
        assert np.allclose(p, [1, min(0.3, speed / 3.5), 0], atol=1e-14)


def test_velocity_and_energy_are_the_definitions():
    problem, p = one(), np.array([1.0, 0.25, -0.5])
    assert np.allclose(problem.velocity(p), W @ p + Q, rtol=1e-15)
    assert np.isclose(problem.energy(p), 0.5 * p @ W @ p + p @ Q, rtol=1e-14)


def test_every_model_is_ok_on_what_it_takes_and_its_law_agrees():
    solved = []
    for model in impact.models():
        for problem in (one(), brick(), impact.Problem(np.diag([1.0, 3, 3]), [-1, 0, 0], 0)):
            try:
                answer = impact.solve(problem, model.name, path=True)
            except impact.InputError as error:
                assert error.status == "unsupported", error
                continue
            assert answer.ok, (model.name, answer)
            verdict = impact.check(problem, answer.p, model.name, path=answer.path)
            assert verdict.ok, (model.name, verdict)
            assert np.allclose(answer.u, problem.W @ answer.p + problem.q, atol=1e-12)
            solved.append(model.name)
    assert set(solved) == {model.name for model in impact.models()}


def test_answers_are_equal_by_value():
    answer = impact.solve(one(), "maxdiss")
    assert answer == impact.solve(one(), "maxdiss", path=True) and answer in [answer]
    assert answer != impact.solve(one(), "newton") and answer != 1
    assert answer != impact.solve(one(mu=0.1), "maxdiss")
    found = impact.enumerate(several())
    assert found == impact.enumerate(several()) and found != impact.enumerate(one())
    assert found.solutions[0] == found.solutions[0] != found.solutions[1]
    batch = impact.solve_batch(*columns(5))
    assert batch == impact.solve_batch(*columns(5)) and batch != impact.solve_batch(*columns(6))


def test_all_of_it_leaves_python_its_own_names():
    names = {}
    exec("from impact import *", names)
    assert "solve" in names and not set(names) & set(vars(builtins))


def test_a_wrong_impulse_is_rejected_by_the_residual_that_names_the_fault():
    problem = impact.Problem(np.diag([1.0, 3.5, 3.5]), [-1, -3, 0], 0.3)
    right = impact.solve(problem, "coulomb").p
    for factor, residual in (((1, 1.01, 1), "cone"), ((1, -1, 1), "slip"),
                             ((0.9, 0.9, 1), "signorini")):
        verdict = impact.check(problem, right * factor, "coulomb")
        assert (verdict.verdict, verdict.reason) == ("rejected", residual), verdict
        assert verdict.certificate.residuals[residual] == verdict.certificate.worst > 1e-3
    assert impact.check(problem, right * (1, 1.01, 1), "coulomb", tolerance=0.1).ok
    assert impact.certify(problem, right, "coulomb").worst < 1e-14


def test_a_process_is_judged_along_its_path_and_by_its_model_without():
    answer = impact.solve(brick(), "plus", path=True)
    assert answer.path.steps > 1 and answer.path.impulse.shape == (answer.path.steps, 12)
    assert np.allclose(answer.path.impulse.sum(axis=0), answer.p, atol=1e-12)
    assert len(answer.path.motion) == len(answer.path.phase) == answer.path.steps
    assert set("".join(answer.path.motion)) <= set("sri-") and len(answer.path.motion[0]) == 4
    assert "from-model" not in impact.certify(brick(), answer.p, "plus", path=answer.path).residuals
    assert "from-model" in impact.certify(brick(), answer.p, "plus").residuals
    assert not impact.check(brick(), 1.01 * answer.p, "plus", path=answer.path).ok
    with raises(impact.InputError, "path: of 4 contacts, 1 expected"):
        impact.certify(one(), [1, 0, 0], "plus", path=answer.path)


def several() -> impact.Problem:
    """A stick and two slips, where friction is so large that W_nn <= mu |W_n,to|."""
    W = [[5.88, 1.03, 1.37], [1.03, 4.17, 0.1], [1.37, 0.1, 2.25]]
    return impact.Problem(W, [-0.03, -1.21, 1.26], 6.8)


def test_enumerate_finds_all_solutions_and_maximum_dissipation_among_them():
    found = impact.enumerate(several())
    assert found.proven and len(found.solutions) == 3 and not found.unique
    assert [s.kind for s in found.solutions].count("stick") == 1
    energies = [s.energy for s in found.solutions]
    assert energies == sorted(energies)
    for solution in found.solutions:
        assert impact.check(several(), solution.p, "coulomb").ok
        assert np.allclose(several().velocity(solution.p), solution.u, atol=1e-12)
    alone = impact.enumerate(one())
    assert len(alone.solutions) == 1 and alone.unique
    assert np.allclose(alone.solutions[alone.maxdiss].p, impact.solve(one(), "maxdiss").p)


def test_the_choice_among_solutions_is_a_setting():
    p = [impact.solve(several(), "coulomb", choice=c).p
         for c in ("most-dissipative", "middle", "least-dissipative")]
    for mine, solution in zip(p, impact.enumerate(several()).solutions):
        assert np.allclose(mine, solution.p, atol=1e-12)


def test_a_guess_is_taken_where_a_model_takes_one():
    right = impact.solve(brick(), "gauss-seidel-coulomb")
    again = impact.solve(brick(), "gauss-seidel-coulomb", guess=right.p)
    assert again.ok and again.iterations < right.iterations
    with raises(impact.InputError, "start: 'rest' given beside a guess"):
        impact.solve(brick(), "gauss-seidel-coulomb", guess=right.p, start="rest")
    with raises(impact.InputError, "guess: maxdiss takes none"):
        impact.solve(one(), "maxdiss", guess=right.p)


def test_work_that_is_too_little_is_said_and_the_best_answer_given():
    answer = impact.solve(brick(), "gauss-seidel-coulomb", max_sweeps=1)
    assert (answer.status, answer.ok) == ("not-converged", False)
    assert np.isfinite(answer.p).all()


def test_restitution_is_newtons_for_one_contact():
    answer = impact.solve(one(e=0.5), "moreau")
    assert answer.ok and np.isclose(answer.u[0], 0.5, atol=1e-14)


def test_arrays_are_used_where_they_lie_and_others_copied():
    q, mu = Q.copy(), np.array([0.5])
    problem = impact.Problem(W, q, mu)
    assert problem.W is W and problem.mu is mu and np.shares_memory(problem.q, q)
    before = impact.solve(problem, "maxdiss").p
    q *= 2
    assert np.allclose(impact.solve(problem, "maxdiss").p, 2 * before)
    lists = impact.Problem(W.tolist(), [-2, 1, 0.5], 0.5)
    assert (impact.solve(lists, "maxdiss").p == impact.solve(problem, "maxdiss").p).all()
    single = impact.Problem(W.astype(np.float32), Q[::-1][::-1], [0.5])
    assert (impact.solve(single, "maxdiss").p == before).all()


def test_blocks_are_the_dense_problem():
    dense = brick()
    stored = [(i, j) for i in range(4) for j in range(4)]
    block = np.array([dense.W[3 * i:3 * i + 3, 3 * j:3 * j + 3] for i, j in stored])
    blocks = impact.Blocks(np.arange(0, 17, 4), np.array([j for _, j in stored]), block)
    made = impact.Problem(blocks, dense.q, dense.mu)
    assert (made.W == dense.W).all()
    assert np.allclose(impact.solve(made).p, impact.solve(dense).p, atol=1e-9)


def test_assembled_is_the_definition():
    m, J, r = 2.0, np.array([0.3, 0.4, 0.5]), np.array([0.1, -0.2, -0.3])
    v, w = np.array([1, 2, -3.0]), np.array([0.5, -1, 0.25])
    F = impact.frame([0, 0, 1], [1, 1, 0])
    body = impact.body(m, J, velocity=v, spin=w)
    row = np.zeros(1, impact.CONTACT)
    row["a"], row["point"], row["frame"] = impact.GROUND, r, F.reshape(9)
    made = impact.assemble([body], row, 0.5)
    skew = np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])
    want = F @ (np.eye(3) / m + skew @ np.diag(1 / J) @ skew.T) @ F.T
    assert np.allclose(made.W, want, rtol=1e-13) and np.allclose(made.q, F @ (v + np.cross(w, r)))


def test_a_frame_is_right_handed_with_t_along_the_tangent():
    n, t, o = impact.frame([0, 0, 2], [1, 1, 5])
    assert np.allclose(n, [0, 0, 1]) and np.allclose(t, [0.5**0.5, 0.5**0.5, 0])
    assert np.allclose(o, np.cross(n, t)) and np.allclose(impact.frame([0, 3, 4])[0], [0, 0.6, 0.8])


def test_models_and_laws_are_described():
    models = {model.name: model for model in impact.models()}
    assert {"many", "restitution"} <= models["moreau"].takes
    assert models["coulomb"].law == "coulomb" and "many" not in models["coulomb"].takes
    choice = models["coulomb"].settings[0]
    assert choice.preset == "most-dissipative" == choice.choices[0]
    assert models["drumwright"].settings[0].unit == "kg"
    laws = {law.name: law for law in impact.laws()}
    assert {model.law for model in models.values()} == set(laws)
    assert laws["coulomb"].several and not laws["maxdiss"].several


def test_an_interrupt_ends_a_solve():
    G = np.random.default_rng(0).normal(size=(5, 12))  # contacts that jam: sweeps go round in them
    endless = impact.Problem(G.T @ G, np.tile([-1, 0.5, 0.25], 4), 2)
    before, start = signal.signal(signal.SIGALRM, signal.default_int_handler), time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        answer = impact.solve(endless, "gauss-seidel-coulomb", tolerance=1e-15, max_sweeps=3e7)
        raise AssertionError(f"it ended by itself: {answer}")
    except KeyboardInterrupt:
        assert time.monotonic() - start < 5
    finally:
        signal.signal(signal.SIGALRM, before)
    assert impact.solve(brick(), "gauss-seidel-coulomb", max_sweeps=10_000).ok
