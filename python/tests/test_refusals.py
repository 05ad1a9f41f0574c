"""What is wrong with the data is one line of an exception, before or from the library."""
import copy
import pickle
import warnings

import numpy as np

import impact
from contacts import Q, W, columns, one
from impact import InputError
from tap import raises


def test_shapes():
    for W_, q, mu, text in (
            (W[:2], Q, 1, "W: shape (2, 3) given, (3nc, 3nc) expected"),
            (np.eye(4), Q, 1, "W: shape (4, 4) given"), (5.0, Q, 1, "W: shape () given"),
            (np.empty((0, 0)), [], 1, "W: shape (0, 0) given"),
            ([[1, 2], [3]], Q, 1, "W: rows of different lengths"),
            (W, Q[:2], 1, "q: shape (2) given, (3) or (1, 3) expected"),
            (W, Q, [1, 2], "mu: shape (2) given, () or (1) expected")):
        with raises(InputError, text):
            impact.Problem(W_, q, mu)
    for p in ([1, 2], np.zeros((3, 3)), 1):
        for ask in (one().velocity, one().energy, lambda p: impact.certify(one(), p)):
            with raises(InputError, "p: shape"):
                ask(p)


def test_dtypes():
    for wrong in (W * 1j, W.astype(str), W.astype(object), W > 0):
        with raises(InputError, "real numbers expected"):
            impact.Problem(wrong, Q, 1)
    with raises(InputError, "a Problem expected"):
        impact.solve(W)


def test_types():
    path, room = impact.solve(one(), "plus", path=True).path, impact.batch_answer(5)
    for ask, text in (
            (lambda: impact.Problem(W, np.ma.array(Q, mask=[0, 1, 0]), 1), "q: masked numbers"),
            (lambda: impact.check(one(), Q, path=True), "path: bool given, a Path expected"),
            (lambda: impact.certify(one(), Q, path=path.impulse), "path: ndarray given"),
            (lambda: impact.check(one(), Q, tolerance="1e-9"), "tolerance: <U4 given"),
            (lambda: impact.check(one(), Q, tolerance=[1, 2]), "tolerance: shape (2) given"),
            (lambda: one().save("/dev/null", 3), "id: 3 given, a text expected"),
            (lambda: one().save("/dev/null", "\ud800"), "id: '\\ud800' given, a text that UTF-8"),
            (lambda: one().save(None), "path: None given, a path expected"),
            (lambda: next(impact.read_problems(None)), "path: None given, a path expected"),
            (lambda: next(impact.read_problems("\ud800")), "path: '\\ud800' given, a path"),
            (lambda: impact.Flow([1]), "source: [1] given, a path expected"),
            (lambda: impact.Flow({}, [1]), "settings: list given, a dict expected"),
            (lambda: impact.Scene({}, 3), "settings: int given, a dict expected"),
            (lambda: impact.Scene({}).compare(3), "models: 3 given, a name or names expected"),
            (lambda: impact.Scene({}).problems(models=3), "models: 3 given, a name or names"),
            (lambda: impact.Scene({}).compare(["plus", 3]), "models: 3 given, a text expected"),
            (lambda: impact.Scene({}, variant=3), "variant: 3 given, a text expected"),
            (lambda: impact.Scene({}, {"title": "\ud800"}).compare(), "a text that UTF-8"),
            (lambda: impact.assemble(None, [], 1), "bodies: expected records"),
            (lambda: impact.assemble([], 3, 1), "contacts: expected records"),
            (lambda: impact.Problem(impact.Blocks(None, [0], [W]), Q, 1), "start: object of shape"),
            (lambda: impact.Problem(impact.Product(3, 3, [0], [Q]), Q, 1), "start: int64 of shape"),
            (lambda: impact.certify(one(), Q, np.eye(2)), "is called array([[1., 0.],    "),
            (lambda: impact.solve_batch(*columns(5), model=Q), "no batch is called array"),
            (lambda: impact.batch_answer(-1), "n: -1 given, a whole number expected"),
            (lambda: impact.batch_answer(True), "n: True given"),
            (lambda: impact.solve_batch(*columns(5), threads=True), "threads: True given"),
            (lambda: impact.solve(one(), "plus", path=path), "path: Path given, True or False"),
            (lambda: impact.solve(one(), "plus", path=Q), "path: "),
            (lambda: impact.contact(False, 1, Q, Q), "a: False given, the number of a body"),
            (lambda: impact.solve(one(), "auto", max_sweeps=10**400), "a number or a word"),
            (lambda: impact.solve_batch(*columns(5), out=3), "out: int given, a BatchAnswer"),
            (lambda: impact.solve_batch(*columns(5), out=impact.BatchAnswer(
                room.p.tolist(), room.residual, room.status)), "out: expected columns of 5")):
        with raises(InputError, text):
            ask()
    unmasked = np.ma.array(Q)
    assert (impact.Problem(W, unmasked, 1).q == Q).all()


def test_masked_indices_and_records():
    start, bodies = np.ma.array([0, 1]), np.ma.array(np.zeros(2, impact.BODY))
    bodies["orientation"][:, 0], bodies["inv_mass"] = 1, 2
    touch = [impact.contact(impact.GROUND, 0, Q, Q)]
    for mask in (False, True):
        start.mask, bodies.mask["inv_mass"][1] = [False, mask], mask
        blocks = impact.Blocks(start, [0], W[None])
        for ask, name in ((lambda: impact.Problem(blocks, Q, 1), "start"),
                          (lambda: impact.assemble(bodies, touch, 1), "bodies")):
            if not mask:
                assert ask().nc == 1
                continue
            with raises(InputError, f"{name}: masked numbers given, expected none"):
                ask()


def test_numbers():
    for (q, mu, e), text in (
            (([-1, np.nan, 0], 1, 0), "q[1]: nan given, a finite number expected"),
            ((Q, np.inf, 0), "mu: inf given"),
            ((Q, -1, 0), "bad-friction: contact 0: mu is -1.0, a number >= 0 expected"),
            ((Q, 1, 1.5), "bad-restitution: contact 0: e is 1.5, a number from 0 to 1 expected")):
        with raises(InputError, text):
            impact.Problem(W, q, mu, e)
    with raises(InputError, "bad-friction: contact 0: mu_v is -0.5, a number >= 0 expected"):
        impact.Problem(W, Q, 1, mu_v=-0.5)
    with raises(InputError, "normal [0.0, 0.0, 0.0], a direction expected"):
        impact.frame([0, 0, 0])
    with raises(InputError, "tangent [0.0, 0.0, 2.0], two directions expected"):
        impact.frame([0, 0, 1], [0, 0, 2])
    with raises(InputError, "W[2, 0]: nan"):
        impact.Problem([[1, 0, 0], [0, 1, 0], [np.nan, 0, 1]], Q, 1)
    beyond = np.array([-1, np.longdouble("1e400"), 0])  # of a longdouble that is no more: inf
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with raises(InputError, "q[1]: inf given, a finite number expected"):
            impact.Problem(W, beyond, 1)


def test_what_is_no_contact_problem():
    for wrong, text in ((-W, "not-positive-definite: contact 0: W, a positive semidefinite one"),
                        (W + [[0, 1, 0], [0, 0, 0], [0, 0, 0]],
                         "not-symmetric: contact 0: W, a symmetric one expected")):
        problem = impact.Problem(wrong, Q, 1)
        for ask in (problem.check, lambda: impact.solve(problem), lambda: impact.enumerate(problem),
                    lambda: impact.check(problem, Q)):
            with raises(InputError, text):
                ask()


def test_numbers_written_later_are_seen():
    q = Q.copy()
    problem = impact.Problem(W, q, 0.5)
    q[1] = np.nan
    for model in impact.models():
        with raises(InputError, "not-finite: contact 0: q is [-1.0, nan, 0.25], finite numbers"):
            impact.solve(problem, model.name)
    for name, text in (("mu", "mu is inf, finite"), ("e", "e is inf"), ("mu_v", "mu_v is inf"),
                       ("gap", "gap is inf"), ("W", "W, finite numbers expected")):
        problem = impact.Problem(W.copy(), Q, *np.zeros((2, 1)), mu_v=[0.0], gap=[0.0])
        getattr(problem, name)[-1:] = np.inf
        with raises(InputError, f"not-finite: contact 0: {text}"):
            problem.check()
    twice = np.kron(np.eye(2), W)  # the whole of W, not a contact's own
    twice[5, 0] = 1
    with raises(InputError, "not-symmetric: the problem: W, a symmetric one expected"):
        impact.Problem(twice, [*Q, *Q], 1).check()


def test_what_the_library_points_to_is_not_replaced():
    problem = one(e=0.5)
    for name in ("q", "mu", "e", "mu_v", "gap", "nc", "W", "c", "friction"):
        with raises(AttributeError, f"Problem.{name} cannot be set"):
            setattr(problem, name, np.zeros(3))
        with raises(AttributeError, f"Problem.{name} cannot be deleted"):
            delattr(problem, name)
    assert (problem.q == Q).all() and impact.solve(copy.copy(problem), "maxdiss").ok


def test_an_error_comes_whole_out_of_another_process():
    for kind in (impact.ImpactError, InputError):
        error = pickle.loads(pickle.dumps(kind("bad-friction", "bad-friction: contact 0")))
        assert (type(error), str(error), error.status) == (
            kind, "bad-friction: contact 0", "bad-friction")


def test_what_a_model_does_not_take():
    with raises(InputError, "unsupported: planar-newton does not take such a problem"):
        impact.solve(one(), "planar-newton")
    with raises(InputError, "unsupported"):
        impact.enumerate(one(e=0.5))
    verdict = impact.check(one(), [0.5, 0, 0], "planar-newton")
    assert (verdict.verdict, verdict.reason) == (
        "not-judged", "the model does not take such a problem")


def test_a_law_judges_no_data_of_which_it_does_not_speak():
    for law, data in (("coulomb", {"e": 0.5}), ("lzb", {}), ("frictionless", {})):
        with raises(InputError, f"unsupported: p by the law {law}"):
            impact.certify(one(**data), [0.5, 0, 0], law)
        assert impact.check(one(**data), [0.5, 0, 0], law).verdict == "not-judged"


def test_names_and_settings():
    with raises(InputError, "no model is called 'magic': maxdiss, coulomb"):
        impact.solve(one(), "magic")
    with raises(InputError, "no model is called 3"):
        impact.solve(one(), 3)
    with raises(InputError, "no law or model is called 'magic'"):
        impact.certify(one(), Q, "magic")
    with raises(InputError, "tolerance: 3, expected a number from 1e-15 to 0.001"):
        impact.solve(one(), "auto", tolerance=3)
    with raises(InputError, "unknown setting of auto"):
        impact.solve(one(), "auto", magic=3)
    with raises(InputError, "a number or a word expected"):
        impact.solve(one(), "auto", tolerance=[1])


def test_blocks_never_point_beyond_themselves():
    block = np.array([np.eye(3)] * 2)
    for start, column, text in (
            ([0, 1, 3], [0, 1], "start: expected to rise"), ([0, 2, 1], [0, 1], "start"),
            ([1, 1, 2], [0, 1], "start"), ([0, 2, 1, 2], [0, 1], "start: expected to rise"),
            ([0, 1, 2], [0, 2], "column: expected contacts below 2"),
            ([0, 1, 2], [0, -1], "column: expected numbers from 0"),
            ([0, 2, 2], [1, 0], "column: expected to ascend"),
            ([0, 2, 2], [0, 1], "column: expected every diagonal block"),
            ([0.0, 1, 2], [0, 1], "start: float64"), ([0, 1, 2], [0], "start")):
        with raises(InputError, text):
            impact.Problem(impact.Blocks(np.array(start), np.array(column), block[:len(column)]),
                           np.zeros(6), 1)
    with raises(InputError, "start: rows of different lengths"):
        impact.Problem(impact.Blocks([[0], [1, 2]], [0], block[:1]), [-1, 0, 0], 1)
    start = np.array([0, 1, 2], dtype=np.int32)
    problem = impact.Problem(impact.Blocks(start, start[:2], block), [-1, 0, 0, -1, 0, 0], 1)
    start[1] = 1000
    assert (problem.W == np.eye(6)).all()


def test_bodies():
    ball = impact.body(1, [1, 1, 1])
    for contacts, text in (
            ([impact.contact(0, 5, [0, 0, 0], [0, 0, 1])],
             "bad-argument: contact 0 is between 0 and 5, expected two of 1 body and GROUND"),
            ([impact.contact(0, -1, [0, 0, 0], [0, 0, 1]),
              impact.contact(0, 0, [0, 0, 0], [0, 0, 1])], "contact 1 is between 0 and 0"),
            ([], "expected one at least"), ([1.0], "contacts: "), (np.zeros(3), "contacts: ")):
        with raises(InputError, text):
            impact.assemble([ball], contacts, 1)
    for wrong, text in (
            ({"mass": 1e-320, "inertia": [1, 1, 1]},
             "not-finite: body 1: inv_mass is inf, finite numbers expected"),
            ({"orientation": [2, 0, 0, 0]},
             "bad-argument: body 1: orientation is [2.0, 0.0, 0.0, 0.0], a quaternion of length")):
        with raises(InputError, text):
            impact.assemble([ball, impact.body(**wrong)],
                            [impact.contact(0, 1, [0, 0, 0], [0, 0, 1])], 1)
    for wrong, text in (
            ([-1, 1, 1], "not-positive-definite: inertia is [-1.0, 1.0, 1.0], a definite one exp"),
            ([0, 1, 1], "not-positive-definite: inertia is [0.0, 1.0, 1.0], a definite one exp"),
            ([[1, 2, 0], [0, 1, 0], [0, 0, 1]], "not-symmetric: inertia is [[1.0, 2.0, 0.0], ["),
            ([1, 1, 9], "bad-argument: inertia is [1.0, 1.0, 9.0], no principal moment above the "
                        "sum of the others expected"),
            ([[5, 4, 0], [4, 5, 0], [0, 0, 1]], "bad-argument: inertia is [[5.0, 4.0, 0.0], ")):
        with raises(InputError, text):
            impact.body(1, wrong)
    assert impact.body(1, [1, 1, 2])["inv_inertia"].tolist() == [1, 0, 0, 0, 1, 0, 0, 0, 0.5]
    for field, of, wrong, text in (
            ("inv_inertia", 0, -1, "not-positive-definite: body 1: inv_inertia is [-1.0, "),
            ("inv_inertia", 1, -1, "not-symmetric: body 1: inv_inertia is [1.0, -1.0")):
        written = ball.copy()
        written[field][of] = wrong
        with raises(InputError, text):
            impact.assemble([ball, written], [impact.contact(0, 1, [0, 0, 0], [0, 0, 1])], 1)
    fixed = impact.body()
    for a, b in ((1, impact.GROUND), (impact.GROUND, 2), (1, 2)):
        with raises(InputError, f"bad-argument: contact 1 is between {a} and {b}, neither of which "
                                "can move, expected one that can"):
            impact.assemble([ball, fixed, fixed], [
                impact.contact(*pair, [0, 0, 0], [0, 0, 1]) for pair in ((0, 1), (a, b))], 1)
    for a in (0.5, 2**40, -2, "0", None):
        with raises(InputError, "a: "):
            impact.contact(a, 0, [0, 0, 0], [0, 0, 1])
    with raises(InputError, "mass: -1 given"):
        impact.body(-1, [1, 1, 1])
    with raises(InputError, "normal"):
        impact.frame([0, 0, 0])


def test_columns():
    packed, q, mu = columns(5)
    for given, text in (((packed[:5], q, mu), "W: shape (5, 5) given, (6, n) expected"),
                        ((packed, q[:, :4], mu), "q: shape (3, 4) given, (3, 5) expected"),
                        ((packed, q, mu[:3]), "mu: shape (3) given, (5) expected"),
                        ((packed, q, None), "mu: object given")):
        for batch in (impact.solve_batch, impact.enumerate_batch):
            with raises(InputError, text):
                batch(*given)
    with raises(InputError, "no batch is called 'auto'"):
        impact.solve_batch(packed, q, mu, model="auto")
    for settings, text in (({"lanes": 3}, "lanes: 3 given, 0 or one of 1, "),
                           ({"threads": -1}, "threads: -1 given"), ({"threads": 0}, "threads: 0"),
                           ({"threads": 1.5}, "threads"), ({"threads": 1025}, "threads: 1025")):
        for n in (5, 0):
            for batch in (impact.solve_batch, impact.enumerate_batch):
                with raises(InputError, text):
                    batch(packed[:, :n], q[:, :n], mu[:n], **settings)


def test_room_that_is_not_what_the_library_writes():
    packed, q, mu = columns(5)
    good = impact.batch_answer(5)
    frozen = impact.batch_answer(5)
    frozen.p.flags.writeable = False
    for out, text in ((impact.batch_answer(4), "columns of 5"), (frozen, "columns of 5"),
                      (impact.BatchAnswer(good.p.astype("f4"), good.residual, good.status), "out"),
                      (impact.BatchAnswer(q, good.residual, good.status), "it overlaps"),
                      (impact.BatchAnswer(good.p, good.p[1], good.status), "it overlaps")):
        with raises(InputError, text):
            impact.solve_batch(packed, q, mu, out=out)


def test_tolerances():
    for wrong in (-1e-9, np.nan):
        with raises(InputError, "tolerance: "):
            impact.check(one(), Q, tolerance=wrong)


def test_texts_do_not_end_before_their_end():
    for ask in (lambda: next(impact.read_problems("a\0b")), lambda: impact.Flow("a\0b"),
                lambda: impact.Flow({}, {"title": "a\0b"}), lambda: one().save("a\0b"),
                lambda: one().save("/dev/null", "a\0b"), lambda: impact.solve(one(), "auto\0b"),
                lambda: impact.certify(one(), Q, "coulomb\0b"),
                lambda: impact.solve(one(), start="rest\0b")):
        with raises(InputError, "NUL"):
            ask()


def test_memory_of_the_library_has_one_owner():
    flow = impact.Flow({"kind": "flow", "step": 1e-5, "until": 1, "box": {
        "low": [0, 0, 0], "high": [1, 1, 1]}, "spheres": {"radius": 0.1, "density": 1,
                                                          "spacing": 0.3}})
    path = impact.solve(one(), "plus", path=True).path
    for held in (flow, path):
        for again in (copy.copy, copy.deepcopy, pickle.dumps):
            with raises(TypeError, "cannot be copied"):
                again(held)
