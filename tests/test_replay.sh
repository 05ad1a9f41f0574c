#!/bin/sh
# `impact replay` on recordings made here, in the form of the real ones: a body with known mu and e, whose impulses
# `impact solve` gives for a problem that is assembled here, is flown and written down; the fit finds mu and e again.
. "$(dirname "$0")/program.sh"
command -v perl > /dev/null || { echo "1..0 # SKIP no perl"; exit 0; }
tested=replay
IMPACT_DATA='' "$program" replay --model newton ellipse > out 2> err
[ $? = 2 ] && grep -qF ': ../shared/data/real/ellipse' err
verdict 'a folder of no name is none, as where none is named' $?
export IMPACT_DATA="$work/data"
mkdir -p data/real

# perl made.pl SET MU E: the problems of 60 impacts; with FILE behind it, their answers: the recordings. ELLIPSE_X=1 is the
# ellipse with x to the right, as it is not recorded; LEVEL=1 has its ground level throughout.
cat > made.pl << 'END'
use strict;
use warnings;
my ($set, $mu, $e, $answers) = @ARGV;
my $solid = $set eq 'cube';
my ($m, $k2, $half, $dt) = @{{ellipse => [0.0364, 0.0192**2, 0, 0], cube => [0.37, 0.00081 / 0.37, 0.0524, 1 / 148],
                              square => [1, 0.06**2 / 6, 0.03, 1 / 250]}->{$set}};
my $state = 12345;
sub uniform { my ($low, $high) = @_; $state = ($state * 1103515245 + 12345) % 2147483648; $low + ($high - $low) * $state / 2147483648 }
sub dot { my ($x, $y) = @_; $x->[0] * $y->[0] + $x->[1] * $y->[1] + $x->[2] * $y->[2] }
sub cross { my ($x, $y) = @_;
    [$x->[1] * $y->[2] - $x->[2] * $y->[1], $x->[2] * $y->[0] - $x->[0] * $y->[2], $x->[0] * $y->[1] - $x->[1] * $y->[0]] }
sub sum { my ($x, $s, $y) = @_; [map { $x->[$_] + $s * $y->[$_] } 0 .. 2] }
sub product { my ($p, $q) = @_; my ($a, @x) = @$p; my ($b, @y) = @$q; my $c = cross(\@x, \@y);
    [$a * $b - dot(\@x, \@y), map { $a * $y[$_] + $b * $x[$_] + $c->[$_] } 0 .. 2] }
sub turned { my ($q, $x) = @_; my ($w, @i) = @$q; my $r = product(product($q, [0, @$x]), [$w, map { -$_ } @i]); [@$r[1 .. 3]] }
sub turn { my ($w, $t) = @_; my $size = sqrt(dot($w, $w)) || 1;
    [cos($size * $t / 2), map { sin($size * $t / 2) * $_ / $size } @$w] }
my $up = $solid ? 2 : 1;
my @axis = map { my $i = $_; [map { $_ == $i ? 1 : 0 } 0 .. 2] } 0 .. 2;

my @rows;
if ($answers) {
    open my $in, '<', $answers or die;
    @rows = map { [(split /\t/)[2 .. 4]] } grep { !/^(id|#)/ } <$in>;
    print $set eq 'ellipse' ? "i,x0,y0,th0,vx0,vy0,om0,vx1,vy1,om1,n_x,n_y,n_th,d_x,d_y,d_th\n"
        : ($solid ? 'CUBE0001' : 'SQRD0001') . pack('V62', 60, $solid ? 13 : 6, (20) x 60);
} else {
    print join("\t", qw(id mu W11 W12 W13 W22 W23 W33 q1 q2 q3 e)), "\n";
}
for my $i (0 .. 59) {
    my $tilt = $set eq 'ellipse' && !$ENV{LEVEL} ? uniform(-0.2, 0.2) : 0;
    my $n = $set eq 'ellipse' ? [-sin $tilt, cos $tilt, 0] : $axis[$up];
    my $t = $set eq 'ellipse' ? [cos $tilt, sin $tilt, 0] : $axis[0];
    my @f = ($n, $t, cross($n, $t));
    my $v = $solid ? [uniform(-1.5, 1.5), uniform(-1.5, 1.5), uniform(-2, -1)] : [uniform(-1.5, 1.5), uniform(-2.5, -1.5), 0];
    my $w = $solid ? [map { uniform(-4, 4) } 1 .. 3] : [0, 0, uniform(-6, 6)];
    # the corner that hits, in the body; the pose brings it under the centre, but for some tenths
    my $angle = atan2(1, 1) + uniform(-0.3, 0.3);
    my $body = $solid ? [-$half, -$half, -$half] : [-$half, -$half, 0];
    my $axis = [1 / sqrt 2, -1 / sqrt 2, 0];
    my $pose = $solid ? product(turn([map { uniform(-0.25, 0.25) } 1 .. 3], 1), turn($axis, atan2(sqrt 2, 1))) : turn([0, 0, $angle], 1);
    # every twelfth falls flat: which corner hits is not clear
    if ($i % 12 == 0 && $set ne 'ellipse') { $pose = turn([$solid ? (0.02, 0.01, 0) : (0, 0, 0.02)], 1); $angle = 0.02 }
    my $r = $set eq 'ellipse' ? sum([map { -0.03 * $_ } @$n], uniform(-0.012, 0.012), $t) : turned($pose, $body);
    my (@W, @q);
    for my $a (0 .. 2) {
        push @q, dot($f[$a], sum($v, 1, cross($w, $r)));
        push @W, map { dot($f[$a], $f[$_]) / $m + dot(cross($r, $f[$a]), cross($r, $f[$_])) / ($m * $k2) } $a .. 2;
    }
    if (!$answers) { print join("\t", $i, $mu, (map { sprintf '%.17g', $_ } @W, @q), $e), "\n"; next }
    my $push = [0, 0, 0];
    $push = sum($push, $rows[$i][$_], $f[$_]) for 0 .. 2;
    my $v1 = sum($v, 1 / $m, $push);
    my $w1 = sum($w, 1 / ($m * $k2), cross($r, $push));
    if ($set eq 'ellipse') {
        my $x = $ENV{ELLIPSE_X} // -1;
        print join(',', $i, 0, 0, 0, $x * $v->[0], $v->[1], $w->[2], $x * $v1->[0], $v1->[1], $w1->[2],
            @$n[0, 1], cross($r, $n)->[2], @$t[0, 1], cross($r, $t)->[2]), "\n";
        next;
    }
    for my $k (-9 .. 10) { # half a sample beside the impact, which is at 0
        my $time = ($k - 0.5) * $dt;
        my ($vk, $wk) = $k > 0 ? ($v1, $w1) : ($v, $w);
        my $x = sum([map { -$_ } @$r], $time, $vk);
        $x->[$up] -= 9.81 / 2 * $time**2;
        $vk = sum($vk, -9.81 * $time, $axis[$up]);
        my $q = product(turn($wk, $time), $pose);
        my $turn = $time * $wk->[2];
        # of every twelve, one is seen turned by a quarter for a sample, above the ground; one does not fly for a while
        if ($i % 12 == 1 && $k == 1) {
            $q = product(turn($axis[0], atan2(1, 0)), $q);
            $turn += atan2(1, 0);
            $x->[$up] += 0.03;
        }
        $vk = sum($vk, $k % 2 ? 1 : -1, $axis[0]) if $i % 12 == 2 && $k > 0 && $k < 6;
        print pack 'f<*', $solid ? (@$x, @$q, @$vk, @{turned([$q->[0], map { -$_ } @$q[1 .. 3]], $wk)})
            : (@$x[0, 1], $angle + $turn, @$vk[0, 1], $wk->[2]);
    }
}
END

# recorded SET FILE MODEL MU E: writes data/real/FILE
recorded() {
    perl made.pl "$1" "$4" "$5" > problems.tsv && "$program" solve --model "$3" -o solved.tsv problems.tsv 2> err &&
        perl made.pl "$1" "$4" "$5" solved.tsv > "data/real/$2"
}
# column NAME: of the first row of out
column() { awk -F '\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) k = i } NR == 2 { print $k }' out; }
below() { awk -v x="$1" -v limit="$2" 'BEGIN { exit !(x != "" && x < limit) }'; }

refused 'no data' "no data of the ellipse: $work/data/real/ellipse_impacts.csv is not there, expected it in real/ of"

# found SET FILE MODEL MU E ERROR LEFT: mu and e are found, by every fold, from what the model itself made; LEFT recordings
# are left out
found() {
    recorded "$1" "$2" "$3" "$4" "$5"
    impact replay --model "$3" --each each.tsv "$1"
    [ $status = 0 ] && [ ! -s err ] && [ "$(wc -l < out)" = 2 ] && [ "$(column model)" = "$3" ]
    verdict "$1 by $3: a row" $?
    [ "$(column mu)$tab$(column mu_low)$tab$(column mu_high)" = "$4$tab$4$tab$4" ] &&
        [ "$(column e)$tab$(column e_low)$tab$(column e_high)" = "$5$tab$5$tab$5" ]
    verdict "$1 by $3: mu $4 and e $5 are found by every fold" $?
    below "$(column mean)" "$6" && below "$(column floor)" "$6" && below 0.02 "$(column floor_mirrored)"
    verdict "$1 by $3: with errors and a floor below $6" $?
    [ "$(column impacts) $(column left_out)" = "$((60 - $7)) $7" ] && [ "$(wc -l < each.tsv)" = $((61 - $7)) ]
    verdict "$1 by $3: $7 recordings are left out" $?
}
found cube cube_toss_all.f32 maxdiss 0.21 0.37 1e-3 15
found square square_drop_all.f32 planar-newton 0.12 0.45 1e-3 15
found ellipse ellipse_impacts.csv planar-poisson 0.31 0.52 1e-5 0
impact replay --model planar-poisson,darboux-poisson,newton --pairs pairs.tsv ellipse
cut -f2,3,7 pairs.tsv | tail -n +2 | tr '\t\n' ' ;' > said
[ "$(cat said)" = 'planar-poisson darboux-poisson no;planar-poisson newton yes;darboux-poisson newton yes;' ]
verdict 'two ways to one law are not told apart, another law is' $?
[ "$(awk -F '\t' 'NR > 1 && $5 <= $4 && $4 <= $6 && ($7 == "yes") == ($5 > 0 || $6 < 0)' pairs.tsv | wc -l)" = 3 ]
verdict 'pairs are apart where 0 is not in their interval' $?
cp out fitted
impact replay --model planar-poisson,newton --pairs two.tsv ellipse
[ "$(sed -n 3p pairs.tsv)" = "$(sed -n 2p two.tsv)" ]
verdict 'an answer that is there twice widens no interval' $?
impact replay --model planar-poisson,darboux-poisson,newton ellipse
cmp -s out fitted
verdict 'the same a second time' $?
impact replay --model planar-poisson --set mu=0.31 --set e=0.42 ellipse
[ "$(column mu) $(column e)" = '0.31 0.42' ] && below 0.01 "$(column mean)"
verdict 'another e, given, has errors' $?
impact replay --model coulomb,frictionless ellipse
[ "$(column e)" = 0 ] && [ "$(sed -n 3p out | cut -f7-9)" = "0${tab}0${tab}0" ] && [ "$(sed -n 3p out | cut -f10)" != 0 ]
verdict 'no restitution and no friction where a model has none' $?
[ "$(column mu_low)" != "$(column mu_high)" ]
verdict 'a fold is fitted without itself: where the model is another, mu depends on it' $?
awk -F '\t' 'NR > 1 && !($14 < $13 && $13 < $15 && 0.3 * $13 < $15 && $15 - $14 > 0.03 * $13 && $15 - $14 < 0.6 * $13)' out > said
[ ! -s said ]
verdict 'the mean lies in its interval, which 60 impacts leave open by some hundredths' $?
cat > solver.pl << 'END'
use JSON::PP;
$| = 1;
while (<STDIN>) {
    my $problem = decode_json($_);
    print encode_json({p => [-(1 + $problem->{e}[0]) * $problem->{q}[0] / $problem->{W}[0][0], 0, 0]}), "\n";
}
END
impact replay --model frictionless --exec 'perl solver.pl' --law frictionless --set mu=0 --set e=0.5 square
[ $status = 0 ] && [ ! -s err ] && [ "$(sed -n 2p out | cut -f3-)" = "$(sed -n 3p out | cut -f3-)" ] && [ "$(wc -l < out)" = 3 ]
verdict 'a solver of your own has its row behind the others' $?
sed 's/^    my/    if ($k++ % 45 == 4) { print qq({"status": "unsupported"}\\n); next }\n    my/' solver.pl > choosy.pl
impact replay --model frictionless --exec 'perl choosy.pl' --law frictionless --set mu=0 --set e=0.5 square
[ $status = 1 ] && [ "$(sed -n 3p out | cut -f6)" = 1 ] && [ "$(sed -n 3p out | cut -f13)" ] &&
    complained 'impact: square: perl: impact ' ': it says "unsupported" itself'
verdict 'one that it does not take is one that it has not solved: a line with the reason, exit 1' $?
impact replay --exec 'perl solver.pl' --model newton --law moreau --set mu=0.1 --set e=0.5 square
[ $status = 1 ] && [ "$(tail -1 out | cut -f3,6)" = "ok${tab}45" ] && below "$(tail -1 out | cut -f13)" 0.3 &&
    complained 'impact: square: perl: impact 3: ' 'not-certified'
verdict 'wrong answers count by their own errors, and the first is named' $?
# failing WHAT NUMBER: what it does instead of an answer, to the problem of a number, without it to each; a line of
# `asked` for each
cat > failing << 'END'
while read -r line; do
    echo >> asked
    id=${line#*\"id\":\"} && id=${id%%\"*}
    case $1-${2:-$id} in
    ends-$id) exit 3 ;;
    hangs-$id) exec sleep 100 ;;
    garbles-$id) echo hello ;;
    *) echo '{"p": [0, 0, 0]}' ;;
    esac
done
END
# fails NAME STATUS ASKED REASON ARGUMENTS: the status alone in its row, the reason in a line, so many questions, exit 1
fails() {
    name=$1 want=$2 asked=$3 reason=$4
    shift 4
    rm -f asked
    impact replay --model frictionless --law frictionless --time-limit 0.1 --pairs pairs.tsv "$@" square
    [ $status = 1 ] && [ "$(sed -n 3p out | cut -f2-16)" = "sh$tab$want${tab}45${tab}15$(printf '\t%.0s' 1 2 3 4 5 6 7 8 9 10 11)" ] &&
        complained 'impact: square: sh: impact 3: ' "$reason" && [ "$(sed -n 2p out | cut -f3)" = ok ]
    verdict "$name: $want" $?
    [ "$(wc -l < asked)" = "$asked" ] && [ "$(wc -l < pairs.tsv)" = 1 ]
    verdict "$name: $asked questions" $?
}
given='--set mu=0 --set e=0.5'
fails 'one that ends at each problem' crashed 45 'crashed: exit status 3' --exec 'sh failing ends' $given
fails 'one that answers none' bad-answer 45 'bad answer: its line:1:' --exec 'sh failing garbles' $given
fails 'one that hangs at each problem' timed-out 45 'timed out: no answer within 0.1 s' --exec 'sh failing hangs' $given
fails 'one that ends at each problem of a fit' crashed 45 'crashed: exit status 3' --exec 'sh failing ends'
fails 'one that hangs at each problem of a fit' timed-out 10 'timed out: no answer within 0.1 s' --exec 'sh failing hangs'
for ends in 3 10; do
    rm asked
    impact replay --model frictionless --exec "sh failing garbles $ends" --law frictionless --set mu=0 --set e=0 square
    [ $status = 1 ] && [ "$(tail -1 out | cut -f3,6)" = "ok${tab}45" ] && [ "$(wc -l < asked)" = 45 ]
    verdict "each problem is asked once where nothing is fitted, whatever came of another ($ends)" $?
done
rm asked
impact replay --model frictionless --exec 'sh failing answers 0' --law frictionless --set e=0 square
[ $status = 1 ] && [ "$(wc -l < asked)" = 45 ]
verdict 'nor is anything fitted where the law has no friction' $?
sed 's/\(decode_json.*;\)/\1 exit 3 if abs($problem->{e}[0] - 0.5) == 0.5;/' solver.pl > inner.pl
impact replay --model frictionless --exec 'perl inner.pl' --law frictionless square
[ $status = 0 ] && [ ! -s err ] && [ "$(sed -n 2p out | cut -f3-)" = "$(sed -n 3p out | cut -f3-)" ]
verdict 'one that has no answer at the ends of what is fitted is fitted like any' $?
impact replay --model planar-newton cube
[ $status = 0 ] && [ "$(column status)" = unsupported ] && [ -z "$(column mean)" ]
verdict 'a planar model is not asked about a cube' $?

ELLIPSE_X=1 recorded ellipse ellipse_impacts.csv planar-poisson 0.31 0.52
impact replay --model planar-poisson ellipse
[ $status = 1 ] && [ "$(wc -l < err)" = 1 ] && grep -q '^impact: ellipse: x is mirrored: the floor is 0.* as read and .*e-[0-9]* with x turned about$' err
verdict 'x of the wrong hand is seen: a line, exit 1' $?
# noisy SEED: the ellipse's file with velocities after the impact that are off by a thousandth or so
noisy() {
    awk -F , -v OFS=, -v seed="$1" 'function off(by) { seed = (seed * 16807) % 2147483647; return by * (seed / 1073741824 - 1) }
        NR > 1 { $8 += off(0.002); $9 += off(0.002); $10 += off(0.1) } { print }' bounces.csv > data/real/ellipse_impacts.csv
    impact replay --model frictionless ellipse
}
ELLIPSE_X=1 recorded ellipse bounces.csv planar-poisson 0.31 0.52
mv data/real/bounces.csv .
noisy 1000
[ $status = 1 ] && grep -q '^impact: ellipse: x is mirrored' err
verdict '  of noisy velocities too' $?
LEVEL=1 recorded ellipse bounces.csv planar-poisson 0 0.52
mv data/real/bounces.csv .
cp bounces.csv data/real/ellipse_impacts.csv
impact replay --model frictionless ellipse
[ $status = 0 ] && [ ! -s err ] && below "$(column floor_mirrored)" 1e-9
verdict 'level and without friction there is no hand: floors that differ by rounding say nothing' $?
said=
for seed in 1000 2000 3000 4000 5000 6000 7000 8000; do
    noisy $seed
    said="$said$(cat err)"
done
[ -z "$said" ] && below 1e-5 "$(column floor_mirrored)"
verdict '  nor do those that differ by noise' $?

ELLIPSE_X=1 recorded ellipse ellipse_impacts.csv planar-poisson 0.31 0.52
cp data/real/ellipse_impacts.csv good.csv
for k in 1 2 3 4 5 6 7 8 9 10 11 12; do sed -n 2p good.csv; done > same
{ sed -n 1p good.csv; cat same; } > data/real/ellipse_impacts.csv
impact replay --model planar-poisson,newton,maxdiss --set mu=0.3 --set e=0.4 --pairs pairs.tsv ellipse
[ "$(awk -F '\t' 'NR > 1 && $4 == $5 && $5 == $6' pairs.tsv | wc -l)" = 3 ] && ! grep -qi 'nan\|inf' pairs.tsv
verdict 'the same impact again and again leaves no NaN, and no width' $?
cp good.csv data/real/ellipse_impacts.csv
# spoilt NAME TEXT SED: the ellipse's file, changed
spoilt() {
    sed "$3" good.csv > data/real/ellipse_impacts.csv
    refused "$1" "$2" --model maxdiss ellipse
}
spoilt 'a word for a number' 'vy0 is "x", expected a decimal number' '3s/^\([^,]*,[^,]*,[^,]*,[^,]*,[^,]*\),[^,]*/\1,x/'
spoilt 'a line that ends' 'fewer than 16 fields' '4s/^\([^,]*,[^,]*\),.*/\1,1/'
spoilt 'a column missing' ':1:1: no column d_th, expected a comma-separated header' '1s/d_th/other/'
spoilt 'a normal that is none' 'n_x is "2", expected n and d of unit length at a right angle' '5s/^\(\([^,]*,\)\{10\}\)[^,]*/\12/'
spoilt 'few impacts' '5 impacts, expected at least 10' '7,$d'
spoilt 'a velocity beyond number' 'impact 1: not-finite' '3s/^\(\([^,]*,\)\{5\}\)[^,]*/\1-1e300/'
cp data/real/cube_toss_all.f32 good.f32
# wrong NAME TEXT OFFSET BYTES: the cube's file, bytes of it changed; CUT keeps so many
wrong() {
    perl -e 'local $/; open my $in, "<:raw", "good.f32"; $_ = <$in>; substr($_, $ARGV[0], length $ARGV[1]) = $ARGV[1];
        print substr($_, 0, $ENV{CUT} || length)' "$3" "$4" > data/real/cube_toss_all.f32
    refused "$1" "cube_toss_all.f32: $2" --model maxdiss cube
}
wrong 'another tag' 'another beginning, expected "CUBE0001"' 0 CUBE0002
CUT=5 wrong 'a part of the tag' 'another beginning' 0 C
CUT=100 wrong 'a part of the lengths' 'the file ends, expected all that it announces' 0 C
CUT=9000 wrong 'a part of the samples' 'the file ends, expected all that it announces' 0 C
wrong 'more than the lengths say' 'the file goes on, expected no more than it announces' "$(wc -c < good.f32)" A
wrong 'motions beyond number' '1094795592 motions of 13 columns, expected at most 1000000 of 13' 8 'HAAA'
wrong 'other columns' '60 motions of 65 columns, expected at most 1000000 of 13' 12 A
wrong 'samples beyond number' 'motion 1 has 1094795540 samples, expected at most 1000000' 21 AAA
wrong 'a quaternion that is none' 'motion 0, sample 0: a quaternion of another length, expected 1' 271 '?????'
wrong 'a number that is none' 'motion 0, sample 1: a number that is not finite' 308 "$(printf '\377\377\377\177')"
refused 'an unknown set' 'unknown data "cub" (did you mean "cube"?), expected ellipse, cube or square' cub
refused 'a set twice' 'square stands twice' square square
refused 'another setting' '--set is "nu=1", expected mu=VALUE or e=VALUE' --set nu=1 square
refused 'e above 1' '--set is "e=1.5", expected a number from 0 to 1' --set e=1.5 square
refused 'a word for mu' '--set is "mu=x", expected' --set mu=x square
refused 'an output over the data' 'is also the input, expected another file' square --each data/real/square_drop_all.f32
for name in -o --each --pairs; do
    refused "an output ($name) over data that are not asked for" 'is also the input, expected another file' \
        ellipse --model maxdiss $name data/real/square_drop_all.f32
done
ln data/real/square_drop_all.f32 square.tsv && ln -s data/real again
for name in square.tsv again/square_drop_all.f32; do
    refused "  under another name: $name" 'is also the input, expected another file' ellipse --model maxdiss -o $name
done
rm data/real/cube_toss_all.f32
refused 'an output in the place of data' '"again/cube_toss_all.f32" would be the data of the cube, expected another file for' \
    ellipse --model maxdiss -o again/cube_toss_all.f32
[ ! -e data/real/cube_toss_all.f32 ]
verdict '  which are not there then' $?
refused 'a set that is not there' 'no data of the cube: ' cube
cp good.csv data/real/ellipse_impacts.csv
impact replay --model maxdiss --set mu=0.3 --set e=0.5
[ "$(wc -l < err)" = 2 ] && grep -q 'no data of the cube' err && [ "$(cut -f1 out | tr '\n' ' ')" = 'data ellipse square ' ]
verdict 'what is not there is left out with a line, where no set is named' $?
echo "1..$count"
