package nest

import (
	"fmt"
	"slices"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/affine"
	"libportable/internal/nest/parts"
)

// end makes the rest of the block unreachable.
func (w *walker) end() {
	w.st = newState()
	w.st.dead = true
}

func (w *walker) jump(n *tree.Jump) {
	at := n.Where.From
	switch n.Kind {
	case "cycle", "exit":
		f := w.target(n)
		if f != nil && f.analysed && n.Kind == "cycle" {
			w.under++ // the rest of the iteration is under a condition
		}
		word := strings.ToUpper(n.Kind)
		switch {
		case f == nil:
			w.refuse("leaves-loop", at, word+" at "+w.line(at)+" leaves the loop", "let all iterations run, with a condition in the loop")
		case n.Kind == "cycle":
			f.cycle = w.merged(f.cycle, w.st)
		case f.analysed:
			w.refuse("leaves-loop", at, word+" at "+w.line(at)+" leaves the loop", "let all iterations run, with a condition in the loop")
			f.leave = w.merged(f.leave, w.st)
		default:
			f.leave = w.merged(f.leave, w.st)
		}
		w.end()
	case "return":
		w.expr(n.Value)
		if w.frame.up == nil {
			w.refuse("leaves-loop", at, "RETURN at "+w.line(at)+" leaves the loop", "let all iterations run, with a condition in the loop")
		}
		w.frame.returns = w.merged(w.frame.returns, w.st)
		w.end()
	case "stop", "error stop":
		w.expr(n.Value)
		w.refuse("effect", at, strings.ToUpper(n.Kind)+" at "+w.line(at)+" stops the program", "set a flag by a reduction and stop behind the loop")
		w.end()
	}
}

// target is the construct that CYCLE or EXIT means; nil if it is outside of the analysed loop.
func (w *walker) target(n *tree.Jump) *loopFrame {
	for i := len(w.frame.loops) - 1; i >= 0; i-- {
		f := w.frame.loops[i]
		if n.Target != "" && f.name == n.Target || n.Target == "" && f.isLoop {
			return f
		}
	}
	return nil
}

func (w *walker) jumpTo(n *tree.Goto) {
	w.expr(n.Selector)
	at := n.Where.From
	for _, label := range n.Labels {
		offset, inside := w.frame.labels[label]
		name := fmt.Sprintf("GOTO %d at %s", label, w.line(at))
		switch {
		case w.frame.open[label] > 0: // what the statements between change is not known at the label
		case !inside && w.frame.up == nil:
			w.refuse("leaves-loop", at, name+" leaves the loop", "let all iterations run, with a condition in the loop")
		case !inside || offset <= at.Offset:
			w.refuse("jump", at, name+" jumps backwards", "use DO")
			w.lost = true
		default:
			w.frame.pending[label] = w.merged(w.frame.pending[label], w.copied(w.st))
		}
	}
	switch n.Kind {
	case "computed":
		return
	case "assigned":
		w.refuse("jump", at, "the assigned GOTO at "+w.line(at)+" is not converted", "use IF or SELECT CASE")
		w.lost = true
	}
	w.end()
}

// again reports whether all ways to the jumps back to the label of body[k] go by it. Then the statements from there to the last of these
// jumps are a loop: at its begin, what it may change is not known. last is the last of its statements.
func (w *walker) again(body []tree.Node, k int, jump int32) (last int, ok bool) {
	from := body[k].Info().Where.From.Offset
	if w.st.dead {
		return 0, false
	}
	for label := range w.frame.pending { // jumps into the loop
		if at := w.frame.labels[label]; at >= from && at <= jump {
			return 0, false
		}
	}
	f := newEffects()
	for last = k; last < len(body) && (body[last] == nil || body[last].Info().Where.From.Offset <= jump); last++ {
		if body[last] != nil {
			f.add(w.effects.alone(w.scope, body[last]))
		}
	}
	w.havoc(w.st, w.changed(f))
	return last - 1, true
}

// backOf are the labels in statements to which jumps go back, with the last of these jumps.
func backOf(body []tree.Node, labels map[int32]int32) map[int32]int32 {
	m := map[int32]int32{}
	parts.Nodes(body, func(n tree.Node) {
		if g, ok := n.(*tree.Goto); ok {
			for _, label := range g.Labels {
				if at, inside := labels[label]; inside && at <= g.Where.From.Offset {
					m[label] = max(m[label], g.Where.From.Offset)
				}
			}
		}
	})

	return m
}

// backs are those of a unit's body.
func (m *summaries) backs(u *tree.Unit) map[int32]int32 {
	list, known := m.backward[u]
	if !known {
		list = backOf(m.body(u), m.labels(u))
		m.backward[u] = list
	}
	return list
}

// labelsOf are the labels in statements, with their places.
func labelsOf(body []tree.Node, last tree.End) map[int32]int32 {
	m := map[int32]int32{}
	parts.Nodes(body, func(n tree.Node) {
		h := n.Info()
		if h.Label != 0 {
			m[h.Label] = h.Where.From.Offset
		}
		if e, ok := parts.End(n); ok && e.Label != 0 {
			if _, known := m[e.Label]; !known {
				m[e.Label] = e.Where.From.Offset
			}
		}
	})

	if _, known := m[last.Label]; last.Label != 0 && !known {
		m[last.Label] = last.Where.From.Offset
	}
	return m
}

// labels are those of a unit's body.
func (m *summaries) labels(u *tree.Unit) map[int32]int32 {
	list, known := m.labelled[u]
	if !known {
		list = labelsOf(m.body(u), tree.End{})
		m.labelled[u] = list
	}
	return list
}

// jumps reports whether a statement may go on elsewhere than behind it, or may end what it is in. CYCLE and EXIT without a name stay in
// a loop.
func (m *summaries) jumps(n tree.Node) bool {
	if is, known := m.leaving[n]; known {
		return is
	}
	_, isLoop := n.(*tree.Do)
	is := false
	parts.Nodes([]tree.Node{n}, func(x tree.Node) {
		switch x := x.(type) {
		case *tree.Jump:
			is = is || !(x.Kind == "continue" || isLoop && x.Target == "" && (x.Kind == "cycle" || x.Kind == "exit"))
		case *tree.Goto, *tree.Labels, *tree.Unread:
			is = true
		case *tree.Call:
			is = is || slices.ContainsFunc(x.Arguments, func(a tree.Argument) bool { return a.Label != 0 })
		case *tree.Transfer:
			is = true
		}
	})

	m.leaving[n] = is
	return is
}

func (w *walker) transfer(n *tree.Transfer) {
	at := n.Where.From
	w.refuse("effect", at, strings.ToUpper(n.Kind)+" at "+w.line(at)+" does input or output", "move it out of the loop")
	for i := range n.Control {
		c := &n.Control[i]
		w.expr(c.Value)
		if n.Kind == "inquire" || c.Keyword == "iostat" || c.Keyword == "iomsg" || c.Keyword == "size" || c.Keyword == "newunit" || c.Keyword == "id" {
			w.mayWrite(c.Value)
		}
		if t, _ := w.scope.TypeOf(c.Value); i == 0 && t.Base == scope.Character && n.Kind == "write" {
			w.mayWrite(c.Value)
		}
		if w.scope.NamesGroup(c) {
			w.lost = true
		}
	}
	for _, x := range n.Items {
		if n.Kind == "read" {
			w.mayWrite(x)
			continue
		}
		w.expr(x)
	}
}

// mayWrite is a write that does not count as set.
func (w *walker) mayWrite(e tree.Expression) {
	if i, ok := e.(*tree.ImpliedDo); ok {
		w.expr(i)
		for _, x := range i.Items {
			w.mayWrite(x)
		}
		return
	}
	if _, variable := w.effects.datumOf(w.scope, e); !variable {
		return
	}
	if r, ok := w.resolve(e); ok {
		r.rough = true
		w.write(r, affine.Unknown)
	}
}

func (w *walker) allocation(n *tree.Allocation) {
	at := n.Where.From
	for _, x := range n.Objects {
		y := w.scope.Symbol(x)
		if y != nil && w.frame.up != nil && ofCall(y, w.frame.scope) {
			continue // memory of the called procedure alone
		}
		w.refuse("effect", at, strings.ToUpper(n.Kind)+" at "+w.line(at)+" changes an allocation", "move it out of the loop")
		name := x
		if r, ok := x.(*tree.Reference); ok {
			name = r.Base
			for i := range r.Arguments {
				w.expr(r.Arguments[i].Value)
			}
		}
		w.mayWrite(name)
	}
	for i := range n.Options {
		w.expr(n.Options[i].Value)
		if k := n.Options[i].Keyword; k == "stat" || k == "errmsg" {
			w.mayWrite(n.Options[i].Value)
		}
	}
}
