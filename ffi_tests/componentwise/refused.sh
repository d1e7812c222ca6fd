#!/bin/bash
# refused.sh CXX FC INCLUDE MODULES WORK: what compilers must refuse of operations on arrays, next to the same calls put right, which they must
# take: operands of two kinds, ranks or types, results of a type that the operation does not give. MODULES are folders with colons
# between. FC or CXX may be none. Not in this file: what is refused at run time (refused.c, fields.f90).
source "$(dirname "$0")/../support/refused.sh"

if [ "$fc" != none ]; then
  program() {
    cat <<'END'
subroutine calls(a, b, s, i, flat, mask, z)
  use portable_componentwise_mod
  real(8) :: a(:,:), b(:,:), flat(:)
  real(4) :: s(:,:)
  integer :: i(:,:)
  logical :: mask(:,:)
  complex(8) :: z(:,:)
END
    printf "  call portable_%s)\n" "$@"
    echo 'end subroutine'
  }
  right=("compute(a, a, '+', b" "compute(a, 1d0, '-', b" "compute(mask, a, '<', b" "compute(a, 'sqrt', b" "merge(z, z, (0d0, 0d0), mask" 'fill(z, (0d0, 1d0)'
    "compute(a, a, '+', b, label='x'")
  wrong=("compute(a, a, '+', s" "compute(a, a, '+', i" "compute(a, a, '+', flat" "compute(flat, a, '+', b" "compute(i, a, '<', b" "compute(z, z, '+', z"
    "compute(a, 1d0, '+', 2d0" "compute(a, 'sqrt', 1d0" "compute(a, a, 1, b" "merge(a, a, b, i" "merge(a, a, s, mask" 'fill(a, 1' 'fill(a, b')
  compiled_fortran 'portable_' ')'
fi
if [ "$cxx" != none ]; then
  program() {
    printf '#include <portable.hpp>\nvoid f(double *a, float *s, int *i, bool *m, const std::int64_t *e);\n'
    printf 'void f(double *a, float *s, int *i, bool *m, const std::int64_t *e) {\n  (void)a, (void)s, (void)i, (void)m;\n'
    printf '  portable::%s, 1, e);\n' "$@"
    echo '}'
  }
  right=('binary<PORTABLE_BINARY_ADD>("x", a, a, a' 'binary<PORTABLE_BINARY_LESS>("x", a, 1, m' 'binary<PORTABLE_BINARY_LESS>("x", s, s, i'
    'unary<PORTABLE_UNARY_SQRT>("x", s, s' 'unary<PORTABLE_UNARY_NOT>("x", m, m' 'binary<PORTABLE_BINARY_OR>("x", m, m, m' 'merge("x", a, a, m, a' 'fill("x", 1, s')
  wrong=('binary<PORTABLE_BINARY_ADD>("x", a, s, a' 'binary<PORTABLE_BINARY_ADD>("x", a, a, s' 'binary<PORTABLE_BINARY_LESS>("x", a, a, a'
    'binary<PORTABLE_BINARY_ADD>("x", m, m, m' 'binary<PORTABLE_BINARY_ATAN2>("x", i, i, i' 'unary<PORTABLE_UNARY_SQRT>("x", i, i' 'unary<PORTABLE_UNARY_ISNAN>("x", s, s'
    'unary<PORTABLE_UNARY_ABS>("x", m, m' 'merge("x", a, s, m, a')
  compiled_cxx 'error.*the result of this operation' 'error.*of float and double' 'error.*bool has' 'error.*no matching function'
  line=4 # before the first call; an assertion speaks once for each type
  for call in "${wrong[@]}"; do
    line=$((line + 1))
    grep -q "calls.cpp:$line:" "$work/log" || fail "no message about: $call"
  done
  [ $failed = 0 ] || cat "$work/log"
fi
[ $failed = 0 ]
