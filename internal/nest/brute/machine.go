package brute

import "reflect"

// flag is one fact about a variable in one loop, over all runs of the loop.
type flag uint32

const (
	written  flag = 1 << iota
	conflict      // two iterations touch an element, and one of them writes it
	mixed         // as conflict, and not every access of the element is an update with one operator
	exposed       // an iteration reads an element before it writes it
	plain         // an access is no update
	liveOut       // the value of an iteration is read after the loop
	lastBad       // such a value is not that of the last iteration
	opPlus        // updates by their operator
	opTimes
	opMax
	opMin
	opMaxPlace
	opMinPlace
)

var opFlags = map[string]flag{"+": opPlus, "*": opTimes, "max": opMax, "min": opMin, "maxloc": opMaxPlace, "minloc": opMinPlace}

const maxDepth = 4

// cell is what one instance of a loop knows of one element.
type cell struct {
	inst     int32 // the instance that this is about
	w, r     int32 // last iteration that wrote, first that read; -1: none
	op       flag  // operator of all updates so far; plain: others too
	conflict bool
}

// writer is the place of the last write to an element.
type writer struct {
	depth      int8
	inst, iter [maxDepth]int32
}

type frame struct {
	loop, inst, iter int32
}

// Machine runs nests. It keeps its memory from nest to nest.
type Machine struct {
	nest   *Nest
	value  []int
	fill   int
	base   []int // first element of each variable
	stack  []frame
	cells  [maxDepth][]cell
	last   []writer
	dirty  []dirtyElement
	flags  [][]flag
	loopOf []int32 // of each instance
	trips  []int32
	first  int32 // number of the first instance of this nest
	low    [][maxRank]int
	high   [][maxRank]int
	target *Loop // of a jump
	exit   bool
	bad    bool // a subscript is outside its box
	reads  []element
	writes []element
}

type dirtyElement struct{ v, e int }

type element struct{ v, e int }

// box is the span of subscripts that the machine holds, by rank.
var box = [maxRank + 1]struct{ low, size, elements int }{{0, 1, 1}, {-100, 256, 256}, {-24, 64, 64 * 64}, {-12, 32, 32 * 32 * 32}}

// NewMachine makes a machine.
func NewMachine() *Machine { return &Machine{first: 1} }

// run runs the nest with all its data. It is false if a subscript leaves its box or the bounds that are given.
func (m *Machine) run(n *Nest) bool {
	m.nest, m.bad = n, false
	m.base = m.base[:0]
	total := 0
	m.low, m.high = make([][maxRank]int, len(n.Vars)), make([][maxRank]int, len(n.Vars))
	for i, v := range n.Vars {
		m.base = append(m.base, total)
		total += box[v.Rank].elements
		for d := range v.Rank {
			m.low[i][d], m.high[i][d] = 1<<30, -1<<30
		}
	}
	if m.first > 1<<30 || len(m.last) < total {
		for d := range m.cells {
			m.cells[d] = make([]cell, total)
		}
		m.last, m.first = make([]writer, total), 1
	}
	m.flags = make([][]flag, len(n.loops))
	for i := range m.flags {
		m.flags[i] = make([]flag, len(n.Vars))
	}
	for r := range n.Data {
		m.value = append(m.value[:0], n.Data[r]...)
		m.fill = n.Fills[r]
		m.body(n.Before)
		m.loop(n.Top)
		m.body(n.After)
		for _, d := range m.dirty {
			if v := n.Vars[d.v]; !v.Local {
				m.read(d.v, d.e)
			}
		}
		for _, d := range m.dirty {
			m.last[d.e] = writer{}
		}
		m.dirty = m.dirty[:0]
		m.first += int32(len(m.loopOf))
		m.loopOf, m.trips = m.loopOf[:0], m.trips[:0]
		if m.bad {
			return false
		}
	}
	return true
}

func (m *Machine) body(list []Stmt) {
	for _, s := range list {
		m.statement(s)
		if m.target != nil || m.bad {
			return
		}
	}
}

func (m *Machine) statement(s Stmt) {
	switch s := s.(type) {
	case *Assign:
		if from, is := m.nest.sumStep(s); is {
			m.statement(&Update{To: s.To, Op: "+", From: from})
			return
		}
		m.reads, m.writes = m.reads[:0], m.writes[:0]
		for _, from := range s.From {
			m.reads = m.elements(m.reads, from)
		}
		m.writes = m.elements(m.writes, s.To)
		for _, r := range m.reads {
			m.read(r.v, r.e)
		}
		for _, w := range m.writes {
			m.write(w.v, w.e)
		}
	case *Update:
		m.readAll(s.From)
		m.writes = m.elements(m.writes[:0], s.To)
		for _, w := range m.writes {
			m.touch(w.v, w.e, true, true, opFlags[s.Op])
		}
	case *SetInt:
		if m.counts(s) {
			x := m.value[s.Var] + m.eval(&Expr{Const: s.Value.Const, Terms: s.Value.Terms[1:]})
			m.touch(s.Var, m.base[s.Var], true, true, opPlus)
			m.value[s.Var] = x
			return
		}
		x := m.eval(&s.Value)
		m.write(s.Var, m.base[s.Var])
		m.value[s.Var] = x
	case *If:
		l, r := m.eval(&s.Left), m.eval(&s.Right)
		if s.Op == "==" && l == r || s.Op == "<" && l < r || s.Op == ">" && l > r {
			m.body(s.Then)
		} else {
			m.body(s.Else)
		}
	case *Place:
		m.readAll([]Ref{s.From})
		op := opMaxPlace
		if s.Op == "min" {
			op = opMinPlace
		}
		m.eval(&s.Value)
		m.touch(s.Best, m.base[s.Best], true, true, op)
		m.touch(s.At, m.base[s.At], true, true, op)
	case *Loop:
		m.loop(s)
	case *Jump:
		m.target, m.exit = s.Of, s.Exit
	}
}

func (m *Machine) readAll(refs []Ref) {
	m.reads = m.reads[:0]
	for _, from := range refs {
		m.reads = m.elements(m.reads, from)
	}
	for _, r := range m.reads {
		m.read(r.v, r.e)
	}
}

// sumStep finds out whether an assignment adds to its own element, as a = b + a - c does; the other operands are from.
func (n *Nest) sumStep(s *Assign) (from []Ref, is bool) {
	if n.Vars[s.To.Var].Rank != len(s.To.Dims) || n.Vars[s.To.Var].Integer {
		return nil, false
	}
	for _, d := range s.To.Dims {
		if d.Section {
			return nil, false
		}
	}
	found := 0
	for i, r := range s.From {
		switch {
		case r.Var != s.To.Var:
			from = append(from, r)
		case s.Minus && i == 1 || !reflect.DeepEqual(r, s.To):
			return nil, false
		default:
			found++
		}
	}
	return from, found == 1
}

// counts finds out whether an assignment adds to its own variable, as k = k + 2 does.
func (m *Machine) counts(s *SetInt) bool {
	list := s.Value.Terms
	if len(list) == 0 || list[0].Kind != OfVar || list[0].A != s.Var || list[0].Coef != 1 {
		return false
	}
	for i := range list[1:] {
		if t := &list[i+1]; t.Arg != nil || t.A == s.Var || t.Kind == OfProduct && t.B == s.Var {
			return false
		}
	}
	return true
}

// loop runs a DO as the standard says: its trips are counted once.
func (m *Machine) loop(l *Loop) {
	lo, hi, step := m.eval(&l.Lo), m.eval(&l.Hi), m.eval(&l.Step)
	if step == 0 || len(m.stack) == maxDepth {
		m.bad = true
		return
	}
	trips := max(0, (hi-lo+step)/step)
	m.write(l.Var, m.base[l.Var])
	inst := m.first + int32(len(m.loopOf))
	m.loopOf, m.trips = append(m.loopOf, int32(l.Index)), append(m.trips, 0)
	m.stack = append(m.stack, frame{int32(l.Index), inst, 0})
	at := len(m.stack) - 1
	ran := int32(0)
	m.value[l.Var] = lo
	for t := range trips {
		m.stack[at].iter = int32(t)
		m.value[l.Var] = lo + t*step
		m.body(l.Body)
		ran++
		if m.bad {
			break
		}
		if m.target == l {
			exit := m.exit
			m.target = nil
			if exit {
				break
			}
		} else if m.target != nil {
			break
		}
		m.value[l.Var] = lo + (t+1)*step
	}
	m.stack = m.stack[:at]
	m.trips[inst-m.first] = ran
	m.write(l.Var, m.base[l.Var])
}
