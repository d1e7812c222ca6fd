#!/bin/bash
# steps.sh - functions of test and of the parts of test-long: steps that are announced, timed and
# counted. Sourced, not run: step, skip, finish, build_tests, configure_tests, opencl_option,
# ctest_in, like_the_archive. Not in this file: the steps.

passed=0 failed=0 skipped=0 failures=
steps_started=$SECONDS

jobs=$(nproc 2>/dev/null || echo 2)

# build_tests BUILD-FOLDER CMAKE-ARGUMENT... [--target NAME]: the programs of the tests, or one target.
build_tests() {
  local build=$1 settings=() target=()
  shift
  while [ $# -gt 0 ]; do
    case $1 in
      --target) target=(--target "$2"); shift ;;
      *) settings+=("$1") ;;
    esac
    shift
  done
  configure_tests "$build" "${settings[@]}" && cmake --build "$build" --parallel "$jobs" "${target[@]}"
}

# configure_tests BUILD-FOLDER CMAKE-ARGUMENT...: a folder of another generator is emptied first.
configure_tests() {
  local build=$1 generator=Ninja settings=()
  shift
  for argument in "$@"; do
    case $argument in
      -G*) generator=${argument#-G} ;;
      *) settings+=("$argument") ;;
    esac
  done
  if [ -f "$build/CMakeCache.txt" ] && ! grep -qx "CMAKE_GENERATOR:INTERNAL=$generator" "$build/CMakeCache.txt"; then rm -rf "$build"; fi
  # Less optimisation and fewer debugging tables than users have: half of the compiler's time. The parts of test-long
  # for other compilers use both. The C++ headers are optimised in the programs that ask for it (portable_strict_cxx_flags).
  cmake -S . -B "$build" -G "$generator" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DPORTABLE_WERROR=ON -DPORTABLE_BUILD_TESTS=ON \
    -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O1 -g1 -DNDEBUG" -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O0 -g1 -DNDEBUG" -DCMAKE_Fortran_FLAGS_RELWITHDEBINFO="-O1 -g1" \
    -DPORTABLE_BUILD_EXAMPLES=ON -DPORTABLE_BUILD_BENCH=ON "${settings[@]}"
}

# opencl_option: of builds that run devices of OpenCL, which a default build has not, and one without the Go module for GPUs cannot have.
opencl_option() {
  if GOFLAGS='' go list -deps -tags cuda ./internal/backend/cuda >/dev/null 2>&1; then echo -DPORTABLE_OPENCL=ON; else echo -DPORTABLE_OPENCL=OFF; fi
}

# ctest_in BUILD-FOLDER CTEST-ARGUMENT...: runs tests, two more at once than there are processors, because many programs
# mostly wait.
ctest_in() {
  local build=$1
  shift
  ctest --test-dir "$build" --output-on-failure --no-tests=error -j "$((jobs + 2))" "$@"
}

# with_compilers C C++ FORTRAN GENERATOR: the programs and users' projects of `make test` by other compilers.
with_compilers() {
  local build=build/test-$3 library
  command -v "$1" >/dev/null && command -v "$2" >/dev/null && command -v "$3" >/dev/null || { skip "programs with $*" "one of these compilers is not installed"; return; }
  # Debian's flang does not look where Debian puts its run-time library.
  case $3 in flang*) library=$(readlink -f "$(command -v "$3")"); export LDFLAGS=-L${library%/bin/*}/lib ;; esac
  step "build with $*" build_tests "$build" "-G$4" -DCMAKE_C_COMPILER="$1" -DCMAKE_CXX_COMPILER="$2" -DCMAKE_Fortran_COMPILER="$3" \
    -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O2 -g -DNDEBUG" -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O2 -g -DNDEBUG" -DCMAKE_Fortran_FLAGS_RELWITHDEBINFO="-O2 -g" \
    -DPORTABLE_TEST_LONG=OFF -DPORTABLE_BUILD_BENCH=OFF -DPORTABLE_WERROR=OFF &&
    step "programs with $*" ctest_in "$build" -C Debug -LE long
}

# Test hooks are functions by which tests call internal C. No archive has them.
test_tags=portable_test_hooks
export GOFLAGS=-tags=$test_tags

# Steps reuse everything that the build of the archive has compiled, C included: by the flags that
# cmake/build_archive.cmake has left (with a sum of headers, because Go tests for changes in the folder of a package
# only), the same compiler and texts for devices, and position-independent code, as in archives.
like_the_archive() { # like_the_archive BUILD-FOLDER, once it is built
  [ -e "$1/archive/cgo_flags" ] || return 0
  CC=$(sed -n 's/^CMAKE_C_COMPILER:[^=]*=//p' "$1/CMakeCache.txt")
  CGO_CFLAGS=$(cat "$1/archive/cgo_flags")
  export CC CGO_CFLAGS GOFLAGS="-trimpath -buildmode=pie -tags=$test_tags '-overlay=$PWD/$1/archive/texts/overlay.json'"
}

# vet ARGUMENT...: go vet. The cache's entries made with -trimpath name the folder of the clone that made them. Where that clone
# is deleted, vet cannot read its files; without -trimpath every clone has its own entries.
vet() {
  local said status=0
  said=$(go vet "$@" 2>&1) || status=$?
  case $said in *"can't parse raw cgo file"*) GOFLAGS=${GOFLAGS/-trimpath/} go vet "$@"; return ;; esac
  [ -z "$said" ] || echo "$said"
  return $status
}

# step NAME COMMAND...: announces, runs, and prints the time. A failure is counted and the next step runs,
# so that one run shows all failures.
step() {
  local name=$1 began=$SECONDS status=0
  shift
  echo
  echo "==> $name"
  "$@" || status=$?
  if [ $status = 0 ]; then
    passed=$((passed + 1)); echo "==> $name: ok, $((SECONDS - began)) s"
  else
    failed=$((failed + 1)); failures+=" [$name]"
    echo "==> $name: FAILED ($status), $((SECONDS - began)) s"
  fi
  return $status
}

# skip NAME REASON
skip() {
  skipped=$((skipped + 1))
  echo
  echo "==> $1: skipped, because $2"
}

# finish: prints the summary and the line for machines, and exits.
finish() {
  echo
  echo "==> $((SECONDS - steps_started)) s in all${failures:+; failed:$failures}"
  if [ $skipped = 0 ]; then echo "$passed passed, $failed failed"
  else echo "$passed passed, $failed failed, $skipped skipped"; fi
  [ $failed = 0 ]
}
