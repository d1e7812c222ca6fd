#!/bin/bash
# inside.sh CMAKE BUILD FORTRAN SOURCES WORK - what libportable_debug.a tells of a fault inside the library: Go's, C's and Fortran's frames in
# the text of the error and in the log, and nothing on standard output but what the program prints.
set -eu
cmake=$1 build=$2 fortran=$3 sources=$4 work=$5
mkdir -p "$work"
cd "$work"
fail() {
  echo "inside.sh: $*" >&2
  exit 1
}
"$cmake" --build "$build" --target portable_debug_archive >build.log 2>&1 || { cat build.log >&2; fail "libportable_debug.a was not built"; }
"$fortran" -g -O1 "$sources/inside.f90" "$build/libportable_debug.a" -lpthread -ldl -lm -o inside
rm -f inside.log
PORTABLE_VERBOSE=inside.log ./inside >out 2>err || fail "the program ended with $?"
[ ! -s err ] || { cat err >&2; fail "something was written to standard error"; }
line=$(grep -n '!@fault' "$sources/inside.f90" | cut -d: -f1)
wanted() { grep -q -- "$2" "$1" || { cat "$1" >&2; fail "$1 has no '$2'"; }; }
[ "$(grep -c '^kind . status -12$' out)" = 3 ] || { cat out >&2; fail "a fault has not the status PORTABLE_ERR_INTERNAL"; }
wanted out 'please report it: asked for by portable_debug_fault'
wanted out '^panic('
wanted out '^libportable/capi.portable__go_debug_fault('
wanted out 'an earlier fault inside the library left it unusable'
for file in out inside.log; do
  [ "$(grep -c "portable_debug_fault at .*capi/fault_debug.c:" "$file")" = 2 ] || { cat "$file" >&2; fail "$file has no frames of C"; }
  [ "$(grep -c "step at .*inside.f90:$line" "$file")" = 2 ] || { cat "$file" >&2; fail "$file has no frames of Fortran"; }
done
