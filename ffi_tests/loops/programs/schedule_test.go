package programs

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file has the clause SCHEDULE: which nests free threads share by tiles. Not in this file: other clauses (clauses_test.go).

// scheduled has loops whose iterations take unlike times, each under a directive of its own.
const scheduled = `module m
contains
  subroutine work(n, a, b, s)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n), b(n), s
    integer :: i, k
    !$omp parallel do schedule(dynamic, 4) private(k)
    do i = 1, n
      do k = 1, i
        a(i) = a(i) + b(i)/k
      end do
    end do
    !$omp parallel do schedule(nonmonotonic: guided) reduction(+: s)
    do i = 1, n
      s = s + a(i)*b(i)
    end do
    !$omp parallel private(k)
    !$omp do schedule(guided, 2)
    do i = 1, n
      do k = 1, i
        b(i) = b(i) + 0.5d0*a(k)
      end do
    end do
    !$omp end do
    !$omp end parallel
    !$omp parallel do schedule(static, 4)
    do i = 1, n
      a(i) = a(i) - b(i)
    end do
    !$omp parallel do schedule(runtime)
    do i = 1, n
      b(i) = a(i) + b(i)
    end do
    !$omp target teams distribute parallel do dist_schedule(static, 8) schedule(auto)
    do i = 1, n
      a(i) = a(i) + 2*b(i)
    end do
  end subroutine work
end module m
program p
  use m
  real(8) :: a(4000), b(4000), s
  a = [(mod(7*i, 31)/3d0, i=1, 4000)]
  b = [(mod(5*i, 17)/7d0, i=1, 4000)]
  s = 0.1d0
  call work(4000, a, b, s)
  print '(3z17)', sum(a), sum(b), s
end program p
`

// schedules are those of the launches.
var schedules = map[string]string{"work:8": "dynamic", "work:14": "dynamic", "work:19": "dynamic", "work:27": "static", "work:31": "static", "work:35": "static"}

// TestSchedule: DYNAMIC and GUIDED give free threads the next tile, with the same bits; other schedules are the library's default.
func TestSchedule(t *testing.T) {
	w := with(t)
	name := w.source("user.f90", scheduled)
	w.build("program", nil, w.convert(nil, name)...)
	want := w.run([]string{"PORTABLE_DEVICE=serial"}, "program")
	log := w.path("log")
	require.Equal(t, want, w.run([]string{"PORTABLE_VERBOSE=" + log, "PORTABLE_NUM_THREADS=3"}, "program"))
	require.Equal(t, want, w.run([]string{"PORTABLE_NUM_THREADS=2", "PORTABLE_TUNING=*: tile=32"}, "program"))
	for label, schedule := range schedules {
		require.Regexp(t, regexp.MustCompile(`'`+label+`' begins: .* `+schedule+`, `), w.text("log"))
	}
}
