package main

// Running one block: the folder that it gets, the files in it, the compilers.
// In this file: Fortran, C and CMake, and what all languages share. Not in this file: shell and make (shell.go),
// blocks that are compared instead of run (compare.go).

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// limit is the longest that one command of a block may take, on a busy machine too.
const limit = 8 * time.Minute

// runner is where and with what the blocks are run.
type runner struct {
	tree, prefix, build, work string
	libdir                    string   // below the prefix
	environment               []string // of all commands
	fc, cc, cxx, cmake        string

	modules func() (string, error) // compiles gator_mod once; gives its folder
	tests   func() (string, error) // the names of ctest's tests
	lock    sync.Mutex
	seen    map[string]*once // blocks by all that they depend on
}

// result is what a block wrote, for an output block after it.
type result struct{ output string }

// once is a block that is run once, however many documents have it.
type once struct {
	sync.Once
	place  string
	how    string
	result result
	err    error
}

func newRunner(tree, prefix, build, work string) (*runner, error) {
	for _, p := range []*string{&prefix, &build, &work} {
		if *p == "" {
			continue
		}
		absolute, err := filepath.Abs(*p)
		if err != nil {
			return nil, err
		}
		*p = absolute
	}
	if err := os.RemoveAll(work); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(work, 0o777); err != nil {
		return nil, err
	}
	// The examples have no blanks in the names that they stand for; the prefix may have.
	link := filepath.Join(work, "prefix")
	if err := os.Symlink(prefix, link); err != nil {
		return nil, err
	}
	// A module of its own: what is copied here is no package of the tree.
	if err := os.WriteFile(filepath.Join(work, "go.mod"), []byte("module documents\n\ngo 1.26\n"), 0o666); err != nil {
		return nil, err
	}
	r := &runner{tree: tree, prefix: link, build: build, work: work, seen: map[string]*once{}, libdir: "lib"}
	if found, _ := filepath.Glob(filepath.Join(link, "lib*", "libportable.*")); len(found) > 0 {
		r.libdir = filepath.Base(filepath.Dir(found[0]))
	}
	word := func(name, otherwise string) string {
		if v := os.Getenv(name); v != "" {
			return v
		}
		return otherwise
	}
	r.fc, r.cc, r.cxx, r.cmake = word("FC", "gfortran"), word("CC", "cc"), word("CXX", "c++"), word("CMAKE", "cmake")
	for _, pair := range os.Environ() {
		name, _, _ := strings.Cut(pair, "=")
		switch {
		case strings.HasPrefix(name, "GATOR_"), strings.HasPrefix(name, "PORTABLE_"), strings.HasPrefix(name, "MAKE"),
			slices.Contains([]string{"PATH", "FC", "CC", "CXX", "LDFLAGS", "CMAKE_PREFIX_PATH", "PKG_CONFIG_PATH", "MFLAGS", "P"}, name):
		default:
			r.environment = append(r.environment, pair)
		}
	}
	r.environment = append(r.environment, "FC="+r.fc, "CC="+r.cc, "CXX="+r.cxx, "CMAKE_PREFIX_PATH="+link,
		"PATH="+filepath.Join(link, "bin")+":"+os.Getenv("PATH"),
		// Settings that a machine for tests needs and the reader's does not: root, and more ranks than cores.
		"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "OMPI_MCA_rmaps_base_oversubscribe=1")
	r.modules = sync.OnceValues(func() (string, error) {
		folder := filepath.Join(work, "modules")
		_, err := r.command(work, filepath.Join(link, "bin", "portable-config"), "--build-modules", "--arrays", "--more", "--fc", r.fc, "--fcflags", "-g", folder)
		return folder, err
	})
	r.tests = sync.OnceValues(func() (string, error) {
		if r.build == "" {
			return "", errors.New("say -build")
		}
		return r.command(r.build, "ctest", "-N")
	})
	return r, nil
}

// command runs one command; its output is given also with an error, which then has the end of it.
func (r *runner) command(folder string, name string, arguments ...string) (output string, err error) {
	return r.commandWith(nil, folder, name, arguments...)
}

func (r *runner) commandWith(environment []string, folder, name string, arguments ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	command := exec.CommandContext(ctx, name, arguments...)
	command.Dir, command.Env = folder, append(slices.Clone(r.environment), environment...)
	// All that it starts ends with it.
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
	command.WaitDelay = 5 * time.Second
	text, err := command.CombinedOutput()
	if err != nil {
		shown := strings.Join(append([]string{filepath.Base(name)}, arguments...), " ")
		if len(shown) > 300 {
			shown = shown[:300] + "..."
		}
		err = fmt.Errorf("%s: %w\n%s", shown, err, tail(string(text), 30))
	}
	return string(text), err
}

func tail(text string, n int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// do runs a block, or says why not. previous is what the example above it in the same document wrote.
func (r *runner) do(b block, previous *result) (o outcome, next *result) {
	o.block = b
	if why := b.directives[keyNotRun]; why != "" {
		o.why = why
		return o, nil
	}
	if test := b.directives[keyRunBy]; test != "" {
		o.why = "the test " + test + " does it"
		tests, err := r.tests()
		if err == nil && !slices.Contains(strings.Fields(tests), test) {
			err = fmt.Errorf("run by: ctest has no test %s", test)
		}
		o.err = err
		return o, nil
	}
	for _, tool := range strings.FieldsFunc(b.directives[keyNeeds], func(c rune) bool { return c == ',' || c == ' ' }) {
		if _, err := exec.LookPath(tool); err != nil {
			o.why = "there is no " + tool + " on this machine"
			return o, nil
		}
	}
	if how, err, isComparison := r.compare(b, previous); isComparison {
		o.how, o.err = how, err
		return o, previous
	}
	do, source, err := r.handler(b)
	if err != nil {
		o.err = err
		return o, nil
	}
	r.lock.Lock()
	key := strings.Join([]string{b.language, source, b.directives[keyGiven], b.directives[keyRun]}, "\x00")
	if b.language == "sh" || b.language == "console" || b.directives[keyDryRun] != "" {
		key = b.place() // depends on the document's folder
	}
	one, again := r.seen[key]
	if !again {
		one = &once{place: b.place()}
		r.seen[key] = one
	}
	r.lock.Unlock()
	one.Do(func() {
		folder, err := r.prepare(b, source)
		if err != nil {
			one.err = err
			return
		}
		one.how, one.result.output, one.err = do(b, source, folder)
	})
	o.how, o.err = one.how, one.err
	if again {
		o.how = "as " + one.place
	}
	return o, &one.result
}

// handler finds what is done with a language, and the source that a block becomes.
func (r *runner) handler(b block) (do func(b block, source, folder string) (how, output string, err error), source string, err error) {
	switch b.language {
	case "fortran":
		source, _ = wrapFortran(b.text)
		return r.fortran, source, nil
	case "c", "cpp", "c++":
		source, _ = wrapC(b.text)
		return r.c, source, nil
	case "cmake":
		return r.cmakeProject, wrapCMake(b.text), nil
	case "make", "makefile":
		return r.makefile, b.text, nil
	case "sh", "bash", "shell":
		return r.shell, b.text, nil
	case "console":
		return r.console, b.text, nil
	case "":
		return nil, "", errors.New("a block without a language: nothing here knows how to run it. Write the language behind " +
			"the fence, or, above a block that really cannot be run, <!-- not run: the reason -->")
	}
	return nil, "", fmt.Errorf("nothing here knows how to run a block of %q. Known: fortran, c, cpp, cmake, make, sh, console; text and "+
		"diff with what they are compared with (%s, %s, %s). Teach ffi_tests/documents the language, or, when the block really cannot be "+
		"run, write above it <!-- not run: the reason -->", b.language, keyOutput, keyPaths, keyDiff)
}

// given finds a fixture.
func (r *runner) given(name string) string {
	for _, folder := range []string{filepath.Join(r.tree, "ffi_tests", "documents", "given"), filepath.Join(r.prefix, "share", "portable")} {
		if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
			return filepath.Join(folder, name)
		}
	}
	return ""
}

// prepare makes the folder of a block: for an example's own document, and where `given` names the folder of one, a copy of the example, else an
// empty one; and in it what the block needs.
func (r *runner) prepare(b block, source string) (folder string, err error) {
	folder = filepath.Join(r.work, strings.NewReplacer("/", "_", ":", "_", ".md", "").Replace(b.place()))
	home, given := filepath.Dir(b.document), b.directives[keyGiven]
	if strings.HasPrefix(given, "examples/") {
		home, given = given, ""
	}
	if strings.HasPrefix(home, "examples/") {
		err = os.CopyFS(folder, os.DirFS(filepath.Join(r.tree, home)))
	} else {
		err = os.MkdirAll(folder, 0o777)
	}
	if err != nil {
		return "", err
	}
	list, err := fixtures(given, source, func(name string) bool { return r.given(name) != "" })
	if err != nil {
		return "", err
	}
	for _, f := range list {
		from, to := r.given(f.from), filepath.Join(folder, f.to)
		text, err := os.ReadFile(from)
		if err == nil && filepath.Ext(f.to) == "" {
			// Compiled as a reader would: in the folder, from a file below it.
			if err = os.MkdirAll(filepath.Join(folder, "src"), 0o777); err == nil {
				err = os.WriteFile(filepath.Join(folder, "src", f.from), text, 0o666)
			}
			if err == nil {
				_, err = r.compile(folder, f.to, filepath.Join("src", f.from))
			}
			if err != nil {
				return "", err
			}
			continue
		}
		if err == nil {
			err = os.WriteFile(to, text, 0o666)
		}
		if err != nil {
			return "", err
		}
	}
	return folder, nil
}

// compile builds a Fortran program on the installed library, with every warning an error.
func (r *runner) compile(folder, program string, sources ...string) (string, error) {
	modules, err := r.modules()
	if err != nil {
		return "", err
	}
	script := `flags=$(portable-config --modules "$1" --fcflags) libs=$(portable-config --modules "$1" --flibs) out=$2; shift 2
eval "$FC -g -std=f2018 -Wall -Wextra -Werror -fcheck=all $flags \"\$@\" -o \"\$out\" $libs"`
	return r.command(folder, "bash", append([]string{"-euc", script, "bash", modules, program}, sources...)...)
}

// quiet runs a program that must end well and hear nothing from the library.
func (r *runner) quiet(folder, program string) (output string, err error) {
	output, err = r.command(folder, filepath.Join(folder, program))
	if err == nil && strings.Contains(output, "portable: ") {
		err = fmt.Errorf("the example gets a message from the library:\n%s", output)
	}
	return output, err
}

func write(folder, name, text string) error {
	return os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666)
}

// others are the given sources of a folder, in the order of their names.
func others(folder, own string) (sources []string) {
	for _, pattern := range []string{"*.f90", "*.F90"} {
		found, _ := filepath.Glob(filepath.Join(folder, pattern))
		for _, f := range found {
			if filepath.Base(f) != own {
				sources = append(sources, filepath.Base(f))
			}
		}
	}
	return sources
}

func (r *runner) fortran(b block, source, folder string) (how, output string, err error) {
	_, whole := wrapFortran(b.text)
	if !whole && b.directives[keyGiven] == "" {
		return "", "", errors.New("program units without a program: name a given file that calls them, as <!-- given: step.f90 -->")
	}
	if err := write(folder, "example.f90", source); err != nil {
		return "", "", err
	}
	how = "compiled and run"
	if source != b.text {
		how = "made a program, compiled and run"
	}
	if _, err := r.compile(folder, "example", append([]string{"example.f90"}, others(folder, "example.f90")...)...); err != nil {
		return how, "", err
	}
	output, err = r.quiet(folder, "example")
	return how, output, err
}

// c compiles a block as what it is, and C as C++ too, because the header serves both.
func (r *runner) c(b block, source, folder string) (how, output string, err error) {
	languages := []string{"c", "c++"}
	if b.language != "c" {
		languages = languages[1:]
	}
	if err := write(folder, "example.c", source); err != nil {
		return "", "", err
	}
	for _, language := range languages {
		compiler, standard := r.cc, "-std=c11"
		if language == "c++" {
			compiler, standard = r.cxx, "-std=c++17"
		}
		script := `eval "$1 -g $2 -Wall -Wextra -Werror -x $3 $(portable-config --cflags) example.c -x none -o example $(portable-config --libs)"`
		if _, err := r.command(folder, "bash", "-euc", script, "bash", compiler, standard, language); err != nil {
			return "", "", fmt.Errorf("as %s: %w", language, err)
		}
		if output, err = r.quiet(folder, "example"); err != nil {
			return "", output, fmt.Errorf("as %s: %w", language, err)
		}
	}
	return "compiled and run as " + strings.Join(languages, " and "), output, nil
}

// cmakeProject configures and builds a project around the block, and runs its programs.
func (r *runner) cmakeProject(b block, source, folder string) (how, output string, err error) {
	if err := write(folder, "CMakeLists.txt", source); err != nil {
		return "", "", err
	}
	ways := [][]string{nil}
	how = "configured, built, run"
	switch b.directives[keyRun] {
	case "":
	case "with and without the library":
		ways = append(ways, []string{"-DCMAKE_DISABLE_FIND_PACKAGE_portable=ON"})
		how += " with and without the library"
	default:
		return "", "", fmt.Errorf("run: %q is not known; there is: with and without the library", b.directives[keyRun])
	}
	for i, way := range ways {
		build := fmt.Sprintf("build%d", i)
		if _, err := r.command(folder, r.cmake, append([]string{"-S", ".", "-B", build}, way...)...); err != nil {
			return how, "", err
		}
		if _, err := r.command(folder, r.cmake, "--build", build); err != nil {
			return how, "", err
		}
		for _, program := range cmakePrograms(source) {
			said, err := r.quiet(folder, filepath.Join(build, program))
			output += said
			if err != nil {
				return how, output, err
			}
		}
	}
	return how, output, nil
}
