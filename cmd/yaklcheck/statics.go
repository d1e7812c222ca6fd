package main

// This file is `yaklcheck statics`: it reports static data that kernels assign, from an executable.
// Package statics finds them.

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"libportable/cmd/yaklcheck/internal/findings"
	"libportable/cmd/yaklcheck/internal/statics"
	"libportable/cmd/yaklcheck/internal/trace"
	"libportable/internal/report"
)

func staticsCommand() *cli.Command {
	return &cli.Command{
		Name:      "statics",
		Usage:     "read an executable, and report the SAVE, COMMON and static data that kernels assign",
		ArgsUsage: "PROGRAM",
		Description: "The program is not run; it needs debug information (-g). With -O0 or -O1, statics finds more than with -O3. Kernels are the\n" +
			"procedures that take a tile. statics follows their calls, also into code without source.\n" +
			"Exit code: 1 (or --error-exitcode) if there are findings, 2 if the program cannot be read.",
		Flags: append([]cli.Flag{
			&cli.StringSliceFlag{Name: "trace", Usage: "examine only procedures that the trace `FILE` shows under a kernel", Category: "programs:"},
		}, tellingFlags()...),
		Action: staticsAction,
	}
}

var staticKinds = map[statics.Kind]*findings.Kind{
	statics.Saved:  {Name: "saved-local", Title: "A local variable with SAVE is one for all threads", Level: "error"},
	statics.Large:  {Name: "static-array", Title: "A large local array is in static memory", Level: "error"},
	statics.Module: {Name: "shared-scalar", Title: "A variable that a kernel assigns is shared by all threads", Level: "error"},
	statics.Main:   {Name: "shared-scalar", Title: "A variable that a kernel assigns is shared by all threads", Level: "error"},
	statics.Common: {Name: "common-data", Title: "A kernel assigns COMMON, which all threads share", Level: "error"},
}

func staticsAction(c *cli.Context) error {
	if c.NArg() != 1 {
		return errors.New("statics reads one program: yaklcheck statics [options] PROGRAM")
	}
	o, err := telling(c)
	if err != nil {
		return err
	}
	path := c.Args().First()
	var options statics.Options
	var notes []string
	if files := c.StringSlice("trace"); len(files) > 0 {
		if options.Seen, err = underKernels(files, path); err != nil {
			return err
		}
		if len(options.Seen) == 0 {
			options.Seen = nil
			notes = append(notes, "the trace has no stack of this program under a kernel: all kernels are examined")
		}
	}
	found, err := statics.Check(path, options)
	if err != nil {
		return err
	}
	r := &findings.Report{Program: path, Notes: append(notes, found.Notes...)}
	if n := len(found.Kernels); n > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d of %d procedures with debug information were read: %s, and what they call", found.Reached,
			found.Procedures, report.Plural(n, "kernel")))
	}
	for _, f := range found.Findings {
		what, remedy := staticWords(f)
		r.Findings = append(r.Findings, findings.Told(staticKinds[f.What], f.Variable, what, remedy,
			findings.Place{Procedure: f.Procedure, File: f.At, Line: f.AtLine}, findings.Place{File: f.File, Line: f.Line}))
	}
	return o.tell(c, r)
}

func staticWords(f statics.Finding) (what, remedy string) {
	in := fmt.Sprintf("in the kernel '%s'", f.Procedure)
	if f.Procedure != f.Kernel {
		in = fmt.Sprintf("in '%s' (called by the kernel '%s')", f.Procedure, f.Kernel)
	}
	switch f.What {
	case statics.Large:
		return fmt.Sprintf("the array '%s' (%d bytes) %s is in static memory, one for all threads", f.Variable, f.Bytes, in),
			"compile with -frecursive (or -fopenmp), or write recursive in front of the procedure; -fmax-stack-var-size moves the limit"
	case statics.Saved:
		return fmt.Sprintf("'%s' (%d bytes) %s keeps its value between calls: one for all threads", f.Variable, f.Bytes, in),
			"leave SAVE out, and give it its value in a statement; or !$omp threadprivate with the device openmp"
	case statics.Common:
		name := "COMMON /" + f.Block + "/"
		if f.Variable != "" {
			name = fmt.Sprintf("'%s' of COMMON /%s/", f.Variable, f.Block)
		}
		return fmt.Sprintf("%s is assigned %s: all threads share it", name, in), "make it a local variable or an argument"
	case statics.Main:
		return fmt.Sprintf("'%s' of the main program is assigned %s: all threads share it", f.Variable, in), "declare it in the kernel"
	}
	owner := "a global variable"
	if f.Owner != "" {
		owner = fmt.Sprintf("of the module '%s'", f.Owner)
	}
	return fmt.Sprintf("'%s' (%d bytes), %s, is assigned %s: all threads share it", f.Variable, f.Bytes, owner, in),
		"declare it in the kernel; a sum or an extreme is one for parallel_reduce"
}

// underKernels are the stacks of threads that ran a kernel, in addresses of the program's file.
func underKernels(files []string, program string) (stacks [][]uint64, err error) {
	base := filepath.Base(program)
	if real, err := filepath.EvalSymlinks(program); err == nil {
		base = filepath.Base(real)
	}
	for _, path := range files {
		f, err := trace.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for _, id := range slices.Sorted(maps.Keys(f.Stacks)) {
			s := f.Stacks[id]
			if s.Kernel == "" {
				continue
			}
			var stack []uint64
			known := false
			for i, pc := range s.PC {
				if i > 0 || !s.Exact() {
					pc-- // the call is before it
				}
				at := uint64(0)
				for _, m := range f.Modules {
					if pc >= m.Start && pc < m.End && filepath.Base(m.Path) == base {
						at, known = pc-m.Bias, true
					}
				}
				stack = append(stack, at)
			}
			if known {
				stacks = append(stacks, stack)
			}
		}
	}
	return stacks, nil
}
