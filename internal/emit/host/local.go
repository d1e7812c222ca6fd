package host

import (
	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
)

// planLocals declares the private variables of the kernel.
func (n *one) planLocals() {
	last := map[*scope.Symbol]bool{}
	for _, y := range n.k.Last {
		last[y] = true
	}
	taken := map[*scope.Symbol]bool{}
	for _, r := range n.results {
		if r.symbol != nil {
			taken[r.symbol] = true
		}
	}
	for _, y := range n.k.Locals {
		if taken[y] {
			continue
		}
		l := &local{symbol: y}
		t, refs, ok := n.typeOf(y, y.Type)
		at := n.k.Loops[0].Do.Where.From
		if !ok || t == "character(len=*)" || y.Type.Base == scope.Class {
			n.refuse(at, "the type of the private variable '"+y.Name+"' cannot be declared in the outlined loop", "declare it with a constant length or a type of a module")
			continue
		}
		if fixedName(y.Name) {
			n.refuse(at, "generated code needs the module '"+y.Name+"', whose name a variable of this loop has", "give the variable another name")
		}
		l.typ, l.need = t, refs
		if len(y.Dims) > 0 {
			l.dims = n.localDims(l)
		}
		if last[y] {
			a := &arg{Argument: &emit.Argument{Symbol: y, Spelt: y.Name, Type: y.Type, Dims: y.Dims, Rank: len(y.Dims), Write: true},
				name: n.dummy(y.Name + "_last"), actual: y.Name, typ: t, need: refs, form: reference}
			if len(y.Dims) > 0 {
				n.lastArray(a, y)
			}
			l.last = a
			n.args = append(n.args, a)
		}
		n.locals = append(n.locals, l)
	}
}

// localDims are the bounds of a private array: the user's, or those of the user's array at the launch.
func (n *one) localDims(l *local) string {
	y := l.symbol
	if !y.Dims[0].Deferred && !y.Dims[0].Assumed && !y.Dims[len(y.Dims)-1].Star {
		if text, refs, ok := n.declaredDims(y); ok {
			l.need = append(l.need, refs...)
			return text
		}
	}
	text := ""
	for i := range y.Dims {
		d := decimal(i + 1)
		lo, up := n.number(y.Name+"_l"+d, "lbound("+y.Name+", "+d+")"), n.number(y.Name+"_u"+d, "ubound("+y.Name+", "+d+")")
		if i > 0 {
			text += ", "
		}
		text += lo + ":" + up
	}
	return text
}

// number makes an integer argument with a name of its own.
func (n *one) number(name, actual string) string {
	a := &arg{Argument: &emit.Argument{Spelt: actual}, name: n.dummy(name), actual: actual, typ: "integer", form: value}
	n.args = append(n.args, a)
	return a.name
}

// lastArray is the form of a private array whose last values the user's array gets.
func (n *one) lastArray(a *arg, y *scope.Symbol) {
	switch {
	case y.Allocatable:
		a.form = allocatable
	case y.Pointer:
		a.form = pointer
	case y.Dims[0].Assumed:
		a.form, a.low = assumed, n.lowers(y)
	default:
		a.form = bounded
		if text, refs, ok := n.declaredDims(y); ok {
			a.form, a.dims = explicit, text
			a.sizes = refs
		}
	}
	if a.low == nil && a.form != explicit {
		a.low = make([]string, len(y.Dims))
	}
	for i := range a.low {
		a.lo = append(a.lo, "")
		if a.low[i] == "" {
			a.lo[i] = n.dummy(a.name + "_l" + decimal(i+1))
		}
		a.up = append(a.up, n.dummy(a.name+"_u"+decimal(i+1)))
	}
}
