package main

// This file is `yaklcheck show`: it writes traces as a page, or as tables of text (show).

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"libportable/cmd/yaklcheck/internal/show"
	"libportable/internal/outside"
)

func showCommand() *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "draw a record of `trace`: memory over time, slabs, launches",
		ArgsUsage: "FILE...",
		Description: "Writes one HTML page that needs no other file, with a part for each trace, and prints its name.\n" +
			"--text prints the same as tables and writes no page.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "text", Usage: "print tables, write no page"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write the page into `FILE`, - for standard output (default: the first trace's name with .html)"},
		},
		Action: showAction,
	}
}

func showAction(c *cli.Context) error {
	if c.NArg() == 0 {
		return errors.New("no trace to show: yaklcheck show [options] FILE...; `yaklcheck trace PROGRAM` makes a FILE")
	}
	var runs []*show.Run
	for _, path := range c.Args().Slice() {
		r, err := show.Load(path)
		if err != nil {
			return err
		}
		runs = append(runs, r)
	}
	if c.Bool("text") {
		return showText(c.App.Writer, runs)
	}
	output := c.String("output")
	if output == "-" {
		return show.Page(c.App.Writer, runs)
	}
	if output == "" {
		first := c.Args().First()
		output = strings.TrimSuffix(first, filepath.Ext(first)) + ".html"
	}
	file, err := outside.Create(output)
	if err != nil {
		return fmt.Errorf("the page cannot be written: %w; choose another place: --output=FILE", err)
	}
	if err = errors.Join(show.Page(file, runs), file.Close()); err != nil {
		return fmt.Errorf("the page cannot be written: %w", err)
	}
	fmt.Fprintf(c.App.Writer, "%s\n", output)
	return nil
}

func showText(to io.Writer, runs []*show.Run) error {
	w := bufio.NewWriter(to)
	if len(runs) > 1 {
		show.Summary(w, runs)
	}
	for i, r := range runs {
		if i > 0 || len(runs) > 1 {
			fmt.Fprintln(w)
		}
		r.Text(w)
	}
	return w.Flush()
}
