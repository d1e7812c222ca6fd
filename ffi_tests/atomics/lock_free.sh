#!/bin/bash
# lock_free.sh INCLUDE SOURCE WORK [quick]: SOURCE, which uses every atomic of portable_atomic.h, compiles without a warning in each
# language and leaves no call to anything; on x86-64 each function holds a locked instruction. quick: the oldest and the newest
# standard, by the first compiler of each family. Not in this file: results.
set -eu
include=$1 source=$2 work=$3 quick=${4:-} failed=0 tried=0
mkdir -p "$work"
fail() { echo "FAILED: $*"; failed=1; }
one() { # one COMPILER STANDARD LANGUAGE
  local object="$work/$1-$2.o" name code
  tried=$((tried + 1))
  "$1" "-std=$2" -x "$3" -O2 -Wall -Wextra -Wpedantic -Wundef -Wconversion -Wsign-conversion -Wshadow -Werror -I"$include" \
    -c -o "$object" "$source" || { fail "$1 -std=$2"; return; }
  [ -z "$(nm -u "$object")" ] || fail "$1 -std=$2: $(nm -u "$object") is called"
  [ "$(nm -C "$object" | grep -cE ' T (add|min|max)_')" = 12 ] || fail "$1 -std=$2: not 12 functions"
  [ "$(uname -m)" = x86_64 ] && command -v objdump >/dev/null || return 0
  for name in $(nm "$object" | awk '$2 == "T" {print $3}'); do
    code=$(objdump -d --no-show-raw-insn --disassemble="$name" "$object")
    grep -qE '\block (cmpxchg|xadd|add)' <<<"$code" || fail "$1 -std=$2: no locked instruction in $name"
    ! grep -qE '\bcall' <<<"$code" || fail "$1 -std=$2: a call in $name"
  done
}
compilers="gcc gcc-11 clang clang-16" compilers_of_cxx="g++ g++-11 clang++ clang++-16"
standards="c99 c11 c17 c2x" standards_of_cxx="c++98 c++11 c++14 c++17 c++20 c++2b"
[ -z "$quick" ] || { compilers="gcc clang" compilers_of_cxx="g++ clang++" standards="c99 c2x" standards_of_cxx="c++98 c++2b"; }
for compiler in $compilers; do
  command -v "$compiler" >/dev/null || { echo "no $compiler here"; continue; }
  for standard in $standards; do one "$compiler" "$standard" c; done
done
for compiler in $compilers_of_cxx; do
  command -v "$compiler" >/dev/null || continue
  for standard in $standards_of_cxx; do one "$compiler" "$standard" c++; done
done
echo "$tried compilations"
[ "$tried" -gt 0 ] && [ $failed = 0 ]
