package emit

import (
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// variable notes a name that stands alone.
func (c *collector) variable(sc *scope.Scope, name string, e tree.Expression, write bool) {
	y := sc.Lookup(name)
	if y.Kind == scope.Variable || y.Kind == scope.Alias {
		c.designator(sc, e, write, false)
		return
	}
	c.other(sc, name, e.Span().From)
}

// parameter notes the named kind of a literal.
func (c *collector) parameter(sc *scope.Scope, name string) {
	if name != "" && (name[0] < '0' || name[0] > '9') {
		c.other(sc, name, token.Pos{})
	}
}

// other notes a name that is no variable.
func (c *collector) other(sc *scope.Scope, name string, at token.Pos) *scope.Symbol {
	y := sc.Lookup(name)
	if c.own[y.Scope] {
		return y
	}
	switch y.Kind {
	case scope.Intrinsic:
		return y
	case scope.Unknown, scope.Missing:
		c.refuse(at, "it is not known what '"+name+"' is", "give the file that declares it")
	case scope.Procedure:
		if y.Dummy || y.Pointer {
			c.refuse(at, "'"+name+"' is chosen at run time", "call a procedure by its own name")
		}
		if y.Function != nil && c.k.Names[name] == nil {
			c.k.Names[name] = y
			c.statementFunction(y)
		}
	}
	c.k.Names[name] = y
	return y
}

// statementFunction notes the names in its expression, but for its dummies.
func (c *collector) statementFunction(y *scope.Symbol) {
	dummies := map[string]bool{}
	if r, ok := y.Function.Left.(*tree.Reference); ok {
		for _, a := range r.Arguments {
			if n, ok := a.Value.(*tree.Name); ok {
				dummies[n.Name] = true
			}
		}
	}
	Inside(y.Function.Right, func(e tree.Expression) {
		switch e := e.(type) {
		case *tree.Name:
			if !dummies[e.Name] {
				c.variable(y.Scope, e.Name, e, false)
			}
		case *tree.Literal:
			c.parameter(y.Scope, e.Parameter)
		}
	})
}

// designator notes a variable with its components and subscripts; actual: it is the argument of a call.
func (c *collector) designator(sc *scope.Scope, e tree.Expression, write, actual bool) {
	var chain []step
	at := e
	for {
		switch d := at.(type) {
		case *tree.Component:
			chain = append([]step{{d.Name, d}}, chain...)
			at = d.Base
			continue
		case *tree.Reference:
			for i := range d.Arguments {
				c.expression(sc, d.Arguments[i].Value, false)
			}
			at = d.Base
			continue
		case *tree.Parenthesis:
			c.expression(sc, d.X, false)
			return
		case *tree.Name:
			c.note(sc, d, e, chain, write, actual)
			return
		}
		c.expression(sc, at, false)
		return
	}
}

func (c *collector) note(sc *scope.Scope, name *tree.Name, e tree.Expression, chain []step, write, actual bool) {
	y := sc.Lookup(name.Name)
	if c.own[y.Scope] {
		return
	}
	if y.Kind != scope.Variable && y.Kind != scope.Alias {
		c.other(sc, name.Name, name.Where.From)
		return
	}
	b := c.known[y]
	if b == nil {
		b = &base{symbol: y, name: name.Name}
		c.known[y] = b
		c.bases = append(c.bases, b)
		if c.k.spelt[y] == "" {
			c.k.spelt[y] = name.Name
		}
	}
	if c.k.spelt[y] != name.Name {
		c.refuse(name.Where.From, "'"+c.k.spelt[y]+"' and '"+name.Name+"' are two names of the same variable", "use one of the two names in the loop")
	}
	b.uses = append(b.uses, use{Use{Expression: e, Scope: sc, Statement: c.node, Write: write, Read: !write || actual, Actual: actual}, chain})
	b.actual = b.actual || actual
	if len(c.inside) > 0 && c.own[sc] {
		c.k.Called[y] = true
	}
}

// declaration notes the names that declarations inside of the text use.
func (c *collector) declaration(sc *scope.Scope, d tree.Declaration) {
	v, ok := d.(*tree.Variables)
	if !ok {
		return
	}
	if v.Type != nil {
		c.typeSpec(sc, v.Type)
	}
	dims := func(list []tree.Dimension) {
		for i := range list {
			c.expression(sc, list[i].Lower, false)
			c.expression(sc, list[i].Upper, false)
		}
	}
	for _, a := range v.Attributes {
		dims(a.Dimensions)
	}
	for _, e := range v.Entities {
		dims(e.Dimensions)
		c.expression(sc, e.Length, false)
		c.expression(sc, e.Value, false)
	}
}

func (c *collector) typeSpec(sc *scope.Scope, t *tree.TypeSpec) {
	if (t.Base == "type" || t.Base == "class") && t.Name != "" && t.Name != "*" {
		c.other(sc, t.Name, t.Where.From)
	}
	c.expression(sc, t.Kind, false)
	if _, star := t.Length.(*tree.Star); !star {
		c.expression(sc, t.Length, false)
	}
}

// Spelling is a short text of a designator, for messages.
func Spelling(e tree.Expression) string {
	switch e := e.(type) {
	case *tree.Name:
		return e.Name
	case *tree.Component:
		return Spelling(e.Base) + "%" + e.Name
	case *tree.Reference:
		return Spelling(e.Base)
	}
	return "this"
}
