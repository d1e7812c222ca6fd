package racecheck

// This file writes the texts and the report of races. Main functions: Checker.Found,
// Checker.Report.

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// This file holds the texts of PORTABLE_CHECK=races: each race, and the report at the end. Not in this file: how races are found (exec/race).

// Axis is one dimension of an index space, as the launch cuts it.
type Axis struct {
	Dim                   int
	Lower, Stride, Extent int64
}

// Race is an iteration that touched an element after another one did.
type Race struct {
	Label            string
	Array            *Array
	Element          int64 // elements from Array.First
	Now, Before      int64 // numbers of the iterations
	Line, LineBefore int64
	Writes, Wrote    bool // now; before
	Space            []Axis
}

// racePair is a pair of lines that race for elements of an array.
type racePair struct {
	label, array     string
	line, lineBefore int64
	writes, wrote    bool
	elements         int64
	launches         int64
}

// Found notes a race, the first one of its pair of lines in a launch. It returns the pair's number, and a text if no launch before had it.
func (r *Checker) Found(f Race) (number int, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, p := range r.pairs {
		if p.label == f.Label && p.array == f.Array.Name && p.line == f.Line && p.lineBefore == f.LineBefore && p.writes == f.Writes && p.wrote == f.Wrote {
			return i, ""
		}
	}
	r.pairs = append(r.pairs, &racePair{label: f.Label, array: f.Array.Name, line: f.Line, lineBefore: f.LineBefore, writes: f.Writes, wrote: f.Wrote})
	return len(r.pairs) - 1, f.String()
}

// Counted adds the elements of a pair in one launch, after its end.
func (r *Checker) Counted(number int, elements int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if number >= 0 && number < len(r.pairs) {
		r.pairs[number].elements += elements
		r.pairs[number].launches++
	}
}

func (f Race) String() string {
	does, did := "reads", "read"
	if f.Writes {
		does = "writes"
	}
	if f.Wrote {
		did = "wrote"
	}
	return fmt.Sprintf("race: loop '%s': iteration %s %s %s%s, which iteration %s %s%s", f.Label, indices(iteration(f.Space, f.Now)), does, f.Array.Name,
		indices(f.Array.at(f.Element)), indices(iteration(f.Space, f.Before)), did, lines(f.Line, f.LineBefore))
}

// iteration gives the indices of an iteration in the order of the bounds.
func iteration(space []Axis, number int64) []int64 {
	index := make([]int64, len(space))
	for _, a := range space {
		index[a.Dim] = a.Lower + number%a.Extent*a.Stride
		number /= a.Extent
	}
	return index
}

// at gives the indices of an element: the longest strides first.
func (a *Array) at(element int64) []int64 {
	index := slices.Clone(a.Lower)
	order := make([]int, len(index))
	for d := range order {
		order[d] = d
		if a.Strides[d] < 0 { // counted from its other end
			element -= (a.Extent[d] - 1) * a.Strides[d]
		}
	}
	size := func(d int) int64 { return max(a.Strides[d], -a.Strides[d]) }
	slices.SortStableFunc(order, func(d, e int) int { return cmp.Or(cmp.Compare(size(e), size(d)), e-d) })
	for _, d := range order {
		if a.Extent[d] < 2 || a.Strides[d] == 0 {
			continue
		}
		k := min(element/size(d), a.Extent[d]-1)
		element -= k * size(d)
		if a.Strides[d] < 0 {
			k = a.Extent[d] - 1 - k
		}
		index[d] += k
	}
	return index
}

func indices(index []int64) string {
	texts := make([]string, len(index))
	for d, i := range index {
		texts[d] = strconv.FormatInt(i, 10)
	}
	return "(" + strings.Join(texts, ",") + ")"
}

func lines(line, before int64) string {
	switch {
	case line == 0 && before == 0:
		return ""
	case line == before || before == 0:
		return fmt.Sprintf(" (line %d)", line)
	case line == 0:
		return fmt.Sprintf(" (line %d)", before)
	}
	return fmt.Sprintf(" (lines %d, %d)", line, before)
}

// listedLoops is the number of labels in a line of the report.
const listedLoops = 20

// Report gives the lines for the end of the run: races that occurred again, and the checked loops.
func (r *Checker) Report() (report []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	raced := map[string]bool{}
	for _, p := range r.pairs {
		raced[p.label] = true
		if p.elements > 1 {
			report = append(report, fmt.Sprintf("race: loop '%s': %d times in %s for %s%s", p.label, p.elements, many(p.launches, "launch", "launches"),
				"elements of "+quoted(p.array), lines(p.line, p.lineBefore)))
		}
	}
	var launches int64
	for _, n := range r.launches {
		launches += n
	}
	if len(r.launches) > 0 {
		found := "no races were found"
		if len(raced) > 0 {
			found = many(int64(len(raced)), "has races", "have races")
		}
		report = append(report, fmt.Sprintf("races: %s in %s were checked, %s", many(int64(len(r.launches)), "loop", "loops"), many(launches, "launch", "launches"), found))
	}
	if len(r.left) == 0 {
		return report
	}
	var names []string
	for _, label := range slices.Sorted(maps.Keys(r.left)) {
		if len(names) == listedLoops {
			names = append(names, fmt.Sprintf("%d more", len(r.left)-listedLoops))
			break
		}
		names = append(names, fmt.Sprintf("'%s' (%s)", label, many(r.left[label], "launch", "launches")))
	}
	return append(report, "races: not checked, because their kernels do not call portable_shadow_read and portable_shadow_write: "+strings.Join(names, ", "))
}

func many(n int64, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}
