#!/bin/sh
# Files of --keep that are damaged: what is not as it was written is made anew, and a file of another run is refused.
. "$(dirname "$0")/program.sh"
. "$root/tests/quick_scenes.sh"
command -v perl > /dev/null || {
    echo '1..0 # SKIP no perl'
    exit 0
}

above_ground '"step": {"h": 0.05, "until": 0.15, "model": "gauss-seidel-coulomb"}' > steps.json
above_ground '"impact": {"restitution": 0.5}, "run": {"until": 0.3}' > course.json
between_planes > wedge.json
course="simulate --model newton --bodies bodies course.json"
steps='simulate steps.json'
loose="simulate --model gauss-seidel-coulomb --set max_sweeps=1 --set tolerance=1e-12 --set step.until=0.03 $root/benchmarks/scenes/ten-boxes.json"
sweep='sweep --jobs 1 --model plus --over theta_max=0.1,0.2 wedge.json'

# places STEP STRIDE: of whole.kept one in STEP of the bytes of its title and of the heads of its records, the status among them, and
# of what is behind a head one in STRIDE
places() {
    perl -e 'open F, "<:raw", "whole.kept"; local $/; my ($all, $at) = (scalar <F>, 0); my $behind = 0;
        while ($at < length $all) {
            my $end = $behind ? $at + $behind : 1 + index $all, "\n", $at;
            my $head = substr $all, $at, $end - $at;
            for (my $k = $at + ($ARGV[0] > 1) * 2; $k < $end; $k += $ARGV[$behind > 0]) { print "$k\n" }
            $behind = !$behind && $head =~ /^\d+ \d+ (\d+) \d+\n$/ ? $1 : 0;
            $at = $end;
        }' "$@"
}
# turned AT: kept <- whole.kept with the lowest bit of a byte turned
turned() {
    perl -e 'open F, "<:raw", "whole.kept"; local $/; $_ = <F>; substr($_, $ARGV[0], 1) ^= "\1"; open T, ">:raw", "kept"; print T $_' "$1"
}

# every NAME STATUS COMMAND...: with each byte of its file turned the run goes on to the same table and the same file; in the title
# it is refused
every() {
    name=$1 want=$2
    shift 2
    rm -f whole.kept
    impact "$@" --keep whole.kept
    mv out whole
    [ $status = "$want" ] && [ "$(grep -ac '^[0-9]* [01] [0-9]* [0-9]*$' whole.kept)" -gt 1 ] || echo "exit $status" > wrong
    title=$(head -1 whole.kept | wc -c)
    for at in $(places $step); do
        turned "$at"
        impact "$@" --keep kept
        if [ "$at" -lt "$title" ]; then
            [ $status = 2 ] && [ ! -s out ] && complained 'impact: ' 'kept: is not of this run' || echo "title, $at: exit $status" >> wrong
        else
            [ $status = "$want" ] && cmp -s out whole && cmp -s kept whole.kept || echo "$at: exit $status" >> wrong
        fi
    done
    { cat whole.kept && echo 'behind the last record'; } > kept
    impact "$@" --keep kept
    [ $status = "$want" ] && cmp -s kept whole.kept || echo "what is behind stays" >> wrong
    [ ! -s wrong ] || head -3 wrong > err
    [ ! -s wrong ]
    verdict "$name: no byte that was turned is believed" $?
    rm -f wrong
}
step=$([ "$LONG" ] && echo 1 61 || echo 11 997)
every 'steps' 0 $steps
every 'steps less than solved' 1 $loose
every 'from impact to impact' 0 $course
every 'a sweep' 0 $sweep

# record ITEM STATUS FILE: a record of these bytes, its sum as it must be
record() {
    perl -e 'use integer; local $/; open F, "<:raw", $ARGV[2]; my $bytes = <F> // "";
        my $head = "$ARGV[0] $ARGV[1] " . length($bytes) . " "; my $sum = -3750763034362895579;
        $sum = ($sum ^ ord) * 1099511628211 for split //, $head . $bytes;
        printf "%s%u\n%s", $head, $sum, $bytes' "$@"
}
# part STEPS RUBBED STATE TABLE: a part of a run, without other sheets, its state a file; more arguments are lengths in place of its own
part() {
    perl -e 'my ($steps, $rubbed, $path, $table, @length) = @ARGV; local $/; open F, "<:raw", $path; my $state = <F> // "";
        @length = (length $state, length $table, 0, 0, 0) unless @length;
        print pack("q d2 Q5", $steps, 0, $rubbed, @length), $state, $table' -- "$@"
}
# state_of FILE: the state in the first part of a kept file
state_of() {
    perl -e 'open F, "<:raw", $ARGV[0]; <F>; read F, my $part, (split / /, <F>)[2];
        my @head = unpack "q d2 Q5", $part; print substr $part, 64, $head[3]' "$1"
}
# laid AT PACKING NUMBER FILE: the bytes of a file with a number over them
laid() {
    perl -e 'local $/; open F, "<:raw", $ARGV[3]; my $bytes = <F>; my $own = pack $ARGV[1], $ARGV[2];
        substr($bytes, $ARGV[0], length $own) = $own; print $bytes' "$@"
}
# crafted NAME TEXT STATUS FILE COMMAND...: of a run with one record, whose sum is right; STATUS of the command, 2: refused
crafted() {
    name=$1 text=$2 want=$3 part=$4
    shift 4
    rm -f whole.kept
    impact "$@" --keep whole.kept
    { head -1 whole.kept; record 0 0 "$part"; } > kept
    rm -f table
    impact "$@" --keep kept -o table
    [ $status = "$want" ] && { [ "$want" != 2 ] || { [ ! -e table ] && complained 'impact: ' "$text"; }; }
    verdict "$name" $?
}
: > nothing
impact $steps --keep steps.kept
state_of steps.kept > steps.state
impact $course --keep course.kept
state_of course.kept > course.state
part 1 0 steps.state 'a row' > whole.part
crafted 'a part as it is written' '' 0 whole.part $steps
grep -q 'a row' table
verdict 'its rows are in the table' $?
head -c 20 whole.part > short.part
crafted 'a part shorter than its head' 'what is kept cannot be read: part 0' 2 short.part $steps
for length in '1 0 0 0 0' '0 6 0 0 0' '0 0 18446744073709551615 0 0' '9 9 9 9 9'; do
    part 3 0 nothing 'a row' $length > long.part
    crafted "lengths $length of 5 bytes" 'what is kept cannot be read: part 0' 2 long.part $steps
done
# impossible NAME STATE COMMAND...: a state that such a run cannot come to in its first part
impossible() {
    name=$1
    part 1 0 "$2" '' > cut.part
    shift 2
    crafted "$name" 'kept: what is kept cannot be read: part 0 ends in no state of this run' 2 cut.part "$@"
}
for k in -1 0 2 3 4 9223372036854775807; do
    laid 0 q $k steps.state > cut.state
    impossible "$k steps in the first part" cut.state $steps
done
laid 8 q 1 steps.state | laid 16 l 1 /dev/stdin > cut.state
impossible 'a step without an answer in a part that has all' cut.state $steps
laid 8 q 1 steps.state | laid 16 l 99 /dev/stdin > cut.state
impossible 'a step with a status that is none' cut.state $steps
laid 36 d nan steps.state > cut.state
impossible 'a body nowhere' cut.state $steps
laid 116 l 1 course.state > cut.state
impossible 'over before its time' cut.state $course
laid 116 l 1 course.state | laid 120 l 1 /dev/stdin > cut.state
impossible 'over by impacts that tend to no instant' cut.state $course
laid 116 l 1 course.state | laid 120 l 3 /dev/stdin > cut.state
impossible 'over by an end that is told' cut.state $course
laid 108 q 1000001 course.state > cut.state
impossible 'more steps than run.max_steps' cut.state $course
part -1 0 steps.state '' > cut.part
crafted 'a part after a negative number of steps' 'what is kept cannot be read: part 0' 2 cut.part $steps
part 1 nan steps.state '' > cut.part
crafted 'a part that took no number of J' 'what is kept cannot be read: part 0' 2 cut.part $steps
for cut in steps course; do
    size=$(wc -c < $cut.state)
    for left in 0 4 $((size / 2)) $((size - 1)); do
        head -c $left $cut.state > cut.state
        part 3 0 cut.state '' > cut.part
        eval "crafted 'of $cut $left bytes of a state' 'what is kept cannot be read: ' 2 cut.part \$$cut"
    done
done
echo "1..$count"
