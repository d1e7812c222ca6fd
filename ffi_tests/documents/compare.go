package main

// Blocks that are not run but must be true: what a command writes, lists of files, differences of two files.
// In this file: the comparisons. Not in this file: running (run.go, shell.go).

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// compare does what the directives of a block ask for; false when they ask for no comparison.
func (r *runner) compare(b block, previous *result) (how string, err error, is bool) {
	switch {
	case b.directives[keyOutput] != "":
		if b.directives[keyOutput] != "the example above" {
			return "", fmt.Errorf("output of: %q is not known; there is: the example above", b.directives[keyOutput]), true
		}
		if previous == nil {
			return "", fmt.Errorf("output of: no example above was run"), true
		}
		return "compared with what was written", compareOutput(b.text, previous.output), true
	case b.directives[keyPaths] == "the tree":
		return "the files exist", checkPaths(b.text, r.tree), true
	case b.directives[keyPaths] == "the prefix":
		return "the files are installed", checkPaths(strings.ReplaceAll(b.text, "lib/", r.libdir+"/"), r.prefix), true
	case b.directives[keyPaths] != "":
		return "", fmt.Errorf("paths of: %q is not known; there are: the tree, the prefix", b.directives[keyPaths]), true
	case b.directives[keyVerdicts] != "":
		return "portablef gives these verdicts", r.verdicts(b), true
	case b.directives[keyDiff] != "":
		return "the lines differ so", r.checkDiff(b), true
	}
	return "", nil, false
}

var (
	address  = regexp.MustCompile(`0x[0-9a-fA-F]+`)
	measured = regexp.MustCompile(`\d+\.\d+([eE][-+]?\d+)?`)
	duration = regexp.MustCompile(`\b\d+ (s|ms|us|ns|seconds|minutes)\b`)
	absolute = regexp.MustCompile(`(^|[\s"'(=])(/[^\s"'():,;]+)`)
)

// comparable takes out of a line what differs from machine to machine: addresses, numbers with a fraction (they
// are measured), times, absolute paths, and the blanks that make columns. Whole numbers count.
func comparable(line string) string {
	line = address.ReplaceAllString(line, "0x*")
	line = measured.ReplaceAllString(line, "*")
	line = duration.ReplaceAllString(line, "* $1")
	line = absolute.ReplaceAllString(line, "$1/*")
	return strings.Join(strings.Fields(line), " ")
}

// compareOutput looks for the expected lines in what was written, in their order. Other lines may stand between
// them only where the document says so by a line `...`, before the first and behind the last one.
func compareOutput(expected, said string) error {
	lines := strings.Split(strings.TrimRight(said, "\n"), "\n")
	at, anywhere := 0, true
	for _, want := range strings.Split(strings.TrimSpace(expected), "\n") {
		want = comparable(want)
		if want == "" {
			continue
		}
		if want == "..." {
			anywhere = true
			continue
		}
		for found := false; !found; at++ {
			switch {
			case at == len(lines):
				return fmt.Errorf("the document says %q, which was not written there; written was:\n%s", want, tail(said, 40))
			case comparable(lines[at]) == want:
				found = true
			case comparable(lines[at]) != "" && !anywhere:
				return fmt.Errorf("the document says %q where %q was written; all of it:\n%s", want, lines[at], tail(said, 40))
			}
		}
		anywhere = false
	}
	return nil
}

var (
	word      = regexp.MustCompile(`[A-Za-z0-9_.*-]+(/[A-Za-z0-9_.*-]*)*`)
	pathLike  = regexp.MustCompile(`/|\.[A-Za-z]\w*$`)
	otherwise = regexp.MustCompile(`\bor .*$`)
)

// checkPaths looks for each file that a list or a drawing names: words with a slash or an extension. A name behind
// a folder on the same line may be in that folder. The text behind "or" is for other installations.
func checkPaths(text, root string) error {
	count := 0
	for _, line := range strings.Split(text, "\n") {
		folders := []string{""}
		for _, path := range word.FindAllString(otherwise.ReplaceAllString(line, ""), -1) {
			if !pathLike.MatchString(path) {
				continue
			}
			found := false
			for _, f := range folders {
				matches, err := filepath.Glob(filepath.Join(root, f, path))
				found = found || err == nil && len(matches) > 0
			}
			if !found {
				return fmt.Errorf("there is no %s, which the line %q names", path, strings.TrimSpace(line))
			}
			count++
			if strings.HasSuffix(path, "/") {
				folders = append(folders, path)
			}
		}
	}
	if count == 0 {
		return fmt.Errorf("no file is named here")
	}
	return nil
}

// checkDiff holds a shortened difference against the two files: lines with - are in the first and in the second one
// not or less often, lines with + the other way round, all others in both, in their order. `...` stands for left
// out lines.
func (r *runner) checkDiff(b block) error {
	names := strings.Fields(b.directives[keyDiff])
	if len(names) != 2 {
		return fmt.Errorf("diff of: two files are wanted, not %q", b.directives[keyDiff])
	}
	var files [2][]string
	for i, name := range names {
		text, err := os.ReadFile(filepath.Join(r.tree, filepath.Dir(b.document), name))
		if err != nil {
			return err
		}
		for _, line := range strings.Split(string(text), "\n") {
			files[i] = append(files[i], strings.TrimSpace(line))
		}
	}
	find := func(file, from int, line string) int {
		for i := from; i < len(files[file]); i++ {
			if files[file][i] == line {
				return i + 1
			}
		}
		return 0
	}
	count := func(file int, line string) (n int) {
		for _, l := range files[file] {
			if l == line {
				n++
			}
		}
		return n
	}
	at := [2]int{}
	for _, line := range strings.Split(b.text, "\n") {
		plain := strings.TrimSpace(strings.TrimLeft(line, "+-"))
		if plain == "" || plain == "..." {
			continue
		}
		for file, sign := range []string{"-", "+"} {
			other := []string{"+", "-"}[file]
			if strings.HasPrefix(line, other) {
				if count(file, plain) >= count(1-file, plain) {
					return fmt.Errorf("%q is also in %s", plain, names[file])
				}
				continue
			}
			next := find(file, at[file], plain)
			if next == 0 {
				return fmt.Errorf("%q (%s) is not in %s behind line %d", plain, sign, names[file], at[file])
			}
			at[file] = next
		}
	}
	return nil
}
