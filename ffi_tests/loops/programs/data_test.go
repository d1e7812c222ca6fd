package programs

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file runs programs with data regions on a device that cannot access the host's memory: they have the bits of the original, and the copies that
// the regions leave. Not in this file: refusals (internal/nest/data), the table of present arrays (exec/present).

// regional is a program. want are lines of the table of copies, in which a region begins at line @ of the source behind a comment "region NAME".
type regional struct {
	name, source string
	want         []string // label array copies; label NAME is "data UNIT:LINE" of the region NAME
	warns        string   // a part of what convert warns of
	notes        string   // and of its notes
	flags        []string
	entered      []string // array copies, of ENTER DATA
}

const regionalKernels = `module k
  implicit none
  real(8), allocatable :: w(:)
  real(8) :: common_field(400)
contains
  subroutine smooth(n, a, b)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    real(8), intent(inout) :: b(n)
    integer :: i
    do i = 2, n-1
      b(i) = 0.25d0*(a(i-1) + 2*a(i) + a(i+1)) + 1d-3*i
    end do
  end subroutine
  subroutine grow(a, s)
    real(8), intent(inout) :: a(:)
    real(8), intent(in) :: s
    integer :: i
    do i = 1, size(a)
      a(i) = a(i)*s + 0.5d0
    end do
  end subroutine
  subroutine set(a, s)
    real(8), intent(out) :: a(:)
    real(8), intent(in) :: s
    integer :: i
    do i = 1, size(a)
      a(i) = s*i
    end do
  end subroutine
  real(8) function total(a)
    real(8), intent(in) :: a(:)
    integer :: i
    total = 0
    do i = 1, size(a)
      total = max(total, a(i))
    end do
  end function
  real(8) function host_sum(a) ! a recurrence: it stays on the host
    real(8), intent(in) :: a(:)
    integer :: i
    host_sum = 0
    do i = 1, size(a)
      host_sum = 0.5d0*host_sum + a(i)
    end do
  end function
  subroutine push
    integer :: i
    do i = 1, 400
      common_field(i) = common_field(i) + i
    end do
  end subroutine
end module k
`

var regionals = slices.Concat(regionalRows, regionalProcedures, regionalConstructs)

// TestDataRegions: the bits of the original, with the copies that are left, on a device that cannot access the host's memory, with a device whose
// compiler is missing, and on threads.
func TestDataRegions(t *testing.T) {
	for i, r := range regionals {
		t.Run(r.name, func(t *testing.T) {
			w := with(t)
			env := slices.DeleteFunc(onDevice(t, w), func(s string) bool { return strings.Contains(s, "HOSTMEM") || strings.Contains(s, "pageable") })
			kernels, source := w.source("k.f90", regionalKernels), w.source("p.f90", r.source)
			unseen := w.source("unseen.f90", "subroutine twice(f, n, y)\n  external :: f\n  integer, intent(in) :: n\n  real(8), intent(inout) :: y(n)\n"+
				"  call f(n, y)\n  y(2) = y(2) + y(1)\n  call f(n, y)\nend subroutine\n"+
				"subroutine start_receive(a, n)\n  integer, intent(in) :: n\n  real(8), target :: a(n)\n  real(8), pointer :: later(:)\n  common /kept/ later\n  later => a\nend subroutine\n"+
				"subroutine renew(x)\n  real(8), allocatable, intent(inout) :: x(:)\n  deallocate (x)\n  allocate (x(70), source=4d0)\nend subroutine\n"+
				"subroutine wait_receive(x)\n  real(8), intent(in) :: x\n  real(8), pointer :: later(:)\n  common /kept/ later\n  later = x\nend subroutine\n")
			args := []string{"convert", "--auto", "--device", "cuda", "--always-launch", "--out", "converted", "--fc-flags", strings.Join(r.flags, " "), kernels, source}
			out, text, err := w.try(nil, *portablef, args...)
			require.NoError(t, err, out+text)
			if r.warns != "" {
				require.Contains(t, text, r.warns)
				_, text, err = w.try(nil, *portablef, append(slices.Clone(args), "--strict")...)
				require.Error(t, err, "--strict makes a warning an error: %s", text)
			} else {
				require.NotContains(t, text, "while a data region", "there is nothing to warn of")
			}
			require.Contains(t, text, r.notes)
			flags := append([]string{"-O1"}, r.flags...)
			w.build("original", append(w.include, flags...), kernels, source, unseen)
			w.build("converted.x", flags, "converted/k.pf.F90", "converted/p.pf.F90", unseen)
			want := w.run(nil, "original")
			run := func(about string, more ...string) string {
				out, text, err := w.try(append(slices.Clone(env), more...), w.path("converted.x"))
				require.NoError(t, err, "%s\n%s", about, text)
				require.Equal(t, want, out, about)
				return text
			}
			require.Empty(t, run("on the device"), "it prints nothing new")
			text = run("on the device", "PORTABLE_PROFILE=1")
			for _, row := range r.want {
				f := strings.Fields(row)
				require.Regexp(t, `data \w+:`+strconv.Itoa(lineOf(t, r.source, "! region "+f[0]))+` +`+f[1]+` +`+f[2]+` `, text, row)
			}
			for _, row := range r.entered {
				f := strings.Fields(row)
				require.Regexp(t, `enter data +`+f[0]+` +`+f[1]+` `, text, row)
			}
			if len(r.want) > 0 && r.warns == "" {
				require.Len(t, regexp.MustCompile(`(?m)^data `).FindAllString(text, -1), len(r.want), text)
			}
			run("without memory for copies", "GATOR_INITIAL_MB=1", "PORTABLE_LIMIT_MB=1")
			require.Equal(t, want, w.run([]string{"PORTABLE_DEVICE=threads"}, "converted.x"), "on threads")
			if i%4 > 0 && !*all {
				return
			}
			run("without a compiler", "PORTABLE_NVRTC_LIBRARY="+w.path("none.so"))
			run("without copies", "PORTABLE_HOSTMEM=error")
			run("memory that the device can access", "PORTABLE_HOSTMEM=allow", "FAKE_CUDA_ATTRIBUTE=pageable_memory_access=1")
			// As the tool writes it for users: short loops are loops.
			out, text, err = w.try(nil, *portablef, "convert", "--quiet", "--auto", "--device", "cuda", "--out", "converted", "--fc-flags", strings.Join(r.flags, " "), kernels, source)
			require.NoError(t, err, out+text)
			w.build("converted.x", flags, "converted/k.pf.F90", "converted/p.pf.F90", unseen)
			run("short loops")
			require.Equal(t, want, w.run([]string{"PORTABLE_DEVICE=threads"}, "converted.x"), "short loops on threads")
		})
	}
}
