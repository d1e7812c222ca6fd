package nest

import (
	"slices"
	"strconv"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/parts"
)

// This file lists the data that a kernel gets from outside.

type gatherer struct {
	c       *candidate
	n       *Nest
	loops   []*scope.Symbol
	known   map[string]int
	changes *effects
}

// arguments fills the nest's list of arguments from the kernel: the body of the innermost parallel loop.
func (c *candidate) arguments(n *Nest) {
	g := &gatherer{c: c, n: n, known: map[string]int{}, changes: c.w.changing}
	for _, l := range n.Loops {
		g.loops = append(g.loops, l.Variable)
	}
	if c.do.Kind == tree.Concurrent && c.do.Condition != nil {
		g.reads(c.scope, c.do.Condition)
	}
	g.block(c.scope, c.do.Body)
	g.pairs()
}

func (g *gatherer) block(s *scope.Scope, body []tree.Node) {
	for _, n := range body {
		if n != nil {
			g.statement(s, n)
		}
	}
}

func (g *gatherer) statement(s *scope.Scope, n tree.Node) {
	inside := s
	if x := g.c.f.program.Inside(n); x != nil {
		inside = x
	}
	switch n := n.(type) {
	case *tree.Assignment:
		g.reads(s, n.Right)
		g.use(s, n.Left, Write)
		return
	case *tree.Call:
		_, y := s.Meaning(&tree.Reference{Base: n.Procedure, Arguments: n.Arguments})
		g.named(s, n.Procedure, y, n.Arguments)
		return
	case *tree.Associate:
		for i := range n.Names {
			g.reads(s, n.Names[i].Selector)
		}
		g.block(inside, n.Body)
		return
	}
	for _, e := range parts.Expressions(n) {
		g.reads(inside, e)
	}
	for _, b := range parts.Blocks(n) {
		g.block(inside, b)
	}
}

// named adds the data of a call as it is written.
func (g *gatherer) named(s *scope.Scope, procedure tree.Expression, y *scope.Symbol, args []tree.Argument) {
	if c, ok := procedure.(*tree.Component); ok && y != nil {
		all, known := g.c.f.effects.withObject(s, c, y, args)
		switch {
		case !known:
			g.use(s, c.Base, ReadWrite)
		case len(all) == len(args): // NOPASS
			g.use(s, c.Base, Read)
		}
		args = all
	}
	g.call(s, y, args)
}

func (g *gatherer) call(s *scope.Scope, y *scope.Symbol, args []tree.Argument) {
	var m *summary
	var dummies []*scope.Symbol
	if y != nil && y.Body != nil {
		m = g.c.f.effects.of(y)
		dummies = m.dummies
	}
	for k, a := range matched(dummies, args) {
		if a == nil {
			continue
		}
		access := Read
		if m == nil && (y == nil || y.Kind != scope.Intrinsic) || m != nil && k < len(m.writing) && m.writing[k] {
			access = ReadWrite
			if m != nil && !m.reading[k] {
				access = Write
			}
		}
		if _, variable := g.c.f.effects.datumOf(s, a); variable {
			g.use(s, a, access)
			continue
		}
		g.reads(s, a)
	}
}

// reads adds all designators of an expression.
func (g *gatherer) reads(s *scope.Scope, e tree.Expression) {
	switch e := e.(type) {
	case nil:
		return
	case *tree.Name, *tree.Component:
		g.use(s, e, Read)
		return
	case *tree.Reference:
		meaning, y := s.Meaning(e)
		switch meaning {
		case scope.Element, scope.Section, scope.Substring:
			g.use(s, e, Read)
			return
		case scope.FunctionCall:
			g.named(s, e.Base, y, e.Arguments)
			return
		case scope.StatementCall:
			for i := range e.Arguments {
				g.reads(s, e.Arguments[i].Value)
			}
			g.statementFunction(y)
			return
		}
		for i := range e.Arguments {
			g.reads(s, e.Arguments[i].Value)
		}
		return
	case *tree.ImpliedDo:
		inside := s.Loop(e)
		for _, x := range parts.Direct(e) {
			g.reads(inside, x)
		}
		return
	}
	for _, x := range parts.Direct(e) {
		g.reads(s, x)
	}
}

// statementFunction adds the variables that a statement function uses besides its dummies.
func (g *gatherer) statementFunction(y *scope.Symbol) {
	head, ok := y.Function.Left.(*tree.Reference)
	if !ok || y.Scope == nil {
		return
	}
	dummies := map[string]bool{}
	for i := range head.Arguments {
		dummies[parts.Show(head.Arguments[i].Value)] = true
	}
	parts.Every(y.Function.Right, func(x tree.Expression) {
		if n, ok := x.(*tree.Name); ok && !dummies[n.Name] && y.Scope.Lookup(n.Name).Kind == scope.Variable {
			g.use(y.Scope, n, Read)
		}
	})

}

// use adds one designator, and the reads of its subscripts.
func (g *gatherer) use(s *scope.Scope, e tree.Expression, access Access) {
	g.subscripts(s, e)
	root := s.Symbol(e)
	if root == nil {
		return
	}
	if root.Kind == scope.Alias {
		g.alias(root, e, access)
		return
	}
	if root.Kind != scope.Variable || g.own(root) {
		return
	}
	for _, r := range g.n.Reductions {
		if r.Object != nil && parts.Show(r.Object) == parts.Show(e) {
			return
		}
	}
	g.add(s, root, e, access)
}

// alias adds the selector of a name of ASSOCIATE; inside of the kernel the construct itself has it.
func (g *gatherer) alias(y *scope.Symbol, e tree.Expression, access Access) {
	if y.Alias == nil || y.Scope == nil || y.Scope.Parent == nil {
		return
	}
	around := y.Scope.Parent
	if _, variable := g.c.f.effects.datumOf(around, y.Alias); !variable {
		if !g.c.declaredInside(y) {
			g.add(y.Scope, y, e, Read) // a value that was made outside
		}
		return
	}
	g.subscripts(around, y.Alias)
	root := around.Symbol(y.Alias)
	if root == nil || root.Kind != scope.Variable || g.own(root) {
		if root != nil && root.Kind == scope.Alias {
			g.alias(root, e, access)
		}
		return
	}
	a := &g.n.Arguments[g.add(around, root, y.Alias, access)]
	a.Uses[len(a.Uses)-1].Expression = e
}

// own reports whether a variable belongs to the kernel: private, an index, a reduction, declared inside.
func (g *gatherer) own(y *scope.Symbol) bool {
	if slices.Contains(g.loops, y) || g.c.declaredInside(y) || g.c.isIndex(y) || slices.Contains(g.n.Private, y) || slices.Contains(g.n.Last, y) {
		return true
	}
	for _, r := range g.n.Reductions {
		if r.Symbol == y && r.Object == nil || slices.Contains(r.Place, y) {
			return true
		}
	}
	return y.Scope != nil && y.Scope.Kind == scope.BlockScope && y.Scope.Construct == nil
}

func (g *gatherer) subscripts(s *scope.Scope, e tree.Expression) {
	switch e := e.(type) {
	case *tree.Reference:
		g.subscripts(s, e.Base)
		for i := range e.Arguments {
			g.reads(s, e.Arguments[i].Value)
		}
	case *tree.Component:
		g.subscripts(s, e.Base)
	case *tree.Coindexed:
		g.subscripts(s, e.Base)
	}
}

// add enters a use and returns the number of its argument.
func (g *gatherer) add(s *scope.Scope, root *scope.Symbol, e tree.Expression, access Access) int {
	a := Argument{Symbol: root, Type: root.Type, Dims: root.Dims, Access: access}
	key := g.c.w.key(datum{root: root})
	// Walk from the end of the designator to its root; object is the designator without the last subscripts.
	object := e
	for {
		if r, ok := object.(*tree.Reference); ok {
			object = r.Base
			continue
		}
		break
	}
	if c, ok := object.(*tree.Component); ok {
		last := s.Component(c)
		if last != nil && last.Kind == scope.Variable {
			a.Type, a.Dims = last.Type, last.Dims
		}
		for x := tree.Expression(c); ; {
			switch y := x.(type) {
			case *tree.Component:
				a.Path = append([]string{y.Name}, a.Path...)
				x = y.Base
				continue
			case *tree.Reference:
				if !g.fixed(s, y) {
					a.Strided = true
				}
				x = y.Base
				continue
			case *tree.Coindexed:
				x = y.Base
				continue
			}
			break
		}
		if a.Strided {
			for _, name := range a.Path {
				key += "%" + name
			}
		} else {
			a.Object = object
			key += parts.Show(object)
		}
	}
	at, known := g.known[key]
	if !known {
		at = len(g.n.Arguments)
		g.known[key] = at
		g.n.Arguments = append(g.n.Arguments, a)
	}
	have := &g.n.Arguments[at]
	if known && have.Access != access {
		have.Access = ReadWrite
	}
	have.Uses = append(have.Uses, Use{Expression: e, Access: access})
	return at
}

// fixed reports whether the subscripts of a reference are the same in the whole nest.
func (g *gatherer) fixed(s *scope.Scope, r *tree.Reference) bool {
	used := newEffects()
	for i := range r.Arguments {
		if _, isRange := r.Arguments[i].Value.(*tree.Range); isRange {
			return false
		}
		g.c.f.effects.reads(s, r.Arguments[i].Value, used)
	}
	for d := range used.reads {
		if g.changes.written(d) || slices.Contains(g.loops, d.root) || slices.Contains(g.n.Private, d.root) {
			return false
		}
	}
	return !used.unknown
}

// mostCompared bounds the pairs that a launch compares.
const mostCompared = 10000

// pairs lists arguments that may share memory: pointers and targets of one type, one of both written.
func (g *gatherer) pairs() {
	may := func(a Argument) (pointer bool) {
		pointer = a.Symbol.Pointer || a.Symbol.Target
		parts.Every(a.Uses[0].Expression, func(x tree.Expression) {
			if c, ok := x.(*tree.Component); ok {
				if y := g.c.scope.Component(c); y != nil && y.Pointer {
					pointer = true
				}
			}
		})

		return pointer
	}
	through := func(a Argument) (is bool) { // a component that is a pointer
		parts.Every(a.Uses[0].Expression, func(x tree.Expression) {
			if c, ok := x.(*tree.Component); ok {
				y := g.c.scope.Component(c)
				is = is || y == nil || y.Pointer
			}
		})
		return is || a.Strided
	}
	list := g.n.Arguments
	var some []int // arguments that may
	for i := range list {
		if may(list[i]) {
			some = append(some, i)
		}
	}
	for at, i := range some {
		for _, k := range some[at+1:] {
			a, b := &list[i], &list[k]
			if a.Access == Read && b.Access == Read {
				continue
			}
			if a.Symbol == b.Symbol && len(a.Path) > 0 && len(b.Path) > 0 && !through(*a) && !through(*b) {
				continue // two components of one structure
			}
			derived := a.Type.Base == scope.Derived || b.Type.Base == scope.Derived || a.Type.Base == scope.NoType || b.Type.Base == scope.NoType
			if derived || a.Type.Base == b.Type.Base && a.Type.Kind == b.Type.Kind {
				if len(g.n.Pairs) == mostCompared {
					g.n.Verdict = Refused
					g.n.Refusals = append(g.n.Refusals, Refusal{Rule: "not-read", At: g.n.Outer.Where.From, Loop: g.c.variable.Name,
						Text: "it has more than " + strconv.Itoa(mostCompared) + " pairs of pointers and targets that each launch would have to compare", Remedy: "split the loop"})
					return
				}
				g.n.Pairs = append(g.n.Pairs, Pair{i, k})
			}
		}
	}
}
