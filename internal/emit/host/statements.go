package host

import (
	"bytes"
	"strings"

	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// statements are the user's lines of one iteration, with the names of components replaced, atomics, and without directives that
// would start other threads.
func (n *one) statements(check *checks) []piece {
	e := editor{source: n.w.source, text: n.w.text, form: n.w.form}
	n.w.powers(&e, 0, int32(len(n.w.source))) // in front of other edits, which may begin at the same place
	for _, a := range n.args {
		if len(a.Path) == 0 {
			continue
		}
		for _, u := range a.Uses {
			s := u.Prefix.Span()
			e.replace(s.From.Offset, s.To.Offset, a.name)
		}
	}
	for _, r := range n.results {
		for _, u := range r.uses {
			s := u.Prefix.Span()
			e.replace(s.From.Offset, s.To.Offset, r.name)
		}
	}
	n.turnSubscripts(&e)
	sp := n.speller()
	n.hits(&e)
	if check != nil {
		for _, node := range sortedNodes(check.before) {
			if node == tree.Node(n.k.Inner) {
				continue // its mask
			}
			var t text
			t.form, t.resolve = n.w.form, n.resolve
			for _, c := range check.statements(node) {
				t.add(8, c)
			}
			e.insert(node.Info().Line.Span.From.Offset, t.pieces)
		}
	}
	for _, node := range sortedNodes(n.sums) { // behind the checks, which belong in front of what is written for a sum
		call, ok := n.atomicCall(node, n.sums[node], sp)
		where := node.Info().Where
		if !ok || where.From.File != n.w.file.Source.Index {
			n.refuse(where.From, "this sum into an element is not understood", "write it as a(k) = a(k) + x")
			return nil
		}
		n.writeSum(&e, node, call, sp)
	}
	from, to := n.range_()
	n.w.silence(&e, n.k.Inner.Body, n.k.Inner.End)
	n.unlabel(&e)
	n.balance(&e, from, to)
	line := int32(1)
	for int(line)+1 < len(n.w.offsets) && n.w.offsets[line+1] <= from {
		line++
	}
	return e.apply(from, to, line)
}

// speller writes expressions with the names that the arguments have.
func (n *one) speller() speller {
	p := speller{map[tree.Expression]string{}, n.w.math.Powers}
	for _, a := range n.args {
		if len(a.Path) == 0 {
			continue
		}
		for _, u := range a.Uses {
			p.names[u.Prefix] = a.name
		}
	}
	for _, r := range n.results {
		for _, u := range r.uses {
			p.names[u.Prefix] = r.name
		}
	}
	return p
}

// mask is the condition of DO CONCURRENT.
func (n *one) mask() string {
	if n.k.Inner.Kind != tree.Concurrent || n.k.Inner.Condition == nil {
		return ""
	}
	return n.speller().text(n.k.Inner.Condition)
}

// unlabel takes the label from the statement that ends the loop, if nothing in the loop goes to it.
func (n *one) unlabel(e *editor) {
	do := n.k.Inner
	k := len(do.Body)
	if k == 0 || do.EndLabel == 0 || n.k.Jumps[do.EndLabel] || do.Body[k-1].Info().Where != do.End.Where {
		return
	}
	at := do.Body[k-1].Info().Line.Span.From.Offset
	label := decimal(int(do.EndLabel))
	if i := bytes.Index(n.w.source[at:do.End.Where.From.Offset], []byte(label)); i >= 0 {
		e.replace(at+int32(i), at+int32(i+len(label)), strings.Repeat(" ", len(label)))
	}
}

// hits marks that a tile has found a value whose place is wanted, where the last one of equal values wins.
func (n *one) hits(e *editor) {
	for _, r := range n.results {
		if r.hit == "" {
			continue
		}
		if r.operator == nest.LastSet {
			for _, s := range r.reduction.Statements {
				n.hitBehind(e, s, r.hit)
			}
			continue
		}
		for _, s := range r.reduction.Statements {
			x, ok := s.(*tree.If)
			if !ok {
				continue
			}
			if x.OneLine {
				n.refuse(s.Info().Where.From, "the place of this minimum or maximum is set in a form that is not understood", "write IF (x >= m) THEN; m = x; k = i; END IF")
				continue
			}
			var t text
			t.form = n.w.form
			t.add(8, r.hit+" = .true.")
			e.after(x.Branches[0].Where.To.Offset, t.pieces)
		}
	}
}

// hitBehind sets the flag behind an assignment.
func (n *one) hitBehind(e *editor, s tree.Node, hit string) {
	from, to := s.Info().Where.From.Offset, s.Info().Where.To.Offset
	condition, ends := n.around(s)
	switch {
	case ends || s.Info().Where.From.File != n.w.file.Source.Index:
		n.refuse(s.Info().Where.From, "only some iterations set '"+speller{}.text(s.(*tree.Assignment).Left)+"', in a statement behind which nothing can stand", "end the loop with CONTINUE or END DO")
	case condition:
		e.replace(from, from, "then; ")
		e.replace(to, to, "; "+hit+" = .true.; end if")
	case e.start(from) == from && (from == 0 || e.source[from-1] != '\n') || e.end(to) == to:
		e.replace(to, to, "; "+hit+" = .true.")
	default:
		var t text
		t.form = n.w.form
		t.add(8, hit+" = .true.")
		e.after(to, t.pieces)
	}
}

// range_ are the bytes of the statements in the innermost parallel loop.
func (n *one) range_() (from, to int32) {
	do := n.k.Inner
	from = n.w.end(do.Where.To.Offset)
	for int(from) < len(n.w.source) && (n.w.source[from] == ' ' || n.w.source[from] == ';') && n.w.start(from) != from {
		from++
	}
	k := len(do.Body)
	if k > 0 && do.EndLabel != 0 {
		if inner, ok := do.Body[k-1].(*tree.Do); ok && inner.End.Where == do.End.Where {
			return from, max(from, n.w.end(do.End.Where.To.Offset)) // a loop of the body ends with the same statement
		}
	}
	if k > 0 && do.EndLabel != 0 && do.Body[k-1].Info().Where == do.End.Where {
		last := do.Body[k-1]
		if j, ok := last.(*tree.Jump); ok && j.Kind == "continue" && !n.k.Jumps[do.EndLabel] {
			return from, max(from, n.w.start(last.Info().Line.Span.From.Offset))
		}
		return from, max(from, n.w.end(last.Info().Where.To.Offset))
	}
	return from, max(from, n.w.start(do.End.Line.Span.From.Offset))
}
