package lint

import (
	"slices"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// This file finds the variables that a statement assigns.

type how int

const (
	assigned how = iota
	loopVariable
	readInto
	passed
	allocatedHere
	pointed
)

var howText = map[how]string{assigned: "assigned", loopVariable: "a DO variable", readInto: "read into", allocatedHere: "allocated or freed",
	pointed: "made to point elsewhere"}

type effect struct {
	at     tree.Expression // the variable, with its subscripts
	how    how
	to     string            // of passed: the procedure
	array  bool              // of passed: the dummy is an array
	others []tree.Expression // of passed: all arguments
	from   []tree.Expression // of assigned: the value; of a loop: its bounds
}

// effects calls yield for each variable that a statement assigns.
func (p *program) effects(x statement, yield func(effect)) {
	p.parts(x, yield)
	for _, c := range calls(x) {
		if !c.bound {
			p.arguments(x.in, c, yield)
		}
	}
}

// parts are the effects of the statement itself, without those of procedures that it calls.
func (p *program) parts(x statement, yield func(effect)) {
	each := func(e tree.Expression, how how) {
		if root(e) != nil {
			yield(effect{at: e, how: how})
		}
	}
	switch n := x.node.(type) {
	case *tree.Assignment:
		p.assignment(x, effect{at: n.Left, how: assigned, from: []tree.Expression{n.Right}}, yield)
	case *tree.PointerAssignment:
		p.assignment(x, effect{at: n.Left, how: pointed, from: []tree.Expression{n.Right}}, yield)
	case *tree.Do:
		if n.Kind == tree.Counted {
			variable := &tree.Name{At: tree.At{Where: n.VariableAt}, Name: n.Variable}
			yield(effect{at: variable, how: loopVariable, from: present(n.First, n.Last, n.Step)})
		}
	case *tree.Allocation:
		kind := allocatedHere
		if n.Kind == "nullify" {
			kind = pointed
		}
		for _, e := range n.Objects {
			if r, is := e.(*tree.Reference); is && n.Kind == "allocate" {
				e = r.Base // without the extents
			}
			each(e, kind)
		}
		for _, o := range n.Options {
			if o.Keyword == "stat" || o.Keyword == "errmsg" {
				each(o.Value, assigned)
			}
		}
	case *tree.Transfer:
		for i, a := range n.Control {
			switch key := a.Keyword; {
			case key == "" && i == 0 && n.Kind == "write" && p.isText(x.in, a.Value),
				key == "iostat" || key == "iomsg" || key == "size" || key == "newunit" || key == "id" && n.Kind != "wait",
				n.Kind == "inquire" && key != "" && key != "unit" && key != "file":
				each(a.Value, assigned)
			}
		}
		items(n.Items, n.Kind == "read", yield)
	}
}

// assignment is no effect if a name of the library stands on the left side, which is no variable then.
func (p *program) assignment(x statement, e effect, yield func(effect)) {
	n := root(e.at)
	if n != nil && (p.called(x.in, n.Name) == "" || p.meaning(x.in, n.Name).symbol != nil) {
		yield(e)
	}
}

func present(list ...tree.Expression) []tree.Expression {
	return slices.DeleteFunc(list, func(e tree.Expression) bool { return e == nil })
}

// items are the variables of READ, and those of implied loops.
func items(list []tree.Expression, read bool, yield func(effect)) {
	for _, e := range list {
		if loop, is := e.(*tree.ImpliedDo); is {
			variable := &tree.Name{At: tree.At{Where: loop.VariableAt}, Name: loop.Variable}
			yield(effect{at: variable, how: loopVariable, from: present(loop.First, loop.Last, loop.Step)})
			items(loop.Items, read, yield)
		} else if read && root(e) != nil {
			yield(effect{at: e, how: readInto})
		}
	}
}

// isText reports whether a unit is a character variable.
func (p *program) isText(s *scope.Scope, e tree.Expression) bool {
	n := root(e)
	if n == nil {
		return false
	}
	v := p.variable(s, n)
	_, component := e.(*tree.Component)
	return v.symbol != nil && (v.symbol.Type.Base == scope.Character || component)
}

// arguments are the arguments that a call assigns.
func (p *program) arguments(s *scope.Scope, c call, yield func(effect)) {
	var others []tree.Expression
	for _, a := range c.arguments {
		others = append(others, a.Value)
	}
	others = present(others...)
	if n := p.called(s, c.name); n != "" {
		for i, a := range c.arguments {
			if root(a.Value) != nil && slices.ContainsFunc(outputs[n], func(place int) bool { return place == i || place < 0 }) {
				yield(effect{at: a.Value, how: passed, to: c.name, others: others})
			}
		}
		return
	}
	candidates := p.meaning(s, c.name).procedures
	for i, a := range c.arguments {
		if root(a.Value) == nil || len(candidates) == 0 {
			continue
		}
		all, array := true, false // of a generic name: all specific procedures that may be meant agree
		for _, q := range candidates {
			var dummy *scope.Symbol
			if n := a.Keyword; n != "" || i < len(q.Dummies) {
				if n == "" {
					n = q.Dummies[i]
				}
				if y := q.Body.Lookup(n); y.Dummy && y.Scope == q.Body {
					dummy = y
				}
			}
			if len(candidates) > 1 && dummy == nil {
				continue
			}
			all = all && dummy != nil && p.assigns(q.Body, dummy)
			array = array || dummy != nil && isArray(dummy) && !slices.Contains(q.Body.Unit.Prefix, "elemental")
		}
		if all {
			yield(effect{at: a.Value, how: passed, to: c.name, array: array, others: others})
		}
	}
}

func isArray(y *scope.Symbol) bool { return y.Dims != nil || y.AssumedRank }

// question asks whether a procedure assigns a dummy.
type question struct {
	procedure *scope.Scope
	dummy     *scope.Symbol
}

// assigns reports whether a procedure assigns its dummy: by its INTENT, else by its statements.
func (p *program) assigns(in *scope.Scope, y *scope.Symbol) bool {
	if y.Value || y.Intent == "in" || y.Kind != scope.Variable {
		return false
	}
	q := p.of[in]
	if y.Intent != "" || q == nil {
		return y.Intent != ""
	}
	key := question{in, y}
	if answer, known := p.asked[key]; known {
		return answer // false while the answer is being computed, for procedures that call each other
	}
	p.asked[key] = false
	found := false
	for _, x := range q.statements {
		p.effects(x, func(e effect) {
			if n := root(e.at); !found && (n.Name == y.Name || x.in.Kind == scope.BlockScope) {
				found = p.variable(x.in, e.at).symbol == y
			}
		})
	}
	p.asked[key] = found
	return found
}
