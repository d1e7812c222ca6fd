package oracle

import (
	"fmt"
	"strings"
)

// node is an expression of a dump.
type node struct {
	kind   string  // number, text, logical, complex, array, operation, name, absent, null, other
	text   string  // digits; operator; name without its namespace
	suffix string  // kind behind a constant
	args   []*node // operands, arguments, elements
	parts  []part  // of a name: what stands behind it
	named  string  // keyword of an argument
}

// part is a component, or subscripts.
type part struct {
	component string
	full      bool
	subs      []sub
}

// sub is one subscript.
type sub struct {
	isRange            bool
	start, end, stride *node
}

// parser reads the text of expressions. The dump has no grammar that is written down: what it cannot read ends the comparison
// of that item.
type parser struct {
	text string
	at   int
	bad  bool
}

func readExpression(text string) (*node, *parser) {
	p := &parser{text: text}
	return p.expression(), p
}

func (p *parser) fail() *node {
	p.bad = true
	p.at = len(p.text)
	return &node{kind: "other"}
}

func (p *parser) blank() {
	for p.at < len(p.text) && p.text[p.at] == ' ' {
		p.at++
	}
}

func (p *parser) take(s string) bool {
	if strings.HasPrefix(p.text[p.at:], s) {
		p.at += len(s)
		return true
	}
	return false
}

func (p *parser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '@' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }

func (p *parser) expression() *node {
	p.blank()
	c := p.peek()
	switch {
	case p.take("(/"):
		return p.array()
	case p.take("(complex "):
		n := &node{kind: "complex", args: []*node{p.expression(), p.expression()}}
		p.take(")")
		n.suffix = p.suffix()
		return n
	case p.take("()"):
		return &node{kind: "absent"}
	case c == '(':
		return p.operation()
	case c == '\'':
		return p.quoted()
	case p.take("NULL()"):
		return &node{kind: "null"}
	case p.take(".true."):
		return &node{kind: "logical", text: "t", suffix: p.suffix()}
	case p.take(".false."):
		return &node{kind: "logical", text: "f", suffix: p.suffix()}
	case digit(c) || c == '-' || c == '.':
		return p.number()
	case letter(c):
		return p.name()
	}
	return p.fail()
}

// suffix is the kind behind a constant.
func (p *parser) suffix() string {
	if p.peek() != '_' {
		return ""
	}
	from := p.at + 1
	for p.at++; digit(p.peek()); p.at++ {
	}
	return p.text[from:p.at]
}

func (p *parser) number() *node {
	from := p.at
	p.take("-")
	for c := p.peek(); digit(c) || c == '.' || c == 'e' || (c == '-' || c == '+') && p.text[p.at-1] == 'e'; c = p.peek() {
		p.at++
	}
	if p.at == from {
		return p.fail()
	}
	n := &node{kind: "number", text: p.text[from:p.at]}
	n.suffix = p.suffix()
	if p.peek() == '@' || letter(p.peek()) {
		return p.fail()
	}
	return n
}

func (p *parser) quoted() *node {
	var b strings.Builder
	for p.at++; p.at < len(p.text); p.at++ {
		if p.text[p.at] == '\'' {
			if p.at+1 < len(p.text) && p.text[p.at+1] == '\'' {
				p.at++
			} else {
				p.at++
				return &node{kind: "text", text: b.String()}
			}
		}
		b.WriteByte(p.text[p.at])
	}
	return p.fail()
}

func (p *parser) array() *node {
	n := &node{kind: "array"}
	for !p.bad {
		p.blank()
		if p.take("/)") {
			return n
		}
		if strings.HasPrefix(p.text[p.at:], "((/") {
			// An implied DO that is not unrolled: its items are compared nowhere else, so leave it.
			return p.fail()
		}
		n.args = append(n.args, p.expression())
		p.blank()
		p.take(",")
	}
	return n
}

func (p *parser) operation() *node {
	p.at++
	from := p.at
	for p.at < len(p.text) && p.text[p.at] != ' ' {
		p.at++
	}
	n := &node{kind: "operation", text: p.text[from:p.at]}
	for !p.bad {
		p.blank()
		if p.take(")") {
			return n
		}
		if p.at >= len(p.text) || len(n.args) > 2 {
			return p.fail()
		}
		n.args = append(n.args, p.expression())
	}
	return n
}

func (p *parser) word() string {
	from := p.at
	for c := p.peek(); letter(c) || digit(c) || c == '.' && p.at > from; c = p.peek() {
		p.at++
	}
	return p.text[from:p.at]
}

func (p *parser) name() *node {
	n := &node{kind: "name", text: p.word()}
	if p.peek() == ':' && p.at+1 < len(p.text) && letter(p.text[p.at+1]) {
		p.at++
		n.text = p.word()
	}
	for !p.bad {
		switch {
		case p.take("[["):
			n.kind = "call"
			n.args = p.arguments()
			p.take("]]")
		case p.peek() == '[':
			p.at++
			n.kind = "call"
			n.args = p.arguments()
			p.take("]")
		case p.take("(FULL)"):
			n.parts = append(n.parts, part{full: true})
		case p.peek() == '(':
			n.parts = append(n.parts, part{subs: p.subscripts()})
		case p.take(" % "):
			n.parts = append(n.parts, part{component: p.word()})
		default:
			return n
		}
	}
	return n
}

func (p *parser) subscripts() (list []sub) {
	p.at++
	for !p.bad {
		p.blank()
		var s sub
		if p.peek() != ':' {
			s.start = p.expression()
		}
		if p.take(":") {
			s.isRange = true
			if c := p.peek(); c != ':' && c != ')' && c != ' ' {
				s.end = p.expression()
			}
			if p.take(":") {
				s.stride = p.expression()
			}
		}
		list = append(list, s)
		p.blank()
		if p.take(")") {
			return list
		}
		if !p.take(",") {
			p.fail()
		}
	}
	return list
}

// arguments reads ((A) (B) (name = C) ((arg not-present))).
func (p *parser) arguments() (list []*node) {
	p.blank()
	if !p.take("(") {
		p.fail()
		return nil
	}
	for !p.bad {
		p.blank()
		switch {
		case p.take(")"):
			return list
		case p.take("((arg not-present))"), p.take("(arg not-present)"):
			list = append(list, &node{kind: "absent"})
			continue
		case !p.take("("):
			p.fail()
			return list
		}
		named := ""
		if from := p.at; letter(p.peek()) {
			if word := p.word(); p.take(" = ") {
				named = word
			} else {
				p.at = from
			}
		}
		if p.peek() == '*' {
			p.fail()
			return list
		}
		x := p.expression()
		x.named = named
		list = append(list, x)
		p.blank()
		if !p.take(")") {
			p.fail()
		}
	}
	return list
}

// String is for messages.
func (n *node) String() string {
	if n == nil {
		return "nothing"
	}
	text := n.kind + " " + n.text
	if n.suffix != "" {
		text += "_" + n.suffix
	}
	if len(n.args) > 0 {
		text += fmt.Sprint(n.args)
	}
	return text
}
