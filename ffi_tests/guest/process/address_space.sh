#!/bin/bash
# address_space.sh PROGRAM: under a limit of address space. 2 GB are enough; where Go cannot even start, it says
# so and the program ends at once, instead of going on to a crash. Not in this file: memory of the pool.
set -u
program=$1
(ulimit -v 2000000 && "$program") || { echo "FAILED: with 2 GB"; exit 1; }
output=$( (ulimit -v 100000 && exec "$program") 2>&1)
status=$?
if [ $status = 0 ]; then echo "100 MB are enough"; exit; fi
grep -qE 'failed to reserve|out of memory|cannot allocate|limit' <<<"$output" ||
  { echo "FAILED: with 100 MB it ended with $status and said:"; echo "$output" | head -20; exit 1; }
echo "with 100 MB: status $status, $(head -1 <<<"$output")"
