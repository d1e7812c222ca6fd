package main

// This file is `yaklcheck lint`: it reads sources and reports data that threads share. Package lint
// finds them.

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"libportable/cmd/yaklcheck/internal/findings"
	"libportable/cmd/yaklcheck/internal/lint"
	"libportable/internal/fortran/files"
	"libportable/internal/outside"
	"libportable/internal/report"
)

func lintCommand() *cli.Command {
	return &cli.Command{
		Name:      "lint",
		Usage:     "read Fortran sources, and report data that threads share in kernels: scalars, saved locals, sums",
		ArgsUsage: "FILE.F90...",
		Description: "Files are read together: one may use what another one declares. A folder stands for all sources in it and below.\n" +
			"`! yaklcheck: ok` on a line, or at the declaration of a variable, suppresses findings there.\n" +
			"Exit code: 1 (or --error-exitcode) if there are findings, 2 if a file cannot be read.",
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "hints", Usage: "also report what is slow, and what is wrong for some data only", Category: "sources:"},
			&cli.BoolFlag{Name: "fixed", Usage: "read all files in fixed form (else .f, .for, .ftn, .f77, .fpp)", Category: "sources:"},
			&cli.BoolFlag{Name: "free", Usage: "read all files in free form", Category: "sources:"},
			&cli.IntFlag{Name: "columns", Value: 72, Usage: "last column of fixed form is `N`; 0: no limit", Category: "sources:"},
			&cli.StringSliceFlag{Name: "include", Aliases: []string{"I"}, Usage: "look for included files in `FOLDER`, too", Category: "sources:"},
			&cli.BoolFlag{Name: "recursive", Usage: "the files are compiled with -frecursive or -fopenmp", Category: "sources:"},
		}, tellingFlags()...),
		Action: lintAction,
	}
}

var levels = map[lint.Level]string{lint.Error: "error", lint.Warning: "warning", lint.Hint: "note"}

func lintAction(c *cli.Context) error {
	if c.NArg() == 0 {
		return errors.New("no source to read: `yaklcheck lint [options] FILE.F90...`")
	}
	o, err := telling(c)
	if err != nil {
		return err
	}
	if c.Bool("fixed") && c.Bool("free") {
		return errors.New("--fixed and --free: a source has one form")
	}
	columns := c.Int("columns")
	if columns < 0 {
		return fmt.Errorf("--columns=%d: 72 or 132, or 0 for lines without end", columns)
	}
	read, err := sources(c.Args().Slice())
	if err != nil {
		return err
	}
	if columns == 0 {
		columns = -1
	}
	found := lint.Check(read, lint.Options{Fixed: c.Bool("fixed"), Free: c.Bool("free"), Columns: columns, Hints: c.Bool("hints"),
		AllRecursive: c.Bool("recursive"), Folders: c.StringSlice("include"),
		Open: func(path string) ([]byte, error) { return outside.ReadFile(path, outside.TextMost) }})
	r := &findings.Report{Program: read[0].Name, Notes: lintNotes(found)}
	if len(read) > 1 {
		r.Program = fmt.Sprintf("%d files", len(read))
	}
	kinds := map[lint.Rule]*findings.Kind{}
	for _, f := range found.Findings {
		kind := kinds[f.Rule]
		if kind == nil || kind.Level != levels[f.Level] {
			kind = &findings.Kind{Name: string(f.Rule), Title: f.Rule.Title(), Level: levels[f.Level]}
			kinds[f.Rule] = kind
		}
		declared := f.Declared
		if declared == f.Where {
			declared = lint.Place{}
		}
		r.Findings = append(r.Findings, findings.Told(kind, f.Name, f.Text, f.Remedy,
			findings.Place{Procedure: f.Procedure, File: f.Where.File, Line: f.Where.Line},
			findings.Place{File: declared.File, Line: declared.Line}))
	}
	return o.tell(c, r)
}

func lintNotes(found lint.Report) (notes []string) {
	if len(found.Kernels) == 0 {
		return []string{"the files have no kernel: no procedure is launched by parallel_for or similar calls, or takes a tile"}
	}
	notes = append(notes, fmt.Sprintf("%s and %s that they call were read", report.Plural(len(found.Kernels), "kernel"),
		report.Plural(len(found.Called), "procedure")))
	if len(found.NotSeen) > 0 {
		const most = 12
		names := strings.Join(found.NotSeen[:min(most, len(found.NotSeen))], ", ")
		if n := len(found.NotSeen) - most; n > 0 {
			names += fmt.Sprintf(" and %d more", n)
		}
		notes = append(notes, "called in them, but not among the files: "+names)
	}
	return notes
}

// sources reads files, and of a folder all Fortran sources.
func sources(paths []string) (all []lint.File, err error) {
	names, err := files.Named(paths, nil)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := outside.ReadArgument(name, outside.TextMost)
		if err != nil {
			return nil, err
		}
		all = append(all, lint.File{Name: name, Text: text})
	}
	return all, nil
}
