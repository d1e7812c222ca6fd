#!/bin/bash
# ends.sh WHAT FOLDER PROGRAM YAKLCHECK: how programs end under memory checks. jump: a jump into a block is a crash with the caller's line, for every --guard.
# overrun: threads that read behind their blocks go on; SIGTRAP of the program's own ends it, and yaklcheck names the signal.
# PROGRAM is ends.c. Not in this file: accesses beyond blocks, one for each kind (run.sh).
set -u
source=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/ends.c
. "$(dirname "$source")/../support/emulated.sh"
what=$1 folder=$2 failed=0
mkdir -p "$folder" && cd "$folder" || exit 1
program=$(emulated "$folder" "$3") yaklcheck=$(emulated "$folder" "$4")
ulimit -c 0
fail() { echo "FAILED: $*"; cat told; failed=1; }
tells() { grep -qE -- "$1" told || fail "$2 does not tell '$1'"; }

# jumped CASE OPTION...: a loop of faults would not end, so the time is limited.
jumped() {
  local case=$1 status line
  shift
  line=$(grep -n 'the jump \*/' "$source" | cut -d: -f1)
  timeout -s KILL 60 "$yaklcheck" "$@" "$program" "$case" >out 2>told; status=$?
  [ $status = 1 ] || fail "$case $* ended with $status"
  tells '^1 crash: signal 11, a jump into a block of the pool' "$case $*"
  tells "^ +at jump_into .*ends\.c:$line( |\$)" "$case $*"
  [ ! -s out ] || fail "$case $* came back"
}

jump() {
  local guard
  for guard in end start alternate both; do jumped jump --guard=$guard; done
  jumped jump --mode=fast
  jumped jump_freed
  jumped jump_kernel
  tells "in kernel 'jumps'" jump_kernel
}

overrun() {
  local status case
  for _ in 1 2 3; do
    PORTABLE_NUM_THREADS=4 PORTABLE_CHECK=memory timeout -s KILL 60 "$program" overrun >out 2>told; status=$?
    [ $status = 0 ] && [ "$(cat out)" = "went on to the end" ] || fail "overrun ended with $status"
    tells "read out of bounds: 0 bytes after the end of 'short by one' of 4096 bytes" overrun
  done
  for case in raised int3; do
    PORTABLE_CHECK=memory "$program" $case >out 2>told; status=$?
    [ $status = 133 ] || fail "$case ended with $status, not with 128 + SIGTRAP"
    timeout -s KILL 60 "$yaklcheck" "$program" $case >out 2>told; status=$?
    [ $status = 133 ] || fail "$case under yaklcheck ended with $status"
    tells 'its trace has no end: killed by SIGTRAP \(5\)' "$case"
  done
}

$what
exit $failed
