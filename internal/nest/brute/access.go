package brute

// elements adds the elements of a reference, in the order of the array.
func (m *Machine) elements(list []element, r Ref) []element {
	v := &m.nest.Vars[r.Var]
	if v.Rank == 0 {
		return append(list, element{r.Var, m.base[r.Var]})
	}
	var low, high, step [maxRank]int
	empty := false
	for d := range v.Rank {
		step[d] = 1
		switch {
		case r.Dims == nil:
			low[d], high[d] = v.Lower[d], v.Upper[d]
		case r.Dims[d].Section:
			low[d], high[d], step[d] = m.eval(&r.Dims[d].Lo), m.eval(&r.Dims[d].Hi), r.Dims[d].Step
		default:
			low[d] = m.eval(&r.Dims[d].Lo)
			high[d] = low[d]
			m.note(r.Var, d, low[d]) // it must be inside the array even if a section next to it is empty
		}
		empty = empty || (high[d]-low[d]+step[d])/step[d] <= 0
	}
	if empty {
		return list
	}
	at := low
	for {
		e := m.at(r.Var, at)
		if m.bad {
			return list
		}
		list = append(list, element{r.Var, e})
		d := 0
		for ; d < v.Rank; d++ {
			at[d] += step[d]
			if step[d] > 0 && at[d] <= high[d] || step[d] < 0 && at[d] >= high[d] {
				break
			}
			at[d] = low[d]
		}
		if d == v.Rank {
			return list
		}
	}
}

// note adds a subscript to the span of an array. It is false if the machine or the array has no such element.
func (m *Machine) note(v, d, x int) bool {
	of := &m.nest.Vars[v]
	b := box[of.Rank]
	if x < b.low || x >= b.low+b.size || of.Fixed && (x < of.Lower[d] || x > of.Upper[d]) {
		m.bad = true
		return false
	}
	m.low[v][d], m.high[v][d] = min(m.low[v][d], x), max(m.high[v][d], x)
	return true
}

// at is the number of an element. It notes the span of subscripts.
func (m *Machine) at(v int, at [maxRank]int) int {
	of := &m.nest.Vars[v]
	b := box[of.Rank]
	e := 0
	for d := of.Rank - 1; d >= 0; d-- {
		x := at[d]
		if !m.note(v, d, x) {
			return m.base[v]
		}
		e = e*b.size + x - b.low
	}
	return m.base[v] + e
}

func (m *Machine) write(v, e int) { m.touch(v, e, false, true, plain) }

// read notes a read. The variable of an open loop is no memory.
func (m *Machine) read(v, e int) {
	if m.nest.Vars[v].Rank > 0 || !m.nest.Vars[v].Integer || !m.isOpen(v) {
		m.touch(v, e, true, false, plain)
	}
}

// touch notes one access for each loop that is open.
func (m *Machine) touch(v, e int, reads, writes bool, op flag) {
	last := &m.last[e]
	if reads {
		m.live(v, last)
	}
	for d := range m.stack {
		f := &m.stack[d]
		c := &m.cells[d][e]
		if c.inst != f.inst {
			*c = cell{inst: f.inst, w: -1, r: -1}
		}
		facts := op
		if reads {
			if c.w != f.iter {
				facts |= exposed
				c.conflict = c.conflict || c.w >= 0
			}
			if c.r < 0 {
				c.r = f.iter
			}
		}
		if writes {
			if c.w >= 0 && c.w != f.iter || c.r >= 0 && c.r != f.iter {
				c.conflict = true
			}
			c.w = f.iter
			facts |= written
		}
		if c.op == 0 {
			c.op = op
		} else if c.op != op {
			c.op = plain
		}
		if c.conflict {
			facts |= conflict
			if c.op == plain {
				facts |= mixed
			}
		}
		m.flags[f.loop][v] |= facts
	}
	if !writes {
		return
	}
	if last.depth == 0 {
		m.dirty = append(m.dirty, dirtyElement{v, e})
	}
	last.depth = int8(len(m.stack)) + 1
	for d := range m.stack {
		last.inst[d], last.iter[d] = m.stack[d].inst, m.stack[d].iter
	}
}

// live notes that a value is read after the loops, now closed, that wrote it.
func (m *Machine) live(v int, last *writer) {
	depth := int(last.depth) - 1
	for d := range depth {
		if d < len(m.stack) && m.stack[d].inst == last.inst[d] {
			continue
		}
		for ; d < depth; d++ {
			inst := last.inst[d] - m.first
			facts := liveOut
			if last.iter[d] != m.trips[inst]-1 {
				facts |= lastBad
			}
			m.flags[m.loopOf[inst]][v] |= facts
		}
		return
	}
}

// eval is the value of an expression. It notes reads of integer scalars; integer arrays are never written.
func (m *Machine) eval(x *Expr) int {
	sum := x.Const
	for i := range x.Terms {
		t := &x.Terms[i]
		var value int
		switch t.Kind {
		case OfVar:
			value = m.integer(t.A)
		case OfProduct:
			value = m.integer(t.A) * m.integer(t.B)
		case OfElement:
			at := m.eval(t.Arg)
			m.at(t.A, [maxRank]int{at})
			value = Fill(t.A, m.fill, at)
		case OfQuotient:
			value = m.eval(t.Arg) / t.C
		case OfModulo:
			value = m.eval(t.Arg) % t.C
		}
		sum += t.Coef * value
	}
	return sum
}

// integer is the value of an integer scalar. The variable of an open loop is no memory.
func (m *Machine) integer(v int) int {
	if !m.nest.Vars[v].Symbol && !m.isOpen(v) {
		m.read(v, m.base[v])
	}
	return m.value[v]
}

func (m *Machine) isOpen(v int) bool {
	for i := range m.stack {
		if m.nest.loops[m.stack[i].loop].Var == v {
			return true
		}
	}
	return false
}
