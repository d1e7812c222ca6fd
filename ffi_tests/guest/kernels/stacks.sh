#!/bin/bash
# stacks.sh PROGRAM: arrays of 1, 64 and 400 MiB in kernels, with the stacks of the team as large as the main thread's limit says
# (the usual advice of computing centres), or as PORTABLE_STACKSIZE says where that limit is none; each with 1, 2 and 5 threads.
# Where they do not fit, the program ends by the kernel's stack overflow and says so. Not in this file: the program (stacks.f90).
set -u
program=$1
ulimit -c 0
(ulimit -s unlimited) 2>/dev/null || { echo "skipped: the stack of the main thread cannot be made larger here"; exit 77; }
fail() { echo "FAILED: $*"; exit 1; }
for threads in 1 2 5; do
  export PORTABLE_NUM_THREADS=$threads
  for mib in 1 64 400; do
    (ulimit -s $((600 * 1024)); "$program" $mib) || fail "$mib MiB, limit 600 MiB, $threads threads"
    (ulimit -s unlimited; PORTABLE_STACKSIZE=512 "$program" $mib) || fail "$mib MiB, no limit, PORTABLE_STACKSIZE, $threads threads"
    (ulimit -s unlimited; OMP_STACKSIZE=512M "$program" $mib) || fail "$mib MiB, no limit, OMP_STACKSIZE, $threads threads"
  done
done
output=$( (ulimit -s unlimited; PORTABLE_NUM_THREADS=2 PORTABLE_STACKSIZE=100 "$program" 400) 2>&1) && fail "400 MiB fit into a stack of 100"
grep -q "portable: signal 11 (invalid memory access) in kernel 'large'" <<<"$output" || { echo "$output"; fail "the kernel is not named"; }
