#!/bin/bash
# refused.sh CXX FC INCLUDE MODULES WORK: what compilers must refuse of reductions, next to the same calls put right, which they must take:
# kernels, places, operations and live-outs that do not fit the result. MODULES are folders with colons between. FC or CXX may be
# none. All calls of a language are in one program, for the time it takes. Not in this file: what is refused at run time (more_sums.f90).
source "$(dirname "$0")/../support/refused.sh"

if [ "$fc" != none ]; then
  program() {
    cat <<'END'
module m
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use portable_mod
contains
  recursive subroutine add(t, r)
    type(tile), intent(in) :: t
    real(real64), intent(inout) :: r
    r = r + t%lower(1)
  end subroutine
  recursive subroutine add_exactly(t, r)
    type(tile), intent(in) :: t
    type(exact_sum), intent(inout) :: r
    call exact_add(r, real(t%lower(1), real64))
  end subroutine
  recursive subroutine least(t, r, place)
    type(tile), intent(in) :: t
    real(real64), intent(inout) :: r
    integer, intent(inout) :: place(*)
    r = 0
    place(1) = t%lower(1)
  end subroutine
  recursive subroutine join(into, from)
    real(real64), intent(inout) :: into
    real(real64), intent(in) :: from
    into = into + from
  end subroutine
  recursive subroutine join_narrow(into, from)
    real(real32), intent(inout) :: into
    real(real32), intent(in) :: from
    into = into + from
  end subroutine
  subroutine calls()
    real(real64) :: r
    real(real32) :: s
    integer :: at(1)
    integer(int64) :: far(1)
    type(scalar_live_out) :: l
END
    printf "    call parallel_reduce('x', bounds(9), %s)\n" "$@"
    printf '  end subroutine\nend module\n'
  }
  right=('add, r' 'add_exactly, r, exact=.true.' 'add, s, in_double=.true.' "least, r, at, 'minloc'" 'add, r, join, 0d0' 'add, l, 0d0')
  wrong=('add, s' 'add, r, exact=.true.' 'add_exactly, r' 'add, r, in_double=.true.' "least, r, at(1), 'minloc'" "least, r, far, 'minloc'"
    'least, r, at' "add, r, at, 'minloc'" 'add, r, join_narrow, 0d0' 'add, r, join, 0.0' 'add, l' 'add, l, 0.0')
  compiled_fortran 'bounds(9), ' ')'
fi
if [ "$cxx" != none ]; then
  program() {
    printf '#include <portable.hpp>\nvoid f(float s, double r);\nvoid f(float s, double r) {\n  (void)s, (void)r;\n'
    printf '  portable::parallel_reduce("x", portable::c::Bounds<1>(9), %s);\n' "$@"
    echo '}'
  }
  right=('[=](int i, double &x) { x += i; }, portable::Sum<double>(r)' '[=](int i, double &x) { x += i; }, portable::WideSum<float>(s)')
  wrong=('[=](int, float &x) { x += 1.0f; }, portable::Sum<double>(r)' '[=](int, float &x) { x += 1.0f; }, portable::WideSum<float>(s)'
    '[=](int i, double &x) { x += i; }, portable::WideSum<double>(r)')
  compiled_cxx 'double is already one' 'then a reference for each reducer'
  [ "$(grep -c 'error.*then a reference for each reducer' "$work/log")" = 2 ] || fail "not each kernel of another kind is refused"
  [ $failed = 0 ] || cat "$work/log"
fi
[ $failed = 0 ]
