package parse

import (
	"strings"

	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// action reads a statement that is no construct; an IF, WHERE or FORALL statement has one in it. It is Unread if it is not understood.
func (s *statement) action() tree.Node {
	n := s.simple()
	if n == nil || !s.done() {
		return s.unread()
	}
	return n
}

func (s *statement) simple() tree.Node {
	switch s.keyword {
	case "=", "=>":
		left := s.designator()
		s.need(s.keyword)
		if right := s.expression(); s.keyword == "=" {
			return &tree.Assignment{Head: s.head(), Left: left, Right: right}
		} else {
			return &tree.PointerAssignment{Head: s.head(), Left: left, Right: right}
		}
	case "call":
		return s.call()
	case "if":
		return s.ifAction()
	case "where":
		s.opening()
		w := &tree.Where{Head: s.head(), OneLine: true}
		mask := s.condition()
		w.Branches = []tree.Branch{{Where: s.since(s.tokens[0].Span), Line: s.line, Condition: mask, Body: []tree.Node{s.rest()}}}
		return w
	case "forall":
		f := s.forallHead()
		f.OneLine = true
		f.Body = []tree.Node{s.rest()}
		return f
	case "go":
		return s.jumpTo()
	case "assign":
		return s.labels()
	case "continue", "cycle", "exit", "return", "stop", "error", "pause":
		return s.jump()
	case "read", "write", "print", "open", "close", "inquire", "rewind", "backspace", "flush", "wait":
		return s.transfer(s.keyword)
	case "end":
		if s.words("end", "file") {
			return s.transfer("endfile")
		}
	case "allocate", "deallocate", "nullify":
		return s.allocation()
	case "sync", "event", "lock", "unlock", "fail", "form", "notify":
		return s.image()
	}
	return nil
}

// condition reads (X).
func (s *statement) condition() tree.Expression {
	s.need("(")
	x := s.expression()
	s.need(")")
	return x
}

// rest is the statement behind the parentheses of IF, WHERE and FORALL, as a node of its own.
func (s *statement) rest() tree.Node {
	if s.failed != "" || s.end() {
		s.unexpected("a statement")
		return nil
	}
	inner := &statement{cursor: s.cursor, line: s.line}
	inner.tokens = s.tokens[s.at:]
	inner.at = 0
	inner.where = token.Span{From: inner.tokens[0].Span.From, To: inner.tokens[len(inner.tokens)-1].Span.To}
	inner.kind()
	var n tree.Node
	if s.depth++; s.depth > 3 { // IF (a) IF (b) is no Fortran, nor are longer chains
		s.fail("statements nest too deeply in one line")
		return nil
	}
	inner.depth = s.depth
	n = inner.action()
	s.depth--
	s.at = len(s.tokens)
	if u, bad := n.(*tree.Unread); bad {
		s.fail(u.Reason)
	}
	return n
}

// ifAction reads IF (X) STATEMENT, or the arithmetic IF (X) 10, 20, 30.
func (s *statement) ifAction() tree.Node {
	s.opening()
	from := s.tokens[0].Span
	x := s.condition()
	if s.now().Kind == token.Integer {
		g := &tree.Goto{Head: s.head(), Kind: "arithmetic", Selector: x}
		g.Labels = s.labelList()
		return g
	}
	where := s.since(from)
	return &tree.If{Head: s.head(), OneLine: true, Branches: []tree.Branch{{Where: where, Line: s.line, Condition: x, Body: []tree.Node{s.rest()}}}}
}

func (s *statement) labelList() (list []int32) {
	s.list(func() {
		n := label(s.now().Text)
		if s.now().Kind != token.Integer || n == 0 {
			s.unexpected("a label")
			return
		}
		s.next()
		list = append(list, n)
	})
	return list
}

func (s *statement) call() tree.Node {
	s.opening()
	x := s.designator()
	c := &tree.Call{Head: s.head(), Procedure: x}
	if r, ok := x.(*tree.Reference); ok {
		c.Procedure, c.Arguments = r.Base, r.Arguments
	}
	return c
}

// jumpTo reads the forms of GOTO.
func (s *statement) jumpTo() tree.Node {
	g := &tree.Goto{Head: s.head(), Kind: "goto"}
	s.words("go", "to")
	switch t := s.now(); {
	case t.Kind == token.Integer:
		g.Labels = s.labelList()
	case t.Is("("):
		g.Kind = "computed"
		s.next()
		g.Labels = s.labelList()
		s.need(")")
		s.take(",")
		g.Selector = s.expression()
	default:
		g.Kind = "assigned"
		name, at := s.name()
		g.Selector = &tree.Name{At: tree.At{Where: at}, Name: name}
		s.take(",")
		if s.take("(") {
			g.Labels = s.labelList()
			s.need(")")
		}
	}
	return g
}

// labels reads ASSIGN 10 TO i.
func (s *statement) labels() tree.Node {
	s.opening()
	a := &tree.Labels{Head: s.head(), Number: label(s.next().Text)}
	if !s.words("to") || a.Number == 0 {
		s.unexpected("TO")
	}
	a.Variable, _ = s.name()
	return a
}

// jump reads CYCLE, EXIT, RETURN, CONTINUE, STOP, ERROR STOP, PAUSE.
func (s *statement) jump() tree.Node {
	j := &tree.Jump{Head: s.head(), Kind: s.keyword}
	if s.keyword == "error" {
		s.words("error", "stop")
		j.Kind = "error stop"
	} else {
		s.opening()
	}
	switch s.keyword {
	case "cycle", "exit":
		if !s.end() {
			j.Target, _ = s.name()
		}
	case "return", "stop", "error", "pause":
		if !s.end() && !s.now().Is(",") {
			j.Value = s.expression()
		}
		if s.take(",") {
			if !s.word("quiet") {
				s.unexpected("QUIET")
			}
			s.need("=")
			j.Quiet = s.expression()
		}
	}
	return j
}

// image reads the statements between images; their parts stay tokens.
func (s *statement) image() tree.Node {
	i := &tree.Image{Head: s.head(), Kind: s.keyword, Text: s.tokens}
	if rest := strings.TrimPrefix(s.next().Text, s.keyword); rest != "" {
		i.Kind += " " + rest // SYNCALL
	} else if s.now().Kind == token.Name {
		i.Kind += " " + s.next().Text
	}
	if s.now().Is("(") {
		s.at = skip(s.tokens, s.at)
	}
	return i
}
