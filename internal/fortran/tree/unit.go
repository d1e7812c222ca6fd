package tree

import (
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/token"
)

// File is a source file with its program units in their order.
type File struct {
	Source   *source.File
	Units    []*Unit
	Lines    []*source.Line // all statements and directives, in their order
	Behind   []*Directive   // behind the last unit
	Problems []source.Problem
	Includes []string // names of the files that it read by INCLUDE and #include, for depfiles
}

// UnitKind is the kind of a program unit or procedure.
type UnitKind uint8

// The kinds of units.
const (
	Program UnitKind = iota
	Module
	Submodule
	BlockData
	Subroutine
	Function
	ModuleProcedure // MODULE PROCEDURE NAME in a submodule: its header stands in the parent
)

// Unit is a program unit, an internal or module procedure, or the body of an interface.
type Unit struct {
	Kind         UnitKind
	Name         string // of a main program without PROGRAM: ""
	NameAt       token.Span
	Parent       *Unit    // around it, or nil
	Ancestor     []string // of a submodule: (module, parent submodule)
	Prefix       []string // recursive, non_recursive, pure, impure, elemental, module, attributes(...)
	Type         *TypeSpec
	Dummies      []string // "*" is an alternate return
	Result       string   // of a function; its name if RESULT is absent
	Bind         *Bind
	Head         token.Span // SUBROUTINE, MODULE, ... statement; of a program without one: unknown
	HeadLine     *source.Line
	Before       []*Directive // in front of the first statement
	Declarations []Declaration
	Body         []Node
	ContainsAt   token.Span // the CONTAINS statement, if there is one
	ContainsLine *source.Line
	ContainsDirs []*Directive // in front of CONTAINS
	Contains     []*Unit
	EndAt        token.Span
	EndLine      *source.Line
	EndLabel     int32        // also a Jump at the end of Body
	EndBefore    []*Directive // directives behind the last statement
	Interface    bool         // the body of an interface
	File         *File
}

// Tail are the directives behind the last statement of the body.
func (u *Unit) Tail() []*Directive {
	if u.ContainsLine != nil {
		return u.ContainsDirs
	}
	return u.EndBefore
}

// Bind is BIND(C, NAME=...).
type Bind struct {
	Name Expression // or nil
}
