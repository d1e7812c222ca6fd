// Command yaklcheck runs a program that links libportable, and reports its errors with the
// library's memory by file and line.
//
// This file holds the list of subcommands, and how each of them ends. Each subcommand has a file of
// its name that returns its *cli.Command. Package findings writes the reports.
//
// Package command says how a command ends.
package main

import (
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"libportable/internal/command"
)

// version comes from the build (cmake/PortableCommands.cmake); `go run` has none.
var version = "of a checkout"

const (
	foundSomething = 1
	cannot         = command.Cannot
)

func main() {
	os.Exit(execute(os.Args, os.Stdin, os.Stdout, os.Stderr))
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
	}
}

// execute is main without the process around it.
func execute(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return command.Execute(newApp(), args, stdin, stdout, stderr)
}
