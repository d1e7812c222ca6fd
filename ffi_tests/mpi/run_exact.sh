#!/bin/bash
# run_exact.sh MPIRUN PROGRAM: PROGRAM gives the same line with 1, 2 and 4 ranks, and with several threads each. Where the launcher
# can not run here, says why and gives 77. Not in this file: the program (exact.c).
set -u
mpirun=$1 program=$2 first=""
options=()
if "$mpirun" --version 2>&1 | grep -qi 'open.\?mpi\|open-rte'; then
  options+=(--oversubscribe --bind-to none)
  [ "$(id -u)" = 0 ] && options+=(--allow-run-as-root)
fi
why=$("$mpirun" "${options[@]}" -n 1 true 2>&1) || { echo "skipped: $mpirun does not run here: $why" | head -5; exit 77; }
for ranks in 1 2 4; do
  for threads in 1 3; do
    output=$(PORTABLE_NUM_THREADS=$threads "$mpirun" "${options[@]}" -n "$ranks" "$program" 2>&1) || { echo "FAILED with $ranks ranks: $output"; exit 1; }
    line=$(grep '^exact sum' <<<"$output")
    : "${first:=$line}"
    if [ -z "$line" ] || [ "$line" != "$first" ] || grep -q 'far away' <<<"$output"; then
      echo "FAILED: $ranks ranks with $threads threads: $output; before: $first"
      exit 1
    fi
  done
done
echo "$first"
