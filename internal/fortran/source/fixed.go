package source

import (
	"bytes"

	"libportable/internal/fortran/token"
)

// Fixed form. Blanks outside of strings have no meaning, so the text of a statement has none (body leaves
// them out), and heads.go finds the words of its beginning, as DO 10 I = 1, 5 against DO 10 I = 1.5 needs.

// isComment reports whether a line of fixed form is a comment. A line whose first character is ! is one too, but in column 6.
func (r *reader) isComment(text []byte) bool {
	i := skip(text, 0, len(text), isBlank)
	if i == len(text) || i >= r.o.columns() && bytes.IndexByte(text[:i], '\t') < 0 {
		return true
	}
	switch text[0] {
	case 'c', 'C', '*', '!':
		return true
	case 'd', 'D':
		return !r.o.DLines
	}
	return text[i] == '!' && (i != 5 || bytes.IndexByte(text[:i], '\t') >= 0)
}

// fixedLine reads one line of fixed form.
func (in *feed) fixedLine(from token.Pos) {
	r := in.r
	l := &in.now
	text := l.text
	begin, ifOpenMP := 0, false
	if r.isComment(text) {
		i := skip(text, 0, len(text), isBlank)
		if i == len(text) {
			return
		}
		switch after := text[i+1:]; {
		case i == 0 && r.o.conditional() && fixedConditional(after):
			begin, ifOpenMP = 2, true
		case (i == 0 || text[i] == '!') && text[i] != 'd' && text[i] != 'D' && directive(after) != "":
			in.fixedDirective(l, i, directive(after), from)
			return
		default:
			in.comment(text[i:], from.Line)
			return
		}
	}
	if in.includeLine(text, from) {
		return
	}
	label, goesOn, i := fixedColumns(text, begin, r.o.DLines)
	end := min(len(text), r.o.columns()+i.shift)
	if i.first > end {
		i.first = end
	}
	s := &r.now
	if s.kind == Directive {
		r.end()
	}
	if goesOn && len(s.text) > 0 {
		in.pad(l)
	} else {
		in.endFixed()
		s.ifOpenMP = ifOpenMP
		s.fixedLabel(r, l, begin, label)
	}
	if i.first >= end {
		return
	}
	s.begin(in, from)
	comment := in.body(l, i.first, end, true)
	s.filled = end - i.shift
	if comment {
		s.filled = 1 << 30
	}
}

// includeLine reads an INCLUDE line that begins in front of column 7, as gfortran takes it.
func (in *feed) includeLine(text []byte, from token.Pos) bool {
	i := skip(text, 0, len(text), isBlank)
	if i > 5 || !startsFold(text[i:], "include") {
		return false
	}
	name, here, ok := includeName(text[i+len("include"):])
	if !ok || !here {
		return false
	}
	in.endFixed()
	in.r.include(shift(from, i), name, true, true)
	in.endFixed()
	return true
}

// endFixed ends the statement before a new line.
func (in *feed) endFixed() {
	s := &in.r.now
	if s.quote != 0 {
		in.r.problem(s.at(len(s.text)), "the string has no end in its statement; write the quote %c", s.quote)
	}
	in.r.end()
}

// pad fills the line before a continuation line up to the last column, if it ends inside of a string or Hollerith constant.
func (in *feed) pad(l *placed) {
	s := &in.r.now
	if s.quote == 0 && s.left == 0 || in.r.o.FixedColumns < 0 {
		return
	}
	n := in.r.o.columns() - s.filled
	if s.quote == 0 {
		n = min(n, s.left)
	}
	if n <= 0 || len(s.text)+n > maxStatement || len(s.text) == 0 {
		return
	}
	s.left = max(0, s.left-n)
	at := s.at(len(s.text))
	s.one(bytes.Repeat([]byte{' '}, n), token.Span{From: at, To: at}, false)
}

// column is where the statement begins in a line.
type column struct {
	first int // index of column 7
	shift int // bytes more than columns, because of a tab
}

// fixedColumns splits a line: label field, whether it is a continuation line, text. begin: columns in front that do not count.
func fixedColumns(text []byte, begin int, dLines bool) (labelEnd int, goesOn bool, c column) {
	if t := bytes.IndexByte(text[:min(len(text), 6)], '\t'); t >= 0 {
		c = column{t + 1, t + 1 - 6}
		if t+1 < len(text) && text[t+1] >= '1' && text[t+1] <= '9' {
			return t, true, column{t + 2, t + 2 - 6}
		}
		return t, false, c
	}
	if len(text) > 0 && text[0] == '&' {
		return 1, true, column{1, 0}
	}
	if len(text) < 6 {
		return len(text), false, column{len(text), 0}
	}
	return 5, text[5] != ' ' && text[5] != '0', column{6, 0}
}

// fixedLabel reads the label field.
func (s *statement) fixedLabel(r *reader, l *placed, begin, end int) {
	for i := begin; i < end; i++ {
		c := l.text[i]
		switch {
		case isBlank(c), i == 0 && lower(c) == 'd' && r.o.DLines:
		case isDigit(c):
			if s.label < 1e8 {
				s.label = s.label*10 + int32(c-'0')
			}
			s.labelAt = token.Join(s.labelAt, l.runs[l.search(i)].span(i))
		default:
			r.problem(l.at(i), "character %q in columns 1 to 5; they hold a label", c)
			return
		}
	}
}

// fixedConditional reports whether text, behind column 1, is conditional compilation: a dollar sign, and a label or blanks.
func fixedConditional(text []byte) bool {
	if len(text) == 0 || text[0] != '$' {
		return false
	}
	for i := 1; i < 4 && i < len(text); i++ {
		if text[i] == '\t' {
			return true
		}
		if !isBlank(text[i]) && !isDigit(text[i]) {
			return false
		}
	}
	return len(text) > 1
}

// fixedDirective reads a directive line; i is the comment character. A continuation line has a mark behind the sentinel:
// in column 6 for sentinels that end there, & for others. Any sentinel also takes & at the end of the line before.
func (in *feed) fixedDirective(l *placed, i int, sentinel string, from token.Pos) {
	r := in.r
	s := &r.now
	first := i
	i += 1 + sentinelLength(sentinel)
	mark := i < len(l.text) && (l.text[i] == '&' || i == 5 && !isBlank(l.text[i]) && l.text[i] != '0')
	goesOn := s.kind == Directive && s.sentinel == sentinel && (mark || s.open)
	if !goesOn {
		if s.kind == Statement && len(s.text) > 0 && in.continues() {
			in.comment(l.text[first:], from.Line)
			return // a comment inside of a statement
		}
		in.endFixed()
		s.directive(l, first, i, sentinel)
	} else if !s.open && s.quote == 0 {
		s.one([]byte{' '}, token.Span{From: l.at(i), To: l.at(i)}, false)
	}
	if mark {
		i++
	} else if s.open {
		if j := skip(l.text, i, len(l.text), isBlank); j < len(l.text) && l.text[j] == '&' {
			i = j + 1
		}
	}
	s.open = false
	s.begin(in, from)
	end := min(len(l.text), r.o.columns())
	in.body(l, min(i, end), end, false)
}

// continues reports whether the next line that is no comment is a continuation line.
func (in *feed) continues() bool {
	if in.next >= in.pos {
		return in.goesOn
	}
	text := in.file.Text
	at := in.pos
	for at < len(text) {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			n = len(text) - at
		}
		line := bytes.TrimSuffix(text[at:at+n], []byte{'\r'})
		isIf := len(line) > 1 && in.r.o.conditional() && fixedConditional(line[1:])
		if !(len(line) > 0 && line[0] == '#' && (in.r.pre != nil || in.r.o.AllBranches)) && (!in.r.isComment(line) || isIf) {
			_, goesOn, _ := fixedColumns(line, 0, in.r.o.DLines)
			in.next, in.goesOn = at, goesOn
			return goesOn
		}
		at += n + 1
	}
	in.next, in.goesOn = len(text), false
	return false
}

// Statements is the text with blanks for what stands behind the last column of statements: sequence numbers, say. Comments and lines of the preprocessor
// stay as they are, and so do all offsets.
func (f *File) Statements() []byte {
	if !f.Fixed {
		return f.Text
	}
	var out []byte // nil: as the text
	quote := byte(0)
	for at := 0; at < len(f.Text); {
		end := at + 1 + bytes.IndexByte(f.Text[at:], '\n')
		if end == at {
			end = len(f.Text)
		}
		line := bytes.TrimRight(f.Text[at:end], "\r\n")
		conditional := len(line) > 1 && line[1] == '$'
		if len(line) > 0 && line[0] != '#' && (bytes.IndexByte([]byte("cC*!"), line[0]) < 0 || conditional) {
			_, goesOn, first := fixedColumns(line, 0, false)
			if !goesOn {
				quote = 0
			}
			last := min(len(line), max(f.Last+first.shift, first.first))
			var comment bool
			if quote, comment = open(line[min(first.first, last):last], quote); !comment && last < len(line) {
				if out == nil {
					out = bytes.Clone(f.Text)
				}
				copy(out[at+last:at+len(line)], bytes.Repeat([]byte{' '}, len(line)-last))
			}
		}
		at = end
	}
	if out == nil {
		return f.Text
	}
	return out
}

// open is the quote of a string that the statement field of a line leaves open, where quote is the one that the line before leaves open, and whether a
// comment ends the field.
func open(field []byte, quote byte) (after byte, comment bool) {
	for _, c := range field {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '!':
			return 0, true
		}
	}
	return quote, false
}
