package brute

import "math/rand/v2"

// Random is the nest of a seed, and its truth. Every seed has one: texts that are no legal program are thrown away and made again.
func Random(seed uint64, m *Machine) (*Nest, *Truth) {
	for try := uint64(0); ; try++ {
		g := &growing{Rand: rand.New(rand.NewPCG(seed, try)), n: &Nest{Seed: seed, Name: "nest"}}
		g.grow()
		if t := g.n.Truth(m); t != nil {
			return g.n, t
		}
	}
}

// growing makes one nest.
type growing struct {
	*rand.Rand
	n                *Nest
	size, shift, gap int // symbols n, m, ks
	real             []int
	index            []int // integer arrays
	work, histogram  int   // a private array, a histogram; -1: not there
	scalars          []int
	counts           []int // integer scalars
	best, at         int   // of a Place
	loopVars         []int
	open             []*Loop
	maps             map[int][]int // for each array the loop of each dimension
	wild             int           // percent of subscripts that are not the plain loop variable
	depth            int
}

func (g *growing) maybe(percent int) bool { return g.IntN(100) < percent }

func pick[T any](g *growing, of ...T) T { return of[g.IntN(len(of))] }

func (g *growing) add(v Var) int {
	g.n.Vars = append(g.n.Vars, v)
	return len(g.n.Vars) - 1
}

func (g *growing) grow() {
	g.size = g.add(Var{Name: "n", Integer: true, Symbol: true})
	g.shift = g.add(Var{Name: "m", Integer: true, Symbol: true})
	g.gap = g.add(Var{Name: "ks", Integer: true, Symbol: true})
	g.depth = pick(g, 1, 1, 1, 2, 2, 2, 2, 3, 3)
	g.wild = pick(g, 5, 15, 40)
	g.work, g.histogram, g.best, g.at = -1, -1, -1, -1
	g.maps = map[int][]int{}
	for _, name := range []string{"a", "b", "c"}[:1+g.IntN(3)] {
		g.real = append(g.real, g.add(Var{Name: name, Rank: 1 + g.IntN(min(3, g.depth+1))}))
	}
	for _, name := range []string{"p", "q"}[:1+g.IntN(2)] {
		g.index = append(g.index, g.add(Var{Name: name, Rank: 1, Integer: true}))
	}
	if g.maybe(40) {
		g.work = g.add(Var{Name: "w", Rank: 1, Local: g.maybe(80), Fixed: true, Lower: [maxRank]int{g.IntN(2)}, Upper: [maxRank]int{9}})
	}
	if g.maybe(25) {
		g.histogram = g.add(Var{Name: "h", Rank: 1})
	}
	for _, name := range []string{"s", "t"}[:g.IntN(3)] {
		g.scalars = append(g.scalars, g.add(Var{Name: name, Local: g.maybe(60)}))
	}
	if g.maybe(20) {
		g.counts = append(g.counts, g.add(Var{Name: "kk", Integer: true, Local: g.maybe(70)}))
	}
	if g.maybe(8) {
		g.best = g.add(Var{Name: "best"})
		g.at = g.add(Var{Name: "at", Integer: true})
	}
	for _, name := range []string{"i", "j", "k"}[:g.depth] {
		g.loopVars = append(g.loopVars, g.add(Var{Name: name, Integer: true, Local: true}))
	}
	out := g.add(Var{Name: "out", Rank: 1})
	g.n.Top = g.loop()
	g.locals()
	g.after(out)
	g.data()
}

// locals defines what is local, so that every read of it is legal.
func (g *growing) locals() {
	for i, v := range g.n.Vars {
		switch {
		case !v.Local:
		case v.Integer:
			g.n.Before = append(g.n.Before, &SetInt{Var: i})
		default:
			g.n.Before = append(g.n.Before, &Assign{To: Ref{Var: i}})
		}
	}
}

// after reads some scalars and DO variables.
func (g *growing) after(out int) {
	element := 0
	for i, v := range g.n.Vars {
		if v.Rank == 0 && !v.Symbol && g.maybe(12) {
			element++
			to := Ref{Var: out, Dims: []Dim{{Lo: Expr{Const: element}}}}
			g.n.After = append(g.n.After, &Assign{To: to, From: []Ref{{Var: i}}})
		}
	}
	if g.work >= 0 && g.maybe(10) {
		to := Ref{Var: out, Dims: []Dim{{Lo: Expr{Const: element + 1}}}}
		g.n.After = append(g.n.After, &Assign{To: to, From: []Ref{{Var: g.work, Dims: []Dim{{Lo: Expr{Const: 1 + g.IntN(4)}}}}}})
	}
}

func (g *growing) data() {
	for r, n := range []int{5, pick(g, 3, 4, 6), pick(g, 0, 1, 2)} {
		row := make([]int, len(g.n.Vars))
		row[g.size], row[g.shift], row[g.gap] = n, g.IntN(7)-3, 1+g.IntN(3)
		for _, v := range append(g.counts, g.at) {
			if v >= 0 {
				row[v] = g.IntN(4)
			}
		}
		if g.maybe(20) {
			row[g.shift] += pick(g, -5, 5)
		}
		g.n.Data = append(g.n.Data, row)
		g.n.Fills = append(g.n.Fills, g.IntN(50)+r)
	}
}

// loop makes the next loop inwards.
func (g *growing) loop() *Loop {
	v := g.loopVars[len(g.open)]
	l := &Loop{Var: v, Lo: Expr{Const: 1}, Hi: g.of(g.size), Step: Expr{Const: 1}}
	switch x := g.IntN(100); {
	case x < 10:
		l.Lo.Const, l.Hi.Const = 2, -1
	case x < 16:
		l.Lo, l.Hi, l.Step.Const = l.Hi, l.Lo, -1
	case x < 22:
		l.Step.Const = 2
	case x < 25:
		l.Step = g.of(g.gap)
	case x < 30:
		l.Hi = Expr{Const: 2 + g.IntN(3)}
	case x < 36 && len(g.open) > 0:
		l.Hi = g.of(g.open[g.IntN(len(g.open))].Var)
		l.Hi.Const = g.IntN(3) - 1
	case x < 40 && len(g.open) > 0:
		l.Lo = g.of(g.open[g.IntN(len(g.open))].Var)
		l.Lo.Const = g.IntN(3) - 1
	case x < 42 && len(g.counts) > 0:
		l.Hi = g.of(g.counts[0])
	case x < 45:
		l.Lo.Const = 0
	}
	g.open = append(g.open, l)
	l.Body = g.body()
	g.open = g.open[:len(g.open)-1]
	return l
}

func (g *growing) of(v int) Expr { return Expr{Terms: []Term{{Coef: 1, A: v}}} }

// body makes the statements of the innermost open loop.
func (g *growing) body() (list []Stmt) {
	deeper := len(g.open) < g.depth
	if deeper && g.maybe(60) {
		return []Stmt{g.loop()}
	}
	for range 1 + g.IntN(2) {
		list = append(list, g.statement(2)...)
	}
	if deeper {
		list = append(list, g.loop())
		if g.maybe(15) {
			list = append(list, g.loop())
		}
		if g.maybe(60) {
			list = append(list, g.statement(2)...)
		}
	} else if g.maybe(40) {
		list = append(list, g.statement(2)...)
	}
	return list
}

// statement makes one statement, or a few that belong together. Level limits nested IFs.
func (g *growing) statement(level int) []Stmt {
	x := g.IntN(100)
	switch {
	case x < 12 && g.work >= 0:
		return g.workArray()
	case x < 30:
		return []Stmt{&Assign{To: g.element(g.array(), true), From: g.operands(), Minus: g.maybe(40)}}
	case x < 36:
		return []Stmt{g.section()}
	case x < 44 && len(g.scalars) > 0: // set, then used
		s := Ref{Var: pick(g, g.scalars...)}
		return []Stmt{&Assign{To: s, From: g.operands()}, &Assign{To: g.element(g.array(), true), From: append(g.operands(), s)}}
	case x < 47 && len(g.scalars) > 0: // used, then set
		s := Ref{Var: pick(g, g.scalars...)}
		return []Stmt{&Assign{To: g.element(g.array(), true), From: append(g.operands(), s)}, &Assign{To: s, From: g.operands()}}
	case x < 57 && len(g.scalars) > 0:
		return []Stmt{&Update{To: Ref{Var: pick(g, g.scalars...)}, Op: pick(g, "+", "+", "+", "max", "min", "*"), From: g.operands(), Swap: g.maybe(25)}}
	case x < 62:
		return []Stmt{&Update{To: g.element(g.array(), true), Op: pick(g, "+", "+", "max"), From: g.operands()}}
	case x < 70 && g.histogram >= 0:
		return []Stmt{&Update{To: Ref{Var: g.histogram, Dims: []Dim{{Lo: g.wildly()}}}, Op: pick(g, "+", "+", "+", "min"), From: g.operands()}}
	case x < 80 && g.work >= 0:
		return g.workArray()
	case x < 83 && g.best >= 0:
		return []Stmt{&Place{Op: pick(g, "max", "max", "min"), From: g.element(g.array(), false), Best: g.best, At: g.at, Value: g.of(g.open[len(g.open)-1].Var)}}
	case x < 87 && len(g.counts) > 0:
		return []Stmt{g.count()}
	case x < 97 && level > 0:
		return []Stmt{g.guard(level)}
	}
	return []Stmt{&Assign{To: g.element(g.array(), true), From: g.operands()}}
}

// count sets an integer scalar from the loops, or carries it.
func (g *growing) count() Stmt {
	v := g.counts[0]
	value := g.subscript(len(g.open) - 1)
	if g.maybe(25) {
		value = g.of(v)
		value.Const = pick(g, 1, 1, 2, -1)
	}
	return &SetInt{Var: v, Value: value}
}

func (g *growing) guard(level int) Stmt {
	s := &If{Op: pick(g, "==", "<", ">", ">")}
	v := g.of(g.open[g.IntN(len(g.open))].Var)
	switch g.IntN(5) {
	case 0, 1:
		s.Left, s.Right = Expr{Terms: []Term{{Coef: 1, Kind: OfElement, A: pick(g, g.index...), Arg: &v}}}, Expr{Const: g.IntN(4)}
	case 2:
		s.Left, s.Right, s.Op = Expr{Terms: []Term{{Coef: 1, Kind: OfModulo, Arg: &v, C: 2}}}, Expr{Const: g.IntN(2)}, "=="
	case 3:
		s.Left, s.Right = v, Expr{Const: 1 + g.IntN(4)}
	case 4:
		s.Left, s.Right = v, g.of(g.size)
		s.Right.Const = -g.IntN(3)
	}
	if g.maybe(20) {
		of := g.open[g.IntN(len(g.open))]
		s.Then = []Stmt{&Jump{Of: of, Exit: g.maybe(30) && of != g.open[0] || g.maybe(5)}}
		return s
	}
	s.Then = g.statement(level - 1)
	if g.maybe(35) {
		s.Else = g.statement(level - 1)
	}
	return s
}
