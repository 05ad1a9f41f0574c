# check.sh - for shell tests that look at files and exit statuses, which read it first: a folder $work that goes away, and
# lines of TAP.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
count=0

# check NAME COMMAND...: the command succeeds; what it says is shown otherwise
check() {
    count=$((count + 1)) name=$1
    shift
    if "$@" > "$work/said" 2>&1; then echo "ok $count - $name"; else
        echo "not ok $count - $name"
        { echo "# failed $count - $name"; head -c 2000 "$work/said" | sed 's/^/# /'; } >&2
    fi
}
