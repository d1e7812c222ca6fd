package programs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"libportable/internal/nest/truth"

	"github.com/stretchr/testify/require"
)

// This file has what flang 16 does not take of the table of semantics, with the proof: the serial original fails, or a small program does.
// Not in this file: the runs (semantics_test.go).

// fault is a row that flang 16 does not compile, or not so that it can run on threads. Each cut is the first and the last line of what the row needs
// besides its nest.
type fault struct {
	file, row string
	reason    string // flang's message; or, with a proof, what it does
	cuts      [][2]string
	proof     func(t *testing.T, compiler string) // nil: the original does not compile
}

var faults = []fault{
	{file: "concurrent.f90", row: "concurrent-local", reason: "not yet implemented: BlockConstruct"},
	{file: "constructs.f90", row: "block-inside", reason: "not yet implemented: BlockConstruct"},
	{file: "constructs.f90", row: "exit-of-block-and-if", reason: "not yet implemented: BlockConstruct"},
	{file: "calls.f90", row: "bound-procedure", reason: "not yet implemented: support for polymorphic types",
		cuts: [][2]string{{"  contains", "procedure :: total"}, {"function total(self", "end function total"}}},
	{file: "absent.f90", row: "absent-class", reason: "not yet implemented: support for polymorphic types",
		cuts: [][2]string{{"  subroutine polymorphic", "end subroutine polymorphic"}, {"  subroutine both_polymorphic", "end subroutine both_polymorphic"}, {"call both_polymorphic", "call both_polymorphic"}}},
	{file: "devices.f90", row: "keywords-left-out", reason: "not yet implemented: intrinsic: atan"},
	{file: "devices_types.F90", row: "components-with-lower-bounds", reason: "not yet implemented: derived type components with non default lower bounds",
		cuts: [][2]string{{"  type :: shifted", "end type shifted"}, {"  subroutine lower_bounds", "end subroutine lower_bounds"}, {"call lower_bounds", "call lower_bounds"}}},
	{file: "preprocessed.F90", row: "branch-in-nest", reason: "__LINE__ does not know #line", proof: ownLines},
}

// ownLines: __LINE__ counts the lines of the file behind #line too, so that a statement that prints it cannot have the bits of the original.
func ownLines(t *testing.T, compiler string) {
	w := alone(t, compiler)
	w.build("lines", nil, w.source("lines.F90", "program lines\n#line 100 \"user.f90\"\nprint *, __LINE__\nend program lines\n"))
	require.Equal(t, "3", strings.TrimSpace(w.run(nil, "lines")))
}

// TestFlangCopies: for an assignment of overlapping sections of one column flang 16 copies the whole array, 160 MB, into a temporary and back, and undoes
// what other threads have written meanwhile. So the tool refuses such nests for flang. gfortran copies the section.
func TestFlangCopies(t *testing.T) {
	compiler := flang(t)
	for _, c := range []string{compiler, "gfortran"} {
		w := alone(t, c)
		w.build("whole", []string{"-O1"}, w.source("whole.f90", `program whole
  implicit none
  real(8), allocatable :: b(:, :)
  integer :: n
  n = 20000
  allocate (b(1000, n))
  b(:, 7) = 1
  b(2:999, 7) = b(1:998, 7) + b(3:1000, 7)
  print *, b(5, 7)
end program whole
`))
		command := exec.Command(w.path("whole"))
		require.NoError(t, command.Run())
		usage, ok := command.ProcessState.SysUsage().(*syscall.Rusage)
		require.True(t, ok)
		require.Equal(t, c == compiler, usage.Maxrss > 150000, "%s: %d KB", c, usage.Maxrss)
	}
}

// taken is the table without the rows that the compiler does not take.
func (b table) taken(t *testing.T, compiler string) table {
	if !isFlang(compiler) {
		return b
	}
	for _, f := range faults {
		if f.file == filepath.Base(b.name) {
			b.text = f.without(t, b)
		}
	}
	return reread(t, b)
}

// reread finds the rows of a text that has changed.
func reread(t *testing.T, b table) table {
	nests, err := truth.Read(b.name, b.text)
	require.NoError(t, err)
	b.rows = nil
	for _, n := range nests {
		b.rows = append(b.rows, n.Run)
	}
	return b
}

// without empties the lines of a row.
func (f fault) without(t *testing.T, b table) string {
	nests, err := truth.Read(b.name, b.text)
	require.NoError(t, err)
	lines := strings.Split(b.text, "\n")
	found := false
	for _, n := range nests {
		if n.Run == f.row {
			found = true
			for i := n.Line; i <= n.End; i++ {
				lines[i-1] = ""
			}
		}
	}
	require.True(t, found, "there is no row '%s'", f.row)
	for i, line := range lines {
		if strings.Contains(line, "call show('"+f.row+"'") {
			lines[i] = ""
		}
	}
	for _, c := range f.cuts {
		cutting, ended := false, false
		for i, line := range lines {
			cutting = cutting || !ended && strings.Contains(line, c[0])
			if cutting {
				ended = strings.Contains(line, c[1])
				lines[i] = ""
				cutting = !ended
			}
		}
		require.True(t, ended, "the row '%s' has no lines from %q to %q", f.row, c[0], c[1])
	}
	return strings.Join(lines, "\n")
}

// TestFlangFaults: without all other rows that it does not take, flang refuses the original for the reason that is written here.
func TestFlangFaults(t *testing.T) {
	compiler := flang(t)
	for _, f := range faults {
		t.Run(f.row, func(t *testing.T) {
			if f.proof != nil {
				f.proof(t, compiler)
				return
			}
			b := readTable(t, filepath.Join("..", "semantics", f.file))
			for _, other := range faults {
				if other.proof == nil && other.file == f.file && other.row != f.row {
					b.text = other.without(t, b)
				}
			}
			w := alone(t, compiler)
			w.copy("../semantics/bits.f90")
			w.compile("bits.f90", b.flags...)
			name := w.source(filepath.Base(b.name), b.text)
			_, text, err := w.try(nil, compiler, append([]string{"-c", name, "-o", "row.o"}, b.flags...)...)
			require.Error(t, err, "this flang takes the row: remove it from the list")
			require.Regexp(t, regexp.MustCompile(f.reason), text)
		})
	}
}

// flang is the compiler of the modules, or the one that is installed.
func flang(t *testing.T) string {
	if isFlang(*fc) {
		return *fc
	}
	w := alone(t, "gfortran")
	if _, _, err := w.try(nil, "flang-new-16", "--version"); err != nil {
		t.Skip("no flang-new-16")
	}
	return "flang-new-16"
}

// TestFlang: in a build by another compiler, flang takes what the tool writes without a word, and rows of each kind have the bits of its own serial
// code. (In a build by flang TestSemantics has all rows.)
func TestFlang(t *testing.T) {
	if isFlang(*fc) {
		t.Skip("TestSemantics does it")
	}
	compiler := flang(t)
	folder := flangModules(t, compiler)
	for _, b := range tables(t, true) {
		t.Run(filepath.Base(b.name), func(t *testing.T) {
			w := withFlang(t, compiler, folder)
			b.taken(t, compiler).same(t, w, "-O0")
		})
	}
}

// withFlang is a folder for programs of the library by flang, whose modules are in folder.
func withFlang(t *testing.T, compiler, folder string) *work {
	w := alone(t, compiler)
	objects, err := filepath.Glob(filepath.Join(folder, "*.o"))
	require.NoError(t, err)
	archives := strings.Split(*libraries, ":")
	w.include = []string{"-I" + folder}
	w.link = append(append(objects, archives[len(archives)-1], "-lpthread", "-lm"), w.link...)
	return w
}

// theModules are those that programs of the tool use, in an order in which they compile.
var theModules = []string{"gator_mod", "portable_reduce_mod", "portable_sort_mod", "portable_algorithm_mod", "portable_solvers_mod", "portable_fft_mod", "portable_math_mod", "portable_random_mod", "portable_argument_mod", "portable_core_mod",
	"portable_list_mod"}

// flangModules is a folder with flang's modules of the library. They take it a while, so those of compile_matrix.sh will do, or of the last run, if
// no source is younger.
func flangModules(t *testing.T, compiler string) string {
	youngest := time.Time{}
	for _, pattern := range []string{filepath.Join(tree, "fortran", "*", "*"), filepath.Join(*generated, "*")} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, found, pattern)
		for _, name := range found {
			if info, err := os.Stat(name); err == nil && info.ModTime().After(youngest) {
				youngest = info.ModTime()
			}
		}
	}
	for _, folder := range []string{filepath.Join(tree, "build", "flang_modules"), *kept} {
		if info, err := os.Stat(filepath.Join(folder, "complete")); err == nil && info.ModTime().After(youngest) {
			absolute, err := filepath.Abs(folder)
			require.NoError(t, err)
			return absolute
		}
	}
	require.NoError(t, os.RemoveAll(*kept))
	require.NoError(t, os.MkdirAll(*kept, 0o755))
	w := alone(t, compiler)
	w.folder = *kept
	for _, m := range theModules {
		found, err := filepath.Glob(filepath.Join(tree, "fortran", "*", m+".F90"))
		require.NoError(t, err)
		require.Len(t, found, 1)
		name, err := filepath.Abs(found[0])
		require.NoError(t, err)
		_, text, err := w.try(nil, compiler, "-c", name, "-o", m+".o", "-I"+*generated)
		require.NoError(t, err, text)
	}
	w.source("complete", "")
	return w.folder
}
