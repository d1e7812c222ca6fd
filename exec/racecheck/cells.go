// Package racecheck is the report of PORTABLE_CHECK=races: it gives cells to the arrays of a
// checked launch (cells.go), proves that some accesses need no cells (apart.go), and writes the
// texts of races (text.go). Not here: the accesses, which C stamps (exec/race). The caller is capi.
// Lock: Checker.mu.
package racecheck

import (
	"fmt"
	"slices"
	"sync"
)

// A cell holds the stamps of the iterations that last wrote and read one element. Arrays that overlap share cells.
// A stamp is never used twice, so cells need no clearing between launches.

// Array is an array of a checked launch.
type Array struct {
	Name                   string
	First                  uintptr // the element with the lowest indices
	Bytes                  int64   // of an element; 0: the array is not checked
	Low, Elements          int64   // elements from First to the lowest one, and from there to the highest one
	Writes                 bool
	Lower, Extent, Strides []int64
	Cells                  uintptr // the cell of First; 0: no cells
	Asked                  bool    // Cells is decided
	Told                   bool    // the kernel has the cells and reports each access
}

// span is the array's memory.
func (a *Array) span() (from, to uintptr) {
	from = uintptr(int64(a.First) + a.Low*a.Bytes)
	return from, from + uintptr(a.Elements*a.Bytes)
}

const (
	raceStamp = 1 << 20 // stamps of an iteration: one for each line, and line 0
	raceMost  = 1 << 61 // the last stamp, and a launch's iterations in stamps
	raceCell  = 16      // bytes of a cell
)

// Memory is memory of zeros outside of Go. Take returns 0 if there is none.
type Memory interface {
	Take(bytes uint64) uintptr
	Give(addr uintptr, bytes uint64)
}

// region is memory with cells.
type region struct {
	from, to uintptr
	bytes    int64 // of an element
	cells    uintptr
	size     uint64 // of the cells
	launch   int64  // the last one that used it
}

// Checker is the state of the check. All functions are safe on all threads.
type Checker struct {
	mu       sync.Mutex
	memory   Memory
	budget   uint64
	taken    uint64
	regions  []*region
	next     int64 // the first stamp of the next launch
	launch   int64
	label    string
	pairs    []*racePair
	launches map[string]int64 // checked ones, by label
	left     map[string]int64 // unchecked ones, by label
	lost     map[string]bool  // printed warnings about arrays without cells
}

// New makes a check with at most budget bytes of cells.
func New(memory Memory, budget uint64) *Checker {
	return &Checker{memory: memory, budget: budget, next: raceStamp, launches: map[string]int64{}, left: map[string]int64{}, lost: map[string]bool{}}
}

// Begin is called before the first array of a checked launch. It returns the stamp of its first iteration; 0: it has too many.
func (r *Checker) Begin(label string, iterations int64) (from int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.launch++
	r.label = label
	r.launches[label]++
	if iterations >= raceMost/raceStamp {
		return 0
	}
	if r.next > raceMost-iterations*raceStamp { // after days
		r.releaseLocked(r.regions)
		r.regions, r.next = nil, raceStamp
	}
	from = r.next
	r.next += iterations * raceStamp
	return from
}

// Unchecked counts a launch with a kernel that does not report its accesses.
func (r *Checker) Unchecked(label string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left[label]++
}

// Close releases the memory.
func (r *Checker) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.releaseLocked(r.regions)
	r.regions = nil
}

func (r *Checker) releaseLocked(regions []*region) {
	for _, g := range regions {
		r.taken -= g.size
		r.memory.Give(g.cells, g.size)
	}
}

// Cells decides about the new arrays of the launch and gives them cells. It returns warnings about arrays that need cells and get none.
func (r *Checker) Cells(arrays []Array) (warnings []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range arrays {
		a := &arrays[i]
		if a.Asked {
			continue
		}
		a.Asked = true
		if why := r.cellsLocked(arrays, i); why != "" {
			text := fmt.Sprintf("race: loop '%s': %s is not checked: %s", r.label, quoted(a.Name), why)
			if !r.lost[text] {
				r.lost[text] = true
				warnings = append(warnings, text)
			}
		}
	}
	return warnings
}

// cellsLocked gives an array its cells; why: the array needs cells and gets none.
func (r *Checker) cellsLocked(arrays []Array, i int) (why string) {
	a := &arrays[i]
	if a.Bytes <= 0 {
		return ""
	}
	from, to := a.span()
	first, written := from, a.Writes
	// All regions that share memory with it, also through other arrays.
	inside := map[int]bool{i: true}
	for grows := true; grows; {
		grows = false
		for k := range arrays {
			b := &arrays[k]
			if inside[k] || b.Bytes <= 0 {
				continue
			}
			if f, t := b.span(); f < to && from < t {
				inside[k], grows = true, true
				from, to, written = min(from, f), max(to, t), written || b.Writes
			}
		}
	}
	if !written {
		return ""
	}
	for k := range inside {
		if b := &arrays[k]; b.Bytes != a.Bytes || (int64(b.First)-int64(a.First))%a.Bytes != 0 {
			return fmt.Sprintf("it overlaps %s, whose elements lie otherwise", quoted(b.Name))
		}
	}
	g, why := r.regionLocked(from, to, a.Bytes)
	if g == nil {
		return why
	}
	a.Cells = uintptr(int64(g.cells) + (int64(first-g.from)/a.Bytes-a.Low)*raceCell)
	return ""
}

// regionLocked finds or makes cells for memory.
func (r *Checker) regionLocked(from, to uintptr, bytes int64) (g *region, why string) {
	var over []*region
	for _, g := range r.regions {
		if g.from >= to || from >= g.to {
			continue
		}
		if g.from <= from && to <= g.to && g.bytes == bytes && int64(from-g.from)%bytes == 0 {
			g.launch = r.launch
			return g, ""
		}
		if g.launch == r.launch {
			return nil, "the kernel asked for a part of it before; ask for the longest of the arrays first"
		}
		over = append(over, g)
	}
	r.dropLocked(over)
	need := uint64(to-from) / uint64(bytes) * raceCell
	for r.taken+need > r.budget {
		oldest := -1
		for k, g := range r.regions {
			if g.launch != r.launch && (oldest < 0 || g.launch < r.regions[oldest].launch) {
				oldest = k
			}
		}
		if oldest < 0 {
			return nil, fmt.Sprintf("its cells need %d MB, and all have %d MB; set PORTABLE_RACES_MB", mb(need), mb(r.budget))
		}
		r.dropLocked([]*region{r.regions[oldest]})
	}
	cells := r.memory.Take(need)
	if cells == 0 {
		return nil, fmt.Sprintf("there is no memory for cells of %d MB", mb(need))
	}
	g = &region{from: from, to: to, bytes: bytes, cells: cells, size: need, launch: r.launch}
	r.taken += need
	r.regions = append(r.regions, g)
	return g, ""
}

func (r *Checker) dropLocked(all []*region) {
	r.releaseLocked(all)
	r.regions = slices.DeleteFunc(r.regions, func(g *region) bool { return slices.Contains(all, g) })
}

// mb is a size in MB, rounded up.
func mb(bytes uint64) uint64 { return (bytes + 1<<20 - 1) >> 20 }

func quoted(name string) string {
	if name == "" {
		return "an array"
	}
	return "'" + name + "'"
}
