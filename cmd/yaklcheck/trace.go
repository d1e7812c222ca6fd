package main

// This file is `yaklcheck trace PROGRAM`: a run that records every block and launch. show.go and
// advise.go read the record, findings/child runs the program.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"libportable/cmd/yaklcheck/internal/findings/child"
	"libportable/cmd/yaklcheck/internal/trace"
	"libportable/internal/settings"
)

func traceCommand() *cli.Command {
	return &cli.Command{
		Name:      "trace",
		Usage:     "run a program and record each of its blocks and launches, for `show` and `advise`",
		ArgsUsage: "PROGRAM [ARGS]",
		Description: "The program's output and exit code are its own; nothing is checked. The same without this command: PORTABLE_TRACE=FILE.\n" +
			"In a parallel run, put this command behind mpirun: each rank needs a file of its own, by %r (rank) or %p (process).",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write `FILE`; %r in it is the rank, %p the process (default: PROGRAM.trace, PROGRAM_RANK.trace)"},
			&cli.BoolFlag{Name: "stacks", Usage: "record where each block was made, too: a larger file"},
		},
		Action: traceAction,
	}
}

func traceAction(c *cli.Context) error {
	if c.NArg() == 0 {
		return errors.New("there is no program to run: yaklcheck trace [options] PROGRAM [ARGS]")
	}
	args := c.Args().Slice()
	path, err := child.Find(args[0])
	if err != nil {
		return err
	}
	output := c.String("output")
	if output == "" {
		output = filepath.Base(args[0]) + ".trace"
		if rank() != "" {
			output = filepath.Base(args[0]) + "_%r.trace"
		}
	}
	if strings.Contains(output, ",") {
		return fmt.Errorf("--output=%s: a comma has a meaning in PORTABLE_TRACE; choose a name without", output)
	}
	if output, err = filepath.Abs(output); err != nil {
		return err
	}
	written := strings.ReplaceAll(output, "%r", rank())
	// An old file of that name would look like the trace of this run.
	if !strings.Contains(written, "%p") {
		if err := removeOld(written); err != nil {
			return fmt.Errorf("the trace can not be written: %w", err)
		}
	}
	if c.Bool("stacks") {
		output += ",stack"
	}
	end, err := child.Run(path, args, map[string]string{settings.Trace: output}, nil)
	if err != nil {
		return err
	}
	written = strings.ReplaceAll(written, "%p", fmt.Sprint(end.PID))
	if _, err := os.Stat(written); err != nil {
		return fmt.Errorf("nothing was recorded, the program %v: %s", end, child.WhyNoTrace(path))
	}
	written = shortPath(written)
	fmt.Fprintf(c.App.ErrWriter, "yaklcheck: the trace is in %s; look at it by `yaklcheck show %s`\n", written, written)
	if code := end.ExitCode(); code != 0 {
		return cli.Exit("", code)
	}
	return nil
}

// removeOld removes the trace of an earlier run. Any other file stays: it may be the program, its input, or a device.
func removeOld(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is no plain file; another name: --output=FILE", path)
	case info.Size() > 0:
		_, file, err := trace.Open(path)
		if err != nil {
			return fmt.Errorf("%s is there and is no trace; remove it, or another name: --output=FILE", path)
		}
		_ = file.Close()
	}
	return os.Remove(path)
}

// shortPath is a path relative to this folder, for files below it.
func shortPath(path string) string {
	if here, err := os.Getwd(); err == nil {
		if below, ok := strings.CutPrefix(path, here+"/"); ok {
			return below
		}
	}
	return path
}
