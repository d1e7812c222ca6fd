package device

import (
	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/nest"
)

// Type is a number or a logical; kinds are bytes, of a complex number those of a part.
type Type struct {
	Base scope.Base
	Kind int
}

// Kernel is a nest as emitters of device languages see it.
type Kernel struct {
	Label      string // of the launch
	File       string // of the user
	Line       int32  // of the nest in it
	Loops      []Loop // outermost first; the launch has them from the innermost on
	Arguments  []*Argument
	Locals     []*Variable // one for each iteration
	Results    []*Result   // of a reduction
	LastArrays []*LastArray
	InOrder    bool        // of a reduction: an iteration goes on with the results of those before it; else it gives its part
	Number     *Variable   // of the iteration, in the serial order from 0; nil: the body has no use for it
	Functions  []*Function // each behind those that it calls
	Body       []Statement
}

// Function is a called procedure. It gets the argument block, too.
type Function struct {
	Name       string
	Line       int32
	Parameters []*Variable
	Result     *Variable // among Locals; nil: a subroutine
	Locals     []*Variable
	Body       []Statement
	Numbered   bool        // it gets the number of the iteration behind the argument block
	Captured   []*Variable // parameters behind the others: variables of the procedure that contains it; arrays, too, are references

	demands  []demand
	captures []capture
}

// Loop is a parallel loop. First and Step are arguments if the launch runs over the numbers of the iterations, else nil.
type Loop struct {
	Variable    *Variable
	First, Step *Argument
	End         *Argument // the launch's upper bound, in a kernel with last values or numbers; else nil
	Low         *Argument // the launch's lower bound, in a kernel with numbers; else nil
}

// Argument is a member of the argument block, in the order of the block: the value of a scalar, a view of an array.
type Argument struct {
	Of        *emit.Argument // nil: a bound of a loop, or of a search for places
	Loop      int            // of a bound: which loop
	Part      string         // of an array of a derived type: the component that this is, as Fortran writes it: %x(3)
	Component *scope.Symbol  // of a variable of a derived type: the component that Part names; else nil
	Name      string
	Type      Type
	Rank      int      // 0: a value
	Views     int      // of the component of each element of an array, or of each element of a component: so many arrays of the block; else 0
	Elements  []string // of each element of a component: Part for each view
	Write     bool
	InPlace   bool // its extent is not known: the device has to access the memory where it is

	Found *nest.Reduction // the extreme value whose place the second launch finds; see place.go
	Phase bool            // 0 in the first launch, 1 in the second one

	Packed   bool // of an array: the elements of the first dimension lie side by side
	Sequence bool // of an array: a procedure gets its elements as they follow each other in memory

	LastOf *scope.Symbol // the user's array that gets the last values of a private one; else nil

	Text *Text // what the host computes from texts in front of the launch: Of is nil; else nil

	Memory bool          // the memory of a Slice: Of is nil, the number of iterations is the first extent
	Sizes  []*Expression // of it: what the host computes; the largest is the second extent
	Local  *scope.Symbol // a bound of this private array, when the launch begins, in the dimension Dim; else nil
	Dim    int
	Upper  bool
}

// Variable is a private variable; an array has constant bounds.
type Variable struct {
	Name  string
	Type  Type
	Lower []int64
	Upper []int64

	Result    int  // of a reduction: its number from 1; else 0
	Reference bool // of a parameter: the procedure may set the actual argument
	View      int  // of a parameter that is an array: its dimensions; else 0
	Constant  bool // of such an array: the procedure does not set it

	Values []scope.Value // of a named constant that is an array, in array element order
}

// Operation is what an expression does with its operands. Operands have the type of the result unless the comment says another thing.
type Operation string

// The operations. All others are named as Fortran's intrinsic functions and mean the same: sqrt, mod, ishft, merge.
const (
	Constant Operation = "constant"
	Value    Operation = "value"   // of an argument that is a scalar
	Private  Operation = "private" // a variable
	Element  Operation = "element" // of an argument, or of a private array; operands are 64-bit indices
	Call     Operation = "call"    // of Function; a parameter that is a Reference gets a place
	Convert  Operation = "convert" // of one operand to the type
	Lowest   Operation = "lbound"  // of an argument, or of a Variable that is a View, in the dimension Dim
	Highest  Operation = "ubound"
	Extent   Operation = "extent"
	Negate   Operation = "negate"
	Add      Operation = "+"
	Subtract Operation = "-"
	Multiply Operation = "*"
	Divide   Operation = "/"
	Power    Operation = "**"   // of two integers, or of two reals
	PowerOf  Operation = "powi" // a real to an integer
	Not      Operation = ".not."
	And      Operation = ".and."
	Or       Operation = ".or."
	Equal    Operation = "==" // operands have one type: of numbers, or logicals (.eqv.)
	Unequal  Operation = "/="
	Less     Operation = "<"
	AtMost   Operation = "<="
	Greater  Operation = ">"
	AtLeast  Operation = ">="
)

// Expression is a value with its type, or a place to assign to (Private, Element).
type Expression struct {
	Do       Operation
	Type     Type
	Operands []*Expression
	Variable *Variable
	Argument *Argument
	Function *Function
	Which    *Expression // of an Argument with Views: which of them, from 0; else nil
	Dim      int         // from 1
	Dims     []int       // of a Vector
	Constant scope.Value // of Type
}

// Statement is one of the types below.
type Statement interface{ statement() }

// Assign is TO = VALUE, of one type.
type Assign struct {
	Line      int32
	To, Value *Expression
}

// Atomic is TO = TO + VALUE, or the minimum or maximum, which other iterations do too.
type Atomic struct {
	Line      int32
	Do        Operation // +, min, max
	To, Value *Expression
}

// Do is a call without a value.
type Do struct{ Call *Expression }

// Return leaves a procedure; Value is the result of a function.
type Return struct{ Value *Variable }

// Shape gives a dimension of a parameter that is an array its bounds. Upper nil: it has the extent and the stride of the actual argument; else a
// dimension behind the first has the stride that follows from those in front of it.
type Shape struct {
	Variable     *Variable
	Dim          int // from 1
	Lower, Upper *Expression
}

// Mark is a place that a Goto names; no jump leads into a construct.
type Mark struct{ Label int32 }

// Goto goes on at a mark of the same procedure.
type Goto struct{ Label int32 }

// If has branches with conditions, and what is done if none holds.
type If struct {
	Conditions []*Expression
	Bodies     [][]Statement
	Else       []Statement
}

// Loop kinds have their body, and Target for jumps. A counted loop evaluates its bounds once; its variable is left as Fortran leaves it.
type (
	// Counted is DO VARIABLE = FIRST, LAST, STEP; all have the type of the variable.
	Counted struct {
		Target
		Variable          *Variable
		First, Last, Step *Expression
		Body              []Statement
		Inside            bool // the step is 1, and the variable's type has a value behind the last one
	}
	// While repeats the body as long as the condition holds.
	While struct {
		Target
		Condition *Expression // nil: forever
		Body      []Statement
	}
	// Block is a construct that EXIT can name.
	Block struct {
		Target
		Body []Statement
	}
)

// Target is a construct that jumps name.
type Target struct{ Frame *Frame }

// Frame is the identity of a construct. An emitter puts a label where jumps from inner constructs need one.
type Frame struct {
	Number  int
	IsLoop  bool
	Next    bool // some CYCLE from an inner loop
	Leave   bool // some EXIT that is no break
	Iterate bool // the kernel's own iteration
}

// Jump ends an iteration of a loop (Next) or a construct.
type Jump struct {
	To     *Frame
	Next   bool
	Nearby bool // the loop is the innermost one around the jump
}

func (*Assign) statement()  {}
func (*If) statement()      {}
func (*Mark) statement()    {}
func (*Goto) statement()    {}
func (*Shape) statement()   {}
func (*Atomic) statement()  {}
func (*Do) statement()      {}
func (*Return) statement()  {}
func (*Counted) statement() {}
func (*While) statement()   {}
func (*Block) statement()   {}
func (*Jump) statement()    {}
