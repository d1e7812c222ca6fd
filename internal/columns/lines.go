package columns

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"libportable/internal/fortran/source"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// This file keeps the changes of a file, line by line.

// line is a line of a rewritten text. A generated one has the place at; one of the user's, or its copy, has its number.
type line struct {
	text   string
	at     token.Pos
	number int32
	inner  bool // it goes on with the statement of the line before
}

// edit replaces bytes of a line of the user's file by a word.
type edit struct {
	from, to int32
	word     string
}

// changes are those of a file.
type changes struct {
	file    *tree.File
	starts  []int32 // offsets of the lines, from 1
	edits   []edit
	before  map[int32][]line
	after   map[int32][]line
	dropped map[int32]bool
	inner   map[int32]bool // lines that go on with a statement; nil: not known yet
}

func (p *Plan) changesOf(f *tree.File) *changes {
	c := p.files[f]
	if c == nil {
		c = &changes{file: f, starts: lineStarts(f.Source.Text), before: map[int32][]line{}, after: map[int32][]line{}, dropped: map[int32]bool{}}
		p.files[f] = c
	}
	return c
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

func (c *changes) count() int32 { return int32(len(c.starts)) - 2 }

// lineOf is the number of the line that holds a byte.
func (c *changes) lineOf(offset int32) int32 {
	i, found := slices.BinarySearch(c.starts[1:], offset)
	if found {
		i++
	}
	return min(int32(i), c.count())
}

// edited is a line of the user's with edits, as one or more lines.
func (c *changes) edited(n int32, edits []edit) []line {
	from, to := c.starts[n], c.starts[n+1]
	text := c.file.Source.Text
	var b strings.Builder
	at := from
	changed := false
	for _, e := range edits {
		if e.from < at || e.to > to || c.lineOf(e.from) != n {
			continue
		}
		b.Write(text[at:e.from])
		b.WriteString(e.word)
		at, changed = e.to, true
	}
	b.Write(text[at:to])
	if !changed {
		return []line{{text: ending(b.String()), number: n}}
	}
	return c.narrow(strings.TrimRight(b.String(), "\r\n"), token.Pos{}, n)
}

func ending(s string) string {
	if strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

// generated is a statement in lines of the form of the file.
func (c *changes) generated(indent int, statement string, at token.Pos) []line {
	if c.file.Source.Fixed {
		indent = max(indent, 6)
	}
	return c.narrow(strings.Repeat(" ", indent)+statement, at, 0)
}

// narrow breaks a line that is too long for the form. Comments stay as they are.
func (c *changes) narrow(s string, at token.Pos, number int32) (list []line) {
	width, lead, mark := 132, "    & ", " &"
	if c.file.Source.Fixed {
		width, lead, mark = 72, "     & ", ""
	}
	switch start := strings.TrimSpace(s); {
	case strings.HasPrefix(start, "!$portable"):
		lead = "!$portable& "
	case strings.HasPrefix(start, "!$"): // conditional compilation
		lead = "!$  & "
	}
	for len(s) > width {
		cut := breakAt(s, width-len(mark))
		if cut == 0 {
			break
		}
		list = append(list, line{strings.TrimRight(s[:cut], " ") + mark + "\n", at, number, len(list) > 0})
		s = lead + strings.TrimLeft(s[cut:], " ")
	}
	return append(list, line{s + "\n", at, number, len(list) > 0})
}

// breakAt is the last blank or comma up to limit, outside of texts and comments, behind the first word; 0: there is none.
func breakAt(s string, limit int) (best int) {
	quote := byte(0)
	begun := 0
	for i := 0; i < len(s) && i < limit; i++ {
		ch := s[i]
		switch {
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
		}
		if ch != ' ' {
			begun++
		}
	}
	return best
}

// Text is the rewritten text of a file, with the places of its parts; nil: the file stays as it is.
func (p *Plan) Text(f *tree.File) (text []byte, parts []source.Part) {
	c := p.files[f]
	if c == nil || len(p.Faults) > 0 {
		return nil, nil
	}
	c.sort()
	var b bytes.Buffer
	next := line{number: 1} // that would need no part of its own
	put := func(list []line) {
		for _, l := range list {
			if l.number == 0 {
				parts = append(parts, source.Part{Offset: int32(b.Len()), Line: l.at.Line, Column: max(l.at.Column, 1), Inner: l.inner})
				next.number = -1
			} else if l.number != next.number {
				parts = append(parts, source.Part{Offset: int32(b.Len()), Line: l.number, Inner: l.inner || c.continues(l.number)})
			}
			if l.number > 0 {
				next.number = l.number + 1
			}
			b.WriteString(l.text)
		}
	}
	for n := int32(1); n <= c.count(); n++ {
		put(c.before[n])
		if !c.dropped[n] {
			put(c.edited(n, c.edits))
		}
		put(c.after[n])
	}
	return b.Bytes(), parts
}

// continues reports whether a line of the user's goes on with a statement.
func (c *changes) continues(n int32) bool {
	if c.inner == nil {
		c.inner = map[int32]bool{}
		for _, l := range c.file.Lines {
			for k := l.Lines[0] + 1; k <= l.Lines[1] && !l.Nested; k++ {
				c.inner[k] = true
			}
		}
	}
	return c.inner[n]
}

func (c *changes) sort() {
	slices.SortStableFunc(c.edits, func(a, b edit) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
}
