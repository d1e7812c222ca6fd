package nest

import (
	"strconv"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/affine"
	"libportable/internal/nest/parts"
)

// expr goes through an expression: it records what it reads, and returns its value if it is an integer that can be followed.
func (w *walker) expr(e tree.Expression) affine.Form {
	w.effects.budget.spend(10)
	switch e := e.(type) {
	case *tree.Literal:
		if e.Kind == tree.IntegerLiteral {
			if n, err := strconv.ParseInt(e.Text, 10, 40); err == nil {
				return affine.Integer(n)
			}
		}
	case *tree.Name, *tree.Component, *tree.Coindexed:
		return w.variable(e)
	case *tree.Reference:
		return w.reference(e)
	case *tree.Parenthesis:
		return w.expr(e.X)
	case *tree.Unary:
		if y, defined := w.scope.Operation(e.Operator, []tree.Expression{e.X}); defined {
			return w.defined(y, e, "operator "+e.Operator, e.X)
		}
		x := w.expr(e.X)
		switch e.Operator {
		case "-":
			return x.Scaled(-1)
		case "+":
			return x
		}
	case *tree.Binary:
		if y, defined := w.scope.Operation(e.Operator, []tree.Expression{e.X, e.Y}); defined {
			return w.defined(y, e, "operator "+e.Operator, e.X, e.Y)
		}
		x, y := w.expr(e.X), w.expr(e.Y)
		return w.operation(e.Operator, x, y)
	case *tree.ImpliedDo:
		w.implied(e)
	case nil:
	default:
		for _, x := range parts.Direct(e) {
			w.expr(x)
		}
	}
	return affine.Unknown
}

// defined is a call of the function of an operator, or of the procedure of an assignment, that a user defines.
func (w *walker) defined(y *scope.Symbol, e tree.Expression, what string, operands ...tree.Expression) affine.Form {
	if y == nil {
		if !w.trusting {
			w.refuse("not-seen", e.Span().From, "the procedure of the "+what+" at "+w.line(e.Span().From)+" is in none of the files", "give its file to portablef, or add 'independent' to the directive")
		}
		w.unfollowed(nil, values(operands))
		return affine.Unknown
	}
	return w.call(y, values(operands), e, nil)
}

// operation is the value of an operation on integers. Forms of reals are unknown, so the result is unknown too.
func (w *walker) operation(operator string, x, y affine.Form) affine.Form {
	if !x.Known() || !y.Known() {
		return affine.Unknown
	}
	switch operator {
	case "+":
		return x.Plus(y)
	case "-":
		return x.Minus(y)
	case "*":
		return x.Times(y)
	case "/":
		return w.quotient(x, y)
	case "**":
		if n, ok := y.Constant(); ok && n >= 0 && n <= 3 {
			p := affine.Integer(1)
			for range n {
				p = p.Times(x)
			}
			return p
		}
		return w.opaque("power", x, y)
	}
	return affine.Unknown
}

func (w *walker) quotient(x, y affine.Form) affine.Form {
	n, isConstant := y.Constant()
	if isConstant && n != 0 {
		if c, ok := x.Constant(); ok {
			return affine.Integer(c / n)
		}
		if q, ok := x.Divided(n); ok {
			return q
		}
	}
	q := w.opaque("quotient", x, y)
	if isConstant && n > 0 {
		w.divisions = append(w.divisions, division{q, x, n})
	}
	return q
}

// opaque is the value of a function without effects: the same for the same values.
func (w *walker) opaque(function string, values ...affine.Form) affine.Form {
	key := function
	for _, v := range values {
		if !v.Known() {
			return affine.Unknown
		}
		if w.table.Varies(v) {
			a := w.table.Varying(function)
			for _, v := range values {
				if v.Has(w.isLoop) || w.ofLoop(v) {
					w.ofIndex[a] = true
				}
				if n := w.noteOf(v); n != nil {
					w.notes[a] = n
				}
			}
			return affine.Of(a)
		}
		key += "," + v.Key()
	}
	a, _ := w.table.Fixed(key)
	return affine.Of(a)
}

// variable is a name or component in an expression.
func (w *walker) variable(e tree.Expression) affine.Form {
	if n, ok := e.(*tree.Name); ok {
		y := w.scope.Lookup(n.Name)
		switch y.Kind {
		case scope.Constant:
			return w.constant(e)
		case scope.Missing:
			w.refuse("not-seen", e.Span().From, "module '"+y.Module+"' is in none of the files: what '"+n.Name+"' is, is not known", "give its file to portablef")
			return affine.Unknown
		case scope.Variable, scope.Alias:
			if b := w.frame.bindings[y]; b != nil && !b.isRef {
				return b.value
			}
		case scope.Unknown:
			w.refuse("not-seen", e.Span().From, "what '"+n.Name+"' is, is not known", "declare it")
			return affine.Unknown
		default:
			return affine.Unknown
		}
	}
	r, ok := w.resolve(e)
	if !ok {
		return affine.Unknown
	}
	w.read(r)
	return w.valueOf(r)
}

func (w *walker) constant(e tree.Expression) affine.Form {
	if v, ok := w.scope.Constant(e); ok && v.Type.Base == scope.Integer && len(v.List) == 0 {
		return affine.Integer(v.Integer)
	}
	return affine.Unknown
}

// reference is BASE(ARGUMENTS) in an expression.
func (w *walker) reference(e *tree.Reference) affine.Form {
	meaning, y := w.scope.Meaning(e)
	switch meaning {
	case scope.Element, scope.Section, scope.Substring:
		if y != nil && y.Kind == scope.Constant {
			for i := range e.Arguments {
				w.expr(e.Arguments[i].Value)
			}
			return w.constant(e)
		}
		r, ok := w.resolve(e)
		if !ok {
			return affine.Unknown
		}
		w.read(r)
		if meaning == scope.Element {
			return w.valueOf(r)
		}
	case scope.IntrinsicCall:
		return w.intrinsic(y.Name, e)
	case scope.FunctionCall:
		return w.call(y, e.Arguments, e, nil)
	case scope.StatementCall:
		return w.statementFunction(y, e)
	case scope.Structure:
		for i := range e.Arguments {
			w.expr(e.Arguments[i].Value)
		}
	case scope.NotKnown:
		w.notKnown(e, y)
		for i := range e.Arguments {
			w.expr(e.Arguments[i].Value)
		}
	}
	return affine.Unknown
}

func (w *walker) notKnown(e *tree.Reference, y *scope.Symbol) {
	name := parts.Show(e.Base)
	switch {
	case y != nil && y.Kind == scope.Missing:
		w.refuse("not-seen", e.Span().From, "module '"+y.Module+"' is in none of the files: what '"+name+"' is, is not known", "give its file to portablef")
	default:
		w.refuse("not-seen", e.Span().From, "'"+name+"' is in none of the files", "give its file to portablef")
	}
}

// implied is an implied DO of an array constructor: its index has any value of its range.
func (w *walker) implied(e *tree.ImpliedDo) {
	first, last := w.expr(e.First), w.expr(e.Last)
	step := affine.Integer(1)
	if e.Step != nil {
		step = w.expr(e.Step)
	}
	around, facts := w.scope, w.st.facts
	w.scope = around.Loop(e)
	d := datum{root: w.scope.Lookup(e.Variable)}
	old, had := w.st.env[d]
	v := affine.Of(w.table.Varying(e.Variable))
	w.st.env[d] = v
	w.st.set[d] = true
	if n, ok := step.Constant(); ok && n > 0 {
		w.st.facts = facts.And(v.Minus(first), last.Minus(v))
	}
	for _, x := range e.Items {
		w.expr(x)
	}
	delete(w.st.set, d)
	delete(w.st.env, d)
	if had {
		w.st.env[d] = old
	}
	w.scope, w.st.facts = around, facts
}

// condition goes through a logical expression and returns facts that hold if it is true, and if it is false.
func (w *walker) condition(e tree.Expression) (yes, no []affine.Form) {
	switch e := e.(type) {
	case *tree.Parenthesis:
		return w.condition(e.X)
	case *tree.Unary:
		if e.Operator == ".not." {
			if _, defined := w.scope.Operation(e.Operator, []tree.Expression{e.X}); defined {
				break
			}
			no, yes = w.condition(e.X)
			return yes, no
		}
	case *tree.Binary:
		if _, defined := w.scope.Operation(e.Operator, []tree.Expression{e.X, e.Y}); defined {
			break
		}
		switch e.Operator {
		case ".and.":
			y1, _ := w.condition(e.X)
			y2, _ := w.condition(e.Y)
			yes = append(append(yes, y1...), y2...)
			return yes, nil
		case ".or.":
			_, n1 := w.condition(e.X)
			_, n2 := w.condition(e.Y)
			return nil, append(append(no, n1...), n2...)
		case "<", "<=", ">", ">=", "==", "/=":
			x, y := w.expr(e.X), w.expr(e.Y)
			if !x.Known() || !y.Known() {
				return nil, nil
			}
			d, one := x.Minus(y), affine.Integer(1)
			back := d.Scaled(-1)
			switch e.Operator {
			case "<":
				return []affine.Form{back.Minus(one)}, []affine.Form{d}
			case "<=":
				return []affine.Form{back}, []affine.Form{d.Minus(one)}
			case ">":
				return []affine.Form{d.Minus(one)}, []affine.Form{back}
			case ">=":
				return []affine.Form{d}, []affine.Form{back.Minus(one)}
			case "==":
				return []affine.Form{d, back}, nil
			default:
				return nil, []affine.Form{d, back}
			}
		}
	}
	w.expr(e)
	return nil, nil
}
