package programs

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file runs nests with ATOMIC or CRITICAL that four threads of a region of OpenMP run at the same time: no thread loses what another one adds.
// Not in this file: clauses, and nests whose directives are those of a region (clauses_test.go).

// together calls nests from a region. All sums are of small whole numbers: exact in any order.
const together = `module m
  implicit none
contains
  subroutine elements(h, k, n)
    integer, intent(in) :: n, k(n)
    real(8), intent(inout) :: h(100)
    integer :: i
    do i = 1, n
      !$omp atomic
      h(k(i)) = h(k(i)) + 1
    end do
  end subroutine elements
  subroutine small(h, k, n)
    integer, intent(in) :: n, k(n)
    real(8), intent(inout) :: h(8)
    integer :: i
    do i = 1, n
      !$omp atomic update
      h(k(i)) = h(k(i)) + 1
    end do
  end subroutine small
  subroutine scalar(s, k, n)
    integer, intent(in) :: n, k(n)
    real(8), intent(inout) :: s
    integer :: i
    do i = 1, n
      !$omp atomic
      s = s + k(i)
    end do
  end subroutine scalar
  subroutine critical(h, k, n)
    integer, intent(in) :: n, k(n)
    integer, intent(inout) :: h(8)
    integer :: i
    do i = 1, n
      !$omp critical
      h(k(i)) = h(k(i)) + 1
      !$omp end critical
    end do
  end subroutine critical
end module m
program p
  use m
  integer, parameter :: n = 100000
  real(8) :: h(100), g(8), s
  integer :: k(n), i, c(8), t
  !$portable off
  do i = 1, n
    k(i) = mod(i, 7) + 1
  end do
  h = 0
  g = 0
  s = 0
  c = 0
  !$omp parallel do num_threads(4)
  do t = 1, 4
    call elements(h, k, n)
    call small(g, k, n)
    call scalar(s, k, n)
    call critical(c, k, n)
    do i = 1, 500
      call elements(h, k, 50)
      call scalar(s, k, 50)
    end do
  end do
  print '(4i9)', nint(sum(h)), nint(sum(g)), nint(s), sum(c)
end program p
`

// TestRegions: as a nest without a region the same procedures are launched, also from text that was converted without the flag.
func TestRegions(t *testing.T) {
	w := with(t)
	source := w.source("together.f90", together)
	const want = "   500000   400000  1996000   400000\n"
	w.build("original", []string{"-O1", "-fopenmp"}, source)
	require.Equal(t, want, w.run(nil, "original"))
	options := []string{"--auto", "--device", "cuda"}
	for _, flags := range [][]string{nil, {"--fc-flags", "-fopenmp"}} {
		converted := w.convert(append(options, flags...), source)
		w.build("converted.x", []string{"-O1", "-fopenmp"}, converted...)
		for _, threads := range []string{"1", "3"} {
			require.Equal(t, want, w.run([]string{"PORTABLE_NUM_THREADS=" + threads}, "converted.x"), "%v", flags)
		}
		w.build("alone.x", []string{"-O1"}, converted...)
		require.NoError(t, os.RemoveAll(w.path("log")))
		require.Equal(t, want, w.run([]string{"PORTABLE_NUM_THREADS=3", "PORTABLE_VERBOSE=" + w.path("log")}, "alone.x"), "%v", flags)
		require.Contains(t, w.text("log"), "'scalar:26' begins")
	}
}

// TestRegionsOnDevice: so do programs that launch on a device.
func TestRegionsOnDevice(t *testing.T) {
	w := with(t)
	env := onDevice(t, w)
	converted := w.convert([]string{"--auto", "--device", "cuda"}, w.source("together.f90", together))
	w.build("converted.x", []string{"-O1", "-fopenmp"}, converted...)
	require.Equal(t, "   500000   400000  1996000   400000\n", w.run(env, "converted.x"))
}
