#!/bin/sh
# `impact simulate --vtk`: the pictures hold what the tables hold, read back from their bytes; whole or not at all.
. "$(dirname "$0")/program.sh"
tested=simulate
scenes=$root/benchmarks/scenes

# array FILE NAME: the numbers of an array of doubles, a point a line
array() {
    perl -e 'local $/; binmode STDIN; $_ = <STDIN>; my ($name) = @ARGV;
        my $mark = "<AppendedData encoding=\"raw\">\n_"; my $data = index($_, $mark) + length $mark;
        /<DataArray type="Float64" Name="\Q$name\E" NumberOfComponents="(\d+)" format="appended" offset="(\d+)"/ or exit 1;
        my @x = unpack("d*", substr($_, $data + $2 + 8, unpack("Q", substr($_, $data + $2, 8))));
        while (@x) { print join("\t", map { sprintf "%.17g", $_ } splice(@x, 0, $1)), "\n" }' "$2" < "$1"
}
# thinned: of lines that begin with times, in the short form those of every fifth time
thinned() { awk -v share=$([ "$LONG" ] && echo 1 || echo 5) '!(n && $1 - last < 1e-9) { n++ } { last = $1 } (n - 1) % share == 0'; }
# agrees INDEX TABLE COLUMNS ARRAY...: the fields COLUMNS of the table's rows are the arrays of all pictures, at their times; in the
# short form of every fifth
agrees() {
    index=$1 table=$2 columns=$3
    shift 3
    sed -n 's/^<DataSet timestep="\(.*\)" file="\(.*\)".*/\1 \2/p' "seen/$index" | thinned > pictures
    while read -r time file; do
        for name in "$@"; do
            array "seen/$file" "$name" > "$name.array" || exit 1
        done
        paste $(printf '%s.array ' "$@") | sed "/[0-9]/!d; s/^/$time$tab/"
    done < pictures > found
    tail -n +2 "$table" | cut -f "1,$columns" |
        awk -F "$tab" 'NR == FNR { asked[n++] = $1 + 0; next }
            { for (i = 0; i < n; i++) { d = $1 - asked[i]; if (d < 1e-9 && d > -1e-9) { print; next } } }' pictures - > wanted
    [ -s wanted ] && awk -F "$tab" 'NR == FNR { want[FNR] = $0; n = FNR; next }
        { if (split(want[FNR], w, "\t") != NF) bad = 1
          for (i = 1; i <= NF; i++) { d = $i - w[i]; if (d > 1e-12 || d < -1e-12) bad = 1 } }
        END { exit bad || FNR != n }' wanted found
}

# On half spaces facing up the contact frame is (z, x, y).
for case in 'newton bounce' 'drumwright ramp'; do
    model=${case% *} scene=${case#* }
    rm -rf seen
    impact simulate --model "$model" --bodies bodies.tsv --contacts contacts.tsv --vtk seen --every 3 "$scenes/$scene.json"
    [ $status = 0 ] && [ "$(ls seen/*.vtu | wc -l)" = "$(grep -h DataSet seen/bodies.pvd seen/contacts.pvd | wc -l)" ]
    verdict "$scene: as many pictures as the indices name" $?
    agrees bodies.pvd bodies.tsv 3-15 position orientation velocity spin
    verdict "$scene: bodies are where the table has them" $?
    awk -F "$tab" -v OFS="$tab" 'NR == 1 { print; next } { print $1, $4, $6, $7, $5, $9, $10, $8 }' contacts.tsv > turned.tsv
    case $scene in
    bounce) agrees contacts.pvd turned.tsv 2-8 gap impulse velocity ;;
    *) agrees contacts.pvd contacts.tsv 4 gap ;;
    esac
    verdict "$scene: contacts have their gaps, impulses and velocities" $?
done
array "seen/$(sed -n 's/.*file="\(contacts.*\)".*/\1/p' seen/contacts.pvd | tail -1)" impulse |
    awk '{ z += $3 } END { exit !(z > 0.05) }'
verdict 'ramp: impulses point up' $?

impact simulate --model newton --vtk nowhere/seen -o table.tsv "$scenes/bounce.json"
[ $status = 2 ] && [ ! -e table.tsv ] && [ "$(wc -l < err)" = 1 ]
verdict 'a folder that cannot be made: one line, exit 2, no table' $?
if [ -w /dev/full ]; then
    impact simulate --model newton --vtk none -o /dev/full "$scenes/bounce.json"
    [ $status = 2 ] && [ ! -e none ]
    verdict 'a run that fails leaves no folder' $?
fi
impact simulate --model maxdiss --vtk early "$scenes/cradle.json"
[ $status = 1 ] && [ "$(grep -c '<DataSet' early/bodies.pvd)" -ge 1 ]
verdict 'one that ends before its time has its pictures up to there' $?
mkdir -p half/contacts-000000003.vtu
impact simulate --model newton --vtk half -o table.tsv "$scenes/bounce.json"
[ $status = 2 ] && [ "$(ls half)" = contacts-000000003.vtu ] && [ ! -e table.tsv ]
verdict 'a picture that cannot be written takes the others with it' $?

# What it writes in the folder is neither the scene nor another output
bounce=$scenes/bounce.json
mkdir own own/again
for file in bodies.pvd contacts.pvd bodies-000000001.vtu; do
    cp "$bounce" own/$file
    refused "a scene that is $file" "\"own/$file\", which is to be written, is also the input, expected another folder" \
        --model newton --vtk own own/$file
    [ "$(ls own | tr '\n' ' ')" = "$(printf '%s\n' again $file | sort | tr '\n' ' ')" ] && cmp -s own/$file "$bounce"
    verdict 'and stays, alone' $?
    rm own/$file
    refused "another output that is $file" "\"own/$file\" is written twice, expected another file" \
        --model newton --vtk own --bodies own/again/../$file "$bounce"
    [ "$(ls own)" = again ]
    verdict 'and nothing is written' $?
done
refused 'what is kept' '"own/contacts.pvd" is written twice' --model newton --vtk own --keep own/contacts.pvd "$bounce"
for file in new ./new/; do
    refused "the folder $file, which is not there" "\"$file\" is written twice" --model newton --vtk $file --contacts new "$bounce"
    [ ! -e new ]
    verdict 'and is not made' $?
done

# Interrupted while it writes very many pictures, it stops, and takes away what it has written.
perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' "$program" simulate --model plus --vtk many -o many.tsv --keep many.kept \
    --set step.h=0.001 --set step.until=6 "$scenes/ramp.json" > out 2> err &
victim=$!
tries=0
while [ ! -e many/bodies-000000009.vtu ] && [ $tries -lt 3000 ]; do
    sleep 0.02
    tries=$((tries + 1))
done
kill -INT $victim
wait $victim
[ $? = 130 ] && [ $tries -lt 3000 ] && [ ! -s err ] && [ ! -e many ] && [ ! -e many.tsv ] && [ -s many.kept ]
verdict 'interrupted among its pictures: none, no table, no word; what is kept stays' $?

(ulimit -f 4 && impact simulate --model newton --vtk grown "$scenes/bounce.json"; exit $status)
[ $? = 2 ] && [ ! -s out ] && complained 'impact: ' 'File too large' && [ ! -e grown ]
verdict 'files that may not grow: one line, no folder' $?
if [ -w /dev/full ]; then
    impact simulate --model newton --vtk full --bodies full.tsv -o /dev/full "$scenes/bounce.json"
    [ $status = 2 ] && [ ! -e full ] && [ ! -e full.tsv ] && [ "$(wc -l < err)" = 1 ]
    verdict 'where the table cannot be written there are no pictures, and no bodies' $?
fi
echo "1..$count"
