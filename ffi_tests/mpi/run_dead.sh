#!/bin/bash
# run_dead.sh MPIRUN PROGRAM: one of three ranks is killed while the others exchange ghost cells. The launcher ends them with a failure, soon; no rank
# goes on. Not in this file: the program (halo_late.c).
set -u
mpirun=$1 program=$2
. "$(dirname "$0")/options.sh"
ulimit -c 0
begin=$SECONDS
output=$(launch 3 none "$program" dead 2>&1)
status=$?
[ $status != 0 ] && [ $status != 124 ] || fail "ended with $status"
[ $((SECONDS - begin)) -lt 30 ] || fail "it took $((SECONDS - begin)) seconds"
grep -qiE 'signal 9|EXIT CODE: 9|EXIT CODE: 137' <<<"$output" || fail "$mpirun does not tell signal 9"
grep -qE 'goroutine|runtime\.|check.* gave' <<<"$output" && fail "a rank went on"
echo "fine: ended with $status after $((SECONDS - begin)) s"
