# program.sh - for the shell tests of the program `impact`, which read it first: a folder to work in, and lines of TAP.
# Set `tested` to the command whose refusals are tried; empty, `refused` takes it among its arguments.
program=$(cd "${BUILD:-build}" && pwd)/impact || exit 1
root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
count=0
tested=
tab=$(printf '\t')

# verdict NAME STATUS: one line of TAP; what the program said when it failed
verdict() {
    count=$((count + 1))
    if [ "$2" = 0 ]; then
        echo "ok $count - $1"
    else
        echo "not ok $count - $1"
        { echo "# failed $count - $1"; head -5 out err 2> /dev/null | sed 's/^/# /'; } >&2
    fi
}

impact() {
    "$program" "$@" > out 2> err
    status=$?
}

# refused NAME TEXT ARGUMENTS: exit 2, nothing on standard output, one line "impact: ..." with the text
refused() {
    name=$1 text=$2
    shift 2
    impact ${tested:+"$tested"} "$@"
    [ $status = 2 ] && [ ! -s out ] && [ "$(wc -l < err)" = 1 ] && grep -q '^impact: ' err && grep -qF -e "$text" err
    verdict "refused: $name" $?
}

# judges NAME STATUS ARGUMENTS: of `impact check`: the exit status, and the totals alone on standard error
judges() {
    name=$1 want=$2
    shift 2
    impact check "$@"
    [ $status = "$want" ] && [ "$(wc -l < err)" = 1 ] &&
        grep -Eq '^impact: [0-9]+ accepted, [0-9]+ rejected, [0-9]+ not judged, [0-9]+ unsolved; worst residual ' err
    verdict "$name" $?
}
