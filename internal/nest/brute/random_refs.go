package brute

// array is one of the arrays of reals.
func (g *growing) array() int { return pick(g, g.real...) }

// operands are what a sum reads.
func (g *growing) operands() (list []Ref) {
	for range 1 + g.IntN(2) {
		switch x := g.IntN(100); {
		case x < 8 && len(g.scalars) > 0:
			list = append(list, Ref{Var: pick(g, g.scalars...)})
		case x < 14:
			list = append(list, Ref{Var: g.open[g.IntN(len(g.open))].Var})
		case x < 18 && g.work >= 0:
			list = append(list, Ref{Var: g.work, Dims: []Dim{{Lo: g.inner()}}})
		case x < 21 && len(g.counts) > 0:
			list = append(list, Ref{Var: g.counts[0]})
		default:
			list = append(list, g.element(g.array(), false))
		}
	}
	return list
}

// element is an element of an array. Most arrays have the same loop at the same dimension at each reference.
func (g *growing) element(v int, written bool) Ref {
	rank := g.n.Vars[v].Rank
	r := Ref{Var: v}
	if g.maps[v] == nil {
		order := g.Perm(max(g.depth, rank))
		for d := range rank {
			g.maps[v] = append(g.maps[v], order[d])
		}
	}
	for d := range rank {
		loop := g.maps[v][d]
		wild := g.wild
		if written {
			wild /= 2
		}
		switch {
		case loop >= len(g.open) && g.maybe(85), g.maybe(3):
			r.Dims = append(r.Dims, Dim{Lo: g.fixed()})
		case loop >= len(g.open), g.maybe(wild):
			r.Dims = append(r.Dims, Dim{Lo: g.wildly()})
		default:
			r.Dims = append(r.Dims, Dim{Lo: g.of(g.open[loop].Var)})
		}
	}
	return r
}

// fixed depends on no loop.
func (g *growing) fixed() Expr {
	switch g.IntN(4) {
	case 0:
		return g.of(g.size)
	case 1:
		return g.of(g.shift)
	}
	return Expr{Const: 1 + g.IntN(3)}
}

// subscript is affine in one loop, with the coefficients that codes have.
func (g *growing) subscript(loop int) Expr {
	x := g.of(g.open[loop].Var)
	switch p := g.IntN(100); {
	case p < 45:
		x.Const = pick(g, -1, -1, 1, 1, -2, 2, 3)
	case p < 60:
		x.Terms[0].Coef, x.Const = pick(g, 2, 2, 3, -1), g.IntN(3)-1
	case p < 75:
		x.Terms = append(x.Terms, Term{Coef: pick(g, 1, 1, -1, 2), A: pick(g, g.shift, g.size)})
	case p < 80:
		x.Terms[0].Coef = -1
		x.Terms = append(x.Terms, Term{Coef: 1, A: g.size})
		x.Const = g.IntN(2)
	}
	return x
}

// wildly is any subscript.
func (g *growing) wildly() Expr {
	loop := g.IntN(len(g.open))
	x := g.subscript(loop)
	v := g.of(g.open[loop].Var)
	switch p := g.IntN(100); {
	case p < 12:
		x.Terms = append(x.Terms, Term{Coef: pick(g, 1, 1, -1, 2), A: g.open[g.IntN(len(g.open))].Var})
	case p < 18:
		return Expr{Terms: []Term{{Coef: 1, Kind: OfElement, A: pick(g, g.index...), Arg: &v}}, Const: g.IntN(2)}
	case p < 23:
		return Expr{Terms: []Term{{Coef: 1, Kind: OfQuotient, Arg: &v, C: 2}}, Const: g.IntN(2)}
	case p < 27:
		return Expr{Terms: []Term{{Coef: 1, Kind: OfModulo, Arg: &v, C: 2 + g.IntN(3)}}, Const: g.IntN(2)}
	case p < 30:
		return Expr{Terms: []Term{{Coef: 1, Kind: OfProduct, A: g.open[loop].Var, B: g.gap}}, Const: g.IntN(2)}
	case p < 36 && len(g.counts) > 0:
		x = g.of(g.counts[0])
		x.Const = g.IntN(2)
	case p < 40:
		return g.fixed()
	case p < 46 && len(g.open) > 1: // one subscript of two loops
		x = g.of(g.open[0].Var)
		x.Terms = append(x.Terms, Term{Coef: pick(g, 2, 5, 10, -1), A: g.open[1].Var})
	}
	return x
}

// inner is a subscript of the private array.
func (g *growing) inner() Expr {
	x := g.of(g.open[len(g.open)-1].Var)
	if g.maybe(30) {
		x.Const = g.IntN(3) - 1
	}
	if g.maybe(10) {
		x = Expr{Const: 1 + g.IntN(3)}
	}
	return x
}

// section sets a section of an array from others of the same shape.
func (g *growing) section() Stmt {
	low, high, step := Expr{Const: 1 + g.IntN(2)}, g.of(g.size), 1
	switch g.IntN(6) {
	case 0:
		low = g.of(g.open[g.IntN(len(g.open))].Var)
		high = g.of(low.Terms[0].A)
		high.Const = g.IntN(3)
	case 1:
		step = 2
	case 2:
		high = Expr{Const: 3 + g.IntN(2)}
	case 3:
		low, high = Expr{Const: 1}, g.of(g.open[g.IntN(len(g.open))].Var)
	}
	shifted := func(by int) Dim {
		lo, hi := low, high
		lo.Const += by
		hi.Const += by
		return Dim{Section: true, Lo: lo, Hi: hi, Step: step}
	}
	place := func(v int, by int, written bool) Ref {
		r := g.element(v, written)
		r.Dims[g.free(v)] = shifted(by)
		return r
	}
	s := &Assign{To: place(g.array(), 0, true)}
	for range 1 + g.IntN(2) {
		if g.maybe(60) {
			s.From = append(s.From, place(g.array(), pick(g, 0, 0, 1, -1, 2), false))
		} else {
			s.From = append(s.From, g.operands()[:1]...)
		}
	}
	return s
}

// free is a dimension that no open loop has, if there is one.
func (g *growing) free(v int) int {
	for d, loop := range g.maps[v] {
		if loop >= len(g.open) {
			return d
		}
	}
	return g.IntN(g.n.Vars[v].Rank)
}

// workArray sets elements of the private array, or all of it, and reads some.
func (g *growing) workArray() []Stmt {
	to := Ref{Var: g.work, Dims: []Dim{{Lo: g.inner()}}}
	use := &Assign{To: g.element(g.array(), true), From: []Ref{{Var: g.work, Dims: []Dim{{Lo: g.inner()}}}}}
	switch g.IntN(6) {
	case 0:
		return []Stmt{&Assign{To: Ref{Var: g.work}}, use}
	case 1:
		to.Dims[0] = Dim{Section: true, Lo: Expr{Const: 1}, Hi: g.of(g.size), Step: 1}
		return []Stmt{&Assign{To: to}, use}
	case 2:
		return []Stmt{&Update{To: to, Op: "+", From: g.operands()}}
	case 3:
		return []Stmt{use}
	}
	return []Stmt{&Assign{To: to, From: g.operands()}, use}
}
