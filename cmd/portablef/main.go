// Command portablef converts loop nests of Fortran sources into kernels that run on threads, or says
// why it cannot.
//
// This file holds the list of subcommands. Each has a file of its name that returns its *cli.Command;
// sources.go has the options that all share, printing.go the forms of reports. Package program reads and
// decides, verdicts prints. Exit codes: 1 if a nest that was asked for is refused, 2 if a file cannot be
// read. Package command says how a command ends.
package main

import (
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"libportable/internal/command"
)

// version comes from the build (cmake/PortableCommands.cmake); `go run` has none.
var version = "of a checkout"

// refused is the exit code if a nest that was asked for is refused.
const refused = 1

func main() {
	os.Exit(execute(os.Args, os.Stdin, os.Stdout, os.Stderr))
}

func newApp() *cli.App {
	return &cli.App{
		Name:      "portablef",
		Usage:     "run Fortran loop nests on threads, or say why they cannot",
		UsageText: "portablef COMMAND [options] FILE...",
		Version:   version,
		Commands: []*cli.Command{
			convertCommand(),
			surveyCommand(),
			explainCommand(),
			fixCommand(),
		},
	}
}

// execute is main without the process around it.
func execute(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	app := newApp()
	return command.Execute(app, command.Reorder(app, args, "I", "D", "U"), stdin, stdout, stderr)
}
