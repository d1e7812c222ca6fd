package verdicts

// This file writes a survey: one line for each nest, then the sums.

import (
	"fmt"
	"io"
	"strings"
)

// WriteSurvey writes the lines.
func (r *Report) WriteSurvey(to io.Writer, o TextOptions) error {
	var b strings.Builder
	for _, n := range r.Nests {
		if !o.Quiet || n.Verdict == Refused {
			fmt.Fprintf(&b, "%s %s\n", n.Place, n.line())
		}
	}
	for _, m := range r.Messages {
		printed(&b, m.Place, m.Level, sentence(m.Text, m.Remedy), o.Color)
	}
	s := r.Summary()
	if rates := s.Rates(); rates != "" && !o.Quiet {
		fmt.Fprintln(&b, rates)
	}
	fmt.Fprintln(&b, s.Line())
	_, err := io.WriteString(to, b.String())
	return err
}

// line is the verdict of a nest on one line.
func (n Nest) line() string {
	switch {
	case n.Verdict == Refused && len(n.Refusals) > 0:
		f := n.Refusals[0]
		loop := f.Loop
		if loop == "" {
			loop = strings.Join(n.Loops, ", ")
		}
		text := fmt.Sprintf("refused %s: %s: %s", loop, f.Rule, f.Text)
		if n.PartOf != nil {
			return text + "; " + n.partOf()
		}
		if len(n.Parts) > 0 {
			text += "; parts: " + strings.Join(n.Parts, "; ")
		}
		return text
	case n.Verdict == Parallel:
		text := "parallel " + strings.Join(n.Loops, ", ")
		if parts := n.parts(); len(parts) > 0 {
			text += ": " + strings.Join(parts, "; ")
		}
		return text
	case n.Verdict == Serial:
		text := fmt.Sprintf("serial %s: %s", strings.Join(n.Loops, ", "), n.why())
		if n.PartOf != nil {
			text += "; " + n.partOf()
		}
		return text
	}
	return fmt.Sprintf("%s %s", n.Verdict, strings.Join(n.Loops, ", "))
}

// partOf names the loop of which a nest is a part.
func (n Nest) partOf() string { return fmt.Sprintf("part of the loop at line %d", n.PartOf.First) }

// parts are the facts about a parallel nest.
func (n Nest) parts() (parts []string) {
	list := func(word string, names []string) {
		if len(names) > 0 {
			parts = append(parts, word+" "+strings.Join(names, ", "))
		}
	}
	labels := func(text string, names []string) {
		if len(names) > 0 {
			parts = append(parts, text+" '"+strings.Join(names, "', '")+"'")
		}
	}
	if n.PartOf != nil {
		parts = append(parts, n.partOf())
	}
	labels("on a device in its place:", n.Leaves)
	labels("on the host plain code in", n.Within)
	list("private", n.Private)
	list("last value of", n.Last)
	for _, r := range n.Reductions {
		text := fmt.Sprintf("reduction %s: %s", r.Operator, r.Variable)
		if len(r.Place) > 0 {
			text += " with " + strings.Join(r.Place, ", ")
		}
		parts = append(parts, text)
	}
	for _, s := range n.Sums {
		parts = append(parts, fmt.Sprintf("sum %s into %s", s.Operator, s.Array))
	}
	if n.Asserted {
		parts = append(parts, "independent by assertion")
	}
	if len(n.Around) > 0 {
		text := "loop " + strings.Join(n.Around, ", ") + " around it stays serial"
		if len(n.Refusals) > 0 {
			text += ": " + n.Refusals[0].Rule + ": " + n.Refusals[0].Text
		}
		parts = append(parts, text)
	}
	return parts
}
