#!/bin/sh
# The manual pages: well formed; impact-laws defines every law of the table and every residual that a certificate names.
# The README's table has every model.
. "$(dirname "$0")/program.sh"
page=$root/cli/impact-laws.7

for name in impact.1 impact-laws.7; do
    command -v mandoc > /dev/null || continue
    mandoc -T lint -W style "$root/cli/$name" 2> err | grep -v 'referenced manual not found: Xr impact' > out # not installed
    [ ! -s out ] && [ ! -s err ]
    verdict "$name is well formed" $?
done

# Two contacts and one, with and without restitution and friction: what some model does not take is passed over.
for mu in 0 0.3; do
    for e in 0 0.5; do
        echo "{\"W\": [[2,0.1,0],[0.1,3,0],[0,0,3]], \"q\": [-1, 0.5, 0], \"mu\": $mu, \"e\": $e}"
        echo "{\"n\": 2, \"blocks\": [[0, 0, [2,0.1,0, 0.1,3,0, 0,0,3]], [0, 1, [-1,0,0, 0,0.5,0, 0,0,0.5]],
            [1, 1, [2,0,0, 0,3,0, 0,0,3]]], \"q\": [-1, 0.5, 0, -0.5, 2, 0], \"mu\": $mu, \"e\": $e}"
    done
done | sed 's/^{"/,&/' | sed '1s/^,/[/; $s/$/]/' > problems.json
impact models
tail -n +2 out | cut -f1,2 > laws
while IFS="$tab" read -r model law; do
    grep -q "^\.Ss .*\<$law\>" "$page"
    verdict "$model: the law $law has a section" $?
    grep -q "^| .*\`$model\`.* | \`tests/test_" "$root/README.md"
    verdict "$model: the README has its row" $?
    "$program" solve --model "$model" --path -o answers.json problems.json 2> err
    sed 's/"path":{[^{}]*\({[^{}]*}[^{}]*\)*}/"other":0/g' answers.json > bare.json
    for answers in answers.json bare.json; do
        "$program" check --model "$model" problems.json $answers 2> err
    done | grep -o '"residuals":{[^}]*}' | grep -o '"[a-z-]*":' | tr -d '":' | sort -u | grep -v '^residuals$' > names
    [ -s names ]
    verdict "$model: its certificates name residuals" $?
    while read -r name; do
        grep -q "^\.It Sy $name\( \|$\)" "$page" || echo "$name"
    done < names > out
    [ ! -s out ]
    verdict "$model: each of them is defined" $?
done < laws
echo "1..$count"
