package host

import (
	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// shape is how an argument goes from the user's procedure to the body.
type shape uint8

const (
	missing     shape = iota
	value             // a scalar, by value
	reference         // a scalar that is written, of a type, or that may not exist
	explicit          // an array with the user's own bounds
	bounded           // the same, its bounds as arguments: they may have changed since the declaration was evaluated
	starred           // assumed size
	allocatable       // an allocatable array
	pointer           // a pointer to an array
	assumed           // assumed shape
)

// arg is an argument.
type arg struct {
	*emit.Argument
	name     string // in the generated procedures
	actual   string
	form     shape
	typ      string
	need     []ref         // names in typ
	sizes    []ref         // names in dims
	dims     string        // the user's, of explicit and starred
	low      []string      // lower bounds that are known: "1"; "": an argument
	lo, up   []string      // names of the bounds
	last     *scope.Symbol // the last component, or the variable
	compared bool          // a scalar by its value, whose address the launch compares with those of arrays
	absent   bool          // a scalar that may not exist when the loop begins: ALLOCATABLE, POINTER
	of       *owner        // the structure of which it is a component, if that may not exist; else nil
}

// planArgument decides the form of an argument.
func (n *one) planArgument(k *emit.Argument) {
	a := &arg{Argument: k, name: k.Spelt, actual: k.Spelt}
	if fixedName(k.Spelt) {
		n.refuse(n.k.Loops[0].Do.Where.From, "generated code needs the module '"+k.Spelt+"', whose name a variable of this loop has", "give the variable another name")
	}
	if len(k.Path) > 0 {
		name := k.Spelt
		for _, p := range k.Path {
			name += "_" + p
		}
		a.name = n.dummy(name)
		a.actual = n.w.words(k.Object)
	}
	n.args = append(n.args, a)
	y := k.Symbol
	end := n.last(k)
	t, refs, ok := n.typeOf(end, k.Type)
	if !ok {
		return
	}
	if isProcedures(k.Type.Def) {
		return
	}
	a.typ, a.need = t, refs
	a.last, a.absent = end, k.Rank == 0 && (end.Pointer || end.Allocatable)
	if len(k.Path) > 0 && end != y && (y.Pointer || y.Allocatable || y.Optional) && !n.owned(a, y) {
		a.form = missing
		return
	}
	if k.Rank == 0 {
		a.form, a.compared = value, n.isPaired(k)
		if k.Write || a.mayBeAbsent() && n.stream() == "" || k.Type.Base == scope.Derived || k.Type.Base == scope.Class || k.Type.Base == scope.Character ||
			len(k.Path) == 0 && y.Optional {
			a.form = reference
		}
		return
	}
	if k.Type.Base == scope.Character && t == "character(len=*)" { // gfortran 12 loses the strides and lengths of pointers to such arrays
		n.refuse(n.k.Loops[0].Do.Where.From, "the length of the texts in '"+k.Spelt+"' is no constant", "declare it, as in character(len=20)")
	}
	dims := k.Dims
	switch {
	case end.Kind == scope.Alias || len(dims) == 0:
		a.form = assumed
		a.low = make([]string, k.Rank)
	case dims[0].Deferred && end.Allocatable:
		a.form = allocatable
		a.low = make([]string, k.Rank)
	case dims[0].Deferred:
		a.form = pointer
		a.low = make([]string, k.Rank)
	case dims[0].Assumed:
		a.form = assumed
		a.low = n.lowers(end)
	default:
		text, refs, stable := n.declaredDims(end)
		a.form, a.dims = explicit, text
		if dims[len(dims)-1].Star {
			a.form = starred
		}
		if !stable {
			if a.form == starred {
				n.refuse(k.Uses[0].Expression.Span().From, "the bounds of '"+k.Spelt+"' are variables that change", "copy them into variables that do not change")
			}
			a.form = bounded
			a.low = make([]string, k.Rank)
		}
		if a.form != explicit && a.of != nil {
			a.form = missing
			return
		}
		a.sizes = refs
	}
	for i := range a.low {
		a.lo = append(a.lo, "")
		if a.low[i] == "" {
			a.lo[i] = n.dummy(a.name + "_l" + decimal(i+1))
		}
		a.up = append(a.up, n.dummy(a.name+"_u"+decimal(i+1)))
	}
}

// last is the symbol of the last component of an argument.
func (n *one) last(k *emit.Argument) *scope.Symbol {
	if len(k.Path) == 0 {
		return k.Symbol
	}
	if c, ok := k.Object.(*tree.Component); ok {
		if y := k.Uses[0].Scope.Component(c); y != nil {
			return y
		}
	}
	return k.Symbol
}

// lowers are the lower bounds of an assumed-shape array, as far as they are constants.
func (n *one) lowers(y *scope.Symbol) []string {
	out := make([]string, len(y.Dims))
	for i, d := range y.Dims {
		if d.Lower == nil {
			out[i] = "1"
		} else if v, ok := y.Scope.Constant(d.Lower); ok && v.Type.Base == scope.Integer {
			out[i] = decimal(int(v.Integer))
		}
	}
	return out
}

// declaredDims is the user's text of an array's bounds; false: a bound is no constant and may have changed since.
func (n *one) declaredDims(y *scope.Symbol) (string, []ref, bool) {
	text := ""
	var refs []ref
	for i, d := range y.Dims {
		if i > 0 {
			text += ", "
		}
		for _, e := range []tree.Expression{d.Lower, d.Upper} {
			if e == nil {
				continue
			}
			if y.Scope.Kind == scope.TypeScope || y.Where.From.File != n.w.file.Source.Index {
				v, ok := y.Scope.Constant(e)
				if !ok || v.Type.Base != scope.Integer {
					return "", nil, false
				}
				continue
			}
			if !n.stable(y.Scope, e) {
				return "", nil, false
			}
			refs = append(refs, names(y.Scope, e)...)
		}
		text += n.constantBounds(y, d)
	}
	return text, refs, true
}

// constantBounds writes a dimension: of arrays of other files and of components by the values of its bounds.
func (n *one) constantBounds(y *scope.Symbol, d scope.Dimension) string {
	if y.Scope.Kind != scope.TypeScope && y.Where.From.File == n.w.file.Source.Index {
		return n.w.bounds(d)
	}
	number := func(e tree.Expression) string {
		v, _ := y.Scope.Constant(e)
		return decimal(int(v.Integer))
	}
	s := ""
	if d.Lower != nil {
		s = number(d.Lower) + ":"
	}
	if d.Star {
		return s + "*"
	}
	return s + number(d.Upper)
}

// stable reports whether a bound still has the value that it had when the array was declared. Variables in it become arguments.
func (n *one) stable(sc *scope.Scope, e tree.Expression) bool {
	ok := true
	var found []ref
	emit.Inside(e, func(x tree.Expression) {
		switch x := x.(type) {
		case *tree.Name:
			y := sc.Lookup(x.Name)
			switch {
			case n.isHidden(y, x.Name):
				ok = false
			case y.Kind == scope.Constant || y.Kind == scope.Intrinsic:
			case y.Kind == scope.Variable && len(y.Dims) == 0 && y.Type.Base == scope.Integer && !y.Optional && !n.k.IsLocal(y) && !n.changes(y):
				found = append(found, ref{sc, x.Name})
			default:
				ok = false
			}
		case *tree.Reference:
			name, plain := x.Base.(*tree.Name)
			ok = ok && plain && (name.Name == "max" || name.Name == "min" || name.Name == "abs" || name.Name == "mod" || name.Name == "int")
		case *tree.Component, *tree.Coindexed, *tree.Constructor:
			ok = false
		}
	})
	if ok {
		for _, r := range found {
			n.extent(r.scope.Lookup(r.name), r.name)
		}
	}
	return ok
}

// isHidden reports whether a name of a declaration has another meaning where the nest stands: that of a BLOCK or an internal procedure.
func (n *one) isHidden(y *scope.Symbol, name string) bool {
	z := n.scope.Lookup(name)
	return z != y && z.Kind != scope.Unknown && z.Kind != scope.Missing && (y.Kind == scope.Variable || !z.Implicit)
}

// extent makes an integer that a declaration needs an argument.
func (n *one) extent(y *scope.Symbol, name string) {
	for _, a := range n.args {
		if a.Symbol == y && len(a.Path) == 0 {
			return
		}
	}
	if n.k.Find(y) != nil {
		return // comes yet
	}
	a := &arg{Argument: &emit.Argument{Symbol: y, Spelt: name, Type: y.Type}, name: name, actual: name, form: value}
	t, refs, ok := n.typeOf(y, y.Type)
	if !ok {
		a.form = missing
	}
	a.typ, a.need = t, refs
	n.args = append(n.args, a)
	n.extents = append(n.extents, a)
}

// changes reports whether a variable may change between the beginning of the user's procedure and the nest.
func (n *one) changes(y *scope.Symbol) bool {
	if y.Dummy && y.Intent == "in" {
		return false
	}
	if y.Scope == nil || y.Scope.Kind == scope.ModuleScope || y.Common != "" || len(y.Shares) > 0 || y.Pointer || y.Target || y.Allocatable || y.Kind != scope.Variable {
		return true
	}
	if n.changed == nil {
		n.changed = map[*scope.Symbol]bool{}
		n.changesOf(n.place.top)
	}
	return n.changed[y]
}

func (n *one) changesOf(u *tree.Unit) {
	n.changesIn(n.w.o.Program.Of(u), u.Body)
	for _, inner := range u.Contains {
		n.changesOf(inner)
	}
}

func (n *one) changesIn(sc *scope.Scope, body []tree.Node) {
	mark := func(sc *scope.Scope, e tree.Expression) {
		if y := sc.Symbol(e); y != nil {
			n.changed[y] = true
		}
	}
	for _, s := range body {
		at := sc
		if inside := n.w.o.Program.Inside(s); inside != nil {
			at = inside
		}
		switch s := s.(type) {
		case *tree.Assignment:
			mark(at, s.Left)
		case *tree.PointerAssignment:
			mark(at, s.Left)
		case *tree.Do:
			if s.Variable != "" {
				n.changed[at.Lookup(s.Variable)] = true
			}
		case *tree.Labels:
			n.changed[at.Lookup(s.Variable)] = true
		case *tree.Associate:
			for _, a := range s.Names {
				mark(sc, a.Selector)
			}
		case *tree.Call, *tree.Transfer, *tree.Allocation:
			emit.Own(s, func(e tree.Expression) { mark(at, e) })
		}
		emit.Own(s, func(e tree.Expression) {
			emit.Inside(e, func(x tree.Expression) {
				r, ok := x.(*tree.Reference)
				if !ok {
					return
				}
				if m, _ := at.Meaning(r); m == scope.FunctionCall || m == scope.NotKnown {
					for _, a := range r.Arguments {
						mark(at, a.Value)
					}
				}
			})
		})
		emit.Blocks(s, func(inner []tree.Node, number int) {
			block := at
			if c, ok := s.(*tree.Select); ok {
				if one := n.w.o.Program.Case(c, number); one != nil {
					block = one
				}
			}
			n.changesIn(block, inner)
		})
	}
}

// declareArguments declares all arguments: values first, because the bounds of arrays need them.
func (n *one) declareArguments(f func(*arg) string, call bool) {
	var values, bounds, rest []string
	for _, a := range n.args {
		if call && a.of != nil {
			continue
		}
		if a.form == value {
			values = append(values, f(a))
			continue
		}
		rest = append(rest, f(a))
		if names, _ := a.atCall(); call && len(names) > 0 {
			bounds = append(bounds, "integer, value :: "+join(names))
		}
	}
	for _, o := range n.owners {
		if call {
			rest = append(rest, o.atLaunch())
		}
	}
	n.declare(4, append(append(values, bounds...), rest...))
}
