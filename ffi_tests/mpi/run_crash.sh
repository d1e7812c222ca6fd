#!/bin/bash
# run_crash.sh MPIRUN PROGRAM: a kernel crashes on both of two ranks: the line that names it has the rank in it, and mpirun
# tells the kernel's own signal. Not in this file: the program (../guest/kernels/crash_kernel.c).
set -u
mpirun=$1 program=$2
. "$(dirname "$0")/options.sh"
ulimit -c 0
output=$(PORTABLE_NUM_THREADS=2 launch 2 none "$program" segv worker 2>&1)
grep -qE "portable: rank [01]: signal 11 \(invalid memory access\) in kernel 'advect_x', address 0x0" <<<"$output" || fail "the rank or the kernel is not named"
grep -qiE 'signal 11|EXIT CODE: 139|EXIT CODE: 11' <<<"$(grep -v '^portable' <<<"$output")" || fail "$mpirun does not tell signal 11"
grep -qE 'goroutine|signal 3|runtime\.' <<<"$output" && fail "Go speaks"
echo "fine"
