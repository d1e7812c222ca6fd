#!/bin/sh
# vectorised.sh GFORTRAN MODULES FOLDER[:FOLDER] - compiles the modules with loops, serial and moved
# over, with gfortran's report of what it has vectorised, and compares how many loops that are.
# MODULES has the .mod files of this example, FOLDER those of portable_mod.
set -eu
compiler=$1 modules=$2 portable=$3
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
include=$(printf '%s' "$portable" | sed 's/:/ -I/g; s/^/-I/')
status=0
for file in src_parallel/*_mod.f90; do
  name=${file#*/}
  for source in src src_parallel; do
    # shellcheck disable=SC2086 # several folders
    "$compiler" -O3 -fopt-info-vec -J "$work" -I "$modules" $include -c "$source/$name" -o "$work/o.o" 2>"$work/report" || {
      cat "$work/report" >&2
      exit 2
    }
    grep -c 'loop vectorized' "$work/report" >"$work/$source" || true
  done
  echo "$name: $(cat "$work/src") loops vectorised, $(cat "$work/src_parallel") after the change"
  [ "$(cat "$work/src")" -gt 0 ] || status=1
  [ "$(cat "$work/src")" = "$(cat "$work/src_parallel")" ] || status=1
done
exit $status
