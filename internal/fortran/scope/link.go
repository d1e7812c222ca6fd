package scope

import "libportable/internal/fortran/tree"

func (s *Scope) forgetFound() { s.found = nil }

// calledNames makes procedures of names that have a type, no shape, and are called.
func (s *Scope) calledNames() {
	if s.Kind == BlockScope {
		for _, name := range s.order {
			if y := s.symbols[name]; y.mentioned != nil {
				y.isCalled(y.mentioned)
			}
		}
	}
	for name, m := range s.mentions {
		if !m.called && !m.subroutine {
			continue
		}
		for at := s; at != nil; at = at.host(name) {
			if y := at.symbols[name]; y != nil {
				y.isCalled(m)
				break
			}
		}
	}
}

func (y *Symbol) isCalled(m *mention) {
	if m.subroutine && y.Kind == Procedure && y.Body == nil {
		y.subroutine = true
	}
	if y.Kind != Variable || y.raw != nil || y.outer || y.Result && !m.subroutine || y.Pointer || y.Allocatable || y.Common != "" || y.Init != nil {
		return
	}
	switch {
	case m.subroutine:
		y.Kind, y.subroutine = Procedure, true
	case !m.called:
		return
	case !y.Dummy && isIntrinsic(y.Name):
		y.Kind = Intrinsic
	default:
		y.Kind = Procedure
	}
	y.External, y.Saved = y.Kind == Procedure && !y.Dummy, false
}

// link lets the symbols of a scope know what their names mean: bounds, interfaces, specifics, parents.
func (s *Scope) link() {
	if s.Unit != nil && s.Kind != BlockScope && s.Kind != TypeScope {
		s.equivalences(s.Unit.Declarations)
	} else if b, ok := s.Construct.(*tree.Block); ok {
		s.equivalences(b.Declarations)
	}
	s.markUsed()
	s.blockMarks()
	for _, name := range s.order {
		y := s.symbols[name]
		if s.saveAll && y.Kind == Variable && !y.Dummy && !y.Result {
			y.Saved = true
		}
		y.dimensions()
		y.link()
	}
	if s.Kind == TypeScope {
		s.def.link()
	}
}

// markUsed finds names that a scope only gives VOLATILE or ASYNCHRONOUS: they are those of a module or of the host.
func (s *Scope) markUsed() {
	kept := s.order[:0]
	for _, name := range s.order {
		y := s.symbols[name]
		if !(y.Volatile || y.Asynchronous) || y.Kind != Variable || y.spec != nil || y.raw != nil || y.Dummy || y.Result || !y.onlyAttributes() {
			kept = append(kept, name)
			continue
		}
		delete(s.symbols, name)
		delete(s.found, name)
		other := s.find(name)
		if other == nil || other.Kind != Variable {
			s.symbols[name] = y
			kept = append(kept, name)
			continue
		}
		other.Volatile = other.Volatile || y.Volatile
		other.Asynchronous = other.Asynchronous || y.Asynchronous
	}
	s.order = kept
}

func (y *Symbol) onlyAttributes() bool {
	for _, d := range y.Decls {
		a, ok := d.(*tree.Attributes)
		if !ok || a.Attribute.Name != "volatile" && a.Attribute.Name != "asynchronous" {
			return false
		}
	}
	return len(y.Decls) > 0
}

// dimensions makes the bounds of what is declared: what : means depends on other attributes.
func (y *Symbol) dimensions() {
	if y.raw == nil {
		return
	}
	y.Dims = make([]Dimension, 0, len(y.raw))
	for i := range y.raw {
		d := &y.raw[i]
		if d.Rank {
			y.AssumedRank = true
			continue
		}
		deferred := d.Colon && (y.Allocatable || y.Pointer)
		y.Dims = append(y.Dims, Dimension{
			Lower: d.Lower, Upper: d.Upper, Star: d.Star,
			Deferred: deferred, Assumed: d.Colon && !deferred,
		})
	}
}

func (y *Symbol) link() {
	if y.linking {
		return // an interface that is its own interface, a generic of itself
	}
	y.linking = true
	defer func() { y.linking = false }()
	switch y.Kind {
	case Procedure:
		y.linkProcedure()
	case Generic, DerivedType:
		y.linkGeneric()
	}
}

func (y *Symbol) linkProcedure() {
	if y.Function != nil {
		return
	}
	if y.target != "" && y.Body == nil {
		if t := y.Scope.find(y.target); t != nil && t.Kind == Procedure {
			t.link()
			y.Body, y.Dummies, y.ResultName, y.OnlyInterface = t.Body, t.Dummies, t.ResultName, true
		}
		return
	}
	y.linkGlobal()
}

// linkGlobal finds the body of an external procedure.
func (y *Symbol) linkGlobal() {
	if y.Dummy || y.Pointer || y.Abstract || y.owner != nil || y.Body != nil && !y.OnlyInterface || y.Body == nil && !y.External {
		return
	}
	if y.Body != nil && hasPrefix(y.Body.Unit.Prefix, "module") {
		return
	}
	if g := y.Scope.Program.globals[y.Name]; g != nil && g.Kind == Procedure {
		y.Body, y.Dummies, y.ResultName, y.OnlyInterface = g.Body, g.Dummies, g.ResultName, false
	}
}

func (y *Symbol) linkGeneric() {
	for _, other := range y.joins {
		if other.Kind == Procedure {
			other.link()
			y.addSpecific(other)
			continue
		}
		other.link()
		y.addSpecific(other.Specific...)
		y.partial = y.partial || other.partial
	}
	group := y.group
	y.group = nil
	for _, name := range group {
		if name == "" { // of a body whose statement is not readable
			y.partial = true
			continue
		}
		var specific *Symbol
		if y.owner != nil {
			specific = y.owner.Binding(name)
		} else if specific = y.Scope.find(name); specific == nil {
			specific = y.Scope.undeclaredProcedure(name)
		}
		switch {
		case specific == nil || specific.Kind == Missing:
			y.partial = true
		case specific.Kind == Generic && specific != y:
			specific.link()
			for _, inner := range specific.Specific {
				if inner.Name == name {
					y.addSpecific(inner)
				}
			}
		case specific.Kind == Procedure:
			specific.link()
			y.addSpecific(specific)
		}
	}
}

// undeclaredProcedure is the external procedure that a generic names without declaring it.
func (s *Scope) undeclaredProcedure(name string) *Symbol {
	if g := s.Program.globals[name]; g != nil && g.Kind == Procedure {
		return g
	}
	return nil
}

func (y *Symbol) addSpecific(list ...*Symbol) {
	for _, specific := range list {
		known := specific == y
		for _, have := range y.Specific {
			known = known || have == specific
		}
		if !known {
			y.Specific = append(y.Specific, specific)
		}
	}
}

// link finds the parent of a type and the procedures of its bindings.
func (def *TypeDef) link() {
	if def.linked {
		return
	}
	def.linked = true
	host := def.Scope.Parent
	if def.parent != "" {
		if y := host.find(def.parent); y != nil && y.Def != nil && !y.Def.extends(def) {
			def.Parent = y.Def
			y.Def.link()
		} else {
			def.Missing = def.parent
			if y != nil && y.Kind == Missing {
				def.Missing = y.Module
			}
		}
	}
	if def.Parent != nil && def.Parent.Missing != "" {
		def.Missing = def.Parent.Missing
	}
	for _, y := range def.Bindings {
		if y.Kind == Procedure && y.target != "" {
			if t := host.find(y.target); t != nil && t.Kind == Procedure {
				t.link()
				y.Body, y.Dummies, y.ResultName = t.Body, t.Dummies, t.ResultName
				y.OnlyInterface = y.OnlyInterface || t.OnlyInterface
			}
		}
	}
	for _, y := range def.Bindings {
		if y.Kind == Generic {
			y.linkGeneric()
		}
	}
}

// extends reports whether def is other or extends it.
func (def *TypeDef) extends(other *TypeDef) bool {
	for at := def; at != nil; at = at.Parent {
		if at == other {
			return true
		}
	}
	return false
}

// Binding is a type-bound procedure or generic of the type or of its parents; nil if there is none.
func (def *TypeDef) Binding(name string) *Symbol {
	for at := def; at != nil; at = at.Parent {
		if y := at.Bindings[name]; y != nil {
			return y
		}
	}
	return nil
}

// Component is a component of the type or of its parents, or a parent as a component; nil if there is none.
func (def *TypeDef) Component(name string) *Symbol {
	for at := def; at != nil; at = at.Parent {
		if y := at.Scope.symbols[name]; y != nil {
			return y
		}
		if at.Parent != nil && at.Parent.Name == name {
			if at.base == nil {
				at.base = &Symbol{Kind: Variable, Name: name, Scope: at.Scope, Type: Type{Base: Derived, Def: at.Parent}, state: done}
			}
			return at.base
		}
	}
	return nil
}

// headers gives separate module procedures the body that a submodule has, and MODULE PROCEDURE its header.
func (p *Program) headers() {
	for _, s := range p.scopes {
		if s.Kind != ProcedureScope || s.Unit.Kind != tree.ModuleProcedure && !hasPrefix(s.Unit.Prefix, "module") {
			continue
		}
		for at := s.Parent; at != nil; at = at.Parent {
			y := at.symbols[s.Name]
			if y == nil || y.Kind != Procedure || y.Body == nil || y.Body == s && at == s.Parent {
				continue
			}
			if s.Unit.Kind == tree.ModuleProcedure {
				s.header(y)
			}
			y.Body, y.OnlyInterface = s, false
			break
		}
	}
}

// header takes dummies and result of a MODULE PROCEDURE from its interface.
func (s *Scope) header(y *Symbol) {
	from := y.Body
	s.headed = from
	for _, name := range from.order {
		if s.symbols[name] == nil || s.symbols[name].Kind == Procedure && s.symbols[name].Body == s {
			copied := *from.symbols[name]
			copied.Scope, copied.typedIn = s, from
			s.symbols[name] = &copied
			s.order = append(s.order, name)
		}
	}
	if self := s.Parent.symbols[s.Name]; self != nil && self != y {
		self.Dummies, self.ResultName = y.Dummies, y.ResultName
	}
	if y.ResultName == "" || y.ResultName != s.Name {
		s.symbols[s.Name] = y
	}
}
