#!/bin/bash
# overflow.sh PROGRAM: a thread of a block that uses more than its stack, by many frames or by one, ends the program with a line that names the kernel
# and says what to do; one that uses less runs. Where gdb is installed, a backtrace in a thread of a block
# reaches main, or the team's thread. Not in this file: the program.
set -u
program=$1 failed=0 work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ulimit -c 0
fail() { echo "FAILED: $*"; sed 's/^/  /' "$work/log"; failed=1; }
for bytes in 0 12000; do
  "$program" $bytes >"$work/log" 2>&1 && grep -q ended "$work/log" || fail "$bytes bytes of stack"
done
for bytes in 40000 -40000 -500000; do
  "$program" $bytes >"$work/log" 2>&1 && fail "$bytes bytes of stack were had"
  grep -q "in kernel 'deep stacks', address 0x.*: a thread of its block needs more than the 16448 bytes of its stack; put its arrays into scratch or shared memory" \
    "$work/log" || fail "the line of $bytes bytes"
done
# backtrace THREADS FRAME...: the frames of a thread of a block, where the team has so many threads; their stacks lie in any order.
backtrace() {
  PORTABLE_NUM_THREADS=$1 gdb -nx -batch -ex 'set confirm off' -ex 'break wide' -ex run -ex bt --args "$program" -100 >"$work/log" 2>&1
  if grep -q 'ptrace' "$work/log"; then
    echo "skipped: gdb may not trace here"
    return
  fi
  shift
  for frame in "$@"; do grep -q "^#.* $frame " "$work/log" || fail "the backtrace lacks $frame"; done
}
if command -v gdb >"$work/which"; then
  backtrace 1 wide stacks portable_parallel_blocks main
  backtrace 4 wide stacks run_blocks run_units
fi
exit $failed
