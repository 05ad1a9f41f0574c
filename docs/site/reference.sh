#!/bin/sh
# reference.sh - the reference of the library as pages, FOLDER/api, by doxygen. What has no comment, and whatever else
# doxygen warns of, is an error.
#
#     sh docs/site/reference.sh FOLDER VERSION HEADER...
folder=$1 version=$2
shift 2
cd "$(dirname "$0")/../.." || exit 1
mkdir -p "$folder"
{
    cat docs/site/Doxyfile
    echo "OUTPUT_DIRECTORY = \"$folder\""
    echo "PROJECT_NUMBER = $version"
    echo "INPUT = docs/site/reference.md $*"
} | doxygen - > "$folder/doxygen.txt" 2>&1 || { head -20 "$folder/doxygen.txt" >&2; exit 1; }
rm "$folder/doxygen.txt"
sed -i '/<div id="projectbrief">/s|</div>|: <a href="../index.html">the manual</a></div>|' "$folder"/api/*.html
