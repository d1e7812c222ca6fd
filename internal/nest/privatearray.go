package nest

import (
	"fmt"
	"slices"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/parts"
)

// privateArray finds out whether each iteration reads only those elements of y that it has set, and nothing reads y behind the loop.
// Else it says why not.
func (c *candidate) privateArray(y *scope.Symbol, asked bool) (bool, Refusal) {
	no := Refusal{}
	if y.Pointer || c.w.pointing[y] || len(y.Shares) > 0 || y.Coarray || len(y.Dims) == 0 && (y.Type.Base != scope.Derived || c.w.unset[y] || len(c.exposedPlaces(datum{root: y})) > 0) || y.Kind != scope.Variable || y.Volatile {
		return false, no
	}
	if slices.ContainsFunc(y.Dims, func(d scope.Dimension) bool { return d.Star }) {
		return false, no
	}
	for d := range c.w.foreign {
		if d.root == y {
			return false, no // called procedures mean the shared array
		}
	}
	if c.covered == nil {
		cover := map[datum]bool{}
		for _, d := range c.cover {
			cover[d] = true
		}
		c.covered, c.coveredEnd = c.walk(cover)
	}
	w, end := c.covered, c.coveredEnd
	if w.cut {
		return false, Refusal{Rule: "not-read", At: c.do.Where.From, Text: tooLarge, Remedy: "split the loop"}
	}
	if w.lost {
		return false, no
	}
	borrowed := func(a access) Refusal {
		rule := Rule("private-array")
		if asked {
			rule = "directive" // loops inside are no answer to a clause that cannot hold
		}
		return Refusal{Rule: rule, At: a.where.point(), Remedy: "assign an array to all of the component first in the iteration, or use an array of its own",
			Text: fmt.Sprintf("'%s' cannot be private, because an allocatable component has its memory from before the iteration: %s at %s", y.Name, parts.Show(a.ref.node), c.placeLine(a.where))}
	}
	if a, is := w.inquired[y]; is {
		return false, borrowed(a)
	}
	written := false
	for _, a := range w.accesses {
		if a.ref.steps[0].symbol != y {
			continue
		}
		if a.borrows {
			return false, borrowed(a)
		}
		if a.write {
			written = true
			continue
		}
		if a.covered || asked && written {
			continue
		}
		rule := Refusal{Rule: "private-array", At: a.where.point(), Remedy: "set all its elements in the iteration before they are read, or add private(" + y.Name + ")",
			Also: c.writePlaces(y, w),
			Text: fmt.Sprintf("'%s' may be read before its iteration sets it: %s at %s", y.Name, parts.Show(a.ref.node), c.placeLine(a.where))}
		return false, rule
	}
	if asked || slices.Contains(c.own, y) {
		return true, no
	}
	live := c.f.liveAfter(c.cx, c.do, nil, []*scope.Symbol{y})
	if at, is := live[y]; is {
		local := !y.Dummy && !static(y)
		sets := (local || keepsLast(y)) && c.setsAll(w, end, y)
		if sets && local {
			c.last = append(c.last, y)
			return true, no
		}
		text := fmt.Sprintf("each iteration sets '%s', which is used behind the procedure", y.Name)
		rule := Refusal{Rule: "private-array", At: c.w.accesses[0].where.point(), Remedy: "add private(" + y.Name + ") if its values are not used behind the loop"}
		if at.Known() {
			text = fmt.Sprintf("each iteration sets '%s', which is used at %s", y.Name, c.w.line(at))
			rule.Also = []token.Pos{at}
		}
		for _, a := range w.accesses {
			if a.ref.steps[0].symbol == y && a.write {
				rule.At = a.where.point()
				break
			}
		}
		rule.Text = text
		if sets {
			c.last, c.kept = append(c.last, y), append(c.kept, rule)
			return true, no
		}
		return false, rule
	}
	c.proofs = append(c.proofs, Proof{Loop: c.variable.Name, Array: y.Name, Way: "private"})
	return true, no
}

// mostBytes is the number of bytes up to which the threads have arrays of constant size of their own in the place of one that is no local variable.
const mostBytes = 32768

// keepsLast reports whether a dummy array, or one of a module, may be private with the values of the last iteration: it has bounds of its own, and no
// other name means it.
func keepsLast(y *scope.Symbol) bool {
	if y.Common != "" || y.Target || y.Allocatable || y.Optional || y.ThreadPrivate || y.AssumedRank || y.Type.Base == scope.Derived || y.Type.Base == scope.Class ||
		y.Type.Base == scope.Character {
		return false
	}
	bytes, constant := int64(2*max(y.Type.Kind, 1)), true
	for _, d := range y.Dims {
		lower := scope.Value{Integer: 1}
		if d.Deferred || d.Upper == nil && !d.Assumed {
			return false
		}
		upper, ok := scope.Value{}, d.Upper != nil
		if ok {
			upper, ok = y.Scope.Constant(d.Upper)
		}
		if ok && d.Lower != nil {
			lower, ok = y.Scope.Constant(d.Lower)
		}
		if constant = constant && ok; constant {
			bytes *= max(upper.Integer-lower.Integer+1, 0)
		}
	}
	return !constant || bytes <= mostBytes
}

// borrows reports whether a use of a component needs memory that was allocated before the iteration: a private structure has none. An assignment to the
// whole component allocates it, if the value is an array or the component is a scalar.
func (w *walker) borrows(r ref, write bool) bool {
	for i := 1; i < len(r.steps); i++ {
		y := r.steps[i].symbol
		if !y.Allocatable {
			continue
		}
		d := ref{steps: r.steps[:i+1]}.datum()
		if w.st.isSet(d) || slices.ContainsFunc(w.st.regions[d], func(g region) bool { return len(g) == 0 }) {
			continue
		}
		n, is := w.stmt.(*tree.Assignment)
		if !is || !write || w.frame.up != nil || i != len(r.steps)-1 {
			return true
		}
		_, whole := n.Left.(*tree.Component)
		if _, rank := w.scope.TypeOf(n.Right); !whole || rank != len(y.Dims) {
			return true
		}
	}
	return false
}

// setsAll reports whether each iteration sets all elements of an array, so that the last iteration's are those that count.
func (c *candidate) setsAll(w *walker, end *state, y *scope.Symbol) bool {
	if end.dead || len(y.Dims) == 0 {
		return false
	}
	var all region
	for k := range y.Dims {
		low, high := w.boundsOf([]step{{symbol: y}}, k)
		all = append(all, span{low, high})
	}
	return w.coversRegion(end, datum{root: y}, all)
}

// writePlaces are the first places that set elements of an array.
func (c *candidate) writePlaces(y *scope.Symbol, w *walker) (list []token.Pos) {
	for _, a := range w.accesses {
		p := a.where.point()
		if a.ref.steps[0].symbol == y && a.write && len(list) < 3 && !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

// sumOf reports whether all references of y are sums into its elements: y(k) = y(k) + x.
func (c *candidate) sumOf(y *scope.Symbol, list []access) (s sum, ok bool) {
	s.root = y
	if y.Pointer || y.Type.Base != scope.Integer && y.Type.Base != scope.Real || len(y.Dims) == 0 {
		return s, false
	}
	for _, a := range list {
		if a.where.call.Known() || len(a.ref.steps) > 1 || !a.ref.point() {
			return s, false
		}
		n, is := a.where.node.(*tree.Assignment)
		if !is {
			return s, false
		}
		if slices.Contains(s.statements, tree.Node(n)) {
			continue
		}
		in := c.scopeAt(n)
		left, is := n.Left.(*tree.Reference)
		if !is || in.Symbol(left) != y || mentions(in, n.Right, y) != 1 {
			return s, false
		}
		for i := range left.Arguments {
			if mentions(in, left.Arguments[i].Value, y) > 0 {
				return s, false
			}
		}
		text := parts.Show(left)
		self := func(e tree.Expression) bool { return parts.Show(e) == text }
		op, is := combination(in, n.Right, self, y.Type.Base)
		if !is || op == "*" || s.operator != "" && s.operator != op {
			return s, false
		}
		if !plainSubscripts(in, left) {
			return s, false
		}
		s.operator = op
		s.statements = append(s.statements, n)
	}
	return s, s.operator != ""
}

// plainSubscripts reports whether the subscripts of an element call no procedures but intrinsic ones: both sides mean one element.
func plainSubscripts(in *scope.Scope, e *tree.Reference) bool {
	ok := true
	for i := range e.Arguments {
		parts.Every(e.Arguments[i].Value, func(x tree.Expression) {
			if r, is := x.(*tree.Reference); is {
				switch m, _ := in.Meaning(r); m {
				case scope.Element, scope.IntrinsicCall:
				default:
					ok = false
				}
			}
		})

	}
	return ok
}
