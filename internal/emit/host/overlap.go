package host

import (
	"slices"
	"strings"

	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// pairs are the arguments that the verdict wants to be compared at each launch.
func (n *one) pairs() [][2]*arg {
	var list [][2]*arg
	of := func(number int) *arg {
		for _, a := range n.args {
			for _, i := range a.Number {
				if i == number {
					return a
				}
			}
		}
		return nil
	}
	for _, p := range n.n.Pairs {
		a, b := of(p.A), of(p.B)
		if a == nil || b == nil || a == b || a.Rank == 0 && (a.form == value && !a.compared || !b.comparable()) || b.Rank == 0 && (b.form == value && !b.compared || !a.comparable()) {
			continue
		}
		list = append(list, [2]*arg{a, b})
	}
	return list
}

func (n *one) overlapping() bool { return len(n.pairs()) > 0 }

// comparable reports whether the library can compare an argument with others.
func (a *arg) comparable() bool { return a.Rank > 0 && a.Rank <= 7 && hasAddress(a.Argument) }

// hasAddress reports whether the library takes the type of an argument in a list.
func hasAddress(k *emit.Argument) bool {
	switch k.Type.Base {
	case scope.Integer, scope.Logical:
		return k.Type.Kind <= 8
	case scope.Real, scope.ComplexType:
		return k.Type.Kind == 4 || k.Type.Kind == 8
	}
	return false
}

// isPaired reports whether a scalar may be an element of an array that the nest sets: the launch compares their addresses.
func (n *one) isPaired(k *emit.Argument) bool {
	return len(k.Path) > 0 && hasAddress(k) && slices.ContainsFunc(n.n.Pairs, func(p nest.Pair) bool {
		return slices.Contains(k.Number, p.A) || slices.Contains(k.Number, p.B)
	})
}

// planPairs refuses pairs that the launch cannot compare.
func (n *one) planPairs() {
	for _, p := range n.pairs() {
		for _, a := range p {
			if a.Rank > 0 && (!a.comparable() || a.form == starred) || a.Rank == 0 && !hasAddress(a.Argument) {
				n.refuse(a.Uses[0].Expression.Span().From, "'"+p[0].Spelt+"' and '"+p[1].Spelt+"' may overlap, and a launch cannot compare them",
					"use arrays of numbers without POINTER and TARGET")
				return
			}
		}
	}
}

// overlap leaves the launch if two arrays share elements: then the user's loop runs as it stands.
func (n *one) overlap() {
	t := &n.place.text
	var done []*arg
	for _, p := range n.pairs() {
		for _, a := range p {
			if !hasArg(done, a) {
				done = append(done, a)
			}
		}
	}
	if len(done) == 0 {
		return
	}
	list := ""
	for i, a := range done {
		for _, condition := range a.exists() {
			t.add(4, "@portable_done = "+condition)
			n.fence()
			t.add(4, "if (.not. @portable_done) return")
		}
		if i > 0 {
			list += ", "
		}
		access := "'read'"
		if a.Write {
			access = "'both'"
		}
		kind := ""
		if n.otherKinds() {
			kind = ", kind=@portable_kind"
		}
		if a.Rank == 0 {
			list += "@portable_arg(" + a.here() + ", [1" + n.suffix() + "], access=" + access + ", name='" + short(a.name) + "', may_overlap=.true." + n.suffix() + ")"
			continue
		}
		list += a.listed(kind, access+", name='"+short(a.name)+"', may_overlap=.true."+n.suffix())
	}
	t.add(4, "@portable_done = .not. @portable_overlap(["+list+"])")
	n.fence()
	t.add(4, "if (.not. @portable_done) return")
}

// queue is the stream that the directive names; "": none.
func (n *one) queue() string {
	if d := n.n.Directive; d != nil && d.Async != "" {
		return "int(" + d.Async + ", 8)"
	}
	return ""
}

// stream is the stream in which the launch is queued. A launch with results or last values is waited for: the statements behind the nest may read them, and the
// variables may be gone when the last iteration sets them. So is one in a kernel of the host, which ends with it.
func (n *one) stream() string {
	if len(n.results) > 0 || len(n.k.Last) > 0 || len(n.n.Within()) > 0 {
		return ""
	}
	return n.queue()
}

// fences reports whether the nest has a stream, and may leave the launch or wait all the same.
func (n *one) fences() bool {
	return n.queue() != "" && (n.stream() == "" || n.overlapping() || !n.n.OnHost() || len(n.inside) > 0 || n.w.inside[n.n] || n.hasChecks() || n.atomicOfOpenMP())
}

// awaitQueue waits for the nest's stream before a launch that is not queued in it: what the stream has to do stands in front of this nest.
func (n *one) awaitQueue() {
	if n.queue() == "" || n.stream() != "" {
		return
	}
	condition := ""
	if n.alike() {
		condition = "if (@portable_host == 0) " // not in a kernel, which the stream may run
	}
	n.place.text.add(4, condition+"call @portable_stream_fence(@portable_stream)")
}

// fence waits for the nest's stream before the loop as it stands, whose order the stream does not have.
func (n *one) fence() {
	if n.stream() != "" && n.fences() {
		n.place.text.add(4, "if (.not. @portable_done) call @portable_stream_fence(@portable_stream)")
	}
}

func hasArg(list []*arg, a *arg) bool {
	for _, x := range list {
		if x == a {
			return true
		}
	}
	return false
}

func short(name string) string {
	if len(name) > 32 {
		return name[:32]
	}
	return name
}

// copies refuses array assignments for which the compiler copies the whole array into a temporary, and back: what other threads have written into it
// meanwhile is lost. flang 16 does so if the right side has another part of the array that it assigns. Arrays that each iteration owns are no matter.
func (n *one) copies() {
	if !n.w.o.WholeCopies {
		return
	}
	var mask []tree.Expression
	var look func(body []tree.Node)
	look = func(body []tree.Node) {
		for _, s := range body {
			switch s := s.(type) {
			case *tree.Assignment:
				n.copied(s, mask)
			case *tree.Where:
				outer := mask
				for _, b := range s.Branches {
					mask = append(mask[:len(mask):len(mask)], b.Condition)
				}
				emit.Blocks(s, func(inner []tree.Node, _ int) { look(inner) })
				mask = outer
			default:
				emit.Blocks(s, func(inner []tree.Node, _ int) { look(inner) })
			}
		}
	}
	look(n.k.Body)
}

// copied refuses an assignment whose array the right side, or a mask around it, has in another form.
func (n *one) copied(s *tree.Assignment, masks []tree.Expression) {
	sc := n.scope
	if inside := n.w.o.Program.Inside(s); inside != nil {
		sc = inside
	}
	if _, rank := sc.TypeOf(s.Left); rank == 0 {
		return
	}
	y := rootOf(sc, s.Left)
	shared := false
	for _, a := range n.k.Arguments {
		shared = shared || a.Symbol == y
	}
	if y == nil || !shared {
		return
	}
	for _, e := range append([]tree.Expression{s.Right}, masks...) {
		if otherPart(sc, e, y, s.Left) {
			n.refuse(s.Where.From, "flang 16 copies the whole array '"+y.Name+"' for this assignment, which would undo what other threads write",
				"assign element by element in a loop")
			return
		}
	}
}

// otherPart reports whether an expression has a part of the variable that is not the same one.
func otherPart(sc *scope.Scope, e tree.Expression, y *scope.Symbol, same tree.Expression) bool {
	if e == nil {
		return false
	}
	if rootOf(sc, e) == y {
		return !strings.EqualFold(speller{}.text(e), speller{}.text(same))
	}
	found := false
	emit.Parts(e, func(x tree.Expression) { found = found || otherPart(sc, x, y, same) })
	return found
}

// rootOf is the variable that a designator begins with; nil if the expression is none.
func rootOf(sc *scope.Scope, e tree.Expression) *scope.Symbol {
	switch e := e.(type) {
	case *tree.Name:
		return sc.Lookup(e.Name)
	case *tree.Reference:
		return rootOf(sc, e.Base)
	case *tree.Component:
		return rootOf(sc, e.Base)
	}
	return nil
}
