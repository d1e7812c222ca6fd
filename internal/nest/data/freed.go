package data

import (
	"slices"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
	"libportable/internal/nest/parts"
)

// This file finds the memory that statements may free, and what they call: data by the names of the caller, or any memory.

// freed is the memory that statements may free.
type freed struct {
	any  bool // it is not known which
	data []nest.Touched
}

func (x *freed) add(d nest.Touched) {
	if !slices.ContainsFunc(x.data, func(have nest.Touched) bool { return have.Root == d.Root && have.Path == d.Path }) {
		x.data = append(x.data, d)
	}
}

// target adds the memory of a designator; part is a path of components behind it.
func (x *freed) target(f *finder, s *scope.Scope, e tree.Expression, part string) {
	if s == nil || !f.seen.Variable(s, e) {
		x.any = true
		return
	}
	y := s.Symbol(e)
	if y != nil && y.Kind != scope.Variable {
		x.any = true
		return
	}
	found := false
	for _, d := range f.seen.Target(s, e).Data {
		if d.Written {
			d.Path += part
			x.add(d)
			found = true
		}
	}
	x.any = x.any || !found
}

// ofUnit is the memory outside of a procedure that it may free: its dummies, and data of others.
func (f *finder) ofUnit(u *tree.Unit) *freed {
	if x, known := f.fresh[u]; known {
		if _, open := f.asked[u]; open {
			f.asked[u] = true
		}
		return x
	}
	s := f.program.Of(u)
	if s == nil {
		f.fresh[u] = &freed{any: true}
		return f.fresh[u]
	}
	// A procedure that calls itself: if it frees nothing as long as its calls free nothing, it frees nothing. Else they may free any memory.
	begin := len(f.freshOrder)
	f.fresh[u], f.freshOrder, f.asked[u] = &freed{}, append(f.freshOrder, u), false
	x := f.outsideOf(s, u)
	again := f.asked[u] && x.is()
	delete(f.asked, u)
	if again {
		for _, z := range f.freshOrder[begin:] {
			delete(f.fresh, z)
		}
		f.fresh[u] = &freed{any: true}
		x = f.outsideOf(s, u)
	}
	f.fresh[u] = x
	return x
}

// outsideOf makes it from what is known of the procedures that are called.
func (f *finder) outsideOf(s *scope.Scope, u *tree.Unit) *freed {
	all, x := &freed{}, &freed{}
	f.inBody(s, u.Body, all)
	for _, d := range u.Declarations {
		if a, ok := d.(*tree.StatementFunction); ok { // an assignment to an element, first behind the declarations, looks like one
			f.inExpression(s, a.Assignment.Right, all)
		}
	}
	for _, y := range s.Own() {
		switch {
		case !y.Dummy || y.Intent != "out":
		case y.Type.Base == scope.Derived && !plain(y, 0):
			all.any = true
		case y.Allocatable:
			all.add(nest.Touched{Root: y, Written: true})
		}
	}
	moves := f.moves(f.seen.Statements(s, u.Body...), u.Body...)
	x.any = all.any
	for _, d := range all.data {
		y := d.Root
		own := !y.Dummy && !y.Saved && y.Common == "" && (y.Scope == s && s.Kind == scope.ProcedureScope || y.Scope != nil && y.Scope.Kind == scope.BlockScope)
		switch {
		case byPointer(d) && (moves || own):
			x.any = true // it is not known which memory that is when the procedure begins
		case !own:
			x.add(d)
		}
	}
	return x
}

// byPointer reports whether a pointer leads to a datum.
func byPointer(d nest.Touched) bool {
	last := d.Root
	is := last.Pointer
	for _, part := range strings.Split(d.Path, "%")[1:] {
		if last = component(last, part); last == nil {
			return true
		}
		is = is || last.Pointer
	}
	return is
}

// inBody adds what statements free, with those in them.
func (f *finder) inBody(s *scope.Scope, body []tree.Node, x *freed) {
	for _, n := range body {
		if n == nil {
			continue
		}
		f.inStatement(s, n, x)
		inside := s
		if z := f.program.Inside(n); z != nil {
			inside = z
		}
		for k, b := range parts.Blocks(n) {
			in := inside
			if c, ok := n.(*tree.Select); ok && c.Kind != "case" {
				if z := f.program.Case(c, k); z != nil {
					in = z
				}
			}
			f.inBody(in, b, x)
		}
	}
}

// inStatement adds what a statement frees itself.
func (f *finder) inStatement(s *scope.Scope, n tree.Node, x *freed) {
	for _, e := range parts.Expressions(n) {
		f.inExpression(s, e, x)
	}
	switch n := n.(type) {
	case *tree.Allocation:
		for _, e := range n.Objects {
			if n.Kind == "deallocate" {
				x.target(f, s, e, "")
			}
		}
	case *tree.Assignment:
		if y, defined := f.seen.Defined(s, n); defined {
			x.any = x.any || y == nil || y.Body == nil || y.Body.Unit == nil || f.ofUnit(y.Body.Unit).is()
		} else if y := s.Symbol(n.Left); reallocates(s, n) {
			if y == nil || !arrayOf(s, n.Left) {
				x.any = true
			} else {
				x.target(f, s, n.Left, "")
			}
		}
	case *tree.Call:
		f.inCall(s, n.Procedure, n.Arguments, x)
	}
}

func (x *freed) is() bool { return x.any || len(x.data) > 0 }

// arrayOf reports whether a designator is an allocatable array whose elements are not structures with memory of their own.
func arrayOf(s *scope.Scope, e tree.Expression) bool {
	y := s.Symbol(e)
	if c, ok := e.(*tree.Component); ok {
		y = s.Component(c)
	}
	return y != nil && y.Allocatable && len(y.Dims) > 0 && y.Type.Base != scope.Derived && y.Type.Base != scope.Class
}

// inExpression: a function that frees memory may free any.
func (f *finder) inExpression(s *scope.Scope, e tree.Expression, x *freed) {
	if x.any {
		return
	}
	x.any = slices.ContainsFunc(f.seen.Expression(s, e).Calls, func(y *scope.Symbol) bool {
		return y.Body != nil && y.Body.Unit != nil && f.ofUnit(y.Body.Unit).is()
	})
}

// inCall adds what a procedure frees, by the names of the caller.
func (f *finder) inCall(s *scope.Scope, procedure tree.Expression, args []tree.Argument, x *freed) {
	meaning, y := s.Meaning(&tree.Reference{Base: procedure, Arguments: args})
	if meaning == scope.IntrinsicCall {
		if y != nil && y.Name == "move_alloc" {
			for i, a := range args {
				if k := a.Keyword; k == "from" || k == "to" || k == "" && i < 2 {
					x.target(f, s, a.Value, "")
				}
			}
		}
		return
	}
	if meaning != scope.FunctionCall || y == nil || y.Body == nil || y.Body.Unit == nil || y.OnlyInterface {
		f.inExpression(s, &tree.Reference{Base: procedure, Arguments: args}, x)
		return
	}
	of := f.ofUnit(y.Body.Unit)
	x.any = x.any || of.any
	if len(of.data) == 0 {
		return
	}
	dummies, actuals, ok := f.seen.Arguments(s, procedure, y, args)
	if !ok {
		x.any = true
		return
	}
	for _, d := range of.data {
		if !d.Root.Dummy || d.Root.Scope != y.Body {
			x.add(d)
			continue
		}
		k := slices.Index(dummies, d.Root)
		if k < 0 || k >= len(actuals) {
			x.any = true
		} else if actuals[k] != nil {
			x.target(f, s, actuals[k], d.Path)
		}
	}
}

// frees says which memory a statement with these effects may free: the arrays leave their regions, and come back if they are there behind it.
func (h *hooks) frees(w *want, s *scope.Scope, x *freed, e nest.Effects, body ...tree.Node) {
	w.leaveAll = w.leaveAll || x.any
	for _, d := range x.data {
		w.leaveAll = w.leaveAll || byPointer(d) && h.f.moves(e, body...)
		h.leave(w, s, d, true)
	}
}

// moves reports whether statements with these effects give pointers other targets.
func (f *finder) moves(e nest.Effects, body ...tree.Node) bool {
	return pointing(body...) || slices.ContainsFunc(e.Calls, func(y *scope.Symbol) bool { return y.Body != nil && y.Body.Unit != nil && f.pointsIn(y.Body.Unit) })
}
