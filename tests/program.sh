# program.sh - for the shell tests of the program `impact`, which read it first: a folder to work in, and lines of TAP.
# Set `tested` to the command whose refusals are tried; empty, `refused` takes it among its arguments.
program=$(cd "${BUILD:-build}" && pwd)/impact || exit 1
root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# A python3 of somebody's manager of versions takes half a second to begin, and limits of solvers are seconds.
[ ! -x /usr/bin/python3 ] || PATH=/usr/bin:$PATH
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

# complained START TEXT: `err` is one line, which begins so and has the text. Without a process: it is asked a thousand times.
complained() {
    said= more=
    { IFS= read -r said && ! IFS= read -r more && [ -z "$more" ]; } < err || return 1
    case $said in "$1"*) ;; *) return 1 ;; esac
    case $said in *"$2"*) ;; *) return 1 ;; esac
}

# refused NAME TEXT ARGUMENTS: exit 2, nothing on standard output, one line "impact: ..." with the text
refused() {
    name=$1 text=$2
    shift 2
    impact ${tested:+"$tested"} "$@"
    [ $status = 2 ] && [ ! -s out ] && complained 'impact: ' "$text"
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
