#!/bin/sh
# Folders of problems and of solutions, judged in one table.
. "$(dirname "$0")/program.sh"

mkdir problems answers
"$program" problems free-box-1 -n 2 --seed 1 -o problems/a.tsv
"$program" problems bodies -n 1 --seed 2 -o problems/b.json
cat > pair.json << 'END'
{"n": 2, "blocks": [[0, 0, [2,0,0, 0,3,0, 0,0,3]], [1, 1, [2,0,0, 0,3,0, 0,0,3]], [0, 1, [0.1,0,0, 0,0.2,0, 0,0,0]]],
  "q": [-1, 0.5, 0, -1, 0, 0.5], "mu": [0.3, 0.7]}
END
"$program" convert pair.json problems/c.hdf5
echo 'no problem' > problems/README
for file in a.tsv b.json c.hdf5; do
    "$program" solve --model auto -o answers/$file problems/$file
done
judges 'tables, JSON and FCLIB with their solutions' 0 --model auto --tol 1e-8 problems answers
printf 'file\na.tsv\na.tsv\nb.json\nc.hdf5\n' > want
cut -f1 out | cmp -s - want
verdict 'each problem has its row, under the name of its file' $?
cut -f3 out | tail -n +2 | sort -u | grep -qx ok
verdict 'and is ok' $?

grep -q '; left out, no problem files: 1$' err
verdict 'what is no problem file is counted' $?
mkdir problems/deep
cp pair.json problems/deep && cp problems/b.json problems/D.JSON && cp answers/b.json answers/D.JSON
judges 'capitals in a suffix' 0 --model auto --tol 1e-8 problems answers
grep -q "^D.JSON${tab}.*${tab}ok${tab}" out && [ "$(grep -c "${tab}ok${tab}" out)" = 5 ]
verdict 'are the same suffix' $?
grep -q '; left out, no problem files: 2$' err
verdict 'a folder in the folder is counted too' $?
mkdir problems/folder.json
judges 'a folder of such a name' 0 --model auto --tol 1e-8 problems answers
[ "$(grep -c "${tab}ok${tab}" out)" = 5 ] && grep -q '; left out, no problem files: 3$' err
verdict 'is left out as any' $?
# waits_not NAME FILE: where that is a pipe, nobody waits for a writer
waits_not() {
    mkfifo "$2"
    timeout 20 "$program" check --model auto --tol 1e-8 problems answers > out 2> err
    [ $? = 2 ] && [ ! -s out ] && complained 'impact: ' "$2: is no regular file, expected one in a folder"
    verdict "refused: $1" $?
    rm "$2"
}
waits_not 'a pipe among the problems' problems/pipe.tsv
ln -s "$PWD/problems/b.json" problems/linked.json && cp answers/b.json answers/linked.json
judges 'a link' 0 --model auto --tol 1e-8 problems answers
grep -q "^linked.json${tab}.*${tab}ok${tab}" out
verdict 'to a file is one' $?
rm -r problems/folder.json problems/linked.json answers/linked.json
rm -r problems/deep problems/D.JSON problems/README answers/D.JSON
judges 'problem files alone' 0 --model auto --tol 1e-8 problems answers
! grep -q 'left out' err
verdict 'nothing is left out then' $?

mv answers/b.json kept.json
judges 'a file of solutions that is not there' 1 --model auto --tol 1e-8 problems answers
grep -q "^b.json.*unsolved.*answers/b.json" out && [ "$(grep -c "${tab}ok${tab}" out)" = 3 ]
verdict 'is the reason of its row, and costs no other one' $?
mkdir answers/b.json
judges 'a folder of its name' 1 --model auto --tol 1e-8 problems answers
grep -q "^b.json.*unsolved.*answers/b.json: is a directory, expected a file with the answers" out && [ "$(grep -c "${tab}ok${tab}" out)" = 3 ]
verdict 'is the reason, too' $?
rmdir answers/b.json
waits_not 'a pipe among the answers' answers/b.json
printf '{"q": 1' > answers/b.json
judges 'answers that are none' 1 --model auto --tol 1e-8 problems answers
grep -q "^b.json.*unsolved.*answers/b.json:1:" out && [ "$(grep -c "${tab}ok${tab}" out)" = 3 ]
verdict 'are the reason, too' $?
cp kept.json answers/b.json && ! grep -q 'answers to no problems' err
verdict 'all files of answers have problems' $?
cp kept.json answers/z.json && cp answers/a.tsv answers/e.tsv && mkdir answers/f.tsv && touch answers/notes
judges 'files of answers whose problems are not there' 0 --model auto --tol 1e-8 problems answers
grep -q '; answers to no problems: 2, the first e.tsv$' err
verdict 'are counted, and the first is named' $?
tested=
refused 'an output over one' 'is also the input, expected another file for the output' \
    check --model auto -o answers/e.tsv problems answers
rm -r answers/z.json answers/e.tsv answers/f.tsv answers/notes
sed 's/"p":\[/"p":[1/' kept.json > answers/b.json
judges 'a wrong impulse' 1 --model auto --tol 1e-8 problems answers
grep -q "^b.json.*${tab}rejected${tab}" out
verdict 'is rejected' $?
for file in b.json c.hdf5; do
    "$program" check --model auto problems/$file answers/$file 2> err | sed 's/.*"contact":\([0-9]*\).*/\1/'
done > want
awk -F '\t' 'NR == 1 { while ($(++k) != "contact") if (k > NF) exit } $1 ~ /json|hdf5/ { print $k }' out | cmp -s - want
verdict 'and the contact of the largest residual is named, as in JSON' $?
cp kept.json answers/b.json

sed -n 1,2p answers/a.tsv > fewer.tsv
cp answers/a.tsv whole.tsv
cp fewer.tsv answers/a.tsv
tested=check
refused 'a problem without its answer' 'answers/a.tsv' --model auto problems answers
sed 's/^[^\t]*\t/other\t/' whole.tsv | sed -n '2p' > more
sed '1s/^/&/' whole.tsv > answers/a.tsv && cat more >> answers/a.tsv
refused 'an answer without its problem' 'answers/a.tsv' --model auto problems answers
refused 'facts in a table' '--facts: verdicts in a table' --model auto --facts problems answers
cp whole.tsv answers/a.tsv
echo '{"n": 1' > problems/d.json
refused 'a file that holds no problem' 'problems/d.json' --model auto problems answers
rm problems/d.json
mkdir empty
refused 'a folder without problems' 'holds no problems' --model auto empty
for suffix in json JSON jsonl hdf5 h5; do
    refused "a table under .$suffix" 'the output is a table, expected another suffix than' --model auto -o "r.$suffix" problems answers
done
[ ! -e r.json ]
verdict 'and is not written' $?

# Where nothing is judged, nothing is well.
mkdir none
echo '[]' > none/none.json
sed -n 1,2p problems/a.tsv > none.tsv
refused 'a list of no problems' 'none/none.json: no problem, expected at least one to judge' --model auto none/none.json
refused 'and of no answers' 'none/none.json: no problem, expected' --model auto none/none.json none/none.json
refused 'and a solver for them' 'none/none.json: no problem, expected' --exec true --law coulomb none/none.json
refused 'and among others in a folder' 'none/none.json: no problem, expected' --model auto none
refused 'a header alone' 'none.tsv: no problem, expected' --model auto none.tsv answers/a.tsv
refused 'and a solver for it' 'none.tsv: no problem, expected' --exec true --law coulomb none.tsv
refused 'on standard input' 'standard input: no problem, expected' --exec true --law coulomb - < none.tsv
mkdir names
for odd in '#a' "a${tab}b" "a
b"; do
    printf '{"W": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "q": [-1, 0, 0], "mu": 0.2, "p": [1, 0, 0]}' > "names/$odd.json"
    refused 'a name that breaks a row, or makes it a comment' 'expected one that can begin a row of a table' --model auto names
    rm "names/$odd.json"
done
mkdir broken && printf '{"id": "a\\tb", "W": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "q": [-1, 0, 0], "mu": [0.2], "p": [1, 0, 0]}' > broken/tab.json
refused 'an id that breaks a row' 'broken/tab.json: problem number 1: an id with a tab' --model auto broken
printf '{"W": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "q": [-1, 0, 0], "mu": 0.2, "p": [1, 0, 0], "lambda": [1]}' > broken/tab.json
refused 'numbers that no problem has' 'broken/tab.json: lambda for problem "0", which has no "constraints"' --model auto broken
printf '{"W": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "q": [-1, 0, 0], "mu": 0.2}' > broken/tab.json
mkdir said && printf '{"p": [1, 0, 0], "lambda": [1]}' > said/tab.json
refused 'numbers that no problem has, in an answer' 'said/tab.json: lambda for problem "0", which has no "constraints"' --model auto broken said
refused 'the same on standard input' 'standard input: lambda for problem "0"' --model auto broken/tab.json - < said/tab.json
{ cat problems/a.tsv && tail -1 problems/a.tsv; } > two.tsv
refused 'an id of two problems' 'two.tsv: two problems have the id "free-box-1-1-1", expected an id for each' --model auto two.tsv answers/a.tsv
refused 'a file beside a folder' 'is no folder' --model auto problems answers/a.tsv

# The output is no file that is read of either folder, under whatever name
cp -r problems kept && cp -r answers kept-answers
ln problems/a.tsv name.tsv && ln -s answers/b.json link && ln -s problems again
for name in problems/a.tsv answers/a.tsv again/a.tsv name.tsv link; do
    refused "-o $name, which is read" "check: \"$name\" is also the input, expected another file for the output" \
        --model auto -o $name problems answers
done
diff -r problems kept && diff -r answers kept-answers
verdict 'and nothing is written' $?
refused 'a file that would be read the next time' 'check: "again/new.tsv" would be one of the problems, expected the output in another folder' \
    --model auto -o again/new.tsv problems answers
ln -s problems/new.tsv to-new
refused 'and through a link' 'check: "to-new" would be one of the problems' --model auto -o to-new problems answers
rm to-new
cp whole.tsv problems/own && judges 'what is no problem file' 0 --model auto --tol 1e-8 -o problems/own problems answers
head -1 problems/own | grep -q '^file'
verdict 'is written' $?
rm problems/own name.tsv link again

# Answers beside the problems, and a solver that is asked.
mkdir beside
sed 's/"q"/"p": [0, 0, 0, 0, 0, 0], "q"/' pair.json > beside/pair.jsonl
tr -d '\n' < beside/pair.jsonl > joined && echo >> joined && mv joined beside/pair.jsonl
judges 'answers beside the problems' 1 --model auto beside
grep -q "^pair.jsonl.*${tab}rejected${tab}" out
verdict 'are judged' $?
if command -v python3 > /dev/null; then
    mkdir one
    cp problems/a.tsv one
    judges 'a solver of one'"'"'s own is asked' 0 --exec "python3 $root/examples/own_solver.py" --law coulomb --tol 1e-6 one
    [ "$(grep -c "^a.tsv.*${tab}ok${tab}" out)" = 2 ]
    verdict 'about every problem' $?
fi
echo "1..$count"
