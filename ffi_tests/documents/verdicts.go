package main

// Blocks of Fortran whose loops have the verdict that a comment behind DO says: `! parallel`, or `! refused: RULE`.
// In this file: asking portablef, and the comparison. Not in this file: other comparisons (compare.go).

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var verdictComment = regexp.MustCompile(`! (parallel|refused: ([a-z-]+))`)

// verdicts holds the comments of a block against a survey: each loop that it lists has a comment, and each comment a loop.
func (r *runner) verdicts(b block) error {
	if of := b.directives[keyVerdicts]; of != "portablef survey" {
		return fmt.Errorf("verdicts of: %q is not known; there is: portablef survey", of)
	}
	folder, err := os.MkdirTemp(r.work, "verdicts")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "loops.f90"), []byte(b.text), 0o666); err != nil {
		return err
	}
	// The exit code counts refused directives. Whether a compiler takes the block is another question.
	text, failed := r.command(folder, filepath.Join(r.prefix, "bin", "portablef"), "survey", "--json", "loops.f90")
	if err := compareVerdicts(b.text, text); err != nil {
		return fmt.Errorf("%w (%v)", err, failed)
	}
	_, err = r.command(folder, r.fc, "-fsyntax-only", "loops.f90")
	return err
}

// compareVerdicts compares the comments of a source with the JSON of its survey.
func compareVerdicts(source, survey string) error {
	var told struct {
		Nests []struct {
			Line     int
			Verdict  string
			Refusals []struct{ Rule string }
		}
	}
	if err := json.Unmarshal([]byte(survey), &told); err != nil {
		return fmt.Errorf("portablef survey wrote no JSON: %w\n%s", err, tail(survey, 20))
	}
	got := map[int]string{}
	for _, n := range told.Nests {
		got[n.Line] = n.Verdict
		if n.Verdict == "refused" && len(n.Refusals) > 0 {
			got[n.Line] += ": " + n.Refusals[0].Rule
		}
	}
	wanted := 0
	for i, line := range strings.Split(source, "\n") {
		m := verdictComment.FindStringSubmatch(line)
		if m == nil {
			if got[i+1] != "" {
				return fmt.Errorf("line %d has no comment; portablef says: %s", i+1, got[i+1])
			}
			continue
		}
		wanted++
		if got[i+1] != m[1] {
			return fmt.Errorf("the document says %q of line %d, portablef says %q", m[1], i+1, got[i+1])
		}
	}
	if wanted == 0 {
		return fmt.Errorf("no loop has a comment `! parallel` or `! refused: RULE`")
	}
	return nil
}
