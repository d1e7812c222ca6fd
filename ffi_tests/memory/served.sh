#!/bin/bash
# served.sh FOLDER YAKLCHECK PROGRAM BLOCKS [FORTRAN]: programs that link portable::allocate and call nothing of the library, under yaklcheck: lines, the trace,
# the log, and so many live blocks. PROGRAM and FORTRAN are served.c and served.f90 of ../scorecard/programs. Not in this file: each fault (the scorecard).
set -u
folder=$1 yaklcheck=$2 program=$3 blocks=$4
fortran=${5:-}
failed=0
fail() { echo "FAILED: $*"; failed=1; }
mkdir -p "$folder" && cd "$folder" || exit 1
rm -f ./*.log ./*.trace
export GATOR_INITIAL_MB=16
ulimit -c 0

# told STATUS TEXT COMMAND...: yaklcheck ends so, and a line of its report matches.
told() {
  local status=$1 text=$2 found
  shift 2
  "$yaklcheck" "$@" >report 2>&1; found=$?
  [ "$found" = "$status" ] || { fail "$* ended with $found, not $status"; cat report; }
  grep -qE -- "$text" report || { fail "$* does not tell '$text'"; cat report; }
}

told 0 'no findings' "$program" malloc_none
told 1 'allocated at malloc_write +.*served\.c:[0-9]+' "$program" malloc_write
told 1 'allocated at malloc_large +.*served\.c:[0-9]+' "$program" malloc_large
if [ -n "$fortran" ]; then
  told 1 'allocated at served_large +.*served\.f90:[0-9]+' "$fortran" served_large
fi

PORTABLE_TRACE=$PWD/events.trace PORTABLE_VERBOSE=$PWD/served.log "$program" malloc_clean || fail "the program ended with $?"
[ -s events.trace ] || fail "there is no trace"
grep -q 'environment: PORTABLE_TRACE=' served.log || fail "there is no log"

told 0 'further blocks have canaries only' "$program" many "$blocks"
[ "$(grep -c 'canaries only' report)" = 1 ] || { fail "it is reported more than once"; cat report; }
most=$(sed -n 's/^VmHWM:[[:space:]]*\([0-9]*\) kB$/\1/p' report)
[ "${most:-9999999}" -lt 2097152 ] || fail "$blocks blocks take ${most:-?} kB, more than the budget"

told 0 'no findings' --budget=8MB "$program" churn 20000
most=$(sed -n 's/^VmHWM:[[:space:]]*\([0-9]*\) kB$/\1/p' report)
[ "${most:-9999999}" -lt 81920 ] || fail "freed blocks that wait take ${most:-?} kB"
exit $failed
