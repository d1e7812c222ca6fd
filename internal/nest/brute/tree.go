package brute

// Var is a variable of a nest. Symbols are integer dummies that the nest does not change; arrays of
// integers are never written, and have the contents that Fill says.
type Var struct {
	Name         string
	Rank         int
	Integer      bool
	Symbol       bool
	Local        bool // not visible after the subroutine
	Fixed        bool // the bounds are given; else they are the span that the nest touches
	Lower, Upper [maxRank]int
}

const maxRank = 3

// Term is Coef times a variable (A), a product of two (A, B), an element of an integer array (A at Arg), or Arg divided by C.
type Term struct {
	Coef int
	Kind TermKind
	A, B int
	Arg  *Expr
	C    int
}

// TermKind says which form a term has.
type TermKind byte

// The forms of terms.
const (
	OfVar TermKind = iota
	OfProduct
	OfElement
	OfQuotient
	OfModulo
)

// Expr is an integer expression: the sum of a constant and terms.
type Expr struct {
	Const int
	Terms []Term
}

// Dim is one subscript of a reference, or a section of it: Lo:Hi:Step.
type Dim struct {
	Lo      Expr
	Section bool
	Hi      Expr
	Step    int
}

// Ref is a reference to a scalar, an element, a section, or (an array without Dims) a whole array.
type Ref struct {
	Var  int
	Dims []Dim
}

// Stmt is one of the statements below.
type Stmt interface{ stmt() }

type (
	// Assign sets To to a sum of From. A section or a whole array is read completely before it is written.
	Assign struct {
		To    Ref
		From  []Ref
		Minus bool
	}
	// Update is To = To op (sum of From); Op is + * max min.
	Update struct {
		To   Ref
		Op   string
		From []Ref
		Swap bool // the operand stands first
	}
	// SetInt sets an integer scalar.
	SetInt struct {
		Var   int
		Value Expr
	}
	// If compares two integer expressions.
	If struct {
		Left, Right Expr
		Op          string // == < >
		Then, Else  []Stmt
	}
	// Place keeps the largest (max) or smallest (min) value of From in Best, and the value of an integer in At.
	Place struct {
		Op       string
		From     Ref
		Best, At int
		Value    Expr
	}
	// Loop is a counted DO. Index is its number in the order of the text.
	Loop struct {
		Var          int
		Lo, Hi, Step Expr
		Body         []Stmt
		Index        int
	}
	// Jump is CYCLE or EXIT of a loop that is open.
	Jump struct {
		Exit bool
		Of   *Loop
	}
)

func (*Assign) stmt() {}
func (*Update) stmt() {}
func (*SetInt) stmt() {}
func (*If) stmt()     {}
func (*Place) stmt()  {}
func (*Loop) stmt()   {}
func (*Jump) stmt()   {}

// Nest is a subroutine: Before (locals are defined), the loop, and After, in which locals may be read.
type Nest struct {
	Seed   uint64
	Name   string // of the subroutine
	Vars   []Var
	Before []Stmt
	Top    *Loop
	After  []Stmt
	Data   [][]int // for each run the value of each integer scalar that is no local
	Fills  []int   // for each run a number that changes the contents of integer arrays
	loops  []*Loop
	places map[int]bool // scalars that Place sets; true: the value, false: its place
}

// Fill is the content of an integer array at one subscript: small numbers that repeat.
func Fill(array, fill, at int) int {
	x := at*(2*array+3) + fill*7 + array
	x = x*x%11 + 11
	return x%7 - 1
}

// number gives loops their order, and finds the integer scalars that a Place sets.
func (n *Nest) number() {
	n.loops, n.places = nil, map[int]bool{}
	var walk func(body []Stmt)
	walk = func(body []Stmt) {
		for _, s := range body {
			switch s := s.(type) {
			case *Loop:
				s.Index = len(n.loops)
				n.loops = append(n.loops, s)
				walk(s.Body)
			case *If:
				walk(s.Then)
				walk(s.Else)
			case *Place:
				n.places[s.Best], n.places[s.At] = true, false
			}
		}
	}
	walk([]Stmt{n.Top})
}
