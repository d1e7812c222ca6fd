package programs

import (
	"fmt"
	"os/exec"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file looks for the user's file and line in what others say of a converted program: debuggers, backtraces, run-time checks of the compiler,
// yaklcheck. Not in this file: the compiler's own messages (warnings_test.go).

// faulty has a nest for each way to end; the program takes a number. `!NAME` ends the line that must be named.
const faulty = `module faulty
contains
  subroutine step(a, b, n)
    integer, intent(in) :: n
    integer, intent(inout) :: a(n), b(n)
    integer :: i, k
    do i = 1, n
      k = i + 1
      a(i) = k*b(i) !stop
    end do
  end subroutine step

  subroutine divide(a, b, n)
    integer, intent(in) :: n
    integer, intent(inout) :: a(n), b(n)
    integer :: i
    do i = 1, n
      a(i) = 7 + &
        a(i)/b(i) !divide
    end do
  end subroutine divide

  subroutine beyond(a, b, n, m)
    integer, intent(in) :: n, m
    integer, intent(inout) :: a(n), b(n)
    integer :: i, j
    do j = 1, m
      do i = 1, n
        b(i) = b(i) + j !< no loop of j runs in parallel
      end do
    end do
    do i = 1, m
      a(i) = i !bounds
    end do
  end subroutine beyond
end module faulty

program main
  use faulty
  implicit none
  integer :: a(100), b(100), which
  character(8) :: word
  call get_command_argument(1, word)
  read (word, *) which
  a = 1
  b = 2
  if (which == 1) call step(a, b, 100)
  b(60) = 0
  if (which == 2) call divide(a, b, 100)
  if (which == 3) call beyond(a, b, 100, 101)
  print *, sum(a)
end program main
`

// debuggable builds the converted program with the flags of one who looks for a fault.
func debuggable(t *testing.T, text string, more ...string) *work {
	if isFlang(*fc) {
		t.Skip("flang 16 gives programs no lines")
	}
	w := with(t)
	name := w.source("user.f90", text)
	w.build("program", append([]string{"-g", "-O0"}, more...), w.convert([]string{"--auto"}, name)...)
	return w
}

// crashes runs the program, which must not end well, and gives all that it writes.
func (w *work) crashes(env []string, args ...string) (text string, signal syscall.Signal) {
	out, text, err := w.try(append(env, "GFORTRAN_ERROR_BACKTRACE=1"), w.path("program"), args...)
	var exit *exec.ExitError
	require.ErrorAs(w.t, err, &exit, out+text)
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		signal = status.Signal()
	}
	return out + text, signal
}

// TestBreakpoint: a breakpoint at the user's line stops in the kernel, where the user's variables have their names and values.
func TestBreakpoint(t *testing.T) {
	if _, err := exec.LookPath("gdb"); err != nil {
		t.Skip("no gdb")
	}
	w := debuggable(t, faulty)
	line := lineOf(t, faulty, "!stop")
	nest := lineOf(t, faulty, "k = i + 1") - 1
	for _, threads := range []string{"1", "3"} {
		out, text, _ := w.try([]string{"PORTABLE_NUM_THREADS=" + threads}, "gdb", "-nx", "-batch", "-ex", "set confirm off", "-ex", "set debuginfod enabled off",
			"-ex", fmt.Sprintf("break user.f90:%d", line), "-ex", "run 1", "-ex", "print i", "-ex", "print k", "-ex", "print b(i)", "-ex", "backtrace 1",
			"-ex", "kill", w.path("program"))
		all := out + text
		require.Regexp(t, fmt.Sprintf(`hit Breakpoint 1[^\n]* faulty::step_%d_body [^\n]* at [^\n]*user\.f90:%d\n%d\s+a\(i\) = k\*b\(i\)`, nest, line, line), all)
		require.Regexp(t, `\n\$1 = [0-9]+\n\$2 = [0-9]+\n\$3 = 2\n`, all)
		require.Regexp(t, fmt.Sprintf(`(?m)^#0 .*step_%d_body .* at [^\n]*user\.f90:%d$`, nest, line), all)
	}
}

// TestBacktrace: a crash in a nest prints the line of the statement, on the launching thread and on another one.
func TestBacktrace(t *testing.T) {
	w := debuggable(t, faulty)
	nest, line := lineOf(t, faulty, "7 + &")-1, lineOf(t, faulty, "!divide")
	where := fmt.Sprintf(`in divide_%d_body\n\s+at [^\n]*user\.f90:%d\n`, nest, line)
	for _, env := range [][]string{{"PORTABLE_DEVICE=serial"}, {"PORTABLE_NUM_THREADS=1"}, {"PORTABLE_NUM_THREADS=3", "PORTABLE_TUNING=*: tile=1"}} {
		text, signal := w.crashes(env, "2")
		require.Equal(t, syscall.SIGFPE, signal, text)
		require.Regexp(t, where, text)
		require.Contains(t, text, fmt.Sprintf("kernel 'divide:%d'", nest))
	}
	w.build("program", []string{"-g", "-O0"}, "user.f90")
	text, _ := w.crashes(nil, "2")
	require.Regexp(t, fmt.Sprintf(`in __faulty_MOD_divide\n\s+at [^\n]*user\.f90:%d\n`, line), text, "the original names another line")
}

// TestChecksOfTheCompiler: gfortran's check of bounds names the user's file and line.
func TestChecksOfTheCompiler(t *testing.T) {
	w := debuggable(t, faulty, "-fcheck=all")
	for _, threads := range []string{"1", "3"} {
		text, _ := w.crashes([]string{"PORTABLE_NUM_THREADS=" + threads}, "3")
		require.Contains(t, text, fmt.Sprintf("At line %d of file user.f90", lineOf(t, faulty, "!bounds")))
		require.Contains(t, text, "Index '101' of dimension 1 of array 'a' above upper bound of 100")
	}
}

// wrong has uses of memory that yaklcheck finds, in nests.
const wrong = `module wrong
  real(8), pointer :: old(:) => null()
contains
  subroutine beyond(a, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(*)
    integer :: i
    do i = 1, n
      a(i) = i !beyond
    end do
  end subroutine beyond

  subroutine freed(total, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: total(n)
    integer :: i
    do i = 1, n
      total(i) = old(i) !freed
    end do
  end subroutine freed
end module wrong

program main
  use wrong
  implicit none
  real(8), allocatable :: a(:), b(:)
  real(8), pointer :: p(:)
  character(8) :: word
  call get_command_argument(1, word)
  allocate (a(1000), b(1000), p(1000)) !allocated
  p = 3
  old => p
  if (word == 'beyond') call beyond(a, 1001)
  if (word == 'freed') then
    deallocate (p)
    call freed(b, 1000)
  end if
end program main
`

// TestYaklcheck: it names the line of the nest, and that of the allocation, in a program whose ALLOCATE the library serves.
func TestYaklcheck(t *testing.T) {
	if *yaklcheck == "" {
		t.Skip("no yaklcheck")
	}
	if isFlang(*fc) {
		t.Skip("flang 16 gives programs no lines")
	}
	w := with(t)
	w.link = append(allocateFlags(), w.link...)
	name := w.source("user.f90", wrong)
	written := w.convert([]string{"--auto"}, name)
	for _, level := range []string{"-O0", "-O2"} {
		w.build("program", []string{"-g", level}, written...)
		for _, r := range []struct{ word, text string }{
			{"beyond", fmt.Sprintf(`out-of-bounds write of [0-9]+ bytes[^\n]*\n +at beyond_%d_body[^\n]* user\.f90:%d\b`, lineOf(t, wrong, "!beyond")-1, lineOf(t, wrong, "!beyond"))},
			{"freed", fmt.Sprintf(`use after free: read of [0-9]+ bytes[^\n]*\n +at freed_%d_body[^\n]* user\.f90:%d\b`, lineOf(t, wrong, "!freed")-1, lineOf(t, wrong, "!freed"))},
		} {
			out, text, err := w.try([]string{"PORTABLE_NUM_THREADS=2"}, *yaklcheck, "--leak-check=no", w.path("program"), r.word)
			require.Error(t, err, out+text)
			require.Regexp(t, r.text, text)
			require.Regexp(t, fmt.Sprintf(`allocated at MAIN__ +user\.f90:%d\b`, lineOf(t, wrong, "!allocated")), text)
		}
	}
}
