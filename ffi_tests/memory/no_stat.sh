#!/bin/bash
# no_stat.sh PROGRAM: `PROGRAM no_stat N` for N = 1, 2, ... until its run comes to its end: each time before, the text of
# the refusal and error stop. Not in this file: what is run (arrays.f90).
set -u
program=$1
export GFORTRAN_ERROR_BACKTRACE=0
fail() { echo "FAILED: call $n: $*"; echo "$output"; exit 1; }
for ((n = 1; n < 100; n++)); do
  output=$("$program" no_stat "$n" 2>&1)
  status=$?
  if [[ $output == "end of run" ]]; then
    [ "$status" = 0 ] || fail "the end, but status $status"
    [ "$n" -gt 5 ] || fail "there were too few calls"
    echo "$((n - 1)) calls refused"
    exit 0
  fi
  [ "$status" = 1 ] || fail "status $status, not that of error stop"
  grep -qE "^gator_init:|^gator_allocate of 'wanted':" <<<"$output" || fail "the call is not named"
  grep -qE 'out of memory: the default pool has no [0-9]+ bytes' <<<"$output" || fail "not what was asked"
  grep -q 'ask for less, or look at ulimit -v' <<<"$output" || fail "not what to do"
done
fail "there was no end"
