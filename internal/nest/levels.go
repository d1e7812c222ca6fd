package nest

import (
	"slices"
	"strconv"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/directive"
)

// This file decides which nests are parallel on the host alone, because nests inside of them are parallel on devices: in their loops, or in procedures
// that they call. Not in this file: loops inside that no directive asks for (try.go, package within).

// Self are the conditions of SELF of the directive and of its region.
func (n *Nest) Self() (all []string) {
	if n.Region != nil {
		all = append(all, n.Region.Self...)
	}
	if n.Directive != nil {
		all = append(all, n.Directive.Self...)
	}
	return all
}

// leaves reports whether ON and SERIAL leave the nest to devices of which is says that they are meant.
func (n *Nest) leaves(is func(string) bool) bool {
	d := n.Directive
	if d == nil {
		return true
	}
	return !slices.ContainsFunc(d.SerialOn, is) && (len(d.On) == 0 || slices.ContainsFunc(d.On, is))
}

// OnHost reports whether the directive leaves the nest to the threads of the host.
func (n *Nest) OnHost() bool { return n.leaves(directive.OnHost) }

// OnDevices reports whether the directive lets the nest run on devices.
func (n *Nest) OnDevices() bool {
	return !slices.Contains(n.Self(), directive.Always) && n.leaves(directive.OnDevice)
}

// Rounds reports whether the nest reduces reals, so that bits depend on where the loop is cut.
func (n *Nest) Rounds() bool {
	rounded := func(t scope.Type) bool { return t.Base != scope.Integer && t.Base != scope.Logical }
	return slices.ContainsFunc(n.Reductions, func(r Reduction) bool {
		t := r.Symbol.Type
		if r.Object != nil {
			t, _ = n.Scope.TypeOf(r.Object)
		}
		return rounded(t) && r.Operator != LastSet
	}) || slices.ContainsFunc(n.Sums, func(s ArraySum) bool { return rounded(n.Arguments[s.Argument].Type) })
}

// Leaves are the nests that run on devices in the place of this one; none if it does not leave devices to them.
func (n *Nest) Leaves() (list []*Nest) {
	for _, x := range n.levels {
		if x.Verdict == Parallel {
			list = append(list, x)
		}
	}
	return list
}

// Within are the nests that leave devices to this one, or to another one that they reach together with it: on the host this one is a part of their kernels.
func (n *Nest) Within() (list []*Nest) {
	for _, x := range n.around {
		if x.Verdict == Parallel && len(x.Leaves()) > 0 {
			list = append(list, x)
		}
	}
	return list
}

// Holds reports whether a nest stands in the loops of this one.
func (n *Nest) Holds(x *Nest) bool {
	return n != x && len(n.Loops) > 0 && slices.Contains(x.Path, tree.Node(n.Loops[0].Do))
}

// forTarget reports whether a directive of OpenMP or OpenACC gives the nest to a device.
func (n *Nest) forTarget() bool {
	d := n.Directive
	return d != nil && (d.Kind == "acc" || d.Kind == "omp" && (d.Target || n.Region != nil && strings.Contains(n.Region.Name, "target")))
}

// marks reports whether the directive of a nest inside asks for devices, as seen from the directive around: nil, if there is none.
func (n *Nest) marks(around *Directive) bool {
	d := n.Directive
	switch {
	case d == nil || d.Kind == "do concurrent" || !n.OnDevices():
		return false
	case !n.OnHost() || around == nil:
		return !n.OnHost()
	case around.Kind == "omp":
		return n.forTarget()
	}
	return len(around.On)+len(around.SerialOn) > 0
}

// mayLeave reports whether a nest may leave devices to others: the host has it, and no word gives it to devices.
func (n *Nest) mayLeave() bool {
	d := n.Directive
	if n.Verdict != Parallel || !n.OnHost() || n.forTarget() {
		return false
	}
	return d == nil || !slices.ContainsFunc(d.On, directive.OnDevice)
}

// levels notes for each nest those inside to which it leaves devices.
func (f *finder) levels() {
	if f.options.Devices == nil || f.options.Version == nil {
		return
	}
	of := map[*tree.Unit][]*Nest{}
	for _, n := range f.nests {
		if n.Verdict == Parallel {
			of[n.Unit] = append(of[n.Unit], n)
		}
	}
	version := map[*Nest]bool{}
	has := func(n *Nest) bool {
		is, known := version[n]
		if !known {
			is = f.options.Version(n)
			version[n] = is
		}
		return is
	}
	for _, n := range f.nests {
		if !n.mayLeave() {
			continue
		}
		reached := f.reached(n, of)
		if !slices.ContainsFunc(reached, func(x *Nest) bool { return x.marks(n.Directive) && has(x) }) || !f.settles(n, reached) {
			continue
		}
		for _, x := range reached {
			if x.OnDevices() && has(x) {
				n.levels = append(n.levels, x)
			}
			x.around = append(x.around, n)
		}
	}
}

// settles reports whether a nest can leave devices to others with the same bits, else notes why not.
func (f *finder) settles(n *Nest, reached []*Nest) bool {
	at := n.Loops[0].Do.Where.From
	keep := func(text, remedy string) bool {
		n.Whole = &Refusal{At: at, Loop: n.Loops[0].Do.Variable, Text: text, Remedy: remedy}
		return false
	}
	if n.Directive != nil && n.Directive.Async != "" {
		return keep("async(s) would not order the loops inside, which run on the device", "remove async, and write it at these")
	}
	for _, x := range reached {
		switch {
		case n.Holds(x) && n.Rounds():
			return keep("it reduces reals, whose bits would depend on the device if the loop at line "+strconv.Itoa(int(x.Loops[0].Do.Where.From.Line))+" ran there",
				"move that loop into a procedure, or remove its directive")
		case !f.options.Converted(x.File) && x.Rounds():
			return keep("it calls '"+x.Unit.Name+"', which reduces reals and whose file is only read: their bits would depend on the device", "convert that file too")
		}
	}
	return true
}

// reached are the parallel nests in the loops of a nest and in the procedures that it calls, in the order of the files.
func (f *finder) reached(n *Nest, of map[*tree.Unit][]*Nest) (list []*Nest) {
	units := map[*tree.Unit]bool{}
	var visit func(y *scope.Symbol)
	visit = func(y *scope.Symbol) {
		if y.Body == nil || y.Body.Unit == nil || y.OnlyInterface || units[y.Body.Unit] {
			return
		}
		units[y.Body.Unit] = true
		for _, z := range f.effects.of(y).calls {
			visit(z)
		}
	}
	for _, y := range n.Callees {
		visit(y)
	}
	for _, x := range f.nests {
		if x.Verdict == Parallel && x != n && (units[x.Unit] || n.Holds(x)) {
			list = append(list, x)
		}
	}
	return list
}

// marked makes the nests of the loops in a nest whose directives ask for devices, where the nest is for the host.
func (f *finder) marked(last *candidate, n *Nest) (list []*Nest) {
	if f.options.Devices == nil || f.looksInside || !n.mayLeave() || last.do.Kind != tree.Counted {
		return nil
	}
	var look func(cx *context)
	look = func(cx *context) {
		f.loopsIn(cx, func(here *context, do *tree.Do) {
			own := f.ownLevel(do, n.Directive)
			if own == nil {
				look(f.inLoop(here, do))
				return
			}
			list = append(list, f.ownNests(here, do, own)...)
		})
	}
	look(f.inLoop(last.cx, last.do))
	return list
}

// ownLevel is the directive of a loop that gives it to devices, as seen from the one around; nil: there is none.
func (f *finder) ownLevel(do *tree.Do, around *Directive) *directive.Parsed {
	if own := f.heading(do); own != nil && f.options.Devices != nil && len(own.Problems) == 0 && (&Nest{Directive: own.Directive}).marks(around) {
		return own
	}
	return nil
}

// heading is the directive of a loop that is taken; nil: there is none.
func (f *finder) heading(do *tree.Do) (own *directive.Parsed) {
	for _, d := range do.Before {
		if p := directive.Parse(d.Line); f.accepted(&p) {
			own = &p
		}
	}
	return own
}

// own is the directive of a loop inside that is obeyed: each one, if no directive stands around, else one that gives it to devices.
func (f *finder) own(do *tree.Do, around *Directive) *directive.Parsed {
	if around == nil && !f.looksInside {
		return f.heading(do)
	}
	return f.ownLevel(do, around)
}

// ownNests makes the nests of a loop inside by its own directive.
func (f *finder) ownNests(cx *context, do *tree.Do, own *directive.Parsed) []*Nest {
	nests := f.asked(cx, do, own.Directive, own)
	for _, x := range nests {
		x.own = true
	}
	return nests
}

// inLoop is the context of the body of a loop.
func (f *finder) inLoop(cx *context, do *tree.Do) *context {
	s := cx.scope()
	if x := f.program.Inside(do); x != nil {
		s = x
	}
	return cx.inside(do, s, do.Body, 0)
}
