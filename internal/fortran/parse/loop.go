package parse

import (
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// do parses a loop. A labelled one ends with the statement that has the label, which several loops may share.
func (p *parser) do(s *statement) tree.Node {
	d := &tree.Do{Head: s.head()}
	s.doHead(d)
	p.understood(s)
	p.push(frame{kind: "do", label: d.EndLabel, start: s.where.From})
	d.Body = p.block()
	p.pop()
	if d.EndLabel != 0 && p.closed.label == d.EndLabel {
		d.End = p.closed.end
		return d
	}
	d.End = p.end("do", "DO", s)
	return d
}

// doHead reads the first statement of a loop.
func (s *statement) doHead(d *tree.Do) {
	while := s.words("do", "while") && s.now().Is("(")
	concurrent := false
	if !while {
		s.at = 0
		concurrent = s.words("do", "concurrent") && s.now().Is("(")
	}
	if !while && !concurrent {
		s.at = 0
		s.words("do")
		if t := s.now(); t.Kind == token.Integer {
			s.next()
			if d.EndLabel = label(t.Text); d.EndLabel == 0 {
				s.fail("'" + t.Text + "' is no label")
			}
			s.take(",")
		} else if t.Is(",") {
			s.next()
		}
		while = s.ahead(1).Is("(") && s.words("while")
		concurrent = !while && s.ahead(1).Is("(") && s.words("concurrent")
	}
	switch {
	case while:
		d.Kind = tree.While
		d.Condition = s.condition()
	case concurrent:
		d.Kind = tree.Concurrent
		d.IndexType, d.Indices, d.Condition = s.indices()
		s.locality(d)
	case s.end():
		d.Kind = tree.Forever
	default:
		d.Variable, d.VariableAt = s.name()
		s.need("=")
		d.First = s.expression()
		s.need(",")
		d.Last = s.expression()
		if s.take(",") {
			d.Step = s.expression()
		}
	}
}

// indices reads (INTEGER :: i = 1:n, j = 1:m:2, MASK) of DO CONCURRENT and FORALL.
func (s *statement) indices() (spec *tree.TypeSpec, list []tree.Index, mask tree.Expression) {
	s.need("(")
	if find(s.tokens, s.at, "::") >= 0 && !s.ahead(1).Is("=") {
		spec = s.typeSpec()
		s.need("::")
	}
	s.list(func() {
		if s.now().Kind != token.Name || !s.ahead(1).Is("=") {
			if mask != nil {
				s.unexpected("')'")
			}
			mask = s.expression()
			return
		}
		i := tree.Index{}
		i.Name, i.Where = s.name()
		s.next()
		i.First = s.expression()
		s.need(":")
		i.Last = s.expression()
		if s.take(":") {
			i.Step = s.expression()
		}
		list = append(list, i)
	})
	s.need(")")
	return spec, list, mask
}

// locality reads LOCAL(a), REDUCE(+: s), DEFAULT(NONE) and their kin.
func (s *statement) locality(d *tree.Do) {
	for s.failed == "" && !s.end() {
		l := tree.Locality{}
		l.Kind, _ = s.name()
		s.need("(")
		switch l.Kind {
		case "local", "local_init", "shared":
			l.Names = s.names()
		case "reduce":
			l.Operator = s.next().Text
			s.need(":")
			l.Names = s.names()
		case "default":
			if !s.word("none") {
				s.unexpected("NONE")
			}
		default:
			s.fail("'" + l.Kind + "' is no locality")
		}
		s.need(")")
		d.Locality = append(d.Locality, l)
	}
}
