package parse

import (
	"strings"

	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// The levels of operators, from the loosest to the tightest.
const (
	none = iota
	defined
	equivalence
	disjunction
	conjunction
	negation
	relation
	concatenation
	sum
	product
	power
)

// binary are the operators between two operands, with their levels. Other dotted words are defined operators.
var binary = map[string]int{
	".eqv.": equivalence, ".neqv.": equivalence, ".xor.": equivalence, ".or.": disjunction, ".and.": conjunction,
	"==": relation, "/=": relation, "<": relation, "<=": relation, ">": relation, ">=": relation,
	".eq.": relation, ".ne.": relation, ".lt.": relation, ".le.": relation, ".gt.": relation, ".ge.": relation,
	"//": concatenation, "+": sum, "-": sum, "*": product, "/": product, "**": power,
}

// modern is the new form of a relation.
var modern = map[string]string{".eq.": "==", ".ne.": "/=", ".lt.": "<", ".le.": "<=", ".gt.": ">", ".ge.": ">="}

// notBinary are dotted words that stand for no operator between two operands.
func notBinary(s string) bool {
	return s == ".not." || strings.HasPrefix(s, ".true.") || strings.HasPrefix(s, ".false.")
}

func dotted(t token.Token) bool {
	return t.Kind == token.Operator && len(t.Text) > 2 && t.Text[0] == '.' && t.Text[1] >= 'a' && t.Text[1] <= 'z'
}

// level is the level of a binary operator, or none.
func level(t token.Token) int {
	if t.Kind != token.Operator {
		return none
	}
	if l := binary[t.Text]; l != none {
		return l
	}
	if dotted(t) && !notBinary(t.Text) {
		return defined
	}
	return none
}

// deeper counts the nesting and fails at the limit.
func (c *cursor) deeper() bool {
	if c.depth++; c.depth > deepest {
		c.fail("it nests too deeply")
		return false
	}
	return true
}

// expression reads an expression.
func (c *cursor) expression() tree.Expression { return c.operand(defined) }

// operand reads operators of level least and tighter ones. As an extension, a sign may stand behind an operator: a*-b is a*(-b).
func (c *cursor) operand(least int) (x tree.Expression) {
	depth := c.depth
	defer func() { c.depth = depth }()
	if !c.deeper() {
		return nil
	}
	from := c.now().Span
	x = c.prefix(least)
	for c.failed == "" && c.deeper() {
		t := c.now()
		l := level(t)
		if l == none || l < least || t.Is("/") && c.ahead(1).Is(")") {
			break
		}
		c.next()
		right := l + 1
		if l == power {
			right = power
		}
		y := c.operand(right)
		if m := modern[t.Text]; m != "" {
			t.Text = m
		}
		x = &tree.Binary{At: c.place(from), Operator: t.Text, X: x, Y: y}
	}
	return x
}

// prefix reads an operand with the unary operators in front of it.
func (c *cursor) prefix(least int) tree.Expression {
	t := c.now()
	from := t.Span
	var x tree.Expression
	switch {
	case t.Is("+") || t.Is("-"):
		c.next()
		x = c.operand(max(product, least))
	case t.Is(".not."):
		c.next()
		x = c.operand(max(relation, least))
	case dotted(t) && binary[t.Text] == none && !notBinary(t.Text):
		c.next()
		if dotted(c.now()) && c.deeper() {
			x = c.prefix(least)
		} else {
			x = c.primary()
		}
	default:
		return c.primary()
	}
	return &tree.Unary{At: c.place(from), Operator: t.Text, X: x}
}
