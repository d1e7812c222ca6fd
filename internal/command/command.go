// Package command holds what the command lines of our programs share: how a command ends, how wrong
// usage is reported, how options and names may be mixed (arguments.go).
//
// A command returns nil (exit code 0), or cli.Exit("", code) if it has printed everything itself,
// or another error. Such an error is printed as one line behind the program's name, and the program
// ends with Cannot: wrong usage, or a file that cannot be read. Threads: one goroutine.
package command

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// Cannot is the exit code of wrong usage, and of work that could not begin.
const Cannot = 2

func init() {
	cli.VersionFlag = &cli.BoolFlag{Name: "version", Usage: "print the version"} // -v is --verbose
}

// Execute runs a program without the process around it, and returns its exit code.
func Execute(app *cli.App, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	app.Reader, app.Writer, app.ErrWriter = stdin, stdout, stderr
	app.HideHelpCommand = true           // a file may be called help, or h
	app.DisableSliceFlagSeparator = true // names of files may have commas
	app.ExitErrHandler = func(*cli.Context, error) {}
	app.OnUsageError = usageError(app.Name)
	for _, command := range app.Commands {
		if command.OnUsageError == nil {
			command.OnUsageError = app.OnUsageError
		}
	}
	err := app.Run(args)
	if err == nil {
		return 0
	}
	code := Cannot
	var coded cli.ExitCoder
	if errors.As(err, &coded) {
		code = coded.ExitCode()
	}
	if text := err.Error(); text != "" {
		fmt.Fprintf(stderr, "%s: %s\n", app.Name, text)
	}
	return code
}

// usageError ends a command line that cannot be read. It does not print the help, which would hide the error.
func usageError(program string) cli.OnUsageErrorFunc {
	return func(c *cli.Context, err error, isSubcommand bool) error {
		of := program
		if isSubcommand {
			of += " " + c.Command.Name
		}
		return fmt.Errorf("%w; `%s --help` lists the options", err, of)
	}
}

// OneOf returns an error if an option has none of the allowed values.
func OneOf(c *cli.Context, name string, values ...string) error {
	if slices.Contains(values, c.String(name)) {
		return nil
	}
	return fmt.Errorf("--%s=%s is invalid; use one of: %s", name, c.String(name), strings.Join(values, ", "))
}
