#!/usr/bin/env bash
# traps.sh GFORTRAN MODULES LIBRARY... - compiles and runs the sources next to it and tests whether each trap of
# docs/start/first-loop.md is one with this compiler, and whether the way out is one. MODULES: folders of .mod files with colons
# between. Exit status: 0 when all is as the guide says.
# shellcheck disable=SC2317 # expect calls what it is given
set -uo pipefail
compiler=$1
IFS=: read -ra folders <<<"$2"
shift 2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0

# expect WHAT COMMAND...: the command must hold.
expect() {
  local what=$1
  shift
  if "$@"; then echo "ok      $what"; else failed=1 && echo "FAILED  $what"; fi
}
no() { ! "$@"; }

# object NAME FLAG...: compiles NAME.F90 into the object and the report of the same name.
object() {
  local name=$1
  shift
  "$compiler" "${folders[@]/#/-I}" "$@" -fopt-info-vec -c "$here/$name.F90" -o "$name.o" 2>"$name.report" || {
    cat "$name.report"
    exit 2
  }
}
vectorised() { grep -q 'loop vectorized' "$1.report"; }

# program NAME FLAG...: compiles and links; what the linker says is in NAME.link.
libraries=("$@")
program() {
  object "$@"
  "$compiler" "$1.o" "${libraries[@]}" -lpthread -o "$1" 2>"$1.link" || { cat "$1.link"; exit 2; }
}
executable_stack() { readelf -lW "$1" | grep -q 'GNU_STACK.*RWE'; }
text_relocations() { readelf -dW "$1" | grep -q TEXTREL; }
# says TEXT NAME: the program runs on two threads and writes the text.
says() {
  PORTABLE_DEVICE=threads PORTABLE_NUM_THREADS=2 "./$2" >"$2.output" 2>&1
  grep -q -- "$1" "$2.output"
}

# way WHAT FILE YES|NO FLAG...: how a loop is written, and whether it is vectorised then.
way() {
  local what=$1 file=$2 answer=$3
  shift 3
  object "$file" -O3 "$@"
  if [ "$answer" = yes ]; then expect "$what: vectorised" vectorised "$file"; else expect "$what: not vectorised" no vectorised "$file"; fi
}
# gfortran 11 does not look at run time whether two arrays overlap.
version=$("$compiler" -dumpversion)
way 'two POINTER arrays' two "$([ "${version%%.*}" -ge 12 ] && echo yes || echo no)"
way 'six ALLOCATABLE arrays' vectors yes -DOWN
way 'six POINTER arrays' vectors no
way '  with associate' vectors no -DASSOCIATE
way '  with do concurrent' vectors no -DCONCURRENT
way '  with associate and do concurrent' vectors yes -DASSOCIATE -DCONCURRENT
way '  handed to dummies with explicit shapes' vectors yes -DDUMMIES
way 'eight dummies of the procedure around the kernel' host no
way '  with associate' host no -DASSOCIATE
way '  with do concurrent' host yes -DCONCURRENT

# refused FLAG...: the compiler does not take the call, and says so as the guide does.
refused() {
  ! "$compiler" "${folders[@]/#/-I}" "$@" -c "$here/arguments.F90" -o arguments.o 2>arguments.report &&
    grep -q 'There is no specific subroutine for the generic .parallel_for.' arguments.report
}
expect 'a kernel of an index is refused' refused -DKERNEL
expect 'a kernel whose tile has no INTENT(IN) is refused' refused -DINTENT
expect 'a number in the place of bounds is refused' refused -DBOUNDS
expect 'the right arguments are taken' no refused

program scalar -O0 -DSHARED
expect 'a scalar declared outside of the kernel is shared' says 'wrong' scalar
program scalar -O0 -DSAVED
expect 'so is a local variable with SAVE' says 'wrong' scalar
program scalar -O0
expect 'a scalar of the kernel is not' says 'right' scalar

program recursion -O0 -fcheck=all -DPLAIN
expect '-fcheck=all stops a kernel that is not recursive' says 'Recursive call to nonrecursive procedure' recursion
program recursion -O0 -fcheck=all
expect 'and lets one run that is' says 'both threads were in it' recursion

program inner -O2 -DINTERNAL
expect 'an internal procedure as a kernel makes the stack executable' executable_stack inner
expect 'and runs' says '500500' inner
program inner -O2
expect 'a module procedure does not' no executable_stack inner
expect 'and gives the same' says '500500' inner

program address -O2 -fPIE
expect 'c_funloc in the call leaves no relocations in the code' no text_relocations address
expect 'and runs' says '36' address

exit $failed
