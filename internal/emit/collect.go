package emit

import (
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// collector reads the text of a kernel and notes each name that it takes from around.
type collector struct {
	k       *Kernel
	reasons []Reason
	own     map[*scope.Scope]bool // scopes of constructs and procedures that are parts of the text
	bases   []*base               // variables in order of first use
	known   map[*scope.Symbol]*base
	node    tree.Node
	inside  map[*tree.Unit]bool

	statuses []status
}

// base is a variable with all its designators.
type base struct {
	symbol *scope.Symbol
	name   string
	uses   []use
	actual bool
}

type use struct {
	Use
	chain []step
}

// step is one component of a designator.
type step struct {
	name string
	node tree.Expression // the designator up to this component
}

func newCollector(k *Kernel) *collector {
	return &collector{k: k, own: map[*scope.Scope]bool{}, known: map[*scope.Symbol]*base{}, inside: map[*tree.Unit]bool{}}
}

func (c *collector) refuse(at token.Pos, text, remedy string) {
	c.reasons = append(c.reasons, Reason{Rule: NotConverted, At: at, Text: text, Remedy: remedy})
}

func (c *collector) run() {
	n := c.k.Nest
	sc := n.Scope
	for _, l := range c.k.Loops {
		if inside := c.k.Program.Inside(l.Do); inside != nil {
			c.own[inside] = true
			sc = inside
		}
		if l.Do.Kind == tree.Concurrent {
			c.node = l.Do
			c.expression(sc, l.Do.Condition, false)
		}
	}
	c.body(sc, c.k.Body)
}

func (c *collector) body(sc *scope.Scope, list []tree.Node) {
	for _, n := range list {
		c.statement(sc, n)
	}
}

// statement notes the names of a statement, and of those in it.
func (c *collector) statement(sc *scope.Scope, n tree.Node) {
	c.node = n
	inner := sc
	if s := c.k.Program.Inside(n); s != nil {
		c.own[s] = true
		inner = s
	}
	switch n := n.(type) {
	case *tree.Assignment:
		if y := sc.Assignment(n.Left, n.Right); y != nil {
			c.other(sc, "assignment(=)", n.Where.From)
			c.internal(y)
		}
		c.expression(sc, n.Left, true)
		c.expression(sc, n.Right, false)
	case *tree.PointerAssignment:
		c.expression(sc, n.Left, true)
		c.expression(sc, n.Right, false)
	case *tree.Call:
		c.call(sc, n.Procedure, n.Arguments, nil)
	case *tree.Do:
		if n.Kind == tree.Counted {
			c.variable(sc, n.Variable, &tree.Name{At: tree.At{Where: n.VariableAt}, Name: n.Variable}, true)
		}
		c.indices(sc, n.Indices)
		Own(n, func(e tree.Expression) { c.expression(inner, e, false) })
	case *tree.Forall:
		c.indices(sc, n.Indices)
		Own(n, func(e tree.Expression) { c.expression(inner, e, false) })
	case *tree.Associate:
		for _, a := range n.Names {
			c.expression(sc, a.Selector, isDesignator(sc, a.Selector) && assigns(n.Body, a.Name))
		}
	case *tree.Block:
		for _, d := range n.Declarations {
			c.declaration(inner, d)
		}
	case *tree.Goto:
		for _, l := range n.Labels {
			c.k.Jumps[l] = true
		}
		c.expression(sc, n.Selector, false)
	case *tree.Allocation:
		c.refuse(n.Where.From, "ALLOCATE in a loop is not converted", "allocate before the loop")
	case *tree.Unread:
		c.refuse(n.Where.From, "the statement is not understood", "move it out of the loop")
	default:
		Own(n, func(e tree.Expression) { c.expression(sc, e, false) })
	}
	Blocks(n, func(body []tree.Node, number int) {
		at := inner
		if s, ok := n.(*tree.Select); ok {
			if one := c.k.Program.Case(s, number); one != nil {
				c.own[one] = true
				at = one
			}
			if t := s.Cases[number].Type; t != nil {
				c.typeSpec(sc, t)
			}
		}
		c.body(at, body)
	})
}

// indices notes the variables of FORALL and DO CONCURRENT: they need a declaration where IMPLICIT NONE holds.
func (c *collector) indices(sc *scope.Scope, list []tree.Index) {
	for i := range list {
		c.index(sc, list[i].Name)
	}
}

func (c *collector) index(sc *scope.Scope, name string) {
	if y := sc.Lookup(name); y.Kind == scope.Variable && !c.own[y.Scope] {
		c.local(y)
	}
}

func (c *collector) local(y *scope.Symbol) {
	if !c.k.IsLocal(y) {
		c.k.Locals = append(c.k.Locals, y)
	}
}

// expression notes the names of an expression; write: it is assigned.
func (c *collector) expression(sc *scope.Scope, e tree.Expression, write bool) {
	switch e := e.(type) {
	case nil:
	case *tree.Name:
		c.variable(sc, e.Name, e, write)
	case *tree.Component:
		if y := sc.Component(e); y != nil && y.Kind == scope.Procedure {
			c.designator(sc, e.Base, false, true)
			return
		}
		c.designator(sc, e, write, false)
	case *tree.Reference:
		c.reference(sc, e, write)
	case *tree.Literal:
		c.parameter(sc, e.Parameter)
	case *tree.Unary:
		c.operator(sc, e.Operator, e.X)
		c.expression(sc, e.X, false)
	case *tree.Binary:
		c.operator(sc, e.Operator, e.X, e.Y)
		c.expression(sc, e.X, false)
		c.expression(sc, e.Y, false)
	case *tree.Constructor:
		if e.Type != nil {
			c.typeSpec(sc, e.Type)
		}
		Parts(e, func(x tree.Expression) { c.expression(sc, x, false) })
	case *tree.ImpliedDo:
		c.index(sc, e.Variable)
		inside := sc.Loop(e)
		c.own[inside] = true
		Parts(e, func(x tree.Expression) { c.expression(inside, x, false) })
	case *tree.Coindexed:
		c.refuse(e.Where.From, "coarrays are not converted", "copy the value into a local variable before the loop")
	default:
		Parts(e, func(x tree.Expression) { c.expression(sc, x, false) })
	}
}

func (c *collector) reference(sc *scope.Scope, e *tree.Reference, write bool) {
	meaning, y := sc.Meaning(e)
	switch meaning {
	case scope.FunctionCall:
		c.call(sc, e.Base, e.Arguments, y)
	case scope.IntrinsicCall, scope.StatementCall, scope.Structure:
		if name, ok := e.Base.(*tree.Name); ok {
			if meaning == scope.IntrinsicCall && c.asks(sc, e, y.Name) {
				return
			}
			c.other(sc, name.Name, name.Where.From)
		}
		for i := range e.Arguments {
			c.expression(sc, e.Arguments[i].Value, false)
		}
	case scope.Element, scope.Section, scope.Substring, scope.Inquiry:
		c.designator(sc, e, write, false)
	default:
		c.refuse(e.Where.From, "it is not known what '"+Spelling(e.Base)+"' is", "declare the name, or give the file that has its module")
	}
}

// call notes a called procedure and its actual arguments.
func (c *collector) call(sc *scope.Scope, procedure tree.Expression, list []tree.Argument, specific *scope.Symbol) {
	switch p := procedure.(type) {
	case *tree.Name:
		y := c.other(sc, p.Name, p.Where.From)
		if specific == nil {
			specific = y
		}
		if specific != nil && specific.Kind == scope.Generic {
			specific = sc.Specific(specific, list)
		}
		c.internal(specific)
	case *tree.Component:
		c.designator(sc, p.Base, true, true)
		specific = sc.Component(p)
	}
	for i := range list {
		v := list[i].Value
		if name, ok := v.(*tree.Name); ok {
			if y := sc.Lookup(name.Name); y.Kind == scope.Procedure {
				c.other(sc, name.Name, name.Where.From)
				c.internal(y)
				continue
			}
		}
		if isDesignator(sc, v) {
			c.designator(sc, v, !onlyRead(specific, list, i), true)
			continue
		}
		c.expression(sc, v, false)
	}
}

// onlyRead reports whether the procedure's interface says that it does not change its i-th argument.
func onlyRead(y *scope.Symbol, list []tree.Argument, i int) bool {
	if y == nil || y.Body == nil {
		return y != nil && y.Kind == scope.Intrinsic && y.Name != "random_number" && y.Name != "mvbits"
	}
	name := list[i].Keyword
	if name == "" && i < len(y.Dummies) {
		name = y.Dummies[i]
	}
	if name == "" {
		return false
	}
	d := y.Body.Lookup(name)
	return d.Intent == "in" || d.Value
}

func isDesignator(sc *scope.Scope, e tree.Expression) bool {
	switch e := e.(type) {
	case *tree.Name:
		y := sc.Lookup(e.Name)
		return y.Kind == scope.Variable || y.Kind == scope.Alias
	case *tree.Component:
		y := sc.Component(e)
		return y == nil || y.Kind != scope.Procedure
	case *tree.Reference:
		m, _ := sc.Meaning(e)
		return m == scope.Element || m == scope.Section || m == scope.Substring
	}
	return false
}

// operator notes a defined operator.
func (c *collector) operator(sc *scope.Scope, operator string, operands ...tree.Expression) {
	if y := sc.Operator(operator, operands); y != nil {
		c.other(sc, "operator("+operator+")", operands[0].Span().From)
		c.internal(y)
	}
}

// assigns reports whether statements assign a name of ASSOCIATE, or give it to a procedure.
func assigns(body []tree.Node, name string) bool {
	found := false
	is := func(e tree.Expression) {
		for {
			switch x := e.(type) {
			case *tree.Reference:
				e = x.Base
				continue
			case *tree.Component:
				e = x.Base
				continue
			case *tree.Name:
				found = found || x.Name == name
			}
			return
		}
	}
	Statements(body, func(n tree.Node) {
		switch n := n.(type) {
		case *tree.Assignment:
			is(n.Left)
		case *tree.Call:
			for i := range n.Arguments {
				is(n.Arguments[i].Value)
			}
		}
	})
	return found
}

// internal adds an internal procedure, and what it uses of its host.
func (c *collector) internal(y *scope.Symbol) {
	if y == nil || y.Kind != scope.Procedure || y.Body == nil || y.OnlyInterface {
		return
	}
	u := y.Body.Unit
	if u == nil || u.Interface || u.Parent == nil || u.Parent.Kind == tree.Module || u.Parent.Kind == tree.Submodule || c.inside[u] {
		return
	}
	c.inside[u] = true
	c.k.Internal = append(c.k.Internal, u)
	c.own[y.Body] = true
	node := c.node
	for _, d := range u.Declarations {
		c.declaration(y.Body, d)
	}
	c.body(y.Body, u.Body)
	c.node = node
}
