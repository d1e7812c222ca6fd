package halo

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// world has the memory of all ranks: fields of int64, whose addresses are those of Go's slices.
type world struct {
	specs  []*Spec
	fields [][]Field
	data   [][][]int64
}

// each calls f for each element of the rows, with its place in the field and in the buffer, in elements.
func (r *Rows) each(base uintptr, f func(element, buffer int64)) {
	outer := append(slices.Clone(r.Axes[1:]), Dimension{1, 0})
	if r.Index != nil {
		outer[len(outer)-1].Extent = int64(len(r.Index))
	}
	for row := range r.Count() {
		at, rest := int64(r.At-base), row
		for k, a := range outer {
			i := rest % a.Extent
			rest /= a.Extent
			if k == len(outer)-1 && r.Index != nil {
				at += r.Index[i] * r.IndexStep
			} else {
				at += i * a.Step
			}
		}
		for i := range r.Axes[0].Extent {
			f((at+i*r.Axes[0].Step)/8, (r.Offset+(row*r.Axes[0].Extent+i)*8)/8)
		}
	}
}

// exchange runs the plans of all ranks; back: ghost cells are added to their owners.
func (w *world) exchange(t *testing.T, back bool) {
	plans, buffers := make([]*Plan, len(w.specs)), make([][]int64, len(w.specs))
	for rank, s := range w.specs {
		p, f := New(s, w.fields[rank])
		require.Empty(t, f)
		plans[rank], buffers[rank] = p, make([]int64, p.Bytes/8)
		from := p.Own
		if back {
			from = p.Ghost
		}
		for i := range from {
			k := from[i].Field
			from[i].each(w.fields[rank][k].At, func(e, b int64) { buffers[rank][b] = w.data[rank][k][e] })
		}
	}
	for rank, p := range plans {
		peers := map[int]bool{}
		for _, m := range p.Messages {
			require.False(t, peers[m.Peer] || m.Peer == rank, "a second message for a rank, or one to itself")
			peers[m.Peer] = true
			q := plans[m.Peer].Messages
			i := slices.IndexFunc(q, func(o Message) bool { return o.Peer == rank })
			require.GreaterOrEqual(t, i, 0)
			require.Equal(t, m.GhostBytes, q[i].OwnBytes)
			if back {
				copy(buffers[rank][m.OwnAt/8:][:m.OwnBytes/8], buffers[m.Peer][q[i].GhostAt/8:])
			} else {
				copy(buffers[rank][m.GhostAt/8:][:m.GhostBytes/8], buffers[m.Peer][q[i].OwnAt/8:])
			}
		}
	}
	for rank, p := range plans {
		to := p.Ghost
		if back {
			to = p.Added
			require.True(t, slices.IsSortedFunc(to, func(a, b Rows) int { return a.Group - b.Group }))
			require.ElementsMatch(t, p.Own, to)
		}
		seen := map[[3]int64]bool{}
		for i := range to {
			k := to[i].Field
			to[i].each(w.fields[rank][k].At, func(e, b int64) {
				key := [3]int64{int64(k), e, 0}
				if back {
					key[2] = int64(to[i].Group)
					w.data[rank][k][e] += buffers[rank][b]
				} else {
					w.data[rank][k][e] = buffers[rank][b]
				}
				require.False(t, seen[key], "an element twice in one launch")
				seen[key] = true
			})
		}
	}
}

func field(name string, data []int64, extents []int64, order, shared []int) Field {
	f := Field{Name: name, Kind: 4, Bytes: 8, Order: order, Shared: shared, Dimensions: make([]Dimension, len(extents))}
	if len(data) > 0 {
		f.At = uintptr(unsafe.Pointer(&data[0]))
	}
	step := int64(8)
	for _, d := range order {
		f.Dimensions[d] = Dimension{extents[d], step}
		step *= extents[d]
	}
	return f
}

func product(n []int64) int64 {
	all := int64(1)
	for _, x := range n {
		all *= x
	}
	return all
}

// cell is the number of an element of the whole domain, for indices of a field on a rank; -1: outside of it, or a corner without faces.
func (b *Box) cell(first, count, at []int64) (number int64, ghost bool) {
	outside := 0
	for d := range at {
		x := first[d] + at[d] - b.Width[d]
		if at[d] < b.Width[d] || at[d] >= b.Width[d]+count[d] {
			outside++
		}
		if x < 0 || x >= b.Global[d] {
			if !b.Periodic[d] {
				return -1, outside > 0
			}
			x = (x + b.Global[d]) % b.Global[d]
		}
		number = number*b.Global[d] + x
	}
	if b.Faces && outside > 1 {
		number = -1
	}
	return number, outside > 0
}

// TestBoxes: each ghost cell equals that of the whole domain; ghosts of 1 add up to the number of copies of a cell.
func TestBoxes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		dims := 1 + r.IntN(3)
		box, ranks := Box{Faces: r.IntN(3) == 0}, int64(1)
		for range dims {
			grid, width := 1+r.Int64N(3), r.Int64N(4)
			box.Grid, box.Width = append(box.Grid, grid), append(box.Width, width)
			box.Periodic = append(box.Periodic, r.IntN(2) == 0)
			box.Global = append(box.Global, grid*max(width, 1)+r.Int64N(4))
			ranks *= grid
		}
		order, shared := r.Perm(dims+1), r.Perm(dims + 1)[:dims]
		w := world{}
		for rank := range int(ranks) {
			s := &Spec{Rank: rank, Ranks: int(ranks), Box: &box}
			require.Empty(t, s.Check())
			_, count := box.Own(rank)
			extents := make([]int64, dims+1)
			for d := range extents {
				extents[d] = 2
				if g := slices.Index(shared, d); g >= 0 {
					extents[d] = count[g] + 2*box.Width[g]
				}
			}
			data := [][]int64{make([]int64, product(extents)), make([]int64, product(extents))}
			w.specs, w.data = append(w.specs, s), append(w.data, data)
			w.fields = append(w.fields, []Field{field("u", data[0], extents, order, shared), field("v", data[1], extents, order, shared)})
		}
		walk := func(f func(rank, k int, number, other int64, ghost bool, x *int64)) {
			for rank, s := range w.specs {
				first, count := box.Own(rank)
				for k, fd := range w.fields[rank] {
					for e := range int64(len(w.data[rank][k])) {
						at, other := make([]int64, dims), int64(0)
						for d, x := range fd.Dimensions {
							i := e * 8 / x.Step % x.Extent
							if g := slices.Index(shared, d); g >= 0 {
								at[g] = i
							} else {
								other = i
							}
						}
						number, ghost := s.Box.cell(first, count, at)
						f(rank, k, number, other, ghost, &w.data[rank][k][e])
					}
				}
			}
		}
		walk(func(_, k int, number, other int64, ghost bool, x *int64) {
			if *x = -7; !ghost {
				*x = number*4 + other*2 + int64(k)
			}
		})
		w.exchange(t, false)
		walk(func(rank, k int, number, other int64, ghost bool, x *int64) {
			if number < 0 {
				require.EqualValues(t, -7, *x, "a ghost cell without owner was written")
				return
			}
			require.Equal(t, number*4+other*2+int64(k), *x, "%+v, rank %d", box, rank)
		})
		copies := map[[3]int64]int64{}
		walk(func(_, k int, number, other int64, _ bool, x *int64) {
			if *x = 1; number >= 0 {
				copies[[3]int64{number, other, int64(k)}]++
			}
		})
		w.exchange(t, true)
		walk(func(_, k int, number, other int64, ghost bool, x *int64) {
			if !ghost {
				require.Equal(t, copies[[3]int64{number, other, int64(k)}], *x)
			}
		})
	}
}

// TestSplit: inner and rim are all own cells, each once; a cell of inner is at least a width from each end.
func TestSplit(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		dims := 1 + r.IntN(3)
		var box Box
		for range dims {
			box.Grid, box.Periodic = append(box.Grid, 1), append(box.Periodic, false)
			box.Width, box.Global = append(box.Width, r.Int64N(4)), append(box.Global, r.Int64N(9))
		}
		seen := map[[3]int64]int{}
		inner, rim := box.Split(0)
		require.LessOrEqual(t, len(rim), 2*dims)
		for i, p := range append([]Part{inner}, rim...) {
			var walk func(d int, at [3]int64)
			walk = func(d int, at [3]int64) {
				if d == dims {
					seen[at]++
					for k := range dims {
						if i == 0 {
							require.True(t, at[k] >= box.Width[k] && at[k] < box.Global[k]-box.Width[k])
						}
					}
					return
				}
				for x := p.First[d]; x <= p.Last[d]; x++ {
					at[d] = x
					walk(d+1, at)
				}
			}
			walk(0, [3]int64{})
		}
		require.EqualValues(t, product(box.Global), len(seen))
		for at, n := range seen {
			require.Equal(t, 1, n, "%v", at)
		}
	}
}

// TestLists: random graphs. A rank has ghosts of random cells of others and of its own, some of them several times.
func TestLists(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		ranks, own := 1+r.IntN(5), int64(1+r.IntN(6))
		type ghost struct{ owner, cell int64 }
		ghosts := make([][]ghost, ranks)
		for rank := range ghosts {
			for range r.IntN(8) {
				ghosts[rank] = append(ghosts[rank], ghost{r.Int64N(int64(ranks)), r.Int64N(own)})
			}
		}
		w := world{}
		balance := int64(0)
		for rank := range ranks {
			l := &Lists{SendRow: []int64{0}, RecvRow: []int64{0}, Base: 1}
			for _, peer := range r.Perm(ranks) {
				l.Neighbours = append(l.Neighbours, peer)
				for _, g := range ghosts[peer] {
					if g.owner == int64(rank) {
						l.Send = append(l.Send, g.cell)
					}
				}
				for i, g := range ghosts[rank] {
					if g.owner == int64(peer) {
						l.Recv = append(l.Recv, own+int64(i))
					}
				}
				l.SendRow, l.RecvRow = append(l.SendRow, int64(len(l.Send))), append(l.RecvRow, int64(len(l.Recv)))
			}
			s := &Spec{Rank: rank, Ranks: ranks, Lists: l}
			require.Empty(t, s.Check())
			balance += s.Balance()
			cells := own + int64(len(ghosts[rank]))
			data := [][]int64{make([]int64, cells), make([]int64, 3*cells)}
			for c := range own {
				data[0][c] = int64(rank)*100 + c
				for k := range int64(3) {
					data[1][3*c+k] = int64(rank)*100 + 10*c + k
				}
			}
			w.specs, w.data = append(w.specs, s), append(w.data, data)
			w.fields = append(w.fields, []Field{field("a", data[0], []int64{cells}, []int{0}, nil), field("b", data[1], []int64{3, cells}, []int{0, 1}, nil)})
		}
		require.Zero(t, balance)
		w.exchange(t, false)
		want := map[ghost]int64{}
		for rank := range ranks {
			for i, g := range ghosts[rank] {
				require.Equal(t, g.owner*100+g.cell, w.data[rank][0][own+int64(i)])
				require.Equal(t, g.owner*100+10*g.cell+2, w.data[rank][1][3*(own+int64(i))+2])
				w.data[rank][0][own+int64(i)] = 1 << (8 * i)
				want[g] += 1 << (8 * i)
			}
		}
		w.exchange(t, true)
		for rank := range int64(ranks) {
			for c := range own {
				require.Equal(t, rank*100+c+want[ghost{rank, c}], w.data[rank][0][c])
			}
		}
	}
}

// TestRefused: each text names the argument.
func TestRefused(t *testing.T) {
	box := func(change func(*Box)) *Spec {
		b := &Box{Global: []int64{8, 6}, Width: []int64{2, 1}, Grid: []int64{2, 1}, Periodic: []bool{false, true}}
		change(b)
		return &Spec{Ranks: 2, Box: b}
	}
	require.Contains(t, box(func(b *Box) { b.Width[0] = 5 }).Check(), "width 5 of dimension 1 is above the 4 cells")
	require.Contains(t, box(func(b *Box) { b.Width[1] = 7 }).Check(), "width 7 of dimension 2 is above the 6 cells")
	require.Contains(t, box(func(b *Box) { b.Grid[0] = 3 }).Check(), "3 places for 2 ranks")
	require.Contains(t, box(func(b *Box) { b.Global[1] = -1 }).Check(), "dimension 2 has -1 cells")
	require.Contains(t, box(func(b *Box) { b.Width[1] = -1 }).Check(), "width of dimension 2 is -1")
	data := make([]int64, 8*8)
	s := box(func(*Box) {})
	refused := func(f Field, text string) {
		_, is := New(s, []Field{f})
		require.Contains(t, is, text)
	}
	refused(field("u", data, []int64{7, 8}, []int{0, 1}, nil), "extent 1 of field 1 'u' is 7; it is 8")
	refused(field("u", data, []int64{8}, []int{0}, nil), "field 1 'u' has 0 of the 2 dimensions")
	_, is := New(s, nil)
	require.Contains(t, is, "no field")
	lists := &Lists{Neighbours: []int{1}, SendRow: []int64{0, 2}, Send: []int64{0, 9}, RecvRow: []int64{0, 1}, Recv: []int64{3}, Base: 1}
	s = &Spec{Ranks: 2, Lists: lists}
	require.Empty(t, s.Check())
	refused(field("u", data, []int64{8}, []int{0}, nil), "field 1 'u' has 8 cells; the lists name cell 10")
	lists.Recv[0] = 9
	require.Contains(t, s.Check(), "cell 10 is sent and received")
	lists.Neighbours[0] = 2
	require.Contains(t, s.Check(), "neighbour 1 is rank 2")
	lists.Neighbours[0], lists.Recv[0] = 0, 3
	require.Contains(t, s.Check(), "neighbour 1 is this rank: 2 cells are sent and 1 received")
}

func TestBlocks(t *testing.T) {
	s := &Spec{Rank: 1, Ranks: 2, Box: &Box{Global: []int64{5, 4}, Width: []int64{1, 1}, Grid: []int64{2, 1}, Periodic: []bool{false, false}}}
	f := Field{Name: "q", Kind: 6, Bytes: 8, At: 1 << 20, Dimensions: []Dimension{{3, 8}, {4, 24}, {6, 96}}, Order: []int{0, 1, 2}, Shared: []int{1, 2}}
	p, list, why := Blocks(s, []Field{f})
	require.Empty(t, why)
	require.Equal(t, Block{Kind: "real64", Signature: list[0].Signature, Global: []int64{4, 5, 3}, First: []int64{0, 3, 0}, Count: []int64{4, 2, 3}, Shared: []int{2, 1, 0}}, list[0])
	require.Equal(t, int64(4*2*3*8), p.Bytes)
	require.Equal(t, uintptr(1<<20+24+96), p.Own[0].At)
	for _, name := range []string{"a/b", ".", "cells_1", "extent_3", "portable_restart"} {
		f.Name = name
		_, _, why = Blocks(s, []Field{f})
		require.Contains(t, string(why), "cannot have this name")
	}
	_, _, why = Blocks(s, nil)
	require.Contains(t, string(why), "there is no field")
	_, _, why = Blocks(&Spec{Lists: &Lists{}}, []Field{f})
	require.Contains(t, string(why), "does not number the cells")
}

func TestFilesThatReplace(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "state.h5")
	on := func(name string, action Action, bytes int64) string {
		_, why, disk := OnFile(name, action, bytes)
		require.False(t, disk)
		return string(why)
	}
	require.Contains(t, on(name, Test, 0), "no such file")
	require.Empty(t, on(name, Create, 1000))
	require.Empty(t, on(name, Space, 100000))
	require.Empty(t, on(name, Keep, 0))
	about, err := os.Stat(name)
	require.NoError(t, err)
	require.LessOrEqual(t, about.Sys().(*syscall.Stat_t).Blocks, int64(16), "reserved space was not released")
	require.Empty(t, on(name, Test, 0))
	require.Contains(t, on(name, Remove, 0), "no such file")
	_, why, disk := OnFile(name, Create, 1<<62)
	require.Contains(t, string(why), "cannot reserve")
	require.True(t, disk, "a disk that is too small")
	require.NoFileExists(t, name+".new")
	require.FileExists(t, name)
	for _, action := range []Action{Test, Create} {
		require.Contains(t, on("", action, 1), "the name of the file is empty")
		require.Contains(t, on(folder, action, 1), "this is a folder")
		require.Contains(t, on("/dev/null", action, 1), "this is a device")
	}
	require.NoFileExists(t, folder+".new")
}

// TestStampsTellFilesApart: a file has one stamp, new ones of one name and size have others, as have copies that go on.
func TestStampsTellFilesApart(t *testing.T) {
	name := filepath.Join(t.TempDir(), "state.h5")
	stamp := func(name string, action Action) uint64 {
		n, why, _ := OnFile(name, action, 100000)
		require.Empty(t, why)
		return n
	}
	first := stamp(name, Create)
	require.NotZero(t, first)
	require.Equal(t, first, stamp(name+".new", Test))
	require.NotEqual(t, first, stamp(name, Create))
	require.NoError(t, os.WriteFile(name, make([]byte, 3*stamped), 0o600))
	zeros := stamp(name, Test)
	require.Equal(t, zeros, stamp(name, Test))
	require.NoError(t, os.Truncate(name, 3*stamped-1))
	require.NotEqual(t, zeros, stamp(name, Test))
	data := make([]byte, 3*stamped)
	data[stamped-1] = 1
	require.NoError(t, os.WriteFile(name, data, 0o600))
	require.NotEqual(t, zeros, stamp(name, Test))
}
