package lint

import (
	"slices"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// This file lists the statements of each procedure, with the constructs around them.

// procedure is a procedure or main program with its statements.
type procedure struct {
	*scope.Scope
	name       string
	where      token.Pos
	recursive  bool
	elemental  bool
	ok         bool // escape comment at its first statement
	statements []statement
	guarded    int // 0: no; 1: the next statement; 2: until the end of critical
}

// statement is a statement, or the first or a middle one of a construct.
type statement struct {
	in      *scope.Scope // the innermost, for names
	node    tree.Node
	parts   []tree.Expression // what it evaluates or assigns
	line    *source.Line
	guards  []tree.Expression // conditions of IF around it
	guarded bool              // within OpenMP's atomic or critical
	ok      bool              // escape comment
	do      bool              // inside of a DO
}

// around is the constructs around a statement.
type around struct {
	in           *scope.Scope
	guards       []tree.Expression
	critical, do bool
}

// head is the position of a unit.
func head(u *tree.Unit) token.Pos {
	switch {
	case u.NameAt.From.Known():
		return u.NameAt.From
	case len(u.Declarations) > 0:
		return u.Declarations[0].Info().Where.From
	case len(u.Body) > 0:
		return u.Body[0].Info().Where.From
	}
	return u.Head.From
}

func (p *program) unit(u *tree.Unit) {
	s := p.Of(u)
	if s != nil && s.Kind != scope.ModuleScope {
		q := &procedure{Scope: s, name: u.Name, where: head(u), ok: u.HeadLine != nil && u.HeadLine.Marked}
		prefixes := u.Prefix
		if u.Kind == tree.ModuleProcedure {
			prefixes = inherited(s)
		}
		q.recursive, q.elemental = slices.Contains(prefixes, "recursive"), slices.Contains(prefixes, "elemental")
		if u.Kind == tree.Program && u.Name == "" {
			q.name = "the main program"
		}
		p.of[s] = q
		p.procedures = append(p.procedures, q)
		for _, d := range u.Declarations {
			q.directives(d.Info().Before)
		}
		q.block(p, u.Body, around{in: s})
	}
	for _, inner := range u.Contains {
		p.unit(inner)
	}
}

// inherited are the prefixes of the interface of a MODULE PROCEDURE.
func inherited(s *scope.Scope) []string {
	for at := s.Parent; at != nil; at = at.Parent {
		for _, d := range at.Lookup(s.Name).Decls {
			if block, ok := d.(*tree.Interface); ok {
				for _, u := range block.Bodies {
					if u.Name == s.Name {
						return u.Prefix
					}
				}
			}
		}
	}
	return nil
}

func (q *procedure) directives(list []*tree.Directive) {
	for _, d := range list {
		words := d.Line.Tokens
		if d.Line.Sentinel != "omp" && d.Line.Sentinel != "acc" || len(words) == 0 {
			continue
		}
		switch first := words[0]; {
		case first.IsName("critical"), first.IsName("atomic") && slices.ContainsFunc(words, func(t token.Token) bool { return t.IsName("capture") }):
			q.guarded = 2
		case first.IsName("atomic"):
			q.guarded = 1
		case first.IsName("end") && len(words) > 1 && (words[1].IsName("critical") || words[1].IsName("atomic")):
			q.guarded = 0
		}
	}
}

func (q *procedure) add(n tree.Node, line *source.Line, a around, parts ...tree.Expression) {
	parts = slices.DeleteFunc(parts, func(e tree.Expression) bool { return e == nil })
	q.statements = append(q.statements, statement{in: a.in, node: n, parts: parts, line: line, guards: a.guards,
		guarded: a.critical || q.guarded > 0, ok: line.Marked, do: a.do})
	if q.guarded == 1 {
		q.guarded = 0
	}
}

func (q *procedure) block(p *program, list []tree.Node, a around) {
	for _, n := range list {
		q.directives(n.Info().Before)
		q.node(p, n, a)
	}
}

func (q *procedure) node(p *program, n tree.Node, a around) {
	line := n.Info().Line
	inside := a
	if s := p.Inside(n); s != nil {
		inside.in = s
	}
	switch n := n.(type) {
	case *tree.If:
		q.branches(p, n, n.Branches, a, true)
		q.directives(n.ElseDirs)
		q.block(p, n.Else, a)
		q.directives(n.End.Before)
	case *tree.Where:
		q.branches(p, n, n.Branches, a, false)
		q.block(p, n.Else, a)
	case *tree.Do:
		q.add(n, line, inside, append(ranges(n.Indices), n.First, n.Last, n.Step, n.Condition)...)
		inside.do = true
		q.block(p, n.Body, inside)
		q.directives(n.End.Before)
	case *tree.Forall:
		q.add(n, line, inside, append(ranges(n.Indices), n.Mask)...)
		q.block(p, n.Body, inside)
	case *tree.Select:
		q.add(n, line, a, n.Selector)
		for i := range n.Cases {
			in := a
			if s := p.Case(n, i); s != nil {
				in.in = s
			}
			q.directives(n.Cases[i].Before)
			q.block(p, n.Cases[i].Body, in)
		}
		q.directives(n.End.Before)
	case *tree.Associate:
		var selectors []tree.Expression
		for i := range n.Names {
			selectors = append(selectors, n.Names[i].Selector)
		}
		q.add(n, line, a, selectors...)
		q.block(p, n.Body, inside)
		q.directives(n.End.Before)
	case *tree.Block:
		q.block(p, n.Body, inside)
		q.directives(n.End.Before)
	case *tree.Critical:
		inside.critical = inside.critical || n.Kind == "critical"
		q.block(p, n.Body, inside)
		q.directives(n.End.Before)
	default:
		q.add(n, line, a, expressions(n)...)
	}
}

func (q *procedure) branches(p *program, n tree.Node, list []tree.Branch, a around, guards bool) {
	for i := range list {
		b, inside := &list[i], a
		if guards && b.Condition != nil {
			inside.guards = append(slices.Clip(a.guards), b.Condition)
		}
		q.directives(b.Before)
		q.add(n, b.Line, a, b.Condition)
		q.block(p, b.Body, inside)
	}
}

// expressions are those of a simple statement.
func expressions(n tree.Node) (list []tree.Expression) {
	tree.Walk(n, func(x any) bool {
		e, is := x.(tree.Expression)
		if is {
			list = append(list, e)
		}
		return !is
	})
	return list
}

// ranges are the bounds of the indices of DO CONCURRENT and FORALL.
func ranges(list []tree.Index) (bounds []tree.Expression) {
	for _, i := range list {
		bounds = append(bounds, i.First, i.Last, i.Step)
	}
	return bounds
}

// each visits the expressions of a statement, nested ones too, until visit says false.
func (x statement) each(visit func(e tree.Expression) bool) {
	for _, part := range x.parts {
		within(part, visit)
	}
}

func within(e tree.Expression, visit func(e tree.Expression) bool) {
	tree.Walk(e, func(n any) bool {
		e, is := n.(tree.Expression)
		return !is || visit(e)
	})
}

// first is the place of the first word of a statement.
func (p *program) first(x statement) Place {
	if len(x.line.Tokens) == 0 {
		return p.place(x.line.Span.From)
	}
	return p.place(x.line.Tokens[0].Span.From)
}
