// Command yaklcheck runs a program that links libportable, and tells what it did wrong with the library's memory, by file and line.
//
// In this file: the list of subcommands, and how each of them ends. Not in this file: what they do (a file of its name
// each, which returns its *cli.Command), and what a report says (internal/findings).
//
// A command returns nil (exit code 0), cli.Exit("", code) when it has said everything itself, or any other error, whose text is
// printed as one line behind `yaklcheck: ` and which ends it with 2: wrong usage, or something that can not be begun.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v2"
)

// version is set by the build (cmake/PortableYaklcheck.cmake); `go run` has none.
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
		Usage:     "run a program that links libportable, and tell which line misused its memory",
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
		// Without the name of a command: what `run` does.
		Flags:  runFlags(),
		Action: runAction,

		HideHelpCommand:           true, // a program may be called help, or h
		DisableSliceFlagSeparator: true, // names of files may have commas
		OnUsageError:              usageError,
		ExitErrHandler:            func(*cli.Context, error) {}, // execute says how it ends
	}
}

// usageError puts an end to a command line that can not be read. The help would be longer than what is wrong.
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
