package parse

import (
	"slices"
	"strings"

	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// primary reads a literal, a designator, a constructor or something in parentheses.
func (c *cursor) primary() tree.Expression {
	t := c.now()
	from := t.Span
	var x tree.Expression
	switch {
	case t.Kind == token.Name:
		return c.designator()
	case t.Kind == token.Integer, t.Kind == token.Real, t.Kind == token.BOZ:
		c.next()
		return number(t)
	case t.Kind == token.Hollerith:
		c.next()
		return &tree.Literal{At: tree.At{Where: from}, Kind: tree.HollerithLiteral, Text: t.Text}
	case t.Kind == token.String:
		c.next()
		x = &tree.Literal{At: tree.At{Where: from}, Kind: tree.StringLiteral, Text: t.Text, Parameter: t.Prefix}
		if c.now().Is("(") {
			return c.behind(from, x)
		}
		return x
	case t.Kind == token.Operator && (strings.HasPrefix(t.Text, ".true.") || strings.HasPrefix(t.Text, ".false.")):
		return c.logical()
	case t.Is("("):
		if c.ahead(1).Is("/") {
			return c.constructor()
		}
		return c.parenthesis()
	case t.Is("["):
		return c.constructor()
	case t.Is("%") && c.ahead(1).Kind == token.Name && c.ahead(2).Is("("): // %VAL(x), %REF(x), %LOC(x)
		c.next()
		name := c.next().Text
		return c.behind(from, &tree.Name{At: c.place(from), Name: "%" + name})
	}
	c.unexpected("an expression")
	return nil
}

// number is the literal of a token.
func number(t token.Token) *tree.Literal {
	l := &tree.Literal{At: tree.At{Where: t.Span}, Text: t.Text}
	if t.Kind == token.BOZ {
		l.Kind = tree.BOZLiteral
		return l
	}
	l.Text, l.Parameter, _ = strings.Cut(t.Text, "_")
	if t.Kind == token.Real {
		l.Kind = tree.RealLiteral
		if strings.Contains(l.Text, "d") {
			l.Kind = tree.DoubleLiteral
		} else if strings.Contains(l.Text, "q") {
			l.Kind = tree.QuadLiteral
		}
	}
	return l
}

// logical reads .true. or .false., with its kind in the token or behind it.
func (c *cursor) logical() tree.Expression {
	t := c.next()
	dot := strings.LastIndexByte(t.Text, '.') + 1
	l := &tree.Literal{Kind: tree.LogicalLiteral, Text: t.Text[:dot], Parameter: strings.TrimPrefix(t.Text[dot:], "_")}
	if k := c.now(); l.Parameter == "" && k.Kind == token.Name && k.Text[0] == '_' {
		c.next()
		l.Parameter = k.Text[1:]
	}
	l.At = c.place(t.Span)
	return l
}

// parenthesis reads (X), a complex literal, or an implied DO.
func (c *cursor) parenthesis() tree.Expression {
	from := c.next().Span
	depth := c.depth
	defer func() { c.depth = depth }()
	if !c.deeper() {
		return nil
	}
	items := []tree.Expression{c.expression()}
	for c.failed == "" && c.take(",") {
		if c.now().Kind == token.Name && c.ahead(1).Is("=") {
			return c.impliedDo(from, items)
		}
		items = append(items, c.expression())
	}
	c.need(")")
	switch len(items) {
	case 1:
		return &tree.Parenthesis{At: c.place(from), X: items[0]}
	case 2:
		return &tree.Complex{At: c.place(from), Re: items[0], Im: items[1]}
	}
	c.fail("a list in parentheses is no expression")
	return nil
}

// impliedDo reads the rest behind the items: VARIABLE = FIRST, LAST, STEP).
func (c *cursor) impliedDo(from token.Span, items []tree.Expression) tree.Expression {
	d := &tree.ImpliedDo{Items: items}
	d.Variable, d.VariableAt = c.name()
	c.need("=")
	d.First = c.expression()
	c.need(",")
	d.Last = c.expression()
	if c.take(",") {
		d.Step = c.expression()
	}
	c.need(")")
	d.At = c.place(from)
	return d
}

// constructor reads [TYPE :: ITEMS] or (/ ITEMS /).
func (c *cursor) constructor() tree.Expression {
	from := c.next().Span
	square := c.tokens[c.at-1].Is("[")
	if !square {
		c.need("/")
	}
	depth := c.depth
	defer func() { c.depth = depth }()
	if !c.deeper() {
		return nil
	}
	x := &tree.Constructor{}
	if c.now().Kind == token.Name && find(c.tokens, c.at, "::") >= 0 {
		x.Type = c.typeSpec()
		c.need("::")
	}
	closed := func() bool {
		switch {
		case square:
			return c.take("]")
		case c.now().Is("/") && c.ahead(1).Is(")"):
			c.next()
			c.next()
			return true
		}
		return false
	}
	if !closed() {
		c.list(func() {
			if c.now().Is("(") && c.typedIndex() {
				x.Items = append(x.Items, c.typedDo())
			} else {
				x.Items = append(x.Items, c.expression())
			}
		})
		if !closed() {
			c.unexpected("the end of the array constructor")
		}
	}
	x.At = c.place(from)
	if c.now().Is("(") { // an extension: a section of a constructor
		return c.behind(from, x)
	}
	return x
}

// typedIndex reports whether an implied DO declares its variable: (x, INTEGER :: i = 1, 3).
func (c *cursor) typedIndex() bool {
	return slices.ContainsFunc(c.tokens[c.at:], func(t token.Token) bool { return t.Is("::") }) && find(c.tokens, c.at+1, "::") >= 0
}

func (c *cursor) typedDo() tree.Expression {
	from := c.next().Span
	var items []tree.Expression
	for c.failed == "" {
		if at := find(c.tokens, c.at, "::"); at >= 0 && find(c.tokens[:at], c.at, ",") < 0 {
			break
		}
		items = append(items, c.expression())
		c.need(",")
	}
	spec := c.typeSpec()
	c.need("::")
	d, _ := c.impliedDo(from, items).(*tree.ImpliedDo)
	if d == nil {
		return nil
	}
	d.VariableIsType = spec
	return d
}
