package host

import (
	"slices"
	"strings"

	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// checks are the accesses that a body with shadows tells the library in front of a statement.
type checks struct {
	arrays []*arg // that are looked at
	before map[tree.Node][]*access
	list   []*access // in the order of the text
	rank   int       // most counters of loops over sections
	masks  []mask    // of WHERE
	gaps   []string  // accesses to arrays that are written, of which the library is not told
	shared bool      // procedures are those of arrays and get the line as an argument: there are many accesses
}

// access is one reference to elements.
type access struct {
	array       *arg
	index       []string
	write       bool
	line        int32
	open, close []string // statements around it: loops, conditions
	procedure   string
	fixed       bool // the subscripts do not change in an iteration
	linear      bool // each iteration makes it, and the subscripts are linear in the indices of the loops
}

// mostProcedures is the number of accesses up to which each has a procedure of its own: one that is called once becomes a part of the loop.
const mostProcedures = 40

// isChecked reports whether the nest gets a body with shadows.
func (n *one) isChecked() bool { return n.w.o.Check || n.n.Asserted }

// hasChecks reports whether there is something that a checked run looks at.
func (n *one) hasChecks() bool {
	return n.isChecked() && len(n.check.arrays) > 0 && !n.otherKinds() && !n.hidesIntrinsics()
}

// hidesIntrinsics reports whether a variable of the nest has the name of an intrinsic function that the checked body calls: then there is none,
// and the library lists the loop as not checked.
func (n *one) hidesIntrinsics() bool {
	var names []string
	for _, a := range n.args {
		names = append(names, a.name)
	}
	for _, l := range n.locals {
		names = append(names, l.name)
	}
	for _, r := range n.results {
		names = append(names, r.name)
	}
	return slices.ContainsFunc(names, func(name string) bool {
		return slices.Contains([]string{"int", "lbound", "ubound", "ieor", "any", "transfer"}, name)
	})
}

// canShadow reports whether the library can have shadows of an argument: an array of numbers that all iterations share.
func (n *one) canShadow(a *arg) bool {
	return a.isArray() && a.form != starred && a.comparable() && a.optional() == "" && !n.k.IsLocal(a.Symbol)
}

// planChecks finds the references that a checked run looks at, and those that it cannot.
func (n *one) planChecks() *checks {
	c := &checks{before: map[tree.Node][]*access{}}
	if !n.isChecked() {
		return c
	}
	p := n.newPlanner(c)
	for _, a := range n.args {
		found := false
		for _, u := range a.Uses {
			if n.isSumTarget(u) {
				continue
			}
			why := "'" + a.Spelling() + "'"
			if n.canShadow(a) {
				var told bool
				if told, why = p.use(a, u); told {
					found = true
					continue
				}
			}
			if why != "" && n.isWritten(a) {
				c.gap(why + ", line " + decimal(int(u.Expression.Span().From.Line)))
			}
		}
		if found {
			c.arrays = append(c.arrays, a)
		}
	}
	n.hiddenWrites(c)
	c.merge()
	c.leaveOut(n.k.Body)
	c.name()
	return c
}

// isWritten reports whether iterations write the argument, or one that may share its elements.
func (n *one) isWritten(a *arg) bool {
	if a.Write {
		return true
	}
	for _, p := range n.pairs() {
		if p[0] == a && p[1].Write || p[1] == a && p[0].Write {
			return true
		}
	}
	return false
}

// isSumTarget reports whether the use is the element into which a sum goes, by an atomic update.
func (n *one) isSumTarget(u emit.Use) bool {
	s, ok := u.Statement.(*tree.Assignment)
	return ok && n.sums[s] != nil && sameText(u.Expression, s.Left)
}

// hiddenWrites finds data that the called procedures write without a name in the text.
func (n *one) hiddenWrites(c *checks) {
	known := map[int]bool{}
	for _, a := range n.args {
		for _, i := range a.Number {
			known[i] = true
		}
	}
	own := map[*scope.Symbol]bool{}
	for _, y := range n.n.Private {
		own[y] = true
	}
	for _, r := range n.n.Reductions {
		own[r.Symbol] = true
		for _, y := range r.Place {
			own[y] = true
		}
	}
	for _, s := range n.n.Sums {
		known[s.Argument] = true
	}
	for i, x := range n.n.Arguments {
		if x.Access != nest.Read && !known[i] && !own[x.Symbol] {
			c.gap("'" + x.Symbol.Name + "' in called procedures")
		}
	}
}

func (c *checks) gap(text string) {
	if !slices.Contains(c.gaps, text) {
		c.gaps = append(c.gaps, text)
	}
}

// merge joins the accesses of a statement to one element: a write says more than a read.
func (c *checks) merge() {
	for _, node := range sortedNodes(c.before) {
		var kept []*access
		for _, x := range c.before[node] {
			same := func(y *access) bool {
				return y.array == x.array && slices.Equal(y.index, x.index) && slices.Equal(y.open, x.open)
			}
			if i := slices.IndexFunc(kept, same); i >= 0 {
				kept[i].write = kept[i].write || x.write
				kept[i].linear = kept[i].linear && x.linear
				continue
			}
			kept = append(kept, x)
		}
		c.before[node] = kept
	}
}

// name gives the accesses their procedures.
func (c *checks) name() {
	for _, node := range sortedNodes(c.before) {
		c.list = append(c.list, c.before[node]...)
	}
	c.shared = len(c.list) > mostProcedures
	for i, x := range c.list {
		x.procedure = "@portable_read_"
		if x.write {
			x.procedure = "@portable_write_"
		}
		if !c.shared {
			x.procedure += decimal(i + 1)
		} else {
			x.procedure += x.array.name
		}
	}
}

// statements are those in front of a statement of the user. Arrays that the nest only reads seldom have cells: one test passes all their
// reads.
func (c *checks) statements(node tree.Node) (list []string) {
	var group *arg
	end := func() {
		if group != nil {
			list = append(list, "end if")
		}
		group = nil
	}
	for _, x := range c.before[node] {
		if x.array != group {
			end()
			if a := x.array; !a.Write {
				group = a
				list = append(list, "if (@portable_high_"+a.name+" >= @portable_low_"+a.name+") then")
			}
		}
		index := x.index
		if c.shared {
			index = append(index[:len(index):len(index)], decimal(int(x.line))+"_@c_int64_t")
		}
		list = append(list, x.open...)
		list = append(list, "call "+x.procedure+"("+join(index)+")")
		list = append(list, x.close...)
	}
	end()
	return list
}

// checkedLaunch runs the body with shadows, on one thread, when PORTABLE_CHECK=races is set.
func (n *one) checkedLaunch() {
	if !n.hasChecks() {
		return
	}
	t := &n.place.text
	t.add(4, "@portable_checked = @portable_races_checked()")
	for _, a := range n.check.arrays {
		for _, condition := range a.exists() {
			t.add(4, "if (@portable_checked) @portable_checked = "+condition)
		}
	}
	t.add(4, "if (@portable_checked) then")
	if n.stream() != "" {
		t.add(6, "call @portable_stream_fence(@portable_stream)")
	}
	if len(n.results) > 0 {
		n.beginResults(6)
		t.add(6, "@portable_b%@portable_results = @c_loc(@portable_r)")
	}
	list := "@portable_arg(transfer(@c_loc(@portable_b), 0_@c_int64_t), name='portable')"
	for _, a := range n.check.arrays {
		access := "'read'"
		if a.Write {
			access = "'both'"
		}
		list += ", " + a.listed("", access+", name="+quoted(short(a.Spelling())))
	}
	t.add(6, "call @portable_parallel_for("+quoted(n.n.Label)+", @portable_bounds(@portable_lower, @portable_upper), @c_funloc("+n.name+"_checked_tile), ["+
		list+"], checked=@c_funloc("+n.name+"_checked_tile)"+n.config()+")")
	n.uncheckedLaunch()
	for _, r := range n.results {
		t.add(6, r.name+" = @portable_r%"+r.name)
	}
	t.add(4, "else")
}

// uncheckedLaunch is a launch of nothing whose label says what the check leaves out: the library's report lists it as not checked.
func (n *one) uncheckedLaunch() {
	list := n.check.gaps
	if len(list) == 0 {
		return
	}
	text := n.n.Label + ": " + list[0]
	if len(list) > 1 {
		text += " and " + decimal(len(list)-1) + " more"
	}
	label := ""
	for len(text) > 40 { // lines of fixed form hold no longer literals
		label += quoted(text[:40]) + "// "
		text = text[40:]
	}
	n.place.text.add(6, "call @portable_parallel_for("+label+quoted(text)+", @portable_bounds([1_@c_int64_t], [1_@c_int64_t]), @c_funloc("+n.name+
		"_unchecked), @c_loc(@portable_b), 1_@c_size_t)")
}

// uncheckedTile is the kernel of that launch.
func (n *one) uncheckedTile() {
	if len(n.check.gaps) == 0 {
		return
	}
	t := &n.place.text
	name := n.name + "_unchecked"
	n.procedure("subroutine", name, []string{"@portable_t", "@portable_a"}, " bind(c, name='')")
	t.add(4, "use, intrinsic :: iso_c_binding, only: @c_ptr, @c_associated")
	t.add(4, "use portable_list_mod, only: @portable_tile")
	t.add(4, "implicit none")
	t.add(4, "type(@portable_tile), intent(in) :: @portable_t")
	t.add(4, "type(@c_ptr), value :: @portable_a")
	t.add(4, "if (@portable_t%lower(1) < 1 .or. .not. @c_associated(@portable_a)) return")
	t.add(2, "end subroutine "+name)
}

// Spelling is how the user writes the argument.
func (a *arg) Spelling() string {
	s := a.Spelt
	for _, p := range a.Path {
		s += "%" + p
	}
	return s
}

// repeats finds accesses that say what another one of the same iteration has said: only the element and the iteration count.
type repeats struct {
	c       *checks
	dropped map[*access]bool
	leaves  bool // a statement may end the iteration before its last one
}

// leaveOut removes the repeated accesses of a body.
func (c *checks) leaveOut(body []tree.Node) {
	r := repeats{c: c, dropped: map[*access]bool{}}
	emit.Statements(body, func(s tree.Node) {
		switch s := s.(type) {
		case *tree.Goto:
			r.leaves = true
		case *tree.Jump:
			r.leaves = r.leaves || s.Kind != "continue"
		}
	})
	r.list(body, map[string]*access{})
	for node, all := range c.before {
		var kept []*access
		for _, x := range all {
			if !r.dropped[x] {
				kept = append(kept, x)
			}
		}
		c.before[node] = kept
	}
}

// list goes through statements one behind another. known are accesses that have happened whenever the first one runs.
func (r *repeats) list(body []tree.Node, known map[string]*access) {
	here := map[string]bool{} // known from this list
	for _, s := range body {
		for _, x := range r.c.before[s] {
			if !x.fixed {
				continue
			}
			key := x.array.name + "(" + strings.Join(x.index, ",") + ")"
			y := known[key]
			switch {
			case y != nil && (y.write || !x.write):
				r.dropped[x] = true
			case len(x.open) > 0:
			default:
				if y != nil && here[key] && !r.leaves {
					r.dropped[y] = true // the write follows in any case
				}
				known[key], here[key] = x, true
			}
		}
		emit.Blocks(s, func(inner []tree.Node, _ int) {
			copied := make(map[string]*access, len(known))
			for key, y := range known {
				copied[key] = y
			}
			r.list(inner, copied)
		})
	}
}

// isFixed reports whether the subscripts of a reference have the same values all through an iteration.
func (n *one) isFixed(u emit.Use) bool {
	r, ok := u.Expression.(*tree.Reference)
	if !ok || len(n.k.Jumps) > 0 {
		return false
	}
	fixed := true
	for i := range r.Arguments {
		emit.Inside(r.Arguments[i].Value, func(e tree.Expression) {
			switch e := e.(type) {
			case *tree.Name:
				fixed = fixed && n.isFixedName(u.Scope.Lookup(e.Name))
			case *tree.Component, *tree.Range, *tree.ImpliedDo:
				fixed = false
			case *tree.Reference:
				m, _ := u.Scope.Meaning(e)
				fixed = fixed && (m == scope.Element || m == scope.IntrinsicCall)
			case *tree.Unary:
				_, defined := u.Scope.Operation(e.Operator, []tree.Expression{e.X})
				fixed = fixed && !defined // another value each time
			case *tree.Binary:
				_, defined := u.Scope.Operation(e.Operator, []tree.Expression{e.X, e.Y})
				fixed = fixed && !defined
			}
		})
	}
	return fixed
}

func (n *one) isFixedName(y *scope.Symbol) bool {
	if y.Kind == scope.Constant || y.Kind == scope.Intrinsic {
		return true
	}
	for _, l := range n.loops {
		if l.symbol == y && y != nil {
			return true
		}
	}
	a := n.k.Find(y)
	return a != nil && !a.Write
}
