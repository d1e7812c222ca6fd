package data

import (
	"slices"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
	"libportable/internal/nest/parts"
)

// This file says what one statement uses on the host, without what launches in procedures use that it calls.

// simple adds the calls of a statement that is no construct. whole is the statement with IF in front of it, whose condition it has.
func (h *hooks) simple(s *scope.Scope, n tree.Node, condition string, whole tree.Node) {
	var w, after want
	switch n := n.(type) {
	case *tree.Assignment:
		h.assignment(&w, &after, s, n)
	case *tree.PointerAssignment:
		h.place(&w, s, h.f.seen.Subscripts(s, n.Left))
		if h.f.seen.Variable(s, n.Right) {
			h.place(&w, s, h.f.seen.Subscripts(s, n.Right))
		} else {
			h.pointed = true
			h.reads(&w, &after, s, n.Right)
			h.pointed = false
		}
	case *tree.Call:
		h.subroutine(&w, &after, s, n)
	case *tree.Allocation:
		h.allocation(&w, &after, s, n)
	case *tree.Unread, *tree.Image:
		w.all, w.unseen = true, "a statement that is not understood"
	case *tree.Transfer:
		e := h.f.seen.Statements(s, n)
		if h.f.calls(e) {
			h.f.refuse(n.Where.From, "a data region is open, and this statement launches loops while it reads or writes", "assign to a variable first")
		}
		h.all(&w, s, n)
		for _, c := range n.Control {
			w.later = w.later || c.Keyword == "asynchronous"
		}
		w.shared = w.shared || n.Kind == "wait" || n.Kind == "inquire" || n.Kind == "close"
	default:
		for _, e := range parts.Expressions(n) {
			h.reads(&w, &after, s, e)
		}
	}
	h.allocates(&w, n)
	points := h.points(&w, s, n)
	alone := w.unseen != "" || w.later || w.renewed || len(w.again) > 0 || !after.empty() || h.f.calls(h.f.seen.Statements(s, n)) || w.leaves()
	if !alone && condition == "" {
		h.collect(whole, &w)
		if points { // pointers of the statements behind it have other targets
			h.flush()
		}
		return
	}
	if w.unseen != "" {
		w.at = n.Info().Where.From
		h.unseen(&w)
	}
	h.flush()
	h.forgets(whole, &w)
	h.f.call(h.unit, front(whole), false, h.lines(&w, condition))
	if label := whole.Info().Label; w.unseen == "" && after.empty() && (len(targets(n)) > 0 || label != 0 && h.ends[label]) {
		w.goes() // nothing can stand behind it
	}
	list := h.behind(n, &w, &after)
	if len(list) > 0 && len(targets(n)) > 0 {
		h.f.refuse(n.Info().Where.From, "a data region is open, and this statement may jump over the call behind it", "write it without labels")
	}
	if label := whole.Info().Label; len(list) > 0 && label != 0 && h.ends[label] {
		h.f.refuse(n.Info().Where.From, "a data region is open, and this statement, which needs a call behind it, ends a loop by its label", "end the loop with CONTINUE or END DO")
	}
	h.f.call(h.unit, parts.Behind(whole), true, list)
}

// unseen tells that nothing is known of a procedure.
func (h *hooks) unseen(w *want) {
	if w.foreign {
		h.f.warn(w.at, "'"+w.unseen+"', called while a data region is open, is not converted with this file: its launches copy all arrays",
			"convert its file in the same run")
		return
	}
	why, remedy := "is not seen", "give its source with --with, or call it outside of the region"
	switch {
	case w.chosen:
		why, remedy = "is chosen at run time", "call a procedure by its name, or call it outside of the region"
	case w.inner:
		why, remedy = "is seen, but not all that it calls", "give these sources with --with, or call it outside of the region"
	}
	h.f.warn(w.at, "'"+w.unseen+"', called while a data region is open, "+why+": arrays that it may use are copied before each call, and again to the device", remedy)
}

func (h *hooks) assignment(w, after *want, s *scope.Scope, n *tree.Assignment) {
	if y, defined := h.f.seen.Defined(s, n); defined {
		if y == nil || y.Body == nil || h.f.calls(h.f.seen.Statements(s, n)) {
			w.all, w.unseen = true, "a defined assignment"
			return
		}
		h.all(w, s, n)
		return
	}
	h.reads(w, after, s, n.Right)
	left := h.f.seen.Target(s, n.Left)
	h.place(w, s, left)
	if h.f.calls(h.f.seen.Statements(s, n)) {
		h.effects(after, s, left)
	}
	if !reallocates(s, n) {
		return
	}
	y := s.Symbol(n.Left)
	for _, d := range left.Data {
		if d.Written && d.Root == y {
			h.leave(w, s, d, true)
		}
	}
}

// leave says that the memory of a datum may be freed; stays: perhaps it is not.
func (h *hooks) leave(w *want, s *scope.Scope, d nest.Touched, stays bool) {
	name, guards, last, known := h.designator(s, d)
	if !known || last == nil || !copied(last) || len(last.Dims) == 0 {
		if last == nil || last.Type.Base == scope.Derived || last.Type.Base == scope.Class || last.Type.Base == scope.NoType || copied(last) && len(last.Dims) > 0 {
			w.leaveAll = true
		}
		return
	}
	w.add(name, item{guards: guards, write: true, leaves: true, stays: stays})
}

func (h *hooks) allocation(w, after *want, s *scope.Scope, n *tree.Allocation) {
	for _, e := range n.Objects {
		h.place(w, s, h.f.seen.Subscripts(s, e))
		if n.Kind != "deallocate" {
			continue
		}
		for _, d := range h.f.seen.Target(s, e).Data {
			if d.Written {
				h.leave(w, s, d, false)
			}
		}
	}
	for _, o := range n.Options {
		if o.Keyword == "source" || o.Keyword == "mold" {
			h.reads(w, after, s, o.Value)
			continue
		}
		h.place(w, s, h.f.seen.Target(s, o.Value))
	}
}

func (h *hooks) subroutine(w, after *want, s *scope.Scope, n *tree.Call) {
	meaning, y := s.Meaning(&tree.Reference{Base: n.Procedure, Arguments: n.Arguments})
	if meaning == scope.IntrinsicCall {
		h.all(w, s, n)
		return
	}
	if meaning != scope.FunctionCall {
		y = nil
	}
	h.procedure(w, after, s, n.Procedure, y, n.Arguments, h.f.seen.Statements(s, n))
}

// procedure adds a call. e are the effects of the call and of its arguments.
func (h *hooks) procedure(w, after *want, s *scope.Scope, procedure tree.Expression, y *scope.Symbol, args []tree.Argument, e nest.Effects) {
	name := parts.Show(procedure)
	if n, ok := procedure.(*tree.Name); ok && y == nil && library(s.Lookup(n.Name)) {
		for _, a := range args {
			h.reads(w, after, s, a.Value)
			h.effects(w, s, h.f.seen.Target(s, a.Value))
		}
		return
	}
	if y == nil || y.Body == nil || y.OnlyInterface {
		h.effects(w, s, e)
		if w.unseen != "" || e.Unknown {
			w.unseen, w.foreign, w.inner = name, false, false
			h.maybeFreed(w, s, args)
		}
		return
	}
	if !h.f.calls(e) || !h.launching(y) {
		h.effects(w, s, e)
		if w.unseen != "" && !w.foreign {
			w.unseen, w.inner = name, true
		}
		x := &freed{}
		h.f.inCall(s, procedure, args, x)
		for _, a := range args {
			h.f.inExpression(s, a.Value, x)
		}
		h.frees(w, s, x, e)
		return
	}
	unit := y.Body.Unit
	dummies, actuals, ok := h.f.seen.Arguments(s, procedure, y, args)
	if !ok || h.f.o.Converted != nil && !h.f.o.Converted(unit.File) {
		h.effects(w, s, e)
		w.all, w.unseen, w.chosen, w.foreign = true, name, !ok, ok
		return
	}
	if givesPointer(y) && !h.pointed {
		h.f.refuse(h.at, "a data region is open, and this statement uses what the result of '"+name+"' points to, which launches loops", "assign the result to a pointer first")
	}
	h.f.whole(unit)
	x := &freed{} // its statements say so by their own names
	h.f.inCall(s, procedure, args, x)
	w.renewed = w.renewed || x.any
	for _, d := range x.data {
		if name, _, _, known := h.designator(s, d); known {
			w.again = append(w.again, name)
		}
	}
	for k, a := range actuals {
		if a == nil {
			continue
		}
		var d *scope.Symbol
		if k < len(dummies) {
			d = dummies[k]
		}
		h.actual(w, after, s, d, a)
	}
}

// maybeFreed adds arrays whose memory a procedure that gets them may free: its dummies may be ALLOCATABLE or POINTER.
func (h *hooks) maybeFreed(w *want, s *scope.Scope, args []tree.Argument) {
	for _, a := range args {
		y := (*scope.Symbol)(nil)
		switch e := a.Value.(type) {
		case *tree.Name:
			y = s.Lookup(e.Name)
		case *tree.Component:
			y = s.Component(e)
		}
		if y == nil || y.Kind != scope.Variable || !y.Allocatable && !y.Pointer {
			continue
		}
		for _, d := range h.f.seen.Target(s, a.Value).Data {
			if d.Written {
				h.leave(w, s, d, true)
			}
		}
	}
}

// library reports whether a procedure is one of the library's modules, which use the arrays that they are given.
func library(y *scope.Symbol) bool {
	return y.Kind == scope.Missing && (strings.HasPrefix(y.Module, "portable_") || strings.HasPrefix(y.Module, "gator_"))
}

// launching reports whether the procedure itself, or one that it calls, launches.
func (h *hooks) launching(y *scope.Symbol) bool {
	u := y.Body.Unit
	return h.f.units[u] || h.f.calls(h.f.seen.Statements(y.Body, u.Body...))
}

// actual adds what the host does with an argument of a procedure that launches: that procedure says what it does with arrays.
func (h *hooks) actual(w, after *want, s *scope.Scope, d *scope.Symbol, a tree.Expression) {
	if d != nil && (d.Kind == scope.Procedure || d.External) {
		return
	}
	if !h.f.seen.Variable(s, a) {
		h.reads(w, after, s, a)
		return
	}
	h.place(w, s, h.f.seen.Subscripts(s, a))
	if d != nil && !d.Value {
		if d.Intent == "out" && (d.Allocatable || d.Type.Base == scope.Derived && !plain(d, 0)) { // the call frees what it has
			x := &freed{any: d.Type.Base == scope.Derived || d.Type.Base == scope.Class}
			if !x.any {
				x.target(h.f, s, a, "")
			}
			h.frees(w, s, x, nest.Effects{})
			return
		}
		structure := d.Type.Base == scope.Derived || d.Type.Base == scope.Class
		if structure || len(d.Dims) > 0 && (!packed(d) || h.contiguous(s, a)) || d.AssumedRank || d.Pointer || d.Allocatable {
			return
		}
	}
	e := h.f.seen.Target(s, a)
	for i := range e.Data {
		e.Data[i].Read = true
	}
	h.effects(w, s, e)
	if d == nil || !d.Value {
		h.effects(after, s, e)
	}
}

// packed reports whether compilers may pass a copy of an array whose elements are apart.
func packed(d *scope.Symbol) bool {
	x := d.Dims[len(d.Dims)-1]
	return d.Contiguous || !x.Deferred && !x.Assumed
}

// contiguous reports whether the elements of a designator are known to be side by side, or only its first one is passed.
func (h *hooks) contiguous(s *scope.Scope, a tree.Expression) bool {
	switch a := a.(type) {
	case *tree.Name:
		y := s.Lookup(a.Name)
		if y.Kind != scope.Variable {
			return false
		}
		return y.Contiguous || !y.Pointer && (len(y.Dims) == 0 || !y.Dims[len(y.Dims)-1].Assumed) && !y.AssumedRank
	case *tree.Component:
		y := s.Component(a)
		_, rank := s.TypeOf(a.Base)
		return y != nil && rank == 0 && (y.Contiguous || !y.Pointer)
	case *tree.Reference:
		if !h.contiguous(s, a.Base) {
			return false
		}
		open := true // all dimensions till here are whole
		for _, x := range a.Arguments {
			if r, ok := x.Value.(*tree.Range); ok {
				if !open || r.Stride != nil {
					return false
				}
				open = r.Lower == nil && r.Upper == nil
				continue
			}
			if _, rank := s.TypeOf(x.Value); rank != 0 {
				return false
			}
			open = false
		}
		return true
	}
	return false
}

// inquiries look at no element of their first argument.
var inquiries = []string{"size", "lbound", "ubound", "shape", "allocated", "associated", "present", "kind", "huge", "tiny", "epsilon", "precision", "range",
	"digits", "is_contiguous", "len", "storage_size", "rank", "bit_size", "c_sizeof", "c_loc", "loc"}

// reads adds what the host reads of an expression.
func (h *hooks) reads(w, after *want, s *scope.Scope, e tree.Expression) {
	switch e := e.(type) {
	case nil:
		return
	case *tree.Name, *tree.Component, *tree.ImpliedDo:
		h.place(w, s, h.f.seen.Expression(s, e))
		return
	case *tree.Reference:
		switch meaning, y := s.Meaning(e); meaning {
		case scope.IntrinsicCall:
			for i, a := range e.Arguments {
				if i == 0 && y != nil && slices.Contains(inquiries, y.Name) {
					h.place(w, s, h.f.seen.Subscripts(s, a.Value))
					continue
				}
				h.reads(w, after, s, a.Value)
			}
			return
		case scope.FunctionCall:
			var behind want
			before := w.unseen
			h.procedure(w, &behind, s, e.Base, y, e.Arguments, h.f.seen.Expression(s, e))
			if after != nil {
				after.merge(&behind)
			} else if !behind.empty() || w.unseen != before {
				w.unseen, w.at = parts.Show(e.Base), e.Span().From
			}
			return
		default:
			h.place(w, s, h.f.seen.Expression(s, e))
			return
		}
	case *tree.Binary, *tree.Unary:
		if operator(s, e) {
			h.place(w, s, h.f.seen.Expression(s, e))
			return
		}
	}
	for _, x := range parts.Direct(e) {
		h.reads(w, after, s, x)
	}
}

// place adds what a part of a statement uses in which no loop may be launched: nothing stands between its subscripts, or its iterations.
func (h *hooks) place(w *want, s *scope.Scope, e nest.Effects) {
	if h.f.calls(e) {
		h.f.refuse(h.at, "a data region is open, and a function in a subscript, an implied DO or an operator launches loops", "assign its value to a variable first")
	}
	h.effects(w, s, e)
}

func operator(s *scope.Scope, e tree.Expression) (defined bool) {
	switch e := e.(type) {
	case *tree.Binary:
		_, defined = s.Operation(e.Operator, []tree.Expression{e.X, e.Y})
	case *tree.Unary:
		_, defined = s.Operation(e.Operator, []tree.Expression{e.X})
	}
	return defined
}

// again reports whether the text of a condition may be written twice.
func again(text string) bool { return !strings.ContainsAny(text, "'?\"") }
