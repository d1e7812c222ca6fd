package main

// This file holds the options that all reports share, and makes a report from traces.

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"libportable/cmd/yaklcheck/internal/findings"
	"libportable/cmd/yaklcheck/internal/trace"
	"libportable/internal/command"
	"libportable/internal/outside"
	"libportable/internal/report"
)

func reportFlags() []cli.Flag {
	const category = "report:"
	return []cli.Flag{
		&cli.StringFlag{Name: "format", Value: "text", Usage: "`FORM`: text, json or sarif", Category: category},
		&cli.StringFlag{Name: "output", Aliases: []string{"log-file", "o"}, Usage: "write the report into `FILE`; %p is the process, %r the rank", Category: category},
		&cli.StringFlag{Name: "leak-check", Value: "full", Usage: "`HOW`: full (each place that leaks), summary (their sum), no", Category: category},
		&cli.StringSliceFlag{Name: "suppressions", Usage: "leave out findings that `FILE` names; several are possible", Category: category},
		&cli.BoolFlag{Name: "gen-suppressions", Usage: "write an entry for each finding after the report", Category: category},
		&cli.IntFlag{Name: "error-exitcode", Value: foundSomething, Usage: "end with `N` if there are findings; 0: as the program did", Category: category},
		&cli.StringFlag{Name: "color", Value: "auto", Usage: "`WHEN`: auto (on a terminal), always, never", Category: category},
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print nothing if there is no finding", Category: category},
		&cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Usage: "whole stacks with the library's frames, hints, totals, unused suppressions", Category: category},
	}
}

// reporting holds the options of a report.
type reporting struct {
	format, output, color string
	leakCheck             string
	suppressions          *findings.Suppressions
	generate              bool
	findingsCode          int
	quiet, verbose        bool
	frames                int
	program               string // as the user named it; "": as the traces name it
	pid                   int
	ending                *findings.Ending // of the program that was run; nil: none was
	to                    io.Writer        // where the report goes; nil: standard error
}

// tellingFlags are the flags of reports without a run.
func tellingFlags() []cli.Flag {
	names := []string{"format", "output", "error-exitcode", "color", "quiet", "verbose"}
	return slices.DeleteFunc(reportFlags(), func(f cli.Flag) bool { return !slices.Contains(names, f.Names()[0]) })
}

// telling reads these flags. The report goes to standard output.
func telling(c *cli.Context) (*reporting, error) {
	if err := cmp.Or(command.OneOf(c, "format", "text", "json", "sarif"), command.OneOf(c, "color", "auto", "always", "never")); err != nil {
		return nil, err
	}
	o := &reporting{format: c.String("format"), output: c.String("output"), color: c.String("color"), findingsCode: c.Int("error-exitcode"),
		quiet: c.Bool("quiet"), verbose: c.Bool("verbose"), pid: os.Getpid(), to: c.App.Writer}
	if o.findingsCode < 0 || o.findingsCode > 255 {
		return nil, fmt.Errorf("--error-exitcode=%d: exit codes are from 0 to 255", o.findingsCode)
	}
	return o, nil
}

// tell writes a report and returns how to end. Hints alone are no reason to fail.
func (o *reporting) tell(c *cli.Context, r *findings.Report) error {
	if err := o.write(c, r); err != nil {
		return err
	}
	if slices.ContainsFunc(r.Findings, func(f *findings.Finding) bool { return f.Kind.Level != "note" }) {
		return cli.Exit("", o.findingsCode)
	}
	return nil
}

// reportOptions reads the options of reports of a run.
func reportOptions(c *cli.Context) (*reporting, error) {
	o, err := telling(c)
	if err != nil {
		return nil, err
	}
	if err := command.OneOf(c, "leak-check", "no", "summary", "full"); err != nil {
		return nil, err
	}
	o.leakCheck, o.generate, o.frames, o.suppressions, o.to = c.String("leak-check"), c.Bool("gen-suppressions"), c.Int("stack"), &findings.Suppressions{}, nil
	for _, path := range c.StringSlice("suppressions") {
		if err := o.suppressions.ReadSuppressions(path); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// report reads the traces, writes the report, and returns how to end: with programCode if there is no finding.
func (o *reporting) report(c *cli.Context, paths []string, programCode int) error {
	var files []*trace.File
	var notes []string
	for _, path := range paths {
		file, err := trace.ReadFile(path)
		if err != nil {
			notes = append(notes, err.Error())
			continue
		}
		files = append(files, file)
	}
	if len(files) == 0 {
		return fmt.Errorf("no trace can be read: %s", strings.Join(notes, "; "))
	}
	r := findings.Collect(files, findings.Options{Program: o.program, LeakCheck: o.leakCheck, Suppressions: o.suppressions,
		Symbols: findings.SymbolsOf, Ending: o.ending})
	r.Notes = append(r.Notes, notes...)
	if o.verbose {
		r.Notes = append(r.Notes, o.suppressions.Unused()...)
	}
	if err := o.write(c, r); err != nil {
		return err
	}
	if len(r.Findings) > 0 && o.findingsCode != 0 {
		return cli.Exit("", o.findingsCode)
	}
	return cli.Exit("", programCode)
}

func (o *reporting) write(c *cli.Context, r *findings.Report) error {
	var text bytes.Buffer
	to := o.to
	if to == nil {
		to = c.App.ErrWriter
	}
	var err error
	switch o.format {
	case "json":
		err = r.WriteJSON(&text, version)
	case "sarif":
		err = r.WriteSARIF(&text, version, "")
	default:
		err = r.WriteText(&text, findings.TextOptions{Color: o.colored(to), Verbose: o.verbose, Frames: o.frames, Quiet: o.quiet})
	}
	if err == nil && o.generate {
		err = o.writeSuppressions(c, r, &text)
	}
	if err != nil {
		return fmt.Errorf("the report cannot be made: %w", err)
	}
	if o.output == "" {
		_, err = to.Write(text.Bytes())
		return err
	}
	path := o.expand(o.output)
	if err := outside.WriteFile(path, text.Bytes()); err != nil {
		// The findings must not be lost with the file.
		_, _ = to.Write(text.Bytes())
		return fmt.Errorf("the report cannot be written to the requested file: %w", err)
	}
	if !o.quiet {
		fmt.Fprintf(to, "%s: %s\n", r.Headline(), path)
	}
	return nil
}

// writeSuppressions appends the entries to a report in text. With the other formats they go to standard output.
func (o *reporting) writeSuppressions(c *cli.Context, r *findings.Report, text *bytes.Buffer) error {
	if o.format != "text" {
		return r.WriteSuppressions(c.App.Writer)
	}
	text.WriteString("\n")
	return r.WriteSuppressions(text)
}

// expand replaces %p and %r in the name of a file.
func (o *reporting) expand(pattern string) string {
	return strings.NewReplacer("%%", "%", "%p", strconv.Itoa(o.pid), "%r", cmp.Or(rank(), "0")).Replace(pattern)
}

func (o *reporting) colored(to io.Writer) bool {
	return report.Colored(o.color, to) && (o.output == "" || o.color == "always")
}
