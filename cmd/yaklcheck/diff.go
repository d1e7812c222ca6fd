package main

// This file is `yaklcheck diff`: it finds the first launch, array and index in which two runs
// differ, from their traces or from programs that it runs. Package compare compares the sums.

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"libportable/cmd/yaklcheck/internal/compare"
	"libportable/cmd/yaklcheck/internal/findings"
	"libportable/cmd/yaklcheck/internal/findings/child"
	"libportable/cmd/yaklcheck/internal/trace"
	"libportable/internal/outside"
	"libportable/internal/settings"
)

func diffCommand() *cli.Command {
	return &cli.Command{
		Name:      "diff",
		Usage:     "find the first launch, array and index in which two runs differ",
		ArgsUsage: "TRACE_A TRACE_B\n   yaklcheck diff [options] -- [NAME=VALUE...] PROGRAM_A [ARGS] -- [NAME=VALUE...] PROGRAM_B [ARGS]",
		Description: "Traces come from runs with PORTABLE_CHECK=hash. diff runs programs with it, and again if they differ, to find the index.\n" +
			"Blocks are compared bit by bit: a NaN is equal to the same NaN, and -0 is not 0. The n-th launch of a label is compared with\n" +
			"the other run's n-th launch of that label.\n" +
			"Exit code: 1 (or --error-exitcode) if they differ, 2 if they cannot be compared.",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "form", Value: "real64", Usage: "`FORM` of the values: real64, real32, int64, int32, bytes", Category: "values:"},
			&cli.StringFlag{Name: "shape", Usage: "`EXTENTS` of the array, as 302,202: indices count from 1, as in the program", Category: "values:"},
			&cli.BoolFlag{Name: "checkpoints", Usage: "compare at checkpoints only (of programs that diff runs)", Category: "values:"},
			&cli.StringFlag{Name: "trace-folder", Usage: "write the traces into `FOLDER` and keep them", Category: "report:"},
			&cli.BoolFlag{Name: "keep-trace", Usage: "keep the traces, in this folder", Category: "report:"},
		}, tellingFlags()...),
		Action: diffAction,
	}
}

var differenceKind = &findings.Kind{Name: "difference", Title: "Two runs differ", Level: "error",
	Hint: "run the earlier launch under `yaklcheck` and `yaklcheck lint`; a sum of reals by threads is one for parallel_reduce"}

// side is one of the two runs.
type side struct {
	name     string
	args     []string
	settings map[string]string
	traces   []string
}

type differ struct {
	form    compare.Form
	extents []uint64
	options string // of PORTABLE_HASH
	folder  string
	remove  func() // removes the folder
	sides   [2]side
}

func diffAction(c *cli.Context) error {
	o, err := telling(c)
	if err != nil {
		return err
	}
	d := &differ{form: compare.Form(c.String("form"))}
	if !d.form.Known() {
		return fmt.Errorf("--form=%s is invalid; use real64, real32, int64, int32 or bytes", d.form)
	}
	for _, word := range splitList(c.String("shape")) {
		n, err := strconv.ParseUint(word, 10, 40)
		if err != nil || n == 0 {
			return fmt.Errorf("--shape=%s: numbers with commas between are wanted, as 302,202", c.String("shape"))
		}
		d.extents = append(d.extents, n)
	}
	if c.Bool("checkpoints") {
		d.options = "checkpoints"
	}
	args := c.Args().Slice()
	between := slices.Index(args, "--")
	if between < 0 {
		if len(args) != 2 {
			return errors.New("two traces are compared, or two programs: `yaklcheck diff A B`, or `yaklcheck diff -- PROGRAM_A -- PROGRAM_B`")
		}
		d.sides = [2]side{{name: args[0], traces: args[:1]}, {name: args[1], traces: args[1:]}}
		return d.compare(c, o)
	}
	for i, words := range [][]string{args[:between], args[between+1:]} {
		if d.sides[i], err = program(words); err != nil {
			return err
		}
	}
	folder, remove, err := traceFolder(c, d.sides[0].args[0])
	if err != nil {
		return err
	}
	defer remove()
	d.folder, d.remove = folder, remove
	for i := range d.sides {
		if err := d.run(i, "sums", d.options); err != nil {
			return err
		}
	}
	return d.compare(c, o)
}

// program reads [NAME=VALUE...] PROGRAM [ARGS].
func program(words []string) (s side, err error) {
	s.name = strings.Join(words, " ")
	s.settings = map[string]string{}
	for len(words) > 0 {
		name, value, is := strings.Cut(words[0], "=")
		if !is || strings.ContainsAny(name, "/.") || name == "" {
			break
		}
		s.settings[name] = value
		words = words[1:]
	}
	if len(words) == 0 {
		return s, errors.New("there is no program on one side of `--`: yaklcheck diff -- PROGRAM_A [ARGS] -- PROGRAM_B [ARGS]")
	}
	s.args = words
	return s, nil
}

// run runs a side and finds its traces.
func (d *differ) run(i int, what, options string) error {
	s := &d.sides[i]
	path, err := child.Find(s.args[0])
	if err != nil {
		return err
	}
	folder := filepath.Join(d.folder, string("ab"[i])+"_"+what)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	set := map[string]string{settings.Check: "hash", settings.Hash: options}
	maps.Copy(set, s.settings)
	end, found, err := tracedRun(path, s.args, folder, set, d.remove)
	if err != nil {
		return err
	}
	s.traces = found
	if len(s.traces) == 0 {
		return fmt.Errorf("nothing can be compared, the program %v: %s", end, child.WhyNoTrace(path))
	}
	return nil
}

func (d *differ) compare(c *cli.Context, o *reporting) error {
	var loaded [2][]*trace.File
	for i, s := range d.sides {
		for _, path := range s.traces {
			f, err := trace.ReadFile(path)
			if err != nil {
				return err
			}
			loaded[i] = append(loaded[i], f)
		}
		slices.SortStableFunc(loaded[i], func(a, b *trace.File) int { return cmp.Compare(rankOf(a), rankOf(b)) })
	}
	if len(loaded[0]) != len(loaded[1]) {
		return fmt.Errorf("the runs have %d and %d processes, which cannot be compared one by one", len(loaded[0]), len(loaded[1]))
	}
	r := &findings.Report{Program: d.sides[0].name + " and " + d.sides[1].name}
	for i := range loaded[0] {
		a, err := compare.Load(loaded[0][i])
		if err != nil {
			return err
		}
		b, err := compare.Load(loaded[1][i])
		if err != nil {
			return err
		}
		found := compare.Runs(a, b)
		r.Notes = append(r.Notes, resultNotes(found)...)
		if found.First == nil {
			continue
		}
		what, remedy := d.words(found.First, loaded[0][i].Path, loaded[1][i].Path, i)
		if len(loaded[0]) > 1 {
			what = fmt.Sprintf("on rank %d, %s", rankOf(loaded[0][i]), what)
		}
		r.Findings = append(r.Findings, findings.Told(differenceKind, outside.Clean(found.First.Block.Label), what, remedy, findings.Place{}, findings.Place{}))
	}
	return o.tell(c, r)
}

func rankOf(f *trace.File) int { return max(findings.RankOf(f), 0) }

func resultNotes(found compare.Result) (notes []string) {
	text := fmt.Sprintf("%d launches and checkpoints were compared bit by bit", found.Compared)
	if found.First == nil && found.OnlyA+found.OnlyB > 0 {
		text += fmt.Sprintf("; %d of the first run and %d of the second have no counterpart", found.OnlyA, found.OnlyB)
	}
	notes = append(notes, text)
	if len(found.Missing) > 0 {
		notes = append(notes, "only one of the runs has blocks labelled "+outside.Clean(strings.Join(found.Missing, ", ")))
	}
	return notes
}

// words describe a difference, with the index if the contents are available.
func (d *differ) words(f *compare.Difference, pathA, pathB string, process int) (what, remedy string) {
	block := blockName(f.Block)
	what = fmt.Sprintf("after '%s', number %d of that label, %s differs", f.At, f.Nth, block)
	if f.BytesA != f.BytesB {
		return what + fmt.Sprintf(": it has %d bytes in the first run and %d in the second", f.BytesA, f.BytesB), ""
	}
	var details []string
	a, b := d.contents(f, pathA, pathB, process)
	if a != nil && b != nil {
		first, count, all := compare.Elements(a, b, d.form)
		if first != nil {
			what += fmt.Sprintf(" first in element %s", d.index(first.Index, all))
			details = append(details, fmt.Sprintf("%s in the first run, %s in the second", first.A, first.B),
				fmt.Sprintf("%d of %d elements differ (as %s)", count, all, d.form))
		} else {
			details = append(details, "but not when both were run once more: the program does not compute the same each time")
		}
	} else {
		what += fmt.Sprintf(" in bytes %d to %d of %d", f.First, f.End-1, f.BytesA)
		remedy = fmt.Sprintf("for the index run both with PORTABLE_HASH='dump=%s#%d@N', N = %d for the first and %d for the second, and compare their traces",
			outside.Clean(f.Block.Label), f.Block.Place, f.StepA, f.StepB)
	}
	if len(f.Others) > 0 {
		var names []string
		for _, k := range f.Others {
			names = append(names, blockName(k))
		}
		details = append(details, "so do "+strings.Join(names, ", "))
	}
	return strings.Join(append([]string{what}, details...), "\n"), remedy
}

func blockName(k compare.Key) string {
	name := "'" + outside.Clean(k.Label) + "'"
	if k.Label == "" {
		name = "a block without a label"
	}
	if k.Place > 0 {
		name += fmt.Sprintf(" (number %d of that label)", k.Place+1)
	}
	return name
}

// index is an element in the program's way of counting.
func (d *differ) index(n, all uint64) string {
	size := uint64(1)
	for _, e := range d.extents {
		size *= e
	}
	if len(d.extents) == 0 || size != all {
		return fmt.Sprintf("%d of %d", n, all)
	}
	var words []string
	for _, i := range compare.Indices(n, d.extents) {
		words = append(words, strconv.FormatUint(i, 10))
	}
	return "(" + strings.Join(words, ",") + ")"
}

// contents are the bytes of the block in both runs, from existing dumps or from a second run of the programs; nil: not
// available.
func (d *differ) contents(f *compare.Difference, pathA, pathB string, process int) (a, b []byte) {
	paths := [2]string{pathA, pathB}
	steps := [2]uint64{f.StepA, f.StepB}
	var got [2][]byte
	for i := range d.sides {
		if d.sides[i].args != nil {
			options := fmt.Sprintf("dump=%s#%d@%d", f.Block.Label, f.Block.Place, steps[i])
			if d.options != "" {
				options = d.options + "," + options
			}
			if err := d.run(i, fmt.Sprintf("dump%d", process), options); err != nil || process >= len(d.sides[i].traces) {
				return nil, nil
			}
			slices.SortStableFunc(d.sides[i].traces, func(x, y string) int { return cmp.Compare(rankIn(x), rankIn(y)) })
			paths[i] = d.sides[i].traces[process]
		}
		dump, err := compare.ReadDump(paths[i])
		if err != nil || dump.Step != steps[i] || dump.Place != uint64(f.Block.Place) || uint64(len(dump.Bytes)) != f.BytesA {
			return nil, nil
		}
		got[i] = dump.Bytes
	}
	return got[0], got[1]
}

func rankIn(path string) int {
	f, err := trace.ReadFile(path)
	if err != nil {
		return 0
	}
	return rankOf(f)
}
