#!/bin/sh
# The Python package: its own tests on the library as built; the wheel that `make wheel` builds, installed into a folder
# of its own, with its pytest plugin on a right engine and on a wrong one, where LONG asks for it.
cd "$(dirname "$0")/.." || exit 1
[ -z "$SAN$COV" ] || { echo '1..0 # SKIP python3 has no sanitizer to load the library into'; exit; }
python=${PYTHON:-python3}
"$python" -c 'import numpy' 2> /dev/null || { echo '1..0 # SKIP no python3 with NumPy'; exit; }
python=$("$python" -c 'import sys; print(sys.executable)') # and no script in front of it, which wants a PATH
. tests/check.sh
build=${BUILD:-build}
version=$(sed -n 's/^#define IMP_VERSION "\(.*\)"/\1/p' lib/impact.h)
library=$(cd "$build" && pwd)/libimpact.so.$version
export PYTHONDONTWRITEBYTECODE=1

# What the package's own runner prints is taken over line by line.
IMPACT_PROGRAM=$(cd "$build" && pwd)/impact IMPACT_LIBRARY=$library PYTHONPATH=python "$python" python/tests/tap.py > "$work/tap"
status=$?
grep -E '^(not )?ok ' "$work/tap"
count=$(grep -cE '^(not )?ok ' "$work/tap")
check 'the tests of the package come to their end' test $status = 0 -a "$count" -ge 50

# not_loaded TEXT LIBRARY: the import fails with that text in its last line
not_loaded() {
    ! IMPACT_LIBRARY=$2 PYTHONPATH=python "$python" -c 'import impact' 2> "$work/err" &&
        tail -1 "$work/err" | grep "^ImportError: impact: .*$1"
}
echo 'const char *imp_version(void) { return "0.0.9"; }' | "${CC:-gcc}" -shared -fPIC -xc - -o "$work/old.so"
check 'a library that is none is said in a line' not_loaded 'make wheel' "$work/tap"
check 'another library' not_loaded 'has no imp_version' libm.so.6
check 'and one of another version' not_loaded "is version 0.0.9, expected $version" "$work/old.so"

# The examples draw their pictures.
for example in coulomb_solutions ${LONG:+bent_paths settling}; do
    name="the example $example draws its picture"
    command -v gnuplot > /dev/null || { echo "ok $((count += 1)) - $name # SKIP no gnuplot"; continue; }
    check "$name" env IMPACT_LIBRARY="$library" PYTHONPATH=python "$python" "python/examples/$example.py" "$work"
    check '  which is one' sh -c "head -c 4 '$work/$example.png' | grep -q PNG"
done

# The wheel, and nothing of the tree.
unset IMPACT_LIBRARY PYTHONPATH
check 'without setuptools it is said what makes a wheel' sh -c "cd python && ! '$python' -I -S setup.py --version 2> '$work/err' &&
    grep -q '^setup.py: .*python3-setuptools and python3-wheel' '$work/err' && [ \$(wc -l < '$work/err') = 1 ]"
name='the wheel'
if [ -z "$LONG" ]; then
    echo "ok $((count += 1)) - $name # SKIP in the long form: make check LONG=1"
elif ! "$python" -c 'import setuptools, wheel' 2> /dev/null; then
    echo "ok $((count += 1)) - $name # SKIP no setuptools or no wheel"
elif ! "$python" -m pip --version > /dev/null 2>&1; then
    echo "ok $((count += 1)) - $name # SKIP no pip"
else
    check 'make wheel' make -s wheel CC="${CC:-gcc}" PYTHON="$python" WHEEL="$work/wheel"
    check 'it is installed without the network' "$python" -m pip install -q --no-index --no-deps \
        --disable-pip-version-check --root-user-action=ignore --target "$work/site" "$work"/wheel/*.whl
    readelf -d "$work"/site/impact/libimpact.so.* > "$work/needed"
    check 'it carries the library, and no GPL code with it' \
        sh -c "grep -q 'NEEDED.*hdf5' '$work/needed' && ! grep -i gsl '$work/needed'"
    check 'it is tagged for the platform' sh -c "ls '$work/wheel' | grep -q 'impact-$version-py3-none-linux_.*\.whl'"
    cd "$work" || exit 1
    export PYTHONPATH="$work/site"
    check 'it solves' "$python" -c 'import impact, sys
assert impact.__file__.startswith(sys.argv[1]), impact.__file__
assert impact.solve(impact.Problem([[1, 0, 0], [0, 3.5, 0], [0, 0, 3.5]], [-1, -5, 3], 0.3)).ok' "$work/site"
    check 'scenes need the program, and say so' env PATH=/nowhere "$(command -v "$python")" -c 'import impact
try:
    impact.Scene({}).compare()
except impact.ImpactError as fault:
    assert "no program impact" in str(fault), fault
else:
    raise SystemExit(1)'
    cp "$OLDPWD/python/examples/toy_engine.py" .
    cat > test_engines.py <<'END'
from toy_engine import Toy, engine


class Wrong(Toy):
    def friction(self):
        return 0.9 * super().friction()


table = {"stopping-distance": 0.05, "restitution": 0.05, "cone-straightness": 0.05}


def test_right(impact_oracle):
    impact_oracle(engine, table, dt=4e-3)


def test_wrong(impact_oracle):
    impact_oracle(lambda scene, dt, steps: Wrong(scene).run(dt, steps), table, dt=4e-3)


def test_little(impact_oracle):
    def little(scene, dt, steps):
        if scene["bodies"][0]["shape"] == "box":
            raise NotImplementedError("boxes")
        return engine(scene, dt, steps)

    impact_oracle(little, table, dt=4e-3)
END
    if "$python" -c 'import pytest' 2> /dev/null; then
        "$python" -m pytest -q -rfs -p no:cacheprovider test_engines.py > said.pytest 2>&1
        check 'pytest: the right engine passes, the wrong one fails three oracles, what is missing is skipped' \
            grep -q '^3 failed, 16 passed, 5 skipped' said.pytest
        for oracle in ramp-angle stopping-distance cone-straightness; do
            check "pytest: the wrong engine fails $oracle, in a line" \
                test "$(grep -c "^$oracle: .* expected " said.pytest)" = 1
        done
        check 'pytest: what the engine lacks is named' grep -q 'not in the engine: boxes' said.pytest
    else
        echo "ok $((count += 1)) - the pytest plugin # SKIP no pytest"
    fi
fi
echo "1..$count"
