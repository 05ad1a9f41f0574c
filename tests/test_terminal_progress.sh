#!/bin/sh
# What a terminal is told of a run on its way, once a second in one line, and that it is taken away at the end; a pipe is told nothing.
. "$(dirname "$0")/program.sh"
command -v script > /dev/null && [ "$(script -qec 'test -t 2 && echo yes' /dev/null < /dev/null | tr -d '\r')" = yes ] || {
    echo '1..0 # SKIP no script(1) that makes a terminal'
    exit 0
}
scenes=$root/benchmarks/scenes

# watched NAME PATTERN COMMAND: standard error is a terminal, and the run is ended as soon as a line of progress has the pattern; it
# stands where the last one stood
watched() {
    rm -f table pid
    TERM=xterm script -qefc "echo \$\$ > pid; exec '$program' $3 -o table" /dev/null < /dev/null > shown 2> err &
    tries=0 seen=1
    while [ $tries -lt 600 ] && [ $seen != 0 ]; do
        sleep 0.1
        tr '\033\r' '@\n' < shown > out
        grep -Eq "^@\[K$2$" out
        seen=$?
        tries=$((tries + 1))
    done
    kill -TERM "$(cat pid)"
    wait
    [ $seen = 0 ] && ! grep -E "$2" out | grep -vq '^@\[K' && [ ! -e table ]
    verdict "$1" $?
}
left='[0-9]+ (s|min|h) left'
watched 'steps of a scene, hours of them' "[0-9.e-]+ of 2e\+10 s, [0-9]+ steps, [0-9.e+]+ steps/s, [0-9]+ h left" \
    "simulate --set step.until=2e10 --every 100000 --model plus $scenes/ramp.json"
watched 'from impact to impact' "[0-9.e+]+ of 100000 s, [0-9]+ steps, [0-9.e+]+ steps/s, $left" \
    "simulate --set run.until=1e5 --every 1000000 --model newton $scenes/cradle-swing.json"
cat > flow.json << 'END'
{"kind": "flow", "friction": 0.4, "step": 2e-5, "until": 1000, "threads": 1,
 "box": {"low": [0, 0, 0], "high": [0.01, 0.004, 0.004]}, "shapes": [{"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}],
 "spheres": {"radius": 0.00047, "density": 2650, "spacing": 0.001, "speed": 0, "disturbance": 0, "seed": 1},
 "fill": {"low": [0, 0, 0], "high": [0.003, 0.004, 0.004]}, "output": {"rows_every": 0}}
END
watched 'a flow' "[0-9.]+ of 1000 s, [0-9]+ particles, [0-9.e+]+ particle-steps/s, $left" 'flow flow.json'
points=$([ "$SAN$COV" ] && echo 3000 || echo 10000) # all are built before the first is run
watched 'a sweep' "[0-9]+ of [0-9]+000 points, [0-9.e+-]+ points/s, $left" \
    "sweep --jobs 1 --model plus --over material.friction=lin:0:0.5:$points $scenes/box.json"
watched 'an audit' '[0-9]+ of 100000 problems' 'audit --model auto -n 100000 --seed 1 sphere'
watched 'a race' '[0-9]+ of 100000 problems' 'race auto coulomb sphere -n 100000 --seed 1'

watched 'the compliant run of a comparison' '.+: [0-9.e+]+ s of at most 1e\+09 s' "compare --set run.until=1e9 $scenes/arm.json"

# ended NAME COMMAND: it ends by itself, and the line is gone
ended() {
    TERM=xterm script -qec "'$program' $2 -o table" /dev/null < /dev/null > shown 2> err
    status=$?
    tr '\033\r' '@\n' < shown > out
    [ $status = 0 ] && grep -q '^@\[K.* left@*' out && grep -Eq '@\[K($|[^0-9]|[0-9.]+ s: )' out && tail -1 out | grep -Evq 'left'
    verdict "$1" $?
}
ended 'what is shown of a run is taken away at its end' "simulate $scenes/ramp.json"
TERM=xterm script -qec "'$program' flow --set until=0.0002 -o table flow.json" /dev/null < /dev/null | tr -d '\r' > out
grep -Eq '^[0-9.]+ s: lists [0-9.]+, contacts [0-9.]+, sweeps [0-9.]+, motion [0-9.]+; .* particle-steps/s, ' out
verdict 'where the time of a flow went' $?
impact flow --set until=0.0002 -o table flow.json
[ $status = 0 ] && [ ! -s err ] && [ ! -s out ]
verdict 'nothing in a pipe' $?
# Tables: a width that is none is the terminal's, a first column that is wide is cut, and a device that is full is said
"$program" problems free-box-1 -n 3 --seed 3 -o problems.tsv
awk -F '\t' -v OFS='\t' '/^[^#i]/ { $1 = $1 "-with-a-name-that-goes-on-and-on-and-on" } { print }' problems.tsv > wide.tsv
shown() {
    TERM=xterm NO_COLOR=1 script -qec "stty cols 70; $1" /dev/null < /dev/null | tr -d '\r' > out
}
shown "'$program' solve --model coulomb wide.tsv"
cp out usual
for columns in x 5 100000 ''; do
    shown "COLUMNS='$columns' '$program' solve --model coulomb wide.tsv"
    cmp -s out usual
    verdict "COLUMNS='$columns': the width of the terminal" $?
done
awk '{ if (length($0) > most) most = length($0) } END { exit !(most > 50 && most <= 70) }' usual
verdict 'which the rows keep' $?
shown "COLUMNS=30 '$program' solve --model coulomb wide.tsv"
grep -q '^free-box-1-3\.\.\.  ok' out && awk '{ if (length($0) > 30) bad = 1 } END { exit bad }' out
verdict 'a first column wider than half of it is cut' $?
TERM=xterm NO_COLOR= script -qec "'$program' solve --model coulomb problems.tsv" /dev/null < /dev/null | grep -q "$(printf '\033')\[32mok"
verdict 'an empty NO_COLOR is none' $?
env -u TERM script -qec "env -u TERM '$program' solve --model coulomb problems.tsv" /dev/null < /dev/null > out
! grep -q "$(printf '\033')" out && grep -q ' ok ' out
verdict 'no colour for a terminal that does not say what it is' $?

mkdir -p data/real
awk 'BEGIN {
    print "i,x0,y0,th0,vx0,vy0,om0,vx1,vy1,om1,n_x,n_y,n_th,d_x,d_y,d_th"
    for (i = 0; i < 12; i++)
        printf "%d,0,0,0,%.3f,-2,%.3f,%.3f,1,%.3f,0,1,%.3f,-1,0,0.03\n", i, sin(i), 5 * cos(3 * i), 0.6 * sin(i), 3 * cos(3 * i), 0.01 * sin(i)
}' > data/real/ellipse_impacts.csv
IMPACT_DATA=data TERM=xterm script -qec "'$program' replay --model newton -o table ellipse" /dev/null < /dev/null | tr '\033\r' '@\n' > out
grep -q '^@\[Kellipse: newton$' out && grep -q '@\[K$' out
verdict 'the model that a replay is at' $?
echo "1..$count"
