package main

// This file is `yaklcheck advise`: it prints which settings of the pool suit a traced run best
// (advise).

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"libportable/cmd/yaklcheck/internal/advise"
	"libportable/cmd/yaklcheck/internal/show"
)

func adviseCommand() *cli.Command {
	return &cli.Command{
		Name:      "advise",
		Usage:     "find the GATOR_INITIAL_MB, GATOR_GROW_MB and GATOR_BLOCK_BYTES that suit a run recorded by `trace`",
		ArgsUsage: "FILE...",
		Description: "Replays the blocks of the run on pools with other settings. If there are several files, as ranks of a job write them, it\n" +
			"treats each alone: take the settings of the one with the most memory.",
		Action: adviseAction,
	}
}

func adviseAction(c *cli.Context) error {
	if c.NArg() == 0 {
		return errors.New("no trace to replay: yaklcheck advise FILE...; `yaklcheck trace PROGRAM` makes a FILE")
	}
	for i, path := range c.Args().Slice() {
		r, err := show.Load(path)
		if err != nil {
			return err
		}
		a, err := advise.For(r)
		if err != nil {
			return err
		}
		if i > 0 {
			fmt.Fprintln(c.App.Writer)
		}
		a.Text(c.App.Writer)
	}
	return nil
}
