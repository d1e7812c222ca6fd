package lint

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func read(t testing.TB, path string) File {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return File{Name: path, Text: text}
}

var mark = regexp.MustCompile(`!> ?((?:[a-z-]+ \w+(?:, )?)+)`)

// wanted are the findings that comments of a source say: line, rule and name.
func wanted(f File) (out []string) {
	for n, line := range strings.Split(string(f.Text), "\n") {
		if m := mark.FindStringSubmatch(line); m != nil {
			for _, one := range strings.Split(m[1], ", ") {
				out = append(out, fmt.Sprintf("%d %s", n+1, one))
			}
		}
	}
	return out
}

func told(r Report) (out []string) {
	for _, f := range r.Findings {
		out = append(out, fmt.Sprintf("%d %s %s", f.Where.Line, f.Rule, f.Name))
	}
	return out
}

func TestSourcesWithMarks(t *testing.T) {
	files, err := filepath.Glob("testdata/*.[fF]*")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 6)
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			f := read(t, path)
			got, want := told(Check([]File{f}, Options{Hints: true})), wanted(f)
			slices.Sort(got)
			slices.Sort(want)
			require.Equal(t, want, got)
		})
	}
}

// The text of one finding of each kind.
func TestTexts(t *testing.T) {
	f := File{Name: "model.f90", Text: []byte(`module m
  use portable_mod, only: tile
  real :: flux, total
contains
  recursive subroutine kernel(t)
    type(tile), intent(in) :: t
    flux = t%lower(1)
    call helper()
    flux = 2
  end subroutine
  recursive subroutine helper()
    associate (s => total)
      s = s + 1
    end associate
  end subroutine
end module`)}
	r := Check([]File{f}, Options{})
	require.Equal(t, []string{"m::kernel"}, r.Kernels)
	require.Equal(t, []string{"m::helper"}, r.Called)
	require.Len(t, r.Findings, 2)
	require.Equal(t, Finding{Rule: SharedScalar, Level: Error, Where: Place{"model.f90", 7}, Declared: Place{"model.f90", 3}, Name: "flux",
		Procedure: "m::kernel", Kernel: "m::kernel",
		Text:   "'flux' is assigned in the kernel 'kernel', but it is declared in the module 'm': all threads share it; also at line 9",
		Remedy: "declare it in the kernel"}, r.Findings[0])
	require.Equal(t, "'total' (as 's') is assigned in 'helper' (called by the kernel 'kernel'), but it is declared in the module 'm': "+
		"all threads share it", r.Findings[1].Text)
	require.Equal(t, "make the loop a parallel_reduce with op='sum'; for few updates, add_atomically", r.Findings[1].Remedy)
}

// Files are read together, in any order.
func TestSeveralFiles(t *testing.T) {
	host := File{"host.f90", []byte("program p\nuse portable_mod\nuse body, only: k => kernel\ncall parallel_for('x', bounds(3), k)\nend")}
	body := File{"body.f90", []byte("module body\nuse data\ncontains\nrecursive subroutine kernel(t)\nuse portable_mod\ntype(tile) t\nflux = 1\nlocal = 2\n" +
		"call gone()\nend subroutine\nend module")}
	data := File{"data.f90", []byte("module data\nimplicit none\nreal :: flux\nend module")}
	for _, files := range [][]File{{host, body, data}, {data, body, host}, {body, host, data}} {
		r := Check(files, Options{})
		require.Equal(t, []string{"7 shared-scalar flux"}, told(r))
		require.Equal(t, Place{"data.f90", 3}, r.Findings[0].Declared)
		require.Equal(t, []string{"gone"}, r.NotSeen)
	}
	// Without the module, the name may come from it or be the kernel's own implicit variable.
	require.Empty(t, told(Check([]File{host, body}, Options{})))
	body.Text = []byte(strings.Replace(string(body.Text), "contains", "implicit none\ncontains", 1))
	require.Equal(t, []string{"8 shared-scalar flux", "9 shared-scalar local"}, told(Check([]File{host, body}, Options{})))
	require.Contains(t, Check([]File{host, body}, Options{}).Findings[0].Text, "comes from the module 'data', which is not among these files")
}

func TestOptions(t *testing.T) {
	f := read(t, "testdata/traps.f90")
	count := func(r Report, rule Rule) (n int) {
		for _, f := range r.Findings {
			if f.Rule == rule {
				n++
			}
		}
		return n
	}
	require.Zero(t, count(Check([]File{f}, Options{}), PointerSpeed))
	require.NotZero(t, count(Check([]File{f}, Options{Hints: true}), PointerSpeed))
	require.NotZero(t, count(Check([]File{f}, Options{}), NotRecursive))
	require.Zero(t, count(Check([]File{f}, Options{AllRecursive: true}), NotRecursive))
	require.Zero(t, count(Check([]File{f}, Options{AllRecursive: true}), StaticArray))

	fixed := File{"x.inc", []byte("      recursive subroutine k(t)\n      use portable_mod\n      type(tile) t\n      common /c/ s\n" +
		"      s = 1" + strings.Repeat(" ", 61) + "x\n     &    + 2\n      end\n")}
	require.Equal(t, []string{"5 shared-scalar s"}, told(Check([]File{fixed}, Options{Fixed: true})))
	fixed.Name = "x.f"
	require.Equal(t, []string{"5 shared-scalar s"}, told(Check([]File{fixed}, Options{})))
	fixed.Text = []byte("      recursive subroutine k(t)\n      use portable_mod\n      type(tile) t\n      common /c/ s, r\n" +
		"      x = 1" + strings.Repeat(" ", 61) + "; r = 1\n      end\n")
	require.Empty(t, told(Check([]File{fixed}, Options{})))
	require.Equal(t, []string{"5 shared-scalar r"}, told(Check([]File{fixed}, Options{Columns: -1})))
}

// TestOwnSources: sources of this repository have exactly the findings that are intended.
func TestOwnSources(t *testing.T) {
	onPurpose := map[string][]string{
		"ffi_tests/packages/consumer/loops/broken.f90": {"7 not-independent i"},
		"ffi_tests/loops/refused/concurrent.f90":       {"12 not-independent i"},
		"ffi_tests/loops/refused/directive.f90":        {"56 not-independent i", "94 not-independent i"},
		"ffi_tests/launch/loop_errors.f90":             {"149 reduction-by-hand tiles", "154 reduction-by-hand tiles"},
		"ffi_tests/documents/given/flux.f90":           {"12 shared-scalar flux", "14 reduction-by-hand total", "18 not-recursive limited", "23 saved-local last"},
		"ffi_tests/traps/scalar.F90":                   {"22 saved-local scalar", "23 shared-scalar arrived"},
		"ffi_tests/observe/watched.f90":                {"13 reduction-by-hand widest", "15 reduction-by-hand highest"},
		"ffi_tests/guest/kernels/race.f90":             {"67 shared-scalar shared"},
		"ffi_tests/guest/kernels/crash_kernel.f90":     {"28 shared-scalar nought", "29 shared-scalar result", "31 stop-in-kernel stop"},
		"ffi_tests/memory/places.f90":                  {"13 not-recursive stencil"},
	}
	seen := 0
	for _, folder := range []string{"examples", "bench", "ffi_tests"} {
		root := filepath.Join("..", "..", "..", "..")
		require.NoError(t, filepath.WalkDir(filepath.Join(root, folder), func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasPrefix(strings.ToLower(filepath.Ext(path)), ".f") {
				return err
			}
			name := filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))
			r := Check([]File{read(t, path)}, Options{})
			seen += len(r.Kernels)
			require.Equal(t, onPurpose[name], told(r), name)
			return nil
		}))
	}
	require.Greater(t, seen, 100)
}

// Each module of the library is known: a name that comes from one is no variable of a file.
func TestLibraryModules(t *testing.T) {
	files, err := filepath.Glob("../../../../fortran/*/*_mod.F90")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 10)
	for _, path := range files {
		require.Contains(t, libraryModules, strings.TrimSuffix(filepath.Base(path), ".F90"))
	}
}

func FuzzCheck(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.[fF]*")
	for _, path := range files {
		f.Add(read(f, path).Text, strings.HasSuffix(path, ".f"))
	}
	for _, text := range []string{"", "&", "end", "do", "if (", "call ", "x = '", "module m\ncontains\nend\nend\n", "#if\n#else\n#endif\n",
		"associate (a => a)\na = 1", "type t\n", "interface x\nmodule procedure x\nend interface\ncall x(1)\nend\nsubroutine x(t)\ntype(tile) t\ncall x(t)\n",
		"block data\ncommon // a, /b/ c(3)", "subroutine s(t)\ntype(tile)t\nread(*,*)((a(i),i=1,2),j=1,3)\nallocate(a(3)%b(3))\nend", "1 2 3", "a%", "a(", ") ( ][",
		"subroutine s(t)\ntype(tile)t\nwrite(unit=) x\nend"} {
		f.Add([]byte(text), false)
		f.Add([]byte("      "+strings.ReplaceAll(text, "\n", "\n      ")), true)
	}
	f.Fuzz(func(t *testing.T, text []byte, fixed bool) {
		files := []File{{Name: "a.f90", Text: text}, {Name: "b.f90", Text: text}}
		lines := strings.Count(string(text), "\n") + 1
		for _, x := range Check(files, Options{Fixed: fixed, Hints: true}).Findings {
			if x.Where.Line < 1 || x.Where.Line > lines || x.Text == "" || x.Remedy == "" || x.Name == "" {
				t.Fatalf("%+v", x)
			}
		}
	})
}

// Declarations are often in files of their own; a finding is where its line is.
func TestIncludes(t *testing.T) {
	files := map[string]string{"common.inc": "      common /c/ s,\n     & r\n", "body.inc": "do i = t%lower(1), t%upper(1)\n  s = i\nend do\n", "loop.inc": "include 'loop.inc'\n"}
	o := Options{Folders: []string{"inc"}, Open: func(path string) ([]byte, error) {
		if text := files[strings.TrimPrefix(path, "inc/")]; strings.HasPrefix(path, "inc/") && text != "" {
			return []byte(text), nil
		}
		return nil, os.ErrNotExist
	}}
	fixed := File{"a.f", []byte("      recursive subroutine k(t)\n      use portable_mod\n      type(tile) t\n      include 'common.inc'\n      s = 1\n" +
		"      r = 2\n      include \"missing.inc\"\n      end\n")}
	r := Check([]File{fixed}, o)
	require.Equal(t, []string{"5 shared-scalar s", "6 shared-scalar r"}, told(r))
	require.Equal(t, Place{"inc/common.inc", 1}, r.Findings[0].Declared)
	require.Empty(t, told(Check([]File{fixed}, Options{})))
	free := File{"b.F90", []byte("module m\nuse portable_mod\nreal :: s\ncontains\nrecursive subroutine k(t)\ntype(tile) t\n#include \"body.inc\"\n" +
		"#include \"loop.inc\"\n#define LOOP(i) do i = 1, 3 \\\n  s = 2; \\\n  end do\nend subroutine\nend module\n")}
	r = Check([]File{free}, o)
	require.Equal(t, []string{"2 shared-scalar s"}, told(r))
	require.Equal(t, Place{"inc/body.inc", 2}, r.Findings[0].Where)
}
