package parse

import (
	"strings"

	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// block parses statements up to one that ends the innermost construct or something around it.
func (p *parser) block() (list []tree.Node) {
	for s := p.peek(); s != nil && !p.leaves(s); s = p.peek() {
		p.closed = closing{}
		n := p.node()
		list = append(list, n)
		if s.label != 0 && p.closed.label == 0 {
			p.closed = closing{s.label, tree.End{Where: s.where, Line: s.line, Label: s.label}}
		}
		if f := p.top(); f.label != 0 && f.label == p.closed.label {
			return list
		}
	}
	p.closed = closing{}
	return list
}

// leaves reports whether a statement belongs to a construct or unit around the block.
func (p *parser) leaves(s *statement) bool {
	switch s.keyword {
	case "end":
		kind, _ := s.ending()
		switch kind {
		case "?", "file":
			return false
		case "select":
			return p.isOpen("select case") || p.isOpen("select type") || p.isOpen("select rank")
		case "do", "if", "where", "forall", "associate", "block", "critical", "team":
			return p.isOpen(kind)
		case "type", "enum":
			return false
		}
		return p.endsUnit(s)
	case "else":
		if s.elseWhere() {
			return p.isOpen("where")
		}
		return p.isOpen("if")
	case "case", "type", "class", "rank":
		return s.guard() != "" && p.isOpen("select "+s.guard())
	case "contains":
		return true
	}
	return s.begins(false)
}

// elseWhere reports whether an ELSE statement belongs to WHERE.
func (s *statement) elseWhere() bool {
	c := s.cursor
	return c.words("else", "where") && (c.end() || c.now().Is("(") || c.now().Kind == token.Name)
}

// guard tells to what SELECT a CASE, TYPE IS, CLASS IS or RANK statement belongs.
func (s *statement) guard() string {
	c := s.cursor
	switch {
	case s.keyword == "case":
		return "case"
	case c.words("type", "is") && c.now().Is("("), c.words("class", "is") && c.now().Is("("), c.words("class", "default"):
		return "type"
	case c.words("rank", "default"), c.words("rank") && c.now().Is("("):
		return "rank"
	}
	return ""
}

// node parses one statement, or a construct with all its statements.
func (p *parser) node() tree.Node {
	s := p.peek()
	construct := p.construct(s)
	if construct != nil && p.full() {
		return p.tooDeep()
	}
	p.advance()
	if construct != nil {
		return construct(s)
	}
	if s.keyword == "end" {
		if kind, _ := s.ending(); kind != "file" {
			p.problem(s.where, "this END ends nothing; remove it, or add the beginning")
			s.fail("it ends nothing")
			return s.unread()
		}
	}
	if s.keyword == "else" || s.keyword == "case" {
		p.problem(s.where, "this %s belongs to nothing", strings.ToUpper(s.keyword))
		s.fail("it belongs to nothing")
		return s.unread()
	}
	if declares[s.keyword] {
		return p.late(s)
	}
	return s.action()
}

// late parses a declaration in the executable part.
func (p *parser) late(s *statement) tree.Node {
	d := p.declaration(s)
	if u, bad := d.(*tree.UnreadDeclaration); bad {
		return &tree.Unread{Head: s.head(), Reason: u.Reason, Text: u.Text}
	}
	switch s.keyword {
	case "format":
	case "data", "entry", "namelist", "include":
		p.add(d)
	default:
		p.problem(s.where, "a declaration stands behind an executable statement")
		p.add(d)
	}
	return &tree.Passive{Head: s.head(), Kind: s.keyword, Text: s.line.Tokens}
}

// construct is the parser of the construct that the statement begins; nil: it is a statement alone.
func (p *parser) construct(s *statement) func(*statement) tree.Node {
	last := len(s.tokens) - 1
	switch s.keyword {
	case "if":
		if s.tokens[last].IsName("then") && skip(s.tokens, s.at+1) == last {
			return p.ifBlock
		}
	case "do":
		return p.do
	case "select":
		return p.selection
	case "where":
		if skip(s.tokens, s.at+1) > last {
			return p.whereBlock
		}
	case "forall":
		if skip(s.tokens, s.at+1) > last {
			return p.forallBlock
		}
	case "associate":
		return p.associate
	case "block":
		return p.blockConstruct
	case "critical", "change":
		return p.critical
	}
	return nil
}

// tooDeep makes Unread statements of a construct that nests too deeply, and moves behind it. The first one stands for all.
func (p *parser) tooDeep() tree.Node {
	first := p.peek()
	p.problem(first.where, "constructs nest too deeply; split the procedure")
	u := &tree.Unread{Head: first.head(), Reason: "it nests too deeply"}
	for level := 0; ; {
		s := p.peek()
		if s == nil || s.begins(false) || s.keyword == "contains" || p.endsUnit(s) {
			break
		}
		if s.keyword == "end" {
			if kind, _ := s.ending(); kind != "?" && kind != "file" {
				level--
			}
		} else if p.construct(s) != nil {
			level++
		}
		p.advance()
		u.Text = append(u.Text, s.line.Tokens...)
		u.Where = token.Span{From: u.Where.From, To: s.where.To}
		if level == 0 {
			break
		}
	}
	return u
}

// end reads the END of a construct that began at s, or reports that it is missing.
func (p *parser) end(kind, word string, began *statement) tree.End {
	s := p.peek()
	if s != nil && s.keyword == "end" {
		found, name := s.ending()
		if found == kind {
			if name != "" && name != began.construct && kind != "type" && kind != "interface" {
				p.problem(s.where, "END %s has the name '%s', its beginning has '%s'", strings.ToUpper(kind), name, began.construct)
			}
			p.advance()
			e := tree.End{Where: s.where, Line: s.line, Label: s.label, Before: s.before}
			p.closed = closing{s.label, e}
			return e
		}
	}
	p.problem(began.where, "%s has no END; add one", word)
	return tree.End{}
}
