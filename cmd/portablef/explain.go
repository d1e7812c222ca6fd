package main

// This file is `portablef explain`: all that is known about the nest at a line.

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"libportable/cmd/portablef/internal/program"
	"libportable/cmd/portablef/internal/verdicts"
)

func explainCommand() *cli.Command {
	return &cli.Command{
		Name:      "explain",
		Usage:     "show private variables, reductions, accesses, and the proof or the references that conflict",
		ArgsUsage: "FILE[:LINE]...",
		Description: "LINE is a line of the nest. Without it all nests of the file are explained.\n" +
			"Exit code: 1 if a nest that a directive asks for is refused, 2 if a file cannot be read or has no nest there.",
		Flags: append(append([]cli.Flag{
			&cli.StringFlag{Name: "device", Usage: "explain what runs on `DEVICE`, too: gpu", Category: "conversion:"},
		}, sourceFlags()...), printingFlags()...),
		Action: explainAction,
	}
}

// asked is one FILE:LINE; line 0: the whole file.
type asked struct {
	file string
	line int
}

func question(word string) asked {
	if i := strings.LastIndexByte(word, ':'); i > 0 {
		if line, err := strconv.Atoi(word[i+1:]); err == nil && line > 0 {
			before := word[:i]
			// FILE:LINE:COLUMN, as messages have it.
			if j := strings.LastIndexByte(before, ':'); j > 0 {
				if first, err := strconv.Atoi(before[j+1:]); err == nil && first > 0 {
					return asked{before[:j], first}
				}
			}
			return asked{before, line}
		}
	}
	return asked{word, 0}
}

func explainAction(c *cli.Context) error {
	if err := checkPrinting(c); err != nil {
		return err
	}
	if err := checkDevice(c); err != nil {
		return err
	}
	var questions []asked
	var named []string
	for _, word := range c.Args().Slice() {
		q := question(word)
		q.file = filepath.Clean(q.file)
		questions = append(questions, q)
		if !slices.Contains(named, q.file) {
			named = append(named, q.file)
		}
	}
	all, err := inputsOf(c, named)
	if err != nil {
		return err
	}
	p, err := read(c, all, true)
	if err != nil {
		return err
	}
	return answer(c, p, questions)
}

func answer(c *cli.Context, p *program.Program, questions []asked) error {
	r := p.Report("explain")
	if device := c.String("device"); device != "" {
		messages := r.Messages
		p.HostOnly(r, device) // the nests have its verdicts
		r.Messages = messages
	}
	var found []verdicts.Nest
	for _, q := range questions {
		nests := r.At(q.file, q.line)
		if i := slices.IndexFunc(r.Messages, func(m verdicts.Message) bool { return m.Level == "error" }); i >= 0 && len(nests) == 0 {
			return fmt.Errorf("%s: %s", r.Messages[i].Place, r.Messages[i].Text) // a directive that is not taken leaves no nest
		}
		if len(nests) == 0 && q.line == 0 {
			return fmt.Errorf("%s has no loop nest", q.file)
		}
		if len(nests) == 0 {
			return fmt.Errorf("%s:%d is in no loop nest; `portablef survey %s` lists them", q.file, q.line, q.file)
		}
		found = append(found, nests...)
	}
	r.Nests = found
	err := write(c, r, c.App.Writer, func(to io.Writer, _ verdicts.TextOptions) error { return verdicts.WriteExplanation(to, found) })
	if err == nil && r.Failed(false) {
		return cli.Exit("", refused)
	}
	return err
}
