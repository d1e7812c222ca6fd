package parse

import (
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// transfer reads an input or output statement.
func (s *statement) transfer(kind string) tree.Node {
	t := &tree.Transfer{Head: s.head(), Kind: kind}
	if kind != "endfile" {
		s.opening()
	}
	switch {
	case kind == "print":
		t.Control = []tree.Argument{s.format()}
		if s.take(",") && !s.end() {
			t.Items = s.items()
		}
	case s.now().Is("(") && s.control(kind):
		t.Control = s.arguments("(", ")")
		s.take(",")
		if !s.end() {
			t.Items = s.items()
		}
	case kind == "read":
		t.Control = []tree.Argument{s.format()}
		t.Control[0].Keyword = "fmt"
		if s.take(",") {
			t.Items = s.items()
		}
	default: // REWIND 10
		t.Control = []tree.Argument{{Value: s.expression()}}
	}
	return t
}

// control reports whether the parenthesis holds the control list. READ (fmt) // 'x', a has a format there; an item may not begin with an operator.
func (s *statement) control(kind string) bool {
	after := skip(s.tokens, s.at)
	if after >= len(s.tokens) {
		return true
	}
	t := s.tokens[after]
	switch kind {
	case "read":
		return level(t) == none || t.Is("+") || t.Is("-")
	case "write", "inquire":
		return true
	}
	return level(t) == none
}

// format reads *, a label, or an expression.
func (s *statement) format() tree.Argument {
	t := s.now()
	if t.Is("*") {
		s.next()
		return tree.Argument{Value: &tree.Star{At: tree.At{Where: t.Span}}}
	}
	return tree.Argument{Value: s.expression()}
}

func (s *statement) items() (items []tree.Expression) {
	s.list(func() { items = append(items, s.expression()) })
	return items
}

// allocation reads ALLOCATE, DEALLOCATE, NULLIFY.
func (s *statement) allocation() tree.Node {
	a := &tree.Allocation{Head: s.head(), Kind: s.opening()}
	s.need("(")
	if find(s.tokens, s.at, "::") >= 0 {
		a.Type = s.typeSpec()
		s.need("::")
	}
	s.list(func() {
		if s.now().Kind == token.Name && s.ahead(1).Is("=") {
			a.Options = append(a.Options, s.argument())
		} else {
			a.Objects = append(a.Objects, s.designator())
		}
	})
	s.need(")")
	return a
}
