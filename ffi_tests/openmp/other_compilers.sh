#!/bin/bash
# other_compilers.sh SOURCE_TREE GENERATED ARCHIVE FOLDER: the device openmp under each compiler with OpenMP that is here next to the one of
# the build: clang with libomp, an older gcc and gfortran, flang. By hand, as a Makefile would. Gives 77 when there is none.
set -u
source=$1 generated=$2 archive=$3 folder=$4
mkdir -p "$folder"
cd "$folder" || exit 1
fail() { echo "FAILED: $*"; exit 1; }
export PORTABLE_DEVICE=openmp OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive
ran=0

# try NAME COMMAND...: builds ./program; a compiler without OpenMP is passed over.
try() {
  local name=$1
  shift
  rm -f program
  "$@" >"$name.log" 2>&1 || { cat "$name.log"; fail "$name does not build it"; }
  timeout 60 ./program >"$name.log" 2>&1 || { cat "$name.log"; fail "$name: the program ended with $?"; }
  echo "$name: $(tail -1 "$name.log")"
  ran=$((ran + 1))
}

printf 'int main(void) { return 0; }\n' >empty.c
printf '!$omp parallel\n!$omp end parallel\nend\n' >empty.f90
for compiler in clang clang-16 gcc-11; do
  command -v "$compiler" >/dev/null && "$compiler" -fopenmp empty.c -o empty >/dev/null 2>&1 || continue
  try "$compiler" "$compiler" -fopenmp -O1 -g -frounding-math -Wall -I"$source/capi/include/c" -I"$source/ffi_tests/support" "$source/ffi_tests/openmp/device.c" \
    "$source/share/portable_openmp.c" "$archive" -o program -lpthread -lm
done
modules=()
for module in gator_mod portable_reduce_mod portable_sort_mod portable_algorithm_mod portable_solvers_mod portable_fft_mod portable_math_mod portable_random_mod portable_argument_mod portable_core_mod portable_list_mod portable_mod; do
  modules+=("$source"/fortran/*/"$module.F90")
done
for compiler in gfortran-11 flang-new-16; do
  command -v "$compiler" >/dev/null || continue
  more=()
  if [ "$compiler" = flang-new-16 ]; then # Debian's flang does not look where Debian puts its libraries
    omp=$(find /usr/lib/llvm-*/lib -maxdepth 1 -name libomp.so 2>/dev/null | head -1)
    more=("-L$(dirname "$(dirname "$(readlink -f "$(command -v "$compiler")")")")/lib" "-L$(dirname "${omp:-/none/none}")")
  fi
  "$compiler" -fopenmp empty.f90 -o empty "${more[@]}" >/dev/null 2>&1 &&
    ./empty >/dev/null 2>&1 || { echo "$compiler: no OpenMP"; continue; }
  try "$compiler" "$compiler" -fopenmp -O1 -g -I"$generated/fortran" "${modules[@]}" "$source/fortran/core/portable_openmp.F90" \
    "$source/ffi_tests/openmp/threadprivate.f90" "$archive" -o program "${more[@]}" -lpthread
done
[ $ran -gt 0 ] || { echo "skipped: no further compiler with OpenMP"; exit 77; }
