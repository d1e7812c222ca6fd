package scope

import "libportable/internal/fortran/tree"

// letters are the IMPLICIT rules of a scope.
type letters struct {
	none bool
	spec [26]*tree.TypeSpec
}

func (s *Scope) implicitRules(d *tree.Implicit) {
	if s.letters == nil {
		s.letters = &letters{}
	}
	if d.None {
		s.letters.none = true
	}
	for _, rule := range d.Rules {
		for _, pair := range rule.Letters {
			for c := pair[0]; c <= pair[1] && c >= 'a' && c <= 'z'; c++ {
				s.letters.spec[c-'a'] = rule.Type
			}
		}
	}
}

// typesImplicitly reports whether a name without declaration has a type here.
func (s *Scope) typesImplicitly(name string) bool {
	_, _, ok := s.implicitSpec(name)
	return ok
}

// implicitSpec is the rule for a name, with the scope in which it is written; a nil rule is the standard's.
func (s *Scope) implicitSpec(name string) (*tree.TypeSpec, *Scope, bool) {
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		return nil, nil, false
	}
	said := false
	for at := s; at != nil; at = at.Parent {
		if rules := at.letters; rules != nil {
			if rules.none {
				return nil, nil, false
			}
			said = true
			if spec := rules.spec[name[0]-'a']; spec != nil {
				return spec, at, true
			}
		}
		// The body of an interface does not inherit rules. A submodule does not see those of its ancestors in gfortran
		// otherwise than by host association, which Parent is.
		if at.Kind == InterfaceScope {
			break
		}
	}
	return nil, nil, said || !s.Program.Options.ImplicitNone
}

// implicitType is the type of a name by the rules.
func (s *Scope) implicitType(name string) Type {
	spec, at, ok := s.implicitSpec(name)
	switch {
	case !ok:
		return Type{}
	case spec != nil:
		return at.specType(spec, nil)
	case name[0] >= 'i' && name[0] <= 'n':
		return Type{Base: Integer, Kind: s.Program.Options.Integer}
	}
	return Type{Base: Real, Kind: s.Program.Options.Real}
}
