package programs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file runs each clause of `!$portable parallel`, and of directives of others that are taken: the bits are those of the original, and the library's
// log has the launches that the clause asks for. Not in this file: clauses that contradict a nest (internal/nest), the semantics of nests.

// clause is a procedure `work` with a directive, in the program below.
type clause struct {
	name     string
	text     string   // declarations and statements of work(a, b, map, n)
	launches []string // the log has: label, iterations; none: the nest stays plain code
	flags    string   // of the compiler
	options  []string // of the tool; nil: none
}

// host calls work twice and prints all bits. Sums are of small whole numbers: exact in any order.
const host = `module work_of_clauses
  use, intrinsic :: iso_fortran_env, only: int64
  implicit none
contains
  subroutine work(a, b, map, n)
    USES
    integer, intent(in) :: n, map(n)
    real(8), intent(inout) :: a(n, n), b(n, n)
TEXT
  end subroutine work
end module work_of_clauses

program main
  use work_of_clauses
  implicit none
  integer, parameter :: n = 37
  real(8) :: a(n, n), b(n, n)
  integer :: map(n), i, j
  !$portable off
  do j = 1, n
    map(j) = n + 1 - j
    do i = 1, n
      a(i, j) = mod(7*i + 11*j, 23) - 9
      b(i, j) = mod(5*i + 3*j, 19) - 7
    end do
  end do
  call work(a, b, map, n)
  call work(b, a, map, n)
  print '(8(1x,z16))', transfer(a, [0_int64]), transfer(b, [0_int64])
end program main
`

const plane = `    integer :: i, j
    DIRECTIVE
    do j = 1, n
      do i = 1, n
        a(i, j) = 2*b(i, j) + i
      end do
    end do`

func under(directive, text string) string {
	return strings.ReplaceAll(text, "DIRECTIVE", strings.ReplaceAll(directive, "\n", "\n    "))
}

const scalar = `    integer :: i, j
    real(8) :: t
    DIRECTIVE
    do j = 1, n
      do i = 1, n
        t = b(i, j) + j
        a(i, j) = t*t
      end do
    end do`

// quickClauses are those of `make test`.
var quickClauses = []string{"collapse 1", "reduction", "label", "on another device", "off", "async last value", "async in front of others", "omp with the flag", "acc parallel loop", "omp region", "acc kernels region", "omp if", "omp if not", "if of a region", "region in a serial loop", "acc data", "behind a region that stays"}

var clauses = []clause{
	{name: "none", text: under("!$portable parallel", plane), launches: []string{"work:11 1369"}},
	{name: "collapse 1", text: under("!$portable parallel collapse(1)", plane), launches: []string{"work:11 37"}},
	{name: "collapse 2", text: under("!$portable parallel collapse(2)", plane), launches: []string{"work:11 1369"}},
	{name: "private scalar", text: under("!$portable parallel private(t)", scalar), launches: []string{"work:12 1369"}},
	{name: "private array", text: `    integer :: i, j
    real(8) :: w(40)
    !$portable parallel private(w)
    do j = 1, n
      do i = 1, n
        w(map(i)) = b(i, j)
      end do
      do i = 1, n
        a(i, j) = w(n + 1 - i) - w(i)
      end do
    end do`, launches: []string{"work:12 37"}},
	{name: "reduction", text: `    integer :: i, j
    real(8) :: s, t
    s = 1
    t = -100
    !$portable parallel reduction(+: s) reduction(max: t)
    do j = 1, n
      do i = 1, n
        s = s + b(i, j)
        t = max(t, b(i, j))
      end do
    end do
    a(1, 1) = s + t`, launches: []string{"work:14 1369"}},
	{name: "independent", text: `    integer :: i
    !$portable parallel independent
    do i = 1, n
      a(map(i), 1) = b(i, 2) + i
    end do`, launches: []string{"work:11 37"}},
	{name: "omp if", text: under("!$omp parallel do if(parallel: n > 30 .and. map(1) == n) collapse(2)", plane), launches: []string{"work:11 1369"}},
	{name: "omp if not", text: under("!$omp target teams distribute parallel do if(target: map(n) > 1) if(parallel: .true._1) collapse(2)", plane)},
	{name: "omp if of simd", text: under("!$omp parallel do simd if(simd: .false.) collapse(2)", plane), launches: []string{"work:11 1369"}},
	{name: "omp if of a name that its flag declares", text: "    integer :: i, j\n    !$ integer :: many\n    !$ many = 2*n\n" + strings.TrimPrefix(under("!$omp parallel do if(many > 99) collapse(2)", plane), "    integer :: i, j\n"), launches: []string{"work:13 1369"}},
	{name: "omp if of the same name with the flag", text: "    integer :: i, j\n    !$ integer :: many\n    !$ many = 2*n\n" + strings.TrimPrefix(under("!$omp parallel do if(many > 99) collapse(2)", plane), "    integer :: i, j\n"), flags: "-fopenmp"},
	{name: "acc if not", text: under("!$acc parallel loop if(a(1, 1) < -1d9) collapse(2)", plane)},
	{name: "acc self", text: under("!$acc parallel loop self(n > 3) collapse(2)", plane), launches: []string{"work:11 1369"}},
	{name: "if of a region", text: `    integer :: i
    logical(1) :: large
    large = a(2, 2) == 4 ! at the first call of work
    !$omp target
    !$omp teams if(large)
    !$omp distribute parallel do if(n > 3)
    do i = 1, n
      a(i, 1) = b(i, 2) + i
    end do
    !$omp end teams
    !$omp end target
    !$acc kernels if(.not. large)
    do i = 1, n
      a(i, 3) = b(i, 4) - i
    end do
    !$acc end kernels`, launches: []string{"work:15 37", "work:21 37"}},
	{name: "label", text: under("!$portable parallel label('a name: 1')", plane), launches: []string{"a name: 1 1369"}},
	{name: "continued", text: under("!$portable parallel &\n!$portable& label('two lines') &\n!$portable& collapse(1)", plane), launches: []string{"two lines 37"}},
	{name: "on the host", text: under("!$portable parallel on(cpu)", plane), launches: []string{"work:11 1369"}},
	{name: "on both", text: under("!$portable parallel on(cpu, gpu) label('both')", plane), launches: []string{"both 1369"}},
	{name: "on another device", text: under("!$portable parallel on(gpu)", plane)},
	{name: "serial on the host", text: under("!$portable parallel serial(cpu)", plane)},
	{name: "serial elsewhere", text: under("!$portable parallel serial(gpu)", plane), launches: []string{"work:11 1369"}},
	{name: "off", text: under("!$portable off", plane) + `
    !$portable on
    do i = 1, n
      b(i, 1) = a(i, 2)
    end do`, launches: []string{"work:17 37"}, options: []string{"--auto"}},
	{name: "async", text: `    integer :: i, j
    integer(int64) :: s
    if (.not. portable_is_initialized()) call portable_init()
    call stream_create(s)
    !$portable parallel async(s) label('first')
    do j = 1, n
      do i = 1, n
        a(i, j) = 2*b(i, j) + i
      end do
    end do
    !$portable parallel async(s) label('second')
    do j = 1, n
      do i = 1, n
        b(i, j) = a(j, i) - 1
      end do
    end do
    call stream_fence(s)
    call stream_destroy(s)`, launches: []string{"first 1369", "second 1369"}},
	{name: "async reduction", text: `    integer :: i, j
    integer(int64) :: s
    real(8) :: total
    total = 0
    if (.not. portable_is_initialized()) call portable_init()
    call stream_create(s)
    !$portable parallel async(s) label('writes')
    do j = 1, n
      do i = 1, n
        a(i, j) = 2*b(i, j) + i
      end do
    end do
    call stream_fence(s)
    !$portable parallel async(s) label('sums')
    do j = 1, n
      do i = 1, n
        total = total + a(i, j)
      end do
    end do
    b(3, 3) = total
    call stream_destroy(s)`, launches: []string{"writes 1369", "sums 1369"}},
	{name: "async in front of others", text: `    integer :: i, j
    integer(int64) :: s
    real(8) :: total, t
    total = 0
    if (.not. portable_is_initialized()) call portable_init()
    call stream_create(s)
    !$portable parallel async(s) label('slow')
    do j = 1, n
      t = 0
      do i = 1, 200000
        t = t + mod(i, 3) - 1
      end do
      do i = 1, n
        a(i, j) = 2*b(i, j) + i + t
      end do
    end do
    !$portable parallel async(s) label('waits')
    do j = 1, n
      do i = 1, n
        total = total + a(i, j)
      end do
    end do
    !$portable parallel async(s) label('slow again')
    do j = 1, n
      t = 0
      do i = 1, 200000
        t = t + mod(i, 3) - 1
      end do
      do i = 1, n
        b(i, j) = a(i, j)/2 + t
      end do
    end do
    !$portable parallel on(gpu) async(s) label('plain')
    do j = 1, n
      do i = 1, n
        a(j, i) = a(j, i) + b(j, i)
      end do
    end do
    b(3, 3) = total
    call stream_destroy(s)`, launches: []string{"slow 37", "waits 1369", "slow again 37"}},
	{name: "async with inner loop", text: `    integer :: i, j
    integer(int64) :: s
    if (.not. portable_is_initialized()) call portable_init()
    call stream_create(s)
    !$portable parallel async(s)
    do j = 1, n
      do i = 2, n
        a(i, j) = a(i - 1, j) + b(i, j)
      end do
    end do
    call stream_fence(s)
    call stream_destroy(s)`, launches: []string{"work:14 37"}},
	{name: "async last value", text: `    integer :: i, j
    integer(int64) :: s
    real(8) :: t
    if (.not. portable_is_initialized()) call portable_init()
    call stream_create(s)
    !$portable parallel async(s)
    do j = 1, n
      t = b(j, j)
      do i = 2, n
        a(i, j) = a(i - 1, j) + t
      end do
      do i = 1, 2000 ! so that the launch takes a while
        t = t + mod(i, 3) - 1
      end do
    end do
    b(1, 1) = t + i
    call stream_fence(s)
    call stream_destroy(s)`, launches: []string{"work:15 37"}},
	{name: "omp parallel do", text: under("!$omp parallel do private(t) schedule(dynamic, 2) if(n > 3) num_threads(2) default(shared)", scalar), launches: []string{"work:12 1369"}},
	{name: "omp with the flag", text: under("!$omp parallel do private(t) collapse(2) schedule(static)", scalar), launches: []string{"work:12 1369"}, flags: "-fopenmp"},
	{name: "omp target", text: under("!$omp target teams distribute parallel do private(t) map(tofrom: a) map(to: b)", scalar), launches: []string{"work:12 1369"}},
	{name: "omp left to the compiler", text: under("!$omp parallel do private(t)", scalar), flags: "-fopenmp", options: []string{"--accept", "none"}},
	{name: "omp reduction", text: summed("!$omp parallel do reduction(+: s) collapse(2)", "!$omp end parallel do"), launches: []string{"work:13 1369"}},
	{name: "omp end with the flag", text: summed("!$omp parallel do reduction(+: s) collapse(2)", "!$omp end parallel do"), launches: []string{"work:13 1369"}, flags: "-fopenmp"},
	{name: "acc end with the flag", text: summed("!$acc parallel loop reduction(+: s) collapse(2)", "!$acc end parallel loop"), launches: []string{"work:13 1369"}, flags: "-fopenacc"},
	{name: "acc parallel loop", text: under("!$acc parallel loop gang vector private(t) copyin(b) copy(a) async(1)", scalar) + "\n    !$acc wait", launches: []string{"work:12 1369"}},
	{name: "acc kernels loop", text: under("!$acc kernels loop independent", plane), launches: []string{"work:11 1369"}},
	{name: "omp region", text: region("!$omp parallel private(i)", "!$omp do", "!$omp end do nowait", "!$omp end parallel"), launches: []string{"work:13 1369", "work:21 1369"}, flags: "-fopenmp"},
	{name: "omp target region", text: region("!$omp target map(tofrom: a, b)\n!$omp teams", "!$omp distribute parallel do", "!$omp end distribute parallel do", "!$omp end teams\n!$omp end target"), launches: []string{"work:14 1369", "work:22 1369"}, flags: "-fopenmp"},
	{name: "omp target data", text: region("!$omp target data map(tofrom: a, b) if(n > 3)\n!$omp target teams if(n > 30)", "!$omp distribute parallel do", "!$omp end distribute parallel do", "!$omp end target teams\n!$omp end target data"), launches: []string{"work:14 1369", "work:22 1369"}, flags: "-fopenmp"},
	{name: "acc data", text: region("!$acc data copy(a, b)\n!$acc kernels present(a, b) if(n > 30)", "!$acc loop independent", "", "!$acc end kernels\n!$acc end data"), launches: []string{"work:14 1369", "work:22 1369"}, flags: "-fopenacc"},
	{name: "acc region", text: region("!$acc parallel copy(a, b)", "!$acc loop gang", "", "!$acc end parallel"), launches: []string{"work:13 1369", "work:21 1369"}, flags: "-fopenacc"},
	{name: "acc kernels region", text: region("!$acc kernels async(1)", "", "", "!$acc end kernels\n!$acc wait"), launches: []string{"work:13 1369", "work:21 1369"}, flags: "-fopenacc"},
	{name: "acc kernels without the flag", text: region("!$acc kernels", "!$acc loop", "", "!$acc end kernels"), launches: []string{"work:13 1369", "work:21 1369"}},
	{name: "region in a serial loop", text: `    integer :: i, j, k
    do k = 1, 3
      !$omp parallel
      !$omp do private(i)
      do j = 1, n
        do i = 1, n
          a(i, j) = a(i, j) + b(i, j)
        end do
      end do
      !$omp end do
      !$omp end parallel
      b(1, 1) = b(1, 1) + a(2, 2)
    end do`, launches: []string{"work:13 1369"}, flags: "-fopenmp", options: []string{"--auto"}},
	{name: "behind a region that stays", text: `    integer :: i
    !$omp parallel
    !$omp single
    a(1, 1) = a(1, 1) + 1
    !$omp end single
    !$omp end parallel
    do i = 1, n
      a(i, 2) = b(i, 3) - a(1, 1)
    end do
    !$acc parallel
    b(1, 1) = 2*b(1, 1)
    !$acc end parallel
    !$acc data copyin(a) copy(b)
    !$acc update device(a)
    do i = 1, n
      b(i, 2) = a(i, 3) + b(1, 1)
    end do
    !$acc end data`, launches: []string{"work:15 37", "work:23 37"}, flags: "-fopenmp -fopenacc", options: []string{"--auto"}},
	{name: "orphan", text: `    integer :: i, j
    !$omp do
    do j = 1, n
      do i = 1, n
        a(i, j) = a(i, j) + b(i, j)
      end do
    end do
    !$omp end do`, flags: "-fopenmp", options: []string{"--auto"}},
	{name: "simd", text: `    integer :: i
    !$omp simd
    do i = 1, n
      a(i, 1) = a(i, 2) + b(i, 1)
    end do
    !$omp end simd
    !$omp target simd
    do i = 1, n
      b(i, 1) = a(i, 2) + b(i, 1)
    end do
    !$omp end target simd`, launches: []string{"work:11 37", "work:16 37"}, flags: "-fopenmp", options: []string{"--auto"}},
	{name: "do concurrent", text: `    integer :: i, j
    do concurrent (j=1:n, i=1:n)
      a(i, j) = 2*b(i, j) + i
    end do`, launches: []string{"work:10 1369"}},
}

// region has two loops and a statement between them.
func region(begin, loop, endLoop, end string) string {
	return under(begin, `    integer :: i, j
    real(8) :: t
    DIRECTIVE
`) + nested(loop, "a(i, j) = 2*b(i, j) + i", endLoop) + "    t = n\n" + nested(loop, "b(i, j) = a(i, j) - t", endLoop) + under(end, "    DIRECTIVE")
}

func nested(loop, statement, end string) string {
	return "    " + loop + "\n    do j = 1, n\n      do i = 1, n\n        " + statement + "\n      end do\n    end do\n    " + end + "\n"
}

// summed is a sum between a directive and its end.
func summed(begin, end string) string {
	return `    integer :: i, j
    real(8) :: s
    s = 3
    ` + begin + `
    do j = 1, n
      do i = 1, n
        s = s + b(i, j)
      end do
    end do
    ` + end + `
    a(1, 1) = s`
}

var launchLine = regexp.MustCompile(`(?m)launch \d+ '(.*)' begins: (?:parallel_for|reduction), (\d+) iterations, device (\w+)`)

// launches are the labels and iterations that the log has, each once.
func launches(t *testing.T, log string) (list []string) {
	for _, m := range launchLine.FindAllStringSubmatch(log, -1) {
		require.Equal(t, "threads", m[3])
		if l := m[1] + " " + m[2]; !slices.Contains(list, l) {
			list = append(list, l)
		}
	}
	return list
}

func TestClauses(t *testing.T) {
	for _, c := range clauses {
		if !*all && !slices.Contains(quickClauses, c.name) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			w := with(t)
			uses := ""
			if strings.Contains(c.text, "stream_create") {
				uses = "use portable_mod, only: portable_init, portable_is_initialized, stream_create, stream_fence, stream_destroy"
			}
			text := strings.Replace(strings.Replace(host, "USES", uses, 1), "TEXT", c.text, 1)
			name := w.source("user.f90", text)
			flags := append(strict(w.compiler), strings.Fields(c.flags)...)
			options := slices.Clone(c.options)
			if c.flags != "" {
				options = append(options, "--fc-flags", c.flags)
			}
			before, after := clean(t, w, flags, []string{name}, w.convert(options, name))
			w.linked("original", flags, before...)
			w.linked("converted.x", flags, after...)
			noExecutableStack(t, w, "converted.x", after)
			want, errors, err := w.try([]string{"OMP_NUM_THREADS=2"}, w.path("original"))
			require.NoError(t, err, errors)
			for i, s := range shapes {
				log := filepath.Join(w.folder, "log")
				require.NoError(t, os.RemoveAll(log))
				env := s.env()
				if i == 0 {
					env = append(env, "PORTABLE_VERBOSE="+log)
				}
				require.Equal(t, want, w.run(env, "converted.x"), s)
				if i == 0 && len(c.launches) > 0 {
					require.Equal(t, c.launches, launches(t, w.text("log")))
				} else if _, err := os.Stat(log); i == 0 && err == nil {
					require.Empty(t, launches(t, w.text("log")))
				}
			}
		})
	}
}

// TestLabels: the report of timers and the tuning file know a nest by its label; other tiles give the same bits.
func TestLabels(t *testing.T) {
	w := with(t)
	name := w.source("user.f90", strings.Replace(strings.Replace(host, "USES", "", 1), "TEXT", under("!$portable parallel label('flux')", plane)+"\n"+
		strings.Replace(under("!$portable parallel", plane), "    integer :: i, j\n", "", 1), 1))
	w.build("program", nil, w.convert(nil, name)...)
	_, report, err := w.try([]string{"PORTABLE_PROFILE=1", "PORTABLE_NUM_THREADS=2"}, w.path("program"))
	require.NoError(t, err, report)
	for _, label := range []string{"flux", "work:17"} {
		require.Regexp(t, `(?m)^\s*`+label+`\s+2\s`, report, "the report has no two launches '%s'", label)
	}
	log := filepath.Join(w.folder, "log")
	w.source("tiles", "# for this machine\nflux:  tile=16x4\nwork*: tile=20x2, schedule=dynamic\n")
	require.Equal(t, w.run([]string{"PORTABLE_DEVICE=serial"}, "program"),
		w.run([]string{"PORTABLE_VERBOSE=" + log, "PORTABLE_NUM_THREADS=3", "PORTABLE_TUNING=" + w.path("tiles")}, "program"))
	require.Regexp(t, `'flux' begins: .* tiles of 16 x 4\n`, w.text("log"))
	// The fastest index is cut at multiples of 16.
	require.Regexp(t, `'work:17' begins: .* dynamic, .* tiles of 16 x 2\n`, w.text("log"))
	// A label that no launch has is a warning.
	_, warning, err := w.try([]string{"PORTABLE_TUNING=flix: tile=16"}, w.path("program"))
	require.NoError(t, err)
	require.Contains(t, warning, "flix")
}
