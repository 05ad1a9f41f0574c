#!/bin/sh
# The pages of formats have every key, column, field, name and array that the code has, and no others.
cd "$(dirname "$0")/.." || exit 1
exec perl tests/formats.pl
