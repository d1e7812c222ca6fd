package columns

import (
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/parts"
)

// This file lists what statements name: variables, calls, and how values come into indices.

// use is a variable that is named.
type use struct {
	symbol *scope.Symbol
	at     token.Span // of the name
	set    bool       // it is the left side of an assignment
	memory bool       // in ALLOCATE, DEALLOCATE or ALLOCATED
	shape  bool       // an assignment, or a dummy that is allocatable, may give it other bounds
}

// site is a call.
type site struct {
	callee  *scope.Symbol
	scope   *scope.Scope
	name    token.Span // of the procedure at the call
	written string     // the name there
	end     token.Pos  // behind the call
	how     string     // "": by its name; else why the call cannot be written again
	args    []tree.Argument
}

// flow is a value that goes from variables into a variable, or into the subscripts of an array.
type flow struct {
	to        *scope.Symbol
	from      []*scope.Symbol
	subscript bool
}

// text is what a unit with its internal procedures, or a part of one, names.
type text struct {
	program *scope.Program
	uses    []use
	sites   []site
	flows   []flow
	writes  map[*scope.Symbol]token.Pos
	passes  []pass
	output  []token.Pos     // input and output
	indices []*scope.Symbol // of the loops that columns puts around a call
}

// pass is a variable that is given to a dummy.
type pass struct {
	actual, dummy *scope.Symbol
	at            token.Pos
}

func newText(p *scope.Program) *text {
	return &text{program: p, writes: map[*scope.Symbol]token.Pos{}}
}

// unit adds a unit with the procedures in it.
func (t *text) unit(u *tree.Unit) {
	s := t.program.Of(u)
	if s == nil || u.Interface {
		return
	}
	for _, d := range u.Declarations {
		t.declaration(s, d)
	}
	t.block(s, u.Body)
	for _, inner := range u.Contains {
		t.unit(inner)
	}
}

// declaration adds the expressions of bounds and values. Those of interfaces have a scope of their own, and name no variables.
func (t *text) declaration(s *scope.Scope, d tree.Declaration) {
	switch d := d.(type) {
	case *tree.Interface, *tree.DerivedType:
		return
	case *tree.StatementFunction:
		t.expression(s, d.Assignment.Right)
		if y := s.Symbol(d.Assignment.Left); y == nil || y.Function != d.Assignment {
			t.statement(s, d.Assignment)
		}
		return
	}
	tree.Walk(d, func(n any) bool {
		if e, is := n.(tree.Expression); is {
			t.expression(s, e)
			return false
		}
		return true
	})
}

func (t *text) block(s *scope.Scope, body []tree.Node) {
	for _, n := range body {
		if n != nil {
			t.statement(s, n)
		}
	}
}

func (t *text) statement(s *scope.Scope, n tree.Node) {
	inside := s
	if x := t.program.Inside(n); x != nil {
		inside = x
	}
	switch n := n.(type) {
	case *tree.Assignment:
		t.assignment(s, n)
		return
	case *tree.PointerAssignment:
		t.write(s, n.Left)
	case *tree.Call:
		t.call(s, n)
		return
	case *tree.Associate:
		for i := range n.Names {
			t.expression(s, n.Names[i].Selector)
		}
		t.block(inside, n.Body)
		return
	case *tree.Block:
		for _, d := range n.Declarations {
			t.declaration(inside, d)
		}
	case *tree.Select:
		t.expression(s, n.Selector)
		for i := range n.Cases {
			own := inside
			if x := t.program.Case(n, i); n.Kind != "case" && x != nil {
				own = x
			}
			for _, e := range n.Cases[i].Values {
				t.expression(own, e)
			}
			t.block(own, n.Cases[i].Body)
		}
		return
	case *tree.Do:
		if n.Kind == tree.Counted {
			t.index(s, n)
		}
	case *tree.Transfer:
		t.output = append(t.output, n.Where.From)
		for i := range n.Control {
			t.write(s, n.Control[i].Value)
		}
		if n.Kind == "read" {
			for _, e := range n.Items {
				t.write(s, e)
			}
		}
	case *tree.Allocation:
		t.allocation(s, n)
		return
	}
	for _, e := range parts.Expressions(n) {
		t.expression(inside, e)
	}
	for _, b := range parts.Blocks(n) {
		t.block(inside, b)
	}
}

func (t *text) assignment(s *scope.Scope, n *tree.Assignment) {
	t.write(s, n.Left)
	before := len(t.uses)
	t.expression(s, n.Left)
	if len(t.uses) > before { // the name of the left side is the first of its expression
		t.uses[before].set = true
		_, whole := n.Left.(*tree.Name)
		t.uses[before].shape = whole && t.uses[before].symbol.Allocatable && ranked(s, n.Right)
	}
	t.expression(s, n.Right)
	if y := s.Assignment(n.Left, n.Right); y != nil {
		t.sites = append(t.sites, site{callee: y, scope: s, name: n.Where, how: "is an assignment that a procedure defines"})
		t.pass(s, n.Left, y, 0)
		t.pass(s, n.Right, y, 1)
	}
	if name, is := n.Left.(*tree.Name); is {
		t.flows = append(t.flows, flow{to: s.Lookup(name.Name), from: named(s, n.Right)})
	}
}

// ranked reports whether an expression may be an array.
func ranked(s *scope.Scope, e tree.Expression) bool {
	_, rank := s.TypeOf(e)
	return rank != 0
}

// index adds the variable of a loop.
func (t *text) index(s *scope.Scope, n *tree.Do) {
	y := s.Lookup(n.Variable)
	t.note(y, n.VariableAt.From)
	t.uses = append(t.uses, use{symbol: y, at: n.VariableAt, set: true})
	for _, e := range []tree.Expression{n.First, n.Last} {
		t.flows = append(t.flows, flow{to: y, from: named(s, e)})
	}
}

func (t *text) allocation(s *scope.Scope, n *tree.Allocation) {
	for _, e := range n.Objects {
		t.write(s, e)
		before := len(t.uses)
		t.expression(s, e)
		if len(t.uses) > before {
			t.uses[before].memory = true
		}
	}
	for i := range n.Options {
		t.write(s, n.Options[i].Value)
		t.expression(s, n.Options[i].Value)
	}
}

func (t *text) call(s *scope.Scope, n *tree.Call) {
	meaning, y := s.Meaning(&tree.Reference{Base: n.Procedure, Arguments: n.Arguments})
	t.called(s, n.Procedure, y, n.Arguments, n.Where.To, meaning == scope.FunctionCall)
	if c, is := n.Procedure.(*tree.Component); is {
		t.write(s, c.Base)
		t.expression(s, c.Base)
	}
}

// called adds a call with its arguments.
func (t *text) called(s *scope.Scope, base tree.Expression, y *scope.Symbol, args []tree.Argument, end token.Pos, known bool) {
	if known && y != nil && y.Kind == scope.Procedure {
		x := site{callee: y, scope: s, name: base.Span(), written: parts.Show(base), end: end, args: args}
		if _, is := base.(*tree.Component); is {
			x.how = "is bound to a type"
		}
		t.sites = append(t.sites, x)
	}
	for i := range args {
		before := len(t.uses)
		t.expression(s, args[i].Value)
		switch {
		case known && y != nil && y.Body != nil:
			d := dummyOf(y, args, i)
			if d != nil && d.Intent == "out" && root(s, args[i].Value) != nil && len(t.uses) > before {
				t.uses[before].set = true
			}
			if d == nil {
				t.write(s, args[i].Value)
				continue
			}
			if len(t.uses) > before {
				t.uses[before].shape = t.uses[before].shape || d.Allocatable
			}
			t.given(s, args[i].Value, d)
		default:
			t.write(s, args[i].Value) // a procedure that no file has
		}
	}
}

// dummyOf is the dummy of an argument; nil: it is not known.
func dummyOf(y *scope.Symbol, args []tree.Argument, i int) *scope.Symbol {
	name := args[i].Keyword
	if name == "" {
		if i >= len(y.Dummies) {
			return nil
		}
		name = y.Dummies[i]
	}
	if d := y.Body.Lookup(name); d != nil && d.Dummy {
		return d
	}
	return nil
}

func (t *text) pass(s *scope.Scope, e tree.Expression, y *scope.Symbol, i int) {
	if y.Body == nil || i >= len(y.Dummies) {
		t.write(s, e)
		return
	}
	t.given(s, e, y.Body.Lookup(y.Dummies[i]))
}

// given adds the value that a dummy gets.
func (t *text) given(s *scope.Scope, e tree.Expression, d *scope.Symbol) {
	if y := root(s, e); y != nil && d.Intent != "in" && !d.Value {
		t.passes = append(t.passes, pass{actual: y, dummy: d, at: e.Span().From})
	}
	t.flows = append(t.flows, flow{to: d, from: named(s, e)})
}

// write notes that the variable of a designator may be set.
func (t *text) write(s *scope.Scope, e tree.Expression) {
	if y := root(s, e); y != nil {
		t.note(y, e.Span().From)
	}
}

func (t *text) note(y *scope.Symbol, at token.Pos) {
	if !t.writes[y].Known() {
		t.writes[y] = at
	}
}

// root is the variable of a designator; nil: the expression is none.
func root(s *scope.Scope, e tree.Expression) *scope.Symbol {
	for range 64 { // names of ASSOCIATE may stand for one another
		switch x := e.(type) {
		case *tree.Component:
			e = x.Base
			continue
		case *tree.Coindexed:
			e = x.Base
			continue
		case *tree.Reference:
			switch meaning, _ := s.Meaning(x); meaning {
			case scope.Element, scope.Section, scope.Substring:
				e = x.Base
				continue
			}
			return nil
		case *tree.Name:
			y := s.Lookup(x.Name)
			if y.Kind == scope.Alias && y.Alias != nil && y.Scope != nil && y.Scope.Parent != nil {
				s, e = y.Scope.Parent, y.Alias
				continue
			}
			if y.Kind == scope.Variable {
				return y
			}
		}
		return nil
	}
	return nil
}

// named are the variables that an expression names.
func named(s *scope.Scope, e tree.Expression) (list []*scope.Symbol) {
	parts.Every(e, func(x tree.Expression) {
		if n, is := x.(*tree.Name); is {
			if y := root(s, n); y != nil {
				list = append(list, y)
			}
		}
	})
	return list
}

func (t *text) expression(s *scope.Scope, e tree.Expression) {
	switch e := e.(type) {
	case nil:
		return
	case *tree.Name:
		switch y := s.Lookup(e.Name); y.Kind {
		case scope.Variable:
			t.uses = append(t.uses, use{symbol: y, at: e.Where})
		case scope.Procedure:
			if y.Function == nil && !y.Dummy {
				t.sites = append(t.sites, site{callee: y, scope: s, name: e.Where, how: "is an argument"})
			}
		}
		return
	case *tree.Reference:
		t.reference(s, e)
		return
	case *tree.Component:
		t.expression(s, e.Base)
		return
	case *tree.Binary:
		if y, defined := s.Operation(e.Operator, []tree.Expression{e.X, e.Y}); defined && y != nil {
			t.sites = append(t.sites, site{callee: y, scope: s, name: e.Where, how: "is an operator"})
		}
	case *tree.Unary:
		if y, defined := s.Operation(e.Operator, []tree.Expression{e.X}); defined && y != nil {
			t.sites = append(t.sites, site{callee: y, scope: s, name: e.Where, how: "is an operator"})
		}
	case *tree.ImpliedDo:
		s = s.Loop(e)
	}
	for _, x := range parts.Direct(e) {
		t.expression(s, x)
	}
}

func (t *text) reference(s *scope.Scope, e *tree.Reference) {
	meaning, y := s.Meaning(e)
	switch meaning {
	case scope.FunctionCall:
		t.called(s, e.Base, y, e.Arguments, e.Where.To, true)
		if c, is := e.Base.(*tree.Component); is {
			t.expression(s, c.Base)
		}
		return
	case scope.IntrinsicCall:
		before := len(t.uses)
		for i := range e.Arguments {
			t.expression(s, e.Arguments[i].Value)
		}
		for i := before; y != nil && y.Name == "allocated" && i < len(t.uses); i++ {
			t.uses[i].memory = true
		}
		return
	case scope.StatementCall, scope.Structure:
	default:
		t.expression(s, e.Base)
		if array := root(s, e); array != nil {
			var from []*scope.Symbol
			for i := range e.Arguments {
				from = append(from, named(s, e.Arguments[i].Value)...)
			}
			t.flows = append(t.flows, flow{to: array, from: from, subscript: true})
		}
	}
	for i := range e.Arguments {
		t.expression(s, e.Arguments[i].Value)
	}
}
