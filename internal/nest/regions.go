package nest

import (
	"slices"
	"strconv"

	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/around"
	"libportable/internal/nest/directive"
)

// This file decides what a region around loops means for their nests. Not in this file: which regions may be removed (package around).

// Region is a region whose directives the generated file loses, if all its loops are converted.
type Region = around.Region

// removed reports whether the region around a loop may be removed.
func (f *finder) removed(do *tree.Do) bool { return f.region[do] != nil && f.region[do].Drop != nil }

// kernels is the directive of a loop in a region KERNELS, which asks for all its loops; else nil.
func (f *finder) kernels(do *tree.Do) *Directive {
	if !f.removed(do) || f.region[do].Name != "kernels" || !slices.Contains(f.region[do].Drop.Loops, do) {
		return nil
	}
	return &Directive{Line: f.region[do].Drop.Lines[0], Kind: "acc", Reductions: map[string]Operator{}}
}

// shared is the region whose threads run the loop together; nil if there is none, or it may be removed. A loop with OMP DO or LOOP that stands in no
// region belongs to one around the call of its procedure.
func (f *finder) shared(do *tree.Do, own *directive.Parsed) *around.Loop {
	if r := f.region[do]; r != nil {
		if r.Drop != nil {
			return nil
		}
		return r
	}
	if own != nil && own.Role == directive.Inner && own.Directive.Kind == "omp" {
		return &around.Loop{At: own.Directive.Line.Span.From}
	}
	return nil
}

// Keep refuses the nests of the regions that stay, because a loop in them is not converted.
func Keep(nests []*Nest) {
	converted, broken := map[*tree.Do]bool{}, map[*Region]bool{}
	for _, n := range nests {
		if n.Region == nil {
			continue
		}
		if n.Verdict != Parallel {
			broken[n.Region] = true
			if n.Directive != nil && n.Directive.Line == n.Region.Lines[0] {
				n.Directive = nil // KERNELS leaves it to the tool which loops are parallel
			}
			continue
		}
		converted[n.Outer], converted[n.Loops[0].Do] = true, true
		for _, do := range n.Around {
			converted[do] = true
		}
	}
	for _, n := range nests {
		r := n.Region
		if r == nil || n.Verdict != Parallel {
			continue
		}
		if broken[r] || slices.ContainsFunc(r.Loops, func(do *tree.Do) bool { return !converted[do] }) {
			n.Verdict, n.Directive = Refused, nil
			at := r.Lines[0].Span.From
			n.Refusals = []Refusal{{Rule: "directive", At: n.Outer.Where.From, Also: []token.Pos{at}, Loop: n.Outer.Variable,
				Text:   "the region '" + r.Name + "' at line " + strconv.Itoa(int(at.Line)) + " stays, because not all of its loops are converted",
				Remedy: "write a directive of its own at the loop, such as parallel do or parallel loop"}}
		}
	}
}
