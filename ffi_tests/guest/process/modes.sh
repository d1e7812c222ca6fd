#!/bin/bash
# modes.sh HEADER SOURCE: each function that HEADER and its parts declare has its row in SOURCE (modes.c).
set -eu
header=$1 source=$2 missing=0
names=$("$(dirname "$0")/../../packages/header/declared.sh" "$header")
for name in $names; do
  case $name in portable__serve_*) continue ;; esac # below malloc: never called from C directly
  [[ $name =~ ^portable_(log_gamma|[a-z0-9]+)_real(32|64)$ ]] && continue # arithmetic, which raises flags as the program's own does (ffi_tests/math)
  grep -q "CALL($name)" "$source" || { echo "FAILED: $name is not in $source"; missing=1; }
done
echo "$(wc -w <<<"$names") functions"
[ $missing = 0 ]
