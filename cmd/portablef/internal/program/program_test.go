package program

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/cmd/portablef/internal/verdicts"
	"libportable/internal/fortran/flags"
	"libportable/internal/nest"
)

// written makes files in a new folder, and inputs of them. A name with + is read for its modules only.
func written(t *testing.T, texts ...string) (inputs []Input) {
	folder := t.TempDir()
	for i := 0; i < len(texts); i += 2 {
		name, modules := strings.CutPrefix(texts[i], "+")
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte(texts[i+1]), 0o666))
		inputs = append(inputs, Input{Name: path, Modules: modules})
	}
	return inputs
}

const helper = `module helper
contains
  %s subroutine smooth(x)
    real, intent(inout) :: x(:)
    real :: work%s
    work(1) = x(1)
    x(1) = 2*work(1)
  end subroutine
end module
`

const caller = `subroutine run(a, n)
  use helper, only: smooth
  integer, intent(in) :: n
  real, intent(inout) :: a(9, n)
  integer :: i
  do i = 1, n
    call smooth(a(:, i))
  end do
end subroutine
`

// TestForeignProcedures: a procedure whose file is not converted must be one that several threads can run.
func TestForeignProcedures(t *testing.T) {
	for _, c := range []struct {
		prefix, extent, as, flag string
		want                     nest.Verdict
	}{
		{"", "(100000)", "", "", nest.Parallel}, // its file is converted: it becomes RECURSIVE
		{"", "(100000)", "+", "", nest.Refused},
		{"recursive", "(100000)", "+", "", nest.Parallel},
		{"", "(100000)", "+", "-frecursive", nest.Parallel},
	} {
		inputs := written(t, c.as+"helper.f90", fmt.Sprintf(helper, c.prefix, c.extent), "caller.f90", caller)
		for i := range inputs {
			f, err := flags.Read("", strings.Fields(c.flag))
			require.NoError(t, err)
			inputs[i].Flags = f
		}
		p, err := Read(inputs, Options{Auto: true})
		require.NoError(t, err)
		last := p.Nests[len(p.Nests)-1]
		require.Equal(t, c.want, last.Verdict, "%+v: %v", c, last.Refusals)
		if c.want == nest.Refused {
			require.Contains(t, last.Refusals[0].Text, "'smooth', which it calls, is not RECURSIVE, and its file ")
		}
	}
}

// TestOneOrder: goroutines read, and the result is the same each time.
func TestOneOrder(t *testing.T) {
	var texts []string
	for i := range 40 {
		texts = append(texts, fmt.Sprintf("f%02d.f90", i), strings.ReplaceAll(caller, "subroutine run", fmt.Sprintf("subroutine run%d", i)))
	}
	texts = append(texts, "helper.f90", fmt.Sprintf(helper, "", "(9)"))
	inputs := written(t, texts...)
	var first []byte
	for range 5 {
		p, err := Read(inputs, Options{Auto: true})
		require.NoError(t, err)
		var b bytes.Buffer
		require.NoError(t, p.Report("survey").WriteJSON(&b, ""))
		for i := range p.Inputs {
			text, err := p.Generate(i, "out.F90", Emission{Markers: true})
			require.NoError(t, err)
			b.Write(text)
		}
		if first == nil {
			first = b.Bytes()
		}
		require.Equal(t, string(first), b.String())
	}
	require.Contains(t, string(first), `"parallel": 40`)
}

// TestRulesAreKnown: each rule by which the analysis refuses has its words.
func TestRulesAreKnown(t *testing.T) {
	paths, err := filepath.Glob("../../../../ffi_tests/loops/refused/*.f90")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	var inputs []Input
	for _, path := range paths {
		inputs = append(inputs, Input{Name: path})
	}
	p, err := Read(inputs, Options{Auto: true})
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, n := range p.Nests {
		for _, f := range n.Refusals {
			seen[string(f.Rule)] = true
			require.True(t, slices.ContainsFunc(verdicts.Rules, func(r verdicts.Rule) bool { return r.Name == string(f.Rule) }), f.Rule)
			require.NotEmpty(t, f.Text)
		}
	}
	require.Greater(t, len(seen), 12, "%v", seen)
}

func TestInputs(t *testing.T) {
	inputs := written(t, "+a.f90", "", "b.f90", "")
	again := inputs[0]
	again.Modules = false
	require.Equal(t, []Input{again, inputs[1]}, unique([]Input{inputs[0], inputs[1], again}), "a file is read once; to convert it wins")

	eight, err := flags.Read("", []string{"-fdefault-real-8"})
	require.NoError(t, err)
	inputs[1].Flags = eight
	_, err = Read(inputs, Options{})
	require.ErrorContains(t, err, "make different default kinds or rules of names; convert them in two runs")

	_, err = Read([]Input{{Name: filepath.Join(t.TempDir(), "none.f90")}}, Options{})
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestColumnsAreCharacters: places of reports count characters, not bytes.
func TestColumnsAreCharacters(t *testing.T) {
	inputs := written(t, "a.f90", "subroutine s(a)\n  real :: a(9)\n  integer :: i\n  print *, 'äöü'; do i = 2, 9\n    a(i) = a(i-1)\n  end do\nend subroutine\n")
	p, err := Read(inputs, Options{Auto: true})
	require.NoError(t, err)
	r := p.Report("survey")
	require.Len(t, r.Nests, 1)
	require.Equal(t, 4, r.Nests[0].Line)
	require.Equal(t, 19, r.Nests[0].Column)
}

// TestShared: procedures whose local variables may be common to all threads are made RECURSIVE, with their interfaces, or refused.
func TestShared(t *testing.T) {
	const module = "module m\n interface\n %s module subroutine a(x)\n real, intent(inout) :: x\n end subroutine\n end interface\ncontains\n" +
		"subroutine top(y)\n real, intent(inout) :: y(:)\n integer :: i\n do i = 1, size(y)\n call a(y(i))\n end do\nend subroutine\nend module\n" +
		"submodule (m) s\ncontains\n%s\n real :: w(%d)\n w = x\n %s\n x = sum(w)\nend\nend submodule\n"
	for _, c := range []struct {
		name, prefix, head string
		size               int
		line, flag         string
		file               string // that declares it; "": the same one
		refused, recursive string
	}{
		{"both heads", "", "module subroutine a(x)\n real, intent(inout) :: x", 20000, "", "", "", "", "recursive module subroutine a"},
		{"module procedure", "", "module procedure a", 20000, "", "", "", "", "recursive module subroutine a"},
		{"elemental", "elemental", "module procedure a", 20000, "", "", "", "'a', which it calls, is ELEMENTAL and not RECURSIVE, so 'w' may be", ""},
		{"small elemental", "elemental", "module procedure a", 20, "", "", "", "", ""},
		{"recursive elemental", "recursive elemental", "module procedure a", 20000, "", "", "", "", "recursive elemental module"},
		{"non_recursive", "non_recursive", "module procedure a", 20000, "", "", "", "is NON_RECURSIVE", ""},
		{"flag", "", "module procedure a", 20, "", "-fno-automatic", "", "", "recursive module subroutine a"},
		{"kept", "", "module procedure a", 20, "if (x > 0) k = 3; x = k", "-fno-automatic", "", "'a', which it calls, may read 'k' before it sets it", ""},
		{"set in a branch", "", "module procedure a", 20, "if (x > 0) then; k = 3; x = k; end if", "-fno-automatic", "", "", "recursive module subroutine a"},
		{"not converted", "", "module procedure a", 20, "", "", "+", "its file ", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := fmt.Sprintf(module, c.prefix, c.head, c.size, c.line)
			at := strings.Index(text, "submodule")
			inputs := written(t, "m.f90", text[:at], c.file+"s.f90", text[at:])
			f, err := flags.Read("gfortran", strings.Fields(c.flag))
			require.NoError(t, err)
			for i := range inputs {
				inputs[i].Flags = f
			}
			p, err := Read(inputs, Options{Auto: true})
			require.NoError(t, err)
			require.NotEmpty(t, p.Nests)
			n := p.Nests[0]
			if c.refused != "" {
				require.Equal(t, nest.Refused, n.Verdict)
				require.Contains(t, n.Refusals[0].Text, c.refused)
				require.NotEmpty(t, n.Refusals[0].Remedy)
				return
			}
			require.Equal(t, nest.Parallel, n.Verdict, "%v", n.Refusals)
			out, err := p.Generate(0, "out.F90", Emission{})
			require.NoError(t, err)
			require.Contains(t, string(out), c.recursive)
			if strings.HasPrefix(c.head, "module subroutine") {
				out, err = p.Generate(1, "out.F90", Emission{})
				require.NoError(t, err)
				require.Contains(t, string(out), c.recursive)
			}
		})
	}
}

// Data directives of others become calls, if they are accepted and a device is asked for; else they stay.
func TestDataDirectives(t *testing.T) {
	const text = `subroutine steps(a, n)
  integer, intent(in) :: n
  real, intent(inout) :: a(n)
  !$acc data copy(a)
  do i = 1, n
    a(i) = 2*a(i)
  end do
  !$acc update self(a)
  !$acc end data
end subroutine
`
	for _, row := range []struct {
		accept, device bool
		taken          bool
	}{{true, true, true}, {false, true, false}, {true, false, false}} {
		p, err := Read(written(t, "a.f90", text), Options{Auto: true, Accept: map[string]bool{"acc": row.accept}, Device: row.device})
		require.NoError(t, err)
		out, err := p.Generate(0, "a.pf.F90", Emission{Device: row.device})
		require.NoError(t, err)
		require.Equal(t, row.taken, strings.Contains(string(out), "call portable_data_begin('steps:4')"), string(out))
		require.Equal(t, !row.taken, strings.Contains(string(out), "!$acc data copy(a)"))
		require.Equal(t, !row.taken, strings.Contains(string(out), "!$acc update self(a)"))
		require.Equal(t, !row.taken, strings.Contains(string(out), "!$acc end data"))
	}
}
