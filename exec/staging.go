package exec

// This file plans copies of host memory that generated launches make for a device, counts them by
// array, and writes the table. The copies are in exec/stage, the launch is in capi/fortran. Lock:
// Stagings.mu.

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"libportable/internal/outside"
)

// stageAlign is the alignment of a part in the device's block. A part keeps the remainder of its host address, so each element keeps its alignment.
const stageAlign = 256

// Span is the host memory from the first to the last element of an array: Start to End-1. Unit is the size of an element.
type Span struct {
	Start, End uintptr
	Unit       uint64
	Written    bool
	Name       string
}

// Part is host memory that one copy brings to At in the device's block. Name is that of its longest span. Unit is 0 if no span is written, else
// the size of what goes back at a time: of the smallest element, 1, 2, 4 or 8, so that no byte of another element goes with it.
type Part struct {
	Start           uintptr
	Bytes, At, Unit uint64
	Name            string
}

// PlanStaging joins spans that overlap, because their arrays share elements, and places the parts. at are the places of the spans in the block.
func PlanStaging(spans []Span) (parts []Part, at []uint64, bytes uint64) {
	order := make([]int, len(spans))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(spans[a].Start, spans[b].Start) })
	at = make([]uint64, len(spans))
	var longest uint64
	for _, i := range order {
		s := spans[i]
		long := uint64(s.End - s.Start)
		if n := len(parts); n == 0 || s.Start >= parts[n-1].Start+uintptr(parts[n-1].Bytes) {
			bytes = (bytes+stageAlign-1)/stageAlign*stageAlign + uint64(s.Start%stageAlign)
			parts = append(parts, Part{Start: s.Start, At: bytes})
			longest = 0
		}
		p := &parts[len(parts)-1]
		if long > longest {
			longest, p.Name = long, s.Name
		}
		p.Bytes = max(p.Bytes, uint64(s.End-p.Start))
		if s.Written {
			p.Unit = unitOf(p.Unit, s.Unit, uint64(s.Start-p.Start))
		}
		at[i] = p.At + uint64(s.Start-p.Start)
		bytes = p.At + p.Bytes
	}
	return parts, at, bytes
}

// unitOf is the largest size up to 8 that divides the element, its distance from the part's start, and the part's unit till now.
func unitOf(till, element, from uint64) uint64 {
	unit := uint64(8)
	for element%unit != 0 || from%unit != 0 || till%unit != 0 {
		unit /= 2
	}
	return unit
}

// Staged is an array with copies. Bytes are of all copies, to the device and back.
type Staged struct {
	Label, Array string
	Copies       int64
	Bytes        uint64
}

// Stagings counts copies. Threads: safe.
type Stagings struct {
	mu   sync.Mutex
	rows map[[2]string]*Staged
}

// Count adds the copies of a launch that ran on the device: each part to it, and back if it is written.
func (s *Stagings) Count(label string, parts []Part) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range parts {
		s.add(label, p.Name, p.Bytes)
		if p.Unit != 0 {
			s.add(label, p.Name, p.Bytes)
		}
	}
}

func (s *Stagings) add(label, array string, bytes uint64) {
	key := [2]string{label, array}
	row := s.rows[key]
	if row == nil {
		if s.rows == nil {
			s.rows = map[[2]string]*Staged{}
		}
		row = &Staged{Label: label, Array: array}
		s.rows[key] = row
	}
	row.Copies++
	row.Bytes += bytes
}

// Forget empties the table; the library starts.
func (s *Stagings) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows = nil
}

// List returns the rows, those with most bytes first.
func (s *Stagings) List() (list []Staged) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, row := range s.rows {
		list = append(list, *row)
	}
	slices.SortFunc(list, func(a, b Staged) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), strings.Compare(a.Label, b.Label), strings.Compare(a.Array, b.Array))
	})
	return list
}

// StagingReport is a table of the list, in its order; "": an empty list. The report ends with a line's end.
func StagingReport(list []Staged) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	var copies int64
	var bytes uint64
	rule := strings.Repeat("_", ruleLength) + "\n"
	b.WriteString("******* Copies of arrays of the host for launches on the device *******\n" + rule)
	fmt.Fprintf(&b, "%-50s%-34s%-12s%s\n", "Label", "Array", "# copies", "Size")
	b.WriteString(rule)
	for _, row := range list {
		label := cut(outside.Clean(row.Label), labelCut)
		b.WriteString(label + strings.Repeat(" ", labelColumn-len([]rune(label))))
		fmt.Fprintf(&b, "%-34s%-12d%s\n", outside.Clean(row.Array), row.Copies, sizeOf(row.Bytes))
		copies, bytes = copies+row.Copies, bytes+row.Bytes
	}
	b.WriteString(rule)
	fmt.Fprintf(&b, "%-84s%-12d%s\n", "all", copies, sizeOf(bytes))
	b.WriteString("The device cannot access these arrays. Allocate them from the pool (gator_allocate, portable_alloc): nothing is copied then.\n")
	return b.String()
}

// sizeOf is a number of bytes with three digits, in units of 1000.
func sizeOf(bytes uint64) string {
	size, units := float64(bytes), []string{"B", "kB", "MB", "GB", "TB", "PB", "EB"}
	i := 0
	for ; size >= 999.5 && i < len(units)-1; i++ {
		size /= 1000
	}
	return strconv.FormatFloat(size, 'g', 3, 64) + " " + units[i]
}
