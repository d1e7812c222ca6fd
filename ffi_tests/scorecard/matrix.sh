#!/bin/bash
# matrix.sh PREFIX WORK [SHARED_PREFIX]: the scorecard's programs, compiled in each way that matters to checks and to lines, under the yaklcheck of
# PREFIX. In this file: the ways. Not in this file: what is expected of them (main.go).
#
# Without -g there are no lines, and a static program has libc's memcpy in itself; optimised code must tell the lines of the source all the same.
set -euo pipefail
prefix=$1 work=$2 card=$2/card shared=${3:-}
here=$(cd "$(dirname "$0")" && pwd)
: "${CC:=gcc}" "${CXX:=g++}" "${FC:=gfortran}" "${GO:=go}"
rm -rf "$work"; mkdir -p "$work"
(cd "$here/../.." && "$GO" build -o "$card" ./ffi_tests/scorecard)
failed=0

# way NAME PREFIX CARD-OPTIONS -- FLAG...
way() {
  local name=$1 from=$2 options=() config folder="$work/$1"
  shift 2
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  shift
  config=$from/bin/portable-config
  mkdir -p "$folder"
  # The modules are the library's: their flags do not matter here.
  [ -d "$work/modules" ] || "$config" --build-modules --fc "$FC" --fcflags -g "$work/modules" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  # The output of portable-config is meant for a shell to read, blanks in names included.
  eval "$CC $* $("$config" --cflags) -o '$folder/faults_c' '$here/programs/faults.c' $("$config" --libs)"
  eval "$CC $* $("$config" --cflags) -o '$folder/devices_c' '$here/programs/devices.c' $("$config" --libs)"
  eval "$CXX -std=c++17 $* $("$config" --cflags) -o '$folder/faults_cpp' '$here/programs/faults.cpp' $("$config" --libs)"
  for program in pool kernels; do
    eval "$FC $* -J '$folder' $("$config" --modules "$work/modules" --fcflags) -o '$folder/$program' '$here/programs/$program.f90' $("$config" --modules "$work/modules" --flibs)"
  done
  eval "$FC $* -J '$folder' $("$config" --modules "$work/modules" --fcflags) -o '$folder/allocate' '$here/programs/allocate.f90' $("$config" --modules "$work/modules" --allocate --flibs)"
  echo "== $name: $*"
  "$card" -yaklcheck "$prefix/bin/yaklcheck" -sources "$here/programs" -programs "$folder" -modes exact "${options[@]}" || failed=1
  rm -rf "$folder"
}

way O0 "$prefix" -- -O0 -g
way O1 "$prefix" -- -O1 -g
way O3 "$prefix" -- -O3 -g -march=native
way no_debug "$prefix" -no-lines -- -O2
way no_pie "$prefix" -- -O2 -g -no-pie
way static "$prefix" -- -O2 -g -static
way openmp "$prefix" -- -O2 -g -fopenmp
way no_frame_tables "$prefix" -no-lines -- -O2 -g -fomit-frame-pointer -fno-asynchronous-unwind-tables
[ -z "$shared" ] || way shared "$shared" -- -O2 -g "-Wl,-rpath,'$shared/lib'"
rm -rf "$work"
exit $failed
