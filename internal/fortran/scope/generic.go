package scope

import "libportable/internal/fortran/tree"

// Specific is the procedure that a call of a generic means; nil if there is none, or if it is not sure.
func (s *Scope) Specific(g *Symbol, arguments []tree.Argument) *Symbol {
	return s.specific(g, arguments, nil)
}

// specific looks at the arguments; object is the one of a type-bound generic.
func (s *Scope) specific(g *Symbol, arguments, object []tree.Argument) *Symbol {
	if g.partial {
		return nil
	}
	var exact, elemental []*Symbol
	for _, y := range g.Specific {
		list := arguments
		if len(object) > 0 && !y.nopass {
			list = y.withObject(object[0], arguments)
		}
		switch s.fits(y, list) {
		case no:
		case yes:
			exact = append(exact, y)
		case elementwise:
			elemental = append(elemental, y)
		default: // a type is not known: another specific may be meant
			return nil
		}
	}
	// A specific of the very rank wins over an elemental one.
	switch {
	case len(exact) > 0:
		return overridden(exact)
	case len(elemental) > 0:
		return overridden(elemental)
	}
	return nil
}

// overridden is the only procedure of a list; of several that fit one which is no interface of the other.
func overridden(list []*Symbol) *Symbol {
	for _, y := range list[1:] {
		if y.Body != list[0].Body {
			return nil
		}
	}
	return list[0]
}

// withObject inserts the object of a type-bound call where the dummy of PASS stands.
func (y *Symbol) withObject(object tree.Argument, arguments []tree.Argument) []tree.Argument {
	if y.pass != "" && len(y.Dummies) > 0 && y.Dummies[0] != y.pass {
		object.Keyword = y.pass
		for i := range arguments {
			if i < len(y.Dummies) && y.Dummies[i] == y.pass {
				object.Keyword = ""
				list := append([]tree.Argument{}, arguments[:i]...)
				return append(append(list, object), arguments[i:]...)
			}
		}
		return append(append([]tree.Argument{}, arguments...), object)
	}
	return append([]tree.Argument{object}, arguments...)
}

// fit says whether arguments fit the dummies of a procedure.
type fit uint8

const (
	no fit = iota
	yes
	elementwise
	unsure
)

func (s *Scope) fits(y *Symbol, arguments []tree.Argument) fit {
	if y.Body == nil {
		return unsure
	}
	answer := yes
	given := map[string]bool{}
	for i := range arguments {
		a := &arguments[i]
		name := a.Keyword
		if name == "" {
			if i >= len(y.Dummies) {
				return no
			}
			name = y.Dummies[i]
		}
		if given[name] {
			return no
		}
		given[name] = true
		if name == "*" || a.Value == nil {
			if name != "*" || a.Value != nil {
				return no
			}
			continue
		}
		dummy := y.Body.symbols[name]
		if dummy == nil || !dummy.Dummy {
			return no
		}
		dummy.settle()
		switch s.fitsDummy(dummy, a.Value, y.elemental()) {
		case no:
			return no
		case unsure:
			answer = unsure
		case elementwise:
			if answer == yes {
				answer = elementwise
			}
		}
	}
	for _, name := range y.Dummies {
		if dummy := y.Body.symbols[name]; !given[name] && (dummy == nil || !dummy.Optional) {
			return no
		}
	}
	return answer
}

func (s *Scope) fitsDummy(dummy *Symbol, actual tree.Expression, elemental bool) fit {
	if dummy.Kind == Procedure {
		if name, ok := actual.(*tree.Name); ok {
			if y := s.Lookup(name.Name); y.Kind == Procedure || y.Kind == Intrinsic {
				return yes
			} else if y.Kind == Missing || y.Kind == Unknown || y.Kind == Generic {
				return unsure
			}
			return no
		}
		if t := s.typeOf(actual); t.Base == NoType {
			return unsure
		}
		return no
	}
	if name, ok := actual.(*tree.Name); ok {
		if y := s.Lookup(name.Name); y.Kind == Procedure && !y.Result {
			return no
		}
	}
	// Allocatable and pointer dummies tell specifics apart.
	if whole := s.whole(actual); whole != nil && (dummy.Allocatable && !whole.Allocatable || dummy.Pointer && whole.Allocatable) {
		return no
	}
	t := s.typeOf(actual)
	if t.Base == NoType || dummy.Type.Base == NoType {
		return unsure
	}
	if fit := sameType(dummy.Type, t.Type); fit != yes {
		return fit
	}
	rank := len(dummy.Dims)
	switch {
	case dummy.AssumedRank:
		return yes
	case t.rank < 0:
		return unsure
	case t.rank == rank:
		return yes
	case elemental && rank == 0:
		return elementwise
	}
	// Sequence association has no place in generic resolution: ranks must agree.
	return no
}

// sameType reports whether an actual argument of type t fits a dummy.
func sameType(dummy, t Type) fit {
	switch dummy.Base {
	case Derived, Class:
		if dummy.Base == Class && dummy.Def == nil {
			return yes
		}
		if t.Base != Derived && t.Base != Class {
			return no
		}
		if t.Def == nil || dummy.Def == nil {
			return no
		}
		if dummy.Def == t.Def || dummy.Base == Class && t.Def.extends(dummy.Def) {
			return yes
		}
		if dummy.Def.Missing != "" || t.Def.Missing != "" {
			return unsure
		}
		if dummy.Def.Name == t.Def.Name && (dummy.Def.Sequence || dummy.Def.BindC) && (t.Def.Sequence || t.Def.BindC) {
			return yes
		}
		return no
	}
	switch {
	case dummy.Base != t.Base:
		return no
	case dummy.Kind == 0 || t.Kind == 0:
		return unsure
	case dummy.Kind != t.Kind:
		return no
	}
	return yes
}

// definedOperator is the result of an operator that a user defines.
func (s *Scope) definedOperator(operator string, operands []tree.Expression) typed {
	if y := s.Operator(operator, operands); y != nil {
		t := typed{Type: y.Type, rank: len(y.Dims)}
		if y.Type.Base == NoType {
			return unknown
		}
		if y.elemental() {
			t.rank = 0
			for _, x := range operands {
				t.rank = joinRank(t.rank, s.typeOf(x).rank)
			}
		}
		return t
	}
	return unknown
}

// Operator is the function of a defined operation; nil if the operation is intrinsic, or not known.
func (s *Scope) Operator(operator string, operands []tree.Expression) *Symbol {
	return s.definedBy("operator("+operator+")", operands)
}

// Operation reports whether a user defines an operation, and its function: nil if that is not found.
func (s *Scope) Operation(operator string, operands []tree.Expression) (y *Symbol, defined bool) {
	x := s.typeOf(operands[0])
	both, fits := x, true
	if len(operands) == 1 {
		_, fits = s.intrinsicUnary(operator, x)
	} else {
		both = s.typeOf(operands[1])
		_, fits = s.intrinsicBinary(operator, x, both)
		fits = fits && conform(x, both)
	}
	if fits {
		return nil, false
	}
	if y = s.Operator(operator, operands); y != nil {
		return y, true
	}
	for _, t := range []typed{x, both} {
		if t.Base == Derived || t.Base == Class {
			return nil, true
		}
	}
	if x.Base == NoType || both.Base == NoType {
		return nil, !isIntrinsicOperator(operator)
	}
	number := func(t typed) bool { return t.Base == Logical || t.Base == Integer || t.Base == BOZ }
	if number(x) && number(both) { // some compilers take logical operators and relations of these
		return nil, !isIntrinsicOperator(operator) || operator == "+" || operator == "-" || operator == "*" || operator == "/" || operator == "**"
	}
	return nil, true
}

// conform reports whether the ranks of two operands are those of an intrinsic operation, or not known.
func conform(x, y typed) bool { return x.rank <= 0 || y.rank <= 0 || x.rank == y.rank }

func isIntrinsicOperator(operator string) bool {
	switch operator {
	case ".not.", ".and.", ".or.", ".eqv.", ".neqv.", ".xor.":
		return true
	}
	return operator[0] != '.'
}

// override is the binding that a type has in the place of one of a parent.
func (def *TypeDef) override(y *Symbol) *Symbol {
	if y.owner != nil && def != nil {
		if own := def.Binding(y.Name); own != nil && own.Kind == Procedure {
			return own
		}
	}
	return y
}

// Assignment is the subroutine of a defined assignment; nil if the assignment is intrinsic, or not known.
func (s *Scope) Assignment(left, right tree.Expression) *Symbol {
	return s.definedBy("assignment(=)", []tree.Expression{left, right})
}

func (s *Scope) definedBy(name string, operands []tree.Expression) *Symbol {
	var arguments []tree.Argument
	for _, x := range operands {
		arguments = append(arguments, tree.Argument{Value: x})
	}
	if g := s.find(name); g != nil && g.Kind == Generic {
		if y := s.Specific(g, arguments); y != nil {
			y.settle()
			return y
		}
	}
	for _, x := range operands {
		t := s.typeOf(x)
		if t.Def == nil {
			continue
		}
		if g := t.Def.Binding(name); g != nil {
			for _, y := range g.Specific {
				if f := s.fits(y, arguments); f == yes || f == elementwise {
					y = t.Def.override(y)
					y.settle()
					return y
				}
			}
		}
	}
	return nil
}
