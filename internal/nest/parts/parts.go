package parts

import (
	"strings"

	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// Direct gives the direct parts of an expression.
func Direct(e tree.Expression) (list []tree.Expression) {
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

// Every visits e and all expressions in it.
func Every(e tree.Expression, visit func(tree.Expression)) {
	if e == nil {
		return
	}
	visit(e)
	for _, x := range Direct(e) {
		Every(x, visit)
	}
}

// Expressions gives those of a statement itself, not of the statements in it.
func Expressions(n tree.Node) (list []tree.Expression) {
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

// Blocks gives the lists of statements in a construct.
func Blocks(n tree.Node) (list [][]tree.Node) {
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

// Nodes visits all statements, those in constructs behind the construct.
func Nodes(body []tree.Node, visit func(tree.Node)) {
	for _, n := range body {
		if n == nil {
			continue
		}
		visit(n)
		for _, b := range Blocks(n) {
			Nodes(b, visit)
		}
	}
}

// End gives the last statement of a construct.
func End(n tree.Node) (e tree.End, ok bool) {
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

// Behind gives the place behind a statement and all that is in it.
func Behind(n tree.Node) token.Pos {
	at := n.Info().Where.To
	later := func(p token.Pos) {
		if p.Known() && p.File == at.File && p.Offset > at.Offset {
			at = p
		}
	}
	if e, ok := End(n); ok {
		later(e.Where.To)
	}
	for _, b := range Blocks(n) {
		if len(b) > 0 {
			later(Behind(b[len(b)-1]))
		}
	}
	return at
}

// Show writes an expression as in the source, in lower case and without blanks.
func Show(e tree.Expression) string {
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
		return Show(e.Base) + "(" + showAll(e.Arguments) + ")"
	case *tree.Component:
		return Show(e.Base) + "%" + e.Name
	case *tree.Coindexed:
		return Show(e.Base) + "[" + showAll(e.Arguments) + "]"
	case *tree.Range:
		text := Show(e.Lower) + ":" + Show(e.Upper)
		if e.Stride != nil {
			text += ":" + Show(e.Stride)
		}
		return text
	case *tree.Unary:
		return e.Operator + Show(e.X)
	case *tree.Binary:
		return Show(e.X) + e.Operator + Show(e.Y)
	case *tree.Parenthesis:
		return "(" + Show(e.X) + ")"
	case *tree.Complex:
		return "(" + Show(e.Re) + "," + Show(e.Im) + ")"
	case *tree.Constructor:
		items := make([]string, len(e.Items))
		for i, x := range e.Items {
			items[i] = Show(x)
		}
		return "[" + strings.Join(items, ",") + "]"
	case *tree.ImpliedDo:
		return "(...," + e.Variable + "=" + Show(e.First) + "," + Show(e.Last) + ")"
	case *tree.Star:
		return "*"
	}
	return "?"
}

func showAll(list []tree.Argument) string {
	items := make([]string, len(list))
	for i := range list {
		items[i] = Show(list[i].Value)
		if list[i].Keyword != "" {
			items[i] = list[i].Keyword + "=" + items[i]
		}
	}
	return strings.Join(items, ",")
}
