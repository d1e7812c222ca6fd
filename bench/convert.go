package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// In this file: how long portablef takes to convert sources, and the compiler to compile the same sources.

// sourceSet is some files, in an order in which they can be compiled. A file that several patterns name counts once.
type sourceSet struct {
	name, folder string
	patterns     []string
}

func (s sourceSet) row() string { return "convert " + s.name }

var sourceSets = []sourceSet{
	{"the shallow-water example", "examples/shallow_water", []string{"src/swe_kinds_mod.f90", "src/swe_config_mod.f90",
		"src/swe_[bdeiou]*_mod.f90", "src/swe_r*_mod.f90", "src_plain/*.f90", "src/swe_alone.f90", "src/swe_main.f90"}},
	{"the census", "bench/loops/census", []string{"support/support.f90", "support/interfaces.f90", "support/outside.f90",
		"atmosphere/grid.f90", "[a-r]*/*.f", "[a-r]*/*.[fF]90", "support/main.f90"}},
	{"the largest tests", "ffi_tests", []string{"support/check_mod.f90", "support/expect_mod.f90", "scorecard/programs/pool.f90", "reduce/more_sums.f90", "kernels/arguments.f90", "streams/streams.f90"}},
}

// conversion runs portablef and the compiler in turn.
func (r *results) conversion(build string, rounds int) error {
	tool, err := filepath.Abs(filepath.Join(build, "bin", "portablef"))
	if err != nil {
		return err
	}
	modules, err := filepath.Glob(filepath.Join(build, "portable_fortran", "fortran-*"))
	if err != nil {
		return err
	}
	flags := []string{"-O2"}
	for _, folder := range modules {
		if folder, err = filepath.Abs(folder); err != nil {
			return err
		}
		flags = append(flags, "-I"+folder)
	}
	for _, set := range sourceSets {
		if err := r.convert(tool, set, flags, rounds); err != nil {
			return err
		}
	}
	return nil
}

func (r *results) convert(tool string, set sourceSet, flags []string, rounds int) error {
	fmt.Fprintln(os.Stderr, "bench:", set.row())
	files, err := set.files()
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	// A job, as CMake writes it: files of one name in two folders need outputs of two names.
	job := &strings.Builder{}
	fmt.Fprintf(job, "compiler GNU\nflags %s\n", strings.Join(flags, " "))
	for i, file := range files {
		fmt.Fprintf(job, "source %s\noutput %s/%d.pf.F90\n", file, work, i)
	}
	if err := os.WriteFile(filepath.Join(work, "job"), []byte(job.String()), 0o666); err != nil {
		return err
	}
	command := func(words ...string) func() *exec.Cmd {
		return func() *exec.Cmd {
			cmd := exec.Command(words[0], words[1:]...)
			cmd.Dir = work
			return cmd
		}
	}
	compile := append(append([]string{"gfortran", "-w", "-c"}, flags...), files...)
	ours, theirs, err := alternate(rounds, processor, command(tool, "convert", "--auto", "--quiet", "--job", "job"), command(compile...))
	if err != nil {
		return err
	}
	r.keep(set.row(), "ms", r.column(pool), ours)
	r.keep(set.row(), "ms", r.column(gfortran), theirs)
	return nil
}

func (s sourceSet) files() (files []string, err error) {
	seen := map[string]bool{}
	for _, pattern := range s.patterns {
		found, err := filepath.Glob(filepath.Join(s.folder, pattern))
		if err == nil && len(found) == 0 {
			err = fmt.Errorf("no file of %s matches %s", s.folder, pattern)
		}
		if err != nil {
			return nil, err
		}
		for _, file := range found {
			if file, err = filepath.Abs(file); err != nil {
				return nil, err
			}
			if !seen[file] {
				seen[file] = true
				files = append(files, file)
			}
		}
	}
	return files, nil
}
