#!/bin/sh
# The commands of the README and of every page of docs, as they stand there, succeed and print what stands under them.
cd "$(dirname "$0")/.." || exit 1
exec perl tests/docs.pl "${BUILD:-build}" README.md docs/*.md docs/*/*.md
