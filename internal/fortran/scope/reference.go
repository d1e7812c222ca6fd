package scope

import "libportable/internal/fortran/tree"

// Meaning says what BASE(ARGUMENTS) is, and of which symbol.
func (s *Scope) Meaning(r *tree.Reference) (Meaning, *Symbol) {
	switch base := r.Base.(type) {
	case *tree.Name:
		return s.meaningOfName(base.Name, r)
	case *tree.Component:
		t := s.typeOf(base.Base)
		if base.Name == "re" || base.Name == "im" {
			if t.Base == ComplexType {
				return s.element(r, t.rank), s.Symbol(base)
			}
		}
		y := s.Component(base)
		if y == nil {
			return NotKnown, nil
		}
		return s.meaningOfSymbol(y, r, s.passed(base, y))
	case *tree.Reference:
		t := s.typeOf(base)
		_, y := s.Meaning(base)
		if t.Base == Character && len(r.Arguments) == 1 && isSubstring(r.Arguments) {
			return Substring, y
		}
		return NotKnown, y
	case *tree.Coindexed:
		t := s.typeOf(base)
		if t.Base == Character && t.rank == 0 {
			return Substring, s.Symbol(base)
		}
		return s.element(r, t.rank), s.Symbol(base)
	case *tree.Literal:
		return Substring, nil
	case *tree.Constructor:
		return s.element(r, 1), nil
	}
	return NotKnown, nil
}

func (s *Scope) meaningOfName(name string, r *tree.Reference) (Meaning, *Symbol) {
	y := s.Lookup(name)
	if y.Kind == Variable && y.Result && len(y.Dims) == 0 && !y.AssumedRank && !isSubstring(r.Arguments) && y.Type.Base != NoType {
		// Inside a function without RESULT its name with arguments is a call of itself.
		if f := y.Scope.selfOf(name); f != nil {
			return FunctionCall, f
		}
	}
	return s.meaningOfSymbol(y, r, nil)
}

// selfOf is the procedure whose scope s is, or an entry of it.
func (s *Scope) selfOf(name string) *Symbol {
	if s.Parent != nil {
		if y := s.Parent.find(name); y != nil && y.Kind == Procedure && y.Body == s {
			return y
		}
	}
	if y := s.Program.globals[name]; y != nil && y.Kind == Procedure && y.Body == s {
		return y
	}
	return nil
}

// meaningOfSymbol decides by the kind of the symbol; object is what a type-bound procedure gets besides the arguments.
func (s *Scope) meaningOfSymbol(y *Symbol, r *tree.Reference, object []tree.Argument) (Meaning, *Symbol) {
	y.settle()
	switch y.Kind {
	case Variable, Constant, Alias:
		if y.AssumedRank {
			return NotKnown, y
		}
		if y.Kind == Alias && y.Type.Base == NoType {
			return NotKnown, y
		}
		if len(y.Dims) == 0 {
			if y.Type.Base == Character && len(r.Arguments) == 1 && isSubstring(r.Arguments) {
				return Substring, y
			}
			// An array of scalars: s%x(i) where s is an array has no meaning.
			return NotKnown, y
		}
		return s.element(r, len(y.Dims)), y
	case Procedure:
		if y.Function != nil {
			return StatementCall, y
		}
		return FunctionCall, y
	case Generic:
		arguments := r.Arguments
		specific := s.specific(y, arguments, object)
		if specific == nil {
			if len(object) == 0 && isIntrinsic(y.Name) && !y.partial {
				return IntrinsicCall, s.Program.intrinsic(y.Name)
			}
			return NotKnown, y
		}
		if len(object) > 0 {
			specific = s.typeOf(object[0].Value).Def.override(specific)
		}
		return FunctionCall, specific
	case DerivedType:
		if specific := s.Specific(y, r.Arguments); specific != nil {
			return FunctionCall, specific
		}
		return Structure, y
	case Intrinsic:
		return IntrinsicCall, y
	}
	return NotKnown, y
}

// element tells an element from a section.
func (s *Scope) element(r *tree.Reference, rank int) Meaning {
	if rank < 0 {
		return NotKnown
	}
	if len(r.Arguments) != rank {
		return NotKnown
	}
	meaning := Element
	for i := range r.Arguments {
		value := r.Arguments[i].Value
		if value == nil {
			return NotKnown
		}
		if _, ok := value.(*tree.Range); ok {
			meaning = Section
			continue
		}
		switch t := s.typeOf(value); {
		case t.rank > 0:
			meaning = Section
		case t.rank < 0:
			return NotKnown
		}
	}
	return meaning
}

// sectionRank is the number of dimensions that subscripts leave.
func (s *Scope) sectionRank(arguments []tree.Argument) int {
	rank := 0
	for i := range arguments {
		if _, ok := arguments[i].Value.(*tree.Range); ok {
			rank++
			continue
		}
		t := s.typeOf(arguments[i].Value)
		if t.rank < 0 {
			return -1
		}
		rank += t.rank
	}
	return rank
}

func (s *Scope) typeOfReference(r *tree.Reference) typed {
	meaning, y := s.Meaning(r)
	switch meaning {
	case Element, Section:
		t := s.typeOf(r.Base)
		if c, ok := r.Base.(*tree.Component); ok {
			if base := s.typeOf(c.Base); base.rank > 0 && y != nil && len(y.Dims) > 0 {
				t.rank = base.rank
				return t
			}
		}
		t.rank = s.sectionRank(r.Arguments)
		return t
	case Substring:
		t := s.typeOf(r.Base)
		t.Base = Character
		t.Len = s.substringLength(r.Arguments)
		return t
	case FunctionCall, StatementCall:
		y.settle()
		if y.Type.Base == NoType {
			return unknown
		}
		t := typed{Type: y.Type, rank: len(y.Dims)}
		if t.Base == Character && t.Len != nil {
			if n, ok := y.scopeOfBounds().constantLength(t.Type); ok {
				t.Len = length(n)
			} else {
				t.Len = &tree.Star{}
			}
		}
		if y.elemental() {
			t.rank = s.elementalRank(r.Arguments)
			if c, ok := r.Base.(*tree.Component); ok && y.owner != nil {
				t.rank = joinRank(t.rank, s.typeOf(c.Base).rank)
			}
		}
		return t
	case IntrinsicCall:
		return s.typeOfIntrinsic(y.Name, r.Arguments)
	case Structure:
		return typed{Type: Type{Base: Derived, Def: y.Def}}
	}
	return unknown
}

func (s *Scope) substringLength(arguments []tree.Argument) tree.Expression {
	r, ok := arguments[0].Value.(*tree.Range)
	if !ok {
		return &tree.Star{}
	}
	first := int64(1)
	if r.Lower != nil {
		v, ok := s.Constant(r.Lower)
		if !ok || v.Type.Base != Integer {
			return &tree.Star{}
		}
		first = v.Integer
	}
	if r.Upper != nil {
		if v, ok := s.Constant(r.Upper); ok && v.Type.Base == Integer && v.Integer-first < 1<<30 {
			return length(int(max(v.Integer-first+1, 0)))
		}
	}
	return &tree.Star{}
}

// scopeOfBounds is the scope in which the expressions of a symbol's type and bounds stand.
func (y *Symbol) scopeOfBounds() *Scope {
	switch {
	case y.typedIn != nil:
		return y.typedIn
	case y.Kind == Procedure && y.Body != nil:
		return y.Body
	}
	return y.Scope
}

// elemental reports whether a procedure is ELEMENTAL.
func (y *Symbol) elemental() bool {
	return y.Body != nil && hasPrefix(y.Body.prefix(), "elemental")
}

// prefix are the words in front of the procedure; a MODULE PROCEDURE has those of its interface.
func (s *Scope) prefix() []string {
	if s.headed != nil {
		return s.headed.Unit.Prefix
	}
	return s.Unit.Prefix
}

// elementalRank is the rank of an elemental call: that of its arrays.
func (s *Scope) elementalRank(arguments []tree.Argument) int {
	rank := 0
	for i := range arguments {
		if arguments[i].Value != nil {
			rank = joinRank(rank, s.typeOf(arguments[i].Value).rank)
		}
	}
	return rank
}

// Symbol is the symbol at the beginning of a designator: a of a(i)%b(j); nil if there is none.
func (s *Scope) Symbol(e tree.Expression) *Symbol {
	if name := baseName(e); name != nil {
		return s.Lookup(name.Name)
	}
	return nil
}

// Component is the component, or the type-bound procedure, that BASE%NAME means; nil if it is not known.
func (s *Scope) Component(c *tree.Component) *Symbol {
	t := s.typeOf(c.Base)
	if t.Def == nil || t.Base != Derived && t.Base != Class {
		return nil
	}
	y := t.Def.Component(c.Name)
	if y == nil {
		y = t.Def.Binding(c.Name)
	}
	if y != nil {
		y.settle()
	}
	return y
}

// passed is the object that a type-bound procedure gets as an argument; nil for NOPASS and for components.
func (s *Scope) passed(c *tree.Component, y *Symbol) []tree.Argument {
	if y.owner == nil || y.nopass && y.Kind != Generic {
		return nil
	}
	return []tree.Argument{{Value: c.Base}}
}
