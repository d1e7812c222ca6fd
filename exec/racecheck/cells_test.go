package racecheck

// These tests check cells, stamps, texts and the report of races.

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// addresses are given out one behind the other; nothing is there.
type addresses struct {
	live map[uintptr]uint64
	next uintptr
}

func (m *addresses) Take(bytes uint64) uintptr {
	m.next += 1 << 20
	m.live[m.next] = bytes
	return m.next
}

func (m *addresses) Give(addr uintptr, bytes uint64) {
	if m.live[addr] == bytes {
		delete(m.live, addr)
	}
}

func newAddresses() *addresses { return &addresses{live: map[uintptr]uint64{}} }

// raceArray is a contiguous array of Fortran with lower bounds 1.
func raceArray(name string, first uintptr, writes bool, bytes int64, extents ...int64) Array {
	a := Array{Name: name, First: first, Bytes: bytes, Elements: 1, Writes: writes}
	for _, n := range extents {
		a.Lower, a.Extent, a.Strides = append(a.Lower, 1), append(a.Extent, n), append(a.Strides, a.Elements)
		a.Elements *= n
	}
	return a
}

func TestArraysThatOverlapShareCells(t *testing.T) {
	memory := newAddresses()
	r := New(memory, 1<<20)
	require.NotZero(t, r.Begin("a", 10))
	half := raceArray("half", 0x10000+50*8, false, 8, 50)
	back := raceArray("back", 0x10000+99*8, false, 8, 100)
	back.Strides[0], back.Low = -1, -99
	arrays := []Array{raceArray("a", 0x10000, true, 8, 100), half, back, raceArray("b", 0x20000, false, 8, 100), raceArray("c", 0x20000, false, 8, 10),
		raceArray("d", 0x30000, true, 4, 100), raceArray("none", 0x10000, true, 8, 0)}
	arrays[6].Bytes = 0
	require.Empty(t, r.Cells(arrays))
	require.NotZero(t, arrays[0].Cells)
	require.EqualValues(t, 50*raceCell, arrays[1].Cells-arrays[0].Cells)
	require.EqualValues(t, 99*raceCell, arrays[2].Cells-arrays[0].Cells, "of the element that comes last in memory")
	require.Zero(t, arrays[3].Cells, "it has no writer")
	require.Zero(t, arrays[4].Cells)
	require.NotZero(t, arrays[5].Cells)
	require.Zero(t, arrays[6].Cells)
	require.Len(t, memory.live, 2)

	was := arrays[0].Cells
	r.Begin("a", 10)
	again := []Array{raceArray("a", 0x10000, true, 8, 100)}
	r.Cells(again)
	require.Equal(t, was, again[0].Cells, "a later launch has the same cells")
	r.Begin("a", 10)
	longer := []Array{raceArray("a", 0x10000-80, true, 8, 200)}
	r.Cells(longer)
	require.NotZero(t, longer[0].Cells)
	require.Len(t, memory.live, 2, "cells of a part are released")
	r.Close()
	require.Empty(t, memory.live)
}

func TestStampsAreUsedOnce(t *testing.T) {
	r := New(newAddresses(), 1<<20)
	first := r.Begin("a", 10)
	require.EqualValues(t, raceStamp, first)
	require.Equal(t, first+10*raceStamp, r.Begin("a", 1<<30))
	require.Zero(t, r.Begin("a", 1<<50), "too many iterations")
	r.Cells([]Array{raceArray("a", 0x10000, true, 8, 100)})
	r.next = raceMost - raceStamp
	require.EqualValues(t, raceStamp, r.Begin("a", 2), "they begin again, with other cells")
	require.Empty(t, r.regions)
}

func TestArraysWithoutCellsAreNamed(t *testing.T) {
	r := New(newAddresses(), 3000)
	r.Begin("big", 10)
	arrays := []Array{raceArray("a", 0x10000, true, 8, 100), raceArray("b", 0x20000, true, 8, 100)}
	require.Equal(t, []string{"race: loop 'big': 'b' is not checked: its cells need 1 MB, and all have 1 MB; set PORTABLE_RACES_MB"}, r.Cells(arrays))
	require.NotZero(t, arrays[0].Cells)
	r.Begin("big", 10)
	arrays = []Array{raceArray("b", 0x20000, true, 8, 100)}
	require.Empty(t, r.Cells(arrays))
	require.NotZero(t, arrays[0].Cells, "cells of an earlier launch made room")

	r.Begin("kinds", 10)
	arrays = []Array{raceArray("a", 0x10000, true, 8, 10), raceArray("b", 0x10000, false, 4, 20), raceArray("c", 0x30000, true, 8, 10), raceArray("d", 0x30004, true, 8, 10)}
	require.Equal(t, []string{"race: loop 'kinds': 'a' is not checked: it overlaps 'b', whose elements lie otherwise",
		"race: loop 'kinds': 'b' is not checked: it overlaps 'a', whose elements lie otherwise",
		"race: loop 'kinds': 'c' is not checked: it overlaps 'd', whose elements lie otherwise",
		"race: loop 'kinds': 'd' is not checked: it overlaps 'c', whose elements lie otherwise"}, r.Cells(arrays))
	r.Begin("late", 10)
	arrays = []Array{raceArray("part", 0x10000, true, 8, 10)}
	require.Empty(t, r.Cells(arrays))
	arrays = append(arrays, raceArray("all", 0x10000, true, 8, 20))
	require.Equal(t, []string{"race: loop 'late': 'all' is not checked: the kernel asked for a part of it before; ask for the longest of the arrays first"}, r.Cells(arrays))
	require.Empty(t, r.Cells(arrays), "once")
}

func TestRacesAreToldWithTheirIndices(t *testing.T) {
	a := raceArray("a", 0, true, 8, 4, 5, 6)
	space := []Axis{{0, 1, 1, 3}, {1, 1, 1, 4}, {2, 1, 1, 5}}
	r := New(newAddresses(), 0)
	f := Race{Label: "smooth:40", Array: &a, Element: 40, Now: 12, Before: 0, Line: 44, LineBefore: 47, Wrote: true, Space: space}
	n, text := r.Found(f)
	require.Equal(t, "race: loop 'smooth:40': iteration (1,1,2) reads a(1,1,3), which iteration (1,1,1) wrote (lines 44, 47)", text)
	f.Now = 13
	again, text := r.Found(f)
	require.Equal(t, n, again)
	require.Empty(t, text, "this pair of lines was reported")

	back := Array{Name: "b", Lower: []int64{0, -2}, Extent: []int64{4, 3}, Strides: []int64{-1, 10}}
	text = Race{Label: "l", Array: &back, Element: 10 - 2, Now: 7, Before: 1, Line: 9, LineBefore: 9, Writes: true, Space: []Axis{{1, 10, 2, 3}, {0, 0, 1, 9}}}.String()
	require.Equal(t, "race: loop 'l': iteration (2,12) writes b(2,-1), which iteration (0,12) read (line 9)", text)
	c := Array{Name: "c", Lower: []int64{0, 0}, Extent: []int64{4, 3}, Strides: []int64{3, 1}} // C's order
	require.Equal(t, []int64{2, 1}, c.at(7))
	for element := range int64(4 * 5 * 6) {
		at := a.at(element)
		require.Equal(t, element, at[0]-1+(at[1]-1)*4+(at[2]-1)*20)
	}
}

func TestReportOfRaces(t *testing.T) {
	r := New(newAddresses(), 0)
	require.Empty(t, r.Report())
	a := raceArray("a", 0, true, 8, 10)
	for range 3 {
		r.Begin("smooth", 10)
		n, _ := r.Found(Race{Label: "smooth", Array: &a, Line: 5, Space: []Axis{{0, 1, 1, 10}}})
		r.Counted(n, 9)
	}
	r.Begin("good", 10)
	r.Unchecked("by hand")
	require.Equal(t, []string{"race: loop 'smooth': 27 times in 3 launches for elements of 'a' (line 5)", "races: 2 loops in 4 launches were checked, 1 has races",
		"races: not checked, because their kernels do not call portable_shadow_read and portable_shadow_write: 'by hand' (1 launch)"}, r.Report())
	for i := range 30 {
		r.Unchecked(string(rune('A' + i)))
	}
	require.Contains(t, r.Report()[2], "'S' (1 launch), 'T' (1 launch), 11 more")
}
