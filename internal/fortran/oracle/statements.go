package oracle

import (
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// item is an expression list of one of our statements.
type item struct {
	at   *scope.Scope
	list []tree.Expression
	call *tree.Call
}

// collector lists our statements by gfortran's words, in the order of its dump.
type collector struct {
	items map[string][]item
}

func (k *collector) add(word string, at *scope.Scope, list ...tree.Expression) {
	k.items[word] = append(k.items[word], item{at: at, list: list})
}

func (k *collector) body(s *scope.Scope, body []tree.Node) {
	for _, n := range body {
		k.node(s, n)
	}
}

func (k *collector) node(s *scope.Scope, n tree.Node) {
	inside := s
	if own := s.Program.Inside(n); own != nil {
		inside = own
	}
	switch n := n.(type) {
	case *tree.Assignment:
		if s.Assignment(n.Left, n.Right) == nil {
			k.add("ASSIGN", s, n.Left, n.Right)
		} else {
			k.add("CALL", s)
		}
	case *tree.PointerAssignment:
		k.add("POINTER ASSIGN", s, n.Left, n.Right)
	case *tree.Call:
		k.items["CALL"] = append(k.items["CALL"], item{at: s, call: n})
	case *tree.If:
		for i := range n.Branches {
			if i == 0 {
				k.add("IF", s, n.Branches[i].Condition)
			} else {
				k.add("ELSE IF", s, n.Branches[i].Condition)
			}
			k.body(s, n.Branches[i].Body)
		}
		k.body(s, n.Else)
	case *tree.Do:
		switch n.Kind {
		case tree.Counted:
			k.add("DO", s, &tree.Name{At: tree.At{Where: n.VariableAt}, Name: n.Variable}, n.First, n.Last, n.Step)
		case tree.While:
			k.add("DO WHILE", s, n.Condition)
		}
		k.body(inside, n.Body)
	case *tree.Select:
		if n.Kind == "case" {
			k.add("SELECT CASE", s, n.Selector)
		}
		for i := range n.Cases {
			at := s
			if own := s.Program.Case(n, i); own != nil {
				at = own
			}
			k.body(at, n.Cases[i].Body)
		}
	case *tree.Where:
		for i := range n.Branches {
			k.body(s, n.Branches[i].Body)
		}
		k.body(s, n.Else)
	case *tree.Forall:
		k.body(inside, n.Body)
	case *tree.Associate:
		k.body(inside, n.Body)
	case *tree.Block:
		k.body(inside, n.Body)
	case *tree.Critical:
		k.body(inside, n.Body)
	case *tree.Transfer:
		for _, x := range n.Items {
			k.add("TRANSFER", s, x)
		}
	}
}

// unit compares the statements of one unit, word by word. Where gfortran has another number of them (it rewrites some), the order
// is not sure and nothing is compared.
func (c *comparer) unit(s *scope.Scope, n *namespace) {
	k := &collector{items: map[string][]item{}}
	k.body(s, s.Unit.Body)
	theirs := map[string][]string{}
	for _, statement := range n.statements {
		theirs[statement.word] = append(theirs[statement.word], statement.text)
	}
	for _, word := range words {
		ours := k.items[word]
		if len(ours) != len(theirs[word]) {
			c.NotAligned += max(len(ours), len(theirs[word]))
			continue
		}
		for i := range ours {
			c.Statements++
			c.statement(word, ours[i], theirs[word][i])
		}
	}
}

func (c *comparer) statement(word string, ours item, text string) {
	p := &parser{text: text}
	switch {
	case word == "CALL":
		c.callStatement(ours, p)
		return
	case word == "ASSIGN":
		left, right := p.expression(), p.expression()
		want, _ := ours.at.TypeOf(ours.list[0])
		if p.bad {
			c.NotRead++
			return
		}
		c.expression(ours.at, ours.list[0], scope.Type{}, left)
		c.expression(ours.at, ours.list[1], want, right)
	case word == "POINTER ASSIGN":
		left := p.expression()
		if p.bad {
			c.NotRead++
			return
		}
		c.expression(ours.at, ours.list[0], scope.Type{}, left)
	case word == "DO":
		variable := p.expression()
		if !p.take("=") {
			c.NotRead++
			return
		}
		want, _ := ours.at.TypeOf(ours.list[0])
		c.expression(ours.at, ours.list[0], scope.Type{}, variable)
		for _, e := range ours.list[1:] {
			d := p.expression()
			if p.bad {
				c.NotRead++
				return
			}
			if e != nil {
				c.expression(ours.at, e, want, d)
			}
		}
	default:
		d := p.expression()
		if p.bad {
			c.NotRead++
			return
		}
		c.expression(ours.at, ours.list[0], scope.Type{}, d)
	}
}

func (c *comparer) callStatement(ours item, p *parser) {
	name := p.word()
	if ours.call == nil {
		c.Calls++
		return
	}
	y := ours.at.Symbol(ours.call.Procedure)
	if _, bound := ours.call.Procedure.(*tree.Component); bound || y == nil || y.Kind == scope.Intrinsic {
		c.NotRead++
		return
	}
	if y.Kind == scope.Generic && strings.HasPrefix(name, "_gfortran") {
		c.NotRead++
		return
	}
	if y.Kind == scope.Generic {
		specific := ours.at.Specific(y, ours.call.Arguments)
		if specific == nil {
			c.differ(ours.call.Procedure, "gfortran calls %s for the generic %s, we are not sure", name, y.Name)
			return
		}
		y = specific
	}
	p.blank()
	args := p.arguments()
	if p.bad || strings.Contains(p.text, "*") && len(args) == 0 {
		c.NotRead++
		return
	}
	c.procedure(ours.at, ours.call.Procedure, y, ours.call.Arguments, &node{kind: "call", text: name, args: args})
}
