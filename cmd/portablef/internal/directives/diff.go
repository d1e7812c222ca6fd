package directives

import (
	"bytes"
	"fmt"
	"strings"
)

// around is the number of lines before and behind a change that a diff shows.
const around = 3

// Diff is the change as a unified diff; "" without an insertion. A library for diffs would look for changes that are known here.
func (c *Change) Diff() string {
	if len(c.Insertions) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", c.Name, c.Name)
	lines := bytes.SplitAfter(c.Old, []byte("\n"))
	if len(lines[len(lines)-1]) == 0 {
		lines = lines[:len(lines)-1]
	}
	for first := 0; first < len(c.Insertions); {
		last := first
		for last+1 < len(c.Insertions) && c.Insertions[last+1].Line-c.Insertions[last].Line <= 2*around {
			last++
		}
		from, to := max(1, c.Insertions[first].Line-around), min(len(lines), c.Insertions[last].Line+around-1)
		fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n", from, to-from+1, from+first, to-from+1+last-first+1)
		next := first
		for number := from; number <= to; number++ {
			if next <= last && c.Insertions[next].Line == number {
				b.WriteString("+" + c.Insertions[next].Text)
				next++
			}
			b.WriteString(" ")
			b.Write(lines[number-1])
			if !bytes.HasSuffix(lines[number-1], []byte("\n")) {
				b.WriteString("\n\\ No newline at end of file\n")
			}
		}
		first = last + 1
	}
	return b.String()
}
