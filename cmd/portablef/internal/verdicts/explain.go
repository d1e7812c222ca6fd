package verdicts

// This file explains nests: what is private, reduced, read and written, and the proof or the references
// that conflict.

import (
	"fmt"
	"io"
	"strings"

	"libportable/internal/report"
)

// At is the innermost nests that hold a line of a file; of line 0 all nests of the file.
func (r *Report) At(file string, line int) (found []Nest) {
	span := 0
	for _, n := range r.Nests {
		first, last := n.Line, n.End
		if n.PartOf != nil { // all parts of a loop are asked for together
			first, last = n.PartOf.First, n.PartOf.Last
		}
		if n.File != file || line != 0 && (line < first || line > last) {
			continue
		}
		if lines := last - first; line != 0 && len(found) > 0 && lines != span {
			if lines > span {
				continue
			}
			found = nil
		}
		found, span = append(found, n), last-first
	}
	return found
}

// WriteExplanation writes all that is known about nests.
func WriteExplanation(to io.Writer, nests []Nest) error {
	var b strings.Builder
	for i, n := range nests {
		if i > 0 {
			b.WriteString("\n")
		}
		n.explain(&b)
	}
	_, err := io.WriteString(to, b.String())
	return err
}

func (n Nest) explain(b *strings.Builder) {
	fmt.Fprintf(b, "%s %s\n", n.Place, n.line())
	if n.Label != "" {
		fmt.Fprintf(b, "  label '%s', %s\n", n.Label, report.Plural(n.Statements, "statement"))
	}
	if n.PartOf != nil {
		fmt.Fprintf(b, "  the loop at line %d is cut: %s\n", n.PartOf.First, strings.Join(n.Parts, "; "))
	}
	if n.Directive != "" {
		fmt.Fprintf(b, "  asked for by: %s\n", n.Directive)
	}
	for _, x := range n.Columns {
		fmt.Fprintf(b, "  columns: %s: %s\n", x.Place, x.Text)
	}
	switch n.Device {
	case "":
	case OnHost:
		fmt.Fprintf(b, "  runs on the host, also where a device runs\n")
	case Inside:
		fmt.Fprintf(b, "  runs on the host; on a device the loops inside run\n")
	default:
		fmt.Fprintf(b, "  has a version for %s\n", n.Device)
	}
	for _, d := range n.Data {
		var uses []string
		for _, u := range d.Uses {
			text := fmt.Sprintf("%s at line %d", u.Text, u.Line)
			if u.Access != d.Access {
				text += " (" + u.Access + ")"
			}
			uses = append(uses, text)
		}
		fmt.Fprintf(b, "  %-6s %s: %s\n", d.Access, d.Name, strings.Join(uses, ", "))
	}
	for _, c := range n.Calls {
		trusted := ""
		if c.Trusted {
			trusted = ": in none of the files, trusted"
		}
		fmt.Fprintf(b, "  calls %s at line %d%s\n", c.Procedure, c.Line, trusted)
	}
	for _, pair := range n.Overlaps {
		fmt.Fprintf(b, "  compared at each launch: %s and %s may overlap\n", pair[0], pair[1])
	}
	said := map[string]bool{} // references on one line have one proof
	for _, p := range n.Proofs {
		lines := fmt.Sprintf("lines %d and %d", p.A.Line, p.B.Line)
		if p.A.Line == p.B.Line {
			lines = fmt.Sprintf("line %d", p.A.Line)
		}
		if text := fmt.Sprintf("  no conflict in loop %s: %s, %s: %s\n", p.Loop, p.Array, lines, p.Way); !said[text] {
			said[text] = true
			b.WriteString(text)
		}
	}
	for i, f := range n.Refusals {
		if i == 0 && n.Verdict == Refused { // its text is on the first line
			if f.Remedy != "" {
				fmt.Fprintf(b, "  remedy: %s\n", f.Remedy)
			}
			continue
		}
		loop := ""
		if f.Loop != "" {
			loop = " in loop " + f.Loop
		}
		fmt.Fprintf(b, "  %s: %s%s: %s\n", f.at(n), f.Rule, loop, sentence(f.Text, f.Remedy))
	}
}
