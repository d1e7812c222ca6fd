package tree

func (w walker) branch(b *Branch) {
	if w.visit(b) {
		w.expression(b.Condition)
		each(b.Body, w.node)
	}
}

func (w walker) branches(list []Branch) {
	for i := range list {
		w.branch(&list[i])
	}
}

func (w walker) block(c *Case) {
	if w.visit(c) {
		each(c.Values, w.expression)
		w.typeSpec(c.Type)
		each(c.Body, w.node)
	}
}

func (w walker) indices(list []Index) {
	for i := range list {
		w.expression(list[i].First)
		w.expression(list[i].Last)
		w.expression(list[i].Step)
	}
}

func (w walker) node(n Node) {
	if n == nil || !w.visit(n) {
		return
	}
	switch n := n.(type) {
	case *Assignment:
		w.expression(n.Left)
		w.expression(n.Right)
	case *PointerAssignment:
		w.expression(n.Left)
		w.expression(n.Right)
	case *Call:
		w.expression(n.Procedure)
		w.arguments(n.Arguments)
	case *If:
		w.branches(n.Branches)
		each(n.Else, w.node)
	case *Do:
		w.typeSpec(n.IndexType)
		w.indices(n.Indices)
		w.expression(n.First)
		w.expression(n.Last)
		w.expression(n.Step)
		w.expression(n.Condition)
		each(n.Body, w.node)
	case *Select:
		w.expression(n.Selector)
		for i := range n.Cases {
			w.block(&n.Cases[i])
		}
	case *Where:
		w.branches(n.Branches)
		each(n.Else, w.node)
	case *Forall:
		w.indices(n.Indices)
		w.expression(n.Mask)
		each(n.Body, w.node)
	case *Associate:
		for i := range n.Names {
			w.expression(n.Names[i].Selector)
		}
		each(n.Body, w.node)
	case *Block:
		each(n.Declarations, w.declaration)
		each(n.Body, w.node)
	case *Critical:
		each(n.Body, w.node)
	case *Goto:
		w.expression(n.Selector)
	case *Jump:
		w.expression(n.Value)
		w.expression(n.Quiet)
	case *Transfer:
		w.arguments(n.Control)
		each(n.Items, w.expression)
	case *Allocation:
		w.typeSpec(n.Type)
		each(n.Objects, w.expression)
		w.arguments(n.Options)
	}
}

func (w walker) expression(x Expression) {
	if x == nil || !w.visit(x) {
		return
	}
	switch x := x.(type) {
	case *Reference:
		w.expression(x.Base)
		w.arguments(x.Arguments)
	case *Component:
		w.expression(x.Base)
	case *Coindexed:
		w.expression(x.Base)
		w.arguments(x.Arguments)
	case *Range:
		w.expression(x.Lower)
		w.expression(x.Upper)
		w.expression(x.Stride)
	case *Unary:
		w.expression(x.X)
	case *Binary:
		w.expression(x.X)
		w.expression(x.Y)
	case *Parenthesis:
		w.expression(x.X)
	case *Complex:
		w.expression(x.Re)
		w.expression(x.Im)
	case *Constructor:
		w.typeSpec(x.Type)
		each(x.Items, w.expression)
	case *ImpliedDo:
		each(x.Items, w.expression)
		w.typeSpec(x.VariableIsType)
		w.expression(x.First)
		w.expression(x.Last)
		w.expression(x.Step)
	}
}
