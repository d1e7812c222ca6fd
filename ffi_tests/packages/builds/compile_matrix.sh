#!/bin/bash
# compile_matrix.sh [quick]: compiles the Fortran modules alone, from a foreign directory, with every compiler and set of
# flags that they must hold for; under gfortran all warnings are errors. One line per compilation. Fails
# when one fails or gfortran 12 is missing; other compilers that are missing are skipped with the reason. As many compilations at once as
# there are processors. quick: the flags in which most mistakes show, without what takes longest, for `make test`; all of them take minutes.
set -u
quick=${1:-}
root=$(cd "$(dirname "$0")/../../.." && pwd) || exit 2
export PATH="$PATH:/usr/local/go/bin"
generated=$root/build/gen
(cd "$root" && go run ./internal/gen -o "$generated") || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0 started=0
jobs=$(nproc 2>/dev/null || echo 1)

# version COMPILER: the major version, or nothing
version() {
  "$1" -dumpversion 2>/dev/null | sed 's/\..*//'
}

# compile COMPILER FLAGS [all]: the modules that every program may use, in a folder of their own, as one compiles them by hand; with
# `all` also gator_more_mod, portable_reduce_more_mod, portable_componentwise_mod, portable_mesh_mod, portable_particles_mod, portable_graph_mod, portable_blocks_mod, portable_array_mod, portable_twin_mod, portable_record_mod, portable_records_twin_mod and portable_fields_mod, a user of gator_derived.inc, and next to them the stub with programs over it. (gator_more_mod takes long; gator_derived.inc is Fortran 2018, because Fortran 2008 has no address of an array of a derived type.)
# Runs next to the others: says how it went by a file ok or failed in its folder.
compile() {
  started=$((started + 1))
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
  compile_in "$work/$started" "$@" &
  case ${3:-}$quick$1 in allquick*flang*) ;; all*) compile "$1" "$2" stub ;; esac
}

# compile_in FOLDER COMPILER FLAGS [all|stub]
compile_in() {
  dir=$1
  shift
  mkdir "$dir"
  if (cd "$dir" && case ${3:-} in stub) stub "$1" "$2" ;; *) modules "$@" ;; esac) >"$dir/log" 2>&1; then
    case $1${3:-} in *stub) ;; *flang-new*) keep ;; esac
    echo "ok      $1 $2${3:+ ($3)}" >"$dir/ok"
  else
    { echo "FAILED  $1 $2${3:+ ($3)}"; sed -n '1,20s/^/        /p' "$dir/log"; } >"$dir/failed"
  fi
  find "$dir" -mindepth 1 -maxdepth 1 ! -name ok ! -name failed -exec rm -rf {} +
}

# modules COMPILER FLAGS [all]
modules() {
  local names='gator_mod portable_reduce_mod portable_sort_mod portable_algorithm_mod portable_solvers_mod portable_fft_mod portable_math_mod portable_random_mod portable_random_fill_mod
    portable_argument_mod portable_core_mod portable_list_mod portable_mod portable_pool_mod portable_system_mod portable_observe_mod' module
  if [ "${3:-}" = all ]; then
    [ -n "$quick" ] || names+=' gator_more_mod portable_reduce_more_mod portable_componentwise_mod portable_mesh_mod portable_particles_mod portable_graph_mod portable_blocks_mod'
    names+=' portable_array_mod portable_twin_mod portable_record_mod portable_records_twin_mod portable_fields_mod'
  fi
  for module in $names; do
    # shellcheck disable=SC2086 # flags are words
    "$1" $2 -I"$generated/fortran" -c "$root"/fortran/*/"$module.F90" || return 1
  done
  # shellcheck disable=SC2086
  [ "${3:-}" != all ] || "$1" $2 -I"$generated/fortran" -c "$root/ffi_tests/pool/particle_pools.f90"
}

# keep: flang takes long, so that the tests of loops use these modules (ffi_tests/loops/programs); in two steps, because another run may read them.
keep() {
  touch "$dir/complete" && rm -rf "$root/build/flang_modules" "$root/build/flang_modules.new" && mkdir "$root/build/flang_modules.new" &&
    cp "$dir"/*.mod "$dir"/*.o "$dir/complete" "$root/build/flang_modules.new" && mv "$root/build/flang_modules.new" "$root/build/flang_modules"
}

# stub COMPILER FLAGS: the stub and the programs of launch, timers and blocks, with the checks that they share, over it, with this compiler and these flags, and run. Warnings of the test
# programs are not this script's.
stub() {
  # shellcheck disable=SC2086 # flags are words
  "$1" $2 -c "$generated/stub/portable_stub.F90" || return 1
  link=
  case $1 in flang*) [ ! -d /usr/lib/llvm-16/lib ] || link=-L/usr/lib/llvm-16/lib ;; esac
  flags=$(printf '%s' " $2 " | sed 's/ -Werror / /; s/ -std=[^ ]* / /')
  for program in launch/loops launch/loop_errors timers/timers; do
    # shellcheck disable=SC2086 # flags are words
    "$1" $flags "$root"/ffi_tests/support/{check,expect}_mod.f90 "$root/ffi_tests/$program.f90" portable_stub.o $link -o program && ./program || return 1
  done
  case $1 in flang*) return ;; esac
  # shellcheck disable=SC2086
  "$1" $2 -c "$generated/stub/portable_stub_blocks.F90" &&
    "$1" $flags "$root"/ffi_tests/{support/check_mod,blocks/blocks}.f90 portable_stub_blocks.o portable_stub.o -o program && ./program
}

# The longest one begins.
flang=
for candidate in flang-new-16 flang-new; do
  command -v $candidate >/dev/null 2>&1 && flang=$candidate && break
done
if [ -n "$flang" ]; then
  compile $flang '' ${quick:-all}
else
  skipped=$((skipped + 1))
  echo "skipped flang 16: not installed"
fi

gfortran_12= strict=
for number in 11 12; do
  compiler=
  for candidate in gfortran-$number gfortran; do
    [ "$(version $candidate)" = $number ] && compiler=$candidate && break
  done
  if [ -z "$compiler" ]; then
    skipped=$((skipped + 1))
    echo "skipped gfortran $number: not installed"
    continue
  fi
  [ $number = 12 ] && gfortran_12=$compiler
  for flags in '' -std=f2008 -std=f2018 -fdefault-real-8 -fdefault-integer-8 '-fdefault-real-8 -fdefault-integer-8' \
    '-fcheck=all -g' '-Ofast -frecursive'; do
    case $flags in '' | -std=f2018 | *real*integer* | -Ofast*) parts=all ;; *) parts= ;; esac
    if [ -n "$quick" ]; then
      # The oldest standard by one of them, the older one if it is there.
      case $number$flags in 12*real*integer*) ;; *-std=f2008) [ -z "$strict" ] || continue; strict=$number ;; *) continue ;; esac
    fi
    compile $compiler "-Wall -Wextra -Werror${flags:+ $flags}" $parts
  done
done

wait
for ((n = 1; n <= started; n++)); do
  if [ -f "$work/$n/ok" ]; then passed=$((passed + 1)); cat "$work/$n/ok"
  else failed=$((failed + 1)); cat "$work/$n/failed"; fi
done
echo "$passed compiled, $failed failed, $skipped compilers skipped"
if [ -z "$gfortran_12" ]; then
  echo "gfortran 12 is required and not installed" >&2
  exit 1
fi
[ $failed -eq 0 ]
