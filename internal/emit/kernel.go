package emit

import (
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// Kernel is a nest as emitters see it.
type Kernel struct {
	Nest      *nest.Nest
	Program   *scope.Program
	Loops     []nest.Loop     // that the launch runs: the outermost ones of the verdict whose bounds do not depend on one another
	Last      []*scope.Symbol // private variables whose values of the last iteration are kept
	Inner     *tree.Do        // the innermost of Loops
	Body      []tree.Node     // one iteration
	Arguments []*Argument
	Locals    []*scope.Symbol          // private scalars and arrays, indices of constructs, in order of first use
	Names     map[string]*scope.Symbol // constants, procedures, types: names that the text takes from around the nest
	Direct    []*scope.Symbol          // variables of modules that the text uses by their own names
	Internal  []*tree.Unit             // internal procedures that it calls, also through one another
	Jumps     map[int32]bool           // labels that a GOTO names
	Called    map[*scope.Symbol]bool   // variables that called procedures get as arguments, or use by host association

	spelt   map[*scope.Symbol]string
	written map[*scope.Symbol]bool // variables that called procedures may set by their own names
}

// Argument is a datum from outside: a variable as a whole, or a component that gets a name of its own.
type Argument struct {
	Symbol *scope.Symbol
	Path   []string
	Object tree.Expression // designator in the user's scope; nil: the name of Symbol
	Spelt  string          // the name by which the text knows Symbol
	Write  bool
	Actual bool // an actual argument of a call in the text
	Type   scope.Type
	Dims   []scope.Dimension
	Rank   int
	Uses   []Use
	Number []int // indices into Nest.Arguments
	Module *Way  // of a variable of a module that a called procedure names, which devices get; else nil
}

// Use is one designator in the text.
type Use struct {
	Expression tree.Expression
	Prefix     tree.Expression // the part that stands for the argument
	Scope      *scope.Scope
	Statement  tree.Node
	Write      bool
	Read       bool
	Actual     bool // an actual argument of a call: what the procedure does with it is not seen here
}

// New describes the kernel of a nest. Reasons say why it cannot.
func New(p *scope.Program, n *nest.Nest) (*Kernel, []Reason) {
	loops, last := rectangle(n)
	inner := loops[len(loops)-1].Do
	k := &Kernel{Nest: n, Program: p, Loops: loops, Last: last, Inner: inner, Body: inner.Body, Names: map[string]*scope.Symbol{},
		Jumps: map[int32]bool{}, Called: map[*scope.Symbol]bool{}, spelt: map[*scope.Symbol]string{}}
	for _, l := range n.Loops {
		if l.Variable != nil {
			k.spelt[l.Variable] = variable(l)
		}
	}
	c := newCollector(k)
	for i, l := range n.Loops {
		if l.Do.Kind == tree.Concurrent && (i == 0 || n.Loops[i-1].Do != l.Do) && !maskSettled(p, l.Do, n.Scope) {
			c.refuse(l.Do.Where.From, "the mask of DO CONCURRENT has what the loop sets, and is evaluated before it", "copy the mask before the loop")
		}
	}
	c.run()
	if len(c.reasons) == 0 {
		c.settle()
	}
	return k, c.reasons
}

// IsLocal reports whether a symbol is a local variable of the kernel.
func (k *Kernel) IsLocal(y *scope.Symbol) bool {
	for _, l := range k.Locals {
		if l == y {
			return true
		}
	}
	return false
}

// NameOf is the name by which the text knows a variable: USE may have given it another one.
func (k *Kernel) NameOf(y *scope.Symbol) string {
	if name := k.spelt[y]; name != "" {
		return name
	}
	return y.Name
}

// Find is the whole argument of a symbol; nil if there is none.
func (k *Kernel) Find(y *scope.Symbol) *Argument {
	for _, a := range k.Arguments {
		if a.Symbol == y && len(a.Path) == 0 {
			return a
		}
	}
	return nil
}

// rectangle are the outer loops whose bounds do not depend on one another, at most eight. Loops inside of them stay loops of the body,
// and the values that they leave become last values.
func rectangle(n *nest.Nest) ([]nest.Loop, []*scope.Symbol) {
	count := len(n.Loops)
	outer := map[string]bool{}
	for i, l := range n.Loops {
		first := i == 0 || n.Loops[i-1].Do != l.Do
		if first && i > 0 && dependent(l.Do, outer) {
			count = i
			break
		}
		outer[variable(l)] = true
	}
	for count > mostLoops || count < len(n.Loops) && n.Loops[count-1].Do == n.Loops[count].Do {
		count--
	}
	last := append([]*scope.Symbol{}, n.Last...)
	for _, l := range n.Loops[count:] {
		if l.UsedAfter && l.Do.Kind == tree.Counted && l.Variable != nil {
			last = append(last, l.Variable)
		}
	}
	return n.Loops[:count], last
}

// most dimensions of a launch
const mostLoops = 8

func variable(l nest.Loop) string {
	if l.Do.Kind == tree.Concurrent {
		return l.Do.Indices[l.Index].Name
	}
	return l.Do.Variable
}

// dependent reports whether the bounds of a loop name one of these variables.
func dependent(d *tree.Do, names map[string]bool) bool {
	found := false
	Own(d, func(e tree.Expression) {
		if e == d.Condition {
			return
		}
		Inside(e, func(x tree.Expression) {
			if y, ok := x.(*tree.Name); ok && names[y.Name] {
				found = true
			}
		})
	})
	return found
}
