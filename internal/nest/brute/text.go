package brute

import (
	"fmt"
	"strings"
)

// Fortran is the nest as an external subroutine Name in free form. Truth must have been asked for before: it finds the bounds.
// Lines of Truth count from the first line of this text.
func (n *Nest) Fortran() string { return n.text(nil, -1) }

// Reversed is the same subroutine, but the iterations of one loop run backwards. Where the loop is independent without last values,
// results are the same.
func (n *Nest) Reversed(loop int) string { return n.text(nil, loop) }

type writing struct {
	strings.Builder
	n       *Nest
	line    int
	truth   *Truth
	reverse int
}

func (w *writing) put(depth int, format string, args ...any) {
	w.line++
	w.WriteString(strings.Repeat("  ", depth))
	fmt.Fprintf(w, format, args...)
	w.WriteByte('\n')
}

func (n *Nest) text(truth *Truth, reverse int) string {
	w := &writing{n: n, truth: truth, reverse: reverse}
	var dummies []string
	for _, v := range n.Vars {
		if !v.Local {
			dummies = append(dummies, v.Name)
		}
	}
	w.put(0, "subroutine %s(%s)", n.Name, strings.Join(dummies, ", "))
	w.put(1, "implicit none")
	for _, v := range n.Vars {
		kind, intent, shape := "double precision", "", ""
		if v.Integer {
			kind = "integer"
		}
		switch {
		case v.Symbol || v.Integer && v.Rank > 0:
			intent = ", intent(in)"
		case !v.Local:
			intent = ", intent(inout)"
		}
		if v.Rank > 0 {
			shape = "(" + v.shape() + ")"
		}
		w.put(1, "%s%s :: %s%s", kind, intent, v.Name, shape)
	}
	if reverse >= 0 {
		w.put(1, "integer :: rev_, lo_, hi_, st_")
	}
	w.body(1, n.Before)
	w.body(1, []Stmt{n.Top})
	w.body(1, n.After)
	w.put(0, "end subroutine %s", n.Name)
	return w.String()
}

// shape is the bounds of an array.
func (v Var) shape() string {
	var dims []string
	for d := range v.Rank {
		if v.Lower[d] == 1 {
			dims = append(dims, fmt.Sprint(v.Upper[d]))
		} else {
			dims = append(dims, fmt.Sprintf("%d:%d", v.Lower[d], v.Upper[d]))
		}
	}
	return strings.Join(dims, ", ")
}

func (w *writing) body(depth int, list []Stmt) {
	for _, s := range list {
		w.statement(depth, s)
	}
}

func (w *writing) statement(depth int, s Stmt) {
	n := w.n
	switch s := s.(type) {
	case *Assign:
		w.put(depth, "%s = %s", w.ref(s.To), w.sum(s.From, s.Minus))
	case *Update:
		w.put(depth, "%s = %s", w.ref(s.To), w.update(s))
	case *SetInt:
		w.put(depth, "%s = %s", n.Vars[s.Var].Name, w.expr(&s.Value))
	case *If:
		condition := fmt.Sprintf("if (%s %s %s)", w.expr(&s.Left), s.Op, w.expr(&s.Right))
		if _, jump := s.Then[0].(*Jump); jump && len(s.Then) == 1 && len(s.Else) == 0 {
			w.put(depth, "%s %s", condition, jumpText(s.Then[0].(*Jump)))
			return
		}
		w.put(depth, "%s then", condition)
		w.body(depth+1, s.Then)
		if len(s.Else) > 0 {
			w.put(depth, "else")
			w.body(depth+1, s.Else)
		}
		w.put(depth, "end if")
	case *Place:
		sign := ">"
		if s.Op == "min" {
			sign = "<"
		}
		w.put(depth, "if (%s %s %s) then", w.ref(s.From), sign, n.Vars[s.Best].Name)
		w.put(depth+1, "%s = %s", n.Vars[s.Best].Name, w.ref(s.From))
		w.put(depth+1, "%s = %s", n.Vars[s.At].Name, w.expr(&s.Value))
		w.put(depth, "end if")
	case *Loop:
		w.loop(depth, s)
	case *Jump:
		w.put(depth, "%s", jumpText(s))
	}
}

func jumpText(s *Jump) string {
	if s.Exit {
		return "exit " + s.Of.name()
	}
	return "cycle " + s.Of.name()
}

func (l *Loop) name() string { return fmt.Sprintf("loop%d", l.Index) }

func (w *writing) loop(depth int, l *Loop) {
	label, end := "", ""
	if jumped(l.Body, l) {
		label, end = l.name()+": ", " "+l.name()
	}
	v := w.n.Vars[l.Var].Name
	if w.reverse == l.Index {
		w.put(depth, "lo_ = %s", w.expr(&l.Lo))
		w.put(depth, "hi_ = %s", w.expr(&l.Hi))
		w.put(depth, "st_ = %s", w.expr(&l.Step))
		w.put(depth, "%sdo rev_ = (hi_ - lo_ + st_)/st_ - 1, 0, -1", label)
		w.put(depth+1, "%s = lo_ + rev_*st_", v)
	} else {
		step := ""
		if len(l.Step.Terms) > 0 || l.Step.Const != 1 {
			step = ", " + w.expr(&l.Step)
		}
		w.put(depth, "%sdo %s = %s, %s%s", label, v, w.expr(&l.Lo), w.expr(&l.Hi), step)
		if w.truth != nil {
			w.truth.Loops[l.Index].Line = w.line
		}
	}
	w.body(depth+1, l.Body)
	w.put(depth, "end do%s", end)
	if w.reverse == l.Index {
		w.put(depth, "%s = lo_ + max(0, (hi_ - lo_ + st_)/st_)*st_", v)
	}
}

func jumped(body []Stmt, l *Loop) bool {
	for _, s := range body {
		switch s := s.(type) {
		case *Jump:
			if s.Of == l {
				return true
			}
		case *If:
			if jumped(s.Then, l) || jumped(s.Else, l) {
				return true
			}
		case *Loop:
			if jumped(s.Body, l) {
				return true
			}
		}
	}
	return false
}

func (w *writing) ref(r Ref) string {
	v := w.n.Vars[r.Var]
	if v.Rank == 0 || r.Dims == nil {
		return v.Name
	}
	var dims []string
	for _, d := range r.Dims {
		text := w.expr(&d.Lo)
		if d.Section {
			text += ":" + w.expr(&d.Hi)
			if d.Step != 1 {
				text += fmt.Sprintf(":%d", d.Step)
			}
		}
		dims = append(dims, text)
	}
	return v.Name + "(" + strings.Join(dims, ", ") + ")"
}

func (w *writing) sum(from []Ref, minus bool) string {
	if len(from) == 0 {
		return "1.0d0"
	}
	text := ""
	for i, r := range from {
		term := w.ref(r)
		if w.n.Vars[r.Var].Integer {
			term = "dble(" + term + ")"
		}
		switch {
		case i == 0:
		case minus && i == 1:
			text += " - "
		default:
			text += " + "
		}
		text += term
	}
	return text
}

func (w *writing) update(s *Update) string {
	to, from := w.ref(s.To), w.sum(s.From, false)
	switch {
	case s.Op == "*": // a sign, so that products stay exact
		return fmt.Sprintf("%s*sign(1.0d0, %s)", to, from)
	case s.Op != "+" && s.Swap:
		return fmt.Sprintf("%s(%s, %s)", s.Op, from, to)
	case s.Op != "+":
		return fmt.Sprintf("%s(%s, %s)", s.Op, to, from)
	case s.Swap && len(s.From) == 1:
		return from + " + " + to
	case len(s.From) > 1:
		return fmt.Sprintf("%s + (%s)", to, from)
	}
	return to + " + " + from
}

// expr is an integer expression as text.
func (w *writing) expr(x *Expr) string {
	text := ""
	for i := range x.Terms {
		t := &x.Terms[i]
		if t.Coef == 0 {
			continue
		}
		factor := t.Coef
		switch {
		case text == "" && factor < 0:
			text = "-"
		case factor < 0:
			text += " - "
		case text != "":
			text += " + "
		}
		if factor = max(factor, -factor); factor != 1 {
			text += fmt.Sprintf("%d*", factor)
		}
		text += w.atom(t)
	}
	switch {
	case text == "":
		return fmt.Sprint(x.Const)
	case x.Const > 0:
		text += fmt.Sprintf(" + %d", x.Const)
	case x.Const < 0:
		text += fmt.Sprintf(" - %d", -x.Const)
	}
	return text
}

func (w *writing) atom(t *Term) string {
	name := func(v int) string { return w.n.Vars[v].Name }
	switch t.Kind {
	case OfProduct:
		return name(t.A) + "*" + name(t.B)
	case OfElement:
		return name(t.A) + "(" + w.expr(t.Arg) + ")"
	case OfQuotient:
		return fmt.Sprintf("((%s)/%d)", w.expr(t.Arg), t.C)
	case OfModulo:
		return fmt.Sprintf("mod(%s, %d)", w.expr(t.Arg), t.C)
	}
	return name(t.A)
}
