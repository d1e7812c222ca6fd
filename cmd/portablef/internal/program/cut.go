package program

import (
	"slices"

	"libportable/cmd/portablef/internal/verdicts"
	"libportable/internal/cut"
	"libportable/internal/emit/cost"
	"libportable/internal/emit/host"
	"libportable/internal/fortran/rewrite"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// This file cuts refused loops into parts: the files are read again with the loops of the parts, and a cut of which a parallel part cannot be
// launched is taken back.

// mostCuts is the number of times that the files are read again. The last time no loop is cut.
const mostCuts = 4

// leastWide is the number of iterations for which ALLOCATE of arrays in place of scalars takes little of the time of the loop.
const leastWide = 100

// loopCut is a loop that is cut.
type loopCut struct {
	at    verdicts.Place // of the loop
	end   int            // its last line
	spare bool           // the whole loop stands in front of the parts, if there is no memory
	words string
	texts []string
	list  []verdicts.Place // of the parts
	runs  []bool           // which of them are parallel
}

// cutLoops cuts the loops for which this is worth it. find finds the nests of the new files.
func (p *Program) cutLoops(kinds scope.Options, o Options, find func()) {
	least := leastWide
	if o.Always {
		least = 0
	}
	files, before := slices.Clone(p.Files), p.Scope
	whole := map[verdicts.Place]bool{} // loops that stay in one part
	for round := 1; ; round++ {
		changed := map[*tree.File]*rewrite.Changes{}
		if round < mostCuts {
			changed = p.planCuts(whole, least)
		}
		for i, f := range files {
			if c := changed[f]; c != nil {
				text, parts := c.Text()
				p.replace(i, p.moved(i, text, parts))
			}
		}
		if len(changed) > 0 {
			p.Scope = scope.Build(p.Files, kinds)
			find()
		}
		failed := p.failedCuts()
		if len(failed) == 0 {
			if len(p.cuts) > 0 && p.user == nil {
				p.user = files
			}
			return
		}
		for _, at := range failed {
			whole[at] = true
		}
		for i, f := range files {
			p.replace(i, f)
		}
		p.Scope, p.cuts = before, nil
		find()
	}
}

// planCuts are the changes of all files that have loops to be cut. It notes the cuts.
func (p *Program) planCuts(whole map[verdicts.Place]bool, least int) map[*tree.File]*rewrite.Changes {
	changed := map[*tree.File]*rewrite.Changes{}
	var parallel []*nest.Nest
	for _, n := range p.Nests {
		if n.Verdict == nest.Parallel {
			parallel = append(parallel, n)
		}
	}
	inside, columns := host.Called(p.Scope, parallel), p.columnPlaces() // columns that depend on one another are a fault
	for _, n := range p.Nests {
		at := p.Place(n.Outer.Where.From)
		if n.Verdict != nest.Refused || len(n.Cut) == 0 || whole[at] || columns[verdicts.Place{File: at.File, Line: at.Line}] || inside[n.Unit] || !p.worth(n) {
			continue
		}
		c := changed[n.File]
		if c == nil {
			c = rewrite.Of(n.File)
		}
		list, ok := cut.Write(c, n, least)
		if !ok {
			continue
		}
		changed[n.File] = c
		x := &loopCut{at: at, end: p.Place(n.Outer.End.Where.To).Line, spare: len(n.Wide) > 0, words: cut.Words(n), texts: n.Parts}
		for _, part := range list {
			x.list, x.runs = append(x.list, p.Place(part.At)), append(x.runs, part.Parallel)
		}
		p.cuts = append(p.cuts, x)
	}
	return changed
}

// leastGain is the number of operations of parallel parts for each further loop of a cut, and for each scalar
// that becomes an array. A loop that reads again what the one before has set takes the time of some 10 operations for each iteration, and two threads save half of the operations.
const leastGain = 32

// worth reports whether a cut is worth its further loops: a directive asks for the nest, or the parallel parts have enough operations. Inner loops of
// which the number of iterations is not known count as many.
func (p *Program) worth(n *nest.Nest) bool {
	if n.Directive != nil {
		return true
	}
	gain := int64(0)
	for _, part := range n.Cut {
		for _, s := range part.Statements {
			if !part.Parallel {
				continue
			}
			work := cost.Of(p.Scope, n.Scope, n.Outer.Body[s:s+1])
			if work < 0 {
				return true
			}
			gain += work
		}
	}
	return gain >= leastGain*int64(len(n.Cut)-1+len(n.Wide))
}

// failedCuts are the loops of which a parallel part is none in the new text.
func (p *Program) failedCuts() (list []verdicts.Place) {
	is := map[verdicts.Place]bool{}
	for _, n := range p.Nests {
		if n.Verdict == nest.Parallel {
			is[p.Place(n.Outer.Where.From)] = true
		}
	}
	for _, x := range p.cuts {
		for k, at := range x.list {
			if x.runs[k] && !is[at] {
				list = append(list, x.at)
				break
			}
		}
	}
	return list
}

// spare reports whether a nest is the whole loop that stands in front of its parts.
func (p *Program) spare(n *nest.Nest) bool {
	if len(p.cuts) == 0 {
		return false
	}
	at := p.Place(n.Outer.Where.From)
	return slices.ContainsFunc(p.cuts, func(x *loopCut) bool { return x.spare && x.at == at })
}

// cutOf is the cut of which a nest is a part; nil: of none.
func (p *Program) cutOf(n *nest.Nest) *loopCut {
	at := p.Place(n.Outer.Where.From)
	for _, x := range p.cuts {
		if slices.Contains(x.list, at) {
			return x
		}
	}
	return nil
}
