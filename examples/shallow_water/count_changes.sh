#!/bin/sh
# count_changes.sh - counts the lines of the program on the pool that changed when its loops moved
# over: src/ and src_pool/ against src_parallel/; and the further ones for GPUs: src_parallel/ and
# the rest of the program against src_cuda/. A new or different line counts once. Exit status: 1 if
# the first are 5 % or more, the second ones 10 %, or if a line was removed.
set -eu
cd "$(dirname "$0")"
lines=$(cat src/*.f90 src_pool/*.f90 | wc -l)
# count FOLDER LIMIT WHAT OLD...: the files of the folder against the first of the old folders that has them.
count() {
  folder=$1 limit=$2 what=$3
  shift 3
  changed=0
  for file in "$folder"/*.f90; do
    for old; do [ ! -f "$old/${file#*/}" ] || break; done
    old=$old/${file#*/}
    new=$(diff "$old" "$file" | grep -c '^>' || true)
    gone=$(diff "$old" "$file" | grep -c '^<' || true)
    [ "$gone" -le "$new" ] || { echo "$file: $gone lines gone, $new new" >&2; exit 1; }
    echo "${file#*/}: $new lines of $(wc -l <"$old")"
    changed=$((changed + new))
  done
  awk -v changed="$changed" -v lines="$lines" -v limit="$limit" -v what="$what" 'BEGIN {
    printf "%s: %d lines of %d, %.1f %%\n", what, changed, lines, 100*changed/lines
    exit changed >= limit*lines
  }'
}
count src_parallel 0.05 'for threads' src src_pool
count src_cuda 0.1 'for GPUs' src_parallel src src_pool
echo "shallow_water.cu: $(wc -l <src_cuda/shallow_water.cu) lines, new"
