package verdicts

// This file writes what a converting run says: messages in the form that editors know from compilers.

import (
	"fmt"
	"io"
	"strings"
)

// TextOptions are the options of text.
type TextOptions struct {
	Color   bool
	Quiet   bool // errors and warnings only
	Verbose bool // each nest that stays serial, not a sum for each file
}

func (p Place) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Column == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// sentence joins a text and its remedy.
func sentence(text, remedy string) string {
	if remedy == "" {
		return text
	}
	return text + "; " + remedy
}

var colors = map[string]string{"error": "\x1b[1;31m", "warning": "\x1b[1;35m", "note": "\x1b[1;36m"}

// printed writes one line.
func printed(b *strings.Builder, at Place, level, text string, color bool) {
	if color {
		fmt.Fprintf(b, "\x1b[1m%s:\x1b[0m %s%s:\x1b[0m %s\n", at, colors[level], level, text)
		return
	}
	fmt.Fprintf(b, "%s: %s: %s\n", at, level, text)
}

// WriteText writes the messages of a converting run, and its sum.
func (r *Report) WriteText(to io.Writer, o TextOptions) error {
	var b strings.Builder
	for _, m := range r.Messages {
		if m.Level != "note" || !o.Quiet {
			printed(&b, m.Place, m.Level, sentence(m.Text, m.Remedy), o.Color)
		}
	}
	unmarked := map[string]int{} // nests without a directive, by file
	for _, n := range r.Nests {
		for _, x := range n.Columns {
			if !o.Quiet {
				printed(&b, x.Place, "note", "columns: "+x.Text, o.Color)
			}
		}
		switch {
		case n.failed():
			for _, f := range n.Refusals {
				printed(&b, f.at(n), "error", "cannot run this loop in parallel: "+sentence(f.Text, f.Remedy), o.Color)
			}
		case n.Verdict == Refused && n.Directive != "":
			printed(&b, n.Place, "warning", "this loop stays as it is: "+n.why(), o.Color)
		case o.Quiet:
		case n.PartOf != nil && !o.Verbose: // the note of its loop says that this part is serial
		case n.Verdict == Refused:
			printed(&b, n.Place, "note", "this loop stays serial: "+n.why(), o.Color)
		case n.Verdict == Serial && (o.Verbose || n.Asked || len(n.Refusals) > 0):
			printed(&b, n.Place, "note", "this loop stays serial: "+n.why(), o.Color)
		case n.Verdict == Serial:
			unmarked[n.File]++
		}
	}
	if !o.Quiet {
		for _, f := range r.Files {
			if count := unmarked[f.Name]; count > 0 {
				loops := "1 nest has no directive and stays serial"
				if count > 1 {
					loops = fmt.Sprintf("%d nests have no directive and stay serial", count)
				}
				printed(&b, Place{File: f.Name}, "note", loops+" (--auto takes those that are proved, --verbose lists them)", o.Color)
			}
		}
		fmt.Fprintf(&b, "portablef: %s\n", r.Summary().Line())
	}
	_, err := io.WriteString(to, b.String())
	return err
}

// at is the place of a refusal, or that of its nest.
func (f Refusal) at(n Nest) Place {
	if f.Line == 0 {
		return n.Place
	}
	return f.Place
}

// why is the reason of a nest that does not run in parallel.
func (n Nest) why() string {
	if len(n.Refusals) > 0 {
		return sentence(n.Refusals[0].Text, n.Refusals[0].Remedy)
	}
	return "it has no directive"
}
