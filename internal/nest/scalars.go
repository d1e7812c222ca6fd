package nest

import (
	"fmt"
	"slices"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/parts"
)

// scalars decides for each scalar that the loop sets: private, last value, reduction, or why it cannot be.
func (c *candidate) scalars() {
	w := c.w
	var list []datum
	for d := range w.sets {
		if c.declaredInside(d.root) || d.root == c.variable || c.isIndex(d.root) {
			continue
		}
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b datum) int { return comparePlaces(w.sets[a][0].at, w.sets[b][0].at) })
	var private []datum
	done := map[*scope.Symbol]bool{}
	for _, d := range list {
		if done[d.root] {
			continue
		}
		exposed := c.exposedPlaces(d)
		if d.path != "" && !c.ownStructure(d.root) {
			if r, ok := c.componentReduction(d); ok {
				c.reductions = append(c.reductions, r)
				continue
			}
		}
		if c.foreignScalar(d) || c.unfit(d) {
			done[d.root] = true
			continue
		}
		switch {
		case len(exposed) > 0 || w.lost:
			done[d.root] = true
			c.carried(d, exposed, done)
		default:
			private = append(private, d)
		}
	}
	c.privates(private, done)
	c.hidden()
}

// hidden refuses scalars that the loop reads and may set by another name: EQUIVALENCE, or COMMON that is declared in two ways. Pointers
// are compared at launch.
func (c *candidate) hidden() {
	for d, places := range c.w.exposed {
		if len(c.w.sets[d]) > 0 || len(d.root.Shares) == 0 && d.root.Common == "" {
			continue
		}
		c.refuse(Refusal{Rule: "overlap", At: places[0].point(), Remedy: "use a variable of its own",
			Text: fmt.Sprintf("'%s', read at %s, shares memory with what the loop sets (%s)", d.name(), c.placeLine(places[0]), sharing(d.root))})
	}
}

func comparePlaces(a, b token.Pos) int {
	if a.File != b.File {
		return int(a.File - b.File)
	}
	return int(a.Offset - b.Offset)
}

// declaredInside reports whether a variable is declared in a construct of the loop, so that each iteration has its own.
func (c *candidate) declaredInside(y *scope.Symbol) bool {
	for s := y.Scope; s != nil && s.Kind == scope.BlockScope; s = s.Parent {
		if s.Construct == nil || s.Construct == tree.Node(c.do) {
			continue
		}
		at := s.Construct.Info().Where.From
		if at.File == c.do.Where.From.File && at.Offset >= c.do.Where.From.Offset && at.Offset < parts.Behind(c.do).Offset {
			return !y.Saved
		}
	}
	return false
}

// isIndex reports whether y is an index of this DO CONCURRENT.
func (c *candidate) isIndex(y *scope.Symbol) bool {
	return c.do.Kind == tree.Concurrent && y.Scope == c.scope && slices.ContainsFunc(c.do.Indices, func(x tree.Index) bool { return x.Name == y.Name })
}

func (c *candidate) exposedPlaces(d datum) (list []place) {
	for _, e := range c.w.exposedOf[d.root] {
		if e.overlaps(d) {
			list = append(list, c.w.exposed[e]...)
		}
	}
	slices.SortFunc(list, func(a, b place) int { return comparePlaces(a.point(), b.point()) })
	return list
}

// foreignScalar refuses scalars that called procedures set by their own names, or read while the loop sets them.
func (c *candidate) foreignScalar(d datum) bool {
	for _, p := range c.w.sets[d] {
		if p.foreign {
			c.refuse(Refusal{Rule: "call-effect", At: p.call, Also: []token.Pos{p.at}, Remedy: "return the value as an argument",
				Text: fmt.Sprintf("%s, called at %s, changes the %s '%s' (%s)", c.calledName(p), c.w.line(p.call), kindOfData(d.root), d.name(), c.w.effects.fileLine(p.at))})
			return true
		}
	}
	foreign := c.w.foreign
	c.f.effects.budget.spend(2 * int64(len(foreign)))
	for e, p := range foreign {
		if e.overlaps(d) || sameBlockOtherNames(e.root, d.root) {
			c.refuse(Refusal{Rule: "call-effect", At: p.call, Also: []token.Pos{p.at}, Remedy: "pass it as an argument",
				Text: fmt.Sprintf("%s, called at %s, uses the %s '%s', which the loop sets (%s)", c.calledName(p), c.w.line(p.call), kindOfData(d.root), d.name(), c.w.effects.fileLine(p.at))})
			return true
		}
	}
	return false
}

// calledName is the name of the procedure that the statement of a place calls.
func (c *candidate) calledName(p place) string {
	for _, call := range c.w.calls {
		at := token.Pos{}
		if call.Expression != nil {
			at = call.Expression.Span().From
		} else if call.Statement != nil {
			at = call.Statement.Info().Where.From
		}
		if at == p.call {
			return "'" + call.Procedure.Name + "'"
		}
	}
	return "a procedure"
}

func kindOfData(y *scope.Symbol) string {
	switch {
	case y.Common != "":
		return "COMMON variable"
	case y.Scope != nil && procedure(y.Scope).Kind == scope.ModuleScope:
		return "module variable"
	}
	return "variable"
}

func (m *summaries) fileLine(at token.Pos) string {
	return fmt.Sprintf("%s:%d", m.fileName(at.File), at.Line)
}

// unfit refuses scalars that cannot be private.
func (c *candidate) unfit(d datum) bool {
	at := c.w.sets[d][0]
	refuse := func(text, remedy string) bool {
		c.refuse(Refusal{Rule: "not-converted", At: at.point(), Text: "'" + d.name() + "', set at " + c.placeLine(at) + ", " + text, Remedy: remedy})
		return true
	}
	switch {
	case d.root.ThreadPrivate:
		return refuse("is THREADPRIVATE", "use a local variable")
	case d.root.Volatile:
		return refuse("is VOLATILE", "use a local variable")
	case d.path != "" && !c.ownStructure(d.root):
		return refuse("is a component that all iterations share", "use a local variable in the loop")
	case c.w.pointing[d.root]:
		return refuse("belongs to a structure whose pointers the loop uses", "use the arrays themselves, and local variables")
	case d.root.Pointer:
		return refuse("is a pointer to a variable that all iterations share", "use a local variable in the loop")
	case len(d.root.Shares) > 0:
		return refuse("shares memory by EQUIVALENCE", "use a local variable in the loop")
	case d.root.Target && c.otherPointer(d.root) != "":
		return refuse("may be the target of the pointer '"+c.otherPointer(d.root)+"', which the loop uses", "use a local variable without TARGET")
	case d.root.Coarray:
		return refuse("is a coarray", "use a local variable in the loop")
	case d.root.Type.Base == scope.Character:
		return refuse("is a text", "move the work on it out of the loop")
	case d.root.Type.Base == scope.Class:
		return refuse("is polymorphic", "use TYPE instead of CLASS")
	}
	return false
}

// ownStructure reports whether an iteration sets all components of a structure that it reads: then the structure can be private.
func (c *candidate) ownStructure(y *scope.Symbol) bool {
	_, inquired := c.w.inquired[y]
	return len(y.Dims) == 0 && !c.w.unset[y] && (!inquired || c.setsPart(y)) && len(c.exposedPlaces(datum{root: y})) == 0
}

// carried is a scalar that may be read before its iteration sets it.
func (c *candidate) carried(d datum, exposed []place, done map[*scope.Symbol]bool) {
	r, ok := c.reduction(d.root)
	if ok {
		c.reductions = append(c.reductions, r)
		for _, p := range r.Place {
			done[p] = true
		}
		return
	}
	if c.asked != nil {
		if op, asked := c.asked.Reductions[d.root.Name]; asked && c.mayReduce(d.root, op) {
			c.asserted = true
			c.reductions = append(c.reductions, Reduction{Symbol: d.root, Operator: op, Statements: c.settingStatements(d)})
			return
		}
	}
	set := c.w.sets[d]
	first := set[0]
	read := first
	if len(exposed) > 0 {
		read = exposed[0]
	}
	if c.w.lost && len(exposed) == 0 {
		return // another refusal says why
	}
	before := len(exposed) > 0 && read.after
	also := []token.Pos{first.point()}
	for _, p := range set[1:] {
		if len(also) < 4 && !slices.Contains(also, p.point()) {
			also = append(also, p.point())
		}
	}
	if before && c.asked != nil && slices.Contains(c.asked.Private, d.root.Name) {
		c.asserted = true
		c.private = append(c.private, d.root)
		return
	}
	if before {
		c.refuse(Refusal{Rule: "conditional-scalar", At: read.point(), Also: also, Remedy: "set it on every path, or add private(" + d.root.Name + ") if it is never read without being set",
			Text: fmt.Sprintf("'%s' is set under a condition at %s and read at %s", d.name(), c.placeLine(first), c.placeLine(read))})
		return
	}
	for _, p := range c.naming(d.root) {
		if len(also) < 6 && !slices.ContainsFunc(also, func(q token.Pos) bool { return q.Line == p.Line }) {
			also = append(also, p)
		}
	}
	remedy := "compute it from the loop variables, or make it a local value of the iteration"
	if n, ok := first.node.(*tree.Assignment); ok && mentions(c.scopeAt(n), n.Right, d.root) > 0 {
		remedy = "compute it from the loop variables, or write it as a reduction"
	}
	c.refuse(Refusal{Rule: "carried-scalar", At: read.point(), Also: also, Remedy: remedy,
		Text: fmt.Sprintf("'%s' carries a value from one iteration to the next: read at %s, set at %s", d.name(), c.placeLine(read), c.placeLine(first))})
}

func (c *candidate) settingStatements(d datum) (list []tree.Node) {
	for _, p := range c.w.sets[d] {
		if p.node != nil && !slices.Contains(list, p.node) {
			list = append(list, p.node)
		}
	}
	return list
}

// privates are the scalars that each iteration sets before it reads them. Those that are used behind the loop need their last value.
func (c *candidate) privates(list []datum, done map[*scope.Symbol]bool) {
	var roots []*scope.Symbol
	for _, d := range list {
		if !done[d.root] && !slices.Contains(roots, d.root) {
			roots = append(roots, d.root)
		}
	}
	if len(roots) == 0 {
		return
	}
	live := c.f.liveAfter(c.cx, c.do, roots, nil)
	cut := c.f.cut
	for _, y := range roots {
		d := datum{root: y}
		where, isLive := live[y]
		asked := c.asked != nil && slices.Contains(c.asked.Private, y.Name)
		switch {
		case !isLive || asked || slices.Contains(c.own, y):
			c.private = append(c.private, y)
		case c.end.isSet(d) || c.end.dead:
			c.private = append(c.private, y)
			c.last = append(c.last, y)
		default:
			if r, ok := c.constantReduction(y); ok {
				c.reductions = append(c.reductions, r)
				continue
			}
			set := c.firstSet(y)
			text := fmt.Sprintf("'%s' is used behind the procedure, not every iteration sets it (%s)", y.Name, c.placeLine(set))
			if where.Known() {
				text = fmt.Sprintf("'%s' is used at %s, not every iteration sets it (%s)", y.Name, c.w.line(where), c.placeLine(set))
			}
			if cut && !where.Known() {
				text = fmt.Sprintf("the statements behind the loop are too many to see if '%s' is used; not every iteration sets it (%s)", y.Name, c.placeLine(set))
			}
			r := Refusal{Rule: "last-value", At: set.point(), Text: text, Remedy: "set it in each iteration, or add private(" + y.Name + ") if its value is not used behind the loop", Loop: c.variable.Name}
			if where.Known() {
				r.Also = []token.Pos{where}
			}
			c.unsure = append(c.unsure, unsure{y, r, c.lastReduction(y)})
		}
	}
}

// firstSet is the first place that sets a variable or a component of it.
func (c *candidate) firstSet(y *scope.Symbol) (p place) {
	for d, places := range c.w.sets {
		if d.root == y && (p.node == nil || comparePlaces(places[0].at, p.at) < 0) {
			p = places[0]
		}
	}
	return p
}

// settle decides about the unsure last values: inner is the innermost parallel loop, whose iterations may set them all.
func (c *candidate) settle(inner *candidate) {
	for _, u := range c.unsure {
		if inner != nil && inner != c && inner.end.isSet(datum{root: u.symbol}) {
			c.private = append(c.private, u.symbol)
			c.last = append(c.last, u.symbol)
			continue
		}
		if u.last.Operator == LastSet {
			c.reductions = append(c.reductions, u.last)
			continue
		}
		c.refusals = append(c.refusals, u.refusal)
	}
	c.unsure = nil
}

// mentioned tells which statements of a loop name what.
type mentioned struct {
	statements []statement
	by         map[*scope.Symbol][]int // numbers of the statements that name a variable, also by a name of ASSOCIATE
	texts      map[string]int          // how often a component is named
	places     map[string][]token.Pos  // of names in expressions
	indices    map[string]bool         // variables of DO
	scopes     map[tree.Node]*scope.Scope
}

// statement is a statement of a loop with the scope that it stands in, and that of its own expressions. last is the number of the last
// statement inside of it.
type statement struct {
	node         tree.Node
	scope, inner *scope.Scope
	last         int
}

// mentions makes the index of the loop's statements once.
func (c *candidate) mentions() *mentioned {
	if c.mentioned != nil {
		return c.mentioned
	}
	m := &mentioned{by: map[*scope.Symbol][]int{}, texts: map[string]int{}, places: map[string][]token.Pos{}, indices: map[string]bool{}, scopes: map[tree.Node]*scope.Scope{}}
	c.mentioned = m
	var walk func(s *scope.Scope, body []tree.Node)
	walk = func(s *scope.Scope, body []tree.Node) {
		for _, n := range body {
			if n == nil {
				continue
			}
			c.f.effects.budget.spend(50)
			inside := s
			if x := c.f.program.Inside(n); x != nil {
				inside = x
			}
			at := len(m.statements)
			m.statements = append(m.statements, statement{n, s, inside, at})
			m.scopes[n] = s
			if d, ok := n.(*tree.Do); ok {
				m.indices[d.Variable] = true
				if d.Kind == tree.Counted {
					m.name(s.Lookup(d.Variable), at, 0)
				}
			}
			for _, e := range parts.Expressions(n) {
				parts.Every(e, func(x tree.Expression) {
					switch x := x.(type) {
					case *tree.Name:
						m.places[x.Name] = append(m.places[x.Name], x.Where.From)
						m.name(inside.Lookup(x.Name), at, 0)
						if inside != s {
							m.name(s.Lookup(x.Name), at, 0)
						}
					case *tree.Component:
						m.texts[parts.Show(x)]++
					}
				})

			}
			for _, b := range parts.Blocks(n) {
				walk(inside, b)
			}
			m.statements[at].last = len(m.statements) - 1
		}
	}
	walk(c.scope, c.do.Body)
	return m
}

// name notes that statement at names y, and what y stands for.
func (m *mentioned) name(y *scope.Symbol, at, depth int) {
	if list := m.by[y]; len(list) > 0 && list[len(list)-1] == at {
		return
	}
	m.by[y] = append(m.by[y], at)
	if y.Kind != scope.Alias || y.Alias == nil || y.Scope == nil || y.Scope.Parent == nil {
		return
	}
	parts.Every(y.Alias, func(x tree.Expression) {
		if n, ok := x.(*tree.Name); ok {
			m.name(y.Scope.Parent.Lookup(n.Name), at, depth+1)
		}
	})

}

// scopeAt is the scope of a statement of the loop.
func (c *candidate) scopeAt(n tree.Node) *scope.Scope {
	if s := c.mentions().scopes[n]; s != nil {
		return s
	}
	return c.scope
}

// mentions counts how often an expression names a variable.
func mentions(s *scope.Scope, e tree.Expression, y *scope.Symbol) (count int) {
	parts.Every(e, func(x tree.Expression) {
		if n, ok := x.(*tree.Name); ok {
			if z := s.Lookup(n.Name); z == y || z.Kind == scope.Alias && aliasOf(z, y) {
				count++
			}
		}
	})

	return count
}

// aliasOf reports whether a name of ASSOCIATE stands for y or for something made of y.
func aliasOf(z, y *scope.Symbol) bool {
	return z.Alias != nil && z.Scope != nil && z.Scope.Parent != nil && mentions(z.Scope.Parent, z.Alias, y) > 0
}
