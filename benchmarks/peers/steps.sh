#!/bin/sh
# steps.sh IMPACT FOLDER PROGRAM...: the steps of each engine, dumped into FOLDER, held against two laws; a table in Markdown.
impact=$1 folder=$2
shift 2
mkdir -p "$folder" || exit 1
rows=$folder/rows.tsv
for program in "$@"; do "$program" "$folder" 2> /dev/null || echo "# ${program##*-}: ended by an error"; done > "$rows"
grep -qv '^#' "$rows" || { echo "steps.sh: no engine made a step" >&2 && exit 1; }
cat << 'END'
# Steps of engines, audited

`make audit-peers` makes this page (`DOCS=--write` puts it into docs) of the engines that are installed.
Each row is an engine in a scene: its own bodies and contacts of each step in which something closes, written by
`impact_dump.h` with the impulses that it reports, and judged by `impact check`. What percentage of the steps breaks no
residual of a law by more than 1e-2, 1e-4 and 1e-8, and which residual is broken most where one is by more than 1e-4.

- moreau: Coulomb's law with Newton's restitution, e as the scene has it; decided by the impulses.
- drumwright: the convex law of least energy over the cones; decided by the distance from the library's own answer.
- velocities: how far the velocities after a step are from what the reported impulses make of those before, relative to
  the fastest; what is large there is not explained by the impulses, and the laws are asked about less than the engine did.
- library: what percentage of the same problems `impact solve --model moreau` solves, certified to 1e-9.

No engine here means to solve either law to rounding. ODE bounds friction in each of two directions, the slip's first (a
square about the cone), dWorldQuickStep by 20 sweeps; Bullet's friction has one direction or two and 50 sweeps in single
precision; MuJoCo's contacts are springs that need several steps for an impact and creep, its cone is exact. Settings:

END
sed -n 's/^# /- /p' "$rows"
versions=$(dpkg-query -W -f '${Package} ${Version}, ' libode-dev libbullet-dev libmujoco-dev 2> /dev/null)
[ -z "$versions" ] || printf '\nVersions: %s.\n' "${versions%, }"
cat << 'END'

| engine | scene | steps | velocities | moreau: 1e-2, 1e-4, 1e-8 | broken most | drumwright: 1e-2, 1e-4, 1e-8 | library |
|---|---|---|---|---|---|---|---|
END
# judged MODEL FILE: three percentages, the residual that is broken most
judged() {
    "$impact" check --model "$1" "$2" 2> /dev/null | tr -d '\n' | sed 's/"law"/\n&/g' | awk '/^"law"/ {
        n++
        r = match($0, /"residual":[^,]*/) ? substr($0, RSTART + 11, RLENGTH - 11) : "null"
        if (r == "null" || $0 ~ /"status":"not-judged"/) next
        if (r + 0 <= 1e-2) a++
        if (r + 0 <= 1e-4) b++
        if (r + 0 <= 1e-8) c++
        if (r + 0 > 1e-4 && match($0, /"worst":"[^"]*/)) worst[substr($0, RSTART + 9, RLENGTH - 9)]++
    } END {
        for (w in worst) if (worst[w] > most || worst[w] == most && w < name) { most = worst[w]; name = w }
        if (n) printf "%.0f, %.0f, %.0f %%\t%s", 100 * a / n, 100 * b / n, 100 * c / n, name
        else exit 1
    }'
}
grep -v '^#' "$rows" | while IFS="$(printf '\t')" read -r file engine scene steps velocities; do
    moreau=$(judged moreau "$file") && convex=$(judged drumwright "$file") || exit 1
    solved=$("$impact" solve --model moreau "$file" 2> /dev/null | grep -c '"status":"ok"')
    printf '| %s | %s | %s | %s | %s | %s | %s | %s %% |\n' "$engine" "$scene" "$steps" "$velocities" \
        "${moreau%	*}" "${moreau#*	}" "${convex%	*}" $((steps > 0 ? 100 * solved / steps : 0))
done
