"""Scenes - bodies, joints, ground, material, an initial state - by the program `impact`.

The scenes are not in the library: the program, which links GSL (GPL), runs them in a process of its
own. It is the one that the environment variable IMPACT_PROGRAM names, or that stands beside the
library (in the same folder, or in bin where the library is in lib), or the first `impact` of PATH.
"""
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ._arrays import ByValue, assignments, c_path, c_text, json_text, settings_dict
from ._library import PATH, VERSION
from .errors import ImpactError, InputError, bad, said_of
from .problem import Case, read_problems

WORDS = {"scene", "model", "status", "why", "event", "body", "a", "b"}


def program() -> str:
    """Where the program is; an ImpactError where there is none, or one of another version."""
    named, folder = os.environ.get("IMPACT_PROGRAM"), os.path.dirname(PATH)
    beside = [Path(folder, "impact"), Path(folder, "../bin/impact")] if folder else []
    places = [named] if named else [*beside, "impact"]
    found = next(filter(None, map(shutil.which, places)), None)
    if not found:
        raise ImpactError("input-output", f"IMPACT_PROGRAM is {named}, no program" if named else
                          "no program impact: make install puts it on the PATH, or "
                          "IMPACT_PROGRAM names it")
    try:
        said = subprocess.run([found, "--version"], capture_output=True, text=True,
                              check=False).stdout
    except OSError as error:
        raise ImpactError("input-output", f"{found}: {error.strerror}") from None
    if said.split("\n", maxsplit=1)[0] != f"impact {VERSION}":
        raise ImpactError("input-output", f"{found}: is not impact {VERSION}")
    return found


def _run(*arguments) -> str:
    """Its standard output; what it complains of is an InputError."""
    words = [c_path("argument", word) for word in arguments]
    done = subprocess.run([program(), *words], capture_output=True, encoding="utf-8",
                          errors="replace", stdin=subprocess.DEVNULL, check=False)
    said = done.stderr.strip().split("\n")[-1].removeprefix("impact: ")
    if done.returncode == 2:
        raise InputError("bad-argument", said)
    if done.returncode not in (0, 1):
        raise ImpactError("crashed", f"the program ended with {done.returncode}: {said}")
    return done.stdout


def _table(text: str) -> np.ndarray:
    """A table of the program: words as str, numbers as float64, NaN where there is none."""
    names, *rows = [line.split("\t") for line in text.removesuffix("\n").split("\n")]
    columns = {name: [row[k] for row in rows] for k, name in enumerate(names)}
    kinds = [(name, f"U{max(map(len, column), default=1) or 1}" if name in WORDS else float)
             for name, column in columns.items()]
    table = np.empty(len(rows), kinds)
    for name, column in columns.items():
        table[name] = column if name in WORDS else [float(x) if x else np.nan for x in column]
    return table


def _names(models) -> list[str]:
    """A name, or several, as a list."""
    try:
        names = [models] if isinstance(models, str) else list(models)
    except TypeError:
        raise bad(f"models: {models!r:.60} given, a name or names expected") from None
    for name in names:
        c_text("models", name)
    return names


@dataclass(frozen=True, eq=False)
class Comparison(ByValue):
    """`impact compare`: structured arrays with the columns of impact(1).

    models has a row for the compliant run, its rigid limit and each model; impulses one for each of
    them and contact; history one for each step of the compliant run and pair that presses.
    """
    models: np.ndarray
    impulses: np.ndarray
    history: np.ndarray


@dataclass(frozen=True, eq=False)
class Simulation(ByValue):
    """`impact simulate`: structured arrays with the columns of impact(1).

    events has a row for each step or impact; bodies one for each time and body; contacts one for
    each time and contact.
    """
    events: np.ndarray
    bodies: np.ndarray
    contacts: np.ndarray


class Scene:
    """A described situation: a scene file, or its content as a dict.

    settings overwrite keys of it, and those of models: {"material.friction": 0.3}; they may be
    given once more, and added to, where something is done with the scene. variant: the name of one,
    None: all of them, of which `simulate` takes the first. What is wrong is an InputError with the
    program's own line.
    """

    def __init__(self, source, settings: dict | None = None, variant: str | None = None):
        if not isinstance(source, (dict, str, os.PathLike)):
            raise bad(f"a scene is a {type(source).__name__}, expected a path or a dict")
        if variant is not None:
            c_text("variant", variant)
        self.source, self.settings, self.variant = source, settings_dict(settings), variant

    def _do(self, command: str, models, settings: dict | None, outputs: dict) -> list[str]:
        """Texts: standard output, then the outputs."""
        models = None if models is None else _names(models)
        if models is not None and not models:
            raise bad("models: none given, expected at least one, or None for all of them")
        with tempfile.TemporaryDirectory(prefix="impact-") as folder:
            file = self.source
            if isinstance(file, dict):
                file = Path(folder, "scene.json")
                file.write_text(json_text(self.source), encoding="utf-8")
            arguments = [command]
            for name in models or []:
                arguments += ["--model", name]
            for word in assignments(self.settings | settings_dict(settings)):
                arguments += ["--set", word]
            if self.variant is not None:
                arguments += ["--variant", self.variant]
            for option, name in outputs.items():
                arguments += [f"--{option}", Path(folder, name)]
            try:
                said = _run(*arguments, "--", os.fspath(file))
            except ImpactError as error:
                if file is self.source:
                    raise
                raise said_of("the dict", error, file) from None
            return [said, *(Path(folder, name).read_text(encoding="utf-8")
                            for name in outputs.values())]

    def compare(self, models=None, settings: dict | None = None) -> Comparison:
        """The compliant run, its rigid limit, and models (a name or names; None: all)."""
        outputs = {"impulses": "impulses.tsv", "history": "history.tsv"}
        return Comparison(*map(_table, self._do("compare", models, settings, outputs)))

    def simulate(self, model: str | None = None, settings: dict | None = None) -> Simulation:
        """The scene in time: by the time stepper where it has a step, or from impact to impact by
        the model. Where that has no answer the run ends before its time, and the status of the
        last event says so."""
        outputs = {"bodies": "bodies.tsv", "contacts": "contacts.tsv"}
        return Simulation(*map(_table, self._do("simulate", model, settings, outputs)))

    def problems(self, settings: dict | None = None, models=()) -> list[Case]:
        """The impact problem of each variant, for solve, enumerate and check. models: those whose
        settings are among the scene's (a name or names)."""
        # of one model alone the problem would be the one it was given
        asked = ["newton", "poisson", *_names(models)]
        _, text = self._do("compare", asked, settings, {"problems": "problems.json"})
        with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            return list(read_problems(file.name))


__all__ = ["Comparison", "Scene", "Simulation", "program"]
