package host

import (
	"bytes"
	"sort"
	"strings"
)

// edit replaces bytes of the user's file: by a word, which stays within its line, or by whole lines.
type edit struct {
	from, to int32
	lines    bool
	rank     int8 // of lines at one place: 0 ends what stands in front, 1 belongs to data regions, 2 begins a statement
	pieces   []piece
	word     string
}

// editor holds the edits of a file.
type editor struct {
	source []byte // without what stands behind the last column of fixed form
	text   []byte // with it
	form
	edits []edit
}

// insert puts lines in front of a statement, replace changes a word.
func (e *editor) insert(at int32, pieces []piece) {
	e.edits = append(e.edits, edit{from: e.start(at), to: e.start(at), lines: true, rank: 2, pieces: pieces})
}

// lead puts lines in front of those that insert puts there.
func (e *editor) lead(at int32, pieces []piece) {
	e.edits = append(e.edits, edit{from: e.start(at), to: e.start(at), lines: true, rank: 1, pieces: pieces})
}

// after puts lines behind the line of the byte in front of at, or behind that byte if a statement follows on its line.
func (e *editor) after(at int32, pieces []piece) {
	at = e.end(at)
	e.edits = append(e.edits, edit{from: at, to: at, lines: true, pieces: pieces})
}

func (e *editor) replace(from, to int32, word string) {
	e.edits = append(e.edits, edit{from: from, to: to, word: word})
}

// start is the beginning of the line if only blanks are in front of at, else at.
func (e *editor) start(at int32) int32 {
	i := at
	for i > 0 && (e.source[i-1] == ' ' || e.source[i-1] == '\t') {
		i--
	}
	if i == 0 || e.source[i-1] == '\n' {
		return i
	}
	return at
}

// end is the beginning of the next line if only blanks and a comment are behind at, else at.
func (e *editor) end(at int32) int32 {
	i := at
	for int(i) < len(e.source) && (e.source[i] == ' ' || e.source[i] == '\t' || e.source[i] == '\r') {
		i++
	}
	if int(i) < len(e.source) && e.source[i] != '\n' && e.source[i] != '!' {
		return at
	}
	return e.next(i)
}

// next is the beginning of the line behind the one of at.
func (e *editor) next(at int32) int32 {
	if i := bytes.IndexByte(e.source[at:], '\n'); i >= 0 {
		return at + int32(i) + 1
	}
	return int32(len(e.source))
}

// within are the edits of a range in their order.
func (e *editor) within(from, to int32) []edit {
	var list []edit
	for _, x := range e.edits {
		if x.from >= from && x.to <= to {
			list = append(list, x)
		}
	}
	if e.moved != nil { // each part has its own lines
		for _, p := range e.moved.Parts {
			if p.Offset > from && p.Offset < to && !p.Inner {
				list = append(list, edit{from: p.Offset, to: p.Offset, lines: true})
			}
		}
	}
	sort.SliceStable(list, func(i, j int) bool { // lines end what stands in front of them; a word begins what follows
		a, b := list[i], list[j]
		switch {
		case a.from != b.from:
			return a.from < b.from
		case a.lines != b.lines:
			return a.lines
		}
		return a.lines && a.rank < b.rank
	})
	return list
}

// apply gives the bytes of a range, which begins in that line, with all edits in it.
func (e *editor) apply(from, to, line int32) []piece {
	var out []piece
	var now strings.Builder
	line = e.user(from, line)
	start, at := line, from
	if e.fixed && from > 0 && e.source[from-1] != '\n' {
		now.WriteString("      ") // the range begins inside of a line
	}
	move := func(end int32, keep bool) {
		if keep {
			now.Write(e.kept(at, end, now.Len() == 0 || strings.HasSuffix(now.String(), "\n")))
		}
		line += int32(bytes.Count(e.source[at:end], []byte{'\n'}))
		at = end
		line = e.user(at, line)
	}
	flush := func() {
		if now.Len() > 0 {
			out = append(out, piece{e.narrow(now.String(), len(e.edits) > 0), start})
		}
		now.Reset()
		start = line
	}
	for _, x := range e.within(from, to) {
		if x.from < at {
			continue
		}
		move(x.from, true)
		if !x.lines {
			now.WriteString(x.word)
			move(x.to, false)
			continue
		}
		split := at > from && e.source[at-1] != '\n'
		if split {
			rest := strings.TrimSuffix(strings.TrimRight(now.String(), " \t"), ";")
			now.Reset()
			now.WriteString(rest + "\n")
		}
		flush()
		out = append(out, x.pieces...)
		move(x.to, false)
		if split {
			for at < to && (e.source[at] == ' ' || e.source[at] == ';') {
				at++
			}
			if at < to && e.source[at] == '\n' {
				move(at+1, false)
			} else if e.fixed && at < to {
				now.WriteString("      ")
			}
		}
		start = line
	}
	move(to, true)
	flush()
	return out
}

// kept are the bytes of a range. Whole lines keep what stands behind the last column of fixed form, but for what a preprocessor would misread; whole says
// that nothing of the first line is written yet.
func (e *editor) kept(from, to int32, whole bool) []byte {
	if !e.fixed || bytes.Equal(e.source[from:to], e.text[from:to]) {
		return e.source[from:to]
	}
	var out []byte
	for at := from; at < to; {
		next := e.next(at)
		end := min(next, to)
		line := e.text[at:end]
		if at == from && !(whole && (at == 0 || e.source[at-1] == '\n')) || end < next || bytes.Contains(line, []byte("/*")) ||
			bytes.HasSuffix(bytes.TrimRight(line, " \t\r\n"), []byte{'\\'}) {
			line = e.source[at:end]
		}
		out = append(out, line...)
		at = end
	}
	return out
}

// user is the line of the user's file at an offset; line is that without a rewritten text.
func (e *editor) user(at, line int32) int32 {
	if e.moved == nil {
		return line
	}
	return e.moved.LineAt(at, 1+int32(bytes.Count(e.source[:at], []byte{'\n'})))
}

// narrow breaks the lines that an edit has made too long.
func (e *editor) narrow(s string, edited bool) string {
	if !edited {
		return s
	}
	lines := strings.SplitAfter(s, "\n")
	for i, l := range lines {
		body := strings.TrimRight(l, "\r\n")
		if len(body) <= e.width || !e.changed(body) {
			continue
		}
		body = strings.TrimRight(body, " \t") // where the end of a line in fixed form was
		indent := len(body) - len(strings.TrimLeft(body, " "))
		if e.fixed {
			lines[i] = e.broken(body, 6, "     & ", "")
		} else {
			lines[i] = e.broken(body, indent, strings.Repeat(" ", indent+4), " &")
		}
	}
	return strings.Join(lines, "")
}

// changed reports whether a line is not one of the user's file.
func (e *editor) changed(line string) bool { return !bytes.Contains(e.text, []byte(line)) }
