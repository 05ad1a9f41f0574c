#!/bin/sh
# impact completion: bash offers every command, every option of each, and the names that may stand behind it; zsh and fish,
# where they are found, read theirs, and fish offers the same.
. "$(dirname "$0")/program.sh"
tested=completion
refused 'a shell that is none' 'expected bash, zsh or fish' csh
for shell in bash zsh fish; do
    "$program" completion $shell > "$shell.completion"
    verdict "$shell: is made" $?
    command -v $shell > /dev/null || { echo "ok $((count += 1)) - $shell # SKIP no $shell"; continue; }
    $shell -n "$shell.completion" > out 2> err && [ ! -s err ]
    verdict "$shell: reads it" $?
done

cat > ask.bash << 'END'
. ./bash.completion
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_impact
printf '%s\n' "${COMPREPLY[@]}"
END
# offers NAME WANTED WORD...: what bash offers in place of the last word
offers() {
    name=$1 want=$2
    shift 2
    bash ask.bash "$@" > out 2> err
    [ "$(tr '\n' ' ' < out)" = "$want " ] && [ ! -s err ]
    verdict "bash: $name" $?
}
offers 'a command' 'solve' impact so
offers 'commands' 'check convert compare completion' impact c
offers 'of help' 'simulate' impact help sim
offers 'an option' '--time-limit' impact solve --ti
offers 'a model' 'planar-stronge planar-poisson planar-newton' impact solve --model pla
offers 'a model behind =' 'maxdiss' impact solve --model = max
offers 'a model behind a comma' 'plus,auto' impact compare --model plus,au
offers 'a law' 'coulomb coulomb-bounce' impact solve --exec true --law coul
offers 'a format' 'table tap' impact audit --to ta
offers 'a setting' 'theta_max=' impact solve --model plus --set the
offers 'a class' 'tower' impact problems tow
offers 'a model of race' 'drumwright' impact race dru
offers 'a class of race' 'painleve' impact race pai
offers 'a set of data' 'cube' impact replay cu
offers 'a shell' 'fish' impact completion fi
offers 'nothing where nobody knows' '' impact problems --seed ''
mkdir folder && touch file.json
offers 'a file' 'file.json' impact solve fil
offers 'a folder' 'folder' impact audit --worst fo

for command in $("$program" completion bash | sed -n "s/^    local commands=' \(.*\)'/\1/p"); do
    "$program" help "$command" | sed -n '/^Options:/,/^$/s/^  \(--[a-z-]*\).*/\1/p' | sort > want
    bash ask.bash impact "$command" -- | sort > out
    [ -s want ] && cmp -s want out
    verdict "bash: the options of $command" $?
done
"$program" --help | sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p' | sort > want
bash ask.bash impact '' | grep -v '^help$' | sort | cmp -s - want
verdict 'bash: all commands' $?
if command -v fish > /dev/null; then
    fish -c 'source fish.completion; complete -C "impact solve --model planar-"' 2> err | cut -f1 | tr '\n' ' ' > out
    [ "$(cat out)" = 'planar-newton planar-poisson planar-stronge ' ]
    verdict 'fish: a model' $?
fi
echo "1..$count"
