package main

// In this file: one case under yaklcheck, or without it, and what came of it.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// found is one finding of a report.
type found struct {
	Kind  string
	Title string
	Label string
	Sites []struct {
		Role   string
		Frames []struct {
			File  string
			Line  int
			Owner string
		}
	}
}

// at is the first line of the user's code of a role: FILE:LINE.
func (f *found) at(role string) string {
	for _, s := range f.Sites {
		if s.Role != role {
			continue
		}
		for _, frame := range s.Frames {
			if frame.Owner == "user" {
				return fmt.Sprintf("%s:%d", filepath.Base(frame.File), frame.Line)
			}
		}
	}
	return ""
}

// result is what one run gave.
type result struct {
	findings []found
	problem  string // the run itself has failed
	spent    time.Duration
	caught   bool    // each mark's kind was found
	line     bool    // at its line
	later    bool    // a write was seen afterwards, of the right block
	wrong    []found // of no mark
}

// rolesOf are the places of a kind that its mark may be at.
func roleOf(kind string) string {
	if kind == "leak" || kind == "growth" {
		return "allocated"
	}
	return "here"
}

const patience = 60 * time.Second

func command(ctx context.Context, words ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, words[0], words[1:]...)
	// The programs' own messages are of no interest, and threads as many as there are, but not one.
	c.Env = append(os.Environ(), "PORTABLE_NUM_THREADS=3", "GATOR_INITIAL_MB=16")
	c.WaitDelay = time.Second
	return c
}

func runCase(f *fault, mode string) (r result) {
	report, err := os.CreateTemp("", "scorecard")
	if err != nil {
		return result{problem: err.Error()}
	}
	report.Close()
	defer os.Remove(report.Name())
	words := []string{*yaklcheck, "--format=json", "--quiet", "--output=" + report.Name(), "--error-exitcode=77"}
	switch mode {
	case "fast":
		words = append(words, "--mode=fast")
	case "both":
		words = append(words, "--mode=exact", "--guard=both")
	default:
		words = append(words, "--mode="+mode)
	}
	for _, option := range f.options {
		if !strings.HasPrefix(option, "--guard=") || mode == "exact" {
			words = append(words, option)
		}
	}
	words = append(words, filepath.Join(*programs, f.program), f.name)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var output bytes.Buffer
	c := command(ctx, words...)
	c.Stdout, c.Stderr = &output, &output
	begin := time.Now()
	err = c.Run()
	r.spent = time.Since(begin)
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		r.problem = fmt.Sprintf("it did not end in %v", patience)
	case err != nil && !errors.As(err, &exit):
		r.problem = err.Error()
	}
	text, readErr := os.ReadFile(report.Name())
	var parsed struct{ Findings []found }
	if readErr != nil || json.Unmarshal(text, &parsed) != nil {
		r.problem = fmt.Sprintf("there is no report, it ended with %d: %s", c.ProcessState.ExitCode(), strings.TrimSpace(output.String()))
		return r
	}
	r.findings = parsed.Findings
	if wanted := 77; len(r.findings) > 0 && c.ProcessState.ExitCode() != wanted && r.problem == "" {
		r.problem = fmt.Sprintf("there are findings, and it ended with %d", c.ProcessState.ExitCode())
	}
	r.judge(f)
	return r
}

// judge holds findings against marks.
func (r *result) judge(f *fault) {
	r.caught, r.line = !f.clean, !f.clean
	used := make([]bool, len(r.findings))
	for _, m := range f.marks {
		caught, line := false, false
		for i := range r.findings {
			if !slices.Contains(strings.Split(m.kind, "|"), r.findings[i].Kind) {
				continue
			}
			used[i], caught = true, true
			line = line || r.findings[i].at(roleOf(m.kind)) == fmt.Sprintf("%s:%d", f.source, m.line)
		}
		r.caught, r.line = r.caught && caught, r.line && line
	}
	for i := range r.findings {
		kind := r.findings[i].Kind
		switch {
		case used[i]:
		case kind == "overwritten-end" && slices.ContainsFunc(f.marks, func(m mark) bool { return m.kind == "out-of-bounds" || m.kind == "use-after-free" }):
			r.later = true
		case kind == "crash" && !f.clean, kind == "leak" && !f.clean:
			// Where a fault ends the program, blocks are left and the end is reported.
		default:
			r.wrong = append(r.wrong, r.findings[i])
		}
	}
}

// failure says what of a result must not be: in the exact modes everything is found at its line, and nothing else in any mode.
func (r result) failure(f *fault, mode string) string {
	switch {
	case r.problem != "":
		return r.problem
	case len(r.wrong) > 0:
		return fmt.Sprintf("a false finding: %s at %s", r.wrong[0].Title, r.wrong[0].at("here"))
	case r.twice() != "":
		return "the kind of the finding is reported twice: " + r.twice()
	case f.clean || mode == "fast":
		return ""
	case !r.caught:
		return fmt.Sprintf("%s was not found, but %s", f.marks[0].kind, r.told())
	case !r.line && !*noLines:
		return fmt.Sprintf("wanted line %d, but %s", f.marks[0].line, r.told())
	}
	return ""
}

// twice is a title that begins by what it has said already, or by the check that its kind stands for.
func (r result) twice() string {
	for _, f := range r.findings {
		parts := strings.Split(f.Title, ": ")
		if len(slices.Compact(slices.Clone(parts))) != len(parts) || strings.Contains(f.Title, "PORTABLE_CHECK=") {
			return f.Title
		}
	}
	return ""
}

func (r result) told() string {
	if len(r.findings) == 0 {
		return "nothing was"
	}
	var all []string
	for _, f := range r.findings {
		all = append(all, fmt.Sprintf("%s (%s) at %s, allocated at %s", f.Title, f.Kind, f.at("here"), f.at("allocated")))
	}
	return strings.Join(all, "; ")
}

// word is the result in a cell of the table.
func (r result) word(f *fault) string {
	switch {
	case r.problem != "":
		return "failed"
	case f.clean && len(r.findings) == 0:
		return "silent"
	case f.clean || len(r.wrong) > 0:
		return "false report"
	case r.caught && r.line:
		return "line"
	case r.caught:
		return "found"
	case r.later:
		return "later"
	}
	return "-"
}

// plain is how long a case takes alone.
func (c *card) plain(f *fault) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	begin := time.Now()
	_ = command(ctx, filepath.Join(*programs, f.program), f.name).Run() // it may well die: it has a fault
	if c.alone == nil {
		c.alone = map[*fault]time.Duration{}
	}
	c.alone[f] = time.Since(begin)
}
