#!/bin/bash
# run.sh [OUT]: runs the tests on the real driver of a machine with an NVIDIA GPU, in the folder
# that scripts/gpu_test has packed; again under compute-sanitizer if it is installed. Compares the
# examples with their runs on threads, measures, and writes OUT/gpu-results.md (OUT: out). Needs
# bash, awk, the driver, NVRTC; for the peers nvcc. Needs no Go, no gfortran, no cmake. Exits with 1
# if a test failed, 77 without a GPU.
set -u
cd "$(dirname "$0")"
out=${1:-out}
mkdir -p "$out"
page=$out/gpu-results.md
export LD_LIBRARY_PATH=$PWD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} PORTABLE_DEVICE=cuda PORTABLE_CACHE=$PWD/cache
for folder in /usr/local/cuda*/lib64 /usr/local/cuda*/targets/*/lib; do [ -d "$folder" ] && LD_LIBRARY_PATH+=:$folder; done
for folder in /usr/local/cuda*/bin; do [ -d "$folder" ] && PATH+=:$folder; done

say() { echo "$*" | tee -a "$page"; }
: > "$page"

bin/device_facts > "$out/device.txt" 2>&1 || { cat "$out/device.txt"; echo "run.sh: there is no CUDA device here"; exit 77; }
say "# On a GPU"
say ""
say "Written by \`make gpu-test\` on $(date -u +%Y-%m-%d)."
say ""
sed 's/^/- /' "$out/device.txt" | tee -a "$page"
say "- nvcc: $(nvcc --version 2>/dev/null | awk '/release/ {print $5, $6}' | tr -d , || true)"
say ""

# one NAME COMMAND...: runs it in a folder of its own; its output is kept.
failed=0 passed=0 skipped=0
one() {
  local name=$1 rc
  shift
  timeout 120 "$@" > "$out/$name.log" 2>&1
  rc=$?
  case $rc in
    0) passed=$((passed + 1)) ;;
    77) skipped=$((skipped + 1)); echo "skipped: $name: $(tail -1 "$out/$name.log")" ;;
    *) failed=$((failed + 1)); say "- **fails** ($rc): $name: \`$(tail -1 "$out/$name.log" | cut -c1-200)\`" ;;
  esac
}

say "## Tests"
say ""
while IFS='|' read -r name command; do
  [ -n "$name" ] || continue
  # shellcheck disable=SC2086
  one "$name" $command
done < tests.txt
say "On the device: $passed passed, $failed failed, $skipped skipped."
say ""
if command -v compute-sanitizer > /dev/null; then
  before=$failed
  passed=0
  while IFS='|' read -r name command; do
    [ -n "$name" ] || continue
    # shellcheck disable=SC2086
    one "sanitizer.$name" compute-sanitizer --error-exitcode 98 --leak-check no $command
  done < tests.txt
  say "Under compute-sanitizer: $passed passed, $((failed - before)) failed."
else
  say "compute-sanitizer is not here."
fi
say ""

say "## Loops and programs of YAKL that nvcc compiles"
say ""
if command -v nvcc > /dev/null; then
  if NVCC_DEVICE=cuda timeout 900 bash nvcc/ffi_tests/cuda/nvcc/nvcc.sh nvcc nvcc/include nvcc/libportable.a nvcc/ffi_tests/cuda/nvcc "$out/nvcc" > "$out/nvcc.tests.log" 2>&1; then
    say "They compile for sm_70 to sm_90 and pass on the device: $(grep -c 'strcmp(name' nvcc/ffi_tests/cuda/yakl/programs.cpp) programs of YAKL."
  elif [ $? = 77 ]; then
    say "Skipped: $(head -1 "$out/nvcc.tests.log")"
  else
    failed=$((failed + 1))
    say "- **fails**: nvcc.sh: \`$(tail -1 "$out/nvcc.tests.log" | cut -c1-200)\`"
  fi
else
  say "There is no nvcc here."
fi
say ""

say "## Examples"
say ""
# Each example compares its result with that of the loop on one processor. The fields of the shallow-water programs, and the
# bits that converted plain loops print, are compared with those of threads.
same=0
while IFS='|' read -r name command; do
  [ -n "$name" ] || continue
  here=$out/$name.here there=$out/$name.there
  mkdir -p "$here" "$there"
  on_host=$command
  case $name in shallow_water*) on_host+=" $here" command+=" $there" ;; esac
  case $name in
  shallow_water* | *_loops)
    # shellcheck disable=SC2086
    PORTABLE_DEVICE=threads timeout 300 $on_host > "$out/$name.here.log" 2>&1 || { failed=$((failed + 1)); say "- **fails** on threads: $name"; continue; }
    ;;
  esac
  # shellcheck disable=SC2086
  if ! timeout 300 $command > "$out/$name.log" 2>&1; then failed=$((failed + 1)); say "- **fails**: $name: \`$(tail -1 "$out/$name.log" | cut -c1-200)\`"; continue; fi
  differs=no
  case $name in
  shallow_water*) cmp -s "$here"/*.swe "$there"/*.swe || differs=yes ;;
  *_loops) cmp -s <(grep bits "$out/$name.here.log") <(grep bits "$out/$name.log") || differs=yes ;;
  esac
  if [ $differs = yes ]; then failed=$((failed + 1)); say "- **differs**: $name"; continue; fi
  same=$((same + 1))
done < examples.txt
say "$same examples have the results of the host."
say ""

if [ -x bin/census_device ]; then
  say "## Census of loop nests, converted"
  say ""
  # Its arrays are ordinary memory of the host, so the nests run on the device only if that can access all memory; else on the
  # host. A line is a source with its checksum; one with exp or the like may differ, as a GPU's functions do in the last bits.
  if PORTABLE_DEVICE=serial timeout 300 bin/census_device > "$out/census.here" 2> "$out/census.err" &&
    PORTABLE_HOSTMEM=allow timeout 300 bin/census_device > "$out/census.there" 2> "$out/census.err"; then
    other=$(diff "$out/census.here" "$out/census.there" | awk '/^>/ {print $2}' | tr '\n' ' ')
    say "$(wc -l < "$out/census.there") sources, other bits than the host in: ${other:-none}"
  else
    failed=$((failed + 1))
    say "- **fails**: census_device: \`$(tail -1 "$out/census.err" | cut -c1-200)\`"
  fi
  say ""
fi

say "## Speed against plain CUDA C++ by nvcc, in turn in one run"
say ""
if command -v nvcc > /dev/null && nvcc -O3 -std=c++17 -arch=native -w bench/plain.cu -o "$out/plain" -lcuda > "$out/nvcc.log" 2>&1; then
  : > "$out/ours.rows"; : > "$out/plain.rows"
  for _ in 1 2 3; do
    timeout 300 bin/bench_cuda_portable bench/bodies.h >> "$out/ours.rows" 2>> "$out/bench.err" || { failed=$((failed + 1)); say "- **fails**: bench_cuda_portable: $(tail -1 "$out/bench.err")"; break; }
    timeout 300 "$out/plain" >> "$out/plain.rows" 2>> "$out/bench.err" || { say "- plain.cu fails: $(tail -1 "$out/bench.err")"; break; }
  done
  awk -F'|' -f ratios.awk "$out/plain.rows" "$out/ours.rows" | tee -a "$page"
else
  say "There is no nvcc here, or plain.cu does not compile ($out/nvcc.log): no ratios."
fi
[ "$failed" = 0 ]
