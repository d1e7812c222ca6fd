#!/bin/bash
# run_examples.sh EXAMPLES WORK [all]: the examples on the device `cuda`, or that of TEST_GPU, by the environment alone: each compares its result with that of the host, each kernel that has a
# version for devices was launched there, and the shallow-water program writes the same bits as without. Programs that were not built are skipped, with
# their names; with `all`, and if none was built, that is a failure. Not in this file: which driver that is (the environment says so: the fake one, or a GPU's; the log of calls is the fake one's).
set -u
examples=$1 all=${3-} failed=0 skipped= built=0
cases=$(cd "$(dirname "$0")/../../../examples/shallow_water/cases" && pwd)
mkdir -p "$2"
work=$(mktemp -d "$2/XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/here" "$work/there"
export PORTABLE_DEVICE=${TEST_GPU:-cuda} FAKE_CUDA_STRICT=1

wrong() {
  echo "FAILED: $*"
  failed=1
}

# on_device KERNEL...: the fake driver's log has a launch of each.
on_device() {
  [ -f "$work/log" ] || return
  for kernel; do grep -q "^cuLaunchKernel.*\b$kernel\b" "$work/log" || wrong "$name: $kernel was not launched on the device"; done
}

# example FOLDER/PROGRAM ARGUMENTS KERNEL...
example() {
  name=$1 program=$examples/$1 arguments=$2
  shift 2
  [ -x "$program" ] || { skipped="$skipped $name"; return; }
  built=$((built + 1))
  rm -f "$work/log"
  # shellcheck disable=SC2086 # several arguments
  FAKE_CUDA_LOG=$work/log "$program" $arguments >"$work/out" 2>&1 || { wrong "$name ends with $?:"; sed -n '1,12s/^/  /p' "$work/out"; return; }
  on_device "$@"
}

# loops FOLDER NAME LAUNCHES: the plain loop, converted by portablef. It has the bits of the source as it stands, and the
# device has so many launches of it, or more.
loops() {
  name=$1/example_$2_loops
  [ -x "$examples/$name" ] || { skipped="$skipped $name"; return; }
  built=$((built + 1))
  rm -f "$work/log"
  "$examples/$1/plain_$2" >"$work/plain" 2>&1 || wrong "plain_$2 ends with $?"
  FAKE_CUDA_LOG=$work/log "$examples/$name" >"$work/out" 2>&1 || { wrong "$name ends with $?:"; sed -n '1,12s/^/  /p' "$work/out"; return; }
  grep -q '^ *bits of the result: [0-9A-F]*$' "$work/plain" || wrong "plain_$2 prints no bits"
  cmp "$work/plain" "$work/out" || wrong "$name: other bits than plain_$2"
  [ ! -f "$work/log" ] || [ "$(grep -c '^cuLaunchKernel portable_nest' "$work/log")" -ge "$3" ] || wrong "$name: fewer than $3 launches on the device"
}

# bits FOLDER/PROGRAM LAUNCHES: converted with BITS. The device has the bits of one thread of the host, through exp, log and the like.
bits() {
  name=$1
  [ -x "$examples/$name" ] || { skipped="$skipped $name"; return; }
  built=$((built + 1))
  rm -f "$work/log"
  PORTABLE_DEVICE=serial "$examples/$name" >"$work/plain" 2>/dev/null || wrong "$name ends with $? on the host"
  FAKE_CUDA_LOG=$work/log "$examples/$name" >"$work/out" 2>"$work/errors" || { wrong "$name ends with $?:"; sed -n '1,12s/^/  /p' "$work/errors"; return; }
  grep -q '^ *bits of the result: [0-9A-F]*$' "$work/plain" || wrong "$name prints no bits"
  cmp "$work/plain" "$work/out" || wrong "$name: other bits on the device"
  [ ! -f "$work/log" ] || [ "$(grep -c '^cuLaunchKernel portable_nest' "$work/log")" -ge "$2" ] || wrong "$name: fewer than $2 launches on the device"
}

loops stencil stencil_2d 300
loops stencil stencil_3d 400
loops diffusion diffusion 400
loops max_stable_dt max_stable_dt 10
loops column_physics column_physics 20
loops river river 20
loops dam_break dam_break 20
bits column_model/column_model_bits 1000
bits river/river_bits 100
example axpy/example_axpy 1000 axpy
example axpy/example_axpy_c 1000 axpy_kernel
example axpy/example_axpy_arrays 1000 axpy
example stencil/example_stencil_2d '40 30 7' halo_in_x halo_in_y update
example stencil/example_stencil_3d '12 10 8 5' halo_in_x halo_in_y halo_in_z update
example stencil/example_stencil_arrays '40 30 4' update
example diffusion/example_diffusion '32 110' diffusion wall_yz wall_xz wall_xy
example histogram/example_histogram '5000 50' histogram
example column_physics/example_column_physics '20 100 3' column_physics
example column_physics/example_column_arrays '12 10 9' column_arrays
example column_physics/example_column_blocks '20 100 3' column_blocks
example active_columns/example_active_columns '10 500 3' bring_together rain spread
example active_columns/example_active_columns_c '500 3' look_for_clouds rain
example streams/example_streams '200 6' compute copy
example streams/example_streams_c '200 6' compute copy
example max_stable_dt/example_max_stable_dt '50 40' max_stable_dt
example max_stable_dt/example_max_stable_dt_cpp '50 40' dt_of_each_cell largest_stable_dt
example matrix_product/example_matrix_product 100 matrix_product
example matrix_product/example_matrix_product_cpp 100 matrix_product_of_rows

# model PROGRAM: the small dam break has the bits of the program that uses ALLOCATE and no device.
model() {
  name=shallow_water/$1
  if [ ! -x "$examples/$name" ] || [ ! -x "$examples/shallow_water/shallow_water_plain" ]; then
    skipped="$skipped $name"
    return 1
  fi
  rm -f "$work/log" "$work"/*/small_dam_break.swe
  "$examples/shallow_water/shallow_water_plain" "$cases/small_dam_break.nml" "$work/here" >"$work/out" 2>&1 || wrong "shallow_water_plain ends with $?"
  FAKE_CUDA_LOG=$work/log "$examples/$name" "$cases/small_dam_break.nml" "$work/there" >"$work/out" 2>&1 ||
    { wrong "$name ends with $?:"; tail -n 12 "$work/out"; }
  cmp "$work/here/small_dam_break.swe" "$work/there/small_dam_break.swe" || wrong "$name: the fields differ"
}

model shallow_water_cuda && on_device primitive_variables limited_slope face_states hydrostatic_depths wave_speeds face_fluxes zero_tendency \
  add_divergence add_tendency copy_state average_states signal_rates ghosts_x ghosts_y
# The plain loops: 13 nests, each a module of its own.
model shallow_water_device && [ -f "$work/log" ] && [ "$(grep -c cuModuleGetFunction "$work/log")" -lt 13 ] && wrong "$name: a nest did not run on the device"
# Arrays of ALLOCATE, no line of which is changed: they are copied for each nest; a device that can access all memory of the host needs no copies; and
# the host does it.
model shallow_water_loops && [ -f "$work/log" ] && [ "$(grep -c cuModuleGetFunction "$work/log")" -lt 13 ] && wrong "$name: a nest did not run on the device"
export PORTABLE_HOSTMEM=error
model shallow_water_loops && [ -f "$work/log" ] && grep -q cuLaunchKernel "$work/log" && wrong "$name: a kernel got arrays that the device cannot access"
export PORTABLE_HOSTMEM=allow FAKE_CUDA_ATTRIBUTE=${FAKE_CUDA_ATTRIBUTE:+$FAKE_CUDA_ATTRIBUTE,}pageable_memory_access=1
model shallow_water_loops && [ -f "$work/log" ] && [ "$(grep -c cuModuleGetFunction "$work/log")" -lt 13 ] && wrong "$name: a nest did not run on the device"
[ -z "$skipped" ] || echo "not built, skipped:$skipped"
[ "$built" -gt 0 ] || wrong "no example was built in $examples"
[ "$all" != all ] || [ -z "$skipped" ] || wrong "not all examples were built"
exit $failed
