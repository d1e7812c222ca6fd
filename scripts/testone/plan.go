package main

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// planned is what must be built and run.
type planned struct {
	tests    []*test  // those that run, without the set-up of fixtures
	left     int      // long tests that are left out
	fixtures []string // names of tests that run first
	targets  []string // relative to the build folder; nil: nothing is built
	all      string   // why everything is built; "": only targets
	unknown  []string // folders that tests name and no target is known to fill
}

// plan chooses the tests whose names begin with a word, and the targets that they need. Long tests run if the word is
// the name of one, or if all of them are long.
func plan(word string, all []*test, build string, outputs map[string]bool) *planned {
	p := &planned{}
	long, named := 0, false
	for _, t := range all {
		if strings.HasPrefix(t.name, word) {
			p.tests = append(p.tests, t)
			if t.long() {
				long++
				named = named || t.name == word
			}
		}
	}
	if !named && long < len(p.tests) {
		p.tests = slices.DeleteFunc(p.tests, (*test).long)
		p.left = long
	}
	targets, unknown := map[string]bool{}, map[string]bool{}
	for _, t := range withFixtures(p.tests, all) {
		if !slices.Contains(p.tests, t) {
			p.fixtures = append(p.fixtures, t.name)
		}
		needed, strange, whole := needs(t, build, outputs)
		if whole && p.all == "" {
			p.all = t.name + " reads the whole build folder"
		}
		if len(t.words) == 0 && p.all == "" {
			p.all = "the command of " + t.name + " is unknown"
		}
		for _, n := range needed {
			targets[n] = true
		}
		if len(needed) == 0 {
			for _, s := range strange {
				unknown[s] = true
			}
		}
	}
	p.targets, p.unknown = slices.Sorted(maps.Keys(targets)), slices.Sorted(maps.Keys(unknown))
	return p
}

// withFixtures adds the tests that set up what others need, as ctest does.
func withFixtures(tests, all []*test) []*test {
	chosen := slices.Clone(tests)
	for i := 0; i < len(chosen); i++ {
		for _, fixture := range chosen[i].required {
			for _, t := range all {
				if slices.Contains(t.setup, fixture) && !slices.Contains(chosen, t) {
					chosen = append(chosen, t)
				}
			}
		}
	}
	return chosen
}

// needs finds the paths below the build folder in the words of a test. A file that the build makes is a target. A
// folder stands for its programs and libraries, or for those below it if it has none itself. whole: the test names the
// build folder.
func needs(t *test, build string, outputs map[string]bool) (targets, strange []string, whole bool) {
	for _, word := range t.words {
		for at := range pathsIn(word, build) {
			below, folders := []string{}, []string{}
			switch {
			case at == "":
				whole = true
				continue
			case outputs[at] || isOutput(at, outputs):
				targets = append(targets, at)
				continue
			}
			for output, linked := range outputs {
				switch {
				case linked && path.Dir(output) == at:
					folders = append(folders, output)
				case linked && strings.HasPrefix(output, at+"/"):
					below = append(below, output)
				}
			}
			switch {
			case len(folders) > 0:
				targets = append(targets, folders...)
			case len(below) > 0:
				targets = append(targets, below...)
			default:
				strange = append(strange, at)
			}
		}
	}
	return targets, strange, whole
}

func isOutput(at string, outputs map[string]bool) bool { _, is := outputs[at]; return is }

// pathsIn yields the paths below the build folder that a word holds, relative to it: alone, in a list, or behind an
// equals sign.
func pathsIn(word, build string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, part := range strings.FieldsFunc(word, func(r rune) bool { return r == ';' || r == ':' || r == ',' || r == '=' }) {
			if rest, ok := strings.CutPrefix(part, build); ok && (rest == "" || rest[0] == '/') {
				if !yield(strings.Trim(rest, "/")) {
					return
				}
			}
		}
	}
}

// lines are the plan for scripts/test-one.
func (p *planned) lines() (lines []string) {
	if p.left > 0 {
		lines = append(lines, fmt.Sprintf("say %s left out: the label long; give the whole name of one to run it", count(p.left, "test is", "tests are")), "exclude long")
	}
	if len(p.fixtures) > 0 {
		lines = append(lines, "say first: "+strings.Join(p.fixtures, ", "))
	}
	if p.all != "" {
		return append(lines, "say "+p.all+", so everything is built; the first time this takes long", "target all")
	}
	if len(p.unknown) > 0 {
		lines = append(lines, "say the build writes nothing into "+strings.Join(p.unknown, ", ")+", probably a work folder; if the test misses a file: cmake --build build/test")
	}
	for _, t := range p.targets {
		lines = append(lines, "target "+t)
	}
	return lines
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
