"""Every public name says what it is, in the words and with the functions of the headers."""
import doctest
import inspect
import re
from pathlib import Path

import impact
from impact import _library, oracles
from tap import ROOT

EXPORTED = set(Path(ROOT, "tests/exported.txt").read_text().split())
SOURCES = sorted(Path(ROOT, "python/impact").glob("*.py"))


def public():
    """Names with their values: of the package, of the oracles, and of their classes."""
    for module in (impact, oracles):
        for name, value in vars(module).items():
            if name.startswith("_") or inspect.ismodule(value):
                continue
            if inspect.isclass(value) or inspect.isfunction(value):
                if value.__module__.startswith("impact"):
                    yield name, value


def members(cls):
    for name, value in vars(cls).items():
        value = value.fget if isinstance(value, property) else value
        if not name.startswith("_") and inspect.isfunction(value):
            yield f"{cls.__name__}.{name}", value


def test_every_public_function_and_class_has_a_docstring():
    seen = 0
    for name, value in public():
        for what, thing in [(name, value), *(members(value) if inspect.isclass(value) else ())]:
            text = vars(thing).get("__doc__") or "" if inspect.isclass(thing) else thing.__doc__
            assert text and not text.startswith(f"{what}("), f"{what} has no docstring"
            seen += 1
    assert seen > 50
    assert set(impact.__all__) <= set(vars(impact))


def test_what_docstrings_name_is_exported():
    structs = {struct.__name__ for struct in _library.STRUCTS}
    for path in SOURCES:
        for name in re.findall(r"\bimp_[a-z_]+[a-z]\b", path.read_text()):
            known = name in EXPORTED or name in structs or name == "imp_status"
            assert known, f"{path.name}: {name}"
    assert set(_library.FUNCTIONS) <= EXPORTED


def test_only_what_is_used_is_bound():
    text = "".join(path.read_text() for path in SOURCES if path.name != "_library.py")
    text += Path(ROOT, "python/impact/_library.py").read_text().split("def _path")[1]
    unused = [name for name in _library.FUNCTIONS if f".{name}" not in text]
    assert not unused, unused


def test_the_example_of_the_package_runs():
    assert doctest.testmod(impact).failed == 0 and doctest.testmod(impact).attempted > 3


def test_the_examples_of_the_readme_run():
    readme = Path(ROOT, "python/README.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", readme, re.S)
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})
