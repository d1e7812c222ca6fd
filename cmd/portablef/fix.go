package main

// This file is `portablef fix`: it writes the directives that --auto would use into the sources.

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"libportable/cmd/portablef/internal/directives"
	"libportable/cmd/portablef/internal/output"
	"libportable/cmd/portablef/internal/verdicts"
	"libportable/internal/report"
)

func fixCommand() *cli.Command {
	return &cli.Command{
		Name:      "fix",
		Usage:     "write a directive before each nest that runs in parallel and has none",
		ArgsUsage: "FILE|FOLDER...",
		Description: "The sources change: each nest gets one comment line, all other bytes stay. The old source is kept as FILE.orig.\n" +
			"A second run changes nothing. `convert` then takes these nests without --auto.\n" +
			"Exit code: 1 if a nest that a directive asks for is refused, 2 if a file cannot be read or written.",
		Flags: append(append(sourceFlags(),
			&cli.BoolFlag{Name: "diff", Usage: "print the changes, and write nothing", Category: "changes:"},
			&cli.BoolFlag{Name: "clauses", Usage: "write the clauses that the tool derives, too", Category: "changes:"},
			&cli.BoolFlag{Name: "no-backup", Usage: "keep no FILE.orig", Category: "changes:"},
		), printingFlags()...),
		Action: fixAction,
	}
}

func fixAction(c *cli.Context) error {
	p, err := readAuto(c)
	if err != nil {
		return err
	}
	r := p.Report("fix")
	written, lines := 0, 0
	for _, change := range directives.Plan(p, c.Bool("clauses")) {
		for _, left := range change.Left {
			r.Messages = append(r.Messages, verdicts.Message{Place: p.Place(left.At), Level: "warning", Text: "no directive is written here: " + left.Reason,
				Remedy: "give the loop a line of its own, or use convert --auto"})
		}
		if len(change.Insertions) == 0 {
			continue
		}
		written, lines = written+1, lines+len(change.Insertions)
		if c.Bool("diff") {
			if _, err := io.WriteString(c.App.Writer, change.Diff()); err != nil {
				return err
			}
			continue
		}
		if !c.Bool("no-backup") {
			if _, err := output.Write(change.Name+".orig", change.Old); err != nil {
				return fmt.Errorf("the old source cannot be kept, so the new one is not written: %w", err)
			}
		}
		if _, err := output.Write(change.Name, change.New()); err != nil {
			return err
		}
	}
	err = write(c, r, c.App.ErrWriter, func(to io.Writer, o verdicts.TextOptions) error {
		o.Quiet = true // survey lists the nests
		if err := r.WriteText(to, o); err != nil || c.Bool("quiet") {
			return err
		}
		done := "were written"
		switch {
		case c.Bool("diff"):
			done = "would be written"
		case lines == 1:
			done = "was written"
		}
		_, err := fmt.Fprintf(to, "portablef: %s in %s %s\n", report.Plural(lines, "directive"), report.Plural(written, "file"), done)
		return err
	})
	if err == nil && r.Failed(false) {
		return cli.Exit("", refused)
	}
	return err
}
