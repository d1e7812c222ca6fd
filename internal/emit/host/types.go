package host

import (
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
