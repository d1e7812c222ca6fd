package programs

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file compares programs that `convert --bits` wrote: serial, on threads, on a device, and under flags that fuse products and take vector
// functions. Not in this file: the functions (ffi_tests/math).

const bitsModule = `module physics
  implicit none
  integer, parameter :: n = 1500
  real(8), parameter :: rate = 0.286d0
contains
  pure real(8) function saturation(t)
    real(8), intent(in) :: t
    saturation = 610.78d0*exp(17.27d0*(t - 273.16d0)/(t - 35.86d0))
  end function
  pure real function small(x)
    real, intent(in) :: x
    small = tanh(x) + erf(x)*0.5 + log10(1.5 + x**2) + hypot(x, 2.5) + gamma(x + 2.0)
  end function
  subroutine columns(a, b, c, f, gamma, k)
    real(8), intent(in) :: a(n), gamma
    real(8), intent(out) :: b(n), c(n)
    real, intent(inout) :: f(n)
    integer, intent(in) :: k(n)
    integer :: i
    !$omp parallel do
    do i = 1, n
      b(i) = saturation(200 + 100*a(i)) + sin(a(i)*40)**2 + a(i)**rate + gamma**(a(i)/2)**0.5 + dlog(a(i) + 1) &
           + acosh(1 + a(i)) + log_gamma(a(i) + 0.5d0) + real(tanh(real(a(i), 4))**0.7, 8)
      c(i) = outer(a(i)) + cos(a(i)) + tan(a(i)) + asin(a(i)) + acos(a(i)) + atan(a(i)) + atan2(a(i), -0.3d0) + k(i)**0.25d0 &
           & + sinh(a(i)) + cosh(a(i)) + asinh(a(i)) + atanh(a(i)*0.99d0) + erfc(a(i)) + a(i)**k(i)
      if (a(i)**1.5d0 > 0.3d0) f(i) = small(real(a(i))) + 2**real(a(i))
    end do
  contains
    pure real(8) function outer(x)
      real(8), intent(in) :: x
      outer = exp(-x**2) + x**(2*rate)**(-1.0d0)
    end function
  end subroutine
end module
`

const bitsProgram = `program bits
  use physics
  use, intrinsic :: iso_fortran_env, only: int32, int64
  implicit none
  real(8) :: a(n), b(n), c(n)
  real :: f(n)
  integer :: k(n), i
  do i = 1, n
    a(i) = mod(i*0.618033988d0, 1d0)
    k(i) = mod(i, 7) - 3
    f(i) = 0.5
  end do
  a(1) = tiny(1d0)
  call columns(a, b, c, f, 1.4d0, k)
  do i = 1, n
    print '(2(z16.16, 1x), z8.8)', transfer(b(i), 1_int64), transfer(c(i), 1_int64), transfer(f(i), 1_int32)
  end do
  print '(z16.16)', transfer(exp(0.3d0)**0.5d0, 1_int64)
end program
`

// fusing are flags under which gfortran joins products with sums, and takes vector functions where a loop has the compiler's.
var fusing = []string{"-O3", "-mfma", "-mavx2", "-ffp-contract=off"}

func TestBits(t *testing.T) {
	w := with(t)
	env := onDevice(t, w)
	w.source("physics.f90", bitsModule)
	w.source("bits.f90", bitsProgram)
	sources := w.convert([]string{"--bits", "--device", "cuda"}, "physics.f90", "bits.f90")
	w.include = append(w.include, "-I"+w.folder)
	w.build("bits.x", []string{"-O2"}, sources...)
	want := w.run([]string{"PORTABLE_DEVICE=serial"}, "bits.x")
	require.Equal(t, 1501, strings.Count(want, "\n"))
	require.Equal(t, want, w.run([]string{"PORTABLE_DEVICE=threads", "PORTABLE_NUM_THREADS=3"}, "bits.x"), "on threads")
	require.Equal(t, want, w.run(env, "bits.x"), "on the device")
	if *fake != "none" {
		require.Equal(t, []string{"columns:21"}, launchesOnDevice(w.text("log")))
	}
	if processor, err := os.ReadFile("/proc/cpuinfo"); err == nil && strings.Contains(string(processor), " fma ") && !isFlang(w.compiler) {
		w.build("fused.x", fusing, sources...)
		require.Equal(t, want, w.run([]string{"PORTABLE_DEVICE=threads"}, "fused.x"), "with the flags %v", fusing)
	}
	// The loop as it stands, without a launch, has the same functions.
	w.build("plain.x", []string{"-O0"}, sources...)
	require.Equal(t, want, w.run([]string{"PORTABLE_DEVICE=serial"}, "plain.x"), "without optimisation")
}

func TestBitsRefuses(t *testing.T) {
	const head = "module m\ncontains\nsubroutine s(n, a, k)\n  integer, intent(in) :: n, k(n)\n  real(8), intent(inout) :: a(n)\n  integer :: i\n"
	const loop = "  do i = 1, n\n    a(i) = exp(a(i))\n  end do\nend subroutine\nend module\n"
	for name, c := range map[string]struct{ text, want string }{
		"constant":  {head + "  real(8), parameter :: e = exp(1d0)\n" + loop, "EXP is part of a declaration here, and a function of portable_math_mod below"},
		"intrinsic": {head + "  intrinsic :: exp\n" + loop, "EXP is declared here, and a function of portable_math_mod below"},
		"argument":  {head + "  intrinsic :: dexp\n  call t(dexp)\n" + loop, "the function DEXP is an argument here, which one of portable_math_mod cannot be"},
		"sum": {head + "  !$omp parallel do\n  do i = 1, n\n    !$omp atomic\n    a(k(i)) = a(k(i)) + 1d0/i\n  end do\nend subroutine\nend module\n",
			"the iterations add to elements of 'a' in any order, which changes last bits (--bits)"},
		"unread":  {head + "  a(1) = (a(2)**1.5d0\n" + loop, "so its ** would stay the compiler's"},
		"bounds":  {head + "  real(8) :: w(int(a(1)**0.5d0))\n" + loop, "m.f90:7:20: error: the file cannot be written: a power of reals is part of a declaration here"},
		"block":   {head + "  block\n    real(8), parameter :: e = exp(1d0)\n    a = e\n  end block\n" + loop, "m.f90:8:31: error: the file cannot be written: EXP is part of a declaration"},
		"other":   {head + "  a = bessel_j0(a)\n" + loop, "m.f90:7:7: error: the file cannot be written: BESSEL_J0 is no function of portable_math_mod"},
		"lines":   {head + "  a(1) = a(2)*&\n  &*a(1)\n" + loop, "m.f90:7:10: error: the file cannot be written: the two characters of ** stand on two lines"},
		"macro":   {"#define P(x) x**1.5d0\n" + head + "  a(1) = P(a(2))\n" + loop, "m.f90:8:10: error: the file cannot be written: a macro makes a part of this power"},
		"operand": {"#define P a(2)+1d0\n" + head + "  a(1) = a(1)**P\n" + loop, "m.f90:8:10: error: the file cannot be written: a macro makes a part of this power"},
		"include": {head + "  include 'power.inc'\n" + loop, "power.inc:1:10: error: the file cannot be written: a power of reals stands in an included file"},
		"unit":    {head + loop + "include 'unit.inc'\n", "unit.inc:1:1: error: the file cannot be written: a procedure with functions of portable_math_mod begins in an included file"},
		"generic": {"module m\n  interface exp\n    module procedure other\n  end interface\ncontains\n  logical function other(a)\n    logical, intent(in) :: a\n    other = a\n  end function\n" +
			"  subroutine s(a)\n    real(8) :: a\n    a = exp(a)\n  end subroutine\nend module\n", "m.f90:12:9: error: the file cannot be written: EXP is the compiler's function here, and a generic name"},
	} {
		t.Run(name, func(t *testing.T) {
			w := alone(t, *fc)
			w.source("m.f90", c.text)
			w.source("power.inc", "  a(1) = a(1)**a(2)\n")
			w.source("unit.inc", "subroutine more(a)\n  real(8) :: a\n  a = exp(a)\nend subroutine\n")
			_, text, err := w.try(nil, *portablef, "convert", "--bits", "--fc-flags", "-cpp", "--out", "converted", "m.f90")
			require.Equal(t, name != "sum", err != nil, text) // that loop stays serial
			require.Contains(t, text, c.want)
			require.Contains(t, text, "m.f90:")
		})
	}
}

// TestBitsPlaces converts powers and functions in places that are hard to edit. The program computes each value twice: as its text says, and by
// calls of the module.
func TestBitsPlaces(t *testing.T) {
	w := with(t)
	w.source("places.F90", `#define Q(i) q(i)
#define V grid%val
#define P (b+1d0)
program places
  implicit none
  type grids
    real(8) :: val
  end type
  type(grids) :: grid
  real(8) :: a, b, q(2), x, law
  law(x) = dexp(x)**1.5d0 ! a function of a statement
  a = 0.3d0; b = 2.5d0; q = [1.7d0, 0.2d0]; grid%val = 1.1d0
  print '(z16.16)', law(a), a & ! b**a in a comment
    & ** & ! another **
    (b), Q(1)**V, V**P, dgamma(b), dlgama(b), dasinh(b)
  a = a + sin(0d0)
  call called
  call local
contains
  subroutine local
    real(8) :: sin(2) ! another thing of that name
    sin = [exp(a), a]
    if (sin(1) < sin(2)) error stop
  end subroutine
  subroutine called
    use portable_math_mod
    print '(z16.16)', portable_pow(exp(a), 1.5d0), portable_pow(a, b), portable_pow(q(1), grid%val), &
      portable_pow(grid%val, b + 1), gamma(b), log_gamma(b), asinh(b)
  end subroutine
end program
`)
	w.source("fixed.f", "      subroutine fixed(a, b)\n      real*8 a, b\n      a = a* *b + b*a\n      end\n")
	sources := w.convert([]string{"--bits"}, "places.F90", "fixed.f")
	require.Contains(t, w.text("converted/fixed.pf.F90"), "a = portable_pow(a, b) + b*a")
	w.build("places.x", []string{"-O2"}, sources...)
	lines := strings.Fields(w.run(nil, "places.x"))
	require.Len(t, lines, 14)
	require.Equal(t, lines[7:], lines[:7])
}
