package program

import (
	"errors"

	"libportable/internal/emit/host"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// Emission says how generated files are written.
type Emission struct {
	Check   bool // bodies for PORTABLE_CHECK=races
	Markers bool // line markers to the user's file
}

func (p *Program) options(i int, output string, e Emission) host.Options {
	in := p.Inputs[i]
	o := host.Options{Program: p.Scope, Output: output, NoMarkers: !e.Markers, Check: e.Check, Width: in.Flags.Source.FreeColumns,
		Preprocessed: in.Flags.Source.IsPreprocessed(in.Name), Defined: defined(in.Flags)}
	if p.Files[i].Source.Fixed {
		o.Width = 0
	}
	return o
}

// emittable refuses the nests that cannot be written, so that each command gives the verdict of convert.
func (p *Program) emittable() {
	for _, n := range p.Nests {
		if n.Verdict != nest.Parallel {
			continue
		}
		reasons := p.foreign(n)
		if len(reasons) == 0 {
			reasons = host.Check(n, p.options(p.input[n.File], "", Emission{}))
		}
		if len(reasons) > 0 {
			n.Verdict, n.Refusals = nest.Refused, reasons
		}
	}
}

// foreign refuses calls of procedures that several threads cannot run at once, and whose file is not converted: there no
// one makes them RECURSIVE, so compilers may keep their local arrays in one place.
func (p *Program) foreign(n *nest.Nest) (reasons []nest.Refusal) {
	if p.Scope.Options.Recursive {
		return nil
	}
	for unit := range host.Called([]*nest.Nest{n}) {
		i, known := p.input[unit.File]
		if !known || !p.Inputs[i].Modules || reentrant(p, unit) {
			continue
		}
		reasons = append(reasons, nest.Refusal{Rule: "call-effect", At: n.Loops[0].Do.Where.From, Loop: n.Loops[0].Do.Variable,
			Text:   "'" + unit.Name + "', which it calls, has local arrays, is not RECURSIVE, and its file " + p.Inputs[i].Name + " is not converted",
			Remedy: "declare it RECURSIVE, or convert its file too"})
	}
	return reasons
}

// reentrant reports whether calls of a procedure share no local variable.
func reentrant(p *Program, unit *tree.Unit) bool {
	for _, word := range unit.Prefix {
		if word == "recursive" {
			return true
		}
	}
	s := p.Scope.Of(unit)
	if s == nil {
		return false
	}
	for _, y := range s.Own() {
		if y.Dims != nil && !y.Dummy && !y.Result && !y.Allocatable && !y.Pointer && y.Init == nil {
			return false
		}
	}
	return true
}

// Generate is the generated text of an input, whose nests were all read. The error says why there is none.
func (p *Program) Generate(i int, output string, e Emission) ([]byte, error) {
	o := p.options(i, output, e)
	o.Recursive = p.called()
	text, err := host.Write(p.Files[i], p.Nests, o)
	var refused *host.Refused
	if errors.As(err, &refused) {
		return nil, errors.New(refused.Error())
	}
	return text, err
}

// called are the procedures that nests of all files call.
func (p *Program) called() map[*tree.Unit]bool { return host.Called(p.Nests) }
