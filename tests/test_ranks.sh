#!/bin/sh
# A granular flow on the ranks of Open MPI: rows and checkpoints are, byte for byte, those of one process.
. "$(dirname "$0")/program.sh"
. "$root/tests/channel.sh"
tested=ranks
on_ranks=$program-mpi
if [ ! -x "$on_ranks" ]; then
    echo "1..0 # SKIP no MPI: impact-mpi is not built"
    exit 0
fi
# What Open MPI wants as root, with more ranks than cores, and on a busy machine; no network is looked for.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
    OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl=self,vader OMPI_MCA_pml=ob1 \
    OMPI_MCA_btl_vader_single_copy_mechanism=none

# Few and long steps: each is dozens of messages, and a busy machine is slow at those. A layer enters after 24 steps,
# others leave from the first.
channel '"step": 4e-5, "until": 0.0012, "sweeps": 2, "bricks": [6, 2, 3]' \
    '"folder": "one", "rows_every": 5, "checkpoint_every": 15' > small.json

# Open MPI forgets memory of its own, some in modules that are gone at the end: under SAN=1 leaks are not looked for.
# ranks N ARGUMENTS: impact-mpi flow on N ranks
ranks() {
    n=$1
    shift
    ASAN_OPTIONS=detect_leaks=0 mpirun -n "$n" "$on_ranks" flow "$@" small.json > out 2> err
    status=$?
}

# like NAME ROWS FOLDER OTHER: exit 0, the rows in out and the checkpoint in FOLDER are ROWS and that in OTHER
like() {
    [ $status = 0 ] && cmp -s out "$2" && cmp -s "$3/flow.check" "$4/flow.check"
    verdict "$1" $?
}

"$program" flow --set until=0.0006 --set output.folder=half small.json > half.tsv && "$program" flow small.json > one.tsv 2> err
verdict "in one process" $?
awk -F "$tab" 'NR > 1 { i += $3; d += $4 } END { exit !(i == 24 && d > 20) }' one.tsv
verdict "a layer enters, others leave" $?

ranks 1 --set output.folder=r1
like "one rank: the rows and the checkpoint of one process" one.tsv r1 one
ranks 2 --set output.folder=r2 --traffic r2.tsv
like "two ranks along x, likewise" one.tsv r2 one
awk -F "$tab" 'NR > 1 && ($2 < 100 || $5 != 1 || $8 != 48 * $7 || $10 < 5) { bad = 1 } END { exit bad || NR != 3 }' r2.tsv
verdict "what each held and sent is counted" $?
impact ranks --set 'ranks=[2,1,1]' --resume r2/flow.check small.json
cut -f1-9 out > wanted && cut -f1-9 r2.tsv | cmp -s - wanted
verdict "and is what a cut in one process says of the same state" $?
# displays NAME=VALUE: how often an OpenMP program starts
displays() {
    env -u OMP_WAIT_POLICY "$1" OMP_DISPLAY_ENV=true mpirun -n 1 "$on_ranks" flow --set threads=1 --set until=0.0001 \
        --set output.checkpoint_every=0 small.json 2>&1 | grep -c 'DISPLAY ENVIRONMENT BEGIN'
}
[ "$(displays NOTHING=told)" = $((2 * $(displays OMP_WAIT_POLICY=passive))) ]
verdict "threads that wait sleep: it starts itself again" $?
ranks 4 --set 'ranks=[1,2,2]' --set output.folder=r4 --set until=0.0006 --traffic r4.tsv
like "four ranks side by side, half of the time: the same bytes" half.tsv r4 half
[ "$(cut -f 1 r4.tsv | tr '\n' ' ')" = 'rank 0 1 2 3 ' ]
verdict "a row each, by rank" $?
ranks 4 --set 'ranks=[2,1,2]' --set output.folder=r4 --resume half/flow.check
{ head -4 one.tsv; tail -n +2 out; } > whole && mv whole out
like "resumed from one process's checkpoint on four ranks: its end" one.tsv r4 one

set -- --set spheres.offset=1e-4 --set symmetric=true --set split=2 --set until=0.0006
"$program" flow "$@" --set output.folder=off small.json > off.tsv
ranks 2 "$@" --set 'ranks=[1,2,1]' --set output.folder=o4 --set output.vtk_every=15
like "off-centre spheres, sweeps in both directions, split impulses: the same bytes" off.tsv o4 off
[ -s o4/particles-000000015.vtu ] && [ -s o4/contacts-000000015.vtu ]
verdict "with pictures" $?

"$program" flow --set blend=0.75 --set output.folder=damped small.json > damped.tsv
ranks 1 --set blend=0.75 --set output.folder=d1
like "damped sweeps: one rank and one process are the same" damped.tsv d1 damped
ranks 3 --set blend=0.75 --set tolerance=0.1 --set most_sweeps=2000 --set until=0.00008 --set output.rows_every=1
[ $status = 0 ] && awk -F "$tab" 'NR > 1 && !($12 != "" && $12 <= 0.1) { bad = 1 } END { exit bad || $11 < 3 || NR != 3 }' out
verdict "  and three ranks come to the residual" $?

"$program" flow --set bricks='[2,1,1]' --set output.folder=wide small.json > wide.tsv
ranks 2 --set bricks='[2,1,1]' --set output.folder=w2
like "two ranks with a brick each, likewise" wide.tsv w2 wide
ranks 2 --set bricks='[1,1,1]'
[ $status != 0 ] && grep -q '^impact: 2 ranks make no grid with at most 1 x 1 x 1 bricks, expected' err && [ ! -s out ]
verdict "two ranks with one brick between them are refused" $?

ranks 1 --set 'ranks=[3,1,1]'
[ $status != 0 ] && grep -q '^impact: ranks: 3 x 1 x 1, expected a grid of 1' err && [ ! -s out ]
verdict "a grid of another number of ranks is refused" $?
ranks 2 --set output.folder=unmade --traffic unmade/r2.tsv --set output.checkpoint_every=0
[ $status = 2 ] && grep -q '^impact: unmade/r2.tsv: cannot be written: ' err && [ ! -s out ]
verdict "traffic that cannot be written is found before the first step" $?
ranks 2 --traffic t.tsv -o t.tsv
[ $status = 2 ] && grep -q '^impact: "t.tsv" is written twice, expected another file' err && [ ! -e t.tsv ]
verdict "rows and traffic in one file are refused" $?
if [ -c /dev/full ]; then
    ranks 2 --set until=0.0002 --traffic /dev/full
    [ $status = 2 ] && grep -q '^impact: /dev/full: cannot be written' err
    verdict "no room for the traffic: exit 2" $?
fi
echo before > t.tsv
ranks 2 --set until=0.0002 --set output.folder=small.json --traffic t.tsv
[ $status = 2 ] && [ "$(cat t.tsv)" = before ]
verdict "what stands in its place stays where the run fails" $?
ranks 2 --set 'gravity=[0,0,1e300]' --traffic t.tsv
[ $status = 1 ] && [ "$(wc -l < t.tsv)" = 3 ]
verdict "a step without an answer: the traffic up to there" $?
mkfifo pipe.json
ASAN_OPTIONS=detect_leaks=0 timeout 60 mpirun -n 1 "$on_ranks" flow pipe.json > out 2> err
[ $? = 2 ] && grep -q '^impact: parameters from standard input or a pipe, expected a file on ranks$' err && [ ! -s out ]
verdict "a pipe, which one rank alone could read, is refused" $?

# Each rank in a folder of its own, as on machines without a common file system: the second in `there`.
mkdir there
# apart THERE ARGUMENTS: two ranks, of which the second has the words of THERE in front of its arguments
apart() {
    words=$1
    shift
    ASAN_OPTIONS=detect_leaks=0 timeout 60 mpirun -n 1 "$on_ranks" flow "$@" small.json : \
        -n 1 -wdir "$work/there" "$on_ranks" flow $words "$@" small.json > out 2> err
    status=$?
}
# unlike NAME LINE: exit 2, no rows, and of the ranks one alone says one line, which has LINE behind its number
unlike() {
    [ $status = 2 ] && [ ! -s out ] && [ "$(grep -c '^impact: ' err)" = 1 ] && grep -qF "impact: rank 1: $2" err
    verdict "$1" $?
}
apart ''
unlike "one rank has no parameters: it says so, with its number" 'small.json: cannot be opened: No such file'
cp small.json there
apart '' --set output.folder=unlike
[ $status = 0 ] && cmp -s out one.tsv && cmp -s unlike/flow.check one/flow.check && [ ! -e there/unlike ]
verdict "with the same in both folders: the rows of one process; files beside the first alone" $?
apart --bogus
unlike "one rank has an option that is none" 'flow: unknown option "--bogus"'
for other in friction=0.9 sweeps=3 until=0.0024 output.checkpoint_every=5 output.rows_every=4; do
    apart "--set $other" --set output.folder=unlike
    unlike "other parameters on one rank: $other" 'small.json: other parameters than on rank 0, expected the same on all ranks'
done
apart '' --resume one/flow.check --set until=0.0024 --set output.folder=unlike
unlike "one rank has no checkpoint" '--resume one/flow.check: cannot be opened: No such file'
mkdir there/one
alike='another flow than rank 0 begins with, expected the same checkpoint on all ranks'
for other in half/flow.check filled/flow.check; do
    [ -e $other ] || "$program" flow --set output.folder=filled --set 'fill.high=[0.02,0.006,0.003]' small.json > filled.tsv
    cp $other there/one
    apart '' --resume one/flow.check --set until=0.0024 --set output.folder=unlike
    unlike "another checkpoint on one rank: of $other" "--resume one/flow.check: $alike"
done
refused "no grid to cut into" 'no grid of ranks' small.json
impact ranks --set 'ranks=[6,2,2]' small.json
[ $status = 0 ] && [ "$(wc -l < out)" = 25 ] && [ "$(awk -F "$tab" '{ n += $2 } END { print n }' out)" = 464 ]
verdict "a cut for 24 ranks: every particle has one owner" $?
impact ranks --set 'ranks=[2,1,1]' --set 'bricks=[1000000,1000000,1000000]' small.json
[ $status = 0 ] && complained 'impact: warning: small.json: $.bricks: 1000000 x 1000000 x 1000000, of which ' ' have a grid cell each and are made' &&
    [ "$(awk -F "$tab" 'NR > 1 { n += $4 } END { print n }' out)" = $(($(sed 's/.*of which \(.*\) have.*/\1/; s/x/*/g' err))) ]
verdict "more bricks than grid cells: one line says how many there are" $?

sed '/"inflow"/d; s/"fill": .*/"fill": {"low": [0, 0, 0], "high": [0.0015, 0.0015, 0.0015]},/' small.json > lone.json
mv lone.json small.json
"$program" flow --set output.folder=lone small.json > lone.tsv
awk -F "$tab" 'NR > 1 && $2 != 1 { bad = 1 } END { exit bad || NR != 7 }' lone.tsv
verdict "a flow of one sphere" $?
ranks 2 --set output.folder=l2
like "two ranks, one of which holds nothing, likewise" lone.tsv l2 lone
"$program" flow --set spheres.offset=1e-4 --set output.folder=lone small.json > lone.tsv
ranks 2 --set spheres.offset=1e-4 --set output.folder=l2
like "off-centre, likewise" lone.tsv l2 lone
echo "1..$count"
