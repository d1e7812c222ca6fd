package emit

import "libportable/internal/fortran/tree"

// Parts calls f for the direct parts of an expression.
func Parts(e tree.Expression, f func(tree.Expression)) {
	visit := func(list ...tree.Expression) {
		for _, x := range list {
			if x != nil {
				f(x)
			}
		}
	}
	values := func(list []tree.Argument) {
		for i := range list {
			visit(list[i].Value)
		}
	}
	switch e := e.(type) {
	case *tree.Reference:
		visit(e.Base)
		values(e.Arguments)
	case *tree.Component:
		visit(e.Base)
	case *tree.Coindexed:
		visit(e.Base)
		values(e.Arguments)
	case *tree.Range:
		visit(e.Lower, e.Upper, e.Stride)
	case *tree.Unary:
		visit(e.X)
	case *tree.Binary:
		visit(e.X, e.Y)
	case *tree.Parenthesis:
		visit(e.X)
	case *tree.Complex:
		visit(e.Re, e.Im)
	case *tree.Constructor:
		visit(e.Items...)
	case *tree.ImpliedDo:
		visit(e.Items...)
		visit(e.First, e.Last, e.Step)
	}
}

// Inside calls f for an expression and all expressions in it.
func Inside(e tree.Expression, f func(tree.Expression)) {
	if e == nil {
		return
	}
	f(e)
	Parts(e, func(x tree.Expression) { Inside(x, f) })
}

// Own calls f for the expressions that a statement itself has, not for those of the statements in it.
func Own(n tree.Node, f func(tree.Expression)) {
	visit := func(list ...tree.Expression) {
		for _, x := range list {
			if x != nil {
				f(x)
			}
		}
	}
	values := func(list []tree.Argument) {
		for i := range list {
			visit(list[i].Value)
		}
	}
	indices := func(list []tree.Index) {
		for i := range list {
			visit(list[i].First, list[i].Last, list[i].Step)
		}
	}
	switch n := n.(type) {
	case *tree.Assignment:
		visit(n.Left, n.Right)
	case *tree.PointerAssignment:
		visit(n.Left, n.Right)
	case *tree.Call:
		visit(n.Procedure)
		values(n.Arguments)
	case *tree.If:
		for i := range n.Branches {
			visit(n.Branches[i].Condition)
		}
	case *tree.Do:
		visit(n.First, n.Last, n.Step, n.Condition)
		indices(n.Indices)
	case *tree.Select:
		visit(n.Selector)
		for i := range n.Cases {
			visit(n.Cases[i].Values...)
		}
	case *tree.Where:
		for i := range n.Branches {
			visit(n.Branches[i].Condition)
		}
	case *tree.Forall:
		indices(n.Indices)
		visit(n.Mask)
	case *tree.Associate:
		for i := range n.Names {
			visit(n.Names[i].Selector)
		}
	case *tree.Goto:
		visit(n.Selector)
	case *tree.Jump:
		visit(n.Value)
	case *tree.Transfer:
		values(n.Control)
		visit(n.Items...)
	case *tree.Allocation:
		visit(n.Objects...)
		values(n.Options)
	}
}

// Blocks calls f for the blocks of a construct; of SELECT with the number of the block, of others with 0.
func Blocks(n tree.Node, f func(body []tree.Node, number int)) {
	branches := func(list []tree.Branch) {
		for i := range list {
			f(list[i].Body, 0)
		}
	}
	switch n := n.(type) {
	case *tree.If:
		branches(n.Branches)
		f(n.Else, 0)
	case *tree.Do:
		f(n.Body, 0)
	case *tree.Select:
		for i := range n.Cases {
			f(n.Cases[i].Body, i)
		}
	case *tree.Where:
		branches(n.Branches)
		f(n.Else, 0)
	case *tree.Forall:
		f(n.Body, 0)
	case *tree.Associate:
		f(n.Body, 0)
	case *tree.Block:
		f(n.Body, 0)
	case *tree.Critical:
		f(n.Body, 0)
	}
}

// Statements calls f for all statements of a body and of the constructs in it.
func Statements(body []tree.Node, f func(tree.Node)) {
	for _, n := range body {
		f(n)
		Blocks(n, func(inner []tree.Node, _ int) { Statements(inner, f) })
	}
}
