#!/bin/sh
# Tables on a terminal, that script(1) makes: they fit its width, in columns, coloured where that is wanted; in a pipe
# they stand as ever.
. "$(dirname "$0")/program.sh"
command -v script > /dev/null && [ "$(script -qec 'test -t 1 && echo yes' /dev/null < /dev/null | tr -d '\r')" = yes ] || {
    echo '1..0 # SKIP no script(1) that makes a terminal'
    exit 0
}
unset NO_COLOR COLUMNS
escape=$(printf '\033')

# shown COMMAND: out <- what a terminal of its own gets; settings of the environment stand before COMMAND
shown() {
    TERM=xterm script -qec "$1" /dev/null < /dev/null 2> err | tr -d '\r' > out
}
plain() { # out without its colours
    sed -i "s/${escape}\[[0-9;]*m//g" out
}
widest() {
    awk '{ if (length($0) > most) most = length($0) } END { print most + 0 }' out
}

"$program" problems free-box-1 -n 12 --seed 3 -o problems.tsv
"$program" solve --model coulomb -o solved.tsv problems.tsv
solve="'$program' solve --model coulomb problems.tsv"

for columns in 30 47 80 200; do
    shown "COLUMNS=$columns $solve"
    plain
    [ "$(widest)" -le $columns ] && [ "$(widest)" -gt $((columns / 2)) ]
    verdict "a table fits $columns columns" $?
    for name in $(head -1 solved.tsv); do
        grep -q "^\(.* \)*$name\( .*\)*\$" out || echo "$name is missing"
    done > missing
    [ ! -s missing ] && [ $(($(grep -c '^free-box-1-3-11 ' out))) = "$(grep -c '^id ' out)" ]
    verdict "all of its columns, each with all rows" $?
done
awk 'NR == FNR { if (NR > 1) p[$1] = $3; next } FNR > 1 { d = $3 - p[$1]; if (d < 0) d = -d; if (d > 1e-5 * (p[$1] < 0 ? -p[$1] : p[$1])) bad = 1 }
    END { exit bad }' solved.tsv out
verdict 'numbers are those of the file, to six digits' $?
awk 'FNR == 2 { n = length($0) } FNR > 1 && length($0) != n { bad = 1 } END { exit bad }' out
verdict 'rows of numbers end below each other' $?
shown "stty cols 64; $solve"
plain
[ "$(widest)" -le 64 ] && [ "$(widest)" -gt 50 ]
verdict 'the width of the terminal itself' $?
shown "COLUMNS=80 $solve -o /dev/stdout"
cmp -s out solved.tsv
verdict 'a file that is named is written as a file' $?
shown "COLUMNS=80 $solve | cat"
cmp -s out solved.tsv
verdict 'a pipe gets tabs and all digits' $?

shown "COLUMNS=200 $solve"
grep -q "^${escape}\[1mid${escape}\[0m" out && [ "$(grep -c "${escape}\[32mok${escape}\[0m" out)" = 12 ]
verdict 'colour on a terminal' $?
for wish in NO_COLOR=1 TERM=dumb; do
    shown "$wish COLUMNS=200 $solve"
    ! grep -q "$escape" out && [ "$(grep -c ' ok ' out)" = 12 ]
    verdict "none with $wish" $?
done
mkdir folder
cp problems.tsv "folder/a${escape}[2Jb.tsv"
mkdir solved
cp solved.tsv "solved/a${escape}[2Jb.tsv"
shown "NO_COLOR=1 COLUMNS=200 '$program' check --model coulomb folder solved"
! grep -q "$escape" out && [ "$(grep -c '^a?\[2Jb.tsv ' out)" -ge 12 ]
verdict 'what a name would tell a terminal is not obeyed' $?
csi=$(printf '\302\233') # what begins an escape sequence in one character, U+009B
sed "3s/^[^	]*/A${csi}31mB/" problems.tsv > csi.tsv
for command in 'solve --model coulomb csi.tsv' 'convert --to json csi.tsv -'; do
    shown "NO_COLOR=1 COLUMNS=200 '$program' $command"
    ! grep -q "$csi" out && grep -q 'A?31mB' out
    verdict "nor what an id would in a character beyond ASCII: $command" $?
done

shown "NO_COLOR=1 COLUMNS=60 '$program' models"
[ "$(widest)" -le 60 ] && grep -q '\.\.\.$' out && grep -q '^auto .*Signorini' out
verdict 'words that do not fit end in dots' $?
shown "COLUMNS=60 '$program' convert --to json problems.tsv -; COLUMNS=40 '$program' problems pile --seed 1"
grep -q '"mu"' out && [ "$(widest)" -gt 100 ]
verdict 'JSON stands as it is' $?
shown "COLUMNS=80 '$program' problems free-box-1 -n 450 --seed 3"
plain
[ "$(grep -c '^free-box-1-3-449 ' out)" -ge 2 ] && [ "$(widest)" -le 80 ]
verdict 'a table longer than what waits' $?
shown "'$program' race auto coulomb sphere -n 200 --seed 1"
sed "s/.*${escape}\[K//" out | head -1 | grep -q '^# impact race'
verdict 'progress is cleared before rows' $?
(exec > /dev/full && eval "$solve") 2> err
[ $? = 2 ] && [ "$(wc -l < err)" = 1 ]
verdict 'a full device is said in a line' $?
echo "1..$count"
