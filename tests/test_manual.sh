#!/bin/sh
# The manual pages: well formed, the library's with every word of its headers; impact has every column and every field of
# the answers; impact-laws defines every law of the table, with its models and the file of its certificate, and every
# residual that a certificate names. The README's table has every model. test_manual.sh MODEL: of the models this one alone.
. "$(dirname "$0")/program.sh"
page=$root/cli/impact-laws.7

# lint NAME PAGE...: mandoc finds no fault; pages that are not installed here may be referred to
lint() {
    name=$1
    shift
    if ! command -v mandoc > /dev/null; then echo "ok $((count += 1)) - $name # SKIP no mandoc" && return; fi
    mandoc -T lint -W style "$@" 2> err | grep -v 'referenced manual not found: Xr \(lib\)\?impact' > out
    ! grep -v 'outdated mandoc.db' err && [ ! -s out ]
    verdict "$name" $?
}
if [ $# = 0 ]; then
    for name in impact.1 impact-laws.7; do lint "$name is well formed" "$root/cli/$name"; done

    # The synopsis of a command has every option of its help; --traffic is for impact-mpi.
    "$program" --help | sed -n 's/^  \([a-z]*\) .*/\1/p' | while read -r command; do
        "$program" "$command" --help | sed -n 's/^  --\([a-z-]*\) .*/\1/p' | grep -vx 'help\|traffic' |
            sed 's/^output$/o/; s/^count$/n/' | sort > asked
        awk -v command=".Cm $command" '/^\.Sh DESC/ { exit } /^\.Nm/ { on = 0 } $0 == command { on = 1 } on' "$root/cli/impact.1" |
            sed -n 's/^\.\(Op \)\{0,1\}//; s/Fl -\{0,1\}\([a-z-]*\)/\n\1\n/gp' | sort -u > written
        comm -23 asked written | sed "s/^/$command: /"
    done > out
    [ ! -s out ]
    verdict 'the synopsis of every command has its options' $?

    # Pages that are made: nothing of a header is lost, every exported name is found.
    make -s -C "$root" man BUILD="$work/made" > out 2> err
    verdict 'make man' $?
    lint 'what it makes is well formed' $(grep -L '^\.so ' made/man/*)
    grep -h '^\.so ' made/man/* | sort -u | while read -r _ page; do [ -s "made/man/${page#man3/}" ] || echo "$page"; done > out
    [ ! -s out ]
    verdict 'pages of functions are those of their headers' $?
    grep -o '^imp_[a-z0-9_]*' "$root/tests/exported.txt" | while read -r name; do
        [ -s "made/man/$name.3" ] || echo "$name"
    done > out
    [ ! -s out ] && [ -s made/man/imp_dump_step.3 ]
    verdict 'every exported name has a page' $?
    sed -n 's/^#include "\(.*\/\)\(.*\)\.h"/\1 \2/p' "$root/lib/impact.h" | while read -r folder name; do
        page=made/man/impact-$(echo "$name" | tr _ -).3
        grep -q '^[a-z].*;' "$root/lib/$folder$name.h" || continue # it has others' declarations
        sed '1s/.*\.h - //; /^#\(ifndef\|include\|undef\|endif\)/d; /^#define IMP_[A-Z_]*_H$/d; /^IMP_PUBLIC_END/,$d; /^IMP_PUBLIC_/d' "$root/lib/$folder$name.h" |
            grep -oE '[A-Za-z0-9_]+' | sort -u > words
        grep -oE '[A-Za-z0-9_]+' "$page" | sort -u | comm -23 words - | sed "s|^|$name.h: |"
    done > out
    [ ! -s out ]
    verdict 'pages have every word of their headers' $?
    [ "$(grep -c '^\.It Xr impact' made/man/libimpact.3)" = "$(find made/man -name 'impact[-_]*.3' | wc -l)" ]
    verdict 'libimpact.3 lists the pages' $?

    # What is displayed there, a line each, against the first lines of tables; those of check end in the law's residuals.
    awk '/^\.Dl / { sub(/^\.Dl /, ""); line = line (line ? " " : "") $0; next } line { print line; line = "" }' \
        "$root/cli/impact.1" > displayed
    # displays NAME ARGUMENTS: impact.1 has the columns of that answer, the command's help too where it lists any
    displays() {
        name=$1
        shift
        "$program" "$@" 2> err | grep -v '^#' | head -1 | tr '\t' ' ' | sed 's/ signorini .*/ .../' > out
        grep -qxF -e "$(cat out)" displayed
        verdict "$name: impact.1 has its columns" $?
    }
    helps() {
        "$program" "$1" --help | tr '\n' ' ' | grep -qF -e " $(cat out)"
        verdict "$1: its help has them" $?
    }
    {
        echo "id mu W11 W12 W13 W22 W23 W33 q1 q2 q3"
        echo "a 0.3 1 0 0 3.5 0 3.5 -1 -5 3"
    } | tr ' ' '\t' > one.tsv
    displays solve solve --model maxdiss one.tsv
    helps solve
    "$program" solve --model maxdiss -o solved.tsv one.tsv
    displays check check --model maxdiss one.tsv solved.tsv
    displays enumerate enumerate one.tsv
    helps enumerate
    { head -1 one.tsv | tr -d '\n' && printf '\tb1\tb2\tb3\n' && tail -1 one.tsv | tr -d '\n' && printf '\t-9.81\t0\t0\n'; } > force.tsv
    displays 'enumerate --forces' enumerate --forces force.tsv
    helps enumerate
    displays compare compare "$root/benchmarks/scenes/ball.json"
    impact compare --model maxdiss --impulses impulses.tsv --history history.tsv "$root/benchmarks/scenes/ball.json"
    # presents FILE COMMAND: a file beside the output, in impact.1 and in the command's help
    presents() {
        head -1 "$1" | tr '\t' ' ' > out
        grep -qxF -e "$(cat out)" displayed
        verdict "$1: impact.1 has its columns" $?
        helps "$2"
    }
    presents impulses.tsv compare
    presents history.tsv compare
    impact simulate --model newton --bodies bodies.tsv --contacts contacts.tsv "$root/benchmarks/scenes/bounce.json"
    head -1 out > simulated.tsv
    for file in simulated.tsv bodies.tsv contacts.tsv; do
        head -1 $file | tr '\t' ' ' > out
        grep -qxF -e "$(cat out)" displayed
        verdict "$file: impact.1 has its columns" $?
    done
    displays sweep sweep --over material.friction=0.3 --model maxdiss "$root/benchmarks/scenes/ball.json"
    sed -i 's/^material.friction //' out
    helps sweep
    # Recorded impacts are not part of the project: twenty of a ball that falls on its lowest point.
    mkdir real
    {
        echo i,vx0,vy0,om0,vx1,vy1,om1,n_x,n_y,n_th,d_x,d_y,d_th
        for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do echo $i,0,-1,0,0,0.5,0,0,1,0,1,0,0.03; done
    } > real/ellipse_impacts.csv
    IMPACT_DATA=. displays replay replay --model maxdiss --each each.tsv --pairs pairs.tsv ellipse
    helps replay
    for file in each.tsv pairs.tsv; do presents $file replay; done
    displays race race maxdiss coulomb sphere -n 1 --seed 1
    impact audit --model maxdiss sphere -n 1 --seed 1
    grep '^class' out | tr '\t' '\n' | tail -n +2 > names
    sed -n '/^\.Sh AUDITS/,/^\.Sh SCENES/p' "$root/cli/impact.1" | sed -n 's/^\.It Sy //p' | cmp -s - names
    verdict 'audit: impact.1 has its columns' $?
    . "$root/tests/channel.sh"
    channel '"step": 1e-5, "until": 0.001' '"rows_every": 100' > flow.json
    displays flow flow flow.json
fi

# Two contacts and one, with and without restitution and friction: what some model does not take is passed over.
for mu in 0 0.3; do
    for e in 0 0.5; do
        echo "{\"W\": [[2,0.1,0],[0.1,3,0],[0,0,3]], \"q\": [-1, 0.5, 0], \"mu\": $mu, \"e\": $e}"
        echo "{\"n\": 2, \"blocks\": [[0, 0, [2,0.1,0, 0.1,3,0, 0,0,3]], [0, 1, [-1,0,0, 0,0.5,0, 0,0,0.5]],
            [1, 1, [2,0,0, 0,3,0, 0,0,3]]], \"q\": [-1, 0.5, 0, -0.5, 2, 0], \"mu\": $mu, \"e\": $e}"
    done
done | sed 's/^{"/,&/' | sed '1s/^,/[/; $s/$/]/' > problems.json
# Law, models, file: of each section.
awk '/^\.S[hs] / { sub(/^\.S[hs] /, ""); n = split($0, law, ", "); models = "" }
    /^Models: / { reads = 1 }
    reads { sub(/^Models:/, ""); models = models " " $0; reads = !sub(/\.$/, " ", models); gsub(",", "", models) }
    /^Certificate:$/ { getline; for (i = 1; i <= n; i++) print law[i] "\t" models "\t" $2 }' "$page" > sections
field() { awk -F '\t' -v law="$law" '$1 == law { print $'"$1"' }' sections; }
sed -n '/^\.Sh JSON/,/^\.Sh FCLIB/p' "$root/cli/impact.1" > json

impact models
tail -n +2 out | cut -f1,2 > laws
grep "^${1:-.*}$tab" laws > asked
while IFS="$tab" read -r model law; do
    grep -q "imp_law_$(echo "$law" | tr - _) = " "$root/$(field 3)" 2> err
    verdict "$model: the law $law has a section, with the file of its certificate" $?
    field 2 > out
    grep -q " $model " out
    verdict "$model: the section has the model" $?
    grep -q "^| .*\`$model\`.* | \`tests/test_" "$root/README.md"
    verdict "$model: the README has its row" $?
    "$program" solve --model "$model" --path -o answers.json problems.json 2> err
    sed 's/"path":{[^{}]*\({[^{}]*}[^{}]*\)*}/"other":0/g' answers.json > bare.json
    for answers in answers.json bare.json; do
        "$program" check --model "$model" -o "checked-$answers" problems.json $answers 2> err
    done
    perl -MJSON::PP -e '
        for (@ARGV) { open my $in, "<", $_; print map { "$_\n" } map { keys %$_ } @{decode_json join "", <$in>} }' \
        answers.json checked-answers.json checked-bare.json | sort -u > names
    while read -r name; do grep -q "\<$name\>" json || echo "$name"; done < names > out
    [ -s names ] && [ ! -s out ]
    verdict "$model: impact.1 has the fields of its answers" $?
    cat checked-*.json | grep -o '"residuals":{[^}]*}' | grep -o '"[a-z-]*":' | tr -d '":' | sort -u |
        grep -v '^residuals$' > names
    [ -s names ]
    verdict "$model: its certificates name residuals" $?
    while read -r name; do
        grep -q "^\.It Sy $name\( \|$\)" "$page" || echo "$name"
    done < names > out
    [ ! -s out ]
    verdict "$model: each of them is defined" $?
    while read -r name; do
        grep -q "^| .*\`$name\`.* | " "$root/docs/laws.md" || echo "$name"
    done < names > out
    [ ! -s out ]
    verdict "$model: each of them is in docs/laws.md" $?
    grep -qE "^(## |And )(.*[ ,])?$law([ ,].*)?\$" "$root/docs/laws.md"
    verdict "$model: docs/laws.md has its law" $?
done < asked
cut -f2 sections | tr ' ' '\n' | grep . | sort -u | while read -r model; do
    grep -q "^$model$tab" laws || echo "$model"
done > out
[ ! -s out ]
verdict 'the sections have no other models' $?
echo "1..$count"
