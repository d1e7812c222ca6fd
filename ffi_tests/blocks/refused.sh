#!/bin/bash
# refused.sh CXX FC INCLUDE MODULES WORK: block kernels that compilers must refuse, each next to the same one put right. MODULES are
# folders with colons between. FC or CXX may be none. Not in this file: what is refused at run time (refused.c, misuse).
source "$(dirname "$0")/../support/refused.sh"

# cpp NAME TEXT RIGHT WRONG: statements of a function. The wrong ones are one source, for the time that it takes.
texts=()
cpp() {
  local function='() {\n  %s\n}\n'
  # shellcheck disable=SC2059 # the format is the text
  printf "static inline void $1$function" "$3" >>"$work/right.cpp"
  # shellcheck disable=SC2059
  printf "static inline void $1$function" "$4" >>"$work/wrong.cpp"
  texts+=("$2")
}

# shared COMPILER LANGUAGE: the largest array of PORTABLE_SHARED, and a larger one.
shared() {
  local text="PORTABLE_SHARED has at most 49152 bytes; give the launch scratch_bytes for more, and take b->scratch" bytes
  for bytes in 49152 49160 12582912; do
    printf '#include <portable_blocks.h>\ntypedef struct { double *x; } args;\nPORTABLE_BLOCK_KERNEL(large, args, b, a) {\n  PORTABLE_SHARED(b, double, line, %d / 8);\n  line[b->member] = 0;\n  portable_block_barrier(b);\n  a->x[b->member] = line[0];\n}\n' \
      "$bytes" >"$work/shared.src"
    if "$1" -x "$2" -Wall -Wextra -Wpedantic -fsyntax-only -I"$include" "$work/shared.src" >"$work/shared.log" 2>&1; then
      [ "$bytes" = 49152 ] || fail "shared, $2: $bytes bytes are taken"
      [ ! -s "$work/shared.log" ] || { cat "$work/shared.log"; fail "shared, $2: a warning"; }
    else
      [ "$bytes" != 49152 ] || fail "shared, $2: the largest one is refused"
      grep -q "$text" "$work/shared.log" || { cat "$work/shared.log"; fail "shared, $2: the text"; }
    fi
  done
}

# fortran NAME WORD RIGHT WRONG: a line of a block kernel, or of its caller.
fortran() {
  local text
  for text in "$3" "$4"; do
    printf 'subroutine caller()\n  use, intrinsic :: iso_fortran_env, only: int64\n  use portable\n  %s\ncontains\n  recursive subroutine kernel(b)\n    type(thread_block), intent(in) :: b\n    integer :: i\n    %s\n  end subroutine\n  recursive subroutine loop(i)\n    integer, intent(in) :: i\n  end subroutine\nend subroutine\n' \
      "$(case $1 in call_*) echo "$text" ;; *) echo "call parallel_blocks('a', bounds(3), kernel, threads=[4])" ;; esac)" \
      "$(case $1 in call_*) echo 'i = b%thread(1)' ;; *) echo "$text" ;; esac)" >"$work/$1.f90"
    one_fortran "$1" "$2" "$text" "$3"
  done
}

if [ "$cxx" != none ]; then
  shared "$cxx" c++
  shared "$cxx" c
  printf '#include <portable_blocks.hpp>\nusing namespace portable;\n' | tee "$work/right.cpp" >"$work/wrong.cpp"
  cpp handler "the kernel takes one index for each dimension of the bounds and a BlockHandler" \
    'parallel_blocks("a", c::Bounds<1>(3), {4}, [=](int, BlockHandler) {});' 'parallel_blocks("a", c::Bounds<1>(3), {4}, [=](int) {});'
  cpp ranks "the kernel takes one index for each dimension" \
    'parallel_blocks("a", c::Bounds<2>(3, 3), {4, 4}, [=](int, int, BlockHandler) {});' \
    'parallel_blocks("a", c::Bounds<2>(3, 3), {4, 4}, [=](int, BlockHandler) {});'
  cpp changes "and is const (no .mutable.)" \
    'int n = 0; parallel_blocks("a", c::Bounds<1>(3), {4}, [=](int, BlockHandler) { (void)n; });' \
    'int n = 0; parallel_blocks("a", c::Bounds<1>(3), {4}, [=](int, BlockHandler) mutable { n++; });'
  cpp dimensions "a grid of blocks has 1 to 3 dimensions" \
    'parallel_blocks("a", c::Bounds<3>(3, 3, 3), {2, 2, 2}, [=](int, int, int, BlockHandler) {});' \
    'parallel_blocks("a", c::Bounds<4>(3, 3, 3, 3), {2, 2, 2, 2}, [=](int, int, int, int, BlockHandler) {});'
  cpp shape "no matching function" \
    'parallel_blocks("a", c::Bounds<2>(3, 3), {4, 4}, [=](int, int, BlockHandler) {});' \
    'parallel_blocks("a", c::Bounds<2>(3, 3), {4, 4, 4}, [=](int, int, BlockHandler) {});'
  "$cxx" -std=c++17 -fsyntax-only -I"$include" "$work/right.cpp" || fail "a right one is refused"
  if "$cxx" -std=c++17 -fsyntax-only -I"$include" "$work/wrong.cpp" >"$work/wrong.log" 2>&1; then fail "all wrong ones are taken"; fi
  # Under nvcc: a lambda that is compiled for a device, too.
  fake=$(dirname "$0")/../../internal/cudasim
  printf '#include <portable_blocks.hpp>\nstatic inline void f() {\n  portable::parallel_blocks("a", portable::c::Bounds<1>(3), {4}, TAKES(int, portable::BlockHandler) {});\n}\n' >"$work/nvcc.cpp"
  gpu=("$cxx" -std=c++17 -fsyntax-only -w -include "$fake/nvcc.h" -I"$fake" -I"$include" "$work/nvcc.cpp")
  "${gpu[@]}" -D'TAKES=[=]' || fail "nvcc: a plain lambda is refused"
  if "${gpu[@]}" -D'TAKES=PORTABLE_LAMBDA' >"$work/nvcc.log" 2>&1; then fail "nvcc: a lambda for devices is taken"; fi
  grep -q "parallel_blocks runs lambdas on the host only" "$work/nvcc.log" || { cat "$work/nvcc.log"; fail "nvcc: the text"; }
  for k in "${!texts[@]}"; do
    grep -q "${texts[k]}" "$work/wrong.log" && grep -q "wrong.cpp:$((4 + 3 * k)):" "$work/wrong.log" ||
      { cat "$work/wrong.log"; fail "no message with '${texts[k]}' about line $((4 + 3 * k))"; }
  done
fi
if [ "$fc" != none ]; then
  fortran intent "intent\|definable\|context" 'i = b%size' 'b%size = 3'
  fortran team "component\|member" 'i = b%thread(1)' 'i = b%inner(1)'
  fortran barrier "no specific\|type mismatch\|Missing actual" 'call block_barrier(b)' 'call block_barrier()'
  fortran line "no specific" 'call block_barrier(b, 12)' 'call block_barrier(b, 12_int64)'
  fortran call_threads "no specific" "call parallel_blocks('a', bounds(3), kernel, threads=[4])" "call parallel_blocks('a', bounds(3), kernel, threads=4)"
  fortran call_kernel "no specific\|interface mismatch\|mismatch" "call parallel_blocks('a', bounds(3), kernel, threads=[4])" \
    "call parallel_blocks('a', bounds(3), loop, threads=[4])"
fi
[ $failed = 0 ]
