#!/bin/bash
# refused.sh CXX FC INCLUDE MODULES WORK: what compilers must refuse of scans and filters, next to the same calls put right, which they must
# take. MODULES are folders with colons between. FC or CXX may be none. All calls of a language are in one program, for the time it takes.
# Not in this file: what is refused at run time (scan.c, filter.c, lists.f90).
source "$(dirname "$0")/../support/refused.sh"

if [ "$fc" != none ]; then
  program() {
    cat <<'END'
module m
  use, intrinsic :: iso_fortran_env, only: int32, real32, real64
  use portable_mod
contains
  recursive subroutine cloudy(t, chosen)
    type(tile), intent(in) :: t
    logical, intent(inout) :: chosen(t%lower(1):t%upper(1))
    chosen = .true.
  end subroutine
  recursive subroutine from_one(t, chosen)
    type(tile), intent(in) :: t
    logical, intent(inout) :: chosen(:)
    chosen(t%lower(1)) = .true.
  end subroutine
  recursive subroutine numbers(t, chosen)
    type(tile), intent(in) :: t
    integer, intent(inout) :: chosen(t%lower(1):t%upper(1))
    chosen = 1
  end subroutine
  subroutine calls()
    real(real64) :: x(9), y(9), z(3,3)
    real(real32) :: s(9)
    integer(int32) :: list(9)
    integer :: n
    logical :: mask(9)
END
    printf "    call %s\n" "$@"
    printf '  end subroutine\nend module\n'
  }
  right=('prefix_sum(x, y)' 'prefix_max(z, z, dim=2)' 'pack_into(x, mask, y, n)' 'unpack_into(y, mask, x)' 'active_indices(mask, list, n)'
    "parallel_filter('x', bounds(9), cloudy, list, n)")
  wrong=('prefix_sum(x, z)' 'prefix_sum(x, s)' 'prefix_sum(mask, mask)' 'prefix_min(x, y, initial=1.0)' 'pack_into(x, list, y, n)' 'pack_into(z, mask, y, n)'
    'pack_into(x, mask, s, n)' 'unpack_into(s, mask, x)' 'active_indices(mask, x, n)' 'active_indices(list, list, n)'
    "parallel_filter('x', bounds(9), cloudy, x, n)" "parallel_filter('x', bounds(9), from_one, list, n)" "parallel_filter('x', bounds(9), numbers, list, n)")
  compiled_fortran 'call ' ''
fi
if [ "$cxx" != none ]; then
  program() {
    printf '#include <portable.hpp>\nvoid f(double *x, int *k, unsigned *u, short *s);\nvoid f(double *x, int *k, unsigned *u, short *s) {\n'
    printf '  (void)x, (void)k, (void)u, (void)s;\n'
    printf '  portable::%s;\n' "$@"
    echo '}'
  }
  right=('inclusive_scan("x", x, 9, x)' 'pack("x", x, u, 9, x, 9)' 'active_indices("x", s, 9, k, 9)'
    'parallel_filter("x", portable::c::Bounds<1>(9), [](int) { return true; }, k, 9)')
  wrong=('inclusive_scan("x", u, 9, u)' 'pack("x", x, x, 9, x, 9)' 'active_indices("x", k, 9, s, 9)'
    'parallel_filter("x", portable::c::Bounds<1>(9), [](double, int) { return true; }, k, 9)')
  compiled_cxx 'signed integers, float and double' 'a mask is of bool or of integers' 'an index is a signed integer' 'the predicate takes an index'
  [ $failed = 0 ] || cat "$work/log"
fi
[ $failed = 0 ]
