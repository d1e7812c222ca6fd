package show

import (
	_ "embed"
	"fmt"
	"html"
	"io"
	"strings"
)

// This file writes the page: tables and pictures of each run in one file that needs no other.
// pictures.go draws.

const pageHead = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>%s</title>
<style>
:root { color-scheme: light dark; --ink: #20282f; --soft: #66707a; --line: #d5dade; --paper: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e2e6ea; --soft: #99a3ad; --line: #3a4249; --paper: #171b1f; } }
body { font: 14px/1.45 sans-serif; color: var(--ink); background: var(--paper); max-width: 1160px; margin: 1.5em auto; padding: 0 1em; }
h1 { font-size: 1.4em; } h2 { font-size: 1.2em; margin-top: 2em; border-top: 1px solid var(--line); padding-top: .8em; } h3 { font-size: 1em; margin: 1.6em 0 .3em; }
p { margin: .3em 0; } .note { color: #b3541e; } .soft { color: var(--soft); }
table { border-collapse: collapse; margin: .4em 0; } td, th { padding: .15em .8em .15em 0; text-align: left; vertical-align: top; }
th { font-weight: normal; color: var(--soft); border-bottom: 1px solid var(--line); } .r { text-align: right; font-variant-numeric: tabular-nums; }
svg { width: 100%%; height: auto; display: block; } svg text { fill: var(--ink); } svg .tick, svg .soft { fill: var(--soft); }
svg .grid { stroke: var(--line); stroke-width: .6; } svg .axis { stroke: var(--soft); stroke-width: 1; } svg .peak { stroke: #c0392b; stroke-width: 1; stroke-dasharray: 3 2; }
svg .peaktext { fill: #c0392b; font-weight: bold; } .key { display: inline-block; width: .8em; height: .8em; margin-right: .4em; border-radius: 2px; }
.zoom button { font: inherit; min-width: 2em; margin-right: .3em; } svg.closer { cursor: grab; } summary { cursor: pointer; color: var(--soft); }
.keys span { margin-right: 1.2em; white-space: nowrap; }
</style></head><body>
`

// zoomScript enlarges a part of a picture. The page is complete without it.
//
//go:embed zoom.js
var zoomScript string

// Page writes one page of all runs.
func Page(to io.Writer, runs []*Run) error {
	var b strings.Builder
	title := "Memory and launches of " + runs[0].Title()
	if len(runs) > 1 {
		title = fmt.Sprintf("Memory and launches of %d processes", len(runs))
	}
	fmt.Fprintf(&b, pageHead, html.EscapeString(title))
	fmt.Fprintf(&b, "<h1>%s</h1>\n", html.EscapeString(title))
	if len(runs) > 1 {
		summary(runs).html(&b)
	}
	for _, r := range runs {
		r.section(&b)
	}
	fmt.Fprintf(&b, "<script id=\"zoom\">\n%s</script>\n</body></html>\n", zoomScript)
	_, err := io.WriteString(to, b.String())
	return err
}

// Summary writes one row for each run.
func Summary(to io.Writer, runs []*Run) { summary(runs).Write(to) }

func summary(runs []*Run) *Table {
	t := &Table{Heads: []string{"process", "file", ">time", ">blocks", ">most at once", ">launches and timers"}}
	for _, r := range runs {
		most := uint64(0)
		if m := r.Memory(); m.Highest >= 0 {
			most = m.Peaks[m.Highest].Bytes
		}
		t.Add(r.Title(), r.Path, Span(r.Length), fmt.Sprint(r.allocations()), Size(most), fmt.Sprint(len(r.Work)))
	}
	return t
}

func (r *Run) section(b *strings.Builder) {
	m := r.Memory()
	fmt.Fprintf(b, "<h2>%s</h2>\n", html.EscapeString(r.headline()))
	for _, n := range r.notes() {
		fmt.Fprintf(b, "<p class=\"note\">%s</p>\n", html.EscapeString(n))
	}
	if len(m.Uses) > 0 {
		b.WriteString("<h3>Memory over time, by label</h3>\n")
		fmt.Fprintf(b, "<p>%s.</p>\n", html.EscapeString(r.memoryLine(m)))
		b.WriteString(r.memoryPicture(m))
		r.keys(b, m)
		for i := range m.Peaks {
			fmt.Fprintf(b, "<p>%s</p>\n", html.EscapeString(r.peakLine(m, i)))
		}
		wholeTable(b, "labels", len(m.Uses), func(most int) *Table { return r.usesTable(m, most) })
	}
	if len(r.Slabs) > 0 {
		layouts := r.Layouts(m)
		b.WriteString("<h3>Where blocks lay in the slabs, and the gaps between them</h3>\n")
		b.WriteString("<p class=\"soft\">Low addresses are at the bottom. A colour is the label that has most of the place; pale is partly full, empty is a gap.</p>\n")
		b.WriteString(r.slabsPicture(m, layouts))
		wholeTable(b, "slabs", len(layouts), func(most int) *Table { return r.slabsTable(layouts, most) })
	}
	if len(r.Work) > 0 {
		b.WriteString("<h3>Launches, fences and timers</h3>\n")
		b.WriteString("<p class=\"soft\">One row for each label on each thread; a stream is a thread. The fuller the colour, the more of the time.</p>\n")
		picture, hidden := r.workPicture(lanesOfThread)
		b.WriteString(picture)
		if hidden {
			picture, _ = r.workPicture(allLanes)
			fmt.Fprintf(b, "<details><summary>a row for each label</summary>\n%s</details>\n", picture)
		}
		wholeTable(b, "labels", len(r.Sums()), r.sumsTable)
	}
	if len(r.Marks) > 0 {
		b.WriteString("<h3>Checkpoints</h3>\n")
		r.marksTable().html(b)
	}
}

// wholeTable writes the first rows of a table, and all rows in a part that the reader opens.
func wholeTable(b *strings.Builder, noun string, count int, of func(most int) *Table) {
	of(mostRows).html(b)
	if count > mostRows {
		fmt.Fprintf(b, "<details><summary>all %d %s</summary>\n", count, noun)
		of(allRows).html(b)
		b.WriteString("</details>\n")
	}
}

// keys explains the colours.
func (r *Run) keys(b *strings.Builder, m *Memory) {
	b.WriteString("<p class=\"keys\">")
	for i, label := range m.Bands {
		fmt.Fprintf(b, "<span><i class=\"key\" style=\"background:%s\"></i>%s</span> ", m.colour(i), html.EscapeString(r.Name(label)))
	}
	b.WriteString("</p>\n")
}
