#!/bin/bash
# run_crash.sh MPIRUN PROGRAM: a kernel crashes on both of two ranks: the line that names it has the rank in it, and mpirun
# tells the kernel's own signal. Not in this file: the program (../guest_launch/crash_kernel.c).
set -u
mpirun=$1 program=$2
ulimit -c 0
options=(-n 2)
if "$mpirun" --version 2>&1 | grep -qi 'open.\?mpi\|open-rte'; then
  options+=(--oversubscribe --bind-to none)
  [ "$(id -u)" = 0 ] && options+=(--allow-run-as-root)
fi
why=$("$mpirun" "${options[@]}" true 2>&1) || { echo "skipped: $mpirun does not run here: $why" | head -5; exit 77; }
output=$(PORTABLE_NUM_THREADS=2 timeout 60 "$mpirun" "${options[@]}" "$program" segv worker 2>&1)
fail() { echo "FAILED: $*"; echo "$output" | head -60; exit 1; }
grep -qE "portable: rank [01]: signal 11 \(invalid memory access\) in kernel 'advect_x', address 0x0" <<<"$output" || fail "the rank or the kernel is not named"
grep -qE 'signal 11' <<<"$(grep -v '^portable' <<<"$output")" || fail "$mpirun does not tell signal 11"
grep -qE 'goroutine|signal 3|runtime\.' <<<"$output" && fail "Go speaks"
echo "fine"
