// Package programs converts loops by portablef, compiles what it writes, runs it with the library, and looks at what a user gets: bits, warnings, the
// compiler's report, lines in debuggers and backtraces.
// In this file: what the tests are given, by flags (ctest does it, ../CMakeLists.txt), and how they convert, compile and run. Not in this file: tests.
// Each test works in folders of its own. Without flags there is no library, and nothing runs.
package programs

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var (
	portablef = flag.String("portablef", "", "the tool")
	yaklcheck = flag.String("yaklcheck", "", "the runner of programs under memory checks")
	fc        = flag.String("fc", "gfortran", "the compiler of the modules")
	modules   = flag.String("modules", "", "folders of .mod files, with colons between")
	libraries = flag.String("libraries", "", "what a program links, with colons between")
	linking   = flag.String("linking", "", "further words for the linker")
	generated = flag.String("generated", "", "the folder of generated parts of the modules")
	allocate  = flag.String("allocate", "", "what a program links whose ALLOCATE takes from the pool, with colons between")
	kept      = flag.String("kept", "", "a folder in which flang's modules stay for the next run")
	all       = flag.Bool("all", false, "run the wide part too")
)

// tree is the root of the sources.
const tree = "../../.."

func TestMain(m *testing.M) {
	flag.Parse()
	if *portablef == "" {
		fmt.Println("these tests need the library: ctest -R '^loops[.]' runs them")
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// isFlang reports whether the modules are flang's.
func isFlang(compiler string) bool { return strings.Contains(filepath.Base(compiler), "flang") }

// work is a folder in which a test compiles by one compiler, with one library.
type work struct {
	t        *testing.T
	folder   string
	compiler string
	include  []string // flags that name the folders of modules
	link     []string // what stands at the end of a link
	env      []string
	fixed    map[string]bool // converted files in fixed form
}

// with is a folder for programs of the library, by the compiler of its modules.
func with(t *testing.T) *work {
	w := alone(t, *fc)
	for _, m := range strings.Split(*modules, ":") {
		w.include = append(w.include, "-I"+m)
	}
	w.link = append(append(strings.Split(*libraries, ":"), "-lpthread", "-lm"), w.link...)
	return w
}

// alone is a folder for programs without the library.
func alone(t *testing.T, compiler string) *work {
	folder, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	w := &work{t: t, folder: folder, compiler: compiler, link: strings.Fields(*linking), fixed: map[string]bool{}}
	if isFlang(compiler) {
		w.link = append(w.link, flangLibrary(t, compiler)...)
	}
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "PORTABLE_") && !strings.HasPrefix(pair, "GATOR_") && !strings.HasPrefix(pair, "OMP_") {
			w.env = append(w.env, pair)
		}
	}
	return w
}

// flangLibrary: Debian's flang does not look where Debian puts its run-time library.
func flangLibrary(t *testing.T, compiler string) []string {
	path, err := exec.LookPath(compiler)
	require.NoError(t, err)
	path, err = filepath.EvalSymlinks(path)
	require.NoError(t, err)
	return []string{"-L" + filepath.Join(filepath.Dir(filepath.Dir(path)), "lib")}
}

func (w *work) path(name string) string { return filepath.Join(w.folder, name) }

// source writes a source into the folder.
func (w *work) source(name, text string) string {
	require.NoError(w.t, os.WriteFile(w.path(name), []byte(text), 0o644))
	return name
}

// copy copies a file into the folder.
func (w *work) copy(from string) string {
	text, err := os.ReadFile(from)
	require.NoError(w.t, err)
	return w.source(filepath.Base(from), string(text))
}

// try runs a command, and gives what it wrote.
func (w *work) try(env []string, name string, args ...string) (stdout, stderr string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	defer cancel()
	var out, text bytes.Buffer
	c := exec.CommandContext(ctx, name, args...)
	c.Dir, c.Env, c.Stdout, c.Stderr = w.folder, append(slices.Clone(w.env), env...), &out, &text
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	err = c.Run()
	return out.String(), text.String(), err
}

// run runs a program, which must end well and have nothing to say on standard error.
func (w *work) run(env []string, program string) string {
	w.t.Helper()
	out, errors, err := w.try(env, w.path(program))
	require.NoError(w.t, err, "%v %s:\n%s%s", env, program, out, errors)
	require.Empty(w.t, errors, "%v %s", env, program)
	return out
}

// compile compiles into an object and gives the object's name and the compiler's text.
func (w *work) compile(name string, flags ...string) (object, text string) {
	w.t.Helper()
	object = name + ".o"
	args := append([]string{"-c", name, "-o", object}, flags...)
	if w.fixed[name] {
		args = append(args, "-ffixed-form")
	}
	args = append(args, w.include...)
	out, text, err := w.try(nil, w.compiler, args...)
	require.NoError(w.t, err, "%s %v\n%s%s", w.compiler, args, out, text)
	return object, text
}

// linked links objects.
func (w *work) linked(program string, flags []string, objects ...string) {
	w.t.Helper()
	if isFlang(w.compiler) && slices.Contains(flags, "-fopenmp") {
		w.openmp()
		flags = append(slices.Clone(flags), "-L.")
	}
	args := append(append(append([]string{"-o", program}, flags...), objects...), w.link...)
	out, text, err := w.try(nil, w.compiler, args...)
	require.NoError(w.t, err, "%s %v\n%s%s", w.compiler, args, out, text)
	require.Empty(w.t, text, "the linker warns")
}

// openmp gives flang the library of OpenMP by the name that it asks for, which Debian has in the folder of another version only.
func (w *work) openmp() {
	out, _, err := w.try(nil, "/sbin/ldconfig", "-p")
	require.NoError(w.t, err)
	found := regexp.MustCompile(`(?m)^\s*libomp\.so\.5 .*=> (\S+)$`).FindStringSubmatch(out)
	if found == nil {
		w.t.Skip("no libomp.so.5, which flang links")
	}
	if err := os.Symlink(found[1], w.path("libomp.so")); !errors.Is(err, fs.ErrExist) {
		require.NoError(w.t, err)
	}
}

// build compiles sources in their order, and links them.
func (w *work) build(program string, flags []string, sources ...string) {
	w.t.Helper()
	var objects []string
	for _, s := range sources {
		object, _ := w.compile(s, flags...)
		objects = append(objects, object)
	}
	w.linked(program, flags, objects...)
}

// convert converts sources, and gives the names of what is written.
func (w *work) convert(options []string, sources ...string) (written []string) {
	w.t.Helper()
	name := "gfortran"
	if isFlang(w.compiler) {
		name = "flang"
	}
	args := append(append([]string{"convert", "--quiet", "--fc", name, "--out", "converted"}, always(w)...), append(options, sources...)...)
	out, text, err := w.try(nil, *portablef, args...)
	require.NoError(w.t, err, "%v\n%s%s", args, out, text)
	for _, s := range sources {
		extension := filepath.Ext(s)
		name := "converted/" + strings.TrimSuffix(filepath.Base(s), extension) + ".pf.F90"
		w.fixed[name] = extension == ".f" || extension == ".F"
		written = append(written, name)
	}
	return written
}

// always are the options by which nests with few iterations are launched, too.
func always(w *work) []string {
	help, _, err := w.try(nil, *portablef, "convert", "--help")
	require.NoError(w.t, err)
	if strings.Contains(help, "--always-launch") {
		return []string{"--always-launch"}
	}
	return nil
}

// text reads a file of the folder.
func (w *work) text(name string) string {
	text, err := os.ReadFile(w.path(name))
	require.NoError(w.t, err)
	return string(text)
}

// lineOf is the number of the one line that has a text.
func lineOf(t *testing.T, source, part string) int {
	t.Helper()
	number := 0
	for i, line := range strings.Split(source, "\n") {
		if strings.Contains(line, part) {
			require.Zero(t, number, "several lines have %q", part)
			number = i + 1
		}
	}
	require.NotZero(t, number, "no line has %q", part)
	return number
}

var (
	moduleLine = regexp.MustCompile(`(?im)^\s*(?:submodule\s*\(\s*(\w+)[^)]*\)|module)\s+(\w+)\s*(?:!.*)?$`)
	useLine    = regexp.MustCompile(`(?im)^\s*use\s*(?:,\s*\w+\s*)?(?:::)?\s*(\w+)`)
)

// inOrder gives sources so that each stands behind those whose modules it uses.
func inOrder(t *testing.T, sources []string) (ordered []string) {
	owner, uses := map[string]string{}, map[string][]string{}
	for _, s := range sources {
		text, err := os.ReadFile(s)
		require.NoError(t, err)
		for _, m := range moduleLine.FindAllStringSubmatch(string(text), -1) {
			if m[1] == "" {
				owner[strings.ToLower(m[2])] = s
			} else {
				uses[s] = append(uses[s], strings.ToLower(m[1]))
			}
		}
		for _, m := range useLine.FindAllStringSubmatch(string(text), -1) {
			uses[s] = append(uses[s], strings.ToLower(m[1]))
		}
	}
	seen := map[string]bool{}
	var visit func(string)
	visit = func(s string) {
		if seen[s] {
			return
		}
		seen[s] = true
		for _, m := range uses[s] {
			if o := owner[m]; o != "" {
				visit(o)
			}
		}
		ordered = append(ordered, s)
	}
	for _, s := range sources {
		visit(s)
	}
	return ordered
}

func read(t *testing.T, name string) string {
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(text)
}

// allocateFlags link a program whose ALLOCATE takes from the pool.
func allocateFlags() []string { return strings.Split(*allocate, ":") }
