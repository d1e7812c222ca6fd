#!/bin/bash
# lock_free.sh INCLUDE SOURCE WORK [quick] [PREFIX]: SOURCE, which uses every atomic of portable_atomic.h, compiles without a warning in each
# language and leaves no call to anything; on x86-64 each function holds a locked instruction, on aarch64 an exclusive load or an
# atomic instruction (gcc may call its own function there, which takes the latter where the processor has it). quick: the oldest and the newest
# standard, by the first compiler of each family. PREFIX: of cross compilers, as aarch64-linux-gnu-. Not in this file: results.
set -eu
include=$1 source=$2 work=$3 quick=${4:-} prefix=${5:-} failed=0 tried=0
mkdir -p "$work"
fail() { echo "FAILED: $*"; failed=1; }
one() { # one COMPILER STANDARD LANGUAGE
  local object="$work/$1-$2.o" name code called atomic call
  tried=$((tried + 1))
  "$1" "-std=$2" -x "$3" -O2 -Wall -Wextra -Wpedantic -Wundef -Wconversion -Wsign-conversion -Wshadow -Werror -I"$include" \
    -c -o "$object" "$source" || { fail "$1 -std=$2"; return; }
  called=$("${prefix}nm" -u "$object" | grep -v ' __aarch64_\(ldadd\|cas\)[48]_relax$') && fail "$1 -std=$2: $called is called"
  [ "$("${prefix}nm" -C "$object" | grep -cE ' T (add|min|max)_')" = 12 ] || fail "$1 -std=$2: not 12 functions"
  command -v "${prefix}objdump" >/dev/null || return 0
  case $("$1" -dumpmachine) in
    x86_64*) atomic='\block (cmpxchg|xadd|add)' call='\bcall' ;;
    aarch64*) atomic='\b(ldaxr|ldxr|cas|ldadd)|__aarch64_(ldadd|cas)' call='\bblr\b' ;; # others were undefined above
    *) return 0 ;;
  esac
  for name in $("${prefix}nm" "$object" | awk '$2 == "T" {print $3}'); do
    code=$("${prefix}objdump" -dr --no-show-raw-insn --disassemble="$name" "$object")
    grep -qE "$atomic" <<<"$code" || fail "$1 -std=$2: no atomic instruction in $name"
    ! grep -qE "$call" <<<"$code" || fail "$1 -std=$2: a call in $name"
  done
}
compilers="gcc gcc-11 clang clang-16" compilers_of_cxx="g++ g++-11 clang++ clang++-16"
standards="c99 c11 c17 c2x" standards_of_cxx="c++98 c++11 c++14 c++17 c++20 c++2b"
[ -z "$quick" ] || { compilers="gcc clang" compilers_of_cxx="g++ clang++" standards="c99 c2x" standards_of_cxx="c++98 c++2b"; }
[ -z "$prefix" ] || compilers=${prefix}gcc compilers_of_cxx=${prefix}g++
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
