package tree

import (
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/token"
)

// Declaration is a statement of the specification part.
type Declaration interface {
	Info() *DeclarationHead
	declaration()
}

// DeclarationHead is the part that all declarations share.
type DeclarationHead struct {
	Where  token.Span
	Line   *source.Line
	Label  int32
	Before []*Directive
}

// Info is the head of a declaration.
func (h *DeclarationHead) Info() *DeclarationHead { return h }

// TypeSpec is the type as it is written.
type TypeSpec struct {
	At
	Base       string     // integer, real, double precision, complex, double complex, logical, character, byte, type, class, procedure
	Kind       Expression // or nil; of real*8 the literal 8 with Bytes
	Bytes      bool       // the form real*8: Kind is a size in bytes (complex*16: 16)
	Length     Expression // of character: an expression, Star, or Colon; nil: 1
	Colon      bool       // character(:)
	Name       string     // of type and class: the name, or "*"; of procedure: the interface or ""
	Returns    *TypeSpec  // of PROCEDURE(TYPE)
	Parameters []Argument // of a parameterised type; : is an empty Range, * a Star
}

// Dimension is one dimension of an array as it is declared.
type Dimension struct {
	Where        token.Span
	Lower, Upper Expression // nil: not written
	Colon        bool       // : or LOWER:
	Star         bool       // * or LOWER:*
	Rank         bool       // .. (assumed rank)
}

// Attribute is an attribute of a type declaration or of a statement of its own.
type Attribute struct {
	Where      token.Span
	Name       string      // allocatable, pointer, target, save, parameter, intent, dimension, ...
	Inside     []string    // intent: in, out or inout; bind: c; extends: the parent; pass: the dummy; others: names as written
	Dimensions []Dimension // of dimension and codimension
	Bind       *Bind
}

// Variables declares names: REAL, DIMENSION(3) :: a, b(2) = 0.
type Variables struct {
	DeclarationHead
	Type       *TypeSpec
	Attributes []Attribute
	Entities   []Entity
}

// Entity is one name of a declaration.
type Entity struct {
	Where        token.Span
	NameAt       token.Span
	Name         string
	Dimensions   []Dimension
	Codimensions []Dimension
	Length       Expression // character*5, or nil
	Value        Expression // = VALUE; or => TARGET (Pointer)
	Pointer      bool
	Data         []Expression // of the old form: a /1, 2/
}

// Attributes gives names an attribute: SAVE a, /block/; DIMENSION a(3); INTENT(IN) a; PARAMETER (a = 1); THREADPRIVATE is a directive.
// The attribute "cray pointer" has pairs of entities: a pointer, its target.
type Attributes struct {
	DeclarationHead
	Attribute Attribute
	Entities  []Entity // of save: a COMMON block has the name "/block/"; empty: all
}

// Use is USE MODULE.
type Use struct {
	DeclarationHead
	Module  string
	Nature  string // intrinsic, non_intrinsic or ""
	Only    bool
	Renames []Rename
}

// Rename is LOCAL => NAME of USE, or a NAME of ONLY (Local equals Name).
type Rename struct{ Local, Name string } // operators: "operator(+)", "assignment(=)"

// Implicit is IMPLICIT NONE or IMPLICIT TYPE (LETTERS). IMPLICIT NONE (EXTERNAL), which lets types be implicit, has neither None nor Rules.
type Implicit struct {
	DeclarationHead
	None  bool
	Rules []ImplicitRule
}

// ImplicitRule is one type with its letters, as pairs of first and last letter.
type ImplicitRule struct {
	Type    *TypeSpec
	Letters [][2]byte
}

// Common is COMMON /NAME/ a, b(3).
type Common struct {
	DeclarationHead
	Blocks []CommonBlock
}

// CommonBlock is one block; the blank one has the name "".
type CommonBlock struct {
	Name     string
	Entities []Entity
}

// Equivalence is EQUIVALENCE (a, b(3)), ...
type Equivalence struct {
	DeclarationHead
	Sets [][]Expression
}

// Data is DATA OBJECTS /VALUES/.
type Data struct {
	DeclarationHead
	Sets []DataSet
}

// DataSet is one list of objects with its values. A repeated value is Binary{"*"}.
type DataSet struct{ Objects, Values []Expression }

// Namelist is NAMELIST /NAME/ a, b.
type Namelist struct {
	DeclarationHead
	Groups map[string][]string
}

// Interface is an interface block.
type Interface struct {
	DeclarationHead
	Generic    string // name, "operator(+)", "assignment(=)", "read(formatted)", or ""
	Abstract   bool
	Bodies     []*Unit
	Procedures []string // MODULE PROCEDURE and PROCEDURE statements
	Unread     []*UnreadDeclaration
	End        End
}

// DerivedType is TYPE ... END TYPE.
type DerivedType struct {
	DeclarationHead
	Name       string
	NameAt     token.Span
	Attributes []Attribute // public, abstract, bind(c), extends: Inside has the parent
	Parameters []string
	Sequence   bool
	Components []*Variables
	Bindings   []Binding
	Unread     []*UnreadDeclaration // statements in it that the parser does not understand
	End        End
}

// Binding is a type-bound procedure.
type Binding struct {
	Where      token.Span
	Kind       string // procedure, generic, final
	Name       string // of generic also "operator(+)", "assignment(=)", ...
	Interface  string // deferred
	Procedures []string
	Attributes []Attribute // pass, nopass, deferred, ...
}

// Enum is ENUM, BIND(C) with its enumerators.
type Enum struct {
	DeclarationHead
	Entities []Entity
	Unread   []*UnreadDeclaration
	End      End
}

// Generic is the statement GENERIC :: NAME => PROCEDURES.
type Generic struct {
	DeclarationHead
	Name       string
	Procedures []string
	Access     string // public, private or ""
}

// Import is IMPORT.
type Import struct {
	DeclarationHead
	Names []string
	Kind  string // "", only, none, all
}

// StatementFunction is f(x) = EXPRESSION. The parser writes an Assignment at the end of the specification part as this only
// if its left side has names only; package scope decides by the declarations, and may find that it is an assignment.
type StatementFunction struct {
	DeclarationHead
	Assignment *Assignment
}

// Ignored is a declaration that says nothing about data: FORMAT, PRIVATE, PUBLIC, ENTRY (Kind tells). Names of ENTRY: the entry, its
// dummies; Result is the name of RESULT.
type Ignored struct {
	DeclarationHead
	Kind   string
	Names  []string
	Result string
}

// UnreadDeclaration is one that the parser does not understand.
type UnreadDeclaration struct {
	DeclarationHead
	Reason string
	Text   []token.Token
}

func (*Variables) declaration()         {}
func (*Attributes) declaration()        {}
func (*Use) declaration()               {}
func (*Implicit) declaration()          {}
func (*Common) declaration()            {}
func (*Equivalence) declaration()       {}
func (*Data) declaration()              {}
func (*Namelist) declaration()          {}
func (*Interface) declaration()         {}
func (*DerivedType) declaration()       {}
func (*Enum) declaration()              {}
func (*Generic) declaration()           {}
func (*Import) declaration()            {}
func (*StatementFunction) declaration() {}
func (*Ignored) declaration()           {}
func (*UnreadDeclaration) declaration() {}
