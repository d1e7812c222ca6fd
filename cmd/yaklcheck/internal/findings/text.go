package findings

// This file writes the report as text: a title, numbered findings, their places, notes
// (docs/check/yaklcheck.md).

import (
	"fmt"
	"io"
	"strings"

	"libportable/cmd/yaklcheck/internal/trace"
	"libportable/internal/report"
)

// TextOptions are the options of a report as text.
type TextOptions struct {
	Color   bool
	Verbose bool   // all frames, hints, the library's own frames, unused suppressions
	Frames  int    // frames of each place that are shown; 0: one
	Quiet   bool   // print nothing if there is no finding
	Folder  string // files are named relative to it; "": to the working folder of the program
}

// paint are the colours, or nothing.
type paint struct{ title, place, weak, good, off string }

func (o TextOptions) paint() paint {
	if !o.Color {
		return paint{}
	}
	return paint{title: "\x1b[1;31m", place: "\x1b[1m", weak: "\x1b[2m", good: "\x1b[32m", off: "\x1b[0m"}
}

// Headline is the first line of a report.
func (r *Report) Headline() string {
	rank := ""
	switch n := len(r.Processes); {
	case n == 1 && r.Processes[0].Rank >= 0:
		rank = fmt.Sprintf(", rank %d", r.Processes[0].Rank)
	case n > 1 && r.Processes[0].Rank >= 0:
		rank = fmt.Sprintf(", %d ranks", n)
	case n > 1:
		rank = fmt.Sprintf(", %d processes", n)
	}
	suppressed := ""
	if r.Suppressed > 0 {
		suppressed = fmt.Sprintf(" (%d suppressed)", r.Suppressed)
	}
	findings := "no findings"
	if n := len(r.Findings); n > 0 {
		findings = report.Plural(n, "finding")
	}
	return fmt.Sprintf("yaklcheck: %s in %s%s%s", findings, r.Program, rank, suppressed)
}

// WriteText writes the report.
func (r *Report) WriteText(to io.Writer, o TextOptions) error {
	var b strings.Builder
	p := o.paint()
	if len(r.Findings) > 0 || !o.Quiet {
		color := p.good
		if len(r.Findings) > 0 {
			color = p.title
		}
		fmt.Fprintf(&b, "%s%s%s\n", color, r.Headline(), p.off)
	}
	hinted := map[string]bool{}
	for i, f := range r.Findings {
		r.writeFinding(&b, i+1, f, o, hinted)
	}
	if len(r.Findings) > 0 || !o.Quiet {
		for _, note := range r.Notes {
			fmt.Fprintf(&b, "%snote: %s%s\n", p.weak, note, p.off)
		}
		if o.Verbose {
			r.writeNumbers(&b)
		}
	}
	// One write for all: reports of several ranks come at once.
	_, err := io.WriteString(to, b.String())
	return err
}

func (r *Report) writeFinding(b *strings.Builder, number int, f *Finding, o TextOptions, hinted map[string]bool) {
	p := o.paint()
	fmt.Fprintf(b, "%d %s%s%s\n", number, p.title, f.Title(), p.off)
	for _, line := range f.Details(o.Verbose) {
		fmt.Fprintf(b, "    %s\n", line)
	}
	for _, s := range f.Sites {
		r.writeSite(b, f, &s, o)
	}
	if text := f.Element(); o.Verbose && text != "" {
		fmt.Fprintf(b, "    %s%s%s\n", p.weak, text, p.off)
	}
	if text := f.times(len(r.Processes) == 1); text != "" {
		fmt.Fprintf(b, "    %s\n", text)
	}
	if o.Verbose && f.Hint() != "" && !hinted[f.Hint()] {
		hinted[f.Hint()] = true
		fmt.Fprintf(b, "    %shint: %s%s\n", p.weak, f.Hint(), p.off)
	}
}

// roleWords begin the line of a place.
func roleWords(f *Finding, role Role) string {
	switch {
	case role == Here && f.Kind.What == trace.CanaryOverwritten:
		return "seen at"
	case role == Other && f.Kind.What == trace.DoubleFree:
		return "freed first at"
	case role == Other && f.Other != "":
		return fmt.Sprintf("'%s' launched at", f.Other)
	}
	return roles[role].words
}

func (r *Report) writeSite(b *strings.Builder, f *Finding, s *Site, o TextOptions) {
	p := o.paint()
	shown := s.Shown(o.Verbose)
	most := max(1, o.Frames)
	if o.Verbose && o.Frames == 0 {
		most = len(shown)
	}
	words := roleWords(f, s.Role)
	for i, frame := range shown[:min(most, len(shown))] {
		lead := "    " + words
		if i > 0 {
			lead = strings.Repeat(" ", len(lead))
		}
		place := frame.Place(r.folder(o))
		if frame.Inlined && o.Verbose {
			place += "  (inlined)"
		}
		kernel := ""
		if i == 0 && s.Kernel != "" {
			kernel = fmt.Sprintf("  in kernel '%s'", s.Kernel)
		}
		fmt.Fprintf(b, "%s %s%s%s%s\n", lead, p.place, place, p.off, kernel)
	}
}

func (r *Report) folder(o TextOptions) string {
	if o.Folder != "" || len(r.Processes) == 0 {
		return o.Folder
	}
	return r.Processes[0].Folder
}

// writeNumbers prints the totals of each process.
func (r *Report) writeNumbers(b *strings.Builder) {
	for _, p := range r.Processes {
		name := fmt.Sprintf("process %d", p.PID)
		if p.Rank >= 0 {
			name = fmt.Sprintf("rank %d, %s", p.Rank, name)
		}
		if p.Mode != "" {
			name += fmt.Sprintf(", mode %s, guard %s", p.Mode, p.Guard)
		}
		if p.Finish != nil {
			name += fmt.Sprintf(": %s, at most %s at once, %s at the end", report.Plural(p.Finish.Allocations, "allocation"),
				report.Plural(p.Finish.HighWater, "byte"), report.Plural(p.Finish.LiveBytes, "byte"))
		}
		fmt.Fprintln(b, name)
	}
	for _, c := range r.Checkpoints {
		where := ""
		if c.Rank >= 0 {
			where = fmt.Sprintf(" on rank %d", c.Rank)
		}
		fmt.Fprintf(b, "checkpoint '%s'%s: %s, %s\n", c.Label, where, report.Plural(c.Blocks, "block"), report.Plural(c.Bytes, "byte"))
	}
}
