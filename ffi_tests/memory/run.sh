#!/bin/bash
# run.sh FOLDER TABLE PROGRAM: each case of a table below with PORTABLE_CHECK=memory must print the same as without, end in the same way,
# and tell of each access that it should not make, and of no other. PROGRAM is places.c for the table accesses, parked.c for parked, places.f90 for fortran.
# Not in this file: the programs.
set -u
failed=0
fail() { echo "FAILED: $*"; failed=1; }

# one PROGRAM CASE STATUS TEXT: STATUS "same": as without; TEXT: a regular expression that a line on standard error has; "": no line at all.
one() {
  local program=$1 what=$2 status=$3 text=$4 plain checked
  local out=$folder/$(basename "$program").$what
  "$program" "$what" >"$out.plain" 2>/dev/null; plain=$?
  PORTABLE_CHECK=memory "$program" "$what" >"$out.checked" 2>"$out.told"; checked=$?
  [ "$status" = same ] && status=$plain
  [ "$checked" = "$status" ] || { fail "$program $what ended with $checked, not $status"; cat "$out.told"; }
  [ "$status" != "$plain" ] || cmp -s "$out.plain" "$out.checked" || { fail "$program $what prints other things"; cat "$out.checked"; }
  if [ -n "$text" ]; then
    grep -qE -- "^portable: .*$text" "$out.told" || { fail "$program $what does not tell '$text'"; cat "$out.told"; }
  elif grep -q '^portable:' "$out.told"; then
    fail "$program $what tells"; cat "$out.told"
  fi
}

. "$(dirname "${BASH_SOURCE[0]}")/../support/emulated.sh"
folder=$1
mkdir -p "$folder/traces" || exit 1
table=$2 program=$(emulated "$folder" "$3")
cd "$folder/traces" || exit 1
rm -f ./*.trace
export PORTABLE_NUM_THREADS=3
ulimit -c 0

accesses() {
  end='write.*out of bounds.*0 bytes after the end of .*8000 bytes'
  for guard in end alternate both start; do
    export PORTABLE_MEMCHECK=guard=$guard
    one "$program" nothing same ""
    [ $guard = both ] && one "$program" write_before same 'write.*out of bounds.*8 bytes before'
    [ $guard = start ] && one "$program" write_before same 'write.*out of bounds.*8 bytes before'
  done
  unset PORTABLE_MEMCHECK
  one "$program" write_after_end same "$end"
  one "$program" read_after_end same "${end/write/read}"
  one "$program" write_before same 'out of bounds.*8 bytes before'
  one "$program" kernel same 'write.*out of bounds.*[0-9]+ bytes after' # the first of several by one instruction
  one "$program" loop same "$end"
  one "$program" thread same "$end"
  one "$program" blocked same "$end"
  one "$program" read_after_free same 'read.*after free.*24'
  one "$program" write_after_free same 'write.*after free.*24'
  one "$program" copy same 'read.*out of bounds'
  one "$program" trap same "$end"
  one "$program" fork same "$end"
  one "$program" own_files same "$end"
  one "$program" deep 139 'signal: signal 11, the stack of this thread has ended'
  one "$program" libc_free 134 "given to free, delete or DEALLOCATE, .*8000 bytes"
  for how in before after jumps chains; do one "$program" handler_$how same "$end"; done
  one "$program" handler_launch same 'write.*out of bounds'
  export PORTABLE_MEMCHECK=mode=fast
  one "$program" nothing same ""
  one "$program" write_after_end same 'out of bounds.*0 bytes after the end of .*8000 bytes'
  one "$program" write_before same 'out of bounds.*8 bytes before'
  one "$program" libc_free 134 "given to free, delete or DEALLOCATE, .*8000 bytes"
  # Everything of one block in so many, the first one among them; of the others the facts that their pool knows.
  export PORTABLE_MEMCHECK=sample=1000
  one "$program" nothing same ""
  one "$program" write_after_end same ""
  one "$program" first same "write.*out of bounds.*0 bytes after the end of 'neighbour' of 8000 bytes"
  one "$program" twice same 'freed twice'
  one "$program" inside same 'freed by an address inside of a block'
  one "$program" lost same "leak: 30 blocks, 240000 bytes, 'lost'"
  unset PORTABLE_MEMCHECK
}

# Freed blocks that wait for the next allocation of their kind.
parked() {
  export PORTABLE_MEMCHECK=mode=fast
  for what in statistics limit threads again fork; do
    one "$program" $what same ""
    PORTABLE_MEMCHECK=mode=fast,fill=yes one "$program" $what same ""
  done
  one "$program" twice same "freed twice, 'a' of 8000 bytes"
  one "$program" after_free same "out of bounds.*: 0 bytes after the end of 'a' of 8000 bytes"
  one "$program" inside same "freed by an address inside of a block, 'b' of 8000 bytes"
  one "$program" lost same "leak: 1 block, 8000 bytes, 'a'"
}

fortran() {
  one "$program" nothing same ""
  one "$program" dummy same 'write.*out of bounds.*[0-4] bytes after the end of .*4004 bytes'
  one "$program" read same 'read.*out of bounds.*0 bytes after the end of .*8008 bytes'
  one "$program" kernel same 'read.*out of bounds.*0 bytes after the end of .*8008 bytes'
  one "$program" openmp same 'write.*out of bounds.*0 bytes after the end of .*4004 bytes'
  one "$program" freed same 'read.*after free.*of .*8008 bytes'
  PORTABLE_MEMCHECK=fill=yes one "$program" unset same 'read before it was written.*8008 bytes'
  PORTABLE_MEMCHECK=fill=yes one "$program" nothing same ""
}

declare -F "$table" >/dev/null || { echo "no table '$table'"; exit 1; }
"$table"
exit $failed
