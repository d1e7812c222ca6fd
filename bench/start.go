package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// poolOthers measures what no allocator that is compared has.
func poolOthers(r *results, to io.Writer, wanted func(string) bool, build string, rounds int) error {
	from := len(r.rows)
	defer func() { r.list(to, "Idle library, start-up, compile time", r.rows[from:]) }()
	if wanted("idle") {
		if err := r.idle(build, rounds); err != nil {
			return err
		}
	}
	if wanted("compile") {
		return r.compile(rounds)
	}
	return nil
}

// idle measures what the library costs a program that does nothing with it: each figure is the difference to, or
// is printed next to, the same program without the library.
func (r *results) idle(build string, rounds int) error {
	with, without := filepath.Join(build, "bench_idle"), filepath.Join(build, "bench_idle_plain")
	sub := newResults([]peer{{name: "with"}, {name: "without"}})
	for range rounds {
		fmt.Fprintln(os.Stderr, "bench: idle for 2 s, with and without the library")
		for i, program := range []string{with, without} {
			if err := sub.read(exec.Command(program, "rest", "2"), i); err != nil {
				return err
			}
		}
	}
	memory, plain := sub.value("resident memory", "with"), sub.value("resident memory", "without")
	r.keep("idle: resident memory, with the library", "MB", 0, memory)
	r.keep("idle: resident memory, more than without", "MB", 0, memory-plain)
	r.keep("idle: of it private, not pages of the program's file", "MB", 0, sub.value("private memory", "with")-sub.value("private memory", "without"))
	r.keep("idle: wake-ups of its threads in 2 s", "per s", 0, sub.value("wake-ups", "with"))
	a, b, err := alternate(20*rounds, wall, func() *exec.Cmd { return exec.Command(with, "start") },
		func() *exec.Cmd { return exec.Command(without, "start") })
	if err != nil {
		return err
	}
	r.keep("start-up: program with init and finalize, start to end", "ms", 0, a)
	r.keep("start-up: more than without the library", "ms", 0, a-b)
	served := filepath.Join(build, "bench_idle_served")
	a, b, err = alternate(20*rounds, wall, func() *exec.Cmd { return exec.Command(served, "start") },
		func() *exec.Cmd { return exec.Command(without, "start") })
	if err != nil {
		return err
	}
	r.keep(servedRow, "ms", 0, a-b)
	return nil
}

const servedRow = "portable::allocate without a block of the pool: more than without it"

// clock says how long a command that has ended took.
type clock func(cmd *exec.Cmd, since time.Time) time.Duration

func wall(_ *exec.Cmd, since time.Time) time.Duration { return time.Since(since) }

// processor is for compilers, which have one thread: time that others of the machine took does not count.
func processor(cmd *exec.Cmd, _ time.Time) time.Duration {
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// alternate runs two commands in turn and gives the shortest time of each in milliseconds.
func alternate(times int, took clock, first, second func() *exec.Cmd) (a, b float64, err error) {
	best := [2]time.Duration{time.Hour, time.Hour}
	for range times {
		for i, command := range []func() *exec.Cmd{first, second} {
			cmd := command()
			begin := time.Now()
			if output, err := cmd.CombinedOutput(); err != nil {
				return 0, 0, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, output)
			}
			best[i] = min(best[i], took(cmd, begin))
		}
	}
	return best[0].Seconds() * 1e3, best[1].Seconds() * 1e3, nil
}

const (
	plainFile = "subroutine s(n, x)\n  integer, intent(in) :: n\n  real(8), intent(out) :: x(n)\n  x = 0\nend subroutine\n"
	usingFile = "subroutine s(n, x)\n  use gator_mod\n  integer, intent(in) :: n\n  real(8), intent(out) :: x(n)\n  x = 0\nend subroutine\n"
)

// compile measures what the Fortran module costs the compiler.
func (r *results) compile(rounds int) error {
	if _, err := exec.LookPath("gfortran"); err != nil {
		fmt.Fprintln(os.Stderr, "bench: no gfortran, the compile times are left out")
		return nil
	}
	work, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	sources := filepath.Join(work, "sources")
	if err := moduleSources(sources); err != nil {
		return err
	}
	source := filepath.Join(sources, "gator_mod.F90")
	compiler := func(file string) func() *exec.Cmd {
		return func() *exec.Cmd {
			cmd := exec.Command("gfortran", "-O2", "-c", file)
			cmd.Dir = work
			return cmd
		}
	}
	for name, text := range map[string]string{"plain.f90": plainFile, "using.f90": usingFile} {
		if err := os.WriteFile(filepath.Join(work, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	fmt.Fprintln(os.Stderr, "bench: compile times")
	module, _, err := alternate(rounds, processor, compiler(source), compiler("plain.f90"))
	if err != nil {
		return err
	}
	using, plain, err := alternate(10*rounds, processor, compiler("using.f90"), compiler("plain.f90"))
	if err != nil {
		return err
	}
	config, err := sourceConfig(work)
	if err != nil {
		return err
	}
	modules, _, err := alternate(rounds, processor, func() *exec.Cmd {
		return exec.Command("sh", config, "--build-modules", "--fc", "gfortran", "--fcflags", "-O2 -g", filepath.Join(work, "modules"))
	}, compiler("plain.f90"))
	if err != nil {
		return err
	}
	r.keep("compile time: gator_mod, gfortran -O2", "s", 0, module/1e3)
	r.keep("compile time: the modules that gator_mod and portable_mod need, gfortran -O2 -g", "s", 0, modules/1e3)
	r.keep("compile time: a file that uses it, more than without", "ms", 0, using-plain)
	return nil
}

// moduleSources makes a folder that holds the sources of the modules as an installation has them: those of fortran/ and
// the generated ones.
func moduleSources(folder string) error {
	generated := folder + ".generated"
	if output, err := exec.Command("go", "run", "./internal/gen", "-o", generated).CombinedOutput(); err != nil {
		return fmt.Errorf("go run ./internal/gen: %w\n%s", err, output)
	}
	if err := os.Mkdir(folder, 0o777); err != nil {
		return err
	}
	patterns := []string{filepath.Join(generated, "fortran/*.inc")}
	for _, from := range []string{"gator", "core", "arrays", "algorithms"} { // golden/ has samples of the generated ones
		patterns = append(patterns, "fortran/"+from+"/*.F90", "fortran/"+from+"/*.inc")
	}
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil {
			return err
		}
		for _, file := range files {
			if file, err = filepath.Abs(file); err != nil {
				return err
			}
			if err := os.Symlink(file, filepath.Join(folder, filepath.Base(file))); err != nil {
				return err
			}
		}
	}
	return nil
}

// sourceConfig makes a portable-config below work that finds the modules of moduleSources: what users call, without an
// installation.
func sourceConfig(work string) (string, error) {
	text, err := os.ReadFile("packaging/portable-config.in")
	if err != nil {
		return "", err
	}
	bin := filepath.Join(work, "bin")
	if err := os.Mkdir(bin, 0o777); err != nil {
		return "", err
	}
	config := filepath.Join(bin, "portable-config")
	ways := strings.NewReplacer("@PORTABLE_BIN_TO_MODULES@", "../sources", "@PORTABLE_BIN_TO_PREFIX@", "..", "@PORTABLE_BIN_TO_LIB@", "..",
		"@PORTABLE_BIN_TO_INCLUDE@", "..")
	return config, os.WriteFile(config, []byte(ways.Replace(string(text))), 0o666)
}
