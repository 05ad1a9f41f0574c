# running.sh - for tests of solvers outside: processes that sleep for $MARK seconds, a number of each test's own, are what a
# solver started. What is killed is there until it has died, which takes a busy machine a moment.

running() { grep -laE "[s]leep.$MARK(\.|$|[^0-9])" /proc/[0-9]*/cmdline 2> /dev/null; }
# one is there, or comes within four seconds
comes() {
    for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -n "$(running)" ] && return; sleep 0.2; done
    return 1
}
# none is there any more, or goes within two
gone() {
    for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -z "$(running)" ] && return; sleep 0.1; done
    return 1
}
