package show

import (
	"fmt"
	"io"
	"slices"

	"libportable/cmd/yaklcheck/internal/findings"
	"libportable/internal/outside"
	"libportable/internal/report"
)

// This file writes a run as tables of text. The page has the same tables (page.go).

// mostRows is the number of labels in a table, allRows the number in a table of all labels; one more row sums up the
// rest.
const mostRows, allRows = 25, 2000

// Text writes all tables of a run.
func (r *Run) Text(to io.Writer) {
	m := r.Memory()
	fmt.Fprintln(to, r.headline())
	section := func(head string, t *Table) {
		fmt.Fprintln(to, "\n"+head)
		t.Write(to)
	}
	for _, n := range r.notes() {
		fmt.Fprintln(to, "note:", n)
	}
	if len(m.Uses) > 0 {
		fmt.Fprintf(to, "\nmemory: %s\n", r.memoryLine(m))
		for i := range m.Peaks {
			fmt.Fprintf(to, "  %s\n", r.peakLine(m, i))
		}
		section("labels, by the most that was live at once", r.usesTable(m, mostRows))
	}
	if len(r.Slabs) > 0 {
		section("slabs of the pools, at the peak", r.slabsTable(r.Layouts(m), mostRows))
	}
	if len(r.Work) > 0 {
		section("launches, fences and timers, by time", r.sumsTable(mostRows))
	}
	if len(r.Marks) > 0 {
		section("checkpoints", r.marksTable())
	}
}

func (r *Run) headline() string {
	text := r.Title()
	if c := r.Command(); c != "" {
		text += ": " + c
	}
	if host := outside.Clean(r.Meta.Value("host")); host != "" {
		text += ", on " + host
	}
	if when := outside.Clean(r.Meta.Value("time")); when != "" {
		text += ", " + when
	}
	return fmt.Sprintf("%s, %s, %s, %s", text, Span(r.Length), report.Plural(r.allocations(), "block"),
		report.Count(len(r.Work), "launch or timer", "launches and timers"))
}

func (r *Run) allocations() (n int) {
	for i := range r.Events {
		if !r.Events[i].Free {
			n++
		}
	}
	return n
}

// notes are what the reader must know before he reads the rest.
func (r *Run) notes() []string {
	notes := slices.Clone(r.Notes)
	if r.Skipped > 0 {
		notes = append(notes, fmt.Sprintf("%d bytes of the file are no records: it was cut off or damaged", r.Skipped))
	}
	if r.Orphans > 0 {
		notes = append(notes, report.Count(r.Orphans, "free is", "frees are")+" of blocks that the trace does not know: it began after them")
	}
	if r.allocations() == 0 {
		notes = append(notes, "no block came from the library's pool; ALLOCATE, malloc and new take blocks from it in programs that link portable::allocate "+
			"(docs/start/allocate.md), gator_allocate and portable_alloc in any")
	}
	return notes
}

func (r *Run) memoryLine(m *Memory) string {
	p := m.Peaks[m.Highest]
	var left uint64
	var blocks int64
	for _, u := range m.Uses {
		left += u.Left
		blocks += u.LeftBlocks
	}
	text := fmt.Sprintf("at most %s in %s, at %s", Size(p.Bytes), report.Plural(p.Blocks, "block"), Span(p.Time))
	if blocks > 0 {
		text += fmt.Sprintf("; %s in %s still live at the end", Size(left), report.Plural(blocks, "block"))
	}
	return text
}

// peakLine names the labels of the memory at a peak.
func (r *Run) peakLine(m *Memory, i int) string {
	p := m.Peaks[i]
	text := fmt.Sprintf("peak %d, at %s, %s:", i+1, Span(p.Time), Size(p.Bytes))
	for k, u := range p.ByLabel {
		if k == 5 {
			return text + " and " + report.Plural(len(p.ByLabel)-k, "other")
		}
		text += fmt.Sprintf(" %s %s", r.Name(u.Label), Size(u.Peak))
		if u.PeakBlocks > 1 {
			text += fmt.Sprintf(" (%d blocks)", u.PeakBlocks)
		}
		if k+1 < len(p.ByLabel) {
			text += ","
		}
	}
	return text
}

func (r *Run) usesTable(m *Memory, most int) *Table {
	t := &Table{Heads: []string{"label", ">blocks", ">all of them", ">most at once", ">at the peak", ">left at the end"}}
	stacks := slices.ContainsFunc(m.Uses, func(u Use) bool { return u.Stack != 0 })
	if stacks {
		t.Heads = append(t.Heads, "made at")
	}
	place := findings.PlaceOf(r.stacks)
	row := func(name string, u Use) {
		cells := []string{name, fmt.Sprint(u.Allocations), Size(u.Total), Size(u.Most), Size(u.Peak), Size(u.Left)}
		if stacks {
			cells = append(cells, place(u.Stack))
		}
		t.Add(cells...)
	}
	var others Use
	for i, u := range m.Uses {
		if i < most {
			row(r.Name(u.Label), u)
			continue
		}
		others.Allocations += u.Allocations
		others.Total += u.Total
		others.Most = max(others.Most, u.Most)
		others.Peak += u.Peak
		others.Left += u.Left
	}
	if n := len(m.Uses) - most; n > 0 {
		row("("+report.Plural(n, "other")+")", others)
	}
	return t
}

func (r *Run) slabsTable(layouts []Layout, most int) *Table {
	t := &Table{Heads: []string{"slab", "pool", ">size", ">made at", ">used of it", ">live", ">gaps", ">largest gap"}}
	for i, l := range layouts {
		if i == most {
			t.Add("("+report.Plural(len(layouts)-i, "other")+")", "", "", "", "", "", "", "")
			break
		}
		t.Add(fmt.Sprint(i+1), l.Pool, Size(l.Bytes), Span(l.Begin), Size(l.Used), Size(l.Live), fmt.Sprint(l.Gaps), Size(l.LargestGap))
	}
	return t
}

func (r *Run) sumsTable(most int) *Table {
	t := &Table{Heads: []string{"label", "kind", ">count", ">time", ">each", ">longest", ">iterations", ">under 20 us"}}
	sums := r.Sums()
	for i, s := range sums {
		if i == most {
			t.Add("("+report.Plural(len(sums)-i, "other")+")", "", "", "", "", "", "", "")
			break
		}
		name := r.Name(s.Label)
		if s.Failed > 0 {
			name += fmt.Sprintf(" (%d failed)", s.Failed)
		}
		t.Add(name, KindName(s.Kind), fmt.Sprint(s.Count), Span(s.Time), Span(s.Time/uint64(s.Count)), Span(s.Most),
			fmt.Sprint(s.Iterations), fmt.Sprint(s.Less20Micros))
	}
	return t
}

func (r *Run) marksTable() *Table {
	t := &Table{Heads: []string{"checkpoint", ">at", ">live"}}
	for _, k := range r.Marks {
		t.Add(k.Label, Span(k.Time), Size(k.Bytes))
	}
	return t
}
