# linkage.sh - for tests of bodies under constraints, which read it after program.sh: a linkage, and numbers of answers.

# A parallelogram: crank and rocker of length 1 and mass 1 turn about the ground at 1 rad/s, the coupler of mass 2 shifts
# without turning; of the angle the inertia is 1/3 + 1/3 + 2 = 8/3 kg m^2. The rocker's tip meets a stop. Joints $1, e $2.
parallelogram() {
    cat << END
{"bodies": [
  {"name": "crank", "mass": 1, "inertia": [0.083333333333333333, 0.01, 0.083333333333333333], "position": [0, 0.5, 0],
   "velocity": [-0.5, 0, 0], "spin": [0, 0, 1]},
  {"name": "coupler", "mass": 2, "inertia": [0.01, 0.5, 0.5], "position": [1, 1, 0], "velocity": [-1, 0, 0]},
  {"name": "rocker", "mass": 1, "inertia": [0.083333333333333333, 0.01, 0.083333333333333333], "position": [2, 0.5, 0],
   "velocity": [-0.5, 0, 0], "spin": [0, 0, 1]}],
 "contacts": [{"a": "ground", "b": "rocker", "point": [2, 1, 0], "normal": [1, 0, 0], "mu": 0.3, "e": $2}],
 "constraints": [$1]}
END
}
# revolute A B POINT [FRICTION]
revolute() {
    echo "{\"joint\": \"revolute\", \"a\": \"$1\", \"b\": \"$2\", \"point\": [$3, 0], \"axis\": [0, 0, 1]${4:+, \"friction\": $4}}"
}
# pins [FRICTION]: the parallelogram's
pins() {
    echo "$(revolute ground crank 0,0 $1), $(revolute crank coupler 0,1 $1), $(revolute coupler rocker 2,1 $1), $(revolute ground rocker 2,0 $1)"
}
# numbers KEY: those of an array in the answer
numbers() { grep -o "\"$1\":\[\+[^]]*" out | head -1 | sed 's/.*\[//; s/,/ /g'; }
# near KEY VALUE...: its first numbers
near() {
    numbers "$1" | awk -v want="$*" '
        { n = split(want, a, " "); for (i = 2; i <= n; i++) { d = $(i - 1) - a[i]; if (NF < n - 1 || d * d > 1e-24) bad = 1 } }
        END { exit NR == 0 || bad }'
}
