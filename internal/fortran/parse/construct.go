package parse

import (
	"libportable/internal/fortran/tree"
)

// body parses the block of a construct.
func (p *parser) body(kind string, s *statement) []tree.Node {
	p.push(frame{kind: kind, start: s.where.From})
	defer p.pop()
	return p.block()
}

// ifBlock parses IF (X) THEN ... END IF.
func (p *parser) ifBlock(s *statement) tree.Node {
	s.opening()
	x := s.condition()
	s.words("then")
	if !s.done() { // its END must find its beginning
		x = nil
		p.problem(s.where, "this condition is not understood: %s", s.failed)
	}
	n := &tree.If{Head: s.head()}
	n.Branches = []tree.Branch{{Where: s.where, Line: s.line, Condition: x, Body: p.body("if", s)}}
	for e := p.peek(); e != nil && e.keyword == "else" && !e.elseWhere() && !n.HasElse; e = p.peek() {
		p.advance()
		if e.words("else", "if") {
			b := tree.Branch{Where: e.where, Line: e.line, Before: e.before, Condition: e.condition()}
			if !e.words("then") {
				e.unexpected("THEN")
			}
			if !e.end() {
				e.name()
			}
			p.understood(e)
			b.Body = p.body("if", s)
			n.Branches = append(n.Branches, b)
			continue
		}
		e.words("else")
		if !e.end() {
			e.name()
		}
		p.understood(e)
		n.HasElse, n.ElseAt, n.ElseLine, n.ElseDirs = true, e.where, e.line, e.before
		n.Else = p.body("if", s)
	}
	n.End = p.end("if", "IF", s)
	return n
}

// understood reports a middle statement of a construct that was not read to its end.
func (p *parser) understood(s *statement) {
	if !s.done() {
		p.problem(s.where, "this statement is not understood: %s", s.failed)
	}
}

// whereBlock parses WHERE (MASK) ... END WHERE.
func (p *parser) whereBlock(s *statement) tree.Node {
	s.opening()
	n := &tree.Where{Head: s.head()}
	mask := s.condition()
	p.understood(s)
	n.Branches = []tree.Branch{{Where: s.where, Line: s.line, Condition: mask, Body: p.body("where", s)}}
	for e := p.peek(); e != nil && e.keyword == "else" && e.elseWhere() && !n.HasElse; e = p.peek() {
		p.advance()
		e.words("else", "where")
		if e.now().Is("(") {
			b := tree.Branch{Where: e.where, Line: e.line, Before: e.before, Condition: e.condition()}
			if !e.end() {
				e.name()
			}
			p.understood(e)
			b.Body = p.body("where", s)
			n.Branches = append(n.Branches, b)
			continue
		}
		if !e.end() {
			e.name()
		}
		p.understood(e)
		n.HasElse, n.ElseAt, n.ElseLine, n.ElseDirs = true, e.where, e.line, e.before
		n.Else = p.body("where", s)
	}
	n.End = p.end("where", "WHERE", s)
	return n
}

// forallHead reads FORALL (i = 1:n, j = 1:m, MASK).
func (s *statement) forallHead() *tree.Forall {
	s.opening()
	f := &tree.Forall{Head: s.head()}
	_, f.Indices, f.Mask = s.indices()
	return f
}

func (p *parser) forallBlock(s *statement) tree.Node {
	n := s.forallHead()
	p.understood(s)
	n.Body = p.body("forall", s)
	n.End = p.end("forall", "FORALL", s)
	return n
}

// associate parses ASSOCIATE (a => X, ...) ... END ASSOCIATE.
func (p *parser) associate(s *statement) tree.Node {
	s.opening()
	n := &tree.Associate{Head: s.head()}
	s.need("(")
	s.list(func() { n.Names = append(n.Names, s.association()) })
	s.need(")")
	p.understood(s)
	n.Body = p.body("associate", s)
	n.End = p.end("associate", "ASSOCIATE", s)
	return n
}

// association reads NAME => SELECTOR.
func (s *statement) association() (a tree.Association) {
	a.Name, a.Where = s.name()
	s.need("=>")
	a.Selector = s.expression()
	return a
}

// blockConstruct parses BLOCK ... END BLOCK.
func (p *parser) blockConstruct(s *statement) tree.Node {
	s.opening()
	p.understood(s)
	n := &tree.Block{Head: s.head()}
	p.push(frame{kind: "block", start: s.where.From})
	sink, block := p.sink, p.names.block
	p.sink, p.names.block = &n.Declarations, true
	p.specification()
	n.Body = p.block()
	p.sink, p.names.block = sink, block
	p.pop()
	n.End = p.end("block", "BLOCK", s)
	return n
}

// critical parses CRITICAL and CHANGE TEAM.
func (p *parser) critical(s *statement) tree.Node {
	n := &tree.Critical{Head: s.head(), Kind: "critical"}
	kind := "critical"
	if s.words("change", "team") {
		n.Kind, kind = "change team", "team"
	} else {
		s.opening()
	}
	if s.now().Is("(") {
		s.at = skip(s.tokens, s.at)
	}
	p.understood(s)
	n.Body = p.body(kind, s)
	n.End = p.end(kind, "CRITICAL", s)
	return n
}

// selection parses SELECT CASE, SELECT TYPE and SELECT RANK.
func (p *parser) selection(s *statement) tree.Node {
	n := &tree.Select{Head: s.head()}
	for _, k := range []string{"case", "type", "rank"} {
		if s.words("select", k) {
			n.Kind = k
		}
	}
	s.need("(")
	if s.ahead(1).Is("=>") {
		n.Alias, _ = s.name()
		s.next()
	}
	n.Selector = s.expression()
	s.need(")")
	p.understood(s)
	kind := "select " + n.Kind
	if list := p.body(kind, s); list != nil {
		p.problem(s.where, "a statement stands between SELECT and its first block")
		n.Cases = append(n.Cases, tree.Case{Body: list})
	}
	for g := p.peek(); g != nil && g.guard() == n.Kind; g = p.peek() {
		p.advance()
		k := tree.Case{Where: g.where, Line: g.line, Before: g.before}
		g.caseHead(&k)
		p.understood(g)
		k.Body = p.body(kind, s)
		n.Cases = append(n.Cases, k)
	}
	n.End = p.end("select", "SELECT "+n.Kind, s)
	return n
}

// caseHead reads CASE (VALUES), TYPE IS (TYPE), CLASS IS (TYPE), RANK (N), or a DEFAULT.
func (s *statement) caseHead(k *tree.Case) {
	switch {
	case s.words("case", "default"), s.words("class", "default"), s.words("rank", "default"):
		k.Default = true
	case s.words("type", "is"), s.words("class", "is"):
		k.Class = s.keyword == "class"
		s.need("(")
		k.Type = s.typeSpec()
		s.need(")")
	default:
		s.opening()
		s.need("(")
		s.list(func() {
			if t := s.now(); s.take("*") {
				k.Values = append(k.Values, &tree.Star{At: tree.At{Where: t.Span}})
			} else {
				k.Values = append(k.Values, s.section())
			}
		})
		s.need(")")
	}
	if !s.end() {
		s.name()
	}
}
