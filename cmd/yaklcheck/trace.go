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
		Description: "Nothing is checked; output and exit code are the program's. Without this command, PORTABLE_TRACE=FILE does the same.\n" +
			"In a parallel run, write this command after mpirun: each rank needs a file of its own, by %r (rank) or %p (process).",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write `FILE`; %r in it is the rank, %p the process (default: PROGRAM.trace, PROGRAM_RANK.trace)"},
			&cli.BoolFlag{Name: "stacks", Usage: "record the call stack of each allocation, too: a larger file"},
		},
		Action: traceAction,
	}
}

func traceAction(c *cli.Context) error {
	if c.NArg() == 0 {
		return errors.New("no program to run: yaklcheck trace [options] PROGRAM [ARGS]")
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
		return fmt.Errorf("--output=%s: PORTABLE_TRACE reserves the comma; choose a name without it", output)
	}
	if output, err = filepath.Abs(output); err != nil {
		return err
	}
	written := strings.ReplaceAll(output, "%r", rank())
	// An old file of that name would look like the trace of this run.
	if !strings.Contains(written, "%p") {
		if err := removeOld(written); err != nil {
			return fmt.Errorf("the trace cannot be written: %w", err)
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
		return fmt.Errorf("%s is not a regular file; choose another name: --output=FILE", path)
	case info.Size() > 0:
		_, file, err := trace.Open(path)
		if err != nil {
			return fmt.Errorf("%s exists and is not a trace; remove it, or choose another name: --output=FILE", path)
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
