package main

// This file is `portablef survey`: a verdict for each nest; nothing is written.

import (
	"github.com/urfave/cli/v2"
)

func surveyCommand() *cli.Command {
	return &cli.Command{
		Name:      "survey",
		Usage:     "give a verdict for each loop nest, and convert nothing",
		ArgsUsage: "FILE|FOLDER...",
		Description: "Files are read together: one may use what another one declares. A folder stands for all sources in it and below.\n" +
			"Exit code: 1 if a nest that a directive asks for is refused, 2 if a file cannot be read.",
		Flags: append(append([]cli.Flag{
			&cli.StringFlag{Name: "device", Usage: "say which nests have a version for `DEVICE`, too: gpu", Category: "conversion:"},
		}, sourceFlags()...), printingFlags()...),
		Action: surveyAction,
	}
}

func surveyAction(c *cli.Context) error {
	if err := checkDevice(c); err != nil {
		return err
	}
	p, err := readAuto(c)
	if err != nil {
		return err
	}
	r := p.Report("survey")
	if device := c.String("device"); device != "" {
		p.HostOnly(r, device)
		r.Sort()
	}
	if err := write(c, r, c.App.Writer, r.WriteSurvey); err != nil {
		return err
	}
	if r.Failed(false) {
		return cli.Exit("", refused)
	}
	return nil
}
