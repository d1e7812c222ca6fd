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
		Usage:     "one report of the traces that runs have left, of the ranks of a batch job for instance",
		ArgsUsage: "FILE...",
		Description: "A program leaves a trace where PORTABLE_CHECK=memory is set; PORTABLE_TRACE says where.\n" +
			"Exit code: 1 where there are findings, 2 where no trace can be read.",
		Flags:  append([]cli.Flag{&cli.IntFlag{Name: "stack", Usage: "show `N` frames of each place", Category: "report:"}}, reportFlags()...),
		Action: mergeAction,
	}
}

func mergeAction(c *cli.Context) error {
	if c.NArg() == 0 {
		return errors.New("there is nothing to merge; yaklcheck merge wants the names of traces")
	}
	o, err := reportOptions(c)
	if err != nil {
		return err
	}
	return o.report(c, c.Args().Slice(), 0)
}
