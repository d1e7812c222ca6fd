package tree

import "libportable/internal/fortran/token"

// Expression is a node of an expression.
type Expression interface {
	Span() token.Span
	expression()
}

// At is the place of a node; all nodes embed it.
type At struct{ Where token.Span }

// Span is the place of the node in the source.
func (a At) Span() token.Span { return a.Where }

// LiteralKind is the type that a literal's form shows.
type LiteralKind uint8

// The kinds of literals.
const (
	IntegerLiteral LiteralKind = iota
	RealLiteral
	DoubleLiteral // exponent letter d
	QuadLiteral   // exponent letter q, an extension
	LogicalLiteral
	StringLiteral
	BOZLiteral
	HollerithLiteral // 3habc
)

// Literal is a constant as it is written, without its kind parameter.
type Literal struct {
	At
	Kind      LiteralKind
	Text      string // lower case; of a string its value
	Parameter string // kind parameter: digits or the name of a constant; "": none
}

// Name is a name alone: a variable, a constant, a procedure as an argument.
type Name struct {
	At
	Name string
}

// Reference is BASE(ARGUMENTS): element, section, substring, call, structure constructor, conversion.
type Reference struct {
	At
	Base      Expression // Name, Component, Reference (a substring of an element), Coindexed, Literal (a substring of a text)
	Arguments []Argument
}

// Argument is an actual argument, subscript, or section.
type Argument struct {
	Keyword string // NAME= in front, or ""
	Value   Expression
	Label   int32 // alternate return: *LABEL; Value is nil
}

// Component is BASE%NAME; also a type-bound procedure and a type parameter inquiry.
type Component struct {
	At
	Base Expression
	Name string
}

// Coindexed is BASE[...].
type Coindexed struct {
	At
	Base      Expression
	Arguments []Argument
}

// Range is LOWER:UPPER:STRIDE; each may be nil.
type Range struct {
	At
	Lower, Upper, Stride Expression
}

// Unary is OPERATOR X. Operators: + - .not. and defined ones such as .inv. (As an extension a sign may follow an operator: a*-b.)
type Unary struct {
	At
	Operator string
	X        Expression
}

// Binary is X OPERATOR Y. Relations are in their new form: == /= < <= > >=. The extension .xor. is .neqv. unless a user defines it.
type Binary struct {
	At
	Operator string
	X, Y     Expression
}

// Parenthesis is (X). It stays in the tree: Fortran keeps the order that it sets.
type Parenthesis struct {
	At
	X Expression
}

// Complex is the literal (RE, IM).
type Complex struct {
	At
	Re, Im Expression
}

// Constructor is [TYPE :: ITEMS] or (/ ITEMS /).
type Constructor struct {
	At
	Type  *TypeSpec // or nil
	Items []Expression
}

// ImpliedDo is (ITEMS, VARIABLE = FROM, TO, STEP); Step may be nil.
type ImpliedDo struct {
	At
	Items          []Expression
	Variable       string
	First, Last    Expression
	Step           Expression
	VariableAt     token.Span
	VariableIsType *TypeSpec // integer(k) :: i = ..., or nil
}

// Star is * alone: the extent of an assumed-size array, a format, a unit, a length.
type Star struct{ At }

func (*Literal) expression()     {}
func (*Name) expression()        {}
func (*Reference) expression()   {}
func (*Component) expression()   {}
func (*Coindexed) expression()   {}
func (*Range) expression()       {}
func (*Unary) expression()       {}
func (*Binary) expression()      {}
func (*Parenthesis) expression() {}
func (*Complex) expression()     {}
func (*Constructor) expression() {}
func (*ImpliedDo) expression()   {}
func (*Star) expression()        {}
