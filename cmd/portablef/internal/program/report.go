package program

import (
	"slices"
	"strings"
	"unicode/utf8"

	"libportable/cmd/portablef/internal/verdicts"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// Report is the plain report of the sources that are to be converted.
func (p *Program) Report(command string) *verdicts.Report {
	r := &verdicts.Report{Command: command}
	for i, f := range p.Files {
		if p.Inputs[i].Modules {
			continue
		}
		if p.user != nil {
			f = p.user[i]
		}
		counts := verdicts.File{Name: p.Inputs[i].Name}
		for _, line := range f.Lines {
			if line.Kind == source.Statement {
				counts.Statements++
			}
		}
		for _, problem := range f.Problems {
			r.Messages = append(r.Messages, verdicts.Message{Place: p.Place(problem.At), Level: "warning", Text: problem.Text})
		}
		tree.Walk(f, func(n any) bool {
			switch n := n.(type) {
			case *tree.Unread:
				counts.Unread++
				r.Messages = append(r.Messages, p.unread(n.Where, n.Reason))
			case *tree.UnreadDeclaration:
				counts.Unread++
				r.Messages = append(r.Messages, p.unread(n.Where, n.Reason))
			}
			return true
		})
		r.Files = append(r.Files, counts)
	}
	for _, fault := range p.Stray {
		at := p.Place(fault.At)
		if slices.ContainsFunc(p.Inputs, func(in Input) bool { return in.Name == at.File && in.Modules }) {
			continue
		}
		r.Messages = append(r.Messages, verdicts.Message{Place: at, Level: "error", Text: fault.Text, Remedy: fault.Remedy})
	}
	if p.regions != nil {
		for _, w := range p.regions.Warnings {
			r.Messages = append(r.Messages, verdicts.Message{Place: p.Place(w.At), Level: "warning", Text: w.Text, Remedy: w.Remedy})
		}
		for _, n := range p.regions.Notes {
			r.Messages = append(r.Messages, verdicts.Message{Place: p.Place(n.At), Level: "note", Text: n.Text, Remedy: n.Remedy})
		}
	}
	for _, x := range p.cuts {
		if command == "convert" { // the others say it with each nest
			r.Messages = append(r.Messages, verdicts.Message{Place: x.at, Level: "note", Text: x.words})
		}
	}
	for _, n := range p.Nests {
		r.Nests = append(r.Nests, p.nest(n))
	}
	r.Sort()
	return r
}

func (p *Program) unread(at token.Span, reason string) verdicts.Message {
	return verdicts.Message{Place: p.Place(at.From), Level: "warning", Text: "the statement is not understood: " + reason}
}

// Place is a position with the file's name, and the column in characters.
func (p *Program) Place(at token.Pos) verdicts.Place {
	if !at.Known() {
		return verdicts.Place{}
	}
	f := p.Set.File(at.File)
	end := min(int(at.Offset), len(f.Text))
	start := max(0, end-int(at.Column)+1)
	return verdicts.Place{File: f.Name, Line: int(at.Line), Column: utf8.RuneCount(f.Text[start:end]) + 1}
}

// text is the source of an expression on one line.
func (p *Program) text(e tree.Expression) string {
	if e == nil {
		return ""
	}
	at := e.Span()
	f := p.Set.File(at.From.File)
	from, to := int(at.From.Offset), min(int(at.To.Offset), len(f.Text))
	if from >= to {
		return ""
	}
	return strings.Join(strings.Fields(string(f.Text[from:to])), " ")
}

var verdictNames = map[nest.Verdict]string{nest.Parallel: verdicts.Parallel, nest.Refused: verdicts.Refused, nest.Serial: verdicts.Serial}

func (p *Program) nest(n *nest.Nest) verdicts.Nest {
	first := n.Outer
	if n.Verdict == nest.Parallel && len(n.Loops) > 0 {
		first = n.Loops[0].Do
	}
	out := verdicts.Nest{Place: p.Place(first.Where.From), Verdict: verdictNames[n.Verdict], Asked: p.asked(n), Asserted: n.Asserted,
		Leaves: labels(n.Leaves()), Within: labels(n.Within()), Label: n.Label, Parts: n.Parts, End: p.Place(first.End.Where.To).Line, Private: names(n.Private), Last: names(n.Last)}
	if i, known := p.input[n.File]; known {
		out.Source = p.Inputs[i].Name
	}
	if n.Directive != nil {
		out.Directive = n.Directive.Kind
	}
	if n.Unit != nil {
		out.Procedure = n.Unit.Name
	}
	for _, l := range n.Loops {
		out.Loops = append(out.Loops, variable(l.Do, l.Index))
	}
	if len(out.Loops) == 0 {
		out.Loops = []string{variable(n.Outer, 0)}
	}
	for _, d := range n.Around {
		out.Around = append(out.Around, variable(d, 0))
	}
	tree.Walk(first, func(node any) bool {
		if _, is := node.(tree.Node); is {
			out.Statements++
		}
		return true
	})
	if x := p.cutOf(n); x != nil {
		out.PartOf, out.Parts = &verdicts.Lines{First: x.at.Line, Last: x.end}, x.texts
	}
	p.data(&out, n)
	if p.plan != nil {
		out.Columns = p.inserted(n)
		p.speak(&out)
	}
	for _, f := range n.Refusals {
		refusal := verdicts.Refusal{Place: p.Place(f.At), Rule: string(f.Rule), Loop: f.Loop, Text: p.spoken(f.Text), Remedy: p.spoken(f.Remedy)}
		for _, at := range f.Also {
			refusal.Also = append(refusal.Also, p.Place(at))
		}
		out.Refusals = append(out.Refusals, refusal)
	}
	return out
}

// asked reports whether a directive asks portablef for the nest. Directives of others ask their compiler: a nest that
// portablef cannot take stays as it is, with its directive. A nest that contradicts them is a fault.
func (p *Program) asked(n *nest.Nest) bool {
	if n.Directive == nil || n.Directive.Kind == "portable" || n.Verdict != nest.Refused || len(n.Refusals) == 0 {
		return n.Directive != nil
	}
	return !slices.Contains([]nest.Rule{"not-converted", "not-seen", "not-read"}, n.Refusals[0].Rule) && !p.takesTurns(n)
}

// takesTurns reports whether a nest or a procedure that it may call has ATOMIC, CRITICAL or ORDERED: its threads may use one variable then, and what
// portablef calls a conflict is none for the directive. Procedures are found by their names alone.
func (p *Program) takesTurns(n *nest.Nest) bool {
	procedures := map[string][]*tree.Unit{}
	for _, f := range p.Files {
		tree.Walk(f, func(x any) bool {
			if u, is := x.(*tree.Unit); is && !u.Interface {
				procedures[u.Name] = append(procedures[u.Name], u)
			}
			return true
		})
	}
	var within func(f *tree.File, from, to token.Pos) bool
	within = func(f *tree.File, from, to token.Pos) bool {
		for _, line := range f.Lines {
			if at := line.Span.From; at.File != from.File || at.Offset < from.Offset || at.Offset > to.Offset {
				continue
			}
			for _, t := range line.Tokens {
				if line.Kind == source.Directive {
					if (line.Sentinel == "omp" || line.Sentinel == "acc") && (t.IsName("atomic") || t.IsName("critical") || t.IsName("ordered")) {
						return true
					}
					continue
				}
				list := procedures[t.Text]
				delete(procedures, t.Text)
				for _, u := range list {
					if u.File != nil && u.Head.From.Known() && within(u.File, u.Head.From, u.EndAt.To) {
						return true
					}
				}
			}
		}
		return false
	}
	return within(n.File, n.Outer.Where.From, n.Outer.End.Where.To)
}

// data fills in what the nest reads, writes, sums and calls, and the proofs.
func (p *Program) data(out *verdicts.Nest, n *nest.Nest) {
	for _, r := range n.Reductions {
		if r.Operator == nest.LastSet {
			out.Last = append(out.Last, r.Symbol.Name)
			continue
		}
		out.Reductions = append(out.Reductions, verdicts.Reduction{Operator: string(r.Operator), Variable: r.Symbol.Name, Place: names(r.Place)})
	}
	for _, s := range n.Sums {
		out.Sums = append(out.Sums, verdicts.Sum{Operator: string(s.Operator), Array: argument(n.Arguments[s.Argument])})
	}
	for _, a := range n.Arguments {
		datum := verdicts.Datum{Name: argument(a), Access: accesses[a.Access]}
		for _, u := range a.Uses {
			use := verdicts.Use{Place: p.Place(u.Expression.Span().From), Text: p.text(u.Expression), Access: accesses[u.Access]}
			if !slices.Contains(datum.Uses, use) {
				datum.Uses = append(datum.Uses, use)
			}
		}
		out.Data = append(out.Data, datum)
	}
	for _, c := range n.Calls {
		call := verdicts.Call{Procedure: c.Procedure.Name, Trusted: c.Trusted}
		if c.Expression != nil {
			call.Place = p.Place(c.Expression.Span().From)
		} else if c.Statement != nil {
			call.Place = p.Place(c.Statement.Info().Where.From)
		}
		out.Calls = append(out.Calls, call)
	}
	for _, pair := range n.Pairs {
		out.Overlaps = append(out.Overlaps, [2]string{argument(n.Arguments[pair.A]), argument(n.Arguments[pair.B])})
	}
	for _, proof := range n.Proofs {
		out.Proofs = append(out.Proofs, verdicts.Proof{Loop: proof.Loop, Array: proof.Array, Way: proof.Way, A: p.Place(proof.A), B: p.Place(proof.B)})
	}
}

var accesses = map[nest.Access]string{nest.Read: "read", nest.Write: "write", nest.ReadWrite: "update"}

func argument(a nest.Argument) string {
	return strings.Join(append([]string{a.Symbol.Name}, a.Path...), "%")
}

func names(symbols []*scope.Symbol) (out []string) {
	for _, s := range symbols {
		out = append(out, s.Name)
	}
	return out
}

// variable is the variable of a loop.
func variable(d *tree.Do, index int) string {
	if d.Kind == tree.Concurrent && index < len(d.Indices) {
		return d.Indices[index].Name
	}
	return d.Variable
}
