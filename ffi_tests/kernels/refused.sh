#!/bin/bash
# refused.sh CXX FC INCLUDE MODULES WORK: what compilers must refuse of atomics and hierarchy, each next to the same program put right,
# which they must take: wrong lambdas, wrong types, wrong kinds. MODULES are folders with colons between. FC or CXX may be none.
# Not in this file: what is refused at run time.
source "$(dirname "$0")/../support/refused.sh"

# cpp NAME WORD RIGHT WRONG: statements of a function; the message about WRONG holds WORD. The right ones of all are one source, and the wrong ones are
# another, for the compiler's time.
wrong_calls=()
cpp() {
  local function='(double *x, const int *n, bool *b) {\n  (void)x, (void)n, (void)b;\n  %s\n}\n'
  # shellcheck disable=SC2059 # the format is the text
  printf "static void $1$function" "$3" >>"$work/right.cpp"
  # shellcheck disable=SC2059
  printf "static void $1$function" "$4" >>"$work/wrong.cpp"
  wrong_calls+=("$(($(wc -l <"$work/wrong.cpp") - 1)) $1 $2")
}

# cpp_compiled: a message about each wrong call names its line.
cpp_compiled() {
  local call line name word
  "$cxx" -std=c++17 -fsyntax-only -I"$include" "$work/right.cpp" || fail "a right one is refused"
  if "$cxx" -std=c++17 -fsyntax-only -I"$include" "$work/wrong.cpp" >"$work/wrong.log" 2>&1; then fail "the wrong ones are taken"; fi
  for call in "${wrong_calls[@]}"; do
    read -r line name word <<<"$call"
    grep -q "wrong.cpp:$line:" "$work/wrong.log" || fail "$name: the wrong one is taken"
    grep -q "$word" "$work/wrong.log" || fail "$name: the message lacks '$word'"
  done
  [ $failed = 0 ] || cat "$work/wrong.log"
}

# fortran NAME WORD RIGHT WRONG: a line of a kernel over outer iterations.
fortran() {
  local text
  for text in "$3" "$4"; do
    printf 'subroutine kernel(t)\n  use, intrinsic :: iso_fortran_env, only: int64\n  use portable_mod\n  type(team), intent(in) :: t\n  integer :: i, from, to\n  integer(int64) :: n\n  %s\nend subroutine\n' \
      "$text" >"$work/$1.f90"
    one_fortran "$1" "$2" "$text" "$3"
  done
}

if [ "$cxx" != none ]; then
  for file in right wrong; do printf '#include <portable.hpp>\n#include <string>\n' >"$work/$file.cpp"; done
  cpp handler "the kernel takes one index for each dimension of the bounds and an InnerHandler" \
    'portable::c::parallel_outer("a", 3, [=](int, portable::InnerHandler) {});' \
    'portable::c::parallel_outer("a", 3, [=](int) {});'
  cpp ranks "the kernel takes one index for each dimension" \
    'portable::parallel_outer(portable::c::Bounds<2>(3, 3), [=](int, int, portable::InnerHandler) {});' \
    'portable::parallel_outer(portable::c::Bounds<2>(3, 3), [=](int, portable::InnerHandler) {});'
  cpp scratch "the scratch is not constructed" \
    'portable::c::parallel_outer("a", 3, [=](int, portable::InnerHandler i) { i.scratch<double>(3); });' \
    'portable::c::parallel_outer("a", 3, [=](int, portable::InnerHandler i) { i.scratch<std::string>(3); });'
  cpp type "atomics are for integers of 32 and 64 bits, float and double" 'portable::atomicAdd(*x, 1);' 'portable::atomicAdd(*b, true);'
  cpp constant "const" 'int m = *n; portable::atomicMax(m, 1);' 'portable::atomicMax(*n, 1);'
  cpp_compiled
fi
if [ "$fc" != none ]; then
  fortran kinds "no specific" 'call add_atomically(n, 1_int64)' 'call add_atomically(n, 1)'
  fortran expression "no specific" 'call add_atomically(i, 1)' 'call add_atomically(i + 1, 1)'
  fortran range "no specific" 'call inner_range(t, 10, from, to)' 'call inner_range(t, 10, from, n)'
  fortran team "component\|member\|PRIVATE\|INTENT(IN)\|INTENT" 'i = t%outer(1)' 't%outer(1) = i'
fi
[ $failed = 0 ]
