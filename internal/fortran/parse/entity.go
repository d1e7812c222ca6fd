package parse

import (
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// dimensions reads the dimensions between two parentheses: (3, 0:n, :, *).
func (c *cursor) dimensions(open, shut string) (list []tree.Dimension) {
	c.need(open)
	c.list(func() { list = append(list, c.dimension()) })
	c.need(shut)
	return list
}

func (c *cursor) dimension() (d tree.Dimension) {
	from := c.now().Span
	defer func() { d.Where = c.since(from) }()
	switch {
	case c.now().Is(".") && c.ahead(1).Is("."):
		c.next()
		c.next()
		d.Rank = true
		return d
	case c.take("*"):
		d.Star = true
		return d
	}
	if !c.now().Is(":") {
		if x := c.expression(); c.now().Is(":") {
			d.Lower = x
		} else {
			d.Upper = x
			return d
		}
	}
	c.need(":")
	switch {
	case c.take("*"):
		d.Star = true
	case c.ends():
		d.Colon = true
	default:
		d.Upper = c.expression()
	}
	return d
}

// entity reads one name of a declaration with what belongs to it.
func (c *cursor) entity() (e tree.Entity) {
	from := c.now().Span
	e.Name, e.NameAt = c.name()
	for c.failed == "" {
		switch t := c.now(); {
		case t.Is("(") && e.Dimensions == nil:
			e.Dimensions = c.dimensions("(", ")")
			continue
		case t.Is("["):
			e.Codimensions = c.dimensions("[", "]")
			continue
		case t.Is("*") && e.Length == nil:
			c.next()
			e.Length, _ = c.starLength()
			continue
		case t.Is("="):
			c.next()
			e.Value = c.expression()
		case t.Is("=>"):
			c.next()
			e.Pointer = true
			e.Value = c.expression()
		case t.Is("/"):
			e.Data = c.values()
		}
		break
	}
	e.Where = c.since(from)
	return e
}

// blockName reads /NAME/, or // (the blank block).
func (c *cursor) blockName() (name string) {
	if c.take("//") {
		return ""
	}
	c.need("/")
	if !c.now().Is("/") {
		name, _ = c.name()
	}
	c.need("/")
	return name
}

// values reads /VALUES/ of DATA.
func (c *cursor) values() (list []tree.Expression) {
	c.need("/")
	c.list(func() {
		from := c.now().Span
		x := c.value()
		if c.take("*") {
			x = &tree.Binary{Operator: "*", X: x, Y: c.value(), At: c.place(from)}
		}
		list = append(list, x)
	})
	c.need("/")
	return list
}

// value reads a constant with its sign, or a designator.
func (c *cursor) value() tree.Expression {
	t := c.now()
	if c.take("+") || c.take("-") {
		x := c.primary()
		return &tree.Unary{At: c.place(t.Span), Operator: t.Text, X: x}
	}
	return c.primary()
}

// attribute reads one attribute of a type declaration: INTENT(IN), DIMENSION(3), BIND(C, NAME='f').
func (c *cursor) attribute() (a tree.Attribute) {
	from := c.now().Span
	a.Name, _ = c.name()
	switch {
	case a.Name == "dimension":
		a.Dimensions = c.dimensions("(", ")")
	case a.Name == "codimension":
		a.Dimensions = c.dimensions("[", "]")
	case a.Name == "bind":
		a.Inside = []string{"c"}
		a.Bind = c.bindRest()
	case c.now().Is("("):
		c.next()
		for c.failed == "" && c.now().Kind == token.Name {
			if n := c.next().Text; n == "out" && len(a.Inside) == 1 && a.Inside[0] == "in" {
				a.Inside[0] = "inout"
			} else {
				a.Inside = append(a.Inside, n)
			}
			c.take(",")
		}
		c.need(")")
	}
	a.Where = c.since(from)
	return a
}

// bindRest reads (C) or (C, NAME=...), behind BIND.
func (c *cursor) bindRest() *tree.Bind {
	b := &tree.Bind{}
	c.need("(")
	if !c.word("c") {
		c.unexpected("'c'")
	}
	for c.failed == "" && c.take(",") {
		word, _ := c.name()
		c.need("=")
		if x := c.expression(); word == "name" {
			b.Name = x
		}
	}
	c.need(")")
	return b
}

// genericSpec reads a name, OPERATOR(+), ASSIGNMENT(=), READ(FORMATTED).
func (c *cursor) genericSpec() string {
	name, _ := c.name()
	switch name {
	case "operator", "assignment", "read", "write":
		if !c.take("(") {
			return name
		}
	default:
		return name
	}
	inside := ""
	for c.failed == "" && !c.take(")") {
		t := c.now()
		if t.Kind == token.End {
			c.unexpected("')'")
		}
		c.next()
		inside += t.Text
	}
	if m := modern[inside]; m != "" {
		inside = m
	}
	return name + "(" + inside + ")"
}
