package nest

import (
	"slices"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/parts"
)

// reduction finds out whether all uses of y in the loop are steps of one reduction.
func (c *candidate) reduction(y *scope.Symbol) (r Reduction, ok bool) {
	if !reducible(y) {
		return r, false
	}
	if _, foreign := c.w.foreign[datum{root: y}]; foreign {
		return r, false
	}
	s := &reductionSearch{c: c, y: y, r: Reduction{Symbol: y}}
	s.search()
	if s.failed || s.r.Operator == "" {
		return r, false
	}
	if len(s.r.Place) > 0 && len(s.r.Statements) > 1 {
		return r, false // the places of several minima would have to agree
	}
	for _, p := range s.r.Place {
		if !c.placeOnly(p, s.r.Statements[0]) {
			return r, false
		}
	}
	return s.r, true
}

// componentReduction finds out whether all uses of a component are steps of one reduction: t%s = t%s + x.
func (c *candidate) componentReduction(d datum) (r Reduction, ok bool) {
	text := ""
	for _, p := range c.w.sets[d] {
		n, is := p.node.(*tree.Assignment)
		if !is || p.call.Known() || p.foreign {
			return r, false
		}
		if _, is = n.Left.(*tree.Component); !is || text != "" && text != parts.Show(n.Left) {
			return r, false
		}
		in := c.scopeAt(n)
		t, _ := in.TypeOf(n.Left)
		y := in.Component(n.Left.(*tree.Component))
		if y == nil || !reducible(y) || in.Symbol(n.Left).Kind == scope.Alias {
			return r, false
		}
		text = parts.Show(n.Left)
		self := func(e tree.Expression) bool { return parts.Show(e) == text }
		op, is := combination(in, n.Right, self, t.Base)
		if !is || r.Operator != "" && r.Operator != op {
			return r, false
		}
		r.Operator, r.Object = op, n.Left
		r.Statements = append(r.Statements, n)
	}
	for _, e := range slices.Concat(c.w.exposedOf[d.root], c.w.setOf[d.root]) {
		if e != d && e.overlaps(d) {
			return r, false
		}
	}
	c.f.effects.budget.spend(10 * int64(len(c.w.accesses)))
	if c.f.effects.budget.over() {
		return r, false
	}
	for _, a := range c.w.accesses {
		if a.ref.datum().overlaps(d) {
			return r, false
		}
	}
	for e := range c.w.foreign {
		if e.overlaps(d) {
			return r, false
		}
	}
	count := c.mentions().texts[text]
	r.Symbol = d.root
	return r, len(r.Statements) > 0 && count == 2*len(r.Statements) && len(c.w.exposed[d]) == len(r.Statements)
}

func reducible(y *scope.Symbol) bool {
	switch y.Type.Base {
	case scope.Integer, scope.Real, scope.Logical, scope.ComplexType:
		return len(y.Dims) == 0 && !y.Pointer && !y.Volatile && len(y.Shares) == 0
	}
	return false
}

type reductionSearch struct {
	c      *candidate
	y      *scope.Symbol
	r      Reduction
	failed bool
}

// search goes through the statements that name the variable: each has to be a step.
func (s *reductionSearch) search() {
	m := s.c.mentions()
	done := -1 // the last statement of an extremum
	for _, at := range m.by[s.y] {
		if at <= done {
			continue
		}
		n, is := m.statements[at], false
		switch x := n.node.(type) {
		case *tree.Assignment:
			var op Operator
			if op, is = stepOf(n.scope, x, s.y); is {
				s.found(op, x)
			}
		case *tree.If:
			var op Operator
			var place []*scope.Symbol
			var strict bool
			if op, place, strict, is = s.extremum(n.scope, x); is {
				s.found(op, x)
				s.r.Place, s.r.Strict = place, strict
				done = n.last
			}
		}
		if !is {
			s.failed = true
		}
		if s.failed {
			return
		}
	}
}

func (s *reductionSearch) found(op Operator, n tree.Node) {
	if s.r.Operator != "" && s.r.Operator != op {
		s.failed = true
	}
	s.r.Operator = op
	s.r.Statements = append(s.r.Statements, n)
}

// stepOf recognises y = y op e.
func stepOf(in *scope.Scope, n *tree.Assignment, y *scope.Symbol) (op Operator, is bool) {
	left, ok := n.Left.(*tree.Name)
	if !ok || in.Lookup(left.Name) != y || mentions(in, n.Right, y) != 1 {
		return "", false
	}
	self := func(e tree.Expression) bool {
		m, ok := e.(*tree.Name)
		return ok && in.Lookup(m.Name) == y
	}
	return combination(in, n.Right, self, y.Type.Base)
}

// combination recognises an expression that combines itself with something by one operator.
func combination(in *scope.Scope, e tree.Expression, self func(tree.Expression) bool, base scope.Base) (op Operator, is bool) {
	for {
		p, ok := e.(*tree.Parenthesis)
		if !ok {
			break
		}
		e = p.X
	}
	if t, _ := in.TypeOf(e); base == scope.Integer && t.Base != scope.Integer {
		return "", false // n = n - 0.5 cuts each sum: partial sums would be cut in other places
	}
	switch e := e.(type) {
	case *tree.Binary:
		switch e.Operator {
		case "+", "-":
			return "+", additive(e, self) && base != scope.Logical
		case "*":
			return "*", factor(e, self) && base != scope.Logical
		case ".and.", ".or.", ".eqv.", ".neqv.":
			return Operator(e.Operator), operand(e, e.Operator, self) && base == scope.Logical
		}
	case *tree.Reference:
		name, ok := e.Base.(*tree.Name)
		if !ok {
			return "", false
		}
		if meaning, _ := in.Meaning(e); meaning != scope.IntrinsicCall {
			return "", false
		}
		op, known := reducingFunctions[name.Name]
		if !known {
			return "", false
		}
		for i := range e.Arguments {
			if self(e.Arguments[i].Value) && e.Arguments[i].Keyword == "" {
				return op, true
			}
		}
	}
	return "", false
}

var reducingFunctions = map[string]Operator{"min": "min", "max": "max", "amin1": "min", "amax1": "max", "dmin1": "min", "dmax1": "max", "min0": "min",
	"max0": "max", "iand": "iand", "ior": "ior", "ieor": "ieor"}

// additive finds self as a term with the sign +.
func additive(e tree.Expression, self func(tree.Expression) bool) bool {
	b, ok := e.(*tree.Binary)
	if !ok || b.Operator != "+" && b.Operator != "-" {
		return self(e)
	}
	return additive(b.X, self) || b.Operator == "+" && additive(b.Y, self)
}

func factor(e tree.Expression, self func(tree.Expression) bool) bool { return operand(e, "*", self) }

func operand(e tree.Expression, operator string, self func(tree.Expression) bool) bool {
	b, ok := e.(*tree.Binary)
	if !ok || b.Operator != operator {
		return self(e)
	}
	return operand(b.X, operator, self) || operand(b.Y, operator, self)
}

// extremum recognises IF (e > y) y = e, with places that are set together with y.
func (s *reductionSearch) extremum(in *scope.Scope, n *tree.If) (op Operator, place []*scope.Symbol, strict, is bool) {
	if len(n.Branches) != 1 || n.HasElse || s.y.Type.Base != scope.Integer && s.y.Type.Base != scope.Real {
		return "", nil, false, false
	}
	condition := n.Branches[0].Condition
	for {
		p, ok := condition.(*tree.Parenthesis)
		if !ok {
			break
		}
		condition = p.X
	}
	b, ok := condition.(*tree.Binary)
	if !ok {
		return "", nil, false, false
	}
	self := func(e tree.Expression) bool {
		m, ok := e.(*tree.Name)
		return ok && in.Lookup(m.Name) == s.y
	}
	other, relation := b.X, b.Operator
	switch {
	case self(b.Y):
	case self(b.X):
		other = b.Y
		relation = map[string]string{"<": ">", ">": "<", "<=": ">=", ">=": "<="}[relation]
	default:
		return "", nil, false, false
	}
	op, known := map[string]Operator{"<": "min", "<=": "min", ">": "max", ">=": "max"}[relation]
	if !known || mentions(in, other, s.y) > 0 {
		return "", nil, false, false
	}
	if t, _ := in.TypeOf(other); t.Base != s.y.Type.Base || t.Kind != s.y.Type.Kind {
		return "", nil, false, false // the value that is kept is not the value that was compared
	}
	sets := false
	for _, m := range n.Branches[0].Body {
		a, ok := m.(*tree.Assignment)
		if !ok {
			return "", nil, false, false
		}
		left, ok := a.Left.(*tree.Name)
		if !ok || mentions(in, a.Right, s.y) > 0 {
			return "", nil, false, false
		}
		y := in.Lookup(left.Name)
		switch {
		case y == s.y:
			if sets || parts.Show(a.Right) != parts.Show(other) {
				return "", nil, false, false
			}
			sets = true
		case reducible(y) && !slices.Contains(place, y) && mentions(in, other, y) == 0:
			place = append(place, y)
		default:
			return "", nil, false, false
		}
	}
	for _, m := range n.Branches[0].Body { // places are not used inside
		for _, p := range place {
			if mentions(in, m.(*tree.Assignment).Right, p) > 0 {
				return "", nil, false, false
			}
		}
	}
	return op, place, relation == "<" || relation == ">", sets
}

// placeOnly reports whether a variable is named in the loop only where the extremum's statement sets it.
func (c *candidate) placeOnly(p *scope.Symbol, statement tree.Node) bool {
	if _, foreign := c.w.foreign[datum{root: p}]; foreign {
		return false
	}
	m := c.mentions()
	done := -1
	for _, at := range m.by[p] {
		if at > done && m.statements[at].node != statement {
			for k := at; k >= 0; k-- { // inside of the statement?
				if m.statements[k].node == statement {
					done = m.statements[k].last
					break
				}
			}
			if at > done {
				return false
			}
		}
	}
	return true
}

// constantReduction recognises flags: all statements set y to the same logical constant, and nothing reads it.
func (c *candidate) constantReduction(y *scope.Symbol) (r Reduction, ok bool) {
	if y.Type.Base != scope.Logical || !reducible(y) {
		return r, false
	}
	r.Symbol = y
	for _, p := range c.w.sets[datum{root: y}] {
		n, is := p.node.(*tree.Assignment)
		if !is || p.call.Known() {
			return r, false
		}
		left, is := n.Left.(*tree.Name)
		if !is || c.scopeAt(n).Lookup(left.Name) != y {
			return r, false
		}
		v, is := c.scopeAt(n).Constant(n.Right)
		if !is || v.Type.Base != scope.Logical {
			return r, false
		}
		op := Operator(".and.")
		if v.Logical {
			op = ".or."
		}
		if r.Operator != "" && r.Operator != op {
			return r, false
		}
		r.Operator = op
		r.Statements = append(r.Statements, n)
	}
	return r, len(r.Statements) > 0 && len(c.mentions().by[y]) == len(r.Statements)
}

// lastReduction is a scalar that some iterations set by assignments of the loop's own text, each before it reads it. Others have no operator.
func (c *candidate) lastReduction(y *scope.Symbol) (r Reduction) {
	if !reducible(y) || y.Allocatable {
		return r
	}
	for _, d := range c.w.setOf[y] {
		for _, p := range c.w.sets[d] {
			n, is := p.node.(*tree.Assignment)
			if !is || p.call.Known() || p.foreign || d.path != "" {
				return Reduction{}
			}
			left, is := n.Left.(*tree.Name)
			if !is || c.scopeAt(n).Lookup(left.Name) != y {
				return Reduction{}
			}
			if !slices.Contains(r.Statements, tree.Node(n)) {
				r.Statements = append(r.Statements, n)
			}
		}
	}
	if len(r.Statements) > 0 {
		r.Symbol, r.Operator = y, LastSet
	}
	return r
}

// mayReduce reports whether a reduction that the user wrote contradicts no statement.
func (c *candidate) mayReduce(y *scope.Symbol, op Operator) bool {
	if !reducible(y) {
		return false
	}
	ok := true
	for _, p := range c.w.sets[datum{root: y}] {
		n, is := p.node.(*tree.Assignment)
		if !is || p.call.Known() {
			continue
		}
		in := c.scopeAt(n)
		if found, is := stepOf(in, n, y); is && found != op {
			ok = false
		}
		if t, _ := in.TypeOf(n.Right); y.Type.Base == scope.Integer && t.Base != scope.Integer {
			ok = false // each step cuts its value, which partial results would do in other places
		}
	}
	return ok
}
