// Command scorecard runs small programs with one fault each, and some without, under yaklcheck, and tells which faults are found, at
// which line, and how long it takes.
//
// In this file: the marks in the sources, flags, and what counts as a failure. Not in this file: one run (run.go), the tables
// (table.go), the programs (programs/), the tests of the library under yaklcheck (suite.go, words.go).
//
// A comment `fault NAME: what is wrong` begins a case, `clean NAME: what it does` one without a fault; in [ ] at its end are options
// of yaklcheck that the fault needs. `~ KIND` on a line says that this kind is found there; `~ NAME KIND; NAME KIND` on a
// line that several cases share; `KIND|KIND` that either is right. The program of a source runs the case that its first argument names.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// fault is one case.
type fault struct {
	source  string // base name
	program string
	name    string
	what    string
	options []string
	clean   bool
	marks   []mark
}

// mark is a kind that is to be found at a line.
type mark struct {
	kind string
	line int
}

var (
	yaklcheck = flag.String("yaklcheck", "", "`PROGRAM` to run the others under")
	programs  = flag.String("programs", "", "`FOLDER` of the programs, which are named as their sources without extension")
	sources   = flag.String("sources", "ffi_tests/scorecard/programs", "`FOLDER` of the sources")
	modes     = flag.String("modes", "exact,both,fast", "`MODES` to run in: exact, both, fast")
	only      = flag.String("only", "", "run the cases that match this `EXPRESSION`")
	quick     = flag.Bool("quick", false, "run the first case of each kind and source, and a few clean ones")
	noLines   = flag.Bool("no-lines", false, "the programs have no debugging information: do not look at lines")
	out       = flag.String("out", "", "write the tables into this `FILE`")
	suite     = flag.String("suite", "", "run the programs of all tests of this build `FOLDER` instead, and tell what is found in them")
	verbose   = flag.Bool("v", false, "tell of each run")
)

func main() {
	flag.Parse()
	if *suite != "" && *yaklcheck != "" {
		os.Exit(runSuite(*suite))
	}
	if *yaklcheck == "" || *programs == "" || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: scorecard -yaklcheck PROGRAM -programs FOLDER [-quick] [-out FILE]")
		os.Exit(2)
	}
	all, err := cases(*sources)
	if err == nil && *only != "" {
		var expression *regexp.Regexp
		if expression, err = regexp.Compile("^(" + *only + ")$"); err == nil {
			all = slices.DeleteFunc(all, func(f *fault) bool { return !expression.MatchString(f.name) })
		}
	}
	if *quick {
		all = some(all)
	}
	// A language that was not built is left out.
	all = slices.DeleteFunc(all, func(f *fault) bool { _, err := os.Stat(filepath.Join(*programs, f.program)); return err != nil })
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("there is no case to run: no program of %s is in %s", *sources, *programs)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "scorecard:", err)
		os.Exit(2)
	}
	card := &card{modes: strings.Split(*modes, ","), faults: all, results: map[*fault]map[string]result{}}
	failures := 0
	for _, f := range all {
		card.results[f] = map[string]result{}
		for _, mode := range card.modes {
			r := runCase(f, mode)
			card.results[f][mode] = r
			if text := r.failure(f, mode); text != "" {
				failures++
				fmt.Printf("FAILED %s (%s, %s): %s\n", f.name, f.source, mode, text)
			} else if *verbose {
				fmt.Printf("%-24s %-6s %s, %d ms\n", f.name, mode, r.word(f), r.spent.Milliseconds())
			}
		}
		card.plain(f)
	}
	fmt.Print(card.summary())
	if *out != "" {
		if err := os.WriteFile(*out, []byte(card.markdown()), 0o666); err != nil {
			fmt.Fprintln(os.Stderr, "scorecard:", err)
			os.Exit(2)
		}
	}
	// In the words of test runners.
	fmt.Printf("%d passed, %d failed\n", len(all)*len(card.modes)-failures, failures)
	if failures > 0 {
		os.Exit(1)
	}
}

var (
	caseLine = regexp.MustCompile(`(?:!|//|/\*) (fault|clean) (\w+): ([^\[*]*)(?:\[([^\]]*)\])?`)
	markLine = regexp.MustCompile(`(?:!|//|/\*)~ ([^*]*)`)
)

// cases reads the sources.
func cases(folder string) (all []*fault, err error) {
	for _, source := range []string{"pool.f90", "kernels.f90", "allocate.f90", "served.f90", "served.c", "served.cpp", "faults.c", "devices.c", "faults.cpp"} {
		text, err := os.ReadFile(filepath.Join(folder, source))
		if err != nil {
			return nil, err
		}
		found, err := parse(source, string(text))
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

func parse(source, text string) ([]*fault, error) {
	var all []*fault
	named := map[string]*fault{}
	type late struct {
		name string
		mark mark
	}
	var lates []late
	number := 0
	for line := range strings.Lines(text) {
		number++
		if m := caseLine.FindStringSubmatch(line); m != nil {
			f := &fault{source: source, program: strings.NewReplacer(".f90", "", ".cpp", "_cpp", ".c", "_c").Replace(source), name: m[2],
				what: strings.TrimSpace(m[3]), clean: m[1] == "clean"}
			for _, option := range strings.Fields(m[4]) {
				f.options = append(f.options, "--"+strings.TrimPrefix(option, "--"))
			}
			all = append(all, f)
			named[f.name] = f
			continue
		}
		m := markLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		for part := range strings.SplitSeq(m[1], ";") {
			words := strings.Fields(part)
			switch {
			case len(words) == 2:
				lates = append(lates, late{words[0], mark{words[1], number}})
			case len(words) == 1 && len(all) > 0:
				lates = append(lates, late{all[len(all)-1].name, mark{words[0], number}})
			default:
				return nil, fmt.Errorf("%s:%d: the mark %q is not understood", source, number, part)
			}
		}
	}
	for _, l := range lates {
		f := named[l.name]
		if f == nil || f.clean {
			return nil, fmt.Errorf("%s:%d: there is no fault %q", source, l.mark.line, l.name)
		}
		f.marks = append(f.marks, l.mark)
	}
	for _, f := range all {
		if !f.clean && len(f.marks) == 0 {
			return nil, fmt.Errorf("%s: the fault %q has no mark", source, f.name)
		}
	}
	return all, nil
}

// some are the first faults of each kind and source, and the first clean case of each source.
func some(all []*fault) (chosen []*fault) {
	seen := map[string]bool{}
	for _, f := range all {
		key := f.source + " clean"
		if !f.clean {
			key = f.marks[0].kind
			switch f.source {
			case "kernels.f90", "faults.cpp", "served.c":
				key = f.source + " " + f.marks[0].kind
			case "served.f90", "served.cpp":
				key = f.source // what differs from C is how blocks are taken
			}
		}
		if !seen[key] {
			seen[key] = true
			chosen = append(chosen, f)
		}
	}
	return chosen
}
