// Package rewrite keeps the changes of a source file line by line, and writes the text with them.
//
// Each line of the new text keeps its place in the user's file, so that messages, labels and line markers name that file. Clauses that write Fortran, and
// cuts of loops, are made of this text before anything is proved. Not in this package: what is changed, and why; no text is parsed.
// Threads: one goroutine.
package rewrite

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"libportable/internal/fortran/source"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// Line is a line of a rewritten text. A generated one has the place At; one of the file, or its copy, has its number.
type Line struct {
	Text   string
	At     token.Pos
	Number int32 // from 1; 0: generated
	Inner  bool  // it goes on with the statement of the line before
}

// Edit replaces bytes of a line of the file by a word.
type Edit struct {
	From, To int32 // offsets
	Word     string
}

// Changes are those of a file. Lines have their numbers in its text, from 1.
type Changes struct {
	File    *tree.File
	Edits   []Edit
	Before  map[int32][]Line // new lines in front of a line
	After   map[int32][]Line
	Dropped map[int32]bool // lines that the new text does not have
	field   []byte         // the text without what stands behind the last column of fixed form
	starts  []int32        // offsets of the lines, from 1
	inner   map[int32]bool // lines that go on with a statement; nil: not known yet
}

// The function Of begins the changes of a file.
func Of(f *tree.File) *Changes {
	return &Changes{File: f, Before: map[int32][]Line{}, After: map[int32][]Line{}, Dropped: map[int32]bool{},
		field: f.Source.Statements(), starts: lineStarts(f.Source.Text)}
}

// lineStarts are the offsets of the lines, the first at index 1; the last entry is the length of the text.
func lineStarts(text []byte) []int32 {
	starts := []int32{0, 0}
	for i, b := range text {
		if b == '\n' && i+1 < len(text) {
			starts = append(starts, int32(i)+1)
		}
	}
	return append(starts, int32(len(text)))
}

// Count is the number of lines.
func (c *Changes) Count() int32 { return int32(len(c.starts)) - 2 }

// LineOf is the number of the line that holds a byte.
func (c *Changes) LineOf(offset int32) int32 {
	i, found := slices.BinarySearch(c.starts[1:], offset)
	if found {
		i++
	}
	return min(int32(i), c.Count())
}

// Edited is a line of the user's with edits, as one or more lines.
func (c *Changes) Edited(n int32, edits []Edit) []Line {
	from, to := c.starts[n], c.starts[n+1]
	var b strings.Builder
	at := from
	changed := false
	for _, e := range edits {
		if e.From < at || e.To > to || c.LineOf(e.From) != n {
			continue
		}
		b.Write(c.field[at:e.From])
		b.WriteString(e.Word)
		at, changed = e.To, true
	}
	if !changed {
		return []Line{{Text: ending(string(c.File.Source.Text[from:to])), Number: n}}
	}
	b.Write(c.field[at:to])
	return c.Narrow(strings.TrimRight(b.String(), " \t\r\n"), token.Pos{}, n)
}

func ending(s string) string {
	if strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

// Instead replaces a part of a line that no other edit changes.
func (c *Changes) Instead(from, to int32, words string) {
	if !slices.ContainsFunc(c.Edits, func(e Edit) bool { return e.From < to && e.To > from }) {
		c.Edits = append(c.Edits, Edit{from, to, words})
	}
}

// Generated is a statement in lines of the form of the file.
func (c *Changes) Generated(indent int, statement string, at token.Pos) []Line {
	if c.File.Source.Fixed {
		indent = max(indent, 6)
	}
	return c.Narrow(strings.Repeat(" ", indent)+statement, at, 0)
}

// Comment is a comment in a line of the form of the file.
func (c *Changes) Comment(indent int, words string, at token.Pos) []Line {
	if c.File.Source.Fixed {
		indent = 0
	}
	return []Line{{Text: strings.Repeat(" ", indent) + "! " + words + "\n", At: at}}
}

// IsComment reports whether a line has no statement and no directive of any compiler: it is empty or a comment
// that does not begin with !$.
func (c *Changes) IsComment(n int32) bool {
	text := string(c.field[c.starts[n]:c.starts[n+1]])
	if c.File.Source.Fixed && len(text) > 0 && strings.ContainsRune("cC*", rune(text[0])) {
		text = "!" + text[1:]
	}
	text = strings.TrimSpace(text)
	return text == "" || text[0] == '!' && !strings.HasPrefix(text, "!$")
}

// Narrow breaks a line that is too long for the form. Comments stay as they are.
func (c *Changes) Narrow(s string, at token.Pos, number int32) (list []Line) {
	width, lead, mark := 132, "    & ", " &"
	if c.File.Source.Fixed {
		width, lead, mark = 72, "     & ", ""
	}
	switch start := strings.TrimSpace(s); {
	case strings.HasPrefix(start, "!$portable"):
		lead = "!$portable& "
	case strings.HasPrefix(start, "!$"): // conditional compilation
		lead = "!$  & "
	}
	fixed := c.File.Source.Fixed
	if fixed && len(Columns(s)) > width {
		s = Columns(s)
	}
	for len(s) > width {
		cut := breakAt(s, width-len(mark), fixed && s[0] != '!')
		if cut == 0 {
			break
		}
		list = append(list, Line{strings.TrimRight(s[:cut], " ") + mark + "\n", at, number, len(list) > 0})
		s = lead + strings.TrimLeft(s[cut:], " ")
	}
	return append(list, Line{s + "\n", at, number, len(list) > 0})
}

// Columns is a line in fixed form with blanks for a tab in front of column 7, which counts as the columns up to there.
func Columns(s string) string {
	t := strings.IndexByte(s[:min(len(s), 6)], '\t')
	if t < 0 {
		return s
	}
	column := 6
	if t+1 < len(s) && s[t+1] >= '1' && s[t+1] <= '9' { // the line goes on with a statement
		column = 5
	}
	return s[:t] + strings.Repeat(" ", column-t) + s[t+1:]
}

// breakAt is the last blank or comma up to limit, outside of texts and comments, behind the first word, else the last place behind a closing
// parenthesis, else in fixed form, where blanks mean nothing, the limit; 0: there is none.
func breakAt(s string, limit int, fixed bool) (best int) {
	quote := byte(0)
	begun, behind := 0, 0
	for i := 0; i < len(s) && i < limit; i++ {
		ch := s[i]
		switch {
		case fixed && i == 5: // it only says that the statement goes on
		case quote != 0:
			if ch == quote {
				quote = 0
			}
		case ch == '\'' || ch == '"':
			quote = ch
		case ch == '!' && i > 0 && !strings.HasPrefix(s[i:], "!$"):
			return 0 // the statement fits
		case ch == ' ' && begun > 12:
			best = i
		case ch == ',' && begun > 0:
			best = i + 1
		case ch == ')' && begun > 0:
			behind = i + 1
		}
		if ch != ' ' {
			begun++
		}
	}
	if best == 0 {
		best = behind
	}
	if best == 0 && fixed && quote == 0 {
		best = limit
	}
	return best
}

// Text is the rewritten text with the places of its parts.
func (c *Changes) Text() (text []byte, parts []source.Part) {
	c.Sort()
	var b bytes.Buffer
	next := Line{Number: 1} // that would need no part of its own
	moved := len(c.File.Source.Parts) > 0
	put := func(list []Line) {
		for _, l := range list {
			switch {
			case l.Number == 0:
				parts = append(parts, source.Part{Offset: int32(b.Len()), Line: l.At.Line, Column: max(l.At.Column, 1), Inner: l.Inner})
				next.Number = -1
			case moved: // the file was rewritten before
				part := c.File.Source.PartAt(c.starts[l.Number], l.Number)
				part.Offset, part.Inner = int32(b.Len()), part.Inner || l.Inner || c.continues(l.Number)
				parts = append(parts, part)
			case l.Number != next.Number:
				parts = append(parts, source.Part{Offset: int32(b.Len()), Line: l.Number, Inner: l.Inner || c.continues(l.Number)})
			}
			if l.Number > 0 {
				next.Number = l.Number + 1
			}
			b.WriteString(l.Text)
		}
	}
	for n := int32(1); n <= c.Count(); n++ {
		put(c.Before[n])
		if !c.Dropped[n] {
			put(c.Edited(n, c.Edits))
		}
		put(c.After[n])
	}
	return b.Bytes(), parts
}

// continues reports whether a line of the user's goes on with a statement.
func (c *Changes) continues(n int32) bool {
	if c.inner == nil {
		c.inner = map[int32]bool{}
		for _, l := range c.File.Lines {
			for k := l.Lines[0] + 1; k <= l.Lines[1] && !l.Nested; k++ {
				c.inner[k] = true
			}
		}
	}
	return c.inner[n]
}

// Sort puts the edits into the order of the text.
func (c *Changes) Sort() {
	slices.SortStableFunc(c.Edits, func(a, b Edit) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
}
