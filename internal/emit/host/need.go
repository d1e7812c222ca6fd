package host

import (
	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// ref is a name in the scope in which it is written.
type ref struct {
	scope *scope.Scope
	name  string
}

// need is what one generated procedure must declare or use so that the user's words mean there what they mean in the user's procedure.
type need struct {
	one     *one
	uses    []string            // modules in order
	only    map[string][]string // names of a module
	before  []string            // declarations: constants, types
	blocks  []string            // the same, as the user has written them: interfaces, types
	after   []string            // statement functions, behind all declarations
	done    map[*scope.Symbol]bool
	missing []string // names that cannot be made accessible
	hidden  []string // names that a variable of the nest has too
}

func (n *one) need() *need {
	return &need{one: n, only: map[string][]string{}, done: map[*scope.Symbol]bool{}}
}

func (d *need) all(list []ref) {
	for _, r := range list {
		d.name(r.scope, r.name)
	}
}

// name makes a name accessible.
func (d *need) name(sc *scope.Scope, name string) {
	y := sc.Lookup(name)
	if d.done[y] || y.Kind == scope.Intrinsic {
		return
	}
	d.done[y] = true
	if d.one.isHidden(y, name) && d.one.isHere(name) {
		d.hidden = append(d.hidden, name)
		return
	}
	if at := d.one.place.scope; at != nil && at.Lookup(name) == y {
		return
	}
	if module, there, ok := d.through(sc, name, y); ok {
		d.use(module, name, there)
		return
	}
	switch {
	case y.Kind == scope.Constant:
		d.constant(y)
	case y.Kind == scope.DerivedType && y.Scope.Kind == scope.ModuleScope: // a copy would be another type
		if !d.exports(y.Scope.Name, name, y) {
			d.missing = append(d.missing, name)
			return
		}
		d.use(y.Scope.Name, name, name)
	case y.Kind == scope.DerivedType && y.Def != nil && y.Def.Decl != nil:
		d.copied(y.Scope, y.Def.Decl.Where.From.Offset, y.Def.Decl.End.Where.To.Offset, y)
	case y.Kind == scope.Procedure && y.Function != nil:
		d.statement(y)
	case y.Kind == scope.Procedure || y.Kind == scope.Generic:
		d.procedure(y, name)
	case y.Kind == scope.Variable:
	default:
		d.missing = append(d.missing, name)
	}
}

// isHere reports whether the nest has a variable of that name, which the generated procedures declare.
func (n *one) isHere(name string) bool {
	for _, a := range n.args {
		if a.name == name {
			return true
		}
	}
	for _, l := range n.locals {
		if l.name == name {
			return true
		}
	}
	for _, l := range n.loops {
		if l.variable == name {
			return true
		}
	}
	return false
}

// through finds the USE statement between the name and the place of the procedures by which the name comes.
func (d *need) through(sc *scope.Scope, name string, y *scope.Symbol) (string, string, bool) {
	for u := sc.Unit; u != nil && (d.one.place.scope == nil || u != d.one.place.scope.Unit); u = u.Parent {
		for _, x := range u.Declarations {
			use, ok := x.(*tree.Use)
			if !ok {
				continue
			}
			for _, r := range use.Renames {
				if r.Local == name && d.exports(use.Module, r.Name, y) {
					return use.Module, r.Name, true
				}
			}
			if !use.Only && d.exports(use.Module, name, y) {
				return use.Module, name, true
			}
		}
	}
	return "", "", false
}

func (d *need) exports(module, name string, y *scope.Symbol) bool {
	if m := d.one.w.o.Program.Modules()[module]; m != nil {
		return m.Exported(name) == y
	}
	return y.Scope != nil && y.Scope.Name == module
}

func (d *need) use(module, local, name string) {
	if d.only[module] == nil {
		d.uses = append(d.uses, module)
	}
	if local != name {
		local += " => " + name
	}
	for _, have := range d.only[module] {
		if have == local {
			return
		}
	}
	d.only[module] = append(d.only[module], local)
}

// expression makes all names of an expression accessible.
func (d *need) expression(sc *scope.Scope, e tree.Expression) {
	d.all(names(sc, e))
}

// names are the names in an expression, the kinds of its literals included.
func names(sc *scope.Scope, e tree.Expression) (list []ref) {
	emit.Inside(e, func(e tree.Expression) {
		switch e := e.(type) {
		case *tree.Name:
			list = append(list, ref{sc, e.Name})
		case *tree.Literal:
			if p := e.Parameter; p != "" && (p[0] < '0' || p[0] > '9') {
				list = append(list, ref{sc, p})
			}
		case *tree.Constructor:
			if e.Type != nil {
				list = append(list, typeNames(sc, e.Type)...)
			}
		}
	})
	return list
}

func typeNames(sc *scope.Scope, t *tree.TypeSpec) (list []ref) {
	if (t.Base == "type" || t.Base == "class") && t.Name != "*" && t.Name != "" {
		list = append(list, ref{sc, t.Name})
	}
	list = append(list, names(sc, t.Kind)...)
	return append(list, names(sc, t.Length)...)
}

// constant copies a named constant of a procedure.
func (d *need) constant(y *scope.Symbol) {
	w := d.one.w
	t, refs, ok := d.one.typeOf(y, y.Type)
	if !ok || y.Init == nil {
		d.missing = append(d.missing, y.Name)
		return
	}
	d.all(refs)
	d.expression(y.Scope, y.Init)
	dims := ""
	for i, dim := range y.Dims {
		if i > 0 {
			dims += ", "
		}
		d.expression(y.Scope, dim.Lower)
		d.expression(y.Scope, dim.Upper)
		dims += w.bounds(dim)
	}
	if dims != "" {
		dims = "(" + dims + ")"
	}
	d.before = append(d.before, t+", parameter :: "+y.Name+dims+" = "+w.words(y.Init))
}

// bounds writes one dimension as it is declared.
func (w *writer) bounds(d scope.Dimension) string {
	switch {
	case d.Star && d.Lower != nil:
		return w.words(d.Lower) + ":*"
	case d.Star:
		return "*"
	case d.Deferred || d.Assumed:
		if d.Lower != nil {
			return w.words(d.Lower) + ":"
		}
		return ":"
	case d.Lower != nil:
		return w.words(d.Lower) + ":" + w.words(d.Upper)
	}
	return w.words(d.Upper)
}

// statement copies a statement function with the types of its name and its dummies.
func (d *need) statement(y *scope.Symbol) {
	if t, refs, ok := d.one.typeOf(y, y.Type); ok {
		d.all(refs)
		d.before = append(d.before, t+" :: "+y.Name)
	}
	if r, ok := y.Function.Left.(*tree.Reference); ok {
		for _, a := range r.Arguments {
			n, ok := a.Value.(*tree.Name)
			if !ok {
				continue
			}
			dummy := y.Scope.Lookup(n.Name)
			if t, refs, ok := d.one.typeOf(dummy, dummy.Type); ok && !d.done[dummy] && !d.one.k.IsLocal(dummy) && d.one.k.Find(dummy) == nil {
				d.done[dummy] = true
				d.all(refs)
				d.before = append(d.before, t+" :: "+n.Name)
			}
		}
	}
	for _, r := range names(y.Scope, y.Function.Right) {
		if z := r.scope.Lookup(r.name); z.Kind != scope.Variable {
			d.name(r.scope, r.name)
		}
	}
	d.after = append(d.after, d.one.w.words(y.Function.Left)+" = "+d.one.w.words(y.Function.Right))
}

// procedure declares an external procedure, or copies its interface.
func (d *need) procedure(y *scope.Symbol, name string) {
	for _, u := range d.one.k.Internal {
		if y.Body != nil && y.Body.Unit == u {
			return
		}
	}
	for u := y.Scope.Unit; u != nil; u = u.Parent {
		for _, x := range u.Declarations {
			block, ok := x.(*tree.Interface)
			if !ok || !declares(block, name) {
				continue
			}
			d.copied(y.Scope, block.Where.From.Offset, block.End.Where.To.Offset, y)
			return
		}
	}
	if !y.External && y.Body != nil && y.Body.Unit.Parent != nil {
		d.missing = append(d.missing, name)
		return
	}
	if y.ResultName != "" || y.Type.Base != scope.NoType && !d.one.calledAsSubroutine(name) {
		if t, refs, ok := d.one.typeOf(y, y.Type); ok {
			d.all(refs)
			d.before = append(d.before, t+", external :: "+name)
			return
		}
	}
	d.before = append(d.before, "external :: "+name)
}

// known makes a name of the text accessible: a symbol that was found where the text stands.
func (d *need) known(name string, y *scope.Symbol) {
	if d.done[y] {
		return
	}
	sc := d.one.scope
	if sc.Lookup(name) != y {
		for _, u := range d.one.k.Internal {
			if inner := d.one.w.o.Program.Of(u); inner.Lookup(name) == y {
				sc = inner
			}
		}
	}
	d.name(sc, name)
}

// copied takes a declaration as the user has written it.
func (d *need) copied(sc *scope.Scope, from, to int32, y *scope.Symbol) {
	w := d.one.w
	if y.Where.From.File != w.file.Source.Index {
		d.missing = append(d.missing, y.Name)
		return
	}
	d.blocks = append(d.blocks, string(w.source[w.start(from):to]))
	_ = sc
}

// declares reports whether an interface block has a procedure or a generic of that name.
func declares(block *tree.Interface, name string) bool {
	if block.Generic == name {
		return true
	}
	for _, u := range block.Bodies {
		if u.Name == name {
			return true
		}
	}
	return false
}

// calledAsSubroutine reports whether the text calls a procedure by CALL.
func (n *one) calledAsSubroutine(name string) bool {
	found := false
	emit.Statements(n.k.Body, func(s tree.Node) {
		if c, ok := s.(*tree.Call); ok {
			if x, ok := c.Procedure.(*tree.Name); ok && x.Name == name {
				found = true
			}
		}
	})
	return found
}
