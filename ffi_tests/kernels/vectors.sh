#!/bin/bash
# vectors.sh CC: which loops of the array kernels become vectors, by the compiler's own report (-fopt-info-vec), for NEON and for SVE, of which
# only the report is made. Each file must have at least so many as the table says. Not in this file: files whose vectors are written by hand for
# x86-64 alone (internal/kernels/fft, solve, random: docs/build/builds.md).
set -euo pipefail
cc=$1 failed=0
cd "$(dirname "$0")/../.."
# vectors MACHINE FILE
vectors() {
  "$cc" -O2 -ffp-contract=off "-march=$1" -Icapi/include/c -Icapi/include/kernel -fopt-info-vec-optimized -S -o /dev/null "internal/kernels/$2" 2>&1 |
    grep -c 'optimized: .*vectorized' || true
}
# A report without a single line would be one that this compiler writes otherwise.
while read -r file least_neon least_sve; do
  for pair in armv8-a:"$least_neon" armv8-a+sve:"$least_sve"; do
    n=$(vectors "${pair%:*}" "$file")
    printf '%5d loops of %s for %s\n' "$n" "$file" "${pair%:*}"
    [ "$n" -ge "${pair#*:}" ] || { echo "FAILED: $file has $n loops with vectors for ${pair%:*}, at least ${pair#*:} are expected"; failed=1; }
  done
done <<'TABLE'
componentwise/componentwise.c 20 20
componentwise/componentwise_operations.c 300 300
copy/copy_block.c 20 20
reduction/array_operations.c 12 12
reduction/segmented.c 15 15
scan/choose.c 10 10
scan/scan_operations.c 25 20
sort/merge.c 20 20
sort/sort.c 60 60
TABLE
exit $failed
