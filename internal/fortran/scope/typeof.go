package scope

import (
	"strconv"

	"libportable/internal/fortran/tree"
)

// typed is the answer of TypeOf.
type typed struct {
	Type
	rank int
}

// unknown is the type of what is not known.
var unknown = typed{rank: -1}

// deepest is the depth of questions inside questions at which a source must be a joke.
const deepest = 2000

// TypeOf is the type and the rank of an expression. The rank is -1 if it is not known, and the type then too, or only its kind.
func (s *Scope) TypeOf(e tree.Expression) (Type, int) {
	t := s.typeOf(e)
	return t.Type, t.rank
}

func (s *Scope) typeOf(e tree.Expression) typed {
	if e == nil {
		return unknown
	}
	if t, ok := s.typed[e]; ok {
		return t
	}
	p := s.Program
	if !p.linked || p.depth > deepest {
		return unknown
	}
	if s.typed == nil {
		s.typed = map[tree.Expression]typed{}
	}
	s.typed[e] = unknown // a question that asks for itself
	p.depth++
	t := s.typeOfNode(e)
	p.depth--
	s.typed[e] = t
	return t
}

func (s *Scope) typeOfNode(e tree.Expression) typed {
	switch e := e.(type) {
	case *tree.Literal:
		return s.typeOfLiteral(e)
	case *tree.Name:
		return s.typeOfName(e.Name)
	case *tree.Parenthesis:
		return s.typeOf(e.X)
	case *tree.Unary:
		return s.typeOfUnary(e)
	case *tree.Binary:
		return s.typeOfBinary(e)
	case *tree.Complex:
		re, im := s.typeOf(e.Re), s.typeOf(e.Im)
		return typed{Type: s.complexOf(re.Type, im.Type)}
	case *tree.Constructor:
		return s.typeOfConstructor(e)
	case *tree.ImpliedDo:
		if len(e.Items) > 0 {
			return s.withIndex(e).typeOf(e.Items[0])
		}
	case *tree.Component:
		return s.typeOfComponent(e)
	case *tree.Coindexed:
		return s.typeOf(e.Base)
	case *tree.Reference:
		return s.typeOfReference(e)
	case *tree.Range:
		return typed{Type: s.integer(), rank: 1}
	}
	return unknown
}

func (s *Scope) integer() Type { return Type{Base: Integer, Kind: s.Program.Options.Integer} }
func (s *Scope) logical() Type { return Type{Base: Logical, Kind: s.Program.Options.Logical} }
func (s *Scope) real() Type    { return Type{Base: Real, Kind: s.Program.Options.Real} }
func (s *Scope) double() Type  { return Type{Base: Real, Kind: s.Program.Options.Double} }

// length is a character length as an expression.
func length(n int) tree.Expression {
	return &tree.Literal{Kind: tree.IntegerLiteral, Text: strconv.Itoa(n)}
}

func (s *Scope) typeOfLiteral(e *tree.Literal) typed {
	var t Type
	switch e.Kind {
	case tree.IntegerLiteral:
		t = s.integer()
	case tree.RealLiteral:
		t = s.real()
	case tree.DoubleLiteral:
		return typed{Type: s.double()}
	case tree.QuadLiteral:
		return typed{Type: Type{Base: Real, Kind: 16}}
	case tree.LogicalLiteral:
		t = s.logical()
	case tree.StringLiteral:
		t = Type{Base: Character, Kind: 1, Len: length(len(e.Text))}
	case tree.BOZLiteral:
		return typed{Type: Type{Base: BOZ}}
	}
	if e.Parameter != "" {
		t.Kind = s.kindParameter(e.Parameter)
	}
	return typed{Type: t}
}

// kindParameter is the kind behind the _ of a literal: digits or the name of a constant.
func (s *Scope) kindParameter(text string) int {
	if text[0] >= '0' && text[0] <= '9' {
		if kind, err := strconv.Atoi(text); err == nil && kind > 0 && kind <= 16 {
			return kind
		}
		return 0
	}
	y := s.Lookup(text)
	if v, ok := y.constant(); ok && v.Type.Base == Integer && v.Integer > 0 && v.Integer <= 16 {
		return int(v.Integer)
	}
	return 0
}

func (s *Scope) typeOfName(name string) typed {
	y := s.Lookup(name)
	switch y.Kind {
	case Variable, Constant, Alias, Procedure:
		return y.typed()
	case Intrinsic:
		return typed{Type: y.Type}
	}
	return unknown
}

// typed is the type and rank of a symbol as a whole.
func (y *Symbol) typed() typed {
	y.settle()
	if y.AssumedRank || y.Type.Base == NoType && y.Kind == Alias {
		return typed{Type: y.Type, rank: -1}
	}
	if y.Type.Base == NoType {
		return unknown
	}
	return typed{Type: y.Type, rank: len(y.Dims)}
}

func (s *Scope) typeOfUnary(e *tree.Unary) typed {
	if t, ok := s.intrinsicUnary(e.Operator, s.typeOf(e.X)); ok {
		return t
	}
	return s.definedOperator(e.Operator, []tree.Expression{e.X})
}

// intrinsicUnary is the result of an intrinsic operation; false if the operand is not for it.
func (s *Scope) intrinsicUnary(operator string, x typed) (typed, bool) {
	switch operator {
	case "+", "-":
		return x, numeric(x.Base) || x.Base == BOZ
	case ".not.":
		return x, x.Base == Logical
	}
	return unknown, false
}

func numeric(b Base) bool { return b == Integer || b == Real || b == ComplexType }

// joinRank is the rank of an operation: that of the array, if one is there.
func joinRank(x, y int) int {
	if x < 0 || y < 0 {
		return -1
	}
	return max(x, y)
}

func (s *Scope) typeOfBinary(e *tree.Binary) typed {
	x, y := s.typeOf(e.X), s.typeOf(e.Y)
	t, ok := s.intrinsicBinary(e.Operator, x, y)
	if ok && conform(x, y) {
		return t
	}
	if d := s.definedOperator(e.Operator, []tree.Expression{e.X, e.Y}); !ok || d.Base != NoType {
		return d
	}
	return t
}

// intrinsicBinary is the result of an intrinsic operation; false if the operands are not for it.
func (s *Scope) intrinsicBinary(operator string, x, y typed) (typed, bool) {
	rank := joinRank(x.rank, y.rank)
	switch operator {
	case "+", "-", "*", "/", "**":
		x, y := x.Type, y.Type
		if x.Base == BOZ && numeric(y.Base) {
			x = y
		} else if y.Base == BOZ && numeric(x.Base) {
			y = x
		}
		if !numeric(x.Base) || !numeric(y.Base) {
			return unknown, false
		}
		return typed{Type: promote(x, y), rank: rank}, true
	case "==", "/=", "<", "<=", ">", ">=":
		if numeric(x.Base) && numeric(y.Base) || x.Base == Character && y.Base == Character ||
			x.Base == BOZ && numeric(y.Base) || y.Base == BOZ && numeric(x.Base) {
			return typed{Type: s.logical(), rank: rank}, true
		}
	case ".and.", ".or.", ".eqv.", ".neqv.", ".xor.":
		if x.Base == Logical && y.Base == Logical {
			t := Type{Base: Logical, Kind: max(x.Kind, y.Kind)}
			if x.Kind == 0 || y.Kind == 0 {
				t.Kind = 0
			}
			return typed{Type: t, rank: rank}, true
		}
	case "//":
		if x.Base == Character && y.Base == Character {
			t := Type{Base: Character, Kind: x.Kind, Len: &tree.Star{}}
			if m, ok := s.constantLength(x.Type); ok {
				if n, ok := s.constantLength(y.Type); ok {
					t.Len = length(m + n)
				}
			}
			return typed{Type: t, rank: rank}, true
		}
	}
	return unknown, false
}

// constantLength is the length of a character type, if it is constant.
func (s *Scope) constantLength(t Type) (int, bool) {
	if t.Len == nil {
		return 1, true
	}
	switch t.Len.(type) {
	case *tree.Star, *tree.Range:
		return 0, false
	}
	v, ok := s.Constant(t.Len)
	if !ok || v.Type.Base != Integer || v.Shape != nil || v.Integer > 1<<30 {
		return 0, false
	}
	return int(max(v.Integer, 0)), true
}

// promote is the type of an operation on two numbers. The exponent of a power is not converted if it is an integer and
// the base is no array, but the type of the result is the same.
func promote(x, y Type) Type {
	t := Type{Base: max(x.Base, y.Base)}
	switch {
	case x.Base == Integer && y.Base != Integer:
		t.Kind = y.Kind
	case y.Base == Integer && x.Base != Integer:
		t.Kind = x.Kind
	case x.Kind != 0 && y.Kind != 0:
		t.Kind = max(x.Kind, y.Kind)
	}
	return t
}

// complexOf is the type of a complex constant with two parts.
func (s *Scope) complexOf(re, im Type) Type {
	if re.Base == NoType || im.Base == NoType {
		return Type{Base: ComplexType}
	}
	t := promote(re, im)
	if t.Base == Integer {
		t.Kind = s.Program.Options.Real
	}
	return Type{Base: ComplexType, Kind: t.Kind}
}

func (s *Scope) typeOfConstructor(e *tree.Constructor) typed {
	if e.Type != nil {
		return typed{Type: s.specType(e.Type, nil), rank: 1}
	}
	t := typed{rank: 1}
	for _, item := range e.Items {
		at, x := s, item
		for {
			do, ok := x.(*tree.ImpliedDo)
			if !ok || len(do.Items) == 0 {
				break
			}
			at, x = at.withIndex(do), do.Items[0]
		}
		it := at.typeOf(x)
		switch {
		case it.Base == NoType:
			return typed{rank: 1}
		case t.Base == NoType:
			t.Type = it.Type
		case numeric(t.Base) && numeric(it.Base):
			// gfortran takes items of several types as an extension; -std refuses them.
			t.Type = promote(t.Type, it.Type)
		}
	}
	return t
}

func (s *Scope) typeOfComponent(e *tree.Component) typed {
	base := s.typeOf(e.Base)
	switch {
	case base.Base == ComplexType && (e.Name == "re" || e.Name == "im"):
		return typed{Type: Type{Base: Real, Kind: base.Kind}, rank: base.rank}
	case e.Name == "kind" && base.Base != Derived && base.Base != Class && base.Base != NoType:
		return typed{Type: s.integer()}
	case e.Name == "len" && base.Base == Character:
		return typed{Type: s.integer()}
	}
	y := s.Component(e)
	if y == nil {
		return unknown
	}
	t := y.typed()
	switch {
	case y.Kind == Generic:
		return unknown
	case t.rank > 0 || base.rank == 0 || y.Kind == Procedure:
		return t
	}
	t.rank = base.rank
	return t
}
