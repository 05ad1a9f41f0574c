#!/bin/sh
# corpus.sh FUZZ FOLDER [TARGET ...]: of what fuzzing has learned (run.sh's FOLDER), for each reader the least that reaches
# the same, smallest files first up to 300 kB, as fuzz/corpus/TARGET.tar.gz. Exit 1: all together are beyond 1 MB.
fuzz=$(realpath "$1") folder=$(realpath "$2")
shift 2
MOST=300000
cd "$(dirname "$0")" || exit 2
targets=${*:-$("$fuzz" --list)}
[ "$targets" ] || exit 2
least=$(mktemp -d) || exit 2
trap 'rm -rf "$least"' EXIT
mkdir -p corpus
for target in $targets; do
    rm -rf "$least/$target" && mkdir "$least/$target"
    "$fuzz" "--target=$target" -merge=1 -max_len=30000 -timeout=60 -rss_limit_mb=2048 "$least/$target" "$folder/$target" \
        > "$least/log" 2>&1 || { tail -n 3 "$least/log" >&2; exit 1; }
    (cd "$least/$target" && ls -Sr | while read -r file; do echo "$(wc -c < "$file") $file"; done |
        awk -v most=$MOST '(sum += $1) > most { exit } { print $2 }' > "$least/names" &&
        tar --sort=name --mtime=@0 --mode=644 --owner=0 --group=0 --numeric-owner -czf "$least/packed" -T "$least/names") &&
        mv "$least/packed" "corpus/$target.tar.gz" || exit 2
    echo "$target: $(wc -l < "$least/names") of $(ls "$folder/$target" | wc -l) files, $(wc -c < "corpus/$target.tar.gz") bytes"
done
[ "$(cat corpus/* | wc -c)" -le 1000000 ]
