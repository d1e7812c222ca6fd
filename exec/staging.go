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

// Shape is what the order of an array's copy depends on.
type Shape struct {
	Rank  int
	Order Freedom
}

// Freedom is whether a copy of an array may have another order than Fortran's; the numbers are those of exec/stage/questions.h.
type Freedom int32

// The kernel takes any order of a Free array. Else it needs the elements in sequence, or the array has gaps between elements.
const (
	Free Freedom = iota
	OfKernel
	WithGaps
)

// refusals say why a rule for an order does not hold.
var refusals = map[Freedom]string{OfKernel: "a procedure in the loop gets its elements as they follow each other in memory, or it is a component",
	WithGaps: "it has gaps between its elements"}

const joined = "another array of the loop shares its elements"

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

// Alone is the only span of a part, -1 if there are several.
func Alone(spans []Span, at []uint64, p Part) int {
	one := -1
	for i := range spans {
		if at[i] < p.At || at[i] >= p.At+p.Bytes {
			continue
		}
		if one >= 0 {
			return -1
		}
		one = i
	}
	return one
}

// Turned is the order of an array by a rule: its dimensions from 0 on, the fastest first.
type Turned func(name string, rank int) (fastest []int32, is bool)

// OrderParts gives the numbers of the spans that have another order on the device, by part, else -1. The rules that do not hold are noted for the label.
// shapes are those of the spans.
func (s *Stagings) OrderParts(label string, spans []Span, shapes []Shape, at []uint64, parts []Part, rule Turned) (turned []int, orders [][]int32) {
	for i := range parts {
		one, why := Alone(spans, at, parts[i]), ""
		turned, orders = append(turned, -1), append(orders, nil)
		for k, span := range spans {
			if at[k] < parts[i].At || at[k] >= parts[i].At+parts[i].Bytes || shapes[k].Rank < 2 {
				continue
			}
			fastest, is := rule(span.Name, shapes[k].Rank)
			if !is || slices.IsSorted(fastest) {
				continue
			}
			if why = refusals[shapes[k].Order]; one < 0 {
				why = joined
			}
			if why == "" {
				turned[i], orders[i] = k, fastest
				continue
			}
			s.refuse(label, span.Name, why)
		}
	}
	return turned, orders
}

// Letters are the dimensions of an order as rules write them.
func Letters(fastest []int32) (text string) {
	for _, d := range fastest {
		text += string(rune('i' + d))
	}
	return text
}

// KeepsOrder notes a rule that does not hold for an array of a data region, where the launches of the region find it as Fortran has it.
func (s *Stagings) KeepsOrder(label, array string, rank int, rule Turned) {
	if rank < 2 {
		return
	}
	if fastest, is := rule(array, rank); is && !slices.IsSorted(fastest) {
		s.refuse(label, array, "it stays on the device in a data region")
	}
}

// refuse notes a rule that does not hold.
func (s *Stagings) refuse(label, array, why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	line := fmt.Sprintf("The order by rule of '%s' does not hold in '%s': %s.", outside.Clean(array), outside.Clean(label), why)
	if !slices.Contains(s.refused, line) && len(s.refused) < mostRefused {
		s.refused = append(s.refused, line)
	}
}

// mostRefused is the number of such lines in a report.
const mostRefused = 20

// Refused are the rules that did not hold, each in a line.
func (s *Stagings) Refused() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.refused)
}

// Staged is an array with copies. Bytes are of all copies, to the device and back.
type Staged struct {
	Label, Array string
	Copies       int64
	Bytes        uint64
}

// Stagings counts copies. Threads: safe.
type Stagings struct {
	mu      sync.Mutex
	rows    map[[2]string]*Staged
	refused []string // rules for orders that did not hold
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

// Add adds a copy for a data region.
func (s *Stagings) Add(label, array string, bytes uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(label, array, bytes)
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
	s.rows, s.refused = nil, nil
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

// Report is the table of the list.
func (s *Stagings) Report() string { return StagingReport(s.List(), s.Refused()) }

// StagingReport is a table of the list, in its order, with the rules that did not hold; "": an empty list. The report ends with a line's end.
func StagingReport(list []Staged, refused []string) string {
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
	b.WriteString("The device cannot access these arrays. Allocate them from the pool (gator_allocate, portable_alloc): nothing is copied then.\n" +
		"Between '!$portable data' and '!$portable end data' arrays stay on the device.\n")
	for _, line := range refused {
		b.WriteString(line + "\n")
	}
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
