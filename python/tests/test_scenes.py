"""Scenes by the program, against closed forms and the library's answers to their problems."""
import json
import math
import os
import tempfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np

import impact
from impact.scenes import WORDS, program
from tap import ROOT, Skip, raises

SCENES = Path(ROOT, "benchmarks/scenes")


def scene(name: str, **rest) -> impact.Scene:
    try:
        program()
    except impact.ImpactError as fault:
        if "no program impact" not in str(fault):
            raise
        raise Skip(str(fault)) from None
    return impact.Scene(SCENES / f"{name}.json", **rest)


@contextmanager
def environment(name: str, value: str):
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        del os.environ[name]
        if before is not None:
            os.environ[name] = before


def test_a_ball_bounces_as_in_closed_form():
    bounces = scene("bounce").simulate("poisson")
    hits = bounces.events[bounces.events["event"] == "impact"]
    assert np.allclose(hits["time"][:2], math.sqrt(2 / 9.81) * np.array([1, 2]), rtol=1e-9)
    assert np.allclose(hits["kinetic"][1:6] / hits["kinetic"][:5], 0.25, rtol=1e-9)
    assert set(bounces.bodies["body"]) == {"ball"} and bounces.bodies["z"].dtype == float
    assert np.allclose(bounces.contacts["u1"][:2], np.sqrt(2 * 9.81) * np.array([0.5, 0.25]))


def test_a_dict_is_a_scene_and_settings_overwrite_it():
    file = scene("bounce")
    content = json.loads(Path(file.source).read_text())
    same = impact.Scene(content).simulate("poisson")
    assert (same.events == file.simulate("poisson").events).all()
    dead = impact.Scene(content, {"impact.restitution": 0.5}).simulate(
        "poisson", {"impact.restitution": 0})
    assert (dead.events["event"] == "rests").any()


def test_a_title_may_begin_with_anything():
    content = json.loads(Path(scene("bounce").source).read_text())
    for title in ("# one", "a\u2028b", "a\u0085b", "\u00e9"):
        content["title"] = title
        models = impact.Scene(content, variant="e = 1").compare("plus").models
        assert len(models) == 3 and set(models["scene"]) == {f"{title}, e = 1"}, models


def test_problems_take_settings_of_the_models_that_are_named():
    bounce = scene("bounce", variant="e = 1", settings={"theta_max": 0.01})
    with raises(impact.InputError, "theta_max"):
        bounce.problems()
    (case,) = bounce.problems(models="plus")
    assert case.problem.nc == 1


def test_a_comparison_has_the_impulses_that_the_library_gives():
    brick = scene("brick-point", variant="mu 0.225")
    (case,) = brick.problems()
    compared = brick.compare(["plus", "single-phase"])
    assert list(compared.models["model"]) == ["compliant", "limit", "plus", "single-phase"]
    assert compared.models["v_error"][0] == 0 and np.isnan(compared.models["e"][1])
    row = compared.impulses[compared.impulses["model"] == "plus"][0]
    answer = impact.solve(case.problem, "plus")
    assert answer.ok
    assert np.allclose([row["p1"], row["p2"], row["p3"]], answer.p, rtol=1e-9, atol=1e-12)
    assert len(compared.history) > 10 and (compared.history["depth"] > -1e-12).all()


def test_every_column_is_words_or_numbers():
    compared, simulated = scene("ball").compare("auto"), scene("ramp").simulate()
    for table in (compared.models, compared.impulses, compared.history, simulated.events,
                  simulated.bodies, simulated.contacts):
        assert len(table) > 0
        for name in table.dtype.names:
            assert (table[name].dtype.kind == "U") == (name in WORDS), name


def test_what_is_wrong_is_the_line_of_the_program():
    with raises(impact.InputError, 'unknown model "pluss" (did you mean "plus"?)'):
        scene("ball").compare("pluss")
    with raises(impact.InputError, "/nowhere.json: cannot be opened"):
        impact.Scene("/nowhere.json").compare("plus")
    with raises(impact.InputError, "material.frictoin"):
        scene("ball").compare("plus", {"material.frictoin": 0.3})
    with raises(impact.InputError, "a scene is a list, expected a path or a dict"):
        impact.Scene([])


def test_no_models_are_not_all_of_them():
    for none in ([], ()):
        with raises(impact.InputError, "models: none given, expected at least one, or None"):
            scene("ball").compare(none)


def test_simulations_are_equal_by_value():
    bounce = scene("bounce")
    assert bounce.simulate("poisson") == bounce.simulate("poisson")
    assert bounce.simulate("poisson") != bounce.simulate("poisson", {"impact.restitution": 0.4})


def test_what_is_wrong_with_a_dict_is_said_of_the_dict():
    scene("ball")
    around, deep = {}, []
    around["x"] = around
    for _ in range(100000):
        deep = [deep]
    for content, text in (({}, "the dict: $.kind: missing"), ({"x": math.nan}, "the dict:1:"),
                          ({"x": Path()}, "PosixPath given, expected what JSON has"),
                          ({"x": np.clongdouble(1)}, "given, expected what JSON has"),
                          ({"x": {np.int64(1): 2}}, "keys must be str"),
                          (around, "Circular reference"), ({"x": deep}, "recursion")):
        with raises(impact.InputError, text):
            impact.Scene(content).compare()


def test_a_name_that_is_no_utf_8_is_said():
    scene("ball")
    with raises(impact.InputError, "cannot be opened: No such file"):
        impact.Scene("/nowhere/\udcff.json").compare()


def test_a_run_without_an_answer_ends():
    events = scene("ramp").simulate("frictionless").events
    assert list(events["status"]) == ["ok", "unsupported"] and np.isnan(events["energy"][-1])


def test_a_nul_is_said():
    ball = scene("ball")
    for ask in (lambda: ball.compare(settings={"a\0b": 1}), lambda: ball.compare("au\0to"),
                lambda: impact.Scene("a\0b.json").compare(),
                lambda: impact.Scene(ball.source, variant="\0").compare()):
        with raises(impact.InputError, "a text without NUL expected"):
            ask()


def test_numpy_scalars_and_arrays_are_settings():
    ramp, seen = scene("ball", variant="grips"), []
    for mu in (0.25, np.float32(0.25), np.longdouble(0.25), np.array(0.25)):
        (case,) = ramp.problems({"material.friction": mu})
        seen.append(float(case.problem.mu[0]))
    assert seen == [0.25] * 4
    content = json.loads(Path(ramp.source).read_text())
    content["gravity"] = np.array([0, 0, -9.81])
    (case,) = impact.Scene(content, variant="grips").problems()
    assert case.problem.nc == 1


def test_without_the_program_it_says_what_is_missing():
    with environment("IMPACT_PROGRAM", "/nowhere/impact"):
        with raises(impact.ImpactError, "IMPACT_PROGRAM is /nowhere/impact, no program"):
            impact.Scene({}).compare()
    with tempfile.TemporaryDirectory() as folder:
        none = Path(folder, "none")
        none.write_text("none")
        none.chmod(0o700)
        with environment("IMPACT_PROGRAM", str(none)), raises(
                impact.ImpactError, "none: Exec format error"):
            impact.Scene({}).compare()
    with environment("IMPACT_PROGRAM", "/bin/true"):
        with raises(impact.ImpactError, "/bin/true: is not impact 0"):
            impact.Scene({}).compare()
