#!/bin/bash
# run_exact.sh MPIRUN PROGRAM: PROGRAM gives the same line with 1, 2 and 4 ranks, and with several threads each. Where the launcher
# cannot run here, says why and gives 77. Not in this file: the program (exact.c).
set -u
mpirun=$1 program=$2 first=""
. "$(dirname "$0")/options.sh"
for ranks in 1 2 4; do
  for threads in 1 3; do
    output=$(PORTABLE_NUM_THREADS=$threads launch "$ranks" none "$program" 2>&1) || fail "$ranks ranks"
    line=$(grep '^exact sum' <<<"$output")
    : "${first:=$line}"
    if [ -z "$line" ] || [ "$line" != "$first" ] || grep -q 'far away' <<<"$output"; then
      fail "$ranks ranks with $threads threads; before: $first"
    fi
  done
done
echo "$first"
