#!/bin/bash
# examples.sh EXAMPLES WORK [NAME...]: the examples, or those of these names, on a device of OpenCL, by the environment alone.
# Each compares its result with the host's and has launches on the device, no kernel with a version for devices runs on the host, and programs that print the
# bits of their result print those of one thread of the host; the shallow-water programs write the same fields. Programs that
# were not built are skipped, but not those that were asked for by name; if none was built, that is a failure.
set -u
examples=$1 work=$2 failed=0 built=0
shift 2
[ $# = 0 ] && all=1 || all=
[ -z "$all" ] || set -- axpy/example_axpy axpy/example_axpy_c axpy/example_axpy_arrays diffusion/example_diffusion histogram/example_histogram \
  matrix_product/example_matrix_product matrix_product/example_matrix_product_cpp max_stable_dt/example_max_stable_dt \
  max_stable_dt/example_max_stable_dt_cpp stencil/example_stencil_2d stencil/example_stencil_3d stencil/example_stencil_arrays \
  column_physics/example_column_physics column_physics/example_column_arrays column_physics/example_column_blocks \
  active_columns/example_active_columns active_columns/example_active_columns_c streams/example_streams streams/example_streams_c \
  diffusion/example_diffusion_loops stencil/example_stencil_2d_loops stencil/example_stencil_3d_loops \
  max_stable_dt/example_max_stable_dt_loops column_physics/example_column_physics_loops column_model/column_model_bits \
  river/example_river_loops river/river_bits dam_break/example_dam_break_loops
rm -rf "$work"
mkdir -p "$work"
# without NAME PATTERN: no line of what it printed on the device has the pattern.
without() {
  grep -q "$2" "$work/there" || return 0
  echo "FAILED: $1:"
  grep -A8 "$2" "$work/there"
  failed=1
}
host='warning\|that ran on the host'
bits() { grep -o 'bits of the result: .*' "$1"; }
for name; do
  program=$examples/$name
  [ -x "$program" ] || { [ -n "$all" ] || { echo "FAILED: $name was not built"; failed=1; }; continue; }
  built=$((built + 1))
  (cd "$(dirname "$program")" && PORTABLE_DEVICE=serial "$program") >"$work/here" 2>&1 || { echo "FAILED: $name on the host"; failed=1; }
  rm -f "$work/launches"
  (cd "$(dirname "$program")" && PORTABLE_PROFILE=user,all PORTABLE_VERBOSE="$work/launches" "$program") >"$work/there" 2>&1 || { echo "FAILED: $name:"; sed -n '1,12s/^/  /p' "$work/there"; failed=1; }
  grep -q "launch .* device $PORTABLE_DEVICE" "$work/launches" || { echo "FAILED: $name: no launch on the device"; failed=1; }
  wrong=$host exact=1
  case $name in
    active_columns/* | *_cpp) wrong=warning ;; # loops that begin and compare have no version for devices
    river/river_bits) wrong=warning ;;         # lists of the mesh are the host's
    river/*) wrong=warning exact= ;;           # sin and x**(1/3) are the driver's
  esac
  [ -z "$exact" ] || [ "$(bits "$work/here")" = "$(bits "$work/there")" ] || { echo "FAILED: $name: other bits"; failed=1; }
  case $name in *_loops | *_bits) bits "$work/there" >"$work/out" || { echo "FAILED: $name prints no bits"; failed=1; } ;; esac
  without "$name" "$wrong"
done
# The small dam break: the fields are those of the program that uses ALLOCATE and no device.
water=$examples/shallow_water cases=$(cd "$(dirname "$0")/../../../examples/shallow_water/cases" && pwd)
if [ -n "$all" ] && [ -x "$water/shallow_water_plain" ]; then
  mkdir -p "$work/plain" "$work/device"
  "$water/shallow_water_plain" "$cases/small_dam_break.nml" "$work/plain" >"$work/out" 2>&1 || { echo "FAILED: shallow_water_plain"; failed=1; }
  for name in shallow_water_cuda shallow_water_device shallow_water_loops; do
    [ -x "$water/$name" ] || continue
    built=$((built + 1))
    rm -f "$work/device/small_dam_break.swe"
    PORTABLE_PROFILE=user,all "$water/$name" "$cases/small_dam_break.nml" "$work/device" >"$work/there" 2>&1 || { echo "FAILED: $name:"; tail -n 12 "$work/there"; failed=1; }
    cmp "$work/plain/small_dam_break.swe" "$work/device/small_dam_break.swe" || { echo "FAILED: $name: the fields differ"; failed=1; }
    without "$name" "$host"
  done
fi
echo "$built examples"
[ "$failed" = 0 ] && [ "$built" -gt 0 ]
