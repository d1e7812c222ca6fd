#!/bin/bash
# inlined.sh INCLUDE SOURCE WORK [COMPILER...]: by each of these C++ compilers that is found (none named: all of g++ and clang++), the
# lambdas of SOURCE are inlined into the loops over a tile (no operator() is left that could be called, also at -O2), and these loops are
# vectorised at -O3 (packed multiplications in the function that runs a tile; with gcc, its own word for it). Not in this file: speed (bench).
set -eu
include=$1 source=$2 work=$3 failed=0 tried=0
shift 3
[ $# -gt 0 ] || set -- g++ g++-11 clang++ clang++-16
mkdir -p "$work"
case $(uname -m) in x86_64) ;; *) echo "skipped: the code of $(uname -m) is not known to this test"; exit 77 ;; esac
command -v objdump >/dev/null || { echo "skipped: no objdump"; exit 77; }
fail() { echo "FAILED: $*"; failed=1; }
for compiler; do
  command -v "$compiler" >/dev/null || { echo "no $compiler here"; continue; }
  tried=$((tried + 1))
  word=()
  case $compiler in g++*) word=(-fopt-info-vec-optimized="$work/$compiler.word") ;; esac
  for level in -O2 -O3; do
    object="$work/$compiler$level.o"
    "$compiler" -std=c++17 $level -g1 -Wall -Wextra -Werror "${word[@]}" -I"$include" -c -o "$object" "$source"
    names=$(nm -C "$object")
    [ "$(grep -c ' [tTwW] .*run_tile_loops' <<<"$names")" -ge 2 ] || fail "$compiler $level: not two functions that run a tile"
    grep -q ' [tTwW] .*run_team' <<<"$names" || fail "$compiler $level: no function that runs a team"
    # Not meant: the loops of teams of several members, and the lambda of an outer loop, which is called once for each team.
    ! grep ' [tTwWuU] .*operator()' <<<"$names" | grep -vE 'member_loops|InnerHandler\) const( \[clone \.cold\])?$' || fail "$compiler $level: the lambda is a function that is called"
  done
  # Symbols of run_tile and run_team, one for each kernel; the cold parts, with the handlers of exceptions, are not among them.
  for symbol in $(nm "$object" | awk '$2 ~ /[tTwW]/ && /run_tile_loops|run_team/ && !/cold/ {print $3}'); do
    code=$(objdump -d --no-show-raw-insn --disassemble="$symbol" "$object")
    grep -qE '\b(v?mulpd|vfm[a-z0-9]+pd)\b' <<<"$code" || fail "$compiler -O3: no packed multiplication in $symbol"
  done
  # The same with indices that are looked at where that is switched on: while it is off, there is nothing between the elements.
  case $compiler in g++|clang++)
    "$compiler" -std=c++17 -O3 -DPORTABLE_RUNTIME_CHECKS -Wall -Wextra -Werror -I"$include" -c -o "$object" "$source"
    for symbol in $(nm "$object" | awk '$2 ~ /[tTwW]/ && /run_tile_loops/ && !/cold/ {print $3}'); do
      code=$(objdump -d --no-show-raw-insn --disassemble="$symbol" "$object")
      grep -qE '\b(v?mulpd|vfm[a-z0-9]+pd)\b' <<<"$code" || fail "$compiler -O3 -DPORTABLE_RUNTIME_CHECKS: no packed multiplication in $symbol"
    done ;;
  esac
  case $compiler in g++*)
    [ "$(grep -c "portable.hpp:.*loop vectorized" "$work/$compiler.word")" -ge 7 ] || { cat "$work/$compiler.word"; fail "$compiler: not seven loops vectorised"; } ;;
  esac
done
echo "$tried compilers"
[ "$tried" -gt 0 ] && [ $failed = 0 ]
