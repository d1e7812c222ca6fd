package host

import (
	"strings"

	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// In the statements of this package, a name behind @ belongs to the generated code: @portable_t, @c_ptr. It gives way where the user's
// file has that name for something else.

// most characters of a name
const nameMost = 63

// endings of the names of a nest's procedures
var endings = []string{"", "_tile", "_body", "_strided", "_strided_tile", "_turned", "_turned_tile", "_checked", "_checked_tile", "_apart", "_unchecked", "_combine", "_part", "_join"}

// longest is the most characters of a nest's name: behind it come an ending, and a number if the name is taken.
const longest = nameMost - len("_strided_tile") - len("_999")

// fresh is a name that nothing in the file has, not with an ending either.
func (w *writer) fresh(name string, sc *scope.Scope) string {
	name = name[:min(len(name), longest)]
	made := name
	for i := 2; w.isTaken(made, sc); i++ {
		made = name + "_" + decimal(i)
	}
	for _, end := range endings {
		w.used[made+end] = true
	}
	return made
}

// isTaken reports whether the name is one of the file, or comes from a module that the place of the procedures uses.
func (w *writer) isTaken(name string, sc *scope.Scope) bool {
	for _, end := range endings {
		full := name + end
		if w.used[full] || w.o.Program.Modules()[full] != nil || w.o.Program.Global(full) != nil {
			return true
		}
		if sc == nil {
			continue
		}
		// A name may come from each module that no file has: that says nothing.
		if y := sc.Lookup(full); y.Kind != scope.Unknown && y.Kind != scope.Missing && !y.Implicit {
			return true
		}
	}
	return false
}

// dummy is a name for a dummy or a local variable of a nest's procedures.
func (n *one) dummy(name string) string {
	name = name[:min(len(name), nameMost-len("_u15")-len("_999"))]
	made := name
	for i := 2; n.w.user[made] || n.names[made]; i++ {
		made = name + "_" + decimal(i)
	}
	n.names[made] = true
	return made
}

// own is the name that the generated code of the nest has for one of its own.
func (n *one) own(name string) string {
	if made, ok := n.renamed[name]; ok {
		return made
	}
	made := name
	if n.w.isOther(name) || n.names[name] || len(name) > nameMost {
		made = n.dummy(name[:min(len(name), nameMost-len("_999"))] + "_2")
	}
	n.names[made] = true
	n.renamed[name] = made
	return made
}

// resolve writes the names behind @. USE renames what gives way.
func (n *one) resolve(statement string) string {
	if !strings.Contains(statement, "@") {
		return statement
	}
	use := strings.HasPrefix(statement, "use ") || strings.HasPrefix(statement, "use, ")
	var b strings.Builder
	quote := byte(0)
	for i := 0; i < len(statement); i++ {
		c := statement[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '@':
			end := i + 1
			for end < len(statement) && isNameByte(statement[end]) {
				end++
			}
			name := statement[i+1 : end]
			made := n.own(name)
			b.WriteString(made)
			if use && made != name {
				b.WriteString(" => " + name)
			}
			i = end - 1
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

func isNameByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// isOther reports whether the user's file has the name for something else than the library and the compiler have it for.
func (w *writer) isOther(name string) bool {
	if !w.user[name] {
		return false
	}
	other, known := w.others[name]
	if !known {
		other = w.otherIn(w.file.Units, name)
		w.others[name] = other
	}
	return other
}

func (w *writer) otherIn(list []*tree.Unit, name string) bool {
	for _, u := range list {
		s := w.o.Program.Of(u)
		if s == nil {
			return true
		}
		y := s.Lookup(name)
		switch from := y.Module; {
		case y.Kind == scope.Missing && strings.HasPrefix(from, "portable_"):
		case y.Kind != scope.Missing && y.Scope != nil && (y.Scope.Name == "iso_c_binding" || strings.HasPrefix(y.Scope.Name, "portable_")) && y.Scope.Unit != u:
		case y.Kind == scope.Unknown || y.Implicit && !y.Where.From.Known():
		default:
			return true
		}
		if len(u.Contains) > 0 && w.otherIn(u.Contains, name) {
			return true
		}
	}
	return false
}

// intrinsics refuses variables with the names of intrinsic functions that the launch calls: such a name cannot give way.
func (n *one) intrinsics() {
	needed := map[string]bool{"int": true, "storage_size": true}
	for _, l := range n.loops {
		needed["max"] = needed["max"] || l.after != ""
	}
	for _, a := range n.args {
		needed["lbound"] = needed["lbound"] || a.hasUpper()
		needed["ubound"] = needed["ubound"] || a.hasUpper()
		needed["is_contiguous"] = needed["is_contiguous"] || a.loose()
		needed["size"] = needed["size"] || n.turned[a] != nil || a.form == pointer
		needed["transfer"] = needed["transfer"] || a.form == pointer
		needed["associated"] = needed["associated"] || a.loose() || a.form == pointer
		needed["allocated"] = needed["allocated"] || a.form == allocatable || a.absent && a.of != nil && a.last.Allocatable
		needed["associated"] = needed["associated"] || a.absent && a.of != nil
		needed["present"] = needed["present"] || a.of != nil || a.optional() != ""
	}
	for _, r := range n.results {
		needed["present"] = needed["present"] || r.owner != nil || r.absent
	}
	refuse := func(name string) {
		n.refuse(n.k.Loops[0].Do.Where.From, "generated code calls the intrinsic function '"+name+"', whose name a variable of this loop has",
			"give the variable another name")
	}
	for _, a := range n.args {
		if needed[a.name] {
			refuse(a.name)
		}
	}
	for _, r := range n.results {
		if needed[r.name] {
			refuse(r.name)
		}
	}
	for _, l := range n.locals {
		if l.name == "int" && n.isWide() {
			refuse("int")
		}
	}
}

// fixedName reports whether it is the name of a module that generated code uses: a variable of that name cannot be declared there.
func fixedName(name string) bool {
	return name == "iso_c_binding" || name == "portable_list_mod" || name == "portable_core_mod" || name == "gator_mod"
}

// ---- the types of variables in words, and the private variables of the outlined loop ----

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
		name := n.k.NameOf(y)
		l := &local{symbol: y, name: name}
		t, refs, ok := n.typeOf(y, y.Type)
		at := n.k.Loops[0].Do.Where.From
		if !ok || t == "character(len=*)" || y.Type.Base == scope.Class {
			n.refuse(at, "the type of the private variable '"+name+"' cannot be declared in the outlined loop", "declare it with a constant length or a type of a module")
			continue
		}
		if fixedName(name) {
			n.refuse(at, "generated code needs the module '"+name+"', whose name a variable of this loop has", "give the variable another name")
		}
		l.typ, l.need = t, refs
		if len(y.Dims) > 0 {
			l.dims = n.localDims(l)
		}
		if last[y] {
			a := &arg{Argument: &emit.Argument{Symbol: y, Spelt: name, Type: y.Type, Dims: y.Dims, Rank: len(y.Dims), Write: true},
				name: n.dummy(name + "_last"), actual: name, typ: t, need: refs, form: reference, last: y}
			a.absent = len(y.Dims) == 0 && (y.Pointer || y.Allocatable || y.Optional)
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
		lo, up := n.number(l.name+"_l"+d, "lbound("+l.name+", "+d+")"), n.number(l.name+"_u"+d, "ubound("+l.name+", "+d+")")
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
