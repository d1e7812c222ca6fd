package nest

import (
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/directive"
	"libportable/internal/nest/fission"
)

// Verdict is the decision about a nest.
type Verdict uint8

// The verdicts.
const (
	Refused  Verdict = iota // Refusals say why
	Parallel                // proved, or asserted by independent
	Serial                  // no directive asked for it, or one forbids it: off, inside of another parallel nest, not in --auto and without a directive
)

// Nest is a loop nest with its verdict. If a loop around is not proved but loops inside of it are, each of these is a Nest of its own.
type Nest struct {
	File       *tree.File
	Scope      *scope.Scope // innermost scope around the first of Loops; of a refused nest: around Outer
	Unit       *tree.Unit
	Outer      *tree.Do    // outermost loop of the nest as written
	Around     []*tree.Do  // loops from Outer on that stay serial around Loops[0], outermost first
	Path       []tree.Node // constructs around the first of Loops (of a refused nest: around Outer), outermost first
	Directive  *Directive  // or nil
	Region     *Region     // whose directives are removed with the nests in it; or nil
	Verdict    Verdict
	Asserted   bool   // independent, or do concurrent: not everything is proved
	Loops      []Loop // loops that run in parallel, outermost first; the body of the last is the kernel
	Label      string // "procedure:line", or label('...')
	Private    []*scope.Symbol
	Last       []*scope.Symbol // private, and their value of the last iteration is kept
	Reductions []Reduction
	Sums       []ArraySum
	Arguments  []Argument // all data that the kernel gets from outside
	Calls      []CallSite
	Callees    []*scope.Symbol // procedures that the kernel calls, directly and through others
	Inside     []*Nest         // proved nests of loops directly inside that have a version for devices, where this one has none
	Whole      *Refusal        // why it does not leave devices to the nests inside that ask for them; or nil
	Refusals   []Refusal       // of the nest as asked; also for a Parallel nest: why outer loops stayed serial. The most helpful is the first
	Pairs      []Pair          // arrays that must be compared at launch: they may overlap
	Proofs     []Proof         // for explain: why pairs of references are no conflict
	Parts      []string        // of a refused nest: the loops into which its outer loop can be split, by lines, in their order; or nil
	Cut        []fission.Part  // the same by statements of the outer loop's body
	Wide       []*scope.Symbol // scalars that the parts need as arrays with an element for each iteration

	levels, around []*Nest // Leaves, Within
	own            bool    // it has a directive of its own, and stands in a loop that was looked at before
}

// Proof is the reason why two references of one array are no conflict between iterations of Loop.
type Proof struct {
	Loop      string
	Array     string
	A, B      token.Pos
	Dimension int    // from 1; 0: the whole pair
	Way       string // equal index, divisibility, different constants, disjoint ranges, dimensions together, one iteration, asserted, private
}

// Loop is a parallel loop.
type Loop struct {
	Do        *tree.Do
	Variable  *scope.Symbol
	Index     int  // of DO CONCURRENT: which index; 0 otherwise
	UsedAfter bool // the variable's value behind the loop is read, or cannot be seen not to be
}

// Access is how a kernel uses data.
type Access uint8

// The accesses, as in portable_arg.
const (
	Read Access = iota
	Write
	ReadWrite
)

// Argument is one datum from outside of the kernel: a whole variable, or a component path from it.
type Argument struct {
	Symbol  *scope.Symbol
	Path    []string        // components from Symbol on: t%a%b is ["a", "b"]
	Object  tree.Expression // designator of the whole datum in its first use: t%a, block(b)%u with an index that the nest does not change; nil: Symbol
	Access  Access
	Uses    []Use
	Type    scope.Type
	Dims    []scope.Dimension // of the last step
	Strided bool              // elements of components of an array of types: t(i)%x
}

// Use is one reference to an argument.
type Use struct {
	Expression tree.Expression // the designator
	Access     Access
}

// Operator of a reduction: + * min max .and. .or. .eqv. .neqv. iand ior ieor, and LastSet.
type Operator = directive.Operator

// LastSet is the operator of a scalar that only some iterations set: the last one that does so decides.
const LastSet Operator = "last"

// Reduction is a scalar that all iterations combine.
type Reduction struct {
	Symbol     *scope.Symbol
	Object     tree.Expression // designator of a component of Symbol that is reduced, t%s; nil: Symbol itself
	Operator   Operator
	Statements []tree.Node
	Place      []*scope.Symbol // of a minimum or maximum with its place by an IF: the scalars set with it
	Strict     bool            // < or >: the first place wins; <= or >=: the last
}

// ArraySum is a sum into elements that several iterations share: a(k) = a(k) + x.
type ArraySum struct {
	Argument   int // index into Arguments
	Operator   Operator
	Statements []tree.Node
}

// CallSite is a call inside the kernel.
type CallSite struct {
	Expression tree.Expression // or nil for a CALL statement
	Statement  tree.Node
	Procedure  *scope.Symbol
	Trusted    bool // no file has it, but it is PURE with an interface, or the directive says independent
}

// Pair is two arguments, one of them written, that may share memory.
type Pair struct{ A, B int }

// Rule names a reason of refusal, for JSON and SARIF.
type Rule string

// Refusal is one reason why a loop does not run in parallel.
type Refusal struct {
	Rule   Rule
	At     token.Pos   // where the message points to
	Also   []token.Pos // the other references that it names
	Loop   string      // variable of the loop
	Text   string      // behind "cannot run this loop in parallel: "
	Remedy string
}

// Directive is the directive of a nest with its clauses.
type Directive = directive.Directive

// Options of a run.
type Options struct {
	Auto   bool            // take every nest that is proved
	Accept map[string]bool // omp, acc, do-concurrent
	// Devices reports whether a parallel nest has a version for devices that is better than those of loops inside; nil: no device is asked for.
	Devices func(*Nest) bool
	// Version reports the same of one whose private arrays need memory there, too, and Converted whether a file is converted, not only read. Without
	// them no nest leaves devices to others.
	Version   func(*Nest) bool
	Converted func(*tree.File) bool
	// Own reports whether each column has a variable of its own (package columns): that it is independent can then not be asserted, but must be proved.
	Own func(*scope.Symbol) bool
}
