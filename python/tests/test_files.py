"""Problems from files and to files, and flows."""
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

import impact
from contacts import brick, one
from tap import ROOT, raises

BOX = Path(ROOT, "benchmarks/flows/box.json")


@contextlib.contextmanager
def told_aside():
    """What is raised where nobody can catch it, as in __del__."""
    before, said = sys.unraisablehook, []
    sys.unraisablehook = lambda what: said.append(str(what.exc_value))
    try:
        yield said
    finally:
        sys.unraisablehook = before


def test_a_problem_is_saved_and_read_again():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "problem.json")
        for problem in (one(e=0.25), brick()):
            problem.save(path, "mine")
            (case,) = impact.read_problems(path)
            assert case.id == "mine" and case.guess is None
            assert (case.problem.W == problem.W).all() and (case.problem.q == problem.q).all()
            assert (case.problem.mu == problem.mu).all()
            assert np.array_equal(case.problem.e, problem.e if problem.e is not None
                                  else np.zeros(problem.nc))
    with raises(impact.ImpactError, "/nowhere/x.json"):
        one().save("/nowhere/x.json")


def asked(*lines):
    """A process that does these, with pipes."""
    return subprocess.Popen([sys.executable, "-c", "; ".join(["import impact", *lines])],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            encoding="utf-8", env={**os.environ, "PYTHONPATH": f"{ROOT}/python"})


def test_a_line_is_standard_input_and_output():
    both = asked("(case,) = impact.read_problems('-')", "case.problem.save('-', case.id + '!')")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "problem.json")
        one(e=0.25).save(path, "mine")
        said, wrong = both.communicate(path.read_text("utf-8"), timeout=60)
        one(e=0.25).save(path, "mine!")
        assert (said, wrong, both.returncode) == (path.read_text("utf-8"), "", 0), (said, wrong)
    for ask in ("list(impact.read_problems('-'))", "impact.Flow('-')"):
        wrong = asked(ask).communicate("{", timeout=60)[1]
        assert "InputError: standard input:1:" in wrong, wrong


def test_an_interrupt_ends_reading_of_standard_input():
    # what is started beside other work may ignore the signal
    waits = asked("import signal", "signal.signal(signal.SIGINT, signal.default_int_handler)",
                  "print('begins', flush=True)", "list(impact.read_problems('-'))")
    try:
        waits.stdout.readline()
        waits.stdin.write("[\n")
        waits.stdin.flush()
        time.sleep(0.5)  # it has read that and waits for more
        waits.send_signal(signal.SIGINT)
        assert waits.wait(30) == -signal.SIGINT
        assert waits.stderr.read().endswith("KeyboardInterrupt\n")
    finally:
        waits.kill()
        waits.communicate()


def test_friction_of_joints_is_refused():
    ball = {"mass": 1, "inertia": [0.4, 0.4, 0.4], "position": [0, 0, 1], "velocity": [0, 0, -3]}
    slider = {"joint": "slider", "a": "ground", "b": 0, "axis": [0, 0, 1], "point": [0, 0, 1]}
    file = {"bodies": [ball], "constraints": [slider], "contacts": [
        {"a": "ground", "b": 0, "point": [0, 0, 0], "normal": [0, 0, 1], "mu": 0}]}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "cart.json")
        path.write_text(json.dumps(file))
        (case,) = impact.read_problems(path)
        assert np.allclose(impact.solve(case.problem, "auto").p, [3, 0, 0])
        slider["friction"] = 1.5
        path.write_text(json.dumps(file))
        with raises(impact.InputError, "friction of joints, expected none"):
            list(impact.read_problems(path))


def test_threads_may_read_files_of_fclib():
    paths = sorted((ROOT / "reference/data/fclib").glob("*.hdf5"))[:5]
    assert len(paths) == 5
    faults, before = [], sys.getswitchinterval()

    def read():
        try:
            for path in 30 * paths:  # without the lock a few reads in a hundred fail
                (case,) = impact.read_problems(path)
                assert case.problem.nc >= 48
        except Exception as fault:  # noqa: BLE001: whatever a thread dies of
            faults.append(fault)

    sys.setswitchinterval(1e-6)
    try:
        readers = [threading.Thread(target=read) for _ in range(4)]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
    finally:
        sys.setswitchinterval(before)
    assert not faults, faults


def test_a_product_is_read_as_one_also_singular_of_one_contact():
    G = np.array([[1, 0.5, 0, 0.25, 0, 0], [0, 1, 0, 0, 0.5, 0], [0.25, 0, 1, 1, 0, 0]])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "product.json")
        path.write_text(json.dumps([
            {"G": G.tolist(), "q": [-1, 0.25, 0, -0.5, 0.125, 0], "mu": 0.25},
            {"G": [[1, 0, 0.5]], "q": [-1, 0, -0.5], "mu": 0.25}]))
        two, single = impact.read_problems(path)
    assert (two.problem.W == G.T @ G).all() and impact.solve(two.problem, "auto").ok
    assert (single.problem.W == [[1, 0, 0.5], [0, 0, 0], [0.5, 0, 0.25]]).all()
    assert single.problem.product.rows == 1 and (single.problem.product.G == [[1, 0, 0.5]]).all()
    answer = impact.solve(single.problem, "auto")
    assert answer.ok and np.allclose(single.problem.velocity(answer.p), 0, atol=1e-12)
    singular = impact.Problem(single.problem.W, single.problem.q, 0.25)
    with raises(impact.InputError, "not-positive-definite: contact 0"):
        impact.solve(singular, "auto")


def test_tables_and_lists_and_bodies_and_guesses():
    with tempfile.TemporaryDirectory() as folder:
        table, listed = Path(folder, "two.tsv"), Path(folder, "list.json")
        names = "id mu W11 W12 W13 W22 W23 W33 q1 q2 q3"
        rows = ["a 0.5 2 0 0 3 0 4 -1 0 0", "b 0.25 1 0 0 3 0 4 -1 0.5 0"]
        table.write_text("".join(line.replace(" ", "\t") + "\n" for line in [names, *rows]))
        found = list(impact.read_problems(table))
        assert [case.id for case in found] == ["a", "b"]
        assert found[0].problem.W[0, 0] == 2 and found[1].problem.mu == [0.25]
        body = {"mass": 1, "inertia": [1, 1, 1], "velocity": [0, 0, -1], "position": [0, 0, 1]}
        contact = {"a": "ground", "b": 0, "point": [0, 0, 0], "normal": [0, 0, 1], "mu": 0.5}
        listed.write_text(json.dumps([
            {"W": np.eye(3).tolist(), "q": [-1, 0, 0], "mu": 0.5, "guess": [1, 0, 0]},
            {"bodies": [body], "contacts": [contact]}]))
        first, second = impact.read_problems(listed)
        assert (first.guess == [1, 0, 0]).all() and second.problem.q[0] == -1
        assert np.allclose(impact.solve(second.problem).p, [1, 0, 0])


def test_what_would_not_be_read_is_not_saved():
    eye, q = np.eye(6), np.array([-1.0, 0, 0, -1, 0, 0])
    lopsided, indefinite, holed = eye.copy(), eye.copy(), eye.copy()
    lopsided[0, 3], indefinite[0, 3], indefinite[3, 0] = 0.5, 2, 2
    later, beyond = impact.Problem(eye, q.copy(), 0.5), impact.Problem(eye, q, np.full(2, 0.5))
    holes = impact.Problem(holed, q, 0.5)
    later.q[4], beyond.mu[1], holed[1, 1] = np.nan, -1, np.nan
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "none.json")
        for problem, says in ((impact.Problem(lopsided, q, 0.5), "W is not symmetric"),
                              (impact.Problem(indefinite, q, 0.5), "W is not symmetric positive"),
                              (later, "not-finite: contact 1"), (holes, "not-finite: contact 0"),
                              (beyond, "bad-friction: contact 1: mu is -1")):
            with raises(impact.InputError, says):
                problem.save(path)
            assert not path.exists()
        singular = impact.Problem(np.diag([1.0, 1, 0]), [-1, 0, 0], 0.5)
        singular.save(path)  # a lone one is read
        assert impact.solve(next(impact.read_problems(path)).problem, "auto").ok


def test_recorded_problems_are_read_as_recorded():
    path = ROOT / "reference/data/fclib/BoxesStack-fclib-test_local.hdf5"
    (case,) = impact.read_problems(path)
    answer = impact.solve(case.problem)
    assert answer.ok and impact.check(case.problem, answer.p).ok
    (case,) = impact.read_problems(ROOT / "reference/data/fclib/Capsules-i100-1090_local.hdf5")
    case.problem.check()  # nobody demands symmetry of what was recorded
    with raises(impact.InputError, "W is not symmetric"):  # but JSON
        case.problem.save(os.devnull)
    with raises(impact.InputError, "not-symmetric"):
        impact.Problem(case.problem.W, case.problem.q, case.problem.mu).check()


def test_a_fault_of_a_file_is_the_librarys_line():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "bad.json")
        path.write_text('{"W": [[1]], "q": [1], "mu": 1}')
        with raises(impact.InputError, "bad.json: $.q"):
            list(impact.read_problems(path))
    with raises(impact.InputError, "No such file"):
        list(impact.read_problems("/nowhere/x.json"))


def test_a_flow_goes_on_and_is_the_same_by_any_threads():
    one, two = (impact.Flow(BOX, {"threads": n}) for n in (1, 2))
    assert len(one) == 10648 and len(one.contacts()) == 0
    report = one.step(20)
    two.step(20)
    spheres, contacts = one.spheres(), one.contacts()
    assert report["particles"] == len(spheres) == 10648 and report["contacts"] == len(contacts)
    assert np.isclose(one.time, 2e-4) and (spheres == two.spheres()).all()
    assert np.allclose(np.linalg.norm(contacts["normal"], axis=1), 1)
    assert sorted(spheres["id"]) == list(range(10648))
    assert contacts["b"].min() >= 0 and contacts["b"].max() < 10648


def test_a_sphere_falls_freely():
    flow = impact.Flow({"kind": "flow", "step": 1e-3, "until": 1, "friction": 0.3,
                        "spheres": {"radius": 0.01, "density": 1000, "spacing": 0.02},
                        "box": {"low": [0, 0, 0], "high": [1, 1, 1]}})
    sphere = np.zeros(1, impact.SPHERE)
    sphere["position"], sphere["radius"], sphere["density"] = [0.5, 0.5, 0.9], 0.01, 1000
    flow.add(sphere)
    flow.step(100)
    assert np.isclose(flow.spheres()["velocity"][0, 2], -0.981)


def test_a_fault_of_a_flow():
    with raises(impact.InputError, "friction"):
        impact.Flow(BOX, {"friction": -1})
    with raises(impact.InputError, "the dict: $.magic"):
        impact.Flow({"kind": "flow", "magic": 1})
    assert impact.Flow(BOX, {"friction": np.float32(0.5)}).parameters.settings.friction == 0.5
    with raises(impact.InputError, "No such file"):
        impact.Flow("/nowhere/x.json")
    with told_aside() as aside, raises(TypeError, "nope"):
        impact.Flow(BOX, nope=1)
    assert not aside
    flow = impact.Flow(BOX)
    for name, value, text in (
            ("radius", 0, "spheres[2]: radius 0.0 given, a number above 0 expected"),
            ("density", -1, "spheres[2]: density -1.0 given, a number above 0 expected"),
            ("offset", 0.01, "spheres[2]: offset 0.01 given, from 0 to below its radius expected"),
            ("offset", -1, "spheres[2]: offset -1.0 given"),
            ("radius", 1e-100, "spheres[2]: radius 1e-100 given, from 1e-80 to 1e+80 m expected"),
            ("density", 1e90, "spheres[2]: mass 4.18879e+84 given, from 1e-80 to 1e+80 kg"),
            ("density", 1e-320, "spheres[2]: mass 0 given, from 1e-80"),
            ("velocity", [0, 0, np.inf], "spheres[2]: velocity inf given, a finite number")):
        spheres = np.zeros(4, impact.SPHERE)
        spheres["radius"], spheres["density"] = 0.01, 1000
        spheres[name][2] = value
        with raises(impact.InputError, text):
            flow.add(spheres)
    assert len(flow) == 10648
    spheres["velocity"], spheres["offset"][3] = 0, 0.001
    single = impact.Flow(BOX, {"single_precision": True})
    with raises(impact.InputError, "spheres[3]: offset 0.001 given, 0 expected in single prec"):
        single.add(spheres)
    flow.add(spheres)
    assert (len(single), len(flow)) == (10648, 10652)
    with raises(impact.InputError, "spheres: "):
        flow.add(np.zeros(3))
    with raises(impact.InputError, "steps: 0 given"):
        flow.step(0)
    flow.close()
    flow.close()
    for ask in (flow.step, flow.spheres, flow.contacts, flow.__len__):
        with raises(impact.InputError, "the flow is closed"):
            ask()
