"""Runs every test_* function of the files beside this one, without pytest, and prints TAP.

    tap.py [WORD]        only the functions whose file or name has the word

A function that raises Skip is skipped with its line; what one prints is not looked at.
"""
import contextlib
import importlib
import io
import sys
import traceback
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent / "examples")]


class Skip(Exception):
    """Why a test cannot be made here, in a line."""


@contextlib.contextmanager
def raises(kind: type, text: str = ""):
    """The block raises that exception, in one line that has the text."""
    try:
        yield
    except kind as error:
        said = str(error)
        assert text in said and "\n" not in said, f"said {said!r}, expected {text!r} in it"
    else:
        raise AssertionError(f"nothing was raised, expected {kind.__name__} with {text!r}")


def verdict(function) -> tuple[str, str]:
    """What stands behind its name, empty where it holds, and why it does not hold."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            function()
    except Skip as why:
        return f" # SKIP {why}", ""
    except Exception:
        return "", traceback.format_exc()
    return "", ""


def main(word: str) -> int:
    n = failed = 0
    for path in sorted(HERE.glob("test_*.py")):
        module = importlib.import_module(path.stem)
        for name, function in list(vars(module).items()):
            if not name.startswith("test_") or word not in f"{path.stem}.{name}":
                continue
            n += 1
            skipped, why = verdict(function)
            failed += bool(why)
            print(f"{'not ok' if why else 'ok'} {n} - {path.stem}: {name[5:]}{skipped}", flush=True)
            for line in why.splitlines():
                print(f"# {line}", file=sys.stderr)
    print(f"1..{n}")
    return 1 if failed or n == 0 else 0


if __name__ == "__main__":
    sys.modules["tap"] = sys.modules["__main__"]
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else ""))
