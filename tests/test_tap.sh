#!/bin/sh
# tap.h itself: programs that must fail under prove do, those that must pass do, and what is skipped is seen.
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
count=0

# expect NAME pass|fail PATTERN BODY: a program with that main, its verdict, and what prove must print
expect() {
    count=$((count + 1))
    printf '#include "tap.h"\nint main(void) {\n%s\n}\n' "$4" > "$work/t.c"
    good='not ok'
    if ${CC:-cc} -std=c11 -D_GNU_SOURCE -I"$here" "$work/t.c" -o "$work/t" -lm 2> "$work/said"; then
        if prove --directives -e '' "$work/t" > "$work/said" 2>&1; then verdict=pass; else verdict=fail; fi
        [ $verdict = "$2" ] && grep -q -- "$3" "$work/said" && good=ok
    fi
    echo "$good $count - $1"
    [ "$good" = ok ] || sed 's/^/# /' "$work/said"
}

expect 'true passes' pass 'Result: PASS' 'ok(true, "x"); return tap_done();'
expect 'false fails' fail 'Failed test' 'ok(false, "x"); return tap_done();'
expect 'one failure among successes fails and is named' fail 'failed 2 - y' \
    'ok(1, "x"); ok(0, "y"); ok(1, "z"); return tap_done();'
expect 'no test at all fails' fail 'Failed' 'return tap_done();'
expect 'a crash fails' fail 'No plan' 'ok(true, "x"); abort();'
expect 'leaving without tap_done fails' fail 'No plan' 'ok(true, "x"); return 0;'
expect 'a NaN result fails' fail 'Failed test' 'is_near(NAN, 1, 1, 1, "x"); return tap_done();'
expect 'a NaN expectation fails' fail 'Failed test' 'is_near(1, NAN, 1, 1, "x"); return tap_done();'
expect 'a NaN tolerance fails' fail 'Failed test' 'is_near(1, 2, NAN, 0, "x"); return tap_done();'
expect 'a NaN in a vector fails' fail 'Failed test' \
    'double g[] = {1, NAN}, w[] = {1, 2}; is_vec(g, w, 2, 9, 9, "x"); return tap_done();'
expect 'a NaN expected in a vector fails' fail 'Failed test' \
    'double g[] = {1, 2}, w[] = {1, NAN}; is_vec(g, w, 2, 9, 9, "x"); return tap_done();'
expect 'infinity is not near a number' fail 'Failed test' 'is_near(INFINITY, 1, 1, 1, "x"); return tap_done();'
expect 'a number is not near infinity' fail 'Failed test' 'is_near(1, INFINITY, 1, 1, "x"); return tap_done();'
expect 'an infinity in a vector excuses nothing' fail 'Failed test' \
    'double g[] = {9, INFINITY}, w[] = {1, INFINITY}; is_vec(g, w, 2, 0, 1e-9, "x"); return tap_done();'
expect 'infinity is itself' pass 'PASS' 'is_near(INFINITY, INFINITY, 0, 0, "x"); return tap_done();'
expect 'just inside the tolerances' pass 'PASS' \
    'is_near(10.5, 10, 0.5, 0, "a"); is_near(-11, -10, 0, 0.1, "r"); return tap_done();'
expect 'just outside the absolute tolerance' fail 'off by' 'is_near(10.6, 10, 0.5, 0, "a"); return tap_done();'
expect 'just outside the relative tolerance' fail 'off by' 'is_near(-11.1, -10, 0, 0.1, "r"); return tap_done();'
expect 'a vector is judged by its largest entry' pass 'PASS' \
    'double g[] = {100, 0.5}, w[] = {100, 0}; is_vec(g, w, 2, 0, 0.01, "x"); return tap_done();'
expect 'a skip is seen' pass 'SKIP no data' 'ok(1, "x"); skip("no data"); return tap_done();'
expect 'a program that skips everything is seen' pass 'skipped: no data' 'return skip_all("no data");'
echo "1..$count"
