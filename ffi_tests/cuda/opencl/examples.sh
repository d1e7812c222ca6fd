#!/bin/bash
# examples.sh EXAMPLES WORK [NAME...]: the examples, or those of these names, on a device of OpenCL, by the environment alone: each compares its result with the host's, no kernel with a version
# for devices runs on the host, and programs that print the bits of their result print those of one thread of the host. Programs that were not built are
# skipped, but not those that were asked for by name; if none was built, that is a failure.
set -u
examples=$1 work=$2 failed=0 built=0
shift 2
[ $# = 0 ] && all=1 || all=
[ -z "$all" ] || set -- axpy/example_axpy axpy/example_axpy_c diffusion/example_diffusion histogram/example_histogram matrix_product/example_matrix_product \
  max_stable_dt/example_max_stable_dt stencil/example_stencil_2d stencil/example_stencil_3d column_physics/example_column_physics \
  column_physics/example_column_blocks active_columns/example_active_columns diffusion/example_diffusion_loops stencil/example_stencil_2d_loops \
  max_stable_dt/example_max_stable_dt_loops column_physics/example_column_physics_loops column_model/column_model_bits
rm -rf "$work"
mkdir -p "$work"
bits() { grep -o 'bits of the result: .*' "$1"; }
for name; do
  program=$examples/$name
  [ -x "$program" ] || { [ -n "$all" ] || { echo "FAILED: $name was not built"; failed=1; }; continue; }
  built=$((built + 1))
  (cd "$(dirname "$program")" && PORTABLE_DEVICE=serial "$program") >"$work/here" 2>&1 || { echo "FAILED: $name on the host"; failed=1; }
  (cd "$(dirname "$program")" && PORTABLE_PROFILE=user,all "$program") >"$work/there" 2>&1 || { echo "FAILED: $name:"; sed -n '1,12s/^/  /p' "$work/there"; failed=1; }
  [ "$(bits "$work/here")" = "$(bits "$work/there")" ] || { echo "FAILED: $name: other bits"; failed=1; }
  wrong='warning\|that ran on the host'
  case $name in active_columns/*) wrong=warning ;; esac # one of its loops has no version for devices
  if grep -q "$wrong" "$work/there"; then
    echo "FAILED: $name:"
    grep -A8 "$wrong" "$work/there"
    failed=1
  fi
done
echo "$built examples"
[ "$failed" = 0 ] && [ "$built" -gt 0 ]
