package main

// This file holds the options about reports, and writes them.

import (
	"errors"
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"libportable/cmd/portablef/internal/verdicts"
	"libportable/internal/command"
	"libportable/internal/report"
)

func printingFlags() []cli.Flag {
	const category = "report:"
	return []cli.Flag{
		&cli.BoolFlag{Name: "json", Usage: "write the report as JSON to standard output", Category: category},
		&cli.BoolFlag{Name: "sarif", Usage: "write the report as SARIF 2.1.0 to standard output", Category: category},
		&cli.StringFlag{Name: "color", Value: "auto", Usage: "`WHEN`: auto (on a terminal), always, never", Category: category},
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print errors, warnings and refused nests only", Category: category},
		&cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Usage: "print each nest that stays serial, too", Category: category},
	}
}

// checkPrinting tests these options before the work begins.
func checkPrinting(c *cli.Context) error {
	if c.Bool("json") && c.Bool("sarif") {
		return errors.New("--json and --sarif: a report has one form")
	}
	return command.OneOf(c, "color", "auto", "always", "never")
}

// write writes a report in its form. Text is written by write, to the writer to.
func write(c *cli.Context, r *verdicts.Report, to io.Writer, write func(io.Writer, verdicts.TextOptions) error) error {
	switch {
	case c.Bool("json"):
		return r.WriteJSON(c.App.Writer, version)
	case c.Bool("sarif"):
		root, err := os.Getwd()
		if err != nil {
			root = ""
		}
		return r.WriteSARIF(c.App.Writer, version, root)
	}
	return write(to, verdicts.TextOptions{Color: report.Colored(c.String("color"), to), Quiet: c.Bool("quiet"), Verbose: c.Bool("verbose")})
}
