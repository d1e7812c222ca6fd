package source

import (
	"bytes"
	"strings"

	"libportable/internal/fortran/token"
)

// statement is the statement or directive that is being read.
type statement struct {
	placed
	kind       Kind
	sentinel   string
	quote      byte // of the string that the text is in
	left       int  // bytes that the Hollerith constant being read still needs
	open       bool // free form: a continuation line follows
	label      int32
	labelAt    token.Span
	holleriths [][2]int // first byte and number of digits and bytes of each Hollerith constant
	lines      [2]int32
	file       int32
	shared     bool // another statement is on its line, or a macro made a part of the line
	nested     bool
	ifOpenMP   bool
	filled     int // fixed form: columns of the last line that are read
}

// maxStatement is the most bytes of a statement, so that any file takes a bounded memory.
const maxStatement = 1 << 26

// begin notes that the statement has text of a line.
func (s *statement) begin(in *feed, from token.Pos) {
	if s.lines[0] == 0 {
		s.lines[0], s.file, s.nested = from.Line, in.file.Index, in.nested
	}
	s.shared = s.shared || in.expanded
	if s.file == in.file.Index {
		s.lines[1] = max(s.lines[1], in.line-1)
	}
}

// end makes a line of the statement and begins a new one.
func (r *reader) end() {
	s := &r.now
	if len(s.text) > 0 {
		r.emit()
	}
	*s = statement{placed: placed{s.text[:0], s.runs[:0]}, holleriths: s.holleriths[:0]}
}

func (r *reader) newLine() *Line {
	if len(r.lines) == cap(r.lines) {
		r.lines = make([]Line, 0, 256)
	}
	r.lines = append(r.lines, Line{})
	return &r.lines[len(r.lines)-1]
}

// withoutMarks leaves out continuation marks at both ends of a directive. The form of the file and the number of marks decide
// which of them the feed takes for its own, and no directive has such text.
func withoutMarks(tokens []token.Token) []token.Token {
	mark := func(t token.Token) bool { return t.Kind == token.Operator && t.Text == "&" }
	for len(tokens) > 0 && mark(tokens[0]) {
		tokens = tokens[1:]
	}
	for len(tokens) > 0 && mark(tokens[len(tokens)-1]) {
		tokens = tokens[:len(tokens)-1]
	}
	return tokens
}

// emit makes a line of the text.
func (r *reader) emit() {
	s := &r.now
	fixed := r.out.File.Fixed && s.kind == Statement
	tokens := r.lex.statement(s, fixed)
	if s.kind == Directive {
		tokens = withoutMarks(tokens)
	}
	label, labelAt := s.label, s.labelAt
	if !fixed && s.kind == Statement && len(tokens) > 0 && tokens[0].Kind == token.Integer && len(tokens[0].Text) <= 9 &&
		strings.IndexByte(tokens[0].Text, '_') < 0 {
		for _, c := range []byte(tokens[0].Text) {
			label = label*10 + int32(c-'0')
		}
		labelAt = tokens[0].Span
		tokens = tokens[1:]
	}
	if len(tokens) == 0 && s.kind == Statement {
		if labelAt.From.Known() {
			r.problem(labelAt.From, "label %d has no statement; write 'continue' behind it", label)
		}
		return
	}
	macro := false
	for i := range tokens {
		macro = macro || tokens[i].Macro || tokens[i].Span.From.File != s.file
	}
	if s.kind == Statement && len(tokens) == 2 && tokens[0].IsName("include") && tokens[1].Kind == token.String && tokens[1].Prefix == "" {
		name, at := tokens[1].Text, tokens[0].Span.From
		*s = statement{placed: placed{s.text[:0], s.runs[:0]}, holleriths: s.holleriths[:0]}
		r.include(at, name, true, true)
		r.stack[len(r.stack)-1].endFixed()
		return
	}
	l := r.newLine()
	*l = Line{Kind: s.kind, Sentinel: s.sentinel, Label: label, Tokens: tokens, Lines: s.lines, Nested: s.nested, If: s.ifOpenMP}
	if len(tokens) > 0 {
		l.Span = token.Join(labelAt, tokens[0].Span)
		last := tokens[len(tokens)-1].Span
		if last.To.File == l.Span.From.File {
			l.Span.To = last.To
		}
	} else {
		l.Span = s.labelAt // of an empty directive: its sentinel
	}
	l.Alone = !s.shared && !macro
	if n := len(r.out.Lines); n > 0 {
		if before := r.out.Lines[n-1]; before.Span.From.File == l.Span.From.File && before.Lines[1] >= l.Lines[0] && before.Lines[0] <= l.Lines[1] {
			before.Alone, l.Alone = false, false
		}
	}
	r.out.Lines = append(r.out.Lines, l)
}

// body reads the characters i to end of a line, behind its continuation marks. It returns whether a comment ended it.
func (in *feed) body(l *placed, i, end int, fixed bool) (comment bool) {
	r := in.r
	s := &r.now
	k := l.search(i)
	put := func(from, to int) {
		if len(s.text)+to-from > maxStatement {
			return
		}
		k = s.addFrom(l, from, to, k)
	}
	from := i
	for i < end {
		c := l.text[i]
		if s.left > 0 {
			n := min(s.left, end-i)
			s.left -= n
			i += n
			put(from, i)
			from = i
			continue
		}
		if s.quote != 0 {
			switch {
			case c == s.quote:
				s.quote = 0
			case c == '\\' && r.o.Backslash && i+1 < end:
				i++
			case c == '&' && !fixed && skip(l.text, i+1, end, isBlank) == end:
				put(from, i)
				s.open = true
				return false
			}
			i++
			continue
		}
		switch {
		case c == '!':
			put(from, i)
			in.comment(l.text[i:end], l.at(i).Line)
			return true
		case c == '&':
			if j := skip(l.text, i+1, end, isBlank); j == end || l.text[j] == '!' {
				put(from, i)
				if j < end {
					in.comment(l.text[j:end], l.at(j).Line)
				}
				s.open = !fixed || s.kind == Directive
				return j < end
			}
			i++
		case c == ';' && s.kind == Statement:
			put(from, i)
			line := l.at(i)
			s.shared = true
			r.end()
			s.shared = true
			i++
			from = i
			if i < end {
				s.begin(in, line)
			}
			k = l.search(min(i, end-1))
		case c == '\'' || c == '"':
			s.quote = c
			i++
		case fixed && isBlank(c):
			put(from, i)
			i = skip(l.text, i, end, isBlank)
			from = i
		case (c == 'h' || c == 'H') && i > from && isDigit(l.text[i-1]):
			put(from, i+1)
			i++
			from = i
			s.hollerith()
		default:
			i++
		}
	}
	put(from, end)
	return false
}

// hollerith begins a Hollerith constant if the text ends with digits and h that are one.
func (s *statement) hollerith() {
	i := len(s.text) - 1
	n := 0
	for i > 0 && isDigit(s.text[i-1]) {
		i--
	}
	for _, c := range s.text[i : len(s.text)-1] {
		n = min(n*10+int(c-'0'), maxStatement)
	}
	if n == 0 || n > 2000 || i == 0 {
		return
	}
	switch before := s.text[i-1]; {
	case inName(before) || before == '.' || before == ')' || before == '%':
		return
	case before == '*':
		// real*8h declares h. Only data has 2*4habcd.
		if bytes.IndexByte(s.text, '/') < 0 {
			return
		}
	}
	s.holleriths = append(s.holleriths, [2]int{i, len(s.text) - i + n})
	s.left = n
}

// comment looks for the mark in a comment.
func (in *feed) comment(text []byte, line int32) {
	if mark := in.r.o.Mark; mark != "" && strings.Contains(strings.ToLower(string(text)), mark) {
		m := in.r.marks
		m[in.file.Index] = append(m[in.file.Index], line)
	}
}
