#!/bin/bash
# stack.sh EXAMPLES: no example needs an executable stack, which some systems forbid, but for the shallow-water model, whose page says why.
# In this file: what the linker has marked. Not in this file: what an internal procedure costs (docs/start/first-loop.md).
set -euo pipefail
looked=0 failed=0
while read -r program; do
  marks=$(readelf -lW "$program" 2>/dev/null | grep GNU_STACK) || continue # a script, or data
  looked=$((looked + 1))
  case $marks in *RWE*) echo "FAILED: $program needs an executable stack"; failed=1 ;; esac
done < <(find "$1" -path '*/shallow_water/*' -prune -o -type f -perm -u+x ! -name '*.so' -print)
echo "$looked programs"
[ $looked != 0 ] || { echo "skipped: no example is built"; exit 77; }
exit $failed
