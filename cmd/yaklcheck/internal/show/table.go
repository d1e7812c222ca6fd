package show

import (
	"fmt"
	"html"
	"io"
	"strings"
	"unicode/utf8"
)

// This file prints tables, as text and as HTML.

// Table is rows of cells below their heads. A column whose head begins with > is aligned to the right. Blanks in a head
// set the least width of the column.
type Table struct {
	Heads []string
	rows  [][]string
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.rows = append(t.rows, cells) }

// right reports whether a column is aligned to the right.
func (t *Table) right(column int) bool { return strings.HasPrefix(t.Heads[column], ">") }

func (t *Table) head(column int) string { return strings.TrimPrefix(t.Heads[column], ">") }

// Write writes the table as text, with two blanks before each row.
func (t *Table) Write(to io.Writer) {
	width := make([]int, len(t.Heads))
	for i := range t.Heads {
		width[i] = utf8.RuneCountInString(t.head(i))
		for _, row := range t.rows {
			width[i] = max(width[i], utf8.RuneCountInString(row[i]))
		}
	}
	line := func(cell func(int) string) {
		var b strings.Builder
		for i := range t.Heads {
			width := width[i]
			if !t.right(i) {
				width = -width
			}
			fmt.Fprintf(&b, "  %*s", width, cell(i))
		}
		fmt.Fprintln(to, strings.TrimRight(b.String(), " "))
	}
	line(t.head)
	for _, row := range t.rows {
		line(func(i int) string { return row[i] })
	}
}

// html writes the table as HTML.
func (t *Table) html(b *strings.Builder) {
	cell := func(kind string, i int, text string) {
		class := ""
		if t.right(i) {
			class = ` class="r"`
		}
		fmt.Fprintf(b, "<%s%s>%s</%s>", kind, class, html.EscapeString(text), kind)
	}
	b.WriteString("<table><tr>")
	for i := range t.Heads {
		cell("th", i, t.head(i))
	}
	b.WriteString("</tr>\n")
	for _, row := range t.rows {
		b.WriteString("<tr>")
		for i, text := range row {
			cell("td", i, text)
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</table>\n")
}
