"""The structs and constants of _library.py are those that a C compiler sees in lib/impact.h."""
import ctypes
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from impact import _library
from tap import ROOT, Skip

# The type of a field's innermost element, in the letters of ctypes._type_; P: a pointer.
KINDS = {
    "c_double": "d", "c_int": "i", "c_uint": "I", "c_long": "l", "c_ulong": "L", "c_bool": "?",
    "c_char": "c", "c_ubyte": "B", "c_byte": "b"}
PROGRAM = """#include <impact.h>
#include <stddef.h>
#include <stdio.h>
#define KIND(x) _Generic((x), double: "d", int: "i", unsigned: "I", long: "l", \\
    unsigned long: "L", _Bool: "?", char: "c", unsigned char: "B", signed char: "b", \\
    %s default: "P")
#define STRUCT(s) printf(#s " %%zu\\n", sizeof(s))
#define FIELD(s, f, x) printf(#s "." #f " %%zu %%zu %%s\\n", offsetof(s, f), \\
    sizeof(((s *)0)->f), KIND(((s *)0)->f x))
#define CONSTANT(c) printf(#c " %%.17g\\n", (double)c)
int main(void) {
%s
    return 0;
}
"""


def innermost(kind):
    """The element of an array of arrays, and the indices of its first."""
    at = ""
    while hasattr(kind, "_length_"):
        kind, at = kind._type_, at + "[0]"
    return kind, at


def letter(kind) -> str:
    kind, _ = innermost(kind)
    if issubclass(kind, (ctypes.Structure, ctypes.Union)):
        return kind.__name__
    return KINDS.get(kind.__name__, "P")


def ours() -> list[str]:
    """What the program should print."""
    lines = []
    for struct in _library.STRUCTS:
        lines.append(f"{struct.__name__} {ctypes.sizeof(struct)}")
        for name, kind in struct._fields_:
            at = getattr(struct, name)
            lines.append(f"{struct.__name__}.{name} {at.offset} {at.size} {letter(kind)}")
    return lines + [f"{name} {getattr(_library, name):.17g}" for name in constants()]


def constants() -> list[str]:
    return [name for name in vars(_library) if re.fullmatch("IMP_[A-Z_]*", name)]


def statements():
    for struct in _library.STRUCTS:
        yield f"    STRUCT({struct.__name__});"
        for name, kind in struct._fields_:
            yield f"    FIELD({struct.__name__}, {name}, {innermost(kind)[1]});"
    yield from (f"    CONSTANT({name});" for name in constants())


def compiled() -> str:
    compiler = os.environ.get("CC", "gcc").split()
    if not shutil.which(compiler[0]):
        raise Skip(f"no {compiler[0]}")
    nested = " ".join(f'{s.__name__}: "{s.__name__}",' for s in _library.STRUCTS)
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder, "layout.c"), Path(folder, "layout")
        source.write_text(PROGRAM % (nested, "\n".join(statements())))
        subprocess.run([*compiler, "-std=c11", f"-I{ROOT}/lib", source, "-o", program], check=True)
        return subprocess.run([program], check=True, capture_output=True, text=True).stdout


def test_structs_and_constants_are_those_of_the_headers():
    seen = compiled().splitlines()
    wrong = [f"C {c}, Python {p}" for c, p in zip(seen, ours()) if c != p]
    assert not wrong, "\n".join(wrong)
    assert len(seen) == len(ours()) > 200


def test_version_is_that_of_the_header():
    header = Path(ROOT, "lib/impact.h").read_text()
    assert f'#define IMP_VERSION "{_library.VERSION}"' in header
    assert _library.lib.imp_version().decode() == _library.VERSION


SCALARS = {
    "c_double": "double", "c_int": "int", "c_uint": "enum", "c_ulong": "size_t", "c_bool": "_Bool"}


def declared_kind(argument: str) -> str:
    """The type of a declared argument or result, pointers and enums without their names."""
    if "*" in argument or "[" in argument:
        return "pointer"
    word = argument.replace("const ", "").replace("struct ", "").split()[0]
    known = ("double", "int", "size_t", "_Bool", "void", "imp_operator")
    return word if word in known else "int" if word == "imp_status" else "enum"


def our_kind(kind) -> str:
    if kind is None:
        return "void"
    if issubclass(kind, ctypes.Structure):
        return kind.__name__
    return SCALARS.get(kind.__name__, "pointer")


def prototypes() -> dict[str, list[str]]:
    """Of each public function the types of its result and its arguments."""
    compiler = os.environ.get("CC", "gcc").split()
    if not shutil.which(compiler[0]):
        raise Skip(f"no {compiler[0]}")
    text = subprocess.run([*compiler, "-E", "-P", f"-I{ROOT}/lib", f"{ROOT}/lib/impact.h"],
                          check=True, capture_output=True, text=True).stdout
    found = {}
    for result, name, arguments in re.findall(
            r"\b((?:const )?\w+ \**)(imp_\w+)\(([^()]*)\)\s*;", text):
        kinds = [] if arguments.strip() == "void" else arguments.split(",")
        found[name] = [declared_kind(" ".join(kind.split())) for kind in (result, *kinds)]
    return found


def test_functions_take_and_return_what_the_headers_say():
    declared = prototypes()
    ours = {name: [our_kind(k) for k in kinds] for name, kinds in _library.FUNCTIONS.items()}
    wrong = {name: (k, declared.get(name)) for name, k in ours.items() if declared.get(name) != k}
    assert not wrong, wrong
