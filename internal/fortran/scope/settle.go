package scope

import "libportable/internal/fortran/tree"

// settleAll gives all symbols of a scope their types.
func (s *Scope) settleAll() {
	for _, name := range s.order {
		s.symbols[name].settle()
	}
	if s.def != nil {
		for _, y := range s.def.Bindings {
			y.settle()
		}
	}
}

// settle gives a symbol its type. A type that needs itself stays unknown.
func (y *Symbol) settle() {
	at := y.declaredIn()
	if y.state != fresh || at == nil || !at.Program.linked {
		return
	}
	y.state = busy
	y.settleType()
	y.state = done
}

func (y *Symbol) settleType() {
	switch {
	case y.Kind == Alias:
		y.settleAlias()
	case y.outer:
		outer := y.Scope.Parent.Lookup(y.Name)
		y.Type, y.Dims = outer.Type, outer.Dims
	case y.Kind == Procedure:
		y.settleProcedure()
	case y.Kind == Variable || y.Kind == Constant:
		y.Type = y.declaredType()
	case y.Kind == Intrinsic && y.spec != nil:
		y.Type = y.declaredType()
	case y.Kind == DerivedType:
		y.Type = Type{Base: Derived, Def: y.Def}
	}
}

// declaredIn is the scope that holds the declaration; an external procedure has only its own.
func (y *Symbol) declaredIn() *Scope {
	if y.Scope == nil {
		return y.Body
	}
	return y.Scope
}

func (y *Symbol) declaredType() Type {
	at := y.declaredIn()
	if y.typedIn != nil {
		at = y.typedIn
	}
	if y.spec != nil {
		return at.specType(y.spec, y.length)
	}
	if at.Kind == TypeScope {
		return Type{}
	}
	t := at.implicitType(y.Name)
	if t.Base == Character && y.length != nil {
		t.Len = y.length
	}
	return t
}

func (y *Symbol) settleProcedure() {
	switch {
	case y.spec != nil && y.spec.Base != "procedure":
		y.Type = y.declaredType()
	case y.Body != nil:
		if result := y.Body.symbols[y.ResultName]; y.ResultName != "" && result != nil {
			result.settle()
			y.Type, y.Dims = result.Type, result.Dims
		}
	case y.spec != nil:
		if y.spec.Returns != nil {
			y.Type = y.declaredIn().specType(y.spec.Returns, nil)
		}
	case y.subroutine || y.target != "":
	case y.Scope != nil:
		y.Type = y.Scope.implicitType(y.Name)
	}
}

// settleAlias gives a name of ASSOCIATE, SELECT TYPE or SELECT RANK the type of its selector.
func (y *Symbol) settleAlias() {
	around := y.Scope.Parent
	t, rank := around.TypeOf(y.Alias)
	y.Type = t
	if whole := around.whole(y.Alias); whole != nil {
		y.Dims = whole.Dims
	} else if rank > 0 {
		y.Dims = make([]Dimension, rank)
		for i := range y.Dims {
			y.Dims[i].Assumed = true
		}
	}
	if base := around.Symbol(y.Alias); base != nil {
		y.Target = base.Target || base.Pointer
		y.Volatile, y.Asynchronous = base.Volatile, base.Asynchronous
	}
	if y.spec != nil {
		y.Type = y.Scope.Parent.specType(y.spec, nil)
		if y.class && y.Type.Base == Derived {
			y.Type.Base = Class
		}
	}
	if y.ranked != nil {
		y.Dims = nil
		if _, star := y.ranked.(*tree.Star); star {
			y.Dims = []Dimension{{Star: true}}
		} else if v, ok := around.Constant(y.ranked); ok && v.Type.Base == Integer && v.Integer >= 0 && v.Integer <= 15 {
			y.Dims = make([]Dimension, v.Integer)
			for i := range y.Dims {
				y.Dims[i].Assumed = true
			}
		}
	}
}

// whole is the symbol of a designator that is a whole array with its bounds: a name, or a component at the end.
func (s *Scope) whole(e tree.Expression) *Symbol {
	switch e := e.(type) {
	case *tree.Name:
		if y := s.Lookup(e.Name); y.Kind == Variable || y.Kind == Alias || y.Kind == Constant {
			return y
		}
	case *tree.Component:
		if _, rank := s.TypeOf(e.Base); rank == 0 {
			if y := s.Component(e); y != nil && y.Kind == Variable {
				return y
			}
		}
	}
	return nil
}

// specType is the type that a declaration writes.
func (s *Scope) specType(spec *tree.TypeSpec, length tree.Expression) Type {
	o := s.Program.Options
	number := func(base Base, kind int) Type {
		switch {
		case spec.Kind == nil:
		case spec.Bytes:
			kind = s.kindOf(spec.Kind)
			if base == ComplexType {
				kind /= 2
			}
		default:
			kind = s.kindOf(spec.Kind)
		}
		return Type{Base: base, Kind: kind}
	}
	switch spec.Base {
	case "integer":
		return number(Integer, o.Integer)
	case "byte":
		return Type{Base: Integer, Kind: 1}
	case "real":
		return number(Real, o.Real)
	case "double precision":
		return Type{Base: Real, Kind: o.Double}
	case "complex":
		return number(ComplexType, o.Real)
	case "double complex":
		return Type{Base: ComplexType, Kind: o.Double}
	case "logical":
		return number(Logical, o.Logical)
	case "character":
		t := number(Character, 1)
		t.Len = spec.Length
		if spec.Colon {
			t.Len = &tree.Range{At: spec.At}
		}
		if length != nil {
			t.Len = length
		}
		return t
	case "type", "class":
		return s.derivedSpec(spec)
	}
	return Type{}
}

func (s *Scope) derivedSpec(spec *tree.TypeSpec) Type {
	base := Derived
	if spec.Base == "class" {
		base = Class
	}
	if spec.Name == "*" {
		return Type{Base: Class}
	}
	y := s.find(spec.Name)
	if y != nil && y.Def != nil {
		return Type{Base: base, Def: y.Def}
	}
	def := &TypeDef{Name: spec.Name, Missing: "?", Bindings: map[string]*Symbol{}, linked: true}
	def.Scope = &Scope{Kind: TypeScope, Name: spec.Name, Parent: s, Program: s.Program, def: def, symbols: map[string]*Symbol{}}
	if y != nil && y.Kind == Missing {
		def.Missing = y.Module
	}
	return Type{Base: base, Def: def}
}

// kindOf is the value of a kind expression; 0 if it is not known.
func (s *Scope) kindOf(e tree.Expression) int {
	if v, ok := s.Constant(e); ok && v.Type.Base == Integer && v.Shape == nil && v.Integer > 0 && v.Integer <= 16 {
		return int(v.Integer)
	}
	return 0
}
