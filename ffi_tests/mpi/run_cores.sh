#!/bin/bash
# run_cores.sh MPIRUN PROGRAM: unbound ranks share the machine's processors; a bound one has those of its mask.
# Not in this file: the program (cores.c), and launchers that are not here (internal/instance).
set -u
mpirun=$1 program=$2
. "$(dirname "$0")/options.sh"
unset PORTABLE_NUM_THREADS OMP_NUM_THREADS
alone=$("$program" alone) || fail "$alone"
read -r _ all _ _ <<<"$alone"
for ranks in 2 4; do
  for binding in none core; do
    output=$(launch "$ranks" "$binding" "$program" 2>&1) || fail "$ranks ranks, binding $binding: ended with $?"
    [ "$(grep -c '^threads' <<<"$output")" = "$ranks" ] || fail "$ranks ranks, binding $binding: some say nothing"
    while read -r word threads _ mask; do
      [ "$word" = threads ] || continue
      if [ "$binding" = none ] || [ "$mask" -ge "$(nproc)" ]; then wanted=$((all / ranks > 0 ? all / ranks : 1)); else wanted=$((mask < all ? mask : all)); fi
      [ "$threads" = "$wanted" ] ||
        fail "$ranks ranks, binding $binding: $threads threads with a mask of $mask; alone it has $all, so $wanted are right"
    done <<<"$output"
    echo "$ranks ranks, binding $binding: $(sort <<<"$output" | uniq -c | tr -s ' ' | paste -sd ',')"
  done
done
