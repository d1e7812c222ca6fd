package host

// This file has the types of variables in words, and the private variables of the outlined loop.

import (
	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// typeOf is the type of a variable in words that the generated procedures understand, with the names in it.
func (n *one) typeOf(y *scope.Symbol, t scope.Type) (string, []ref, bool) {
	if spec := specOf(y); spec != nil && y.Scope.Kind != scope.TypeScope && spec.Base != "character" && y.Kind != scope.Alias {
		if s, ok := n.w.bytes(spec.Where); ok && spec.Base != "procedure" && spec.Parameters == nil {
			if squeezed(s) != squeezed(typeWords(spec)) {
				s = typeWords(spec)
			}
			return s, typeNames(y.Scope, spec), true
		}
	}
	o := n.w.kinds()
	kind := "(" + decimal(t.Kind) + ")"
	switch t.Base {
	case scope.Integer:
		if t.Kind == o.Integer {
			kind = ""
		}
		return "integer" + kind, nil, t.Kind > 0
	case scope.Real:
		if t.Kind == o.Real {
			kind = ""
		}
		return "real" + kind, nil, t.Kind > 0
	case scope.ComplexType:
		if t.Kind == o.Real {
			kind = ""
		}
		return "complex" + kind, nil, t.Kind > 0
	case scope.Logical:
		if t.Kind == o.Logical {
			kind = ""
		}
		return "logical" + kind, nil, t.Kind > 0
	case scope.Character:
		if v, ok := y.Scope.Constant(t.Len); t.Len != nil && ok {
			return "character(len=" + decimal(int(v.Integer)) + ")", nil, true
		} else if t.Len == nil {
			return "character(len=1)", nil, true
		}
		return "character(len=*)", nil, true
	case scope.Derived, scope.Class:
		return n.typeName(y, t)
	}
	return "", nil, false
}

// typeName is the name of a derived type where the nest stands, or where it is declared.
func (n *one) typeName(y *scope.Symbol, t scope.Type) (string, []ref, bool) {
	if t.Def == nil {
		return "", nil, false
	}
	word := "type("
	if t.Base == scope.Class {
		word = "class("
	}
	for _, sc := range []*scope.Scope{n.scope, y.Scope} {
		if z := sc.Lookup(t.Def.Name); z.Kind == scope.DerivedType && z.Def == t.Def {
			return word + t.Def.Name + ")", []ref{{sc, t.Def.Name}}, true
		}
	}
	return "", nil, false
}

// specOf is the type in the declaration of a variable.
func specOf(y *scope.Symbol) *tree.TypeSpec {
	for _, d := range y.Decls {
		v, ok := d.(*tree.Variables)
		if !ok || v.Type == nil {
			continue
		}
		for _, e := range v.Entities {
			if e.Name == y.Name && e.Length == nil {
				return v.Type
			}
		}
	}
	return nil
}

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
