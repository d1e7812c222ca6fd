#!/bin/bash
# each.sh COMPILE LIBRARY SOURCES SOURCE:KIND[:ENTRY]... [-- ARGUMENT...] - the library's sources compile for each kind of element, and those of one
# kernel for each kernel, by NVRTC or hiprtc. ARGUMENT: further ones of compile.c. In this file: no list of them (CMakeLists.txt).
set -u
compile=$1 library=$2 sources=$3 failed=0 all=()
shift 3
while [ $# -gt 0 ] && [ "$1" != -- ]; do all+=("$1"); shift; done
[ $# = 0 ] || shift
for each in "${all[@]}"; do
  IFS=: read -r source kind entry <<<"$each"
  said=$("$compile" "$library" "$@" --option "-DPORTABLE__KIND=$kind" ${entry:+--option "-DPORTABLE__ENTRY=$entry"} "$sources/$source.cu" 2>&1)
  code=$?
  [ "$code" != 77 ] || { echo "$said"; exit 77; }
  [ "$code" = 0 ] || { echo "FAILED: $each"; head -5 <<<"$said"; failed=1; }
done
echo "${#all[@]} programs"
[ "${#all[@]}" -gt 0 ] || failed=1
exit $failed
