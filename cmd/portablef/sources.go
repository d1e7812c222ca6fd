package main

// This file holds the options about sources: which are read, and as which compiler reads them.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"libportable/cmd/portablef/internal/program"
	"libportable/internal/fortran/files"
	"libportable/internal/fortran/flags"
	"libportable/internal/report"
)

func sourceFlags() []cli.Flag {
	const category = "sources:"
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "include", Aliases: []string{"I"}, Usage: "look for included files in `FOLDER`, too", Category: category},
		&cli.StringSliceFlag{Name: "define", Aliases: []string{"D"}, Usage: "define the macro `NAME[=VALUE]`", Category: category},
		&cli.StringSliceFlag{Name: "undefine", Aliases: []string{"U"}, Usage: "undefine the macro `NAME`", Category: category},
		&cli.StringSliceFlag{Name: "fc-flags", Usage: "the compiler's `FLAGS`: those for kinds, form, preprocessor and OpenMP count", Category: category},
		&cli.StringFlag{Name: "fc", Value: "gfortran", Usage: "the compiler's `NAME`, for its own macros: gfortran, flang", Category: category},
		&cli.StringSliceFlag{Name: "with", Usage: "read `PATH` for its modules and procedures; its nests are not looked at", Category: category},
		&cli.StringFlag{Name: "accept", Value: "omp,acc,do-concurrent", Usage: "take these directives of others: `LIST` of omp, acc, do-concurrent, or none", Category: category},
	}
}

// compilerFlags are the words of all options that change what a source means.
func compilerFlags(c *cli.Context) (words []string, err error) {
	for _, text := range c.StringSlice("fc-flags") {
		more, err := flags.Split(text)
		if err != nil {
			return nil, err
		}
		words = append(words, more...)
	}
	for _, option := range []struct{ name, flag string }{{"include", "-I"}, {"define", "-D"}, {"undefine", "-U"}} {
		for _, value := range c.StringSlice(option.name) {
			words = append(words, option.flag+value)
		}
	}
	return words, nil
}

// inputs are the sources on the command line, and those of --with.
func inputs(c *cli.Context) ([]program.Input, error) { return inputsOf(c, c.Args().Slice()) }

func inputsOf(c *cli.Context, paths []string) (all []program.Input, err error) {
	if len(paths) == 0 {
		return nil, fmt.Errorf("no source to read: `portablef %s [options] %s`", c.Command.Name, c.Command.ArgsUsage)
	}
	words, err := compilerFlags(c)
	if err != nil {
		return nil, err
	}
	read, err := flags.Read(c.String("fc"), words)
	if err != nil {
		return nil, err
	}
	for _, group := range []struct {
		paths   []string
		modules bool
	}{{paths, false}, {c.StringSlice("with"), true}} {
		names, err := files.Named(group.paths, original)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			all = append(all, program.Input{Name: name, Flags: read, Modules: group.modules})
		}
	}
	return all, nil
}

// generatedSuffix is the end of the names of generated files. They are no sources.
const generatedSuffix = ".pf.F90"

func original(path string) bool {
	return files.IsSource(path) && !strings.HasSuffix(path, generatedSuffix)
}

// accepted reads --accept.
func accepted(list string) (map[string]bool, error) {
	accept := map[string]bool{}
	for word := range strings.SplitSeq(list, ",") {
		switch word = strings.TrimSpace(word); {
		case word == "none" || word == "":
		case slices.Contains([]string{"omp", "acc", "do-concurrent"}, word):
			accept[word] = true
		default:
			return nil, fmt.Errorf("--accept=%s: %q is not known; use omp, acc, do-concurrent, separated by commas, or none", list, word)
		}
	}
	return accept, nil
}

// readAuto reads the sources of the command line, with verdicts about all nests. It tests the options of printing first.
func readAuto(c *cli.Context) (*program.Program, error) {
	if err := checkPrinting(c); err != nil {
		return nil, err
	}
	all, err := inputs(c)
	if err != nil {
		return nil, err
	}
	return read(c, all, true)
}

// read reads the sources, with a line of progress.
func read(c *cli.Context, all []program.Input, auto bool) (*program.Program, error) {
	accept, err := accepted(c.String("accept"))
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, errors.New("no source to read")
	}
	progress := report.NewProgress(c.App.ErrWriter, "reading", len(all))
	defer progress.End()
	return program.Read(all, program.Options{Auto: auto, Accept: accept, Bits: c.Bool("bits"), Always: c.Bool("always-launch"), Device: c.String("device") != "", Step: progress.Step,
		Original: c.Command.Name == "fix"})
}
