// Command yaklcheck runs a program that links libportable, and reports its errors with the
// library's memory by file and line.
//
// This file holds the list of subcommands, and how each of them ends. Each subcommand has a file of
// its name that returns its *cli.Command. Package findings writes the reports.
//
// A command returns nil (exit code 0), or cli.Exit("", code) if it has printed everything itself,
// or another error. yaklcheck prints such an error as one line behind `yaklcheck: ` and ends with
// 2: wrong usage, or a run that could not begin.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v2"
)

// version comes from the build (cmake/PortableYaklcheck.cmake); `go run` has none.
var version = "of a checkout"

const (
	foundSomething = 1
	cannot         = 2
)

func main() {
	os.Exit(execute(os.Args, os.Stdin, os.Stdout, os.Stderr))
}

func init() {
	cli.VersionFlag = &cli.BoolFlag{Name: "version", Usage: "print the version"} // -v is --verbose
}

func newApp() *cli.App {
	return &cli.App{
		Name:      "yaklcheck",
		Usage:     "run a program that links libportable, and report the lines that misuse its memory",
		UsageText: "yaklcheck [options] PROGRAM [ARGS]\nyaklcheck COMMAND [options] ...",
		Version:   version,
		Commands: []*cli.Command{
			runCommand(),
			mergeCommand(),
			traceCommand(),
			showCommand(),
			lintCommand(),
			adviseCommand(),
			staticsCommand(),
			doctorCommand(),
			diffCommand(),
		},
		// Without the name of a command, yaklcheck does the same as `run`.
		Flags:  runFlags(),
		Action: runAction,

		HideHelpCommand:           true, // a program may be called help, or h
		DisableSliceFlagSeparator: true, // names of files may have commas
		OnUsageError:              usageError,
		ExitErrHandler:            func(*cli.Context, error) {}, // execute says how it ends
	}
}

// usageError ends a command line that yaklcheck cannot read. It does not print the help, which would hide the error.
func usageError(c *cli.Context, err error, isSubcommand bool) error {
	of := "yaklcheck"
	if isSubcommand {
		of += " " + c.Command.Name
	}
	return fmt.Errorf("%w; `%s --help` lists the options", err, of)
}

// execute is main without the process around it.
func execute(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	app := newApp()
	app.Reader, app.Writer, app.ErrWriter = stdin, stdout, stderr
	for _, command := range app.Commands {
		if command.OnUsageError == nil {
			command.OnUsageError = usageError
		}
	}
	err := app.Run(args)
	if err == nil {
		return 0
	}
	code := cannot
	var coded cli.ExitCoder
	if errors.As(err, &coded) {
		code = coded.ExitCode()
	}
	if text := err.Error(); text != "" {
		fmt.Fprintln(stderr, "yaklcheck:", text)
	}
	return code
}
