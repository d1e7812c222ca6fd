package main

// This file is `yaklcheck doctor`: it prints the problems of this environment. Package doctor finds
// them.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"libportable/cmd/yaklcheck/internal/doctor"
	"libportable/cmd/yaklcheck/internal/findings/child"
	"libportable/internal/outside"
)

func doctorCommand() *cli.Command {
	return &cli.Command{
		Name:      "doctor",
		Usage:     "look at this environment, and at a program, and tell what will hurt it there, each with a remedy",
		ArgsUsage: "[PROGRAM]",
		Description: "Nothing is run and nothing is changed. Start it as the program will be: below mpirun, in the batch job, in the container.\n" +
			"Exit code: 1 (or --error-exitcode) where there are warnings, 2 where the program can not be read.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "format", Value: "text", Usage: "`FORM`: text or json"},
			&cli.IntFlag{Name: "error-exitcode", Value: foundSomething, Usage: "end with `N` where there are warnings"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "leave out what is well"},
		},
		Action: doctorAction,
	}
}

func doctorAction(c *cli.Context) error {
	if c.NArg() > 1 {
		return errors.New("one program is looked at: yaklcheck doctor [options] [PROGRAM]")
	}
	if err := oneOf(c, "format", "text", "json"); err != nil {
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
		out := json.NewEncoder(c.App.Writer)
		out.SetIndent("", "  ")
		out.SetEscapeHTML(false)
		if err := out.Encode(map[string]any{"schema": "yaklcheck-doctor", "version": 1, "tool": "yaklcheck " + version, "program": name,
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
