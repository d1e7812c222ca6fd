package scope

import (
	"strconv"

	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// Kind is the kind of a scope.
type Kind uint8

// The kinds of scopes.
const (
	ModuleScope Kind = iota // module, submodule
	ProgramScope
	ProcedureScope
	InterfaceScope // the body of an interface
	BlockScope     // BLOCK, ASSOCIATE, SELECT TYPE, SELECT RANK, DO CONCURRENT, FORALL, implied DO
	TypeScope      // a derived type: components and parameters
)

// Scope is a scoping unit with its own names.
type Scope struct {
	Kind      Kind
	Name      string
	Unit      *tree.Unit // of the procedure, program or module that it is or is in
	Construct tree.Node  // of BlockScope
	Parent    *Scope     // host scope; a submodule's is its parent (sub)module
	Program   *Program
	symbols   map[string]*Symbol
	order     []string // of declaration

	def      *TypeDef        // of TypeScope
	headed   *Scope          // of MODULE PROCEDURE: the interface with its header
	uses     []*use          // USE statements
	letters  *letters        // IMPLICIT rules of its own, or nil
	access   map[string]bool // names with PUBLIC (true) or PRIVATE of their own
	private  bool            // PRIVATE without names
	saveAll  bool            // SAVE without names
	imports  *imports        // IMPORT statements, or nil
	compiler bool            // a module of the compiler
	absent   string          // a submodule's ancestor that no file has
	found    map[string]*Symbol
	mentions map[string]*mention // names of statements; of units
	typed    map[tree.Expression]typed
	folded   map[tree.Expression]*folded
	loops    map[*tree.ImpliedDo]*Scope
}

// SymbolKind is what a name stands for.
type SymbolKind uint8

// The kinds of symbols.
const (
	Unknown   SymbolKind = iota
	Variable             // also dummies, function results, components
	Constant             // PARAMETER, enumerator
	Procedure            // external, module, internal, dummy, type-bound, statement function, procedure pointer
	Generic
	DerivedType
	Intrinsic // intrinsic procedure
	Alias     // name of ASSOCIATE or SELECT TYPE
	ModuleName
	NamelistName
	Missing // comes from a module that no file has: Module names it
)

// Symbol is one meaning of a name. A name that comes by USE or from the host is the symbol of the scope that declares it.
type Symbol struct {
	Kind  SymbolKind
	Name  string     // where it is declared (a USE may rename it)
	Scope *Scope     // that declares it
	Where token.Span // name in its declaration; of an implicit one its first use
	Type  Type
	Dims  []Dimension // nil: scalar
	Decls []tree.Declaration

	Dummy, Result, Optional, Value, Pointer, Allocatable, Target, Contiguous, Volatile, Asynchronous, Saved, Protected,
	External, Implicit, Private, ThreadPrivate, AssumedRank, Coarray, Abstract bool
	Intent        string           // in, out, inout, ""
	Init          tree.Expression  // its initial value, or that of a constant
	Common        string           // "/name/", "//" for the blank block; "": none
	Shares        []*Symbol        // EQUIVALENCE: all others of its set, transitively
	Alias         tree.Expression  // selector, in the scope around the construct
	Body          *Scope           // of Procedure: its scope, nil if no file has it; of a procedure that only has an interface: that one
	OnlyInterface bool             // Body is an interface, no file has the procedure
	Function      *tree.Assignment // of a statement function
	Specific      []*Symbol        // of Generic
	Def           *TypeDef         // of DerivedType
	Module        string           // of Missing
	Theirs        string           // of Missing: its name in Module; "": Module may have it, or not
	Dummies       []string         // of Procedure with a Body: names of its dummies there; an ENTRY has its own
	ResultName    string           // of a function with a Body: the name of its result there; "": a subroutine

	spec       *tree.TypeSpec
	length     tree.Expression  // *LENGTH behind the name
	target     string           // name of the interface or of the procedure that a binding means
	raw        []tree.Dimension // as declared
	linking    bool
	state      state           // of Type
	value      *folded         // of Constant
	group      []string        // names of the specifics of a generic
	owner      *TypeDef        // of a binding
	joins      []*Symbol       // of a generic that several modules make
	subroutine bool            // an external procedure that CALL calls
	partial    bool            // some specifics are not known
	outer      bool            // an index or a local of DO CONCURRENT: typed as the name around
	class      bool            // of an alias: CLASS IS
	ranked     tree.Expression // of an alias: the case of SELECT RANK
	mentioned  *mention        // of a name of a construct
	typedIn    *Scope          // of a name from a header: scope of its expressions
	nopass     bool            // of a binding
	pass       string          // of a binding: dummy that gets the object
}

// state tells how far a lazy step is. A step that asks for itself is a cycle in the source.
type state uint8

const (
	fresh state = iota
	busy
	done
)

// Dimension is one dimension of an array. Bounds are expressions in the scope of the symbol.
type Dimension struct {
	Lower, Upper tree.Expression // nil: lower is 1 (unless Deferred), upper is not given
	Deferred     bool            // (:) of an allocatable or pointer
	Assumed      bool            // (:) or (lower:) of a dummy
	Star         bool            // assumed size, implied shape
}

// Base is a type without its kind.
type Base uint8

// The bases of types.
const (
	NoType Base = iota // not known
	Integer
	Real
	ComplexType
	Logical
	Character
	Derived
	Class // polymorphic; Def nil: class(*)
	BOZ   // a bare binary constant
)

// Type is a type with its kind.
type Type struct {
	Base Base
	Kind int             // bytes of one part (complex(8): 8); 0: not known
	Def  *TypeDef        // of Derived and Class
	Len  tree.Expression // of character; nil: 1; Star: assumed, or not known; an empty Range: deferred
}

// Text declares a variable of the type: real(8). It is empty for types whose text needs more than their kind.
func (t Type) Text() string {
	base := map[Base]string{Integer: "integer", Real: "real", ComplexType: "complex", Logical: "logical"}[t.Base]
	if base == "" || t.Kind == 0 {
		return ""
	}
	return base + "(" + strconv.Itoa(t.Kind) + ")"
}

// TypeDef is a derived type.
type TypeDef struct {
	Name            string
	Scope           *Scope // TypeScope; its symbols are the components in their order
	Parent          *TypeDef
	Bindings        map[string]*Symbol
	Components      []*Symbol
	Sequence, BindC bool
	Missing         string // a module that no file has: the components are not known
	Decl            *tree.DerivedType

	parent     string // name of the extended type
	parameters []*Symbol
	linked     bool
	base       *Symbol // the parent as a component
}

// Meaning is what a Reference is.
type Meaning uint8

// The meanings of BASE(ARGUMENTS).
const (
	NotKnown Meaning = iota
	Element          // all subscripts are scalars
	Section          // a range or a vector subscript
	Substring
	FunctionCall  // Symbol is the specific procedure
	IntrinsicCall // Symbol.Name is the intrinsic's
	StatementCall // statement function
	Structure     // structure constructor
	Inquiry       // type parameter inquiry
)

// Value is the value of a constant expression. Reals keep the bits of their kind.
type Value struct {
	Type    Type
	Integer int64
	Real    float64 // kind 4: exactly a float32 value
	Logical bool
	Text    string
	Imag    float64
	Shape   []int64 // of an array constant, which List holds; nil: scalar
	List    []Value // in array element order
	Fields  []Value // of a structure, components of its parents first
}

// Options are facts about the compiler's flags.
type Options struct {
	Integer, Real, Double, Logical int  // default kinds in bytes; 0: 4, 4, 8, 4 (Double: 16 if Real is 8, as -fdefault-real-8 alone has it)
	ImplicitNone                   bool // -fimplicit-none
	Recursive                      bool // -frecursive, -fopenmp
	Library                        Library
}

// Library knows the names of modules whose files are not read: what it does not offer comes from elsewhere.
type Library interface {
	Offers(module, name string) (offers, known bool) // known: it knows all names of the module
}
