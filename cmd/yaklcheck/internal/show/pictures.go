package show

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"libportable/internal/report"
)

// This file draws the three pictures. The number of shapes of each does not grow with the run.

// memoryPicture draws bands over time, stacked, with long-lived memory at the bottom, and the peaks.
func (r *Run) memoryPicture(m *Memory) string {
	const top, bottom = 38.0, 298.0
	s := newSVG(bottom+24, "memory over time by label")
	most := float64(max(m.Peaks[m.Highest].Bytes, 1))
	y := func(bytes float64) float64 { return bottom - bytes/most*(bottom-top) }
	sizes, labels := sizeTicks(most)
	for i, t := range sizes {
		s.line(leftRoom, y(t), leftRoom+plotWidth, y(t), "grid")
		s.text(leftRoom-6, y(t)+4, "end", "tick", labels[i])
	}
	s.times(r.Length, top, bottom)
	var under [columns]uint64
	for band := range m.Bands {
		var up, down strings.Builder
		for c := range columns {
			under[c] += m.Columns[c].Bands[bandIndex(m, band)]
			fmt.Fprintf(&up, "L%s %sH%s", num(x(c, columns)), num(y(float64(under[c]))), num(x(c+1, columns)))
		}
		for c := columns - 1; c >= 0; c-- {
			below := under[c] - m.Columns[c].Bands[bandIndex(m, band)]
			fmt.Fprintf(&down, "L%s %sH%s", num(x(c+1, columns)), num(y(float64(below))), num(x(c, columns)))
		}
		s.path("M"+up.String()[1:]+down.String()+"z", m.colour(band), "", r.bandTitle(m, band))
	}
	before, high := -plotWidth*1.0, false
	for i, p := range m.Peaks {
		at := r.x(p.Time)
		// Labels that would overlap stand above each other.
		y := top - 8
		if high = at-before < 80 && !high; high {
			y -= 13
		}
		before = at
		s.line(at, y+3, at, bottom, "peak")
		s.text(at, y, "middle", "peaktext", fmt.Sprintf("%d: %s", i+1, Size(p.Bytes)))
	}
	for _, k := range r.Marks {
		at := r.x(k.Time)
		s.path(box(at-1, bottom-5, 2, 5), "var(--ink)", "", "checkpoint "+k.Label+", "+Size(k.Bytes))
	}
	return s.String()
}

// x is the position of a time.
func (r *Run) x(time uint64) float64 {
	return leftRoom + min(float64(time)/float64(max(r.Length, 1)), 1)*plotWidth
}

// bandIndex is the index of a band in a column: the others come last.
func bandIndex(m *Memory, band int) int {
	if m.Bands[band] < 0 {
		return bands
	}
	return band
}

func (r *Run) bandTitle(m *Memory, band int) string {
	if m.Bands[band] < 0 {
		return report.Plural(len(m.Uses)-bands, "other label")
	}
	u := m.Uses[slices.IndexFunc(m.Uses, func(u Use) bool { return u.Label == m.Bands[band] })]
	return fmt.Sprintf("%s: %s, at most %s at once", r.Name(u.Label), report.Plural(u.Allocations, "block"), Size(u.Most))
}

// sizeTicks are the sizes of the grid lines, in one unit, and round in it.
func sizeTicks(most float64) (values []float64, labels []string) {
	unit, name := 1.0, " B"
	for i, word := range []string{" KB", " MB", " GB"} {
		if u := float64(uint64(1) << (10 * (i + 1))); most >= u {
			unit, name = u, word
		}
	}
	values = ticks(most/unit, 5)
	for i, v := range values {
		labels = append(labels, figures(v)+name)
		values[i] *= unit
	}
	return values, labels
}

// slabsPicture draws one map for each slab, the newest at the top; at most a dozen.
func (r *Run) slabsPicture(m *Memory, layouts []Layout) string {
	const most, gap, top = 12, 14.0, 6.0
	layouts = layouts[:min(len(layouts), most)]
	var all uint64
	for i := range layouts {
		all += layouts[i].Used
	}
	heights := make([]float64, len(layouts))
	height := top
	for i := range layouts {
		heights[i] = max(36, min(240, float64(layouts[i].Used)/float64(max(all, 1))*320))
		height += heights[i] + gap
	}
	s := newSVG(height+24, "map of the slabs over time")
	y := top
	for i := range layouts {
		l := &layouts[i]
		from, to := r.x(l.Begin), r.x(l.End)
		s.path(box(from, y, max(to-from, 1), heights[i]), "var(--line)", "0.35", "")
		s.text(leftRoom-6, y+heights[i]/2-2, "end", "", fmt.Sprintf("%d: %s", i+1, l.Pool))
		s.text(leftRoom-6, y+heights[i]/2+11, "end", "soft", Size(l.Used)+" of "+Size(l.Bytes))
		r.cells(s, m, l, y, heights[i])
		y += heights[i] + gap
	}
	s.times(r.Length, y-gap, y-gap)
	return s.String()
}

// cells draws one slab: one path for each label and level of filling.
func (r *Run) cells(s *svg, m *Memory, l *Layout, top, height float64) {
	var paths [bands + 1][5]strings.Builder
	step := height / rows
	for row := range rows {
		for c, end := range stretches(mapColumns, func(a, b int) bool { return l.Cells[row][a] == l.Cells[row][b] }) {
			if cell := l.Cells[row][c]; cell.Fill > 0 {
				paths[cell.Band][cell.Fill].WriteString(box(x(c, mapColumns), top+height-float64(row+1)*step, x(end, mapColumns)-x(c, mapColumns), step))
			}
		}
	}
	for band := range m.Bands {
		for fill, opacity := range []string{"", "0.25", "0.5", "0.75", "1"} {
			s.path(paths[band][fill].String(), m.colour(band), opacity, r.Name(m.Bands[band]))
		}
	}
}

// stretches yields the stretches of equal columns out of n: the first column of each, and the column behind it.
func stretches(n int, equal func(a, b int) bool) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for first, end := 0, 0; first < n; first = end {
			for end = first + 1; end < n && equal(first, end); {
				end++
			}
			if !yield(first, end) {
				return
			}
		}
	}
}

// workPicture draws one row for each label on each thread, at most `most` of a thread; hidden: a row has several
// labels.
func (r *Run) workPicture(most int) (picture string, hidden bool) {
	const rowHeight, top = 15.0, 6.0
	lanes, left := r.Lanes(most)
	height := top
	for i := range lanes {
		if i == 0 || lanes[i-1].Thread != lanes[i].Thread {
			height += rowHeight
		}
		height += rowHeight
	}
	s := newSVG(height+40, "launches over time")
	s.times(r.Length, top, height)
	width := max(float64(r.Length)/columns, 1)
	y := top
	for i := range lanes {
		l := &lanes[i]
		hidden = hidden || l.Label < 0
		if i == 0 || lanes[i-1].Thread != l.Thread {
			y += rowHeight
			s.text(leftRoom-6, y-4, "end", "soft", r.ThreadName(l.Thread))
		}
		s.text(leftRoom-6, y+11, "end", "", clipped(r.Name(l.Label)))
		var paths [5]strings.Builder
		level := func(c int) int {
			if l.Busy[c] == 0 {
				return 0
			}
			return min(1+int(float64(l.Busy[c])/width*4), 4)
		}
		for c, end := range stretches(columns, func(a, b int) bool { return level(a) == level(b) }) {
			if k := level(c); k > 0 {
				paths[k].WriteString(box(x(c, columns), y+2, x(end, columns)-x(c, columns), rowHeight-3))
			}
		}
		title := fmt.Sprintf("%s %s: %d times, %s", KindName(l.Kind), r.Name(l.Label), l.Count, Span(l.Time))
		for k, opacity := range []string{"", "0.3", "0.5", "0.75", "1"} {
			s.path(paths[k].String(), kindColour(l.Kind), opacity, title)
		}
		y += rowHeight
	}
	if left > 0 {
		s.text(leftRoom, height+34, "start", "soft", report.Count(left, "further thread is", "further threads are")+" not shown")
	}
	return s.String(), hidden
}

// kindColour is the colour of a kind of work.
func kindColour(kind uint32) string {
	if k, known := kinds[kind]; known {
		return colours[k.colour]
	}
	return colours[bands]
}

// clipped is a name short enough for a row.
func clipped(name string) string {
	if r := []rune(name); len(r) > 28 {
		return string(r[:27]) + "…"
	}
	return name
}
