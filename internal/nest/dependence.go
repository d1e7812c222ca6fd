package nest

import (
	"fmt"
	"slices"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/nest/affine"
	"libportable/internal/nest/parts"
)

// conflict is a pair of references that two iterations may use for one element.
type conflict struct {
	a, b     access
	distance int64
	exact    bool
	same     bool // all iterations use the same elements
	strides  bool
	opaque   bool // an index has a value that is no multiple of loop variables
	varies   bool // in both references that value is one of the loop's index
	onesided bool // one of both has no loop index
	index    *scope.Symbol
	whole    bool
}

// mostPairs bounds the pairs of one array, mostHard those pairs of a loop that need more than a look at their indices.
const (
	mostPairs = 20000
	mostHard  = 1500
)

// arrays decides for each array that the loop writes.
func (c *candidate) arrays() {
	byRoot := map[*scope.Symbol][]access{}
	var roots []*scope.Symbol
	var open []undecided
	for _, a := range c.w.accesses {
		y := a.ref.steps[0].symbol
		if c.declaredInside(y) {
			continue
		}
		if byRoot[y] == nil {
			roots = append(roots, y)
		}
		c.foreignMay = c.foreignMay || a.where.foreign && a.mayPoint()
		byRoot[y] = append(byRoot[y], a)
	}
	commons := map[string][]*scope.Symbol{}
	for _, y := range roots {
		if y.Common != "" {
			commons[y.Common] = append(commons[y.Common], y)
		}
	}
	for _, y := range roots {
		list := byRoot[y]
		written := slices.ContainsFunc(list, func(a access) bool { return a.write })
		own := c.privateScalars(y)
		if y.Volatile && written {
			c.refuse(Refusal{Rule: "not-converted", At: list[0].where.point(), Text: "'" + y.Name + "' is VOLATILE", Remedy: "use an array without VOLATILE"})
		}
		if y.ThreadPrivate {
			c.refuse(Refusal{Rule: "not-converted", At: list[0].where.point(), Text: "'" + y.Name + "' is THREADPRIVATE", Remedy: "use an array without THREADPRIVATE"})
		}
		if !written {
			c.sharedWith(y, list, byRoot, commons)
			if own {
				open = append(open, undecided{y, list, nil})
			}
			continue
		}
		c.foreignPointer(list)
		c.scalarPointer(list)
		c.foreignTarget(list, roots, byRoot)
		c.f.effects.budget.spend(40 * int64(len(list)))
		conflicts := c.pairs(y, distinct(list))
		if c.tooMany {
			c.refuse(Refusal{Rule: "not-read", At: list[0].where.point(), Text: fmt.Sprintf("'%s' has too many different references to be compared", y.Name), Remedy: "split the loop"})
			c.tooMany = false
			continue
		}
		c.sharedWith(y, list, byRoot, commons)
		if len(conflicts) > 0 || own {
			open = append(open, undecided{y, list, conflicts})
		}
	}
	for _, u := range open {
		for _, a := range u.list {
			c.cover = append(c.cover, a.ref.datum())
		}
	}
	for _, u := range open {
		if c.privateScalars(u.root) {
			c.structure(u.root, u.list)
			continue
		}
		c.decide(u.root, u.list, u.conflicts)
	}
	if len(c.sums) > 0 { // a loop over steps that adds up what each of them computes: better the loops inside
		c.refusals = append(c.refusals, c.kept...)
	}
}

// privateScalars reports whether y is a structure of which each iteration has its own, because of its scalar components. One that each iteration sets as a
// whole needs no look at its arrays.
func (c *candidate) privateScalars(y *scope.Symbol) bool {
	if y.Type.Base != scope.Derived || len(y.Dims) > 0 || c.end.isSet(datum{root: y}) && !c.end.dead {
		return false
	}
	return slices.Contains(c.private, y) || slices.ContainsFunc(c.unsure, func(u unsure) bool { return u.symbol == y })
}

// structure refuses a structure whose scalar components are private where its arrays cannot be.
func (c *candidate) structure(y *scope.Symbol, list []access) {
	private, why := c.privateArray(y, c.asked != nil && slices.Contains(c.asked.Private, y.Name))
	if private {
		return
	}
	if why.Rule == "" {
		why = Refusal{Rule: "private-array", At: list[0].where.point(), Remedy: "use variables of their own for the scalar components that the loop sets",
			Text: fmt.Sprintf("'%s' has scalar components that each iteration sets, but its arrays cannot be private: %s at %s", y.Name, parts.Show(list[0].ref.node), c.placeLine(list[0].where))}
	}
	c.refuse(why)
}

// undecided is an array with conflicts.
type undecided struct {
	root      *scope.Symbol
	list      []access
	conflicts []conflict
}

// foreignPointer refuses pointers of modules that called procedures write: launches cannot compare them.
func (c *candidate) foreignPointer(list []access) {
	for _, a := range list {
		if a.write && a.where.foreign && (a.ref.last().Pointer || a.ref.steps[0].symbol.Pointer) {
			c.refuse(Refusal{Rule: "call-effect", At: a.where.point(), Also: []token.Pos{a.where.at}, Remedy: "pass it as an argument",
				Text: fmt.Sprintf("%s, called at %s, writes through the pointer '%s'", c.calledName(a.where), c.w.line(a.where.call), a.ref.datum().name())})
			return
		}
	}
}

// distinct removes references that are equal to earlier ones.
func distinct(list []access) (out []access) {
	seen := map[string]bool{}
	for _, a := range list {
		var key strings.Builder
		fmt.Fprint(&key, a.write, a.ref.datum().path)
		for _, s := range a.ref.subs() {
			fmt.Fprint(&key, ",", s.lo.Key(), ":", s.hi.Key(), ":", s.stride, s.point)
		}
		for _, f := range a.facts {
			key.WriteString(";" + f.Key())
		}
		if text := key.String(); !seen[text] {
			seen[text] = true
			out = append(out, a)
		}
	}
	return out
}

// sharedWith finds arrays of other names that share memory with y by EQUIVALENCE or COMMON, where one of both is written.
func (c *candidate) sharedWith(y *scope.Symbol, list []access, byRoot map[*scope.Symbol][]access, commons map[string][]*scope.Symbol) {
	written := slices.ContainsFunc(list, func(a access) bool { return a.write })
	clash := func(z *scope.Symbol) {
		others := byRoot[z]
		sets := c.w.sets[datum{root: z}]
		if len(others) == 0 && len(sets) == 0 || !written && !slices.ContainsFunc(others, func(a access) bool { return a.write }) && len(sets) == 0 {
			return
		}
		at := list[0].where
		c.refuse(Refusal{Rule: "overlap", At: at.point(), Text: fmt.Sprintf("'%s' and '%s' share memory (%s)", y.Name, z.Name, sharing(y)), Remedy: "use arrays of their own"})
	}
	for _, z := range y.Shares {
		clash(z)
	}
	if y.Common != "" {
		for _, z := range commons[y.Common] {
			if z.Scope != y.Scope {
				clash(z)
			}
		}
	}
}

func sharing(y *scope.Symbol) string {
	if len(y.Shares) > 0 {
		return "EQUIVALENCE"
	}
	return "COMMON " + y.Common + " is declared in different ways"
}

// pairs compares all references of one array, one of each pair a write.
func (c *candidate) pairs(y *scope.Symbol, list []access) (conflicts []conflict) {
	writes := 0
	for _, a := range list {
		if a.write {
			writes++
		}
	}
	if writes*len(list) > mostPairs {
		c.tooMany = true
		return nil
	}
	for i, a := range list {
		for k := i; k < len(list); k++ {
			b := list[k]
			if !a.write && !b.write {
				continue
			}
			if c.tooMany {
				return nil
			}
			if x, is := c.pair(a, b); is {
				conflicts = append(conflicts, x)
			}
		}
	}
	return conflicts
}

// pair finds out whether two iterations may use one element in a and b, if the given facts about both hold, too.
func (c *candidate) pair(a, b access, more ...affine.Form) (x conflict, is bool) {
	x = conflict{a: a, b: b}
	left, right, apart := comparable(a.ref, b.ref)
	if apart {
		return x, false
	}
	w := c.w
	twin := w.table.Twins(b.facts)
	facts := append(append(append(w.table.Always[:len(w.table.Always):len(w.table.Always)], a.facts...), twin...), more...)
	i := w.loop
	k := w.table.TwinOf(i)
	x.same = true
	proof := Proof{Loop: c.variable.Name, Array: a.ref.datum().name(), A: a.where.at, B: b.where.at}
	type pending struct {
		p, q affine.Form
		at   int
	}
	var open []pending
	var extra affine.Facts
	for d := range left {
		s, t := left[d], right[d]
		p, f := w.element(s)
		q, g := w.element(t)
		extra = append(extra, f...)
		q = w.table.Twin(q)
		extra = append(extra, w.table.Twins(g)...)
		if s.index != nil && x.index == nil {
			x.index = s.index
		} else if t.index != nil && x.index == nil {
			x.index = t.index
		}
		if !p.Known() || !q.Known() {
			x.same = false
			continue
		}
		o := w.table.Separate(p, q, i, k, nil)
		if o.Way != affine.Undecided {
			proof.Dimension, proof.Way = d+1, o.Way.String()
			c.proofs = append(c.proofs, proof)
			return x, false
		}
		if o.Exact && o.Distance != 0 {
			x.exact, x.distance = true, o.Distance
		}
		hasLoop := s.lo.Has(w.isLoop) || s.hi.Has(w.isLoop) || t.lo.Has(w.isLoop) || t.hi.Has(w.isLoop)
		x.same = x.same && !hasLoop
		if w.opaqueIndex(p) || w.opaqueIndex(q) {
			x.opaque = true
			x.varies = x.varies || w.ofLoop(p) && w.ofLoop(q)
		}
		if o.Strides && !hasBoth(p, q, i, k) {
			x.onesided = true
		} else {
			x.strides = x.strides || o.Strides
		}
		open = append(open, pending{p, q, d})
	}
	w.spend(int64(50 + 5*len(facts)))
	if c.hard++; c.hard > mostHard || c.f.effects.budget.over() {
		c.tooMany = true
		return x, true
	}
	facts = append(facts, extra...)
	facts = append(facts, w.quotients(facts, affine.Facts{})...)
	for _, d := range open {
		if o := w.table.Separate(d.p, d.q, i, k, facts); o.Way != affine.Undecided {
			proof.Dimension, proof.Way = d.at+1, o.Way.String()
			c.proofs = append(c.proofs, proof)
			return x, false
		}
	}
	for at, d := range open {
		if len(open) < 2 {
			break
		}
		others := facts
		for other, e := range open {
			if other != at {
				others = others.And(e.p.Minus(e.q), e.q.Minus(e.p))
			}
		}
		if o := w.table.Separate(d.p, d.q, i, k, others); o.Way != affine.Undecided {
			proof.Dimension, proof.Way = d.at+1, "dimensions together"
			c.proofs = append(c.proofs, proof)
			return x, false
		}
	}
	if w.table.Same(i, k, facts) {
		proof.Way = affine.OneIteration.String()
		c.proofs = append(c.proofs, proof)
		return x, false
	}
	x.whole = len(left) > 0 && (a.write && isFull(left) || b.write && isFull(right))
	return x, true
}

// opaqueIndex reports whether a form has a varying value that is neither a loop's index nor read from an array.
func (w *walker) opaqueIndex(f affine.Form) bool {
	return f.Has(func(a affine.Atom) bool {
		return w.table.Varies(affine.Of(a)) && !w.isIndex[w.table.Original(a)] && w.notes[a] == nil
	})
}

// ofLoop reports whether a form has the value of a function that the index of the loop goes into.
func (w *walker) ofLoop(f affine.Form) bool {
	return f.Has(func(a affine.Atom) bool { return w.ofIndex[w.table.Original(a)] })
}

func hasBoth(p, q affine.Form, i, k affine.Atom) bool {
	return p.Has(func(a affine.Atom) bool { return a == i }) && q.Has(func(a affine.Atom) bool { return a == k })
}

// constantIndex reports whether one of the references has constant subscripts only.
func constantIndex(x conflict) bool {
	for _, r := range []ref{x.a.ref, x.b.ref} {
		if !slices.ContainsFunc(r.subs(), func(s sub) bool { _, is := s.lo.Constant(); return !is || !s.point }) {
			return true
		}
	}
	return false
}

// comparable are the subscripts by which two references of one array differ. apart means different components.
func comparable(a, b ref) (left, right []sub, apart bool) {
	for i := 0; i < len(a.steps) && i < len(b.steps); i++ {
		if a.steps[i].symbol != b.steps[i].symbol {
			return nil, nil, i > 0
		}
		if i > 0 && a.steps[i].symbol.Pointer && len(left) > 0 {
			return nil, nil, false // pointers of two elements may have targets that overlap
		}
		if len(a.steps[i].subs) == len(b.steps[i].subs) {
			left = append(left, a.steps[i].subs...)
			right = append(right, b.steps[i].subs...)
		}
	}
	return left, right, false
}

// element is any index of a subscript, with facts about it.
func (w *walker) element(s sub) (affine.Form, affine.Facts) {
	if s.point {
		return s.lo, nil
	}
	if !s.lo.Known() && !s.hi.Known() {
		return affine.Unknown, nil
	}
	e := w.table.Varying("an element")
	w.isIndex[e] = true
	x := affine.Of(e)
	switch {
	case s.stride == 1:
		return x, affine.Facts{}.And(x.Minus(s.lo), s.hi.Minus(x))
	case s.stride == -1:
		return x, affine.Facts{}.And(x.Minus(s.hi), s.lo.Minus(x))
	case s.stride == 0 || !s.lo.Known():
		return affine.Unknown, nil
	}
	f := s.lo.Plus(x.Scaled(s.stride))
	facts := affine.Facts{}.And(x)
	if s.stride > 0 {
		return f, facts.And(s.hi.Minus(f))
	}
	return f, facts.And(f.Minus(s.hi))
}

// quotients adds what is known of integer quotients that are positive.
func (w *walker) quotients(facts, more affine.Facts) affine.Facts {
	for _, d := range w.divisions {
		for _, q := range []division{d, {w.table.Twin(d.quotient), w.table.Twin(d.of), d.by}} {
			if w.table.Positive(facts, q.quotient) {
				more = more.And(q.of.Minus(q.quotient.Scaled(q.by)), q.quotient.Scaled(q.by).Plus(affine.Integer(q.by-1)).Minus(q.of))
			}
			if !w.table.Varies(d.of) {
				break
			}
		}
	}
	return more
}

// decide looks for a way to run a loop with conflicts of one array: sums, a private array, the user's word; else it refuses.
func (c *candidate) decide(y *scope.Symbol, list []access, conflicts []conflict) {
	if s, ok := c.sumOf(y, list); ok {
		c.sums = append(c.sums, s)
		return
	}
	best := conflicts[0]
	for _, x := range conflicts[1:] {
		if weight(x) > weight(best) {
			best = x
		}
	}
	proved := best.exact && !best.whole && sure(best)
	asked := c.asked != nil && slices.Contains(c.asked.Private, y.Name)
	private, why := c.privateArray(y, asked)
	if private {
		c.private = append(c.private, y)
		return
	}
	if own := c.f.options.Own; own != nil && own(y) && why.Rule != "" {
		c.refuse(why)
		return
	}
	if c.independent() && !proved && !(best.same && best.index == nil && !(best.varies && c.ownWord()) && best.a.ref.point() && best.b.ref.point() && sure(best)) {
		c.asserted = true
		c.proofs = append(c.proofs, Proof{Loop: c.variable.Name, Array: y.Name, A: best.a.where.at, B: best.b.where.at, Way: "asserted"})
		return
	}
	if why.Rule == "not-read" || asked && why.Rule != "" { // without the user's private structure the loop means something else
		c.refuse(why)
		return
	}
	reads := slices.ContainsFunc(list, func(a access) bool { return !a.write && !c.updates(a, list) })
	if y.Dummy || static(y) && (y.Saved || y.Scope.Kind != scope.BlockScope) {
		reads = false // its elements are results: to make it private is no remedy
	}
	if why.Rule != "" && best.same && best.index == nil && !best.whole && reads {
		c.refuse(why)
		return
	}
	r := c.refusalOf(y, best)
	if proved && c.asked != nil && c.asked.Kind != "do concurrent" && c.asked.Independent {
		r.Rule, r.Text = "directive", "independent is written, but "+r.Text
	}
	c.refuse(r)
}

// sure reports whether no condition but the bounds of loops stands before both references.
func sure(x conflict) bool { return x.a.always && x.b.always }

// updates reports whether a read is the right side's use of the element that its own statement sets.
func (c *candidate) updates(a access, list []access) bool {
	return slices.ContainsFunc(list, func(b access) bool {
		return b.write && b.where.node == a.where.node && parts.Show(b.ref.node) == parts.Show(a.ref.node)
	})
}
