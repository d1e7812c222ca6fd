package main

// This file is `yaklcheck merge`: it makes one report of existing traces, for example of the ranks
// of a batch job.

import (
	"errors"

	"github.com/urfave/cli/v2"
)

func mergeCommand() *cli.Command {
	return &cli.Command{
		Name:      "merge",
		Usage:     "make one report of existing traces, for example of the ranks of a batch job",
		ArgsUsage: "FILE...",
		Description: "A program writes a trace if PORTABLE_CHECK=memory is set; PORTABLE_TRACE names the file.\n" +
			"Exit code: 1 if there are findings, 2 if no trace can be read.",
		Flags:  append([]cli.Flag{&cli.IntFlag{Name: "stack", Usage: "show `N` frames of each place", Category: "report:"}}, reportFlags()...),
		Action: mergeAction,
	}
}

func mergeAction(c *cli.Context) error {
	if c.NArg() == 0 {
		return errors.New("no trace to merge: `yaklcheck merge [options] FILE...`")
	}
	o, err := reportOptions(c)
	if err != nil {
		return err
	}
	return o.report(c, c.Args().Slice(), 0)
}
