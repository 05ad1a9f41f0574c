"""Pictures of the examples: gnuplot, told on its standard input."""
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

STYLE = """set terminal pngcairo size 1000,600 font 'sans,13'
set border 3
set tics nomirror
set grid lt 1 lc rgb '#dddddd'
set key top right
"""


def folder() -> Path:
    """Where pictures go: the first argument, or build/python."""
    made = Path(sys.argv[1] if len(sys.argv) > 1 else "build/python")
    made.mkdir(parents=True, exist_ok=True)
    return made


def draw(path: Path, commands: str, **data) -> None:
    """commands, with $NAME standing for the rows of data NAME; says where the picture is.

    A row with a NaN ends a curve."""
    if not shutil.which("gnuplot"):
        sys.exit("gnuplot: not found, and it draws the pictures")
    blocks = ""
    for name, rows in data.items():
        lines = ("" if np.isnan(row).any() else " ".join(repr(float(x)) for x in row)
                 for row in rows)
        blocks += f"${name} << END\n" + "\n".join(lines) + "\nEND\n"
    script = f"{STYLE}set output '{path}'\n{blocks}{commands}\n"
    subprocess.run(["gnuplot"], input=script, text=True, check=True)
    print(path)
