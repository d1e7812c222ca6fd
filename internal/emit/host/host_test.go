package host

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"libportable/internal/fortran/parse"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// automatic converts a file with the verdicts that the tool finds without directives. Nests that cannot be written stay.
func automatic(t *testing.T, name, text string, o Options) (string, []*nest.Nest) {
	t.Helper()
	c := source.Read(source.NewSet(nil), name, []byte(text), source.Options{})
	file := parse.File(c)
	require.Empty(t, file.Problems)
	o.Program = scope.Build([]*tree.File{file}, scope.Options{})
	so := source.Options{}
	o.Preprocessed = so.IsPreprocessed(name)
	nests := nest.Find(o.Program, nest.Options{Auto: true})
	var written []*nest.Nest
	for _, n := range nests {
		if n.Verdict != nest.Parallel {
			continue
		}
		if reasons := Check(n, o); len(reasons) > 0 {
			t.Logf("%s:%d: %s", name, n.Loops[0].Do.Where.From.Line, reasons[0].Text)
			n.Verdict = nest.Refused
			continue
		}
		written = append(written, n)
	}
	o.Output = "generated"
	out, err := Write(file, nests, o)
	require.NoError(t, err)
	return string(out), written
}

var marker = regexp.MustCompile(`^#line (\d+) "(.*)"$`)

// TestKept: all lines of the user's file are there in their order, and the markers give them their numbers.
func TestKept(t *testing.T) {
	for _, r := range rows {
		text, _ := automatic(t, r.name, r.text, Options{})
		want := strings.Split(strings.TrimSuffix(r.text, "\n"), "\n")
		next, line, user := 1, 0, false
		for _, l := range strings.Split(text, "\n") {
			if m := marker.FindStringSubmatch(l); m != nil {
				line, _ = strconv.Atoi(m[1])
				user = m[2] == r.name
				continue
			}
			if user && line == next && next <= len(want) && like(l, want[next-1]) {
				next++
			}
			line++
		}
		require.Equal(t, len(want)+1, next, "%s: line %d of the file is missing in\n%s", r.name, next, text)
	}
}

// like compares lines but for what the generator changes: RECURSIVE, labels of shared ends, statements on lines of others, comments
// that a preprocessor would misread.
func like(a, b string) bool {
	plain := func(s string) string {
		s = strings.NewReplacer("recursive ", "", " ", "", "\t", "", ";", "", "/*", "", "!.", "", ".", "", "/", "", "*", "").Replace(s)
		return strings.TrimLeft(s, "0123456789")
	}
	a, b = plain(a), plain(b)
	return a == b || a != "" && (strings.HasPrefix(b, a) || strings.HasSuffix(b, a)) || strings.HasPrefix(b, "do") && strings.HasPrefix(a, "do")
}

func gfortran(t *testing.T, folder string, args ...string) {
	t.Helper()
	cmd := exec.Command("gfortran", args...)
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
}

// TestRows: the converted programs print the bits of the originals, with each shape of tiles, run from the last tile to the first.
func TestRows(t *testing.T) {
	if _, err := exec.LookPath("gfortran"); err != nil {
		t.Skip("no gfortran")
	}
	folder := t.TempDir()
	stub, err := filepath.Abs("testdata/portable_list_mod.f90")
	require.NoError(t, err)
	gfortran(t, folder, "-O1", "-w", "-c", stub)
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			text, written := automatic(t, r.name, r.text, Options{Always: true})
			require.GreaterOrEqual(t, len(written), r.launches, text)
			suffix, std := ".F90", "-std=f2008"
			if strings.HasSuffix(r.name, ".f") {
				suffix, std = ".F", "-std=gnu"
			}
			original, converted := filepath.Join(folder, r.name), filepath.Join(folder, r.name+".pf"+suffix)
			require.NoError(t, os.WriteFile(original, []byte(r.text), 0o644))
			require.NoError(t, os.WriteFile(converted, []byte(text), 0o644))
			gfortran(t, folder, "-w", "-o", "original", original)
			cmd := exec.Command("gfortran", std, "-O1", "-fcheck=all,no-array-temps", "-Wall", "-Wextra", "-o", "converted", converted, "portable_list_mod.o")
			cmd.Dir = folder
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, string(out)+"\n"+text)
			for _, w := range regexp.MustCompile(`(?s)generated:.*?Warning: [^\n]*`).FindAllString(string(out), -1) {
				require.Contains(t, w, "Obsolescent", "a warning about generated lines")
			}
			want, err := exec.Command(filepath.Join(folder, "original")).CombinedOutput()
			require.NoError(t, err, string(want))
			for _, tile := range []string{"1", "7", "1000"} {
				run := exec.Command(filepath.Join(folder, "converted"))
				run.Env = append(os.Environ(), "TILE="+tile)
				got, err := run.CombinedOutput()
				require.NoError(t, err, string(got)+"\n"+text)
				require.Equal(t, string(want), string(got), "tiles of %s\n%s", tile, text)
			}
		})
	}
}

const smallProgram = `
program small
  use portable_list_mod, only: launches
  implicit none
  integer :: n, i, j, k, total, before
  real(8) :: a(5000), b(3, 3), s, t
  do n = 1, 5000, 4999
    before = launches
    do i = 1, n ! small
      a(i) = i*0.5d0
    end do
    print *, 'assign', n, launches - before, a(1), i
    before = launches
    total = 7
    do i = 1, n ! small
      total = total + i*i
    end do
    print *, 'integer', n, launches - before, total
    before = launches
    t = 3
    do i = 1, n ! small
      t = max(t, a(i))
    end do
    print *, 'max', n, launches - before, t
    before = launches
    s = 0.1d0
    do i = 1, n ! small
      s = s + a(i)
    end do
    print *, 'real', n, launches - before, s
    before = launches
    do i = 1, min(n, 3) ! always
      do k = 1, total
        a(i) = sin(a(i))
      end do
    end do
    print *, 'inner', n, launches - before
    before = launches
    do j = 1, min(n + 2, 3) ! small
      do i = 1, 3
        b(i, j) = i + j
      end do
    end do
    print *, 'two', n, launches - before, b(3, 2), i, j
    before = launches
    do j = 3, min(n, 2) ! small
      do i = 1, 3
        b(i, j) = 0
      end do
    end do
    print *, 'none', n, launches - before, b(3, 2), j
    before = launches
    do i = 1, min(n, 40) ! always
      a(i) = sum(b(:, 1))
    end do
    print *, 'section', n, launches - before
  end do
end program small
`

// TestSmall: nests with few operations run as the user's loop; those whose operations are not known are launched.
func TestSmall(t *testing.T) {
	text, written := automatic(t, "small.f90", smallProgram, Options{})
	require.Len(t, written, 8)
	lines := strings.Split(smallProgram, "\n")
	for _, n := range written {
		line := n.Loops[0].Do.Where.From.Line
		body := regexp.MustCompile(`(?s)recursive function small_` + decimal(int(line)) + `\(.*?end function`).FindString(text)
		require.NotEmpty(t, body)
		require.Equal(t, strings.Contains(lines[line-1], "! small"), strings.Contains(body, "portable_races_checked()"), "line %d\n%s", line, body)
	}
	always, _ := automatic(t, "small.f90", smallProgram, Options{Always: true})
	require.NotContains(t, always, "portable_races_checked")
	if _, err := exec.LookPath("gfortran"); err != nil {
		t.Skip("no gfortran")
	}
	folder := t.TempDir()
	stub, err := filepath.Abs("testdata/portable_list_mod.f90")
	require.NoError(t, err)
	gfortran(t, folder, "-O1", "-w", "-c", stub)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "small.F90"), []byte(text), 0o644))
	gfortran(t, folder, "-O1", "-Wall", "-o", "small", "small.F90", "portable_list_mod.o")
	out, err := exec.Command(filepath.Join(folder, "small")).CombinedOutput()
	require.NoError(t, err, string(out))
	for _, want := range []string{`assign +1 +0 +0.5\d* +2 *\n`, `integer +1 +0 +8 *\n`, `max +1 +0 +3.0* *\n`, `real +1 +0 +0.59\d* *\n`, `inner +1 +1 *\n`, `two +1 +0 +5.0* +4 +4 *\n`,
		`none +1 +0 +5.0* +3 *\n`, `section +1 +1 *\n`, `assign +5000 +1 +0.5\d* +5001 *\n`, `integer +5000 +1 `, `real +5000 +1 `, `max +5000 +1 +2500.0* *\n`, `two +5000 +0 `} {
		require.Regexp(t, want, string(out))
	}
}

// TestAlone: a launch on one thread adds by the user's statement, and one on several may add into copies, but not where other threads may add at the
// same time.
func TestAlone(t *testing.T) {
	const program = "subroutine s(n, m, a)\n integer, intent(in) :: n, m(n)\n integer, intent(inout) :: a(n)\n integer :: i\n%s do i = 1, n\n" +
		"%s a(m(i)) = a(m(i)) + 1\n end do\nend subroutine\n"
	for _, c := range []struct {
		nest, statement string
		o               Options
		alone           bool
	}{
		{"", "", Options{}, true},
		{"", "!$omp atomic\n", Options{}, true},
		{"!$portable parallel async(7)\n", "", Options{}, false},
	} {
		text, written := automatic(t, "alone.f90", fmt.Sprintf(program, c.nest, c.statement), c.o)
		require.Len(t, written, 1)
		require.Contains(t, text, "call portable_atomic_add(a(m(i)), 1)")
		require.Equal(t, c.alone, strings.Contains(text, "if (portable_alone) then"), text)
		require.Equal(t, c.alone, strings.Contains(text, "portable_t%workers == 1"), text)
		require.Equal(t, c.alone, strings.Contains(text, "_part(portable_p, "), "a launch that is waited for may have copies")
		require.Equal(t, c.statement != "", strings.Contains(text, "\n!$    portable_done = .not. omp_in_parallel()\n"), text)
		require.Equal(t, c.statement != "", strings.Contains(text, "\n!$omp atomic\n"), "the plain loop keeps it")
	}
}

// TestQueue: where a nest with async is not queued in its stream, it waits for what the stream has to do.
func TestQueue(t *testing.T) {
	const fence = "call portable_stream_fence(portable_stream)"
	for body, want := range map[string]string{
		"b = b + a(i)":                         "\n    " + fence + "\n    portable_lower",
		"k = i":                                "\n    " + fence + "\n    portable_lower",
		"!$omp atomic\n a(m(i)) = a(m(i)) + 1": "\n!$    if (.not. portable_done) " + fence + "\n!$    if (.not. portable_done) return",
		"a(i) = 2*a(i)":                        "\n    if (portable_checked) then\n      " + fence,
	} {
		text, written := automatic(t, "queue.f90", "subroutine s(n, m, a, b, k)\n integer, intent(in) :: n, m(n)\n integer, intent(inout) :: a(n), b, k\n"+
			" integer :: i\n!$portable parallel async(7)\n do i = 1, n\n "+body+"\n end do\nend subroutine\n", Options{Check: true})
		require.Len(t, written, 1)
		require.Contains(t, text, want)
	}
	text, _ := automatic(t, "queue.f90", "subroutine s(n, a)\n integer, intent(in) :: n\n integer, intent(inout) :: a(n)\n integer :: i, portable_in_kernel\n"+
		"!$portable parallel async(7) on(gpu)\n do i = 1, n\n a(i) = i\n end do\n portable_in_kernel = 1\nend subroutine\n", Options{})
	require.Contains(t, text, "only: portable_in_kernel_2 => portable_in_kernel, portable_stream_fence")
	require.Contains(t, text, "if (.not. portable_in_kernel_2()) call portable_stream_fence(int(7, 8))\n")
}

// TestManyResults: the time of writing grows with the text, not with its square. 8000 reductions took 16 s, then 1.4 s with the analysis.
func TestManyResults(t *testing.T) {
	const many = 4000
	var declared, body strings.Builder
	for k := range many {
		fmt.Fprintf(&declared, " real :: s%d\n", k)
		fmt.Fprintf(&body, " s%d = s%d + a(i)\n", k, k)
	}
	processor := func() time.Duration {
		var u syscall.Rusage
		require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	p, file, nests := tool("many.f90", "subroutine s(n, a)\n integer, intent(in) :: n\n real, intent(in) :: a(n)\n integer :: i\n"+declared.String()+
		" do i = 1, n\n"+body.String()+" end do\n print *, s0\nend subroutine\n", nil)
	require.Len(t, nests, 1)
	require.Equal(t, nest.Parallel, nests[0].Verdict, "%v", nests[0].Refusals)
	before := processor()
	text, err := Write(file, nests, Options{Program: p, Output: "out"})
	require.NoError(t, err)
	require.Contains(t, string(text), "portable_identity%s3999 = ")
	require.Less(t, processor()-before, 3*time.Second)
}

// TestLongNames: a line without a comma or a blank is broken behind a parenthesis or a colon, not inside of a token or a text.
func TestLongNames(t *testing.T) {
	f := form{width: 24}
	for statement, want := range map[string]string{
		"real, intent(in) :: name_of_14_(lower_of_14_l:upper)": "real, intent(in) :: &\n  name_of_14_( &\n  lower_of_14_l:upper)\n",
		"abcdefghijkl(mnopqrstuvwxyz:abcdefgh)":                "abcdefghijkl( &\n  mnopqrstuvwxyz: &\n  abcdefgh)\n",
		"x = 'a(b:c)d(e:f)g(h:i)j(k:l)'":                       "x = &\n  'a(b:c)d(e:f)g(h:i)j(k:l)'\n",
		"abcdefghijklmn=[(/abcdefghijklmn/)]":                  "abcdefghijklmn=[(/abcdefghijklmn/)]\n",
	} {
		require.Equal(t, want, f.statement(0, statement))
	}
	require.Equal(t, "      abcdefghijklmn=-a-b\n     & -c\n", form{width: 25, fixed: true}.statement(0, "abcdefghijklmn=-a-b-c"))
}

// TestEnds: no directive of a converted loop stays, also not its END, which stands behind the loop that the directive is for.
func TestEnds(t *testing.T) {
	for _, c := range []struct{ begin, end string }{
		{"!$omp parallel do\n", "!$omp end parallel do\n"},
		{"!$acc parallel loop\n", "!$acc end parallel loop\n"},
		{"!$acc parallel loop\n!$omp parallel do\n", "!$omp end parallel do\n!$acc end parallel loop\n"},
		{"!$acc parallel loop\n!$omp parallel do\n", "!$acc end parallel loop\n!$omp end parallel do\n"},
	} {
		for right, around := range map[string]int{"a(i, j) + 1": 0, "a(i, j-1) + 1": 1} {
			p, file, nests := tool("ends.f90", "subroutine s(n, a)\n integer, intent(in) :: n\n real, intent(inout) :: a(n, 0:n)\n integer :: i, j\n"+
				c.begin+" do j = 1, n\n do i = 1, n\n a(i, j) = "+right+"\n end do\n end do\n"+c.end+"end subroutine\n", nil)
			require.Len(t, nests, 1)
			require.Equal(t, nest.Parallel, nests[0].Verdict)
			require.Len(t, nests[0].Around, around)
			text, err := Write(file, nests, Options{Program: p, Output: "out"})
			require.NoError(t, err)
			require.NotRegexp(t, `(?m)^ *!\$(omp|acc)`, string(text), c.begin+c.end)
		}
	}
}
