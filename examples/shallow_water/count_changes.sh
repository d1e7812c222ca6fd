#!/bin/sh
# count_changes.sh - how many lines of the program on the pool changed when its loops moved over: src/ and src_pool/
# against src_parallel/. A line that is new or reads otherwise counts once. Exit status: 1 when they are 5 % or more,
# or when a line is gone.
set -eu
cd "$(dirname "$0")"
lines=$(cat src/*.f90 src_pool/*.f90 | wc -l)
changed=0
for file in src_parallel/*.f90; do
  old=src/${file#*/}
  [ -f "$old" ] || old=src_pool/${file#*/}
  new=$(diff "$old" "$file" | grep -c '^>' || true)
  gone=$(diff "$old" "$file" | grep -c '^<' || true)
  [ "$gone" -le "$new" ] || { echo "$file: $gone lines gone, $new new" >&2; exit 1; }
  echo "${file#*/}: $new lines of $(wc -l <"$old")"
  changed=$((changed + new))
done
awk -v changed="$changed" -v lines="$lines" 'BEGIN {
  printf "all: %d lines of %d, %.1f %%\n", changed, lines, 100*changed/lines
  exit changed >= 0.05*lines
}'
