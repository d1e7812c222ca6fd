package parse

import (
	"strings"

	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// unit parses a unit from its first statement to its END.
func (p *parser) unit(parent *tree.Unit, isInterface bool) *tree.Unit {
	s := p.peek()
	var u *tree.Unit
	if s.begins(true) {
		if p.advance(); !p.full() {
			u = s.unit()
		}
		if u == nil {
			u = &tree.Unit{Kind: tree.Subroutine, Head: s.where, HeadLine: s.line, Before: s.before}
			u.Declarations = append(u.Declarations, s.unreadDeclaration())
		}
	} else {
		u = &tree.Unit{Kind: tree.Program}
	}
	u.Parent, u.Interface, u.File = parent, isInterface, p.file
	sink, around := p.sink, p.names
	p.sink, p.names = &u.Declarations, names{arrays: map[string]bool{}, typed: map[string]bool{}, none: around.none && !isInterface}
	p.push(frame{kind: "unit", unit: u, start: s.where.From})
	p.specification()
	u.Body = p.block()
	if s := p.peek(); s != nil && s.keyword == "contains" {
		p.advance()
		u.ContainsAt, u.ContainsLine, u.ContainsDirs = s.where, s.line, s.before
		p.contained(u)
	}
	p.endUnit(u)
	p.pop()
	p.sink, p.names = sink, around
	return u
}

// contained parses the units behind CONTAINS.
func (p *parser) contained(u *tree.Unit) {
	for s := p.peek(); s != nil && !p.endsUnit(s); s = p.peek() {
		if s.begins(true) && !p.full() {
			u.Contains = append(u.Contains, p.unit(u, false))
			continue
		}
		p.advance()
		switch {
		case s.keyword == "end" || s.keyword == "contains":
			p.problem(s.where, "this statement ends nothing; remove it")
			p.keepUnread(u, s)
		case s.keyword == "format", s.keyword == "data":
			p.keep(u, s)
		default:
			s.fail("it stands behind CONTAINS, outside of a procedure")
			p.problem(s.where, "a statement stands behind CONTAINS, outside of a procedure")
			p.keepUnread(u, s)
		}
	}
}

// keep puts a declaration that stands in a strange place into the unit.
func (p *parser) keep(u *tree.Unit, s *statement) {
	if d := s.declaration(); d != nil {
		u.Declarations = append(u.Declarations, d)
	} else {
		p.keepUnread(u, s)
	}
}

func (p *parser) keepUnread(u *tree.Unit, s *statement) {
	u.Declarations = append(u.Declarations, s.unreadDeclaration())
}

// kindOf are the words of END for each kind of unit.
var kindOf = map[tree.UnitKind]string{
	tree.Program: "program", tree.Module: "module", tree.Submodule: "submodule", tree.BlockData: "block data",
	tree.Subroutine: "subroutine", tree.Function: "function", tree.ModuleProcedure: "procedure",
}

// endings are the words of END statements.
var endings = [][]string{
	{"end", "do"}, {"end", "if"}, {"end", "subroutine"}, {"end", "function"}, {"end", "module"},
	{"end", "program"}, {"end", "select"}, {"end", "type"}, {"end", "interface"}, {"end", "where"},
	{"end", "associate"}, {"end", "forall"}, {"end", "block", "data"}, {"end", "block"}, {"end", "submodule"},
	{"end", "procedure"}, {"end", "critical"}, {"end", "team"}, {"end", "enum"}, {"end", "file"},
}

// ending tells what an END statement ends: a word of a unit or construct, "" (a bare END), "?" (it is no END).
func (s *statement) ending() (kind, name string) {
	c := s.cursor
	if c.words("end") && c.end() {
		return "", ""
	}
	for _, w := range endings {
		c = s.cursor
		if !c.words(w...) {
			continue
		}
		kind = strings.Join(w[1:], " ")
		if kind == "file" || kind == "interface" && !c.end() || kind == "team" && c.now().Is("(") {
			return kind, ""
		}
		if c.now().Kind == token.Name {
			name = c.next().Text
		}
		if c.end() {
			return kind, name
		}
		break
	}
	return "?", ""
}

// endsUnit reports whether a statement ends the innermost unit, or one around it.
func (p *parser) endsUnit(s *statement) bool {
	if s.keyword != "end" {
		return false
	}
	kind, _ := s.ending()
	if kind == "" {
		return true
	}
	for i := len(p.open) - 1; i >= 0; i-- {
		if u := p.open[i].unit; u != nil && kindOf[u.Kind] == kind {
			return true
		}
	}
	if kind == "interface" {
		return p.inInterface()
	}
	// The wrong word still ends a procedure: SUBROUTINE ... END FUNCTION.
	u := p.innermost()
	return u != nil && (kind == "subroutine" || kind == "function" || kind == "procedure" || kind == "program") && u.ContainsLine == nil && u.Kind != tree.Module && u.Kind != tree.Submodule
}

// innermost is the unit around the current statement.
func (p *parser) innermost() *tree.Unit {
	for i := len(p.open) - 1; i >= 0; i-- {
		if p.open[i].unit != nil {
			return p.open[i].unit
		}
	}
	return nil
}

func (p *parser) inInterface() bool {
	for _, f := range p.open {
		if f.kind == "interface" {
			return true
		}
	}
	return false
}

// endUnit reads the END statement of a unit.
func (p *parser) endUnit(u *tree.Unit) {
	s := p.peek()
	word := kindOf[u.Kind]
	missing := func() {
		at := u.Head
		if !at.From.Known() {
			at.From = p.top().start
		}
		p.problem(at, "%s '%s' has no END; add one", strings.ToUpper(word), u.Name)
		u.EndBefore, p.before = p.before, nil
		if s != nil {
			u.EndBefore = nil
		}
	}
	if s == nil || s.keyword != "end" {
		missing()
		return
	}
	kind, name := s.ending()
	if kind != "" && kind != word {
		for i := len(p.open) - 2; i >= 0; i-- {
			if around := p.open[i].unit; around != nil && kindOf[around.Kind] == kind {
				missing()
				return
			}
		}
		if kind == "interface" {
			missing()
			return
		}
		p.problem(s.where, "END %s ends a %s", strings.ToUpper(kind), strings.ToUpper(word))
	} else if name != "" && name != u.Name {
		p.problem(s.where, "END %s %s ends '%s'", strings.ToUpper(word), name, u.Name)
	}
	p.advance()
	u.EndAt, u.EndLine, u.EndBefore, u.EndLabel = s.where, s.line, s.before, s.label
	if s.label != 0 {
		u.Body = append(u.Body, &tree.Jump{Head: tree.Head{Where: s.where, Line: s.line, Label: s.label}, Kind: "end"})
	}
}
