package parse

import (
	"fmt"
	"strings"

	"libportable/internal/fortran/tree"
)

func (p *printer) nodes(list []tree.Node) {
	p.indent++
	for _, n := range list {
		p.node(n)
	}
	p.indent--
}

func (p *printer) end(e tree.End, word string) {
	if e.Line != nil {
		p.line(e.Label, e.Before, "end %s", word)
	}
}

func (p *printer) indices(t *tree.TypeSpec, list []tree.Index, mask tree.Expression) string {
	var out []string
	for _, i := range list {
		out = append(out, i.Name+" = "+p.expression(i.First)+":"+p.expression(i.Last)+optional(":", p.expression(i.Step)))
	}
	if mask != nil {
		out = append(out, p.expression(mask))
	}
	s := strings.Join(out, ", ")
	if t != nil {
		s = p.typeSpec(t) + " :: " + s
	}
	return "(" + s + ")"
}

// one is a statement alone, on one line without its label.
func (p *printer) one(list []tree.Node) string {
	inner := &printer{braces: p.braces}
	for _, n := range list {
		inner.node(n)
	}
	return strings.TrimSuffix(inner.String(), "\n")
}

func (p *printer) node(n tree.Node) {
	head := n.Info()
	if passive, ok := n.(*tree.Passive); ok && passive.Kind != "format" {
		return // the unit has it as a declaration
	}
	line := func(format string, args ...any) { p.line(head.Label, head.Before, format, args...) }
	name := ""
	if head.Name != "" {
		name = head.Name + ": "
	}
	switch n := n.(type) {
	case *tree.Assignment:
		line("%s = %s", p.expression(n.Left), p.expression(n.Right))
	case *tree.PointerAssignment:
		line("%s => %s", p.expression(n.Left), p.expression(n.Right))
	case *tree.Call:
		line("call %s(%s)", p.expression(n.Procedure), p.arguments(n.Arguments))
	case *tree.If:
		if n.OneLine {
			line("if (%s) %s", p.expression(n.Branches[0].Condition), p.one(n.Branches[0].Body))
			break
		}
		for i, b := range n.Branches {
			if i == 0 {
				line("%sif (%s) then", name, p.expression(b.Condition))
			} else {
				p.line(0, b.Before, "else if (%s) then", p.expression(b.Condition))
			}
			p.nodes(b.Body)
		}
		if n.HasElse {
			p.line(0, n.ElseDirs, "else")
			p.nodes(n.Else)
		}
		p.end(n.End, strings.TrimSpace("if "+head.Name))
	case *tree.Where:
		if n.OneLine {
			line("where (%s) %s", p.expression(n.Branches[0].Condition), p.one(n.Branches[0].Body))
			break
		}
		for i, b := range n.Branches {
			if i == 0 {
				line("%swhere (%s)", name, p.expression(b.Condition))
			} else {
				p.line(0, b.Before, "elsewhere (%s)", p.expression(b.Condition))
			}
			p.nodes(b.Body)
		}
		if n.HasElse {
			p.line(0, n.ElseDirs, "elsewhere")
			p.nodes(n.Else)
		}
		p.end(n.End, strings.TrimSpace("where "+head.Name))
	case *tree.Forall:
		s := p.indices(nil, n.Indices, n.Mask)
		if n.OneLine {
			line("forall %s %s", s, p.one(n.Body))
			break
		}
		line("%sforall %s", name, s)
		p.nodes(n.Body)
		p.end(n.End, strings.TrimSpace("forall "+head.Name))
	case *tree.Do:
		line("%s%s", name, p.doHead(n))
		p.nodes(n.Body)
		if n.EndLabel == 0 || endsDo(n) {
			p.end(n.End, strings.TrimSpace("do "+head.Name))
		}
	case *tree.Select:
		s := p.expression(n.Selector)
		if n.Alias != "" {
			s = n.Alias + " => " + s
		}
		line("%sselect %s (%s)", name, n.Kind, s)
		for _, c := range n.Cases {
			p.selectCase(n.Kind, c)
		}
		p.end(n.End, strings.TrimSpace("select "+head.Name))
	case *tree.Associate:
		var out []string
		for _, a := range n.Names {
			out = append(out, a.Name+" => "+p.expression(a.Selector))
		}
		line("%sassociate (%s)", name, strings.Join(out, ", "))
		p.nodes(n.Body)
		p.end(n.End, strings.TrimSpace("associate "+head.Name))
	case *tree.Block:
		line("%sblock", name)
		p.indent++
		for _, d := range n.Declarations {
			p.declaration(d)
		}
		p.indent--
		p.nodes(n.Body)
		p.end(n.End, strings.TrimSpace("block "+head.Name))
	case *tree.Critical:
		if n.Kind == "critical" {
			line("%scritical", name)
		} else {
			line("%s%s (x)", name, n.Kind)
		}
		p.nodes(n.Body)
		p.end(n.End, strings.TrimSpace(strings.TrimPrefix(n.Kind, "change ")+" "+head.Name))
	default:
		line("%s", p.action(n))
	}
}

// endsDo reports whether a labelled loop ends with END DO, not with a statement of its body.
func endsDo(d *tree.Do) bool {
	if n := len(d.Body); n > 0 {
		if inner, ok := d.Body[n-1].(*tree.Do); ok && inner.End.Line == d.End.Line {
			return false
		}
	}
	return d.End.Line != nil && strings.HasPrefix(strings.ReplaceAll(words(d.End.Line.Tokens), " ", ""), "enddo")
}

func (p *printer) doHead(n *tree.Do) string {
	s := "do "
	if n.EndLabel != 0 {
		s += fmt.Sprintf("%d ", n.EndLabel)
	}
	switch n.Kind {
	case tree.Counted:
		s += n.Variable + " = " + p.expression(n.First) + ", " + p.expression(n.Last) + optional(", ", p.expression(n.Step))
	case tree.While:
		s += "while (" + p.expression(n.Condition) + ")"
	case tree.Concurrent:
		s += "concurrent " + p.indices(n.IndexType, n.Indices, n.Condition)
		for _, l := range n.Locality {
			inside := strings.Join(l.Names, ", ")
			if l.Kind == "default" {
				inside = "none"
			} else if l.Operator != "" {
				inside = l.Operator + ": " + inside
			}
			s += " " + l.Kind + "(" + inside + ")"
		}
	}
	return strings.TrimSpace(s)
}

func (p *printer) selectCase(kind string, c tree.Case) {
	word := kind
	switch {
	case c.Default && kind == "type":
		word = "class default"
	case c.Default:
		word += " default"
	case c.Type != nil:
		t := p.typeSpec(c.Type)
		if c.Type.Base == "type" {
			t = strings.TrimSuffix(strings.TrimPrefix(t, "type("), ")")
		}
		if word = "type is (" + t + ")"; c.Class {
			word = "class" + strings.TrimPrefix(word, "type")
		}
	case c.Values != nil:
		word += " (" + p.expressions(c.Values) + ")"
	}
	if c.Line != nil {
		p.line(0, c.Before, "%s", word)
	}
	p.nodes(c.Body)
}

// action is a statement that is no construct.
func (p *printer) action(n tree.Node) string {
	switch n := n.(type) {
	case *tree.Goto:
		var out []string
		for _, l := range n.Labels {
			out = append(out, fmt.Sprint(l))
		}
		labels := strings.Join(out, ", ")
		switch n.Kind {
		case "computed":
			return "go to (" + labels + ") " + p.expression(n.Selector)
		case "arithmetic":
			return "if (" + p.expression(n.Selector) + ") " + labels
		case "assigned":
			if labels != "" {
				return "go to " + p.expression(n.Selector) + " (" + labels + ")"
			}
			return "go to " + p.expression(n.Selector)
		}
		return "go to " + labels
	case *tree.Jump:
		return n.Kind + optional(" ", n.Target) + optional(" ", p.expression(n.Value)) + optional(", quiet=", p.expression(n.Quiet))
	case *tree.Transfer:
		word := n.Kind
		if word == "endfile" {
			word = "end file"
		}
		if n.Kind == "print" || n.Kind == "read" && len(n.Control) == 1 && n.Control[0].Keyword == "fmt" {
			return word + " " + p.expression(n.Control[0].Value) + optional(", ", p.expressions(n.Items))
		}
		return word + " (" + p.arguments(n.Control) + ")" + optional(" ", p.expressions(n.Items))
	case *tree.Allocation:
		s := n.Kind + " ("
		if n.Type != nil {
			s += p.spec(n.Type) + " :: "
		}
		return s + p.expressions(n.Objects) + optional(", ", p.arguments(n.Options)) + ")"
	case *tree.Labels:
		return fmt.Sprintf("assign %d to %s", n.Number, n.Variable)
	case *tree.Passive:
		return words(n.Text)
	case *tree.Image:
		if strings.HasPrefix(strings.ReplaceAll(n.Kind, " ", ""), n.Text[0].Text) && n.Text[0].Text != n.Kind && len(n.Text) == 1 {
			return n.Kind // SYNCALL
		}
		return words(n.Text)
	case *tree.Unread:
		return "? " + words(n.Text)
	}
	return fmt.Sprintf("?%T", n)
}

// spec is a type in ALLOCATE and in constructors: a derived type is its name alone.
func (p *printer) spec(t *tree.TypeSpec) string {
	s := p.typeSpec(t)
	if t.Base == "type" {
		s = strings.TrimSuffix(strings.TrimPrefix(s, "type("), ")")
	}
	return s
}
