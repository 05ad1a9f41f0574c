"""The models and laws of the library, by name, and a model's settings."""
import ctypes
from ctypes import byref
from typing import NamedTuple

from . import _library
from ._arrays import c_text
from ._library import imp_law, imp_model, imp_settings, lib
from .errors import Told, bad

_TAKES = {
    "many": _library.IMP_TAKES_MANY,
    "restitution": _library.IMP_TAKES_RESTITUTION,
    "planar": _library.IMP_ONLY_PLANAR,
    "frictionless": _library.IMP_ONLY_FRICTIONLESS,
    "never-gains-energy": _library.IMP_NEVER_GAINS_ENERGY,
    "prefers-axes": _library.IMP_PREFERS_AXES,
    "compression-friction": _library.IMP_COMPRESSION_FRICTION,
    "may-take-off": _library.IMP_MAY_TAKE_OFF,
    "asymmetric": _library.IMP_TAKES_ASYMMETRIC,
    "guess": _library.IMP_TAKES_GUESS,
}


class Setting(NamedTuple):
    """A setting of a model: a number between low and high, or one of choices."""

    name: str
    unit: str
    preset: float | str
    low: float
    high: float
    choices: tuple[str, ...]
    meaning: str


class Model(NamedTuple):
    """An impact model: what it is, whose law it promises, what it takes, its settings."""

    name: str
    title: str
    citation: str
    law: str
    takes: frozenset[str]
    settings: tuple[Setting, ...]


class Law(NamedTuple):
    """What a law demands; several: of one contact `enumerate` lists its solutions; may_gain: some
    of its answers create energy."""

    name: str
    statement: str
    several: bool
    may_gain: bool


def _setting(key) -> Setting:
    choices, n = [], 0
    while key.choices and key.choices[n]:
        choices.append(key.choices[n].decode())
        n += 1
    preset = choices[int(key.preset)] if choices else key.preset
    return Setting(key.name.decode(), key.unit.decode() if key.unit else "", preset, key.low,
                   key.high, tuple(choices), key.meaning.decode())


def _settings(model: imp_model) -> tuple[Setting, ...]:
    made, n = [], 0
    while model.keys and model.keys[n].name:
        made.append(_setting(model.keys[n]))
        n += 1
    return tuple(made)


def _described(model: imp_model) -> Model:
    takes = frozenset(word for word, bit in _TAKES.items() if model.takes & bit)
    return Model(model.name.decode(), model.title.decode(), model.citation.decode(),
                 model.law.contents.name.decode(), takes, _settings(model))


def models() -> list[Model]:
    """All models of the library, in its order (imp_models)."""
    return [_described(model) for model in _library.models()]


def laws() -> list[Law]:
    """The laws that models promise, in the order of their first model (imp_model.law)."""
    found = {}
    for model in _library.models():
        law = model.law.contents
        name = law.name.decode()
        found.setdefault(name, Law(name, law.statement.decode(), bool(law.several),
                                   bool(law.may_gain)))
    return list(found.values())


def find_model(name: str):
    """The library's descriptor of a model."""
    found = lib.imp_model_find(c_text("model", name)) if isinstance(name, str) else None
    if not found:
        known = ", ".join(model.name.decode() for model in _library.models())
        raise bad(f"no model is called {name!r}: {known}")
    return found


def find_law(name: str) -> tuple[imp_law, imp_model]:
    """The law of that name, or that the model of that name promises, and that model or the first
    that promises it."""
    of_model = lib.imp_model_find(c_text("law", name)) if isinstance(name, str) else None
    if of_model:
        return of_model.contents.law, of_model
    for model in _library.models():
        if isinstance(name, str) and model.law.contents.name == name.encode():
            return model.law, ctypes.pointer(model)
    raise bad(f"no law or model is called {name!r}: {', '.join(law.name for law in laws())}")


def settings_of(model, given: dict) -> imp_settings:
    """Presets, overwritten by what is given; InputError with the library's line where it is
    refused (imp_settings_assign)."""
    made = imp_settings()
    lib.imp_model_presets(model, byref(made))
    for key, value in given.items():
        told = Told()
        word = value if isinstance(value, str) else repr(_number(key, value))
        told.refuse(lib.imp_settings_assign(
            model, byref(made), c_text("setting", f"{key}={word}"), told.pointer))
    return made


def _number(key: str, value) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise bad(f"{key}: {value!r:.60} given, a number or a word expected") from None
