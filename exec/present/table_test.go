package present

import (
	"errors"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

// fakeMemory gives blocks far from the host's memory, and fails when it is asked to.
type fakeMemory struct {
	next  uintptr
	live  map[uintptr]bool
	fails bool
}

func (m *fakeMemory) Allocate(int, uint64, string) (uintptr, error) {
	if m.fails {
		return 0, errors.New("full")
	}
	m.next += 1 << 20
	m.live[m.next] = true
	return m.next, nil
}

func (m *fakeMemory) Free(_ int, block uintptr) error {
	if !m.live[block] {
		return errors.New("not live")
	}
	delete(m.live, block)
	return nil
}

func (m *fakeMemory) Host(uint64) uintptr {
	if m.fails {
		return 0
	}
	block, _ := m.Allocate(0, 0, "")
	return block
}

func (m *fakeMemory) FreeHost(block uintptr) { delete(m.live, block) }

func newTable() (*Table, *fakeMemory) {
	m := &fakeMemory{next: 1 << 40, live: map[uintptr]bool{}}
	return &Table{Memory: m}, m
}

func span(start, end uintptr, read, written bool) Span {
	return Span{Start: start, End: end, Unit: 8, Read: read, Written: written, Name: "a"}
}

func (t *Table) run(test *testing.T, p *Plan, o Outcome) (up, down int) {
	for _, c := range p.Copies {
		if c.Up {
			up++
		} else {
			down++
		}
	}
	_, err := t.Done(o)
	require.NoError(test, err)
	return up, down
}

// Hundred launches need one copy to the device and one back, and the memory is freed.
func TestManyLaunches(t *testing.T) {
	table, m := newTable()
	table.Open("r", 1)
	table.Add(1, span(0x1000, 0x2000, true, true), Derived, false)
	up, down := 0, 0
	for range 100 {
		p := table.Launch(1, 0, []Span{span(0x1000, 0x2000, true, true), span(0x1100, 0x1200, true, false)}, false)
		require.Equal(t, p.At[0]+0x100, p.At[1], "a part of the array is in its copy")
		require.Zero(t, p.At[0]%align, "the alignment stays")
		u, d := table.run(t, p, Ran)
		up, down = up+u, down+d
	}
	u, d := table.run(t, table.Close("r", 1), Copied)
	require.Equal(t, []int{1, 1}, []int{up + u, down + d})
	require.Empty(t, m.live)
	regions, entries := table.Counts()
	require.Zero(t, regions+entries)
}

// Rows of what an array's clause and use leave out.
func TestClauses(t *testing.T) {
	for _, row := range []struct {
		name          string
		clause        Clause
		read, written bool
		up, down      int
	}{
		{"read", Derived, true, false, 1, 0},
		{"in", In, true, false, 1, 0},
		{"updated", Derived, true, true, 1, 1},
		{"written", Derived, false, true, 1, 1},
		{"in, but written: the host gets it as in the plain program", In, true, true, 1, 1},
		{"out", Out, false, true, 0, 1},
		{"out, but only read", Out, true, false, 1, 0},
		{"local", Local, false, true, 0, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			table, _ := newTable()
			table.Open("r", 1)
			table.Add(1, span(0x1000, 0x2000, true, true), row.clause, false)
			up, down := 0, 0
			for range 3 {
				u, d := table.run(t, table.Launch(1, 0, []Span{span(0x1000, 0x2000, row.read, row.written)}, false), Ran)
				up, down = up+u, down+d
			}
			u, d := table.run(t, table.Close("r", 1), Copied)
			require.Equal(t, []int{row.up, row.down}, []int{up + u, down + d})
		})
	}
}

// These keep a launch from a copy: another thread, a pause, an array that reaches beyond it, no memory, an array that was freed.
func TestUnusable(t *testing.T) {
	whole := span(0x1000, 0x2000, true, true)
	for name, row := range map[string]struct {
		thread uint64
		spans  []Span
		before func(*Table, *fakeMemory)
		down   int
	}{
		"thread":            {2, []Span{whole}, nil, 1},
		"pause":             {1, []Span{whole}, func(t *Table, _ *fakeMemory) { t.Pause(1) }, 1},
		"beyond":            {1, []Span{span(0x1800, 0x2800, true, true)}, nil, 1},
		"beyond and within": {1, []Span{whole, span(0x0f00, 0x1008, true, false)}, nil, 1},
		"freed":             {1, []Span{whole}, func(t *Table, _ *fakeMemory) { t.Leave(whole); t.Done(Copied) }, 0},
		"freed and made again elsewhere": {1, []Span{whole}, func(t *Table, _ *fakeMemory) {
			t.Leave(whole)
			t.Done(Copied)
			t.Stay(span(0x3000, 0x4000, true, true))
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			table, m := newTable()
			table.Open("r", 1)
			table.Add(1, whole, Derived, false)
			table.run(t, table.Launch(1, 0, []Span{whole}, false), Ran)
			if row.before != nil {
				row.before(table, m)
			}
			p := table.Launch(row.thread, 0, row.spans, false)
			for _, at := range p.At {
				require.Zero(t, at)
			}
			up, down := table.run(t, p, Ran)
			require.Equal(t, []int{0, row.down}, []int{up, down})
		})
	}
	table, m := newTable()
	table.Open("r", 1)
	table.Add(1, whole, Derived, false)
	m.fails = true
	require.Zero(t, table.Launch(1, 0, []Span{whole}, false).At[0])
	table.Done(Ran)
	m.fails = false
	require.NotZero(t, table.Launch(1, 0, []Span{whole}, false).At[0], "later there is memory")
	table.Done(Ran)
	table.run(t, table.Leave(whole), Copied)
	table.Stay(whole)
	require.NotZero(t, table.Launch(1, 0, []Span{whole}, false).At[0], "it was not freed")
}

// A region inside finds the arrays of the one around, and its end leaves them.
func TestNested(t *testing.T) {
	table, m := newTable()
	whole := span(0x1000, 0x2000, true, true)
	table.Open("outer", 1)
	table.Add(1, whole, Derived, false)
	table.run(t, table.Launch(1, 0, []Span{whole}, false), Ran)
	table.Open("inner", 1)
	table.Add(1, span(0x1100, 0x1200, true, true), Local, false)
	table.Add(1, span(0x1f00, 0x2100, true, true), Local, false) // in part: left out
	up, down := table.run(t, table.Launch(1, 0, []Span{span(0x1100, 0x1200, true, true)}, false), Ran)
	require.Zero(t, up+down)
	_, down = table.run(t, table.Close("inner", 1), Copied)
	require.Zero(t, down)
	require.Len(t, m.live, 1)
	table.run(t, table.Close("other", 1), Copied) // was not opened
	_, down = table.run(t, table.Close("outer", 1), Copied)
	require.Equal(t, 1, down)
}

// Discarded results were on the host before.
func TestDiscarded(t *testing.T) {
	table, _ := newTable()
	whole := span(0x1000, 0x2000, true, true)
	table.Open("r", 1)
	table.Add(1, whole, Derived, false)
	table.run(t, table.Launch(1, 0, []Span{whole}, false), Ran)
	_, down := table.run(t, table.Launch(1, 0, []Span{whole}, true), Discarded)
	require.Equal(t, 1, down)
	up, down := table.run(t, table.Launch(1, 0, []Span{whole}, false), Ran)
	require.Equal(t, []int{1, 0}, []int{up, down})
}

// Arrays that are entered stay over regions, until they left as often; memory that was freed and allocated again is a new array.
func TestEntered(t *testing.T) {
	table, memory := newTable()
	a := span(0x1000, 0x2000, true, true)
	up, down := 0, 0
	run := func(p *Plan, o Outcome) {
		u, d := table.run(t, p, o)
		up, down = up+u, down+d
	}
	table.Enter(1, a)
	table.Enter(1, a)
	table.Add(1, span(0x3000, 0x4000, true, true), Derived, false)
	require.Zero(t, table.Launch(1, 0, []Span{span(0x3000, 0x4000, true, true)}, false).At[0], "no region is open")
	table.Done(Nothing)
	table.Open("r", 1)
	table.Add(1, a, Derived, false)
	run(table.Launch(1, 0, []Span{a}, false), Ran)
	run(table.Close("r", 1), Copied)
	run(table.Exit(1, a), Copied)
	run(table.Launch(1, 0, []Span{a}, false), Ran)
	require.Equal(t, []int{1, 0}, []int{up, down})
	run(table.Exit(2, a), Copied) // another thread has nothing
	run(table.Exit(1, a), Copied)
	require.Equal(t, []int{1, 1}, []int{up, down})
	require.Empty(t, memory.live)
	run(table.Exit(1, a), Copied)
	table.Enter(1, a)
	run(table.Launch(1, 0, []Span{a}, false), Ran)
	run(table.Leave(a), Copied)
	table.Enter(1, span(0x1800, 0x2800, true, true))
	require.Empty(t, memory.live)
	p := table.Launch(1, 0, []Span{span(0x1800, 0x2800, true, true)}, false)
	require.NotZero(t, p.At[0])
	run(p, Ran)
	run(table.Exit(1, span(0x1800, 0x2800, true, true)), Copied)
	require.Empty(t, memory.live)
	table.Enter(1, a)
	run(table.Launch(1, 0, []Span{a}, false), Ran)
	table.End()
	require.Empty(t, memory.live, "the program ends")
}

// A procedure that is not seen may write elements of the host while the device changes others.
func TestExposed(t *testing.T) {
	table, memory := newTable()
	m := &machine{device: map[uintptr]int{}}
	a := Span{Start: 8, End: 24, Unit: 1, Read: true, Written: true}
	run := func(p *Plan, o Outcome) {
		m.copies(p)
		table.Done(o)
	}
	table.Open("r", 1)
	table.Add(1, a, Derived, false)
	launch := func(element uintptr, value int) {
		p := table.Launch(1, 0, []Span{a}, false)
		m.copies(p)
		m.device[p.At[0]+element-8] = value
		table.Done(Ran)
	}
	launch(10, 3)
	run(table.Expose(a), Copied) // a receive begins
	launch(11, 4)
	m.host[20] = 5 // it ends
	launch(12, 6)
	run(table.Host(Span{Start: 8, End: 9, Unit: 1, Read: true}), Copied)
	launch(13, 7)
	m.host[21] = 8
	run(table.All(true), Copied) // a wait
	require.Equal(t, []int{3, 4, 6, 7}, m.host[10:14])
	require.Equal(t, []int{5, 8}, m.host[20:22], "what was received stays")
	p := table.Launch(1, 0, []Span{a}, false)
	m.copies(p)
	require.Equal(t, 5, m.device[p.At[0]+12], "and the device gets it")
	table.Done(Ran)
	run(table.Close("r", 1), Copied)
	require.Equal(t, 8, m.host[21])
	require.Empty(t, memory.live)
}

// machine carries out plans on values: host memory, and the copies on the device.
type machine struct {
	host   [64]int
	device map[uintptr]int
}

func (m *machine) copies(p *Plan) {
	for _, c := range p.Copies {
		for i := range uintptr(c.Bytes) {
			there := m.device[c.There+i]
			switch {
			case c.Up:
				there = m.host[c.Start+i]
				m.device[c.There+i] = there
			case c.Before == 0 || m.device[c.Before+i] != there:
				m.host[c.Start+i] = there
			}
			if c.Before != 0 {
				m.device[c.Before+i] = there
			}
		}
	}
}

// TestModel: launches and host statements in any order, with regions, give the values of the plain program. Bytes are the elements.
func TestModel(t *testing.T) {
	for seed := range int64(400) {
		r := rand.New(rand.NewSource(seed))
		table, memory := newTable()
		m := &machine{device: map[uintptr]int{}}
		var plain [64]int
		any := func() Span {
			start := uintptr(1 + r.Intn(50))
			if r.Intn(3) > 0 {
				start = 1 + start/16*16
			}
			end := start + uintptr(1+r.Intn(12))
			return Span{Start: start, End: end, Unit: 1, Read: true, Written: r.Intn(2) == 0}
		}
		var open []string
		for step := range 150 {
			thread := uint64(1)
			if r.Intn(8) == 0 {
				thread = 2
			}
			switch r.Intn(10) {
			case 9:
				s := any()
				m.copies(table.Expose(s))
				table.Done(Copied)
				for k := s.Start; k < s.End; k++ {
					require.Equal(t, plain[k], m.host[k], "seed %d step %d", seed, step)
				}
			case 0:
				label := string(rune('a' + r.Intn(3)))
				open = append(open, label)
				table.Open(label, 1)
				for range r.Intn(4) {
					table.Add(1, any(), []Clause{Derived, In, InOut}[r.Intn(3)], r.Intn(2) == 0)
				}
			case 1:
				if len(open) == 0 {
					continue
				}
				p := table.Close(open[len(open)-1], 1)
				open = open[:len(open)-1]
				m.copies(p)
				table.Done(Copied)
			case 2:
				table.Pause(1)
			case 3:
				table.Resume(1)
			case 4, 5, 6: // a launch: each written element becomes a function of all that is read
				spans := []Span{any(), any()}
				memory.fails = r.Intn(6) == 0
				keep := r.Intn(4) == 0
				p := table.Launch(thread, r.Intn(2), spans, keep)
				m.copies(p)
				outcome := []Outcome{Ran, Ran, Copied}[r.Intn(3)]
				if keep && outcome == Ran && r.Intn(2) == 0 {
					outcome = Discarded
				}
				at := func(i int, k uintptr) (uintptr, bool) { return p.At[i] + k, p.At[i] != 0 }
				if outcome != Copied {
					// Spans that no region has are copied for the launch: here the host's values stand for the copy, and all spans see one memory.
					sum := step
					for i, s := range spans {
						for k := range s.End - s.Start {
							if a, there := at(i, k); there {
								sum = sum*7 + m.device[a]
							} else {
								sum = sum*7 + m.host[s.Start+k]
							}
						}
					}
					expected := step
					for _, s := range spans {
						for k := s.Start; k < s.End; k++ {
							expected = expected*7 + plain[k]
						}
					}
					require.Equal(t, expected, sum, "seed %d step %d", seed, step)
					for i, s := range spans {
						for k := range s.End - s.Start {
							if !s.Written {
								continue
							}
							if a, there := at(i, k); there {
								m.device[a] = sum + int(k)
							} else if outcome == Ran {
								m.host[s.Start+k] = sum + int(k)
							}
							if outcome == Ran {
								plain[s.Start+k] = sum + int(k)
							}
						}
					}
				}
				table.Done(outcome)
			case 7: // the host
				s := any()
				m.copies(table.Host(s))
				table.Done(Copied)
				for k := s.Start; k < s.End; k++ {
					require.Equal(t, plain[k], m.host[k], "seed %d step %d", seed, step)
					if s.Written {
						plain[k], m.host[k] = step, step
					}
				}
			case 8:
				m.copies(table.All(false))
				table.Done(Copied)
				require.Equal(t, plain, m.host, "seed %d step %d", seed, step)
			}
		}
		for i := len(open) - 1; i >= 0; i-- {
			m.copies(table.Close(open[i], 1))
			table.Done(Copied)
		}
		require.Equal(t, plain, m.host, "seed %d", seed)
		require.Empty(t, memory.live)
	}
}
