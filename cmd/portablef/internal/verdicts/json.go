package verdicts

import (
	"io"

	"libportable/internal/report"
)

// JSONVersion is the version of the format.
const JSONVersion = 1

// WriteJSON writes the report; tool is the version of portablef.
func (r *Report) WriteJSON(to io.Writer, tool string) error {
	return report.Encode(to, map[string]any{"schema": "portablef-report", "version": JSONVersion, "tool": "portablef " + tool, "command": r.Command,
		"summary": r.Summary(), "files": listed(r.Files), "nests": plain(r.Nests), "messages": listed(r.Messages)})
}

// listed makes an empty list of a missing one: readers of JSON expect a list.
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func plain(nests []Nest) []Nest {
	out := make([]Nest, 0, len(nests))
	for _, n := range nests {
		n.Loops, n.Around, n.Private, n.Last = listed(n.Loops), listed(n.Around), listed(n.Private), listed(n.Last)
		n.Sums, n.Calls, n.Overlaps, n.Proofs = listed(n.Sums), listed(n.Calls), listed(n.Overlaps), listed(n.Proofs)
		n.Reductions = each(n.Reductions, func(r *Reduction) { r.Place = listed(r.Place) })
		n.Data = each(n.Data, func(d *Datum) { d.Uses = listed(d.Uses) })
		n.Refusals = each(n.Refusals, func(f *Refusal) { f.Also = listed(f.Also) })
		out = append(out, n)
	}
	return out
}

// each is a copy of a list with a change of its elements.
func each[T any](list []T, change func(*T)) []T {
	out := append(make([]T, 0, len(list)), list...)
	for i := range out {
		change(&out[i])
	}
	return out
}
