# refused.sh - the common part of the rooms' scripts refused.sh, which source it with their arguments CXX FC INCLUDE MODULES WORK: calls
# that compilers must refuse, and the same calls put right, which they must take. MODULES are folders with colons between. FC or CXX may
# be none. Not in this file: the calls. A room sets `right` and `wrong`, defines program CALL..., which prints the source, and ends
# with [ $failed = 0 ].
set -eu
cxx=$1 fc=$2 include=$3 work=$5 failed=0 modules=()
IFS=: read -ra folders <<<"$4"
for folder in "${folders[@]}"; do modules+=(-I"$folder"); done
mkdir -p "$work"
fail() { echo "FAILED: $*"; failed=1; }

# compiled FILE COMMAND...: all calls of a language are in one program, for the time it takes. The messages are in $work/log.
compiled() {
  local file=$work/$1
  shift
  program "${right[@]}" >"$file"
  "$@" "$file" || fail "the right calls are refused"
  program "${wrong[@]}" >"$file"
  if "$@" "$file" >"$work/log" 2>&1; then fail "the wrong calls are taken"; fi
}

# compiled_fortran BEFORE AFTER: a message shows the line, and says below that nothing of that name takes it. The line has each wrong
# call between BEFORE and AFTER.
compiled_fortran() {
  compiled calls.f90 "$fc" -fsyntax-only "${modules[@]}"
  for call in "${wrong[@]}"; do
    grep -A 2 -F "$1$call$2" "$work/log" | grep -q 'no specific' || fail "no message about: $call"
  done
  [ $failed = 0 ] || cat "$work/log"
}

# compiled_cxx TEXT...: each text is in a message.
compiled_cxx() {
  compiled calls.cpp "$cxx" -std=c++17 -fsyntax-only -I"$include"
  for text in "$@"; do grep -q "$text" "$work/log" || fail "no message with '$text'"; done
}

# one_fortran NAME WORD TEXT RIGHT: NAME.f90, which has TEXT. It compiles if TEXT is RIGHT, else the compiler's message has WORD.
one_fortran() {
  if [ "$3" = "$4" ]; then
    "$fc" -fsyntax-only "${modules[@]}" "$work/$1.f90" || fail "$1: the right one is refused"
  elif "$fc" -fsyntax-only "${modules[@]}" "$work/$1.f90" >"$work/$1.log" 2>&1; then
    fail "$1: the wrong one is taken: $3"
  else
    grep -qi "$2" "$work/$1.log" || { cat "$work/$1.log"; fail "$1: the message lacks '$2'"; }
  fi
}
