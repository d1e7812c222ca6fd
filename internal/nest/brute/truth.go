package brute

import (
	"fmt"
	"slices"
	"strings"
)

// Truth is what the runs of a nest show. Loops stand in the order of the text.
type Truth struct {
	Loops []LoopTruth
	nest  *Nest
}

// LoopTruth is one loop. Perfect says that its body is one loop and nothing else.
type LoopTruth struct {
	Var                 string
	Line, Depth, Parent int // line of Fortran(); depth from 1; Parent is -1 outermost
	Perfect, Leaves     bool
	facts               []flag
}

// Claim is what an analyser says of a loop, or of several that it collapses. A variable that is in none of the lists is shared.
// DO variables of inner loops need not be listed. Operators are those of Fortran: + * max min; the place of an extremum has maxloc, minloc.
type Claim struct {
	Private, Last   []string
	Reduction, Sums map[string]string
}

// Truth runs the nest. It is nil if the nest is no legal program: a subscript leaves its array, a step is 0.
func (n *Nest) Truth(m *Machine) *Truth {
	n.number()
	if !m.run(n) {
		return nil
	}
	t := &Truth{nest: n, Loops: make([]LoopTruth, len(n.loops))}
	for i, l := range n.loops {
		t.Loops[i] = LoopTruth{Var: n.Vars[l.Var].Name, facts: m.flags[i], Perfect: len(l.Body) == 1 && isLoop(l.Body[0])}
	}
	t.place([]Stmt{n.Top}, nil)
	for i := range n.Vars {
		v := &n.Vars[i]
		for d := range v.Rank {
			if !v.Fixed { // subscripts of statements that never ran shall not look wrong to a compiler
				v.Lower[d], v.Upper[d] = min(m.low[i][d], 0), max(m.high[i][d], 4)
			}
		}
	}
	n.text(t, -1)
	return t
}

func isLoop(s Stmt) bool {
	_, is := s.(*Loop)
	return is
}

// place finds depths and parents, and the loops that a jump leaves.
func (t *Truth) place(body []Stmt, open []*Loop) {
	for _, s := range body {
		switch s := s.(type) {
		case *If:
			t.place(s.Then, open)
			t.place(s.Else, open)
		case *Loop:
			at := &t.Loops[s.Index]
			at.Depth, at.Parent = len(open)+1, -1
			if len(open) > 0 {
				at.Parent = open[len(open)-1].Index
			}
			t.place(s.Body, append(slices.Clone(open), s))
		case *Jump:
			for i := len(open) - 1; i >= 0 && (s.Exit || open[i] != s.Of); i-- {
				t.Loops[open[i].Index].Leaves = true
				if open[i] == s.Of {
					break
				}
			}
		}
	}
}

// Check is an error if the claim is wrong: the loops (numbers of Loops; several if they are collapsed) must not run in parallel so.
func (t *Truth) Check(loops []int, claim Claim) error {
	for _, l := range loops {
		if t.Loops[l].Leaves {
			return fmt.Errorf("loop %s (line %d): a jump leaves it", t.Loops[l].Var, t.Loops[l].Line)
		}
		for v, facts := range t.Loops[l].facts {
			if facts == 0 {
				continue
			}
			if why := t.wrong(loops, v, facts, claim); why != "" {
				return fmt.Errorf("loop %s (line %d): '%s' %s", t.Loops[l].Var, t.Loops[l].Line, t.nest.Vars[v].Name, why)
			}
		}
	}
	return nil
}

func (t *Truth) wrong(loops []int, v int, facts flag, claim Claim) string {
	name := t.nest.Vars[v].Name
	variable, inner := t.isDo(v, loops)
	switch {
	case slices.Contains(claim.Private, name):
		return ifNot(private(facts), "is not private: an iteration reads it before it writes it, or its value is read after the loop")
	case slices.Contains(claim.Last, name):
		return ifNot(last(facts), "is not the value of the last iteration")
	case claim.Reduction[name] == "last": // of the iterations that set it
		return ifNot(facts&exposed == 0, "is read before its iteration sets it")
	case claim.Reduction[name] != "":
		return ifNot(facts&plain == 0 && t.oneOp(v, facts, claim.Reduction[name]), "is not only updated with "+claim.Reduction[name])
	case claim.Sums[name] != "":
		return ifNot(facts&mixed == 0 && t.oneOp(v, facts, claim.Sums[name]), "has an element that is not only updated with "+claim.Sums[name])
	case variable:
		return ifNot(facts&exposed == 0, "is read before its loop sets it")
	case inner && facts&conflict != 0:
		return ifNot(private(facts), "is the variable of an inner loop, and is read before it or after")
	}
	return ifNot(facts&conflict == 0, "has a conflict between two iterations")
}

func ifNot(good bool, text string) string {
	if good {
		return ""
	}
	return text
}

// isDo says whether a variable belongs to one of the loops, and whether to any.
func (t *Truth) isDo(v int, loops []int) (claimed, any bool) {
	for i, l := range t.nest.loops {
		if l.Var == v {
			any = true
			claimed = claimed || slices.Contains(loops, i)
		}
	}
	return claimed, any
}

func private(f flag) bool { return f&exposed == 0 && f&liveOut == 0 }
func last(f flag) bool    { return f&exposed == 0 && f&lastBad == 0 }

// oneOp says that the updates of a variable have this operator and no other.
func (t *Truth) oneOp(v int, facts flag, op string) bool {
	used := facts & (opPlus | opTimes | opMax | opMin | opMaxPlace | opMinPlace)
	if t.nest.places[v] && (op == "max" || op == "min") && used == opFlags[op+"loc"] {
		return true
	}
	return used == opFlags[op]
}

// Best is a claim under which one loop is independent. If there is none, why says which variable forbids it.
func (t *Truth) Best(loop int) (claim Claim, why string) {
	claim.Reduction, claim.Sums = map[string]string{}, map[string]string{}
	if t.Loops[loop].Leaves {
		return claim, "a jump leaves the loop"
	}
	for v, facts := range t.Loops[loop].facts {
		name := t.nest.Vars[v].Name
		op := t.op(v, facts)
		switch {
		case facts&conflict == 0:
		case private(facts):
			claim.Private = append(claim.Private, name)
		case op != "" && facts&plain == 0 && t.nest.Vars[v].Rank == 0:
			claim.Reduction[name] = op
		case last(facts):
			claim.Last = append(claim.Last, name)
		case op != "" && facts&mixed == 0 && t.nest.Vars[v].Rank > 0:
			claim.Sums[name] = op
		default:
			return claim, "'" + name + "' carries values between iterations"
		}
	}
	return claim, ""
}

func (t *Truth) op(v int, facts flag) string {
	for _, op := range []string{"+", "*", "max", "min", "maxloc", "minloc"} {
		if t.oneOp(v, facts, op) {
			return op
		}
	}
	return ""
}

// String is the claim in words of the directive.
func (c Claim) String() string {
	var words []string
	if len(c.Private) > 0 {
		words = append(words, "private("+strings.Join(slices.Sorted(slices.Values(c.Private)), ", ")+")")
	}
	if len(c.Last) > 0 {
		words = append(words, "last("+strings.Join(slices.Sorted(slices.Values(c.Last)), ", ")+")")
	}
	for _, list := range []struct {
		name string
		of   map[string]string
	}{{"reduction", c.Reduction}, {"sums", c.Sums}} {
		var names []string
		for v, op := range list.of {
			names = append(names, op+":"+v)
		}
		slices.Sort(names)
		if len(names) > 0 {
			words = append(words, list.name+"("+strings.Join(names, ", ")+")")
		}
	}
	return strings.Join(words, " ")
}
