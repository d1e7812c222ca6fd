package oracle

import (
	"slices"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// designator compares a variable with its subscripts and components.
func (c *comparer) designator(s *scope.Scope, e tree.Expression, d *node) {
	base := s.Symbol(e)
	// gfortran replaces TRANSFER, MERGE and others by an argument, and constants of a type by their structures.
	if base == nil || base.Kind != scope.Variable && base.Kind != scope.Constant || base.Type.Base == scope.Derived && base.Kind == scope.Constant {
		c.NotRead++
		return
	}
	if strings.HasPrefix(d.text, "__") || strings.HasPrefix(d.text, "INQUIRY_") || strings.HasPrefix(d.text, "_F.") {
		c.NotRead++ // the table of a type, a part of a complex number, a temporary
		return
	}
	if base.Name != d.text {
		c.differ(e, "we have the name %s, gfortran %s", base.Name, d.text)
		return
	}
	ours := steps(e)
	theirs := slices.DeleteFunc(slices.Clone(d.parts), func(p part) bool {
		return p.full || p.component == "_data"
	})
	for _, step := range ours {
		// gfortran writes the way through the parents of a type.
		for len(theirs) > 0 && step.component != "" && theirs[0].component != "" && theirs[0].component != step.component {
			theirs = theirs[1:]
		}
		if len(theirs) == 0 || (theirs[0].component == "") != (step.component == "") {
			c.NotRead++
			return
		}
		if step.component == "" {
			c.subscripts(s, step.arguments, theirs[0].subs)
		}
		theirs = theirs[1:]
	}
	c.Types++
}

type step struct {
	component string
	arguments []tree.Argument
}

// steps are the parts behind the first name.
func steps(e tree.Expression) []step {
	switch e := e.(type) {
	case *tree.Component:
		return append(steps(e.Base), step{component: e.Name})
	case *tree.Reference:
		for i := range e.Arguments {
			if r, ok := e.Arguments[i].Value.(*tree.Range); !ok || r.Lower != nil || r.Upper != nil || r.Stride != nil {
				return append(steps(e.Base), step{arguments: e.Arguments})
			}
		}
		// a(:) may be the whole array.
		return append(steps(e.Base), step{arguments: e.Arguments})
	}
	return nil
}

func (c *comparer) subscripts(s *scope.Scope, arguments []tree.Argument, subs []sub) {
	if len(arguments) != len(subs) {
		c.NotRead++
		return
	}
	for i := range subs {
		r, isRange := arguments[i].Value.(*tree.Range)
		if isRange != subs[i].isRange {
			c.NotRead++
			continue
		}
		if !isRange {
			if t, _ := s.TypeOf(arguments[i].Value); t.Base == scope.Integer {
				c.expression(s, arguments[i].Value, scope.Type{}, subs[i].start)
			}
			continue
		}
		for _, pair := range []struct {
			ours   tree.Expression
			theirs *node
		}{{r.Lower, subs[i].start}, {r.Upper, subs[i].end}, {r.Stride, subs[i].stride}} {
			// With a stride gfortran writes the last element as the end.
			if pair.ours != nil && pair.theirs != nil && (pair.ours != r.Upper || r.Stride == nil) {
				c.expression(s, pair.ours, scope.Type{}, pair.theirs)
			}
		}
	}
}

// call compares the name and the arguments of a call.
func (c *comparer) call(s *scope.Scope, e tree.Expression, d *node) {
	switch x := e.(type) {
	case *tree.Binary:
		c.defined(s, e, x.Operator, []tree.Expression{x.X, x.Y}, d)
	case *tree.Unary:
		c.defined(s, e, x.Operator, []tree.Expression{x.X}, d)
	case *tree.Reference:
		switch meaning, y := s.Meaning(x); meaning {
		case scope.FunctionCall:
			c.procedure(s, e, y, x.Arguments, d)
		case scope.IntrinsicCall:
			c.intrinsic(s, x, d)
		case scope.StatementCall:
			c.Calls++
		default:
			c.differ(e, "gfortran calls %s, we do not know a call (meaning %d)", d.text, meaning)
		}
	default:
		c.NotRead++
	}
}

func (c *comparer) defined(s *scope.Scope, e tree.Expression, operator string, operands []tree.Expression, d *node) {
	y := s.Operator(operator, operands)
	if y == nil {
		c.differ(e, "gfortran has %s for the operator %s, we have none", d.text, operator)
		return
	}
	var arguments []tree.Argument
	for _, x := range operands {
		arguments = append(arguments, tree.Argument{Value: x})
	}
	c.procedure(s, e, y, arguments, d)
}

func (c *comparer) procedure(s *scope.Scope, e tree.Expression, y *scope.Symbol, arguments []tree.Argument, d *node) {
	c.Calls++
	if r, ok := e.(*tree.Reference); ok {
		if _, bound := r.Base.(*tree.Component); bound {
			return
		}
	}
	if y.Name != d.text && y.Body != nil && y.Body.Name != d.text {
		c.differ(e, "we call %s, gfortran %s", y.Name, d.text)
		return
	}
	for i, a := range arguments {
		place := i
		if a.Keyword != "" {
			place = slices.Index(y.Dummies, a.Keyword)
		}
		if place >= 0 && place < len(d.args) && a.Value != nil && d.args[place].kind != "absent" {
			c.expression(s, a.Value, scope.Type{}, d.args[place])
		}
	}
}

// intrinsic compares the type in gfortran's name of an intrinsic with the types of the call: __sqrt_r8, _gfortran_sum_r8.
func (c *comparer) intrinsic(s *scope.Scope, x *tree.Reference, d *node) {
	c.Calls++
	t, _ := s.TypeOf(x)
	if m := suffixed.FindStringSubmatch(d.text); m != nil {
		fits := code(t) == m[1]+m[2]
		for i := range x.Arguments {
			it, _ := s.TypeOf(x.Arguments[i].Value)
			fits = fits || code(it) == m[1]+m[2]
		}
		// MATMUL, MERGE of derived types, SPREAD ... have a size in their names; logicals are integers to them.
		c.Types++
		if !fits && t.Base != scope.Derived && t.Base != scope.Character {
			c.differ(x, "we have %s, gfortran calls %s", code(t), d.text)
			return
		}
	}
	want := scope.Type{}
	if strings.Contains(d.text, "_matmul_") || strings.Contains(d.text, "_dot_product_") {
		want = t // gfortran converts both arguments
	}
	// Constant arguments of MAX and MIN become one.
	if len(d.args) < len(x.Arguments) {
		return
	}
	for i, a := range x.Arguments {
		if a.Keyword != "" || i >= len(d.args) || a.Value == nil {
			break
		}
		if d.args[i].kind != "absent" {
			c.expression(s, a.Value, want, d.args[i])
		}
	}
}
