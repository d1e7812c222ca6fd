package parse

import (
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// specification parses declarations up to the first statement that is not one.
func (p *parser) specification() {
	for s := p.peek(); s != nil && p.declares(s); s = p.peek() {
		p.advance()
		p.add(p.declaration(s))
	}
}

// declares reports whether a statement belongs to a specification part. One that begins with nothing known does: it may be a macro.
func (p *parser) declares(s *statement) bool {
	switch {
	case s.begins(false), s.keyword == "end", s.keyword == "contains":
		return false
	case s.keyword == "=":
		return p.statementFunction(s)
	}
	return s.keyword == "" || declares[s.keyword]
}

// statementFunction reports whether a statement has the form NAME(NAMES) = X, and the unit's declarations allow it to be a statement function:
// NAME is no array, and with IMPLICIT NONE it has a type.
func (p *parser) statementFunction(s *statement) bool {
	if s.now().Kind != token.Name || !s.ahead(1).Is("(") || p.names.block {
		return false
	}
	if name := s.now().Text; p.names.arrays[name] || p.names.none && !p.names.typed[name] {
		return false
	}
	i := 2
	for ; !s.ahead(i).Is(")"); i++ {
		if t := s.ahead(i); t.Kind != token.Name && !t.Is(",") {
			return false
		}
	}
	return s.ahead(i + 1).Is("=")
}

// declaration parses a declaration with all its statements; the first one is read.
func (p *parser) declaration(s *statement) tree.Declaration {
	switch {
	case s.keyword == "":
	case s.keyword == "=":
		if a, ok := s.action().(*tree.Assignment); ok {
			return &tree.StatementFunction{DeclarationHead: s.declarationHead(), Assignment: a}
		}
	case p.full():
		s.fail("it nests too deeply")
	case s.keyword == "interface" || s.keyword == "abstract":
		return p.interfaceBlock(s)
	case s.keyword == "enum":
		return p.enum(s)
	case s.defines():
		return p.derivedType(s)
	default:
		if d := s.declaration(); d != nil {
			return d
		}
	}
	return s.unreadDeclaration()
}

// add keeps a declaration, and the names that it gives dimensions.
func (p *parser) add(d tree.Declaration) {
	*p.sink = append(*p.sink, d)
	note := func(list []tree.Entity, all bool) {
		for i := range list {
			if all || list[i].Dimensions != nil {
				p.names.arrays[list[i].Name] = true
			}
		}
	}
	switch d := d.(type) {
	case *tree.Variables:
		all := false
		for i := range d.Attributes {
			all = all || d.Attributes[i].Name == "dimension"
		}
		note(d.Entities, all)
		for i := range d.Entities {
			p.names.typed[d.Entities[i].Name] = true
		}
	case *tree.Implicit:
		p.names.none = d.None
	case *tree.Attributes:
		note(d.Entities, false)
	case *tree.Common:
		for i := range d.Blocks {
			note(d.Blocks[i].Entities, false)
		}
	}
}

func (s *statement) unreadDeclaration() *tree.UnreadDeclaration {
	u := s.unread()
	return &tree.UnreadDeclaration{DeclarationHead: s.declarationHead(), Reason: u.Reason, Text: u.Text}
}

// defines reports whether the statement begins a derived type: TYPE t, not TYPE(t).
func (s *statement) defines() bool {
	if s.keyword != "type" {
		return false
	}
	c := s.cursor
	if !c.words("type") || c.now().Is("(") {
		return false
	}
	return true
}
