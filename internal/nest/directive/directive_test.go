package directive

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/fortran/source"
)

// lineOf reads a directive line.
func lineOf(t *testing.T, text string) *source.Line {
	c := source.Read(source.NewSet(nil), "a.f90", []byte(text+"\n"), source.Options{})
	for _, l := range c.Lines {
		if l.Kind == source.Directive {
			return l
		}
	}
	t.Fatalf("no directive in %q", text)
	return nil
}

func TestParse(t *testing.T) {
	for _, row := range []struct {
		text string
		role Role
		want string // a part of the first problem, or ""
	}{
		{"!$portable parallel", Loop, ""},
		{"!$portable parallel collapse(2) private(x, y) reduction(max: t) async(s) on(cpu, gpu) serial(gpu) label('a b') independent", Loop, ""},
		{"!$portable parallel collapse(9)", Loop, "has no number from 1 to 8"},
		{"!$portable parallel private()", Loop, "empty list"},
		{"!$portable parallel private(a(1))", Loop, "list of names"},
		{"!$portable parallel private", Loop, "without its arguments"},
		{"!$portable parallel reduction(s)", Loop, "has no operator"},
		{"!$portable parallel reduction(/: s)", Loop, "no operator of a reduction"},
		{"!$portable parallel label(x)", Loop, "no text in quotes"},
		{"!$portable parallel independent(2)", Loop, "has no arguments"},
		{"!$portable parallel shared(x)", Loop, "no clause"},
		{"!$portable parallel columns(i=1:nx, j=lbound(a, 2):ubound(a, 2)) label('x')", Loop, ""},
		{"!$portable parallel columns(i)", Loop, "has indices with their bounds, not 'i'"},
		{"!$portable parallel columns(i=1:nx:2)", Loop, "has indices with their bounds, not 'i=1:nx:2'"},
		{"!$portable parallel columns()", Loop, "names no index"},
		{"!$portable parallel columns", Loop, "without its arguments"},
		{"!$portable parallel columns(i=1:nx, i=1:ny)", Loop, "names 'i' twice"},
		{"!$portable parallel columns(i=1:nx, )", Loop, "has indices with their bounds, not ''"},
		{"!$portable parallel on(gup)", Loop, "the device 'gup'"},
		{"!$portable parallel serial('cuda:1') on(openmp)", Loop, ""},
		{"!$portable parallel on(hip) serial('opencl:0')", Loop, ""},
		{"!$portable data in(a)", Passive, ""},
		{"!$portable data, in(a, t%b) out(c) inout(d) local(w)", Passive, ""},
		{"!$portable data in(a(1:n))", Passive, "names a part of 'a'"},
		{"!$portable data in(3)", Passive, "has a list of arrays"},
		{"!$portable data in()", Passive, "empty list"},
		{"!$portable data in", Passive, "without its arguments"},
		{"!$portable data copyin(a)", Passive, "no clause"},
		{"!$portable end data", Passive, ""},
		{"!$portable enddata", Passive, ""},
		{"!$portable end data in(a)", Passive, "stands behind"},
		{"!$portable off", Off, ""},
		{"!$portable on now", On, "stands behind"},
		{"!$portable parallell", Unsupported, "no directive"},
		{"!$omp parallel do default(none) shared(a) schedule(static, 4) num_threads(2) collapse(2)", Loop, ""},
		{"!$omp target teams distribute parallel do simd reduction(+: s) map(to: a(1:n))", Loop, ""},
		{"!$omp target loop map(a)", Loop, ""},
		{"!$omp target simd private(x)", Loop, ""},
		{"!$omp target parallel loop", Loop, ""},
		{"!$omp target parallel do simd device(1)", Loop, ""},
		{"!$omp target teams loop", Loop, ""},
		{"!$omp teams distribute parallel do simd", Loop, ""},
		{"!$omp loop", Inner, ""},
		{"!$omp distribute parallel do collapse(2)", Loop, ""},
		{"!$omp distribute simd", Inner, ""},
		{"!$omp parallel do ordered", Loop, "an order"},
		{"!$omp parallel do linear(k)", Loop, "an order"},
		{"!$omp parallel private(x)", Begin, ""},
		{"!$omp do private(x)", Inner, ""},
		{"!$omp simd", Simd, ""},
		{"!$omp simd linear(k) private(t)", Simd, ""},
		{"!$omp declare simd(f)", Passive, ""},
		{"!$omp end simd", Passive, ""},
		{"!$omp end parallel", Close, ""},
		{"!$omp end parallel do", Passive, ""},
		{"!$omp barrier", Passive, ""},
		{"!$omp threadprivate(/block/, x)", Private, ""},
		{"!$acc parallel loop gang vector collapse(2) private(t) copyin(a)", Loop, ""},
		{"!$acc kernels loop independent", Loop, ""},
		{"!$acc loop seq", Sequence, ""},
		{"!$acc loop vector reduction(+: s)", Inner, ""},
		{"!$acc data copy(a)", Passive, ""},
		{"!$acc kernels", Begin, ""},
		{"!$acc end kernels", Close, ""},
		{"!$acc routine seq", Passive, ""},
	} {
		p := Parse(lineOf(t, row.text))
		require.Equal(t, row.role, p.Role, row.text)
		if row.want == "" {
			require.Empty(t, p.Problems, row.text)
			continue
		}
		require.NotEmpty(t, p.Problems, row.text)
		require.Contains(t, p.Problems[0].Text, row.want, row.text)
		require.NotEmpty(t, p.Problems[0].Remedy)
	}
}

// A converted loop loses its END directive, which compilers refuse without a loop before it.
func TestEndsLoop(t *testing.T) {
	for text, want := range map[string]bool{
		"!$omp end parallel do": true, "!$omp enddo nowait": true, "!$omp end target teams distribute parallel do": true, "!$acc end parallel loop": true,
		"!$acc end kernels loop": true, "!$omp end target simd": true, "!$omp end loop": true, "!$omp end target parallel do simd": true, "!$omp end parallel": false, "!$omp end target data": false, "!$acc end data": false, "!$acc end kernels": false,
	} {
		require.Equal(t, want, Parse(lineOf(t, text)).EndsLoop, text)
	}
}

func TestColumns(t *testing.T) {
	l := lineOf(t, "!$portable parallel label('columns(') columns(i=0:n%x-1, j=1:max(ny, 2)) private(w, i)")
	d := Parse(l).Directive
	require.Equal(t, [][3]string{{"i", "0", "n%x-1"}, {"j", "1", "max(ny,2)"}},
		[][3]string{{d.Columns[0].Name, d.Columns[0].First, d.Columns[0].Last}, {d.Columns[1].Name, d.Columns[1].First, d.Columns[1].Last}})
	require.Equal(t, []string{"n"}, d.Columns[0].Names)
	require.Equal(t, "parallel label ( 'columns(' ) private ( w_col , i )", Without(l, "columns", map[string]string{"w": "w_col"}))
}

func TestClauses(t *testing.T) {
	d := Parse(lineOf(t, "!$portable parallel collapse(2) private(x, y) reduction(max: t) reduction(-: s) async(q%s(1)) on(cpu) label('a''b')")).Directive
	require.Equal(t, 2, d.Collapse)
	require.Equal(t, []string{"x", "y"}, d.Private)
	require.Equal(t, map[string]Operator{"t": "max", "s": "+"}, d.Reductions)
	require.Equal(t, "q%s(1)", d.Async)
	require.Equal(t, []string{"cpu"}, d.On)
	require.Equal(t, "a'b", d.Label)
	p := Parse(lineOf(t, "!$omp threadprivate(/block/, x)"))
	require.Equal(t, "/block/ x", strings.Join(p.Names, " "))
}

// DYNAMIC and GUIDED alone, also behind modifiers, are a schedule for unlike iterations.
func TestSchedules(t *testing.T) {
	for clause, want := range map[string]bool{
		"schedule(dynamic)": true, "schedule(dynamic, 16)": true, "schedule(guided, n)": true, "schedule(monotonic, simd: dynamic)": true, "schedule(static, 4)": false,
		"schedule(runtime)": false, "schedule(auto)": false, "schedule(simd: static)": false, "schedule()": false, "schedule(static, dynamic)": false,
		"dist_schedule(dynamic)": false, "private(dynamic)": false,
	} {
		d := Parse(lineOf(t, "!$omp distribute parallel do "+clause)).Directive
		require.NotNil(t, d, clause)
		require.Equal(t, want, d.Dynamic, clause)
	}
}

// SELF without a condition always holds; a name in front of a colon is not a part of a condition.
func TestConditions(t *testing.T) {
	d := Parse(lineOf(t, "!$acc parallel loop self gang if(n > 3)")).Directive
	require.Equal(t, []string{Always}, d.Self)
	require.Equal(t, []string{"n > 3"}, d.If)
	require.Equal(t, []string{"n < 2 .or. p % far"}, Parse(lineOf(t, "!$acc kernels self(n < 2 .or. p%far)")).Directive.Self)
	require.Equal(t, []string{"n > 3"}, Parse(lineOf(t, "!$omp target teams loop if(target: n > 3)")).Directive.If)
	require.Contains(t, Parse(lineOf(t, "!$acc parallel loop self()")).Problems[0].Text, "'self' has no condition")
}

// Data directives of all three have the same form.
func TestData(t *testing.T) {
	for _, row := range []struct{ text, kind, items string }{
		{"!$portable data in(a) out(b) inout(t%c) local(w)", "data", "in a, out b, inout t%c, local w"},
		{"!$portable data", "data", ""},
		{"!$portable end data", "end", ""},
		{"!$acc data copyin(a, b(:, :)) copyout(c) create(w(1:n)) present_or_copy(d) pcopyin(e) if(n > 3) async(1) copyin(readonly: f)", "data",
			"in a, in b, out c, inout w, inout d, in e, in f"},
		{"!$acc end data", "end", ""},
		{"!$acc enter data copyin(a)", "enter", "in a"},
		{"!$acc exit data delete(a) copyout(b)", "exit", "local a, out b"},
		{"!$acc update self(a) device(b(2:3))", "update", "out a, inout b"},
		{"!$omp target data map(to: a, b) map(from: c) map(d) map(always, tofrom: e) map(alloc: w) device(1)", "data", "in a, in b, out c, inout d, inout e, local w"},
		{"!$omp end target data", "end", ""},
		{"!$omp target enter data map(to: a)", "enter", "in a"},
		{"!$omp target exit data map(from: a(1:3))", "exit", "inout a"},
		{"!$omp target update from(a) to(b)", "update", "out a, in b"},
	} {
		p := Parse(lineOf(t, row.text))
		require.NotNil(t, p.Data, row.text)
		require.Equal(t, Passive, p.Role, row.text)
		require.Equal(t, row.kind, p.Data.Kind, row.text)
		var items []string
		for _, x := range p.Data.Items {
			items = append(items, x.Clause+" "+x.Name)
		}
		require.Equal(t, row.items, strings.Join(items, ", "), row.text)
	}
	for _, text := range []string{"!$acc parallel loop copy(a)", "!$omp target map(a)", "!$acc host_data use_device(a)", "!$omp declare target(a)"} {
		require.Nil(t, Parse(lineOf(t, text)).Data, text)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("parallel collapse(2) private(x, y) reduction(max: t) async(s) on(cpu)", 0)
	f.Add("target teams distribute parallel do map(to: a(1:n)) linear((", 1)
	f.Fuzz(func(t *testing.T, text string, sentinel int) {
		c := source.Read(source.NewSet(nil), "a.f90", []byte("!$"+[]string{"portable", "omp", "acc"}[(sentinel%3+3)%3]+" "+text+"\n"), source.Options{})
		for _, l := range c.Lines {
			if l.Kind == source.Directive {
				Parse(l)
			}
		}
	})
}
