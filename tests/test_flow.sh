#!/bin/sh
# `impact flow`: rows, overrides, checkpoints that go on bit for bit, pictures, refusals, a full disk, a killed run.
. "$(dirname "$0")/program.sh"
. "$root/tests/channel.sh"
tested=flow
flows=$root/benchmarks/flows

channel '"step": 1e-5, "until": 0.006' '"folder": "here", "rows_every": 100, "checkpoint_every": 200' > small.json

impact flow small.json
[ $status = 0 ] && [ ! -s err ] && [ "$(wc -l < out)" = 7 ] && head -1 out | grep -q "^time${tab}particles${tab}"
verdict "six rows, quiet in a pipe" $?
awk -F "$tab" 'NR == 2 && $1 != 0.001 { bad = 1 } NF != 13 { bad = 1 } NR > 1 { n = $2; inserted += $3; deleted += $4 }
    END { exit bad || inserted != 6 * 24 || deleted < 24 || 480 - 16 + inserted - deleted != n }' out
verdict "rows of 13 fields; who enters and leaves is counted" $?
cp out whole.tsv
cp here/flow.check whole.check

impact flow --set 'gravity=[0,0,1e300]' --set output.rows_every=1 --set output.checkpoint_every=0 small.json
[ $status = 1 ] && [ "$(cat err)" = 'impact: small.json: at 2e-05 s: not-finite, expected a smaller step' ] && [ "$(wc -l < out)" = 2 ]
verdict "a step without an answer ends it: rows up to there, a line that says where" $?
impact flow --set 'gravity=[0,0,1e300]' --set output.rows_every=1 --set output.checkpoint_every=0 -o early.tsv - < small.json
[ $status = 1 ] && cmp -s out /dev/null && [ "$(wc -l < early.tsv)" = 2 ] && grep -q '^impact: standard input: at 2e-05 s: not-finite' err
verdict "of standard input, to a file, too" $?
impact flow --set until=0.004 --set output.folder=there small.json
cmp -s out whole.tsv && verdict "--set shortens the run" 1 || verdict "--set shortens the run" $((status + $(wc -l < out) - 5))
impact flow --set output.folder=there --set threads=2 --set simd=false --resume there/flow.check small.json
{ head -5 whole.tsv; tail -n +2 out; } | cmp -s - whole.tsv && [ $status = 0 ]
verdict "resumed, on two threads and without SIMD: the rows of the whole run" $?
cmp -s there/flow.check whole.check
verdict "and the bytes of its last checkpoint" $?
impact flow --set law=coulomb --set output.folder=law -o rows.tsv small.json
[ $status = 0 ] && [ ! -s out ] && cmp -s rows.tsv whole.tsv
verdict "Coulomb's law: the same rows, to a file" $?
impact flow --set tolerance=1e-2 --set until=0.001 --set most_sweeps=50000 --set output.folder=there small.json
[ $status = 0 ] && awk -F "$tab" 'NR > 1 && !($12 != "" && $12 <= 1e-2) { bad = 1 } END { exit bad || NR < 2 }' out
verdict "swept to a residual" $?
impact flow --set tolerance=1e-9 --set most_sweeps=12 --set until=0.001 --set output.folder=there small.json
[ $status = 1 ] && grep -q 'steps ended above the tolerance' err
verdict "too few sweeps for the tolerance: exit 1, said once" $?
impact flow --set step=2e-4 --set until=0.002 --set output.folder=there small.json
[ $status = 0 ] && [ "$(grep -c 'shorten step' err)" = 1 ]
verdict "a warning for a long step" $?
impact flow --set friction=0.3 --set erp=0.5 --set warm=0.5 --set blend=0.5 --set symmetric=true --set split=2 \
    --set outlet=0.015 --set skin=1e-4 --set until=0.001 --set output.folder=there small.json
[ $status = 0 ] && [ "$(wc -l < out)" = 2 ] && ! sed -n 2p whole.tsv | cmp -s - out
verdict "every setting within its range is taken" $?
impact flow --set look_ahead=false --set margin=0 --set until=0.001 --set output.folder=there small.json
[ $status = 0 ] && [ "$(grep -c '^impact: warning: margin' err)" = 1 ]
verdict "a warning for a small margin" $?
cat > leaky.json << 'END'
{"kind": "flow", "step": 1e-4, "until": 0.06, "box": {"low": [0, 0, 0], "high": [0.004, 0.004, 0.004]}, "shapes": [],
 "spheres": {"radius": 0.00047, "density": 2650, "spacing": 0.001, "speed": 0, "disturbance": 0.1, "seed": 1},
 "fill": {"low": [0, 0, 0], "high": [0.004, 0.004, 0.004]}, "output": {"folder": "there", "rows_every": 100}}
END
impact flow leaky.json
[ $status = 0 ] && complained 'impact: warning: at 0.0' ' particles are far outside the box and deleted' &&
    awk -F "$tab" 'NR == 2 { bad = $2 != 64 } NR > 1 { n = $2; lost += $5; deleted += $4 } END { exit bad || lost != 64 || deleted || n }' out
verdict "a box without walls: who falls out of it is counted as lost, and said once" $?
"$program" flow --set until=0.001 - < small.json > out 2> err
[ $? = 0 ] && [ "$(sed -n 2p out)" = "$(sed -n 2p whole.tsv)" ]
verdict "parameters from standard input" $?
mkfifo pipe.json
cat small.json > pipe.json &
timeout 60 env -u OMP_WAIT_POLICY "$program" flow --set until=0.001 --set threads=2 pipe.json > out 2> err
[ $? = 0 ] && [ ! -s err ] && [ "$(sed -n 2p out)" = "$(sed -n 2p whole.tsv)" ]
verdict "and from a pipe with a name, on two threads" $?
wait

impact flow --set until=0.002 --set output.vtk_every=100 --set output.folder=seen small.json
for kind in particles contacts fields; do
    sed -n 's/^<DataSet timestep="\([^"]*\)" file="\([^"]*\)".*/\1 \2/p' "seen/$kind.pvd" > named
    [ "$(cut -d ' ' -f 1 named | tr '\n' ' ')" = "0.001 0.002 " ] && [ "$(ls seen | grep -c "^$kind-.*vtu$")" = 2 ] &&
        (cd seen && cut -d ' ' -f 2 ../named | xargs -n 1 test -s)
    verdict "$kind: two pictures, and an index of them" $?
done
grep -q 'NumberOfPoints="147" NumberOfCells="120"' seen/fields-000000200.vtu
verdict "fields of 20 x 6 squares" $?

impact flow --set until=0.0015 --set output.vtk_every=60 --set output.checkpoint_every=150 --set output.folder=seen2 small.json
for name in fields-1.vtu fields-000000060.vtu.part fields-0000000060.vtu fields-000000999.vtu; do : > seen2/$name; done
impact flow --set until=0.002 --set output.vtk_every=80 --set output.folder=seen2 --resume seen2/flow.check small.json
[ $status = 0 ] && [ "$(sed -n 's/^<DataSet.*file="\([^"]*\)".*/\1/p' seen2/fields.pvd | tr '\n' ' ')" = \
    'fields-000000060.vtu fields-000000120.vtu fields-000000160.vtu ' ]
verdict "resumed with another vtk_every: the index names the pictures of both" $?
# listed FOLDER: times and files of the index of contacts
listed() {
    sed -n 's/^<DataSet timestep="\([^"]*\)" file="\([^"]*\)".*/\1 \2/p' "$1/contacts.pvd" | tr '\n' ' '
}
impact flow --set step=2e-5 --set until=0.002 --set output.vtk_every=50 --set output.folder=seen2 small.json
[ $status = 0 ] && [ "$(listed seen2)" = '0.001 contacts-000000050.vtu 0.002 contacts-000000100.vtu ' ]
verdict "a run from the start in the same folder: the index names its own pictures alone" $?
impact flow --set until=0.0008 --set output.checkpoint_every=80 --set output.folder=seen2 small.json
[ $status = 0 ] && [ -z "$(ls seen2 | grep pvd)" ]
verdict "a checkpoint of a run without pictures: no index of others beside it" $?
impact flow --set until=0.002 --set output.vtk_every=80 --set output.checkpoint_every=0 --set output.folder=seen2 --resume seen2/flow.check small.json
[ $status = 0 ] && [ "$(listed seen2)" = '0.0016000000000000001 contacts-000000160.vtu ' ]
verdict "and resumed from it the index names what came after" $?
impact flow --set until=0.002 --set output.vtk_every=70 --set output.checkpoint_every=0 --set output.folder=seen2 --resume seen2/flow.check small.json
[ $status = 0 ] && [ "$(listed seen2)" = '0.0014000000000000002 contacts-000000140.vtu ' ]
verdict "resumed once more from before it: without what came of that" $?

# Off-centre masses: the laws part; checkpoints and threads do not.
impact flow --set until=0.004 --set spheres.offset=0.000141 --set output.folder=heavy -o heavy.tsv small.json
impact flow --set until=0.002 --set spheres.offset=0.000141 --set output.folder=heavy2 small.json
impact flow --set until=0.004 --set spheres.offset=0.000141 --set output.folder=heavy2 --set threads=2 \
    --resume heavy2/flow.check small.json
{ head -3 heavy.tsv; tail -n +2 out; } | cmp -s - heavy.tsv && [ $status = 0 ] && cmp -s heavy/flow.check heavy2/flow.check
verdict "off-centre: resumed on two threads, the rows and the bytes of the whole run" $?
impact flow --set until=0.004 --set spheres.offset=0.000141 --set output.folder=heavy2 --set law=coulomb small.json
[ $status = 0 ] && ! cmp -s out heavy.tsv
verdict "off-centre: Coulomb's law gives other rows" $?
refused "a checkpoint without the offset" 'another $.spheres, expected that it was written with (from the command line: --set spheres.offset=0.000141)' \
    --set spheres.offset=0.000141 --resume whole.check small.json
refused "an offset as large as the radius" '$.spheres.offset' --set spheres.offset=0.00047 small.json
refused "a title that breaks a row" '$.title: a title with a tab, the end of a line' --set "title=a${tab}b" small.json
refused "squares without a side" '$.output.cell' --set output.cell=0 small.json
refused "more squares than a picture has" \
    '$.output.cell: 1e-09 m makes 1.2e+14 squares of a box of 0.02 by 0.006 m, expected at most 16777216 (from the command line: --set output.cell=1e-9)' \
    --set output.cell=1e-9 --set output.vtk_every=20 --set output.folder=cells small.json
refused "a box of too many of them" '$.output.cell: 0.001 m makes 1e+18 squares of a box of 1e+06 by 1e+06 m, expected at most 16777216' \
    --set 'box.high=[1e6,1e6,1e6]' --set output.vtk_every=20 --set output.folder=cells small.json
[ ! -e cells ]
verdict "and nothing is left" $?
impact flow --set output.cell=1e-9 --set until=1e-4 --set output.rows_every=10 --set output.folder=there small.json
[ $status = 0 ] && [ ! -s err ] && [ "$(wc -l < out)" = 2 ]
verdict "taken without pictures" $?
impact flow --set bricks=[1000,1,1] --set until=1e-4 --set output.rows_every=10 --set output.folder=there small.json
[ $status = 0 ] && [ "$(wc -l < out)" = 2 ] &&
    complained 'impact: warning: small.json: $.bricks: 1000 x 1 x 1, of which ' ' x 1 x 1 have a grid cell each and are made'
verdict "more bricks than grid cells: one line says how many there are" $?
impact flow --set until=0.0005 --set output.folder=there small.json
[ $status = 0 ] && [ "$(wc -l < out)" = 1 ] && complained 'impact: warning: no row: the flow ends at step 50, expected 100 steps or more for each'
verdict "fewer steps than a row has: no row, and a line says so" $?
impact flow --set until=0.0063 --set output.folder=there --resume whole.check small.json
[ $status = 0 ] && [ "$(wc -l < out)" = 1 ] && complained 'impact: warning: no row: the flow goes on from step 600 and ends at step 630, expected step 700 or later'
verdict "and so do few steps behind a checkpoint: from where, and to where a row would be" $?
impact flow --set until=0.0005 --set output.rows_every=0 --set output.folder=there small.json
[ $status = 0 ] && [ "$(wc -l < out)" = 1 ] && [ ! -s err ]
verdict "no rows asked for: none, and no line" $?

perl -pe 's/"normal": \[0, 0, 1\]/"normal": [0, 0, -1]/; s/^ "inflow".*\n//' small.json > outward.json
impact flow --set until=0.0005 --set output.folder=there --set output.rows_every=50 outward.json
[ $status = 0 ] && [ "$(sed -n 2p out | cut -f 2)" = 0 ] && complained 'impact: warning: outward.json: $.fill: no sphere, each would touch a shape' ''
verdict "a normal out of the room leaves no sphere: a line says so" $?
perl -ne 'print unless /^ "(fill|inflow)"/' small.json > nothing.json
impact flow --set until=0.0005 --set output.folder=there --set output.rows_every=50 nothing.json
[ $status = 0 ] && complained 'impact: warning: nothing.json: no sphere, neither $.fill nor $.inflow' ''
verdict "nothing that brings spheres: likewise" $?
# Without a sphere cells are smaller than one.
grep -v '^ "fill"' small.json > empty.json
impact flow --set bricks=[30,1,1] --set until=0.0011 --set output.folder=there empty.json
[ $status = 0 ] && complained 'impact: warning: empty.json: $.bricks: 30 x 1 x 1, of which 17 x 1 x 1 have a grid cell each and are made' ''
verdict "a flow that begins empty is told of bricks when there are spheres" $?

head -c 3000 whole.check > cut.check
refused "a checkpoint cut off" '--resume cut.check: damaged, expected a whole checkpoint' --resume cut.check small.json
refused "no checkpoint" '--resume small.json: no checkpoint of a flow' --resume small.json small.json
refused "a checkpoint of other parameters" 'another $.friction, expected that it was written with (from the command line: --set friction=0.5)' \
    --set friction=0.5 --resume whole.check small.json
perl -pe 's/^ "inflow".*\n//' small.json > closed.json
impact flow --set until=0.0002 --set output.checkpoint_every=20 --set output.folder=closed closed.json
for other in radius=0.0004 density=1000 offset=1e-4; do
    refused "without an inflow, a checkpoint of spheres of another ${other%=*}" \
        "--resume closed/flow.check: a checkpoint of another \$.spheres.${other%=*}, expected that it was written with (from the command line: --set spheres.$other)" \
        --set "spheres.$other" --resume closed/flow.check closed.json
done
impact flow --set spheres.speed=0 --set 'fill.high=[0.01,0.006,0.004]' --set until=0.0004 --set output.rows_every=20 --set output.folder=closed --resume closed/flow.check closed.json
[ $status = 0 ] && [ ! -s err ] && [ "$(wc -l < out)" = 2 ]
verdict "what is of the start alone may be another" $?
refused "a missing checkpoint" '--resume nowhere: cannot be opened' --resume nowhere --set output.folder=fresh small.json
[ ! -e fresh ]
verdict "and no folder is made for it" $?
refused "an unknown key" '$.colour: unknown key, expected' --set colour=red small.json
refused "a negative step" '$.step: -1, expected a number > 0' --set step=-1 small.json
refused "a law nobody knows" '$.law: "newton", expected' --set law=newton small.json
refused "shapes that are no list" '$.shapes: an object, expected an array' --set 'shapes={}' small.json
refused "no box" '$.box' --set box=null small.json
refused "spheres that overlap on their grid" '$.spheres.spacing' --set spheres.radius=0.0006 small.json
refused "an inflow plane that stands" '$.inflow.plane' --set inflow.plane=1 small.json
refused "a setting without value" 'expected key=value' --set until small.json
refused "another kind of file" '$.kind' --set kind=scene small.json
refused "no file" 'expected impact flow' --resume x
refused "more threads than any machine has" '$.threads: 100000, expected a whole number from 1 to' --set threads=100000 small.json
refused "steps without end" '$.until: 1e+305 steps of 1e-05 s, expected at most' --set until=1e300 small.json
refused "more spheres than memory has" '$.fill: room for 2.52e+19 spheres, expected at most' --set spheres.radius=1e-9 --set spheres.spacing=2.67e-9 small.json
refused "a fill thinner than a sphere" '$.fill: no sphere fits, expected room for one' --set 'fill.high=[0.02, 0.0001, 0.02]' small.json
refused "a folder that is a file" 'small.json: cannot be made a folder' --set output.folder=small.json small.json

mkdir own
mkdir own/particles.pvd
refused 'an index that is a folder' 'own/particles.pvd: cannot be read: ' --set output.folder=own --resume whole.check small.json
rm -r own

# What it writes in the folder is neither the parameter file nor another output
for file in flow.check particles.pvd fields.pvd; do
    written="--set output.vtk_every=100 --set output.folder=own"
    refused "rows that are $file, in a folder that is not there" "\"own/$file\" is written twice, expected another file" \
        $written -o own/$file small.json
    [ ! -e own ]
    verdict 'and the folder is not made' $?
    mkdir own
    cp small.json own/$file
    refused "a parameter file that is $file" "\"own/$file\", which is to be written, is also the input, expected another folder" \
        $written own/$file
    [ "$(ls own)" = $file ] && cmp -s small.json own/$file
    verdict 'and stays' $?
    rm -r own
done
refused 'rows that are the folder' '"own" is written twice' --set output.folder=own -o own small.json
[ ! -e own ]
verdict 'which is not made' $?
refused 'rows that are a picture' '"own/contacts-000000100.vtu" is written twice' $written -o own/contacts-000000100.vtu small.json
refused 'rows over the checkpoint' 'is also the input' --resume here/flow.check -o here/flow.check small.json
cmp -s here/flow.check whole.check
verdict 'which stays' $?
rm -r own

# A disk that is full when the checkpoint is due: one line, the last checkpoint intact.
mkdir -p full
cp whole.check full/flow.check
(ulimit -f 8 && trap '' XFSZ && "$program" flow --set output.folder=full small.json > out 2> err)
[ $? = 2 ] && [ "$(wc -l < err)" = 1 ] && grep -q 'full/flow.check' err && cmp -s full/flow.check whole.check &&
    [ "$(ls full)" = flow.check ]
verdict "no room for a checkpoint: one line, the last one intact" $?

if [ -c /dev/full ]; then
    "$program" flow --set until=0.001 small.json > /dev/full 2> err
    [ $? = 2 ] && grep -q '^impact: standard output: cannot be written: .' err && [ "$(wc -l < err)" = 1 ]
    verdict "no room for rows: one line, with the reason" $?
fi

# started FILE: the run in the background has written it, and works on
started() {
    tries=0
    while [ ! -s "$1" ] && [ $tries -lt 300 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    sleep 0.2
}

# Interrupted while it writes files all the time: rows of a file are not there, pictures and checkpoints are whole.
# (A shell starts what goes on beside it with SIGINT ignored, which the program would respect.)
echo before > rows.tsv
perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' "$program" flow --set until=100 --set output.checkpoint_every=1 --set output.vtk_every=1 --set output.folder=stopped \
    --set threads=2 -o rows.tsv small.json > out 2> err &
victim=$!
started stopped/flow.check
kill -INT $victim
wait $victim
[ $? = 130 ] && [ "$(cat rows.tsv)" = before ] && [ -z "$(ls . stopped | grep '[.]part$')" ]
verdict "interrupted: nothing half-written stays" $?
impact flow --set until=0.02 --set output.folder=stopped --resume stopped/flow.check small.json
verdict "and the last checkpoint is whole" $status
refused "a flow that is beyond its end" 'small.json: $.until: 0, expected at least the' \
    --set until=0 --set output.folder=stopped --resume stopped/flow.check small.json

# Killed at random moments while it writes checkpoints all the time, and begun again from the last one, until it ends: KILLS
# kills (4, in the long form 25) and more, one run at least.
for name in victim unhurt; do mkdir $name; done
shorter=$([ "$LONG" ] || echo --set until=0.003)
# shellcheck disable=SC2086
"$program" flow --set output.checkpoint_every=1 --set output.folder=unhurt $shorter small.json > /dev/null
perl -e '
my ($program, $kills, @shorter) = @ARGV;
my ($killed, $runs, $wrong, $patience) = (0, 0, 0, 0.05);
my @flow = ($program, "flow", "--set", "output.checkpoint_every=1", "--set", "output.folder=victim", @shorter);
srand 1;
while (!$wrong && ($killed < $kills || !$runs)) {
    my $child = fork // die;
    if (!$child) {
        open STDOUT, ">", "/dev/null";
        exec @flow, (-e "victim/flow.check" ? ("--resume", "victim/flow.check") : ()), "small.json";
    }
    select undef, undef, undef, rand $patience;
    $patience += 0.002; # what is slow to start comes to its end, too
    kill 9, $child;
    waitpid $child, 0;
    if ($? == 9) { $killed++; next; }
    $runs++;
    $wrong = $? != 0 || system("cmp -s victim/flow.check unhurt/flow.check") != 0;
    $patience = 0.05;
    unlink "victim/flow.check";
}
print "$killed $runs\n";
exit $wrong;' "$program" "${KILLS:-$([ "$LONG" ] && echo 25 || echo 4)}" $shorter > out 2> err
status=$?
read -r kills runs < out
verdict "killed $kills times at any moment of $runs runs: the bytes of a run that was not" $status

impact flow --set until=1e-5 --set "fill.high=[0.003, 0.065, 0.02]" --set output.rows_every=1 "$flows/channel.json"
[ $status = 0 ] && [ "$(wc -l < out)" = 2 ]
verdict "the paper's channel is read" $?
echo "1..$count"
