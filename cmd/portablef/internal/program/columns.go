package program

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"libportable/cmd/portablef/internal/verdicts"
	"libportable/internal/columns"
	"libportable/internal/fortran/parse"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// This file takes the clause columns: files that have it, or procedures that its calls reach, are read again as the plan rewrites them.

// columns rewrites the files that have the clause. Its faults are those of directives that stand at no loop.
func (p *Program) columns(kinds scope.Options) {
	plan := columns.Find(p.Scope, func(f *tree.File) bool { return !p.Inputs[p.input[f]].Modules })
	if plan.Empty() {
		return
	}
	for _, f := range plan.Faults {
		p.Stray = append(p.Stray, nest.Refusal{Rule: "directive", At: f.At, Text: f.Text, Remedy: f.Remedy})
	}
	if len(plan.Faults) > 0 {
		return
	}
	p.plan = plan
	p.user = slices.Clone(p.Files)
	changed := false
	for i, f := range p.Files {
		text, parts := plan.Text(f)
		if text == nil {
			continue
		}
		p.replace(i, p.moved(i, text, parts))
		changed = true
	}
	if changed {
		p.Scope = scope.Build(p.Files, kinds)
	}
}

// moved reads the rewritten text of an input.
func (p *Program) moved(i int, text []byte, parts []source.Part) *tree.File {
	return parse.File(source.ReadMoved(p.Set, p.Inputs[i].Name, text, parts, p.Inputs[i].Flags.Source))
}

// replace takes another file for an input.
func (p *Program) replace(i int, f *tree.File) {
	delete(p.input, p.Files[i])
	p.Files[i] = f
	p.input[f] = i
}

// columnPlaces are the lines of the statements behind directives with columns.
func (p *Program) columnPlaces() map[verdicts.Place]bool {
	columns := map[verdicts.Place]bool{}
	if p.plan == nil {
		return columns
	}
	for _, at := range p.plan.Places() {
		place := p.Place(at)
		columns[verdicts.Place{File: place.File, Line: place.Line}] = true
	}
	return columns
}

// whole refuses nests of the clause whose outermost loop over columns stays serial: columns that depend on one another are a fault, also where
// loops inside are parallel.
func (p *Program) whole() {
	if p.plan == nil {
		return
	}
	columns := p.columnPlaces()
	refused := map[*tree.Do]bool{}
	p.Nests = slices.DeleteFunc(p.Nests, func(n *nest.Nest) bool {
		at := p.Place(n.Outer.Where.From)
		if n.Verdict != nest.Parallel || len(n.Around) == 0 || !columns[verdicts.Place{File: at.File, Line: at.Line}] {
			return false
		}
		again := refused[n.Outer]
		refused[n.Outer] = true
		n.Verdict, n.Loops, n.Around, n.Private, n.Last, n.Reductions = nest.Refused, nil, nil, nil, nil, nil
		return again
	})
}

// copied reports whether a nest stands in a procedure that the clause columns has copied: the original has the same nest.
func (p *Program) copied(n *nest.Nest) bool {
	for u := n.Unit; p.plan != nil && u != nil; u = u.Parent {
		if p.plan.Copied(u.Name) {
			return true
		}
	}
	return false
}

// inserted are the dimensions that the clause columns of a nest inserts.
func (p *Program) inserted(n *nest.Nest) (list []verdicts.Insertion) {
	at := p.Place(n.Outer.Where.From)
	for _, x := range p.plan.Notes {
		if of := p.Place(x.Of); of.File == at.File && of.Line == at.Line {
			list = append(list, verdicts.Insertion{Place: p.Place(x.At), Name: x.Name, Text: x.Text})
		}
	}
	return list
}

// speak writes the user's names where a nest has those of copies.
func (p *Program) speak(n *verdicts.Nest) {
	one := func(name *string) {
		if user := p.plan.Names[*name]; user != "" {
			*name = user
		}
	}
	for _, list := range [][]string{n.Private, n.Last} {
		for i := range list {
			one(&list[i])
		}
	}
	for i := range n.Data {
		one(&n.Data[i].Name)
	}
	for i := range n.Calls {
		one(&n.Calls[i].Procedure)
	}
	for i := range n.Proofs {
		one(&n.Proofs[i].Array)
	}
}

// spoken writes the user's names into a text, and why columns keeps a variable that the text names.
func (p *Program) spoken(text string) string {
	if p.plan == nil {
		return text
	}
	text = word.ReplaceAllStringFunc(text, func(name string) string {
		return cmp.Or(p.plan.Names[name], name)
	})
	for _, name := range slices.Sorted(maps.Keys(p.plan.Shared)) {
		if strings.Contains(text, "'"+name+"'") {
			text += " (" + p.plan.Shared[name] + ")"
		}
	}
	return text
}

var word = regexp.MustCompile(`\w+`)
