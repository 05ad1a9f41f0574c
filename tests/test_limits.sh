#!/bin/sh
# What docs/accuracy.md says that readers take: at each limit read, beyond it a line. (Of HDF5: test_fclib_hostile.c.)
. "$(dirname "$0")/program.sh"
printf 'id\tmu\tW11\tW12\tW13\tW22\tW23\tW33\tq1\tq2\tq3\te\na\t0.5\t2\t0\t0\t2\t0\t2\t-1\t0\t0\t0\n' > table.tsv
cp "$root/benchmarks/flows/cube.json" flow.json
# many N WORD: it so many times
many() { awk -v n="$1" -v word="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s", word }'; }

# reads NAME ARGUMENTS: with an answer
reads() {
    name=$1
    shift
    impact "$@"
    verdict "read: $name" $status
}

{ printf '#' && many 1048574 x && echo && cat table.tsv; } > longest.tsv
{ printf '#' && many 1048575 x && echo && cat table.tsv; } > longer.tsv
reads 'a line of 1048576 bytes, its end among them' solve --model maxdiss longest.tsv
refused 'one more' 'longer.tsv:1:1: a line of more than 1048576 bytes' solve --model maxdiss longer.tsv
{ many 2048 '[' && many 2048 ']'; } > deepest.json
{ many 2049 '[' && many 2049 ']'; } > deeper.json
refused 'a list 2048 deep, for what it holds' '$[0]' solve --model maxdiss deepest.json
refused 'one deeper, for its depth' 'deeper.json:1:2049: maximum parsing depth reached' solve --model maxdiss deeper.json

title=$(many 255 x)
reads 'a title of 255 bytes' flow --set until=1e-5 --set "title=$title" flow.json
refused 'one more' '$.title: too long, expected' flow --set until=1e-5 --set "title=x$title" flow.json
plane='{"plane": {"point": [0, 0, 0], "normal": [0, 0, 1], "velocity": [0, 0, 0]}, "friction": 0.3}'
reads '12 shapes' flow --set until=1e-5 --set "shapes=[$(many 11 "$plane, ")$plane]" flow.json
refused 'one more' '$.shapes: an array of 13, expected at most 12 shapes' flow --set until=1e-5 --set "shapes=[$(many 12 "$plane, ")$plane]" flow.json
refused 'more than 1e15 steps' '2e+15 steps of 1e-09 s, expected at most 1e+15' flow --set until=2e6 --set step=1e-9 flow.json
refused 'room for more spheres than there are numbers' 'expected at most 268435455' \
    flow --set 'box.high=[1e6, 1e6, 1e6]' --set 'fill.high=[1e6, 1e6, 1e6]' flow.json
refused 'more than 1024 threads' '$.threads: 1025, expected a whole number from 1 to 1024' flow --set threads=1025 flow.json

# answers N: one of N bytes, its end of line among them
answers() {
    { echo '#!/bin/sh' && echo 'while read -r line; do cat answer; done'; } > solver && chmod +x solver
    { printf '{"id": "1", "p": [0, 0, 0]}' && many $(($1 - 28)) ' ' && echo; } > answer
    impact solve --law maxdiss --exec ./solver --time-limit 20 table.tsv
}
answers 67537
cut -f 2 out | grep -q '^not-certified$'
verdict 'of a solver outside an answer of 65536 bytes, 2000 for each contact and its end is read' $?
answers 67538
cut -f 2 out | grep -q '^bad-answer$'
verdict 'one more: a bad answer' $?
cat > solver << 'END'
#!/bin/sh
truncate -s 1073741824 at 2> /dev/null
truncate -s 1073741825 beyond 2> /dev/null
awk '/^Max (processes|open files|core)/ { print $2, $(NF - 1) }' /proc/self/limits > allowed
while read -r line; do echo '{"id": "1", "p": [0, 0, 0]}'; done
END
impact solve --law maxdiss --exec ./solver table.tsv
[ "$(wc -c < at)" = 1073741824 ] && [ "$(wc -c < beyond)" = 0 ] && [ "$(cut -f 2 out | tail -1)" = not-certified ]
verdict 'a solver outside writes files of 1 GiB, and not more' $?
rm -f at beyond
awk 'BEGIN { most["core"] = 0; most["processes"] = 4096; most["open"] = 1024 }
    $2 == "unlimited" || $2 > most[$1] { bad = 1 } END { exit bad || NR != 3 }' allowed
verdict 'may have 4096 processes and 1024 files open, and leaves no core' $?
solvers=$(many 8 '--exec true --law coulomb ')
impact race $solvers -n 1 --seed 1 sphere
[ $status -le 1 ] && [ "$(grep '^true' out | cut -f 1 | sort -u | wc -l)" = 8 ]
verdict '8 solvers outside' $?
refused 'one more' '8 solvers' race $solvers --exec true --law coulomb -n 1 --seed 1 sphere

# Recordings of impacts: a tag, and how many motions of how many columns, each of how many samples.
export IMPACT_DATA=data
mkdir -p data/real
recorded() { perl -e 'print "CUBE0001", pack "V*", @ARGV' "$@" > data/real/cube_toss_all.f32; }
recorded 1000000 13
refused '1000000 motions, for their lengths' 'the file ends, expected all that it announces' replay --model maxdiss cube
recorded 1000001 13
refused 'one more' '1000001 motions of 13 columns, expected at most 1000000 of 13' replay --model maxdiss cube
recorded 1 13 1000000
refused 'a motion of 1000000 samples, for their rows' 'the file ends, expected all that it announces' replay --model maxdiss cube
recorded 1 13 1000001
refused 'one more' 'motion 0 has 1000001 samples, expected at most 1000000' replay --model maxdiss cube

# What is no file: read where it has an end, refused otherwise. A pipe is copied to the folder of temporary files.
mkfifo pipe && { cat table.tsv > pipe & }
reads 'a named pipe' solve --model maxdiss pipe
mkfifo endless && { cat /dev/zero > endless 2> /dev/null & }
(ulimit -f 20000; trap '' XFSZ; exec "$program" solve --model maxdiss endless) > out 2> err
[ $? = 2 ] && complained 'impact: ' 'endless: cannot be copied to a temporary file: File too large'
verdict 'refused: a pipe that never ends, for the room there is' $?
for command in 'solve --model maxdiss' 'check --model maxdiss table.tsv' flow simulate compare 'flow --resume'; do
    last=
    [ "$command" != 'flow --resume' ] || last=flow.json
    # shellcheck disable=SC2086
    refused "a device: $command" 'is a device, expected a file' $command /dev/zero $last
    mkdir -p folder
    refused "a folder: $command" 'folder' $command folder $last
done
echo "1..$count"
