#!/bin/sh
# The commands of the README, of every page of docs and of the paper, as they stand there, succeed and print what stands
# under them.
cd "$(dirname "$0")/.." || exit 1
exec perl tests/docs.pl "${BUILD:-build}" README.md docs/*.md docs/*/*.md
