package scope

import "libportable/internal/fortran/token"

// Lookup is the symbol of a name. It is never nil: its kind is Unknown, or Missing, if no declaration is found.
func (s *Scope) Lookup(name string) *Symbol {
	if y := s.find(name); y != nil {
		y.settle()
		return y
	}
	y := s.undeclared(name)
	y.settle()
	return y
}

// Own are the scope's own declared symbols in the order of their declarations.
func (s *Scope) Own() []*Symbol {
	list := make([]*Symbol, 0, len(s.order))
	for _, name := range s.order {
		list = append(list, s.symbols[name])
	}
	return list
}

// find is the symbol of a declared name: its own, by USE, of the host; nil if there is none.
func (s *Scope) find(name string) *Symbol {
	if y := s.symbols[name]; y != nil && y.Kind != Generic && y.Kind != DerivedType {
		return y
	}
	if y, known := s.found[name]; known {
		return y
	}
	y := s.search(name)
	// Before all scopes are declared, a name that is not found may come yet.
	if s.Program.declared {
		if s.found == nil {
			s.found = map[string]*Symbol{}
		}
		s.found[name] = y
	}
	return y
}

func (s *Scope) search(name string) *Symbol {
	own := s.symbols[name]
	var r result
	if own != nil {
		r.add(own)
	}
	if len(s.uses) > 0 {
		s.fromModules(name, map[visit]bool{{s, name}: true}, &r)
	}
	if isOperator(name) || own != nil && own.Kind == Generic {
		if host := s.host(name); host != nil {
			if y := host.find(name); y != nil && y.Kind == Generic {
				r.add(y)
			}
		}
		return s.one(name, &r)
	}
	if y := s.one(name, &r); y != nil {
		return y
	}
	host := s.host(name)
	if r.missing != "" && (r.certain || !s.hostExcludes(host, name)) {
		if !r.certain && isIntrinsic(name) {
			return nil
		}
		y := &Symbol{Kind: Missing, Name: name, Scope: s, Module: r.missing, state: done}
		if r.certain {
			y.Theirs = r.theirs
		}
		return y
	}
	if s.absent != "" && s.Kind != InterfaceScope {
		if isIntrinsic(name) {
			return nil
		}
		return &Symbol{Kind: Missing, Name: name, Scope: s, Module: s.absent, state: done}
	}
	if host != nil {
		return host.find(name)
	}
	return nil
}

// hostExcludes reports whether a host declares the name itself and uses all the same missing modules: then these
// modules cannot have the name, for it would be declared twice there.
func (s *Scope) hostExcludes(host *Scope, name string) bool {
	for ; host != nil; host = host.host(name) {
		if host.symbols[name] == nil {
			continue
		}
		for _, u := range s.uses {
			if u.bind(s.Program) != nil || u.Only {
				continue
			}
			same := false
			for _, v := range host.uses {
				same = same || v.Module == u.Module && !v.Only && len(v.Renames) == 0
			}
			if !same {
				return false
			}
		}
		return true
	}
	return false
}

// host is the scope around, if a name of it is accessible here.
func (s *Scope) host(name string) *Scope {
	if s.Parent == nil {
		return nil
	}
	if i := s.imports; i != nil {
		if i.has(name) || i.all {
			return s.Parent
		}
		if i.none || len(i.names) > 0 {
			return nil
		}
	}
	if s.Kind == InterfaceScope && !hasPrefix(s.Unit.Prefix, "module") {
		return nil
	}
	return s.Parent
}

func hasPrefix(prefixes []string, word string) bool {
	for _, p := range prefixes {
		if p == word {
			return true
		}
	}
	return false
}

func isOperator(name string) bool {
	return len(name) > 9 && (name[:9] == "operator(" || name[:9] == "assignmen")
}

// unit is the scope of the program unit or procedure that s is or is in.
func (s *Scope) unit() *Scope {
	for s.Kind == BlockScope || s.Kind == TypeScope {
		s = s.Parent
	}
	return s
}

// undeclared is the symbol of a name that no declaration has: an intrinsic, an external procedure, an implicit variable.
func (s *Scope) undeclared(name string) *Symbol {
	at := s.unit()
	if y := at.symbols[name]; y != nil && y.Implicit && at != s { // a BLOCK keeps that its own look-up found none
		return y
	}
	use := at.mentions[name]
	if isIntrinsic(name) && (use == nil || use.called || use.subroutine) {
		return s.Program.intrinsic(name)
	}
	// A host that uses the name has it: its implicit variable, its external procedure.
	if host := at.host(name); host != nil && host.Kind != ModuleScope && host.unit().mentions[name] != nil {
		return host.Lookup(name)
	}
	y := &Symbol{Kind: Variable, Name: name, Scope: at, Implicit: true}
	if use == nil {
		// Nothing in the unit mentions it: what is asked is the type that it would have.
		if !at.typesImplicitly(name) {
			y.Kind = Unknown
		}
		return y
	}
	y.Where = use.at
	switch {
	case use.subroutine:
		y.Kind, y.External = Procedure, true
	case use.called:
		y.Kind, y.External = Procedure, true
		if !at.typesImplicitly(name) {
			y.Kind = Unknown
		}
	case !at.typesImplicitly(name):
		y.Kind = Unknown
	}
	if y.Kind == Procedure {
		y.subroutine = use.subroutine
		y.linkGlobal()
	}
	at.symbols[name] = y
	return y
}

// mention says how the statements of a unit use a name that they do not declare.
type mention struct {
	at                 token.Span
	called, subroutine bool // NAME(...), CALL NAME
}
