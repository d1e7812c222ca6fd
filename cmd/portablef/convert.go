package main

// This file is `portablef convert`: it writes a generated source for each source.

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"libportable/cmd/portablef/internal/job"
	"libportable/cmd/portablef/internal/output"
	"libportable/cmd/portablef/internal/program"
	"libportable/internal/fortran/flags"
)

func convertCommand() *cli.Command {
	const category = "conversion:"
	return &cli.Command{
		Name:      "convert",
		Usage:     "write NAME.pf.F90 for each source: its nests are launches on threads",
		ArgsUsage: "FILE...",
		Description: "Nests with a directive are converted, or refused with the reason. All files are read together: one may use what another one declares.\n" +
			"A file whose text would not change keeps its time. A file with a nest that is refused is not written.\n" +
			"Exit code: 1 if a nest that a directive asks for is refused, 2 if a file cannot be read or written.",
		Flags: append(append([]cli.Flag{
			&cli.BoolFlag{Name: "auto", Usage: "take every nest that is proved, without a directive too; others stay serial and are listed", Category: category},
			&cli.StringFlag{Name: "only", Usage: "write for `TARGET` only: host", Category: category},
			&cli.StringFlag{Name: "device", Usage: "write a version for `DEVICE` too: gpu (or cuda, hip, opencl: it is the same); nests without one stay on the host, with a warning", Category: category},
			&cli.StringFlag{Name: "out", Value: ".", Usage: "write into `FOLDER`", Category: category},
			&cli.StringFlag{Name: "depfile", Usage: "write the names of all files that were read into `FILE`, as make and Ninja read them", Category: category},
			&cli.StringFlag{Name: "job", Usage: "take sources, outputs and flags from `FILE`, which a build system writes", Category: category},
			&cli.BoolFlag{Name: "check", Usage: "write bodies that PORTABLE_CHECK=races runs, for all nests", Category: category},
			&cli.BoolFlag{Name: "always-launch", Usage: "launch nests with few operations too, which else run as the plain loop", Category: category},
			&cli.BoolFlag{Name: "strict", Usage: "count warnings as errors", Category: category},
			&cli.BoolFlag{Name: "no-line-markers", Usage: "messages and debuggers name the generated file, not the source", Category: category},
			&cli.BoolFlag{Name: "bits", Usage: "take exp, log, ** and their like from portable_math_mod, with the same bits on all hosts and devices", Category: category},
			&cli.BoolFlag{Name: "allocate", Usage: "not yet", Category: category, Hidden: true},
		}, sourceFlags()...), printingFlags()...),
		Action: convertAction,
	}
}

// conversion is what is to be done.
type conversion struct {
	inputs  []program.Input
	outputs map[string]string // by the name of the source
	depfile string
	stamp   string
}

func convertAction(c *cli.Context) error {
	if err := checkPrinting(c); err != nil {
		return err
	}
	if c.Bool("allocate") {
		return errors.New("--allocate is not taken yet; remove it")
	}
	if only := c.String("only"); only != "" && only != "host" {
		return fmt.Errorf("--only=%s is not taken yet; use host", only)
	}
	if err := checkDevice(c); err != nil {
		return err
	}
	todo, err := toConvert(c)
	if err != nil {
		return err
	}
	p, err := read(c, todo.inputs, c.Bool("auto"))
	if err != nil {
		return err
	}
	return todo.run(c, p)
}

// checkDevice tests the device that is asked for. One text serves all: "gpu" is the word that belongs to no vendor.
func checkDevice(c *cli.Context) error {
	if device := c.String("device"); !slices.Contains([]string{"", "gpu", "cuda", "hip", "opencl"}, device) {
		return fmt.Errorf("--device=%s is not taken; use gpu (or cuda, hip, opencl: the text is the same)", device)
	}
	return nil
}

// toConvert reads the command line, or the job.
func toConvert(c *cli.Context) (*conversion, error) {
	todo := &conversion{outputs: map[string]string{}, depfile: c.String("depfile")}
	var err error
	if path := c.String("job"); path != "" {
		return todo, todo.fromJob(c, path)
	}
	if todo.inputs, err = inputs(c); err != nil {
		return nil, err
	}
	from := map[string]string{}
	for _, in := range todo.inputs {
		if in.Modules {
			continue
		}
		base := filepath.Base(in.Name)
		path := filepath.Join(c.String("out"), strings.TrimSuffix(base, filepath.Ext(base))+generatedSuffix)
		if other := from[path]; other != "" && other != in.Name {
			return nil, fmt.Errorf("%s and %s would both be written to %s; convert them in two runs with different --out", other, in.Name, path)
		}
		from[path], todo.outputs[in.Name] = in.Name, path
	}
	return todo, nil
}

func (todo *conversion) fromJob(c *cli.Context, path string) error {
	if c.NArg() > 0 {
		return errors.New("--job names the sources; leave out those on the command line")
	}
	j, err := job.Read(path)
	if err != nil {
		return err
	}
	own, err := compilerFlags(c)
	if err != nil {
		return err
	}
	shared := append(j.Flags, own...)
	compiler := c.String("fc")
	if j.Compiler != "" {
		compiler = j.Compiler
	}
	add := func(name string, more []string, modules bool) error {
		f, err := flags.Read(compiler, append(append([]string{}, shared...), more...))
		todo.inputs = append(todo.inputs, program.Input{Name: name, Flags: f, Modules: modules})
		return err
	}
	for _, s := range j.Sources {
		if err := add(s.Name, s.Flags, false); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		todo.outputs[s.Name] = s.Output
	}
	for _, name := range j.With {
		if err := add(name, nil, true); err != nil {
			return err
		}
	}
	todo.stamp = j.Stamp
	if todo.depfile == "" {
		todo.depfile = j.Depfile
	}
	return nil
}

// run writes the generated files, then says what was done.
func (todo *conversion) run(c *cli.Context, p *program.Program) error {
	r := p.Report("convert")
	if device := c.String("device"); device != "" {
		p.HostOnly(r, device)
	}
	e := program.Emission{Device: c.String("device") != "", Check: c.Bool("check"), Markers: !c.Bool("no-line-markers"), Always: c.Bool("always-launch")}
	var written []string
	for i, in := range p.Inputs {
		if in.Modules || r.FileFailed(in.Name, c.Bool("strict")) {
			continue
		}
		path := todo.outputs[in.Name]
		text, err := p.Generate(i, path, e)
		if err != nil {
			r.Messages = append(r.Messages, p.NotWritten(i, err)...)
			continue
		}
		if _, err := output.Write(path, text); err != nil {
			return err
		}
		if err := output.Refresh(path, p.Files[i].Includes); err != nil {
			return err
		}
		written = append(written, path)
		r.SetOutput(in.Name, path)
	}
	r.Sort()
	if err := write(c, r, c.App.ErrWriter, r.WriteText); err != nil {
		return err
	}
	if r.Failed(c.Bool("strict")) {
		return cli.Exit("", refused)
	}
	return todo.finish(p, written)
}

// finish writes what build systems ask for. They see it only if all went well.
func (todo *conversion) finish(p *program.Program, written []string) error {
	if todo.depfile != "" {
		targets := written
		if todo.stamp != "" {
			targets = []string{todo.stamp}
		}
		if _, err := output.Write(todo.depfile, output.Depfile(targets, p.Names())); err != nil {
			return err
		}
	}
	if todo.stamp != "" {
		return output.Touch(todo.stamp)
	}
	return nil
}
