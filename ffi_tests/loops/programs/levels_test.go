package programs

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file runs programs whose outer loops are parallel on the host and whose inner loops are parallel on a device, at different levels of the call
// tree. All bits are those of one thread of the host. Not in this file: loops inside that no directive asks for (device_inside_test.go).

// levelColumns are the procedures that loops call, in a file of their own: nests for the GPU, and one that the GPU cannot run.
const levelColumns = `module columns
  implicit none
  real(8) :: factor = 0.75d0
contains
  subroutine diffuse(n, m, q, w)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: q(n, m)
    real(8), intent(inout) :: w(:)
    integer :: i, k
    !$portable parallel on(gpu)
    do k = 1, m
      do i = 1, n
        q(i, k) = q(i, k)*factor + w(k)
      end do
    end do
    !$portable parallel on(gpu) label('weights')
    do k = 1, m
      w(k) = w(k) + q(1, k)/3
    end do
  end subroutine diffuse
  function total(n, m, q) result(s)
    integer, intent(in) :: n, m
    real(8), intent(in) :: q(n, m)
    real(8) :: s
    integer :: i, k
    s = 0.1d0
    !$portable parallel
    do k = 1, m
      do i = 1, n
        s = s + q(i, k)/7
      end do
    end do
  end function total
  subroutine middle(n, m, q, last)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: q(n, m)
    integer, intent(out) :: last
    integer :: i, k, seen
    !$portable parallel on(cpu)
    do k = 1, m
      call bottom(n, q(:, k))
    end do
    !$portable parallel on(gpu)
    do i = 1, n
      seen = 3*i
      q(i, 1) = q(i, 1) + seen
    end do
    last = seen + i
  end subroutine middle
  subroutine bottom(n, x)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    integer :: i
    !$portable parallel on(gpu)
    do i = 1, n
      x(i) = x(i) - 0.3d0*i
    end do
  end subroutine bottom
  subroutine named(n, x, name)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    character(*), intent(in) :: name
    integer :: i
    !$portable parallel on(gpu)
    do i = 1, n
      if (name(1:1) == 't') x(i) = x(i)/2
    end do
  end subroutine named
end module columns
`

const levelDriver = `module driver
  use columns
  implicit none
contains
  subroutine step(n, m, c, q, s, most)
    integer, intent(in) :: n, m, c
    real(8), intent(inout) :: q(n, m, c), s
    real(8), intent(out) :: most(c)
    real(8) :: w(m)
    integer :: j, k, lasts(c)
    !$portable parallel on(cpu)
    do j = 1, c
      do k = 1, m
        w(k) = k + 0.1d0*j
      end do
      call diffuse(n, m, q(:, :, j), w)
      most(j) = w(m)
    end do
    !$portable parallel on(cpu) reduction(+: s)
    do j = 1, c
      s = s + total(n, m, q(:, :, j))
    end do
    !$portable parallel serial(gpu)
    do j = 1, c
      call middle(n, m, q(:, :, j), lasts(j))
      most(j) = most(j) + lasts(j)
    end do
    !$portable parallel on(cpu)
    do j = 1, c
      call named(n, q(:, 1, j), 'text')
      call bottom(n, q(:, 2, j))
    end do
  end subroutine step
  recursive subroutine halve(n, m, c, q, depth)
    integer, intent(in) :: n, m, c, depth
    real(8), intent(inout) :: q(n, m, c)
    integer :: j
    if (depth == 0) return
    !$portable parallel on(cpu)
    do j = 1, c
      call bottom(n*m, q(:, :, j))
    end do
    call halve(n, m, c, q, depth - 1)
  end subroutine halve
  subroutine lexical(n, m, c, q)
    integer, intent(in) :: n, m, c
    real(8), intent(inout) :: q(n, m, c)
    integer :: i, j, k, t
    !$portable parallel on(cpu)
    do j = 1, c
      !$portable parallel on(gpu)
      do k = 1, m
        do i = 1, n
          q(i, k, j) = q(i, k, j)/2 + i
        end do
      end do
    end do
    !$omp parallel do private(t, k, i)
    do j = 1, c
      do t = 1, 3
        !$acc parallel loop
        do k = 1, m
          do i = 1, n
            q(i, k, j) = q(i, k, j) - t
          end do
        end do
        if (t == 2) then
          !$acc parallel loop
          do i = 1, n
            q(i, 1, j) = q(i, 2, j)
          end do
        end if
      end do
    end do
    !$omp end parallel do
  end subroutine lexical
end module driver
program p
  use driver
  use, intrinsic :: iso_fortran_env, only: int64
  integer :: n, m, i, j, k
  integer, parameter :: c = 5
  real(8), allocatable :: q(:, :, :)
  real(8) :: s, most(c)
  character(9) :: text
  call get_command_argument(1, text)
  read (text, *) n
  m = 4
  allocate (q(n, m, c))
  !$portable off
  do j = 1, c
    do k = 1, m
      do i = 1, n
        q(i, k, j) = mod(7*i + 5*j + k, 23)/9d0 - 1
      end do
    end do
  end do
  s = 0
  call step(n, m, c, q, s, most)
  call halve(n, m, c, q, 2)
  call lexical(n, m, c, q)
  call step(n, m, c, q, s, most)
  print '(4z17)', s, most, transfer(q(::max(1, n/9), :, :), [0_int64])
end program p
`

// TestLevels: where a device runs, the loops inside are launched on it, and the loops around them are plain; on the host it is the other way round.
func TestLevels(t *testing.T) {
	w := with(t)
	env := onDevice(t, w)
	far := slices.DeleteFunc(slices.Clone(env), func(s string) bool { return strings.Contains(s, "HOSTMEM") || strings.Contains(s, "pageable") })
	sources := []string{w.source("columns.f90", levelColumns), w.source("levels.f90", levelDriver)}
	_, text, err := w.try(nil, *portablef, "convert", "--device", "cuda", "--out", "told", sources[0], sources[1])
	require.NoError(t, err, text)
	require.Contains(t, text, "note: the loop 'step:12' runs on the threads of the host; on a device these run in its place: 'diffuse:11', 'weights'")
	require.Contains(t, text, "note: the loop 'step:24' runs on the threads of the host; on a device these run in its place: 'middle:44', 'bottom:55'")
	require.Contains(t, text, "warning: the loop 'named:65' stays on the host")
	outer := []string{"step:12", "step:24", "step:29", "halve:40", "lexical:50", "lexical:59"}
	inner := []string{"diffuse:11", "total:28", "middle:44", "bottom:55", "lexical:52", "lexical:62", "lexical:69"}
	for _, more := range [][]string{nil, {"--always-launch"}, {"--always-launch", "--fc-flags", "-fdefault-integer-8"}} {
		always := len(more) > 0
		flags := strict(w.compiler)
		if len(more) > 1 {
			flags = append(flags, more[2])
		}
		args := append([]string{"convert", "--quiet", "--out", "converted", "--device", "cuda"}, more...)
		_, text, err := w.try(nil, *portablef, append(args, sources...)...)
		require.NoError(t, err, text)
		before, after := clean(t, w, flags, sources, []string{"converted/columns.pf.F90", "converted/levels.pf.F90"})
		w.linked("original", nil, before...)
		w.linked("converted.x", nil, after...)
		for _, n := range []string{"20000", "40"} {
			run := func(program string, env []string) (string, []string) {
				require.NoError(t, os.RemoveAll(w.path("log")))
				got, text, err := w.try(env, w.path(program), n)
				require.NoError(t, err, text)
				if program == "original" {
					return got, nil
				}
				return got, labelsOf(w.text("log"))
			}
			log := "PORTABLE_VERBOSE=" + w.path("log")
			want, ran := run("converted.x", []string{"PORTABLE_DEVICE=serial", log})
			plain, _ := run("original", nil)
			require.Equal(t, rest(plain), rest(want), "all but a sum in parts has the bits of the original")
			require.Subset(t, ran, outer)
			for _, label := range inner {
				if label != "total:28" { // its parts are those of the launch on a device
					require.NotContains(t, ran, label, "it is plain code in a kernel")
				}
			}
			got, _ := run("converted.x", []string{"PORTABLE_DEVICE=threads", "PORTABLE_NUM_THREADS=3", log})
			require.Equal(t, want, got)
			for _, env := range [][]string{env, far} {
				got, ran = run("converted.x", env)
				require.Equal(t, want, got)
				for _, label := range outer {
					require.NotContains(t, ran, label, "it is the plain loop where a device runs")
				}
				require.Contains(t, ran, "step:20", "its parts are those of the threads")
				if n != "40" || always {
					require.Subset(t, launchesOnDevice(w.text("log")), inner)
				}
			}
			out, text, err := w.try(append(slices.Clone(env), "PORTABLE_NVRTC_LIBRARY="+w.path("none.so")), w.path("converted.x"), n)
			require.NoError(t, err, text)
			require.Equal(t, want, out)
			require.Contains(t, text, "NVRTC is missing")
		}
	}
}

// rest is a program's output without its first number.
func rest(out string) string { return out[17:] }

// switched is a program that chooses the device between calls: outer loops without a directive, streams, minima and maxima that meet NaN and zeros of
// both signs, a place, a sum into an array, optional and pointer arrays, and a loop that keeps all.
const switched = `module inner_loops
  implicit none
contains
  subroutine scaled(n, x, s, more)
    use, intrinsic :: iso_fortran_env, only: int64
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    integer(int64), intent(in) :: s
    real(8), optional, intent(in) :: more(n)
    integer :: i
    !$portable parallel on(gpu) async(s)
    do i = 1, n
      x(i) = 2*x(i) - i
    end do
    if (.not. present(more)) return
    !$portable parallel on(gpu)
    do i = 1, n
      x(i) = x(i) + more(i)
    end do
  end subroutine scaled
  subroutine extremes(n, x, least, most, place)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: least, most
    integer, intent(inout) :: place
    integer :: i
    !$portable parallel
    do i = 1, n
      least = min(least, x(i))
    end do
    !$portable parallel on(gpu)
    do i = 1, n
      if (x(i) > most) then
        most = x(i)
        place = i
      end if
    end do
  end subroutine extremes
  subroutine counted(n, x, h)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: h(4)
    integer :: i
    !$portable parallel on(gpu)
    do i = 1, n
      h(1 + mod(i, 4)) = h(1 + mod(i, 4)) + x(i)/3
    end do
  end subroutine counted
end module inner_loops
module outer_loops
  use inner_loops
  use portable_mod, only: stream_fence
  use, intrinsic :: iso_fortran_env, only: int64
  implicit none
contains
  subroutine all_of(n, c, s, x, y, h, least, most, at)
    integer, intent(in) :: n, c
    integer(int64), intent(in) :: s
    real(8), intent(inout), target :: x(n, c)
    real(8), intent(inout) :: y(c), h(4, c), least, most
    integer, intent(inout) :: at
    real(8), pointer :: p(:, :)
    real(8) :: w(n), low, high
    integer :: i, j, place
    p => x
    !$portable parallel async(s)
    do j = 1, c
      do i = 1, n
        x(i, j) = sqrt(x(i, j)**2 + 1d0)*1.1d0
      end do
    end do
    !$portable parallel on(gpu) async(s)
    do j = 1, c
      do i = 1, n
        x(i, j) = x(i, j)*0.9d0 - 1
      end do
    end do
    call stream_fence(s)
    do j = 1, c ! taken without a directive
      do i = 1, n
        w(i) = i*0.01d0 + j
      end do
      call scaled(n, w, s)
      call scaled(n, x(:, j), s, w)
    end do
    !$omp parallel do private(low, high, place) reduction(min: least)
    do j = 1, c
      low = y(j)
      high = -1
      place = 0
      call extremes(n, x(:, j), low, high, place)
      least = min(least, low)
      y(j) = high + place
      call scaled(n, x(:, j), s)
    end do
    !$portable parallel on(cpu)
    do j = 1, c
      low = 0
      high = -2
      place = 0
      call extremes(n, p(:, j), low, high, place)
      if (high > most) then
        most = high
        at = j
      end if
      call counted(n, p(:, j), h(:, j))
    end do
  end subroutine all_of
end module outer_loops
program q
  use outer_loops
  use portable_mod
  use, intrinsic :: ieee_arithmetic
  implicit none
  integer, parameter :: n = 9000, c = 40
  real(8) :: x(n, c), y(c), h(4, c), least, most
  integer(int64) :: s
  integer :: i, j, k, at
  character(9) :: text
  call portable_init()
  do k = 1, command_argument_count()
    call get_command_argument(k, text)
    call set_default_device(find_device(trim(text)))
    call stream_create(s)
    !$portable off
    do j = 1, c
      y(j) = 7 - j
      do i = 1, n
        x(i, j) = mod(11*i + 3*j, 37)/8d0 - 2
      end do
    end do
    !$portable on
    x(5, 3) = ieee_value(least, ieee_quiet_nan)
    x(17, 9) = -0d0
    h = 0.1d0
    least = 5
    most = -5
    at = 0
    call all_of(n, c, s, x, y, h, least, most, at)
    print '(a,3z17,i5)', 'run', least, most, sum(h), at
    print '(4z17)', y, x(::n/7, :)
    call stream_destroy(s)
  end do
  call portable_finalize()
end program q
`

// TestLevelsSwitch: one program runs on the device that it chooses between the calls, with the same bits.
func TestLevelsSwitch(t *testing.T) {
	w := with(t)
	env := slices.DeleteFunc(onDevice(t, w), func(s string) bool { return strings.HasPrefix(s, "PORTABLE_DEVICE=") })
	source := w.source("switched.f90", switched)
	for _, flags := range []string{"", "-fopenmp"} {
		_, text, err := w.try(nil, *portablef, "convert", "--auto", "--device", "cuda", "--always-launch", "--fc-flags", flags, "--out", "converted", source)
		require.NoError(t, err, text)
		require.Contains(t, text, "note: async of the loop 'scaled:12' is not used: ")
		require.Contains(t, text, "note: the loop 'all_of:79' runs on the threads of the host; on a device these run in its place: 'scaled:12'")
		w.build("converted.x", append(strings.Fields(flags), "-O1"), "converted/switched.pf.F90")
		out, text, err := w.try(env, w.path("converted.x"), "serial", "cuda:0", "threads", "cuda:0", "serial")
		require.NoError(t, err, text)
		runs := strings.Split(out, "run")[1:]
		require.Len(t, runs, 5)
		for i, r := range runs {
			require.Equal(t, strings.Split(runs[0], "\n"), strings.Split(r, "\n"), "run %d", i+1)
		}
		require.Subset(t, labelsOf(w.text("log")), []string{"all_of:79", "all_of:87", "all_of:97"})
		require.Subset(t, launchesOnDevice(w.text("log")), []string{"scaled:12", "extremes:28", "extremes:32", "counted:45"})
	}
}
