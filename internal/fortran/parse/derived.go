package parse

import (
	"libportable/internal/fortran/tree"
)

// interfaceBlock parses INTERFACE ... END INTERFACE.
func (p *parser) interfaceBlock(s *statement) tree.Declaration {
	d := &tree.Interface{DeclarationHead: s.declarationHead()}
	if d.Abstract = s.words("abstract", "interface"); !d.Abstract {
		if s.words("interface"); !s.end() {
			d.Generic = s.genericSpec()
		}
	}
	if !s.done() {
		return s.unreadDeclaration()
	}
	p.push(frame{kind: "interface", start: s.where.From})
	defer p.pop()
	for i := p.peek(); i != nil; i = p.peek() {
		if i.keyword == "end" {
			d.End = p.end("interface", "INTERFACE", s)
			return d
		}
		if list := i.procedures(); list != nil {
			d.Procedures = append(d.Procedures, list...)
			p.advance()
		} else if i.begins(true) && !p.full() {
			d.Bodies = append(d.Bodies, p.unit(p.innermost(), true))
		} else {
			d.Unread = append(d.Unread, i.unreadDeclaration())
			p.advance()
		}
	}
	p.problem(s.where, "INTERFACE has no END INTERFACE; add it")
	return d
}

// procedures reads [MODULE] PROCEDURE [::] NAMES; nil: it is something else.
func (s *statement) procedures() []string {
	c := s.cursor
	if s.keyword != "module" && s.keyword != "procedure" || !c.words("module", "procedure") && !c.words("procedure") {
		return nil
	}
	c.take("::")
	list := c.names()
	if c.failed != "" || !c.end() {
		return nil
	}
	return list
}

// enum parses ENUM, BIND(C) ... END ENUM.
func (p *parser) enum(s *statement) tree.Declaration {
	d := &tree.Enum{DeclarationHead: s.declarationHead()}
	s.words("enum")
	for s.take(",") {
		s.attribute()
	}
	if s.take("::") {
		s.name()
	}
	if !s.done() {
		return s.unreadDeclaration()
	}
	p.push(frame{kind: "enum", start: s.where.From})
	defer p.pop()
	for i := p.peek(); i != nil && i.keyword == "enumerator"; i = p.peek() {
		p.advance()
		i.words("enumerator")
		i.take("::")
		var list []tree.Entity
		i.list(func() { list = append(list, i.entity()) })
		if i.done() {
			d.Entities = append(d.Entities, list...)
		} else {
			d.Unread = append(d.Unread, i.unreadDeclaration())
		}
	}
	d.End = p.end("enum", "ENUM", s)
	return d
}

// derivedType parses TYPE ... END TYPE.
func (p *parser) derivedType(s *statement) tree.Declaration {
	d := &tree.DerivedType{DeclarationHead: s.declarationHead()}
	s.words("type")
	for s.take(",") {
		d.Attributes = append(d.Attributes, s.attribute())
	}
	s.take("::")
	d.Name, d.NameAt = s.name()
	if s.take("(") {
		d.Parameters = s.names()
		s.need(")")
	}
	if !s.done() {
		return s.unreadDeclaration()
	}
	p.push(frame{kind: "type", start: s.where.From})
	defer p.pop()
	bound := false
	for i := p.peek(); i != nil; i = p.peek() {
		switch {
		case i.keyword == "end" || i.begins(false):
			d.End = p.end("type", "TYPE '"+d.Name+"'", s)
			return d
		case i.keyword == "contains":
			p.advance()
			bound = true
			continue
		}
		p.advance()
		if !p.inType(d, i, bound) || !i.done() {
			d.Unread = append(d.Unread, i.unreadDeclaration())
		}
	}
	p.problem(s.where, "TYPE '%s' has no END TYPE; add it", d.Name)
	return d
}

// inType reads one statement of a derived type.
func (p *parser) inType(d *tree.DerivedType, s *statement, bound bool) bool {
	switch s.keyword {
	case "sequence":
		s.words("sequence")
		d.Sequence = true
	case "private", "public":
		s.words(s.keyword)
		d.Attributes = append(d.Attributes, tree.Attribute{Where: s.where, Name: s.keyword + " components"})
	case "generic":
		if g := s.generic(); s.failed == "" {
			b := tree.Binding{Where: s.where, Kind: "generic", Name: g.Name, Procedures: g.Procedures}
			if g.Access != "" {
				b.Attributes = []tree.Attribute{{Name: g.Access}}
			}
			d.Bindings = append(d.Bindings, b)
		}
	case "final":
		s.words("final")
		s.take("::")
		d.Bindings = append(d.Bindings, tree.Binding{Where: s.where, Kind: "final", Procedures: s.names()})
	case "procedure":
		if bound {
			s.bindings(d)
			break
		}
		fallthrough
	case "integer", "real", "double", "complex", "logical", "character", "byte", "type", "class":
		if v := s.variables(); s.failed == "" && s.end() {
			d.Components = append(d.Components, v)
		}
	default:
		return false
	}
	return true
}

// bindings reads PROCEDURE(INTERFACE), ATTRIBUTES :: NAME => PROCEDURE, ...
func (s *statement) bindings(d *tree.DerivedType) {
	b := tree.Binding{Where: s.where, Kind: "procedure"}
	s.words("procedure")
	if s.take("(") {
		b.Interface, _ = s.name()
		s.need(")")
	}
	for s.take(",") {
		b.Attributes = append(b.Attributes, s.attribute())
	}
	s.take("::")
	s.list(func() {
		one := b
		one.Name, _ = s.name()
		one.Procedures = []string{one.Name}
		if s.take("=>") {
			one.Procedures[0], _ = s.name()
		}
		if s.failed == "" {
			d.Bindings = append(d.Bindings, one)
		}
	})
}
