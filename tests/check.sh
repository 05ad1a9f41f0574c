# check.sh - for shell tests that look at files and exit statuses, which read it first: a folder $work that goes away, and
# lines of TAP.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
count=0

# check NAME COMMAND...: the command succeeds
check() {
    name=$1
    shift
    count=$((count + 1))
    if "$@"; then echo "ok $count - $name"; else echo "not ok $count - $name"; fi
}
