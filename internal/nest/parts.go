package nest

import (
	"strings"

	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// This file goes over trees: the parts of expressions, the expressions and blocks of statements, and the text of an expression.

// parts are the direct parts of an expression.
func parts(e tree.Expression) (list []tree.Expression) {
	add := func(more ...tree.Expression) {
		for _, x := range more {
			if x != nil {
				list = append(list, x)
			}
		}
	}
	arguments := func(args []tree.Argument) {
		for i := range args {
			add(args[i].Value)
		}
	}
	switch e := e.(type) {
	case *tree.Reference:
		add(e.Base)
		arguments(e.Arguments)
	case *tree.Component:
		add(e.Base)
	case *tree.Coindexed:
		add(e.Base)
		arguments(e.Arguments)
	case *tree.Range:
		add(e.Lower, e.Upper, e.Stride)
	case *tree.Unary:
		add(e.X)
	case *tree.Binary:
		add(e.X, e.Y)
	case *tree.Parenthesis:
		add(e.X)
	case *tree.Complex:
		add(e.Re, e.Im)
	case *tree.Constructor:
		add(e.Items...)
	case *tree.ImpliedDo:
		add(e.Items...)
		add(e.First, e.Last, e.Step)
	}
	return list
}

// everyPart visits e and all expressions in it.
func everyPart(e tree.Expression, visit func(tree.Expression)) {
	if e == nil {
		return
	}
	visit(e)
	for _, x := range parts(e) {
		everyPart(x, visit)
	}
}

// expressions are those of a statement itself, not of the statements in it.
func expressions(n tree.Node) (list []tree.Expression) {
	add := func(more ...tree.Expression) {
		for _, x := range more {
			if x != nil {
				list = append(list, x)
			}
		}
	}
	arguments := func(args []tree.Argument) {
		for i := range args {
			add(args[i].Value)
		}
	}
	switch n := n.(type) {
	case *tree.Assignment:
		add(n.Left, n.Right)
	case *tree.PointerAssignment:
		add(n.Left, n.Right)
	case *tree.Call:
		add(n.Procedure)
		arguments(n.Arguments)
	case *tree.If:
		for i := range n.Branches {
			add(n.Branches[i].Condition)
		}
	case *tree.Do:
		add(n.First, n.Last, n.Step, n.Condition)
		for i := range n.Indices {
			add(n.Indices[i].First, n.Indices[i].Last, n.Indices[i].Step)
		}
	case *tree.Select:
		add(n.Selector)
		for i := range n.Cases {
			add(n.Cases[i].Values...)
		}
	case *tree.Where:
		for i := range n.Branches {
			add(n.Branches[i].Condition)
		}
	case *tree.Forall:
		for i := range n.Indices {
			add(n.Indices[i].First, n.Indices[i].Last, n.Indices[i].Step)
		}
		add(n.Mask)
	case *tree.Associate:
		for i := range n.Names {
			add(n.Names[i].Selector)
		}
	case *tree.Goto:
		add(n.Selector)
	case *tree.Jump:
		add(n.Value)
	case *tree.Transfer:
		arguments(n.Control)
		add(n.Items...)
	case *tree.Allocation:
		add(n.Objects...)
		arguments(n.Options)
	}
	return list
}

// blocks are the lists of statements in a construct.
func blocks(n tree.Node) (list [][]tree.Node) {
	switch n := n.(type) {
	case *tree.If:
		for i := range n.Branches {
			list = append(list, n.Branches[i].Body)
		}
		list = append(list, n.Else)
	case *tree.Do:
		list = append(list, n.Body)
	case *tree.Select:
		for i := range n.Cases {
			list = append(list, n.Cases[i].Body)
		}
	case *tree.Where:
		for i := range n.Branches {
			list = append(list, n.Branches[i].Body)
		}
		list = append(list, n.Else)
	case *tree.Forall:
		list = append(list, n.Body)
	case *tree.Associate:
		list = append(list, n.Body)
	case *tree.Block:
		list = append(list, n.Body)
	case *tree.Critical:
		list = append(list, n.Body)
	}
	return list
}

// everyNode visits all statements, those in constructs behind the construct.
func everyNode(body []tree.Node, visit func(tree.Node)) {
	for _, n := range body {
		if n == nil {
			continue
		}
		visit(n)
		for _, b := range blocks(n) {
			everyNode(b, visit)
		}
	}
}

// end is the last statement of a construct.
func end(n tree.Node) (e tree.End, ok bool) {
	switch n := n.(type) {
	case *tree.If:
		return n.End, !n.OneLine
	case *tree.Do:
		return n.End, true
	case *tree.Select:
		return n.End, true
	case *tree.Where:
		return n.End, !n.OneLine
	case *tree.Forall:
		return n.End, !n.OneLine
	case *tree.Associate:
		return n.End, true
	case *tree.Block:
		return n.End, true
	case *tree.Critical:
		return n.End, true
	}
	return e, false
}

// behind is the place behind a statement and all that is in it.
func behind(n tree.Node) token.Pos {
	at := n.Info().Where.To
	later := func(p token.Pos) {
		if p.Known() && p.File == at.File && p.Offset > at.Offset {
			at = p
		}
	}
	if e, ok := end(n); ok {
		later(e.Where.To)
	}
	for _, b := range blocks(n) {
		if len(b) > 0 {
			later(behind(b[len(b)-1]))
		}
	}
	return at
}

// show writes an expression as in the source, in lower case and without blanks.
func show(e tree.Expression) string {
	switch e := e.(type) {
	case nil:
		return ""
	case *tree.Literal:
		text := e.Text
		if e.Kind == tree.StringLiteral {
			text = "'" + text + "'"
		}
		if e.Parameter != "" {
			text += "_" + e.Parameter
		}
		return text
	case *tree.Name:
		return e.Name
	case *tree.Reference:
		return show(e.Base) + "(" + showAll(e.Arguments) + ")"
	case *tree.Component:
		return show(e.Base) + "%" + e.Name
	case *tree.Coindexed:
		return show(e.Base) + "[" + showAll(e.Arguments) + "]"
	case *tree.Range:
		text := show(e.Lower) + ":" + show(e.Upper)
		if e.Stride != nil {
			text += ":" + show(e.Stride)
		}
		return text
	case *tree.Unary:
		return e.Operator + show(e.X)
	case *tree.Binary:
		return show(e.X) + e.Operator + show(e.Y)
	case *tree.Parenthesis:
		return "(" + show(e.X) + ")"
	case *tree.Complex:
		return "(" + show(e.Re) + "," + show(e.Im) + ")"
	case *tree.Constructor:
		items := make([]string, len(e.Items))
		for i, x := range e.Items {
			items[i] = show(x)
		}
		return "[" + strings.Join(items, ",") + "]"
	case *tree.ImpliedDo:
		return "(...," + e.Variable + "=" + show(e.First) + "," + show(e.Last) + ")"
	case *tree.Star:
		return "*"
	}
	return "?"
}

func showAll(list []tree.Argument) string {
	items := make([]string, len(list))
	for i := range list {
		items[i] = show(list[i].Value)
		if list[i].Keyword != "" {
			items[i] = list[i].Keyword + "=" + items[i]
		}
	}
	return strings.Join(items, ",")
}
