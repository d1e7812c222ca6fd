package main

// In this file: the results as tables.

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

type card struct {
	modes   []string
	faults  []*fault
	results map[*fault]map[string]result
	alone   map[*fault]time.Duration
}

// modeNames are the modes as options.
var modeNames = map[string]string{"exact": "`--mode=exact`", "both": "`--guard=both`", "fast": "`--mode=fast`"}

// counts are the results of one mode.
type counts struct{ faults, line, found, later, clean, silent int }

func (c *card) count(mode string) (n counts) {
	for _, f := range c.faults {
		r := c.results[f][mode]
		if f.clean {
			n.clean++
			if r.word(f) == "silent" {
				n.silent++
			}
			continue
		}
		n.faults++
		switch r.word(f) {
		case "line":
			n.line++
		case "found":
			n.found++
		case "later":
			n.later++
		}
	}
	return n
}

func (c *card) summary() string {
	var b strings.Builder
	for _, mode := range c.modes {
		n := c.count(mode)
		fmt.Fprintf(&b, "%-6s %d of %d faults found, %d of them with the line, %d later; %d of %d clean programs silent; %.0f ms a run (%.0f without)\n", mode,
			n.line+n.found+n.later, n.faults, n.line, n.later, n.silent, n.clean, c.median(mode), c.median(""))
	}
	return b.String()
}

// median is the median time of a run in ms; mode "" is without yaklcheck.
func (c *card) median(mode string) float64 {
	var all []time.Duration
	for _, f := range c.faults {
		if mode == "" {
			all = append(all, c.alone[f])
		} else {
			all = append(all, c.results[f][mode].spent)
		}
	}
	slices.Sort(all)
	return float64(all[len(all)/2].Microseconds()) / 1000
}

func (c *card) markdown() string {
	var b strings.Builder
	b.WriteString(`# Scorecard: the faults that yaklcheck finds

You want to know which faults yaklcheck finds. This page lists small programs with one fault each, and some without,
under each mode of [yaklcheck](yaklcheck.md). It is written by

<!-- run by: scorecard.all -->
` + "```sh" + `
go run ./ffi_tests/scorecard -yaklcheck PREFIX/bin/yaklcheck -programs build/test/ffi_tests/scorecard -out docs/check/scorecard.md
` + "```" + `

which fails if an exact mode misses a fault or its line, or if any mode reports a false positive. The programs are cases
of the sources in [ffi_tests/scorecard/programs](../../ffi_tests/scorecard/programs), compiled with -O2 -g. **line**:
found, with the line of the fault (of a leak, the line that allocated). **later**: an overwritten end was seen when the
block was freed, with the line that allocated it. **-**: not found.

The programs of all tests, the examples and the benchmarks run in exact and in fast mode without a finding, except for
intended faults
([suite.supp](../../ffi_tests/scorecard/suite.supp)): the test scorecard.suite of ` + "`make test-long`" + `, with MPI programs under mpirun.

| mode | found | with the line | seen later | clean programs silent | ms for a run |
|---|---|---|---|---|---|
`)
	for _, mode := range c.modes {
		n := c.count(mode)
		fmt.Fprintf(&b, "| %s | %d of %d | %d | %d | %d of %d | %.0f |\n", modeNames[mode], n.line+n.found+n.later, n.faults, n.line, n.later, n.silent, n.clean, c.median(mode))
	}
	fmt.Fprintf(&b, "| without yaklcheck | | | | | %.0f |\n\n", c.median(""))
	b.WriteString("Times are medians of one run each, start and report of yaklcheck included.\n\n## Faults\n\n")
	c.table(&b, false)
	b.WriteString("\n## Clean programs\n\n")
	c.table(&b, true)
	return b.String()
}

func (c *card) table(b *strings.Builder, clean bool) {
	fmt.Fprintf(b, "| program | description | finding |")
	for _, mode := range c.modes {
		fmt.Fprintf(b, " %s |", mode)
	}
	fmt.Fprintf(b, " ms |\n|%s\n", strings.Repeat("---|", len(c.modes)+4))
	for _, f := range c.faults {
		if f.clean != clean {
			continue
		}
		kind := "none"
		if !clean {
			kind, _, _ = strings.Cut(f.marks[0].kind, "|")
		}
		options := ""
		if len(f.options) > 0 {
			options = " (`" + strings.Join(f.options, " ") + "`)"
		}
		fmt.Fprintf(b, "| %s | %s%s | %s |", f.name, f.what, options, kind)
		for _, mode := range c.modes {
			fmt.Fprintf(b, " %s |", c.results[f][mode].word(f))
		}
		fmt.Fprintf(b, " %.0f |\n", float64(c.results[f][c.modes[0]].spent.Microseconds())/1000)
	}
}
