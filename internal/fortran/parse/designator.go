package parse

import (
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// designator reads a name with the subscripts, components and arguments behind it.
func (c *cursor) designator() tree.Expression {
	from := c.now().Span
	name, _ := c.name()
	return c.behind(from, &tree.Name{At: c.place(from), Name: name})
}

// behind reads what stands behind the beginning x of a designator.
func (c *cursor) behind(from token.Span, x tree.Expression) tree.Expression {
	depth := c.depth
	defer func() { c.depth = depth }()
	for c.failed == "" && c.deeper() {
		switch {
		case c.now().Is("("):
			x = &tree.Reference{Base: x, Arguments: c.arguments("(", ")"), At: c.place(from)}
		case c.now().Is("["):
			x = &tree.Coindexed{Base: x, Arguments: c.arguments("[", "]"), At: c.place(from)}
		case c.now().Is("%") && c.ahead(1).Kind == token.Name:
			c.next()
			name, _ := c.name()
			x = &tree.Component{Base: x, Name: name, At: c.place(from)}
		default:
			return x
		}
	}
	return x
}

// arguments reads the list between two parentheses.
func (c *cursor) arguments(open, shut string) (list []tree.Argument) {
	c.need(open)
	if c.take(shut) {
		return nil
	}
	c.list(func() { list = append(list, c.argument()) })
	c.need(shut)
	return list
}

// argument reads an argument, a subscript or a section.
func (c *cursor) argument() (a tree.Argument) {
	if c.now().Kind == token.Name && c.ahead(1).Is("=") {
		a.Keyword = c.next().Text
		c.next()
	}
	t := c.now()
	switch {
	case t.Is("*") && c.ahead(1).Kind == token.Integer: // alternate return
		c.next()
		a.Label = label(c.next().Text)
	case t.Is("*"):
		c.next()
		a.Value = &tree.Star{At: tree.At{Where: t.Span}}
	default:
		a.Value = c.section()
	}
	return a
}

// section reads an expression or LOWER:UPPER:STRIDE.
func (c *cursor) section() tree.Expression {
	from := c.now().Span
	var lower tree.Expression
	if !c.now().Is(":") && !c.now().Is("::") {
		if lower = c.expression(); !c.now().Is(":") && !c.now().Is("::") {
			return lower
		}
	}
	r := &tree.Range{Lower: lower}
	stride := c.take("::")
	if !stride {
		c.next()
		if t := c.now(); t.Is("*") {
			c.next()
			r.Upper = &tree.Star{At: tree.At{Where: t.Span}}
		} else if !c.ends() && !t.Is(":") {
			r.Upper = c.expression()
		}
		stride = c.take(":")
	}
	if stride {
		r.Stride = c.expression()
	}
	r.At = c.place(from)
	return r
}

// ends reports whether an item of a list ends here.
func (c *cursor) ends() bool {
	t := c.now()
	return t.Kind == token.End || t.Is(",") || closes(t)
}

// label is the number of a statement label, 0 if it is not one.
func label(digits string) int32 {
	n := int32(0)
	for _, d := range []byte(digits) {
		if d < '0' || d > '9' || n > 99999 {
			return 0
		}
		n = 10*n + int32(d-'0')
	}
	return n
}
