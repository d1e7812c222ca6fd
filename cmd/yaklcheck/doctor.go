package main

// This file is `yaklcheck doctor`: it prints the problems of this environment. Package doctor finds
// them.

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"libportable/cmd/yaklcheck/internal/doctor"
	"libportable/cmd/yaklcheck/internal/findings/child"
	"libportable/internal/command"
	"libportable/internal/outside"
	"libportable/internal/report"
)

func doctorCommand() *cli.Command {
	return &cli.Command{
		Name:      "doctor",
		Usage:     "examine this environment and a program, and report problems, each with a remedy",
		ArgsUsage: "[PROGRAM]",
		Description: "It runs nothing and changes nothing. Start it as you start the program: under mpirun, in the batch job, in the container.\n" +
			"Exit code: 1 (or --error-exitcode) if there are warnings, 2 if the program cannot be read.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "format", Value: "text", Usage: "`FORM`: text or json"},
			&cli.IntFlag{Name: "error-exitcode", Value: foundSomething, Usage: "end with `N` if there are warnings"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print notes and warnings only"},
		},
		Action: doctorAction,
	}
}

func doctorAction(c *cli.Context) error {
	if c.NArg() > 1 {
		return errors.New("doctor examines one program: yaklcheck doctor [options] [PROGRAM]")
	}
	if err := command.OneOf(c, "format", "text", "json"); err != nil {
		return err
	}
	var image []byte
	name := c.Args().First()
	if name != "" {
		path, err := child.Find(name)
		if err != nil {
			return err
		}
		if image, err = outside.ReadFile(path, outside.ProgramMost); err != nil {
			return err
		}
	}
	s := &doctor.System{Root: os.DirFS("/"), Env: map[string]string{}, Open: func(path string) error {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err == nil {
			err = f.Close()
		}
		return err
	}}
	for _, pair := range os.Environ() {
		key, value, _ := strings.Cut(pair, "=")
		s.Env[key] = value
	}
	verdicts := doctor.Check(s, name, image)
	counts := map[doctor.Level]int{}
	for _, v := range verdicts {
		counts[v.Level]++
	}
	if c.String("format") == "json" {
		if err := report.Encode(c.App.Writer, map[string]any{"schema": "yaklcheck-doctor", "version": 1, "tool": "yaklcheck " + version, "program": name,
			"warnings": counts[doctor.Warning], "notes": counts[doctor.Note], "verdicts": verdicts}); err != nil {
			return err
		}
	} else {
		writeVerdicts(c.App.Writer, verdicts, c.Bool("quiet"))
	}
	if counts[doctor.Warning] > 0 {
		return cli.Exit("", c.Int("error-exitcode"))
	}
	return nil
}

func writeVerdicts(to io.Writer, verdicts []doctor.Verdict, quiet bool) {
	for _, v := range verdicts {
		if quiet && v.Level == doctor.OK {
			continue
		}
		fmt.Fprintf(to, "%-7s  %s: %s\n", v.Level, v.Subject, v.Text)
		if v.Remedy != "" {
			fmt.Fprintf(to, "         -> %s\n", v.Remedy)
		}
	}
}
