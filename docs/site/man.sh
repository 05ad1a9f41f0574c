#!/bin/sh
# man.sh - the manual pages that are made: the library's from its headers (man.pl), the formats' from the sections of
# impact.1 that say them, and where there is pandoc every key of scenes and of flows from the pages that list them.
#
#     sh docs/site/man.sh FOLDER HEADER...
folder=$1
shift
set -e
cd "$(dirname "$0")/../.."
rm -rf "$folder"
mkdir -p "$folder"
date=$(sed -n 's/^\.Dd //p' cli/impact.1)
perl docs/site/man.pl "$folder" "$date" "$@"

{
    cat << END
.Dd $date
.Dt IMPACT-FORMATS 5
.Os
.Sh NAME
.Nm impact-formats
.Nd the tables and files that impact reads and writes
.Sh DESCRIPTION
What
.Xr impact 1
and the library read and write.
Scenes and flows have pages of their own,
.Xr impact-scene 5
and
.Xr impact-flow 5 .
END
    awk '/^\.Sh / { said = /^\.Sh (TABLES|JSON|FCLIB)$/ } said' cli/impact.1
    printf '%s\n' '.Sh SEE ALSO' '.Xr impact 1 ,' '.Xr libimpact 3 ,' '.Xr impact-laws 7'
} > "$folder/impact-formats.5"

if ! command -v pandoc > /dev/null; then
    echo 'man: no pandoc, so no impact-scene(5) and impact-flow(5): Debian has it as pandoc' >&2
    exit
fi
# keys NAME ABOUT MARKDOWN
keys() {
    PAGE_NAME=$1 PAGE_ABOUT=$2 pandoc -s -f gfm -t man --lua-filter docs/site/man.lua --fail-if-warnings \
        -M title="$(echo "$1" | tr a-z A-Z)" -M section=5 -M date="$date" "$3" |
        sed -e 's/\\f\[V\]/\\f[B]/g' -e '/^\.S[HS]/{n;/^\.PP$/d}' > "$folder/$1.5"
}
keys impact-scene 'scenes of impact: every key' docs/formats-scene.md
keys impact-flow 'granular flows of impact: every key' docs/formats-flow.md
