"""W by blocks and as a product over bodies, held without a copy."""
import copy
import gc
import json
import pickle
import tempfile
from pathlib import Path

import numpy as np

import impact
from contacts import brick
from tap import raises


def written_out(product) -> np.ndarray:
    """G'G, (3nc, 3nc)."""
    nc = len(product.start) - 1
    G = np.zeros((product.rows, 3 * nc))
    for c in range(nc):
        for k in range(product.start[c], product.start[c + 1]):
            G[product.row[k], 3 * c:3 * c + 3] = product.G[k]
    return G.T @ G


def two(G) -> impact.Product:
    """Two contacts over three coordinates, the middle one of both."""
    return impact.Product(3, np.array([0, 2, 4]), np.array([0, 1, 1, 2]), G)


def test_a_product_is_solved_where_it_lies():
    G = np.random.default_rng(5).normal(size=(4, 3))
    q, mu = [-1, 0.5, 0.25, -2, 0, 0.5], 0.3
    problem = impact.Problem(two(G), q, mu)
    assert problem.nc == 2 and problem.product.G is G
    for _ in range(2):
        W = written_out(two(G))
        assert np.allclose(problem.W, W, rtol=1e-14, atol=0)
        answer = impact.solve(problem, "auto")
        assert answer.ok and impact.check(impact.Problem(W, q, mu), answer.p, "auto").ok
        assert np.allclose(problem.velocity(answer.p), W @ answer.p + problem.q)
        G *= 2


def test_assembled_bodies_stay_behind_W():
    problem = brick()
    product, W = problem.product, problem.W
    assert product.rows == 6 and (np.diff(product.start) == [len(product.row) // 4] * 4).all()
    assert np.allclose(written_out(product), W, atol=1e-13 * W.max())
    before = product.G.copy()
    # the library's own, and not a copy of it
    assert product.G.ctypes.data == problem._operator._factored.contents.G
    del problem
    gc.collect()
    filler = [np.ones(len(before) * 3) for _ in range(100)]
    assert (product.G == before).all() and len(filler) == 100
    with raises(ValueError, "read-only"):
        product.row[0] = 1000


def test_a_copy_of_a_problem_is_solved_to_the_bit():
    G = np.random.default_rng(5).normal(size=(4, 3))
    rest = ([-1, 0.5, 0.25, -2, 0, 0.5], 0.3)
    blocks = impact.Blocks([0, 1, 2], [0, 1], np.array([np.eye(3)] * 2))
    product = impact.Problem(two(G), *rest)
    for problem in (product, impact.Problem(product.W, *rest, 0.5),
                    impact.Problem(blocks, *rest), brick()):
        same = impact.solve(problem, "auto")
        for again in (copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))):
            made = again(problem)
            answer = impact.solve(made, "auto")
            assert answer.status == same.status and (answer.p == same.p).all()
            assert (made.W == problem.W).all() and (made.product is None) == (
                problem.product is None)
            assert made.nc == problem.nc and made.gap is None
    kept = copy.deepcopy(product)
    G *= 2
    assert (4 * kept.W == product.W).all() and (copy.copy(product).W == product.W).all()
    asymmetric = impact.Problem(np.eye(3), [-1, 0, 0], 0.5, mu_v=2, gap=3)
    asymmetric._operator.c.as_given = 1
    made = copy.deepcopy(asymmetric)
    assert (made._operator.c.as_given, made.mu_v, made.gap) == (1, 2, 3)


def test_what_would_change_half_of_W_is_read_only():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "bodies.json")
        path.write_text(json.dumps({
            "bodies": [{"mass": 1, "inertia": [1, 1, 1], "position": [0, 0, 0],
                        "velocity": [0, 0, -1]}],
            "contacts": [{"a": "ground", "b": 0, "point": [0, 0, -1], "normal": [0, 0, 1],
                          "mu": 0.5}]}))
        (case,) = impact.read_problems(path)
    for problem in (brick(), case.problem):
        with raises(ValueError, "read-only"):
            problem.product.G[:] *= 2


def test_contacts_of_one_body_take_memory_as_their_number():
    ball = impact.body(1, [0.4, 0.4, 0.4], velocity=[0, 0, -1])
    places = np.random.default_rng(2).uniform(-1, 1, size=(4000, 2))
    contacts = [impact.contact(impact.GROUND, 0, [x, y, -1], [0, 0, 1]) for x, y in places]
    problem = impact.assemble([ball], contacts, 0.5)  # W would be 1.2 GB
    assert len(problem.product.G) <= 6 * 4000
    u = problem.velocity(np.zeros(12000))
    assert np.allclose(u.reshape(-1, 3), [-1, 0, 0])
    assert problem.energy(np.tile([1 / 4000, 0, 0], 4000)) < 0


def test_a_product_is_saved_written_out_unless_singular():
    G = np.random.default_rng(7).normal(size=(4, 3))
    several = impact.Problem(two(G), [-1, 0, 0, -1, 0, 0], 0.5)
    single = impact.Product(2, np.array([0, 2]), np.array([0, 1]), G[:2])
    one = impact.Problem(single, [-1, 0, 0], 1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "product.json")
        several.save(path)
        (case,) = impact.read_problems(path)
        assert (case.problem.W == several.W).all()
        one.save(path)
        (case,) = impact.read_problems(path)
        assert (case.problem.product.G == G[:2]).all() and case.problem.product.rows == 2


def test_a_product_never_points_beyond_itself():
    G = np.ones((2, 3))
    for rows, start, row, text in (
            (2, [0, 1, 3], [0, 1], "start: expected to rise"), (2, [1, 1, 2], [0, 1], "start"),
            (2, [0, 1, 2], [0, 2], "row: expected coordinates below 2"),
            (3, [0, 2], [1, 0], "row: expected to ascend within each contact"),
            (3, [0, 2], [1, 1], "row: expected to ascend"), (2, [0, 1, 2], [-1, 0], "row"),
            (-1, [0, 1, 2], [0, 1], "rows: -1 given"), (2.0, [0, 1, 2], [0, 1], "rows: 2.0"),
            (2, [0, 1, 2], [0], "start"), (2, [0], [], "row: float64")):
        with raises(impact.InputError, text):
            impact.Problem(impact.Product(rows, np.array(start), np.array(row), G), [-1, 0, 0], 1)
    row = np.array([0, 1], dtype=np.int32)
    problem = impact.Problem(impact.Product(2, np.array([0, 2]), row, G), [-1, 0, 0], 1)
    row[1] = 1000
    assert problem.product.row[1] == 1
    with raises(impact.InputError, "G: shape"):
        impact.Problem(impact.Product(2, np.array([0, 1]), np.array([0]), G), [-1, 0, 0], 1)
