#!/bin/bash
# vectors.sh CC [show]: the kernels of arrays become vectors on aarch64: for NEON, for SVE and for A64FX. Each file must
# have as many such loops as vectors.txt says, by the compiler's report (-fopt-info-vec), and each kernel named there must
# compute with vectors in the assembly. show: prints the functions that do. Not in this file: runs.
set -euo pipefail
cc=$1 show=${2-} failed=0
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; failed=1; }
# compile FILE OPTION...: the assembly and the report.
compile() {
  local file=$1
  shift
  "$cc" -O2 -ffp-contract=off "$@" -Icapi/include/c -Icapi/include/kernel -fopt-info-vec-optimized -S -o "$work/s" "internal/kernels/$file" 2>"$work/report"
  # Functions with an operation on the lanes of a register, without the suffixes of their clones.
  awk '/^[A-Za-z_][A-Za-z0-9_.]*:$/ {name = substr($1, 1, length($1) - 1); sub(/\.(constprop|isra|part|cold).*/, "", name)}
    /[ \t,{](v[0-9]+\.(16b|8h|4s|2d|8b|4h|2s)|z[0-9]+\.[bhsd])/ {print name}' "$work/s" | sort | uniq -c | awk '{print $2, $1}' >"$work/functions"
}
while read -r file least_neon least_sve kernels; do
  case $file in '' | \#*) continue ;; esac
  for machine in -march=armv8-a -march=armv8.2-a+sve -mcpu=a64fx; do
    compile "$file" "$machine"
    case $machine in
      -march=armv8-a) least=$least_neon loops=$(grep -c 'optimized: .*vectorized' "$work/report" || true) ;;
      *) least=$least_sve loops=$(grep -c 'optimized: .*vectorized using variable length vectors' "$work/report" || true) ;;
    esac
    printf '%5d loops, %4d functions with vectors in %s for %s\n' "$loops" "$(wc -l <"$work/functions")" "$file" "$machine"
    [ -z "$show" ] || cat "$work/functions"
    [ "$loops" -ge "$least" ] || fail "$file has $loops loops with vectors for $machine, at least $least are expected"
    for kernel in $(eval "echo $kernels"); do
      grep -q "^$kernel " "$work/functions" || fail "$kernel of $file has no vectors for $machine"
    done
  done
done <ffi_tests/kernels/vectors.txt
exit $failed
