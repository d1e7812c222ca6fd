#!/bin/bash
# each.sh COMPILE NVRTC KERNELS KIND:ENTRY... - each operation of componentwise.cu for each kind of element compiles by NVIDIA's compiler.
set -u
compile=$1 nvrtc=$2 kernels=$3 failed=0
shift 3
for each; do
  "$compile" "$nvrtc" --header "$kernels/algorithm.h" --option "-DPORTABLE__KIND=${each%%:*}" --option "-DPORTABLE__ENTRY=${each#*:}" "$kernels/componentwise.cu" \
    >out.componentwise 2>&1
  code=$?
  [ "$code" != 77 ] || exit 77
  [ "$code" = 0 ] || { echo "FAILED: $each"; head -5 out.componentwise; failed=1; }
done
echo "$# operations"
exit $failed
