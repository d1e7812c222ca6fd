package command

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/urfave/cli/v2"
)

func app(action cli.ActionFunc) *cli.App {
	return &cli.App{Name: "tool", Commands: []*cli.Command{{Name: "convert", Action: action, Flags: []cli.Flag{
		&cli.StringSliceFlag{Name: "include", Aliases: []string{"I"}}, &cli.BoolFlag{Name: "auto"}, &cli.StringFlag{Name: "out"}}}}}
}

func TestReorder(t *testing.T) {
	for text, want := range map[string]string{
		"tool":                               "tool",
		"tool other a -Ib":                   "tool other a -Ib",
		"tool convert a.f90 --auto b.f90":    "tool convert --auto -- a.f90 b.f90",
		"tool convert a.f90 -Ix -I y":        "tool convert -I x -I y -- a.f90",
		"tool convert --out d a.f90 --out=e": "tool convert --out d --out=e -- a.f90",
		"tool convert a -- --auto -Ib":       "tool convert -- a --auto -Ib",
		"tool convert - --auto":              "tool convert --auto -- -",
		"tool convert --out -Ib":             "tool convert --out -Ib --",
		"tool convert --Ix":                  "tool convert --Ix --",
	} {
		require.Equal(t, want, strings.Join(Reorder(app(nil), strings.Fields(text), "I", "D"), " "), text)
	}
}

func TestExecute(t *testing.T) {
	for _, c := range []struct {
		args   string
		err    error
		code   int
		stderr string
	}{
		{"tool convert", nil, 0, ""},
		{"tool convert", errors.New("no file"), 2, "tool: no file\n"},
		{"tool convert", cli.Exit("", 1), 1, ""},
		{"tool convert --wrong", nil, 2, "tool: flag provided but not defined: -wrong; `tool convert --help` lists the options\n"},
	} {
		var out, err strings.Builder
		got := Execute(app(func(*cli.Context) error { return c.err }), strings.Fields(c.args), strings.NewReader(""), &out, &err)
		require.Equal(t, c.code, got, c.args)
		require.Equal(t, c.stderr, err.String(), c.args)
	}
}
