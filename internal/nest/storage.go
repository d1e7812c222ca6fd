package nest

import (
	"fmt"
	"slices"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// This file follows storage that several names mean: COMMON blocks, targets of pointers; and what a procedure does to storage when it begins
// and ends.

// canonical is the symbol that stands for y in all procedures: a COMMON block that two procedures declare alike has one symbol for each
// variable. Blocks that differ keep their symbols; then all of one block overlaps all of the other.
func (m *summaries) canonical(y *scope.Symbol) *scope.Symbol {
	if y.Common == "" || y.Scope == nil {
		return y
	}
	if z := m.canon[y]; z != nil {
		return z
	}
	z := y
	first := m.blocks[y.Common]
	if first == nil {
		m.blocks[y.Common] = y.Scope
	} else if first != y.Scope && signature(first, y.Common) == signature(y.Scope, y.Common) {
		if w := first.Lookup(y.Name); w.Common == y.Common && w.Kind == scope.Variable {
			z = w
		}
	}
	m.canon[y] = z
	return z
}

// signature is the layout of a block as text.
func signature(s *scope.Scope, block string) string {
	var b strings.Builder
	if s.Unit == nil {
		return ""
	}
	for _, d := range s.Unit.Declarations {
		c, ok := d.(*tree.Common)
		if !ok {
			continue
		}
		for i := range c.Blocks {
			if "/"+c.Blocks[i].Name+"/" != block {
				continue
			}
			for _, e := range c.Blocks[i].Entities {
				y := s.Lookup(e.Name)
				fmt.Fprintf(&b, "%s %d %d", e.Name, y.Type.Base, y.Type.Kind)
				for _, d := range y.Dims {
					b.WriteByte(',')
					for _, x := range []tree.Expression{d.Lower, d.Upper} {
						if x == nil {
							continue
						}
						if v, ok := s.Constant(x); ok {
							fmt.Fprint(&b, ":", v.Integer)
						} else {
							fmt.Fprintf(&b, ":%p", x)
						}
					}
				}
				b.WriteByte(';')
			}
		}
	}
	if b.Len() == 0 {
		return fmt.Sprintf("%p", s)
	}
	return b.String()
}

// whole are the effects of a procedure's whole body, without those of procedures in it.
func (m *summaries) whole(s *scope.Scope) *effects {
	if f := m.bodies[s]; f != nil {
		return f
	}
	f := newEffects()
	m.bodies[s] = f
	if s.Unit != nil {
		m.collect(s, m.body(s.Unit), f)
		for _, u := range s.Unit.Contains {
			if x := m.program.Of(u); x != nil {
				m.collect(x, m.body(u), f)
			}
		}
	}
	return f
}

// The next functions find scalars that pointers, or COMMON blocks with other names, may mean too. Arrays are compared at each launch; scalars are
// not, so they are refused here.

const deepestType = 8

// sameBlockOtherNames reports whether two variables are of one COMMON block that two procedures declare in different ways.
func sameBlockOtherNames(y, z *scope.Symbol) bool {
	return y.Common != "" && y.Common == z.Common && y != z && y.Scope != z.Scope
}

// along are the symbols of a datum from its root on; nil where a component is not known.
func along(d datum) (list []*scope.Symbol) {
	list = []*scope.Symbol{d.root}
	for _, name := range strings.Split(d.path, "%")[1:] {
		def := list[len(list)-1].Type.Def
		if def == nil {
			return nil
		}
		y := def.Component(name)
		if y == nil {
			return nil
		}
		list = append(list, y)
	}
	return list
}

// hasPointers reports whether a type has components that are pointers, also deep inside.
func hasPointers(def *scope.TypeDef, depth int) bool {
	if def == nil || depth > deepestType {
		return false
	}
	for _, y := range def.Components {
		if y.Pointer || hasPointers(y.Type.Def, depth+1) {
			return true
		}
	}
	return hasPointers(def.Parent, depth+1)
}

// used are the data that the loop and its calls use.
func (c *candidate) used() (list []datum) {
	f := c.f.effects.inside(c.scope, c.do.Body)
	for d := range f.reads {
		list = append(list, d)
	}
	for d := range f.writes {
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b datum) int { return strings.Compare(a.name(), b.name()) })
	return list
}

// otherPointer is the name of a pointer that the loop uses and that may mean y; empty if there is none.
func (c *candidate) otherPointer(y *scope.Symbol) string {
	for _, p := range c.pointers() {
		if p.d.root != y {
			return p.d.name()
		}
	}
	return ""
}

// pointer is a datum that may mean the memory of others, with the symbols on the way to it.
type pointer struct {
	d       datum
	symbols []*scope.Symbol // nil: not known
}

// pointers are the data of used that are pointers, have some in them, or are not known.
func (c *candidate) pointers() []pointer {
	if c.pointing == nil {
		c.pointing = []pointer{}
		for _, d := range c.used() {
			symbols := along(d)
			if symbols == nil || slices.ContainsFunc(symbols, func(z *scope.Symbol) bool { return z.Pointer }) || hasPointers(symbols[len(symbols)-1].Type.Def, 0) {
				c.pointing = append(c.pointing, pointer{d, symbols})
			}
		}
	}
	return c.pointing
}

// scalarPointer refuses an array that is written, if the loop reads a scalar pointer that may mean one of its elements.
func (c *candidate) scalarPointer(list []access) {
	at := slices.IndexFunc(list, func(a access) bool {
		return a.write && a.mayPoint()
	})
	if at < 0 {
		return
	}
	a := list[at]
	for _, p := range c.pointers() {
		d, symbols := p.d, p.symbols
		if symbols == nil || d.root == a.ref.datum().root || slices.ContainsFunc(symbols, func(z *scope.Symbol) bool { return len(z.Dims) > 0 }) {
			continue
		}
		last := symbols[len(symbols)-1]
		same := last == a.ref.last() && slices.ContainsFunc(symbols, func(z *scope.Symbol) bool { return z.Pointer })
		if same || last.Pointer && last.Type.Base == a.ref.last().Type.Base && last.Type.Kind == a.ref.last().Type.Kind && last.Type.Def == a.ref.last().Type.Def {
			c.refuse(Refusal{Rule: "overlap", At: a.where.point(), Remedy: "copy its value to a local variable before the loop",
				Text: fmt.Sprintf("the pointer '%s' may mean an element of '%s', which is written at %s", d.name(), a.ref.datum().name(), c.placeLine(a.where))})
			return
		}
	}
}

// follows reports whether the loop may use what pointers in structures mean: then their assignment has an effect on what it uses. A called
// procedure may do so.
func (w *walker) follows() bool {
	if w.changing.unknown || len(w.changing.calls) > 0 || w.frame.up != nil {
		return true
	}
	for _, list := range []map[datum]token.Pos{w.changing.reads, w.changing.writes} {
		for d := range list {
			symbols := along(d)
			if symbols == nil || slices.ContainsFunc(symbols[1:], func(y *scope.Symbol) bool { return y.Pointer }) {
				return true
			}
		}
	}
	return false
}

// mayPoint reports whether other names may mean the memory of a.
func (a access) mayPoint() bool {
	return slices.ContainsFunc(a.ref.steps, func(s step) bool { return mayPoint(s.symbol) })
}

// foreignTarget refuses two arrays that may be one memory by a pointer, if a called procedure uses one of them by its own name: launches
// compare only what the loop itself names.
func (c *candidate) foreignTarget(written []access, roots []*scope.Symbol, byRoot map[*scope.Symbol][]access) {
	may := access.mayPoint
	at := slices.IndexFunc(written, func(a access) bool { return a.write && may(a) })
	if at < 0 {
		return
	}
	w := written[at]
	if !w.where.foreign && !c.foreignMay {
		return
	}
	for _, y := range roots {
		if y == w.ref.steps[0].symbol {
			continue
		}
		c.f.effects.budget.spend(int64(len(byRoot[y])))
		for _, a := range byRoot[y] {
			if t, u := a.ref.last().Type, w.ref.last().Type; !may(a) || !a.where.foreign && !w.where.foreign || t.Base != u.Base || t.Kind != u.Kind || t.Def != u.Def {
				continue
			}
			p := a.where
			if !p.foreign {
				p = w.where
			}
			c.refuse(Refusal{Rule: "call-effect", At: p.point(), Also: []token.Pos{p.at}, Remedy: "pass it as an argument",
				Text: fmt.Sprintf("%s, called at %s, uses '%s' or '%s', which may be one array", c.calledName(p), c.w.line(p.call), a.ref.datum().name(), w.ref.datum().name())})
			return
		}
	}
}

// isParent reports whether a component is the part of an extended type that its parent type declares.
func isParent(s *scope.Scope, e *tree.Component) bool {
	y := s.Component(e)
	t, _ := s.TypeOf(e.Base)
	return y != nil && t.Def != nil && y.Type.Def != nil && y.Kind == scope.Variable && t.Def.Parent != nil && e.Name == t.Def.Parent.Name && y.Type.Def == t.Def.Parent
}

// The last functions tell what the specification part of a procedure or BLOCK does when it begins and ends: bounds and lengths are evaluated,
// variables of types with FINAL procedures are finalised.

// specification adds what the bounds and lengths of a scope's variables read.
func (m *summaries) specification(s *scope.Scope, f *effects) {
	for _, y := range s.Own() {
		if y.Kind != scope.Variable {
			continue
		}
		for _, d := range y.Dims {
			m.reads(s, d.Lower, f)
			m.reads(s, d.Upper, f)
		}
		m.reads(s, y.Type.Len, f)
	}
}

// specification evaluates bounds and lengths, and refuses variables that are finalised.
func (w *walker) specification(s *scope.Scope) {
	for _, y := range s.Own() {
		if y.Kind != scope.Variable {
			continue
		}
		if !y.Dummy {
			w.extents(y) // what they read
			w.expr(y.Type.Len)
		}
		if (!y.Dummy || y.Intent == "out") && !y.Pointer && !static(y) {
			w.finalised(y.Type, w.frame.last, y.Name)
		}
	}
}

// finalised refuses work on a type whose FINAL procedure would be called.
func (w *walker) finalised(t scope.Type, at token.Pos, name string) {
	if t.Base == scope.Derived && final(t.Def, 0) {
		w.refuse("not-converted", at, "'"+name+"' has a FINAL procedure, which would be called in the loop", "use a type without FINAL procedures")
	}
}

// final reports whether a type, or a component of it, has a FINAL procedure.
func final(def *scope.TypeDef, depth int) bool {
	if def == nil || depth > deepestType {
		return false
	}
	if def.Decl != nil {
		for i := range def.Decl.Bindings {
			if def.Decl.Bindings[i].Kind == "final" {
				return true
			}
		}
	}
	for _, y := range def.Components {
		if !y.Pointer && y.Type.Base == scope.Derived && final(y.Type.Def, depth+1) {
			return true
		}
	}
	return final(def.Parent, depth+1)
}

// resets reports whether a call changes what is given to a dummy before any statement: INTENT(OUT) with initial values or allocatable parts.
func resets(d *scope.Symbol) bool {
	return d.Intent == "out" && (d.Allocatable || d.Type.Base == scope.Derived && (allocatable(d.Type.Def, 0) || initial(d.Type.Def, 0)))
}

// initial reports whether a type has components with initial values.
func initial(def *scope.TypeDef, depth int) bool {
	if def == nil || depth > deepestType {
		return false
	}
	for _, y := range def.Components {
		if y.Init != nil || !y.Pointer && y.Type.Base == scope.Derived && initial(y.Type.Def, depth+1) {
			return true
		}
	}
	return initial(def.Parent, depth+1)
}

// hasEntry reports whether a procedure has ENTRY statements.
func hasEntry(s *scope.Scope) bool {
	return s.Unit != nil && slices.ContainsFunc(s.Unit.Declarations, func(d tree.Declaration) bool {
		g, is := d.(*tree.Ignored)
		return is && g.Kind == "entry"
	})
}
