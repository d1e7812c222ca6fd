package tree

import (
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/token"
)

// Node is a statement of the executable part. A construct is one statement with its blocks inside.
type Node interface {
	Info() *Head
	node()
}

// Head is the part that all statements share.
type Head struct {
	Where  token.Span // the first statement of a construct; of a simple statement the whole, without its label
	Line   *source.Line
	Label  int32  // statement label
	Name   string // construct name
	Before []*Directive
}

// Info is the head of a statement.
func (h *Head) Info() *Head { return h }

// End is the last statement of a construct. A labelled DO may end with a statement that is in its body; then Where is that one.
type End struct {
	Where  token.Span
	Line   *source.Line
	Label  int32
	Before []*Directive // directives in front of the END statement
}

// Directive is a directive line, kept at the statement that follows it.
type Directive struct {
	Line *source.Line
}

// Assignment is LEFT = RIGHT.
type Assignment struct {
	Head
	Left, Right Expression
}

// PointerAssignment is LEFT => RIGHT.
type PointerAssignment struct {
	Head
	Left, Right Expression
}

// Call is CALL PROCEDURE(ARGUMENTS).
type Call struct {
	Head
	Procedure Expression // Name or Component
	Arguments []Argument
}

// If is a block IF, or an IF statement (OneLine) with one branch of one statement.
type If struct {
	Head
	OneLine  bool
	Branches []Branch // IF and ELSE IF
	Else     []Node
	HasElse  bool
	ElseAt   token.Span
	ElseLine *source.Line
	ElseDirs []*Directive // in front of ELSE
	End      End
}

// Branch is a condition with its block.
type Branch struct {
	Where     token.Span // IF (...) THEN, ELSE IF (...) THEN, ELSEWHERE (...)
	Line      *source.Line
	Before    []*Directive // in front of ELSE IF; those of the first branch are the construct's
	Condition Expression
	Body      []Node
}

// DoKind tells the forms of DO apart.
type DoKind uint8

// The kinds of DO.
const (
	Counted DoKind = iota
	While
	Forever
	Concurrent
)

// Do is a loop.
type Do struct {
	Head
	Kind              DoKind
	Variable          string // of Counted
	VariableAt        token.Span
	First, Last, Step Expression // of Counted; Step may be nil
	Condition         Expression // of While; the mask of Concurrent or nil
	Indices           []Index    // of Concurrent
	IndexType         *TypeSpec
	Locality          []Locality
	EndLabel          int32 // DO 10 ...; 0: END DO
	Body              []Node
	End               End // of several loops with one end label: the same statement
}

// Index is a loop index of DO CONCURRENT or FORALL.
type Index struct {
	Name              string
	Where             token.Span
	First, Last, Step Expression // Step may be nil
}

// Locality is LOCAL(...), LOCAL_INIT(...), SHARED(...), REDUCE(op: ...), DEFAULT(NONE).
type Locality struct {
	Kind     string   // local, local_init, shared, reduce, default
	Operator string   // of reduce: + * min max iand ior ieor .and. .or. .eqv. .neqv.
	Names    []string // of default: none
}

// Select is SELECT CASE, SELECT TYPE, SELECT RANK.
type Select struct {
	Head
	Kind     string // case, type, rank
	Alias    string // of type and rank: NAME => ; or ""
	Selector Expression
	Cases    []Case
	End      End
}

// Case is one block of a SELECT.
type Case struct {
	Where   token.Span // unknown: statements in front of the first CASE
	Line    *source.Line
	Before  []*Directive
	Default bool
	Values  []Expression // of case: values and Ranges; of rank: value or Star
	Type    *TypeSpec    // of TYPE IS and CLASS IS
	Class   bool         // CLASS IS
	Body    []Node
}

// Where is a WHERE construct or statement (OneLine).
type Where struct {
	Head
	OneLine  bool
	Branches []Branch // WHERE and ELSEWHERE with a mask
	Else     []Node
	HasElse  bool
	ElseAt   token.Span
	ElseLine *source.Line
	ElseDirs []*Directive
	End      End
}

// Forall is a FORALL construct or statement (OneLine).
type Forall struct {
	Head
	OneLine bool
	Indices []Index
	Mask    Expression
	Body    []Node
	End     End
}

// Associate is ASSOCIATE (NAME => SELECTOR, ...).
type Associate struct {
	Head
	Names []Association
	Body  []Node
	End   End
}

// Association is one name of ASSOCIATE.
type Association struct {
	Name     string
	Where    token.Span
	Selector Expression
}

// Block is BLOCK with its own declarations.
type Block struct {
	Head
	Declarations []Declaration
	Body         []Node
	End          End
}

// Critical is CRITICAL, CHANGE TEAM: a construct that is no work of a loop.
type Critical struct {
	Head
	Kind string // critical, change team
	Body []Node
	End  End
}

// Goto is GOTO LABEL, a computed GOTO (Selector), an arithmetic IF (Selector, three labels), an assigned GOTO.
type Goto struct {
	Head
	Kind     string // goto, computed, arithmetic, assigned
	Labels   []int32
	Selector Expression
}

// Jump is CYCLE, EXIT, RETURN, CONTINUE, STOP, ERROR STOP, PAUSE, END of a unit with a label.
type Jump struct {
	Head
	Kind   string     // cycle, exit, return, continue, stop, error stop, pause, end
	Target string     // construct name of CYCLE and EXIT, or ""
	Value  Expression // of STOP, RETURN, PAUSE
	Quiet  Expression // of STOP
}

// Transfer is an input or output statement, with the expressions of its lists.
type Transfer struct {
	Head
	Kind    string     // write, read, print, open, close, inquire, rewind, backspace, endfile, flush, wait
	Control []Argument // in the parentheses; of print: the format; of READ FORMAT, ...: the format alone, with the keyword fmt
	Items   []Expression
}

// Allocation is ALLOCATE, DEALLOCATE, NULLIFY.
type Allocation struct {
	Head
	Kind    string // allocate, deallocate, nullify
	Type    *TypeSpec
	Objects []Expression // a(n) is a Reference; a[*] Coindexed
	Options []Argument   // stat=, errmsg=, source=, mold=
}

// Labels is ASSIGN 10 TO i.
type Labels struct {
	Head
	Number   int32
	Variable string
}

// Passive is a statement that does nothing when it is executed: FORMAT, DATA, NAMELIST, ENTRY and other declarations in the
// executable part. All but FORMAT are in the unit's Declarations too, as what they are.
type Passive struct {
	Head
	Kind string
	Text []token.Token
}

// Image is SYNC ALL, EVENT POST, LOCK, FAIL IMAGE and their kin: statements between images.
type Image struct {
	Head
	Kind string
	Text []token.Token
}

// Unread is a statement that the parser does not understand.
type Unread struct {
	Head
	Reason string
	Text   []token.Token
}

func (*Assignment) node()        {}
func (*PointerAssignment) node() {}
func (*Call) node()              {}
func (*If) node()                {}
func (*Do) node()                {}
func (*Select) node()            {}
func (*Where) node()             {}
func (*Forall) node()            {}
func (*Associate) node()         {}
func (*Block) node()             {}
func (*Critical) node()          {}
func (*Goto) node()              {}
func (*Jump) node()              {}
func (*Transfer) node()          {}
func (*Allocation) node()        {}
func (*Labels) node()            {}
func (*Passive) node()           {}
func (*Image) node()             {}
func (*Unread) node()            {}
