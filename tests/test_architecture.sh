#!/bin/sh
# docs/architecture.md against the sources: the rooms it lists are those there are, with the arrows that the includes
# have; no arrow runs in a circle, of rooms or of files.
root=$(cd "$(dirname "$0")/.." && pwd)
command -v perl > /dev/null || { echo "1..0 # SKIP no perl"; exit 0; }
exec perl "$root/tests/architecture.pl" "$root" "$@"
