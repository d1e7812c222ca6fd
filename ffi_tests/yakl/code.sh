#!/bin/bash
# code.sh INCLUDE SOURCE WORK COMPILER: the functions that run a tile have as many instructions with arrays of YAKL's as with the library's own (2 %: compilers
# choose registers by names, too), and as many packed multiplications and additions.
# Not in this file: that these are vectorised (../packages/header/inlined.sh).
set -eu
include=$1 source=$2 work=$3 compiler=$4
mkdir -p "$work"
command -v objdump >/dev/null || { echo "skipped: no objdump"; exit 77; }
sed -e 's/#include "portable.hpp"/#include "YAKL.h"/' -e 's/= portable::Array</= yakl::Array</' "$source" >"$work/yakl.cpp"
[ "$(grep -c '= yakl::Array<' "$work/yakl.cpp")" = 3 ] || { echo "FAILED: $source has not three types of arrays"; exit 1; }
code() { # code SOURCE NAME: a line for each function that runs a tile, with its number of instructions and of packed ones
  "$compiler" -std=c++17 -O3 -I"$include" -I"$include/portable/compat" -c -o "$work/$2.o" "$1"
  objdump -d --no-show-raw-insn "$work/$2.o" | awk '
    /^[0-9a-f]+ <.*>:$/ {if (on) print n, packed; on = /run_tile/ && !/cold/; n = packed = 0; next}
    on && NF > 1 {n++; packed += $2 ~ /^v?(mul|add|fm[a-z0-9]*)pd$/}
    END {if (on) print n, packed}' | sort -n >"$work/$2.txt"
}
code "$source" library
code "$work/yakl.cpp" yakl
functions=$(wc -l <"$work/library.txt")
[ "$functions" -ge 4 ] || { echo "FAILED: $functions functions run a tile"; exit 1; }
[ "$functions" = "$(wc -l <"$work/yakl.txt")" ] || { echo "FAILED: another number of functions"; exit 1; }
paste -d' ' "$work/library.txt" "$work/yakl.txt" | awk '
  {n += $3; d = $1 > $3 ? $1 - $3 : $3 - $1; if (d > 0.02 * $1 || $2 != $4) {print "FAILED: library (instructions, packed) " $1, $2 ", YAKL " $3, $4; bad = 1}}
  END {print NR " functions, " n " instructions"; exit bad}'
